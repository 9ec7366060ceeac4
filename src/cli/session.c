/* SPDX-License-Identifier: MIT */
#include "cli/session.h"

#include "cli/cli.h"
#include "conformance/size_for.h"

#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

bool session_fail(const union session_error *error, struct problem *problem)
{
    return problem_set(problem, "%s", error->bytes + offsetof(clslice_error, text));
}

bool session_open(const struct cli *cli, clslice_device **device, struct problem *problem)
{
    clslice_device_options options = {.size = sizeof options, .selector = cli->value[CLI_DEVICE]};
    union session_error error = SESSION_ERROR;

    if (clslice_device_create(&options, device, &error.error) != CLSLICE_S_OK)
        return session_fail(&error, problem);
    session_ignore_limits();
    return true;
}

char *session_describe(const clslice_operator *op, const clslice_compile_options *options,
                       struct problem *problem)
{
    union session_error error = SESSION_ERROR;
    uint64_t needed = 0;
    char *text = NULL;

    if (clslice_operator_describe(op, options, NULL, 0, &needed, &error.error) != CLSLICE_S_OK) {
        session_fail(&error, problem);
        return NULL;
    }
    text = malloc(size_for(needed));
    if (!text)
        problem_set(problem, "out of memory");
    else if (clslice_operator_describe(op, options, text, needed, NULL, &error.error) !=
             CLSLICE_S_OK) {
        session_fail(&error, problem);
        free(text);
        text = NULL;
    }
    return text;
}

void session_open_descriptors(void)
{
    for (int i = STDIN_FILENO; i <= STDERR_FILENO; ++i)
        if (fcntl(i, F_GETFD) < 0) /* the lowest that is free is opened */
            open("/dev/null", i == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

void session_ignore_limits(void)
{
    signal(SIGXFSZ, SIG_IGN);
}
