/* SPDX-License-Identifier: MIT */
/*
 * The program cache: binaries on disk, for the next process. clslice.h includes this header.
 *
 * A compile that does not find its program in the cache builds it, and saves the binary before it
 * returns, on the calling thread. No other call asks the driver for a binary, so nothing is lost
 * however the process ends. The cache never makes a call fail: if anything is wrong with it, the
 * program is built from source.
 *
 * The folder is $XDG_CACHE_HOME/clslice if that path is absolute, else $HOME/.cache/clslice. There
 * is none if neither variable is set, HOME is no folder, or the folder that the variable names
 * belongs to another user. clslice creates it with mode 0700. It is used only if it belongs to the
 * user, or to root if it is only read, and nobody else may write to it. There is no cache in a
 * process that has more privileges than its user, none for a host's context with several devices,
 * and none for a device whose driver does not say all that identifies it.
 *
 * CLSLICE_CACHE is "off", "0", "ro", "refresh", "default", an absolute path, "ro=PATH" or
 * "refresh=PATH". CLSLICE_CACHE_MAX is a number of bytes, which may end in K, M or G, or "none"; if
 * it is unset or 0, 256 MiB. The options `cache_mode`, `cache_path` and `cache_bytes` each override
 * the corresponding part of the variables.
 */
#include "clslice.h" /* which includes this one, in whichever order the two are named */

#ifndef CLSLICE_CACHE_H
#define CLSLICE_CACHE_H

/* What the cache has done for a device's programs so far. */
typedef struct clslice_cache_counters {
    uint32_t size;
    uint32_t is_on;
    uint64_t hits;
    uint64_t misses;    /* no entry, or none that could be read */
    uint64_t stale;     /* an entry of another format or key */
    uint64_t corrupt;   /* a damaged entry */
    uint64_t untrusted; /* a folder or entry that others may have written */
    uint64_t refused;   /* an intact entry that the driver did not accept */
    uint64_t saved;
    uint64_t unsaved; /* programs that could not be run on scratch memory, or not written */
} clslice_cache_counters;
CLSLICE_ASSERT_SIZE(clslice_cache_counters, 72)

CLSLICE_API CLSLICE_MUST_USE int32_t clslice_device_get_cache_counters(
    const clslice_device *CLSLICE_NONNULL device, clslice_cache_counters *CLSLICE_NONNULL counters,
    clslice_error *CLSLICE_NULLABLE error);

typedef struct clslice_cache_info {
    uint32_t size;
    uint32_t mode;      /* CLSLICE_CACHE_OFF, READ_WRITE, READ_ONLY or REFRESH */
    uint64_t max_bytes; /* UINT64_MAX: no limit */
    uint64_t entries;
    uint64_t bytes;
    uint64_t oldest; /* last use of the least recently used entry, in seconds since 1970; 0: none */
    char path[4096]; /* empty if there is none */
} clslice_cache_info;
CLSLICE_ASSERT_SIZE(clslice_cache_info, 4136)

/* The cache that a device made with these options would use. OpenCL is not used. Like the functions
 * below, returns E_INVALIDARG if CLSLICE_CACHE or CLSLICE_CACHE_MAX is read and cannot be parsed;
 * the device would do without the cache, or use the default limit. */
CLSLICE_API CLSLICE_MUST_USE int32_t clslice_cache_get_info(
    const clslice_device_options *CLSLICE_NULLABLE options,
    clslice_cache_info *CLSLICE_NONNULL info, clslice_error *CLSLICE_NULLABLE error);

typedef struct clslice_cache_entry {
    uint32_t size;
    uint32_t is_whole; /* 0: it would not be used */
    uint64_t bytes;
    uint64_t last_used; /* seconds since 1970 */
    char name[64];      /* of the file */
    char text[512];     /* kernel, options, device, driver; or why it would not be used */
} clslice_cache_entry;
CLSLICE_ASSERT_SIZE(clslice_cache_entry, 600)

/*
 * For hosts with options of their own: parses a text in the grammar of CLSLICE_CACHE. `mode` and
 * `path` receive the values of `cache_mode` and `cache_path`; `path` is NULL or a part of `text`.
 * The empty text gives CLSLICE_CACHE_DEFAULT. E_INVALIDARG if the text cannot be parsed.
 */
CLSLICE_API CLSLICE_MUST_USE int32_t clslice_parse_cache(
    const char *CLSLICE_NONNULL text, uint32_t *CLSLICE_NONNULL mode,
    const char *CLSLICE_NULLABLE *CLSLICE_NONNULL path, clslice_error *CLSLICE_NULLABLE error);

/* The same for the grammar of CLSLICE_CACHE_MAX. "none" gives UINT64_MAX. */
CLSLICE_API CLSLICE_MUST_USE int32_t clslice_parse_bytes(const char *CLSLICE_NONNULL text,
                                                         uint64_t *CLSLICE_NONNULL bytes,
                                                         clslice_error *CLSLICE_NULLABLE error);

/* The index-th entry of that cache, the least recently used first. DXGI_ERROR_NOT_FOUND past the
 * last one, and if the cache is off. Entries that other processes add or remove meanwhile may be
 * missed or seen twice. */
CLSLICE_API CLSLICE_MUST_USE int32_t clslice_cache_enumerate(
    const clslice_device_options *CLSLICE_NULLABLE options, uint32_t index,
    clslice_cache_entry *CLSLICE_NONNULL entry, clslice_error *CLSLICE_NULLABLE error);

/* Removes every entry of that cache, and nothing else in the folder. `removed` receives their
 * number. */
CLSLICE_API CLSLICE_MUST_USE int32_t
clslice_cache_clear(const clslice_device_options *CLSLICE_NULLABLE options,
                    uint64_t *CLSLICE_NULLABLE removed, clslice_error *CLSLICE_NULLABLE error);

#endif /* CLSLICE_CACHE_H */
