/* SPDX-License-Identifier: MIT */
/* test_two_libraries FIRST SECOND: two builds of the library in one process, the first one global,
 * never call each other. */
#include "golden.h"
#include "support/suite.h"
#include "use.h"

#include <dlfcn.h>
#include <link.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *exported;
    size_t offset; /* in the table */
} functions[] = {
#define ROW(name, at) {"clslice_" #name, offsetof(struct clslice_api, name)},
    GOLDEN_MEMBERS(ROW)
#undef ROW
};

enum { FUNCTION_COUNT = COUNT_OF(functions) };

_Static_assert(sizeof(struct clslice_api) ==
                   offsetof(struct clslice_api, device_enumerate) + FUNCTION_COUNT * sizeof(void *),
               "GOLDEN_MEMBERS lists the whole table");

struct library {
    const char *path;
    void *handle;
    const char *mapped; /* as dladdr names it */
    const struct clslice_api *api;
    struct use use;
    unsigned calls, strangers; /* of its hooks, in all and from another library's code */
};

static struct library libraries[2];

static void load(struct library *library, int scope)
{
    struct link_map *map;
    const struct clslice_api *(*get_api)(uint32_t);
    library->handle = dlopen(library->path, RTLD_NOW | scope);
    ck_assert_msg(library->handle != NULL, "%s", dlerror());
    ck_assert_int_eq(dlinfo(library->handle, RTLD_DI_LINKMAP, &map), 0);
    library->mapped = map->l_name;
    void *address = dlsym(library->handle, "clslice_get_api");
    memcpy(&get_api, &address, sizeof get_api);
    library->api = get_api(CLSLICE_ABI_VERSION);
    ck_assert_ptr_nonnull(library->api);
}

static void load_both(void)
{
    load(&libraries[0], RTLD_GLOBAL);
    load(&libraries[1], RTLD_LOCAL);
}

static bool lies_in(const void *address, const struct library *library)
{
    Dl_info info;
    return dladdr(address, &info) && strcmp(info.dli_fname, library->mapped) == 0;
}

static void *in_table(const struct library *library, int function)
{
    void *address;
    memcpy(&address, (const char *)library->api + functions[function].offset, sizeof address);
    return address;
}

START_TEST(each_table_lies_in_its_library)
{
    const struct clslice_api *a = libraries[0].api, *b = libraries[1].api;
    ck_assert_ptr_ne(a, b);
    ck_assert_str_ne(a->version, b->version);
    for (int i = 0; i < FUNCTION_COUNT; ++i)
        for (int l = 0; l < 2; ++l)
            ck_assert_msg(lies_in(in_table(&libraries[l], i), &libraries[l]),
                          "%s in the table of %s lies elsewhere", functions[i].exported,
                          libraries[l].path);
}
END_TEST

START_TEST(exported_functions_lie_in_their_library)
{
    for (int i = 0; i < FUNCTION_COUNT; ++i)
        for (int l = 0; l < 2; ++l)
            ck_assert_msg(lies_in(dlsym(libraries[l].handle, functions[i].exported), &libraries[l]),
                          "%s of %s lies elsewhere", functions[i].exported, libraries[l].path);
    /* What a host without a handle finds is the global one's. */
    ck_assert(lies_in(dlsym(RTLD_DEFAULT, "clslice_device_create"), &libraries[0]));
}
END_TEST

static void count(struct library *library, const void *caller)
{
    ++library->calls;
    library->strangers += !lies_in(caller, library);
}

static void *get_proc(void *user, const char *name)
{
    static void *loader;
    count(user, __builtin_return_address(0));
    if (!loader)
        loader = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
    return loader ? dlsym(loader, name) : NULL;
}

static void log_line(void *user, uint32_t level, const char *text)
{
    (void)level;
    (void)text;
    count(user, __builtin_return_address(0));
}

static clslice_device_options options_for(struct library *library)
{
    return (clslice_device_options){.size = sizeof(clslice_device_options),
                                    .get_proc = get_proc,
                                    .get_proc_user = library,
                                    .log = log_line,
                                    .log_user = library};
}

/* An exported wrapper runs its own library's code, not the global one's of the same name. */
START_TEST(exported_functions_call_their_own_library)
{
    for (int l = 0; l < 2; ++l) {
        int32_t (*create)(const clslice_device_options *, clslice_device **, clslice_error *);
        struct library *other = &libraries[1 - l], *library = &libraries[l];
        clslice_device_options options = options_for(library);
        clslice_error error = {.size = sizeof error};
        clslice_device *device = NULL;
        void *address = dlsym(library->handle, "clslice_device_create");
        memcpy(&create, &address, sizeof create);
        other->calls = library->calls = library->strangers = 0;
        ck_assert_msg(create(&options, &device, &error) == CLSLICE_S_OK, "%s", error.text);
        ck_assert_uint_gt(library->calls, 0);
        ck_assert_uint_eq(library->strangers, 0);
        ck_assert_uint_eq(other->calls, 0);
        library->api->device_release(device);
    }
}
END_TEST

START_TEST(both_libraries_dispatch)
{
    for (int l = 0; l < 2; ++l) {
        struct library *library = &libraries[l];
        clslice_device_options options = options_for(library);
        library->calls = library->strangers = 0;
        ck_assert_msg(use_create(&library->use, library->api, &options, (unsigned char)(100 * l)),
                      "%s", library->use.error.text);
    }
    for (int l = 0; l < 2; ++l)
        ck_assert_msg(use_dispatch(&libraries[l].use), "%s", libraries[l].use.error.text);
    for (int l = 2; l-- > 0;)
        ck_assert_msg(use_wait(&libraries[l].use), "%s", libraries[l].use.error.text);
    for (int l = 0; l < 2; ++l) {
        struct library *library = &libraries[l];
        ck_assert(use_is_right(&library->use));
        ck_assert_uint_gt(library->calls, 0);
        ck_assert_uint_eq(library->strangers, 0);
        use_release(&library->use);
        ck_assert_int_eq(dlclose(library->handle), 0); /* the other one goes on */
    }
}
END_TEST

int main(int argc, char **argv)
{
    if (argc != 3)
        return EXIT_FAILURE;
    libraries[0].path = argv[1];
    libraries[1].path = argv[2];
    Suite *suite = suite_create("two_libraries");
    TCase *tcase = suite_case(suite, "two_libraries");
    tcase_add_checked_fixture(tcase, load_both, NULL);
    tcase_add_test(tcase, each_table_lies_in_its_library);
    tcase_add_test(tcase, exported_functions_lie_in_their_library);
    tcase_add_test(tcase, exported_functions_call_their_own_library);
    tcase_add_test(tcase, both_libraries_dispatch);
    return suite_run(suite);
}
