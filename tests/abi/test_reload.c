/* SPDX-License-Identifier: MIT */
/*
 * test_reload LIBRARY KIB: loading, using and closing the library again and again keeps no thread,
 * no descriptor and no memory. KIB is how much private memory may grow in a round, or 0 where it
 * says nothing (sanitizers keep freed memory). A leak shows in every round; a driver's memory grows
 * now and then (PoCL 7.1: by 400 KiB in one of 16 rounds), so every second round may exceed KIB. A
 * leaked program (1 MiB) is far above it. What is smaller, the leak sanitizer finds where it is
 * ours, and the fake OpenCL's counters where it is OpenCL's.
 */
#include "support/suite.h"
#include "use.h"

#include <dirent.h>
#include <dlfcn.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 16 };

static const char *path;
static long growth_kib;

struct held {
    long threads, descriptors, anonymous_kib;
};

static long entries(const char *folder)
{
    long count = 0;
    DIR *directory = opendir(folder);
    ck_assert_ptr_nonnull(directory);
    while (readdir(directory))
        ++count;
    closedir(directory);
    return count;
}

/* The number in a line of /proc/self/status, or what there was where it is another line. */
static long number(const char *line, const char *name, long otherwise)
{
    size_t length = strlen(name);
    return strncmp(line, name, length) == 0 ? strtol(line + length, NULL, 10) : otherwise;
}

static struct held held_now(void)
{
    struct held held = {.threads = -1, .anonymous_kib = -1};
    char line[256];
    malloc_trim(0); /* what is free is not held */
    FILE *status = fopen("/proc/self/status", "r");
    ck_assert_ptr_nonnull(status);
    while (fgets(line, sizeof line, status)) {
        held.threads = number(line, "Threads:", held.threads);
        held.anonymous_kib = number(line, "RssAnon:", held.anonymous_kib);
    }
    fclose(status);
    ck_assert_int_gt(held.threads, 0);
    ck_assert_int_gt(held.anonymous_kib, 0);
    held.descriptors = entries("/proc/self/fd");
    return held;
}

static void use_once(unsigned char seed)
{
    const struct clslice_api *(*get_api)(uint32_t);
    struct use use;
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    ck_assert_msg(handle != NULL, "%s", dlerror());
    void *address = dlsym(handle, "clslice_get_api");
    memcpy(&get_api, &address, sizeof get_api);
    ck_assert_msg(use_create(&use, get_api(CLSLICE_ABI_VERSION), NULL, seed) &&
                      use_dispatch(&use) && use_wait(&use),
                  "%s", use.error.text);
    ck_assert(use_is_right(&use));
    use_release(&use);
    ck_assert_int_eq(dlclose(handle), 0);
    /* Threads of a driver may still be inside it. */
    handle = dlopen(path, RTLD_NOW | RTLD_NOLOAD);
    ck_assert_msg(handle != NULL, "dlclose has unmapped the library");
    ck_assert_int_eq(dlclose(handle), 0);
}

START_TEST(reloading_keeps_nothing)
{
    struct held held[ROUNDS];
    int grown = 0;
    for (int round = 0; round < ROUNDS; ++round) {
        use_once((unsigned char)round);
        held[round] = held_now();
        printf("round %d: %ld threads, %ld descriptors, %ld KiB\n", round + 1, held[round].threads,
               held[round].descriptors, held[round].anonymous_kib);
        ck_assert_int_eq(held[round].threads, held[0].threads);
        ck_assert_int_eq(held[round].descriptors, held[0].descriptors);
    }
    for (int round = 1; round < ROUNDS && growth_kib > 0; ++round)
        grown += held[round].anonymous_kib - held[round - 1].anonymous_kib > growth_kib;
    ck_assert_int_le(grown, ROUNDS / 2);
}
END_TEST

int main(int argc, char **argv)
{
    if (argc != 3)
        return EXIT_FAILURE;
    path = argv[1];
    growth_kib = strtol(argv[2], NULL, 10);
    /* Which of a driver's threads makes the allocator add an arena, and in which round, is
     * chance. */
    mallopt(M_ARENA_MAX, 1);
    Suite *suite = suite_create("reload");
    TCase *tcase = suite_case(suite, "reload");
    tcase_add_test(tcase, reloading_keeps_nothing);
    return suite_run(suite);
}
