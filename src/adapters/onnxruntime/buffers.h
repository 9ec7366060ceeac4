/* SPDX-License-Identifier: MIT */
/* An input and an output in the memory of a device, and commands with them in its default queue,
 * which keeps their order. */
#ifndef CLSLICE_ADAPTERS_ONNXRUNTIME_BUFFERS_H
#define CLSLICE_ADAPTERS_ONNXRUNTIME_BUFFERS_H

#include <clslice/clslice.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

struct pair {
    struct _cl_mem *in, *out; /* NULL: none */
    uint64_t in_bytes, out_bytes;
};

/* A device's own memory, and the pair of buffers that the last to close left to the next to open:
 * new memory can cost more than what is copied to it. */
struct memory {
    clslice_device *device; /* borrowed */
    uint64_t most_bytes;    /* of a buffer; 0: the device uses host memory in place */
    uint64_t kept_bytes;    /* of a pair that is left */
    pthread_mutex_t lock;   /* of the pair */
    struct pair pair;
};

void memory_release(struct memory *memory);

struct buffers {
    struct memory *memory; /* borrowed */
    struct _cl_command_queue *queue;
    struct pair pair;
    struct _cl_event **events; /* owned: of the commands */
    size_t count;
    bool is_done; /* all of them */
};

/* Of these bytes at least, and for at most so many commands. Close it also where it fails. */
int32_t buffers_open(struct buffers *buffers, struct memory *memory, uint64_t in_bytes,
                     uint64_t out_bytes, size_t most, clslice_error *error);
/* When no command is under way. */
void buffers_close(struct buffers *buffers);

/* To the input, from its start on. */
int32_t buffers_write(struct buffers *buffers, const void *from, uint64_t bytes,
                      clslice_error *error);
/* Where the event of a command of others goes, one of the most. */
struct _cl_event **buffers_event(struct buffers *buffers);
/* From the output. */
int32_t buffers_read(struct buffers *buffers, uint64_t offset, uint64_t bytes, void *to,
                     clslice_error *error);

/* Until all commands have ended, or one has failed. */
int32_t buffers_wait(struct buffers *buffers, clslice_error *error);

#endif
