/* SPDX-License-Identifier: MIT */
#include "core/overlap.h"
#include "core/tensor.h"
#include "support/dice.h"
#include "support/suite.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

struct layout {
    uint32_t rank;
    uint64_t size[TENSOR_RANK_MAX];
    uint64_t stride[TENSOR_RANK_MAX];
};

/* For messages; overwritten by the next call. */
static const char *print(const struct layout *layout)
{
    static char text[512];
    int used = 0;
    for (uint32_t i = 0; i < layout->rank; ++i)
        used += snprintf(text + used, sizeof text - (size_t)used, " %" PRIu64 "*%" PRIu64,
                         layout->size[i], layout->stride[i]);
    return text;
}

static uint32_t find(const struct layout *layout)
{
    return overlap_find(layout->rank, layout->size, layout->stride);
}

/* ---- Brute force ---- */

enum { SPAN_MAX = 1 << 14 };

static uint64_t span_of(const struct layout *layout)
{
    uint64_t span = 1;
    for (uint32_t i = 0; i < layout->rank; ++i)
        span += (layout->size[i] - 1) * layout->stride[i];
    return span;
}

static bool next(const struct layout *layout, uint64_t *coordinate)
{
    for (uint32_t i = layout->rank; i-- > 0;) {
        if (++coordinate[i] < layout->size[i])
            return true;
        coordinate[i] = 0;
    }
    return false;
}

/* Bit i: two elements that share an address differ in dimension i. */
static uint32_t overlapping_dimensions(const struct layout *layout)
{
    static uint8_t visited[SPAN_MAX], first[SPAN_MAX][TENSOR_RANK_MAX];
    uint64_t at[TENSOR_RANK_MAX] = {0};
    uint32_t dimensions = 0;
    ck_assert_uint_le(span_of(layout), SPAN_MAX);
    memset(visited, 0, (size_t)span_of(layout));
    do {
        uint64_t address = 0;
        for (uint32_t i = 0; i < layout->rank; ++i)
            address += at[i] * layout->stride[i];
        for (uint32_t i = 0; i < layout->rank; ++i) {
            if (!visited[address])
                first[address][i] = (uint8_t)at[i];
            else if (first[address][i] != at[i])
                dimensions |= 1u << i;
        }
        visited[address] = 1;
    } while (next(layout, at));
    return dimensions;
}

static void check_against_brute_force(const struct layout *layout, uint32_t *overlapping)
{
    uint32_t dimensions = overlapping_dimensions(layout), found = find(layout);
    *overlapping += dimensions != 0;
    if ((dimensions != 0) != (found != OVERLAP_NONE))
        ck_abort_msg("%s: %s, found %" PRIu32, print(layout), dimensions ? "overlaps" : "distinct",
                     found);
    if (dimensions && !(found < layout->rank && dimensions >> found & 1))
        ck_abort_msg("%s: dimension %" PRIu32 " takes no part in the overlap (mask %" PRIx32 ")",
                     print(layout), found, dimensions);
}

enum { LAYOUTS = 100000 };

/* Sizes and strides of one order: about half overlap, and many distinct ones are interleaved. */
START_TEST(small_layouts_match_brute_force)
{
    static const uint64_t longest[TENSOR_RANK_MAX + 1] = {0, 40, 14, 8, 5, 4, 3, 3, 3};
    static const uint64_t widest[TENSOR_RANK_MAX + 1] = {0, 60, 40, 40, 90, 250, 600, 700, 700};
    struct dice dice = {7};
    uint32_t overlapping = 0;
    for (int n = 0; n < LAYOUTS; ++n) {
        struct layout layout = {.rank = (uint32_t)dice_between(&dice, 1, 8)};
        bool few = dice_one_in(&dice, 3);
        for (uint32_t i = 0; i < layout.rank; ++i) {
            layout.size[i] = dice_between(&dice, 1, longest[layout.rank]);
            layout.stride[i] = dice_below(&dice, few ? 12 : widest[layout.rank]);
        }
        check_against_brute_force(&layout, &overlapping);
    }
    ck_assert_uint_gt(overlapping, LAYOUTS / 5);
    ck_assert_uint_lt(overlapping, LAYOUTS / 5 * 4);
}
END_TEST

/* Nested layouts with one stride moved a little: where a rule of thumb goes wrong. */
START_TEST(nearly_nested_layouts_match_brute_force)
{
    struct dice dice = {8};
    uint32_t overlapping = 0;
    for (int n = 0; n < LAYOUTS / 4; ++n) {
        struct layout layout = {.rank = (uint32_t)dice_between(&dice, 2, 5)};
        uint64_t stride = dice_between(&dice, 1, 3);
        for (uint32_t i = 0; i < layout.rank; ++i) {
            layout.size[i] = dice_between(&dice, 1, 5);
            layout.stride[i] = stride;
            stride = stride * layout.size[i] + dice_below(&dice, 2);
        }
        uint32_t moved = (uint32_t)dice_below(&dice, layout.rank);
        uint64_t by = dice_below(&dice, 4);
        layout.stride[moved] = layout.stride[moved] > by ? layout.stride[moved] - by : 1;
        if (span_of(&layout) <= SPAN_MAX)
            check_against_brute_force(&layout, &overlapping);
    }
    ck_assert_uint_gt(overlapping, LAYOUTS / 40);
}
END_TEST

/* ---- Too large to enumerate ---- */

static uint64_t divisor_of(uint64_t a, uint64_t b)
{
    while (b != 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Two dimensions meet where each holds the other's stride, divided by what they share. */
START_TEST(two_large_dimensions_follow_the_formula)
{
    struct dice dice = {9};
    uint32_t overlapping = 0;
    for (int n = 0; n < 50000; ++n) {
        struct layout layout = {.rank = 2};
        uint64_t bits = dice_between(&dice, 1, 30);
        for (int i = 0; i < 2; ++i) {
            layout.stride[i] = 1 + (dice_roll(&dice) >> (64 - bits));
            uint64_t most = (TENSOR_ELEMENTS_MAX / 2 - 1) / layout.stride[i];
            uint64_t other = i == 1 ? layout.stride[0] : UINT64_C(1) << dice_below(&dice, 30);
            layout.size[i] = 2 + dice_below(&dice, other + 2);
            layout.size[i] = layout.size[i] > most ? most : layout.size[i];
        }
        if (layout.size[0] < 2 || layout.size[1] < 2)
            continue;
        uint64_t shared = divisor_of(layout.stride[0], layout.stride[1]);
        bool expected = layout.stride[1] / shared < layout.size[0] &&
                        layout.stride[0] / shared < layout.size[1];
        overlapping += expected;
        if ((find(&layout) != OVERLAP_NONE) != expected)
            ck_abort_msg("%s", print(&layout));
    }
    ck_assert_uint_gt(overlapping, 1000);
}
END_TEST

static const struct {
    struct layout layout;
    bool overlaps;
} known[] = {
    {{1, {4294967295}, {1}}, false},
    {{1, {4294967295}, {0}}, true},
    {{2, {2, 2}, {4294967293, 1}}, false},
    {{2, {65535, 65537}, {65537, 1}}, false},
    {{2, {65535, 65537}, {65536, 1}}, true},
    {{2, {65537, 65535}, {1, 65537}}, false},
    {{2, {2, 3}, {3, 2}}, false},
    {{2, {3, 3}, {3, 2}}, false},
    {{2, {3, 4}, {3, 2}}, true},
    {{2, {65536, 32768}, {32768, 65536}}, true},
    {{2, {32767, 65521}, {65521, 32749}}, false},
    {{2, {32767, 65521}, {65520, 32748}}, true},
    {{3, {1, 100, 1}, {0, 3, 0}}, false},
    {{3, {1, 1, 1}, {0, 0, 0}}, false},
    {{8, {1, 1, 1, 1, 1, 1, 1, 1}, {7, 0, 7, 7, 0, 7, 4294967295, 7}}, false},
    {{8, {16, 16, 16, 16, 16, 16, 16, 15}, {268435456, 16777216, 1048576, 65536, 4096, 256, 16, 1}},
     false},
    {{8, {16, 16, 16, 16, 16, 16, 16, 15}, {1, 15, 240, 3840, 61440, 983040, 15728640, 251658240}},
     true},
    {{8, {15, 16, 16, 16, 16, 16, 16, 16}, {1, 15, 240, 3840, 61440, 983040, 15728640, 251658240}},
     false},
    {{4, {1000, 1000, 60, 60}, {3600, 3600000, 60, 1}}, false},
    {{4, {1000, 1000, 61, 60}, {3600, 3600000, 60, 1}}, true},
    {{3, {2, 2, 2}, {1, 2, 3}}, true},
    {{3, {2, 2, 2}, {1, 2, 4}}, false},
    {{4, {2, 2, 2, 2}, {3, 5, 6, 7}}, false},
    {{4, {2, 2, 2, 2}, {3, 5, 6, 8}}, true},
};

START_TEST(known_layouts_are_judged)
{
    struct layout layout = known[_i].layout;
    ck_assert_msg((find(&layout) != OVERLAP_NONE) == known[_i].overlaps, "%s", print(&layout));
}
END_TEST

START_TEST(the_order_of_dimensions_does_not_matter)
{
    struct dice dice = {10};
    for (int n = 0; n < 2000; ++n) {
        struct layout layout = known[dice_below(&dice, COUNT_OF(known))].layout;
        bool before = find(&layout) != OVERLAP_NONE;
        for (uint32_t i = layout.rank; i > 1; --i) {
            uint32_t j = (uint32_t)dice_below(&dice, i);
            uint64_t size = layout.size[i - 1], stride = layout.stride[i - 1];
            layout.size[i - 1] = layout.size[j];
            layout.stride[i - 1] = layout.stride[j];
            layout.size[j] = size;
            layout.stride[j] = stride;
        }
        ck_assert_msg((find(&layout) != OVERLAP_NONE) == before, "%s", print(&layout));
    }
}
END_TEST

/* Whatever the strides, an answer comes: that a few dimensions never lack, and eight of one order
 * may. */
START_TEST(large_layouts_finish)
{
    struct dice dice = {11};
    uint32_t distinct = 0, undecided = 0;
    for (int n = 0; n < 200; ++n) {
        struct layout layout = {.rank = (uint32_t)dice_between(&dice, 2, 8)};
        uint64_t size = dice_between(&dice, 2, 16);
        for (uint32_t i = 0; i < layout.rank; ++i) {
            layout.size[i] = size;
            layout.stride[i] = 1 + dice_below(&dice, TENSOR_ELEMENTS_MAX / 8 / size - 1);
        }
        uint32_t found = find(&layout);
        distinct += found == OVERLAP_NONE;
        undecided += found == OVERLAP_UNDECIDED;
        ck_assert(found != OVERLAP_UNDECIDED || layout.rank > 3);
        ck_assert(found == OVERLAP_NONE || found == OVERLAP_UNDECIDED || found < layout.rank);
    }
    ck_assert_uint_gt(distinct, 0);
    ck_assert_uint_gt(undecided, 0);
}
END_TEST

/* Three dimensions take the most steps where their sizes are alike and their strides, too. */
START_TEST(three_large_dimensions_are_decided)
{
    struct dice dice = {12};
    uint32_t distinct = 0;
    for (int n = 0; n < 2000; ++n) {
        struct layout layout = {.rank = 3};
        for (uint32_t i = 0; i < 3; ++i) {
            layout.size[i] = 2 + dice_below(&dice, n % 2 ? 1600 : UINT64_C(1) << 4 * (n % 5));
            layout.stride[i] =
                1 + dice_below(&dice, (TENSOR_ELEMENTS_MAX / 3 - 1) / layout.size[i]);
        }
        uint32_t found = find(&layout);
        distinct += found == OVERLAP_NONE;
        ck_assert_msg(found != OVERLAP_UNDECIDED, "%s", print(&layout));
    }
    ck_assert_uint_gt(distinct, 100);
}
END_TEST

/* Nested strides are accepted at once, whatever the sizes. */
START_TEST(nested_layouts_are_distinct)
{
    struct dice dice = {13};
    for (int n = 0; n < 20000; ++n) {
        struct layout layout = {.rank = 8};
        uint64_t span = 1;
        for (uint32_t i = 8; i-- > 0;) {
            layout.size[i] = dice_between(&dice, 1, 15);
            layout.stride[i] = span + dice_below(&dice, span / 8 + 1);
            span += (layout.size[i] - 1) * layout.stride[i];
        }
        if (span <= TENSOR_ELEMENTS_MAX)
            ck_assert_msg(find(&layout) == OVERLAP_NONE, "%s", print(&layout));
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("overlap");
    TCase *tests = suite_case(suite, "overlap");
    tcase_add_test(tests, small_layouts_match_brute_force);
    tcase_add_test(tests, nearly_nested_layouts_match_brute_force);
    tcase_add_test(tests, two_large_dimensions_follow_the_formula);
    tcase_add_loop_test(tests, known_layouts_are_judged, 0, COUNT_OF(known));
    tcase_add_test(tests, the_order_of_dimensions_does_not_matter);
    tcase_add_test(tests, large_layouts_finish);
    tcase_add_test(tests, three_large_dimensions_are_decided);
    tcase_add_test(tests, nested_layouts_are_distinct);
    return suite_run(suite);
}
