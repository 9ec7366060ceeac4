/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/session.h"

static const struct cli_command commands[] = {
    {
        .name = "devices",
        .operands = "[OPTION...]",
        .summary = "list every OpenCL device with the selector that picks it",
        .details = "Lists every OpenCL device with the selector that picks it, * before the one "
                   "that is picked now.",
        .options = 1u << CLI_JSON,
        .run = devices_run,
    },
    {
        .name = "slice",
        .operands = "IN OUT KEY",
        .summary = "write a part of an array or picture to a file",
        .details =
            "Writes what KEY takes of IN, a .npy or .png, to OUT, a .npy or .png. KEY is what "
            "NumPy\n"
            "takes between brackets: '::-1, 10:200:2, ...'\n"
            "In its place, --offsets, --sizes and --strides describe the part as SLICE1 does, a\n"
            "number for each dimension.",
        .options = CLI_WINDOW_OPTIONS,
        .most_operands = 3,
        .run = slice_run,
    },
    {
        .name = "explain",
        .operands = "IN KEY",
        .summary = "print how such a slice would run, and the bytes it moves",
        .details =
            "Prints the validated slice, the plan of the device and the bytes that it moves. "
            "Slices and\nbuilds nothing. KEY and the options in its place are those of "
            "'clslice slice'.",
        .options = CLI_WINDOW_OPTIONS,
        .most_operands = 2,
        .run = explain_run,
    },
    {
        .name = "verify",
        .operands = "[CASES.jsonl ...]",
        .summary = "check that the device slices rightly",
        .details = "Runs the built-in conformance cases on the device, or those of the given files "
                   "instead,\neach by every kernel for such devices that can do it. The last line "
                   "is 'N passed, M failed'.",
        .options = 1u << CLI_PLANNED,
        .most_operands = (size_t)-1,
        .run = verify_run,
    },
    {
        .name = "bench",
        .operands = "[OPTION...]",
        .summary = "measure the speed of the device's slices",
        .details = "Times typical slices, each in turns with a copy. Efficiency is the least time "
                   "that the\ncopy's bandwidth allows for the bytes that the slice must move, by "
                   "the time it takes: 1 is\nthe memory's limit. NAME/awkward is the same work "
                   "with nothing aligned. Small cases compare\nthe cost of a dispatch with that "
                   "of an empty kernel. Every output is checked once.",
        .options = 1u << CLI_JSON | 1u << CLI_CASE | 1u << CLI_VARIANT | 1u << CLI_PAIRS |
                   1u << CLI_PICTURE,
        .run = bench_run,
    },
    {
        .name = "cache",
        .operands = "path|list|stats|clear|fill",
        .summary = "look after the program binaries on disk",
        .details =
            "path: the folder. list: every entry, the longest unused first. stats: entries, "
            "bytes and\nthe oldest use. clear: removes the entries. fill: builds what slices "
            "of this device need, so\nthat later processes, or an image, start with it.",
        .most_operands = 1,
        .run = cache_run,
    },
};

int main(int argc, char **argv)
{
    struct cli cli;
    int status;

    session_ignore_limits();
    status = cli_read(&cli, argc, argv, commands, sizeof commands / sizeof commands[0]);
    if (status == CLI_DONE && cli.command)
        status = cli.command->run(&cli);
    errno = 0; /* of what failed before, stdio keeps no more than that it did */
    if ((fflush(stdout) != 0 || ferror(stdout)) && status == CLI_DONE)
        status = cli_fail(CLI_FAILED, "cannot write to standard output: %s",
                          strerror(errno ? errno : EIO));
    cli_release(&cli);
    return status;
}
