/* SPDX-License-Identifier: MIT */
#include "conformance/case_desc.h"
#include "conformance/sweep.h"
#include "support/suite.h"

#include <clslice/clslice.h>
#include <stdlib.h>
#include <string.h>

enum { DRAWS = 400, MIB = 1 << 20 };

static const struct slice_case *drawn(struct sweep_draw *draw, int class, uint32_t number)
{
    sweep_draw(draw, 0xC0FFEE, (enum sweep_class) class, number, 64 * MIB);
    return &draw->c;
}

START_TEST(draws_are_valid)
{
    static const uint64_t sizes[] = {1 << 10, 1 << 16, 64 * MIB, 4096ull * MIB};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i)
        for (uint32_t number = 0; number < DRAWS; ++number) {
            struct sweep_draw draw;
            struct case_desc desc;
            clslice_error error = {.size = sizeof error};
            uint64_t elements;
            sweep_draw(&draw, number, (enum sweep_class)_i, number, sizes[i]);
            case_desc_init(&desc, &draw.c);
            ck_assert_msg(clslice_operator_create(NULL, &desc.op, NULL, &error) == CLSLICE_S_OK,
                          "%s: %s", draw.name, error.text);
            ck_assert(case_out_elements(&draw.c, &elements));
            uint64_t bytes = elements * case_type_bytes(draw.c.data_type);
            ck_assert_uint_le(bytes, 3 * sizes[i] / 2);
            ck_assert_uint_ge(bytes, sizes[i] > 64 * MIB ? 1 : sizes[i] / 4);
            ck_assert_uint_le(draw.in_offset, 15);
            ck_assert_uint_le(draw.out_offset, 15);
            ck_assert_ptr_eq(draw.c.name, draw.name);
        }
}
END_TEST

/* Figures of two versions are of the same slices only while this holds. */
START_TEST(a_seed_gives_the_same_draws_for_ever)
{
    uint64_t hash = UINT64_C(0xCBF29CE484222325);
    for (int class = 0; class < SWEEP_CLASS_COUNT; ++class)
        for (uint32_t number = 0; number < DRAWS; ++number) {
            struct sweep_draw draw;
            const struct slice_case *c = drawn(&draw, class, number);
            for (uint32_t i = 0; i < c->rank; ++i) {
                const uint32_t numbers[] = {c->data_type,       c->in_sizes[i],
                                            c->in_strides[i],   c->window_offsets[i],
                                            c->window_sizes[i], (uint32_t)c->window_strides[i],
                                            c->out_sizes[i],    c->out_strides[i],
                                            draw.in_offset,     draw.out_offset};
                for (size_t n = 0; n < sizeof numbers / sizeof numbers[0]; ++n)
                    hash = (hash ^ numbers[n]) * UINT64_C(0x100000001B3);
            }
        }
    ck_assert_uint_eq(hash, UINT64_C(18015434827739349092));
}
END_TEST

static bool is_prime(uint32_t n)
{
    for (uint32_t d = 2; d * d <= n; ++d)
        if (n % d == 0)
            return false;
    return n > 1;
}

START_TEST(widths_are_alike_and_half_of_the_extents_prime)
{
    uint32_t of_width[9] = {0}, primes = 0;
    for (uint32_t number = 0; number < 10 * DRAWS; ++number) {
        struct sweep_draw draw;
        const struct slice_case *c = drawn(&draw, SWEEP_INTERLEAVE, number);
        ++of_width[case_type_bytes(c->data_type)];
        primes += is_prime(c->out_sizes[1]);
    }
    for (uint32_t width = 1; width <= 8; width *= 2) {
        ck_assert_uint_gt(of_width[width], 9 * DRAWS / 4);
        ck_assert_uint_lt(of_width[width], 11 * DRAWS / 4);
    }
    ck_assert_uint_gt(primes, 5 * DRAWS);
    ck_assert_uint_lt(primes, 7 * DRAWS); /* some without being moved */
}
END_TEST

static bool is_packed(const struct slice_case *c, const uint32_t *strides, const uint32_t *sizes)
{
    uint64_t packed = 1;
    for (uint32_t i = c->rank; i-- > 0; packed *= sizes[i])
        if (strides[i] != packed)
            return false;
    return true;
}

/* Whether one of the steps is this. */
static bool has_step(const struct slice_case *c, int32_t step)
{
    for (uint32_t i = 0; i < c->rank; ++i)
        if (c->window_strides[i] == step)
            return true;
    return false;
}

START_TEST(classes_are_what_they_say)
{
    bool is_far = false;
    for (uint32_t number = 0; number < DRAWS; ++number) {
        struct sweep_draw draw;
        const struct slice_case *c = drawn(&draw, _i, number);
        uint32_t inner = c->rank - 1, row = c->out_sizes[inner];
        uint64_t in_bytes;
        bool in_packed = is_packed(c, c->in_strides, c->in_sizes);
        bool out_packed = is_packed(c, c->out_strides, c->out_sizes);
        ck_assert_int_eq(out_packed, _i != SWEEP_GAPS);
        if (_i < SWEEP_INTERLEAVE)
            ck_assert(in_packed);
        switch (_i) {
        case SWEEP_CROP:
            ck_assert(!has_step(c, -1));
            ck_assert_uint_ge(row * case_type_bytes(c->data_type), 1 << 10);
            break;
        case SWEEP_FLIP:
            ck_assert(has_step(c, -1));
            break;
        case SWEEP_STEP:
            ck_assert_int_ge(c->window_strides[inner], -5);
            ck_assert_int_le(c->window_strides[inner], 16);
            ck_assert_int_ge(abs(c->window_strides[inner]), 2);
            break;
        case SWEEP_ROWS:
            ck_assert_uint_le(row, 101);
            ck_assert_uint_gt(c->in_sizes[inner], row);
            break;
        case SWEEP_PIXELS:
            ck_assert_uint_le(c->in_sizes[inner], 6);
            ck_assert(has_step(c, 2) || has_step(c, -1) || c->in_sizes[inner] > row);
            break;
        case SWEEP_INTERLEAVE:
        case SWEEP_PERM:
            ck_assert(!in_packed);
            break;
        case SWEEP_BROADCAST:
            ck_assert(case_in_bytes(c, &in_bytes));
            ck_assert_uint_lt(in_bytes, 64 * MIB);
            break;
        case SWEEP_RANKS:
            ck_assert_uint_ge(c->rank, 6);
            ck_assert(case_in_bytes(c, &in_bytes));
            is_far = is_far || in_bytes / case_type_bytes(c->data_type) > UINT32_MAX / 2;
        }
    }
    ck_assert(is_far || _i != SWEEP_RANKS);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sweep");
    TCase *tcase = suite_case(suite, "sweep");
    tcase_add_loop_test(tcase, draws_are_valid, 0, SWEEP_CLASS_COUNT);
    tcase_add_test(tcase, a_seed_gives_the_same_draws_for_ever);
    tcase_add_test(tcase, widths_are_alike_and_half_of_the_extents_prime);
    tcase_add_loop_test(tcase, classes_are_what_they_say, 0, SWEEP_CLASS_COUNT);
    return suite_run(suite);
}
