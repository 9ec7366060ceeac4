/* SPDX-License-Identifier: MIT */
#include "cli/args/request.h"
#include "cli/commands/commands.h"
#include "cli/formats/array.h"
#include "cli/formats/array_file.h"
#include "cli/formats/guard.h"
#include "cli/formats/npy.h"
#include "cli/formats/output.h"
#include "cli/formats/png_file.h"
#include "cli/session.h"
#include "conformance/problem.h"
#include "conformance/size_for.h"

#include <clslice/clslice.h>
#include <inttypes.h>
#include <stdlib.h>

/* One run of the command. */
struct job {
    const char *in_path;
    const char *out_path;
    enum array_file_format format; /* the output's */
    struct array in;
    struct request request; /* its result gets data here */
    struct output output;
};

/* Memory for a PNG, or the file itself. */
static bool map_result(struct job *job, struct problem *problem)
{
    struct array *result = &job->request.result;
    unsigned char *header;
    size_t header_bytes;
    bool is_mapped;

    if (job->format == ARRAY_FILE_PNG) {
        result->allocation = malloc(size_for(result->bytes));
        result->data = result->allocation;
        return result->data ||
               problem_set(problem, "out of memory for an image of %" PRIu64 " bytes",
                           result->bytes);
    }
    header = npy_header_create(&result->dtype, result->rank, result->size, &header_bytes);
    if (!header)
        return problem_set(problem, "out of memory");
    is_mapped =
        output_map(&job->output, header, header_bytes, result->bytes, &result->data, problem);
    free(header);
    return is_mapped;
}

static int32_t dispatch_each(const struct job *job, clslice_device *device,
                             clslice_compiled_operator *compiled, clslice_error *error)
{
    const struct request *request = &job->request;
    const struct array *result = &request->result;
    uint32_t rank = job->in.rank;
    const clslice_binding in = {
        .kind = CLSLICE_BINDING_HOST, .handle = job->in.data, .size = job->in.bytes};
    const clslice_binding out = {
        .kind = CLSLICE_BINDING_HOST, .handle = result->data, .size = result->bytes};
    const clslice_batch batch = {.size = sizeof batch,
                                 .count = request->each.count,
                                 .window = {.kind = CLSLICE_BINDING_HOST,
                                            .handle = request->each.rows,
                                            .size = request->each.count * rank * sizeof(uint32_t)},
                                 .window_axis_count = rank};
    const clslice_dispatch_desc desc = {.size = sizeof desc,
                                        .inputs = &in,
                                        .outputs = &out,
                                        .input_count = 1,
                                        .output_count = 1,
                                        .batch = &batch};
    struct _cl_event *event = NULL;
    int32_t status = clslice_dispatch(compiled, &desc, &event, error);

    if (status == CLSLICE_S_OK)
        status = clslice_event_wait(device, event, error);
    clslice_event_release(device, event);
    return status;
}

/* All windows of --each by one dispatch. */
static int32_t run_each(const struct job *job, clslice_device *device, clslice_error *error)
{
    const clslice_compile_options options = {.size = sizeof options,
                                             .flags = CLSLICE_COMPILE_FLAG_BATCH};
    clslice_operator *op = NULL;
    clslice_compiled_operator *compiled = NULL;
    int32_t status = clslice_operator_create(device, &job->request.desc.op, &op, error);

    if (status == CLSLICE_S_OK)
        status = clslice_operator_compile(op, &options, &compiled, error);
    if (status == CLSLICE_S_OK)
        status = dispatch_each(job, device, compiled, error);
    if (status != CLSLICE_S_OK && clslice_device_finish(device, NULL) != CLSLICE_S_OK)
        status = CLSLICE_E_FAIL; /* what was enqueued may still use the files */
    clslice_compiled_operator_release(compiled);
    clslice_operator_release(op);
    return status;
}

static bool fill(struct job *job, const struct cli *cli, struct problem *problem)
{
    const struct array *result = &job->request.result;
    union session_error error = SESSION_ERROR;
    clslice_device *device;
    bool is_done;

    if (job->request.is_empty)
        return true;
    if (!session_open(cli, &device, problem))
        return false;
    /* Once more: the driver may have put handlers of its own in place. */
    guard_install(&job->in, job->in_path, &job->output);
    is_done = (job->request.each.path
                   ? run_each(job, device, &error.error)
                   : clslice_run(device, &job->request.desc.op, job->in.data, job->in.bytes,
                                 result->data, result->bytes, &error.error)) == CLSLICE_S_OK ||
              session_fail(&error, problem);
    clslice_device_release(device);
    return is_done;
}

static bool write_result(struct job *job, const struct cli *cli, struct problem *problem)
{
    const struct array *result = &job->request.result;
    bool is_png = job->format == ARRAY_FILE_PNG;

    if ((is_png && !png_file_accepts(result, job->out_path, problem)) ||
        !output_open(&job->output, job->out_path, problem))
        return false;
    guard_install(&job->in, job->in_path, &job->output);
    return map_result(job, problem) && fill(job, cli, problem) &&
           (!is_png || png_file_write(&job->output, result, problem)) &&
           output_commit(&job->output, problem);
}

static bool run(const struct cli *cli, struct problem *problem)
{
    /* Signal handlers look into it. */
    static struct job job;
    bool is_done;

    if (!request_read(&job.request, cli, 2, problem))
        return false;
    job.in_path = cli->operand[0];
    job.out_path = cli->operand[1];
    job.format = array_file_format(job.out_path);
    if (job.format == ARRAY_FILE_UNKNOWN)
        return problem_set(problem,
                           "%s: the name must end in .npy or .png, the formats that can be written",
                           job.out_path);
    is_done = array_file_read(job.in_path, &job.in, problem) &&
              request_apply(&job.request, &job.in, job.in_path, problem) &&
              write_result(&job, cli, problem);
    output_discard(&job.output);
    request_release(&job.request);
    array_release(&job.request.result);
    array_release(&job.in);
    return is_done;
}

const struct cli_command slice_command = {
    .name = "slice",
    .operands = "IN OUT KEY",
    .summary = "write a part of an array or image to a file",
    .details =
        "Writes the part of IN that KEY selects to OUT. Both are .npy or .png files. KEY is what\n"
        "NumPy takes between brackets: '::-1, 10:200:2, ...'\n"
        "Instead of KEY, --offsets, --sizes and --strides give the window as SLICE1 does, one\n"
        "number for each dimension. --each FILE.npy writes many windows of --sizes, which begin\n"
        "at its rows, as one array with one dimension more.",
    .options = request_options,
    .most_operands = 3,
    .run = run,
};
