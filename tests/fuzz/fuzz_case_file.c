/* SPDX-License-Identifier: MIT */
/* A line of a file of cases; a description to judge goes on to the library, which validates it. */
#include "cli/verify/case_file.h"
#include "cli/verify/judge.h"
#include "cli/verify/literal_desc.h"
#include "conformance/case_desc.h"
#include "conformance/problem.h"
#include "fuzz.h"

#include <string.h>

enum { INPUT_MAX = 8192, ALLOCATION_MAX = 1 << 20 };

void *__real_calloc(size_t count, size_t size);
/* Not hidden, because a sanitized library refers to it, too. */
__attribute__((visibility("default"))) void *__wrap_calloc(size_t count, size_t size);

/* A short line may ask for 32 GiB of counted numbers: then memory is out. */
void *__wrap_calloc(size_t count, size_t size)
{
    bool is_small = size == 0 || count <= ALLOCATION_MAX / size;
    return is_small ? __real_calloc(count, size) : NULL;
}

/* The elements are there, every one: a sanitizer would see one that is not. */
static void check_run(const struct case_line *line)
{
    const struct slice_case *c = &line->run;
    uint64_t in, out;
    EXPECT(c->name == line->name && c->rank >= 1 && c->rank <= CASE_MAX_RANK);
    EXPECT(case_span(c->rank, c->in_sizes, c->in_strided ? c->in_strides : NULL, &in));
    EXPECT(case_out_elements(c, &out) && in > 0 && out > 0);
    unsigned char *copy = malloc((size_t)(in + out) * case_type_bytes(c->data_type));
    EXPECT(copy != NULL);
    memcpy(copy, line->in, (size_t)in * case_type_bytes(c->data_type));
    memcpy(copy, line->out, (size_t)out * case_type_bytes(c->data_type));
    free(copy);
}

static void check_desc(const struct case_line *line)
{
    clslice_error error = {.size = sizeof error};
    struct problem problem = {0};
    int32_t status = clslice_operator_create(NULL, &line->desc->op, NULL, &error);
    EXPECT(status == CLSLICE_S_OK || fuzz_is_message(error.text, sizeof error.text));
    judge_answer(line, status, error.text, &problem);
    EXPECT(fuzz_is_message(problem.text, sizeof problem.text));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct case_line *line = NULL;
    struct problem problem = {0};
    if (size > INPUT_MAX)
        return 0;
    char *text = malloc(size + 1);
    EXPECT(text != NULL);
    if (size > 0)
        memcpy(text, data, size);
    text[size] = '\0';
    bool is_read = case_line_create(text, size, &line, &problem);
    free(text);
    if (!is_read)
        EXPECT(!line && fuzz_is_message(problem.text, sizeof problem.text));
    else if (line->desc)
        check_desc(line);
    else
        check_run(line);
    case_line_release(line);
    return 0;
}
