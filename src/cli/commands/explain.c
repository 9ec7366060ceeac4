/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <clslice/clslice.h>

#include "cli/args/request.h"
#include "cli/cli.h"
#include "cli/formats/array.h"
#include "cli/formats/array_file.h"
#include "cli/session.h"
#include "conformance/problem.h"
#include "conformance/size_for.h"

static void print_result(const struct request *request)
{
    const struct array *result = &request->result;
    char shape[ARRAY_SHAPE_TEXT_SIZE];

    array_shape_text(result->rank, result->size, shape);
    printf("result: shape %s, dtype %s, %" PRIu64 " bytes%s\n", shape, result->descr, result->bytes,
           request->is_empty ? ": nothing to slice" : "");
}

static void print_costs(const clslice_plan_info *plan, const clslice_alias *alias)
{
    printf("bytes:  %" PRIu64 " read and written\n", plan->moved_bytes);
    printf("floor:  %" PRIu64 " bytes: those written, and every memory line that the reads touch\n",
           plan->floor_bytes);
    printf("runs:   in %" PRIu64 " %s from host memory\n", plan->host_launches,
           plan->host_launches == 1 ? "launch" : "launches");
    if (alias->is_alias)
        printf("alias:  the input's bytes from %" PRIu64 ", %" PRIu64
               " of them: a host need not copy\n",
               alias->offset_bytes, alias->size_bytes);
    else
        printf("alias:  none, the slice is not one run of the input's bytes\n");
}

/* The slice and its plan in words. */
static int print_description(clslice_operator *op)
{
    union session_error error;
    uint64_t needed = 0;
    char *text = NULL;
    int status = CLI_DONE;

    if (clslice_operator_describe(op, NULL, NULL, 0, &needed, session_error_init(&error)) !=
        CLSLICE_S_OK)
        return session_fail(&error);
    text = malloc(size_for(needed));
    if (!text)
        return cli_fail(CLI_FAILED, "out of memory");
    if (clslice_operator_describe(op, NULL, text, needed, NULL, &error.error) == CLSLICE_S_OK)
        fputs(text, stdout);
    else
        status = session_fail(&error);
    free(text);
    return status;
}

static int explain_on(clslice_device *device, const struct request *request)
{
    clslice_device_info info = {.size = sizeof info};
    clslice_plan_info plan = {.size = sizeof plan};
    clslice_alias alias = {.size = sizeof alias};
    clslice_operator *op = NULL;
    union session_error error;
    int status;

    if (clslice_device_get_info(device, &info, session_error_init(&error)) != CLSLICE_S_OK ||
        clslice_operator_create(device, &request->desc, &op, &error.error) != CLSLICE_S_OK ||
        clslice_operator_get_plan(op, NULL, &plan, &error.error) != CLSLICE_S_OK ||
        clslice_operator_get_alias(op, &alias, &error.error) != CLSLICE_S_OK) {
        status = session_fail(&error);
    } else {
        printf("device: %s, selector %s\n", info.name, info.selector);
        status = print_description(op);
    }
    if (status == CLI_DONE)
        print_costs(&plan, &alias);
    clslice_operator_release(op);
    return status;
}

int explain_run(const struct cli *cli)
{
    struct request request;
    struct array array;
    struct problem problem;
    clslice_device *device;
    int status = request_read(&request, cli, 1);

    if (status != CLI_DONE)
        return status;
    if (!array_file_read(cli->operand[0], &array, &problem))
        return cli_fail_problem(&problem);
    status = request_apply(&request, &array, cli->operand[0]);
    if (status == CLI_DONE)
        print_result(&request);
    if (status == CLI_DONE && !request.is_empty) {
        status = session_open(cli, &device);
        if (status == CLI_DONE)
            status = explain_on(device, &request);
        session_close(device);
    }
    array_release(&array);
    return status;
}
