/* SPDX-License-Identifier: MIT */
#include "runtime/tiles.h"

#include "core/tile.h"
#include "runtime/staging.h"

/* To where the box's elements belong in the caller's memory. */
static int32_t read_staged(const struct job *job, struct event_chain *chain,
                           const struct plan_box *box, struct staging_set *set)
{
    struct runs runs = runs_of(&job->compiled->plan, box);
    struct plan_range place = plan_range(&job->compiled->plan, box);
    return staging_read(chain, set, 0, &runs, job_host_bytes(job, BIND_OUT, place.out.low),
                        job->error);
}

static int32_t run_tile(const struct job *job, struct event_chain *chain,
                        const struct plan_box *box, const struct launch *launch,
                        struct staging_set *set)
{
    const struct plan_extent *in = &launch->range.in;
    struct job_side sides[BIND_SIDES] = {{.first = 0}};
    int32_t status = job_place_side(job, BIND_IN, in, set ? set->in.mem : NULL, &sides[BIND_IN]);
    if (status == CLSLICE_S_OK)
        status = job_place_side(job, BIND_OUT, &launch->range.out, set ? set->out.mem : NULL,
                                &sides[BIND_OUT]);
    if (status == CLSLICE_S_OK && job->bound[BIND_IN].way == BIND_STAGE)
        status = staging_write(chain, set, job_host_bytes(job, BIND_IN, in->low),
                               job_bytes(job, in->high - in->low), job->error);
    if (status == CLSLICE_S_OK) {
        event_chain_prepare(chain, set ? set->last : NULL);
        status = job_launch(job, launch, sides, chain->queue, chain->wait_count, chain->waits,
                            &chain->next);
    }
    if (status == CLSLICE_S_OK) {
        event_chain_step(chain);
        if (job->bound[BIND_OUT].way == BIND_STAGE)
            status = read_staged(job, chain, box, set);
    }
    job_release_sides(job, sides);
    return status;
}

static uint64_t staged_bytes(const struct job *job, int i, const struct plan_extent *range)
{
    return job->bound[i].way == BIND_STAGE ? job_bytes(job, range->high - range->low) : 0;
}

/* `spare` serves all tiles of one dispatch, where the pool's sets are in use elsewhere. */
static int32_t run_staged_tile(const struct job *job, struct event_chain *chain,
                               const struct plan_box *box, const struct launch *launch,
                               struct staging_set *spare)
{
    struct staging_set *set;
    int32_t status =
        staging_take(job->device, chain, staged_bytes(job, BIND_IN, &launch->range.in),
                     staged_bytes(job, BIND_OUT, &launch->range.out), spare, &set, job->error);
    if (status == CLSLICE_S_OK) {
        status = run_tile(job, chain, box, launch, set);
        staging_return(job->device, chain, set);
    }
    return status;
}

int32_t tiles_launch(const struct job *job, struct event_chain *chain)
{
    const struct plan *plan = &job->compiled->plan;
    bool packs = job->bound[BIND_OUT].way == BIND_STAGE;
    bool staged = packs || job->bound[BIND_IN].way == BIND_STAGE;
    uint64_t limit =
        staged ? job->device->staging.buffer_bytes : job->device->about.max_alloc_bytes;
    struct plan_box box = plan_whole(plan);
    bool gaps = packs && runs_of(plan, &box).rank > 0;
    struct plan used = gaps ? plan_packed(plan, &box) : *plan;
    if (!job_is_direct(job))
        plan_forget_alignment(&used);
    struct staging_set spare = {0};
    int32_t status = CLSLICE_S_OK;
    uint64_t tile[TENSOR_RANK_MAX];
    uint64_t tiles =
        job_is_direct(job) ? tile_launches(&used, tile, NULL) : tile_choose(&used, limit, tile);
    bool is_known = tiles == 1 && plan_equal(&used, plan);
    for (uint64_t i = 0; status == CLSLICE_S_OK && i < tiles; ++i) {
        struct launch part;
        box = tile_box(plan, tile, i);
        if (packs)
            used = plan_packed(&used, &box);
        if (!is_known)
            part = launch_from(&used, &box);
        const struct launch *launch = is_known ? &job->compiled->whole : &part;
        status = staged ? run_staged_tile(job, chain, &box, launch, &spare)
                        : run_tile(job, chain, &box, launch, NULL);
    }
    staging_pool_empty_set(&spare, &job->device->cl);
    return status;
}
