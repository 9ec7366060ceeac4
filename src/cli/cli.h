/* SPDX-License-Identifier: MIT */
/* The command line: what commands and options are, and how the words become them. */
#ifndef CLSLICE_CLI_CLI_H
#define CLSLICE_CLI_CLI_H

#include <stdbool.h>
#include <stddef.h>

#include <popt.h>

struct cli;
struct problem;

/* Numbers of options: a command's own begin at CLI_OWN_OPTIONS. */
enum { CLI_DEVICE = 1, CLI_HELP, CLI_VERSION, CLI_OWN_OPTIONS, CLI_MAX_OPTIONS = 16 };

/* Rows of an option table. */
#define CLI_FLAG(name, number, help)                        \
    {                                                       \
        name, '\0', POPT_ARG_NONE, NULL, number, help, NULL \
    }
#define CLI_TEXT(name, argument, number, help)                    \
    {                                                             \
        name, '\0', POPT_ARG_STRING, NULL, number, help, argument \
    }
/* What every command has, and the end of its table. */
#define CLI_COMMON_OPTIONS                                                    \
    CLI_TEXT("device", "SELECTOR", CLI_DEVICE,                                \
             "use this device, not CLSLICE_DEVICE's; see 'clslice devices'"), \
        CLI_FLAG("help", CLI_HELP, "print this and exit"),                    \
        CLI_FLAG("version", CLI_VERSION, "print the version and exit"), POPT_TABLEEND

struct cli_command {
    const char *name;
    const char *operands;             /* as the help shows them */
    const char *summary;              /* one line */
    const char *details;              /* lines of the command's own help */
    const struct poptOption *options; /* its own, then CLI_COMMON_OPTIONS */
    size_t most_operands;
    /* False where it fails, the problem set. Prints no error. */
    bool (*run)(const struct cli *cli, struct problem *problem);
};

/* A command line that has been understood so far. */
struct cli {
    const struct cli_command *command; /* NULL: none is named */
    /* Owned; by the numbers of the options. NULL: not given; "": given without an argument; of an
     * option given twice: the last. */
    char *value[CLI_MAX_OPTIONS];
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
