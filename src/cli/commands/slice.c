/* SPDX-License-Identifier: MIT */
#include "cli/args/parts.h"
#include "cli/args/request.h"
#include "cli/commands/commands.h"
#include "cli/formats/array.h"
#include "cli/formats/array_file.h"
#include "cli/formats/guard.h"
#include "cli/formats/npy.h"
#include "cli/formats/output.h"
#include "cli/formats/png_file.h"
#include "cli/progress.h"
#include "cli/session.h"
#include "conformance/problem.h"
#include "conformance/size_for.h"

#include <clslice/clslice.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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

/* ---- By parts, two of which are under way at a time ---- */

enum { PART_BYTES = 256 << 20, PART_ITEMS = 1 << 20 };

/* A run of parts. What is compiled is the last part's, or that of all items of --each. */
struct run {
    const struct job *job;
    clslice_device *device;
    clslice_operator *op;
    clslice_compiled_operator *compiled;
    struct _cl_event *event[2]; /* of the parts under way, the older one first */
    uint64_t bytes[2];          /* of their outputs */
    uint64_t done;              /* bytes */
};

static int32_t run_compile(struct run *run, const struct case_desc *desc, uint32_t flags,
                           clslice_error *error)
{
    const clslice_compile_options options = {.size = sizeof options, .flags = flags};
    int32_t status;

    clslice_compiled_operator_release(run->compiled);
    clslice_operator_release(run->op);
    run->compiled = NULL;
    run->op = NULL;
    status = clslice_operator_create(run->device, &desc->op, &run->op, error);
    return status == CLSLICE_S_OK
               ? clslice_operator_compile(run->op, &options, &run->compiled, error)
               : status;
}

/* Waits for the older one. */
static int32_t run_wait(struct run *run, clslice_error *error)
{
    int32_t status = CLSLICE_S_OK;

    if (run->event[0]) {
        status = clslice_event_wait(run->device, run->event[0], error);
        run->done += run->bytes[0];
        progress_tell(run->done);
    }
    clslice_event_release(run->device, run->event[0]);
    run->event[0] = run->event[1];
    run->bytes[0] = run->bytes[1];
    run->event[1] = NULL;
    return status;
}

/* Enqueues what is compiled, into these bytes of the output. */
static int32_t run_dispatch(struct run *run, uint64_t offset, uint64_t bytes,
                            const clslice_batch *batch, clslice_error *error)
{
    const clslice_binding in = {
        .kind = CLSLICE_BINDING_HOST, .handle = run->job->in.data, .size = run->job->in.bytes};
    const clslice_binding out = {.kind = CLSLICE_BINDING_HOST,
                                 .handle = (char *)run->job->request.result.data + offset,
                                 .size = bytes};
    const clslice_dispatch_desc desc = {.size = sizeof desc,
                                        .inputs = &in,
                                        .outputs = &out,
                                        .input_count = 1,
                                        .output_count = 1,
                                        .batch = batch};
    int32_t status = run->event[1] ? run_wait(run, error) : CLSLICE_S_OK;
    int at = run->event[0] != NULL;

    if (status != CLSLICE_S_OK)
        return status;
    run->bytes[at] = bytes;
    return clslice_dispatch(run->compiled, &desc, &run->event[at], error);
}

static bool goes_on(int32_t status)
{
    return status == CLSLICE_S_OK && !guard_held();
}

/* A slice whose output begins at byte `start`. */
static int32_t run_slice(struct run *run, const struct slice_case *whole, uint64_t start,
                         clslice_error *error)
{
    uint64_t element = run->job->in.element_size;
    struct parts parts = parts_of(whole, PART_BYTES / element);
    int32_t status = CLSLICE_S_OK;

    for (uint64_t i = 0; goes_on(status) && i < parts.count; ++i) {
        struct slice_case part;
        struct case_desc desc;
        uint64_t elements = 1, first = parts_case(&parts, whole, i, &part);
        for (uint32_t axis = 0; axis < part.rank; ++axis)
            elements *= part.out_sizes[axis];
        case_desc_init(&desc, &part);
        status = run_compile(run, &desc, 0, error);
        if (status == CLSLICE_S_OK)
            status = run_dispatch(run, start + first * element, elements * element, NULL, error);
    }
    return status;
}

/* Windows of --each that are larger than a part. */
static int32_t run_large_items(struct run *run, uint64_t bytes, clslice_error *error)
{
    const struct each *each = &run->job->request.each;
    struct slice_case item = run->job->request.slice;
    uint32_t rank = run->job->in.rank;
    int32_t status = CLSLICE_S_OK;

    for (uint64_t i = 0; goes_on(status) && i < each->count; ++i) {
        memcpy(item.window_offsets, each->rows + i * rank, rank * sizeof *each->rows);
        status = run_slice(run, &item, i * bytes, error);
    }
    return status;
}

/* Windows of --each: as many at a time as make a part. */
static int32_t run_items(struct run *run, uint64_t item, clslice_error *error)
{
    const struct request *request = &run->job->request;
    const struct each *each = &request->each;
    uint64_t rank = run->job->in.rank, most = PART_BYTES / item;
    int32_t status = run_compile(run, &request->desc, CLSLICE_COMPILE_FLAG_BATCH, error);

    if (most > PART_ITEMS)
        most = PART_ITEMS;
    for (uint64_t i = 0, n; goes_on(status) && i < each->count; i += n) {
        n = each->count - i < most ? each->count - i : most;
        const clslice_batch batch = {.size = sizeof batch,
                                     .count = n,
                                     .window = {.kind = CLSLICE_BINDING_HOST,
                                                .handle = each->rows + i * rank,
                                                .size = n * rank * sizeof *each->rows},
                                     .window_axis_count = (uint32_t)rank};
        status = run_dispatch(run, i * item, n * item, &batch, error);
    }
    return status;
}

static int32_t run_each(struct run *run, clslice_error *error)
{
    const struct request *request = &run->job->request;
    uint64_t item = request->result.bytes / request->each.count;

    return item > PART_BYTES ? run_large_items(run, item, error) : run_items(run, item, error);
}

static int32_t run_parts(const struct job *job, clslice_device *device, clslice_error *error)
{
    const struct request *request = &job->request;
    struct run run = {.job = job, .device = device};

    progress_begin("slicing", request->result.bytes);
    int32_t status =
        request->each.path ? run_each(&run, error) : run_slice(&run, &request->slice, 0, error);
    while (status == CLSLICE_S_OK && run.event[0])
        status = run_wait(&run, error);
    /* What was enqueued may still use the files. */
    if (status != CLSLICE_S_OK && clslice_device_finish(device, NULL) != CLSLICE_S_OK)
        status = CLSLICE_E_FAIL;
    clslice_event_release(device, run.event[0]);
    clslice_event_release(device, run.event[1]);
    clslice_compiled_operator_release(run.compiled);
    clslice_operator_release(run.op);
    return status;
}

static bool fill(struct job *job, const struct cli *cli, struct problem *problem)
{
    union session_error error = SESSION_ERROR;
    clslice_device *device;
    bool is_done;
    int ended;

    if (job->request.is_empty)
        return true;
    if (!session_open(cli, &device, problem))
        return false;
    /* Once more: the driver may have put handlers of its own in place. */
    guard_install(&job->in, job->in_path, &job->output);
    guard_hold();
    is_done = run_parts(job, device, &error.error) == CLSLICE_S_OK || session_fail(&error, problem);
    clslice_device_release(device);
    ended = guard_release();
    return ended ? problem_fill(problem, GUARD_STATUS + ended, "%s", "") : is_done;
}

/* Behind output_sync. */
static bool commit(struct job *job, struct problem *problem)
{
    /* A signal is too late now: the file is there, or will be. */
    guard_hold();
    return output_commit(&job->output, problem);
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
           output_sync(&job->output, problem) && commit(job, problem);
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
        return problem_set(
            problem, "'%s': the name must end in .npy or .png, the formats that can be written",
            job.out_path);
    is_done = array_file_read(job.in_path, &job.in, problem) &&
              request_apply(&job.request, &job.in, job.in_path, problem) &&
              write_result(&job, cli, problem);
    progress_end();
    output_discard(&job.output);
    request_release(&job.request);
    array_release(&job.request.result);
    array_release(&job.in);
    return is_done;
}

static const struct poptOption options[] = {REQUEST_OPTIONS, CLI_COMMON_OPTIONS};

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
    .options = options,
    .most_operands = 3,
    .run = run,
};
