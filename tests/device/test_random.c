/* SPDX-License-Identifier: MIT */
/*
 * Random slices on a device, through the public ABI, against the obvious loop. Every kind of
 * binding at every address modulo 16 that it may have, host memory against forbidden pages at
 * either end, every queue and way to wait. Some operators are used again, with other bindings and
 * queues. Of both tensors' memory every byte is compared.
 *
 * To repeat a failure: CLSLICE_TEST_TRIAL=NUMBER and, where it is another than the default,
 * CLSLICE_TEST_SEED=SEED; CK_RUN_CASE picks the device.
 *
 * CLSLICE_TEST_ONE_IN=N runs every N-th trial, for simulators; these do not cover every kind.
 */
#include "conformance/reference.h"
#include "core/plan.h"
#include "support/case_slice.h"
#include "support/harness.h"
#include "support/needs.h"
#include "support/random_case.h"
#include "support/suite.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    ARENA_BYTES = 96 << 10,
    TENSOR_BYTES = 80 << 10, /* the rest is for offsets */
    SUB_ORIGIN = 128,        /* no device asks for more */
    GUARD = 0x5A,
    DEFAULT_SEED = 20261120
};

/* ---- What is drawn ---- */

enum kind { KIND_MEM, KIND_SUB, KIND_USE_PTR, KIND_HOST, KIND_SVM, KIND_COUNT };
static const char *const kind_names[] = {"cl_mem", "sub-buffer", "use_host_ptr", "host", "svm"};

enum edge { EDGE_NONE, EDGE_START, EDGE_END, EDGE_COUNT };
static const char *const edge_names[] = {"", " at the start", " at the end"};

enum queue { QUEUE_OWN, QUEUE_IN_ORDER, QUEUE_OUT_OF_ORDER, QUEUE_COUNT };
static const char *const queue_names[] = {"own", "in-order", "out-of-order"};

/* One tensor's memory: an object of `used` bytes in which the tensor lies at `position`. */
struct side {
    enum kind kind;
    enum edge edge;
    uint32_t alignment; /* GuaranteedBaseOffsetAlignment */
    uint32_t offset;    /* of the binding */
    size_t position, used, span;
    size_t origin;                 /* of the sub-buffer, or of the buffer inside the arena */
    unsigned char *before, *after; /* owned by the world */
    struct arena *arena;
    void *svm;
    cl_mem mem, parent; /* owned */
};

struct trial {
    uint64_t seed;
    uint32_t number;
    struct dice dice;   /* the state of its draws */
    uint32_t uses, use; /* dispatches of its operator, and which this is, from 1 */
    struct slice_case c;
    bool valid; /* no two output elements share an address */
    struct side side[2];
    const char *variant;
    enum queue queue;
    uint32_t done_waits, pending_waits;
    bool has_event, polls;
    char text[2048];
};

/* What lives as long as a device's trials. */
struct world {
    struct rig rig;
    cl_command_queue queues[QUEUE_COUNT];
    struct arena arena[2];
    unsigned char *before[2], *after[2], *found;
    void *svm[2];
    unsigned char *input[9]; /* by element size */
    unsigned char *pattern;
    /* what occurred: address modulo 16 by side and kind, pairs of kinds, variants, queues */
    uint32_t addresses[2][KIND_COUNT][16], unaligned[2], edges[2][2][EDGE_COUNT];
    uint32_t pairs[KIND_COUNT][KIND_COUNT], variants[PLAN_VARIANT_COUNT], planned, refused;
    uint32_t again; /* uses of an operator that was used before */
    uint32_t both_aligned, queued[QUEUE_COUNT], types[12], ranks[9];
};

static void describe(struct trial *t)
{
    int at =
        snprintf(t->text, sizeof t->text, "seed %" PRIu64 " trial %" PRIu32 " use %" PRIu32 ": ",
                 t->seed, t->number, t->use);
    at += random_case_text(&t->c, t->text + at, sizeof t->text - (size_t)at);
    for (int i = 0; i < 2 && (size_t)at < sizeof t->text; ++i) {
        const struct side *s = &t->side[i];
        at += snprintf(t->text + at, sizeof t->text - (size_t)at,
                       ", %s: %s%s offset %" PRIu32 " position %zu origin %zu alignment %" PRIu32,
                       i ? "out" : "in", kind_names[s->kind], edge_names[s->edge], s->offset,
                       s->position, s->origin, s->alignment);
    }
    if ((size_t)at < sizeof t->text)
        snprintf(t->text + at, sizeof t->text - (size_t)at,
                 ", variant %s, queue %s, waits %" PRIu32 "+%" PRIu32 "%s%s",
                 t->variant ? t->variant : "planned", queue_names[t->queue], t->done_waits,
                 t->pending_waits, t->has_event ? ", event" : "", t->polls ? ", polled" : "");
    snprintf(rig_crash_text, sizeof rig_crash_text, "\ncrashed in %s\n", t->text);
}

static void draw_place(struct dice *dice, const struct world *w, uint32_t element, struct side *s)
{
    uint32_t step = s->alignment > element ? s->alignment : element;
    uint32_t residue = dice_percent(dice, 40) ? 0 : dice_pick(dice, 16 / element) * element;
    s->offset = (dice_pick(dice, 5) * 16 + dice_pick(dice, 16)) / step * step;
    s->edge = EDGE_NONE;
    s->kind = dice_pick(dice, w->svm[0] ? KIND_COUNT : KIND_SVM);
    s->origin = 0;
    if (s->kind == KIND_USE_PTR || s->kind == KIND_HOST)
        s->edge = dice_pick(dice, EDGE_COUNT);
    if (s->kind == KIND_HOST) {
        if (s->edge == EDGE_NONE && element > 1 && dice_percent(dice, 40))
            residue = dice_pick(dice, 16);
        s->position = s->edge == EDGE_START ? 0
                      : s->edge == EDGE_END ? ARENA_BYTES - s->span
                                            : 64 + residue;
        /* So near to the end that one more element would not fit. */
        if (s->edge == EDGE_NONE && dice_percent(dice, 30))
            s->position = ARENA_BYTES - s->span - residue;
    } else if (s->kind == KIND_USE_PTR) {
        s->origin = s->edge == EDGE_START ? 0 : residue;
        if (s->edge == EDGE_END)
            s->origin = ARENA_BYTES - s->span - s->offset;
        s->position = s->origin + s->offset;
    } else {
        if (s->alignment == 0)
            s->offset = s->offset / 16 * 16 + residue;
        s->origin = s->kind == KIND_SUB ? SUB_ORIGIN * dice_pick(dice, 3) : 0;
        s->position = s->origin + s->offset;
    }
    s->used = ARENA_BYTES;
    if (s->kind < KIND_USE_PTR) /* an exact end, or one with room behind */
        s->used = s->position + s->span + dice_pick(dice, 3) * dice_pick(dice, 9);
}

/* What an operator is dispatched with. */
static void draw_use(const struct world *w, struct trial *t)
{
    for (int i = 0; i < 2; ++i)
        draw_place(&t->dice, w, case_type_bytes(t->c.data_type), &t->side[i]);
    t->queue = dice_pick(&t->dice, QUEUE_COUNT);
    t->has_event = dice_percent(&t->dice, 70);
    t->polls = t->has_event && dice_percent(&t->dice, 20);
    ++t->use;
    describe(t);
}

static void draw_trial(struct world *w, uint64_t seed, uint32_t number,
                       const struct random_limits *limits, bool is_gradient, struct trial *t)
{
    *t = (struct trial){.seed = seed, .number = number};
    struct dice *dice = &t->dice;
    dice->state = (seed * 1000003 + number) * UINT64_C(0x9E3779B97F4A7C15) | 1;
    t->valid = is_gradient ? random_gradient_within(dice, limits, &t->c)
                           : random_case_within(dice, limits, &t->c);
    for (int i = 0; i < 2; ++i) {
        struct side *s = &t->side[i];
        uint64_t span;
        ck_assert(i ? case_out_bytes(&t->c, &span) : case_in_bytes(&t->c, &span));
        s->span = (size_t)span;
        s->before = w->before[i];
        s->after = w->after[i];
        s->arena = &w->arena[i];
        s->svm = w->svm[i];
        if (dice_percent(dice, 10))
            s->alignment = case_type_bytes(t->c.data_type) << dice_pick(dice, 4);
    }
    if (dice_percent(dice, 60))
        t->variant =
            is_gradient
                ? plan_variant_name(PLAN_GRADIENT_CPU + dice_pick(dice, 2))
                : plan_variant_name((enum plan_variant)dice_pick(dice, PLAN_SLICE_VARIANTS));
    t->done_waits = dice_percent(dice, 20) ? 1 + dice_pick(dice, 2) : 0;
    t->pending_waits = dice_percent(dice, 20) ? 1 + dice_pick(dice, 2) : 0;
    t->uses = dice_percent(dice, 10) ? 3 : 1;
    draw_use(w, t);
}

/* ---- Memory ---- */

/* What both tensors' memory holds before and must hold after. */
static void fill(const struct world *w, struct trial *t)
{
    struct side *in = &t->side[0], *out = &t->side[1];
    static unsigned char written[ARENA_BYTES];
    memset(in->before, GUARD, in->used);
    memcpy(in->before + in->position, w->input[case_type_bytes(t->c.data_type)], in->span);
    memcpy(in->after, in->before, in->used);
    memcpy(out->before, w->pattern, out->used);
    memcpy(out->after, w->pattern, out->used);
    memset(written, 0, out->span);
    reference_slice(&t->c, in->after + in->position, out->after + out->position, written);
    for (size_t i = 0; i < out->span; ++i)
        if (written[i])
            out->before[out->position + i] = (unsigned char)~out->after[out->position + i];
}

/* Whatever is enqueued for a trial goes to the trial's own queue: OpenCL does not promise that a
 * queue sees what another one wrote. */
static void place(const struct world *w, const struct trial *t, struct side *s)
{
    const struct rig *rig = &w->rig;
    cl_int code = CL_SUCCESS;
    s->mem = s->parent = NULL;
    if (s->kind == KIND_SVM) /* which the host may not touch itself, where it is coarse-grained */
        code = rig->cl.clEnqueueSVMMemcpy(w->queues[t->queue], CL_TRUE, s->svm, s->before, s->used,
                                          0, NULL, NULL);
    else
        memcpy(s->arena->bytes, s->before, s->used);
    if (s->kind == KIND_MEM) {
        s->mem = rig_buffer(rig, s->used, s->before);
    } else if (s->kind == KIND_SUB) {
        cl_buffer_region region = {s->origin, s->used - s->origin};
        s->parent = rig_buffer(rig, s->used, s->before);
        s->mem =
            rig->cl.clCreateSubBuffer(s->parent, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    } else if (s->kind == KIND_USE_PTR) {
        s->mem = rig->cl.clCreateBuffer(
            rig->objects.context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR,
            s->position + s->span - s->origin, s->arena->bytes + s->origin, &code);
    }
    ck_assert_int_eq(code, CL_SUCCESS);
}

static clslice_binding binding_of(const struct side *s)
{
    clslice_binding b = {.offset = s->offset, .size = s->span};
    b.kind = s->kind == KIND_HOST  ? CLSLICE_BINDING_HOST
             : s->kind == KIND_SVM ? CLSLICE_BINDING_SVM
                                   : CLSLICE_BINDING_CL_MEM;
    /* The handle itself may lie inside a forbidden page, or outside the arena altogether. */
    b.handle = s->kind == KIND_SVM ? s->svm
               : s->kind == KIND_HOST
                   ? (void *)((uintptr_t)s->arena->bytes + s->position - s->offset)
                   : (void *)s->mem;
    return b;
}

static void compare(const struct world *w, const struct trial *t, int i)
{
    const struct side *s = &t->side[i];
    const unsigned char *found = s->arena->bytes;
    cl_command_queue queue = w->queues[t->queue];
    if (s->kind == KIND_SVM) {
        ck_assert_int_eq(
            w->rig.cl.clEnqueueSVMMemcpy(queue, CL_TRUE, w->found, s->svm, s->used, 0, NULL, NULL),
            CL_SUCCESS);
        found = w->found;
    } else if (s->kind < KIND_USE_PTR) {
        ck_assert_int_eq(w->rig.cl.clEnqueueReadBuffer(queue, s->parent ? s->parent : s->mem,
                                                       CL_TRUE, 0, s->used, w->found, 0, NULL,
                                                       NULL),
                         CL_SUCCESS);
        found = w->found;
    } else if (s->kind == KIND_USE_PTR) {
        cl_int code;
        void *map =
            w->rig.cl.clEnqueueMapBuffer(queue, s->mem, CL_TRUE, CL_MAP_READ, 0,
                                         s->position + s->span - s->origin, 0, NULL, NULL, &code);
        ck_assert_int_eq(code, CL_SUCCESS);
        w->rig.cl.clEnqueueUnmapMemObject(queue, s->mem, map, 0, NULL, NULL);
        w->rig.cl.clFinish(queue);
    }
    if (memcmp(found, s->after, s->used) == 0)
        return;
    size_t at = 0;
    while (found[at] == s->after[at])
        ++at;
    ck_abort_msg("byte %td of the %s tensor's %zu is %02x, not %02x (it was %02x), in %s",
                 (ptrdiff_t)at - (ptrdiff_t)s->position, i ? "output" : "input", s->span, found[at],
                 s->after[at], s->before[at], t->text);
}

static void release(const struct world *w, struct side *s)
{
    if (s->mem)
        w->rig.cl.clReleaseMemObject(s->mem);
    if (s->parent)
        w->rig.cl.clReleaseMemObject(s->parent);
}

/* ---- One trial ---- */

#define TRIAL_OK(call)                                                                            \
    do {                                                                                          \
        int32_t status_ = (call);                                                                 \
        ck_assert_msg(status_ == CLSLICE_S_OK, "0x%08x: %s in %s", (unsigned)status_, error.text, \
                      t->text);                                                                   \
    } while (0)

/* NULL where the description is to be refused, and was. */
static clslice_compiled_operator *compile(struct world *w, struct trial *t)
{
    clslice_error error = {.size = sizeof error};
    clslice_compile_options options = {.size = sizeof options, .variant = t->variant};
    clslice_operator *op = NULL;
    clslice_compiled_operator *compiled = NULL;
    struct case_desc desc;
    case_desc_init(&desc, &t->c);
    desc.in_buffer.GuaranteedBaseOffsetAlignment = t->side[0].alignment;
    desc.out_buffer.GuaranteedBaseOffsetAlignment = t->side[1].alignment;
    int32_t status = clslice_operator_create(w->rig.device, &desc.op, &op, &error);
    if (!t->valid) {
        ck_assert_msg(status == CLSLICE_E_INVALIDARG &&
                          error.rule == CLSLICE_RULE_OUTPUT_STRIDES_OVERLAP,
                      "not refused for its overlapping output: %s", t->text);
        ++w->refused;
        return NULL;
    }
    TRIAL_OK(status);
    if (t->number % 16 == 0)
        options.flags = CLSLICE_COMPILE_FLAG_WARM;
    status = clslice_operator_compile(op, &options, &compiled, &error);
    if (t->variant && status == CLSLICE_E_INVALIDARG && error.rule == CLSLICE_RULE_VARIANT) {
        options.variant = t->variant = NULL;
        status = clslice_operator_compile(op, &options, &compiled, &error);
    }
    TRIAL_OK(status);
    if (t->variant)
        ++w->variants[plan_variant_named(t->variant)];
    else
        ++w->planned;
    clslice_operator_release(op);
    return compiled;
}

/* Nothing may be written before the last event that was waited for. */
static void check_waits(const struct trial *t)
{
    const struct side *out = &t->side[1];
    if (out->kind == KIND_HOST || out->kind == KIND_USE_PTR)
        ck_assert_msg(memcmp(out->arena->bytes, out->before, out->used) == 0,
                      "written before its wait list was complete: %s", t->text);
}

static void await(const struct world *w, const struct trial *t, struct _cl_event *event)
{
    clslice_error error = {.size = sizeof error};
    if (!t->has_event) {
        ck_assert_int_eq(w->rig.cl.clFinish(w->queues[t->queue]), CL_SUCCESS);
        return;
    }
    if (t->polls) {
        int32_t status;
        if (t->queue != QUEUE_OWN)
            w->rig.cl.clFlush(w->queues[t->queue]);
        while ((status = clslice_event_get_status(w->rig.device, event, &error)) == CLSLICE_S_FALSE)
            usleep(10);
        TRIAL_OK(status);
    }
    TRIAL_OK(clslice_event_wait(w->rig.device, event, &error));
    clslice_event_release(w->rig.device, event);
}

static void dispatch(const struct world *w, const struct trial *t,
                     clslice_compiled_operator *compiled)
{
    clslice_error error = {.size = sizeof error};
    clslice_binding in = binding_of(&t->side[0]), out = binding_of(&t->side[1]);
    clslice_dispatch_desc desc = rig_dispatch_desc(&in, &out);
    cl_event waits[4], event = NULL;
    uint32_t count = t->done_waits + t->pending_waits;
    cl_int code;
    for (uint32_t i = 0; i < count; ++i) {
        waits[i] = w->rig.cl.clCreateUserEvent(w->rig.objects.context, &code);
        if (i < t->done_waits)
            w->rig.cl.clSetUserEventStatus(waits[i], CL_COMPLETE);
    }
    desc.queue = t->queue == QUEUE_OWN ? NULL : w->queues[t->queue];
    desc.wait_events = count ? waits : NULL;
    desc.wait_count = count;
    TRIAL_OK(clslice_dispatch(compiled, &desc, t->has_event ? &event : NULL, &error));
    for (uint32_t i = t->done_waits; i < count; ++i) {
        check_waits(t);
        if (t->has_event)
            ck_assert_msg(clslice_event_get_status(w->rig.device, event, &error) == CLSLICE_S_FALSE,
                          "complete before its wait list: %s", t->text);
        w->rig.cl.clSetUserEventStatus(waits[i], CL_COMPLETE);
    }
    await(w, t, event);
    for (uint32_t i = 0; i < count; ++i)
        w->rig.cl.clReleaseEvent(waits[i]);
}

static void note(struct world *w, const struct trial *t)
{
    bool aligned = true;
    for (int i = 0; i < 2; ++i) {
        const struct side *s = &t->side[i];
        const void *base = s->kind == KIND_SVM   ? s->svm
                           : s->kind == KIND_SUB ? (void *)0
                           : s->kind == KIND_MEM ? (void *)0
                                                 : s->arena->bytes;
        uint32_t residue = (uint32_t)(((uintptr_t)base + s->position) % 16);
        ++w->addresses[i][s->kind][residue];
        aligned = aligned && residue == 0;
        if (residue % case_type_bytes(t->c.data_type) != 0)
            ++w->unaligned[i];
        if (s->kind == KIND_HOST || s->kind == KIND_USE_PTR)
            ++w->edges[i][s->kind == KIND_HOST][s->edge];
    }
    w->both_aligned += aligned;
    w->again += t->use > 1;
    ++w->pairs[t->side[0].kind][t->side[1].kind];
    ++w->queued[t->queue];
    ++w->types[t->c.data_type];
    ++w->ranks[t->c.rank];
}

static void run_trial(struct world *w, struct trial *t)
{
    clslice_compiled_operator *compiled = compile(w, t);
    if (!compiled)
        return;
    for (;;) {
        fill(w, t);
        place(w, t, &t->side[0]);
        place(w, t, &t->side[1]);
        dispatch(w, t, compiled);
        compare(w, t, 0);
        compare(w, t, 1);
        release(w, &t->side[0]);
        release(w, &t->side[1]);
        note(w, t);
        if (t->use == t->uses)
            break;
        draw_use(w, t);
    }
    clslice_compiled_operator_release(compiled);
}

/* ---- Devices ---- */

/* The same machine in four disguises, so that every way to host memory is gone. */
static const struct disguise {
    const char *name;
    struct rig_lie lie;
    uint64_t staging_bytes;
    uint32_t trials, elements_log2;
} disguises[] = {
    {"as it is", {.is_gpu = false}, 0, 12000, 14},
    {"small staging tiles", {.is_gpu = false}, 4096, 7000, 9},
    {"small wrapped tiles", {.max_alloc = 600}, 4096, 7000, 9},
    {"a device with memory of its own", {.is_gpu = true}, 4096, 7000, 9},
    {"a device with memory of its own, one tile", {.is_gpu = true}, 0, 7000, 13},
};

static void world_open(struct world *w, const struct disguise *disguise)
{
    clslice_device_options options = {
        .size = sizeof options, .get_proc = rig_proc, .staging_bytes = disguise->staging_bytes};
    *w = (struct world){.queues = {NULL}};
    rig_lie = disguise->lie;
    rig_open(&w->rig, &options);
    rig_tell_crashes();
    w->queues[QUEUE_OWN] = w->rig.objects.queue;
    w->queues[QUEUE_IN_ORDER] = rig_queue(&w->rig, 0);
    w->queues[QUEUE_OUT_OF_ORDER] = rig_queue(&w->rig, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    w->found = malloc(ARENA_BYTES);
    w->pattern = malloc(ARENA_BYTES);
    for (size_t i = 0; i < ARENA_BYTES; ++i)
        w->pattern[i] = (unsigned char)(i * 37 + 11);
    for (int i = 0; i < 2; ++i) {
        w->before[i] = malloc(ARENA_BYTES);
        w->after[i] = malloc(ARENA_BYTES);
        w->arena[i] = arena_map(ARENA_BYTES);
        ck_assert_uint_eq(w->arena[i].size, ARENA_BYTES);
        if (rig_has_svm(&w->rig))
            w->svm[i] =
                w->rig.cl.clSVMAlloc(w->rig.objects.context, CL_MEM_READ_WRITE, ARENA_BYTES, 128);
    }
    for (uint32_t type = 1; type <= 11; ++type) {
        struct slice_case c = {.data_type = type};
        uint32_t bytes = case_type_bytes(type);
        if (w->input[bytes])
            continue;
        w->input[bytes] = malloc(ARENA_BYTES);
        reference_input(&c, w->input[bytes], ARENA_BYTES);
    }
}

static void world_close(struct world *w)
{
    for (int i = 0; i < 2; ++i) {
        if (w->svm[i])
            w->rig.cl.clSVMFree(w->rig.objects.context, w->svm[i]);
        arena_unmap(&w->arena[i]);
        free(w->before[i]);
        free(w->after[i]);
    }
    for (size_t i = 0; i < COUNT_OF(w->input); ++i)
        free(w->input[i]);
    free(w->pattern);
    free(w->found);
    w->rig.cl.clReleaseCommandQueue(w->queues[QUEUE_IN_ORDER]);
    w->rig.cl.clReleaseCommandQueue(w->queues[QUEUE_OUT_OF_ORDER]);
    rig_close(&w->rig);
}

/* A generator that forgets a class tests nothing of it. */
static void check_coverage(const struct world *w)
{
    uint32_t kinds = w->svm[0] ? KIND_COUNT : KIND_SVM;
    for (uint32_t i = 0; i < kinds; ++i) {
        for (uint32_t j = 0; j < kinds; ++j)
            ck_assert_msg(w->pairs[i][j] > 0, "no %s to %s", kind_names[i], kind_names[j]);
        for (uint32_t residue = 0; residue < 16; ++residue)
            ck_assert_msg(w->addresses[0][i][residue] && w->addresses[1][i][residue],
                          "no %s at %" PRIu32 " modulo 16", kind_names[i], residue);
    }
    for (int i = 0; i < 2; ++i) {
        ck_assert_uint_gt(w->unaligned[i], 0);
        for (int edge = 0; edge < EDGE_COUNT; ++edge)
            ck_assert(w->edges[i][0][edge] && w->edges[i][1][edge]);
    }
    for (enum plan_variant i = 0; i < PLAN_SLICE_VARIANTS; ++i) {
        bool exists = i != PLAN_TRANSPOSE_GPU || rig_has_groups(&w->rig);
        ck_assert_msg((w->variants[i] > 0) == exists, "%u of %s", w->variants[i],
                      plan_variant_name(i));
    }
    for (int i = 0; i < QUEUE_COUNT; ++i)
        ck_assert_uint_gt(w->queued[i], 0);
    for (int i = 1; i <= 11; ++i)
        ck_assert_uint_gt(w->types[i], 0);
    for (int i = 1; i <= 8; ++i)
        ck_assert_uint_gt(w->ranks[i], 0);
    ck_assert(w->planned && w->refused && w->both_aligned && w->again);
}

static uint64_t number_from_environment(const char *name, uint64_t otherwise)
{
    const char *value = getenv(name);
    return value ? strtoull(value, NULL, 10) : otherwise;
}

static const char *lack_user_events(void)
{
    struct rig rig;
    cl_int code;
    cl_event written;
    unsigned char byte = 0;
    rig_open(&rig, NULL);
    cl_mem mem = rig_buffer(&rig, 1, &byte);
    cl_event gate = rig.cl.clCreateUserEvent(rig.objects.context, &code);
    signal(SIGALRM, SIG_DFL); /* libcheck's would end the whole group */
    alarm(60);                /* it takes no time, or for ever */
    ck_assert_int_eq(rig.cl.clEnqueueWriteBuffer(rig.objects.queue, mem, CL_FALSE, 0, 1, &byte, 1,
                                                 &gate, &written),
                     CL_SUCCESS);
    rig.cl.clFlush(rig.objects.queue);
    rig.cl.clSetUserEventStatus(gate, CL_COMPLETE);
    rig.cl.clWaitForEvents(1, &written);
    alarm(0);
    rig.cl.clReleaseEvent(written);
    rig.cl.clReleaseEvent(gate);
    rig.cl.clReleaseMemObject(mem);
    rig_close(&rig);
    return NULL;
}

/* Those whose wait lists are complete, or those, behind them, whose lists are not: there are
 * drivers where clSetUserEventStatus never returns while a command waits for the event. */
START_TEST(random_slices_are_right)
{
    const struct disguise *disguise = &disguises[_i % (int)COUNT_OF(disguises)];
    bool pending = _i >= (int)COUNT_OF(disguises);
    const struct random_limits limits = {disguise->elements_log2, TENSOR_BYTES};
    uint64_t seed = number_from_environment("CLSLICE_TEST_SEED",
                                            DEFAULT_SEED + (uint64_t)_i % COUNT_OF(disguises));
    uint64_t only = number_from_environment("CLSLICE_TEST_TRIAL", UINT64_MAX);
    uint64_t one_in = number_from_environment("CLSLICE_TEST_ONE_IN", 1);
    static struct world world;
    struct trial trial;
    ck_assert_uint_gt(one_in, 0);
    world_open(&world, disguise);
    for (uint32_t n = 0; n < disguise->trials; ++n) {
        if (only != UINT64_MAX ? n != only : n % one_in != 0)
            continue;
        draw_trial(&world, seed, n, &limits, false, &trial);
        if ((trial.pending_waits > 0) == pending)
            run_trial(&world, &trial);
    }
    if (only == UINT64_MAX && one_in == 1 && !pending)
        check_coverage(&world);
    world_close(&world);
}
END_TEST

/* A third as many as slices: there are two kernels. */
START_TEST(random_gradients_are_right)
{
    const struct disguise *disguise = &disguises[_i];
    const struct random_limits limits = {disguise->elements_log2, TENSOR_BYTES};
    uint64_t seed = number_from_environment("CLSLICE_TEST_SEED", DEFAULT_SEED + (uint64_t)_i);
    uint64_t only = number_from_environment("CLSLICE_TEST_TRIAL", UINT64_MAX);
    uint64_t one_in = number_from_environment("CLSLICE_TEST_ONE_IN", 1);
    static struct world world;
    struct trial trial;
    ck_assert_uint_gt(one_in, 0);
    world_open(&world, disguise);
    for (uint32_t n = 0; n < disguise->trials / 3; ++n) {
        if (only != UINT64_MAX ? n != only : n % one_in != 0)
            continue;
        draw_trial(&world, seed, n, &limits, true, &trial);
        trial.done_waits += trial.pending_waits;
        trial.pending_waits = 0;
        run_trial(&world, &trial);
    }
    if (only == UINT64_MAX && one_in == 1)
        ck_assert(world.planned && world.refused && world.variants[PLAN_GRADIENT_CPU] &&
                  world.variants[PLAN_GRADIENT_GPU]);
    world_close(&world);
}
END_TEST

/* ---- Gaps ---- */

/* Rows whose ends touch forbidden pages, which lie between the rows of one output: neither written
 * nor read. */
static void run_rows(struct world *w, uint32_t type, uint32_t columns, int32_t step, bool at_end,
                     const char *variant)
{
    enum { ROWS = 3 };
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    uint32_t bytes = case_type_bytes(type), length = columns * bytes;
    size_t first = at_end ? page - length : 0;
    struct arena *arena = &w->arena[1];
    struct slice_case c = {.data_type = type,
                           .rank = 2,
                           .out_strided = true,
                           .in_sizes = {ROWS, columns},
                           .window_sizes = {ROWS, columns},
                           .window_strides = {1, step},
                           .out_sizes = {ROWS, columns},
                           .out_strides = {(uint32_t)(2 * page) / bytes, 1}};
    clslice_binding in = rig_bind_host(w->arena[0].bytes, 0, (size_t)length * ROWS);
    clslice_binding out = rig_bind_host(arena->bytes, first, 2 * page * (ROWS - 1) + length);
    clslice_compiled_operator *compiled = rig_compile(&w->rig, &c, variant);
    snprintf(rig_crash_text, sizeof rig_crash_text,
             "\ncrashed in rows of %u %u-byte elements by %d at the %s, %s\n", columns, bytes, step,
             at_end ? "end" : "start", variant ? variant : "planned");
    memcpy(w->arena[0].bytes, w->input[bytes], (size_t)length * ROWS);
    memset(arena->bytes, GUARD, arena->size);
    memset(w->after[1], GUARD, arena->size);
    reference_slice(&c, w->arena[0].bytes, w->after[1] + first, NULL);
    for (size_t gap = 1; gap < 2 * ROWS; gap += 2)
        mprotect(arena->bytes + gap * page, page, PROT_NONE);
    rig_run(&w->rig, compiled, &in, &out);
    mprotect(arena->bytes, arena->size, PROT_READ | PROT_WRITE);
    ck_assert_msg(memcmp(arena->bytes, w->after[1], arena->size) == 0, "wrong%s",
                  rig_crash_text + 8);
    clslice_compiled_operator_release(compiled);
}

START_TEST(gaps_are_left_alone)
{
    static const uint32_t columns[] = {1, 2, 3, 5, 8, 15, 16, 17, 33, 64};
    static const uint32_t types[] = {DML_TENSOR_DATA_TYPE_UINT8, DML_TENSOR_DATA_TYPE_INT16,
                                     DML_TENSOR_DATA_TYPE_FLOAT32, DML_TENSOR_DATA_TYPE_INT64};
    static const char *const variants[] = {
        NULL,          "gapped_cpu", "strided_gpu", /* and for rows: */
        "strided_cpu", "rows_cpu",   "rows_gpu"};
    static struct world world;
    world_open(&world, &disguises[_i]);
    for (size_t t = 0; t < COUNT_OF(types); ++t)
        for (size_t n = 0; n < COUNT_OF(columns); ++n)
            for (int32_t step = -1; step <= 1; step += 2)
                for (int edge = 0; edge < 2; ++edge)
                    for (size_t v = 0; v < (columns[n] == 1 ? 3 : COUNT_OF(variants)); ++v)
                        run_rows(&world, types[t], columns[n], step, edge, variants[v]);
    world_close(&world);
}
END_TEST

/* Rows without gaps, from an input that touches a forbidden page; so many that words are made. */
static void run_words(struct world *w, uint32_t type, uint32_t columns, int32_t step, bool at_end)
{
    enum { ROWS = 1100 };
    size_t length = (size_t)columns * case_type_bytes(type) * ROWS;
    struct arena from = arena_map(length), to = arena_map(length), wanted = arena_map(length);
    size_t first = at_end ? from.size - length : 0;
    struct slice_case c = {.data_type = type,
                           .rank = 2,
                           .in_sizes = {ROWS, columns},
                           .window_sizes = {ROWS, columns},
                           .window_strides = {-step, step},
                           .out_sizes = {ROWS, columns}};
    clslice_binding in = rig_bind_host(from.bytes, first, length);
    clslice_binding out = rig_bind_host(to.bytes, 0, length);
    clslice_compiled_operator *compiled = rig_compile(&w->rig, &c, "strided_gpu");
    const struct plan plan = plan_of(&c, false, PLAN_ALIGNED_ELEMENT, PLAN_STRIDED_GPU);
    ck_assert_uint_eq(plan.word_bytes, 16);
    ck_assert(plan.has_neighbours); /* which are read by windows */
    snprintf(rig_crash_text, sizeof rig_crash_text,
             "\ncrashed in words of %u %u-byte elements by %d at the %s\n", columns,
             case_type_bytes(type), step, at_end ? "end" : "start");
    for (size_t i = 0; i < length; ++i)
        from.bytes[first + i] = (unsigned char)(i * 2654435761u >> 13);
    reference_slice(&c, from.bytes + first, wanted.bytes, NULL);
    rig_run(&w->rig, compiled, &in, &out);
    ck_assert_msg(memcmp(to.bytes, wanted.bytes, length) == 0, "wrong%s", rig_crash_text + 8);
    clslice_compiled_operator_release(compiled);
    arena_unmap(&from);
    arena_unmap(&to);
    arena_unmap(&wanted);
}

START_TEST(words_are_read_inside_the_input)
{
    static struct world world;
    world_open(&world, &disguises[_i]);
    for (uint32_t columns = 8; columns <= 48; ++columns)
        for (int32_t step = -1; step <= 1; step += 2)
            for (int edge = 0; edge < 2; ++edge) {
                run_words(&world, DML_TENSOR_DATA_TYPE_UINT8, columns, step, edge);
                run_words(&world, DML_TENSOR_DATA_TYPE_INT16, columns, step, edge);
            }
    world_close(&world);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("random");
    TCase *random = suite_case(suite, "random"), *gaps = suite_case(suite, "gaps");
    tcase_add_loop_test(random, random_slices_are_right, 0, COUNT_OF(disguises));
    tcase_add_loop_test(random, random_gradients_are_right, 0, COUNT_OF(disguises));
    tcase_add_loop_test(gaps, gaps_are_left_alone, 0, COUNT_OF(disguises));
    tcase_add_loop_test(gaps, words_are_read_inside_the_input, 0, COUNT_OF(disguises));
    TCase *events = needs_case(suite, "user_events", lack_user_events);
    tcase_add_loop_test(events, random_slices_are_right, COUNT_OF(disguises),
                        2 * COUNT_OF(disguises));
    return suite_run(suite);
}
