/* SPDX-License-Identifier: MIT */
/* Where a device's messages go: to the host's function, or to stderr by topic. Any thread. */
#ifndef CLSLICE_RUNTIME_LOG_H
#define CLSLICE_RUNTIME_LOG_H

#include "clslice/clslice.h"

enum { LOG_DEVICE = 1, LOG_CACHE = 2 }; /* topics */

struct log {
    void (*write)(void *user, uint32_t level, const char *text); /* NULL: stderr, by topic */
    void *user;
    uint32_t stderr_topics;
};

/* `topics`: of LOG_DEVICE and LOG_CACHE. */
#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
void log_append(const struct log *log, uint32_t topics, uint32_t level, const char *format, ...);

#endif
