/* SPDX-License-Identifier: MIT */
#include "cli/verify/judge.h"

#include "cli/verify/case_file.h"
#include "cli/verify/literal_desc.h"
#include "conformance/problem.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MAX_FIELDS = 3, FIELD_TEXT_SIZE = 64 };

/*
 * What a text must name, all of it. "T." stands for one of the tensors and "[i]" for one of the
 * dimensions, the same ones in all fields of an entry. A rule with several entries asks for any.
 */
static const struct named_fields {
    const char *rule;
    const char *fields[MAX_FIELDS];
} named_fields[] = {
    {"NULL_DESC", {"DML_OPERATOR_DESC", "Desc"}},
    {"NULL_INPUT_TENSOR", {"InputTensor"}},
    {"NULL_OUTPUT_TENSOR", {"OutputTensor"}},
    {"TENSOR_TYPE", {"T.Type"}},
    {"NULL_BUFFER_TENSOR_DESC", {"T.Desc"}},
    {"DATA_TYPE_UNSUPPORTED", {"T.DataType"}},
    {"FLAGS_UNKNOWN", {"T.Flags"}},
    {"DIMENSION_COUNT_RANGE", {"DimensionCount"}},
    {"NULL_SIZES", {"T.Sizes"}},
    {"SIZE_ZERO", {"T.Sizes[i]"}},
    {"TENSOR_ELEMENT_LIMIT", {"T.Sizes"}},
    {"TENSOR_ELEMENT_LIMIT", {"T.Strides"}},
    {"TOTAL_SIZE_TOO_SMALL", {"T.TotalTensorSizeInBytes"}},
    {"OUTPUT_STRIDES_OVERLAP", {"OutputTensor.Strides[i]"}},
    {"BASE_OFFSET_ALIGNMENT", {"T.GuaranteedBaseOffsetAlignment"}},
    {"DIMENSION_COUNT_MATCH", {"T.DimensionCount"}},
    {"DATA_TYPE_MISMATCH", {"InputTensor.DataType", "OutputTensor.DataType"}},
    {"NULL_WINDOW_ARRAY", {"InputWindowOffsets"}},
    {"NULL_WINDOW_ARRAY", {"InputWindowSizes"}},
    {"NULL_WINDOW_ARRAY", {"InputWindowStrides"}},
    {"STRIDE_ZERO", {"InputWindowStrides[i]"}},
    {"WINDOW_EMPTY", {"InputWindowSizes[i]"}},
    {"WINDOW_BOUNDS", {"InputWindowOffsets[i]", "InputWindowSizes[i]", "InputTensor.Sizes[i]"}},
    {"OUTPUT_EXCEEDS_MAX",
     {"OutputTensor.Sizes[i]", "InputWindowSizes[i]", "InputWindowStrides[i]"}},
    {"LOGICAL_ELEMENTS", {"InputTensor.Sizes"}},
    {"TOTAL_SIZE_NOT_DWORD", {"T.TotalTensorSizeInBytes"}},
    {"OWNED_BY_DML_OUTPUT", {"OutputTensor.Flags"}},
};

/* Whether the text holds the field, with its placeholders filled in. */
static bool text_names(const char *text, const char *field, const char *tensor, uint32_t dimension)
{
    char wanted[FIELD_TEXT_SIZE];
    bool has_tensor = strncmp(field, "T.", 2) == 0;
    const char *rest = has_tensor ? field + 2 : field;
    int used = snprintf(wanted, sizeof wanted, "%s%.*s", has_tensor ? tensor : "",
                        (int)strcspn(rest, "["), rest);

    if (strchr(rest, '['))
        snprintf(wanted + used, sizeof wanted - (size_t)used, "[%" PRIu32 "]", dimension);
    return strstr(text, wanted) != NULL;
}

static bool text_names_all(const char *text, const struct named_fields *entry, const char *tensor,
                           uint32_t dimension)
{
    for (size_t i = 0; i < MAX_FIELDS && entry->fields[i]; ++i)
        if (!text_names(text, entry->fields[i], tensor, dimension))
            return false;
    return true;
}

bool judge_text(const char *rule, const char *text)
{
    bool is_known = false;

    for (size_t n = 0; n < sizeof named_fields / sizeof named_fields[0]; ++n) {
        if (strcmp(named_fields[n].rule, rule) != 0)
            continue;
        is_known = true;
        for (uint32_t i = 0; i < CASE_MAX_RANK; ++i)
            if (text_names_all(text, &named_fields[n], "InputTensor.", i) ||
                text_names_all(text, &named_fields[n], "OutputTensor.", i))
                return true;
    }
    return !is_known;
}

static bool is_refusal(const struct case_line *line, int32_t status)
{
    return status == CLSLICE_E_INVALIDARG ||
           (status == CLSLICE_DXGI_ERROR_UNSUPPORTED && literal_desc_has_4_bits(line->desc));
}

bool judge_answer(const struct case_line *line, int32_t status, const char *text,
                  struct problem *problem)
{
    bool is_created = status == CLSLICE_S_OK;

    if (!is_created && !is_refusal(line, status))
        return problem_set(problem, "creation failed with 0x%08" PRIX32 ": %s", (uint32_t)status,
                           text);
    if (line->expect == CASE_EXPECT_VALID && !is_created)
        return problem_set(problem, "refused, but it is valid: %s", text);
    if (line->expect == CASE_EXPECT_INVALID && is_created)
        return problem_set(problem, "created, but it breaks rule %s", line->rule);
    if (line->expect == CASE_EXPECT_INVALID && !judge_text(line->rule, text))
        return problem_set(problem,
                           "refused, but the text does not name the field that breaks %s: %s",
                           line->rule, text);
    problem_set(problem, is_created ? "created" : "refused: %s", text);
    return true;
}

bool judge_run(clslice_device *device, const struct case_line *line, struct problem *problem)
{
    clslice_operator *op = NULL;
    clslice_error error = {.size = sizeof error};
    int32_t status = clslice_operator_create(device, &line->desc->op, &op, &error);

    clslice_operator_release(op);
    return judge_answer(line, status, error.text, problem);
}
