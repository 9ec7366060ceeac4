/* SPDX-License-Identifier: MIT */
#include "runtime/programs/program_store.h"

#include <stdlib.h>

void program_store_init(struct program_store *store)
{
    *store = (struct program_store){.last = NULL};
    pthread_mutex_init(&store->lock, NULL);
}

void program_store_release(struct program_store *store, const struct cl_api *cl)
{
    for (struct program_slot *slot = store->last, *next; slot; slot = next) {
        next = slot->next;
        if (slot->program)
            cl->clReleaseProgram(slot->program);
        pthread_mutex_destroy(&slot->lock);
        free(slot);
    }
    free(store->build_log);
    pthread_mutex_destroy(&store->lock);
}

static bool is_slot_of(const struct program_slot *slot, const struct program_spec *spec)
{
    const struct plan_pattern *a = &slot->of.pattern, *b = &spec->pattern;
    return slot->of.variant == spec->variant && slot->of.element_size == spec->element_size &&
           slot->of.index_bits == spec->index_bits && a->group_stride == b->group_stride &&
           a->group_size == b->group_size && a->element_stride == b->element_stride;
}

struct program_slot *program_store_slot(struct program_store *store,
                                        const struct program_spec *spec)
{
    pthread_mutex_lock(&store->lock);
    struct program_slot *slot = store->last;
    while (slot && !is_slot_of(slot, spec))
        slot = slot->next;
    if (!slot && (slot = calloc(1, sizeof *slot))) {
        slot->next = store->last;
        slot->of = *spec;
        pthread_mutex_init(&slot->lock, NULL);
        store->last = slot;
    }
    pthread_mutex_unlock(&store->lock);
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
