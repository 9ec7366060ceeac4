/* SPDX-License-Identifier: MIT */
/* The fake's objects; for fake_cl*.c alone. */
#ifndef CLSLICE_TESTS_SUPPORT_FAKE_CL_FAKE_CL_INSIDE_H
#define CLSLICE_TESTS_SUPPORT_FAKE_CL_FAKE_CL_INSIDE_H

#include "core/few_items.h"
#include "core/launch.h"
#include "support/fake_cl/fake_cl.h"

enum { FAKE_ARGS = 7, FAKE_NAMES = 8, FAKE_NAME_SIZE = 32, FAKE_HANG_MILLISECONDS = 20000 };

/* The head of every object. It stays in memory until fake_begin, so that a handle can be judged. */
struct fake_object {
    struct fake_object *next;
    enum fake_kind kind;
    unsigned refs; /* of the API's callers */
    unsigned uses; /* of other objects and commands */
};

struct _cl_platform_id {
    uint32_t index;
};

struct _cl_device_id {
    uint32_t index;
};

struct _cl_context {
    struct fake_object object;
    uint32_t device_count;
    cl_device_id devices[FAKE_DEVICES_MAX];
};

struct _cl_command_queue {
    struct fake_object object;
    cl_context context;
    cl_device_id device;
    cl_command_queue_properties properties;
    uint64_t flushed; /* commands up to this number may start */
    uint64_t ran;     /* when its last command ran */
};

struct _cl_mem {
    struct fake_object object;
    cl_context context;
    cl_mem_flags flags;
    size_t size;
    unsigned char *bytes; /* owned unless they are `host` */
    unsigned char *host;  /* of USE_HOST_PTR, else NULL */
};

struct _cl_program {
    struct fake_object object;
    cl_context context;
    cl_device_id device; /* that it was built for */
    bool from_binary, built, ran;
    char *text; /* owned: source, or a binary */
    size_t length;
    size_t told; /* size of the binary as told last */
    char options[512];
    uint32_t element_size;
    uint32_t name_count;
    char names[FAKE_NAMES][FAKE_NAME_SIZE];
};

struct fake_arg {
    bool set, is_mem, was_address; /* at any time so far */
    size_t size;
    union {
        cl_mem mem;
        unsigned char *address;
        struct walk walk;
        struct batch batch;
        struct few_items few;
    } value;
};

struct _cl_kernel {
    struct fake_object object;
    cl_program program;
    bool walk_is_mem;
    uint32_t few_words; /* that it takes; 0: none */
    int arg_count;
    struct fake_arg args[FAKE_ARGS];
    pid_t user; /* the thread that has begun a launch, 0: none */
};

struct _cl_event {
    struct fake_object object;
    cl_command_queue queue; /* NULL: a gate */
    uint64_t number;        /* of the command */
    cl_int status;
    bool was_stopped;                                      /* in secret: see forgets_failures */
    void(CL_CALLBACK *callback)(cl_event, cl_int, void *); /* for when it has ended, or NULL */
    void *callback_user;
};

/* Locks, counts and records the call; returns the code that it shall fail with, or CL_SUCCESS. */
cl_int fake_enter(enum fake_function function, cl_uint what);

/* The same for a call on an object: a code of its kind's where the caller may not use it. */
cl_int fake_enter_with(enum fake_function function, cl_uint what, const void *handle,
                       enum fake_kind kind);

/* Calls a hook of the machine's, if it has one, with the lock given up. */
void fake_call_hook(void (*hook)(void *user));

/* Unlocks and passes the code on. */
cl_int fake_leave(cl_int code);

/* The same for a create function: NULL where the code is a failure. */
void *fake_leave_made(void *object, cl_int code, cl_int *code_out);

/* What may be asked of an object. */
struct fake_fact {
    cl_uint what;
    const void *value;
    size_t size;
};

#define FACT(what, value)             \
    {                                 \
        what, &(value), sizeof(value) \
    }
#define TEXT_FACT(what, text)        \
    {                                \
        what, text, strlen(text) + 1 \
    }

/* Answers a query with the fact that it asks for, unless the code is a failure. */
cl_int fake_answer(cl_int code, const struct fake_fact *facts, size_t count, cl_uint what,
                   size_t room, void *to, size_t *needed);

__attribute__((format(printf, 1, 2))) void fake_violate(const char *format, ...);

/* A new object of so many bytes, all 0, with one reference. */
void *fake_object_new(enum fake_kind kind, size_t size);

/* Whether a caller may use this handle; a handle that was released for good is a violation. */
bool fake_is(const void *handle, enum fake_kind kind);

/* The whole of a retain function; and of a release function, what is between its ends. */
cl_int fake_retain(enum fake_function function, void *handle, enum fake_kind kind);
cl_int fake_release(void *handle, enum fake_kind kind, cl_int fault);
void fake_use(void *object);
void fake_unuse(void *object);

/* The most work-items of a group of any kernel. */
size_t fake_group_size(cl_device_id device);

/* Between a first clSetKernelArg and its launch, or a failure, a kernel is one thread's alone. */
void fake_kernel_begin(cl_kernel kernel);
void fake_kernel_end(cl_kernel kernel);

/* What an object gives back when nobody holds it any more. */
void fake_destroy(struct fake_object *object);

/* Commands; with the lock held. */
void fake_pump(void);
void fake_drop_commands(void);
void fake_wait(void);

/* Tells who asked for it that an event has ended, with the lock given up, as drivers do. */
void fake_call_back(cl_event event);

/* Runs a kernel: with the lock held, for a valid launch. */
void fake_walk(const struct fake_arg args[FAKE_ARGS], const struct _cl_program *program,
               size_t global_size);

#endif
