/* SPDX-License-Identifier: MIT */
#include "cli/args/request.h"

#include "cli/args/list.h"
#include "cli/session.h"
#include "conformance/data_type.h"
#include "conformance/problem.h"

#include <clslice/clslice.h>
#include <inttypes.h>

/* What a window of that size yields; 1 where the description is refused anyway. */
static uint32_t most_copied(uint32_t size, int32_t stride)
{
    uint32_t step = stride < 0 ? 0u - (uint32_t)stride : (uint32_t)stride;

    return size == 0 || step == 0 ? 1 : 1 + (size - 1) / step;
}

/* One number for each dimension. */
static bool read_list(const char *option, const char *text, int64_t low, int64_t high,
                      uint32_t values[ARRAY_MAX_RANK], const char *other, uint32_t rank,
                      struct problem *problem)
{
    uint32_t count;

    return list_parse(option, text, low, high, values, &count, problem) &&
           (count == rank ||
            problem_misused(
                problem, "%s has %" PRIu32 " %s, %s has %" PRIu32 "; give one for each dimension",
                option, count, count == 1 ? "number" : "numbers", other, rank));
}

static bool read_window(struct slice_case *c, char *const *value, struct problem *problem)
{
    uint32_t strides[ARRAY_MAX_RANK] = {1, 1, 1, 1, 1, 1, 1, 1};
    const char *first = value[REQUEST_EACH] ? "--sizes" : "--offsets";

    if (!value[REQUEST_EACH] && !list_parse(first, value[REQUEST_OFFSETS], 0, UINT32_MAX,
                                            c->window_offsets, &c->rank, problem))
        return false;
    if (!(value[REQUEST_EACH] ? list_parse(first, value[REQUEST_SIZES], 0, UINT32_MAX,
                                           c->window_sizes, &c->rank, problem)
                              : read_list("--sizes", value[REQUEST_SIZES], 0, UINT32_MAX,
                                          c->window_sizes, first, c->rank, problem)) ||
        (value[REQUEST_STRIDES] && !read_list("--strides", value[REQUEST_STRIDES], INT32_MIN,
                                              INT32_MAX, strides, first, c->rank, problem)))
        return false;
    for (uint32_t i = 0; i < c->rank; ++i) {
        c->window_strides[i] = (int32_t)strides[i];
        c->out_sizes[i] = most_copied(c->window_sizes[i], c->window_strides[i]);
    }
    return !value[REQUEST_OUTPUT_SIZES] ||
           read_list("--output-sizes", value[REQUEST_OUTPUT_SIZES], 0, UINT32_MAX, c->out_sizes,
                     first, c->rank, problem);
}

bool request_read(struct request *request, const struct cli *cli, size_t at,
                  struct problem *problem)
{
    char *const *value = cli->value;
    bool has_window = value[REQUEST_OFFSETS] || value[REQUEST_SIZES] || value[REQUEST_STRIDES] ||
                      value[REQUEST_OUTPUT_SIZES] || value[REQUEST_EACH];

    *request = (struct request){.has_key = !has_window};
    if (has_window && cli->operand_count > at)
        return problem_misused(problem, "too many operands: '%s'; give KEY or --offsets, not both",
                               cli->operand[at]);
    if (cli->operand_count < at || (cli->operand_count == at && !has_window))
        return problem_misused(problem, "'%s' needs %s, or --offsets and --sizes instead of KEY",
                               cli->command->name, cli->command->operands);
    if (!has_window)
        return key_parse(&request->key, cli->operand[at], problem);
    request->each.path = value[REQUEST_EACH];
    if (value[REQUEST_EACH] && (value[REQUEST_OFFSETS] || !value[REQUEST_SIZES]))
        return problem_misused(problem,
                               value[REQUEST_OFFSETS]
                                   ? "--each stands in place of --offsets: give one of them"
                                   : "--sizes is missing: --each and --sizes go together");
    if (!value[REQUEST_EACH] && (!value[REQUEST_OFFSETS] || !value[REQUEST_SIZES]))
        return problem_misused(problem, "%s is missing: --offsets and --sizes go together",
                               value[REQUEST_OFFSETS] ? "--sizes" : "--offsets");
    return read_window(&request->slice, value, problem);
}

/* Sets the result's shape, and the window of a result that is not empty. */
static bool apply_key(struct request *request, const struct array *array, struct problem *problem)
{
    struct selection selection;

    if (!selection_from(&selection, &request->key, array->rank, array->size, problem))
        return false;
    request->result.rank = selection_shape(&selection, request->result.size);
    request->is_empty = selection_is_empty(&selection) || array->dtype.bytes == 0;
    return request->is_empty || selection_to_window(&selection, &request->slice, problem);
}

/* The result's first dimension: a window for each row. */
static bool apply_each(struct request *request, const struct array *array, const char *path,
                       struct problem *problem)
{
    if (array->rank == ARRAY_MAX_RANK)
        return problem_set(problem, "%s: has %d dimensions; with --each, it may have %d", path,
                           ARRAY_MAX_RANK, ARRAY_MAX_RANK - 1);
    if (!each_read(&request->each, &request->slice, array, path, problem))
        return false;
    request->result.size[request->result.rank++] = request->each.count;
    request->is_empty = request->each.count == 0;
    return true;
}

static bool apply_window(struct request *request, const struct array *array, const char *path,
                         struct problem *problem)
{
    struct slice_case *c = &request->slice;
    char shape[ARRAY_SHAPE_TEXT_SIZE];

    array_shape_text(array->rank, array->size, shape);
    if (c->rank != array->rank)
        return problem_set(problem,
                           "%s: has shape %s, %" PRIu32 " dimensions, %s has %" PRIu32 " %s; %s",
                           path, shape, array->rank, request->each.path ? "--sizes" : "--offsets",
                           c->rank, c->rank == 1 ? "number" : "numbers",
                           array->rank > 0 ? "give one for each dimension" : "use the KEY ''");
    if (array->dtype.bytes == 0)
        return problem_set(problem, "%s: its items have no bytes; use a KEY", path);
    if (request->each.path && !apply_each(request, array, path, problem))
        return false;
    for (uint32_t i = 0; i < c->rank; ++i) {
        /* The library refuses a window outside the array, whatever would come of it. */
        if ((uint64_t)c->window_offsets[i] + c->window_sizes[i] > array->size[i])
            c->out_sizes[i] = 1;
        request->result.size[request->result.rank++] = c->out_sizes[i];
    }
    return true;
}

/* The parts of an item are taken whole. */
static void append_parts(struct slice_case *c, uint32_t parts)
{
    uint32_t axis = c->rank++;

    c->in_sizes[axis] = parts;
    c->in_strides[axis] = 1;
    c->window_offsets[axis] = 0;
    c->window_sizes[axis] = parts;
    c->window_strides[axis] = 1;
    c->out_sizes[axis] = parts;
}

static void describe(struct request *request, const struct array *array)
{
    struct slice_case *c = &request->slice;

    c->data_type = data_type_unsigned(array->element_size);
    c->in_strided = true;
    c->in_sizes[0] = 1;
    c->in_strides[0] = 1;
    for (uint32_t i = 0; i < array->rank; ++i) {
        c->in_sizes[i] = (uint32_t)array->size[i];
        c->in_strides[i] = (uint32_t)array->stride[i] * array->parts;
    }
    if (array->parts != 1)
        append_parts(c, array->parts);
    case_desc_init(&request->desc, c);
}

bool request_apply(struct request *request, const struct array *array, const char *path,
                   struct problem *problem)
{
    union session_error error = SESSION_ERROR;

    request->result.dtype = array->dtype;
    if (!(request->has_key ? apply_key(request, array, problem)
                           : apply_window(request, array, path, problem)) ||
        !array_layout(&request->result, "the result", problem))
        return false;
    /* A KEY that takes nothing has no window. */
    if (request->has_key && request->is_empty)
        return true;
    describe(request, array);
    return clslice_operator_create(NULL, &request->desc.op, NULL, &error.error) == CLSLICE_S_OK ||
           session_fail(&error, problem);
}

void request_release(struct request *request)
{
    each_release(&request->each);
}
