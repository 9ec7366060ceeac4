/* SPDX-License-Identifier: MIT */
#include "runtime/items.h"

#include "base/checked.h"
#include "runtime/item_groups.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- Checks ---- */

static bool is_on_device(const clslice_binding *binding)
{
    return binding->kind == CLSLICE_BINDING_CL_MEM || binding->kind == CLSLICE_BINDING_SVM;
}

static int32_t check_kinds(struct items *items, const struct bound bound[BIND_SIDES],
                           clslice_error *error)
{
    const clslice_binding *all[] = {&items->desc.window, &items->desc.output, &items->desc.skipped};
    uint32_t device = 0, host = 0;
    for (int i = 0; i < BIND_TABLES; ++i) {
        device += is_on_device(all[i]);
        host += all[i]->kind == CLSLICE_BINDING_HOST;
    }
    items->found_by_kernel =
        device > 0 || (batch_table_count(&items->batch) == 0 && bound_is_direct(&bound[BIND_IN]) &&
                       bound_is_direct(&bound[BIND_OUT]));
    if (items->found_by_kernel && device == 0) /* all items were checked: no kernel counts any */
        items->tables[BIND_SKIPPED] = (struct bound){0};
    if (device > 0 && host > 0)
        return status_fail(error, CLSLICE_E_NOTIMPL,
                           WHERE(.rule = CLSLICE_RULE_BATCH_TABLE, .value = {device, host}),
                           "clslice_batch has %" PRIu32 " bindings in device memory and %" PRIu32
                           " in host memory: window, output and skipped must be in the same",
                           device, host);
    for (int i = 0; device > 0 && i < BIND_SIDES; ++i)
        if (!bound_is_direct(&bound[i]))
            return status_fail(
                error, CLSLICE_E_NOTIMPL,
                WHERE(.rule = CLSLICE_RULE_BATCH_IN_PLACE,
                      .tensor = i == BIND_IN ? CLSLICE_TENSOR_INPUT : CLSLICE_TENSOR_OUTPUT),
                "clslice_batch has tables in device memory, but %s is in host memory that the "
                "device does not share: bind a cl_mem, or tables in host memory",
                i == BIND_IN ? "inputs[0]" : "outputs[0]");
    return CLSLICE_S_OK;
}

int32_t items_from(struct clslice_compiled_operator *compiled,
                   const clslice_dispatch_desc *dispatch, const clslice_batch *desc,
                   const struct bound bound[BIND_SIDES], struct items *items, clslice_error *error)
{
    const struct slice *slice = &compiled->op->slice;
    uint64_t room = dispatch->outputs[0].size / slice->output.element_size;
    struct batch_tables bytes = {0};
    *items = (struct items){.compiled = compiled, .desc = {.count = 1}};
    if (desc)
        items->desc = *desc;
    int32_t status = batch_from(slice, &items->desc, room, &items->batch, &bytes, error);
    if (status == CLSLICE_S_OK)
        status =
            bind_check_tables(compiled->op, dispatch, &items->desc, &bytes, items->tables, error);
    return status == CLSLICE_S_OK && items->desc.count > 0 ? check_kinds(items, bound, error)
                                                           : status;
}

/* ---- Tables on the device, or none ---- */

/* Whether a launch needs an event. */
static bool is_seen(const struct event_chain *chain)
{
    return chain->is_awaited || !chain->in_order;
}

static uint32_t shift_of(const struct job *job, const struct items *items)
{
    uint32_t shift = 0;
    while (items->compiled->op->slice.input.element_size << shift <
           job->compiled->plan.element_size)
        ++shift;
    return shift;
}

static struct kernel_memory table_of(const struct bound *bound)
{
    return (struct kernel_memory){bound->mem,
                                  bound->address ? bound->address + bound->offset : NULL};
}

static uint64_t words_to(const struct bound *bound)
{
    return bound->mem ? bound->offset / 4 : 0;
}

static int32_t launch_from_tables(const struct job *job, const struct items *items, uint64_t first,
                                  uint64_t count, struct event_chain *chain)
{
    const struct bound *bound = items->tables;
    struct item_tables tables = {.window = table_of(&bound[BIND_WINDOW]),
                                 .index = table_of(&bound[BIND_INDEX]),
                                 .skipped = table_of(&bound[BIND_SKIPPED]),
                                 .batch = items->batch};
    struct batch *batch = &tables.batch;
    batch->first = first;
    batch->shift = shift_of(job, items);
    batch->window_at = words_to(&bound[BIND_WINDOW]) + first * batch->row_words;
    batch->index_at = words_to(&bound[BIND_INDEX]) + first * batch->index_words;
    batch->skipped_at = words_to(&bound[BIND_SKIPPED]);
    batch->counts = tables.skipped.mem || tables.skipped.address;
    return item_launch_direct(job, count, &tables, is_seen(chain), chain);
}

/* ---- Tables in host memory ---- */

static const unsigned char *host_table(const struct items *items, int table)
{
    const struct bound *bound = &items->tables[table];
    return bound->address ? bound->address + bound->offset : NULL;
}

static void count_skipped(const struct items *items, uint32_t count)
{
    unsigned char *skipped = items->tables[BIND_SKIPPED].address;
    if (!skipped || count == 0)
        return;
    skipped += items->tables[BIND_SKIPPED].offset;
    uint32_t before;
    memcpy(&before, skipped, sizeof before);
    count += before;
    memcpy(skipped, &count, sizeof count);
}

/* Of the items just checked, so many are broken, the first of them item i: fails, or counts them
 * where they may be skipped. */
static int32_t settle_broken(const struct job *job, const struct items *items,
                             const struct batch *batch, uint64_t broken, uint64_t i)
{
    const unsigned char *rows = host_table(items, BIND_WINDOW);
    const unsigned char *indices = host_table(items, BIND_INDEX);
    if (broken > 0 && !(items->desc.flags & CLSLICE_BATCH_FLAG_SKIP))
        return batch_fail(&items->compiled->op->slice, &items->desc, batch, i,
                          rows ? rows + i * batch->row_words * 4 : NULL,
                          indices ? indices + i * batch->index_bytes : NULL, job->error);
    count_skipped(items, (uint32_t)broken);
    return CLSLICE_S_OK;
}

/* Places [first, first + count); fails where one breaks a rule and may not be skipped. */
static int32_t find_places(const struct job *job, const struct items *items, uint64_t first,
                           uint64_t count, struct batch_origin *places)
{
    const unsigned char *rows = host_table(items, BIND_WINDOW);
    const unsigned char *indices = host_table(items, BIND_INDEX);
    struct batch batch = items->batch;
    batch.shift = shift_of(job, items);
    uint64_t i = 0, broken = batch_places(&batch, rows, indices, first, count, places, &i);
    return settle_broken(job, items, &batch, broken, i);
}

/* Nothing is enqueued before every item has been checked. */
static int32_t check_places(const struct job *job, const struct items *items, uint64_t most)
{
    const struct batch *batch = &items->batch;
    if (batch_table_count(batch) == 0 || items->found_by_kernel ||
        items->desc.flags & CLSLICE_BATCH_FLAG_SKIP)
        return CLSLICE_S_OK;
    struct batch_origin *places = malloc((size_t)most * sizeof *places);
    int32_t status =
        places ? CLSLICE_S_OK : status_out_of_memory(job->error, "the items of a batch");
    for (uint64_t first = 0; status == CLSLICE_S_OK && first < items->desc.count; first += most)
        status = find_places(job, items, first, clamp(items->desc.count - first, 0, most), places);
    free(places);
    return status;
}

/* Origins count in elements of the tensor, as its plan's do: wider ones need alignment. */
static int32_t launch_few(const struct job *job, const struct items *items, uint64_t first,
                          uint64_t count, struct event_chain *chain)
{
    struct few_items few = {0}; /* all of it goes to the device */
    uint64_t i = 0, broken = few_items_from(&items->batch, host_table(items, BIND_WINDOW),
                                            host_table(items, BIND_INDEX), first, count, &few, &i);
    int32_t status = settle_broken(job, items, &items->batch, broken, i);
    const struct item_tables tables = {.few = &few};
    return status == CLSLICE_S_OK ? item_launch_direct(job, count, &tables, is_seen(chain), chain)
                                  : status;
}

static int32_t launch_found(const struct job *job, const struct items *items, uint64_t first,
                            uint64_t count, struct origins_buffer *origins,
                            struct event_chain *chain)
{
    bool is_direct = job_is_direct(job);
    int32_t status = origins_need_host(job->device, origins, !is_direct, job->error);
    if (status != CLSLICE_S_OK)
        return status;
    status = find_places(job, items, first, count, is_direct ? origins->host : origins->places);
    if (status != CLSLICE_S_OK)
        return status;
    if (!is_direct)
        return item_groups_launch(job, count, origins, chain);
    status = origins_bring(chain, origins, 0, count, job->error);
    const struct item_tables tables = origins_tables(origins);
    return status == CLSLICE_S_OK ? item_launch_direct(job, count, &tables, true, chain) : status;
}

static int32_t launch_from_host(const struct job *job, const struct items *items, uint64_t first,
                                uint64_t count, struct event_chain *chain)
{
    struct origins_buffer *origins;
    if (job->compiled->plan.few_words > 0)
        return launch_few(job, items, first, count, chain);
    int32_t status = origins_take(job->device, count, &origins, job->error);
    if (status != CLSLICE_S_OK)
        return status;
    status = launch_found(job, items, first, count, origins, chain);
    origins_return(chain, origins);
    return status;
}

/* ---- All ---- */

static bool moves_contiguous_rows(const struct plan *plan)
{
    return plan->variant == PLAN_ROWS_GPU && plan->pattern.group_size == 1 &&
           plan->pattern.group_stride == 1;
}

/* The kernel for few items is planned for unaligned tensors. It replaces that for aligned ones only
 * where both move contiguous rows, as rows_gpu finds their aligned words when it runs. */
bool items_are_few(const struct job *job, const struct items *items)
{
    const struct clslice_compiled_operator *compiled = items->compiled;
    const struct compiled_plan *few = &compiled->few;
    bool is_as_fast =
        job->compiled == compiled->by_alignment[PLAN_ALIGNED_ELEMENT] ||
        (moves_contiguous_rows(&few->plan) && moves_contiguous_rows(&job->compiled->plan));
    return items->desc.count > 0 && few->kernels.program && is_as_fast && !items->found_by_kernel &&
           job_is_direct(job) &&
           few_items_fit(&items->batch, &compiled->op->slice, items->desc.count,
                         few->plan.few_words);
}

int32_t items_launch(const struct job *job, const struct items *items, struct event_chain *chain)
{
    uint64_t count = items->desc.count, first = 0;
    uint64_t most = launch_items_most(&job->compiled->plan, &job->compiled->whole);
    if (!items->found_by_kernel)
        most = clamp(origins_most(job->device), 1, most);
    int32_t status = count > most ? check_places(job, items, most) : CLSLICE_S_OK;
    for (uint64_t part; status == CLSLICE_S_OK && first < count; first += part) {
        part = clamp(count - first, 0, most);
        status = items->found_by_kernel ? launch_from_tables(job, items, first, part, chain)
                                        : launch_from_host(job, items, first, part, chain);
    }
    bool all_launch = items->found_by_kernel || job->compiled->plan.few_words > 0;
    bool has_launched = chain->last || (all_launch && count > 0);
    if (status == CLSLICE_S_OK && !has_launched) /* there is no item, or all were skipped */
        status = item_launch_nothing(job, chain);
    return status;
}
