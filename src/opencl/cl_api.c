/* SPDX-License-Identifier: MIT */
#include "opencl/cl_api.h"

#include "base/clock.h"
#include "base/text.h"

#include <dlfcn.h>
#include <sched.h>
#include <string.h>
#include <time.h>

/* NULL where none of the names opens; `reasons` then holds the dynamic linker's for each. */
static void *open_loader(const char *path, struct text *reasons)
{
    const char *const names[] = {path ? path : "libOpenCL.so.1", path ? NULL : "libOpenCL.so"};
    for (size_t i = 0; i < sizeof names / sizeof names[0] && names[i]; ++i) {
        void *handle = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
        if (handle)
            return handle;
        const char *reason = dlerror();
        text_append(reasons, "%s%s", i > 0 ? "; " : "", reason ? reason : names[i]);
    }
    return NULL;
}

static int32_t loader_fail(const char *path, const char *reasons, clslice_error *error)
{
    return status_fail(
        error, CLSLICE_DXGI_ERROR_UNSUPPORTED, WHERE(.rule = CLSLICE_RULE_NO_LOADER),
        "OpenCL is not available: cannot open %s%s (%s); install ocl-icd-libopencl1 and a "
        "driver such as pocl-opencl-icd, or set CLSLICE_OPENCL to the path of a loader",
        path ? path : "libOpenCL.so.1", path ? " (from CLSLICE_OPENCL)" : " or libOpenCL.so",
        reasons);
}

/* C has no conversion from an object's address to a function's; their bytes are the same wherever
 * dlsym exists. */
static void set_address(void *member, void *address)
{
    memcpy(member, &address, sizeof address);
}

int32_t cl_api_load(struct cl_api *api, void *(*get_proc)(void *user, const char *name), void *user,
                    const char *path, clslice_error *error)
{
    memset(api, 0, sizeof *api);
    if (!get_proc) {
        char reasons[512];
        struct text text = text_in(reasons, sizeof reasons);
        user = open_loader(path, &text);
        if (!user)
            return loader_fail(path, reasons, error);
        get_proc = dlsym; /* of which the handle is the user */
    }
    api->get_proc = get_proc;
    api->user = user;

    const char *missing = NULL;
#define CL_LOAD(result, name, parameters) set_address(&api->name, get_proc(user, #name));
#define CL_CHECK(result, name, parameters) \
    if (!missing && !api->name)            \
        missing = #name;
    CL_REQUIRED(CL_LOAD)
    CL_OPTIONAL(CL_LOAD)
    CL_REQUIRED(CL_CHECK)
#undef CL_LOAD
#undef CL_CHECK
    if (missing)
        return status_fail(error, CLSLICE_DXGI_ERROR_UNSUPPORTED,
                           WHERE(.rule = CLSLICE_RULE_NO_LOADER),
                           "%s has no %s: clslice needs an OpenCL 1.2 loader",
                           path ? path : "the OpenCL loader", missing);
    return CLSLICE_S_OK;
}

const char *cl_error_name(cl_int code)
{
#define NAME(code) \
    case code:     \
        return #code;
    switch (code) {
        NAME(CL_DEVICE_NOT_FOUND)
        NAME(CL_DEVICE_NOT_AVAILABLE)
        NAME(CL_COMPILER_NOT_AVAILABLE)
        NAME(CL_MEM_OBJECT_ALLOCATION_FAILURE)
        NAME(CL_OUT_OF_RESOURCES)
        NAME(CL_OUT_OF_HOST_MEMORY)
        NAME(CL_BUILD_PROGRAM_FAILURE)
        NAME(CL_MISALIGNED_SUB_BUFFER_OFFSET)
        NAME(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)
        NAME(CL_INVALID_VALUE)
        NAME(CL_INVALID_PLATFORM)
        NAME(CL_INVALID_DEVICE)
        NAME(CL_INVALID_CONTEXT)
        NAME(CL_INVALID_QUEUE_PROPERTIES)
        NAME(CL_INVALID_COMMAND_QUEUE)
        NAME(CL_INVALID_HOST_PTR)
        NAME(CL_INVALID_MEM_OBJECT)
        NAME(CL_INVALID_BINARY)
        NAME(CL_INVALID_BUILD_OPTIONS)
        NAME(CL_INVALID_PROGRAM)
        NAME(CL_INVALID_PROGRAM_EXECUTABLE)
        NAME(CL_INVALID_KERNEL_NAME)
        NAME(CL_INVALID_KERNEL)
        NAME(CL_INVALID_ARG_INDEX)
        NAME(CL_INVALID_ARG_VALUE)
        NAME(CL_INVALID_ARG_SIZE)
        NAME(CL_INVALID_KERNEL_ARGS)
        NAME(CL_INVALID_WORK_DIMENSION)
        NAME(CL_INVALID_WORK_GROUP_SIZE)
        NAME(CL_INVALID_WORK_ITEM_SIZE)
        NAME(CL_INVALID_GLOBAL_OFFSET)
        NAME(CL_INVALID_EVENT_WAIT_LIST)
        NAME(CL_INVALID_EVENT)
        NAME(CL_INVALID_OPERATION)
        NAME(CL_INVALID_BUFFER_SIZE)
        NAME(CL_INVALID_GLOBAL_WORK_SIZE)
        NAME(CL_PLATFORM_NOT_FOUND_KHR)
    }
#undef NAME
    return "an unknown error";
}

int32_t cl_status(cl_int code)
{
    switch (code) {
    case CL_SUCCESS:
        return CLSLICE_S_OK;
    case CL_MEM_OBJECT_ALLOCATION_FAILURE:
    case CL_OUT_OF_HOST_MEMORY:
        return CLSLICE_E_OUTOFMEMORY;
    default:
        return CLSLICE_E_FAIL;
    }
}

int32_t cl_fail(clslice_error *error, const char *call, cl_int code, const char *what)
{
    return status_fail(error, cl_status(code), WHERE(.rule = CLSLICE_RULE_OPENCL, .opencl = code),
                       "%s failed with %s (%d)%s%s", call, cl_error_name(code), code,
                       what ? ": " : "", what ? what : "");
}

bool cl_has_ended(const struct cl_api *cl, cl_event event)
{
    cl_int state = CL_QUEUED;
    cl_int code =
        cl->clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL);
    return code == CL_SUCCESS && state <= CL_COMPLETE;
}

/* `release` is clReleaseEvent: what the device had is gone by now. */
static void CL_CALLBACK release_event(cl_event event, cl_int state, void *release)
{
    cl_int(CL_API_CALL * call)(cl_event);
    (void)state;
    memcpy(&call, &release, sizeof call);
    call(event);
}

void cl_release_ended(const struct cl_api *cl, cl_event event)
{
    void *release;
    memcpy(&release, &cl->clReleaseEvent, sizeof release);
    if (cl_has_ended(cl, event) ||
        cl->clSetEventCallback(event, CL_COMPLETE, release_event, release) != CL_SUCCESS)
        cl->clReleaseEvent(event);
}

/* Longer each time, up to a millisecond. */
static void pause_briefly(struct timespec *pause)
{
    nanosleep(pause, NULL);
    if (pause->tv_nsec < 1000000)
        pause->tv_nsec *= 2;
}

int32_t cl_wait(const struct cl_api *cl, cl_event event, cl_int *state, clslice_error *error)
{
    struct timespec pause = {.tv_nsec = 4000};
    for (;; pause_briefly(&pause)) {
        *state = CL_COMPLETE;
        cl_int code = cl->clWaitForEvents(1, &event);
        cl_int told = cl->clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof *state,
                                         state, NULL);
        if (told == CL_SUCCESS && *state < 0)
            return CLSLICE_S_OK;
        if (code != CL_SUCCESS)
            return cl_fail(error, "clWaitForEvents", code, NULL);
        if (told != CL_SUCCESS)
            return cl_fail(error, "clGetEventInfo", told, NULL);
        if (*state == CL_COMPLETE)
            return CLSLICE_S_OK;
    }
}

bool cl_ends_within(const struct cl_api *cl, cl_event event, unsigned milliseconds)
{
    enum { AWAKE_NS = 200000 }; /* as long as most launches take: waking up takes a quarter of it */
    uint64_t start = clock_nanoseconds(), end = start + milliseconds * UINT64_C(1000000);
    struct timespec pause = {.tv_nsec = 4000};
    bool has_ended = cl_has_ended(cl, event);
    for (uint64_t now = start; !has_ended && now < end; now = clock_nanoseconds()) {
        if (now - start < AWAKE_NS)
            sched_yield();
        else
            pause_briefly(&pause);
        has_ended = cl_has_ended(cl, event);
    }
    return has_ended;
}
