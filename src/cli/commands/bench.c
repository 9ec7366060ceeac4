/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/args/list.h"
#include "cli/bench/bench_case.h"
#include "cli/bench/bench_picture.h"
#include "cli/cli.h"
#include "cli/session.h"
#include "conformance/case_run.h"
#include "conformance/problem.h"

enum { DEFAULT_PAIRS = 21, MOST_PAIRS = 100000, NAMES_SIZE = 1024 };

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

/* The next case that is wanted, from `c` on; NULL behind the last. */
static const struct slice_case *next_case(const struct bench *bench, const struct slice_case *c)
{
    for (; c < slice_cases + slice_case_count; c++)
        if (bench_is_wanted(c, bench->cli->value[CLI_CASE]))
            return c;
    return NULL;
}

static int read_pairs(struct bench *bench)
{
    const char *text = bench->cli->value[CLI_PAIRS];
    uint32_t numbers[ARRAY_MAX_RANK] = {DEFAULT_PAIRS};
    uint32_t count = 1;
    struct problem problem;

    if (text && !list_parse_u32("--pairs", text, numbers, &count, &problem))
        return cli_misused(bench->cli->command, "%s", problem.text);
    if (count != 1 || numbers[0] < 1 || numbers[0] > MOST_PAIRS)
        return cli_misused(bench->cli->command, "--pairs '%s' is not a number from 1 to %d", text,
                           MOST_PAIRS);
    bench->pairs = numbers[0];
    return CLI_DONE;
}

static void add_name(char names[NAMES_SIZE], const char *name)
{
    size_t used = strlen(names);

    snprintf(names + used, NAMES_SIZE - used, "%s%s", used > 0 ? ", " : "", name);
}

static int check_variant(const char *name)
{
    char names[NAMES_SIZE] = "";

    for (size_t i = 0; case_variants[i]; i++) {
        if (!name || strcmp(name, case_variants[i]) == 0)
            return CLI_DONE;
        add_name(names, case_variants[i]);
    }
    return cli_fail(CLI_FAILED, "--variant '%s' is the name of no variant; there are %s", name,
                    names);
}

static int count_cases(struct bench *bench)
{
    char names[NAMES_SIZE] = "";

    for (const struct slice_case *c = slice_cases; (c = next_case(bench, c)); c++)
        bench->wanted++;
    if (bench->wanted > 0)
        return CLI_DONE;
    for (const struct slice_case *c = slice_cases; c < slice_cases + slice_case_count; c++)
        if (bench_is_wanted(c, NULL) && !bench_is_twin(c)) /* whose names follow from these */
            add_name(names, c->name);
    return cli_fail(CLI_FAILED,
                    "--case '%s' is the name of no case; there are %s, and NAME/awkward of all but "
                    "the small ones; * stands for any characters",
                    bench->cli->value[CLI_CASE], names);
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
    bool is_done = is_small ? bench_overhead_measure(subject, &bench->cl, &overhead, problem)
                            : bench_speed_measure(subject, &bench->cl, &bench->copy, bench->pairs,
                                                  &speed, problem);

    show_progress("");
    bench->measured += is_done;
    if (is_done && is_small)
        bench_report_overhead(&bench->report, subject, c, &overhead);
    else if (is_done)
        bench_report_speed(&bench->report, subject, c, &speed);
    return is_done;
}

static int run_case(struct bench *bench, const struct slice_case *c)
{
    struct bench_subject subject;
    struct problem problem = {0};
    enum bench_ready ready;
    bool is_done = true;

    show_progress(c->name);
    ready = bench_subject_open(&subject, &bench->cl, c, bench->cli->value[CLI_VARIANT], &problem);
    if (ready == BENCH_READY)
        is_done = measure(bench, &subject, c, &problem);
    show_progress("");
    if (ready == BENCH_READY)
        bench_subject_close(&subject);
    if (ready == BENCH_SKIPPED) {
        bench_report_skipped(&bench->report, c, problem.text);
        bench->skip_reason = problem;
    }
    if (ready == BENCH_FAILED || !is_done)
        return cli_fail(CLI_FAILED, "case %s: %s", c->name, problem.text);
    return CLI_DONE;
}

static int run_cases(struct bench *bench)
{
    const char *picture = bench->cli->value[CLI_PICTURE];
    struct problem problem;
    int status = CLI_DONE;

    for (const struct slice_case *c = slice_cases; status == CLI_DONE && (c = next_case(bench, c));
         c++)
        status = run_case(bench, c);
    if (status == CLI_DONE && bench->measured == 0)
        return cli_fail(CLI_FAILED, "no case could be measured; the last one: %s",
                        bench->skip_reason.text);
    bench_report_end(&bench->report);
    if (status == CLI_DONE && picture && !bench_picture_write(picture, &bench->report, &problem))
        status = cli_fail_problem(&problem);
    return status;
}

static int run_on(struct bench *bench, clslice_device *device)
{
    struct problem problem;
    int status = CLI_FAILED;

    if (!bench_cl_open(&bench->cl, device, &problem))
        return cli_fail_problem(&problem);
    if (!bench_copy_open(&bench->copy, &bench->cl, &problem)) {
        cli_fail_problem(&problem);
    } else {
        if (bench_report_begin(&bench->report, &bench->cl, &bench->copy,
                               bench->cli->value[CLI_JSON], bench->wanted))
            status = run_cases(bench);
        else
            cli_fail(CLI_FAILED, "out of memory");
        bench_report_release(&bench->report);
        bench_copy_close(&bench->copy, &bench->cl);
    }
    bench_cl_close(&bench->cl);
    return status;
}

int bench_run(const struct cli *cli)
{
    struct bench bench = {.cli = cli};
    struct problem problem;
    clslice_device *device;
    int status = read_pairs(&bench);

    if (status == CLI_DONE)
        status = check_variant(cli->value[CLI_VARIANT]);
    if (status == CLI_DONE)
        status = count_cases(&bench);
    if (status == CLI_DONE && cli->value[CLI_PICTURE] &&
        !bench_picture_check(cli->value[CLI_PICTURE], &problem))
        status = cli_fail_problem(&problem);
    if (status != CLI_DONE)
        return status;
    status = session_open(cli, &device);
    if (status == CLI_DONE)
        status = run_on(&bench, device);
    session_close(device);
    return status;
}
