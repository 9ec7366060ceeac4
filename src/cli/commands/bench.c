/* SPDX-License-Identifier: MIT */
#include "cli/args/list.h"
#include "cli/bench/bench_case.h"
#include "cli/bench/bench_picture.h"
#include "cli/bench/bench_sweep.h"
#include "cli/commands/commands.h"
#include "cli/session.h"
#include "conformance/problem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DEFAULT_PAIRS = 21, MOST_COUNT = 100000, NAMES_SIZE = 1024 };

/* Of the output of a draw. */
enum { CPU_BYTES = 64 << 20, GPU_BYTES = 256 << 20, LEAST_BYTES = 1 << 10 };
static const uint64_t most_bytes = UINT64_C(1) << 32;

enum {
    JSON = CLI_OWN_OPTIONS,
    CASE,
    VARIANT,
    PAIRS,
    PICTURE,
    RANDOM,
    SEED,
    BYTES,
    LATENCY,
    GRADIENT,
    LIST
};
static const struct poptOption options[] = {
    CLI_FLAG("json", JSON, "print JSON"),
    CLI_TEXT("case", "NAME", CASE, "measure only the cases of this name; * matches any characters"),
    CLI_TEXT("variant", "NAME", VARIANT, "use this kernel, not the one that the planner chooses"),
    {"pairs", '\0', POPT_ARG_STRING, NULL, PAIRS, "time N pairs of copy and case (default 21)",
     "N"},
    {"picture", '\0', POPT_ARG_STRING, NULL, PICTURE, "also draw the efficiencies, with gnuplot",
     "FILE.svg|.png"},
    CLI_TEXT("random", "N", RANDOM, "instead, draw N slices of each class at random"),
    CLI_TEXT("seed", "HEX", SEED, "draw others by another number (default 1)"),
    CLI_TEXT("bytes", "SIZE", BYTES, "draw outputs of about this size (default 64M, GPU 256M)"),
    CLI_FLAG("latency", LATENCY, "time draws from call to completion, beside an equal copy"),
    CLI_FLAG("gradient", GRADIENT, "measure the draws' gradients instead"),
    CLI_FLAG("list", LIST, "print the draws as JSON, measure nothing"),
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
    struct bench_sweep sweep;
};

/* An option that is a number from 1 on; left alone where it is not given. */
static bool read_count(const struct cli *cli, int option, const char *name, uint32_t *count,
                       struct problem *problem)
{
    const char *text = cli->value[option];
    uint32_t numbers[ARRAY_MAX_RANK];
    uint32_t length;

    if (!text)
        return true;
    if (!list_parse(name, text, 0, UINT32_MAX, numbers, &length, problem))
        return false;
    *count = numbers[0];
    return (length == 1 && *count >= 1 && *count <= MOST_COUNT) ||
           problem_misused(problem, "%s '%s' is not a number from 1 to %d", name, text, MOST_COUNT);
}

static bool read_seed(const char *text, uint64_t *seed, struct problem *problem)
{
    size_t digits = strspn(text, "0123456789abcdefABCDEF");

    *seed = strtoull(text, NULL, 16);
    return (digits >= 1 && digits <= 16 && text[digits] == '\0') ||
           problem_misused(problem, "--seed '%s' is not 1 to 16 hexadecimal digits", text);
}

static bool read_bytes(const char *text, uint64_t *bytes, struct problem *problem)
{
    return (clslice_parse_bytes(text, bytes, NULL) == CLSLICE_S_OK && *bytes >= LEAST_BYTES &&
            *bytes <= most_bytes) ||
           problem_misused(problem, "--bytes '%s' is not a size from 1K to 4G", text);
}

/* What goes with --random alone, or not with it. */
static bool check_together(const struct cli *cli, struct problem *problem)
{
    static const struct {
        int option;
        const char *name;
    } of_random[] = {{SEED, "seed"},
                     {BYTES, "bytes"},
                     {LATENCY, "latency"},
                     {GRADIENT, "gradient"},
                     {LIST, "list"}};

    for (size_t i = 0; i < sizeof of_random / sizeof of_random[0]; ++i)
        if (cli->value[of_random[i].option] && !cli->value[RANDOM])
            return problem_misused(problem, "--%s needs --random", of_random[i].name);
    if (cli->value[RANDOM] && cli->value[PICTURE])
        return problem_misused(problem, "--picture draws the table of cases, not --random");
    return true;
}

static bool read_options(struct bench *bench, struct problem *problem)
{
    const struct cli *cli = bench->cli;
    struct bench_sweep *sweep = &bench->sweep;

    bench->pairs = DEFAULT_PAIRS;
    if (!check_together(cli, problem) ||
        !read_count(cli, PAIRS, "--pairs", &bench->pairs, problem) ||
        !read_count(cli, RANDOM, "--random", &sweep->count, problem))
        return false;
    sweep->seed = 1;
    sweep->bytes = CPU_BYTES;
    sweep->pattern = cli->value[CASE];
    sweep->variant = cli->value[VARIANT];
    sweep->pairs = bench->pairs;
    sweep->are_gradients = cli->value[GRADIENT];
    sweep->is_latency = cli->value[LATENCY];
    sweep->is_json = cli->value[JSON];
    return (!cli->value[SEED] || read_seed(cli->value[SEED], &sweep->seed, problem)) &&
           (!cli->value[BYTES] || read_bytes(cli->value[BYTES], &sweep->bytes, problem));
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
    ready = bench_subject_open(&subject, &bench->cl, c, bench_in_offset(c), bench_out_offset(c),
                               bench->cli->value[VARIANT], &reason);
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

static bool run_table(struct bench *bench, struct problem *problem)
{
    bool is_done = bench_report_begin(&bench->report, &bench->copy, bench->cli->value[JSON],
                                      bench->wanted, problem) &&
                   run_cases(bench, problem);

    bench_report_release(&bench->report);
    return is_done;
}

static bool run_sweep(struct bench *bench, struct problem *problem)
{
    if (!bench->cli->value[BYTES] && bench->cl.info.device_class == CLSLICE_CLASS_GPU)
        bench->sweep.bytes = GPU_BYTES;
    return bench_sweep_run(&bench->sweep, &bench->cl, &bench->copy, problem);
}

static bool run(const struct cli *cli, struct problem *problem)
{
    struct bench bench = {.cli = cli};
    const char *picture = cli->value[PICTURE];
    bool is_sweep = cli->value[RANDOM];
    clslice_device *device = NULL;
    bool is_done =
        read_options(&bench, problem) && check_variant(cli->value[VARIANT], problem) &&
        (is_sweep ? bench_sweep_check(&bench.sweep, problem) : count_cases(&bench, problem)) &&
        (!picture || bench_picture_check(picture, problem));

    if (is_done && cli->value[LIST]) {
        bench_sweep_list(&bench.sweep);
        return true;
    }
    is_done = is_done && session_open(cli, &device, problem) &&
              bench_cl_open(&bench.cl, device, problem) &&
              bench_copy_open(&bench.copy, &bench.cl, problem) &&
              (is_sweep ? run_sweep(&bench, problem) : run_table(&bench, problem));
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
        "once. --random measures slices drawn at random instead, named CLASS/NUMBER; --list opens "
        "no\n"
        "device, and prints outputs of 64M where --bytes is not given.",
    .options = options,
    .run = run,
};
