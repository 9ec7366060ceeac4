/* SPDX-License-Identifier: MIT */
/*
 * clslice: DirectML's SLICE1 operator on any OpenCL device. This is the whole ABI.
 *
 * Life cycle, DirectML's with OpenCL's objects where Direct3D's stood:
 *
 *     clslice_device_create -> clslice_operator_create -> clslice_operator_compile
 *         -> clslice_dispatch (any number of times, from any threads)
 *
 * The operator is described by DirectML's own structures: include <clslice/directml.h> for them, or
 * Microsoft's DirectML.h. Neither that nor <CL/cl.h> is needed to include this header; where they
 * are used too, any order will do, and their types are these types.
 *
 * Two ways to the functions: link with libclslice.so.0, or dlopen it, look up clslice_get_api alone
 * and call through the table that it returns.
 *
 * ---- Rules that hold for every function -------------------------------------------------------
 *
 * Results. int32_t with HRESULT's values: negative is failure, CLSLICE_S_OK is success. Any function
 *   may return CLSLICE_E_POINTER (a pointer parameter that must not be NULL is; a NULL inside a
 *   description, and a NULL description, are E_INVALIDARG by their rules), CLSLICE_E_INVALIDARG,
 *   CLSLICE_E_NOTIMPL (see Growth), CLSLICE_E_OUTOFMEMORY, CLSLICE_E_FAIL (an OpenCL call failed: its
 *   code is in clslice_error.opencl) and CLSLICE_E_UNEXPECTED (see Fork); what else a function may
 *   return stands with it. A failed call changes nothing and writes to no out-parameter but the error,
 *   except where said.
 *
 * Errors. The last parameter, optional (NULL: not wanted), owned by the caller, written on failure
 *   only. `status` is what the function returned; `rule`, `tensor`, `dimension` and `value` are for
 *   programs and are ABI; `text` is for people, one line, and is not.
 *
 * Growth. Every structure of this header but clslice_binding begins with `size`, which the caller
 *   sets to sizeof. A structure read by clslice: smaller than in version 1 or larger than 64 KiB is
 *   E_INVALIDARG; fields that an older caller does not have read as 0, and 0 is always the default;
 *   bytes beyond what this library knows must be 0, else E_NOTIMPL. A structure written by clslice:
 *   smaller than 8 is E_INVALIDARG; else the smaller of the two sizes is written, and `size` becomes
 *   that; what lies behind is not touched, and a text that the size cuts has no NUL, so a host sets
 *   the structure to 0 first and `size` to its sizeof. Reserved fields must be 0, else E_INVALIDARG.
 *   Flag bits without a name here are E_INVALIDARG. A host built today runs with later libraries of
 *   the same SONAME, and a host built with a later header runs with this one as long as it asks for
 *   nothing that this one does not know.
 *
 * Pointers passed in. Descriptors, options, arrays, strings and wait lists are read during the call
 *   only and may be freed after it, except clslice_device_options' callbacks and their `user`, which
 *   must live as long as the device. What a dispatch's bindings must outlive stands at
 *   clslice_dispatch.
 *
 * Ownership. A create function returns one reference; retain adds one; release drops one and is a
 *   no-op for NULL. A compiled operator keeps its operator alive, an operator its device: release in
 *   any order. The last release of a device releases its OpenCL objects; it does not wait for
 *   commands, which OpenCL itself keeps alive.
 *
 * Threads. Every function may be called on any thread, and every object may be used by any number of
 *   threads at once; the last release must come after all other uses. clslice starts none of its own.
 *
 * State. No last-error state, no thread-local storage, nothing on stderr unless CLSLICE_VERBOSE asks,
 *   no signal handler, no exit(), no abort() on what a caller passed. Nothing happens at load,
 *   unload or exit; OpenCL is first touched by clslice_device_create or clslice_device_enumerate, and
 *   the driver may then install signal handlers and start threads of its own. libclslice.so stays
 *   mapped after dlclose. Two devices, two hosts and two versions of the library can live in one
 *   process without seeing each other.
 *
 * Environment. Read with secure_getenv when a device is created or enumerated, and not at all under
 *   CLSLICE_DEVICE_FLAG_NO_ENVIRONMENT: CLSLICE_DEVICE (which device), CLSLICE_OPENCL (path of the
 *   OpenCL loader), CLSLICE_VERBOSE ("device", "cache", both with a comma, or "1" for all: log lines to
 *   stderr), CLSLICE_BUILD_OPTIONS (more compiler options), CLSLICE_CACHE and CLSLICE_CACHE_MAX (see The
 *   program cache), XDG_CACHE_HOME and HOME. The variables that change a
 *   driver's code are part of the cache's keys. An option that is set beats the variable.
 *
 * Fork. OpenCL drivers do not survive fork. In a child, functions that use OpenCL through an object
 *   made before the fork, or return its OpenCL objects, return E_UNEXPECTED; those that only tell what
 *   is known still answer; releasing such an object does nothing. A child may create and enumerate
 *   devices only if no OpenCL call was made before the fork: E_UNEXPECTED where clslice made one; of
 *   others it does not know, and the driver may hang.
 *
 * Not promised: the text of errors and descriptions, the names and choice of variants, the order of
 * writes inside one dispatch, that two dispatches without an order between them do not interleave,
 * anything about the padding of structures, and the ABI of 0.x versions between different SONAMEs.
 */
#ifndef CLSLICE_H
#define CLSLICE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CLSLICE_VERSION "0.1.0"
#define CLSLICE_ABI_VERSION 1u

#if defined(__GNUC__)
#define CLSLICE_API __attribute__((visibility("default")))
#define CLSLICE_MUST_USE __attribute__((warn_unused_result))
#else
#define CLSLICE_API
#define CLSLICE_MUST_USE
#endif

/* DirectML's and Khronos' own tags, declared and never defined here. */
struct DML_OPERATOR_DESC;
struct DML_BINDING_PROPERTIES;
struct _cl_platform_id;
struct _cl_device_id;
struct _cl_context;
struct _cl_command_queue;
struct _cl_mem;
struct _cl_event;

/* Opaque, reference counted, immutable once made (a device's program store fills itself). */
typedef struct clslice_device clslice_device;
typedef struct clslice_operator clslice_operator;
typedef struct clslice_compiled_operator clslice_compiled_operator;

/* ---- Results: HRESULT's values ---------------------------------------------------------------- */

#define CLSLICE_S_OK ((int32_t)0)
#define CLSLICE_S_FALSE ((int32_t)1)
#define CLSLICE_E_NOTIMPL ((int32_t)-2147467263)              /* 0x80004001 */
#define CLSLICE_E_POINTER ((int32_t)-2147467261)              /* 0x80004003 */
#define CLSLICE_E_FAIL ((int32_t)-2147467259)                 /* 0x80004005 */
#define CLSLICE_E_UNEXPECTED ((int32_t)-2147418113)           /* 0x8000FFFF */
#define CLSLICE_E_OUTOFMEMORY ((int32_t)-2147024882)          /* 0x8007000E */
#define CLSLICE_E_INVALIDARG ((int32_t)-2147024809)           /* 0x80070057 */
#define CLSLICE_DXGI_ERROR_NOT_FOUND ((int32_t)-2005270526)   /* 0x887A0002 */
#define CLSLICE_DXGI_ERROR_UNSUPPORTED ((int32_t)-2005270524) /* 0x887A0004 */

/* ---- Errors ----------------------------------------------------------------------------------- */

/* The rule that a call broke. Numbers are ABI. 1 to 25 are the rules of a SLICE1 description. */
enum {
    CLSLICE_RULE_NONE = 0,
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
    CLSLICE_RULE_OPERATOR_TYPE = 26,
    CLSLICE_RULE_EXECUTION_FLAGS = 27,
    /* the rules of a binding */
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
    /* the rules of a call */
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
    /* finding and using a device */
    CLSLICE_RULE_SELECTOR_SYNTAX = 80,
    CLSLICE_RULE_SELECTOR_NO_MATCH = 81,
    CLSLICE_RULE_NO_LOADER = 82,
    CLSLICE_RULE_NO_PLATFORM = 83,
    CLSLICE_RULE_NO_DEVICE = 84,
    CLSLICE_RULE_DEVICE_UNSUPPORTED = 85,
    CLSLICE_RULE_OPENCL = 86,
    CLSLICE_RULE_BUILD = 87
};

enum { CLSLICE_TENSOR_NONE = 0, CLSLICE_TENSOR_INPUT = 1, CLSLICE_TENSOR_OUTPUT = 2 };

#define CLSLICE_NO_DIMENSION 0xFFFFFFFFu

/*
 * What went wrong. `size` may be anything from offsetof(clslice_error, text) + 256 up: the text fills
 * what it leaves, ends in NUL and is cut between characters. A smaller size is E_INVALIDARG from
 * whatever was called.
 */
typedef struct clslice_error {
    uint32_t size;
    int32_t status;     /* as returned */
    int32_t opencl;     /* code of the OpenCL call that failed, 0 where none did */
    uint32_t rule;      /* CLSLICE_RULE_* */
    uint32_t tensor;    /* CLSLICE_TENSOR_* */
    uint32_t dimension; /* index from 0, or CLSLICE_NO_DIMENSION */
    uint64_t value[3];  /* the offending values in the text's order; negative ones sign-extended */
    uint32_t text_length; /* bytes of the whole text without NUL; what did not fit was cut */
    char text[972];       /* one line of UTF-8: other bytes and control characters are "\xHH" */
} clslice_error;

/* ---- Devices ---------------------------------------------------------------------------------- */

enum {
    /* Ignore every environment variable. */
    CLSLICE_DEVICE_FLAG_NO_ENVIRONMENT = 0x1,
    /* Bindings must also meet DirectML's own alignment (16), size (TotalTensorSizeInBytes) and
     * multiple-of-4 rules. */
    CLSLICE_DEVICE_FLAG_STRICT_DIRECTML = 0x2
};

enum { CLSLICE_LOG_WARNING = 1, CLSLICE_LOG_INFO = 2 };

/*
 * Program binaries on disk. A compile that finds no entry for a program builds it and writes one before it
 * returns, on the calling thread; no other call asks the driver for a binary, so nothing is lost however
 * the process ends. A cache never makes a call fail: whatever goes wrong with it, the program is built
 * from source. Its folder is $XDG_CACHE_HOME/clslice, else $HOME/.cache/clslice, else there is
 * none; clslice makes it 0700. A folder is used only if it belongs to the user, or to root for reading,
 * and nobody else may write to it. There is no cache in processes that have more rights than their user,
 * nor for a host's context of several devices. CLSLICE_CACHE: "off", "0", "ro", "refresh", "default", an
 * absolute path, "ro=PATH" or "refresh=PATH"; CLSLICE_CACHE_MAX: bytes, or with K, M or G behind, or
 * "none"; 0 is as unset, 256 MiB. The options below replace what the variables say, each by itself.
 */
enum {
    CLSLICE_CACHE_DEFAULT = 0, /* as the environment says, else READ_WRITE */
    CLSLICE_CACHE_OFF = 1,
    CLSLICE_CACHE_READ_WRITE = 2,
    CLSLICE_CACHE_READ_ONLY = 3, /* of folders that root or this user filled */
    CLSLICE_CACHE_REFRESH = 4    /* build from source and replace */
};

/* NULL in place of this structure means all zero: everything from the environment. */
typedef struct clslice_device_options {
    uint32_t size;
    uint32_t flags; /* CLSLICE_DEVICE_FLAG_* */
    /* Which device, in CLSLICE_DEVICE's grammar; NULL: the variable, else "auto". Must be NULL where
     * `context` is given. */
    const char *selector;
    /* More options for the OpenCL C compiler; NULL: CLSLICE_BUILD_OPTIONS, else none. */
    const char *build_options;
    /* Returns the address of an OpenCL function, or NULL where it has none. NULL: from the loader
     * named by CLSLICE_OPENCL, else libOpenCL.so.1, else libOpenCL.so, opened at first use and never
     * closed. Every OpenCL call for the device goes to these addresses. */
    void *(*get_proc)(void *user, const char *name);
    void *get_proc_user;
    /* Called on any thread with one line of UTF-8, no newline. Must not call clslice. NULL: silent, or stderr
     * where CLSLICE_VERBOSE asks. */
    void (*log)(void *user, uint32_t level, const char *text);
    void *log_user;
    /* The host's own OpenCL objects, retained by the device; all NULL: clslice makes its own.
     * `device_id` may be NULL where the context has one device. `queue`, where given, becomes the
     * device's default queue: it belongs to this context and device. */
    struct _cl_context *context;
    struct _cl_device_id *device_id;
    struct _cl_command_queue *queue;
    /* Most bytes of device memory kept to stage host memory; 0: 256 MiB. At least 4096. */
    uint64_t staging_bytes;
    uint32_t cache_mode; /* CLSLICE_CACHE_* */
    uint32_t reserved;
    const char *cache_path; /* the folder itself, absolute; NULL: as above */
    uint64_t cache_bytes;   /* limit; 0: CLSLICE_CACHE_MAX, else 256 MiB; UINT64_MAX: none */
} clslice_device_options;

enum { CLSLICE_CLASS_CPU = 1, CLSLICE_CLASS_GPU = 2, CLSLICE_CLASS_ACCELERATOR = 3 };

/*
 * How host memory in a binding reaches the device. OpenCL lets a driver keep copies of CL_MEM_USE_HOST_PTR
 * memory; clslice_device_create finds out by copying some bytes to and fro, and a device that keeps copies
 * is STAGED. clslice_device_enumerate makes nothing to find out with: it says USE_HOST_PTR for every CPU
 * device without fine-grain system SVM.
 */
enum {
    CLSLICE_HOST_MEMORY_STAGED = 0,       /* copied through buffers of the device */
    CLSLICE_HOST_MEMORY_USE_HOST_PTR = 1, /* used where it lies: a CPU device */
    CLSLICE_HOST_MEMORY_SYSTEM_SVM = 2    /* used where it lies: fine-grain system SVM */
};

/* Strings are one line of UTF-8, end in NUL and are cut between characters. What a driver says otherwise, bytes
 * and control characters, is "\xHH", in selectors too. */
typedef struct clslice_device_info {
    uint32_t size;
    uint32_t device_class; /* CLSLICE_CLASS_*: which kernels the planner chooses */
    uint32_t usable;       /* 1, or 0 with the reason in `unusable_reason` */
    uint32_t vendor_id;    /* CL_DEVICE_VENDOR_ID */
    uint32_t compute_units;
    uint32_t address_bits;
    uint32_t host_memory;    /* CLSLICE_HOST_MEMORY_* */
    uint32_t unified_memory; /* 1: the device's memory is the host's */
    uint64_t max_work_group_size;
    uint64_t max_alloc_bytes; /* CL_DEVICE_MAX_MEM_ALLOC_SIZE */
    uint64_t global_bytes;
    uint64_t local_bytes; /* 0 where local memory is only emulated in global memory */
    char selector[256];   /* as CLSLICE_DEVICE, picks this device on this machine; empty where
                                 the loader does not list it, as it may be with a host's context */
    char name[256];
    char platform[256];
    char version[256]; /* CL_DEVICE_VERSION */
    char driver[128];
    char type[32]; /* "gpu", "cpu", "acc", joined by '|' */
    char unusable_reason[256];
} clslice_device_info;

/*
 * Describes the index-th OpenCL device of the machine, usable or not: ordered by platform name,
 * then PCI address or UUID, then the driver's order, so the loader's order does not matter. The
 * selector is not consulted. Past the last: DXGI_ERROR_NOT_FOUND. Without a loader or platform:
 * DXGI_ERROR_UNSUPPORTED.
 */
CLSLICE_API CLSLICE_MUST_USE int32_t clslice_device_enumerate(const clslice_device_options *options,
                                                              uint32_t index,
                                                              clslice_device_info *info,
                                                              clslice_error *error);

/*
 * The device that the options or CLSLICE_DEVICE pick:
 *
 *     list   = entry {',' entry}         the first entry that matches a usable device wins
 *     entry  = 'none' | 'auto' | 'uuid='HEX | 'pci='ADDRESS | WORD | [platform] ':' [type] [':' device]
 *     type   = gpu cpu acc dgpu igpu any, alternatives joined by '|'
 *     device = part of the device's name, and/or '#'N: the N-th match, from 0
 *
 * Matching ignores case; a WORD that is a type is a type, any other is part of a platform, vendor or
 * device name, or '#'N of the platforms. Unset or empty is auto: the first usable gpu, else acc, else
 * cpu. A list that matches nothing is an error: fall back by appending ",auto".
 *
 * Returns DXGI_ERROR_UNSUPPORTED where nothing matches or there is no OpenCL, with every device and
 * its selector in the text; E_INVALIDARG for a selector that cannot be read, naming the position.
 * Creating a device builds no program.
 */
CLSLICE_API CLSLICE_MUST_USE int32_t clslice_device_create(const clslice_device_options *options,
                                                           clslice_device **device,
                                                           clslice_error *error);
CLSLICE_API void clslice_device_retain(clslice_device *device);
/* Complete the context's user events (clCreateUserEvent) before the last release of a device, failed ones with an
 * error: where one never completes, NVIDIA's driver waits for it in the release of the context, for ever. */
CLSLICE_API void clslice_device_release(clslice_device *device);

CLSLICE_API CLSLICE_MUST_USE int32_t clslice_device_get_info(const clslice_device *device,
                                                             clslice_device_info *info,
                                                             clslice_error *error);

/* The device's OpenCL objects, for hosts that make buffers or queues beside it; borrowed, valid as
 * long as the device. The queue is in order unless the host brought another. */
typedef struct clslice_opencl_objects {
    uint32_t size;
    uint32_t reserved;
    struct _cl_platform_id *platform;
    struct _cl_device_id *device_id;
    struct _cl_context *context;
    struct _cl_command_queue *queue;
} clslice_opencl_objects;

CLSLICE_API CLSLICE_MUST_USE int32_t clslice_device_get_opencl(const clslice_device *device,
                                                               clslice_opencl_objects *objects,
                                                               clslice_error *error);

/* The address of an OpenCL function as the device calls it, NULL where its loader has none: a host
 * that uses these needs no loader of its own. Valid until the process ends, or as long as what
 * `get_proc` returned. NULL arguments give NULL. */
CLSLICE_API void *clslice_device_get_proc(const clslice_device *device, const char *name);

/*
 * IDMLDevice::CheckFeatureSupport. `feature` is a DML_FEATURE; query and support data are DirectML's
 * structures of that feature, their sizes exactly theirs. Levels: the highest of the requested ones
 * up to 4.1, which here means the SLICE1 row of that level (1 to 8 dimensions, 11 data types), not
 * DirectML's other operators; none of them supported is DXGI_ERROR_UNSUPPORTED, as is an unknown
 * feature.
 */
CLSLICE_API CLSLICE_MUST_USE int32_t clslice_device_check_feature_support(
    const clslice_device *device, uint32_t feature, uint32_t query_size, const void *query,
    uint32_t support_size, void *support, clslice_error *error);

/*
 * The compiler's log of the device's last failed build, empty where none failed. Writes at most
 * `size` bytes with NUL to text (NULL allowed where size is 0) and, where `needed` is not NULL, the
 * bytes that the whole text needs with NUL.
 */
CLSLICE_API CLSLICE_MUST_USE int32_t clslice_device_get_build_log(clslice_device *device,
                                                                  char *text, uint64_t size,
                                                                  uint64_t *needed,
                                                                  clslice_error *error);

/* ---- The program cache ------------------------------------------------------------------------- */

/* What the cache did for a device's programs so far. */
typedef struct clslice_cache_counters {
    uint32_t size;
    uint32_t is_on;
    uint64_t hits;
    uint64_t misses;    /* no entry, or none that could be read */
    uint64_t stale;     /* an entry of another format or key */
    uint64_t corrupt;   /* a damaged entry */
    uint64_t untrusted; /* a folder or entry that others may have written */
    uint64_t refused;   /* a whole entry that the driver did not take */
    uint64_t saved;
    uint64_t unsaved; /* programs that did not run on scratch memory, or left no entry */
} clslice_cache_counters;

CLSLICE_API CLSLICE_MUST_USE int32_t clslice_device_get_cache_counters(
    const clslice_device *device, clslice_cache_counters *counters, clslice_error *error);

/* The folder that a device made with these options would use. Touches no OpenCL. */
typedef struct clslice_cache_info {
    uint32_t size;
    uint32_t mode;      /* CLSLICE_CACHE_OFF, READ_WRITE, READ_ONLY or REFRESH */
    uint64_t max_bytes; /* UINT64_MAX: no limit */
    uint64_t entries;
    uint64_t bytes;
    uint64_t oldest; /* last use of the entry longest unused, seconds since 1970; 0: no entry */
    char path[4096]; /* empty where there is none */
} clslice_cache_info;

CLSLICE_API CLSLICE_MUST_USE int32_t clslice_cache_get_info(const clslice_device_options *options,
                                                            clslice_cache_info *info,
                                                            clslice_error *error);

typedef struct clslice_cache_entry {
    uint32_t size;
    uint32_t is_whole; /* 0: it would not be used */
    uint64_t bytes;
    uint64_t last_used; /* seconds since 1970 */
    char name[64];      /* of the file */
    char text[512];     /* kernel, options, device, driver; or why it is not whole */
} clslice_cache_entry;

/* The index-th entry, the longest unused first; past the last, and where the cache is off,
 * DXGI_ERROR_NOT_FOUND. Entries that come and go meanwhile may be missed or seen twice. */
CLSLICE_API CLSLICE_MUST_USE int32_t clslice_cache_enumerate(const clslice_device_options *options,
                                                             uint32_t index,
                                                             clslice_cache_entry *entry,
                                                             clslice_error *error);

/* Removes every entry, and nothing else that lies in the folder. `removed` may be NULL. */
CLSLICE_API CLSLICE_MUST_USE int32_t clslice_cache_clear(const clslice_device_options *options,
                                                         uint64_t *removed, clslice_error *error);

/* ---- Operators -------------------------------------------------------------------------------- */

/*
 * IDMLDevice::CreateOperator: validates the whole description and copies what it needs of it.
 * `op` NULL: validate only; the device may then be NULL too and no OpenCL is touched.
 *
 * E_INVALIDARG names the first broken rule in DirectML's field names. DXGI_ERROR_UNSUPPORTED: an
 * operator other than SLICE1. Limits: 1 to 8 dimensions; an element span (last element + 1) of up to
 * 2^32 - 1 per tensor; any input strides; output strides under which no two elements share an
 * address.
 */
CLSLICE_API CLSLICE_MUST_USE int32_t clslice_operator_create(clslice_device *device,
                                                             const struct DML_OPERATOR_DESC *desc,
                                                             clslice_operator **op,
                                                             clslice_error *error);
CLSLICE_API void clslice_operator_retain(clslice_operator *op);
CLSLICE_API void clslice_operator_release(clslice_operator *op);

/* A slice that is one run of the input's bytes in the output's order need not be copied at all. */
typedef struct clslice_alias {
    uint32_t size;
    uint32_t is_alias;     /* 0: the slice must be dispatched, the rest is 0 */
    uint64_t offset_bytes; /* of the output's first element inside the bound input range */
    uint64_t size_bytes;   /* of the output's elements */
} clslice_alias;

CLSLICE_API CLSLICE_MUST_USE int32_t clslice_operator_get_alias(const clslice_operator *op,
                                                                clslice_alias *alias,
                                                                clslice_error *error);

enum {
    /* Also run the plan's kernels once, on scratch memory: drivers such as PoCL generate code only at
     * the first run (45 to 160 ms measured with PoCL 3.1). Waits for that run. A kernel that was just run
     * in order to be saved is not run again. */
    CLSLICE_COMPILE_FLAG_WARM = 0x1
};

/* NULL in place of this structure means all zero. */
typedef struct clslice_compile_options {
    uint32_t size;
    uint32_t flags;           /* CLSLICE_COMPILE_FLAG_* */
    uint32_t execution_flags; /* DML_EXECUTION_FLAGS; known bits change nothing */
    uint32_t reserved;
    /* Name of a kernel variant to use whatever the device; NULL: the planner's choice. A name that
     * is unknown, or cannot do this slice, is E_INVALIDARG; the text lists those that exist, or can. */
    const char *variant;
} clslice_compile_options;

/* How a slice would run, found without OpenCL calls and without building anything. */
typedef struct clslice_plan_info {
    uint32_t size;
    uint32_t element_bytes; /* width of one move: the data type's, or wider */
    uint32_t index_bits;    /* 32 or 64 */
    uint32_t dimensions;    /* after joining */
    uint64_t elements;      /* of the output, in the data type's width */
    uint64_t input_bytes;   /* least size of the input's range: last addressable element + 1 */
    uint64_t output_bytes;
    uint64_t moved_bytes;     /* read + written, each element once */
    uint64_t floor_bytes;     /* written + every memory line that the reads touch */
    uint32_t input_alignment; /* of a binding's offset, bytes */
    uint32_t output_alignment;
    uint32_t local_size;
    uint32_t reserved;
    uint64_t global_size;
    uint64_t host_launches; /* kernel launches for host memory, 1 unless it exceeds device limits */
    char variant[32];
} clslice_plan_info;

CLSLICE_API CLSLICE_MUST_USE int32_t
clslice_operator_get_plan(const clslice_operator *op, const clslice_compile_options *options,
                          clslice_plan_info *info, clslice_error *error);

/* The validated slice and its plan in words, several lines. text, size, needed: as
 * clslice_device_get_build_log. */
CLSLICE_API CLSLICE_MUST_USE int32_t
clslice_operator_describe(const clslice_operator *op, const clslice_compile_options *options,
                          char *text, uint64_t size, uint64_t *needed, clslice_error *error);

/*
 * IDMLDevice::CompileOperator. Builds every program that a dispatch can need (at most 2, each once
 * per device however many threads ask); takes 0.6 to 1.6 s a program on PoCL, 0.05 s on an NVIDIA
 * driver. A program that the cache did not hold is then run once on scratch memory, in a queue of its own,
 * and its binary written there: 0.1 to 0.3 s more on PoCL, and longer where the device is busy, because
 * the run is waited for. A thread that asks meanwhile for the same program waits, for another one not.
 * From the cache a program takes a few milliseconds.
 * E_FAIL with rule BUILD: the compiler refused; see clslice_device_get_build_log.
 */
CLSLICE_API CLSLICE_MUST_USE int32_t
clslice_operator_compile(clslice_operator *op, const clslice_compile_options *options,
                         clslice_compiled_operator **compiled, clslice_error *error);
CLSLICE_API void clslice_compiled_operator_retain(clslice_compiled_operator *compiled);
CLSLICE_API void clslice_compiled_operator_release(clslice_compiled_operator *compiled);

/* IDMLDispatchable::GetBindingProperties: always all 0, a slice needs no other memory. */
CLSLICE_API CLSLICE_MUST_USE int32_t clslice_compiled_operator_get_binding_properties(
    const clslice_compiled_operator *compiled, struct DML_BINDING_PROPERTIES *properties,
    clslice_error *error);

/* Where a program came from, the dearest first. */
enum {
    CLSLICE_PROGRAM_BUILT = 1,      /* from source, now */
    CLSLICE_PROGRAM_FROM_CACHE = 2, /* from its binary on disk, now */
    CLSLICE_PROGRAM_IN_MEMORY = 3   /* an earlier compile on this device had it */
};

typedef struct clslice_compiled_operator_info {
    uint32_t size;
    uint32_t program_count;     /* 1 or 2 */
    uint32_t program_outcome;   /* CLSLICE_PROGRAM_*: the dearest of them */
    uint32_t host_memory;       /* CLSLICE_HOST_MEMORY_* */
    uint64_t build_nanoseconds; /* spent on getting and saving programs in this compile */
    char variant[32];           /* where both bases are 16-byte aligned */
    char variant_unaligned[32]; /* where they are only aligned to the element */
    uint32_t element_bytes;
    uint32_t element_bytes_unaligned;
    char cache_reason[64]; /* why a program did not come from the cache; empty where it did */
} clslice_compiled_operator_info;

CLSLICE_API CLSLICE_MUST_USE int32_t
clslice_compiled_operator_get_info(const clslice_compiled_operator *compiled,
                                   clslice_compiled_operator_info *info, clslice_error *error);

/* ---- Dispatch --------------------------------------------------------------------------------- */

enum {
    CLSLICE_BINDING_NONE = 0,   /* refused: SLICE1 has no optional tensor */
    CLSLICE_BINDING_CL_MEM = 1, /* handle: a cl_mem buffer or sub-buffer of the device's context */
    CLSLICE_BINDING_HOST = 2, /* handle: the caller's array, wherever and however aligned it lies */
    CLSLICE_BINDING_SVM = 3,  /* handle: what clSVMAlloc returned for the device's context */
    CLSLICE_BINDING_USM = 4,  /* reserved: E_NOTIMPL */
    CLSLICE_BINDING_DEVICE_ADDRESS = 5 /* reserved: E_NOTIMPL */
};

/*
 * Where a tensor lies: `size` bytes from `offset` bytes behind the handle. The offset is a multiple
 * of the larger of the element size and the tensor's GuaranteedBaseOffsetAlignment; the size is at
 * least (last addressable element + 1) * element size, not rounded. Sizes of host memory and SVM
 * cannot be checked. The input's and the output's ranges must not overlap, even where their elements
 * only interleave: judged inside one parent buffer, and by address for host memory and SVM. SVM, and a
 * cl_mem over host memory (CL_MEM_USE_HOST_PTR), must put the tensor at a multiple of the element size.
 *
 * 64 bytes for ever, 60 on i386: elements of arrays cannot grow.
 */
typedef struct clslice_binding {
    uint32_t kind; /* CLSLICE_BINDING_* */
    uint32_t reserved0;
    void *handle; /* an input's memory is never written */
    uint64_t offset;
    uint64_t size;
    uint64_t reserved[4];
} clslice_binding;

typedef struct clslice_dispatch_desc {
    uint32_t size;
    uint32_t flags; /* 0: none is defined */
    struct _cl_command_queue
        *queue; /* of the device's context and device; NULL: the device's own */
    const clslice_binding *inputs;
    const clslice_binding *outputs;
    uint32_t input_count;  /* 1 */
    uint32_t output_count; /* 1 */
    /* Events of the device's context to wait for, as in OpenCL; the queue's own order holds too. Where
     * one of them fails, nothing is written. A user event must complete in the end, with an error if not
     * otherwise: see clslice_device_release. */
    struct _cl_event *const *wait_events;
    uint32_t wait_count;
    uint32_t reserved;
} clslice_dispatch_desc;

/*
 * Enqueues the slice and returns without waiting. `event`, where not NULL, receives a cl_event that
 * completes with the slice: an ordinary one, to be waited for and released with OpenCL or with the
 * functions below.
 *
 * Lifetimes. The description, arrays and wait list: the call. A cl_mem, the operator and the device:
 * may be released once the call has returned. Host and SVM memory: until the event completes.
 *
 * Queues. The queue may be in order or out of order; steps of one dispatch are chained by events, and
 * each waits for `wait_events`. clslice never finishes and never flushes a queue that the host named;
 * flush it before waiting for the event on another queue, as OpenCL asks.
 *
 * Failed wait events. The failure is the event's status. PoCL 3.1 ends the process where it stops a
 * command whose event was released before, anybody's: keep `event` as long as what it waits for may fail.
 * Intel's CPU runtime does where it stops anything in an out-of-order queue.
 *
 * Bytes. Reads touch only the bound range, of host memory only the tensor's own span. Writes touch
 * only the bytes of addressed elements: bytes between and behind them keep what they hold and are
 * not even rewritten with it.
 *
 * Host memory. Used where it lies under fine-grain system SVM and on CPU devices that keep no copies of
 * it (see CLSLICE_HOST_MEMORY_STAGED), except a base that is not aligned to the element; else staged
 * through at most `staging_bytes` of device memory per queue in use, or, in a queue out of order, per
 * dispatch under way that has events to wait for. Staged output comes without its gaps and is spread by
 * the driver, in as few commands as rectangles allow. What exceeds a limit of the device is split into
 * several launches.
 *
 * NVIDIA's driver blocks inside the call while it copies from or to host memory that it did not allocate,
 * unless an event of `wait_events` has yet to end; other dispatches that stage host memory on the same
 * device then wait with it. There, and nowhere else, the call itself waits for output with gaps, whoever
 * allocated its memory, and spreads it on the calling thread; not where such an event has yet to end.
 *
 * Also returns DXGI_ERROR_UNSUPPORTED: an SVM binding on a device without SVM.
 *
 * A failed dispatch has enqueued nothing that writes the output, with one exception: host memory may
 * be moved in several steps, and those before the one that failed run on. After a failed dispatch of
 * host memory, keep it alive until the queue has finished (clslice_device_finish). A failure after
 * enqueue is the event's status.
 */
CLSLICE_API CLSLICE_MUST_USE int32_t clslice_dispatch(clslice_compiled_operator *compiled,
                                                      const clslice_dispatch_desc *desc,
                                                      struct _cl_event **event,
                                                      clslice_error *error);

/* For hosts without OpenCL. wait: until it has completed, also where the driver's own waiting ends too
 * early, as that of PoCL's device `basic` may; E_FAIL with its code where it failed. */
CLSLICE_API CLSLICE_MUST_USE int32_t clslice_event_wait(clslice_device *device,
                                                        struct _cl_event *event,
                                                        clslice_error *error);
/* S_OK: complete; S_FALSE: not yet (and flushes the queue that clslice made, if it made one, so that
 * polling ends); E_FAIL: it failed. */
CLSLICE_API CLSLICE_MUST_USE int32_t clslice_event_get_status(clslice_device *device,
                                                              struct _cl_event *event,
                                                              clslice_error *error);
/* Needs the device that the event came from: without one, nothing is released. */
CLSLICE_API void clslice_event_release(clslice_device *device, struct _cl_event *event);
/* Waits until all that the device's default queue holds has ended, rightly or not: no dispatch on it, a
 * failed one neither, then still uses the memory that it was given. */
CLSLICE_API int32_t clslice_device_finish(clslice_device *device, clslice_error *error);

/*
 * Slices host memory in one call: creates and compiles the operator, binds the memory, dispatches on the device's
 * default queue and waits. `input` and `output` are where the tensors begin, with as many bytes as a binding of host
 * memory needs (see clslice_binding). Returns what those functions would. When it returns, with whatever
 * status, nothing uses the memory any more; where it fails, it first waits until the default queue is
 * empty, and may have written some of the output.
 *
 * After the first run of a slice the programs are there, and compiling takes microseconds. To slice on a
 * queue of the host's, in cl_mem or without waiting, use the functions above.
 */
CLSLICE_API CLSLICE_MUST_USE int32_t clslice_run(clslice_device *device,
                                                 const struct DML_OPERATOR_DESC *desc,
                                                 const void *input, uint64_t input_bytes,
                                                 void *output, uint64_t output_bytes,
                                                 clslice_error *error);

/* ---- The table -------------------------------------------------------------------------------- */

/*
 * Every function above, in a table that is constant for the life of the process and only ever
 * appended to: compare `size` before using a member that a later version added.
 */
struct clslice_api {
    uint32_t size; /* bytes */
    uint32_t abi;  /* CLSLICE_ABI_VERSION of the library */
    const char *version;
    int32_t (*device_enumerate)(const clslice_device_options *, uint32_t, clslice_device_info *,
                                clslice_error *);
    int32_t (*device_create)(const clslice_device_options *, clslice_device **, clslice_error *);
    void (*device_retain)(clslice_device *);
    void (*device_release)(clslice_device *);
    int32_t (*device_get_info)(const clslice_device *, clslice_device_info *, clslice_error *);
    int32_t (*device_get_opencl)(const clslice_device *, clslice_opencl_objects *, clslice_error *);
    void *(*device_get_proc)(const clslice_device *, const char *);
    int32_t (*device_check_feature_support)(const clslice_device *, uint32_t, uint32_t,
                                            const void *, uint32_t, void *, clslice_error *);
    int32_t (*device_get_build_log)(clslice_device *, char *, uint64_t, uint64_t *,
                                    clslice_error *);
    int32_t (*operator_create)(clslice_device *, const struct DML_OPERATOR_DESC *,
                               clslice_operator **, clslice_error *);
    void (*operator_retain)(clslice_operator *);
    void (*operator_release)(clslice_operator *);
    int32_t (*operator_get_alias)(const clslice_operator *, clslice_alias *, clslice_error *);
    int32_t (*operator_get_plan)(const clslice_operator *, const clslice_compile_options *,
                                 clslice_plan_info *, clslice_error *);
    int32_t (*operator_describe)(const clslice_operator *, const clslice_compile_options *, char *,
                                 uint64_t, uint64_t *, clslice_error *);
    int32_t (*operator_compile)(clslice_operator *, const clslice_compile_options *,
                                clslice_compiled_operator **, clslice_error *);
    void (*compiled_operator_retain)(clslice_compiled_operator *);
    void (*compiled_operator_release)(clslice_compiled_operator *);
    int32_t (*compiled_operator_get_binding_properties)(const clslice_compiled_operator *,
                                                        struct DML_BINDING_PROPERTIES *,
                                                        clslice_error *);
    int32_t (*compiled_operator_get_info)(const clslice_compiled_operator *,
                                          clslice_compiled_operator_info *, clslice_error *);
    int32_t (*dispatch)(clslice_compiled_operator *, const clslice_dispatch_desc *,
                        struct _cl_event **, clslice_error *);
    int32_t (*event_wait)(clslice_device *, struct _cl_event *, clslice_error *);
    int32_t (*event_get_status)(clslice_device *, struct _cl_event *, clslice_error *);
    void (*event_release)(clslice_device *, struct _cl_event *);
    int32_t (*device_get_cache_counters)(const clslice_device *, clslice_cache_counters *,
                                         clslice_error *);
    int32_t (*cache_get_info)(const clslice_device_options *, clslice_cache_info *,
                              clslice_error *);
    int32_t (*cache_enumerate)(const clslice_device_options *, uint32_t, clslice_cache_entry *,
                               clslice_error *);
    int32_t (*cache_clear)(const clslice_device_options *, uint64_t *, clslice_error *);
    int32_t (*device_finish)(clslice_device *, clslice_error *);
    int32_t (*run)(clslice_device *, const struct DML_OPERATOR_DESC *, const void *, uint64_t,
                   void *, uint64_t, clslice_error *);
};

/* NULL where this library does not speak that ABI. Touches no OpenCL, cannot fail otherwise. */
CLSLICE_API const struct clslice_api *clslice_get_api(uint32_t abi);

/* ---- Layouts, for hosts in other languages (64-bit pointers) ----------------------------------- */

#ifdef __cplusplus
#define CLSLICE_ASSERT_SIZE(type, bytes) static_assert(sizeof(type) == (bytes), #type)
#else
#define CLSLICE_ASSERT_SIZE(type, bytes) _Static_assert(sizeof(type) == (bytes), #type)
#endif
#if UINTPTR_MAX == UINT64_MAX
CLSLICE_ASSERT_SIZE(clslice_error, 1024);
CLSLICE_ASSERT_SIZE(clslice_device_options, 112);
CLSLICE_ASSERT_SIZE(clslice_device_info, 1504);
CLSLICE_ASSERT_SIZE(clslice_opencl_objects, 40);
CLSLICE_ASSERT_SIZE(clslice_cache_counters, 72);
CLSLICE_ASSERT_SIZE(clslice_cache_info, 4136);
CLSLICE_ASSERT_SIZE(clslice_cache_entry, 600);
CLSLICE_ASSERT_SIZE(clslice_alias, 24);
CLSLICE_ASSERT_SIZE(clslice_compile_options, 24);
CLSLICE_ASSERT_SIZE(clslice_plan_info, 120);
CLSLICE_ASSERT_SIZE(clslice_compiled_operator_info, 160);
CLSLICE_ASSERT_SIZE(clslice_binding, 64);
CLSLICE_ASSERT_SIZE(clslice_dispatch_desc, 56);
#endif
#undef CLSLICE_ASSERT_SIZE

#ifdef __cplusplus
}
#endif

#endif /* CLSLICE_H */
