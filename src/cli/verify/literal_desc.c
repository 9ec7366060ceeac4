/* SPDX-License-Identifier: MIT */
#include "cli/verify/literal_desc.h"

#include "cli/formats/json_read.h"
#include "conformance/cases.h"
#include "conformance/data_type.h"
#include "conformance/problem.h"

#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

static const char *data_type_name(uint32_t value)
{
    const struct data_type *type = data_type_of(value);

    return type ? type->name : NULL;
}

static const char *tensor_type_name(uint32_t value)
{
    static const char *const names[] = {
        [DML_TENSOR_TYPE_INVALID] = "INVALID",
        [DML_TENSOR_TYPE_BUFFER] = "BUFFER",
    };

    return value < sizeof names / sizeof names[0] ? names[value] : NULL;
}

/* A member that is an array, or another type, or null. */
static bool read_nullable(const struct json_object *object, const char *key, enum json_type type,
                          struct json_object **member, struct problem *problem)
{
    return json_read_member(object, key, member, problem) &&
           (!*member || json_object_is_type(*member, type) ||
            problem_set(problem, "%s is neither an %s nor null", key, json_type_to_name(type)));
}

/* A number from `least` on, taken as 32 bits. */
static bool read_32_bits(const struct json_object *object, const char *key, int64_t least,
                         uint32_t *value, struct problem *problem)
{
    uint64_t number;

    if (!json_read_integer(object, key, least, UINT32_MAX, &number, problem))
        return false;
    *value = (uint32_t)number;
    return true;
}

/* A member that is the name of a value, of which name_of tells those from 0 on, or a number taken
 * as 32 bits. `name_of` NULL: no value has a name. */
static bool read_enum(const struct json_object *object, const char *key,
                      const char *(*name_of)(uint32_t value), uint32_t *value,
                      struct problem *problem)
{
    struct json_object *member;
    const char *name;

    if (!json_read_member(object, key, &member, problem))
        return false;
    if (json_object_is_type(member, json_type_string)) {
        for (*value = 0; name_of && (name = name_of(*value)); ++*value)
            if (strcmp(json_object_get_string(member), name) == 0)
                return true;
        return problem_set(problem, "%s is \"%s\", which is unknown", key,
                           json_object_get_string(member));
    }
    return read_32_bits(object, key, INT32_MIN, value, problem);
}

/* The entries that the array's allocation holds: see struct literal_desc. */
static size_t allocated_entries(size_t length, uint32_t dimension_count)
{
    return dimension_count <= CASE_MAX_RANK && length < dimension_count ? (size_t)CASE_MAX_RANK
                                                                        : length;
}

/* An array member of 32-bit numbers, of which the caller owns the copy; null gives NULL. */
static bool read_array(const struct json_object *object, const char *key, bool is_signed,
                       uint32_t dimension_count, uint32_t **entries, struct problem *problem)
{
    struct json_object *member;
    size_t bytes;

    if (!read_nullable(object, key, json_type_array, &member, problem))
        return false;
    if (!member)
        return true;
    bytes = allocated_entries(json_object_array_length(member), dimension_count) * sizeof **entries;
    *entries = calloc(bytes > 0 ? bytes : 1, 1);
    if (!*entries)
        return problem_set(problem, "out of memory");
    return json_read_array(member, key, is_signed ? INT32_MIN : 0,
                           is_signed ? INT32_MAX : UINT32_MAX, *entries, problem);
}

static bool read_buffer(const struct json_object *json, struct literal_tensor *tensor,
                        struct problem *problem)
{
    DML_BUFFER_TENSOR_DESC *buffer = &tensor->buffer;
    uint32_t data_type = 0;
    uint32_t flags = 0;

    if (!read_enum(json, "DataType", data_type_name, &data_type, problem) ||
        !read_enum(json, "Flags", NULL, &flags, problem) ||
        !read_32_bits(json, "DimensionCount", 0, &buffer->DimensionCount, problem) ||
        !read_array(json, "Sizes", false, buffer->DimensionCount, &tensor->sizes, problem) ||
        !read_array(json, "Strides", false, buffer->DimensionCount, &tensor->strides, problem) ||
        !json_read_integer(json, "TotalTensorSizeInBytes", 0, UINT64_MAX,
                           &buffer->TotalTensorSizeInBytes, problem) ||
        !read_32_bits(json, "GuaranteedBaseOffsetAlignment", 0,
                      &buffer->GuaranteedBaseOffsetAlignment, problem))
        return false;
    buffer->DataType = (DML_TENSOR_DATA_TYPE)data_type;
    buffer->Flags = (DML_TENSOR_FLAGS)flags;
    buffer->Sizes = tensor->sizes;
    buffer->Strides = tensor->strides;
    return true;
}

/* A tensor member; *pointer becomes NULL where it is null. */
static bool read_tensor(const struct json_object *object, const char *key,
                        struct literal_tensor *tensor, const DML_TENSOR_DESC **pointer,
                        struct problem *problem)
{
    struct json_object *member;
    struct json_object *buffer;
    struct problem inner;
    uint32_t type = 0;

    if (!read_nullable(object, key, json_type_object, &member, problem))
        return false;
    if (!member)
        return true;
    if (!read_enum(member, "Type", tensor_type_name, &type, &inner) ||
        !read_nullable(member, "Desc", json_type_object, &buffer, &inner) ||
        (buffer && !read_buffer(buffer, tensor, &inner)))
        return problem_set(problem, "%s.%s", key, inner.text);
    tensor->tensor.Type = (DML_TENSOR_TYPE)type;
    tensor->tensor.Desc = buffer ? &tensor->buffer : NULL;
    *pointer = &tensor->tensor;
    return true;
}

static bool read_slice1(const struct json_object *json, struct literal_desc *desc,
                        struct problem *problem)
{
    DML_SLICE1_OPERATOR_DESC *slice1 = &desc->slice1;
    uint32_t *count = &slice1->DimensionCount;

    if (!read_tensor(json, "InputTensor", &desc->in, &slice1->InputTensor, problem) ||
        !read_tensor(json, "OutputTensor", &desc->out, &slice1->OutputTensor, problem) ||
        !read_32_bits(json, "DimensionCount", 0, count, problem) ||
        !read_array(json, "InputWindowOffsets", false, *count, &desc->offsets, problem) ||
        !read_array(json, "InputWindowSizes", false, *count, &desc->sizes, problem) ||
        !read_array(json, "InputWindowStrides", true, *count, &desc->strides, problem))
        return false;
    slice1->InputWindowOffsets = desc->offsets;
    slice1->InputWindowSizes = desc->sizes;
    slice1->InputWindowStrides = (const int32_t *)desc->strides;
    return true;
}

bool literal_desc_create(const struct json_object *line, struct literal_desc **desc,
                         struct problem *problem)
{
    struct json_object *json;
    struct literal_desc *made = calloc(1, sizeof *made);

    *desc = made;
    if (!made)
        return problem_set(problem, "out of memory");
    made->op.Type = DML_OPERATOR_SLICE1;
    if (!read_nullable(line, "desc", json_type_object, &json, problem) ||
        (json && !read_slice1(json, made, problem)))
        return false;
    made->op.Desc = json ? &made->slice1 : NULL;
    return true;
}

void literal_desc_release(struct literal_desc *desc)
{
    if (!desc)
        return;
    free(desc->in.sizes);
    free(desc->in.strides);
    free(desc->out.sizes);
    free(desc->out.strides);
    free(desc->offsets);
    free(desc->sizes);
    free(desc->strides);
    free(desc);
}

bool literal_desc_has_4_bits(const struct literal_desc *desc)
{
    uint32_t in = (uint32_t)desc->in.buffer.DataType;
    uint32_t out = (uint32_t)desc->out.buffer.DataType;

    return in == DML_TENSOR_DATA_TYPE_UINT4 || in == DML_TENSOR_DATA_TYPE_INT4 ||
           out == DML_TENSOR_DATA_TYPE_UINT4 || out == DML_TENSOR_DATA_TYPE_INT4;
}
