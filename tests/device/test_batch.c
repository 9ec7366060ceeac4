/* SPDX-License-Identifier: MIT */
/*
 * Batches on a device: many items of one operator in one dispatch, against single slices.
 *
 * To repeat a failure: CLSLICE_TEST_TRIAL=NUMBER. CLSLICE_TEST_TRIALS=N runs more of them.
 */
#include "address_driver.h"
#include "conformance/case_words.h"
#include "support/batch_rig.h"
#include "support/batch_trial.h"
#include "support/case_slice.h"
#include "support/gpu_block_walk.h"
#include "support/needs.h"
#include "support/suite.h"

#include <pthread.h>
#include <stdlib.h>

enum { TRIALS = 240, SEED = 20261123 };

static void run_trials(const struct rig *rig, bool may_stage, uint32_t trials)
{
    const char *only = getenv("CLSLICE_TEST_TRIAL"), *more = getenv("CLSLICE_TEST_TRIALS");
    uint32_t ran = 0;
    if (more)
        trials = (uint32_t)atoi(more);
    rig_tell_crashes();
    for (uint32_t i = 0; i < trials; ++i) {
        struct dice dice = {SEED + i};
        struct batch_trial trial;
        for (int n = 0; n < 4; ++n)
            dice_roll(&dice);
        batch_trial_draw(&dice, may_stage, &trial);
        if (only && (uint32_t)atoi(only) != i)
            continue;
        ran += batch_trial_run(rig, &trial);
    }
    if (!only)
        ck_assert_uint_gt(ran, trials / 2);
}

START_TEST(random_batches_are_single_slices)
{
    struct rig rig;
    rig_open(&rig, NULL);
    run_trials(&rig, true, TRIALS);
    rig_close(&rig);
}
END_TEST

/* A device that does not share the host's memory, with a pool that holds few items. */
START_TEST(random_batches_are_staged)
{
    clslice_device_options options = {
        .size = sizeof options, .get_proc = rig_proc, .staging_bytes = _i == 0 ? 0 : 16384};
    struct rig rig;
    rig_lie = (struct rig_lie){.is_gpu = true, .has_no_svm = true};
    rig_open(&rig, &options);
    run_trials(&rig, true, TRIALS / 2);
    rig_close(&rig);
}
END_TEST

/* ---- One by one ---- */

/* Pages of 64 elements, of which there are 16. */
static const struct slice_case page = CASE("page", FLOAT32, IN(16, 64), FROM(0, 0), CROP(1, 64));

enum { PAGE = 256, PAGES = 16 };

struct pages {
    struct rig rig;
    clslice_compiled_operator *compiled;
    unsigned char bytes[PAGES * PAGE];
    clslice_binding in, out;
    cl_mem mem;
};

/* One buffer of 32 pages: the input, and behind it the output. */
static void pages_open_with(struct pages *p, const clslice_device_options *options,
                            const char *variant)
{
    struct dice dice = {SEED};
    rig_open(&p->rig, options);
    dice_fill(&dice, p->bytes, sizeof p->bytes);
    p->compiled = batch_compile(&p->rig, &page, variant);
    p->mem = rig_buffer(&p->rig, 2 * sizeof p->bytes, NULL);
    ck_assert_int_eq(p->rig.cl.clEnqueueWriteBuffer(p->rig.objects.queue, p->mem, CL_TRUE, 0,
                                                    sizeof p->bytes, p->bytes, 0, NULL, NULL),
                     CL_SUCCESS);
    p->in = rig_bind_mem(p->mem, 0, sizeof p->bytes);
    p->out = rig_bind_mem(p->mem, sizeof p->bytes, sizeof p->bytes);
}

static void pages_open(struct pages *p)
{
    pages_open_with(p, NULL, NULL);
}

static void pages_close(struct pages *p)
{
    p->rig.cl.clReleaseMemObject(p->mem);
    clslice_compiled_operator_release(p->compiled);
    rig_close(&p->rig);
}

static int32_t dispatch(const struct pages *p, const clslice_batch *batch,
                        clslice_dispatch_desc *desc, clslice_error *error)
{
    struct _cl_event *event = NULL;
    *error = (clslice_error){.size = sizeof *error};
    desc->batch = batch;
    int32_t status = clslice_dispatch(p->compiled, desc, &event, error);
    if (status == CLSLICE_S_OK)
        status = clslice_event_wait(p->rig.device, event, error);
    clslice_event_release(p->rig.device, event);
    return status;
}

START_TEST(a_bad_item_is_named_before_anything_runs)
{
    struct pages p;
    clslice_error error;
    pages_open(&p);
    uint32_t rows[] = {3, 15, 16, 1};
    clslice_batch batch = batch_of(rows, 4);
    clslice_dispatch_desc desc = rig_dispatch_desc(&p.in, &p.out);
    unsigned char before[2 * sizeof p.bytes], after[sizeof before];
    rig_read(&p.rig, p.mem, sizeof before, before);
    ck_assert_int_eq(dispatch(&p, &batch, &desc, &error), CLSLICE_E_INVALIDARG);
    ck_assert_uint_eq(error.rule, CLSLICE_RULE_BATCH_WINDOW_BOUNDS);
    ck_assert_uint_eq(error.item, 2);
    ck_assert_uint_eq(error.dimension, 0);
    rig_read(&p.rig, p.mem, sizeof after, after);
    ck_assert_mem_eq(before, after, sizeof after);
    batch.flags = CLSLICE_BATCH_FLAG_SKIP;
    ASSERT_OK(dispatch(&p, &batch, &desc, &error), &error);
    rig_read(&p.rig, p.mem, sizeof after, after);
    ck_assert_mem_eq(after + sizeof p.bytes, p.bytes + 3 * PAGE, PAGE);
    ck_assert_mem_eq(after + sizeof p.bytes + 2 * PAGE, before + sizeof p.bytes + 2 * PAGE, PAGE);
    ck_assert_mem_eq(after + sizeof p.bytes + 3 * PAGE, p.bytes + PAGE, PAGE);
    pages_close(&p);
}
END_TEST

/* Pages move inside one buffer, each to where none is read. */
START_TEST(a_cache_is_defragmented_in_place)
{
    struct pages p;
    clslice_error error;
    pages_open(&p);
    uint32_t rows[] = {15, 9, 12}, to[] = {2, 5, 0};
    clslice_batch batch = batch_of(rows, 3);
    batch.output = (clslice_binding){.kind = CLSLICE_BINDING_HOST, .handle = to, .size = sizeof to};
    batch.output_index_bytes = 4;
    clslice_dispatch_desc desc = rig_dispatch_desc(&p.in, &p.in);
    ck_assert_int_eq(dispatch(&p, &batch, &desc, &error), CLSLICE_E_INVALIDARG);
    ck_assert_uint_eq(error.rule, CLSLICE_RULE_BIND_OVERLAP);
    batch.flags = CLSLICE_BATCH_FLAG_DISJOINT;
    ASSERT_OK(dispatch(&p, &batch, &desc, &error), &error);
    unsigned char found[sizeof p.bytes];
    rig_read(&p.rig, p.mem, sizeof found, found);
    for (int i = 0; i < 3; ++i)
        memcpy(p.bytes + to[i] * PAGE, p.bytes + rows[i] * PAGE, PAGE);
    ck_assert_mem_eq(found, p.bytes, sizeof found);
    pages_close(&p);
}
END_TEST

/* Host tables are read during the call, though what they lead to happens later; and a batch of
 * nothing waits, too. */
START_TEST(a_batch_waits_for_events)
{
    struct pages p;
    clslice_error error = {.size = sizeof error};
    pages_open(&p);
    uint32_t rows[] = {7, 3};
    clslice_batch batch = batch_of(rows, _i == 0 ? 2 : 0);
    clslice_dispatch_desc desc = rig_dispatch_desc(&p.in, &p.out);
    cl_int code;
    cl_event gate = p.rig.cl.clCreateUserEvent(p.rig.objects.context, &code), event = NULL;
    desc.batch = &batch;
    desc.wait_events = &gate;
    desc.wait_count = 1;
    desc.queue = rig_queue(&p.rig, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    ASSERT_OK(clslice_dispatch(p.compiled, &desc, &event, &error), &error);
    ck_assert_ptr_nonnull(event);
    memset(rows, 0xFF, sizeof rows);
    ck_assert_int_eq(clslice_event_get_status(p.rig.device, event, &error), CLSLICE_S_FALSE);
    p.rig.cl.clSetUserEventStatus(gate, CL_COMPLETE);
    ASSERT_OK(clslice_event_wait(p.rig.device, event, &error), &error);
    unsigned char found[2 * sizeof p.bytes];
    p.rig.cl.clFinish(desc.queue);
    rig_read(&p.rig, p.mem, sizeof found, found);
    if (_i == 0)
        ck_assert_mem_eq(found + sizeof p.bytes, p.bytes + 7 * PAGE, PAGE);
    if (_i == 0)
        ck_assert_mem_eq(found + sizeof p.bytes + PAGE, p.bytes + 3 * PAGE, PAGE);
    clslice_event_release(p.rig.device, event);
    p.rig.cl.clReleaseEvent(gate);
    p.rig.cl.clReleaseCommandQueue(desc.queue);
    pages_close(&p);
}
END_TEST

START_TEST(tables_are_bindings)
{
    struct pages p;
    clslice_error error;
    pages_open(&p);
    uint32_t rows[] = {3, 15};
    cl_mem table = rig_buffer(&p.rig, sizeof rows, rows);
    unsigned char host[4];
    const struct {
        const char *word;
        int32_t status;
        uint32_t rule;
        clslice_binding window, skipped, out;
    } broken[] = {
        {"window.size",
         CLSLICE_E_INVALIDARG,
         CLSLICE_RULE_BIND_RANGE_TOO_SMALL,
         rig_bind_mem(table, 0, 7),
         {0},
         p.out},
        {"window.offset",
         CLSLICE_E_INVALIDARG,
         CLSLICE_RULE_BIND_OFFSET_ALIGNMENT,
         rig_bind_mem(table, 2, 8),
         {0},
         p.out},
        {"window.offset",
         CLSLICE_E_INVALIDARG,
         CLSLICE_RULE_BIND_RANGE_OUTSIDE_BUFFER,
         rig_bind_mem(table, 4, 8),
         {0},
         p.out},
        {"window.kind = 4",
         CLSLICE_E_NOTIMPL,
         CLSLICE_RULE_BIND_TYPE,
         {.kind = CLSLICE_BINDING_USM},
         {0},
         p.out},
        {"window.handle",
         CLSLICE_E_INVALIDARG,
         CLSLICE_RULE_BIND_NULL_BUFFER,
         {.kind = CLSLICE_BINDING_HOST, .size = 8},
         {0},
         p.out},
        {"skipped", CLSLICE_E_INVALIDARG, CLSLICE_RULE_BIND_OVERLAP, rig_bind_mem(table, 0, 8),
         rig_bind_mem(p.mem, 8, 4), p.out},
        {"skipped", CLSLICE_E_INVALIDARG, CLSLICE_RULE_BIND_OVERLAP, rig_bind_mem(table, 0, 8),
         rig_bind_mem(table, 4, 4), p.out},
        {"skipped.kind = 0 (NONE)",
         CLSLICE_E_INVALIDARG,
         CLSLICE_RULE_BIND_TYPE,
         rig_bind_mem(table, 0, 8),
         {.handle = table},
         p.out},
        {"skipped.reserved",
         CLSLICE_E_NOTIMPL,
         CLSLICE_RULE_BIND_RESERVED,
         rig_bind_mem(table, 0, 8),
         {.reserved = {0, 0, 7}},
         p.out},
        {"overlap: clslice_batch.window",
         CLSLICE_E_INVALIDARG,
         CLSLICE_RULE_BIND_OVERLAP,
         rig_bind_mem(p.mem, sizeof p.bytes + 8, 8),
         {0},
         p.out},
        {"in the same", CLSLICE_E_NOTIMPL, CLSLICE_RULE_BATCH_TABLE, rig_bind_mem(table, 0, 8),
         rig_bind_host(host, 0, sizeof host), p.out},
    };
    for (size_t i = 0; i < COUNT_OF(broken); ++i) {
        clslice_batch batch = batch_of(rows, 2);
        clslice_dispatch_desc desc = rig_dispatch_desc(&p.in, &broken[i].out);
        batch.window = broken[i].window;
        batch.skipped = broken[i].skipped;
        int32_t status = dispatch(&p, &batch, &desc, &error);
        rig_check_error(&error, status, broken[i].status, broken[i].rule, broken[i].word);
        if (broken[i].rule == CLSLICE_RULE_BIND_OVERLAP)
            ck_assert_uint_eq(error.tensor, strstr(error.text, "outputs[0]") ? CLSLICE_TENSOR_OUTPUT
                                            : strstr(error.text, "inputs[0]")
                                                ? CLSLICE_TENSOR_INPUT
                                                : CLSLICE_TENSOR_NONE);
        batch.count = 0; /* no table is read, but what is unknown stays so */
        status = dispatch(&p, &batch, &desc, &error);
        ck_assert_int_eq(status == CLSLICE_E_NOTIMPL,
                         broken[i].status == CLSLICE_E_NOTIMPL &&
                             broken[i].rule != CLSLICE_RULE_BATCH_TABLE);
    }
    p.rig.cl.clReleaseMemObject(table);
    pages_close(&p);
}
END_TEST

/* Host memory is for device tables where the device shares it, as that of PoCL 6.0 does. */
START_TEST(host_memory_takes_device_tables_where_it_is_shared)
{
    struct pages p;
    clslice_error error;
    pages_open(&p);
    uint32_t rows[] = {3, 15};
    unsigned char host[sizeof p.bytes];
    cl_mem table = rig_buffer(&p.rig, sizeof rows, rows);
    clslice_binding out = rig_bind_host(host, 0, sizeof host);
    clslice_dispatch_desc desc = rig_dispatch_desc(&p.in, &out);
    clslice_batch batch = batch_of(rows, 2);
    batch.window = rig_bind_mem(table, 0, sizeof rows);
    int32_t status = dispatch(&p, &batch, &desc, &error);
    if (p.rig.info.host_memory == CLSLICE_HOST_MEMORY_SYSTEM_SVM) {
        ASSERT_OK(status, &error);
        ck_assert_mem_eq(host, p.bytes + 3 * PAGE, PAGE);
        ck_assert_mem_eq(host + PAGE, p.bytes + 15 * PAGE, PAGE);
    } else {
        rig_check_error(&error, status, CLSLICE_E_NOTIMPL, CLSLICE_RULE_BATCH_IN_PLACE,
                        "outputs[0] is in host memory");
    }
    p.rig.cl.clReleaseMemObject(table);
    pages_close(&p);
}
END_TEST

/* As a driver without SVM. */
static void *plain_proc(void *user, const char *name)
{
    const struct rig_own own[] = {{"clSetKernelArgSVMPointer", NULL}};
    (void)user;
    return rig_proc_or(own, COUNT_OF(own), name);
}

/* It was given to the kernel as an address. */
START_TEST(a_counter_in_host_memory_needs_no_table)
{
    clslice_device_options options = {.size = sizeof options, .get_proc = plain_proc};
    struct pages p;
    clslice_error error;
    uint32_t skipped = 7;
    unsigned char found[2 * PAGE];
    pages_open_with(&p, &options, NULL);
    clslice_dispatch_desc desc = rig_dispatch_desc(&p.in, &p.out);
    clslice_batch batch = batch_of(NULL, 2);
    batch.window = (clslice_binding){0};
    batch.window_axis_count = 0;
    batch.window_advance = 3;
    batch.skipped = rig_bind_host(&skipped, 0, sizeof skipped);
    ASSERT_OK(dispatch(&p, &batch, &desc, &error), &error);
    ck_assert_int_eq(p.rig.cl.clEnqueueReadBuffer(p.rig.objects.queue, p.mem, CL_TRUE, p.out.offset,
                                                  sizeof found, found, 0, NULL, NULL),
                     CL_SUCCESS);
    ck_assert_mem_eq(found, p.bytes, PAGE);
    ck_assert_mem_eq(found + PAGE, p.bytes + (size_t)3 * PAGE, PAGE);
    ck_assert_uint_eq(skipped, 7);
    pages_close(&p);
}
END_TEST

/* SVM and buffers in turn, for tensors and for tables, also without items, with a driver that
 * refuses a buffer after an address. */
START_TEST(buffers_take_the_place_of_addresses)
{
    enum { TABLE = 64, TENSOR = PAGES * PAGE, BYTES = 2 * TENSOR + 3 * TABLE };
    clslice_device_options options = {.size = sizeof options, .get_proc = address_driver_proc};
    struct pages p;
    clslice_error error;
    static const struct {
        bool by_address, has_svm_tables;
        uint64_t items;
    } turns[] = {{true, true, 2}, {true, true, 0}, {false, true, 2}, {false, false, 2}};
    static const unsigned char zeros[BYTES];
    uint32_t rows[] = {3, 15};
    unsigned char found[2 * TENSOR];
    clslice_binding svm[5]; /* the tensors, and three tables */
    pages_open_with(&p, &options, NULL);
    void *memory = p.rig.cl.clSVMAlloc(p.rig.objects.context, CL_MEM_READ_WRITE, BYTES, 0);
    cl_mem table = rig_buffer(&p.rig, sizeof rows, rows);
    ck_assert_ptr_nonnull(memory);
    ck_assert_int_eq(p.rig.cl.clEnqueueSVMMemcpy(p.rig.objects.queue, CL_TRUE, memory, zeros, BYTES,
                                                 0, NULL, NULL),
                     CL_SUCCESS);
    for (uint64_t i = 0; i < COUNT_OF(svm); ++i)
        svm[i] = (clslice_binding){.kind = CLSLICE_BINDING_SVM,
                                   .handle = memory,
                                   .offset = i < 2 ? i * TENSOR : 2 * TENSOR + (i - 2) * TABLE,
                                   .size = i < 2 ? TENSOR : sizeof rows};
    for (size_t i = 0; i < COUNT_OF(turns); ++i) {
        bool by_address = turns[i].by_address;
        clslice_batch batch = batch_of(rows, turns[i].items);
        clslice_dispatch_desc desc =
            rig_dispatch_desc(by_address ? &svm[0] : &p.in, by_address ? &svm[1] : &p.out);
        batch.window = turns[i].has_svm_tables ? svm[2] : rig_bind_mem(table, 0, sizeof rows);
        if (turns[i].has_svm_tables) {
            batch.output = svm[3];
            batch.output_index_bytes = 4;
            batch.skipped = svm[4];
        }
        int32_t status = dispatch(&p, &batch, &desc, &error);
        ASSERT_OK(status, &error);
    }
    rig_read(&p.rig, p.mem, sizeof found, found);
    ck_assert_mem_eq(found + TENSOR, p.bytes + 3 * PAGE, PAGE);
    ck_assert_mem_eq(found + TENSOR + PAGE, p.bytes + 15 * PAGE, PAGE);
    p.rig.cl.clSVMFree(p.rig.objects.context, memory);
    p.rig.cl.clReleaseMemObject(table);
    pages_close(&p);
}
END_TEST

/* Items whose blocks are more than one band of transpose_gpu, the last of which is not full. */
START_TEST(bands_of_blocks_end_with_their_item)
{
    enum { ITEMS = 3, LINE = 1601, ROW = 200 };
    struct batch_trial trial = {.c = CASE("bands", UINT8, IN(ITEMS, LINE, ROW),
                                          IN_STRIDES(ROW * LINE, 1, LINE), CROP(1, LINE, ROW)),
                                .variant = "transpose_gpu",
                                .count = ITEMS,
                                .advance = 1,
                                .out_bytes = ITEMS * LINE * ROW,
                                .text = "bands"};
    const struct plan_limits limits = {true, 1, 64, 256, 0, 0, false, false};
    struct slice slice = slice_of(&trial.c);
    struct plan plan;
    slice.is_item = true;
    ck_assert(plan_from(&slice, &limits, PLAN_ALIGNED_16, PLAN_TRANSPOSE_GPU, &plan));
    const struct walk walk = launch_of(&plan).walk;
    ck_assert_uint_eq(walk.blocks, 2 * walk.band);
    ck_assert_uint_lt(gpu_last_block(&walk), walk.blocks - 1);
    struct rig rig;
    rig_open(&rig, NULL);
    ck_assert(batch_trial_run(&rig, &trial) == rig_has_groups(&rig));
    rig_close(&rig);
}
END_TEST

/* Compiled for batches, and dispatched without one. */
START_TEST(no_batch_is_a_batch_of_one)
{
    struct pages p;
    clslice_error error;
    pages_open(&p);
    clslice_dispatch_desc desc = rig_dispatch_desc(&p.in, &p.out);
    ASSERT_OK(dispatch(&p, NULL, &desc, &error), &error);
    unsigned char found[2 * sizeof p.bytes];
    rig_read(&p.rig, p.mem, sizeof found, found);
    ck_assert_mem_eq(found + sizeof p.bytes, p.bytes, PAGE);
    pages_close(&p);
}
END_TEST

START_TEST(gradients_have_no_batch)
{
    struct rig rig;
    clslice_error error = {.size = sizeof error};
    const clslice_compile_options options = {.size = sizeof options,
                                             .flags = CLSLICE_COMPILE_FLAG_BATCH};
    clslice_compiled_operator *compiled = NULL;
    struct slice_case gradient = case_gradient(&page);
    rig_open(&rig, NULL);
    clslice_operator *op = rig_operator(&rig, &gradient);
    int32_t status = clslice_operator_compile(op, &options, &compiled, &error);
    rig_check_error(&error, status, CLSLICE_E_NOTIMPL, CLSLICE_RULE_OPTION,
                    "DML_OPERATOR_SLICE_GRAD has no batches");
    ck_assert_ptr_null(compiled);
    clslice_operator_release(op);
    rig_close(&rig);
}
END_TEST

/* ---- Threads ---- */

enum { THREADS = 16, ROUNDS = 100, THREAD_ITEMS = 64 };

struct worker {
    pthread_t thread;
    const struct pages *pages;
    cl_mem out; /* NULL: host memory */
    uint32_t number;
    uint32_t wrong;
};

/* What is found of a dispatch. */
static bool work_once(const struct worker *w, uint32_t *rows, unsigned char *input,
                      unsigned char *found)
{
    const struct pages *p = w->pages;
    clslice_error error;
    clslice_binding in = w->out ? p->in : rig_bind_host(input, 0, PAGES * PAGE);
    clslice_binding out = w->out ? rig_bind_mem(w->out, 0, THREAD_ITEMS * PAGE)
                                 : rig_bind_host(found, 0, THREAD_ITEMS * PAGE);
    clslice_batch batch = batch_of(rows, THREAD_ITEMS);
    clslice_dispatch_desc desc = rig_dispatch_desc(&in, &out);
    return dispatch(p, &batch, &desc, &error) == CLSLICE_S_OK &&
           (!w->out ||
            p->rig.cl.clEnqueueReadBuffer(p->rig.objects.queue, w->out, CL_TRUE, 0,
                                          THREAD_ITEMS * PAGE, found, 0, NULL, NULL) == CL_SUCCESS);
}

/* Each with tables and an output of its own. */
static void *work(void *user)
{
    struct worker *w = user;
    for (uint32_t round = 0; round < ROUNDS; ++round) {
        uint32_t rows[THREAD_ITEMS];
        unsigned char found[THREAD_ITEMS * PAGE], input[sizeof w->pages->bytes];
        memcpy(input, w->pages->bytes, sizeof input);
        for (uint32_t i = 0; i < THREAD_ITEMS; ++i)
            rows[i] = (i * 7 + round * 3 + w->number) % PAGES;
        if (!work_once(w, rows, input, found))
            ++w->wrong;
        for (uint32_t i = 0; i < THREAD_ITEMS; ++i)
            w->wrong += memcmp(found + i * PAGE, input + rows[i] * PAGE, PAGE) != 0;
    }
    return NULL;
}

/* Host memory; and buffers by a variant for many threads, which takes the origins by value. */
START_TEST(threads_share_an_operator)
{
    struct pages p;
    struct worker workers[THREADS];
    pages_open_with(&p, NULL, _i == 0 ? NULL : "rows_gpu");
    clslice_compiled_operator_info info = {.size = sizeof info};
    clslice_error error = {.size = sizeof error};
    ASSERT_OK(clslice_compiled_operator_get_info(p.compiled, &info, &error), &error);
    ck_assert(_i == 0 || info.program_count >= 2); /* one takes them so */
    for (uint32_t i = 0; i < THREADS; ++i) {
        workers[i] = (struct worker){.pages = &p, .number = i};
        if (_i > 0)
            workers[i].out = rig_buffer(&p.rig, THREAD_ITEMS * PAGE, NULL);
        ck_assert_int_eq(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
    }
    for (uint32_t i = 0; i < THREADS; ++i) {
        pthread_join(workers[i].thread, NULL);
        ck_assert_uint_eq(workers[i].wrong, 0);
        if (workers[i].out)
            p.rig.cl.clReleaseMemObject(workers[i].out);
    }
    pages_close(&p);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("batch");
    TCase *tests = suite_case(suite, "batch");
    TCase *shared = needs_case(suite, "svm", rig_lacks_svm);
    tcase_set_timeout(tests, 1200);
    tcase_add_test(tests, random_batches_are_single_slices);
    tcase_add_loop_test(tests, random_batches_are_staged, 0, 2);
    tcase_add_test(tests, a_bad_item_is_named_before_anything_runs);
    tcase_add_test(tests, a_cache_is_defragmented_in_place);
    tcase_add_loop_test(tests, a_batch_waits_for_events, 0, 2);
    tcase_add_test(tests, tables_are_bindings);
    tcase_add_test(tests, host_memory_takes_device_tables_where_it_is_shared);
    tcase_add_test(tests, a_counter_in_host_memory_needs_no_table);
    tcase_add_test(shared, buffers_take_the_place_of_addresses);
    tcase_add_test(tests, bands_of_blocks_end_with_their_item);
    tcase_add_test(tests, no_batch_is_a_batch_of_one);
    tcase_add_test(tests, gradients_have_no_batch);
    tcase_add_loop_test(tests, threads_share_an_operator, 0, 2);
    return suite_run(suite);
}
