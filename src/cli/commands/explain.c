/* SPDX-License-Identifier: MIT */
#include "cli/args/request.h"
#include "cli/commands/commands.h"
#include "cli/formats/array.h"
#include "cli/formats/array_file.h"
#include "cli/session.h"
#include "conformance/problem.h"

#include <clslice/clslice.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { GRADIENT = REQUEST_OWN_OPTIONS };
static const struct poptOption explain_options[] = {
    REQUEST_OPTIONS,
    CLI_FLAG("gradient", GRADIENT, "of the slice's gradient, which is as large as IN"),
    CLI_COMMON_OPTIONS,
};

static void print_result(const struct array *result, bool is_empty)
{
    char shape[ARRAY_SHAPE_TEXT_SIZE];
    char dtype[DTYPE_TEXT_SIZE];

    array_shape_text(result->rank, result->size, shape);
    dtype_text(&result->dtype, dtype);
    printf("result: shape %s, dtype %s, %" PRIu64 " bytes%s\n", shape, dtype, result->bytes,
           is_empty ? ": nothing to slice" : "");
}

static void print_costs(const clslice_plan_info *plan, const clslice_alias *alias)
{
    printf("bytes:  %" PRIu64 " read and written\n", plan->moved_bytes);
    printf("floor:  %" PRIu64 " bytes: those written, and every memory line that the reads touch; "
           "lines of the output that are written in part count twice\n",
           plan->floor_bytes);
    printf("runs:   in %" PRIu64 " %s from host memory\n", plan->host_launches,
           plan->host_launches == 1 ? "launch" : "launches");
    if (alias->is_alias)
        printf("alias:  %" PRIu64 " bytes of the input from byte %" PRIu64
               "; a host need not copy them\n",
               alias->size_bytes, alias->offset_bytes);
    else
        printf("alias:  none; the slice is not one contiguous run of the input\n");
}

static bool print_description(const clslice_operator *op, const clslice_compile_options *options,
                              struct problem *problem)
{
    char *text = session_describe(op, options, problem);

    if (text)
        fputs(text, stdout);
    free(text);
    return text != NULL;
}

static bool explain(const struct cli *cli, const struct request *request,
                    const struct case_desc *desc, struct problem *problem)
{
    clslice_device_info info = {.size = sizeof info};
    clslice_plan_info plan = {.size = sizeof plan};
    clslice_alias alias = {.size = sizeof alias};
    clslice_device *device;
    clslice_operator *op = NULL;
    const clslice_compile_options options = {
        .size = sizeof options, .flags = request->each.path ? CLSLICE_COMPILE_FLAG_BATCH : 0};
    union session_error error = SESSION_ERROR;
    bool is_done = false;

    if (!session_open(cli, &device, problem))
        return false;
    if (clslice_device_get_info(device, &info, &error.error) != CLSLICE_S_OK ||
        clslice_operator_create(device, &desc->op, &op, &error.error) != CLSLICE_S_OK ||
        clslice_operator_get_plan(op, &options, &plan, &error.error) != CLSLICE_S_OK ||
        clslice_operator_get_alias(op, &alias, &error.error) != CLSLICE_S_OK) {
        session_fail(&error, problem);
    } else {
        printf("device: %s, selector %s\n", info.name, info.selector);
        is_done = print_description(op, &options, problem);
    }
    if (is_done)
        print_costs(&plan, &alias);
    clslice_operator_release(op);
    clslice_device_release(device);
    return is_done;
}

static bool run_gradient(const struct cli *cli, const struct request *request,
                         const struct array *array, struct problem *problem)
{
    struct slice_case gradient = case_gradient(&request->slice);
    struct case_desc desc;

    case_desc_init(&desc, &gradient);
    print_result(array, request->is_empty);
    return request->is_empty || explain(cli, request, &desc, problem);
}

static bool run_slice(const struct cli *cli, const struct request *request, struct problem *problem)
{
    print_result(&request->result, request->is_empty);
    return request->is_empty || explain(cli, request, &request->desc, problem);
}

static bool run(const struct cli *cli, struct problem *problem)
{
    struct request request;
    struct array array;
    bool is_done;

    if (cli->value[GRADIENT] && cli->value[REQUEST_EACH])
        return problem_misused(problem, "--gradient and --each exclude each other: a batch has no "
                                        "gradient");
    if (!request_read(&request, cli, 1, problem) ||
        !array_file_read(cli->operand[0], &array, problem))
        return false;
    is_done = request_apply(&request, &array, cli->operand[0], problem);
    if (is_done)
        is_done = cli->value[GRADIENT] ? run_gradient(cli, &request, &array, problem)
                                       : run_slice(cli, &request, problem);
    request_release(&request);
    array_release(&array);
    return is_done;
}

const struct cli_command explain_command = {
    .name = "explain",
    .operands = "IN KEY",
    .summary = "print how a slice would run, and the bytes it moves",
    .details =
        "Prints the validated slice, the device's plan and the bytes that it moves. Moves and\n"
        "builds nothing. KEY and the options in its place are those of 'clslice slice'.",
    .options = explain_options,
    .most_operands = 2,
    .run = run,
};
