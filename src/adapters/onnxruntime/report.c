/* SPDX-License-Identifier: MIT */
#include "report.h"

#include <inttypes.h>

void report_log(const struct report *report, const struct host *host)
{
    if (report->launches > 0)
        host_log(host, ORT_LOGGING_LEVEL_INFO,
                 "uploads: %" PRIu64 ", launches: %" PRIu64 ", bytes saved: %" PRIu64,
                 report->uploads, report->launches, report->saved_bytes);
}
