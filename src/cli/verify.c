/* SPDX-License-Identifier: MIT */
#include "verify.h"

#include <stdlib.h>

#include "case_desc.h"
#include "case_file.h"
#include "case_run.h"
#include "cases.h"
#include "judge.h"
#include "problem.h"
#include "reference.h"

struct verify {
    struct case_context context;
    FILE *out; /* borrowed */
    unsigned long passed;
    unsigned long failed;
    unsigned long skipped;
    struct problem skip_reason; /* of the last case that was */
};

static void count(struct verify *verify, enum case_result result, const char *where,
                  const char *name, const struct problem *problem)
{
    struct problem line;

    if (result == CASE_PASSED) {
        verify->passed++;
    } else if (result == CASE_SKIPPED) {
        verify->skipped++;
        verify->skip_reason = *problem;
    } else {
        verify->failed++;
        problem_set(&line, "%s%s: %s", where, name, problem->text);
        fprintf(verify->out, "%s\n", line.text);
    }
}

static void verify_built_in(struct verify *verify, const struct slice_case *c)
{
    struct problem problem = {0};
    enum case_result result = CASE_FAILED;
    struct slice_case packed;
    uint64_t in_bytes;
    uint64_t out_bytes;
    unsigned char *in = NULL;
    unsigned char *out = NULL;

    reference_pack(c, &packed);
    if (!case_in_bytes(c, &in_bytes) || !case_out_bytes(&packed, &out_bytes)) {
        problem_set(&problem, "a tensor's span does not fit 64 bits");
        goto done;
    }
    in = malloc(in_bytes);
    out = malloc(out_bytes);
    if (!in || !out) {
        problem_set(&problem, "out of memory");
        goto done;
    }
    reference_input(c, in, in_bytes);
    reference_slice(&packed, in, out, NULL);
    result = case_run(&verify->context, c, in, out, &problem);
done:
    count(verify, result, "case ", c->name, &problem);
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
        result = case_run(&verify->context, &line->run, line->in, line->out, &problem);
    if (line->desc && line->expect == CASE_EXPECT_EITHER && result == CASE_PASSED) {
        struct problem note;

        problem_set(&note, "%s%s: either: %s", where, line->name, problem.text);
        fprintf(verify->out, "%s\n", note.text);
    }
    count(verify, result, where, line->name, &problem);
}

static void verify_file(struct verify *verify, const char *path)
{
    struct problem problem = {0};
    struct problem where;
    struct case_file *file = NULL;
    struct case_line *line;
    unsigned long number;

    if (!case_file_open(path, &file, &problem)) {
        count(verify, CASE_FAILED, path, "", &problem);
        return;
    }
    while (case_file_next(file, &number, &line, &problem)) {
        problem_set(&where, "%s:%lu%s", path, number, line ? " " : "");
        if (line)
            verify_line(verify, line, where.text);
        else
            count(verify, CASE_FAILED, where.text, "", &problem);
        case_line_release(line);
    }
    case_file_release(file);
}

int verify_run(clslice_device *device, const char *const *files, size_t file_count,
               const char *variant, FILE *out)
{
    struct verify verify = {.out = out};
    struct problem problem;

    if (!case_context_init(&verify.context, device, variant, &problem)) {
        count(&verify, CASE_FAILED, "", "device", &problem);
    } else {
        for (size_t i = 0; i < file_count; i++)
            verify_file(&verify, files[i]);
        for (size_t i = 0; file_count == 0 && i < slice_case_count; i++)
            if (!(slice_cases[i].flags & CASE_LARGE))
                verify_built_in(&verify, &slice_cases[i]);
    }
    if (verify.skipped > 0)
        fprintf(out, "%lu left out, the last one because: %s\n", verify.skipped,
                verify.skip_reason.text);
    fprintf(out, "%lu passed, %lu failed\n", verify.passed, verify.failed);
    return verify.passed > 0 && verify.failed == 0 ? 0 : 1;
}
