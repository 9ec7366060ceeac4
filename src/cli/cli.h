/* SPDX-License-Identifier: MIT */
/* The command line: what commands and options are, and how the words become them. */
#ifndef CLSLICE_CLI_CLI_H
#define CLSLICE_CLI_CLI_H

#include <stdbool.h>
#include <stddef.h>

struct cli;
struct problem;

enum { CLI_MAX_OPTIONS = 16 }; /* of a command, those that every command has included */

/* An option, as the help shows it. */
struct cli_option {
    const char *name;     /* without the dashes */
    const char *argument; /* NULL: it takes none */
    const char *help;
};

struct cli_command {
    const char *name;
    const char *operands;             /* as the help shows them */
    const char *summary;              /* one line */
    const char *details;              /* lines of the command's own help */
    const struct cli_option *options; /* its own, a NULL name behind the last; NULL: none */
    size_t most_operands;
    /* False where it fails, the problem set. Prints no error. */
    bool (*run)(const struct cli *cli, struct problem *problem);
};

/* A command line that has been understood so far. */
struct cli {
    const struct cli_command *command; /* NULL: none is named */
    /* Owned; in the order of the command's options. NULL: not given; "": given without an argument;
     * of an option given twice: the last. */
    char *value[CLI_MAX_OPTIONS];
    const char *device;   /* --device's argument, borrowed from `value`; NULL: not given */
    const char **operand; /* owned, its texts borrowed; without the command's name */
    size_t operand_count;
};

/*
 * Reads the command line for one of the commands, of which the list ends with NULL. Words that
 * begin with '-' and a digit or ':' are operands, and so is everything behind "--". Where help or
 * the version is asked for, prints it and sets *is_done: there is no command to run. A false return
 * has filled the problem. Either way the caller releases `cli`.
 */
bool cli_read(struct cli *cli, int argc, char **argv, const struct cli_command *const *commands,
              bool *is_done, struct problem *problem);
void cli_release(struct cli *cli);

#endif
