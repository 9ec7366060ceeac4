/* SPDX-License-Identifier: MIT */
#include "runtime/operator.h"

#include "base/checked.h"
#include "core/floor.h"
#include "core/tile.h"
#include "runtime/programs/program.h"
#include "runtime/programs/scratch_run.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    KNOWN_EXECUTION_FLAGS = DML_EXECUTION_FLAG_ALLOW_HALF_PRECISION_COMPUTATION |
                            DML_EXECUTION_FLAG_DISABLE_META_COMMANDS |
                            DML_EXECUTION_FLAG_DESCRIPTORS_VOLATILE,
    KNOWN_COMPILE_FLAGS = CLSLICE_COMPILE_FLAG_WARM | CLSLICE_COMPILE_FLAG_BATCH
};

/* ---- Operators ---- */

int32_t operator_create(struct clslice_device *device, const DML_OPERATOR_DESC *desc,
                        struct clslice_operator **made, clslice_error *error)
{
    struct slice slice;
    int32_t status = slice_from(desc, &slice, error);
    if (status != CLSLICE_S_OK || !made)
        return status;
    struct clslice_operator *op = malloc(sizeof *op);
    if (!op)
        return status_out_of_memory(error, "an operator");
    *op = (struct clslice_operator){.references = 1, .device = device, .slice = slice};
    device_retain(device);
    *made = op;
    return CLSLICE_S_OK;
}

void operator_retain(struct clslice_operator *op)
{
    atomic_fetch_add_explicit(&op->references, 1, memory_order_relaxed);
}

void operator_release(struct clslice_operator *op)
{
    if (!op || !fork_guard_is_here(&op->device->process) ||
        atomic_fetch_sub_explicit(&op->references, 1, memory_order_acq_rel) != 1)
        return;
    device_release(op->device);
    free(op);
}

void operator_alias(const struct clslice_operator *op, clslice_alias *alias)
{
    uint64_t first;
    *alias = (clslice_alias){.size = sizeof *alias};
    if (!slice_is_alias(&op->slice, &first))
        return;
    alias->is_alias = 1;
    alias->offset_bytes = first * op->slice.input.element_size;
    alias->size_bytes = op->slice.elements * op->slice.output.element_size;
}

/* ---- Plans ---- */

static int32_t check_options(const clslice_compile_options *options, clslice_error *error)
{
    if (options->flags & ~(uint32_t)KNOWN_COMPILE_FLAGS || options->reserved)
        return status_fail(
            error, CLSLICE_E_NOTIMPL,
            WHERE(.rule = CLSLICE_RULE_OPTION, .value = {options->flags, options->reserved}),
            "clslice_compile_options.flags = 0x%" PRIx32 ", reserved = %" PRIu32
            ": unknown bits must be 0",
            options->flags, options->reserved);
    if (options->execution_flags & ~(uint32_t)KNOWN_EXECUTION_FLAGS)
        return status_fail(
            error, CLSLICE_E_NOTIMPL,
            WHERE(.rule = CLSLICE_RULE_EXECUTION_FLAGS, .value = {options->execution_flags}),
            "clslice_compile_options.execution_flags = 0x%" PRIx32
            " has unknown bits: use only the bits of DML_EXECUTION_FLAGS",
            options->execution_flags);
    return CLSLICE_S_OK;
}

/* What is planned: the slice, or one of many. */
static struct slice planned(const struct clslice_operator *op,
                            const clslice_compile_options *options)
{
    return options->flags & CLSLICE_COMPILE_FLAG_BATCH ? slice_item(&op->slice) : op->slice;
}

static int32_t variant_fail(const struct slice *slice, const struct plan_limits *limits,
                            const char *name, clslice_error *error)
{
    bool exists = plan_variant_named(name) != PLAN_VARIANT_COUNT;
    char list[512];
    struct text text = text_in(list, sizeof list);
    struct plan plan;
    for (enum plan_variant v = 0; v < PLAN_VARIANT_COUNT; ++v)
        if (!exists || plan_from(slice, limits, PLAN_ALIGNED_ELEMENT, v, &plan))
            text_append(&text, " %s", plan_variant_name(v));
    return status_fail(error, CLSLICE_E_INVALIDARG, WHERE(.rule = CLSLICE_RULE_VARIANT),
                       "clslice_compile_options.variant = \"%.64s\" %s:%s", name,
                       exists ? "cannot run this slice; the variants that can are"
                              : "is not a variant; the variants are",
                       list);
}

static int32_t plan_within(const struct clslice_operator *op, const struct plan_limits *limits,
                           const clslice_compile_options *options, enum plan_alignment alignment,
                           struct plan *plan, clslice_error *error)
{
    enum plan_variant forced =
        options->variant ? plan_variant_named(options->variant) : PLAN_VARIANT_COUNT;
    struct slice slice = planned(op, options);
    if ((options->variant && forced == PLAN_VARIANT_COUNT) ||
        !plan_from(&slice, limits, alignment, forced, plan))
        return variant_fail(&slice, limits, options->variant, error);
    return CLSLICE_S_OK;
}

static int32_t check_batch(const struct clslice_operator *op,
                           const clslice_compile_options *options, clslice_error *error)
{
    if (!op->slice.is_gradient || !(options->flags & CLSLICE_COMPILE_FLAG_BATCH))
        return CLSLICE_S_OK;
    return status_fail(error, CLSLICE_E_NOTIMPL,
                       WHERE(.rule = CLSLICE_RULE_OPTION, .value = {options->flags}),
                       "clslice_compile_options.flags = 0x%" PRIx32
                       " has CLSLICE_COMPILE_FLAG_BATCH: DML_OPERATOR_SLICE_GRAD has no batches",
                       options->flags);
}

static int32_t plan_with(const struct clslice_operator *op, const clslice_compile_options *options,
                         enum plan_alignment alignment, struct plan *plan, clslice_error *error)
{
    int32_t status = check_options(options, error);
    if (status == CLSLICE_S_OK)
        status = check_batch(op, options, error);
    if (status != CLSLICE_S_OK)
        return status;
    return plan_within(op, &op->device->limits, options, alignment, plan, error);
}

static void tell_plan(const struct clslice_operator *op, const struct plan *plan,
                      clslice_plan_info *info)
{
    const struct slice *slice = &op->slice;
    const struct clslice_device *device = op->device;
    const struct plan_box whole = plan_whole(plan);
    uint64_t tile[TENSOR_RANK_MAX], launches;
    struct launch launch = launch_first(plan, &launches);
    bool staged = device->host_memory == CLSLICE_HOST_MEMORY_STAGED;
    uint64_t limit = staged ? device->staging.buffer_bytes : device->about.max_alloc_bytes;
    struct plan packed = plan_packed(plan, &whole); /* as output is staged */
    *info = (clslice_plan_info){
        .size = sizeof *info,
        .element_bytes = plan->element_size,
        .index_bits = plan->index_bits,
        .dimensions = plan->rank,
        .elements = slice->elements,
        .input_bytes = slice->input.span * slice->input.element_size,
        .output_bytes = slice->output.span * slice->output.element_size,
        .moved_bytes = (slice_reads(slice) + slice->elements) * slice->output.element_size,
        .floor_bytes = floor_bytes(slice, device->limits.line_bytes),
        .floor_bytes_64 = floor_bytes(slice, 64),
        .input_alignment = slice->input.alignment,
        .output_alignment = slice->output.alignment,
        .local_size = plan->local_size,
        .launches = (uint32_t)launches,
        .global_size = launch.global_size,
        .host_launches = device->host_memory == CLSLICE_HOST_MEMORY_SYSTEM_SVM
                             ? launches
                             : tile_choose(staged ? &packed : plan, limit, tile),
    };
    /* NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): every plan has a variant with a name */
    text_copy(info->variant, sizeof info->variant, plan_variant_name(plan->variant));
}

int32_t operator_plan_info(const struct clslice_operator *op,
                           const clslice_compile_options *options, clslice_plan_info *info,
                           clslice_error *error)
{
    struct plan plan;
    int32_t status = plan_with(op, options, PLAN_ALIGNED_16, &plan, error);
    if (status == CLSLICE_S_OK)
        tell_plan(op, &plan, info);
    return status;
}

int32_t operator_describe(const struct clslice_operator *op, const clslice_compile_options *options,
                          struct text *text, clslice_error *error)
{
    struct plan plan;
    int32_t status = plan_with(op, options, PLAN_ALIGNED_16, &plan, error);
    if (status != CLSLICE_S_OK)
        return status;
    slice_describe(&op->slice, text);
    plan_describe(&plan, text);
    launch_describe(&plan, text);
    return CLSLICE_S_OK;
}

/* ---- Compiled operators ---- */

static void tell_use(struct clslice_compiled_operator *compiled, const struct program_use *use)
{
    compiled->build_nanoseconds += use->nanoseconds;
    if (use->outcome < compiled->outcome || compiled->outcome == 0) {
        compiled->outcome = use->outcome;
        text_copy(compiled->cache_reason, sizeof compiled->cache_reason, use->reason);
    }
}

/* The program of a plan and a first kernel. `most` becomes how many work-items its groups may have,
 * `ran` whether the program ran as planned on its way to the cache. */
static int32_t get_kernel(struct clslice_compiled_operator *compiled, struct compiled_plan *to,
                          size_t *most, bool *ran, clslice_error *error)
{
    struct clslice_device *device = compiled->op->device;
    struct program_use use;
    int32_t status = program_get(device, &to->plan, &use, error);
    if (status != CLSLICE_S_OK)
        return status;
    to->kernels.program = use.program;
    to->kernels.kernel = program_kernel_of(&to->plan);
    to->kernels.whole = &to->whole.walk;
    *ran = use.ran;
    tell_use(compiled, &use);
    return kernel_slot_first(device, &to->kernels, most, error);
}

/* The plan of one alignment with its program. A kernel that takes smaller groups than planned is
 * planned for once more; of transpose_gpu's, another variant may come, and that program was
 * built in vain. */
static int32_t compile_plan(struct clslice_compiled_operator *compiled,
                            const clslice_compile_options *options, enum plan_alignment alignment,
                            struct compiled_plan *to, clslice_error *error)
{
    struct clslice_device *device = compiled->op->device;
    struct plan_limits limits = device->limits;
    const uint32_t few_words = to->plan.few_words;
    size_t most = 0;
    bool ran = false;
    int32_t status = get_kernel(compiled, to, &most, &ran, error);
    while (status == CLSLICE_S_OK && most > 0 && most < to->plan.local_size) {
        limits.max_work_group_size = most;
        device->cl.clReleaseKernel(to->kernels.slot[0].kernel);
        to->kernels.slot[0].kernel = NULL;
        status = plan_within(compiled->op, &limits, options, alignment, &to->plan, error);
        to->plan.few_words = few_words;
        if (status == CLSLICE_S_OK)
            status = get_kernel(compiled, to, &most, &ran, error);
    }
    if (status == CLSLICE_S_OK && options->flags & CLSLICE_COMPILE_FLAG_WARM && !ran)
        status = scratch_run(device, to->kernels.program, to->kernels.kernel, to->plan.local_size,
                             error);
    if (status != CLSLICE_S_OK)
        return status;
    uint64_t launches;
    to->whole = launch_first(&to->plan, &launches);
    to->traffic = floor_bytes(&compiled->op->slice, device->limits.line_bytes);
    return CLSLICE_S_OK;
}

enum {
    ARGUMENTS_BESIDE_FEW =
        sizeof(struct walk) + KERNEL_SIDES * sizeof(cl_ulong) + offsetof(struct few_items, word)
};

_Static_assert(ARGUMENTS_BESIDE_FEW + 8 <= ENUMERATE_KERNEL_BYTES && FEW_ITEMS_WORDS % 2 == 0,
               "every device has room for two words, and structures of longs for pairs of them");

/* Words that are left for few items. */
static uint32_t few_words(const struct clslice_device *device)
{
    uint64_t bytes = device->about.parameter_bytes - ARGUMENTS_BESIDE_FEW;
    return (uint32_t)clamp(bytes / 8 * 2, 2, FEW_ITEMS_WORDS);
}

/* Of a batch, whose plans are there. CPU variants have none, as PoCL copies every argument. */
static int32_t compile_few(struct clslice_compiled_operator *compiled,
                           const clslice_compile_options *options, clslice_error *error)
{
    struct compiled_plan *few = &compiled->few;
    few->plan = compiled->by_alignment[PLAN_ALIGNED_ELEMENT]->plan;
    if (!few->plan.is_item || plan_variant_is_cpu(few->plan.variant))
        return CLSLICE_S_OK;
    few->plan.few_words = few_words(compiled->op->device);
    return compile_plan(compiled, options, PLAN_ALIGNED_ELEMENT, few, error);
}

static int32_t compile_all(struct clslice_compiled_operator *compiled,
                           const clslice_compile_options *options, clslice_error *error)
{
    const struct plan *first = &compiled->plans[0].plan;
    int32_t status = CLSLICE_S_OK;
    for (enum plan_alignment a = 0; status == CLSLICE_S_OK && a < PLAN_ALIGNMENT_COUNT; ++a) {
        struct compiled_plan *plan = &compiled->plans[a];
        status = plan_with(compiled->op, options, a, &plan->plan, error);
        /* all tensors are aligned for elements that are narrower than theirs */
        bool suits = a > 0 && first->element_size < compiled->op->slice.input.element_size;
        if (status == CLSLICE_S_OK && a > 0 && (suits || plan_equal(&plan->plan, first)))
            plan = &compiled->plans[0];
        else if (status == CLSLICE_S_OK)
            status = compile_plan(compiled, options, a, plan, error);
        compiled->by_alignment[a] = plan;
    }
    if (status == CLSLICE_S_OK)
        status = compile_few(compiled, options, error);
    compiled->alignments = plan_alignments_of(&compiled->plans[PLAN_ALIGNED_16].plan);
    compiled->of_batch = options->flags & CLSLICE_COMPILE_FLAG_BATCH;
    return status;
}

int32_t compiled_operator_create(struct clslice_operator *op,
                                 const clslice_compile_options *options,
                                 struct clslice_compiled_operator **made, clslice_error *error)
{
    int32_t status = device_check_process(op->device, error);
    if (status != CLSLICE_S_OK)
        return status;
    struct clslice_compiled_operator *compiled = calloc(1, sizeof *compiled);
    if (!compiled)
        return status_out_of_memory(error, "an operator");
    atomic_init(&compiled->references, 1);
    compiled->op = op;
    operator_retain(op);
    status = compile_all(compiled, options, error);
    if (status == CLSLICE_S_OK)
        *made = compiled;
    else
        compiled_operator_release(compiled);
    return status;
}

void compiled_operator_retain(struct clslice_compiled_operator *compiled)
{
    atomic_fetch_add_explicit(&compiled->references, 1, memory_order_relaxed);
}

void compiled_operator_release(struct clslice_compiled_operator *compiled)
{
    if (!compiled || !fork_guard_is_here(&compiled->op->device->process) ||
        atomic_fetch_sub_explicit(&compiled->references, 1, memory_order_acq_rel) != 1)
        return;
    const struct cl_api *cl = &compiled->op->device->cl;
    for (uint32_t i = 0; i < PLAN_ALIGNMENT_COUNT; ++i)
        kernel_slot_release_all(&compiled->plans[i].kernels, cl);
    kernel_slot_release_all(&compiled->few.kernels, cl);
    operator_release(compiled->op);
    free(compiled);
}

void compiled_operator_info(const struct clslice_compiled_operator *compiled,
                            clslice_compiled_operator_info *info)
{
    const struct compiled_plan *for_16 = compiled->by_alignment[PLAN_ALIGNED_16];
    const struct compiled_plan *for_element = compiled->by_alignment[PLAN_ALIGNED_ELEMENT];
    const struct plan *aligned = &for_16->plan, *element = &for_element->plan;
    uint32_t further = for_16->kernels.program != for_element->kernels.program;
    *info = (clslice_compiled_operator_info){
        .size = sizeof *info,
        .program_count = 1 + further + (compiled->few.kernels.program ? 1 : 0),
        .program_outcome = compiled->outcome,
        .host_memory = compiled->op->device->host_memory,
        .build_nanoseconds = compiled->build_nanoseconds,
        .element_bytes = aligned->element_size,
        .element_bytes_unaligned = element->element_size,
        .input_alignment = compiled->alignments.in,
        .output_alignment = compiled->alignments.out,
    };
    text_copy(info->variant, sizeof info->variant, plan_variant_name(aligned->variant));
    text_copy(info->variant_unaligned, sizeof info->variant_unaligned,
              plan_variant_name(element->variant));
    text_copy(info->cache_reason, sizeof info->cache_reason, compiled->cache_reason);
}
