/* SPDX-License-Identifier: MIT */
#include "staged.h"

#include "slice1.h"

#include <stdio.h>
#include <stdlib.h>

/* Outputs begin at multiples of this in their buffer: kernels then write whole words. */
enum { OUTPUT_ALIGNMENT = 64 };

/* ---- Before anything is enqueued ---- */

static uint64_t bytes_of(const struct staged *staged, const struct piece *piece)
{
    return window_elements_of(piece->window.count, piece->window.rank) * staged->element_bytes;
}

static uint64_t pitch_of(const struct staged *staged, const struct piece *piece)
{
    return (bytes_of(staged, piece) + OUTPUT_ALIGNMENT - 1) / OUTPUT_ALIGNMENT * OUTPUT_ALIGNMENT;
}

struct staged staged_from(struct memory *memory, uint32_t element_bytes, struct piece *pieces,
                          size_t count)
{
    struct staged staged = {.memory = memory,
                            .element_bytes = element_bytes,
                            .pieces = pieces,
                            .count = count,
                            .box = pieces_box(pieces, count)};
    staged.up_bytes = staged.box.span * element_bytes;
    for (size_t i = 0; i < count; ++i) {
        staged.alone_bytes += pieces_box(&pieces[i], 1).span * element_bytes;
        staged.down_bytes += pitch_of(&staged, &pieces[i]);
    }
    return staged;
}

bool staged_suits(const struct staged *staged)
{
    const uint64_t most_bytes = staged->memory->most_bytes;
    return staged->up_bytes <= staged->alone_bytes && staged->up_bytes <= most_bytes &&
           staged->down_bytes <= most_bytes;
}

/* ---- Pieces that are alike: one operator ---- */

static int32_t compile(const struct staged *staged, const struct piece *alike, size_t count,
                       uint32_t flags, clslice_compiled_operator **compiled, clslice_error *error)
{
    const struct window window = box_window(&staged->box, &alike->window);
    struct slice1 slice1;
    slice1_describe(&window, staged->box.strides, staged->element_bytes, &slice1);
    return slice1_compile(staged->memory->device, &slice1,
                          flags | (count > 1 ? CLSLICE_COMPILE_FLAG_BATCH : 0), compiled, error);
}

/* Where each reads, in the dimensions in which that differs. */
static void fill(const struct staged *staged, const struct piece *alike, size_t count, size_t axis,
                 size_t axes, uint32_t *table)
{
    for (size_t i = 0; i < count; ++i)
        for (size_t d = axis; d < axis + axes; ++d)
            *table++ = (uint32_t)(window_low(&alike[i].window, d) - staged->box.low[d]);
}

static int32_t dispatch(const struct staged *staged, clslice_compiled_operator *compiled,
                        const struct piece *alike, size_t count, const clslice_binding *in,
                        const clslice_binding *out, struct _cl_event **event, clslice_error *error)
{
    size_t axis, axes;
    pieces_axes(alike, count, &axis, &axes);
    uint32_t *table = malloc(count * axes * sizeof *table);
    if (!table) {
        snprintf(error->text, sizeof error->text, "out of memory for %zu places", count);
        return CLSLICE_E_OUTOFMEMORY;
    }
    fill(staged, alike, count, axis, axes, table);
    const clslice_batch batch = {
        .size = sizeof batch,
        .count = count,
        .window = {CLSLICE_BINDING_HOST, .handle = table, .size = count * axes * sizeof *table},
        .window_axis = (uint32_t)axis,
        .window_axis_count = (uint32_t)axes,
        .output_pitch = pitch_of(staged, alike) / staged->element_bytes};
    const clslice_dispatch_desc desc = {.size = sizeof desc,
                                        .inputs = in,
                                        .outputs = out,
                                        .input_count = 1,
                                        .output_count = 1,
                                        .batch = count > 1 ? &batch : NULL};
    const int32_t result = clslice_dispatch(compiled, &desc, event, error);
    free(table);
    return result;
}

/* ---- A run ---- */

static int32_t launch(struct staged *staged, struct buffers *buffers, clslice_error *error)
{
    const clslice_binding in = {CLSLICE_BINDING_CL_MEM, .handle = buffers->pair.in,
                                .size = staged->up_bytes};
    clslice_binding out = {CLSLICE_BINDING_CL_MEM, .handle = buffers->pair.out};
    int32_t result = CLSLICE_S_OK;
    for (size_t i = 0, n; result == CLSLICE_S_OK && i < staged->count; i += n) {
        struct piece *alike = &staged->pieces[i];
        clslice_compiled_operator *compiled = NULL;
        n = pieces_alike(alike, staged->count - i);
        out.size = n * pitch_of(staged, alike);
        result = compile(staged, alike, n, 0, &compiled, error);
        if (result == CLSLICE_S_OK)
            result = dispatch(staged, compiled, alike, n, &in, &out, buffers_event(buffers), error);
        clslice_compiled_operator_release(compiled);
        out.offset += out.size;
        ++staged->launches;
    }
    return result;
}

static int32_t read_all(const struct staged *staged, struct buffers *buffers, clslice_error *error)
{
    uint64_t at = 0;
    int32_t result = CLSLICE_S_OK;
    for (size_t i = 0; result == CLSLICE_S_OK && i < staged->count; ++i) {
        const struct piece *piece = &staged->pieces[i];
        result = buffers_read(buffers, at, bytes_of(staged, piece), piece->to, error);
        at += pitch_of(staged, piece);
    }
    return result;
}

int32_t staged_run(struct staged *staged, const void *from, clslice_error *error)
{
    const char *first = (const char *)from + staged->box.first * staged->element_bytes;
    const size_t most = 1 + 2 * staged->count; /* a write; launches and reads */
    struct buffers buffers;
    int32_t result =
        buffers_open(&buffers, staged->memory, staged->up_bytes, staged->down_bytes, most, error);
    if (result == CLSLICE_S_OK)
        result = buffers_write(&buffers, first, staged->up_bytes, error);
    if (result == CLSLICE_S_OK)
        result = launch(staged, &buffers, error);
    if (result == CLSLICE_S_OK)
        result = read_all(staged, &buffers, error);
    if (result == CLSLICE_S_OK)
        result = buffers_wait(&buffers, error);
    if (result != CLSLICE_S_OK) /* what came before it may still run */
        clslice_device_finish(staged->memory->device, NULL);
    buffers_close(&buffers);
    return result;
}

int32_t staged_warm(struct staged *staged, clslice_error *error)
{
    int32_t result = CLSLICE_S_OK;
    for (size_t i = 0, n; result == CLSLICE_S_OK && i < staged->count; i += n) {
        struct piece *alike = &staged->pieces[i];
        clslice_compiled_operator *compiled = NULL;
        n = pieces_alike(alike, staged->count - i);
        result = compile(staged, alike, n, CLSLICE_COMPILE_FLAG_WARM, &compiled, error);
        clslice_compiled_operator_release(compiled);
    }
    return result;
}
