/* SPDX-License-Identifier: MIT */
/* Siblings on a device with memory of its own: their input goes up once, those of one shape are one
 * launch, and each comes down into its own output. */
#ifndef CLSLICE_ADAPTERS_ONNXRUNTIME_STAGED_H
#define CLSLICE_ADAPTERS_ONNXRUNTIME_STAGED_H

#include "buffers.h"
#include "pieces.h"

struct staged {
    struct memory *memory; /* borrowed */
    uint32_t element_bytes;
    struct piece *pieces; /* borrowed; their order changes */
    size_t count;
    /* What is uploaded, and what each piece alone would have uploaded of it, all in all. */
    struct box box;
    uint64_t up_bytes, alone_bytes;
    uint64_t down_bytes; /* of the outputs on the device */
    size_t launches;     /* of the pieces that have run */
};

/* Of one piece at least. */
struct staged staged_from(struct memory *memory, uint32_t element_bytes, struct piece *pieces,
                          size_t count);

/* Whether it is worth it, and the device has such buffers: pieces that lie far apart would upload
 * what is between them. */
bool staged_suits(const struct staged *staged);

/* Builds what a run needs, and tries it out. */
int32_t staged_warm(struct staged *staged, clslice_error *error);
/* Returns when it is done. `from` is the whole input. An error says nothing of the outputs. */
int32_t staged_run(struct staged *staged, const void *from, clslice_error *error);

#endif
