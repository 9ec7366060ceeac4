/* SPDX-License-Identifier: MIT */
/* Every allocation of every operation fails once: the operation fails with E_OUTOFMEMORY and
 * works the next time, or had no need of the memory. Linked with --wrap over clslice's objects. */
#include "support/fake_cl/fault_steps.h"
#include "support/suite.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static unsigned allocations_left; /* until one fails; 0: none will */

static bool fails(void)
{
    if (allocations_left == 0 || --allocations_left > 0)
        return false;
    errno = ENOMEM;
    return true;
}

#define WRAP(result, name, parameters, arguments)        \
    result __real_##name parameters;                     \
    result __wrap_##name parameters;                     \
    result __wrap_##name parameters                      \
    {                                                    \
        return fails() ? NULL : __real_##name arguments; \
    }

WRAP(void *, malloc, (size_t size), (size))
WRAP(void *, calloc, (size_t count, size_t size), (count, size))
WRAP(void *, realloc, (void *old, size_t size), (old, size))
WRAP(char *, strdup, (const char *text), (text))
WRAP(DIR *, fdopendir, (int folder), (folder))

/* Runs the operation with its nth allocation failing; false where it has no nth. */
static bool run_with_fault(const struct step *step, unsigned nth)
{
    struct world world;
    clslice_error error = {.size = sizeof error};
    world_open(&world, step);
    allocations_left = nth;
    int32_t status = world_act(&world, &error);
    bool failed = allocations_left == 0;
    allocations_left = 0;
    if (status != CLSLICE_S_OK) {
        ck_assert_msg(failed, "%s: %s", step->name, error.text);
        ck_assert_msg(status == CLSLICE_E_OUTOFMEMORY, "%s, allocation %u: 0x%x: %s", step->name,
                      nth, (unsigned)status, error.text);
        ck_assert_int_eq(error.status, CLSLICE_E_OUTOFMEMORY);
        ck_assert_uint_eq(error.rule, CLSLICE_RULE_MEMORY);
        ck_assert_str_ne(error.text, "");
        world_check_untouched(&world);
        status = world_act(&world, &error);
        ck_assert_msg(status == CLSLICE_S_OK, "%s, after allocation %u failed: %s", step->name, nth,
                      error.text);
    }
    world_end(&world);
    return failed;
}

START_TEST(every_allocation_fails_once)
{
    for (unsigned nth = 1; run_with_fault(&steps[_i], nth); ++nth)
        ck_assert_uint_lt(nth, 500);
}
END_TEST

/* Makes a device with its nth allocation failing (0: none), and a cache entry with it. The
 * entry's name, or "" where there is no device or no entry. */
static const char *entry_after_fault(unsigned nth)
{
    static clslice_cache_entry entry;
    struct world world;
    clslice_error error = {.size = sizeof error};
    static const struct step step = {"create", ACT_CREATE, SHAPE_STRIDED, MEMORY_CL, STEP_CACHE};
    world_open(&world, &step);
    allocations_left = nth;
    int32_t status = world_act(&world, &error);
    allocations_left = 0;
    entry = (clslice_cache_entry){.size = sizeof entry};
    if (status == CLSLICE_S_OK) {
        world_save_program(&world);
        clslice_cache_counters counters = {.size = sizeof counters};
        status = clslice_device_get_cache_counters(world.device, &counters, NULL);
        ck_assert_int_eq(status, CLSLICE_S_OK);
        status = clslice_cache_enumerate(&world.options, 0, &entry, NULL);
        ck_assert_uint_eq(counters.is_on, status == CLSLICE_S_OK);
        ck_assert(status == CLSLICE_S_OK || entry.name[0] == '\0');
    }
    world_close(&world);
    return entry.name;
}

/* An identity that could not be had whole must not become a cache key: another driver's could be
 * equal. */
START_TEST(p1_no_key_from_half_an_identity)
{
    char whole[64];
    strcpy(whole, entry_after_fault(0));
    ck_assert_str_ne(whole, "");
    for (unsigned nth = 1; nth < 40; ++nth) {
        const char *name = entry_after_fault(nth);
        ck_assert_msg(name[0] == '\0' || strcmp(name, whole) == 0,
                      "allocation %u: the key has holes", nth);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("faults_memory");
    TCase *tcase = suite_case(suite, "libc");
    tcase_add_loop_test(tcase, every_allocation_fails_once, 0, step_count);
    tcase_add_test(tcase, p1_no_key_from_half_an_identity);
    return suite_run(suite);
}
