/* SPDX-License-Identifier: MIT */
/* Every operation of the public ABI that can fail, each with what must stand before it and what
 * must be true after it: the tests of faults go through this list. All on the fake machine. */
#ifndef CLSLICE_TESTS_SUPPORT_FAKE_CL_FAULT_STEPS_H
#define CLSLICE_TESTS_SUPPORT_FAKE_CL_FAULT_STEPS_H

#include "clslice/clslice.h"
#include "support/fake_cl/fake_cl.h"
#include "support/fake_cl/fault_shapes.h"

enum step_action {
    ACT_ENUMERATE,
    ACT_CREATE,
    ACT_CREATE_IN_CONTEXT, /* a host's context, and its queue where the step has one */
    ACT_OPERATOR,
    ACT_COMPILE,
    ACT_DISPATCH,
    ACT_WAIT,
    ACT_STATUS,
    ACT_FINISH,
    ACT_RUN, /* of host memory */
    ACT_RELEASE
};

enum step_memory {
    MEMORY_CL,
    MEMORY_HOST,
    MEMORY_HOST_ODD /* not even element-aligned */,
    MEMORY_SVM
};

enum {
    STEP_GPU = 0x1, /* else a CPU */
    STEP_SYSTEM_SVM = 0x2,
    STEP_SMALL_LIMIT = 0x4,   /* 1 MiB for one buffer */
    STEP_QUEUE = 0x8,         /* a queue of the host's, in order */
    STEP_OUT_OF_ORDER = 0x10, /* that queue is out of order */
    STEP_WAITS = 0x20,        /* for an event that is still to complete */
    STEP_EVENT = 0x40,        /* asks for the event */
    STEP_WARM = 0x80,
    STEP_CACHE = 0x100,      /* a program cache, empty */
    STEP_CACHED = 0x200,     /* that holds the program */
    STEP_PARTIAL = 0x400,    /* a failure may leave part of the output written */
    STEP_MANY_WAITS = 0x800, /* for that event several times */
    STEP_BLOCKS = 0x1000,    /* a driver that blocks while it copies host memory */
    STEP_BATCH = 0x2000,  /* of two items, of which the second breaks a rule; tables on the host */
    STEP_TABLES = 0x4000, /* the same with tables on the device */
    STEP_MANY_ITEMS = 0x8000, /* more, all but the first broken, than kernels take by value */
    STEP_NO_TABLES = 0x10000  /* of STEP_BATCH: one item, and no tables */
};

struct step {
    const char *name;
    enum step_action action;
    enum step_shape shape;
    enum step_memory memory;
    unsigned traits;
};

extern const struct step steps[];
extern const int step_count;

struct world {
    const struct step *step;
    clslice_device_options options;
    clslice_device *device;
    clslice_operator *op;
    clslice_compiled_operator *compiled;
    cl_context context;
    cl_command_queue queue;
    cl_event gate;         /* to wait for */
    cl_event event;        /* of the dispatch */
    cl_mem in, out, table; /* `table` of STEP_TABLES */
    unsigned char *in_bytes, *out_bytes, *expected;
    unsigned char *in_block, *out_block; /* owned */
    size_t in_size, out_size;
    size_t salt; /* of the input's bytes */
    struct {     /* out-parameters of the operation */
        clslice_device *device;
        clslice_operator *op;
        clslice_compiled_operator *compiled;
        cl_event event;
        clslice_device_info info;
    } made;
};

/* The device options of all tests here: the fake's functions, no environment, and the cache at this
 * path; NULL: no cache. */
clslice_device_options fake_options(const char *cache_path);

/* A folder of this name below the current one, absolute. */
const char *cache_folder_named(const char *name);

cl_context world_context(const struct world *world); /* of its device */

/* Everything that comes before the step's operation. */
void world_open(struct world *world, const struct step *step);

/* The same on the machine as it is, with these options. */
void world_open_on(struct world *world, const struct step *step,
                   const clslice_device_options *options);

/* The operation, without assertions. */
int32_t world_act(struct world *world, clslice_error *error);

/* The operation, asserted to succeed. */
void world_do(struct world *world);

/* After a failed operation: asserts that no out-parameter and no byte of the output was written,
 * and completes what runs. */
void world_check_untouched(struct world *world);

/* Asserts that no byte of the output was written. */
void world_check_unwritten(const struct world *world);

/* After the operation has succeeded: asserts what it was to do. */
void world_check_done(struct world *world);

/* Releases everything; asserts that nothing is left and that nobody misused OpenCL. */
void world_close(struct world *world);

/* Both. */
void world_end(struct world *world);

/* Another caller of an open world's operator, with memory of its own; `queue` is borrowed, NULL:
 * the device's. */
void world_share(struct world *other, const struct world *world, cl_command_queue queue);
void world_unshare(struct world *other);

/* clslice_operator_compile with these flags, which alone may ask for binaries. */
int32_t world_compile(clslice_operator *op, uint32_t flags, clslice_compiled_operator **compiled,
                      clslice_error *error);

/* Compiles the step's program on the world's device. */
void world_save_program(struct world *world);

#endif
