/* SPDX-License-Identifier: MIT */
#include "base/checked.h"
#include "base/status.h"
#include "base/text.h"
#include "support/dice.h"
#include "support/suite.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- checked.h ---- */

/* As on paper, in digits of 32 bits. */
static bool is_product(uint64_t a, uint64_t b)
{
    uint64_t low = (a & UINT32_MAX) * (b & UINT32_MAX);
    uint64_t left = (a >> 32) * (b & UINT32_MAX), right = (a & UINT32_MAX) * (b >> 32);
    return (a >> 32 == 0 || b >> 32 == 0) && left + right + (low >> 32) <= UINT32_MAX;
}

static void check_arithmetic(uint64_t a, uint64_t b)
{
    const uint64_t untouched = UINT64_C(0xDEADBEEFDEADBEEF);
    uint64_t product = untouched;
    bool product_fits = is_product(a, b);
    ck_assert(checked_multiply(a, b, &product) == product_fits);
    ck_assert_uint_eq(product, product_fits ? a * b : untouched);
}

START_TEST(arithmetic_is_exact_or_refused)
{
    const uint64_t edges[] = {0,
                              1,
                              2,
                              3,
                              0x7FFFFFFF,
                              0x80000000,
                              0xFFFFFFFF,
                              0x100000000,
                              0x100000001,
                              INT64_MAX,
                              (uint64_t)INT64_MAX + 1,
                              UINT64_MAX - 1,
                              UINT64_MAX,
                              UINT64_MAX / 3,
                              UINT64_MAX / 3 + 1};
    for (size_t i = 0; i < COUNT_OF(edges); ++i)
        for (size_t j = 0; j < COUNT_OF(edges); ++j)
            check_arithmetic(edges[i], edges[j]);
    struct dice dice = {1};
    for (int i = 0; i < 20000; ++i) {
        uint64_t a = dice_roll(&dice) >> dice_below(&dice, 64);
        check_arithmetic(a, dice_roll(&dice) >> dice_below(&dice, 64));
        if (a > 1)
            check_arithmetic(a, UINT64_MAX / a + dice_below(&dice, 2));
    }
}
END_TEST

START_TEST(a_result_may_replace_an_operand)
{
    uint64_t number = 1;
    for (int i = 0; i < 63; ++i)
        ck_assert(checked_multiply(number, 2, &number));
    ck_assert(!checked_multiply(number, 2, &number));
    ck_assert_uint_eq(number, UINT64_C(1) << 63);
}
END_TEST

/* ---- text.h ---- */

/* Characters of 1, 2, 3 and 4 bytes, the smallest and the largest of each length among them. */
static const char *const texts[] = {
    "",
    "a",
    "plain",
    "\xC2\xA0",
    "\xDF\xBF",
    "\xE0\xA0\x80",
    "\xEF\xBF\xBF",
    "\xF0\x90\x80\x80",
    "\xF4\x8F\xBF\xBF",
    "a\xC3\xA9z\xE2\x82\xACz\xF0\x9F\x98\x80z",
    "\xF0\x9F\x98\x80\xF0\x9F\x98\x80\xE2\x82\xAC\xE2\x82\xAC\xC3\xA9\xC3\xA9",
    "\xE2\x82\xAC\xC3\xA9\xF0\x9F\x98\x80 end",
};

static bool begins_character(char byte)
{
    return ((unsigned char)byte & 0xC0) != 0x80;
}

/* Bytes of the whole characters of `whole` that `size` bytes hold, NUL included. */
static size_t kept_length(const char *whole, size_t size)
{
    size_t length = strlen(whole);
    if (length < size)
        return length;
    size_t kept = size - 1;
    while (!begins_character(whole[kept]))
        --kept;
    return kept;
}

static void check_kept(const char *bytes, const char *whole, size_t size)
{
    size_t kept = kept_length(whole, size);
    ck_assert_msg(memcmp(bytes, whole, kept) == 0 && bytes[kept] == '\0',
                  "\"%s\" in %zu bytes gave \"%s\"", whole, size, bytes);
}

START_TEST(texts_are_cut_between_characters)
{
    const char *whole = texts[_i];
    size_t length = strlen(whole);
    for (size_t size = 1; size <= length + 3; ++size) {
        char *bytes = malloc(size); /* of exactly this size, for the sanitizer's sake */
        ck_assert_ptr_nonnull(bytes);
        memset(bytes, 'x', size);
        struct text text = text_in(bytes, size);
        ck_assert(bytes[0] == '\0' && text.length == 0 && text.size == size);
        text_append(&text, "%s", whole);
        ck_assert_uint_eq(text.length, length);
        check_kept(bytes, whole, size);
        memset(bytes, 'x', size);
        text_copy(bytes, size, whole);
        check_kept(bytes, whole, size);
        free(bytes);
    }
}
END_TEST

/* However a text is put together, it is cut as a whole. */
START_TEST(appending_in_pieces_changes_nothing)
{
    const char *whole = texts[_i];
    size_t length = strlen(whole);
    for (size_t size = 1; size <= length + 2; ++size) {
        char *bytes = malloc(size);
        ck_assert_ptr_nonnull(bytes);
        struct text text = text_in(bytes, size);
        for (size_t at = 0; at < length;) {
            size_t step = 1;
            while (at + step < length && !begins_character(whole[at + step]))
                ++step;
            text_append(&text, "%.*s", (int)step, whole + at);
            at += step;
        }
        text_append(&text, "%s", "");
        ck_assert_uint_eq(text.length, length);
        check_kept(bytes, whole, size);
        free(bytes);
    }
}
END_TEST

START_TEST(nothing_is_appended_behind_a_cut)
{
    char bytes[4];
    struct text text = text_in(bytes, sizeof bytes);
    text_append(&text, "ab%s", "\xE2\x82\xAC"); /* 3 bytes into the 1 that is left */
    ck_assert_str_eq(bytes, "ab");
    text_append(&text, "%c", 'c'); /* would fit where the character did not */
    ck_assert_str_eq(bytes, "ab");
    ck_assert_uint_eq(text.length, 6);
}
END_TEST

START_TEST(a_text_without_room_still_counts)
{
    struct text text = text_in(NULL, 0);
    text_append(&text, "%d and %s", 12, "more");
    text_append(&text, "%s", "\xC3\xA9");
    ck_assert_uint_eq(text.length, strlen("12 and more") + 2);
    text_copy(NULL, 0, "anything");
}
END_TEST

START_TEST(bytes_behind_the_text_are_kept)
{
    char bytes[16];
    memset(bytes, 'x', sizeof bytes);
    struct text text = text_in(bytes, 8);
    text_append(&text, "%s", "0123456789");
    ck_assert_str_eq(bytes, "0123456");
    for (size_t i = 8; i < sizeof bytes; ++i)
        ck_assert_int_eq(bytes[i], 'x');
}
END_TEST

/* Each row as it is appended, and the line that it becomes. */
static const struct {
    const char *raw, *line;
} lines[] = {
    {"", ""},
    {"plain", "plain"},
    {"two\nlines", "two\\x0Alines"},
    {"\r\n\t\x1B[31m\x7F", "\\x0D\\x0A\\x09\\x1B[31m\\x7F"},
    {"\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80", "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80"},
    {"\xC2\xA0\xED\x9F\xBF\xEE\x80\x80\xF4\x8F\xBF\xBF",
     "\xC2\xA0\xED\x9F\xBF\xEE\x80\x80\xF4\x8F\xBF\xBF"},
    {"\xFF\xFE", "\\xFF\\xFE"},
    {"a\x80z\xBFz", "a\\x80z\\xBFz"},                        /* no lead byte */
    {"\xC3", "\\xC3"},                                       /* no second byte */
    {"\xE2\x82z\xF0\x9F\x98", "\\xE2\\x82z\\xF0\\x9F\\x98"}, /* cut short */
    {"\xC0\xAF\xE0\x9F\xBF\xF0\x8F\xBF\xBF",
     "\\xC0\\xAF\\xE0\\x9F\\xBF\\xF0\\x8F\\xBF\\xBF"},              /* longer than need be */
    {"\xED\xA0\x80\xED\xBF\xBF", "\\xED\\xA0\\x80\\xED\\xBF\\xBF"}, /* surrogates */
    {"\xF4\x90\x80\x80\xF8\x88\x80\x80\x80",
     "\\xF4\\x90\\x80\\x80\\xF8\\x88\\x80\\x80\\x80"},              /* too large */
    {"\xC2\x80\xC2\x85\xC2\x9F", "\\xC2\\x80\\xC2\\x85\\xC2\\x9F"}, /* control characters */
    {"\xE2\x80\xA8\xE2\x80\xA9\xE2\x80\xAA",
     "\\xE2\\x80\\xA8\\xE2\\x80\\xA9\xE2\x80\xAA"}, /* line, paragraph */
};

/* As much of the line as fits, cut neither in a character nor in an escape. */
static void check_line_kept(const char *bytes, const char *line, size_t size)
{
    size_t kept = strlen(bytes);
    const char *escape = kept < 3 ? bytes : bytes + kept - 3;
    ck_assert_msg(kept < size && memcmp(bytes, line, kept) == 0, "\"%s\" in %zu gave \"%s\"", line,
                  size, bytes);
    ck_assert_msg(line[kept] == '\0' || (kept + 4 >= size && begins_character(line[kept])),
                  "\"%s\" in %zu is cut to \"%s\"", line, size, bytes);
    for (; *escape; ++escape)
        ck_assert_msg(*escape != '\\' || strlen(escape) >= 4, "a cut escape in \"%s\"", bytes);
}

START_TEST(what_is_no_line_of_utf8_is_escaped)
{
    const char *raw = lines[_i].raw, *line = lines[_i].line;
    for (size_t size = 1; size <= strlen(line) + 3; ++size) {
        char *bytes = malloc(size);
        ck_assert_ptr_nonnull(bytes);
        struct text text = text_in(bytes, size);
        text_append(&text, "%s", raw);
        text_escape(&text);
        check_line_kept(bytes, line, size);
        if (size > strlen(raw))
            ck_assert_uint_eq(text.length, strlen(line));
        char before[64];
        snprintf(before, sizeof before, "%s", bytes);
        text_escape(&text); /* there is nothing left to do */
        ck_assert_str_eq(bytes, before);
        text_copy(bytes, size, raw);
        check_line_kept(bytes, line, size);
        free(bytes);
    }
    struct text nowhere = text_in(NULL, 0);
    text_append(&nowhere, "%s", raw);
    text_escape(&nowhere);
    ck_assert_uint_eq(nowhere.length, strlen(raw));
}
END_TEST

START_TEST(an_error_is_one_line_of_utf8)
{
    clslice_error error = {.size = sizeof error};
    int32_t status = status_fail(&error, CLSLICE_E_FAIL, WHERE(.rule = 1), "<%s>", lines[_i].raw);
    char whole[128];
    snprintf(whole, sizeof whole, "<%s>", lines[_i].line);
    ck_assert_int_eq(status, CLSLICE_E_FAIL);
    ck_assert_str_eq(error.text, whole);
    ck_assert_uint_eq(error.text_length, strlen(whole));
}
END_TEST

/* ---- status.h ---- */

enum { ERROR_LEAST = offsetof(clslice_error, text) + 256 };

/* Through memory: the compiler warns of a structure that is not all there. */
static void set_size(clslice_error *error, size_t size)
{
    const uint32_t value = (uint32_t)size;
    memcpy((char *)error + offsetof(clslice_error, size), &value, sizeof value);
}

static clslice_error *error_of(size_t size)
{
    clslice_error *error = malloc(size);
    ck_assert_ptr_nonnull(error);
    memset(error, 0x5A, size);
    set_size(error, size);
    return error;
}

static void check_error_of(size_t size, const char *whole)
{
    clslice_error *error = error_of(size);
    ck_assert(status_error_fits(error));
    int32_t status = status_fail(error, CLSLICE_E_FAIL,
                                 WHERE(.rule = 7, .tensor = CLSLICE_TENSOR_OUTPUT, DIMENSION(3),
                                       .opencl = -5, .value = {1, UINT64_MAX, 3}),
                                 "%s", whole);
    ck_assert_int_eq(status, CLSLICE_E_FAIL);
    ck_assert_uint_eq(error->size, size);
    ck_assert_int_eq(error->status, CLSLICE_E_FAIL);
    ck_assert_int_eq(error->opencl, -5);
    ck_assert_uint_eq(error->rule, 7);
    ck_assert_uint_eq(error->tensor, CLSLICE_TENSOR_OUTPUT);
    ck_assert_uint_eq(error->dimension, 3);
    ck_assert(error->value[0] == 1 && error->value[1] == UINT64_MAX && error->value[2] == 3);
    ck_assert_uint_eq(error->text_length, strlen(whole));
    check_kept((const char *)error + offsetof(clslice_error, text), whole,
               size - offsetof(clslice_error, text));
    free(error);
}

START_TEST(an_error_takes_what_its_size_leaves)
{
    ck_assert_uint_eq(ERROR_LEAST, 316);
    const size_t lengths[] = {0, 1, 254, 255, 256, 257, 963, 964, 2000};
    static const char *const characters[] = {"a", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80"};
    const size_t sizes[] = {316, 317, 318, 319, 320, 400, 1023, 1024, 1025, 1100, 4096};
    char whole[2048];
    for (size_t l = 0; l < COUNT_OF(lengths); ++l)
        for (size_t c = 0; c < COUNT_OF(characters); ++c) {
            size_t used = 0, step = strlen(characters[c]);
            for (; used + step <= lengths[l]; used += step)
                memcpy(whole + used, characters[c], step);
            whole[used] = '\0';
            for (size_t s = 0; s < COUNT_OF(sizes); ++s)
                check_error_of(sizes[s], whole);
        }
}
END_TEST

START_TEST(an_error_that_is_too_small_is_left_alone)
{
    for (size_t size = 0; size < ERROR_LEAST; ++size) {
        clslice_error *error = error_of(size < 4 ? 4 : size), *kept = error_of(size < 4 ? 4 : size);
        set_size(error, size);
        set_size(kept, size);
        ck_assert(!status_error_fits(error));
        int32_t status = status_fail(error, CLSLICE_E_NOTIMPL, WHERE(.rule = 1), "%s", "text");
        ck_assert_int_eq(status, CLSLICE_E_NOTIMPL);
        ck_assert_mem_eq(error, kept, size < 4 ? 4 : size);
        free(error);
        free(kept);
    }
}
END_TEST

START_TEST(what_an_error_does_not_name_is_0)
{
    clslice_error *error = error_of(sizeof *error);
    int32_t status = status_fail(error, CLSLICE_E_POINTER, WHERE(.rule = 60), "nothing");
    ck_assert_int_eq(status, CLSLICE_E_POINTER);
    ck_assert_uint_eq(error->tensor, CLSLICE_TENSOR_NONE);
    ck_assert_uint_eq(error->dimension, CLSLICE_NO_DIMENSION);
    ck_assert_int_eq(error->opencl, 0);
    ck_assert(error->value[0] == 0 && error->value[1] == 0 && error->value[2] == 0);
    ck_assert_str_eq(error->text, "nothing");
    status = status_fail(error, CLSLICE_E_POINTER, WHERE(DIMENSION(0)), "first");
    ck_assert_int_eq(status, CLSLICE_E_POINTER);
    ck_assert_uint_eq(error->dimension, 0);
    free(error);
}
END_TEST

START_TEST(nobody_has_to_want_an_error)
{
    ck_assert(status_error_fits(NULL));
    ck_assert_int_eq(status_fail(NULL, CLSLICE_E_FAIL, WHERE(.rule = 1), "%d", 1), CLSLICE_E_FAIL);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("checked_text");
    TCase *tests = suite_case(suite, "checked_text");
    tcase_add_test(tests, arithmetic_is_exact_or_refused);
    tcase_add_test(tests, a_result_may_replace_an_operand);
    tcase_add_loop_test(tests, texts_are_cut_between_characters, 0, COUNT_OF(texts));
    tcase_add_loop_test(tests, appending_in_pieces_changes_nothing, 0, COUNT_OF(texts));
    tcase_add_loop_test(tests, what_is_no_line_of_utf8_is_escaped, 0, COUNT_OF(lines));
    tcase_add_loop_test(tests, an_error_is_one_line_of_utf8, 0, COUNT_OF(lines));
    tcase_add_test(tests, nothing_is_appended_behind_a_cut);
    tcase_add_test(tests, a_text_without_room_still_counts);
    tcase_add_test(tests, bytes_behind_the_text_are_kept);
    tcase_add_test(tests, an_error_takes_what_its_size_leaves);
    tcase_add_test(tests, an_error_that_is_too_small_is_left_alone);
    tcase_add_test(tests, what_an_error_does_not_name_is_0);
    tcase_add_test(tests, nobody_has_to_want_an_error);
    return suite_run(suite);
}
