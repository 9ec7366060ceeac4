/* SPDX-License-Identifier: MIT */
#include "support/program_rig.h"

#include "support/asserts.h"

#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

enum { HANG_MILLISECONDS = 20000 };

const struct step run_slice = {"run", ACT_DISPATCH, SHAPE_STRIDED, MEMORY_CL, STEP_EVENT};

static char folder[4200];

clslice_device_options rig_begin(void)
{
    fake_begin();
    snprintf(folder, sizeof folder, "%s", cache_folder_named("programs"));
    clslice_device_options options = fake_options(folder);
    ck_assert_int_eq(clslice_cache_clear(&options, NULL, NULL), CLSLICE_S_OK);
    return options;
}

const char *rig_folder(void)
{
    return folder;
}

uint64_t rig_entries(const clslice_device_options *options)
{
    clslice_cache_info info = {.size = sizeof info};
    ck_assert_int_eq(clslice_cache_get_info(options, &info, NULL), CLSLICE_S_OK);
    return info.entries;
}

const char *rig_first_entry(const clslice_device_options *options)
{
    static char path[4400];
    clslice_cache_entry entry = {.size = sizeof entry};
    ck_assert_int_eq(clslice_cache_enumerate(options, 0, &entry, NULL), CLSLICE_S_OK);
    snprintf(path, sizeof path, "%s/%s", folder, entry.name);
    return path;
}

const char *rig_read_entry(const clslice_device_options *options, size_t *size)
{
    static char bytes[1 << 18];
    FILE *stream = fopen(rig_first_entry(options), "rb");
    ck_assert_ptr_nonnull(stream);
    *size = fread(bytes, 1, sizeof bytes, stream);
    fclose(stream);
    return bytes;
}

static clslice_cache_counters counters_of(const clslice_device *device)
{
    clslice_cache_counters counters = {.size = sizeof counters};
    ck_assert_int_eq(clslice_device_get_cache_counters(device, &counters, NULL), CLSLICE_S_OK);
    return counters;
}

struct told rig_use(const clslice_device_options *options)
{
    struct told told = {.info = {.size = sizeof told.info}};
    struct world world;
    world_open_on(&world, &run_slice, options);
    world_do(&world);
    world_check_done(&world);
    ck_assert_int_eq(clslice_compiled_operator_get_info(world.compiled, &told.info, NULL),
                     CLSLICE_S_OK);
    told.counters = counters_of(world.device);
    world_close(&world);
    return told;
}

static void check(const clslice_cache_counters *told, const clslice_cache_counters *wanted)
{
    ck_assert_uint_eq(told->is_on, wanted->is_on);
    ck_assert_uint_eq(told->hits, wanted->hits);
    ck_assert_uint_eq(told->misses, wanted->misses);
    ck_assert_uint_eq(told->stale, wanted->stale);
    ck_assert_uint_eq(told->corrupt, wanted->corrupt);
    ck_assert_uint_eq(told->untrusted, wanted->untrusted);
    ck_assert_uint_eq(told->refused, wanted->refused);
    ck_assert_uint_eq(told->saved, wanted->saved);
    ck_assert_uint_eq(told->unsaved, wanted->unsaved);
}

struct told rig_expect(const clslice_device_options *options, const clslice_cache_counters *wanted)
{
    struct told told = rig_use(options);
    check(&told.counters, wanted);
    return told;
}

void rig_check_counters(const clslice_device *device, const clslice_cache_counters *wanted)
{
    const clslice_cache_counters told = counters_of(device);
    check(&told, wanted);
}

/* ---- A driver that takes its time ---- */

static atomic_int inside, wanted;
static atomic_bool gave_up;

bool driver_gave_up(void)
{
    return gave_up;
}

int driver_inside(void)
{
    return inside;
}

void driver_want(int count)
{
    wanted = count;
}

void driver_linger(void *user)
{
    (void)user;
    ++inside;
    for (int ms = 0; inside < wanted && !gave_up; ++ms) {
        if (ms == HANG_MILLISECONDS)
            gave_up = true;
        usleep(1000);
    }
}

void driver_wait_for(int count)
{
    for (int ms = 0; driver_inside() < count; ++ms) {
        ck_assert_int_lt(ms, HANG_MILLISECONDS);
        usleep(1000);
    }
}

/* ---- Counting ---- */

size_t rig_queries(void)
{
    struct fake_call call;
    size_t count = 0;
    for (size_t i = 0; fake_call_at(i, &call); ++i)
        count += call.function == FAKE_clGetProgramInfo && call.what == CL_PROGRAM_BINARY_SIZES;
    return count;
}
