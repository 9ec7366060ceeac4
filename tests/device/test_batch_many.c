/* SPDX-License-Identifier: MIT */
/* Batches on a device: items that are many, or large. */
#include "conformance/case_words.h"
#include "support/batch_rig.h"
#include "support/dice.h"

#include <stdlib.h>
#include <string.h>

enum { SEED = 20261123 };

static void dispatch(const struct rig *rig, clslice_compiled_operator *compiled,
                     clslice_dispatch_desc *desc, const clslice_batch *batch)
{
    clslice_error error = {.size = sizeof error};
    struct _cl_event *event = NULL;
    desc->batch = batch;
    ASSERT_OK(clslice_dispatch(compiled, desc, &event, &error), &error);
    ASSERT_OK(clslice_event_wait(rig->device, event, &error), &error);
    clslice_event_release(rig->device, event);
}

/* Items of so many blocks that a work-item of rows_gpu makes several; also of whole words. */
START_TEST(large_items_are_whole)
{
    enum { ITEMS = 4096, BYTES = 4096, BETWEEN = 32 };
    const uint32_t odd = _i > 0 ? 3 : 0, step = _i > 0 ? 1 : 16, bytes = BYTES + odd;
    const struct slice_case c =
        CASE("large", UINT8, IN(64, BYTES + BETWEEN), FROM(0, 0), CROP(1, bytes));
    struct rig rig;
    struct dice dice = {SEED};
    unsigned char none[BYTES + 3];
    size_t in_bytes = 64 * (size_t)(BYTES + BETWEEN), out_bytes = ITEMS * (size_t)bytes;
    unsigned char *in = malloc(in_bytes), *out = malloc(out_bytes);
    uint32_t(*rows)[2] = calloc(ITEMS, sizeof *rows);
    ck_assert(in && out && rows);
    dice_fill(&dice, in, in_bytes);
    rig_open(&rig, NULL);
    clslice_compiled_operator *compiled = batch_compile(&rig, &c, "rows_gpu");
    for (uint32_t i = 0; i < ITEMS; ++i) {
        rows[i][0] = i % 64;
        rows[i][1] = i % 100 == 7 ? BETWEEN + 1 : i % 3 * step; /* these are skipped */
    }
    memset(out, 0x5A, out_bytes);
    clslice_batch batch = batch_of(rows[0], ITEMS);
    batch.window.size = ITEMS * sizeof *rows;
    batch.window_axis_count = 2;
    batch.flags = CLSLICE_BATCH_FLAG_SKIP;
    clslice_binding from = rig_bind_host(in, 0, in_bytes), to = rig_bind_host(out, 0, out_bytes);
    clslice_dispatch_desc desc = rig_dispatch_desc(&from, &to);
    dispatch(&rig, compiled, &desc, &batch);
    memset(none, 0x5A, sizeof none);
    for (uint32_t i = 0; i < ITEMS; ++i)
        ck_assert_mem_eq(
            out + i * (size_t)bytes,
            i % 100 == 7 ? none : in + rows[i][0] * (size_t)(BYTES + BETWEEN) + rows[i][1], bytes);
    clslice_compiled_operator_release(compiled);
    rig_close(&rig);
    free(in);
    free(out);
    free(rows);
}
END_TEST

/* Items of less than a block of strided_cpu: short rows, reversed, which are picked together also
 * where the input begins and ends. */
START_TEST(small_items_are_picked)
{
    enum { ITEMS = 2000, ROWS = 300, IN_ROWS = 1000, PITCH = 8, WIDTH = 5, FIRST = 3 };
    const struct slice_case c = CASE("picked", UINT8, IN(IN_ROWS, PITCH), FROM(0, FIRST),
                                     WINDOW(ROWS, WIDTH), BY(1, -1), OUT(ROWS, WIDTH));
    static unsigned char in[IN_ROWS][PITCH], out[ITEMS][ROWS][WIDTH];
    uint32_t first[ITEMS];
    struct rig rig;
    struct dice dice = {SEED};
    dice_fill(&dice, in[0], sizeof in);
    rig_open(&rig, NULL);
    clslice_compiled_operator *compiled = batch_compile(&rig, &c, "strided_cpu");
    for (uint32_t i = 0; i < ITEMS; ++i)
        first[i] = i % (IN_ROWS - ROWS + 1);
    clslice_batch batch = batch_of(first, ITEMS);
    batch.window.size = sizeof first;
    batch.window_axis_count = 1;
    clslice_binding from = rig_bind_host(in, 0, sizeof in), to = rig_bind_host(out, 0, sizeof out);
    clslice_dispatch_desc desc = rig_dispatch_desc(&from, &to);
    dispatch(&rig, compiled, &desc, &batch);
    for (uint32_t i = 0; i < ITEMS; ++i)
        for (uint32_t row = 0; row < ROWS; ++row)
            for (uint32_t k = 0; k < WIDTH; ++k)
                ck_assert_uint_eq(out[i][row][k], in[first[i] + row][FIRST + WIDTH - 1 - k]);
    clslice_compiled_operator_release(compiled);
    rig_close(&rig);
}
END_TEST

static const struct slice_case pairs = CASE("pairs", UINT32, IN(1024, 4), FROM(0, 0), CROP(1, 2));

enum { SEVERAL_LAUNCHES = (1 << 20) + 77, SKIPPED_EVERY = 1000 };

/* Where item i begins, of which some break a rule, and where it goes: a permutation. */
static void fill_tables(uint32_t (*rows)[2], uint64_t *indices)
{
    for (uint64_t i = 0; i < SEVERAL_LAUNCHES; ++i) {
        rows[i][0] = (uint32_t)(i * 7919 % 1024);
        rows[i][1] = i % SKIPPED_EVERY == 5 ? 3 : (uint32_t)(i % 3);
        indices[i] = i * 1000003 % SEVERAL_LAUNCHES;
    }
}

static void check_pairs(uint32_t (*found)[2], uint32_t (*rows)[2], const uint64_t *indices)
{
    for (uint64_t i = 0; i < SEVERAL_LAUNCHES; ++i)
        for (uint32_t k = 0; k < 2; ++k) {
            uint32_t wanted = rows[i][1] == 3 ? 0 : (rows[i][0] * 4 + rows[i][1] + k) * 2654435761u;
            ck_assert_uint_eq(found[indices[i]][k], wanted);
        }
}

/* Buffers with tables in host memory and on the device, host memory in place, staged, and staged
 * where no buffer has room for the origins of a whole launch. */
START_TEST(more_items_than_a_launch_takes)
{
    enum { HOST_TABLES, DEVICE_TABLES, WRAPPED, STAGED, MODEST };
    struct rig rig;
    clslice_device_options options = {.size = sizeof options, .get_proc = rig_proc};
    uint32_t input[4096], (*rows)[2] = calloc(SEVERAL_LAUNCHES, sizeof *rows), skipped = 5;
    uint32_t(*found)[2] = calloc(SEVERAL_LAUNCHES, sizeof *found);
    uint64_t *indices = calloc(SEVERAL_LAUNCHES, sizeof *indices);
    ck_assert(rows && found && indices);
    fill_tables(rows, indices);
    for (uint32_t i = 0; i < 4096; ++i)
        input[i] = i * 2654435761u;
    rig_lie = (struct rig_lie){.is_gpu = _i >= STAGED,
                               .has_no_svm = _i >= STAGED,
                               .max_alloc = _i == MODEST ? 1 << 20 : 0,
                               .refuses_more = _i == MODEST};
    rig_open(&rig, &options);
    clslice_compiled_operator *compiled = batch_compile(&rig, &pairs, NULL);
    size_t bytes = SEVERAL_LAUNCHES * sizeof *found;
    clslice_binding in = rig_bind_host(input, 0, sizeof input);
    clslice_binding out = rig_bind_host(found, 0, bytes);
    clslice_batch batch = {.size = sizeof batch,
                           .flags = CLSLICE_BATCH_FLAG_SKIP,
                           .count = SEVERAL_LAUNCHES,
                           .window = rig_bind_host(rows, 0, bytes),
                           .window_axis_count = 2,
                           .output = rig_bind_host(indices, 0, bytes),
                           .output_index_bytes = 8,
                           .skipped = rig_bind_host(&skipped, 0, sizeof skipped)};
    cl_mem mems[5] = {0};
    if (_i <= DEVICE_TABLES) {
        mems[0] = rig_buffer(&rig, sizeof input, input);
        mems[1] = rig_buffer(&rig, bytes, found);
        in = rig_bind_mem(mems[0], 0, sizeof input);
        out = rig_bind_mem(mems[1], 0, bytes);
    }
    if (_i == DEVICE_TABLES) {
        mems[2] = rig_buffer(&rig, bytes, rows);
        mems[3] = rig_buffer(&rig, bytes, indices);
        mems[4] = rig_buffer(&rig, sizeof skipped, &skipped);
        batch.window = rig_bind_mem(mems[2], 0, bytes);
        batch.output = rig_bind_mem(mems[3], 0, bytes);
        batch.skipped = rig_bind_mem(mems[4], 0, sizeof skipped);
    }
    clslice_dispatch_desc desc = rig_dispatch_desc(&in, &out);
    dispatch(&rig, compiled, &desc, &batch);
    if (_i <= DEVICE_TABLES)
        rig_read(&rig, mems[1], bytes, found);
    if (_i == DEVICE_TABLES)
        rig_read(&rig, mems[4], sizeof skipped, &skipped);
    ck_assert_uint_eq(skipped, 5 + (SEVERAL_LAUNCHES + SKIPPED_EVERY - 6) / SKIPPED_EVERY);
    check_pairs(found, rows, indices);
    for (size_t i = 0; i < COUNT_OF(mems) && mems[i]; ++i)
        rig.cl.clReleaseMemObject(mems[i]);
    clslice_compiled_operator_release(compiled);
    rig_close(&rig);
    free(rows);
    free(found);
    free(indices);
}
END_TEST

/* Between 2 items of 256 KiB each, 99,998 that take nothing. */
START_TEST(skipped_items_take_no_staging)
{
    static const struct slice_case fat =
        CASE("fat", FLOAT32, IN(16, 65536), FROM(0, 0), CROP(1, 65536));
    enum { ITEMS = 100000, FAT = 65536 * 4 };
    struct rig rig;
    clslice_device_options options = {.size = sizeof options, .get_proc = rig_proc};
    rig_lie = (struct rig_lie){.is_gpu = true, .has_no_svm = true};
    rig_open(&rig, &options);
    clslice_compiled_operator *compiled = batch_compile(&rig, &fat, NULL);
    uint32_t *rows = malloc(ITEMS * sizeof *rows), *to = calloc(ITEMS, sizeof *to);
    unsigned char *input = malloc(16 * FAT), *found = calloc(2, FAT);
    ck_assert(rows && to && input && found);
    memset(rows, 0xFF, ITEMS * sizeof *rows);
    rows[0] = 3;
    rows[ITEMS - 1] = 5;
    to[ITEMS - 1] = 1;
    struct dice dice = {SEED};
    dice_fill(&dice, input, 16 * FAT);
    clslice_batch batch = batch_of(rows, ITEMS);
    batch.flags = CLSLICE_BATCH_FLAG_SKIP;
    batch.output = rig_bind_host(to, 0, ITEMS * sizeof *to);
    batch.output_index_bytes = 4;
    clslice_binding in = rig_bind_host(input, 0, 16 * FAT), out = rig_bind_host(found, 0, 2 * FAT);
    clslice_dispatch_desc desc = rig_dispatch_desc(&in, &out);
    dispatch(&rig, compiled, &desc, &batch);
    ck_assert(memcmp(found, input + 3 * FAT, FAT) == 0);
    ck_assert(memcmp(found + FAT, input + 5 * FAT, FAT) == 0);
    clslice_compiled_operator_release(compiled);
    rig_close(&rig);
    free(rows);
    free(to);
    free(input);
    free(found);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("batch_many");
    TCase *tests = suite_case(suite, "batch_many");
    tcase_add_loop_test(tests, large_items_are_whole, 0, 2);
    tcase_add_loop_test(tests, more_items_than_a_launch_takes, 0, 5);
    tcase_add_test(tests, small_items_are_picked);
    tcase_add_test(tests, skipped_items_take_no_staging);
    return suite_run(suite);
}
