/* SPDX-License-Identifier: MIT */
#include "cli/formats/array.h"
#include "cli/formats/array_file.h"
#include "cli/formats/output.h"
#include "cli/formats/png_file.h"
#include "conformance/problem.h"
#include "support/dice.h"
#include "support/suite.h"

#include <png.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum { PALETTE_ALPHAS = 2 }; /* palette entries with an alpha of their own */

/* Every kind of PNG there is. */
static const struct kind {
    int color;
    int depth;
    bool transparent; /* has a tRNS chunk */
    unsigned channels;
} kinds[] = {
    {PNG_COLOR_TYPE_GRAY, 1, false, 1},       {PNG_COLOR_TYPE_GRAY, 2, false, 1},
    {PNG_COLOR_TYPE_GRAY, 4, false, 1},       {PNG_COLOR_TYPE_GRAY, 8, false, 1},
    {PNG_COLOR_TYPE_GRAY, 16, false, 1},      {PNG_COLOR_TYPE_GRAY, 1, true, 2},
    {PNG_COLOR_TYPE_GRAY, 2, true, 2},        {PNG_COLOR_TYPE_GRAY, 4, true, 2},
    {PNG_COLOR_TYPE_GRAY, 8, true, 2},        {PNG_COLOR_TYPE_GRAY, 16, true, 2},
    {PNG_COLOR_TYPE_RGB, 8, false, 3},        {PNG_COLOR_TYPE_RGB, 16, false, 3},
    {PNG_COLOR_TYPE_RGB, 8, true, 4},         {PNG_COLOR_TYPE_RGB, 16, true, 4},
    {PNG_COLOR_TYPE_PALETTE, 1, false, 3},    {PNG_COLOR_TYPE_PALETTE, 2, false, 3},
    {PNG_COLOR_TYPE_PALETTE, 4, false, 3},    {PNG_COLOR_TYPE_PALETTE, 8, false, 3},
    {PNG_COLOR_TYPE_PALETTE, 1, true, 4},     {PNG_COLOR_TYPE_PALETTE, 2, true, 4},
    {PNG_COLOR_TYPE_PALETTE, 4, true, 4},     {PNG_COLOR_TYPE_PALETTE, 8, true, 4},
    {PNG_COLOR_TYPE_GRAY_ALPHA, 8, false, 2}, {PNG_COLOR_TYPE_GRAY_ALPHA, 16, false, 2},
    {PNG_COLOR_TYPE_RGB_ALPHA, 8, false, 4},  {PNG_COLOR_TYPE_RGB_ALPHA, 16, false, 4},
};

static struct dice dice = {1};

static void leave(void)
{
    unlink("x.png");
    unlink("X.PNG");
}

/* What the file stores at a place: low bits of a scramble. */
static unsigned stored(const struct kind *kind, unsigned y, unsigned x, unsigned c)
{
    return ((y * 977 + x * 131 + c * 71 + 5) * 2654435761U >> 7) & ((1U << kind->depth) - 1);
}

static png_color palette_color(unsigned i)
{
    return (png_color){(png_byte)(i * 7 + 1), (png_byte)(200 - i), (png_byte)(i * 13)};
}

static png_color_16 transparent_color(const struct kind *kind)
{
    return (png_color_16){.gray = (png_uint_16)stored(kind, 0, 0, 0),
                          .red = (png_uint_16)stored(kind, 0, 0, 0),
                          .green = (png_uint_16)stored(kind, 0, 0, 1),
                          .blue = (png_uint_16)stored(kind, 0, 0, 2)};
}

/* How many samples of a pixel the file stores. */
static unsigned stored_channels(const struct kind *kind)
{
    if (kind->color == PNG_COLOR_TYPE_PALETTE)
        return 1;
    return kind->transparent ? kind->channels - 1 : kind->channels;
}

/* What must be read there. */
static unsigned expected(const struct kind *kind, unsigned y, unsigned x, unsigned c)
{
    unsigned most = kind->depth == 16 ? 65535 : 255;
    unsigned index = stored(kind, y, x, 0);
    bool is_key = true;

    if (kind->color == PNG_COLOR_TYPE_PALETTE) {
        png_color color = palette_color(index);
        unsigned values[] = {color.red, color.green, color.blue,
                             index < PALETTE_ALPHAS ? 50 + index : 255};

        return values[c];
    }
    if (c < stored_channels(kind))
        return kind->depth < 8 ? stored(kind, y, x, c) * 255 / ((1U << kind->depth) - 1)
                               : stored(kind, y, x, c);
    for (unsigned i = 0; i < c; ++i)
        is_key = is_key && stored(kind, y, x, i) == stored(kind, 0, 0, i);
    return is_key ? 0 : most;
}

static void set_colors(png_structp png, png_infop info, const struct kind *kind)
{
    png_color palette[256];
    png_byte alphas[PALETTE_ALPHAS] = {50, 51};
    png_color_16 key = transparent_color(kind);

    for (unsigned i = 0; i < 256; ++i)
        palette[i] = palette_color(i);
    if (kind->color == PNG_COLOR_TYPE_PALETTE)
        png_set_PLTE(png, info, palette, 1 << kind->depth);
    if (kind->transparent && kind->color == PNG_COLOR_TYPE_PALETTE)
        png_set_tRNS(png, info, alphas, PALETTE_ALPHAS, NULL);
    else if (kind->transparent)
        png_set_tRNS(png, info, NULL, 0, &key);
}

/* Rows as the file stores them: packed bits, 16-bit samples big-endian. */
static png_bytep packed_rows(const struct kind *kind, unsigned height, unsigned width, size_t row)
{
    png_bytep rows = calloc(height, row);
    unsigned channels = stored_channels(kind);

    for (unsigned y = 0; y < height; ++y) {
        for (unsigned i = 0; i < width * channels; ++i) {
            unsigned value = stored(kind, y, i / channels, i % channels);
            size_t bit = (size_t)i * (unsigned)kind->depth;
            png_bytep at = rows + y * row + bit / 8;

            if (kind->depth == 16) {
                at[0] = (png_byte)(value >> 8);
                at[1] = (png_byte)value;
            } else {
                *at |= (png_byte)(value << (8 - kind->depth - (int)(bit % 8)));
            }
        }
    }
    return rows;
}

static void make(const char *path, const struct kind *kind, unsigned height, unsigned width,
                 int interlace)
{
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    FILE *file = fopen(path, "wb");
    png_bytep rows;
    size_t row;

    png_init_io(png, file);
    png_set_IHDR(png, info, width, height, kind->depth, kind->color, interlace,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    set_colors(png, info, kind);
    png_write_info(png, info);
    row = png_get_rowbytes(png, info);
    rows = packed_rows(kind, height, width, row);
    for (int passes = png_set_interlace_handling(png); passes > 0; --passes)
        for (unsigned y = 0; y < height; ++y)
            png_write_row(png, rows + y * row);
    png_write_end(png, NULL);
    png_destroy_write_struct(&png, &info);
    ck_assert_int_eq(fclose(file), 0);
    free(rows);
}

static struct array read_well(void)
{
    struct problem problem = {0};
    struct array array;

    ck_assert_msg(array_file_read("x.png", &array, &problem), "%s", problem.text);
    return array;
}

static unsigned sample(const struct array *array, size_t i)
{
    const uint8_t *at = (const uint8_t *)array->data + i * array->element_size;

    return array->element_size == 2 ? at[0] | (unsigned)at[1] << 8 : at[0];
}

static void assert_samples(const struct array *array, const struct kind *kind)
{
    size_t i = 0;

    for (unsigned y = 0; y < array->size[0]; ++y)
        for (unsigned x = 0; x < array->size[1]; ++x)
            for (unsigned c = 0; c < array->size[2]; ++c, ++i)
                ck_assert_msg(sample(array, i) == expected(kind, y, x, c),
                              "color %d depth %d at %u %u %u: %u, not %u", kind->color, kind->depth,
                              y, x, c, sample(array, i), expected(kind, y, x, c));
}

START_TEST(every_kind_is_read)
{
    static const unsigned sizes[][2] = {{1, 1}, {13, 19}, {3, 2}, {8, 40}};
    const struct kind *kind = &kinds[_i];
    struct array array;

    for (size_t i = 0; i < 2 * COUNT_OF(sizes); ++i) {
        const unsigned *size = sizes[i / 2];

        make("x.png", kind, size[0], size[1], i % 2 ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE);
        array = read_well();
        ck_assert_uint_eq(array.rank, 3);
        ck_assert(array.size[0] == size[0] && array.size[1] == size[1]);
        ck_assert_uint_eq(array.size[2], kind->channels);
        ck_assert_uint_eq(array.dtype.bytes, kind->depth == 16 ? 2 : 1);
        ck_assert_uint_eq(array.dtype.length, 5);
        ck_assert_mem_eq(array.dtype.descr, kind->depth == 16 ? "'<u2'" : "'|u1'", 5);
        ck_assert(array.stride[2] == 1 && array.stride[1] == array.size[2]);
        assert_samples(&array, kind);
        array_release(&array);
    }
}
END_TEST

#define DTYPE(text, o, k, n)                                                                 \
    {                                                                                        \
        .descr = (text), .length = sizeof(text) - 1, .order = (o), .kind = (k), .bytes = (n) \
    }
#define U1 DTYPE("'|u1'", '|', 'u', 1)
#define U2 DTYPE("'<u2'", '<', 'u', 2)

static void fill(struct array *array, struct dtype dtype, uint32_t rank, const uint64_t *size)
{
    *array = (struct array){.dtype = dtype, .rank = rank};
    memcpy(array->size, size, rank * sizeof *size);
    ck_assert(array_layout(array, "x.png", NULL));
    array->allocation = malloc((size_t)array->bytes);
    array->data = array->allocation;
    for (size_t i = 0; i < array->bytes; ++i)
        ((unsigned char *)array->data)[i] = (unsigned char)(i * 37 + i / 256);
}

static bool write_png(const struct array *array, struct problem *problem)
{
    struct output output;

    ck_assert_msg(output_open(&output, "x.png", problem), "%s", problem->text);
    if (png_file_write(&output, array, problem))
        return output_commit(&output, problem);
    output_discard(&output);
    return false;
}

static void swap_pairs(unsigned char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i += 2) {
        unsigned char first = bytes[i];

        bytes[i] = bytes[i + 1];
        bytes[i + 1] = first;
    }
}

START_TEST(what_is_written_is_read_back)
{
    static const struct dtype kinds_of[] = {U1, U2, DTYPE("'>u2'", '>', 'u', 2)};
    struct problem problem = {0};
    struct array array;
    struct array back;

    for (uint64_t channels = 0; channels <= 4; ++channels) {
        uint64_t size[] = {7, 11, channels};

        fill(&array, kinds_of[_i], channels > 0 ? 3 : 2, size);
        ck_assert_msg(write_png(&array, &problem), "%s", problem.text);
        back = read_well();
        ck_assert(back.size[0] == 7 && back.size[1] == 11);
        ck_assert_uint_eq(back.size[2], channels > 0 ? channels : 1);
        ck_assert_uint_eq(back.bytes, array.bytes);
        if (array.dtype.order == '>')
            swap_pairs(array.data, (size_t)array.bytes);
        ck_assert_mem_eq(back.data, array.data, (size_t)array.bytes);
        array_release(&back);
        array_release(&array);
    }
}
END_TEST

static const struct {
    struct array array;
    const char *message; /* NULL: accepted */
} writable[] = {
    {{.dtype = U1, .rank = 2, .size = {1, 1}}, NULL},
    {{.dtype = U2, .rank = 3, .size = {2, 3, 4}}, NULL},
    {{.dtype = DTYPE("'|b1'", '|', 'b', 1), .rank = 2, .size = {2, 3}},
     "a PNG cannot hold bool ('|b1'); write a .npy"},
    {{.dtype = DTYPE("'<f4'", '<', 'f', 4), .rank = 2, .size = {2, 3}},
     "a PNG can hold uint8 or uint16, not dtype '<f4'"},
    {{.dtype = DTYPE("'|i1'", '|', 'i', 1), .rank = 2, .size = {2, 3}}, "not dtype '|i1'"},
    {{.dtype = U1, .rank = 0}, "1 to 4 channels, not shape ()"},
    {{.dtype = U1, .rank = 1, .size = {9}}, "not shape (9,)"},
    {{.dtype = U1, .rank = 3, .size = {2, 3, 5}}, "not shape (2, 3, 5)"},
    {{.dtype = U1, .rank = 3, .size = {2, 3, 0}}, "not shape (2, 3, 0)"},
    {{.dtype = U1, .rank = 4, .size = {1, 2, 3, 4}}, "not shape (1, 2, 3, 4)"},
    {{.dtype = U1, .rank = 2, .size = {0, 3}},
     "shape (0, 3) is empty, and a PNG has at least one pixel"},
    {{.dtype = U1, .rank = 3, .size = {3, 0, 1}}, "is empty"},
    {{.dtype = U1, .rank = 2, .size = {1, 2147483648}},
     "exceeds a PNG's limit of 2147483647 pixels a side"},
};

START_TEST(what_a_png_cannot_be_is_refused)
{
    struct problem problem = {0};

    if (!writable[_i].message) {
        ck_assert(png_file_accepts(&writable[_i].array, "x.png", &problem));
        return;
    }
    ck_assert(!png_file_accepts(&writable[_i].array, "x.png", &problem));
    ck_assert_msg(strstr(problem.text, writable[_i].message) != NULL, "%s", problem.text);
    ck_assert(!write_png(&writable[_i].array, &problem));
    ck_assert_msg(strstr(problem.text, writable[_i].message) != NULL, "%s", problem.text);
    ck_assert_int_ne(access("x.png", F_OK), 0);
}
END_TEST

static size_t load(unsigned char *bytes, size_t most)
{
    FILE *file = fopen("x.png", "rb");
    size_t length = fread(bytes, 1, most, file);

    fclose(file);
    return length;
}

static void store(const unsigned char *bytes, size_t length)
{
    FILE *file = fopen("x.png", "wb");

    ck_assert_uint_eq(fwrite(bytes, 1, length, file), length);
    ck_assert_int_eq(fclose(file), 0);
}

static void assert_unreadable(const char *message)
{
    struct problem problem = {0};
    struct array array;

    ck_assert(!array_file_read("x.png", &array, &problem));
    ck_assert_msg(strstr(problem.text, message) && strstr(problem.text, "x.png"), "%s",
                  problem.text);
    ck_assert(!array.data && !array.allocation);
}

START_TEST(every_truncation_is_refused)
{
    unsigned char bytes[4096];
    size_t length;

    make("x.png", &kinds[13], 5, 6, _i);
    length = load(bytes, sizeof bytes);
    for (size_t cut = 0; cut < length; ++cut) {
        store(bytes, cut);
        assert_unreadable(cut < 8 ? "is not a PNG file" : "damaged PNG: ");
    }
}
END_TEST

/* Gives every chunk the CRC of what it now holds. */
static void repair(unsigned char *bytes, size_t length)
{
    size_t at = 8;

    while (at + 12 <= length) {
        size_t chunk = (size_t)bytes[at] << 24 | (size_t)bytes[at + 1] << 16 |
                       (size_t)bytes[at + 2] << 8 | bytes[at + 3];
        uLong crc;

        if (chunk > length - at - 12)
            return;
        crc = crc32(0, bytes + at + 4, (uInt)chunk + 4);
        for (size_t i = 0; i < 4; ++i)
            bytes[at + 8 + chunk + i] = (unsigned char)(crc >> (24 - 8 * i));
        at += chunk + 12;
    }
}

START_TEST(random_mutations_never_crash)
{
    unsigned char whole[4096];
    size_t length = 0;

    for (int round = 0; round < 3000; ++round) {
        unsigned char bytes[4096];
        struct problem problem = {0};
        struct array array;

        if (round % 100 == 0) {
            make("x.png", &kinds[(size_t)round / 100 % COUNT_OF(kinds)], 5, 6, round / 100 % 2);
            length = load(whole, sizeof whole);
        }
        memcpy(bytes, whole, length);
        for (unsigned changes = dice_pick(&dice, 3) + 1; changes > 0; --changes)
            bytes[dice_below(&dice, length)] = (unsigned char)dice_pick(&dice, 256);
        if (dice_pick(&dice, 2))
            repair(bytes, length);
        store(bytes, length);
        if (!array_file_read("x.png", &array, &problem))
            ck_assert_ptr_nonnull(strstr(problem.text, "x.png: "));
        array_release(&array);
    }
}
END_TEST

/* A header that claims more than its file can hold. */
START_TEST(absurd_sizes_are_refused)
{
    static const unsigned char sides[][4] = {
        {0, 1, 0, 0}, {0x7F, 0xFF, 0xFF, 0xFF}, {0x80, 0, 0, 0}};
    unsigned char bytes[4096];
    size_t length;

    make("x.png", &kinds[3], 5, 6, PNG_INTERLACE_NONE);
    length = load(bytes, sizeof bytes);
    memcpy(bytes + 16, sides[_i], 4);
    memcpy(bytes + 20, sides[_i], 4);
    repair(bytes, length);
    store(bytes, length);
    /* where size_t has 32 bits, the second is too much for libpng itself */
    assert_unreadable(_i == 0 || (_i == 1 && sizeof(size_t) > 4)
                          ? "too short for the size in its header"
                          : "damaged PNG: ");
}
END_TEST

START_TEST(what_is_no_png_is_refused)
{
    store((const unsigned char *)"\x93NUMPY\x01\x00 and more", 16);
    assert_unreadable("is not a PNG file");
    unlink("x.png");
    assert_unreadable("cannot read x.png: No such file or directory");
    ck_assert_int_eq(mkfifo("x.png", 0666), 0);
    assert_unreadable("cannot read x.png: not a regular file");
    make("X.PNG", &kinds[0], 1, 1, PNG_INTERLACE_NONE);
    ck_assert_int_eq(array_file_format("X.PNG"), ARRAY_FILE_PNG);
}
END_TEST

START_TEST(a_write_that_fails_leaves_the_old_file)
{
    static const uint64_t size[] = {300, 300};
    struct rlimit limit = {.rlim_cur = 8192, .rlim_max = RLIM_INFINITY};
    struct problem problem = {0};
    struct array array;

    store((const unsigned char *)"old", 3);
    fill(&array, (struct dtype)U2, 2, size);
    for (size_t i = 0; i < array.bytes; ++i)
        ((unsigned char *)array.data)[i] = (unsigned char)dice_pick(&dice, 256);
    signal(SIGXFSZ, SIG_IGN);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    ck_assert(!write_png(&array, &problem));
    limit.rlim_cur = RLIM_INFINITY;
    setrlimit(RLIMIT_FSIZE, &limit);
    ck_assert_str_eq(problem.text, "cannot write x.png: File too large");
    assert_unreadable("is not a PNG file");
    array_release(&array);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("png_file");
    TCase *tests = suite_case(suite, "png_file");
    tcase_add_checked_fixture(tests, NULL, leave);
    tcase_add_loop_test(tests, every_kind_is_read, 0, COUNT_OF(kinds));
    tcase_add_loop_test(tests, what_is_written_is_read_back, 0, 3);
    tcase_add_loop_test(tests, what_a_png_cannot_be_is_refused, 0, COUNT_OF(writable));
    tcase_add_loop_test(tests, every_truncation_is_refused, 0, 2);
    tcase_add_test(tests, random_mutations_never_crash);
    tcase_add_loop_test(tests, absurd_sizes_are_refused, 0, 3);
    tcase_add_test(tests, what_is_no_png_is_refused);
    tcase_add_test(tests, a_write_that_fails_leaves_the_old_file);
    return suite_run(suite);
}
