/* SPDX-License-Identifier: MIT */
/* The programs of a device, each in a slot with its own lock, and the log of the last failed
 * build. */
#ifndef CLSLICE_RUNTIME_PROGRAMS_PROGRAM_STORE_H
#define CLSLICE_RUNTIME_PROGRAMS_PROGRAM_STORE_H

#include "core/plan.h"
#include "opencl/cl_api.h"

#include <pthread.h>

/* What a program is compiled for. */
struct program_spec {
    enum plan_variant variant;
    struct plan_pattern pattern;
    uint32_t element_size; /* bytes: 1, 2, 4, 8 or 16 */
    uint32_t index_bits;   /* 32 or 64 */
};

/* One program; program.c fills it, at most once, under its lock. */
struct program_slot {
    struct program_slot *next; /* of the store's list, which only grows; NULL: the last */
    struct program_spec of;
    pthread_mutex_t lock;
    cl_program program; /* owned; NULL until built */
};

struct program_store {
    pthread_mutex_t lock;      /* of what follows */
    struct program_slot *last; /* owned; the newest */
    char *build_log;           /* owned; of the last failed build, NULL: none */
};

void program_store_init(struct program_store *store);
void program_store_release(struct program_store *store, const struct cl_api *cl);

/* The slot of a key, made if need be; NULL: out of memory. */
struct program_slot *program_store_slot(struct program_store *store,
                                        const struct program_spec *spec);

/* Takes over a log from malloc; NULL: none. */
void program_store_set_log(struct program_store *store, char *log);
void program_store_get_log(struct program_store *store, struct text *text);

#endif
