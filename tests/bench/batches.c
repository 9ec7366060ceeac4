/* SPDX-License-Identifier: MIT */
/*
 * batches [MIB]: what many slices in one dispatch take, from the call to completion, medians. With
 * tables in host memory and on the device, beside a loop of dispatches, and beside one dispatch of
 * as many bytes, which is one crop; and with a table on the device, back to back, also as a part of
 * the bandwidth of a large copy. The input has so many MiB, 400 where nothing is said.
 */
#include <CL/cl.h>
#include <clslice/clslice.h>
#include <clslice/directml.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    TURNS = 21,
    IN_A_ROW = 20,
    COPY_BYTES = 1 << 30, /* at most */
    WIDTH = 1920,
    HEIGHT = 1080,
    CHANNELS = 3,
    CROPS = 1000,
    PAGES = 4096,
    RANK = 4
};

static clslice_device *device;
static clslice_opencl_objects objects = {.size = sizeof objects};
static clslice_error error = {.size = sizeof error};
static cl_mem(CL_API_CALL *create_buffer)(cl_context, cl_mem_flags, size_t, void *, cl_int *);
static cl_int(CL_API_CALL *release_buffer)(cl_mem);
static cl_int(CL_API_CALL *copy_buffer)(cl_command_queue, cl_mem, cl_mem, size_t, size_t, size_t,
                                        cl_uint, const cl_event *, cl_event *);
static cl_int(CL_API_CALL *finish)(cl_command_queue);
static double copy_rate; /* bytes read and written a microsecond */

static void check(int32_t status, const char *what)
{
    if (status == CLSLICE_S_OK)
        return;
    fprintf(stderr, "batches: %s: %s\n", what, error.text);
    exit(1);
}

static void load(const char *name, void *function)
{
    void *address = clslice_device_get_proc(device, name);
    memcpy(function, &address, sizeof address);
}

static cl_mem buffer_of(cl_mem_flags flags, size_t bytes, void *from)
{
    cl_int code;
    cl_mem mem = create_buffer(objects.context, flags, bytes, from, &code);
    if (mem)
        return mem;
    fprintf(stderr, "batches: no buffer of %zu bytes: %d\n", bytes, code);
    exit(1);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

/* ---- What is sliced ---- */

/* Items of single bytes, or of words, and where they lie. */
struct subject {
    uint32_t type, bytes; /* of an element */
    uint32_t in[RANK], item[RANK];
    uint32_t count, axis, axes;
    uint32_t *windows; /* owned; rows of `axes` offsets */
    int scatters;      /* item i goes to indices[i], and is read from page i */
    uint32_t *indices; /* owned */
    cl_mem input, output, window_table, index_table;
    clslice_compiled_operator *batch, *single, *whole;
};

static uint64_t elements_of(const uint32_t sizes[RANK])
{
    uint64_t count = 1;
    for (int i = 0; i < RANK; ++i)
        count *= sizes[i];
    return count;
}

static void strides_of(const uint32_t sizes[RANK], uint32_t strides[RANK])
{
    uint32_t stride = 1;
    for (int i = RANK; i-- > 0; stride *= sizes[i])
        strides[i] = stride;
}

static uint64_t span_of(const uint32_t sizes[RANK], const uint32_t *strides)
{
    uint64_t last = 0;
    for (int i = 0; strides && i < RANK; ++i)
        last += (uint64_t)(sizes[i] - 1) * strides[i];
    return strides ? last + 1 : elements_of(sizes);
}

/* `strides` of the input; NULL: packed. */
static clslice_compiled_operator *compile(const struct subject *s, const uint32_t in[RANK],
                                          const uint32_t *strides, const uint32_t out[RANK],
                                          uint32_t flags)
{
    static const uint32_t offsets[RANK];
    static const int32_t steps[RANK] = {1, 1, 1, 1};
    const DML_BUFFER_TENSOR_DESC from = {.DataType = s->type,
                                         .DimensionCount = RANK,
                                         .Sizes = in,
                                         .Strides = strides,
                                         .TotalTensorSizeInBytes =
                                             (span_of(in, strides) * s->bytes + 3) / 4 * 4};
    const DML_BUFFER_TENSOR_DESC to = {.DataType = s->type,
                                       .DimensionCount = RANK,
                                       .Sizes = out,
                                       .TotalTensorSizeInBytes =
                                           (elements_of(out) * s->bytes + 3) / 4 * 4};
    const DML_TENSOR_DESC input = {DML_TENSOR_TYPE_BUFFER, &from};
    const DML_TENSOR_DESC output = {DML_TENSOR_TYPE_BUFFER, &to};
    const DML_SLICE1_OPERATOR_DESC slice = {&input, &output, RANK, offsets, out, steps};
    const DML_OPERATOR_DESC desc = {DML_OPERATOR_SLICE1, &slice};
    const clslice_compile_options options = {.size = sizeof options,
                                             .flags = flags | CLSLICE_COMPILE_FLAG_WARM};
    clslice_operator *op = NULL;
    clslice_compiled_operator *compiled = NULL;
    check(clslice_operator_create(device, &desc, &op, &error), "operator");
    check(clslice_operator_compile(op, &options, &compiled, &error), "compile");
    clslice_operator_release(op);
    return compiled;
}

static uint64_t item_bytes(const struct subject *s)
{
    return elements_of(s->item) * s->bytes;
}

/* ---- Ways to do it ---- */

enum way { HOST_TABLE, DEVICE_TABLE, WHOLE, LOOP, WAYS };

static clslice_binding bind(cl_mem mem, uint64_t offset, uint64_t size)
{
    return (clslice_binding){
        .kind = CLSLICE_BINDING_CL_MEM, .handle = mem, .offset = offset, .size = size};
}

static void dispatch(clslice_compiled_operator *compiled, const clslice_binding *in,
                     const clslice_binding *out, const clslice_batch *batch,
                     struct _cl_event **event)
{
    const clslice_dispatch_desc desc = {.size = sizeof desc,
                                        .inputs = in,
                                        .outputs = out,
                                        .input_count = 1,
                                        .output_count = 1,
                                        .batch = batch};
    check(clslice_dispatch(compiled, &desc, event, &error), "dispatch");
}

static clslice_binding table_of(enum way way, uint32_t *host, cl_mem mem, uint64_t bytes)
{
    return way == DEVICE_TABLE
               ? bind(mem, 0, bytes)
               : (clslice_binding){.kind = CLSLICE_BINDING_HOST, .handle = host, .size = bytes};
}

static void run_batch(const struct subject *s, enum way way, struct _cl_event **event)
{
    const clslice_binding in = bind(s->input, 0, elements_of(s->in) * s->bytes);
    const clslice_binding out = bind(s->output, 0, item_bytes(s) * s->count);
    clslice_batch batch = {.size = sizeof batch, .count = s->count, .window_axis = s->axis};
    if (s->scatters) {
        batch.window_advance = 1;
        batch.output = table_of(way, s->indices, s->index_table, 4 * (uint64_t)s->count);
        batch.output_index_bytes = 4;
    } else {
        batch.window_axis_count = s->axes;
        batch.window = table_of(way, s->windows, s->window_table, 4 * (uint64_t)s->count * s->axes);
    }
    dispatch(s->batch, &in, &out, &batch, event);
}

/* Each item by the operator of one, further on in both buffers. */
static void run_loop(const struct subject *s, struct _cl_event **event)
{
    uint32_t strides[RANK];
    strides_of(s->in, strides);
    uint64_t bytes = item_bytes(s), in_bytes = span_of(s->item, strides) * s->bytes;
    for (uint32_t i = 0; i < s->count; ++i) {
        uint64_t from = 0;
        for (uint32_t d = 0; d < RANK; ++d) {
            uint32_t at = s->scatters ? (d == s->axis ? i : 0)
                          : d >= s->axis && d < s->axis + s->axes
                              ? s->windows[i * s->axes + d - s->axis]
                              : 0;
            from = from * s->in[d] + at;
        }
        uint64_t to = s->scatters ? s->indices[i] : i;
        const clslice_binding in = bind(s->input, from * s->bytes, in_bytes);
        const clslice_binding out = bind(s->output, to * bytes, bytes);
        dispatch(s->single, &in, &out, NULL, i + 1 == s->count ? event : NULL);
    }
}

static double run(const struct subject *s, enum way way)
{
    struct _cl_event *event = NULL;
    double start = now();
    if (way == LOOP) {
        run_loop(s, &event);
    } else if (way == WHOLE) {
        const clslice_binding in = bind(s->input, 0, elements_of(s->in) * s->bytes);
        const clslice_binding out = bind(s->output, 0, item_bytes(s) * s->count);
        dispatch(s->whole, &in, &out, NULL, &event);
    } else {
        run_batch(s, way, &event);
    }
    check(clslice_event_wait(device, event, &error), "wait");
    double taken = now() - start;
    clslice_event_release(device, event);
    return taken;
}

static double run_in_a_row(const struct subject *s)
{
    double start = now();
    for (int i = 0; i < IN_A_ROW; ++i)
        run_batch(s, DEVICE_TABLE, NULL);
    check(clslice_device_finish(device, &error), "wait");
    return (now() - start) / IN_A_ROW;
}

static double copy_in_a_row(cl_mem from, cl_mem to, size_t bytes)
{
    double start = now();
    cl_int code = CL_SUCCESS;
    for (int i = 0; i < IN_A_ROW && code == CL_SUCCESS; ++i)
        code = copy_buffer(objects.queue, from, to, 0, 0, bytes, 0, NULL, NULL);
    if (code != CL_SUCCESS || finish(objects.queue) != CL_SUCCESS) {
        fprintf(stderr, "batches: no copy of %zu bytes: %d\n", bytes, code);
        exit(1);
    }
    return (now() - start) / IN_A_ROW;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void note(const struct subject *s, enum way way, int turn, double taken[WAYS][TURNS])
{
    double microseconds = run(s, way);
    if (turn >= 0)
        taken[way][turn] = microseconds;
}

static void measure(const char *name, const struct subject *s)
{
    double taken[WAYS][TURNS], in_a_row[TURNS];
    for (int turn = 0; turn < TURNS; ++turn)
        in_a_row[turn] = run_in_a_row(s);
    qsort(in_a_row, TURNS, sizeof in_a_row[0], by_value);
    for (int turn = -2; turn < TURNS; ++turn)
        for (int way = 0; way < LOOP; ++way)
            note(s, (enum way)way, turn, taken);
    for (int turn = -2; turn < TURNS; ++turn) /* it leaves the heap in pieces */
        note(s, LOOP, turn, taken);
    for (int way = 0; way < WAYS; ++way)
        qsort(taken[way], TURNS, sizeof taken[way][0], by_value);
    double batch = taken[HOST_TABLE][TURNS / 2], on_device = taken[DEVICE_TABLE][TURNS / 2];
    double loop = taken[LOOP][TURNS / 2], whole = taken[WHOLE][TURNS / 2];
    double moved = 2 * (double)(item_bytes(s) * s->count), row = in_a_row[TURNS / 2];
    printf("| %s | %.0f | %.0f | %.0f | %.1f | %.0f | %.2f | %.0f | %.2f |\n", name, batch,
           on_device, loop, loop / batch, whole, whole / batch, row, moved / row / copy_rate);
    fflush(stdout);
}

/* The rate of a large copy, the best of some. */
static void measure_copy(uint64_t most)
{
    size_t bytes = most < COPY_BYTES ? (size_t)most : COPY_BYTES;
    cl_mem from = buffer_of(CL_MEM_READ_WRITE, bytes, NULL);
    cl_mem to = buffer_of(CL_MEM_READ_WRITE, bytes, NULL);
    for (int turn = 0; turn < 5; ++turn) {
        double rate = 2 * (double)bytes / copy_in_a_row(from, to, bytes);
        copy_rate = rate > copy_rate ? rate : copy_rate;
    }
    release_buffer(from);
    release_buffer(to);
}

/* ---- Subjects ---- */

static uint32_t pick(uint32_t count)
{
    static uint64_t state = 88172645463325252u;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state % count);
}

static void draw_tables(struct subject *s)
{
    s->windows = calloc((size_t)s->count * RANK, sizeof *s->windows);
    s->indices = calloc(s->count, sizeof *s->indices);
    if (!s->windows || !s->indices)
        exit(1);
    for (uint32_t i = 0; i < s->count; ++i) {
        for (uint32_t a = 0; a < s->axes; ++a)
            s->windows[i * s->axes + a] = pick(s->in[s->axis + a] - s->item[s->axis + a] + 1);
        s->indices[i] = i;
    }
    for (uint32_t i = s->count; i-- > 1;) {
        uint32_t j = pick(i + 1), swapped = s->indices[i];
        s->indices[i] = s->indices[j];
        s->indices[j] = swapped;
    }
}

static void prepare(struct subject *s)
{
    enum { ROW = 4096, APART = ROW + 64 }; /* elements of the one crop's rows */
    const uint64_t bytes = item_bytes(s) * s->count;
    const uint32_t rows = (uint32_t)(bytes / s->bytes / ROW);
    const uint32_t in[RANK] = {1, 1, rows, APART}, crop[RANK] = {1, 1, rows, ROW};
    uint32_t strides[RANK];
    draw_tables(s);
    s->output = buffer_of(CL_MEM_READ_WRITE, (size_t)bytes, NULL);
    s->window_table = buffer_of(CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                                (size_t)s->count * RANK * sizeof *s->windows, s->windows);
    s->index_table = buffer_of(CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                               (size_t)s->count * sizeof *s->indices, s->indices);
    strides_of(s->in, strides);
    s->batch = compile(s, s->in, NULL, s->item, CLSLICE_COMPILE_FLAG_BATCH);
    s->single = compile(s, s->item, strides, s->item, 0);
    s->whole = compile(s, in, NULL, crop, 0);
}

static void forget(struct subject *s)
{
    clslice_compiled_operator_release(s->batch);
    clslice_compiled_operator_release(s->single);
    clslice_compiled_operator_release(s->whole);
    release_buffer(s->output);
    release_buffer(s->window_table);
    release_buffer(s->index_table);
    free(s->windows);
    free(s->indices);
}

static void crops(cl_mem input, uint32_t frames, uint32_t side)
{
    char name[80];
    struct subject s = {.type = DML_TENSOR_DATA_TYPE_UINT8,
                        .bytes = 1,
                        .in = {frames, HEIGHT, WIDTH, CHANNELS},
                        .item = {1, side, side, CHANNELS},
                        .count = CROPS,
                        .axes = 3,
                        .input = input};
    snprintf(name, sizeof name, "%d crops of %" PRIu32 " x %" PRIu32 " x 3", CROPS, side, side);
    prepare(&s);
    measure(name, &s);
    forget(&s);
}

static void pages(cl_mem input, uint64_t bytes, uint32_t kib, int scatters)
{
    char name[80];
    const uint32_t elements = kib * 128, all = (uint32_t)(bytes / (kib * (uint64_t)1024));
    struct subject s = {.type = DML_TENSOR_DATA_TYPE_FLOAT64,
                        .bytes = 8,
                        .in = {1, 1, all, elements},
                        .item = {1, 1, 1, elements},
                        .count = PAGES,
                        .axis = 2,
                        .axes = 1,
                        .scatters = scatters,
                        .input = input};
    if (all < PAGES + PAGES / 64)
        return; /* there are no more than so many, with room for the one crop's rows */
    snprintf(name, sizeof name, "%d pages of %" PRIu32 " KiB, %s", PAGES, kib,
             scatters ? "scattered" : "gathered");
    prepare(&s);
    measure(name, &s);
    forget(&s);
}

int main(int count, char **arguments)
{
    uint64_t bytes = (count > 1 ? strtoull(arguments[1], NULL, 10) : 400) << 20;
    uint32_t frames = (uint32_t)(bytes / (HEIGHT * WIDTH * CHANNELS));
    clslice_device_info info = {.size = sizeof info};
    cl_int(CL_API_CALL * write)(cl_command_queue, cl_mem, cl_bool, size_t, size_t, const void *,
                                cl_uint, const cl_event *, cl_event *);
    if (frames == 0) {
        fprintf(stderr, "usage: batches [MIB]: at least 6\n");
        return 2;
    }
    check(clslice_device_create(NULL, &device, &error), "device");
    check(clslice_device_get_info(device, &info, &error), "device");
    check(clslice_device_get_opencl(device, &objects, &error), "device");
    load("clCreateBuffer", &create_buffer);
    load("clReleaseMemObject", &release_buffer);
    load("clEnqueueWriteBuffer", &write);
    load("clEnqueueCopyBuffer", &copy_buffer);
    load("clFinish", &finish);
    measure_copy(bytes);
    unsigned char *content = malloc((size_t)bytes);
    if (!content)
        return 1;
    for (uint64_t i = 0; i < bytes; ++i)
        content[i] = (unsigned char)(i * 2654435761u >> 24);
    cl_mem input = buffer_of(CL_MEM_READ_WRITE, (size_t)bytes, NULL);
    if (write(objects.queue, input, CL_TRUE, 0, (size_t)bytes, content, 0, NULL, NULL) !=
        CL_SUCCESS)
        return 1;
    free(content);
    printf("%s, driver %s; microseconds\n\n"
           "| items | batch | table on the device | dispatches | ratio | one crop | ratio "
           "| back to back | of a copy |\n"
           "|---|---:|---:|---:|---:|---:|---:|---:|---:|\n",
           info.name, info.driver);
    static const uint32_t sides[] = {224, 64, 32}, kib[] = {4, 8, 32, 128};
    for (int i = 0; i < 3; ++i)
        crops(input, frames, sides[i]);
    for (int i = 0; i < 8; ++i)
        pages(input, bytes, kib[i / 2], i % 2);
    release_buffer(input);
    clslice_device_release(device);
    return 0;
}
