/* SPDX-License-Identifier: MIT */
#include "cli/commands/commands.h"
#include "cli/session.h"
#include "cli/verify/case_file.h"
#include "cli/verify/judge.h"
#include "conformance/case_desc.h"
#include "conformance/case_run.h"
#include "conformance/cases.h"
#include "conformance/problem.h"
#include "conformance/reference.h"
#include "conformance/size_for.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLANNED = CLI_OWN_OPTIONS };
enum { OUTPUT_BYTES_MOST = 64 << 20 };
static const struct poptOption options[] = {
    CLI_FLAG("planned", PLANNED, "run each case with the kernel that the planner chooses only"),
    CLI_COMMON_OPTIONS,
};

struct verify {
    struct case_context context;
    bool is_planned; /* by the planner's choice alone */
    unsigned long passed;
    unsigned long failed;
    unsigned long refused; /* of the failed ones, by the compiler */
    unsigned long runs;    /* of kernel variants */
};

/* What the compiler said of the device's last failed build. */
static void print_build_log(clslice_device *device)
{
    struct problem line;
    uint64_t size = 0;
    char *log = NULL;
    char *rest;

    if (clslice_device_get_build_log(device, NULL, 0, &size, NULL) == CLSLICE_S_OK)
        log = malloc(size_for(size));
    if (log && clslice_device_get_build_log(device, log, size, NULL, NULL) == CLSLICE_S_OK)
        for (char *at = strtok_r(log, "\r\n", &rest); at; at = strtok_r(NULL, "\r\n", &rest)) {
            problem_set(&line, "    %s", at);
            puts(line.text);
        }
    free(log);
}

/* Of what the compiler refuses, the first alone is told: mostly it refuses every kernel for one
 * reason. */
static void count(struct verify *verify, enum case_result result, const char *where,
                  const char *name, const struct problem *problem)
{
    struct problem line;

    if (result == CASE_PASSED) {
        ++verify->passed;
        return;
    }
    ++verify->failed;
    verify->refused += result == CASE_REFUSED;
    if (result == CASE_REFUSED && verify->refused > 1)
        return;
    problem_set(&line, "%s%s: %s", where, name, problem->text);
    puts(line.text);
    if (result == CASE_REFUSED)
        print_build_log(verify->context.device);
}

static enum case_result run_case(struct verify *verify, const struct slice_case *c, const void *in,
                                 const void *out, struct problem *problem)
{
    return verify->is_planned ? case_run(&verify->context, c, in, out, problem)
                              : case_run_all(&verify->context, c, in, out, &verify->runs, problem);
}

static void verify_built_in(struct verify *verify, const struct slice_case *c, const char *where)
{
    struct problem problem = {0};
    enum case_result result = CASE_FAILED;
    struct slice_case packed;
    uint64_t in_bytes = 0;
    uint64_t out_bytes = 0;
    unsigned char *in = NULL;
    unsigned char *out = NULL;

    reference_pack(c, &packed);
    if (case_in_bytes(c, &in_bytes) && case_out_bytes(&packed, &out_bytes)) {
        in = malloc(size_for(in_bytes));
        out = malloc(size_for(out_bytes));
    }
    if (in && out) {
        reference_input(c, in, (size_t)in_bytes);
        reference_slice(&packed, in, out, NULL);
        result = run_case(verify, c, in, out, &problem);
    } else {
        problem_set(&problem, "out of memory");
    }
    count(verify, result, where, c->name, &problem);
    free(in);
    free(out);
}

static void verify_line(struct verify *verify, const struct case_line *line, const char *where)
{
    struct problem problem = {0};
    enum case_result result;

    if (line->desc)
        result = judge_run(verify->context.device, line, &problem) ? CASE_PASSED : CASE_FAILED;
    else
        result = run_case(verify, &line->run, line->in, line->out, &problem);
    if (line->desc && line->expect == CASE_EXPECT_EITHER && result == CASE_PASSED) {
        struct problem note;

        problem_set(&note, "%s%s: either: %s", where, line->name, problem.text);
        puts(note.text);
    }
    count(verify, result, where, line->name, &problem);
}

static void verify_file(struct verify *verify, const char *path)
{
    struct problem problem = {0};
    struct problem where;
    struct case_file file;
    struct case_line *line;
    unsigned long number, before;

    if (!case_file_open(path, &file, &problem)) {
        count(verify, CASE_FAILED, path, "", &problem);
        return;
    }
    before = verify->passed + verify->failed;
    while (case_file_next(&file, &number, &line, &problem)) {
        problem_set(&where, "%s:%lu%s", path, number, line ? " " : "");
        if (line)
            verify_line(verify, line, where.text);
        else
            count(verify, CASE_FAILED, where.text, "", &problem);
        case_line_release(line);
    }
    if (verify->passed + verify->failed == before) {
        problem_set(&problem, "has no cases");
        count(verify, CASE_FAILED, path, "", &problem);
    }
    case_file_release(&file);
}

/* Where a slice reads few elements of a vast tensor, the gradient would have to write it all. */
static bool is_moderate(const struct slice_case *c)
{
    uint64_t bytes;

    return case_out_bytes(c, &bytes) && bytes <= OUTPUT_BYTES_MOST;
}

static void verify_table(struct verify *verify)
{
    for (const struct slice_case *c = slice_cases; c < slice_cases + slice_case_count; ++c) {
        struct slice_case gradient = case_gradient(c);

        if (c->flags & CASE_LARGE)
            continue;
        verify_built_in(verify, c, "case ");
        if (is_moderate(&gradient))
            verify_built_in(verify, &gradient, "gradient of case ");
    }
}

static void verify_cases(struct verify *verify, const struct cli *cli)
{
    for (size_t i = 0; i < cli->operand_count; ++i)
        verify_file(verify, cli->operand[i]);
    if (cli->operand_count == 0)
        verify_table(verify);
}

static void print_summary(const struct verify *verify)
{
    if (verify->refused > 1)
        printf("%lu more failed because the compiler refused a kernel\n", verify->refused - 1);
    if (verify->runs > 0)
        printf("%lu runs of kernel variants that can do the cases\n", verify->runs);
    printf("%lu passed, %lu failed\n", verify->passed, verify->failed);
}

static bool run(const struct cli *cli, struct problem *problem)
{
    struct verify verify = {.is_planned = cli->value[PLANNED]};
    clslice_device *device;

    if (!session_open(cli, &device, problem))
        return false;
    if (case_context_init(&verify.context, device, NULL, problem))
        verify_cases(&verify, cli);
    else
        count(&verify, CASE_FAILED, "", "device", problem);
    print_summary(&verify);
    clslice_device_release(device);
    /* The output has told what failed. */
    *problem = (struct problem){.status = PROBLEM_FAILED};
    return verify.passed > 0 && verify.failed == 0;
}

const struct cli_command verify_command = {
    .name = "verify",
    .operands = "[CASES.jsonl ...]",
    .summary = "check that the device slices correctly",
    .details =
        "Runs the built-in conformance cases and their gradients on the device, or the cases in\n"
        "the given files. Each case runs with every kernel for this class of device that can do\n"
        "it. The last line is 'N passed, M failed'.",
    .options = options,
    .most_operands = (size_t)-1,
    .run = run,
};
