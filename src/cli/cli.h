/* SPDX-License-Identifier: MIT */
#ifndef CLSLICE_CLI_CLI_H
#define CLSLICE_CLI_CLI_H

#include <stdbool.h>
#include <stddef.h>

struct problem;

/* Exit statuses. */
enum {
    CLI_DONE = 0,
    CLI_FAILED = 1,
    CLI_MISUSED = 2 /* the command line cannot be understood */
};

enum cli_option {
    CLI_DEVICE,
    CLI_JSON,
    CLI_OFFSETS,
    CLI_SIZES,
    CLI_STRIDES,
    CLI_OUTPUT_SIZES,
    CLI_CASE,
    CLI_VARIANT,
    CLI_PAIRS,
    CLI_PICTURE,
    CLI_PLANNED,
    CLI_HELP,
    CLI_VERSION,
    CLI_OPTION_COUNT
};

#define CLI_WINDOW_OPTIONS \
    (1u << CLI_OFFSETS | 1u << CLI_SIZES | 1u << CLI_STRIDES | 1u << CLI_OUTPUT_SIZES)

struct cli;

struct cli_command {
    const char *name;
    const char *operands; /* as the help shows them */
    const char *summary;  /* one line */
    const char *details;  /* lines of the command's own help */
    unsigned options;     /* 1 << CLI_*, besides those that every command has */
    size_t most_operands;
    int (*run)(const struct cli *cli); /* returns the exit status; has printed why, if not 0 */
};

/* A command line that has been understood so far. */
struct cli {
    const struct cli_command *command; /* NULL: help or version is asked for */
    char *value[CLI_OPTION_COUNT];     /* owned; NULL: not given; an option given twice: its last */
    const char **operand;              /* owned, its texts borrowed; without the command's name */
    size_t operand_count;
};

/*
 * Reads the command line for one of the `count` commands. What begins with '-' and a digit or ':' is
 * an operand, and so is everything behind "--". Returns the exit status, the error printed; a wish
 * for help or the version has been fulfilled if the status is CLI_DONE and the command is NULL.
 */
int cli_read(struct cli *cli, int argc, char **argv, const struct cli_command *commands,
             size_t count);
void cli_release(struct cli *cli);

/* Writes "clslice: ", the text and a newline to stderr, in one line whatever the text holds. Returns
 * `status`. */
__attribute__((format(printf, 2, 3))) int cli_fail(int status, const char *format, ...);

/* The same for a problem, with status CLI_FAILED. */
int cli_fail_problem(const struct problem *problem);

/* The same, with status CLI_MISUSED, and points at the command's help. */
__attribute__((format(printf, 2, 3))) int cli_misused(const struct cli_command *command,
                                                      const char *format, ...);

/* The commands, each in a file of its own. */
int bench_run(const struct cli *cli);
int cache_run(const struct cli *cli);
int devices_run(const struct cli *cli);
int slice_run(const struct cli *cli);
int explain_run(const struct cli *cli);
int verify_run(const struct cli *cli);

#endif
