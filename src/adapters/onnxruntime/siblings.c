/* SPDX-License-Identifier: MIT */
#include "siblings.h"

#include "host_copy.h"
#include "slice1.h"
#include "staged.h"

static OrtStatus *fail(const struct provider *provider, const clslice_error *error)
{
    return host_error(provider->host, ORT_EP_FAIL, "%s", error->text);
}

static bool is_for_device(const struct provider *provider, const struct window *window,
                          uint32_t element_bytes)
{
    return provider_wants(provider, window, element_bytes) && slice1_can(window);
}

/* Moves those that are for the device to the front, and returns how many. */
static size_t sort_for_device(const struct provider *provider, struct piece *pieces, size_t count,
                              uint32_t element_bytes)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; ++i) {
        const struct piece piece = pieces[i];
        if (!is_for_device(provider, &piece.window, element_bytes))
            continue;
        pieces[i] = pieces[kept];
        pieces[kept++] = piece;
    }
    return kept;
}

/* One by one. */
static int32_t warm_each(const struct provider *provider, uint32_t element_bytes,
                         const struct piece *pieces, size_t count, clslice_error *error)
{
    int32_t result = CLSLICE_S_OK;
    for (size_t i = 0; result == CLSLICE_S_OK && i < count; ++i)
        result = slice1_warm(provider->device, &pieces[i].window, element_bytes, error);
    return result;
}

static int32_t run_each(struct provider *provider, uint32_t element_bytes, const void *from,
                        const struct piece *pieces, size_t count, clslice_error *error)
{
    int32_t result = CLSLICE_S_OK;
    for (size_t i = 0; result == CLSLICE_S_OK && i < count; ++i) {
        result = slice1_run(provider->device, &pieces[i].window, element_bytes, from, pieces[i].to,
                            error);
        provider->report.uploads += provider->memory.most_bytes > 0;
        ++provider->report.launches;
    }
    return result;
}

/* In place, a batch would write one buffer and not the outputs. */
static bool are_staged(struct provider *provider, uint32_t element_bytes, struct piece *pieces,
                       size_t count, struct staged *staged)
{
    if (provider->memory.most_bytes == 0 || count < 2)
        return false;
    *staged = staged_from(&provider->memory, element_bytes, pieces, count);
    return staged_suits(staged);
}

static int32_t run_staged(struct provider *provider, struct staged *staged, const void *from,
                          clslice_error *error)
{
    const int32_t result = staged_run(staged, from, error);
    if (result != CLSLICE_S_OK)
        return result;
    ++provider->report.uploads;
    provider->report.launches += staged->launches;
    provider->report.saved_bytes += staged->alone_bytes - staged->up_bytes;
    return result;
}

/* Where the device has no room for them all, each may still find some. Some drivers find that out
 * behind the call. */
static bool lacks_room(int32_t result, const clslice_error *error)
{
    enum { ALLOCATION_FAILURE = -4, OUT_OF_RESOURCES = -5, OUT_OF_HOST_MEMORY = -6 }; /* OpenCL's */
    return result == CLSLICE_E_OUTOFMEMORY || error->opencl == ALLOCATION_FAILURE ||
           error->opencl == OUT_OF_RESOURCES || error->opencl == OUT_OF_HOST_MEMORY;
}

OrtStatus *siblings_warm(struct provider *provider, uint32_t element_bytes, struct piece *pieces,
                         size_t count)
{
    clslice_error error = {.size = sizeof error};
    struct staged staged;
    count = sort_for_device(provider, pieces, count, element_bytes);
    if (are_staged(provider, element_bytes, pieces, count, &staged)) {
        const int32_t result = staged_warm(&staged, &error);
        if (result == CLSLICE_S_OK)
            return NULL;
        if (!lacks_room(result, &error))
            return fail(provider, &error);
    }
    return warm_each(provider, element_bytes, pieces, count, &error) == CLSLICE_S_OK
               ? NULL
               : fail(provider, &error);
}

OrtStatus *siblings_run(struct provider *provider, uint32_t element_bytes, const void *from,
                        struct piece *pieces, size_t count)
{
    clslice_error error = {.size = sizeof error};
    struct staged staged;
    const size_t kept = sort_for_device(provider, pieces, count, element_bytes);
    for (size_t i = kept; i < count; ++i)
        host_copy(&pieces[i].window, element_bytes, from, pieces[i].to);
    if (are_staged(provider, element_bytes, pieces, kept, &staged)) {
        const int32_t result = run_staged(provider, &staged, from, &error);
        if (result == CLSLICE_S_OK)
            return NULL;
        if (!lacks_room(result, &error))
            return fail(provider, &error);
        host_log(provider->host, ORT_LOGGING_LEVEL_INFO, "one by one: %s", error.text);
    }
    return run_each(provider, element_bytes, from, pieces, kept, &error) == CLSLICE_S_OK
               ? NULL
               : fail(provider, &error);
}
