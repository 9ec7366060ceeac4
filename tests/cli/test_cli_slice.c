/* SPDX-License-Identifier: MIT */
/* What `clslice slice` writes, compared with a plain loop over the output. */
#include "support/cli_process.h"
#include "support/suite.h"

#include <png.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RANK = 4, SHAPE_SIZE = 96, DICT_SIZE = 512 };

/* What is taken of an axis: `count` elements from `first` on in steps. */
struct taken {
    long first;
    long step;
    long count;
};

static const struct slice_case {
    const char *descr;
    size_t width; /* bytes of an element */
    bool fortran;
    int rank;
    long size[RANK];
    const char *words; /* behind IN OUT */
    const char *result;
    struct taken taken[RANK];
} cases[] = {
    /* every type */
    {"|b1", 1, false, 2, {7, 9}, "'::-1, 2:'", "(7, 7)", {{6, -1, 7}, {2, 1, 7}}},
    {"|i1", 1, false, 2, {7, 9}, "1::2", "(3, 9)", {{1, 2, 3}, {0, 1, 9}}},
    {"|u1", 1, false, 2, {7, 9}, "':, ::-3'", "(7, 3)", {{0, 1, 7}, {8, -3, 3}}},
    {"<i2", 2, false, 2, {7, 9}, "-1", "(9,)", {{6, 1, 1}, {0, 1, 9}}},
    {"<u2", 2, false, 2, {7, 9}, "'..., -1'", "(7,)", {{0, 1, 7}, {8, 1, 1}}},
    {"<f2", 2, false, 2, {7, 9}, "-3:", "(3, 9)", {{4, 1, 3}, {0, 1, 9}}},
    {"<i4", 4, false, 2, {7, 9}, "-2:-7:-2", "(3, 9)", {{5, -2, 3}, {0, 1, 9}}},
    {"<u4", 4, false, 2, {7, 9}, "'2, 3'", "()", {{2, 1, 1}, {3, 1, 1}}},
    {"<f4", 4, false, 2, {7, 9}, "'5:99, :4'", "(2, 4)", {{5, 1, 2}, {0, 1, 4}}},
    {"<i8", 8, false, 2, {7, 9}, "''", "(7, 9)", {{0, 1, 7}, {0, 1, 9}}},
    {"<u8", 8, false, 2, {7, 9}, "'::5, ::4'", "(2, 3)", {{0, 5, 2}, {0, 4, 3}}},
    {"<f8", 8, false, 2, {7, 9}, "::-1,::-1", "(7, 9)", {{6, -1, 7}, {8, -1, 9}}},
    {">i4", 4, false, 2, {7, 9}, "'::2, 1'", "(4,)", {{0, 2, 4}, {1, 1, 1}}},
    {"<c8", 8, false, 2, {7, 9}, "'1:, ::-2'", "(6, 5)", {{1, 1, 6}, {8, -2, 5}}},
    {"<M8[ns]", 8, false, 1, {63}, "::-9", "(7,)", {{62, -9, 7}}},
    /* items that are moved in parts */
    {"|S3", 3, false, 2, {7, 9}, "'::-1, 2:'", "(7, 7)", {{6, -1, 7}, {2, 1, 7}}},
    {"|V5", 5, false, 2, {7, 9}, "'1::2, -1'", "(3,)", {{1, 2, 3}, {8, 1, 1}}},
    {"|S6", 6, true, 2, {7, 9}, "':, ::-3'", "(7, 3)", {{0, 1, 7}, {8, -3, 3}}},
    {"<U3", 12, false, 2, {7, 9}, "'::3, ::2'", "(3, 5)", {{0, 3, 3}, {0, 2, 5}}},
    {"<c16", 16, true, 2, {7, 9}, "'2, ::-1'", "(9,)", {{2, 1, 1}, {8, -1, 9}}},
    {"|V24", 24, false, 2, {7, 9}, "''", "(7, 9)", {{0, 1, 7}, {0, 1, 9}}},
    {"|V33", 33, false, 0, {0}, "''", "()", {{0}}},
    {"|V4000", 4000, false, 2, {7, 9}, "':, 8:4:-3'", "(7, 2)", {{0, 1, 7}, {8, -3, 2}}},
    {"[('a', '<f4'), ('b', '|u1')]",
     5,
     false,
     2,
     {7, 9},
     "--offsets 1,2 --sizes 4,3 --strides -2,2",
     "(2, 2)",
     {{4, -2, 2}, {2, 2, 2}}},
    {"[('x', '>f8', (3,))]", 24, true, 2, {7, 9}, "'1:, 1:'", "(6, 8)", {{1, 1, 6}, {1, 1, 8}}},
    {"|V3", 3, false, 2, {7, 9}, "7:", "(0, 9)", {{0, 1, 0}, {0, 1, 9}}},
    {"|V0", 0, false, 2, {7, 9}, "'1:, 2'", "(6,)", {{1, 1, 6}, {2, 1, 1}}},
    /* column by column */
    {"<f4", 4, true, 2, {50, 70}, "''", "(50, 70)", {{0, 1, 50}, {0, 1, 70}}},
    {"|u1",
     1,
     true,
     3,
     {5, 40, 3},
     "'1:, ::-2'",
     "(4, 20, 3)",
     {{1, 1, 4}, {39, -2, 20}, {0, 1, 3}}},
    /* no axis, and no element */
    {"<f8", 8, false, 0, {0}, "''", "()", {{0}}},
    {"|b1", 1, false, 0, {0}, "...", "()", {{0}}},
    {"<i2", 2, false, 2, {7, 9}, "7:", "(0, 9)", {{0, 1, 0}, {0, 1, 9}}},
    {"<i2", 2, true, 2, {7, 9}, "'2, 5:1'", "(0,)", {{2, 1, 1}, {0, 1, 0}}},
    {"<i2", 2, false, 2, {0, 9}, "'::-1, 3'", "(0,)", {{0, 1, 0}, {3, 1, 1}}},
    /* what begins with '-' */
    {"<i2", 2, false, 1, {99}, "-90::7", "(13,)", {{9, 7, 13}}},
    {"<i2", 2, false, 1, {99}, "-- -90", "()", {{9, 1, 1}}},
    /* windows */
    {"<i4",
     4,
     false,
     2,
     {7, 9},
     "--offsets 1,2 --sizes 4,3 --strides -2,2",
     "(2, 2)",
     {{4, -2, 2}, {2, 2, 2}}},
    {"<i4",
     4,
     false,
     2,
     {7, 9},
     "--offsets=1,2 --sizes=4,5 --strides 2,-2 --output-sizes=1,2",
     "(1, 2)",
     {{1, 2, 1}, {6, -2, 2}}},
    {"<i4", 4, true, 2, {7, 9}, "--offsets 1,2 --sizes 4,1", "(4, 1)", {{1, 1, 4}, {2, 1, 1}}},
    /* many elements */
    {"|u1",
     1,
     false,
     3,
     {300, 400, 3},
     "'::-1, 10:390:2, ::-1'",
     "(300, 190, 3)",
     {{299, -1, 300}, {10, 2, 190}, {2, -1, 3}}},
    {"<f4",
     4,
     false,
     4,
     {8, 9, 64, 65},
     "'::3, 1:, :, 1:-1'",
     "(3, 8, 64, 63)",
     {{0, 3, 3}, {1, 1, 8}, {0, 1, 64}, {1, 1, 63}}},
};

/* Elements from the first one of the input. */
static size_t position(const struct slice_case *c, const long at[RANK])
{
    size_t offset = 0;
    size_t stride = 1;

    for (int i = 0; i < c->rank; ++i) {
        int axis = c->fortran ? i : c->rank - 1 - i;

        offset += stride * (size_t)(c->taken[axis].first + at[axis] * c->taken[axis].step);
        stride *= (size_t)c->size[axis];
    }
    return offset;
}

static size_t product(const struct slice_case *c, bool of_result)
{
    size_t count = 1;

    for (int i = 0; i < c->rank; ++i)
        count *= (size_t)(of_result ? c->taken[i].count : c->size[i]);
    return count;
}

/* To be freed. */
static unsigned char *expected(const struct slice_case *c, const unsigned char *in, size_t count)
{
    unsigned char *out = malloc(count * c->width + 1);
    long at[RANK] = {0};

    ck_assert_ptr_nonnull(out);
    for (size_t i = 0; i < count; ++i) {
        memcpy(out + i * c->width, in + position(c, at) * c->width, c->width);
        for (int axis = c->rank - 1; axis >= 0 && ++at[axis] == c->taken[axis].count; --axis)
            at[axis] = 0;
    }
    return out;
}

/* As Python writes a tuple. */
static void shape_text(char shape[SHAPE_SIZE], const struct slice_case *c)
{
    char *at = stpcpy(shape, "(");

    for (int i = 0; i < c->rank; ++i)
        at += sprintf(at, i == 0 ? "%ld" : ", %ld", c->size[i]);
    strcpy(at, c->rank == 1 ? ",)" : ")");
}

static void dict_text(char dict[DICT_SIZE], const struct slice_case *c, bool fortran,
                      const char *shape)
{
    const char *quote = c->descr[0] == '[' ? "" : "'";

    snprintf(dict, DICT_SIZE, "'descr': %s%s%s, 'fortran_order': %s, 'shape': %s, ", quote,
             c->descr, quote, fortran ? "True" : "False", shape);
}

START_TEST(slices_are_what_a_loop_finds)
{
    const struct slice_case *c = &cases[_i];
    size_t in_bytes = product(c, false) * c->width;
    size_t count = product(c, true);
    unsigned char *in = malloc(in_bytes + 1);
    char dict[DICT_SIZE], shape[SHAPE_SIZE], words[DICT_SIZE];
    struct cli_result result;
    unsigned char *wanted;
    unsigned char *out;

    ck_assert_ptr_nonnull(in);
    fill_bytes(in, in_bytes);
    shape_text(shape, c);
    dict_text(dict, c, c->fortran, shape);
    npy_store("in.npy", dict, in, in_bytes);
    snprintf(words, sizeof words, "slice in.npy out.npy %s", c->words);
    result = cli_run(words, NULL);
    cli_assert_silent(&result);
    dict_text(dict, c, false, c->result);
    out = npy_load("out.npy", dict, count * c->width);
    wanted = expected(c, in, count);
    ck_assert_msg(memcmp(out, wanted, count * c->width) == 0, "%s %s", c->descr, c->words);
    free(wanted);
    free(out);
    free(in);
}
END_TEST

/* In two parts. Of 300 MiB, a byte here and there is not 0. */
START_TEST(large_results_are_whole)
{
    enum { ROW = 100 << 20, HEADER = 128 };
    static const long marks[][2] = {{0, 1}, {0, ROW - 1}, {1, 77777777}, {2, 1}, {2, ROW - 1}};
    struct cli_result result;
    FILE *file;

    npy_store("in.npy", "'descr': '|u1', 'fortran_order': False, 'shape': (3, 104857600), ", NULL,
              3 * (size_t)ROW);
    ck_assert_ptr_nonnull(file = fopen("in.npy", "r+"));
    for (size_t i = 0; i < COUNT_OF(marks); ++i) {
        ck_assert_int_eq(fseek(file, HEADER + marks[i][0] * ROW + marks[i][1], SEEK_SET), 0);
        ck_assert_int_eq(fputc((int)i + 1, file), (int)i + 1);
    }
    fclose(file);
    result = cli_run("slice in.npy out.npy '::-1, 1:'", NULL);
    cli_assert_silent(&result);
    ck_assert_ptr_nonnull(file = fopen("out.npy", "r"));
    for (size_t i = 0; i < COUNT_OF(marks); ++i) {
        long at = (2 - marks[i][0]) * (ROW - 1) + marks[i][1] - 1;
        ck_assert_int_eq(fseek(file, HEADER + at, SEEK_SET), 0);
        ck_assert_int_eq(fgetc(file), (int)i + 1);
    }
    ck_assert_int_eq(fseek(file, 0, SEEK_END), 0);
    ck_assert_int_eq(ftell(file), HEADER + 3 * (long)(ROW - 1));
    fclose(file);
}
END_TEST

START_TEST(an_empty_result_needs_no_device)
{
    struct cli_result result;

    npy_store("in.npy", "'descr': '<f4', 'fortran_order': True, 'shape': (5, 5), ", NULL, 100);
    result = cli_run("slice in.npy out.npy '3:3, ::2'", "CLSLICE_DEVICE=none");
    cli_assert_silent(&result);
    free(npy_load("out.npy", "'descr': '<f4', 'fortran_order': False, 'shape': (0, 3), ", 0));
}
END_TEST

/* With all the dimensions that there may be, so that one more would be outside the arrays. */
START_TEST(windows_of_items_without_bytes_are_refused)
{
    struct cli_result result;

    npy_store("in.npy",
              "'descr': '|S0', 'fortran_order': False, 'shape': (1, 1, 1, 1, 1, 1, 1, 1), ", NULL,
              0);
    result =
        cli_run("slice in.npy out.npy --offsets 0,0,0,0,0,0,0,0 --sizes 1,1,1,1,1,1,1,1", NULL);
    cli_assert_refused(&result, 1, "items have no bytes");
    result = cli_run("slice in.npy out.npy 0", NULL);
    cli_assert_silent(&result);
}
END_TEST

START_TEST(the_input_may_be_the_output)
{
    struct cli_result result;
    unsigned char *out;

    npy_store("in.npy", "'descr': '|u1', 'fortran_order': False, 'shape': (3,), ", "abc", 3);
    result = cli_run("slice in.npy in.npy ::-1", NULL);
    cli_assert_silent(&result);
    out = npy_load("in.npy", "'descr': '|u1', 'fortran_order': False, 'shape': (3,), ", 3);
    ck_assert_mem_eq(out, "cba", 3);
    free(out);
}
END_TEST

enum { HEIGHT = 60, WIDTH = 80, CHANNELS = 3 };

static void write_picture(const unsigned char *pixels)
{
    png_image image = {
        .version = PNG_IMAGE_VERSION, .width = WIDTH, .height = HEIGHT, .format = PNG_FORMAT_RGB};

    ck_assert(png_image_write_to_file(&image, "in.PNG", 0, pixels, 0, NULL));
}

static void read_picture(unsigned char *pixels, size_t size, unsigned height, unsigned width)
{
    png_image image = {.version = PNG_IMAGE_VERSION};

    ck_assert(png_image_begin_read_from_file(&image, "out.png"));
    ck_assert(image.width == width && image.height == height);
    ck_assert_uint_eq(image.format, PNG_FORMAT_RGB);
    ck_assert_uint_eq(PNG_IMAGE_SIZE(image), size);
    ck_assert(png_image_finish_read(&image, NULL, pixels, 0, NULL));
}

START_TEST(pictures_are_sliced)
{
    static const struct slice_case c = {
        .width = 1,
        .rank = 3,
        .size = {HEIGHT, WIDTH, CHANNELS},
        .taken = {{HEIGHT - 1, -2, HEIGHT / 2}, {10, 1, WIDTH - 20}, {CHANNELS - 1, -1, CHANNELS}}};
    unsigned char in[HEIGHT * WIDTH * CHANNELS];
    unsigned char out[HEIGHT / 2 * (WIDTH - 20) * CHANNELS];
    unsigned char *wanted;
    unsigned char *data;
    struct cli_result result;

    fill_bytes(in, sizeof in);
    write_picture(in);
    wanted = expected(&c, in, sizeof out);
    result = cli_run("slice in.PNG out.png '::-2, 10:-10, ::-1'", NULL);
    cli_assert_silent(&result);
    read_picture(out, sizeof out, HEIGHT / 2, WIDTH - 20);
    ck_assert_mem_eq(out, wanted, sizeof out);
    result = cli_run("slice in.PNG out.npy '::-2, 10:-10, ::-1'", NULL);
    cli_assert_silent(&result);
    data = npy_load("out.npy", "'descr': '|u1', 'fortran_order': False, 'shape': (30, 60, 3), ",
                    sizeof out);
    ck_assert_mem_eq(data, wanted, sizeof out);
    result = cli_run("slice in.PNG out.png '0, 0'", NULL);
    cli_assert_refused(&result, 1, "cannot write out.png: a PNG is");
    free(data);
    free(wanted);
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("cli slice");
    TCase *tests = suite_case(suite, "cli slice");
    cli_path = argc > 1 ? argv[1] : "clslice";
    tcase_add_loop_test(tests, slices_are_what_a_loop_finds, 0, COUNT_OF(cases));
    tcase_add_test(tests, large_results_are_whole);
    tcase_add_test(tests, an_empty_result_needs_no_device);
    tcase_add_test(tests, windows_of_items_without_bytes_are_refused);
    tcase_add_test(tests, the_input_may_be_the_output);
    tcase_add_test(tests, pictures_are_sliced);
    return suite_run(suite);
}
