/* SPDX-License-Identifier: MIT */
/*
 * clslice: DirectML's operators SLICE1, SLICE and SLICE_GRAD on any OpenCL device. This header is
 * the whole ABI; it includes cache.h and api_table.h.
 *
 * ---- Quick start -------------------------------------------------------------------------------
 *
 *     #include <clslice/clslice.h>
 *     #include <clslice/directml.h>
 *
 *     clslice_device *device = NULL;
 *     clslice_error error = {.size = sizeof error};
 *     DML_OPERATOR_DESC desc = {DML_OPERATOR_SLICE1, &slice}; // a DML_SLICE1_OPERATOR_DESC
 *     if (clslice_device_create(NULL, &device, &error) != CLSLICE_S_OK ||
 *         clslice_run(device, &desc, x, sizeof x, y, sizeof y, &error) != CLSLICE_S_OK)
 *         fprintf(stderr, "%s\n", error.text);
 *     clslice_device_release(device);
 *
 * Keep the device for further slices: it keeps the programs that it built. To use one slice many
 * times, to slice OpenCL buffers or to continue while the device works, call the functions that
 * clslice_run calls:
 *
 *     clslice_device_create -> clslice_operator_create -> clslice_operator_compile
 *         -> clslice_dispatch (any number of times, on any threads) -> clslice_event_wait
 *
 * This is DirectML's life cycle with OpenCL's objects in place of Direct3D's. The operator is
 * described by DirectML's own structures: include <clslice/directml.h> for them, or Microsoft's
 * DirectML.h. This header needs neither of them, nor <CL/cl.h>. If you include those too, any order
 * works, and their types are these types.
 *
 * There are two ways to reach the functions: link with libclslice.so.0; or dlopen it, look up
 * clslice_get_api and call through the table that it returns.
 *
 * ---- Rules that hold for every function -------------------------------------------------------
 *
 * Results. An int32_t with an HRESULT's value: negative is a failure, CLSLICE_S_OK is success. Any
 *   function may return CLSLICE_E_POINTER (a pointer parameter that must not be NULL is NULL; a
 *   NULL description, or a NULL inside one, is E_INVALIDARG), CLSLICE_E_INVALIDARG,
 *   CLSLICE_E_NOTIMPL (see Growth), CLSLICE_E_OUTOFMEMORY, CLSLICE_E_FAIL (an OpenCL call failed;
 *   clslice_error.opencl is its code) and CLSLICE_E_UNEXPECTED (see Fork). Other results are listed
 *   with each function. Unless stated otherwise, a function that fails changes nothing and writes
 *   no out-parameter except the error.
 *
 * Errors. The last parameter is optional: pass NULL if you do not want it. The caller owns it. It
 *   is written only on failure. `status` is what the function returned; `rule`, `tensor`,
 *   `dimension`, `item` and `value` are for programs and are part of the ABI; `text` is one line
 *   for people, and is not part of it.
 *
 * Growth. Every structure except clslice_binding begins with `size`, which the caller sets to
 *   sizeof. For a structure that clslice reads, a size smaller than in version 1 or larger than
 *   64 KiB is E_INVALIDARG, and fields that an older caller does not have are read as 0, which is
 *   always the default. E_NOTIMPL is the answer to everything that this version does not know:
 *   bytes beyond its structures that are not 0, flag bits and kinds without a name here, and
 *   reserved fields that are not 0. So a host can tell an older library from a mistake of its own.
 *   For a structure that clslice writes, a size below 8 is E_INVALIDARG; otherwise the smaller of
 *   the two sizes is written, and `size` is set to that. A text that is cut off by the size has no
 *   NUL, so set the structure to 0 first. A host built today runs with later libraries of the same
 *   SONAME. A host built with a later header runs with this library as long as it asks for nothing
 *   that this library does not know.
 *
 * Pointers. Descriptions, options, arrays, strings and wait lists are read during the call only,
 *   and may be freed after it. The exceptions are the callbacks in clslice_device_options and their
 *   `user` pointers, which must live as long as the device, and the memory that a dispatch uses
 *   (see clslice_dispatch). CLSLICE_NULLABLE marks pointers that may be NULL. CLSLICE_NONNULL marks
 *   those that must not be; clslice checks them.
 *
 * Ownership. A create function returns one reference; retain adds one; release drops one. Both do
 *   nothing if they are given NULL. A compiled operator keeps its operator alive, and an operator
 *   keeps its device alive, so you may release them in any order. The last release of a device
 *   releases its OpenCL objects. A release never waits for commands itself: OpenCL keeps what they
 *   use. The driver may wait, though (see clslice_device_release).
 *
 * Threads. Every function may be called on any thread, and any number of threads may use an object
 *   at the same time. The last release must come after all other uses. clslice starts no threads.
 *   A thread that calls it needs 128 KiB of stack, and what the driver takes besides, and must not
 *   be cancelled (pthread_cancel) inside a call.
 *
 * Callbacks. `log` and `get_proc` may be called on any thread that calls clslice, by several
 *   threads at once, and while clslice holds locks. They must return and must not call clslice.
 *   Your own callback on a clslice event (clSetEventCallback) may retain objects, and may release a
 *   reference that is not the last one. It must not call any other function of clslice: the driver
 *   may run it inside a call of clslice, and OpenCL forbids blocking calls there. No function of
 *   clslice may be called from a signal handler.
 *
 * State. There is no last-error state and no thread-local storage. clslice prints nothing unless
 *   CLSLICE_VERBOSE asks for it, installs no signal handler, and neither exits nor aborts because
 *   of what a caller passed. Nothing happens at load, unload or exit. OpenCL is first used by
 *   clslice_device_create or clslice_device_enumerate; the driver may then install signal handlers
 *   and start threads. libclslice.so stays mapped after dlclose. Two devices, two hosts and two
 *   versions of the library can live in one process and do not affect each other.
 *
 * Environment. Read with secure_getenv when a device is created or enumerated, and by the functions
 *   of the cache's folder, and not at all with CLSLICE_DEVICE_FLAG_NO_ENVIRONMENT: CLSLICE_DEVICE
 *   (which device), CLSLICE_OPENCL (path of the OpenCL loader), CLSLICE_VERBOSE ("device", "cache",
 *   "device,cache", or "1" for all: log lines on stderr), CLSLICE_BUILD_OPTIONS (additional
 *   compiler options), CLSLICE_CACHE and CLSLICE_CACHE_MAX (see cache.h), XDG_CACHE_HOME and HOME.
 *   Variables of OpenCL's loader and of drivers, such as OCL_ICD_VENDORS, are read to explain why a
 *   device is missing; those that change the code that a driver generates are part of the cache's
 *   keys. An option that is set overrides its variable.
 *
 * Fork. OpenCL drivers do not survive fork. In a child process, E_UNEXPECTED is the result of every
 *   function that uses OpenCL through an object made before the fork, that asks for its OpenCL
 *   objects or its build log, or that makes an operator of it. Other functions that only report
 *   what is known still work. Releasing such an object does nothing. A child may create and
 *   enumerate devices only if no OpenCL call was made before the fork. If clslice made one, the
 *   result is E_UNEXPECTED; clslice does not know about calls made by others, and the driver may
 *   hang.
 *
 * Not promised: the text of errors and descriptions, the names and the choice of variants, the
 * order of writes within one dispatch, that two dispatches without an order between them do not
 * interleave, the contents of padding, and compatibility between different SONAMEs.
 */
#ifndef CLSLICE_H
#define CLSLICE_H

/* ---- For compilers and for other readers of this header -------------------------------------- */

/* A parser that knows C's types but not its attributes, such as Python's cffi, reads the output of
 * `cc -E -P -DCLSLICE_PLAIN`. */
#ifndef CLSLICE_PLAIN
#include <stdint.h>
#endif

#if defined(__GNUC__) && !defined(CLSLICE_PLAIN)
#define CLSLICE_API __attribute__((visibility("default")))
#define CLSLICE_MUST_USE __attribute__((warn_unused_result))
#else
#define CLSLICE_API
#define CLSLICE_MUST_USE
#endif

#if defined(__clang__) && !defined(CLSLICE_PLAIN)
#define CLSLICE_NULLABLE _Nullable
#define CLSLICE_NONNULL _Nonnull
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wnullability-extension"
#else
#define CLSLICE_NULLABLE
#define CLSLICE_NONNULL
#endif

/* The layouts, for hosts in other languages, where pointers have 64 bits. C has such assertions
 * since 2011. */
#if defined(CLSLICE_PLAIN) || UINTPTR_MAX != UINT64_MAX
#define CLSLICE_ASSERT_SIZE(type, bytes)
#elif defined(__cplusplus)
#define CLSLICE_ASSERT_SIZE(type, bytes) static_assert(sizeof(type) == (bytes), #type);
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define CLSLICE_ASSERT_SIZE(type, bytes) _Static_assert(sizeof(type) == (bytes), #type);
#else
#define CLSLICE_ASSERT_SIZE(type, bytes)
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Version --------------------------------------------------------------------------------- */

/* Of this header. */
#define CLSLICE_VERSION "0.1.0"
#define CLSLICE_VERSION_MAJOR 0
#define CLSLICE_VERSION_MINOR 1
#define CLSLICE_VERSION_PATCH 0
#define CLSLICE_VERSION_NUMBER \
    (CLSLICE_VERSION_MAJOR * 1000000 + CLSLICE_VERSION_MINOR * 1000 + CLSLICE_VERSION_PATCH)

/* The version of the ABI, for clslice_get_api. */
#define CLSLICE_ABI_VERSION 1u

/* The library's CLSLICE_VERSION_NUMBER. */
CLSLICE_API uint32_t clslice_get_version(void);

/* ---- Types of DirectML and OpenCL, declared and never defined here --------------------------- */

struct DML_OPERATOR_DESC;
struct DML_BINDING_PROPERTIES;
struct _cl_platform_id;
struct _cl_device_id;
struct _cl_context;
struct _cl_command_queue;
struct _cl_mem;
struct _cl_event;

/* ---- Results --------------------------------------------------------------------------------- */

/* HRESULT's values, of type int32_t. */
enum {
    CLSLICE_S_OK = 0,
    CLSLICE_S_FALSE = 1,
    CLSLICE_E_NOTIMPL = -2147467263,             /* 0x80004001 */
    CLSLICE_E_POINTER = -2147467261,             /* 0x80004003 */
    CLSLICE_E_FAIL = -2147467259,                /* 0x80004005 */
    CLSLICE_E_UNEXPECTED = -2147418113,          /* 0x8000FFFF */
    CLSLICE_E_OUTOFMEMORY = -2147024882,         /* 0x8007000E */
    CLSLICE_E_INVALIDARG = -2147024809,          /* 0x80070057 */
    CLSLICE_DXGI_ERROR_NOT_FOUND = -2005270526,  /* 0x887A0002 */
    CLSLICE_DXGI_ERROR_UNSUPPORTED = -2005270524 /* 0x887A0004 */
};

/* The name of the constant, such as "CLSLICE_E_INVALIDARG". NULL for a value that this version does
 * not know. The string is static. */
CLSLICE_API const char *CLSLICE_NULLABLE clslice_status_name(int32_t status);

/* ---- Errors ---------------------------------------------------------------------------------- */

/* For `tensor` of clslice_error. */
enum { CLSLICE_TENSOR_NONE = 0, CLSLICE_TENSOR_INPUT = 1, CLSLICE_TENSOR_OUTPUT = 2 };

#define CLSLICE_NO_DIMENSION 0xFFFFFFFFu
#define CLSLICE_NO_ITEM 0xFFFFFFFFFFFFFFFFu

/*
 * What went wrong. `size` is offsetof(clslice_error, text) + 256 or more: the text gets the rest,
 * ends with NUL and is cut between characters. With a smaller size, every function returns
 * E_INVALIDARG.
 */
typedef struct clslice_error {
    uint32_t size;
    int32_t status;       /* as returned */
    int32_t opencl;       /* code of the OpenCL call that failed; 0: none did */
    uint32_t rule;        /* CLSLICE_RULE_*: see the end of this header */
    uint32_t tensor;      /* CLSLICE_TENSOR_* */
    uint32_t dimension;   /* index from 0, or CLSLICE_NO_DIMENSION */
    uint64_t value[3];    /* the invalid values in the text's order; negative ones sign-extended */
    uint64_t item;        /* of a batch: index from 0, or CLSLICE_NO_ITEM */
    uint32_t text_length; /* bytes of the whole text without NUL, even if it was cut */
    char text[964];       /* one line of UTF-8; other bytes and control characters are "\xHH" */
} clslice_error;
CLSLICE_ASSERT_SIZE(clslice_error, 1024)

/* The name of the constant, such as "CLSLICE_RULE_STRIDE_ZERO". NULL for a number that this version
 * does not know. The string is static. */
CLSLICE_API const char *CLSLICE_NULLABLE clslice_rule_name(uint32_t rule);

/* ---- Devices --------------------------------------------------------------------------------- */

/* Reference counted. Immutable, apart from the programs that it keeps. */
typedef struct clslice_device clslice_device;

enum {
    /* Ignore all environment variables. */
    CLSLICE_DEVICE_FLAG_NO_ENVIRONMENT = 0x1,
    /* Bindings must also meet DirectML's own rules: offsets that are multiples of 16, sizes of at
     * least TotalTensorSizeInBytes that are multiples of 4. */
    CLSLICE_DEVICE_FLAG_STRICT_DIRECTML = 0x2
};

/* Levels of log lines. */
enum { CLSLICE_LOG_WARNING = 1, CLSLICE_LOG_INFO = 2 };

/* How to use program binaries on disk: see cache.h. */
enum {
    CLSLICE_CACHE_DEFAULT = 0, /* as the environment says; if it says nothing, READ_WRITE */
    CLSLICE_CACHE_OFF = 1,
    CLSLICE_CACHE_READ_WRITE = 2,
    CLSLICE_CACHE_READ_ONLY = 3, /* also a folder that root filled */
    CLSLICE_CACHE_REFRESH = 4    /* build from source and replace */
};

/*
 * Which device, and how it is used. NULL in place of this structure means all zero: everything
 * comes from the environment. There are three ways to name a device, which cannot be combined:
 * `selector`; `device_id` alone; or `context`, optionally with `device_id` and `queue`.
 */
typedef struct clslice_device_options {
    uint32_t size;
    uint32_t flags; /* CLSLICE_DEVICE_FLAG_* */
    /* In the grammar of clslice_device_create. NULL: CLSLICE_DEVICE, else "auto". */
    const char *CLSLICE_NULLABLE selector;
    /* Additional options for the OpenCL C compiler. NULL: CLSLICE_BUILD_OPTIONS, else none. */
    const char *CLSLICE_NULLABLE build_options;
    /* Returns the address of an OpenCL function, or NULL if there is none. All OpenCL calls for the
     * device go to these addresses. NULL: the loader that CLSLICE_OPENCL names, else
     * libOpenCL.so.1, else libOpenCL.so; it is opened at first use and never closed. The functions
     * must stay callable until every command of the device has ended, even after the last release:
     * a driver may then still call clReleaseEvent. */
    void *CLSLICE_NULLABLE (*CLSLICE_NULLABLE get_proc)(void *CLSLICE_NULLABLE user,
                                                        const char *CLSLICE_NONNULL name);
    void *CLSLICE_NULLABLE get_proc_user;
    /* Receives one line of UTF-8 without newline, valid during the call. NULL: log lines go to
     * stderr if CLSLICE_VERBOSE asks for them, else nowhere. */
    void (*CLSLICE_NULLABLE log)(void *CLSLICE_NULLABLE user, uint32_t level,
                                 const char *CLSLICE_NONNULL text);
    void *CLSLICE_NULLABLE log_user;
    /* The host's own context, which the device retains. NULL: clslice makes one. */
    struct _cl_context *CLSLICE_NULLABLE context;
    /* With `context`: one of its devices; NULL if it has only one. Without `context`: any device of
     * the loader, as clslice_device_info or the host's own OpenCL calls give it. */
    struct _cl_device_id *CLSLICE_NULLABLE device_id;
    /* A queue of that context and device, which the device retains as its default queue. NULL:
     * clslice makes one, in order. */
    struct _cl_command_queue *CLSLICE_NULLABLE queue;
    /* Limit for the device memory that is kept to stage host memory, in bytes. 0: 256 MiB. At least
     * 4096. */
    uint64_t staging_bytes;
    uint32_t cache_mode; /* CLSLICE_CACHE_* */
    uint32_t reserved;
    const char *CLSLICE_NULLABLE cache_path; /* absolute; NULL: see cache.h */
    uint64_t cache_bytes; /* limit; 0: CLSLICE_CACHE_MAX, else 256 MiB; UINT64_MAX: no limit */
} clslice_device_options;
CLSLICE_ASSERT_SIZE(clslice_device_options, 112)

enum { CLSLICE_CLASS_CPU = 1, CLSLICE_CLASS_GPU = 2, CLSLICE_CLASS_ACCELERATOR = 3 };

/*
 * How a device accesses host memory in a binding. OpenCL allows a driver to keep copies of
 * CL_MEM_USE_HOST_PTR memory. clslice_device_create copies a few bytes there and back to find out;
 * a device that keeps copies is STAGED. clslice_device_enumerate does not try: it reports
 * USE_HOST_PTR for every CPU device without fine-grain system SVM.
 */
enum {
    CLSLICE_HOST_MEMORY_STAGED = 0,       /* copied through buffers of the device */
    CLSLICE_HOST_MEMORY_USE_HOST_PTR = 1, /* used in place: a CPU device */
    CLSLICE_HOST_MEMORY_SYSTEM_SVM = 2    /* used in place: fine-grain system SVM */
};

/* Strings are one line of UTF-8, end with NUL and are cut between characters. Other bytes from the
 * driver, and control characters, are written as "\xHH", in selectors too. */
typedef struct clslice_device_info {
    uint32_t size;
    uint32_t device_class; /* CLSLICE_CLASS_*: decides which kernels are used */
    uint32_t usable;       /* 1; or 0, with the reason in `unusable_reason` */
    uint32_t vendor_id;    /* CL_DEVICE_VENDOR_ID */
    uint32_t compute_units;
    uint32_t address_bits;
    uint32_t host_memory;    /* CLSLICE_HOST_MEMORY_* */
    uint32_t unified_memory; /* 1: the device's memory is the host's */
    uint64_t max_work_group_size;
    uint64_t max_alloc_bytes; /* CL_DEVICE_MAX_MEM_ALLOC_SIZE */
    uint64_t global_bytes;
    uint64_t local_bytes; /* 0: local memory is only emulated in global memory */
    /* OpenCL's handle. Borrowed: it belongs to the loader and is valid in this process as long as
     * the loader is. A child of fork cannot use it. */
    struct _cl_device_id *CLSLICE_NULLABLE device_id;
    /* As the value of CLSLICE_DEVICE, picks this device on this machine. Empty if the loader does
     * not list the device, which can happen with a host's context. */
    char selector[256];
    char name[256];
    char platform[256];
    char version[256]; /* CL_DEVICE_VERSION */
    char driver[128];
    char type[32]; /* "gpu", "cpu", "acc", joined by '|' */
    char unusable_reason[256];
} clslice_device_info;
CLSLICE_ASSERT_SIZE(clslice_device_info, 1512)

/*
 * Describes the index-th OpenCL device of the machine, whether clslice can use it or not. Devices
 * are ordered by platform name, then by PCI address or UUID, then as the driver lists them, so the
 * order does not depend on the loader. The options' selector and device_id, and CLSLICE_DEVICE, are
 * ignored. DXGI_ERROR_NOT_FOUND past the last device; DXGI_ERROR_UNSUPPORTED without an OpenCL
 * loader or platform.
 */
CLSLICE_API CLSLICE_MUST_USE int32_t clslice_device_enumerate(
    const clslice_device_options *CLSLICE_NULLABLE options, uint32_t index,
    clslice_device_info *CLSLICE_NONNULL info, clslice_error *CLSLICE_NULLABLE error);

/*
 * Creates the device that the options or CLSLICE_DEVICE name. A selector is
 *
 *     list   = entry {',' entry}         the first entry that matches a usable device wins
 *     entry  = 'none' | 'auto' | 'uuid='HEX | 'pci='ADDRESS | WORD
 *              | [platform] ':' [type] [':' device]
 *     type   = gpu cpu acc dgpu igpu any, alternatives joined by '|'
 *     device = part of the device's name, and/or '#'N: the N-th match, from 0
 *
 * Matching ignores case. A WORD that is a type is a type; any other is part of a platform, vendor
 * or device name, or '#'N for the N-th platform. Unset or empty is "auto": the first usable gpu,
 * else acc, else cpu. A list that matches nothing is an error; append ",auto" to fall back.
 *
 * DXGI_ERROR_UNSUPPORTED if nothing matches or there is no OpenCL: the text lists every device with
 * its selector. E_INVALIDARG if the selector cannot be parsed: the text names the position. No
 * program is built.
 */
CLSLICE_API CLSLICE_MUST_USE int32_t
clslice_device_create(const clslice_device_options *CLSLICE_NULLABLE options,
                      clslice_device *CLSLICE_NULLABLE *CLSLICE_NONNULL device,
                      clslice_error *CLSLICE_NULLABLE error);
CLSLICE_API void clslice_device_retain(clslice_device *CLSLICE_NULLABLE device);
/* Before the last release of a device, complete the user events (clCreateUserEvent) that dispatches
 * wait for, with an error if they failed: otherwise NVIDIA's driver waits for them forever in the
 * release. */
CLSLICE_API void clslice_device_release(clslice_device *CLSLICE_NULLABLE device);

CLSLICE_API CLSLICE_MUST_USE int32_t clslice_device_get_info(
    const clslice_device *CLSLICE_NONNULL device, clslice_device_info *CLSLICE_NONNULL info,
    clslice_error *CLSLICE_NULLABLE error);

/* The device's OpenCL objects, for hosts that create buffers or queues for it. Borrowed: they are
 * valid as long as the device. */
typedef struct clslice_opencl_objects {
    uint32_t size;
    uint32_t reserved;
    struct _cl_platform_id *CLSLICE_NULLABLE platform;
    struct _cl_device_id *CLSLICE_NULLABLE device_id;
    struct _cl_context *CLSLICE_NULLABLE context;
    struct _cl_command_queue *CLSLICE_NULLABLE queue;
} clslice_opencl_objects;
CLSLICE_ASSERT_SIZE(clslice_opencl_objects, 40)

CLSLICE_API CLSLICE_MUST_USE int32_t clslice_device_get_opencl(
    const clslice_device *CLSLICE_NONNULL device, clslice_opencl_objects *CLSLICE_NONNULL objects,
    clslice_error *CLSLICE_NULLABLE error);

/* The address of an OpenCL function as the device calls it, or NULL if its loader has none: a host
 * that uses these needs no loader of its own. Valid until the process ends, or, with `get_proc`, as
 * long as the host says. NULL if an argument is NULL. */
CLSLICE_API void *CLSLICE_NULLABLE clslice_device_get_proc(
    const clslice_device *CLSLICE_NULLABLE device, const char *CLSLICE_NULLABLE name);

/*
 * IDMLDevice::CheckFeatureSupport. `feature` is a DML_FEATURE; `query` and `support` are DirectML's
 * structures for it, and their sizes must be exact. A query for feature levels is answered with the
 * highest requested level up to 4.1. Here, a level covers only what it requires of SLICE1, SLICE
 * and SLICE_GRAD (1 to 8 dimensions, 11 data types), not DirectML's other operators.
 * DXGI_ERROR_UNSUPPORTED for an unknown feature, or if none of the requested levels is supported.
 */
CLSLICE_API CLSLICE_MUST_USE int32_t clslice_device_check_feature_support(
    const clslice_device *CLSLICE_NONNULL device, uint32_t feature, uint32_t query_size,
    const void *CLSLICE_NONNULL query, uint32_t support_size, void *CLSLICE_NONNULL support,
    clslice_error *CLSLICE_NULLABLE error);

/*
 * The compiler's log of the device's last failed build; empty if no build failed. Writes at most
 * `size` bytes to `text`, NUL included; `text` may be NULL if `size` is 0. `needed` receives the
 * bytes that the whole text needs, NUL included.
 */
CLSLICE_API CLSLICE_MUST_USE int32_t clslice_device_get_build_log(
    clslice_device *CLSLICE_NONNULL device, char *CLSLICE_NULLABLE text, uint64_t size,
    uint64_t *CLSLICE_NULLABLE needed, clslice_error *CLSLICE_NULLABLE error);

/* Waits until everything in the device's default queue has completed or failed. After that, no
 * dispatch on that queue uses the memory that it was given, not even one that failed. */
CLSLICE_API int32_t clslice_device_finish(clslice_device *CLSLICE_NONNULL device,
                                          clslice_error *CLSLICE_NULLABLE error);

/* ---- Host memory in one call ----------------------------------------------------------------- */

/*
 * Slices host memory: creates and compiles the operator, binds the memory, dispatches on the
 * device's default queue and waits. `input` and `output` point to the first element of each tensor,
 * in memory of at least (last addressable element + 1) * element size bytes, at any alignment. They
 * must not overlap. With CLSLICE_DEVICE_FLAG_STRICT_DIRECTML, DirectML's own sizes and alignment
 * are required.
 *
 * Returns what those functions return, with their errors. If it fails, some of the output may have
 * been written. It then finishes the default queue before it returns, even one that the host passed
 * in, so that clslice no longer uses the memory, unless OpenCL fails to wait.
 *
 * The first run of each kind of slice builds programs (see clslice_operator_compile); after that,
 * compiling takes microseconds.
 */
CLSLICE_API CLSLICE_MUST_USE int32_t clslice_run(
    clslice_device *CLSLICE_NONNULL device, const struct DML_OPERATOR_DESC *CLSLICE_NULLABLE desc,
    const void *CLSLICE_NONNULL input, uint64_t input_bytes, void *CLSLICE_NONNULL output,
    uint64_t output_bytes, clslice_error *CLSLICE_NULLABLE error);

/* ---- Operators ------------------------------------------------------------------------------- */

/* Reference counted, and immutable. */
typedef struct clslice_operator clslice_operator;

/*
 * IDMLDevice::CreateOperator: validates the whole description and copies what it needs. If `op` is
 * NULL, it only validates; then `device` may be NULL too, and OpenCL is not used.
 *
 * E_INVALIDARG: the error names the first rule that is broken, with DirectML's field names.
 * DXGI_ERROR_UNSUPPORTED: an operator other than SLICE1; SLICE, which is SLICE1 without partial
 * outputs and negative strides; and SLICE_GRAD, whose output has the input's elements where SLICE1
 * would read it, and 0 elsewhere. What is said of a slice holds for all three. Limits: 1 to 8
 * dimensions; all 11 types; up to 2^32 - 1 elements from the first to the last of a tensor; any
 * input strides; output strides with which no two elements share an address.
 */
CLSLICE_API CLSLICE_MUST_USE int32_t clslice_operator_create(
    clslice_device *CLSLICE_NULLABLE device, const struct DML_OPERATOR_DESC *CLSLICE_NULLABLE desc,
    clslice_operator *CLSLICE_NULLABLE *CLSLICE_NULLABLE op, clslice_error *CLSLICE_NULLABLE error);
CLSLICE_API void clslice_operator_retain(clslice_operator *CLSLICE_NULLABLE op);
CLSLICE_API void clslice_operator_release(clslice_operator *CLSLICE_NULLABLE op);

/* A slice whose output is one contiguous range of the input's bytes need not be copied. */
typedef struct clslice_alias {
    uint32_t size;
    uint32_t is_alias;     /* 0: the slice must be dispatched, and the rest is 0 */
    uint64_t offset_bytes; /* from the bound input's start to the output's first element */
    uint64_t size_bytes;   /* of the output's elements */
} clslice_alias;
CLSLICE_ASSERT_SIZE(clslice_alias, 24)

CLSLICE_API CLSLICE_MUST_USE int32_t clslice_operator_get_alias(
    const clslice_operator *CLSLICE_NONNULL op, clslice_alias *CLSLICE_NONNULL alias,
    clslice_error *CLSLICE_NULLABLE error);

/* The name of the index-th kernel variant. NULL past the last. The string is static. */
CLSLICE_API const char *CLSLICE_NULLABLE clslice_variant_name(uint32_t index);

enum {
    /* Also run the kernels once, on scratch memory, and wait for them. Some drivers, such as PoCL,
     * generate code only at the first run (45 to 160 ms with PoCL 3.1). A kernel that was just run
     * in order to be saved is not run again. */
    CLSLICE_COMPILE_FLAG_WARM = 0x1,
    /* For dispatches of many items: see clslice_batch. The operator then has kernels that are
     * planned for many items at once. A dispatch without a batch is a batch of one item. E_NOTIMPL
     * for SLICE_GRAD. */
    CLSLICE_COMPILE_FLAG_BATCH = 0x2
};

/* NULL in place of this structure means all zero. */
typedef struct clslice_compile_options {
    uint32_t size;
    uint32_t flags;           /* CLSLICE_COMPILE_FLAG_* */
    uint32_t execution_flags; /* DML_EXECUTION_FLAGS; known bits change nothing */
    uint32_t reserved;
    /* Name of a kernel variant to use on any device; NULL: clslice chooses. An unknown variant, or
     * one that cannot run this slice, is E_INVALIDARG; the text lists those that exist, or those
     * that can. */
    const char *CLSLICE_NULLABLE variant;
} clslice_compile_options;
CLSLICE_ASSERT_SIZE(clslice_compile_options, 24)

/* How a slice would run. */
typedef struct clslice_plan_info {
    uint32_t size;
    uint32_t element_bytes; /* of one move */
    uint32_t index_bits;    /* 32 or 64 */
    uint32_t dimensions;    /* after joining */
    uint64_t elements;      /* of the output, of the data type */
    uint64_t input_bytes;   /* least size of the input's binding */
    uint64_t output_bytes;
    uint64_t moved_bytes;     /* read + written, each element once */
    uint64_t floor_bytes;     /* least memory traffic: lines read + bytes written; partly written
                               * lines count once more */
    uint64_t floor_bytes_64;  /* the same with lines of 64 bytes, on any device */
    uint32_t input_alignment; /* of a binding's offset, in bytes */
    uint32_t output_alignment;
    uint32_t local_size;
    uint32_t launches;      /* kernel launches for device memory: 1, or a few if a tensor spans
                             * more than 32-bit indices reach and a GPU is faster with them */
    uint64_t global_size;   /* of the first launch */
    uint64_t host_launches; /* kernel launches for host memory, with the device's limits */
    char variant[32];
} clslice_plan_info;
CLSLICE_ASSERT_SIZE(clslice_plan_info, 128)

/* Makes no OpenCL call and builds nothing. */
CLSLICE_API CLSLICE_MUST_USE int32_t clslice_operator_get_plan(
    const clslice_operator *CLSLICE_NONNULL op,
    const clslice_compile_options *CLSLICE_NULLABLE options,
    clslice_plan_info *CLSLICE_NONNULL info, clslice_error *CLSLICE_NULLABLE error);

/* The validated slice and its plan in words, several lines. `text`, `size` and `needed` are used as
 * in clslice_device_get_build_log. */
CLSLICE_API CLSLICE_MUST_USE int32_t clslice_operator_describe(
    const clslice_operator *CLSLICE_NONNULL op,
    const clslice_compile_options *CLSLICE_NULLABLE options, char *CLSLICE_NULLABLE text,
    uint64_t size, uint64_t *CLSLICE_NULLABLE needed, clslice_error *CLSLICE_NULLABLE error);

/* ---- Compiled operators ---------------------------------------------------------------------- */

/* Reference counted; any number of threads may dispatch it at the same time. */
typedef struct clslice_compiled_operator clslice_compiled_operator;

/*
 * IDMLDevice::CompileOperator. Builds every program that a dispatch can need: usually at most 2,
 * of batches on a GPU 3, each once per device, however many threads ask. A program takes 0.6 to
 * 1.6 s with PoCL and 0.05 s with an NVIDIA driver. A program that was not in the cache is then
 * run once on scratch memory, in a queue of its own, and its binary is saved: 0.1 to 0.3 s more
 * with PoCL, and longer if the device is busy, because the call waits for that run. Threads that
 * ask for the same program wait for it; others do not. A program from the cache takes a few
 * milliseconds.
 *
 * E_FAIL with rule BUILD: the compiler rejected a program; see clslice_device_get_build_log.
 */
CLSLICE_API CLSLICE_MUST_USE int32_t clslice_operator_compile(
    clslice_operator *CLSLICE_NONNULL op, const clslice_compile_options *CLSLICE_NULLABLE options,
    clslice_compiled_operator *CLSLICE_NULLABLE *CLSLICE_NONNULL compiled,
    clslice_error *CLSLICE_NULLABLE error);
CLSLICE_API void
clslice_compiled_operator_retain(clslice_compiled_operator *CLSLICE_NULLABLE compiled);
CLSLICE_API void
clslice_compiled_operator_release(clslice_compiled_operator *CLSLICE_NULLABLE compiled);

/* IDMLDispatchable::GetBindingProperties: always all 0, because a slice needs no other memory. */
CLSLICE_API CLSLICE_MUST_USE int32_t clslice_compiled_operator_get_binding_properties(
    const clslice_compiled_operator *CLSLICE_NONNULL compiled,
    struct DML_BINDING_PROPERTIES *CLSLICE_NONNULL properties,
    clslice_error *CLSLICE_NULLABLE error);

/* Where a program came from, the most expensive first. */
enum {
    CLSLICE_PROGRAM_BUILT = 1,      /* from source, now */
    CLSLICE_PROGRAM_FROM_CACHE = 2, /* from its binary on disk, now */
    CLSLICE_PROGRAM_IN_MEMORY = 3   /* an earlier compile on this device had it */
};

typedef struct clslice_compiled_operator_info {
    uint32_t size;
    uint32_t program_count;     /* 1 or 2; of a batch by a GPU variant, one more */
    uint32_t program_outcome;   /* CLSLICE_PROGRAM_*: the most expensive of them */
    uint32_t host_memory;       /* CLSLICE_HOST_MEMORY_* */
    uint64_t build_nanoseconds; /* that this compile spent on getting and saving programs */
    char variant[32];           /* where both tensors are aligned as below */
    char variant_unaligned[32]; /* elsewhere */
    uint32_t element_bytes;
    uint32_t element_bytes_unaligned;
    uint32_t input_alignment; /* bytes, 1 to 16, of the first element: for `variant` */
    uint32_t output_alignment;
    char cache_reason[64]; /* why a program did not come from the cache; empty if it did */
} clslice_compiled_operator_info;
CLSLICE_ASSERT_SIZE(clslice_compiled_operator_info, 168)

CLSLICE_API CLSLICE_MUST_USE int32_t clslice_compiled_operator_get_info(
    const clslice_compiled_operator *CLSLICE_NONNULL compiled,
    clslice_compiled_operator_info *CLSLICE_NONNULL info, clslice_error *CLSLICE_NULLABLE error);

/* ---- Dispatch -------------------------------------------------------------------------------- */

enum {
    CLSLICE_BINDING_NONE = 0,   /* E_INVALIDARG: there are no optional tensors */
    CLSLICE_BINDING_CL_MEM = 1, /* handle: a cl_mem buffer or sub-buffer of the device's context */
    CLSLICE_BINDING_HOST = 2,   /* handle: an array of the caller's, at any alignment */
    CLSLICE_BINDING_SVM = 3,    /* handle: what clSVMAlloc returned for the device's context */
    CLSLICE_BINDING_USM = 4,    /* reserved: E_NOTIMPL */
    CLSLICE_BINDING_DEVICE_ADDRESS = 5 /* reserved: E_NOTIMPL */
};

/*
 * Where a tensor is: `size` bytes that begin `offset` bytes after the handle. The offset is a
 * multiple of the larger of the element size and the tensor's GuaranteedBaseOffsetAlignment. The
 * size is at least (last addressable element + 1) * element size bytes, not rounded. The sizes of
 * host memory and SVM cannot be checked. The ranges of input and output must not overlap, even
 * if their elements only interleave: this is checked within one parent buffer, and by address for
 * host memory and SVM. In SVM, and in a cl_mem over host memory (CL_MEM_USE_HOST_PTR), the address
 * of the tensor is a multiple of the element size.
 *
 * Always 64 bytes (60 on i386), because elements of arrays cannot grow.
 */
typedef struct clslice_binding {
    uint32_t kind; /* CLSLICE_BINDING_* */
    uint32_t reserved0;
    void *CLSLICE_NULLABLE handle; /* an input's memory is never written */
    uint64_t offset;
    uint64_t size;
    uint64_t reserved[4];
} clslice_binding;
CLSLICE_ASSERT_SIZE(clslice_binding, 64)

enum {
    /* Tables in host memory are treated like those in device memory: an item whose row or index
     * breaks a rule is skipped and counted. Without this flag it is an error, and nothing is
     * enqueued. */
    CLSLICE_BATCH_FLAG_SKIP = 0x1,
    /* The bound ranges of input and output may overlap: the caller promises that no item writes
     * what another item, or itself, reads. For moving the pages of a cache inside one buffer. */
    CLSLICE_BATCH_FLAG_DISJOINT = 0x2
};

/*
 * Many slices in one dispatch: `count` items of one compiled operator, which share data type,
 * window sizes, strides and layout. They differ in where they read and where they write. Crops at
 * random positions, with one row {image, y, x} for each crop:
 *
 *     // input {N, H, W, C}, window {1, h, w, C}; the operator is compiled with
 *     // CLSLICE_COMPILE_FLAG_BATCH
 *     uint32_t corners[1000][3] = {{image, y, x}, ...};
 *     clslice_batch batch = {
 *         .size = sizeof batch,
 *         .count = 1000,
 *         .window = {.kind = CLSLICE_BINDING_HOST, .handle = corners, .size = sizeof corners},
 *         .window_axis = 0,
 *         .window_axis_count = 3,
 *     };
 *     clslice_dispatch_desc desc = {..., .batch = &batch}; // outputs[0]: room for 1000 items
 *
 * Where an item reads. Row i of the table `window` holds 32-bit unsigned offsets: they replace
 *   InputWindowOffsets[window_axis] and those of the window_axis_count - 1 dimensions after it. The
 *   other dimensions keep the operator's. Rows are window_row_bytes apart: a multiple of 4 below
 *   2^34, and no less than 4 * window_axis_count; 0 means exactly that, and is the value without a
 *   table. No padding need follow the last row. Without a table (kind NONE, window_axis_count 0)
 *   item i reads at InputWindowOffsets[window_axis] + i * window_advance. As in the operator, an
 *   offset is the window's lowest corner, even if a stride is negative, and offset +
 *   InputWindowSizes must not exceed the input's size, even if the output has fewer elements than
 *   the window yields.
 *
 * Where an item writes. Element i of the table `output` is an unsigned index of output_index_bytes
 *   (4 or 8); without a table (kind NONE, output_index_bytes 0) the index is i. The item is written
 *   as if outputs[0] were bound index * output_pitch elements further on. It must end inside the
 *   binding. An output_pitch of 0 means the number of elements from the output tensor's first to
 *   its last, so that items follow each other. Items may interleave: one may lie in the gaps of
 *   another. If two items write the same element, it has the bytes of one of them. No order between
 *   items is promised.
 *
 * Both tables are in host memory, or both are in device memory (CL_MEM or SVM, aligned to the size
 *   of their numbers).
 *   In host memory, they are read during the call, and checked before anything is enqueued: the
 *   error of E_INVALIDARG names the first such item and the dimension. The operands may be
 *   anywhere.
 *   In device memory, they are read on the device, so commands that the dispatch waits for may
 *   write them; no command may do so while it runs. An item whose row or index breaks a rule is
 *   skipped: nothing is read or written for it, and it is counted. The operands must be cl_mem,
 *   SVM, or host memory on a device with fine-grain system SVM, else E_NOTIMPL.
 *   `skipped`, if it is not NONE, is a uint32_t in the same kind of memory, to which the number of
 *   skipped items is added: atomically on a device; in host memory by the calling thread, during
 *   the call, even if the dispatch fails later. It must not overlap any other binding, and no table
 *   may overlap outputs[0].
 *
 * What items have without a table is checked for all of them before anything is enqueued: if
 *   window_advance leads out of the input, or there is no index table and outputs[0] ends before
 *   the last item, the error is E_INVALIDARG wherever the other table is, even with
 *   CLSLICE_BATCH_FLAG_SKIP.
 *
 * A count of 0 writes nothing and reads no table; its event completes after the wait list. A
 * dispatch of up to 2^20 items is one launch (if the items are small; host memory may take several,
 * see clslice_dispatch). Unless its tables are in device memory, it may take 16 bytes of device
 * memory for each item until it has completed, and up to 32 bytes of host memory. It takes neither
 * for tensors in device memory if there are no tables, or on most GPUs if the tables have few
 * numbers: one for each item's window, and one for its index, 1,024 at most or what is left of
 * CL_DEVICE_MAX_PARAMETER_SIZE.
 *
 * Not covered: items of different sizes, for which several operators are needed. Sliding windows
 * need no batch: they are one slice of an input tensor with suitable strides, such as {1, 1} for
 * windows of a vector.
 */
typedef struct clslice_batch {
    uint32_t size;
    uint32_t flags; /* CLSLICE_BATCH_FLAG_* */
    uint64_t count; /* items */
    clslice_binding window;
    uint32_t window_axis;
    uint32_t window_axis_count;
    uint64_t window_row_bytes;
    int64_t window_advance; /* elements of dimension window_axis; 0 with a table */
    clslice_binding output;
    uint32_t output_index_bytes;
    uint32_t reserved;
    uint64_t output_pitch; /* elements */
    clslice_binding skipped;
} clslice_batch;
CLSLICE_ASSERT_SIZE(clslice_batch, 248)

typedef struct clslice_dispatch_desc {
    uint32_t size;
    uint32_t flags; /* 0: none is defined */
    /* A queue of the device's context and device. NULL: the device's default queue. */
    struct _cl_command_queue *CLSLICE_NULLABLE queue;
    const clslice_binding *CLSLICE_NULLABLE inputs;
    const clslice_binding *CLSLICE_NULLABLE outputs;
    uint32_t input_count;  /* 1 */
    uint32_t output_count; /* 1 */
    /* Events of the device's context to wait for, as in OpenCL, in addition to the queue's own
     * order. The driver checks the context: PoCL takes events of others and waits for them, too. If
     * one of them fails, nothing is written. A user event must complete eventually, with an error
     * if necessary: see clslice_device_release. NULL if there are none. */
    struct _cl_event *CLSLICE_NONNULL const *CLSLICE_NULLABLE wait_events;
    uint32_t wait_count;
    uint32_t reserved;
    /* NULL: one slice. Otherwise the operator must be compiled with CLSLICE_COMPILE_FLAG_BATCH. */
    const clslice_batch *CLSLICE_NULLABLE batch;
} clslice_dispatch_desc;
CLSLICE_ASSERT_SIZE(clslice_dispatch_desc, 64)

/*
 * Enqueues the slice and returns without waiting, except for host memory on NVIDIA's driver, see
 * below. `event`, if not NULL, receives a cl_event that completes with the slice. It is an ordinary
 * event: wait for it and release it with OpenCL's functions or with those below.
 *
 * Lifetimes. The description, arrays, wait list and a batch's tables in host memory must live until
 * the call returns. A cl_mem, the operator and the device may be released once it has returned.
 * Tensors in host memory and all SVM must live until the event completes.
 *
 * Queues. The queue may be in order or out of order. The steps of one dispatch are chained by
 * events, and each step waits for `wait_events`. A dispatch never finishes a host's queue, and
 * flushes one only for output with gaps on NVIDIA's driver, see below. Flush the queue before you
 * wait for the event on another queue, as OpenCL requires.
 *
 * Failed wait events. The failure becomes the event's status. PoCL 3.1 ends the process if it
 * cancels a command whose event was already released, no matter by whom: keep `event` as long as
 * anything that it waits for may fail. Intel's CPU runtime ends the process if it cancels any
 * command in an out-of-order queue.
 *
 * Bytes. Only the bound range is read, and of host memory only the bytes from the tensor's first to
 * its last element. Only the bytes of addressed elements are written: bytes between and after them
 * keep their values and are not even rewritten.
 *
 * Host memory. Used in place with fine-grain system SVM, and on CPU devices that keep no copies of
 * it (see CLSLICE_HOST_MEMORY_STAGED), if its address is aligned to the element size. Otherwise it
 * is staged through device memory: at most `staging_bytes` per queue in use or, in an out-of-order
 * queue, per unfinished dispatch that has events to wait for. Staged output is packed; the driver
 * spreads it to its place in as few rectangles as possible. Memory that exceeds a limit of the
 * device takes several launches.
 *
 * NVIDIA's driver blocks inside the call while it copies from or to host memory that it did not
 * allocate, unless an event of `wait_events` has not completed. Other dispatches that stage host
 * memory on the same device wait meanwhile. With this driver only, the call flushes the queue and
 * waits for output with gaps, whoever allocated its memory, and spreads it on the calling thread.
 * It does not wait if such an event has not completed, and it waits at most a second for a launch:
 * an earlier command in the queue may depend on something that the host does after the call. In
 * these cases the driver spreads the output, which takes longer. While such a call runs, no other
 * thread may enqueue a command in the same queue that waits for something of that kind.
 *
 * DXGI_ERROR_UNSUPPORTED: an SVM binding on a device without SVM.
 *
 * A dispatch that fails has enqueued nothing that writes the output, with one exception: host
 * memory, a batch of more items than one launch takes, and a slice whose plan has several launches
 * (see clslice_plan_info) may be moved in several steps, and the steps before the one that failed
 * still run. So keep host memory alive until the queue has finished (clslice_device_finish). A
 * failure after the call has returned is the event's status. If a dispatch takes several steps, the
 * event is that of the last one, and so are its profiling times.
 */
CLSLICE_API CLSLICE_MUST_USE int32_t
clslice_dispatch(clslice_compiled_operator *CLSLICE_NONNULL compiled,
                 const clslice_dispatch_desc *CLSLICE_NONNULL desc,
                 struct _cl_event *CLSLICE_NULLABLE *CLSLICE_NULLABLE event,
                 clslice_error *CLSLICE_NULLABLE error);

/* ---- Events, for hosts that do not call OpenCL ----------------------------------------------- */

/* Waits until the event's command has completed, even if the driver's own wait returns too early,
 * as that of PoCL's `basic` device may. E_FAIL with the code if the command failed. */
CLSLICE_API CLSLICE_MUST_USE int32_t clslice_event_wait(clslice_device *CLSLICE_NONNULL device,
                                                        struct _cl_event *CLSLICE_NONNULL event,
                                                        clslice_error *CLSLICE_NULLABLE error);
/* S_OK: complete. S_FALSE: not yet; a default queue that clslice made is flushed, so that polling
 * ends. E_FAIL: the command failed. */
CLSLICE_API CLSLICE_MUST_USE int32_t clslice_event_get_status(
    clslice_device *CLSLICE_NONNULL device, struct _cl_event *CLSLICE_NONNULL event,
    clslice_error *CLSLICE_NULLABLE error);
/* `device` is the one that the event came from. Does nothing if either is NULL. */
CLSLICE_API void clslice_event_release(clslice_device *CLSLICE_NULLABLE device,
                                       struct _cl_event *CLSLICE_NULLABLE event);

/* ---- Rules ----------------------------------------------------------------------------------- */

/* The rule that a call broke: `rule` of clslice_error. The numbers are part of the ABI. */
enum {
    CLSLICE_RULE_NONE = 0,
    /* 1 to 25: the description of a SLICE1 operator, and what other operators share with it */
    CLSLICE_RULE_NULL_DESC = 1,
    CLSLICE_RULE_NULL_INPUT_TENSOR = 2,
    CLSLICE_RULE_NULL_OUTPUT_TENSOR = 3,
    CLSLICE_RULE_TENSOR_TYPE = 4,
    CLSLICE_RULE_NULL_BUFFER_TENSOR_DESC = 5,
    CLSLICE_RULE_DATA_TYPE_UNSUPPORTED = 6,
    CLSLICE_RULE_FLAGS_UNKNOWN = 7,
    CLSLICE_RULE_DIMENSION_COUNT_RANGE = 8,
    CLSLICE_RULE_NULL_SIZES = 9,
    CLSLICE_RULE_SIZE_ZERO = 10,
    CLSLICE_RULE_TENSOR_ELEMENT_LIMIT = 11,
    CLSLICE_RULE_TOTAL_SIZE_TOO_SMALL = 12,
    CLSLICE_RULE_OUTPUT_STRIDES_OVERLAP = 13,
    CLSLICE_RULE_BASE_OFFSET_ALIGNMENT = 14,
    CLSLICE_RULE_DIMENSION_COUNT_MATCH = 15,
    CLSLICE_RULE_DATA_TYPE_MISMATCH = 16,
    CLSLICE_RULE_NULL_WINDOW_ARRAY = 17,
    CLSLICE_RULE_STRIDE_ZERO = 18,
    CLSLICE_RULE_WINDOW_EMPTY = 19,
    CLSLICE_RULE_WINDOW_BOUNDS = 20,
    CLSLICE_RULE_OUTPUT_EXCEEDS_MAX = 21,
    CLSLICE_RULE_OWNED_BY_DML = 25,
    /* 26 to 39: the operator's type and execution flags */
    CLSLICE_RULE_OPERATOR_TYPE = 26,
    CLSLICE_RULE_EXECUTION_FLAGS = 27,
    /* 40 to 59: a binding */
    CLSLICE_RULE_BIND_COUNT = 40,
    CLSLICE_RULE_BIND_TYPE = 41,
    CLSLICE_RULE_BIND_NULL_BUFFER = 42,
    CLSLICE_RULE_BIND_OFFSET_ALIGNMENT = 43,
    CLSLICE_RULE_BIND_RANGE_OUTSIDE_BUFFER = 44,
    CLSLICE_RULE_BIND_RANGE_TOO_SMALL = 45,
    CLSLICE_RULE_BIND_SIZE_NOT_DWORD = 46,
    CLSLICE_RULE_BIND_OVERLAP = 47,
    CLSLICE_RULE_BIND_MEM_TYPE = 48,
    CLSLICE_RULE_BIND_CONTEXT = 49,
    CLSLICE_RULE_BIND_ACCESS = 50,
    CLSLICE_RULE_BIND_RESERVED = 51,
    /* 60 to 79: a call */
    CLSLICE_RULE_NULL_POINTER = 60,
    CLSLICE_RULE_STRUCT_SIZE = 61,
    CLSLICE_RULE_STRUCT_UNKNOWN = 62,
    CLSLICE_RULE_OPTION = 63,
    CLSLICE_RULE_VARIANT = 64,
    CLSLICE_RULE_QUEUE = 65,
    CLSLICE_RULE_WAIT_LIST = 66,
    CLSLICE_RULE_FORKED = 67,
    CLSLICE_RULE_FEATURE = 68,
    CLSLICE_RULE_MEMORY = 69,
    /* 80 to 99: finding and using a device */
    CLSLICE_RULE_SELECTOR_SYNTAX = 80,
    CLSLICE_RULE_SELECTOR_NO_MATCH = 81,
    CLSLICE_RULE_NO_LOADER = 82,
    CLSLICE_RULE_NO_PLATFORM = 83,
    CLSLICE_RULE_NO_DEVICE = 84,
    CLSLICE_RULE_DEVICE_UNSUPPORTED = 85,
    CLSLICE_RULE_OPENCL = 86,
    CLSLICE_RULE_BUILD = 87,
    /* 100 to 119: a batch */
    CLSLICE_RULE_BATCH_NOT_COMPILED = 100,
    CLSLICE_RULE_BATCH_AXES = 101,
    CLSLICE_RULE_BATCH_TABLE = 102,
    CLSLICE_RULE_BATCH_WINDOW_BOUNDS = 103,
    CLSLICE_RULE_BATCH_OUTPUT_BOUNDS = 104,
    CLSLICE_RULE_BATCH_IN_PLACE = 105,
    /* 120 to 139: descriptions of other operators, besides 1 to 25 */
    CLSLICE_RULE_OUTPUT_SIZE_MISMATCH = 120
};

/* These headers use the macros and the extern "C" of this one. */
#include "cache.h" /* IWYU pragma: export */

#include "api_table.h" /* IWYU pragma: export */

#ifdef __cplusplus
}
#endif

#if defined(__clang__) && !defined(CLSLICE_PLAIN)
#pragma clang diagnostic pop
#endif

#undef CLSLICE_ASSERT_SIZE

#endif /* CLSLICE_H */
