/* SPDX-License-Identifier: MIT */
#include "runtime/log.h"

#include "base/text.h"

#include <stdio.h>

void log_append(const struct log *log, uint32_t topics, uint32_t level, const char *format, ...)
{
    if (!log->write && !(log->stderr_topics & topics))
        return;
    char line[1024];
    struct text text = text_in(line, sizeof line);
    va_list arguments;
    va_start(arguments, format);
    text_append_v(&text, format, arguments);
    va_end(arguments);
    text_escape(&text);
    if (log->write)
        log->write(log->user, level, line);
    else
        fprintf(stderr, "clslice: %s%s\n", level == CLSLICE_LOG_WARNING ? "warning: " : "", line);
}
