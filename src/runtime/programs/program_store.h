/* SPDX-License-Identifier: MIT */
/* The programs of a device, each in a slot with its own lock, and the log of the last failed
 * build. */
#ifndef CLSLICE_RUNTIME_PROGRAMS_PROGRAM_STORE_H
#define CLSLICE_RUNTIME_PROGRAMS_PROGRAM_STORE_H

#include "core/plan.h"
#include "opencl/cl_api.h"

#include <pthread.h>

/* What a program's kernel is: a variant, for single slices or for batches. */
struct program_kernel {
    enum plan_variant variant;
    bool has_tables;    /* of a batch's items, or */
    uint32_t few_words; /* their origins by value; 0: no */
};

/* Its name in the program. */
const char *program_kernel_name(struct program_kernel kernel);

/* One program; program.c fills it, at most once, under its lock. */
struct program_slot {
    struct program_slot *next; /* of the store's list, which only grows; NULL: the last */
    struct program_kernel kernel;
    char *options; /* owned; of the compiler, whole: what the variant is compiled for */
    pthread_mutex_t lock;
    cl_program program; /* owned; NULL until built */
};

struct program_store {
    pthread_mutex_t lock;      /* of what follows */
    struct program_slot *last; /* owned; the newest */
    char *build_log;           /* owned; of the last failed build, NULL: none */
};

void program_store_release(struct program_store *store, const struct cl_api *cl);

/* The slot of a kernel with these options, made if need be; NULL: out of memory. Takes over the
 * options, from malloc. */
struct program_slot *program_store_slot(struct program_store *store, struct program_kernel kernel,
                                        char *options);

/* Takes over a log from malloc; NULL: none. */
void program_store_set_log(struct program_store *store, char *log);
/* Empty where no build failed. */
void program_store_get_log(struct program_store *store, struct text *text);

#endif
