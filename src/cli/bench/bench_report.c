/* SPDX-License-Identifier: MIT */
#include "cli/bench/bench_report.h"

#include "cli/bench/bench_case.h"

#include <json-c/json.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_COLUMN "%-22s "

bool bench_report_begin(struct bench_report *report, const struct bench_cl *cl,
                        const struct bench_copy *copy, bool is_json, size_t most_rows)
{
    *report = (struct bench_report){.cl = cl,
                                    .copy = copy,
                                    .is_json = is_json,
                                    .rows = calloc(most_rows, sizeof *report->rows)};
    if (!report->rows || is_json)
        return report->rows;
    printf("%s, driver %s; copy: %.1f GB/s read + written, by %s\n", cl->info.name, cl->info.driver,
           copy->bytes_per_second / 1e9, bench_copy_name(copy));
    return true;
}

const struct bench_row *bench_report_even(const struct bench_report *report,
                                          const struct bench_row *twin)
{
    size_t length = bench_family_length(twin->c);

    if (!bench_is_twin(twin->c))
        return NULL;
    for (size_t i = 0; i < report->count; ++i) {
        const char *name = report->rows[i].c->name;

        if (strncmp(name, twin->c->name, length) == 0 && name[length] == '\0')
            return &report->rows[i];
    }
    return NULL;
}

/* ---- JSON ---- */

static struct json_object *object_of(const struct bench_report *report, const struct slice_case *c)
{
    struct json_object *object = json_object_new_object();

    json_object_object_add(object, "case", json_object_new_string(c->name));
    json_object_object_add(object, "device", json_object_new_string(report->cl->info.name));
    json_object_object_add(object, "driver", json_object_new_string(report->cl->info.driver));
    return object;
}

static void add_text(struct json_object *object, const char *name, const char *value)
{
    json_object_object_add(object, name, json_object_new_string(value));
}

/* 6 digits are more than a measurement has. */
static void add_number(struct json_object *object, const char *name, double value)
{
    char digits[32];

    snprintf(digits, sizeof digits, "%.6g", value);
    json_object_object_add(object, name, json_object_new_double_s(value, digits));
}

static void add_count(struct json_object *object, const char *name, uint64_t value)
{
    json_object_object_add(object, name, json_object_new_uint64(value));
}

static void print_object(struct json_object *object)
{
    puts(json_object_to_json_string_ext(object,
                                        JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));
    json_object_put(object);
}

static void add_variants(struct json_object *object, const struct bench_subject *subject)
{
    add_text(object, "variant", bench_subject_variant(subject));
    add_text(object, "variant_aligned", subject->info.variant);
    add_text(object, "variant_unaligned", subject->info.variant_unaligned);
}

static void add_speed(struct json_object *object, const struct bench_subject *subject,
                      double seconds, double efficiency, double copy_bytes_per_second)
{
    double floor_bytes = (double)subject->plan.floor_bytes;

    add_number(object, "seconds", seconds);
    add_number(object, "gb_per_s", floor_bytes / seconds / 1e9);
    add_number(object, "efficiency", efficiency);
    add_count(object, "floor_bytes", subject->plan.floor_bytes);
    add_number(object, "copy_gb_per_s", copy_bytes_per_second / 1e9);
}

static void print_speed_object(const struct bench_report *report, const struct bench_row *row,
                               const struct bench_subject *subject, const struct bench_speed *speed)
{
    struct json_object *object = object_of(report, row->c);
    const struct bench_row *even = bench_report_even(report, row);

    add_variants(object, subject);
    add_speed(object, subject, row->seconds, row->efficiency,
              (double)speed->copy_bytes / speed->copy_seconds);
    if (even)
        add_number(object, "to_even", row->efficiency / even->efficiency);
    print_object(object);
}

static void print_overhead_object(const struct bench_report *report, const struct slice_case *c,
                                  const struct bench_subject *subject,
                                  const struct bench_overhead *overhead)
{
    struct json_object *object = object_of(report, c);
    double copy = report->copy->bytes_per_second;

    add_variants(object, subject);
    add_speed(object, subject, overhead->dispatch,
              (double)subject->plan.floor_bytes / overhead->dispatch / copy, copy);
    add_number(object, "latency_ratio", overhead->dispatch / overhead->empty);
    add_number(object, "enqueue_ratio", overhead->enqueue / overhead->bare_enqueue);
    add_number(object, "empty_seconds", overhead->empty);
    add_number(object, "enqueue_seconds", overhead->enqueue);
    add_number(object, "bare_enqueue_seconds", overhead->bare_enqueue);
    add_number(object, "host_seconds", overhead->host_dispatch);
    add_number(object, "host_latency_ratio", overhead->host_dispatch / overhead->empty);
    add_number(object, "host_enqueue_seconds", overhead->host_enqueue);
    add_number(object, "host_enqueue_ratio", overhead->host_enqueue / overhead->bare_enqueue);
    print_object(object);
}

/* ---- Rows ---- */

static void print_speed(struct bench_report *report, const struct bench_row *row)
{
    const struct bench_row *even = bench_report_even(report, row);

    if (!report->has_speeds)
        printf(NAME_COLUMN "%-16s %10s %8s %10s %8s\n", "case", "variant", "us", "GB/s",
               "efficiency", "to even");
    report->has_speeds = true;
    printf(NAME_COLUMN "%-16s %10.1f %8.1f %10.2f", row->c->name, row->variant, row->seconds * 1e6,
           row->gb_per_s, row->efficiency);
    if (even)
        printf(" %8.2f", row->efficiency / even->efficiency);
    putchar('\n');
}

void bench_report_speed(struct bench_report *report, const struct bench_subject *subject,
                        const struct slice_case *c, const struct bench_speed *speed)
{
    struct bench_row *row = &report->rows[report->count];

    *row = (struct bench_row){.c = c,
                              .seconds = speed->seconds,
                              .gb_per_s = (double)subject->plan.floor_bytes / speed->seconds / 1e9,
                              .efficiency = speed->efficiency};
    snprintf(row->variant, sizeof row->variant, "%s", bench_subject_variant(subject));
    ++report->count;
    if (report->is_json)
        print_speed_object(report, row, subject, speed);
    else
        print_speed(report, row);
    fflush(stdout);
}

static void print_overhead_row(const char *name, const char *variant, double dispatch,
                               double enqueue, const struct bench_overhead *overhead)
{
    printf(NAME_COLUMN "%-16s %9.2f %9.2f %6.2f %10.3f %9.3f %6.2f\n", name, variant,
           dispatch * 1e6, overhead->empty * 1e6, dispatch / overhead->empty, enqueue * 1e6,
           overhead->bare_enqueue * 1e6, enqueue / overhead->bare_enqueue);
}

/* A row for buffers and one for the caller's arrays. */
static void print_overhead(struct bench_report *report, const struct slice_case *c,
                           const char *variant, const struct bench_overhead *overhead)
{
    if (!report->has_overheads)
        printf("%s" NAME_COLUMN "%-16s %9s %9s %6s %10s %9s %6s\n", report->has_speeds ? "\n" : "",
               "overhead, us", "variant", "dispatch", "empty", "ratio", "enqueue", "bare", "ratio");
    report->has_overheads = true;
    print_overhead_row(c->name, variant, overhead->dispatch, overhead->enqueue, overhead);
    print_overhead_row("  host memory", variant, overhead->host_dispatch, overhead->host_enqueue,
                       overhead);
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
    static const char *const unknown[] = {"variant", "seconds", "gb_per_s", "efficiency"};

    if (report->is_json) {
        struct json_object *object = object_of(report, c);

        for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; ++i)
            json_object_object_add(object, unknown[i], NULL);
        add_text(object, "skipped", reason);
        print_object(object);
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
        const struct bench_row *even = bench_report_even(report, row);
        double value = row->efficiency / (even ? even->efficiency : 1);

        if (twins ? !even : bench_is_twin(row->c))
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
