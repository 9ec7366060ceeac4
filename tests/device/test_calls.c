/* SPDX-License-Identifier: MIT */
/* The rules of every public function: NULL for each pointer, and structures of other sizes. */
#include "conformance/case_words.h"
#include "support/harness.h"
#include "support/suite.h"

#include <string.h>

#ifdef __clang__ /* these tests pass NULL where the header says not to */
#pragma clang diagnostic ignored "-Wnonnull"
#endif

enum { BYTES = 64 };

static const struct slice_case flip = CASE("flip", UINT8, WHOLE(BYTES), BY(-1), OUT(BYTES));

static struct rig rig;
static clslice_operator *op;
static clslice_compiled_operator *compiled;
static struct case_desc op_desc;
static unsigned char in_bytes[BYTES], out_bytes[BYTES], untouched[BYTES];

/* The cache is off: nothing of the user's is looked at or removed. */
static const clslice_device_options no_cache = {
    .size = sizeof no_cache, .get_proc = rig_proc, .cache_mode = CLSLICE_CACHE_OFF};

static void open_all(void)
{
    clslice_error error = {.size = sizeof error};
    rig_open(&rig, &no_cache);
    case_desc_init(&op_desc, &flip);
    ASSERT_OK(clslice_operator_create(rig.device, &op_desc.op, &op, &error), &error);
    ASSERT_OK(clslice_operator_compile(op, NULL, &compiled, &error), &error);
    memset(in_bytes, 1, BYTES);
}

static void close_all(void)
{
    clslice_compiled_operator_release(compiled);
    clslice_operator_release(op);
    rig_close(&rig);
}

static clslice_binding good_in(void)
{
    return rig_bind_host(in_bytes, 0, BYTES);
}

static clslice_binding good_out(void)
{
    return rig_bind_host(out_bytes, 0, BYTES);
}

static void check_untouched(void)
{
    ck_assert_int_eq(rig.cl.clFinish(rig.objects.queue), CL_SUCCESS);
    ck_assert_mem_eq(out_bytes, untouched, BYTES);
}

/* ---- NULL ---- */

/* A call without one of its pointers; `e` is its error. */
#define NULL_POINTER(word, call)                                                             \
    do {                                                                                     \
        clslice_error told = {.size = sizeof told};                                          \
        clslice_error *e = &told;                                                            \
        int32_t status_ = (call);                                                            \
        rig_check_error(&told, status_, CLSLICE_E_POINTER, CLSLICE_RULE_NULL_POINTER, word); \
        e = NULL;                                                                            \
        ck_assert_int_eq((call), CLSLICE_E_POINTER);                                         \
    } while (0)

#define FINE(call)                                  \
    do {                                            \
        clslice_error told = {.size = sizeof told}; \
        clslice_error *e = &told;                   \
        ASSERT_OK(call, e);                         \
        e = NULL;                                   \
        ck_assert_int_eq((call), CLSLICE_S_OK);     \
    } while (0)

START_TEST(functions_of_a_device_take_null)
{
    const struct clslice_api *api = clslice_get_api(CLSLICE_ABI_VERSION);
    clslice_device_options options = {.size = sizeof options, .get_proc = rig_proc};
    clslice_device_info info = {.size = sizeof info};
    clslice_opencl_objects objects = {.size = sizeof objects};
    DML_FEATURE_QUERY_TENSOR_DATA_TYPE_SUPPORT query = {DML_TENSOR_DATA_TYPE_FLOAT32};
    DML_FEATURE_DATA_TENSOR_DATA_TYPE_SUPPORT support;
    char text[8];
    uint64_t needed;
    ck_assert_ptr_nonnull(api);
    ck_assert_uint_eq(api->size, sizeof *api);
    ck_assert_ptr_null(clslice_get_api(CLSLICE_ABI_VERSION + 1));
    ck_assert_ptr_null(clslice_get_api(0));
    NULL_POINTER("info", api->device_enumerate(&options, 0, NULL, e));
    FINE(api->device_enumerate(NULL, 0, &info, e));
    NULL_POINTER("device", api->device_create(&options, NULL, e));
    api->device_retain(NULL);
    api->device_release(NULL);
    NULL_POINTER("device", api->device_get_info(NULL, &info, e));
    NULL_POINTER("info", api->device_get_info(rig.device, NULL, e));
    NULL_POINTER("device", api->device_get_opencl(NULL, &objects, e));
    NULL_POINTER("objects", api->device_get_opencl(rig.device, NULL, e));
    ck_assert_ptr_null(api->device_get_proc(NULL, "clFinish"));
    ck_assert_ptr_null(api->device_get_proc(rig.device, NULL));
    ck_assert_ptr_null(api->device_get_proc(rig.device, "clNothing"));
    const uint32_t type = DML_FEATURE_TENSOR_DATA_TYPE_SUPPORT;
    const uint32_t q = sizeof query, s = sizeof support;
    NULL_POINTER("device",
                 api->device_check_feature_support(NULL, type, q, &query, s, &support, e));
    NULL_POINTER("query",
                 api->device_check_feature_support(rig.device, type, q, NULL, s, &support, e));
    NULL_POINTER("support",
                 api->device_check_feature_support(rig.device, type, q, &query, s, NULL, e));
    FINE(api->device_check_feature_support(rig.device, type, q, &query, s, &support, e));
    NULL_POINTER("device", api->device_get_build_log(NULL, text, sizeof text, &needed, e));
    NULL_POINTER("text", api->device_get_build_log(rig.device, NULL, sizeof text, &needed, e));
    FINE(api->device_get_build_log(rig.device, NULL, 0, &needed, e));
    FINE(api->device_get_build_log(rig.device, text, sizeof text, NULL, e));
    FINE(api->device_get_build_log(rig.device, NULL, 0, NULL, e));
}
END_TEST

/* Whoever adds a function to the table adds its pointers here; clslice_run has test_run.c, and
 * those without pointers abi/test_layouts.c. */
_Static_assert(sizeof(struct clslice_api) == 8 + 37 * sizeof(void *), "every function is tried");

START_TEST(functions_of_the_cache_take_null)
{
    const struct clslice_api *api = clslice_get_api(CLSLICE_ABI_VERSION);
    clslice_error error = {.size = sizeof error};
    clslice_cache_counters counters = {.size = sizeof counters};
    clslice_cache_info info = {.size = sizeof info};
    clslice_cache_entry entry = {.size = sizeof entry};
    uint64_t removed;
    NULL_POINTER("device", api->device_get_cache_counters(NULL, &counters, e));
    NULL_POINTER("counters", api->device_get_cache_counters(rig.device, NULL, e));
    FINE(api->device_get_cache_counters(rig.device, &counters, e));
    ck_assert_uint_eq(counters.is_on, 0);
    NULL_POINTER("info", api->cache_get_info(&no_cache, NULL, e));
    FINE(api->cache_get_info(&no_cache, &info, e));
    FINE(api->cache_get_info(NULL, &info, e));
    NULL_POINTER("entry", api->cache_enumerate(&no_cache, 0, NULL, e));
    ck_assert_int_eq(api->cache_enumerate(&no_cache, 0, &entry, &error),
                     CLSLICE_DXGI_ERROR_NOT_FOUND);
    FINE(api->cache_clear(&no_cache, NULL, e));
    FINE(api->cache_clear(&no_cache, &removed, e));
}
END_TEST

START_TEST(functions_of_texts_take_null)
{
    const struct clslice_api *api = clslice_get_api(CLSLICE_ABI_VERSION);
    clslice_error error = {.size = sizeof error};
    uint32_t mode = 7;
    uint64_t bytes = 7;
    const char *path = "untouched";
    NULL_POINTER("text", api->parse_cache(NULL, &mode, &path, e));
    NULL_POINTER("mode", api->parse_cache("off", NULL, &path, e));
    NULL_POINTER("path", api->parse_cache("off", &mode, NULL, e));
    NULL_POINTER("text", api->parse_bytes(NULL, &bytes, e));
    NULL_POINTER("bytes", api->parse_bytes("1", NULL, e));
    ck_assert_int_eq(api->parse_cache("ro=p", &mode, &path, &error), CLSLICE_E_INVALIDARG);
    ck_assert_uint_eq(error.rule, CLSLICE_RULE_OPTION);
    ck_assert_ptr_nonnull(strstr(error.text, "\"ro=p\""));
    ck_assert_int_eq(api->parse_bytes("1T", &bytes, &error), CLSLICE_E_INVALIDARG);
    ck_assert_ptr_nonnull(strstr(error.text, "\"1T\""));
    ck_assert_uint_eq(mode, 7);
    ck_assert_str_eq(path, "untouched");
    ck_assert_uint_eq(bytes, 7);
    FINE(api->parse_cache("ro=/p", &mode, &path, e));
    ck_assert_uint_eq(mode, CLSLICE_CACHE_READ_ONLY);
    ck_assert_str_eq(path, "/p");
    FINE(api->parse_bytes("2M", &bytes, e));
    ck_assert_uint_eq(bytes, 2 << 20);
}
END_TEST

START_TEST(functions_of_an_operator_take_null)
{
    const struct clslice_api *api = clslice_get_api(CLSLICE_ABI_VERSION);
    clslice_error error = {.size = sizeof error};
    clslice_operator *made = NULL;
    clslice_compiled_operator *built = NULL;
    clslice_alias alias = {.size = sizeof alias};
    clslice_plan_info plan = {.size = sizeof plan};
    clslice_compiled_operator_info info = {.size = sizeof info};
    DML_BINDING_PROPERTIES properties;
    char text[8];
    uint64_t needed;
    NULL_POINTER("device", api->operator_create(NULL, &op_desc.op, &made, e));
    ck_assert_int_eq(api->operator_create(rig.device, NULL, &made, &error), CLSLICE_E_INVALIDARG);
    ck_assert_uint_eq(error.rule, CLSLICE_RULE_NULL_DESC);
    ck_assert_int_eq(api->operator_create(NULL, NULL, NULL, NULL), CLSLICE_E_INVALIDARG);
    FINE(api->operator_create(rig.device, &op_desc.op, NULL, e));
    FINE(api->operator_create(NULL, &op_desc.op, NULL, e));
    ck_assert_ptr_null(made);
    api->operator_retain(NULL);
    api->operator_release(NULL);
    NULL_POINTER("op", api->operator_get_alias(NULL, &alias, e));
    NULL_POINTER("alias", api->operator_get_alias(op, NULL, e));
    NULL_POINTER("op", api->operator_get_plan(NULL, NULL, &plan, e));
    NULL_POINTER("info", api->operator_get_plan(op, NULL, NULL, e));
    FINE(api->operator_get_plan(op, NULL, &plan, e));
    NULL_POINTER("op", api->operator_describe(NULL, NULL, text, sizeof text, &needed, e));
    NULL_POINTER("text", api->operator_describe(op, NULL, NULL, sizeof text, &needed, e));
    FINE(api->operator_describe(op, NULL, NULL, 0, &needed, e));
    ck_assert_uint_gt(needed, sizeof text);
    FINE(api->operator_describe(op, NULL, text, sizeof text, NULL, e));
    ck_assert_uint_eq(strlen(text), sizeof text - 1);
    NULL_POINTER("op", api->operator_compile(NULL, NULL, &built, e));
    NULL_POINTER("compiled", api->operator_compile(op, NULL, NULL, e));
    api->compiled_operator_retain(NULL);
    api->compiled_operator_release(NULL);
    NULL_POINTER("compiled", api->compiled_operator_get_binding_properties(NULL, &properties, e));
    NULL_POINTER("properties", api->compiled_operator_get_binding_properties(compiled, NULL, e));
    NULL_POINTER("compiled", api->compiled_operator_get_info(NULL, &info, e));
    NULL_POINTER("info", api->compiled_operator_get_info(compiled, NULL, e));
    ck_assert_ptr_null(built);
}
END_TEST

START_TEST(a_dispatch_takes_null)
{
    const struct clslice_api *api = clslice_get_api(CLSLICE_ABI_VERSION);
    clslice_binding in = good_in(), out = good_out();
    clslice_dispatch_desc desc = rig_dispatch_desc(&in, &out);
    struct _cl_event *event = NULL;
    NULL_POINTER("compiled", api->dispatch(NULL, &desc, &event, e));
    NULL_POINTER("desc", api->dispatch(compiled, NULL, &event, e));
    check_untouched();
    ck_assert_ptr_null(event);
    FINE(api->dispatch(compiled, &desc, NULL, e));
    ck_assert_int_eq(api->dispatch(compiled, &desc, &event, NULL), CLSLICE_S_OK);
    NULL_POINTER("device", api->event_wait(NULL, event, e));
    NULL_POINTER("event", api->event_wait(rig.device, NULL, e));
    NULL_POINTER("device", api->event_get_status(NULL, event, e));
    NULL_POINTER("event", api->event_get_status(rig.device, NULL, e));
    FINE(api->event_wait(rig.device, event, e));
    NULL_POINTER("device", api->device_finish(NULL, e));
    FINE(api->device_finish(rig.device, e));
    api->event_release(NULL, event);
    api->event_release(rig.device, NULL);
    api->event_release(rig.device, event);
}
END_TEST

/* ---- Growth ---- */

enum { TAIL = 24 };

/* A structure as a later header may have it. */
struct grown {
    union {
        uint32_t size;
        clslice_device_options device_options;
        clslice_compile_options compile_options;
        clslice_dispatch_desc dispatch_desc;
        clslice_device_info device_info;
        clslice_opencl_objects objects;
        clslice_alias alias;
        clslice_plan_info plan_info;
        clslice_compiled_operator_info compiled_info;
        clslice_cache_counters cache_counters;
        clslice_cache_info cache_info;
        unsigned char bytes[sizeof(clslice_cache_info) + TAIL]; /* the largest */
    } as;
};

/* All 0 but for its size: an initialiser need not clear more of a union than one member. */
static struct grown grown_of(uint32_t size)
{
    struct grown grown;
    memset(&grown, 0, sizeof grown);
    grown.as.size = size;
    return grown;
}

static int32_t enumerate(struct grown *g, clslice_error *error)
{
    clslice_device_info info = {.size = sizeof info};
    return clslice_device_enumerate(&g->as.device_options, 0, &info, error);
}

static int32_t get_cache(struct grown *g, clslice_error *error)
{
    clslice_cache_info info = {.size = sizeof info};
    return clslice_cache_get_info(&g->as.device_options, &info, error);
}

static int32_t create_device(struct grown *g, clslice_error *error)
{
    clslice_device *device = NULL;
    int32_t status = clslice_device_create(&g->as.device_options, &device, error);
    clslice_device_release(device);
    return status;
}

static int32_t get_plan(struct grown *g, clslice_error *error)
{
    clslice_plan_info info = {.size = sizeof info};
    return clslice_operator_get_plan(op, &g->as.compile_options, &info, error);
}

static int32_t describe(struct grown *g, clslice_error *error)
{
    return clslice_operator_describe(op, &g->as.compile_options, NULL, 0, NULL, error);
}

static int32_t compile(struct grown *g, clslice_error *error)
{
    clslice_compiled_operator *made = NULL;
    int32_t status = clslice_operator_compile(op, &g->as.compile_options, &made, error);
    clslice_compiled_operator_release(made);
    return status;
}

static clslice_binding growth_in, growth_out;

static int32_t dispatch(struct grown *g, clslice_error *error)
{
    growth_in = good_in();
    growth_out = good_out();
    g->as.dispatch_desc.inputs = &growth_in;
    g->as.dispatch_desc.outputs = &growth_out;
    g->as.dispatch_desc.input_count = g->as.dispatch_desc.output_count = 1;
    return clslice_dispatch(compiled, &g->as.dispatch_desc, NULL, error);
}

START_TEST(structs_that_are_read_may_grow)
{
    static const struct {
        int32_t (*call)(struct grown *, clslice_error *);
        uint32_t size;
    } reads[] = {
        {enumerate, sizeof(clslice_device_options)},
        {create_device, sizeof(clslice_device_options)},
        {get_cache, sizeof(clslice_device_options)},
        {get_plan, sizeof(clslice_compile_options)},
        {describe, sizeof(clslice_compile_options)},
        {compile, sizeof(clslice_compile_options)},
        {dispatch, sizeof(clslice_dispatch_desc)},
    };
    uint32_t size = reads[_i].size;
    const uint32_t bad_sizes[] = {0, 1, 4, 8, size - 4, size - 1, 65537, UINT32_MAX};
    for (size_t i = 0; i < COUNT_OF(bad_sizes); ++i) {
        struct grown g = grown_of(bad_sizes[i]);
        clslice_error error = {.size = sizeof error};
        int32_t status = reads[_i].call(&g, &error);
        rig_check_error(&error, status, CLSLICE_E_INVALIDARG, CLSLICE_RULE_STRUCT_SIZE, "size");
        ck_assert_uint_eq(error.value[0], bad_sizes[i]);
    }
    for (uint32_t at = size; at < size + TAIL; ++at) {
        struct grown g = grown_of(size + TAIL);
        clslice_error error = {.size = sizeof error};
        g.as.bytes[at] = 1;
        int32_t status = reads[_i].call(&g, &error);
        rig_check_error(&error, status, CLSLICE_E_NOTIMPL, CLSLICE_RULE_STRUCT_UNKNOWN, "size");
        ck_assert_uint_eq(error.value[1], at);
        g.as.size = at; /* now it lies outside */
        ASSERT_OK(reads[_i].call(&g, &error), &error);
    }
}
END_TEST

static int32_t write_enumerated(struct grown *g, clslice_error *error)
{
    return clslice_device_enumerate(NULL, 0, &g->as.device_info, error);
}

static int32_t write_device(struct grown *g, clslice_error *error)
{
    return clslice_device_get_info(rig.device, &g->as.device_info, error);
}

static int32_t write_objects(struct grown *g, clslice_error *error)
{
    return clslice_device_get_opencl(rig.device, &g->as.objects, error);
}

static int32_t write_alias(struct grown *g, clslice_error *error)
{
    return clslice_operator_get_alias(op, &g->as.alias, error);
}

static int32_t write_plan(struct grown *g, clslice_error *error)
{
    return clslice_operator_get_plan(op, NULL, &g->as.plan_info, error);
}

static int32_t write_compiled(struct grown *g, clslice_error *error)
{
    return clslice_compiled_operator_get_info(compiled, &g->as.compiled_info, error);
}

static int32_t write_counters(struct grown *g, clslice_error *error)
{
    return clslice_device_get_cache_counters(rig.device, &g->as.cache_counters, error);
}

static int32_t write_cache(struct grown *g, clslice_error *error)
{
    return clslice_cache_get_info(&no_cache, &g->as.cache_info, error);
}

START_TEST(structs_that_are_written_may_grow)
{
    static const struct {
        int32_t (*call)(struct grown *, clslice_error *);
        uint32_t size;
    } writes[] = {
        {write_enumerated, sizeof(clslice_device_info)},
        {write_device, sizeof(clslice_device_info)},
        {write_objects, sizeof(clslice_opencl_objects)},
        {write_alias, sizeof(clslice_alias)},
        {write_plan, sizeof(clslice_plan_info)},
        {write_compiled, sizeof(clslice_compiled_operator_info)},
        {write_counters, sizeof(clslice_cache_counters)},
        {write_cache, sizeof(clslice_cache_info)},
    };
    uint32_t size = writes[_i].size;
    const uint32_t sizes[] = {8, 9, 16, size - 1, size, size + 1, size + TAIL};
    struct grown whole = grown_of(size);
    clslice_error error = {.size = sizeof error};
    ASSERT_OK(writes[_i].call(&whole, &error), &error);
    for (uint32_t too_small = 0; too_small < 8; ++too_small) {
        struct grown g = grown_of(too_small), before = g;
        int32_t status = writes[_i].call(&g, &error);
        rig_check_error(&error, status, CLSLICE_E_INVALIDARG, CLSLICE_RULE_STRUCT_SIZE, "size");
        ck_assert_mem_eq(&g, &before, sizeof g);
    }
    for (size_t i = 0; i < COUNT_OF(sizes); ++i) {
        struct grown g;
        uint32_t written = sizes[i] < size ? sizes[i] : size;
        memset(&g, 0xC3, sizeof g);
        g.as.size = sizes[i];
        ASSERT_OK(writes[_i].call(&g, &error), &error);
        ck_assert_uint_eq(g.as.size, written);
        ck_assert_mem_eq(g.as.bytes + 4, whole.as.bytes + 4, written - 4);
        for (uint32_t at = written; at < sizeof g; ++at)
            ck_assert_uint_eq(g.as.bytes[at], 0xC3);
    }
}
END_TEST

START_TEST(errors_may_grow)
{
    enum { LEAST = offsetof(clslice_error, text) + 256, ROOM = 4096 };
    union {
        clslice_error error;
        unsigned char bytes[ROOM];
    } u;
    const uint32_t sizes[] = {LEAST, LEAST + 1, sizeof(clslice_error), ROOM};
    for (uint32_t size = 0; size < LEAST; size += size + 8 < LEAST ? 7 : 1) {
        memset(&u, 0xC3, sizeof u);
        u.error.size = size;
        /* whatever else is right or wrong */
        ck_assert_int_eq(clslice_device_get_info(NULL, NULL, &u.error), CLSLICE_E_INVALIDARG);
        ck_assert_int_eq(clslice_dispatch(NULL, NULL, NULL, &u.error), CLSLICE_E_INVALIDARG);
        ck_assert_int_eq(clslice_operator_create(NULL, &op_desc.op, NULL, &u.error),
                         CLSLICE_E_INVALIDARG);
        for (size_t at = 4; at < sizeof u; ++at)
            ck_assert_uint_eq(u.bytes[at], 0xC3);
    }
    for (size_t i = 0; i < COUNT_OF(sizes); ++i) {
        clslice_binding in = good_in(), out = rig_bind_host(in_bytes, 0, UINT64_MAX);
        clslice_dispatch_desc desc = rig_dispatch_desc(&in, &out);
        memset(&u, 0xC3, sizeof u);
        u.error.size = sizes[i];
        ck_assert_int_eq(clslice_dispatch(compiled, &desc, NULL, &u.error), CLSLICE_E_INVALIDARG);
        ck_assert_uint_eq(u.error.size, sizes[i]);
        ck_assert_int_eq(u.error.status, CLSLICE_E_INVALIDARG);
        ck_assert_uint_eq(u.error.tensor, CLSLICE_TENSOR_OUTPUT);
        ck_assert_uint_eq(u.error.dimension, CLSLICE_NO_DIMENSION);
        ck_assert_ptr_nonnull(memchr(u.error.text, 0, sizes[i] - offsetof(clslice_error, text)));
        for (size_t at = sizes[i]; at < sizeof u; ++at)
            ck_assert_uint_eq(u.bytes[at], 0xC3);
    }
}
END_TEST

/* A success leaves the error alone. */
START_TEST(a_success_leaves_the_error_alone)
{
    clslice_error error, before;
    memset(&error, 0xC3, sizeof error);
    error.size = sizeof error;
    before = error;
    struct grown g = grown_of(sizeof(clslice_dispatch_desc));
    ck_assert_int_eq(dispatch(&g, &error), CLSLICE_S_OK);
    ck_assert_mem_eq(&error, &before, sizeof error);
}
END_TEST

/* ---- The suite ---- */

int main(void)
{
    Suite *suite = suite_create("calls");
    TCase *calls = suite_case(suite, "calls");
    tcase_add_checked_fixture(calls, open_all, close_all);
    tcase_add_test(calls, functions_of_a_device_take_null);
    tcase_add_test(calls, functions_of_the_cache_take_null);
    tcase_add_test(calls, functions_of_texts_take_null);
    tcase_add_test(calls, functions_of_an_operator_take_null);
    tcase_add_test(calls, a_dispatch_takes_null);
    tcase_add_loop_test(calls, structs_that_are_read_may_grow, 0, 7);
    tcase_add_loop_test(calls, structs_that_are_written_may_grow, 0, 8);
    tcase_add_test(calls, errors_may_grow);
    tcase_add_test(calls, a_success_leaves_the_error_alone);
    return suite_run(suite);
}
