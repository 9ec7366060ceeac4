/* SPDX-License-Identifier: MIT */
/* Windows of one input, each an output of its own, that a run takes together. */
#ifndef CLSLICE_ADAPTERS_ONNXRUNTIME_SIBLINGS_H
#define CLSLICE_ADAPTERS_ONNXRUNTIME_SIBLINGS_H

#include "pieces.h"
#include "provider.h"

/* Builds what later runs of these windows need, and tries it out. The order of the pieces
 * changes. */
OrtStatus *siblings_warm(struct provider *provider, uint32_t element_bytes, struct piece *pieces,
                         size_t count);

/* Returns when it is done. `from` is the whole input. The order of the pieces changes. */
OrtStatus *siblings_run(struct provider *provider, uint32_t element_bytes, const void *from,
                        struct piece *pieces, size_t count);

#endif
