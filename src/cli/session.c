/* SPDX-License-Identifier: MIT */
#include "cli/session.h"

#include "cli/cli.h"

#include <signal.h>
#include <stddef.h>

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

void session_ignore_limits(void)
{
    signal(SIGXFSZ, SIG_IGN);
}
