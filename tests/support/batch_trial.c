/* SPDX-License-Identifier: MIT */
#include "support/batch_trial.h"

#include "conformance/reference.h"
#include "support/random_case.h"
#include "support/suite.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    IN_BYTES = 64 << 10,
    OUT_BYTES = 192 << 10,
    GUARD = 64,
    BROKEN_PERCENT = 30,
    SKIPPED_BEFORE = 7
};

/* ---- Drawing ---- */

static uint64_t in_span(const struct slice_case *c)
{
    uint64_t bytes;
    ck_assert(case_in_bytes(c, &bytes));
    return bytes;
}

static uint64_t out_span(const struct slice_case *c)
{
    uint64_t bytes;
    ck_assert(case_out_bytes(c, &bytes));
    return bytes;
}

static uint32_t room_of(const struct slice_case *c, uint32_t axis)
{
    return c->in_sizes[axis] - c->window_sizes[axis];
}

/* More room to move in than random_case leaves. */
static void widen_input(struct dice *dice, struct slice_case *c)
{
    for (uint32_t i = 0; i < c->rank; ++i) {
        struct slice_case wider = *c;
        wider.in_sizes[i] += dice_pick(dice, 12);
        wider.in_total_bytes = 0;
        uint64_t bytes;
        if (!c->in_strided && case_in_bytes(&wider, &bytes) && bytes < IN_BYTES)
            *c = wider;
    }
}

static void draw_windows(struct dice *dice, struct batch_trial *t)
{
    t->axis = dice_pick(dice, t->c.rank);
    t->axis_count = 0;
    t->advance = 0;
    t->row_words = 0;
    if (dice_percent(dice, 30)) {
        uint64_t down = t->c.window_offsets[t->axis], up = room_of(&t->c, t->axis) - down;
        uint64_t items = t->count > 1 ? t->count - 1 : 1;
        t->advance = dice_percent(dice, 50) ? (int64_t)(up / items) : -(int64_t)(down / items);
        return;
    }
    t->axis_count = 1 + dice_pick(dice, t->c.rank - t->axis);
    t->row_words = t->axis_count + (dice_percent(dice, 30) ? dice_pick(dice, 4) : 0);
    for (uint64_t i = 0; i < t->count; ++i)
        for (uint32_t a = 0; a < t->row_words; ++a)
            t->windows[i * t->row_words + a] =
                a < t->axis_count
                    ? (uint32_t)dice_below(dice, (uint64_t)room_of(&t->c, t->axis + a) + 1)
                    : 0xDEADBEEF;
}

/* As many items as there is room for, at places of which some may interleave. */
static void draw_outputs(struct dice *dice, struct batch_trial *t)
{
    uint32_t size = case_type_bytes(t->c.data_type);
    uint64_t span = out_span(&t->c) / size, room = OUT_BYTES / size;
    t->pitch = dice_percent(dice, 50)   ? 0
               : dice_percent(dice, 50) ? 1 + dice_below(dice, span + 5)
                                        : span + dice_below(dice, 9);
    uint64_t pitch = t->pitch ? t->pitch : span, most = (room - span) / pitch + 1;
    t->index_bytes = dice_percent(dice, 50) ? 0 : dice_percent(dice, 50) ? 4 : 8;
    if (t->count > most)
        t->count = most;
    for (uint64_t i = 0; i < t->count; ++i)
        t->indices[i] =
            dice_below(dice, most < 2 * BATCH_TRIAL_ITEMS ? most : 2 * BATCH_TRIAL_ITEMS);
}

static void break_some(struct dice *dice, struct batch_trial *t)
{
    static const uint32_t far[] = {UINT32_MAX, INT32_MAX, 0x80000000u};
    for (uint64_t i = 0; i < t->count; ++i) {
        if (!dice_percent(dice, BROKEN_PERCENT))
            continue;
        if (t->axis_count > 0 && dice_percent(dice, 60)) {
            uint32_t a = dice_pick(dice, t->axis_count), room = room_of(&t->c, t->axis + a);
            t->windows[i * t->row_words + a] =
                dice_percent(dice, 50) ? room + 1 : far[dice_pick(dice, COUNT_OF(far))];
        } else if (t->index_bytes > 0) {
            t->indices[i] = t->index_bytes == 4 ? UINT32_MAX : UINT64_MAX - dice_pick(dice, 3);
        }
    }
}

static void describe(struct batch_trial *t)
{
    int at = random_case_text(&t->c, t->text, sizeof t->text);
    if (at > 0 && (size_t)at < sizeof t->text)
        snprintf(t->text + at, sizeof t->text - (size_t)at,
                 ", variant %s, %" PRIu64 " items, axes %" PRIu32 "+%" PRIu32 " advance %" PRId64
                 ", indices of %" PRIu32 ", pitch %" PRIu64 "%s%s%s%s, offsets %zu %zu %zu",
                 t->variant ? t->variant : "planned", t->count, t->axis, t->axis_count, t->advance,
                 t->index_bytes, t->pitch, t->skips ? ", skips" : "",
                 t->on_device ? ", tables on device" : "", t->in_host ? ", in host" : "",
                 t->out_host ? ", out host" : "", t->in_offset, t->out_offset, t->table_offset);
    snprintf(rig_crash_text, sizeof rig_crash_text, "\ncrashed in %s\n", t->text);
}

void batch_trial_draw(struct dice *dice, bool may_stage, struct batch_trial *t)
{
    uint64_t in, out;
    memset(t, 0, sizeof *t);
    do
        random_case(dice, &t->c);
    while (!case_in_bytes(&t->c, &in) || !case_out_bytes(&t->c, &out) || in > IN_BYTES ||
           out > OUT_BYTES);
    widen_input(dice, &t->c);
    t->out_bytes = OUT_BYTES;
    t->count = dice_percent(dice, 5)    ? dice_pick(dice, 2)
               : dice_percent(dice, 10) ? BATCH_TRIAL_ITEMS_MANY
                                        : 1 + dice_pick(dice, BATCH_TRIAL_ITEMS);
    draw_outputs(dice, t);
    draw_windows(dice, t);
    bool has_tables = t->axis_count > 0 || t->index_bytes > 0;
    t->in_host = may_stage && dice_percent(dice, 60);
    t->out_host = may_stage && dice_percent(dice, 60);
    t->on_device = has_tables && !t->in_host && !t->out_host && dice_percent(dice, 50);
    t->skips = has_tables && dice_percent(dice, 40);
    t->counts = has_tables && dice_percent(dice, 50);
    t->maps = t->on_device ? dice_pick(dice, 3) : 0;
    if (t->skips)
        break_some(dice, t);
    uint32_t size = case_type_bytes(t->c.data_type);
    t->in_offset = (size_t)dice_pick(dice, 2) * 16 + dice_pick(dice, 16) / size * size;
    t->out_offset = (size_t)dice_pick(dice, 2) * 16 + dice_pick(dice, 16) / size * size;
    t->table_offset = 8 * (size_t)dice_pick(dice, 3);
    static const char *const variants[] = {"rows_cpu",      "rows_gpu",    "transpose_cpu",
                                           "transpose_gpu", "strided_cpu", "strided_gpu",
                                           "gapped_cpu"};
    if (dice_percent(dice, 60))
        t->variant = variants[dice_pick(dice, COUNT_OF(variants))];
    describe(t);
}

/* ---- What must come out ---- */

struct image {
    unsigned char *bytes;   /* owned; the whole output memory */
    unsigned char *writers; /* owned; of each byte, up to 2 */
    uint32_t skipped;
};

static bool is_broken(const struct batch_trial *t, uint64_t item, uint64_t index, uint64_t most)
{
    for (uint32_t a = 0; a < t->axis_count; ++a)
        if (t->windows[item * t->row_words + a] > room_of(&t->c, t->axis + a))
            return true;
    return index > most;
}

static void expect(const struct batch_trial *t, const unsigned char *in, size_t out_bytes,
                   struct image *image)
{
    uint32_t size = case_type_bytes(t->c.data_type);
    uint64_t span = out_span(&t->c), pitch = t->pitch ? t->pitch : span / size;
    unsigned char *written = calloc(1, span), *own = malloc(span);
    ck_assert(written && own);
    for (uint64_t i = 0; i < t->count; ++i) {
        uint64_t index = t->index_bytes > 0 ? t->indices[i] : i;
        if (is_broken(t, i, index, (out_bytes - span) / size / pitch)) {
            ++image->skipped;
            continue;
        }
        struct slice_case item = t->c;
        item.window_offsets[t->axis] =
            (uint32_t)((int64_t)item.window_offsets[t->axis] + (int64_t)i * t->advance);
        for (uint32_t a = 0; a < t->axis_count; ++a)
            item.window_offsets[t->axis + a] = t->windows[i * t->row_words + a];
        memset(written, 0, span);
        reference_slice(&item, in, own, written);
        size_t at = GUARD + t->out_offset + index * pitch * size;
        for (uint64_t k = 0; k < span; ++k)
            if (written[k]) {
                bool same = image->writers[at + k] == 1 && image->bytes[at + k] == own[k];
                image->writers[at + k] = image->writers[at + k] == 0 || same ? 1 : 2;
                image->bytes[at + k] = own[k];
            }
    }
    free(written);
    free(own);
}

static void compare(const struct batch_trial *t, const struct image *image,
                    const unsigned char *found, size_t bytes)
{
    for (size_t i = 0; i < bytes; ++i)
        if (image->writers[i] < 2 && found[i] != image->bytes[i])
            ck_abort_msg("byte %zu is %02x, not %02x (%s): %s", i, found[i], image->bytes[i],
                         image->writers[i] ? "written" : "to be kept", t->text);
}

/* ---- Running ---- */

static clslice_compiled_operator *compile(const struct rig *rig, const struct batch_trial *t)
{
    clslice_error error = {.size = sizeof error};
    clslice_compile_options options = {
        .size = sizeof options, .flags = CLSLICE_COMPILE_FLAG_BATCH, .variant = t->variant};
    clslice_operator *op = rig_operator(rig, &t->c);
    clslice_compiled_operator *compiled = NULL;
    int32_t status = clslice_operator_compile(op, &options, &compiled, &error);
    if (!t->variant || error.rule != CLSLICE_RULE_VARIANT)
        ASSERT_OK(status, &error);
    clslice_operator_release(op);
    return compiled;
}

/* Bytes at an offset of a buffer, between guards; or of host memory, whose end is a forbidden
 * page. */
struct place {
    unsigned char *bytes; /* the guard, the offset, the bytes, and in a buffer another guard */
    size_t all;
    struct arena arena; /* owned, where `bytes` lie in it */
    cl_mem mem;         /* owned; NULL: in host memory */
    clslice_binding binding;
};

/* A buffer over exactly these bytes, with a forbidden page behind them, or else before. */
static struct place place_between(const struct rig *rig, const void *from, size_t size, bool at_end)
{
    struct place p = {.all = size, .arena = arena_map(size)};
    cl_int code;
    p.bytes = p.arena.bytes + (at_end ? p.arena.size - size : 0);
    memcpy(p.bytes, from, size);
    p.mem = rig->cl.clCreateBuffer(rig->objects.context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR,
                                   size, p.bytes, &code);
    ck_assert_ptr_nonnull(p.mem);
    p.binding = rig_bind_mem(p.mem, 0, size);
    return p;
}

static struct place place_of(const struct rig *rig, const void *from, size_t offset, size_t size,
                             bool is_host)
{
    struct place p = {.all = GUARD + offset + size + (is_host ? 0 : GUARD)};
    if (is_host)
        p.arena = arena_map(p.all);
    p.bytes = is_host ? p.arena.bytes + p.arena.size - p.all : malloc(p.all);
    ck_assert_ptr_nonnull(p.bytes);
    memset(p.bytes, 0x5A, p.all);
    if (from)
        memcpy(p.bytes + GUARD + offset, from, size);
    if (!is_host)
        p.mem = rig_buffer(rig, p.all, p.bytes);
    p.binding = is_host ? rig_bind_host(p.bytes + GUARD, offset, size)
                        : rig_bind_mem(p.mem, GUARD + offset, size);
    return p;
}

static void place_release(const struct rig *rig, struct place *p)
{
    if (p->mem)
        rig->cl.clReleaseMemObject(p->mem);
    if (p->arena.bytes)
        arena_unmap(&p->arena);
    else
        free(p->bytes);
}

struct tables {
    struct place window, output, skipped;
};

static struct place table_of(const struct rig *rig, const struct batch_trial *t, const void *from,
                             size_t size)
{
    return t->maps > 0 ? place_between(rig, from, size, t->maps == 1)
                       : place_of(rig, from, t->table_offset, size, !t->on_device);
}

static struct tables tables_of(const struct rig *rig, const struct batch_trial *t)
{
    struct tables tables = {.window = {0}};
    uint32_t narrow[BATCH_TRIAL_ITEMS_MANY], before = SKIPPED_BEFORE;
    for (uint64_t i = 0; i < t->count; ++i)
        narrow[i] = (uint32_t)t->indices[i];
    size_t items = (size_t)t->count + (t->count == 0);
    if (t->axis_count > 0)
        tables.window = table_of(rig, t, t->windows, items * t->row_words * 4);
    if (t->index_bytes > 0)
        tables.output = table_of(rig, t, t->index_bytes == 4 ? (const void *)narrow : t->indices,
                                 items * t->index_bytes);
    if (t->counts)
        tables.skipped = place_of(rig, &before, t->table_offset, sizeof before, !t->on_device);
    return tables;
}

static uint32_t skipped_of(const struct rig *rig, const struct batch_trial *t,
                           const struct tables *tables)
{
    uint32_t count;
    if (tables->skipped.mem)
        rig_read(rig, tables->skipped.mem, tables->skipped.all, tables->skipped.bytes);
    memcpy(&count, tables->skipped.bytes + GUARD + t->table_offset, sizeof count);
    return count - SKIPPED_BEFORE;
}

static void dispatch(const struct rig *rig, const struct batch_trial *t,
                     clslice_compiled_operator *compiled, const clslice_binding *in,
                     const clslice_binding *out, const struct tables *tables)
{
    clslice_error error = {.size = sizeof error};
    clslice_batch batch = {.size = sizeof batch,
                           .flags = t->skips ? CLSLICE_BATCH_FLAG_SKIP : 0,
                           .count = t->count,
                           .window = tables->window.binding,
                           .window_axis = t->axis,
                           .window_axis_count = t->axis_count,
                           .window_row_bytes = 4 * (uint64_t)t->row_words,
                           .window_advance = t->advance,
                           .output = tables->output.binding,
                           .output_index_bytes = t->index_bytes,
                           .output_pitch = t->pitch,
                           .skipped = tables->skipped.binding};
    clslice_dispatch_desc desc = rig_dispatch_desc(in, out);
    struct _cl_event *event = NULL;
    desc.batch = &batch;
    int32_t status = clslice_dispatch(compiled, &desc, &event, &error);
    ck_assert_msg(status == CLSLICE_S_OK, "%s: %s", error.text, t->text);
    ASSERT_OK(clslice_event_wait(rig->device, event, &error), &error);
    clslice_event_release(rig->device, event);
}

bool batch_trial_run(const struct rig *rig, const struct batch_trial *t)
{
    clslice_compiled_operator *compiled = compile(rig, t);
    if (!compiled)
        return false;
    size_t in_bytes = (size_t)in_span(&t->c), out_bytes = t->out_bytes;
    unsigned char *input = malloc(in_bytes);
    ck_assert_ptr_nonnull(input);
    reference_input(&t->c, input, in_bytes);
    struct place in = t->maps > 0 ? place_between(rig, input, in_bytes, t->maps == 1)
                                  : place_of(rig, input, t->in_offset, in_bytes, t->in_host);
    struct place out = place_of(rig, NULL, t->out_offset, out_bytes, t->out_host);
    struct image image = {.bytes = malloc(out.all), .writers = calloc(1, out.all)};
    ck_assert(image.bytes && image.writers);
    memcpy(image.bytes, out.bytes, out.all);
    expect(t, input, out_bytes, &image);
    struct tables tables = tables_of(rig, t);
    dispatch(rig, t, compiled, &in.binding, &out.binding, &tables);
    if (out.mem)
        rig_read(rig, out.mem, out.all, out.bytes);
    compare(t, &image, out.bytes, out.all);
    if (t->counts)
        ck_assert_msg(skipped_of(rig, t, &tables) == image.skipped, "%u skipped, not %u: %s",
                      skipped_of(rig, t, &tables), image.skipped, t->text);
    place_release(rig, &in);
    place_release(rig, &out);
    place_release(rig, &tables.window);
    place_release(rig, &tables.output);
    place_release(rig, &tables.skipped);
    free(image.bytes);
    free(image.writers);
    free(input);
    clslice_compiled_operator_release(compiled);
    return true;
}
