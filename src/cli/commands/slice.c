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
    is_done = clslice_run(device, &job->request.desc.op, job->in.data, job->in.bytes, result->data,
                          result->bytes, &error.error) == CLSLICE_S_OK ||
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
        "number for each dimension.",
    .options = request_options,
    .most_operands = 3,
    .run = run,
};
