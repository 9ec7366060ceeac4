/* SPDX-License-Identifier: MIT */
#include "runtime/origins_pool.h"

#include <stdlib.h>
#include <string.h>

/* What a callback needs: the device may be gone by then. */
struct pinned {
    cl_int(CL_API_CALL *release)(cl_mem);
    cl_mem mem;
};

static void CL_CALLBACK release_pinned(cl_event event, cl_int state, void *user)
{
    struct pinned *pinned = user;
    (void)event;
    (void)state;
    pinned->release(pinned->mem);
    free(pinned);
}

/* OpenCL keeps buffers that commands use, but not the address that one copies from. */
static void give_up_pinned(const struct origins_buffer *buffer, const struct cl_api *cl)
{
    if (buffer->last && !cl_has_ended(cl, buffer->last)) {
        struct pinned *pinned = malloc(sizeof *pinned);
        if (pinned) {
            *pinned = (struct pinned){cl->clReleaseMemObject, buffer->pinned};
            if (cl->clSetEventCallback(buffer->last, CL_COMPLETE, release_pinned, pinned) ==
                CL_SUCCESS)
                return;
            free(pinned);
        }
        return; /* lost rather than taken away from a copy */
    }
    cl->clReleaseMemObject(buffer->pinned);
}

void origins_buffer_release_behind(struct origins_buffer *buffer, const struct cl_api *cl)
{
    if (buffer->pinned)
        give_up_pinned(buffer, cl);
    else
        free(buffer->host);
    if (buffer->mem)
        cl->clReleaseMemObject(buffer->mem);
    free(buffer->places);
    free(buffer);
}

void origins_buffer_release(struct origins_buffer *buffer, const struct cl_api *cl)
{
    cl_event last = buffer->last;
    origins_buffer_release_behind(buffer, cl);
    if (last)
        cl_release_ended(cl, last);
}

void origins_pool_release(struct origins_pool *pool, const struct cl_api *cl)
{
    for (struct origins_buffer *buffer = pool->first, *next; buffer; buffer = next) {
        next = buffer->next;
        origins_buffer_release(buffer, cl);
    }
    pthread_mutex_destroy(&pool->lock);
}
