/* SPDX-License-Identifier: MIT */
/*
 * Many slices of one tensor in one dispatch, to be measured: in which shapes, and in which ways.
 * Whatever fails ends the program with 1 and a message. One thread.
 */
#ifndef CLSLICE_BENCH_BATCH_SUBJECT_H
#define CLSLICE_BENCH_BATCH_SUBJECT_H

#include <CL/cl.h>
#include <clslice/clslice.h>
#include <stdint.h>

enum { RANK = 4, IN_A_ROW = 20 };

/* The device that CLSLICE_DEVICE names, and an input of random bytes. */
struct bench {
    clslice_device *device;
    clslice_opencl_objects objects;
    cl_mem input;
    uint64_t bytes; /* of the input */
    /* Bytes read and written a microsecond by a large copy, the best of some: by
     * clEnqueueCopyBuffer, by a dispatch, and by the faster one. */
    double driver_rate, dispatch_rate, copy_rate;
    clslice_device_info info;
};

void bench_open(struct bench *bench, uint64_t bytes);
void bench_close(struct bench *bench);

/* Items of elements without gaps between them, and where they lie. */
struct subject {
    uint32_t type, bytes; /* of an element; type: a DML_TENSOR_DATA_TYPE */
    uint32_t in[RANK], item[RANK];
    int32_t step[RANK]; /* 0: 1 */
    uint32_t count;
    uint32_t axis, axes; /* the tables' */
    int scatters;        /* item i goes to indices[i], and is read from coordinate i of `axis` */
    int is_regular;      /* the whole: items at regular places, not one crop of as many bytes */
    uint32_t *windows;   /* owned; rows of `axes` offsets */
    uint32_t *indices;   /* owned */
    cl_mem output, window_table, index_table;
    clslice_compiled_operator *batch, *single, *whole;
    uint64_t floor_bytes; /* of the whole, as in clslice_plan_info */
};

/* Draws the tables of a subject, and compiles it. */
void subject_open(struct subject *subject, const struct bench *bench);
void subject_close(struct subject *subject, const struct bench *bench);

uint64_t subject_item_bytes(const struct subject *subject);

enum way {
    HOST_TABLE,
    DEVICE_TABLE,
    WHOLE, /* one dispatch of as many bytes */
    LOOP,  /* of dispatches */
    WAYS
};

/* Microseconds from the call to completion. */
double subject_run(const struct subject *subject, const struct bench *bench, enum way way);

/* Of one among IN_A_ROW of them; not of loops. */
double subject_run_in_a_row(const struct subject *subject, const struct bench *bench, enum way way);

/* Orders the numbers. */
double median(double *numbers, int count);

/* A number below `count`. The same sequence in each run, from the seed on. */
uint32_t draw(uint32_t count);
void draw_seed(uint64_t seed);

#endif
