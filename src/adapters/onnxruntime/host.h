/* SPDX-License-Identifier: MIT */
/* What ONNX Runtime hands to a plugin: its tables of functions, its errors and its log. */
#ifndef CLSLICE_ADAPTERS_ONNXRUNTIME_HOST_H
#define CLSLICE_ADAPTERS_ONNXRUNTIME_HOST_H

#include <onnxruntime_c_api.h>

/* The first version whose plugins can take nodes. Later hosts serve it as it is, whatever this was
 * built with. */
enum { HOST_API_VERSION = 23 };

struct host {
    uint32_t minor; /* 23 is 1.23; UINT32_MAX beyond 1 */
    const OrtApi *api;
    const OrtEpApi *ep;
    const OrtLogger *logger; /* the environment's; borrowed until ReleaseEpFactory */
};

/* An older host gets ORT_NOT_IMPLEMENTED, with both versions in the text. One that has no table for
 * its own version cannot even be told: host->api is NULL. */
OrtStatus *host_open(struct host *host, const OrtApiBase *base, const OrtLogger *logger);

/* The message is cut at 2 KiB. The caller, and in the end ONNX Runtime, releases the status. */
OrtStatus *host_error(const struct host *host, OrtErrorCode code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* On any thread. */
void host_log(const struct host *host, OrtLoggingLevel level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
