/* SPDX-License-Identifier: MIT */
#include "cli/session.h"

#include <signal.h>
#include <stddef.h>
#include <string.h>

#include "cli/cli.h"

clslice_error *session_error_init(union session_error *error)
{
    memset(error, 0, sizeof *error);
    error->error.size = sizeof *error;
    return &error->error;
}

int session_fail(const union session_error *error)
{
    return cli_fail(CLI_FAILED, "%s", error->bytes + offsetof(clslice_error, text));
}

int session_open(const struct cli *cli, clslice_device **device)
{
    clslice_device_options options = {.size = sizeof options, .selector = cli->value[CLI_DEVICE]};
    union session_error error;

    *device = NULL;
    if (clslice_device_create(&options, device, session_error_init(&error)) != CLSLICE_S_OK)
        return session_fail(&error);
    session_ignore_limits();
    return CLI_DONE;
}

void session_close(clslice_device *device)
{
    clslice_device_release(device);
}

void session_ignore_limits(void)
{
    signal(SIGXFSZ, SIG_IGN);
}
