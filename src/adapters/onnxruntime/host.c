/* SPDX-License-Identifier: MIT */
#include "host.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t minor_of(const char *version)
{
    char *end = NULL;
    if (strtoul(version, &end, 10) != 1 || *end != '.')
        return UINT32_MAX;
    return (uint32_t)strtoul(end + 1, NULL, 10);
}

OrtStatus *host_open(struct host *host, const OrtApiBase *base, const OrtLogger *logger)
{
    const char *version = base->GetVersionString();
    *host = (struct host){.minor = minor_of(version), .logger = logger};
    /* A host that is asked for more than it has complains on stderr: ask for no more than its
     * own. */
    const bool is_old = host->minor < HOST_API_VERSION;
    host->api = base->GetApi(is_old ? host->minor : HOST_API_VERSION);
    if (!host->api)
        return NULL;
    if (is_old)
        return host_error(host, ORT_NOT_IMPLEMENTED,
                          "clslice needs ONNX Runtime 1.%d or newer, but this is %s; upgrade it",
                          HOST_API_VERSION, version);
    host->ep = host->api->GetEpApi();
    return NULL;
}

OrtStatus *host_error(const struct host *host, OrtErrorCode code, const char *format, ...)
{
    char text[2048];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    return host->api->CreateStatus(code, text);
}

void host_log(const struct host *host, OrtLoggingLevel level, const char *format, ...)
{
    char text[2048];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    /* Nothing can be done about a log that fails. */
    host->api->ReleaseStatus(
        host->api->Logger_LogMessage(host->logger, level, text, "clslice", 0, "clslice"));
}
