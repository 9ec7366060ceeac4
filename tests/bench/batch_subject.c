/* SPDX-License-Identifier: MIT */
#include "bench/batch_subject.h"

#include <clslice/directml.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static clslice_error error = {.size = sizeof error};
static uint64_t state = 88172645463325252u;

static void fail(const char *what, const char *why)
{
    fprintf(stderr, "%s: %s\n", what, why);
    exit(1);
}

static void check(int32_t status, const char *what)
{
    if (status != CLSLICE_S_OK)
        fail(what, error.text);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double median(double *numbers, int count)
{
    qsort(numbers, (size_t)count, sizeof *numbers, by_value);
    return numbers[count / 2];
}

void draw_seed(uint64_t seed)
{
    state = seed | 1; /* 0 would stay 0 */
    for (int i = 0; i < 16; ++i)
        draw(1);
}

uint32_t draw(uint32_t count)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state % count);
}

/* ---- The device ---- */

static void load(const struct bench *bench, const char *name, void *function)
{
    void *address = clslice_device_get_proc(bench->device, name);
    if (!address)
        fail(name, "not there");
    memcpy(function, &address, sizeof address);
}

static cl_mem buffer_of(const struct bench *bench, cl_mem_flags flags, size_t bytes, void *from)
{
    cl_mem(CL_API_CALL * create)(cl_context, cl_mem_flags, size_t, void *, cl_int *);
    cl_int code;
    load(bench, "clCreateBuffer", &create);
    cl_mem mem = create(bench->objects.context, flags, bytes, from, &code);
    if (!mem)
        fail("clCreateBuffer", "no memory");
    return mem;
}

static void buffer_release(const struct bench *bench, cl_mem mem)
{
    cl_int(CL_API_CALL * release)(cl_mem);
    load(bench, "clReleaseMemObject", &release);
    release(mem);
}

static void fill_input(struct bench *bench)
{
    cl_int(CL_API_CALL * write)(cl_command_queue, cl_mem, cl_bool, size_t, size_t, const void *,
                                cl_uint, const cl_event *, cl_event *);
    size_t bytes = (size_t)bench->bytes;
    unsigned char *content = malloc(bytes);
    if (!content)
        fail("the input", "no memory");
    for (size_t i = 0; i < bytes; ++i)
        content[i] = (unsigned char)(i * 2654435761u >> 24);
    bench->input = buffer_of(bench, CL_MEM_READ_WRITE, bytes, NULL);
    load(bench, "clEnqueueWriteBuffer", &write);
    if (write(bench->objects.queue, bench->input, CL_TRUE, 0, bytes, content, 0, NULL, NULL))
        fail("clEnqueueWriteBuffer", "failed");
    free(content);
}

/* ---- Operators ---- */

/* A slice of packed items, from the low corner of a tensor of any strides. */
struct shape {
    uint32_t rank;
    uint32_t in[RANK + 1], stride[RANK + 1], out[RANK + 1];
    int32_t step[RANK + 1];
};

static uint64_t product(const uint32_t *sizes, uint32_t rank)
{
    uint64_t count = 1;
    for (uint32_t i = 0; i < rank; ++i)
        count *= sizes[i];
    return count;
}

static uint32_t extent_of(uint32_t size, int32_t step)
{
    return (size - 1) * (uint32_t)(step < 0 ? -step : step) + 1;
}

static clslice_compiled_operator *compile(const struct subject *s, const struct bench *bench,
                                          const struct shape *shape, uint32_t flags,
                                          clslice_plan_info *plan)
{
    static const uint32_t offsets[RANK + 1];
    uint32_t window[RANK + 1];
    uint64_t span = 1;
    for (uint32_t i = 0; i < shape->rank; ++i) {
        span += (uint64_t)(shape->in[i] - 1) * shape->stride[i];
        window[i] = extent_of(shape->out[i], shape->step[i]);
    }
    const uint64_t in_bytes = span * s->bytes,
                   out_bytes = product(shape->out, shape->rank) * s->bytes;
    const DML_BUFFER_TENSOR_DESC from = {.DataType = (DML_TENSOR_DATA_TYPE)s->type,
                                         .DimensionCount = shape->rank,
                                         .Sizes = shape->in,
                                         .Strides = shape->stride,
                                         .TotalTensorSizeInBytes = (in_bytes + 3) / 4 * 4};
    const DML_BUFFER_TENSOR_DESC to = {.DataType = from.DataType,
                                       .DimensionCount = shape->rank,
                                       .Sizes = shape->out,
                                       .TotalTensorSizeInBytes = (out_bytes + 3) / 4 * 4};
    const DML_TENSOR_DESC input = {DML_TENSOR_TYPE_BUFFER, &from};
    const DML_TENSOR_DESC output = {DML_TENSOR_TYPE_BUFFER, &to};
    const DML_SLICE1_OPERATOR_DESC slice = {&input,  &output, shape->rank,
                                            offsets, window,  shape->step};
    const DML_OPERATOR_DESC desc = {DML_OPERATOR_SLICE1, &slice};
    const clslice_compile_options options = {.size = sizeof options,
                                             .flags = flags | CLSLICE_COMPILE_FLAG_WARM};
    clslice_operator *op = NULL;
    clslice_compiled_operator *compiled = NULL;
    check(clslice_operator_create(bench->device, &desc, &op, &error), "operator");
    if (plan)
        check(clslice_operator_get_plan(op, &options, plan, &error), "plan");
    check(clslice_operator_compile(op, &options, &compiled, &error), "compile");
    clslice_operator_release(op);
    return compiled;
}

static struct shape shape_of(const struct subject *s)
{
    struct shape shape = {.rank = RANK};
    uint32_t stride = 1;
    for (uint32_t i = RANK; i-- > 0; stride *= s->in[i]) {
        shape.in[i] = s->in[i];
        shape.stride[i] = stride;
        shape.out[i] = s->item[i];
        shape.step[i] = s->step[i] ? s->step[i] : 1;
    }
    return shape;
}

/* One item, which begins where the tensor does. */
static struct shape shape_of_one(const struct subject *s)
{
    struct shape shape = shape_of(s);
    for (uint32_t i = 0; i < RANK; ++i)
        shape.in[i] = extent_of(shape.out[i], shape.step[i]);
    return shape;
}

/* As many items, as far apart as the input has room, where tables might place them, too; those that
 * the batch scatters, where it reads them. */
static struct shape shape_of_regular(const struct subject *s)
{
    const struct shape one = shape_of_one(s);
    struct shape shape = {.rank = RANK + 1, .in = {s->count}, .out = {s->count}, .step = {1}};
    uint64_t room = product(s->in, RANK) - 1;
    for (uint32_t i = 0; i < RANK; ++i) {
        room -= (uint64_t)(one.in[i] - 1) * one.stride[i];
        shape.in[i + 1] = one.in[i];
        shape.stride[i + 1] = one.stride[i];
        shape.out[i + 1] = one.out[i];
        shape.step[i + 1] = one.step[i];
    }
    uint32_t unit = one.stride[s->scatters ? s->axis : s->axis + s->axes - 1];
    uint64_t apart = s->count > 1 ? room / (s->count - 1) : 0;
    shape.stride[0] = s->scatters ? unit : (uint32_t)(apart / unit * unit);
    return shape;
}

/* As many bytes in long rows. */
static struct shape shape_of_crop(const struct subject *s)
{
    enum { ROW = 4096, APART = ROW + 64 };
    const uint32_t rows = (uint32_t)(product(s->item, RANK) * s->count / ROW);
    return (struct shape){
        .rank = 2, .in = {rows, APART}, .stride = {APART, 1}, .out = {rows, ROW}, .step = {1, 1}};
}

/* Along one axis, items are read from different places, as far as there are so many. */
static void draw_tables(struct subject *s)
{
    s->windows = calloc((size_t)s->count * RANK, sizeof *s->windows);
    s->indices = calloc(s->count, sizeof *s->indices);
    if (!s->windows || !s->indices)
        fail("the tables", "no memory");
    const struct shape one = shape_of_one(s);
    for (uint32_t i = 0; i < s->count; ++i)
        s->indices[i] = i;
    for (uint32_t i = s->count; i-- > 1;) {
        uint32_t j = draw(i + 1), swapped = s->indices[i];
        s->indices[i] = s->indices[j];
        s->indices[j] = swapped;
    }
    for (uint32_t i = 0; i < s->count; ++i)
        for (uint32_t a = 0; a < s->axes; ++a) {
            uint64_t places = s->in[s->axis + a] - one.in[s->axis + a] + 1;
            uint64_t first = s->axes == 1 ? s->indices[i] * places / s->count : 0;
            uint64_t end = s->axes == 1 ? (s->indices[i] + 1) * places / s->count : places;
            s->windows[i * s->axes + a] =
                (uint32_t)first + draw((uint32_t)(end > first ? end - first : 1));
        }
}

uint64_t subject_item_bytes(const struct subject *s)
{
    return product(s->item, RANK) * s->bytes;
}

void subject_open(struct subject *s, const struct bench *bench)
{
    const cl_mem_flags constant = CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR;
    const struct shape batch = shape_of(s), single = shape_of_one(s);
    const struct shape whole = s->is_regular ? shape_of_regular(s) : shape_of_crop(s);
    clslice_plan_info plan = {.size = sizeof plan};
    draw_tables(s);
    s->output =
        buffer_of(bench, CL_MEM_READ_WRITE, (size_t)(subject_item_bytes(s) * s->count + 3), NULL);
    s->window_table =
        buffer_of(bench, constant, (size_t)s->count * RANK * sizeof *s->windows, s->windows);
    s->index_table = buffer_of(bench, constant, (size_t)s->count * sizeof *s->indices, s->indices);
    s->batch = compile(s, bench, &batch, CLSLICE_COMPILE_FLAG_BATCH, NULL);
    s->single = compile(s, bench, &single, 0, NULL);
    s->whole = compile(s, bench, &whole, 0, &plan);
    s->floor_bytes = plan.floor_bytes;
}

void subject_close(struct subject *s, const struct bench *bench)
{
    clslice_compiled_operator_release(s->batch);
    clslice_compiled_operator_release(s->single);
    clslice_compiled_operator_release(s->whole);
    buffer_release(bench, s->output);
    buffer_release(bench, s->window_table);
    buffer_release(bench, s->index_table);
    free(s->windows);
    free(s->indices);
}

/* ---- Ways to do it ---- */

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

static void run_batch(const struct subject *s, const clslice_binding *in,
                      const clslice_binding *out, enum way way, struct _cl_event **event)
{
    clslice_batch batch = {.size = sizeof batch, .count = s->count, .window_axis = s->axis};
    if (s->scatters) {
        batch.window_advance = 1;
        batch.output = table_of(way, s->indices, s->index_table, 4 * (uint64_t)s->count);
        batch.output_index_bytes = 4;
    } else {
        batch.window_axis_count = s->axes;
        batch.window = table_of(way, s->windows, s->window_table, 4 * (uint64_t)s->count * s->axes);
    }
    dispatch(s->batch, in, out, &batch, event);
}

/* Each item by the operator of one, further on in both buffers. */
static void run_loop(const struct subject *s, cl_mem input, struct _cl_event **event)
{
    const struct shape one = shape_of_one(s);
    uint64_t bytes = subject_item_bytes(s), span = 1;
    for (uint32_t d = 0; d < RANK; ++d)
        span += (uint64_t)(one.in[d] - 1) * one.stride[d];
    for (uint32_t i = 0; i < s->count; ++i) {
        uint64_t from = s->scatters ? (uint64_t)i * one.stride[s->axis] : 0;
        for (uint32_t a = 0; a < s->axes; ++a)
            from += (uint64_t)s->windows[i * s->axes + a] * one.stride[s->axis + a];
        uint64_t to = s->scatters ? s->indices[i] : i;
        const clslice_binding in = bind(input, from * s->bytes, span * s->bytes);
        const clslice_binding out = bind(s->output, to * bytes, bytes);
        dispatch(s->single, &in, &out, NULL, i + 1 == s->count ? event : NULL);
    }
}

static void enqueue(const struct subject *s, const struct bench *bench, enum way way,
                    struct _cl_event **event)
{
    const clslice_binding in = bind(bench->input, 0, product(s->in, RANK) * s->bytes);
    const clslice_binding out = bind(s->output, 0, subject_item_bytes(s) * s->count);
    if (way == LOOP)
        run_loop(s, bench->input, event);
    else if (way == WHOLE)
        dispatch(s->whole, &in, &out, NULL, event);
    else
        run_batch(s, &in, &out, way, event);
}

double subject_run(const struct subject *s, const struct bench *bench, enum way way)
{
    struct _cl_event *event = NULL;
    double start = now();
    enqueue(s, bench, way, &event);
    check(clslice_event_wait(bench->device, event, &error), "wait");
    double taken = now() - start;
    clslice_event_release(bench->device, event);
    return taken;
}

double subject_run_in_a_row(const struct subject *s, const struct bench *bench, enum way way)
{
    double start = now();
    for (int i = 0; i < IN_A_ROW; ++i)
        enqueue(s, bench, way, NULL);
    check(clslice_device_finish(bench->device, &error), "wait");
    return (now() - start) / IN_A_ROW;
}

/* ---- The bench ---- */

/* By the driver and by clslice: some drivers copy in one thread. */
static void measure_copy(struct bench *bench)
{
    enum { MOST = 1 << 30, ROW = 4096, TURNS = 3 };
    cl_int(CL_API_CALL * copy)(cl_command_queue, cl_mem, cl_mem, size_t, size_t, size_t, cl_uint,
                               const cl_event *, cl_event *);
    const uint32_t rows = (uint32_t)((bench->bytes < MOST ? bench->bytes : MOST) / ROW);
    const size_t bytes = (size_t)rows * ROW;
    const struct subject subject = {.type = DML_TENSOR_DATA_TYPE_UINT8, .bytes = 1};
    const struct shape shape = {
        .rank = 2, .in = {rows, ROW}, .stride = {ROW, 1}, .out = {rows, ROW}, .step = {1, 1}};
    clslice_compiled_operator *compiled = compile(&subject, bench, &shape, 0, NULL);
    cl_mem to = buffer_of(bench, CL_MEM_READ_WRITE, bytes, NULL);
    const clslice_binding in = bind(bench->input, 0, bytes), out = bind(to, 0, bytes);
    load(bench, "clEnqueueCopyBuffer", &copy);
    for (int turn = 0; turn < 2 * TURNS; ++turn) {
        double *best = turn % 2 == 0 ? &bench->dispatch_rate : &bench->driver_rate;
        double start = now();
        for (int i = 0; i < IN_A_ROW; ++i)
            if (turn % 2 == 0)
                dispatch(compiled, &in, &out, NULL, NULL);
            else if (copy(bench->objects.queue, bench->input, to, 0, 0, bytes, 0, NULL, NULL))
                fail("clEnqueueCopyBuffer", "failed");
        check(clslice_device_finish(bench->device, &error), "wait");
        double rate = 2 * (double)bytes * IN_A_ROW / (now() - start);
        *best = fmax(rate, *best);
    }
    bench->copy_rate = fmax(bench->driver_rate, bench->dispatch_rate);
    clslice_compiled_operator_release(compiled);
    buffer_release(bench, to);
}

void bench_open(struct bench *bench, uint64_t bytes)
{
    *bench = (struct bench){.bytes = bytes};
    bench->objects.size = sizeof bench->objects;
    bench->info.size = sizeof bench->info;
    check(clslice_device_create(NULL, &bench->device, &error), "device");
    check(clslice_device_get_info(bench->device, &bench->info, &error), "device");
    check(clslice_device_get_opencl(bench->device, &bench->objects, &error), "device");
    fill_input(bench);
    measure_copy(bench); /* from memory that has been written: else a CPU reads one page */
}

void bench_close(struct bench *bench)
{
    buffer_release(bench, bench->input);
    clslice_device_release(bench->device);
}
