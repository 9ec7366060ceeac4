/* SPDX-License-Identifier: MIT */
#include "cli/args/list.h"
#include "cli/bench/bench_case.h"
#include "cli/bench/bench_picture.h"
#include "cli/commands/commands.h"
#include "cli/session.h"
#include "conformance/problem.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { DEFAULT_PAIRS = 21, MOST_PAIRS = 100000, NAMES_SIZE = 1024 };

enum { JSON = CLI_OWN_OPTIONS, CASE, VARIANT, PAIRS, PICTURE };
static const struct poptOption options[] = {
    CLI_FLAG("json", JSON, "print JSON"),
    CLI_TEXT("case", "NAME", CASE, "measure only the cases of this name; * matches any characters"),
    CLI_TEXT("variant", "NAME", VARIANT, "use this kernel, not the one that the planner chooses"),
    {"pairs", '\0', POPT_ARG_STRING, NULL, PAIRS, "time N pairs of copy and case (default 21)",
     "N"},
    {"picture", '\0', POPT_ARG_STRING, NULL, PICTURE, "also draw the efficiencies, with gnuplot",
     "FILE.svg|.png"},
    CLI_COMMON_OPTIONS,
};

struct bench {
    const struct cli *cli; /* borrowed */
    uint32_t pairs;
    size_t wanted;              /* cases */
    size_t measured;            /* cases */
    struct problem skip_reason; /* of the last case that was skipped */
    struct bench_cl cl;
    struct bench_copy copy;
    struct bench_report report;
};

static bool read_pairs(struct bench *bench, struct problem *problem)
{
    const char *text = bench->cli->value[PAIRS];
    uint32_t numbers[ARRAY_MAX_RANK] = {DEFAULT_PAIRS};
    uint32_t count = 1;

    if (text && !list_parse("--pairs", text, 0, UINT32_MAX, numbers, &count, problem))
        return false;
    if (count != 1 || numbers[0] < 1 || numbers[0] > MOST_PAIRS)
        return problem_misused(problem, "--pairs '%s' is not a number from 1 to %d", text,
                               MOST_PAIRS);
    bench->pairs = numbers[0];
    return true;
}

static void add_name(char names[NAMES_SIZE], const char *name)
{
    size_t used = strlen(names);

    snprintf(names + used, NAMES_SIZE - used, "%s%s", used > 0 ? ", " : "", name);
}

static bool check_variant(const char *name, struct problem *problem)
{
    char names[NAMES_SIZE] = "";
    const char *variant;

    for (uint32_t i = 0; (variant = clslice_variant_name(i)); ++i) {
        if (!name || strcmp(name, variant) == 0)
            return true;
        add_name(names, variant);
    }
    return problem_set(problem, "--variant '%s' is not a variant; there are %s", name, names);
}

static bool count_cases(struct bench *bench, struct problem *problem)
{
    char names[NAMES_SIZE] = "";

    for (size_t i = 0; i < slice_case_count; ++i)
        bench->wanted += bench_is_wanted(&slice_cases[i], bench->cli->value[CASE]);
    if (bench->wanted > 0)
        return true;
    for (const struct slice_case *c = slice_cases; c < slice_cases + slice_case_count; ++c)
        if (bench_is_wanted(c, NULL) && !bench_is_twin(c)) /* whose names follow from these */
            add_name(names, c->name);
    return problem_set(problem,
                       "--case '%s' is not a case; there are %s, and NAME/awkward of all except "
                       "the small ones; * matches any characters",
                       bench->cli->value[CASE], names);
}

/* Which case is being measured, for people who wait. */
static void show_progress(const char *text)
{
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r\033[K%s", text);
}

static bool measure(struct bench *bench, const struct bench_subject *subject,
                    const struct slice_case *c, struct problem *problem)
{
    struct bench_overhead overhead;
    struct bench_speed speed;
    bool is_small = c->flags & CASE_OVERHEAD;
    bool is_done = is_small
                       ? bench_overhead_measure(subject, &overhead, problem)
                       : bench_speed_measure(subject, &bench->copy, bench->pairs, &speed, problem);

    show_progress("");
    bench->measured += is_done;
    if (is_done && is_small)
        bench_report_overhead(&bench->report, subject, c, &overhead);
    else if (is_done)
        bench_report_speed(&bench->report, subject, c, &speed);
    return is_done;
}

static bool run_case(struct bench *bench, const struct slice_case *c, struct problem *problem)
{
    struct bench_subject subject;
    struct problem reason = {0};
    enum bench_ready ready;
    bool is_done = true;

    show_progress(c->name);
    ready = bench_subject_open(&subject, &bench->cl, c, bench->cli->value[VARIANT], &reason);
    if (ready == BENCH_READY)
        is_done = measure(bench, &subject, c, &reason);
    show_progress("");
    if (ready == BENCH_READY)
        bench_subject_close(&subject);
    if (ready == BENCH_SKIPPED) {
        bench_report_skipped(&bench->report, c, reason.text);
        bench->skip_reason = reason;
    }
    return (ready != BENCH_FAILED && is_done) ||
           problem_set(problem, "case %s: %s", c->name, reason.text);
}

static bool run_cases(struct bench *bench, struct problem *problem)
{
    const char *picture = bench->cli->value[PICTURE];
    bool is_done = true;

    for (size_t i = 0; i < slice_case_count && is_done; ++i)
        if (bench_is_wanted(&slice_cases[i], bench->cli->value[CASE]))
            is_done = run_case(bench, &slice_cases[i], problem);
    if (is_done && bench->measured == 0)
        return problem_set(problem, "no case could be measured; the last one: %s",
                           bench->skip_reason.text);
    bench_report_end(&bench->report);
    return is_done && (!picture || bench_picture_write(picture, &bench->report, problem));
}

static bool run(const struct cli *cli, struct problem *problem)
{
    struct bench bench = {.cli = cli};
    const char *picture = cli->value[PICTURE];
    clslice_device *device = NULL;
    bool is_done =
        read_pairs(&bench, problem) && check_variant(cli->value[VARIANT], problem) &&
        count_cases(&bench, problem) && (!picture || bench_picture_check(picture, problem)) &&
        session_open(cli, &device, problem) && bench_cl_open(&bench.cl, device, problem) &&
        bench_copy_open(&bench.copy, &bench.cl, problem) &&
        bench_report_begin(&bench.report, &bench.copy, cli->value[JSON], bench.wanted, problem) &&
        run_cases(&bench, problem);

    bench_report_release(&bench.report);
    bench_copy_close(&bench.copy);
    bench_cl_close(&bench.cl);
    clslice_device_release(device);
    return is_done;
}

const struct cli_command bench_command = {
    .name = "bench",
    .operands = "[OPTION...]",
    .summary = "measure the speed of the device's slices",
    .details =
        "Times typical slices, each in turn with a copy. Efficiency is the least time in which "
        "the\n"
        "bytes that the slice must move could be copied, divided by the time that the slice "
        "takes:\n"
        "1 is the limit of the memory. NAME/awkward is the same work with nothing aligned. Small\n"
        "cases compare the cost of a dispatch with that of an empty kernel. Every output is "
        "checked\n"
        "once.",
    .options = options,
    .run = run,
};
