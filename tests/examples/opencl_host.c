/* SPDX-License-Identifier: MIT */
/* opencl_host [LIBRARY]: a host with OpenCL objects of its own, built without clslice, that looks
 * for it when it runs. One of its kernels makes a matrix, clslice mirrors and transposes a part of
 * it, another kernel goes on with the result: nothing but events orders the three where the device
 * has queues that are out of order, and nothing leaves the device in between. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <clslice/clslice.h>
#include <clslice/directml.h>
#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 4, COLUMNS = 6, COUNT = ROWS * COLUMNS, BYTES = COUNT * (int)sizeof(cl_int) };
enum { OUT_ROWS = 2, OUT_COLUMNS = 3, OUT_COUNT = OUT_ROWS * OUT_COLUMNS };
enum { OUT_BYTES = OUT_COUNT * (int)sizeof(cl_int) };

static const char *source = "kernel void number(global int *to) {\n"
                            "    size_t i = get_global_id(0);\n"
                            "    to[i] = i / 6 * 10 + i % 6;\n"
                            "}\n"
                            "kernel void negate(global int *all) {\n"
                            "    size_t i = get_global_id(0);\n"
                            "    all[i] = -all[i];\n"
                            "}\n";

/* What a host has anyway. */
struct host {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    cl_kernel number, negate;
    cl_mem matrix, part;
};

static void check(cl_int code, const char *what)
{
    if (code == CL_SUCCESS)
        return;
    fprintf(stderr, "opencl_host: %s: %d\n", what, code);
    exit(1);
}

static void check_clslice(int32_t status, const clslice_error *error)
{
    if (status == CLSLICE_S_OK)
        return;
    fprintf(stderr, "opencl_host: %s\n", error->text);
    exit(1);
}

/* The functions of a library that speaks this header's ABI. An older library that does not answers
 * NULL; one that does, but lacks functions that were appended since, has a smaller table. It is
 * never closed: its functions stay in use until the end. */
static const struct clslice_api *load(const char *path)
{
    const struct clslice_api *(*get_api)(uint32_t abi);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void *symbol = library ? dlsym(library, "clslice_get_api") : NULL;
    if (!symbol) {
        fprintf(stderr, "opencl_host: %s\n", dlerror());
        exit(1);
    }
    memcpy(&get_api, &symbol, sizeof get_api); /* C has no cast from data to a function */
    const struct clslice_api *api = get_api(CLSLICE_ABI_VERSION);
    if (!api || api->size < offsetof(struct clslice_api, dispatch) + sizeof api->dispatch) {
        fprintf(stderr, "opencl_host: %s does not speak ABI %u\n", path, CLSLICE_ABI_VERSION);
        exit(1);
    }
    return api;
}

static cl_command_queue create_queue(cl_context context, cl_device_id device)
{
    cl_command_queue_properties can = 0;
    cl_int code;
    check(clGetDeviceInfo(device, CL_DEVICE_QUEUE_PROPERTIES, sizeof can, &can, NULL),
          "clGetDeviceInfo");
    cl_command_queue queue =
        clCreateCommandQueue(context, device, can & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &code);
    check(code, "clCreateCommandQueue");
    return queue;
}

static cl_kernel create_kernel(cl_program program, const char *name)
{
    cl_int code;
    cl_kernel kernel = clCreateKernel(program, name, &code);
    check(code, "clCreateKernel");
    return kernel;
}

static cl_mem create_buffer(cl_context context, size_t bytes)
{
    cl_int code;
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, &code);
    check(code, "clCreateBuffer");
    return buffer;
}

static struct host host_create(void)
{
    struct host host;
    cl_platform_id platform;
    cl_int code;
    check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &host.device, NULL), "clGetDeviceIDs");
    host.context = clCreateContext(NULL, 1, &host.device, NULL, NULL, &code);
    check(code, "clCreateContext");
    host.queue = create_queue(host.context, host.device);
    host.program = clCreateProgramWithSource(host.context, 1, &source, NULL, &code);
    check(code, "clCreateProgramWithSource");
    check(clBuildProgram(host.program, 0, NULL, NULL, NULL, NULL), "clBuildProgram");
    host.number = create_kernel(host.program, "number");
    host.negate = create_kernel(host.program, "negate");
    host.matrix = create_buffer(host.context, BYTES);
    host.part = create_buffer(host.context, OUT_BYTES);
    return host;
}

static void host_release(struct host *host)
{
    clReleaseMemObject(host->part);
    clReleaseMemObject(host->matrix);
    clReleaseKernel(host->negate);
    clReleaseKernel(host->number);
    clReleaseProgram(host->program);
    clReleaseCommandQueue(host->queue);
    clReleaseContext(host->context);
}

/* Enqueues one of the host's kernels behind an event, NULL: behind nothing. */
static cl_event enqueue(const struct host *host, cl_kernel kernel, cl_mem buffer, size_t count,
                        const cl_event *after)
{
    cl_event event;
    check(clSetKernelArg(kernel, 0, sizeof(cl_mem), &buffer), "clSetKernelArg");
    check(clEnqueueNDRangeKernel(host->queue, kernel, 1, NULL, &count, NULL, after != NULL, after,
                                 &event),
          "clEnqueueNDRangeKernel");
    return event;
}

/* Columns 1, 3 and 5 of rows 2 and 1, stored transposed: out[c][r], which is out strides {1, 2}. */
static clslice_compiled_operator *compile(const struct clslice_api *api, clslice_device *device,
                                          clslice_error *error)
{
    const uint32_t in_sizes[] = {ROWS, COLUMNS}, out_sizes[] = {OUT_ROWS, OUT_COLUMNS};
    const uint32_t out_strides[] = {1, OUT_ROWS}, offsets[] = {1, 1}, window[] = {2, 5};
    const int32_t strides[] = {-1, 2};
    const DML_BUFFER_TENSOR_DESC in = {.DataType = DML_TENSOR_DATA_TYPE_INT32,
                                       .DimensionCount = 2,
                                       .Sizes = in_sizes,
                                       .TotalTensorSizeInBytes = BYTES};
    const DML_BUFFER_TENSOR_DESC out = {.DataType = DML_TENSOR_DATA_TYPE_INT32,
                                        .DimensionCount = 2,
                                        .Sizes = out_sizes,
                                        .Strides = out_strides,
                                        .TotalTensorSizeInBytes = OUT_BYTES};
    const DML_TENSOR_DESC in_tensor = {DML_TENSOR_TYPE_BUFFER, &in};
    const DML_TENSOR_DESC out_tensor = {DML_TENSOR_TYPE_BUFFER, &out};
    const DML_SLICE1_OPERATOR_DESC slice = {&in_tensor, &out_tensor, 2, offsets, window, strides};
    const DML_OPERATOR_DESC desc = {DML_OPERATOR_SLICE1, &slice};
    clslice_operator *op = NULL;
    clslice_compiled_operator *compiled = NULL;
    check_clslice(api->operator_create(device, &desc, &op, error), error);
    check_clslice(api->operator_compile(op, NULL, &compiled, error), error);
    api->operator_release(op); /* the compiled one keeps it */
    return compiled;
}

/* The slice of matrix into part, behind an event. An event of clslice's is one of OpenCL's. */
static cl_event enqueue_slice(const struct clslice_api *api, const struct host *host,
                              clslice_compiled_operator *compiled, const cl_event *after,
                              clslice_error *error)
{
    const clslice_binding from = {CLSLICE_BINDING_CL_MEM, .handle = host->matrix, .size = BYTES};
    const clslice_binding to = {CLSLICE_BINDING_CL_MEM, .handle = host->part, .size = OUT_BYTES};
    const clslice_dispatch_desc dispatch = {.size = sizeof dispatch,
                                            .queue = host->queue,
                                            .inputs = &from,
                                            .outputs = &to,
                                            .input_count = 1,
                                            .output_count = 1,
                                            .wait_events = after,
                                            .wait_count = 1};
    cl_event event = NULL;
    check_clslice(api->dispatch(compiled, &dispatch, &event, error), error);
    return event;
}

int main(int argc, char **argv)
{
    const struct clslice_api *api = load(argc > 1 ? argv[1] : "libclslice.so.0");
    struct host host = host_create();
    clslice_error error = {.size = sizeof error};
    const clslice_device_options options = {
        .size = sizeof options, .context = host.context, .queue = host.queue};
    clslice_device *device = NULL;
    check_clslice(api->device_create(&options, &device, &error), &error);
    clslice_compiled_operator *compiled = compile(api, device, &error);

    cl_event numbered = enqueue(&host, host.number, host.matrix, COUNT, NULL);
    cl_event sliced = enqueue_slice(api, &host, compiled, &numbered, &error);
    cl_event negated = enqueue(&host, host.negate, host.part, OUT_COUNT, &sliced);
    cl_int result[OUT_COUNT];
    check(clEnqueueReadBuffer(host.queue, host.part, CL_TRUE, 0, sizeof result, result, 1, &negated,
                              NULL),
          "clEnqueueReadBuffer");
    for (int i = 0; i < OUT_COUNT; ++i)
        printf("%d%s", result[i], i % OUT_ROWS < OUT_ROWS - 1 ? " " : "\n");

    clReleaseEvent(negated);
    clReleaseEvent(sliced);
    clReleaseEvent(numbered);
    api->compiled_operator_release(compiled);
    api->device_release(device);
    host_release(&host);
    return 0;
}
