/* SPDX-License-Identifier: MIT */
#include "runtime/programs/binary_writer.h"

#include "runtime/programs/scratch_run.h"

#include <stdlib.h>

/* Size and bytes are asked for back to back: some drivers give another size each time. */
static unsigned char *binary_of(struct clslice_device *device, cl_program program, size_t *size)
{
    const struct cl_api *cl = &device->cl;
    *size = 0;
    if (cl->clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof *size, size, NULL) !=
            CL_SUCCESS ||
        *size == 0 || *size > ENTRY_BYTES_MAX)
        return NULL;
    unsigned char *bytes = calloc(1, *size);
    if (bytes && cl->clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL) !=
                     CL_SUCCESS) {
        free(bytes);
        bytes = NULL;
    }
    return bytes;
}

/* `reason`: why it was not saved; NULL: it was. */
static void count_and_trace(struct clslice_device *device, const struct hash_part *key, size_t size,
                            const char *reason)
{
    char name[HASH_TEXT_SIZE];
    struct hash digest = hash_of(key, 1);
    hash_text(&digest, name);
    if (reason)
        log_append(&device->log, LOG_CACHE, CLSLICE_LOG_INFO, "cache: no SAVE %s (%s)", name,
                   reason);
    else
        log_append(&device->log, LOG_CACHE, CLSLICE_LOG_INFO, "cache: SAVE %s, %zu bytes", name,
                   size);
    atomic_fetch_add(reason ? &device->cache.counters.unsaved : &device->cache.counters.saved, 1);
}

bool binary_write(struct clslice_device *device, cl_program program, struct program_kernel kernel,
                  size_t local_size, const struct hash_part *key)
{
    clslice_error error = {.size = sizeof error};
    const char *reason;
    size_t size = 0;
    /* Before anything that costs as much as a build. */
    bool saved = cache_can_put(device->cache.files, &reason);
    bool ran = saved && scratch_run(device, program, kernel, local_size, &error) == CLSLICE_S_OK;
    if (saved && !ran)
        reason = error.text;
    unsigned char *bytes = ran ? binary_of(device, program, &size) : NULL;
    if (ran && !bytes)
        reason = "the driver returns no binary";
    const struct hash_part payload = {bytes, size};
    saved = bytes && cache_put(device->cache.files, key, &payload, &reason);
    count_and_trace(device, key, size, saved ? NULL : reason);
    free(bytes);
    return ran;
}
