/* SPDX-License-Identifier: MIT */
#include "options.h"

#include <onnxruntime_session_options_config_keys.h>
#include <stdbool.h>
#include <string.h>

#define PREFIX "ep.clsliceexecutionprovider."

/* Where the text of a key goes. */
struct target {
    const char *key;
    char *text;
    size_t size;
};

enum { TARGETS = 4 };

/* A misspelt name is an error: otherwise nobody would notice that the option is not set. */
static OrtStatus *store(const struct host *host, const char *key, const char *value,
                        const struct target targets[TARGETS])
{
    for (const struct target *target = targets; target < targets + TARGETS; ++target) {
        if (strcmp(key, target->key) != 0)
            continue;
        const size_t length = strlen(value);
        if (length >= target->size)
            return host_error(host, ORT_INVALID_ARGUMENT, "%s is %zu bytes long, the limit is %zu",
                              key, length, target->size - 1);
        memcpy(target->text, value, length + 1);
        return NULL;
    }
    if (strncmp(key, PREFIX, strlen(PREFIX)) != 0)
        return NULL;
    return host_error(host, ORT_INVALID_ARGUMENT,
                      "%s: unknown option; use device, cache or min_bytes", key);
}

static OrtStatus *store_all(const struct host *host, const OrtSessionOptions *session,
                            const struct target targets[TARGETS])
{
    OrtKeyValuePairs *entries = NULL;
    const char *const *keys, *const *values;
    size_t count = 0;
    OrtStatus *status = host->api->GetSessionOptionsConfigEntries(session, &entries);
    if (status)
        return status;
    host->api->GetKeyValuePairs(entries, &keys, &values, &count);
    for (size_t i = 0; i < count && !status; ++i)
        status = store(host, keys[i], values[i], targets);
    host->api->ReleaseKeyValuePairs(entries);
    return status;
}

OrtStatus *options_read(const struct host *host, const OrtSessionOptions *session,
                        struct options *options)
{
    char min_bytes[32] = "", context[8] = "";
    clslice_error error = {.size = sizeof error};
    const struct target targets[TARGETS] = {
        {PREFIX "device", options->device.selector, sizeof options->device.selector},
        {PREFIX "cache", options->device.cache, sizeof options->device.cache},
        {PREFIX "min_bytes", min_bytes, sizeof min_bytes},
        {kOrtSessionOptionEpContextEnable, context, sizeof context},
    };
    memset(options, 0, sizeof *options);
    OrtStatus *status = store_all(host, session, targets);
    if (status)
        return status;
    options->keeps_context = strcmp(context, "1") == 0;
    options->has_min_bytes = *min_bytes != '\0';
    /* "none" is no size, but clslice_parse_bytes takes it for no limit. */
    if (options->has_min_bytes &&
        (strcmp(min_bytes, "none") == 0 ||
         clslice_parse_bytes(min_bytes, &options->min_bytes, &error) != CLSLICE_S_OK))
        return host_error(host, ORT_INVALID_ARGUMENT,
                          PREFIX "min_bytes = \"%s\": expected a number of bytes, which may end in "
                                 "K, M or G",
                          min_bytes);
    return NULL;
}
