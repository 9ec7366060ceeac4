/* SPDX-License-Identifier: MIT */
#include "cli/bench/bench_report.h"

#include "cli/bench/bench_case.h"
#include "cli/bench/bench_json.h"
#include "cli/formats/json_write.h"
#include "conformance/problem.h"

#include <json-c/json.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_COLUMN "%-22s "

void bench_report_head(const struct bench_copy *copy)
{
    printf("%s, driver %s; copy: %.1f GB/s read + written, by %s\n", copy->cl->info.name,
           copy->cl->info.driver, copy->bytes_per_second / 1e9, bench_copy_name(copy));
}

bool bench_report_begin(struct bench_report *report, const struct bench_copy *copy, bool is_json,
                        size_t most_rows, struct problem *problem)
{
    *report = (struct bench_report){
        .copy = copy, .is_json = is_json, .rows = calloc(most_rows, sizeof *report->rows)};
    if (!report->rows)
        return problem_set(problem, "out of memory");
    if (!is_json)
        bench_report_head(copy);
    return true;
}

static const struct bench_row *find_even(const struct bench_report *report,
                                         const struct slice_case *twin)
{
    size_t length = bench_family_length(twin);

    if (!bench_is_twin(twin))
        return NULL;
    for (size_t i = 0; i < report->count; ++i) {
        const char *name = report->rows[i].c->name;

        if (strncmp(name, twin->name, length) == 0 && name[length] == '\0')
            return &report->rows[i];
    }
    return NULL;
}

/* ---- JSON ---- */

static struct json_object *object_of(const struct bench_report *report, const struct slice_case *c)
{
    struct json_object *object = json_object_new_object();

    json_add_text(object, "case", c->name);
    bench_json_device(object, report->copy->cl);
    return object;
}

static void print_speed_object(const struct bench_report *report, const struct bench_row *row,
                               const struct bench_subject *subject, const struct bench_speed *speed)
{
    struct json_object *object = object_of(report, row->c);

    bench_json_speed(object, subject, speed->seconds, speed->efficiency,
                     speed->copy_bytes_per_second);
    if (row->even)
        json_add_number(object, "to_even", row->efficiency / row->even->efficiency);
    bench_json_print(object);
}

static void print_overhead_object(const struct bench_report *report, const struct slice_case *c,
                                  const struct bench_subject *subject,
                                  const struct bench_overhead *overhead)
{
    struct json_object *object = object_of(report, c);
    const struct bench_cost *ours = &overhead->dispatch;
    const struct bench_cost *host = &overhead->host;
    const struct bench_cost *bare = &overhead->bare;
    double copy = report->copy->bytes_per_second;

    bench_json_speed(object, subject, ours->latency,
                     (double)subject->plan.floor_bytes / ours->latency / copy, copy);
    json_add_number(object, "latency_ratio", ours->latency / bare->latency);
    json_add_number(object, "enqueue_ratio", ours->enqueue / bare->enqueue);
    json_add_number(object, "empty_seconds", bare->latency);
    json_add_number(object, "enqueue_seconds", ours->enqueue);
    json_add_number(object, "bare_enqueue_seconds", bare->enqueue);
    json_add_number(object, "host_seconds", host->latency);
    json_add_number(object, "host_latency_ratio", host->latency / bare->latency);
    json_add_number(object, "host_enqueue_seconds", host->enqueue);
    json_add_number(object, "host_enqueue_ratio", host->enqueue / bare->enqueue);
    bench_json_print(object);
}

/* ---- Rows ---- */

static void print_speed(const struct bench_report *report, const struct bench_row *row,
                        const struct bench_subject *subject, double seconds)
{
    if (report->count == 1)
        printf(NAME_COLUMN "%-16s %10s %8s %10s %8s\n", "case", "variant", "us", "GB/s",
               "efficiency", "to even");
    printf(NAME_COLUMN "%-16s %10.1f %8.1f %10.2f", row->c->name, bench_subject_variant(subject),
           seconds * 1e6, bench_subject_gb_per_s(subject, seconds), row->efficiency);
    if (row->even)
        printf(" %8.2f", row->efficiency / row->even->efficiency);
    putchar('\n');
}

void bench_report_speed(struct bench_report *report, const struct bench_subject *subject,
                        const struct slice_case *c, const struct bench_speed *speed)
{
    struct bench_row *row = &report->rows[report->count];

    *row = (struct bench_row){c, speed->efficiency, find_even(report, c)};
    ++report->count;
    if (report->is_json)
        print_speed_object(report, row, subject, speed);
    else
        print_speed(report, row, subject, speed->seconds);
    fflush(stdout);
}

static void print_cost(const char *name, const char *variant, const struct bench_cost *cost,
                       const struct bench_cost *bare)
{
    printf(NAME_COLUMN "%-16s %9.2f %9.2f %6.2f %10.3f %9.3f %6.2f\n", name, variant,
           cost->latency * 1e6, bare->latency * 1e6, cost->latency / bare->latency,
           cost->enqueue * 1e6, bare->enqueue * 1e6, cost->enqueue / bare->enqueue);
}

/* A row for buffers and one for the caller's arrays. */
static void print_overhead(struct bench_report *report, const struct slice_case *c,
                           const char *variant, const struct bench_overhead *overhead)
{
    if (!report->has_overheads)
        printf("%s" NAME_COLUMN "%-16s %9s %9s %6s %10s %9s %6s\n", report->count > 0 ? "\n" : "",
               "overhead, us", "variant", "dispatch", "empty", "ratio", "enqueue", "bare", "ratio");
    report->has_overheads = true;
    print_cost(c->name, variant, &overhead->dispatch, &overhead->bare);
    print_cost("  host memory", variant, &overhead->host, &overhead->bare);
}

void bench_report_overhead(struct bench_report *report, const struct bench_subject *subject,
                           const struct slice_case *c, const struct bench_overhead *overhead)
{
    if (report->is_json)
        print_overhead_object(report, c, subject, overhead);
    else
        print_overhead(report, c, bench_subject_variant(subject), overhead);
    fflush(stdout);
}

void bench_report_skipped(struct bench_report *report, const struct slice_case *c,
                          const char *reason)
{
    if (report->is_json) {
        struct json_object *object = object_of(report, c);

        bench_json_skipped(object, reason);
        bench_json_print(object);
    } else {
        printf(NAME_COLUMN "skipped: %s\n", c->name, reason);
    }
    fflush(stdout);
}

/* ---- The end ---- */

/* Geometric mean and least of the even cases' efficiencies, or of the twins' ratios to theirs. */
static void print_summary(const struct bench_report *report, bool twins, const char *what)
{
    const struct bench_row *least = NULL;
    double least_value = HUGE_VAL;
    double logarithms = 0;
    size_t count = 0;

    for (size_t i = 0; i < report->count; ++i) {
        const struct bench_row *row = &report->rows[i];
        double value = row->efficiency / (row->even ? row->even->efficiency : 1);

        if (twins ? !row->even : bench_is_twin(row->c))
            continue;
        logarithms += log(value);
        ++count;
        if (value < least_value) {
            least_value = value;
            least = row;
        }
    }
    if (least)
        printf("%s: geometric mean %.2f of %zu, least %.2f (%s)\n", what,
               exp(logarithms / (double)count), count, least_value, least->c->name);
}

void bench_report_end(const struct bench_report *report)
{
    if (report->is_json || report->count == 0)
        return;
    putchar('\n');
    print_summary(report, false, "efficiency");
    print_summary(report, true, "awkward to even");
}

void bench_report_release(struct bench_report *report)
{
    free(report->rows);
    report->rows = NULL;
}
