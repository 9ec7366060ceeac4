/* SPDX-License-Identifier: MIT */
#include "runtime/programs/program_store.h"

#include <stdlib.h>
#include <string.h>

void program_store_release(struct program_store *store, const struct cl_api *cl)
{
    for (struct program_slot *slot = store->last, *next; slot; slot = next) {
        next = slot->next;
        if (slot->program)
            cl->clReleaseProgram(slot->program);
        pthread_mutex_destroy(&slot->lock);
        free(slot->options);
        free(slot);
    }
    free(store->build_log);
    pthread_mutex_destroy(&store->lock);
}

const char *program_kernel_name(struct program_kernel kernel)
{
    return plan_variant_name(kernel.variant);
}

struct program_slot *program_store_slot(struct program_store *store, struct program_kernel kernel,
                                        char *options)
{
    pthread_mutex_lock(&store->lock);
    struct program_slot *slot = store->last;
    while (slot && (slot->kernel.variant != kernel.variant || strcmp(slot->options, options) != 0))
        slot = slot->next;
    if (!slot && (slot = malloc(sizeof *slot))) {
        *slot = (struct program_slot){.next = store->last,
                                      .kernel = kernel,
                                      .options = options,
                                      .lock = PTHREAD_MUTEX_INITIALIZER};
        store->last = slot;
        options = NULL;
    }
    pthread_mutex_unlock(&store->lock);
    free(options);
    return slot;
}

void program_store_set_log(struct program_store *store, char *log)
{
    pthread_mutex_lock(&store->lock);
    free(store->build_log);
    store->build_log = log;
    pthread_mutex_unlock(&store->lock);
}

void program_store_get_log(struct program_store *store, struct text *text)
{
    pthread_mutex_lock(&store->lock);
    text_append(text, "%s", store->build_log ? store->build_log : "");
    pthread_mutex_unlock(&store->lock);
}
