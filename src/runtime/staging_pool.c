/* SPDX-License-Identifier: MIT */
#include "runtime/staging_pool.h"

#include <stdlib.h>

void staging_pool_empty_set(struct staging_set *set, const struct cl_api *cl)
{
    if (set->last)
        cl_release_ended(cl, set->last);
    if (set->in.mem)
        cl->clReleaseMemObject(set->in.mem);
    if (set->out.mem)
        cl->clReleaseMemObject(set->out.mem);
    *set = (struct staging_set){0};
}

void staging_pool_release(struct staging_pool *pool, const struct cl_api *cl)
{
    for (int i = 0; i < STAGING_POOL_SETS; ++i)
        staging_pool_empty_set(&pool->set[i], cl);
    free(pool->bounce);
    pthread_mutex_destroy(&pool->lock);
}
