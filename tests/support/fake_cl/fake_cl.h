/* SPDX-License-Identifier: MIT */
/*
 * OpenCL made of nothing, for the public `get_proc` option: it counts objects, fails the call that
 * the test names, keeps commands waiting until the test lets them go, and moves a slice's bytes as
 * the kernels would. One fake machine per process; every function may be called on any thread.
 */
#ifndef CLSLICE_TESTS_SUPPORT_FAKE_CL_FAKE_CL_H
#define CLSLICE_TESTS_SUPPORT_FAKE_CL_FAKE_CL_H

#include "opencl/cl_api.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum fake_function {
#define FAKE_NUMBER(result, name, parameters) FAKE_##name,
    CL_REQUIRED(FAKE_NUMBER) CL_OPTIONAL(FAKE_NUMBER)
#undef FAKE_NUMBER
        FAKE_FUNCTION_COUNT,
    FAKE_ANY = FAKE_FUNCTION_COUNT
};

#define FAKE_DECLARE(result, name, parameters) result CL_API_CALL fake_##name parameters;
CL_REQUIRED(FAKE_DECLARE)
CL_OPTIONAL(FAKE_DECLARE)
#undef FAKE_DECLARE

enum fake_kind {
    FAKE_CONTEXT,
    FAKE_QUEUE,
    FAKE_MEM,
    FAKE_PROGRAM,
    FAKE_KERNEL,
    FAKE_EVENT,
    FAKE_KIND_COUNT
};

enum { FAKE_DEVICES_MAX = 4, FAKE_PLATFORMS_MAX = 2 };

struct fake_device {
    uint32_t platform; /* index */
    const char *name, *vendor, *version, *driver, *profile, *extensions;
    unsigned char uuid[16], driver_uuid[16]; /* answered whether or not the extension is listed */
    cl_device_type type;
    cl_device_svm_capabilities svm;
    cl_uint vendor_id, address_bits, compute_units;
    cl_ulong max_alloc_bytes, global_bytes;
    size_t max_work_group_size; /* of the device */
    size_t parameter_bytes;
    size_t kernel_group_size; /* of its kernels; 0: the device's */
    bool unified_memory;
};

struct fake_platform {
    const char *name, *vendor, *version;
};

/* What becomes of a stored binary. */
enum fake_binaries {
    FAKE_TAKES_BINARY,
    FAKE_REFUSES_BINARY,        /* clCreateProgramWithBinary: CL_INVALID_BINARY, no program */
    FAKE_BAD_BINARY_STATUS,     /* it succeeds with a program and binary_status CL_INVALID_BINARY */
    FAKE_BUILD_OF_BINARY_FAILS, /* CL_BUILD_PROGRAM_FAILURE */
    FAKE_BINARY_WITHOUT_KERNEL  /* everything succeeds, but the kernel is not there */
};

/* What the driver answers when asked for a binary. */
enum fake_answer {
    FAKE_GIVES_BINARY,
    FAKE_GIVES_EMPTY_BINARY, /* size 0 */
    FAKE_GIVES_OTHER_SIZE, /* more at each query of the size; the bytes are as many as told last */
    FAKE_GIVES_HUGE_BINARY /* a size above anything that a cache keeps */
};

/* The machine. Change it between fake_lock and fake_unlock once other threads are about. */
struct fake_machine {
    uint32_t platform_count, device_count;
    uint32_t devices_appear; /* so many more in the answers after a platform's first */
    struct fake_platform platform[FAKE_PLATFORMS_MAX];
    struct fake_device device[FAKE_DEVICES_MAX];
    const char *missing;     /* name of a function that get_proc does not have */
    bool hold;               /* commands stay pending until fake_run_commands */
    bool lazy;               /* commands start only when flushed or waited for */
    bool reuse_handles;      /* a new object gets the handle of one of its kind that is gone */
    cl_int kernel_status;    /* negative: what kernels complete with instead of running */
    bool forgets_failures;   /* what a gate stops tells only who waits, as Intel's does */
    unsigned early_waits;    /* so many clWaitForEvents succeed yet without waiting */
    unsigned build_failures; /* so many builds from source fail yet, */
    cl_int build_code;       /* with this code; 0: CL_BUILD_PROGRAM_FAILURE */
    const char *build_log;
    /* Buffers over host memory with one of these access flags keep a copy of it. */
    cl_mem_flags copies_host_memory;
    enum fake_binaries binaries;
    enum fake_answer answer;
    /* Called without the lock, at the beginning of: */
    void (*on_build)(void *user);   /* clBuildProgram */
    void (*on_query)(void *user);   /* queries of binary sizes */
    void (*on_enqueue)(void *user); /* clEnqueueNDRangeKernel */
    void *hook_user;
};

extern struct fake_machine fake;

/* Begins anew: one platform with one CPU, commands that complete at once. Frees what the last
 * machine left. */
void fake_begin(void);
void fake_lock(void);
void fake_unlock(void);

/* Whether this thread is inside clslice_operator_compile, as the test says; a program's binary that
 * is asked for anywhere else is a violation. */
extern _Thread_local bool fake_is_compiling;

/* For clslice_device_options.get_proc; `user` is not used. */
void *fake_get_proc(void *user, const char *name);

cl_device_id fake_device_id(uint32_t index);

/* ---- Faults ---- */

/* From now on the nth call (from 1) of the function, or of any, fails with the code, once. A
 * release that fails has released all the same. */
void fake_fail(enum fake_function function, unsigned nth, cl_int code);

/* Which function that was, FAKE_ANY where it has not come to it; no call fails any more. */
enum fake_function fake_fault_over(void);

const char *fake_function_name(enum fake_function function);

/* ---- What happened ---- */

struct fake_call {
    enum fake_function function;
    cl_uint what; /* of queries */
    pid_t thread;
};

/* Copies the i-th call since the beginning; false past the last. */
bool fake_call_at(size_t index, struct fake_call *call);
size_t fake_calls(void); /* how many there were */
size_t fake_count(enum fake_function function);

/* The name of the kernel that ran last. */
const char *fake_ran(void);

/* Builds of programs from source, since the process began. */
size_t fake_builds(void);

/* The i-th text of the program that was last made from source; NULL past the last. */
const char *fake_source(uint32_t index, size_t *length);

/* References of all kinds that the API's callers still own. */
size_t fake_live(void);
size_t fake_live_of(enum fake_kind kind);

/* The first thing that no caller of OpenCL may do; "" where nothing of the kind happened. */
const char *fake_violation(void);

/* ---- Commands ---- */

/* Lets pending commands go, and all that follow. */
void fake_run_commands(void);
size_t fake_pending(void);

/* An event that completes when the test says so; released with clReleaseEvent. */
cl_event fake_gate_create(void);
void fake_gate_open(cl_event gate, cl_int status);

cl_context fake_context_of(cl_command_queue queue);

/* The bytes of a buffer. */
unsigned char *fake_bytes(cl_mem mem);

#endif
