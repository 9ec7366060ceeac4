/* SPDX-License-Identifier: MIT */
/* What was measured, as a table or as JSON, one object a line. */
#ifndef CLSLICE_CLI_BENCH_BENCH_REPORT_H
#define CLSLICE_CLI_BENCH_BENCH_REPORT_H

#include "cli/bench/bench_overhead.h"
#include "cli/bench/bench_speed.h"

/* A large case as it was measured. */
struct bench_row {
    const struct slice_case *c; /* borrowed, static */
    double efficiency;
    const struct bench_row *even; /* of an awkward twin: its case; NULL: that was not measured */
};

struct bench_report {
    const struct bench_copy *copy; /* borrowed */
    bool is_json;
    bool has_overheads;     /* that part of the table has its head */
    struct bench_row *rows; /* owned */
    size_t count;
};

/* Prints the line that says what was measured with. */
void bench_report_head(const struct bench_copy *copy);

/* Prints that. False without the memory for so many rows. */
bool bench_report_begin(struct bench_report *report, const struct bench_copy *copy, bool is_json,
                        size_t most_rows, struct problem *problem);

void bench_report_speed(struct bench_report *report, const struct bench_subject *subject,
                        const struct slice_case *c, const struct bench_speed *speed);
void bench_report_overhead(struct bench_report *report, const struct bench_subject *subject,
                           const struct slice_case *c, const struct bench_overhead *overhead);
void bench_report_skipped(struct bench_report *report, const struct slice_case *c,
                          const char *reason);

/* Prints the summary. */
void bench_report_end(const struct bench_report *report);
/* All zeros are fine. */
void bench_report_release(struct bench_report *report);

#endif
