/* SPDX-License-Identifier: MIT */
#include "cli/args/key.h"
#include "cli/args/selection.h"
#include "conformance/cases.h"
#include "conformance/problem.h"
#include "support/dice.h"
#include "support/suite.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What Python's slice.indices says, numbers cut to int64: the first element and the count of each
 * size. */
struct indices {
    const char *text;
    int64_t step;
    struct {
        int64_t first;
        uint64_t count;
    } of[4];
};

static const uint64_t few[] = {0, 1, 5, 10};
static const struct indices slices_of_few[] = {
    {":", 1, {{0, 0}, {0, 1}, {0, 5}, {0, 10}}},
    {"0:", 1, {{0, 0}, {0, 1}, {0, 5}, {0, 10}}},
    {":0", 1, {{0, 0}, {0, 0}, {0, 0}, {0, 0}}},
    {"-1:", 1, {{0, 0}, {0, 1}, {4, 1}, {9, 1}}},
    {":-1", 1, {{0, 0}, {0, 0}, {0, 4}, {0, 9}}},
    {"1:4", 1, {{0, 0}, {1, 0}, {1, 3}, {1, 3}}},
    {"4:1", 1, {{0, 0}, {1, 0}, {4, 0}, {4, 0}}},
    {"-4:-1", 1, {{0, 0}, {0, 0}, {1, 3}, {6, 3}}},
    {"100:", 1, {{0, 0}, {1, 0}, {5, 0}, {10, 0}}},
    {":100", 1, {{0, 0}, {0, 1}, {0, 5}, {0, 10}}},
    {"-100:", 1, {{0, 0}, {0, 1}, {0, 5}, {0, 10}}},
    {":-100", 1, {{0, 0}, {0, 0}, {0, 0}, {0, 0}}},
    {"::2", 2, {{0, 0}, {0, 1}, {0, 3}, {0, 5}}},
    {"::-1", -1, {{-1, 0}, {0, 1}, {4, 5}, {9, 10}}},
    {"::-2", -2, {{-1, 0}, {0, 1}, {4, 3}, {9, 5}}},
    {"::-3", -3, {{-1, 0}, {0, 1}, {4, 2}, {9, 4}}},
    {"8:1:-3", -3, {{-1, 0}, {0, 0}, {4, 1}, {8, 3}}},
    {"-1:-100:-4", -4, {{-1, 0}, {0, 1}, {4, 2}, {9, 3}}},
    {"100::-1", -1, {{-1, 0}, {0, 1}, {4, 5}, {9, 10}}},
    {":2:-1", -1, {{-1, 0}, {0, 0}, {4, 2}, {9, 7}}},
    {"3::-2", -2, {{-1, 0}, {0, 1}, {3, 2}, {3, 2}}},
    {"1:8:3", 3, {{0, 0}, {1, 0}, {1, 2}, {1, 3}}},
    {"0:0:-1", -1, {{-1, 0}, {0, 0}, {0, 0}, {0, 0}}},
    {"::100", 100, {{0, 0}, {0, 1}, {0, 1}, {0, 1}}},
    {"::-100", -100, {{-1, 0}, {0, 1}, {4, 1}, {9, 1}}},
};

#define BEYOND "1000000000000000000000000000000" /* 64 bits */

static const uint64_t many[] = {7, 4294967295};
static const struct indices slices_of_many[] = {
    {"-9223372036854775808:9223372036854775807", 1, {{0, 7}, {0, 4294967295}}},
    {"9223372036854775807:-9223372036854775808:-1", -1, {{6, 7}, {4294967294, 4294967295}}},
    {"::9223372036854775807", 9223372036854775807, {{0, 1}, {0, 1}}},
    {"::-9223372036854775807", -9223372036854775807, {{6, 1}, {4294967294, 1}}},
    {"::-9223372036854775808", INT64_MIN, {{6, 1}, {4294967294, 1}}},
    {BEYOND ":-" BEYOND ":-" BEYOND, INT64_MIN, {{6, 1}, {4294967294, 1}}},
    {"-" BEYOND ":" BEYOND ":" BEYOND, 9223372036854775807, {{0, 1}, {0, 1}}},
    {"-" BEYOND ":", 1, {{0, 7}, {0, 4294967295}}},
    {":" BEYOND, 1, {{0, 7}, {0, 4294967295}}},
    {"::2147483647", 2147483647, {{0, 1}, {0, 3}}},
    {"::2147483648", 2147483648, {{0, 1}, {0, 2}}},
    {"::-2147483648", -2147483648, {{6, 1}, {4294967294, 2}}},
    {"::-2147483649", -2147483649, {{6, 1}, {4294967294, 2}}},
    {"2147483648::-2147483648", -2147483648, {{6, 1}, {2147483648, 2}}},
    {"5::3", 3, {{5, 1}, {5, 1431655764}}},
    {"-2:0:-1", -1, {{5, 5}, {4294967293, 4294967293}}},
};

/* What NumPy says of arange(n).reshape(shape)[key]: the shape, and a hash of values in order. */
static const struct {
    const char *text;
    uint32_t rank;
    uint64_t size[8];
    uint32_t result_rank;
    uint64_t result[8];
    uint64_t hash;
} keys[] = {
    {"", 3, {3, 4, 5}, 3, {3, 4, 5}, 0xa913313fff5d9017},
    {"   ", 3, {3, 4, 5}, 3, {3, 4, 5}, 0xa913313fff5d9017},
    {":", 3, {3, 4, 5}, 3, {3, 4, 5}, 0xa913313fff5d9017},
    {":,:,:", 3, {3, 4, 5}, 3, {3, 4, 5}, 0xa913313fff5d9017},
    {"0", 3, {3, 4, 5}, 2, {4, 5}, 0x4139cfc87e128467},
    {"-1", 3, {3, 4, 5}, 2, {4, 5}, 0xa31ee9435ecec257},
    {"1,2", 3, {3, 4, 5}, 1, {5}, 0x729398a3d5e206fb},
    {"1,2,3", 3, {3, 4, 5}, 0, {0}, 0x44bd4ad473cd2c46},
    {"-3,-4,-5", 3, {3, 4, 5}, 0, {0}, 0x44bd2bd473ccf799},
    {"...", 3, {3, 4, 5}, 3, {3, 4, 5}, 0xa913313fff5d9017},
    {"...,0", 3, {3, 4, 5}, 2, {3, 4}, 0xa691c20d205b7a8f},
    {"0,...", 3, {3, 4, 5}, 2, {4, 5}, 0x4139cfc87e128467},
    {"0,...,-1", 3, {3, 4, 5}, 1, {4}, 0xedf5a6c201e25037},
    {":,...,1:3", 3, {3, 4, 5}, 3, {3, 4, 2}, 0xdfaa82932045506f},
    {"...,::-1", 3, {3, 4, 5}, 3, {3, 4, 5}, 0xd2a7e8cdb8fde54f},
    {"::-1,...", 3, {3, 4, 5}, 3, {3, 4, 5}, 0x669d16ff4336fc57},
    {"::2,1:3,::-2", 3, {3, 4, 5}, 3, {2, 2, 3}, 0xbccd6f8d71e9e583},
    {"1:,2", 3, {3, 4, 5}, 2, {2, 5}, 0xc9484d6c76f6b6df},
    {"1,", 3, {3, 4, 5}, 2, {4, 5}, 0xe743853b66441c2f},
    {" 1 , ", 3, {3, 4, 5}, 2, {4, 5}, 0xe743853b66441c2f},
    {"... ,", 3, {3, 4, 5}, 3, {3, 4, 5}, 0xa913313fff5d9017},
    {"1:2,::3,4:0:-2", 3, {3, 4, 5}, 3, {1, 2, 2}, 0xeeee24690736e429},
    {"5:,:", 3, {3, 4, 5}, 3, {0, 4, 5}, 0x14650fb0739d0383},
    {"0,1:1", 3, {3, 4, 5}, 2, {0, 5}, 0x14650fb0739d0383},
    {" : : - 1 , 2 ", 3, {3, 4, 5}, 2, {3, 5}, 0x9009889cfc1abe93},
    {"...,1,2,3", 3, {3, 4, 5}, 0, {0}, 0x44bd4ad473cd2c46},
    {"1,2,3,...", 3, {3, 4, 5}, 0, {0}, 0x44bd4ad473cd2c46},
    {"-1:,:-1,-2::-1", 3, {3, 4, 5}, 3, {1, 3, 4}, 0xbc5a2f8af7fbce3f},
    {"+1,+2", 3, {3, 4, 5}, 1, {5}, 0x729398a3d5e206fb},
    {"-3:-1", 3, {3, 4, 5}, 3, {2, 4, 5}, 0xa1c634ddae3a6543},
    {"0", 1, {6}, 0, {0}, 0x44bd2bd473ccf799},
    {"5", 1, {6}, 0, {0}, 0x44bd2ed473ccfcb2},
    {"-6", 1, {6}, 0, {0}, 0x44bd2bd473ccf799},
    {"1:5:2", 1, {6}, 1, {2}, 0x9a65ac00c545d41f},
    {"::-1", 1, {6}, 1, {6}, 0x78c1b796230a7952},
    {"...", 1, {6}, 1, {6}, 0x8c236b41ee28a2b4},
    {"-1:-7:-1", 1, {6}, 1, {6}, 0x78c1b796230a7952},
    {"2:2", 1, {6}, 1, {0}, 0x14650fb0739d0383},
    {"\t1\n:\v4\f", 1, {6}, 1, {3}, 0xa094014f35a4929d},
    {"9:", 1, {6}, 1, {0}, 0x14650fb0739d0383},
    {"- 1", 1, {6}, 0, {0}, 0x44bd2ed473ccfcb2},
    {"", 3, {2, 0, 3}, 3, {2, 0, 3}, 0x14650fb0739d0383},
    {"0", 3, {2, 0, 3}, 2, {0, 3}, 0x14650fb0739d0383},
    {"1,:,2", 3, {2, 0, 3}, 1, {0}, 0x14650fb0739d0383},
    {"::-1,::-1,::-1", 3, {2, 0, 3}, 3, {2, 0, 3}, 0x14650fb0739d0383},
    {"...,0", 3, {2, 0, 3}, 2, {2, 0}, 0x14650fb0739d0383},
    {"", 0, {0}, 0, {0}, 0x44bd2bd473ccf799},
    {" ", 0, {0}, 0, {0}, 0x44bd2bd473ccf799},
    {"...", 0, {0}, 0, {0}, 0x44bd2bd473ccf799},
    {"... ,", 0, {0}, 0, {0}, 0x44bd2bd473ccf799},
    {"", 8, {2, 3, 2, 2, 1, 2, 3, 2}, 8, {2, 3, 2, 2, 1, 2, 3, 2}, 0x5d7f03adaabcca03},
    {"0,1,1,0,0,1,2,1", 8, {2, 3, 2, 2, 1, 2, 3, 2}, 0, {0}, 0x44bd78d473cd7a70},
    {"...,::-1", 8, {2, 3, 2, 2, 1, 2, 3, 2}, 8, {2, 3, 2, 2, 1, 2, 3, 2}, 0x8ddf34ca357b3c83},
    {"0,...,0", 8, {2, 3, 2, 2, 1, 2, 3, 2}, 6, {3, 2, 2, 1, 2, 3}, 0xd82de8bb390294b3},
    {"::-1,1:,...,::2,1",
     8,
     {2, 3, 2, 2, 1, 2, 3, 2},
     7,
     {2, 2, 2, 2, 1, 2, 2},
     0x2f140929eeda6943},
    {"...,0,:,1,:,0", 8, {2, 3, 2, 2, 1, 2, 3, 2}, 5, {2, 3, 2, 1, 3}, 0xa9b7ac350464a8a3},
    {"1,1,...,1:,1", 8, {2, 3, 2, 2, 1, 2, 3, 2}, 5, {2, 2, 1, 2, 2}, 0xef366951a59f14c3},
    {"0,0,0,0,0,0,0,...", 8, {2, 3, 2, 2, 1, 2, 3, 2}, 1, {2}, 0x9a691200c548b748},
    {"2", 2, {7, 4}, 1, {4}, 0x6db7a6e35a96c557},
    {"::3,1", 2, {7, 4}, 1, {3}, 0xa0abbf4f35b8b458},
    {"6::-2,::-1", 2, {7, 4}, 2, {4, 4}, 0xea04d4a230cd9553},
    {"-1,-1", 2, {7, 4}, 0, {0}, 0x44bd40d473cd1b48},
    {"...,-1", 2, {7, 4}, 1, {7}, 0x34a5c607f3fef0b6},
    {":3,3:", 2, {7, 4}, 2, {3, 1}, 0x8f5fa74f2bee9bea},
};

static const struct {
    const char *text;
    int status;
    const char *message;
} refused[] = {
    {",", PROBLEM_MISUSED, "KEY position 1: ',' is found where an index is expected"},
    {"1,,2", PROBLEM_MISUSED, "KEY position 3: ',' is found where an index is expected"},
    {"1,2,,", PROBLEM_MISUSED, "KEY position 5: ',' is found where an index is expected"},
    {"1 2", PROBLEM_MISUSED,
     "KEY position 3: '2' is found where a comma or the end of KEY is expected"},
    {"1:2:3:4", PROBLEM_MISUSED,
     "KEY position 6: ':' is found where a comma or the end of KEY is expected"},
    {"0, 1.5", PROBLEM_MISUSED, "KEY position 4: '1.5' is not an integer"},
    {"1e3", PROBLEM_MISUSED, "KEY position 1: '1e3' is not an integer"},
    {"0x10", PROBLEM_MISUSED, "'0x10' is not an integer"},
    {"1_000", PROBLEM_MISUSED, "'1_000' is not an integer"},
    {"1L:", PROBLEM_MISUSED, "'1L' is not an integer"},
    {"1...", PROBLEM_MISUSED, "'1...' is not an integer"},
    {"-", PROBLEM_MISUSED, "KEY position 1: '-' is not an integer"},
    {"::-", PROBLEM_MISUSED, "KEY position 3: '-' is not an integer"},
    {"--1", PROBLEM_MISUSED, "KEY position 1: '--1' is not an integer"},
    {"::0", PROBLEM_MISUSED, "KEY position 3: '0' is a step of zero"},
    {"0,1:2: -0", PROBLEM_MISUSED, "KEY position 8: '-0' is a step of zero"},
    {"..., ...", PROBLEM_MISUSED, "KEY position 6: '...' is the second ..."},
    {"....", PROBLEM_MISUSED, "KEY position 4: '.' is found where"},
    {"..", PROBLEM_MISUSED, "KEY position 1: '..' is not an index"},
    {". . .", PROBLEM_MISUSED, "KEY position 1: '.' is not an index"},
    {"None", PROBLEM_MISUSED, "'None' would add an axis"},
    {":, np.newaxis", PROBLEM_MISUSED, "KEY position 4: 'np.newaxis' would add an axis"},
    {"newaxis,0", PROBLEM_MISUSED, "KEY position 1: 'newaxis' would add an axis"},
    {"[0,2]", PROBLEM_MISUSED, "KEY position 1: '[0' begins a list"},
    {":,[1]", PROBLEM_MISUSED, "KEY position 3: '[1]' begins a list"},
    {"(0,1)", PROBLEM_MISUSED, "'(0' begins a tuple"},
    {"True", PROBLEM_MISUSED, "'True' is a mask"},
    {"False,0", PROBLEM_MISUSED, "'False' is a mask"},
    {"x>3", PROBLEM_MISUSED, "KEY position 1: 'x>3' is a name"},
    {"mask", PROBLEM_MISUSED, "'mask' is a name: masks and index arrays"},
    {"Ellipsis", PROBLEM_MISUSED, "'Ellipsis' is not understood; write ..."},
    {"slice(1)", PROBLEM_MISUSED, "write start:stop:step"},
    {"*", PROBLEM_MISUSED, "'*' is not an index"},
    {"1:]", PROBLEM_MISUSED, "KEY position 3: ']' is found where"},
    {"0,\xc3\xa9\xc3\xa9,", PROBLEM_MISUSED, "KEY position 3: '\xc3\xa9\xc3\xa9' is not an index"},
    {"0\xc3\xa9", PROBLEM_MISUSED, "'0\xc3\xa9' is not an integer"},
    {":\xc3\xa9:1", PROBLEM_MISUSED, "KEY position 2: '\xc3\xa9' is found where"},
    {"0 \xc2\xb5 1", PROBLEM_MISUSED, "KEY position 3"},
    {"\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xe2\x82\xac\xe2\x82\xac\xe2"
     "\x82\xac\xe2"
     "\x82\xac\xe2\x82\xac\xe2\x82\xac",
     PROBLEM_MISUSED, "\xe2\x82\xac' is not an index"},
    {"\x01", PROBLEM_MISUSED, "KEY position 1: '?' is not an index"},
    {"0,4", PROBLEM_FAILED, "KEY index 4 is out of range for axis 1 of size 4"},
    {"...,7,0", PROBLEM_FAILED, "KEY index 7 is out of range for axis 1 of size 4"},
    {"-4", PROBLEM_FAILED, "KEY index -4 is out of range for axis 0 of size 3"},
    {"99999999999999999999", PROBLEM_FAILED,
     "KEY index 99999999999999999999 is out of range for axis 0 of size 3"},
    {"-99999999999999999999", PROBLEM_FAILED,
     "KEY index -99999999999999999999 is out of range for axis 0 of size 3"},
    {"0,0,0,0", PROBLEM_FAILED, "KEY has 4 indices, the array has 3 axes"},
    {"...,0,0,0,:", PROBLEM_FAILED, "KEY has 4 indices, the array has 3 axes"},
    {"0,0,0,0,0,0,0,0,0,0,0", PROBLEM_FAILED, "KEY has 11 indices, the array has 3 axes"},
    {"9,9,9,9,9,9,9,9,9,None", PROBLEM_MISUSED, "KEY position 19: 'None'"},
};

/* Both steps; returns the exit status. */
static int take(struct selection *selection, const char *text, uint32_t rank, const uint64_t *size,
                struct problem *problem)
{
    struct problem unasked;
    struct key key;

    problem = problem ? problem : &unasked;
    return key_parse(&key, text, problem) && selection_from(selection, &key, rank, size, problem)
               ? 0
               : problem->status;
}

static void check_indices(const struct indices *slice, size_t which, uint64_t size)
{
    struct selection selection;
    int64_t first = slice->of[which].first;
    uint64_t count = slice->of[which].count;

    ck_assert_int_eq(take(&selection, slice->text, 1, &size, NULL), 0);
    ck_assert_msg(selection.axis[0].first == first && selection.axis[0].step == slice->step &&
                      selection.axis[0].count == count && !selection.axis[0].drop,
                  "%s of %" PRIu64 ": first %" PRId64 ", step %" PRId64 ", count %" PRIu64,
                  slice->text, size, selection.axis[0].first, selection.axis[0].step,
                  selection.axis[0].count);
    ck_assert_int_eq(selection_is_empty(&selection), count == 0);
}

START_TEST(slices_of_few_clip_as_in_python)
{
    size_t which = (size_t)_i % COUNT_OF(few);

    check_indices(&slices_of_few[(size_t)_i / COUNT_OF(few)], which, few[which]);
}
END_TEST

START_TEST(slices_of_many_clip_as_in_python)
{
    size_t which = (size_t)_i % COUNT_OF(many);

    check_indices(&slices_of_many[(size_t)_i / COUNT_OF(many)], which, many[which]);
}
END_TEST

/* The flat indices that the key takes, in C order, hashed. */
static uint64_t hash_of(const struct selection *selection, const uint64_t *size)
{
    uint64_t hash = 1469598103934665603U;
    uint64_t at[8] = {0};
    uint32_t axis;

    if (selection_is_empty(selection))
        return hash;
    do {
        int64_t flat = 0;

        for (axis = 0; axis < selection->rank; ++axis)
            flat = flat * (int64_t)size[axis] + selection->axis[axis].first +
                   (int64_t)at[axis] * selection->axis[axis].step;
        hash = (hash ^ (uint64_t)flat) * 1099511628211U;
        for (axis = selection->rank; axis > 0 && ++at[axis - 1] == selection->axis[axis - 1].count;
             --axis)
            at[axis - 1] = 0;
    } while (axis > 0);
    return hash;
}

START_TEST(keys_take_what_numpy_takes)
{
    struct problem problem = {0};
    struct selection selection;
    uint64_t shape[8];

    ck_assert_msg(take(&selection, keys[_i].text, keys[_i].rank, keys[_i].size, &problem) == 0,
                  "'%s': %s", keys[_i].text, problem.text);
    ck_assert_uint_eq(selection_shape(&selection, shape), keys[_i].result_rank);
    ck_assert_mem_eq(shape, keys[_i].result, keys[_i].result_rank * sizeof shape[0]);
    ck_assert_msg(hash_of(&selection, keys[_i].size) == keys[_i].hash, "'%s'", keys[_i].text);
}
END_TEST

START_TEST(refusals_say_where_and_why)
{
    static const uint64_t size[] = {3, 4, 5};
    struct problem problem = {0};
    struct selection selection;

    ck_assert_int_eq(take(&selection, refused[_i].text, 3, size, &problem), refused[_i].status);
    ck_assert_msg(strstr(problem.text, refused[_i].message) != NULL, "'%s' gave: %s",
                  refused[_i].text, problem.text);
    ck_assert_ptr_null(strchr(problem.text, '\n'));
}
END_TEST

START_TEST(zero_dimensions_take_no_index)
{
    struct problem problem = {0};
    struct selection selection;

    ck_assert_int_eq(take(&selection, "0", 0, NULL, &problem), PROBLEM_FAILED);
    ck_assert_str_eq(problem.text, "KEY has 1 index, the array has 0 axes; leave out the rest");
}
END_TEST

static struct dice dice = {1};

/* A number near something interesting. */
static int64_t random_number(uint64_t size)
{
    static const int64_t anchors[] = {INT64_MAX, INT64_MIN, INT32_MAX, INT32_MIN, UINT32_MAX};
    int64_t anchor = anchors[dice_pick(&dice, COUNT_OF(anchors))];
    int64_t near = dice_pick(&dice, 5);

    switch (dice_pick(&dice, 4)) {
    case 0:
        return anchor < 0 ? anchor + near : anchor - near;
    case 1:
        return (int64_t)size - 2 + near;
    case 2:
        return near - 2 - (int64_t)size;
    default:
        return near - 2;
    }
}

/*
 * Asks of every element whether the slice takes it: on the way from start to stop, a whole number
 * of steps from start. NULL is a part left out.
 */
static uint64_t count_slowly(const char *start, const char *stop, int64_t step, int64_t size,
                             int64_t *first)
{
    int64_t from = start ? strtoll(start, NULL, 10) : step > 0 ? 0 : size - 1;
    int64_t to = stop ? strtoll(stop, NULL, 10) : 0;
    uint64_t count = 0;

    ck_assert_int_ne(step, 0);
    if (from < 0 && start)
        from += size;
    if (to < 0)
        to += size;
    if (step > 0 && from < 0)
        from = 0;
    if (step < 0 && from >= size)
        from = size - 1;
    *first = -1;
    for (int64_t i = 0; i < size; ++i) {
        bool beyond_start = step > 0 ? i >= from : i <= from;
        bool before_stop = !stop || (step > 0 ? i < to : i > to);

        if (!beyond_start || !before_stop || (i - from) % step != 0)
            continue;
        *first = step > 0 && count > 0 ? *first : i;
        ++count;
    }
    return count;
}

/* The parts as text: any of them may be missing, a step is never 0. */
static int64_t random_slice(uint64_t size, char parts[2][24], bool has[2], char *text,
                            size_t text_size)
{
    int64_t step = dice_pick(&dice, 3) > 0 ? random_number(size) : 1;

    step = step == 0 ? -1 : step;
    for (int i = 0; i < 2; ++i) {
        has[i] = dice_pick(&dice, 4) > 0;
        snprintf(parts[i], 24, "%" PRId64, random_number(size));
    }
    snprintf(text, text_size, "%s%s:%s:%" PRId64, dice_pick(&dice, 2) ? " " : "",
             has[0] ? parts[0] : "", has[1] ? parts[1] : "", step);
    return step;
}

START_TEST(random_slices_match_a_slow_model)
{
    for (int round = 0; round < 20000; ++round) {
        uint64_t size = dice_pick(&dice, 12);
        char parts[2][24];
        bool has[2];
        char text[96];
        int64_t step = random_slice(size, parts, has, text, sizeof text);
        int64_t first;
        uint64_t count = count_slowly(has[0] ? parts[0] : NULL, has[1] ? parts[1] : NULL, step,
                                      (int64_t)size, &first);
        struct selection selection;

        ck_assert_int_eq(take(&selection, text, 1, &size, NULL), 0);
        ck_assert_msg(selection.axis[0].count == count &&
                          (count == 0 || selection.axis[0].first == first),
                      "%s of %" PRIu64 ": first %" PRId64 " count %" PRIu64, text, size,
                      selection.axis[0].first, selection.axis[0].count);
    }
}
END_TEST

START_TEST(random_text_never_crashes)
{
    static const char alphabet[] = "0123456789-+::,,... \tNa[]\xc3\xa9";
    static const uint64_t size[] = {3, 4, 5};

    for (int round = 0; round < 50000; ++round) {
        char text[40];
        size_t length = dice_pick(&dice, sizeof text);
        struct problem problem = {0};
        struct selection selection;

        for (size_t i = 0; i < length; ++i)
            text[i] = alphabet[dice_pick(&dice, sizeof alphabet - 1)];
        text[length == sizeof text ? length - 1 : length] = '\0';
        if (take(&selection, text, 3, size, &problem) != 0)
            ck_assert_int_eq(strncmp(problem.text, "KEY ", 4), 0);
    }
}
END_TEST

static const struct {
    const char *text;
    uint64_t size;
    uint32_t offset, window;
    int32_t stride;
    uint32_t output;
} windows[] = {
    {":", 5, 0, 5, 1, 5},
    {"3", 5, 3, 1, 1, 1},
    {"-1", 5, 4, 1, 1, 1},
    {"1:8:3", 10, 1, 7, 3, 3},
    {"1:9:3", 10, 1, 7, 3, 3},
    {"::-1", 5, 0, 5, -1, 5},
    {"::-2", 6, 1, 5, -2, 3},
    {"8:1:-3", 10, 2, 7, -3, 3},
    {":", 4294967295, 0, 4294967295, 1, 4294967295},
    {"::-1", 4294967295, 0, 4294967295, -1, 4294967295},
    {"::2147483647", 4294967295, 0, 4294967295, INT32_MAX, 3},
    {"::-2147483648", 4294967295, 2147483646, 2147483649, INT32_MIN, 2},
    {"4:5:2147483648", 9, 4, 1, INT32_MAX, 1},
    {"4::-2147483648", 9, 4, 1, INT32_MIN, 1},
    {"4::-2147483649", 9, 4, 1, -INT32_MAX, 1},
    {"4::-99999999999999999999", 9, 4, 1, -INT32_MAX, 1},
    {"4::99999999999999999999", 9, 4, 1, INT32_MAX, 1},
};

START_TEST(windows_are_slice1)
{
    struct slice_case window;
    struct selection selection;

    ck_assert_int_eq(take(&selection, windows[_i].text, 1, &windows[_i].size, NULL), 0);
    ck_assert(selection_to_window(&selection, &window, NULL));
    ck_assert_uint_eq(window.window_offsets[0], windows[_i].offset);
    ck_assert_uint_eq(window.window_sizes[0], windows[_i].window);
    ck_assert_int_eq(window.window_strides[0], windows[_i].stride);
    ck_assert_uint_eq(window.out_sizes[0], windows[_i].output);
}
END_TEST

START_TEST(zero_dimensions_are_one_of_size_1)
{
    struct slice_case window;
    struct selection selection;

    ck_assert_int_eq(take(&selection, " ", 0, NULL, NULL), 0);
    ck_assert(!selection_is_empty(&selection));
    ck_assert(selection_to_window(&selection, &window, NULL));
    ck_assert(window.window_offsets[0] == 0 && window.window_sizes[0] == 1 &&
              window.window_strides[0] == 1 && window.out_sizes[0] == 1);
}
END_TEST

START_TEST(steps_beyond_a_stride_are_refused)
{
    static const char *texts[] = {"::2147483648", "::-2147483649", "::4294967294"};
    static const uint64_t size = 4294967295;
    struct slice_case window;
    struct problem problem = {0};
    struct selection selection;

    ck_assert_int_eq(take(&selection, texts[_i], 1, &size, NULL), 0);
    ck_assert(!selection_to_window(&selection, &window, &problem));
    ck_assert_ptr_nonnull(strstr(problem.text, texts[_i] + 2));
}
END_TEST

/* SLICE1's definition: a negative stride starts at the window's last element. */
START_TEST(random_windows_take_the_same_elements)
{
    for (int round = 0; round < 20000; ++round) {
        uint64_t size = dice_pick(&dice, 12) + 1;
        struct slice_case window;
        char parts[2][24];
        bool has[2];
        char text[96];
        struct selection selection;

        random_slice(size, parts, has, text, sizeof text);
        ck_assert_int_eq(take(&selection, text, 1, &size, NULL), 0);
        if (selection_is_empty(&selection))
            continue;
        ck_assert(selection_to_window(&selection, &window, NULL));
        ck_assert_uint_le((uint64_t)window.window_offsets[0] + window.window_sizes[0], size);
        ck_assert_uint_eq(window.out_sizes[0], selection.axis[0].count);
        for (uint32_t i = 0; i < window.out_sizes[0]; ++i) {
            int64_t from = window.window_strides[0] > 0
                               ? window.window_offsets[0]
                               : (int64_t)window.window_offsets[0] + window.window_sizes[0] - 1;

            ck_assert_int_eq(from + (int64_t)i * window.window_strides[0],
                             selection.axis[0].first + (int64_t)i * selection.axis[0].step);
        }
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("key");
    TCase *tests = suite_case(suite, "key");
    tcase_add_loop_test(tests, slices_of_few_clip_as_in_python, 0,
                        COUNT_OF(slices_of_few) * COUNT_OF(few));
    tcase_add_loop_test(tests, slices_of_many_clip_as_in_python, 0,
                        COUNT_OF(slices_of_many) * COUNT_OF(many));
    tcase_add_loop_test(tests, keys_take_what_numpy_takes, 0, COUNT_OF(keys));
    tcase_add_loop_test(tests, refusals_say_where_and_why, 0, COUNT_OF(refused));
    tcase_add_test(tests, zero_dimensions_take_no_index);
    tcase_add_test(tests, random_slices_match_a_slow_model);
    tcase_add_test(tests, random_text_never_crashes);
    tcase_add_loop_test(tests, windows_are_slice1, 0, COUNT_OF(windows));
    tcase_add_test(tests, zero_dimensions_are_one_of_size_1);
    tcase_add_loop_test(tests, steps_beyond_a_stride_are_refused, 0, 3);
    tcase_add_test(tests, random_windows_take_the_same_elements);
    return suite_run(suite);
}
