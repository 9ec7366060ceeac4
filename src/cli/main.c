/* SPDX-License-Identifier: MIT */
#include "cli/cli.h"
#include "cli/commands/commands.h"
#include "cli/session.h"
#include "conformance/problem.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const struct cli_command *const commands[] = {
    &devices_command, &slice_command, &explain_command, &verify_command, &bench_command,
    &cache_command,   NULL,
};

static bool flush_output(struct problem *problem)
{
    errno = 0; /* of what failed before, stdio keeps no more than that it did */
    return (fflush(stdout) == 0 && !ferror(stdout)) ||
           problem_set(problem, "cannot write to standard output: %s",
                       strerror(errno ? errno : EIO));
}

static void print_problem(const struct problem *problem, const struct cli_command *command)
{
    if (problem->status == PROBLEM_MISUSED)
        fprintf(stderr, "clslice: %s; see 'clslice %s%s--help'\n", problem->text,
                command ? command->name : "", command ? " " : "");
    else if (problem->text[0] != '\0')
        fprintf(stderr, "clslice: %s\n", problem->text);
}

int main(int argc, char **argv)
{
    struct problem problem = {0};
    struct cli cli;
    bool is_answered; /* by help or version */
    bool is_done;

    session_open_descriptors();
    session_ignore_limits();
    is_done = cli_read(&cli, argc, argv, commands, &is_answered, &problem) &&
              (is_answered || cli.command->run(&cli, &problem));
    /* What failed first is told. */
    is_done = flush_output(is_done ? &problem : NULL) && is_done;
    if (!is_done)
        print_problem(&problem, cli.command);
    cli_release(&cli);
    if (is_done)
        return 0;
    return problem.status ? problem.status : PROBLEM_FAILED;
}
