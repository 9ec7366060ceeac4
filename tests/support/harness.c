/* SPDX-License-Identifier: MIT */
#include "support/harness.h"

#include "support/asserts.h"

#include <dlfcn.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* ---- The device ---- */

static void load(const struct rig *rig, const char *name, bool is_required, void *slot)
{
    void *address = clslice_device_get_proc(rig->device, name);
    ck_assert_msg(address || !is_required, "the device's OpenCL has no %s", name);
    memcpy(slot, &address, sizeof address);
}

void rig_open(struct rig *rig, const clslice_device_options *options)
{
    clslice_error error = {.size = sizeof error};
    *rig = (struct rig){.info.size = sizeof rig->info, .objects.size = sizeof rig->objects};
    ASSERT_OK(clslice_device_create(options, &rig->device, &error), &error);
    ASSERT_OK(clslice_device_get_info(rig->device, &rig->info, &error), &error);
    ASSERT_OK(clslice_device_get_opencl(rig->device, &rig->objects, &error), &error);
#define LOAD_REQUIRED(name) load(rig, #name, true, &rig->cl.name);
#define LOAD_OPTIONAL(name) load(rig, #name, false, &rig->cl.name);
    RIG_FUNCTIONS(LOAD_REQUIRED)
    RIG_OPTIONAL_FUNCTIONS(LOAD_OPTIONAL)
}

void rig_close(struct rig *rig)
{
    clslice_device_release(rig->device);
    *rig = (struct rig){0};
}

bool rig_has_svm(const struct rig *rig)
{
    void *memory = rig->cl.clSVMAlloc && rig->cl.clSVMFree
                       ? rig->cl.clSVMAlloc(rig->objects.context, CL_MEM_READ_WRITE, 64, 0)
                       : NULL;
    if (memory)
        rig->cl.clSVMFree(rig->objects.context, memory);
    return memory;
}

bool rig_has_groups(const struct rig *rig)
{
    const char *source = "kernel void one(global int *out) { *out = 1; }";
    size_t most = 0;
    cl_int code;
    cl_program program =
        rig->cl.clCreateProgramWithSource(rig->objects.context, 1, &source, NULL, &code);
    ck_assert_int_eq(rig->cl.clBuildProgram(program, 0, NULL, "", NULL, NULL), CL_SUCCESS);
    cl_kernel kernel = rig->cl.clCreateKernel(program, "one", &code);
    code = rig->cl.clGetKernelWorkGroupInfo(kernel, rig->objects.device_id,
                                            CL_KERNEL_WORK_GROUP_SIZE, sizeof most, &most, NULL);
    ck_assert_int_eq(code, CL_SUCCESS);
    rig->cl.clReleaseKernel(kernel);
    rig->cl.clReleaseProgram(program);
    return most >= 256;
}

static const char *why_not(bool has(const struct rig *rig), const char *why)
{
    struct rig rig;
    rig_open(&rig, NULL);
    bool is_there = has(&rig);
    rig_close(&rig);
    return is_there ? NULL : why;
}

const char *rig_lacks_svm(void)
{
    return why_not(rig_has_svm, "the device has no shared virtual memory");
}

const char *rig_lacks_groups(void)
{
    return why_not(rig_has_groups, "the driver takes no groups of 256 work-items");
}

/* ---- The loader, and what it tells otherwise ---- */

struct rig_lie rig_lie;

static void *loader_proc(const char *name)
{
    static void *loader;
    /* Tests make their first device before their threads. */
    if (!loader)
        loader = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    return loader ? dlsym(loader, name) : NULL;
}

static cl_int CL_API_CALL tell_of_device(cl_device_id id, cl_device_info what, size_t size,
                                         void *value, size_t *needed)
{
    CL_POINTER(clGetDeviceInfo) real;
    memcpy(&real, &(void *){loader_proc("clGetDeviceInfo")}, sizeof real);
    cl_int code = real(id, what, size, value, needed);
    if (code != CL_SUCCESS || !value)
        return code;
    if (what == CL_DEVICE_TYPE && rig_lie.is_gpu)
        memcpy(value, &(cl_device_type){CL_DEVICE_TYPE_GPU}, sizeof(cl_device_type));
    if (what == CL_DEVICE_MAX_MEM_ALLOC_SIZE && rig_lie.max_alloc)
        memcpy(value, &rig_lie.max_alloc, sizeof rig_lie.max_alloc);
    if (what == CL_DEVICE_SVM_CAPABILITIES && rig_lie.has_no_svm)
        memset(value, 0, sizeof(cl_device_svm_capabilities));
    return code;
}

static cl_int CL_API_CALL tell_of_platform(cl_platform_id id, cl_platform_info what, size_t size,
                                           void *value, size_t *needed)
{
    CL_POINTER(clGetPlatformInfo) real;
    memcpy(&real, &(void *){loader_proc("clGetPlatformInfo")}, sizeof real);
    if (!rig_lie.vendor || what != CL_PLATFORM_VENDOR)
        return real(id, what, size, value, needed);
    if (needed)
        *needed = strlen(rig_lie.vendor) + 1;
    if (value && size <= strlen(rig_lie.vendor))
        return CL_INVALID_VALUE;
    if (value)
        strcpy(value, rig_lie.vendor);
    return CL_SUCCESS;
}

static cl_mem CL_API_CALL create_modest(cl_context context, cl_mem_flags flags, size_t size,
                                        void *bytes, cl_int *code)
{
    CL_POINTER(clCreateBuffer) real;
    memcpy(&real, &(void *){loader_proc("clCreateBuffer")}, sizeof real);
    if (size <= rig_lie.max_alloc)
        return real(context, flags, size, bytes, code);
    *code = CL_INVALID_BUFFER_SIZE;
    return NULL;
}

void *rig_proc(void *user, const char *name)
{
    (void)user;
    if (rig_lie.refuses_more && strcmp(name, "clCreateBuffer") == 0)
        return RIG_ADDRESS(create_modest);
    if (strcmp(name, "clGetDeviceInfo") == 0)
        return RIG_ADDRESS(tell_of_device);
    return strcmp(name, "clGetPlatformInfo") == 0 ? RIG_ADDRESS(tell_of_platform)
                                                  : loader_proc(name);
}

void *rig_proc_or(const struct rig_own *own, size_t count, const char *name)
{
    for (size_t i = 0; i < count; ++i)
        if (strcmp(name, own[i].name) == 0)
            return own[i].address;
    return rig_proc(NULL, name);
}

void *rig_address(void (*const *function)(void))
{
    void *address;
    memcpy(&address, function, sizeof address);
    return address;
}

/* ---- What runs on it ---- */

clslice_operator *rig_operator(const struct rig *rig, const struct slice_case *c)
{
    clslice_error error = {.size = sizeof error};
    clslice_operator *op = NULL;
    struct case_desc desc;
    case_desc_init(&desc, c);
    ASSERT_OK(clslice_operator_create(rig->device, &desc.op, &op, &error), &error);
    return op;
}

clslice_plan_info rig_plan(const struct rig *rig, const struct slice_case *c)
{
    clslice_error error = {.size = sizeof error};
    clslice_plan_info plan = {.size = sizeof plan};
    clslice_operator *op = rig_operator(rig, c);
    ASSERT_OK(clslice_operator_get_plan(op, NULL, &plan, &error), &error);
    clslice_operator_release(op);
    return plan;
}

clslice_compiled_operator *rig_compile(const struct rig *rig, const struct slice_case *c,
                                       const char *variant)
{
    clslice_error error = {.size = sizeof error};
    clslice_compile_options options = {.size = sizeof options, .variant = variant};
    clslice_operator *op = rig_operator(rig, c);
    clslice_compiled_operator *compiled = NULL;
    int32_t status = clslice_operator_compile(op, &options, &compiled, &error);
    if (!variant || error.rule != CLSLICE_RULE_VARIANT)
        ASSERT_OK(status, &error);
    clslice_operator_release(op);
    return compiled;
}

cl_command_queue rig_queue(const struct rig *rig, cl_command_queue_properties properties)
{
    cl_command_queue_properties can = 0;
    cl_int code;
    ck_assert_int_eq(rig->cl.clGetDeviceInfo(rig->objects.device_id, CL_DEVICE_QUEUE_PROPERTIES,
                                             sizeof can, &can, NULL),
                     CL_SUCCESS);
    cl_command_queue queue = rig->cl.clCreateCommandQueue(
        rig->objects.context, rig->objects.device_id, properties & can, &code);
    ck_assert_ptr_nonnull(queue);
    return queue;
}

cl_mem rig_buffer(const struct rig *rig, size_t size, const void *from)
{
    cl_mem_flags flags = CL_MEM_READ_WRITE | (from ? CL_MEM_COPY_HOST_PTR : 0);
    void *bytes = (void *)(uintptr_t)from; /* OpenCL lacks the const */
    cl_int code;
    cl_mem mem = rig->cl.clCreateBuffer(rig->objects.context, flags, size, bytes, &code);
    ck_assert_ptr_nonnull(mem);
    return mem;
}

void rig_read(const struct rig *rig, cl_mem mem, size_t size, void *to)
{
    ck_assert_int_eq(
        rig->cl.clEnqueueReadBuffer(rig->objects.queue, mem, CL_TRUE, 0, size, to, 0, NULL, NULL),
        CL_SUCCESS);
}

clslice_binding rig_bind_mem(cl_mem mem, uint64_t offset, uint64_t size)
{
    return (clslice_binding){
        .kind = CLSLICE_BINDING_CL_MEM, .handle = mem, .offset = offset, .size = size};
}

clslice_binding rig_bind_host(void *memory, uint64_t offset, uint64_t size)
{
    return (clslice_binding){
        .kind = CLSLICE_BINDING_HOST, .handle = memory, .offset = offset, .size = size};
}

clslice_dispatch_desc rig_dispatch_desc(const clslice_binding *in, const clslice_binding *out)
{
    return (clslice_dispatch_desc){.size = sizeof(clslice_dispatch_desc),
                                   .inputs = in,
                                   .outputs = out,
                                   .input_count = 1,
                                   .output_count = 1};
}

void rig_run(const struct rig *rig, clslice_compiled_operator *compiled, const clslice_binding *in,
             const clslice_binding *out)
{
    clslice_error error = {.size = sizeof error};
    clslice_dispatch_desc desc = rig_dispatch_desc(in, out);
    struct _cl_event *event = NULL;
    ASSERT_OK(clslice_dispatch(compiled, &desc, &event, &error), &error);
    ASSERT_OK(clslice_event_wait(rig->device, event, &error), &error);
    clslice_event_release(rig->device, event);
}

void rig_check_error(const clslice_error *error, int32_t found, int32_t status, uint32_t rule,
                     const char *word)
{
    ck_assert_msg(found == status && error->status == status && error->rule == rule,
                  "0x%08x rule %u instead of 0x%08x rule %u: %s", (unsigned)found, error->rule,
                  (unsigned)status, rule, error->text);
    ck_assert_msg(strstr(error->text, word), "\"%s\" is not in: %s", word, error->text);
    ck_assert_uint_eq(error->text_length, strlen(error->text));
}

/* ---- Memory ---- */

char rig_crash_text[4096];

static void on_crash(int number)
{
    ssize_t ignored = write(STDERR_FILENO, rig_crash_text, strlen(rig_crash_text));
    (void)ignored;
    signal(number, SIG_DFL);
    raise(number);
}

void rig_tell_crashes(void)
{
    signal(SIGSEGV, on_crash);
    signal(SIGBUS, on_crash);
}

struct arena arena_map(size_t size)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size = (size + page - 1) / page * page;
    unsigned char *all =
        mmap(NULL, size + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    ck_assert_ptr_ne(all, MAP_FAILED);
    ck_assert_int_eq(mprotect(all + page, size, PROT_READ | PROT_WRITE), 0);
    /* A huge page would back megabytes for one byte written. */
    madvise(all + page, size, MADV_NOHUGEPAGE);
    return (struct arena){all + page, size};
}

void arena_unmap(struct arena *arena)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    ck_assert_int_eq(munmap(arena->bytes - page, arena->size + 2 * page), 0);
    *arena = (struct arena){0};
}
