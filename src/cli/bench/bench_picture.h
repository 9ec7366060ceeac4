/* SPDX-License-Identifier: MIT */
/* The efficiencies as a bar chart, drawn by gnuplot. */
#ifndef CLSLICE_CLI_BENCH_BENCH_PICTURE_H
#define CLSLICE_CLI_BENCH_BENCH_PICTURE_H

#include "cli/bench/bench_report.h"

/* Whether such a file could be drawn and written: its suffix, its folder, and gnuplot. */
bool bench_picture_check(const char *path, struct problem *problem);

/* The file appears complete or not at all. */
bool bench_picture_write(const char *path, const struct bench_report *report,
                         struct problem *problem);

#endif
