/* SPDX-License-Identifier: MIT */
#include "cli/args/request.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <clslice/clslice.h>

#include "cli/args/key.h"
#include "cli/args/list.h"
#include "cli/cli.h"
#include "cli/session.h"
#include "conformance/problem.h"

/* TotalTensorSizeInBytes must be a multiple of 4. */
static uint64_t round_up_4(uint64_t bytes)
{
    return (bytes + 3) / 4 * 4;
}

/* What a window of that size yields; 1 where the description is refused anyway. */
static uint32_t most_copied(uint32_t size, int32_t stride)
{
    uint32_t step = stride < 0 ? 0u - (uint32_t)stride : (uint32_t)stride;

    return size == 0 || step == 0 ? 1 : 1 + (size - 1) / step;
}

static int check_count(const struct cli *cli, const char *option, uint32_t count, uint32_t rank)
{
    if (count == rank)
        return CLI_DONE;
    return cli_misused(cli->command,
                       "%s has %" PRIu32 " %s, --offsets has %" PRIu32
                       "; give one for each dimension",
                       option, count, count == 1 ? "number" : "numbers", rank);
}

static int read_u32(const struct cli *cli, enum cli_option option, const char *name,
                    uint32_t values[ARRAY_MAX_RANK], uint32_t rank)
{
    struct problem problem;
    uint32_t count;

    if (!list_parse_u32(name, cli->value[option], values, &count, &problem))
        return cli_fail(CLI_MISUSED, "%s", problem.text);
    return check_count(cli, name, count, rank);
}

static int read_strides(struct request *request, const struct cli *cli)
{
    struct problem problem;
    uint32_t count;

    for (uint32_t i = 0; i < request->rank; i++)
        request->strides[i] = 1;
    if (!cli->value[CLI_STRIDES])
        return CLI_DONE;
    if (!list_parse_i32("--strides", cli->value[CLI_STRIDES], request->strides, &count, &problem))
        return cli_fail(CLI_MISUSED, "%s", problem.text);
    return check_count(cli, "--strides", count, request->rank);
}

static int read_window(struct request *request, const struct cli *cli)
{
    struct problem problem;
    int status;

    if (!list_parse_u32("--offsets", cli->value[CLI_OFFSETS], request->offsets, &request->rank,
                        &problem))
        return cli_fail(CLI_MISUSED, "%s", problem.text);
    status = read_u32(cli, CLI_SIZES, "--sizes", request->sizes, request->rank);
    if (status == CLI_DONE)
        status = read_strides(request, cli);
    if (status != CLI_DONE)
        return status;
    for (uint32_t i = 0; i < request->rank; i++)
        request->output_sizes[i] = most_copied(request->sizes[i], request->strides[i]);
    if (!cli->value[CLI_OUTPUT_SIZES])
        return CLI_DONE;
    return read_u32(cli, CLI_OUTPUT_SIZES, "--output-sizes", request->output_sizes, request->rank);
}

static bool has_window(const struct cli *cli)
{
    return cli->value[CLI_OFFSETS] || cli->value[CLI_SIZES] || cli->value[CLI_STRIDES] ||
           cli->value[CLI_OUTPUT_SIZES];
}

int request_read(struct request *request, const struct cli *cli, size_t at)
{
    struct problem problem;
    struct key key;

    *request = (struct request){0};
    if (has_window(cli) && cli->operand_count > at)
        return cli_misused(cli->command,
                           "'%s' is one operand too many: give KEY or --offsets, "
                           "not both",
                           cli->operand[at]);
    if (cli->operand_count < at || (cli->operand_count == at && !has_window(cli)))
        return cli_misused(cli->command,
                           "'%s' needs %s; in place of KEY also --offsets and --sizes",
                           cli->command->name, cli->command->operands);
    if (has_window(cli) && !(cli->value[CLI_OFFSETS] && cli->value[CLI_SIZES]))
        return cli_misused(cli->command, "%s is missing: --offsets and --sizes go together",
                           cli->value[CLI_OFFSETS] ? "--sizes" : "--offsets");
    if (has_window(cli))
        return read_window(request, cli);
    request->key = cli->operand[at];
    if (key_parse(&key, request->key, 0, NULL, &problem) == KEY_SYNTAX)
        return cli_fail(CLI_MISUSED, "%s", problem.text);
    return CLI_DONE;
}

/* Sets the result's shape, and the window of a result that is not empty. */
static bool apply_key(struct request *request, const struct array *array, struct problem *problem)
{
    struct key key;

    if (key_parse(&key, request->key, array->rank, array->size, problem) != KEY_OK)
        return false;
    request->result.rank = key_shape(&key, request->result.size);
    request->is_empty = key_is_empty(&key);
    request->rank = array->rank > 0 ? array->rank : 1;
    return request->is_empty || key_to_window(&key, request->offsets, request->sizes,
                                              request->strides, request->output_sizes, problem);
}

static bool apply_window(struct request *request, const struct array *array, const char *path,
                         struct problem *problem)
{
    char shape[ARRAY_SHAPE_TEXT_SIZE];

    array_shape_text(array->rank, array->size, shape);
    if (request->rank != array->rank)
        return problem_set(problem,
                           "%s: has shape %s, %" PRIu32 " dimensions, --offsets has %" PRIu32
                           " numbers; %s",
                           path, shape, array->rank, request->rank,
                           array->rank > 0 ? "give one for each dimension" : "use the KEY ''");
    request->result.rank = request->rank;
    for (uint32_t i = 0; i < request->rank; i++)
        request->result.size[i] = request->output_sizes[i];
    return true;
}

static void describe(struct request *request, const struct array *array)
{
    request->in_sizes[0] = 1;
    request->in_strides[0] = 1;
    for (uint32_t i = 0; i < array->rank; i++) {
        request->in_sizes[i] = (uint32_t)array->size[i];
        request->in_strides[i] = (uint32_t)array->stride[i];
    }
    request->in_buffer = (DML_BUFFER_TENSOR_DESC){
        .DataType = (DML_TENSOR_DATA_TYPE)array->data_type,
        .DimensionCount = request->rank,
        .Sizes = request->in_sizes,
        .Strides = request->in_strides,
        .TotalTensorSizeInBytes = round_up_4(array->bytes),
    };
    request->out_buffer = request->in_buffer;
    request->out_buffer.Sizes = request->output_sizes;
    request->out_buffer.Strides = NULL;
    request->out_buffer.TotalTensorSizeInBytes = round_up_4(request->result.bytes);
    request->in = (DML_TENSOR_DESC){DML_TENSOR_TYPE_BUFFER, &request->in_buffer};
    request->out = (DML_TENSOR_DESC){DML_TENSOR_TYPE_BUFFER, &request->out_buffer};
    request->slice1 = (DML_SLICE1_OPERATOR_DESC){
        .InputTensor = &request->in,
        .OutputTensor = &request->out,
        .DimensionCount = request->rank,
        .InputWindowOffsets = request->offsets,
        .InputWindowSizes = request->sizes,
        .InputWindowStrides = request->strides,
    };
    request->desc = (DML_OPERATOR_DESC){DML_OPERATOR_SLICE1, &request->slice1};
}

int request_apply(struct request *request, const struct array *array, const char *path)
{
    union session_error error;
    struct problem problem;

    request->result.data_type = array->data_type;
    memcpy(request->result.descr, array->descr, sizeof array->descr);
    if (!(request->key ? apply_key(request, array, &problem)
                       : apply_window(request, array, path, &problem)) ||
        !array_layout(&request->result, false, path, &problem))
        return cli_fail_problem(&problem);
    if (request->is_empty)
        return CLI_DONE;
    describe(request, array);
    if (clslice_operator_create(NULL, &request->desc, NULL, session_error_init(&error)) !=
        CLSLICE_S_OK)
        return session_fail(&error);
    return CLI_DONE;
}
