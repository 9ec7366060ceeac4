/* SPDX-License-Identifier: MIT */
/* The items of a batch: which structures are refused and why, where items lie, and which of them
 * share a buffer. */
#include "conformance/case_words.h"
#include "core/batch.h"
#include "support/case_slice.h"
#include "support/dice.h"

/* Windows of 3 x 4 in 10 x 20, of which every second row is taken, backwards: 2 x 4 elements. */
static const struct slice_case windows =
    CASE("windows", UINT16, IN(10, 20), FROM(1, 2), WINDOW(3, 4), BY(-2, 1), OUT(2, 4));

enum { SPAN = 8, ROOM = 5 * SPAN };

static clslice_error error;

static clslice_binding bound(uint32_t kind)
{
    return (clslice_binding){.kind = kind};
}

/* Both tables, for rows of {y, x}. */
static clslice_batch tables(uint64_t count)
{
    return (clslice_batch){.size = sizeof(clslice_batch),
                           .count = count,
                           .window = bound(CLSLICE_BINDING_HOST),
                           .window_axis_count = 2,
                           .output = bound(CLSLICE_BINDING_HOST),
                           .output_index_bytes = 4};
}

static int32_t from(const clslice_batch *desc, struct batch *batch)
{
    struct slice slice = slice_of(&windows);
    struct batch_tables bytes;
    error = (clslice_error){.size = sizeof error};
    return batch_from(&slice, desc, ROOM, batch, &bytes, &error);
}

/* ---- Rules ---- */

START_TEST(broken_rules_are_named)
{
    const struct {
        const char *word;
        int32_t status;
        uint32_t rule;
        clslice_batch desc;
    } broken[] = {
        {"flags = 0x4", CLSLICE_E_NOTIMPL, CLSLICE_RULE_OPTION, {.count = 1, .flags = 4}},
        {"reserved = 1", CLSLICE_E_NOTIMPL, CLSLICE_RULE_OPTION, {.count = 1, .reserved = 1}},
        {"window_axis = 2",
         CLSLICE_E_INVALIDARG,
         CLSLICE_RULE_BATCH_AXES,
         {.count = 1, .window_axis = 2}},
        {"window_axis_count = 2",
         CLSLICE_E_INVALIDARG,
         CLSLICE_RULE_BATCH_AXES,
         {.count = 1,
          .window = {.kind = CLSLICE_BINDING_HOST},
          .window_axis = 1,
          .window_axis_count = 2}},
        {"window_axis_count = 4294967295",
         CLSLICE_E_INVALIDARG,
         CLSLICE_RULE_BATCH_AXES,
         {.count = 1,
          .window = {.kind = CLSLICE_BINDING_HOST},
          .window_axis = 1,
          .window_axis_count = UINT32_MAX}},
        {"window_axis_count = 0",
         CLSLICE_E_INVALIDARG,
         CLSLICE_RULE_BATCH_AXES,
         {.count = 1, .window = {.kind = CLSLICE_BINDING_HOST}}},
        {"window_axis_count = 1, but window.kind = 0 (NONE)",
         CLSLICE_E_INVALIDARG,
         CLSLICE_RULE_BATCH_AXES,
         {.count = 1, .window_axis_count = 1}},
        {"window_advance",
         CLSLICE_E_INVALIDARG,
         CLSLICE_RULE_BATCH_AXES,
         {.count = 1,
          .window = {.kind = CLSLICE_BINDING_HOST},
          .window_axis_count = 1,
          .window_advance = -1}},
        {"window_row_bytes = 6",
         CLSLICE_E_INVALIDARG,
         CLSLICE_RULE_BATCH_TABLE,
         {.count = 1,
          .window = {.kind = CLSLICE_BINDING_HOST},
          .window_axis_count = 1,
          .window_row_bytes = 6}},
        {"window_row_bytes = 4",
         CLSLICE_E_INVALIDARG,
         CLSLICE_RULE_BATCH_TABLE,
         {.count = 1,
          .window = {.kind = CLSLICE_BINDING_HOST},
          .window_axis_count = 2,
          .window_row_bytes = 4}},
        {"window_row_bytes = 17179869184",
         CLSLICE_E_INVALIDARG,
         CLSLICE_RULE_BATCH_TABLE,
         {.count = 1,
          .window = {.kind = CLSLICE_BINDING_HOST},
          .window_axis_count = 1,
          .window_row_bytes = UINT64_C(1) << 34}},
        {"window_row_bytes = 8",
         CLSLICE_E_INVALIDARG,
         CLSLICE_RULE_BATCH_TABLE,
         {.count = 1, .window_row_bytes = 8}},
        {"output_index_bytes = 2",
         CLSLICE_E_INVALIDARG,
         CLSLICE_RULE_BATCH_TABLE,
         {.count = 1, .output = {.kind = CLSLICE_BINDING_HOST}, .output_index_bytes = 2}},
        {"output_index_bytes = 0",
         CLSLICE_E_INVALIDARG,
         CLSLICE_RULE_BATCH_TABLE,
         {.count = 1, .output = {.kind = CLSLICE_BINDING_HOST}}},
        {"output_index_bytes = 4",
         CLSLICE_E_INVALIDARG,
         CLSLICE_RULE_BATCH_TABLE,
         {.count = 1, .output_index_bytes = 4}},
        {"count = 18446744073709551615 is more",
         CLSLICE_E_INVALIDARG,
         CLSLICE_RULE_BATCH_TABLE,
         {.count = UINT64_MAX,
          .window = {.kind = CLSLICE_BINDING_HOST},
          .window_axis_count = 2,
          .output = {.kind = CLSLICE_BINDING_HOST},
          .output_index_bytes = 8}},
    };
    for (size_t i = 0; i < COUNT_OF(broken); ++i) {
        struct batch batch;
        int32_t status = from(&broken[i].desc, &batch);
        ck_assert_msg(status == broken[i].status && error.rule == broken[i].rule &&
                          strstr(error.text, broken[i].word),
                      "%s: 0x%08x, rule %u: %s", broken[i].word, (unsigned)status, error.rule,
                      error.text);
        ck_assert(error.item == CLSLICE_NO_ITEM);
    }
}
END_TEST

/* Rows 1 to 7 hold a window, and columns 2 to 16. */
START_TEST(an_advance_stays_inside)
{
    const struct {
        uint32_t axis;
        int64_t advance;
        uint64_t most; /* items */
    } limits[] = {{0, 1, 7},  {0, 3, 3},         {0, -1, 2},        {1, 7, 3}, {1, -2, 2},
                  {1, 15, 1}, {0, INT64_MIN, 1}, {1, INT64_MAX, 1}, {0, 0, 5}};
    for (size_t i = 0; i < COUNT_OF(limits); ++i) {
        struct batch batch;
        clslice_batch desc = tables(limits[i].most);
        desc.window = (clslice_binding){0};
        desc.window_axis_count = 0;
        desc.window_axis = limits[i].axis;
        desc.window_advance = limits[i].advance;
        ck_assert_msg(from(&desc, &batch) == CLSLICE_S_OK, "%zu: %s", i, error.text);
        desc.count = limits[i].most + 1;
        if (limits[i].advance == 0)
            continue;
        ck_assert_int_eq(from(&desc, &batch), CLSLICE_E_INVALIDARG);
        ck_assert_uint_eq(error.rule, CLSLICE_RULE_BATCH_WINDOW_BOUNDS);
        ck_assert_uint_eq(error.item, limits[i].most);
        ck_assert_uint_eq(error.dimension, limits[i].axis);
    }
}
END_TEST

START_TEST(outputs_without_a_table_follow_each_other)
{
    struct batch batch;
    clslice_batch desc = {.count = 5};
    ck_assert_msg(from(&desc, &batch) == CLSLICE_S_OK, "%s", error.text);
    desc.count = 6;
    ck_assert_int_eq(from(&desc, &batch), CLSLICE_E_INVALIDARG);
    ck_assert_uint_eq(error.rule, CLSLICE_RULE_BATCH_OUTPUT_BOUNDS);
    ck_assert_uint_eq(error.item, 5);
    desc.output_pitch = 6;
    ck_assert_int_eq(from(&desc, &batch), CLSLICE_S_OK);
    desc.output_pitch = UINT64_MAX;
    ck_assert_int_eq(from(&desc, &batch), CLSLICE_E_INVALIDARG);
    ck_assert_uint_eq(error.item, 1);
    desc.count = UINT64_MAX;
    desc.output_pitch = 1;
    ck_assert_int_eq(from(&desc, &batch), CLSLICE_E_INVALIDARG);
    ck_assert_uint_eq(error.item, ROOM - SPAN + 1);
}
END_TEST

/* ---- Places ---- */

START_TEST(tables_say_where_items_lie)
{
    struct batch batch;
    clslice_batch desc = tables(1);
    desc.output_pitch = 3;
    ck_assert_int_eq(from(&desc, &batch), CLSLICE_S_OK);
    for (uint32_t y = 0; y < 9; ++y)
        for (uint32_t x = 0; x < 18; ++x)
            for (uint32_t index = 0; index < 12; ++index) {
                const uint32_t row[] = {y, x};
                unsigned char odd[12];
                struct batch_origin origin;
                memcpy(odd + 1, row, sizeof row);
                bool fits = y + 3 <= 10 && x + 4 <= 20 && 3 * index + SPAN <= ROOM;
                ck_assert_int_eq(batch_place(&batch, 0, odd + 1, &index, &origin), fits);
                if (fits) {
                    ck_assert_uint_eq(origin.in, (y + 2) * 20 + x); /* its last row comes first */
                    ck_assert_uint_eq(origin.out, 3 * index);
                } else {
                    ck_assert(origin.in == BATCH_SKIPPED);
                }
            }
}
END_TEST

START_TEST(many_places_are_those_of_each)
{
    enum { MANY = 300, FIRST = 7 };
    uint32_t rows[MANY][3];
    uint64_t indices[MANY], wanted = 0, found, broken = 0, first_broken = 0;
    struct batch_origin origins[MANY], one;
    struct dice dice = {20261123};
    struct batch batch;
    clslice_batch desc = tables(1);
    desc.window_row_bytes = sizeof rows[0];
    desc.output_index_bytes = sizeof indices[0];
    desc.output_pitch = 3;
    ck_assert_int_eq(from(&desc, &batch), CLSLICE_S_OK);
    for (uint32_t i = 0; i < MANY; ++i) {
        rows[i][0] = (uint32_t)dice_below(&dice, 9);
        rows[i][1] = (uint32_t)dice_below(&dice, 18);
        indices[i] = dice_below(&dice, 6);
    }
    found = batch_places(&batch, rows, indices, FIRST, MANY - FIRST, origins, &broken);
    for (uint32_t i = MANY; i-- > FIRST;) {
        bool fits = batch_place(&batch, i, rows[i], &indices[i], &one);
        ck_assert_mem_eq(&origins[i - FIRST], &one, sizeof one);
        wanted += !fits;
        first_broken = fits ? first_broken : i;
    }
    ck_assert_uint_gt(wanted, 0);
    ck_assert_uint_eq(found, wanted);
    ck_assert_uint_eq(broken, first_broken);
}
END_TEST

START_TEST(broken_items_are_named)
{
    struct batch batch;
    struct slice slice = slice_of(&windows);
    clslice_batch desc = tables(1);
    const uint32_t far[] = {7, UINT32_MAX}, near[] = {7, 16}, index = 5;
    ck_assert_int_eq(from(&desc, &batch), CLSLICE_S_OK);
    ck_assert_int_eq(batch_fail(&slice, &desc, &batch, 3, far, &index, &error),
                     CLSLICE_E_INVALIDARG);
    ck_assert_uint_eq(error.rule, CLSLICE_RULE_BATCH_WINDOW_BOUNDS);
    ck_assert_uint_eq(error.item, 3);
    ck_assert_uint_eq(error.dimension, 1);
    ck_assert_uint_eq(error.value[0], UINT32_MAX);
    ck_assert_uint_eq(error.value[2], 20);
    ck_assert_int_eq(batch_fail(&slice, &desc, &batch, 3, near, &index, &error),
                     CLSLICE_E_INVALIDARG);
    ck_assert_uint_eq(error.rule, CLSLICE_RULE_BATCH_OUTPUT_BOUNDS);
    ck_assert_uint_eq(error.value[0], 5);
    ck_assert_uint_eq(error.value[1], batch.index_most);
    ck_assert_uint_eq(error.value[2], slice.output.span);
}
END_TEST

/* An index of 64 bits whose place would wrap. */
START_TEST(indices_do_not_wrap)
{
    struct batch batch;
    clslice_batch desc = tables(1);
    desc.output_index_bytes = 8;
    desc.output_pitch = UINT64_C(1) << 32;
    ck_assert_int_eq(from(&desc, &batch), CLSLICE_S_OK);
    const uint32_t row[] = {0, 0};
    const uint64_t indices[] = {UINT64_C(1) << 32, UINT64_MAX, UINT64_C(1) << 63, 1};
    struct batch_origin origin;
    for (size_t i = 0; i < COUNT_OF(indices); ++i)
        ck_assert(!batch_place(&batch, 0, row, &indices[i], &origin));
}
END_TEST

START_TEST(alignment_is_what_all_items_share)
{
    struct batch batch;
    clslice_batch desc = tables(9);
    ck_assert_int_eq(from(&desc, &batch), CLSLICE_S_OK);
    ck_assert_uint_eq(batch_in_alignment(&batch, 2, 16), 2); /* x moves by elements */
    desc.window_axis_count = 1;                              /* y by rows of 40 bytes, from 44 on */
    ck_assert_int_eq(from(&desc, &batch), CLSLICE_S_OK);
    ck_assert_uint_eq(batch_in_alignment(&batch, 2, 16), 4);
    ck_assert_uint_eq(batch_out_alignment(&batch, 2, 16), 16);
    ck_assert_uint_eq(batch_out_alignment(&batch, 2, 8), 8);
    desc.output_pitch = 12;
    ck_assert_int_eq(from(&desc, &batch), CLSLICE_S_OK);
    ck_assert_uint_eq(batch_out_alignment(&batch, 2, 16), 8);
}
END_TEST

/* ---- Groups ---- */

/* Groups hold every item once and in order, no more than there is room for, and could hold no
 * further one. */
START_TEST(groups_fill_their_room)
{
    enum { ITEMS = 64 };
    struct dice dice = {77 + (uint64_t)_i};
    const struct batch_range reach = {(uint64_t)0 - 3, 9, 0, 14, 1};
    const uint64_t packed = 10;
    const struct batch_room room = {40 + dice_below(&dice, 90), 30 + dice_below(&dice, 90),
                                    dice_percent(&dice, 50)};
    struct batch_origin origins[ITEMS];
    for (int i = 0; i < ITEMS; ++i)
        origins[i] = (struct batch_origin){3 + dice_below(&dice, 60), dice_below(&dice, 60)};
    for (int i = 0; i < ITEMS; i += 1 + (int)dice_pick(&dice, 9))
        origins[i].in = BATCH_SKIPPED;
    for (uint64_t at = 0, n; at < ITEMS; at += n) {
        struct batch_range range, more;
        n = batch_group(origins + at, ITEMS - at, &reach, packed, &room, &range);
        ck_assert_uint_gt(n, 0);
        uint64_t moved = 0;
        for (uint64_t i = at; i < at + n; ++i)
            if (origins[i].in != BATCH_SKIPPED) {
                ++moved;
                ck_assert(origins[i].in - 3 >= range.in_low && origins[i].in + 9 <= range.in_high);
                ck_assert(origins[i].out >= range.out_low && origins[i].out + 14 <= range.out_high);
            }
        ck_assert_uint_eq(range.moved, moved);
        uint64_t out = room.packs ? moved * packed : range.out_high - range.out_low;
        ck_assert(moved < 2 || (range.in_high - range.in_low <= room.in && out <= room.out));
        if (at + n == ITEMS)
            break;
        struct batch_room wider = {UINT64_MAX, UINT64_MAX, room.packs};
        batch_group(origins + at, n + 1, &reach, packed, &wider, &more);
        out = room.packs ? (moved + 1) * packed : more.out_high - more.out_low;
        ck_assert(more.in_high - more.in_low > room.in || out > room.out);
    }
}
END_TEST

/* A work-item of rows_gpu makes up to 4 blocks of an item, where there are many. */
START_TEST(large_items_are_shared_out)
{
    const struct slice_case c = CASE("large", UINT8, IN(64, 4104), FROM(0, 0), CROP(1, 4099));
    const struct plan_limits limits = {false, 132, 64, 1024, 0, 0, false, false};
    struct slice slice = slice_of(&c), item = slice_item(&slice);
    struct plan plan;
    ck_assert(plan_from(&item, &limits, PLAN_ALIGNED_ELEMENT, PLAN_ROWS_GPU, &plan));
    struct launch one = launch_of(&plan), few = launch_items(&plan, &one, 16),
                  many = launch_items(&plan, &one, 4096);
    ck_assert_uint_eq(few.walk.of_item, few.walk.blocks);
    ck_assert_uint_lt(many.walk.of_item, many.walk.blocks);
    ck_assert_uint_ge(4 * (uint64_t)many.walk.of_item, many.walk.blocks);
    ck_assert_uint_ge(many.global_size, 4096 * (uint64_t)many.walk.of_item);
    ck_assert_uint_le(launch_items_most(&plan, &one) * one.walk.of_item, INT32_MAX);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("batch_items");
    TCase *tests = suite_case(suite, "batch_items");
    tcase_add_test(tests, broken_rules_are_named);
    tcase_add_test(tests, an_advance_stays_inside);
    tcase_add_test(tests, outputs_without_a_table_follow_each_other);
    tcase_add_test(tests, tables_say_where_items_lie);
    tcase_add_test(tests, many_places_are_those_of_each);
    tcase_add_test(tests, broken_items_are_named);
    tcase_add_test(tests, indices_do_not_wrap);
    tcase_add_test(tests, alignment_is_what_all_items_share);
    tcase_add_test(tests, large_items_are_shared_out);
    tcase_add_loop_test(tests, groups_fill_their_room, 0, 200);
    return suite_run(suite);
}
