/* SPDX-License-Identifier: MIT */
#include "runtime/item_groups.h"

#include "core/runs.h"
#include "runtime/staging.h"
#include "runtime/tiles.h"

/* ---- One launch ---- */

static int32_t launch(const struct job *job, const struct plan *plan, const struct launch *one,
                      uint64_t items, const struct item_tables *tables,
                      const struct job_side sides[BIND_SIDES], cl_event also, bool is_seen,
                      struct event_chain *chain)
{
    struct launch all = launch_items(plan, one, items);
    struct job with_items = *job;
    with_items.items = tables;
    all.walk.is_large &= items * job->compiled->traffic >= job->device->limits.cache_bytes;
    all.walk.past_caches &= all.walk.is_large;
    event_chain_prepare(chain, also);
    int32_t status = job_launch(&with_items, &all, sides, chain->queue, chain->wait_count,
                                chain->waits, is_seen ? &chain->next : NULL);
    if (status == CLSLICE_S_OK && is_seen)
        event_chain_step(chain);
    return status;
}

int32_t item_launch_direct(const struct job *job, uint64_t items, const struct item_tables *tables,
                           bool is_seen, struct event_chain *chain)
{
    const struct job_side sides[] = {job_side_of(job, BIND_IN, 0), job_side_of(job, BIND_OUT, 0)};
    return launch(job, &job->compiled->plan, &job->compiled->whole, items, tables, sides, NULL,
                  is_seen, chain);
}

/* The tensors may be in host memory: the kernel gets buffers that it leaves alone. */
int32_t item_launch_nothing(const struct job *job, struct event_chain *chain)
{
    struct origins_buffer *origins;
    int32_t status = origins_take(job->device, 0, &origins, job->error);
    if (status != CLSLICE_S_OK)
        return status;
    status = origins_need(job->device, origins, job->error);
    const struct item_tables tables = origins_tables(origins);
    const struct job_side any = {.memory = {origins->mem, NULL}};
    const struct job_side sides[] = {any, any};
    if (status == CLSLICE_S_OK)
        status = launch(job, &job->compiled->plan, &job->compiled->whole, 0, &tables, sides, NULL,
                        true, chain);
    origins_return(chain, origins);
    return status;
}

/* ---- Groups ---- */

/* Items that share buffers over host memory. */
struct group {
    struct plan plan;  /* of one item: its output packed where that is staged */
    struct launch one; /* of that */
    uint64_t packed;   /* elements of one */
    struct origins_buffer *origins;
    uint64_t first, count; /* of the places */
    struct batch_range range;
    struct staging_set spare;
};

static bool is_staged(const struct job *job, int i)
{
    return job->bound[i].way == BIND_STAGE;
}

static bool is_host(const struct job *job, int i)
{
    return is_staged(job, i) || job->bound[i].way == BIND_WRAP;
}

/* Elements that a side's buffer may have. */
static uint64_t room_of(const struct job *job, const struct plan *plan, int i)
{
    uint64_t bytes =
        is_staged(job, i) ? job->device->staging.buffer_bytes : job->device->about.max_alloc_bytes;
    return is_host(job, i) ? bytes / plan->element_size : UINT64_MAX;
}

/* From what a side's buffer begins with. */
static void place_items(const struct job *job, const struct group *group)
{
    uint64_t at = 0;
    for (uint64_t i = group->first; i < group->first + group->count; ++i) {
        struct batch_origin o = group->origins->places[i];
        if (o.in != BATCH_SKIPPED) {
            o.in -= is_host(job, BIND_IN) ? group->range.in_low : 0;
            o.out -= is_host(job, BIND_OUT) ? group->range.out_low : 0;
            if (is_staged(job, BIND_OUT))
                o.out = at++ * group->packed;
        }
        group->origins->host[i] = o;
    }
}

/* The runs of items that follow each other without gaps are one. */
static int32_t read_items(const struct job *job, const struct group *group, struct staging_set *set,
                          struct event_chain *chain)
{
    const struct batch_origin *places = group->origins->places;
    const struct plan *plan = &job->compiled->plan;
    const struct plan_box whole = plan_whole(plan);
    const struct runs runs = runs_of(plan, &whole);
    uint64_t at = 0, end = group->first + group->count;
    int32_t status = CLSLICE_S_OK;
    for (uint64_t i = group->first, n; status == CLSLICE_S_OK && i < end; i += n) {
        struct runs all = runs;
        n = 1;
        if (places[i].in == BATCH_SKIPPED)
            continue;
        for (; runs.rank == 0 && i + n < end && places[i + n].in != BATCH_SKIPPED &&
               places[i + n].out == places[i].out + n * group->packed;
             ++n)
            all.bytes += runs.bytes;
        status = staging_read(chain, set, at * runs_bytes(&runs, runs.rank), &all,
                              job_host_bytes(job, BIND_OUT, places[i].out), job->error);
        at += n;
    }
    return status;
}

static int32_t run_group(const struct job *job, const struct group *group, struct staging_set *set,
                         struct event_chain *chain)
{
    const struct batch_range *r = &group->range;
    const struct plan_extent extent[] = {{r->in_low, r->in_low, r->in_high},
                                         {r->out_low, r->out_low, r->out_high}};
    struct job_side sides[BIND_SIDES] = {{.first = 0}};
    int32_t status = CLSLICE_S_OK;
    for (int i = 0; status == CLSLICE_S_OK && i < BIND_SIDES; ++i) {
        cl_mem staged = !set ? NULL : i == BIND_IN ? set->in.mem : set->out.mem;
        status = job_place_side(job, i, &extent[i], staged, &sides[i]);
        if (!is_host(job, i)) /* origins count from the tensor's first */
            sides[i] = job_side_of(job, i, 0);
    }
    if (status == CLSLICE_S_OK && is_staged(job, BIND_IN))
        status = staging_write(chain, set, job_host_bytes(job, BIND_IN, r->in_low),
                               job_bytes(job, r->in_high - r->in_low), job->error);
    place_items(job, group);
    if (status == CLSLICE_S_OK)
        status = origins_bring(chain, group->origins, group->first, group->count, job->error);
    const struct item_tables tables = origins_tables(group->origins);
    if (status == CLSLICE_S_OK)
        status = launch(job, &group->plan, &group->one, group->count, &tables, sides,
                        set ? set->last : NULL, true, chain);
    if (status == CLSLICE_S_OK && is_staged(job, BIND_OUT))
        status = read_items(job, group, set, chain);
    job_release_sides(job, sides);
    return status;
}

static int32_t run_staged_group(const struct job *job, struct group *group,
                                struct event_chain *chain)
{
    const struct batch_range *r = &group->range;
    uint64_t in = is_staged(job, BIND_IN) ? r->in_high - r->in_low : 0;
    uint64_t out = is_staged(job, BIND_OUT) ? r->moved * group->packed : 0;
    struct staging_set *set;
    int32_t status = staging_take(job->device, chain, job_bytes(job, in), job_bytes(job, out),
                                  &group->spare, &set, job->error);
    if (status == CLSLICE_S_OK) {
        status = run_group(job, group, set, chain);
        staging_return(job->device, chain, set);
    }
    return status;
}

/* One item that no buffer holds: as any slice of that size, at the item's place. */
static int32_t run_large_item(const struct job *job, struct group *group, struct event_chain *chain)
{
    const struct batch_origin *place = &group->origins->places[group->first];
    struct job item = *job;
    while (place->in == BATCH_SKIPPED)
        ++place;
    group->origins->host[group->first] = (struct batch_origin){0, 0};
    int32_t status = origins_bring(chain, group->origins, group->first, 1, job->error);
    const struct item_tables tables = origins_tables(group->origins);
    item.items = &tables;
    item.bound[BIND_IN].offset += job_bytes(job, place->in);
    item.bound[BIND_OUT].offset += job_bytes(job, place->out);
    return status == CLSLICE_S_OK ? tiles_launch(&item, chain) : status;
}

static void group_begin(struct group *group, const struct job *job, struct origins_buffer *origins)
{
    const struct plan_box whole = plan_whole(&job->compiled->plan);
    *group = (struct group){.plan = job->compiled->plan,
                            .packed = plan_box_elements(&job->compiled->plan, &whole),
                            .origins = origins};
    if (is_staged(job, BIND_OUT))
        group->plan = plan_packed(&job->compiled->plan, &whole);
    plan_forget_alignment(&group->plan);
    group->one = launch_from(&group->plan, &whole);
}

int32_t item_groups_launch(const struct job *job, uint64_t items, struct origins_buffer *origins,
                           struct event_chain *chain)
{
    const struct plan_range *one = &job->compiled->whole.range;
    const struct batch_range reach = {one->in.low, one->in.high, one->out.low, one->out.high, 1};
    struct group group;
    group_begin(&group, job, origins);
    const struct batch_room room = {room_of(job, &group.plan, BIND_IN),
                                    room_of(job, &group.plan, BIND_OUT), is_staged(job, BIND_OUT)};
    bool stages = is_staged(job, BIND_IN) || is_staged(job, BIND_OUT);
    int32_t status = CLSLICE_S_OK;
    for (uint64_t i = 0; status == CLSLICE_S_OK && i < items; i += group.count) {
        struct batch_range *r = &group.range;
        group.first = i;
        group.count = batch_group(origins->places + i, items - i, &reach, group.packed, &room, r);
        uint64_t out = room.packs ? group.packed : r->out_high - r->out_low;
        if (r->moved == 0)
            continue;
        if (r->in_high - r->in_low > room.in || out > room.out)
            status = run_large_item(job, &group, chain);
        else if (stages)
            status = run_staged_group(job, &group, chain);
        else
            status = run_group(job, &group, NULL, chain);
    }
    staging_pool_empty_set(&group.spare, &job->device->cl);
    return status;
}
