/* SPDX-License-Identifier: MIT */
/* Few items, whose origins kernels take by value: they are those of each item, and fit. */
#include "conformance/case_words.h"
#include "core/few_items.h"
#include "support/case_slice.h"
#include "support/dice.h"

#include <string.h>

/* Windows of 3 x 4 in 10 x 20, of which every second row is taken, backwards: 2 x 4 elements. */
static const struct slice_case windows =
    CASE("windows", UINT16, IN(10, 20), FROM(1, 2), WINDOW(3, 4), BY(-2, 1), OUT(2, 4));

enum { SPAN = 8, ROOM = 5 * SPAN, MANY = 60, FIRST = 7 };

static clslice_error error;

/* Rows of {y, x}, and indices of so many bytes. */
static clslice_batch tables(uint32_t axes, uint32_t index_bytes)
{
    uint32_t window = axes > 0 ? CLSLICE_BINDING_HOST : CLSLICE_BINDING_NONE;
    uint32_t output = index_bytes > 0 ? CLSLICE_BINDING_HOST : CLSLICE_BINDING_NONE;
    return (clslice_batch){.size = sizeof(clslice_batch),
                           .count = 2,
                           .window.kind = window,
                           .window_axis_count = axes,
                           .window_row_bytes = axes > 0 ? 12 : 0,
                           .output.kind = output,
                           .output_index_bytes = index_bytes};
}

static struct batch batch_of(const clslice_batch *desc, const struct slice *slice, uint64_t room)
{
    struct batch batch;
    struct batch_tables bytes;
    error = (clslice_error){.size = sizeof error};
    ck_assert_msg(batch_from(slice, desc, room, &batch, &bytes, &error) == CLSLICE_S_OK, "%s",
                  error.text);
    return batch;
}

static void put_index(unsigned char *indices, size_t bytes, uint32_t i, uint64_t index)
{
    const uint32_t narrow = (uint32_t)index;
    memcpy(indices + bytes * i, bytes == 4 ? (const void *)&narrow : &index, bytes);
}

/* Some break a rule, where `_i` is odd. */
START_TEST(few_items_lie_where_each_does)
{
    static const uint32_t axes[] = {2, 2, 2, 0, 1}, index_bytes[] = {0, 4, 8, 4, 0};
    const uint32_t way = (uint32_t)_i / 2, broken_percent = _i % 2 ? 20 : 0;
    const clslice_batch desc = tables(axes[way], index_bytes[way]);
    const struct slice slice = slice_of(&windows);
    const struct batch batch = batch_of(&desc, &slice, index_bytes[way] ? ROOM : MANY * SPAN);
    struct dice dice = {(uint64_t)_i + 1};
    uint32_t rows[MANY][3];
    unsigned char indices[8 * MANY];
    struct few_items few;
    uint64_t wanted = 0, first_broken = 0, broken = 0;
    for (uint32_t i = 0; i < MANY; ++i) {
        uint64_t index = dice_below(&dice, dice_percent(&dice, broken_percent) ? UINT64_MAX : 5);
        rows[i][0] = dice_percent(&dice, broken_percent) ? 8 + dice_pick(&dice, 2) : 7;
        rows[i][1] = dice_percent(&dice, broken_percent) ? UINT32_MAX : dice_pick(&dice, 17);
        if (axes[way] < 2 || broken_percent == 0)
            rows[i][0] = dice_pick(&dice, 8);
        put_index(indices, index_bytes[way], i, index);
    }
    const unsigned char *row = axes[way] > 0 ? (const void *)rows : NULL;
    const unsigned char *index = index_bytes[way] > 0 ? indices : NULL;
    uint64_t found = few_items_from(&batch, row, index, FIRST, MANY - FIRST, &few, &broken);
    for (uint32_t i = MANY; i-- > FIRST;) {
        struct batch_origin one;
        bool fits = batch_place(&batch, i, row ? row + sizeof rows[0] * i : NULL,
                                index ? index + (size_t)index_bytes[way] * i : NULL, &one);
        uint64_t n = i - FIRST;
        uint64_t in = few.in_words > 0 ? few.word[n] : few.in_first + n * few.in_step;
        uint64_t out =
            few.out_words > 0 ? few.word[few.in_words + n] : few.out_first + n * few.out_pitch;
        ck_assert_int_eq(few.word[n] != FEW_ITEMS_SKIPPED, fits);
        ck_assert(!fits || (in == one.in && out == one.out));
        wanted += !fits;
        first_broken = fits ? first_broken : i;
    }
    ck_assert_uint_eq(few.in_words, row ? MANY - FIRST : 0);
    ck_assert_uint_eq(few.out_words, index ? MANY - FIRST : 0);
    ck_assert_uint_eq(found, wanted);
    ck_assert_uint_eq(broken, first_broken);
}
END_TEST

START_TEST(windows_without_a_table_advance)
{
    const struct slice_case line =
        CASE("line", UINT16, IN(10, 20), FROM(9, 0), WINDOW(1, 4), BY(1, 1), OUT(1, 4));
    const struct slice slice = slice_of(&line);
    clslice_batch desc = tables(0, 4);
    desc.window_advance = -3;
    const struct batch batch = batch_of(&desc, &slice, ROOM);
    const uint32_t indices[] = {9, 12, 0};
    struct few_items few;
    uint64_t broken;
    ck_assert_uint_eq(few_items_from(&batch, NULL, indices, 1, 2, &few, &broken), 1);
    ck_assert_uint_eq(broken, 1); /* no output is at index 12 */
    ck_assert_uint_eq(few.in_first, (9 - 3) * 20);
    ck_assert_uint_eq(few.in_first + few.in_step, (9 - 6) * 20);
    ck_assert_uint_eq(few.word[0], FEW_ITEMS_SKIPPED);
    ck_assert_uint_eq(few.word[1], 0);
}
END_TEST

START_TEST(few_items_fit_their_words)
{
    const struct slice slice = slice_of(&windows);
    const clslice_batch rows = tables(2, 0), both = tables(2, 8), indices = tables(0, 4);
    const clslice_batch none = tables(0, 0);
    const struct batch of_indices = batch_of(&indices, &slice, ROOM);
    const struct batch of_none = batch_of(&none, &slice, ROOM);
    const struct batch of_rows = batch_of(&rows, &slice, ROOM);
    struct batch of_both = batch_of(&both, &slice, ROOM);
    ck_assert(few_items_fit(&of_rows, &slice, 76, 76));
    ck_assert(!few_items_fit(&of_rows, &slice, 77, 76));
    ck_assert(few_items_fit(&of_indices, &slice, 76, 76));
    ck_assert(!few_items_fit(&of_none, &slice, 1, 76));
    ck_assert(few_items_fit(&of_both, &slice, 38, 77));
    ck_assert(!few_items_fit(&of_both, &slice, 39, 77));
    of_both.index_most = UINT32_MAX / SPAN; /* below that are the outputs' origins, */
    ck_assert(few_items_fit(&of_both, &slice, 1, 76));
    ++of_both.index_most; /* or not */
    ck_assert(!few_items_fit(&of_both, &slice, 1, 76));
}
END_TEST

/* All but the last of a tensor's 2^32 - 1 elements may be an origin: that number is none. */
START_TEST(origins_have_32_bits)
{
    struct slice slice = slice_of(&windows);
    const clslice_batch desc = tables(2, 0);
    const struct batch batch = batch_of(&desc, &slice, ROOM);
    slice.input.span = UINT32_MAX - 1;
    ck_assert(few_items_fit(&batch, &slice, 2, 2));
    slice.input.span = UINT32_MAX;
    ck_assert(!few_items_fit(&batch, &slice, 2, 2));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("few_items");
    TCase *tests = suite_case(suite, "few_items");
    tcase_add_loop_test(tests, few_items_lie_where_each_does, 0, 10);
    tcase_add_test(tests, windows_without_a_table_advance);
    tcase_add_test(tests, few_items_fit_their_words);
    tcase_add_test(tests, origins_have_32_bits);
    return suite_run(suite);
}
