/* SPDX-License-Identifier: MIT */
#include "split.h"

#include "tensor.h"

#include <stdlib.h>
#include <string.h>

/* ---- What the model says ---- */

enum { NOT_GIVEN = -1 }; /* `num_outputs`, which ONNX Runtime reads so, too */

/* NULL: it has none, or its version knows none of that name. */
static OrtStatus *find_attribute(const struct host *host, const OrtNode *node, const char *name,
                                 const OrtOpAttr **attribute)
{
    *attribute = NULL;
    OrtStatus *status = host->api->Node_GetAttributeByName(node, name, attribute);
    if (!status || host->api->GetErrorCode(status) != ORT_NOT_FOUND)
        return status;
    host->api->ReleaseStatus(status);
    return NULL;
}

/* Stays as it is where the node has no such attribute. */
static OrtStatus *read_int(const struct host *host, const OrtNode *node, const char *name,
                           int64_t *value)
{
    const OrtOpAttr *attribute = NULL;
    size_t bytes = 0;
    OrtStatus *status = find_attribute(host, node, name, &attribute);
    if (status || !attribute)
        return status;
    return host->api->ReadOpAttr(attribute, ORT_OP_ATTR_INT, value, sizeof *value, &bytes);
}

/* Up to version 11. */
static OrtStatus *read_attribute(const struct host *host, const OrtNode *node, int64_t *sizes,
                                 size_t most, size_t *count)
{
    const OrtOpAttr *attribute = NULL;
    size_t bytes = 0;
    OrtStatus *status = find_attribute(host, node, "split", &attribute);
    if (!status && attribute)
        status =
            host->api->ReadOpAttr(attribute, ORT_OP_ATTR_INTS, sizes, most * sizeof *sizes, &bytes);
    *count = bytes / sizeof *sizes;
    return status;
}

static OrtStatus *read_constant(const struct host *host, const OrtValueInfo *input, int64_t *sizes,
                                size_t most, size_t *count)
{
    const OrtValue *value = NULL;
    bool is_constant = false;
    struct tensor list;
    OrtStatus *status = host->api->ValueInfo_IsConstantInitializer(input, &is_constant);
    if (!status && !is_constant)
        status = host_error(host, ORT_NOT_IMPLEMENTED, "Split: 'split' is not a constant");
    if (!status)
        status = host->api->ValueInfo_GetInitializerValue(input, &value);
    if (!status)
        status = tensor_read(host, value, &list);
    if (status)
        return status;
    if (list.rank != 1 || list.type != ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64)
        return host_error(host, ORT_INVALID_GRAPH, "Split: 'split' is no list of int64");
    *count = (size_t)list.sizes[0];
    if (*count > 0 && *count <= most)
        memcpy(sizes, list.data, *count * sizeof *sizes);
    return NULL;
}

/* None, where all are equal. */
static OrtStatus *read_sizes(const struct host *host, const OrtNode *node, int64_t *sizes,
                             size_t most, size_t *count)
{
    const OrtValueInfo *inputs[2] = {NULL};
    size_t given = 0;
    OrtStatus *status = host->api->Node_GetNumInputs(node, &given);
    if (!status)
        status = host->api->Node_GetInputs(node, inputs, given < 2 ? given : 2);
    if (status)
        return status;
    return inputs[1] ? read_constant(host, inputs[1], sizes, most, count)
                     : read_attribute(host, node, sizes, most, count);
}

static OrtStatus *give(const struct host *host, const int64_t *sizes, struct part *parts,
                       size_t count)
{
    int64_t whole = 0;
    for (size_t i = 0; i < count; ++i) {
        parts[i].is_given = true;
        parts[i].start = whole;
        parts[i].size = sizes[i];
        if (sizes[i] < 0 || __builtin_add_overflow(whole, sizes[i], &whole))
            return host_error(host, ORT_INVALID_GRAPH, "Split: 'split'[%zu] = %lld", i,
                              (long long)sizes[i]);
    }
    for (size_t i = 0; i < count; ++i)
        parts[i].whole = whole;
    return NULL;
}

static OrtStatus *read_parts(const struct host *host, const OrtNode *node, int64_t *sizes,
                             struct part *parts, size_t count)
{
    size_t given = 0;
    int64_t axis = 0, num_outputs = NOT_GIVEN;
    OrtStatus *status = read_sizes(host, node, sizes, count, &given);
    if (!status)
        status = read_int(host, node, "axis", &axis);
    if (!status)
        status = read_int(host, node, "num_outputs", &num_outputs);
    if (status)
        return status;
    if (given > 0 && given != count)
        return host_error(host, ORT_INVALID_GRAPH, "Split: 'split' has %zu values for %zu outputs",
                          given, count);
    if (num_outputs != NOT_GIVEN && (given > 0 || num_outputs != (int64_t)count))
        return host_error(host, ORT_INVALID_GRAPH,
                          "Split: 'num_outputs' = %lld with %zu outputs and %zu values of 'split'",
                          (long long)num_outputs, count, given);
    for (size_t i = 0; i < count; ++i)
        parts[i] =
            (struct part){.index = i, .of = count, .axis = axis, .is_ragged = num_outputs >= 0};
    return given > 0 ? give(host, sizes, parts, count) : NULL;
}

OrtStatus *split_read(const struct host *host, const OrtNode *node, struct part *parts,
                      size_t count)
{
    int64_t *sizes = calloc(count, sizeof *sizes);
    if (!sizes)
        return host_error(host, ORT_FAIL, "out of memory for %zu parts", count);
    OrtStatus *status = read_parts(host, node, sizes, parts, count);
    free(sizes);
    return status;
}

/* ---- Of a shape ---- */

static OrtStatus *place_equal(const struct host *host, const struct part *part, int64_t size,
                              int64_t *start, int64_t *end)
{
    const int64_t of = (int64_t)part->of;
    const int64_t each = size / of + (size % of != 0);
    if (size % of != 0 && (!part->is_ragged || each * (of - 1) > size))
        return host_error(host, ORT_INVALID_ARGUMENT,
                          "Split: a dimension of %lld does not divide into %zu parts",
                          (long long)size, part->of);
    *start = each * (int64_t)part->index;
    *end = size - *start < each ? size : *start + each;
    return NULL;
}

static OrtStatus *place_given(const struct host *host, const struct part *part, int64_t size,
                              int64_t *start, int64_t *end)
{
    if (part->whole != size)
        return host_error(host, ORT_INVALID_ARGUMENT,
                          "Split: the values of 'split' make %lld, and the dimension has %lld",
                          (long long)part->whole, (long long)size);
    *start = part->start;
    *end = part->start + part->size;
    return NULL;
}

OrtStatus *split_window(const struct host *host, const struct part *part, size_t rank,
                        const int64_t *sizes, struct window *window)
{
    const int64_t axis = part->axis < 0 ? part->axis + (int64_t)rank : part->axis;
    int64_t start = 0, end = 0;
    if (axis < 0 || axis >= (int64_t)rank)
        return host_error(host, ORT_INVALID_ARGUMENT,
                          "Split: 'axis' = %lld, and the data has %zu dimensions",
                          (long long)part->axis, rank);
    OrtStatus *status = part->is_given ? place_given(host, part, sizes[axis], &start, &end)
                                       : place_equal(host, part, sizes[axis], &start, &end);
    if (status)
        return status;
    *window = window_whole(rank, sizes);
    window->first[axis] = start;
    window->count[axis] = end - start;
    return NULL;
}
