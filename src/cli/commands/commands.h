/* SPDX-License-Identifier: MIT */
/* The commands, each in the file of its name. */
#ifndef CLSLICE_CLI_COMMANDS_COMMANDS_H
#define CLSLICE_CLI_COMMANDS_COMMANDS_H

#include "cli/cli.h"

extern const struct cli_command bench_command;
extern const struct cli_command cache_command;
extern const struct cli_command devices_command;
extern const struct cli_command explain_command;
extern const struct cli_command slice_command;
extern const struct cli_command verify_command;

#endif
