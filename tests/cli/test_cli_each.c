/* SPDX-License-Identifier: MIT */
/* `clslice slice --each`: windows of one array, whose places are the rows of another. */
#include "support/cli_process.h"
#include "support/suite.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HEIGHT = 30, WIDTH = 40, ROWS = 25, H = 5, W = 7, TAKEN = 4, ITEM = H * TAKEN };

#define DICT(descr, shape) "'descr': '" descr "', 'fortran_order': False, 'shape': " shape ", "

static uint16_t image[HEIGHT * WIDTH];
static uint32_t rows[ROWS][2];

/* H x W windows anywhere, with every second column, from the last to the first. */
static void setup(void)
{
    unsigned char dice[2 * ROWS];
    fill_bytes((unsigned char *)image, sizeof image);
    fill_bytes(dice, sizeof dice);
    for (int i = 0; i < ROWS; ++i) {
        rows[i][0] = dice[2 * i] % (HEIGHT - H + 1);
        rows[i][1] = dice[2 * i + 1] % (WIDTH - W + 1);
    }
    rows[3][0] = HEIGHT - H;
    rows[4][1] = WIDTH - W;
    npy_store("in.npy", DICT("<u2", "(30, 40)"), image, sizeof image);
}

static void check_output(void)
{
    uint16_t *found = (uint16_t *)(void *)npy_load("out.npy", DICT("<u2", "(25, 5, 4)"),
                                                   ROWS * ITEM * sizeof *found);
    for (int i = 0; i < ROWS; ++i)
        for (int y = 0; y < H; ++y)
            for (int x = 0; x < TAKEN; ++x) {
                uint32_t row = rows[i][0] + (uint32_t)y;
                uint32_t column = rows[i][1] + (uint32_t)(W - 1 - 2 * x);
                ck_assert_uint_eq(found[i * ITEM + y * TAKEN + x], image[row * WIDTH + column]);
            }
    free(found);
}

#define WINDOWS "slice in.npy out.npy --sizes 5,7 --strides 1,-2 --each rows.npy"

/* Integers of `bytes` bytes, in either byte order. */
static void store_rows(const char *descr, uint32_t bytes, bool is_big)
{
    unsigned char file[ROWS * 2 * 8];
    char dict[96];
    for (uint32_t i = 0; i < ROWS * 2; ++i)
        for (uint32_t k = 0; k < bytes; ++k) {
            uint64_t number = rows[i / 2][i % 2];
            file[i * bytes + (is_big ? bytes - 1 - k : k)] = (unsigned char)(number >> 8 * k);
        }
    snprintf(dict, sizeof dict, DICT("%s", "(25, 2)"), descr);
    npy_store("rows.npy", dict, file, (size_t)ROWS * 2 * bytes);
}

START_TEST(rows_of_any_integers_are_taken)
{
    static const struct {
        const char *descr;
        uint32_t bytes;
        bool is_big;
    } types[] = {{"|u1", 1, false}, {"|i1", 1, false}, {"<i2", 2, false}, {">u2", 2, true},
                 {"<u4", 4, false}, {">i4", 4, true},  {"<i8", 8, false}, {">u8", 8, true}};
    struct cli_result result;
    setup();
    store_rows(types[_i].descr, types[_i].bytes, types[_i].is_big);
    result = cli_run(WINDOWS, NULL);
    cli_assert_silent(&result);
    check_output();
}
END_TEST

START_TEST(no_rows_make_an_empty_array)
{
    struct cli_result result;
    setup();
    npy_store("rows.npy", DICT("<i8", "(0, 2)"), NULL, 0);
    result = cli_run(WINDOWS, "CLSLICE_DEVICE=none");
    cli_assert_silent(&result);
    free(npy_load("out.npy", DICT("<u2", "(0, 5, 4)"), 0));
}
END_TEST

/* As where there are some. */
START_TEST(no_rows_are_validated)
{
    static const struct {
        const char *words, *text;
    } bad[] = {{"--sizes 31,7", "= 0 + 31 = 31 exceeds InputTensor.Sizes[0] = 30"},
               {"--sizes 5,0", "InputWindowSizes[1] = 0"},
               {"--sizes 5,7 --strides 0,1", "InputWindowStrides[0] = 0"},
               {"--sizes 5,7 --output-sizes 6,7", "OutputTensor.Sizes[0] = 6"}};
    struct cli_result result;
    char words[128];
    setup();
    npy_store("rows.npy", DICT("<i8", "(0, 2)"), NULL, 0);
    text_store("out.npy", "old");
    snprintf(words, sizeof words, "slice in.npy out.npy --each rows.npy %s", bad[_i].words);
    result = cli_run(words, NULL);
    cli_assert_refused(&result, 1, bad[_i].text);
    assert_untouched("out.npy", "old");
}
END_TEST

/* More rows than one dispatch takes. */
START_TEST(many_small_windows_are_whole)
{
    enum { MANY = (1 << 20) + 5 };
    unsigned char *offsets = malloc(MANY), *out;
    unsigned char in[256];
    struct cli_result result;
    ck_assert_ptr_nonnull(offsets);
    fill_bytes(in, sizeof in);
    for (int i = 0; i < MANY; ++i)
        offsets[i] = (unsigned char)(i * 7 + i / 256);
    npy_store("in.npy", DICT("|u1", "(256,)"), in, sizeof in);
    npy_store("rows.npy", DICT("|u1", "(1048581, 1)"), offsets, MANY);
    result = cli_run("slice in.npy out.npy --sizes 1 --each rows.npy", NULL);
    cli_assert_silent(&result);
    out = npy_load("out.npy", DICT("|u1", "(1048581, 1)"), MANY);
    for (int i = 0; i < MANY; ++i)
        ck_assert_uint_eq(out[i], in[offsets[i]]);
    free(out);
    free(offsets);
}
END_TEST

/* Each in two parts. Of 280 MiB, a byte here and there is not 0. */
START_TEST(large_windows_are_whole)
{
    enum { ROW = 140 << 20, LARGE = ROW - 9, HEADER = 128 };
    static const uint32_t table[2][2] = {{1, 9}, {0, 3}};
    static const struct {
        long row, at;
    } marks[] = {{0, 3}, {0, ROW - 7}, {1, 9}, {1, 123456789}, {1, ROW - 1}, {2, 9}, {2, ROW - 1}};
    struct cli_result result;
    FILE *file;
    npy_store("in.npy", DICT("|u1", "(3, 146800640)"), NULL, 3 * (size_t)ROW);
    npy_store("rows.npy", DICT("<u4", "(2, 2)"), table, sizeof table);
    ck_assert_ptr_nonnull(file = fopen("in.npy", "r+"));
    for (size_t i = 0; i < COUNT_OF(marks); ++i) {
        ck_assert_int_eq(fseek(file, HEADER + marks[i].row * ROW + marks[i].at, SEEK_SET), 0);
        ck_assert_int_ne(fputc((int)i + 1, file), EOF);
    }
    fclose(file);
    result = cli_run("slice in.npy out.npy --sizes 2,146800631 --each rows.npy", NULL);
    cli_assert_silent(&result);
    ck_assert_ptr_nonnull(file = fopen("out.npy", "r"));
    for (int item = 0; item < 2; ++item)
        for (size_t i = 0; i < COUNT_OF(marks); ++i) {
            long row = marks[i].row - (long)table[item][0], at = marks[i].at - table[item][1];
            if (row < 0 || row > 1 || at < 0 || at >= LARGE)
                continue;
            ck_assert_int_eq(fseek(file, HEADER + (2L * item + row) * LARGE + at, SEEK_SET), 0);
            ck_assert_int_eq(fgetc(file), (int)i + 1);
        }
    ck_assert_int_eq(fseek(file, 0, SEEK_END), 0);
    ck_assert_int_eq(ftell(file), HEADER + 4L * LARGE);
    fclose(file);
    unlink("in.npy");
    unlink("out.npy");
}
END_TEST

START_TEST(a_row_out_of_range_is_named)
{
    static const struct {
        int64_t offset;
        const char *text;
    } bad[] = {
        {26, "rows.npy: row 1, axis 0: offset 26 with --sizes 5 is outside the 30 of in.npy"},
        {-1, "rows.npy: row 1, axis 0: offset -1 with --sizes 5"},
        {INT64_MAX, "offset 9223372036854775807 with --sizes 5"}};
    struct cli_result result;
    int64_t table[3][2] = {{0, 0}, {bad[_i].offset, 3}, {99, 99}};
    setup();
    text_store("out.npy", "old");
    npy_store("rows.npy", DICT("<i8", "(3, 2)"), table, sizeof table);
    result = cli_run(WINDOWS, NULL);
    cli_assert_refused(&result, 1, bad[_i].text);
    assert_untouched("out.npy", "old");
}
END_TEST

START_TEST(other_tables_are_refused)
{
    static const struct {
        const char *dict;
        size_t bytes;
        const char *text;
    } tables[] = {{DICT("<f8", "(3, 2)"), 48, "has dtype '<f8'; --each takes integers"},
                  {DICT("|b1", "(3, 2)"), 6, "--each takes integers"},
                  {DICT("<i4", "(3, 3)"), 36, "has shape (3, 3); --each takes a row of 2 offsets"},
                  {DICT("<i4", "(6,)"), 24, "has shape (6,)"}};
    struct cli_result result;
    setup();
    npy_store("rows.npy", tables[_i].dict, NULL, tables[_i].bytes);
    result = cli_run(WINDOWS, NULL);
    cli_assert_refused(&result, 1, tables[_i].text);
}
END_TEST

START_TEST(misuse_is_told)
{
    static const struct {
        const char *words, *text;
    } misuses[] = {{"slice in.npy out.npy --each rows.npy", "--sizes is missing"},
                   {"slice in.npy out.npy --each rows.npy --sizes 1,1 --offsets 0,0",
                    "--each stands in place"},
                   {"slice in.npy out.npy : --each rows.npy --sizes 1,1", "too many operands"},
                   {"slice in.npy out.npy --each rows.npy --sizes 1,1 --strides 1",
                    "--strides has 1 number, --sizes has 2"}};
    struct cli_result result = cli_run(misuses[_i].words, NULL);
    cli_assert_refused(&result, 2, misuses[_i].text);
}
END_TEST

START_TEST(results_that_are_too_large_are_refused)
{
    static const struct {
        const char *in, *rows, *sizes, *text;
        size_t in_bytes, rows_bytes;
    } arrays[] = {{DICT("|u1", "(100, 100)"), DICT("|u1", "(430000, 2)"), "100,100",
                   "the result: shape (430000, 100, 100) has more than 4294967295", 10000, 860000},
                  {DICT("|u1", "(1, 1, 1, 1, 1, 1, 1, 1)"), DICT("|u1", "(1, 8)"),
                   "1,1,1,1,1,1,1,1", "has 8 dimensions; with --each, it may have 7", 1, 8}};
    char words[80];
    struct cli_result result;
    npy_store("in.npy", arrays[_i].in, NULL, arrays[_i].in_bytes);
    npy_store("rows.npy", arrays[_i].rows, NULL, arrays[_i].rows_bytes);
    snprintf(words, sizeof words, "slice in.npy out.npy --each rows.npy --sizes %s",
             arrays[_i].sizes);
    result = cli_run(words, NULL);
    cli_assert_refused(&result, 1, arrays[_i].text);
}
END_TEST

int main(int count, char **arguments)
{
    Suite *suite = suite_create("cli_each");
    TCase *tests = suite_case(suite, "cli_each");
    if (count != 2)
        return EXIT_FAILURE;
    cli_path = arguments[1];
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, rows_of_any_integers_are_taken, 0, 8);
    tcase_add_test(tests, no_rows_make_an_empty_array);
    tcase_add_loop_test(tests, no_rows_are_validated, 0, 4);
    tcase_add_test(tests, many_small_windows_are_whole);
    tcase_add_test(tests, large_windows_are_whole);
    tcase_add_loop_test(tests, a_row_out_of_range_is_named, 0, 3);
    tcase_add_loop_test(tests, other_tables_are_refused, 0, 4);
    tcase_add_loop_test(tests, misuse_is_told, 0, 4);
    tcase_add_loop_test(tests, results_that_are_too_large_are_refused, 0, 2);
    return suite_run(suite);
}
