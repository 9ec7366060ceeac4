/* SPDX-License-Identifier: MIT */
#include "options.h"

#include <onnxruntime_session_options_config_keys.h>
#include <stdbool.h>
#include <string.h>

#define PREFIX "ep.clsliceexecutionprovider."

static bool is_option(const char *name)
{
    static const char *const names[] = {"device", "cache", "min_bytes"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

/* A misspelt name is an error: otherwise nobody would notice that the option is not set. */
static OrtStatus *check_names(const struct host *host, const OrtSessionOptions *session)
{
    OrtKeyValuePairs *entries = NULL;
    const char *const *keys, *const *values;
    size_t count = 0;
    OrtStatus *status = host->api->GetSessionOptionsConfigEntries(session, &entries);
    if (status)
        return status;
    host->api->GetKeyValuePairs(entries, &keys, &values, &count);
    for (size_t i = 0; i < count && !status; ++i)
        if (strncmp(keys[i], PREFIX, strlen(PREFIX)) == 0 && !is_option(keys[i] + strlen(PREFIX)))
            status = host_error(host, ORT_INVALID_ARGUMENT,
                                "%s: unknown option; use device, cache or min_bytes", keys[i]);
    host->api->ReleaseKeyValuePairs(entries);
    return status;
}

/* Leaves `text` as it is where the session does not have the key. */
static OrtStatus *read_text(const struct host *host, const OrtSessionOptions *session,
                            const char *key, char *text, size_t size)
{
    size_t needed = 0;
    int is_there = 0;
    OrtStatus *status = host->api->HasSessionConfigEntry(session, key, &is_there);
    if (status || !is_there)
        return status;
    status = host->api->GetSessionConfigEntry(session, key, NULL, &needed);
    if (!status && needed > size)
        return host_error(host, ORT_INVALID_ARGUMENT, "%s is %zu bytes long, the limit is %zu", key,
                          needed - 1, size - 1);
    return status ? status : host->api->GetSessionConfigEntry(session, key, text, &needed);
}

static unsigned shift_of(char unit)
{
    switch (unit) {
    case '\0':
        return 0;
    case 'K':
        return 10;
    case 'M':
        return 20;
    case 'G':
        return 30;
    default:
        return 64;
    }
}

/* Digits, then an optional unit. */
static bool parse_bytes(const char *text, uint64_t *bytes)
{
    const size_t digits = strspn(text, "0123456789");
    uint64_t number = 0;
    for (size_t i = 0; i < digits; ++i)
        if (__builtin_mul_overflow(number, 10u, &number) ||
            __builtin_add_overflow(number, (uint64_t)(text[i] - '0'), &number))
            return false;
    const unsigned shift = shift_of(text[digits]);
    if (!digits || shift > 30 || (shift && text[digits + 1] != '\0'))
        return false;
    *bytes = number << shift;
    return *bytes >> shift == number;
}

OrtStatus *options_read(const struct host *host, const OrtSessionOptions *session,
                        struct options *options)
{
    char min_bytes[32] = "", context[8] = "";
    memset(options, 0, sizeof *options);
    OrtStatus *status = check_names(host, session);
    if (!status)
        status = read_text(host, session, PREFIX "device", options->device, sizeof options->device);
    if (!status)
        status = read_text(host, session, PREFIX "cache", options->cache, sizeof options->cache);
    if (!status)
        status = read_text(host, session, PREFIX "min_bytes", min_bytes, sizeof min_bytes);
    if (!status)
        status =
            read_text(host, session, kOrtSessionOptionEpContextEnable, context, sizeof context);
    if (status)
        return status;
    options->keeps_context = strcmp(context, "1") == 0;
    options->has_min_bytes = *min_bytes != '\0';
    if (options->has_min_bytes && !parse_bytes(min_bytes, &options->min_bytes))
        return host_error(host, ORT_INVALID_ARGUMENT,
                          PREFIX
                          "min_bytes = '%s': give a number of bytes, which may end in K, M or G",
                          min_bytes);
    return NULL;
}
