/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <clslice/clslice.h>

#include "cli/args/request.h"
#include "cli/cli.h"
#include "cli/formats/array.h"
#include "cli/formats/array_file.h"
#include "cli/formats/guard.h"
#include "cli/formats/npy.h"
#include "cli/formats/output.h"
#include "cli/formats/png_file.h"
#include "cli/session.h"
#include "conformance/problem.h"
#include "conformance/size_for.h"

/* One run of the command. */
struct job {
    const char *in_path;
    const char *out_path;
    enum array_file_format format; /* the output's */
    struct array in;
    struct request request; /* its result gets data here */
    struct output output;
};

/* Whether the slice can be written, found before anything is opened for it. */
static int check_output(const struct job *job)
{
    struct problem problem;

    if (job->format == ARRAY_FILE_PNG &&
        !png_file_accepts(&job->request.result, job->out_path, &problem))
        return cli_fail_problem(&problem);
    return CLI_DONE;
}

/* Memory for a PNG, or the file itself. */
static bool map_result(struct job *job, struct problem *problem)
{
    struct array *result = &job->request.result;
    unsigned char header[NPY_HEADER_MAX];
    size_t header_bytes;

    if (job->format == ARRAY_FILE_PNG) {
        result->allocation = malloc(size_for(result->bytes));
        result->data = result->allocation;
        return result->data ||
               problem_set(problem, "no memory for a picture of %" PRIu64 " bytes", result->bytes);
    }
    header_bytes = npy_header(header, result->descr, result->rank, result->size);
    return output_map(&job->output, header, header_bytes, result->bytes, &result->data, problem);
}

/* Enqueues the slice and waits for it. */
static int dispatch(struct job *job, clslice_device *device, clslice_compiled_operator *compiled)
{
    clslice_binding in = {
        .kind = CLSLICE_BINDING_HOST, .handle = job->in.data, .size = job->in.bytes};
    clslice_binding out = {.kind = CLSLICE_BINDING_HOST,
                           .handle = job->request.result.data,
                           .size = job->request.result.bytes};
    clslice_dispatch_desc desc = {
        .size = sizeof desc, .inputs = &in, .outputs = &out, .input_count = 1, .output_count = 1};
    struct _cl_event *event = NULL;
    union session_error error;
    int32_t result = clslice_dispatch(compiled, &desc, &event, session_error_init(&error));

    if (result == CLSLICE_S_OK)
        result = clslice_event_wait(device, event, &error.error);
    clslice_event_release(device, event);
    if (result == CLSLICE_S_OK)
        return CLI_DONE;
    /* The memory must outlive what was enqueued before the failure. */
    clslice_device_finish(device, NULL);
    return session_fail(&error);
}

static int run_on(struct job *job, clslice_device *device)
{
    clslice_compiled_operator *compiled = NULL;
    clslice_operator *op = NULL;
    union session_error error;
    int status;

    if (clslice_operator_create(device, &job->request.desc, &op, session_error_init(&error)) !=
            CLSLICE_S_OK ||
        clslice_operator_compile(op, NULL, &compiled, &error.error) != CLSLICE_S_OK) {
        status = session_fail(&error);
    } else {
        guard_install(&job->in, job->in_path, &job->output);
        status = dispatch(job, device, compiled);
    }
    clslice_compiled_operator_release(compiled);
    clslice_operator_release(op);
    return status;
}

static int fill(struct job *job, const struct cli *cli)
{
    clslice_device *device;
    int status;

    if (job->request.is_empty)
        return CLI_DONE;
    status = session_open(cli, &device);
    if (status == CLI_DONE)
        status = run_on(job, device);
    session_close(device);
    return status;
}

static int write_result(struct job *job, const struct cli *cli)
{
    struct problem problem;
    int status;

    if (!output_open(&job->output, job->out_path, &problem))
        return cli_fail_problem(&problem);
    guard_install(&job->in, job->in_path, &job->output);
    if (!map_result(job, &problem))
        return cli_fail_problem(&problem);
    status = fill(job, cli);
    if (status != CLI_DONE)
        return status;
    if ((job->format == ARRAY_FILE_PNG &&
         !png_file_write(&job->output, &job->request.result, &problem)) ||
        !output_commit(&job->output, &problem))
        return cli_fail_problem(&problem);
    return CLI_DONE;
}

int slice_run(const struct cli *cli)
{
    /* Signal handlers look into it. */
    static struct job job;
    struct problem problem;
    int status = request_read(&job.request, cli, 2);

    if (status != CLI_DONE)
        return status;
    job.in_path = cli->operand[0];
    job.out_path = cli->operand[1];
    job.format = array_file_format(job.out_path);
    if (job.format == ARRAY_FILE_UNKNOWN)
        return cli_fail(CLI_FAILED,
                        "%s: the name must end in .npy or .png, the formats that can be written",
                        job.out_path);
    if (!array_file_read(job.in_path, &job.in, &problem))
        return cli_fail_problem(&problem);
    status = request_apply(&job.request, &job.in, job.in_path);
    if (status == CLI_DONE)
        status = check_output(&job);
    if (status == CLI_DONE)
        status = write_result(&job, cli);
    output_discard(&job.output);
    array_release(&job.request.result);
    array_release(&job.in);
    return status;
}
