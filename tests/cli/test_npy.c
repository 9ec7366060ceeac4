/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/formats/array.h"
#include "cli/formats/array_file.h"
#include "cli/formats/npy.h"
#include "conformance/problem.h"
#include "support/suite.h"

/* What NumPy 2.4's write_array_header_1_0 writes: total bytes, and the text before the padding. */
static const struct {
    const char *descr;
    uint32_t rank;
    uint64_t size[8];
    size_t total;
    const char *text;
} golden[] = {
    {"<f4", 0, {0}, 128, "{'descr': '<f4', 'fortran_order': False, 'shape': (), }"},
    {"|b1", 1, {3}, 128, "{'descr': '|b1', 'fortran_order': False, 'shape': (3,), }"},
    {"<f8", 2, {2, 3}, 128, "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }"},
    {"|u1", 2, {0, 5}, 128, "{'descr': '|u1', 'fortran_order': False, 'shape': (0, 5), }"},
    {"<i8",
     8,
     {1, 2, 3, 4, 5, 6, 7, 8},
     128,
     "{'descr': '<i8', 'fortran_order': False, 'shape': (1, 2, 3, 4, 5, 6, 7, 8), }"},
    {"<u2",
     1,
     {4294967295},
     128,
     "{'descr': '<u2', 'fortran_order': False, 'shape': (4294967295,), }"},
    {"<f2",
     7,
     {1000000, 1, 1, 1, 1, 1, 1},
     128,
     "{'descr': '<f2', 'fortran_order': False, 'shape': (1000000, 1, 1, 1, 1, 1, 1), }"},
    {"<i4",
     8,
     {4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295,
      4294967295},
     192,
     "{'descr': '<i4', 'fortran_order': False, 'shape': (4294967295, 4294967295, 4294967295, "
     "4294967295, 4294967295, 4294967295, 4294967295, 4294967295), }"},
    {"<u8",
     8,
     {0, 0, 0, 0, 0, 0, 0, 0},
     128,
     "{'descr': '<u8', 'fortran_order': False, 'shape': (0, 0, 0, 0, 0, 0, 0, 0), }"},
    {"<i2",
     4,
     {10, 100, 1000, 10000},
     128,
     "{'descr': '<i2', 'fortran_order': False, 'shape': (10, 100, 1000, 10000), }"},
    {"<f4",
     6,
     {100000, 100000, 100000, 100000, 100000, 10001},
     128,
     "{'descr': '<f4', 'fortran_order': False, 'shape': (100000, 100000, 100000, 100000, 100000, "
     "10001), }"},
    {"<f4",
     6,
     {100000, 100000, 100000, 100000, 100000, 100000},
     128,
     "{'descr': '<f4', 'fortran_order': False, 'shape': (100000, 100000, 100000, 100000, 100000, "
     "100000), }"},
    {"<f4",
     6,
     {1000000, 1000000, 100001, 100001, 100001, 100001},
     192,
     "{'descr': '<f4', 'fortran_order': False, 'shape': (1000000, 1000000, 100001, 100001, 100001, "
     "100001), }"},
    {"<f4",
     6,
     {1000000, 1000000, 1000000, 100001, 100001, 100001},
     192,
     "{'descr': '<f4', 'fortran_order': False, 'shape': (1000000, 1000000, 1000000, 100001, "
     "100001, 100001), }"},
    {"<f4",
     6,
     {1000000, 1000000, 1000000, 1000000, 100001, 100001},
     192,
     "{'descr': '<f4', 'fortran_order': False, 'shape': (1000000, 1000000, 1000000, 1000000, "
     "100001, 100001), }"},
};

static const struct {
    const char *descr;
    uint32_t data_type;
    uint32_t element_size;
    const char *written; /* back, NumPy's spelling */
} types[] = {
    {"|b1", ARRAY_UINT8, 1, "|b1"},   {"|u1", ARRAY_UINT8, 1, "|u1"},
    {"|i1", ARRAY_INT8, 1, "|i1"},    {"<u2", ARRAY_UINT16, 2, "<u2"},
    {"<i2", ARRAY_INT16, 2, "<i2"},   {"<f2", ARRAY_FLOAT16, 2, "<f2"},
    {"<u4", ARRAY_UINT32, 4, "<u4"},  {"<i4", ARRAY_INT32, 4, "<i4"},
    {"<f4", ARRAY_FLOAT32, 4, "<f4"}, {"<u8", ARRAY_UINT64, 8, "<u8"},
    {"<i8", ARRAY_INT64, 8, "<i8"},   {"<f8", ARRAY_FLOAT64, 8, "<f8"},
    {"=f4", ARRAY_FLOAT32, 4, "<f4"}, {"f8", ARRAY_FLOAT64, 8, "<f8"},
    {"<u1", ARRAY_UINT8, 1, "|u1"},   {">i1", ARRAY_INT8, 1, "|i1"},
};

static const struct {
    const char *descr; /* with its quotes or brackets */
    const char *message;
} refused_types[] = {
    {"'>f4'", "dtype '>f4' is big-endian; save x.astype('<f4')"},
    {"'>u2'", "dtype '>u2' is big-endian; save x.astype('<u2')"},
    {"'<c8'", "dtype '<c8' is complex; save its parts"},
    {"'>c16'", "is complex"},
    {"'|O'", "dtype '|O' holds Python objects (a pickle)"},
    {"'<U5'", "dtype '<U5' holds strings"},
    {"'|S3'", "dtype '|S3' holds strings"},
    {"'<M8[ns]'", "dtype '<M8[ns]' holds dates"},
    {"'<m8[s]'", "dtype '<m8[s]' holds time spans"},
    {"'|V4'", "dtype '|V4' holds raw bytes"},
    {"'<f16'", "dtype '<f16' is a float of a width that cannot be sliced; save x.astype('<f8')"},
    {"'<i16'", "dtype '<i16' is unknown"},
    {"'<f44'", "dtype '<f44' is a float of a width"},
    {"'float32'", "dtype 'float32' is unknown; save x.astype('<f4')"},
    {"''", "dtype '' is unknown"},
    {"'<'", "dtype '<' is unknown"},
    {"'<<f4'", "dtype '<<f4' is unknown"},
    {"'|b2'", "dtype '|b2' is unknown"},
    {"[('a', '<f4'), ('b', '<i4')]", "dtype [('a', '<f4'), ('b', '<i4')], 'f... is structured"},
    {"('<f4', (2,))", "is structured; save one field: x['name']"},
    {"'f\\x34'", "damaged .npy header: a dtype string expected"},
    {"'<f4", "damaged .npy header"},
    {"4", "a dtype string expected at character 11, found '4"},
    {"None", "a dtype string expected"},
};

static const struct {
    const char *dict;
    const char *message; /* NULL: it is read, as shape (2, 3) of '<f4' */
} dicts[] = {
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }\n", NULL},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)}", NULL},
    {"{'shape':(2,3),'fortran_order':False,'descr':'<f4'}", NULL},
    {"\t{ \"shape\" :\n( 2 ,\r3 , ) , 'descr' : \"<f4\" ,\f'fortran_order' : False , } \n \n",
     NULL},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (2L, 3L), }", NULL},
    {"", "a dict expected at character 1"},
    {"[1]", "a dict expected at character 1, found '[1]'"},
    {"{", "the key 'descr', 'fortran_order' or 'shape' expected"},
    {"{}", "the key 'descr' is missing"},
    {"{'descr': '<f4', 'shape': (2, 3)}", "the key 'fortran_order' is missing"},
    {"{'descr': '<f4', 'fortran_order': False}", "the key 'shape' is missing"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), 'shape': (2, 3)}",
     "the key 'shape' is there twice"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), 'x': 1}",
     "or 'shape' expected at character 59, found ''x': 1}'"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)} x",
     "the end of the header expected"},
    {"{'descr': '<f4' 'fortran_order': False, 'shape': (2, 3)}", "',' or '}' expected"},
    {"{'descr' '<f4', 'fortran_order': False, 'shape': (2, 3)}", "':' expected"},
    {"{descr: '<f4', 'fortran_order': False, 'shape': (2, 3)}", "the key"},
    {"{,'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)}", "the key"},
    {"{'descr': '<f4', 'fortran_order': 0, 'shape': (2, 3)}", "True or False expected"},
    {"{'descr': '<f4', 'fortran_order': None, 'shape': (2, 3)}", "True or False expected"},
    {"{'descr': '<f4', 'fortran_order': Falsey, 'shape': (2, 3)}", "',' or '}' expected"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': [2, 3]}", "a tuple of sizes expected"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': 6}", "a tuple of sizes expected"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (6)}", "(n,) rather than (n)"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (,)}", "a size expected"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (2,,3)}", "a size expected"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (2 3)}", "',' or ')' expected"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3", "',' or ')' expected"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (2.0, 3)}", "',' or ')' expected"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (-2, 3)}",
     "a size that is not negative expected at character 52, found '-2, 3)}'"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296,)}",
     "size 4294967296 of dimension 0 exceeds 4294967295"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (0, 18446744073709551615)}",
     "size 18446744073709551615 of dimension 1 exceeds 4294967295"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (18446744073709551616,)}",
     "a size of at most 4294967295 expected"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (65536, 65536)}",
     "shape (65536, 65536) has more than 4294967295 elements"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (4294967295, 4294967295, 4294967295)}",
     "has more than 4294967295 elements"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,1)}",
     "has 9 dimensions, at most 8"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 4)}",
     "shape (2, 4) of dtype '<f4' needs 32 bytes of data, there are 24"},
    {"{'descr': '<f8', 'fortran_order': False, 'shape': (4294967295,)}",
     "needs 34359738360 bytes of data, there are 24"},
};

static char folder[32];

static void enter(void)
{
    strcpy(folder, "test_npy.XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    ck_assert_int_eq(chdir(folder), 0);
}

static void leave(void)
{
    unlink("x.npy");
    unlink("X.NPY");
    rmdir("d.npy");
    ck_assert_int_eq(chdir(".."), 0);
    rmdir(folder);
}

static void write_file(const char *path, const void *bytes, size_t length)
{
    FILE *file = fopen(path, "wb");

    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(bytes, 1, length, file), length);
    ck_assert_int_eq(fclose(file), 0);
}

/* The bytes of a file: version, dict as it is, data 0, 1, 2, ...; returns their number. */
static size_t make(unsigned char *file, unsigned version, const char *dict, size_t data_bytes)
{
    size_t length = strlen(dict);
    size_t prefix = version == 1 ? 10 : 12;

    memcpy(file, "\x93NUMPY", 6);
    file[6] = (unsigned char)version;
    file[7] = 0;
    for (size_t i = 8; i < prefix; i++)
        file[i] = (unsigned char)(length >> 8 * (i - 8));
    memcpy(file + prefix, dict, length);
    for (size_t i = 0; i < data_bytes; i++)
        file[prefix + length + i] = (unsigned char)i;
    return prefix + length + data_bytes;
}

static bool read_made(unsigned version, const char *dict, size_t data_bytes, struct array *array,
                      struct problem *problem)
{
    unsigned char file[1024];

    write_file("x.npy", file, make(file, version, dict, data_bytes));
    return array_file_read("x.npy", array, problem);
}

/* Reading these bytes must fail, and say why in one line that names the file. */
static void assert_refused(const void *bytes, size_t length, const char *message)
{
    struct problem problem = {0};
    struct array array;

    write_file("x.npy", bytes, length);
    ck_assert(!array_file_read("x.npy", &array, &problem));
    ck_assert_msg(strstr(problem.text, message) && strstr(problem.text, "x.npy"), "%s",
                  problem.text);
    ck_assert(!array.mapping && !array.allocation && !array.data);
}

/* A number below a limit; the same ones in every run. */
static unsigned pick(size_t limit)
{
    static uint64_t state = 1;

    state = state * 6364136223846793005U + 1442695040888963407U;
    return (unsigned)((state >> 33) % limit);
}

START_TEST(headers_are_numpys)
{
    unsigned char header[NPY_HEADER_MAX];
    size_t text = strlen(golden[_i].text);
    size_t total = npy_header(header, golden[_i].descr, golden[_i].rank, golden[_i].size);

    ck_assert_uint_eq(total, golden[_i].total);
    ck_assert_uint_eq(total % 64, 0);
    ck_assert_mem_eq(header, "\x93NUMPY\x01\x00", 8);
    ck_assert_uint_eq(header[8] + 256U * header[9], total - 10);
    ck_assert_mem_eq(header + 10, golden[_i].text, text);
    for (size_t i = 10 + text; i < total - 1; i++)
        ck_assert_uint_eq(header[i], ' ');
    ck_assert_uint_eq(header[total - 1], '\n');
}
END_TEST

START_TEST(the_longest_header_fits)
{
    static const uint64_t size[8] = {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX,
                                     UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX};
    unsigned char header[NPY_HEADER_MAX];

    ck_assert_uint_le(npy_header(header, "0123456789abcdef", 8, size), sizeof header);
}
END_TEST

START_TEST(written_headers_are_read)
{
    unsigned char file[NPY_HEADER_MAX + 24];
    static const uint64_t size[] = {2, 3, 1};
    struct problem problem = {0};
    struct array array;
    size_t length = npy_header(file, "<f4", 3, size);

    memset(file + length, 7, 24);
    write_file("x.npy", file, length + 24);
    ck_assert_msg(array_file_read("x.npy", &array, &problem), "%s", problem.text);
    ck_assert_uint_eq(array.rank, 3);
    ck_assert_mem_eq(array.size, size, sizeof size);
    ck_assert_mem_eq(array.data, file + length, 24);
    ck_assert_uint_eq((uintptr_t)array.data % 64, 0);
    array_release(&array);
}
END_TEST

START_TEST(types_are_read)
{
    char dict[128];
    struct problem problem = {0};
    struct array array;

    snprintf(dict, sizeof dict, "{'descr': '%s', 'fortran_order': False, 'shape': (3,), }",
             types[_i].descr);
    ck_assert_msg(read_made(1, dict, (size_t)3 * types[_i].element_size, &array, &problem), "%s",
                  problem.text);
    ck_assert_uint_eq(array.data_type, types[_i].data_type);
    ck_assert_uint_eq(array.element_size, types[_i].element_size);
    ck_assert_uint_eq(array.bytes, (size_t)3 * types[_i].element_size);
    ck_assert_str_eq(array.descr, types[_i].written);
    array_release(&array);
    ck_assert(!array.mapping && !array.data);
    array_release(&array);
    array_release(NULL);
}
END_TEST

START_TEST(other_types_are_refused)
{
    unsigned char file[512];
    char dict[128];

    snprintf(dict, sizeof dict, "{'descr': %s, 'fortran_order': False, 'shape': (3,), }",
             refused_types[_i].descr);
    assert_refused(file, make(file, 1, dict, 96), refused_types[_i].message);
}
END_TEST

START_TEST(dicts_are_judged)
{
    unsigned char file[512];
    struct problem problem = {0};
    struct array array;

    if (dicts[_i].message) {
        assert_refused(file, make(file, 1, dicts[_i].dict, 24), dicts[_i].message);
        return;
    }
    for (unsigned version = 1; version <= 3; version++) {
        ck_assert_msg(read_made(version, dicts[_i].dict, 24, &array, &problem), "%s", problem.text);
        ck_assert(array.rank == 2 && array.size[0] == 2 && array.size[1] == 3);
        ck_assert(array.stride[0] == 3 && array.stride[1] == 1);
        ck_assert_uint_eq(((unsigned char *)array.data)[23], 23);
        array_release(&array);
    }
}
END_TEST

START_TEST(fortran_order_is_other_strides)
{
    struct problem problem = {0};
    struct array array;

    ck_assert_msg(read_made(1, "{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3, 4)}", 24,
                            &array, &problem),
                  "%s", problem.text);
    ck_assert(array.stride[0] == 1 && array.stride[1] == 2 && array.stride[2] == 6);
    ck_assert(array.size[0] == 2 && array.size[1] == 3 && array.size[2] == 4);
    array_release(&array);
}
END_TEST

START_TEST(zero_dimensions_hold_one_element)
{
    struct problem problem = {0};
    struct array array;

    ck_assert_msg(read_made(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (), }", 8, &array,
                            &problem),
                  "%s", problem.text);
    ck_assert(array.rank == 0 && array.bytes == 8 && array.data);
    array_release(&array);
    assert_refused("", 0, "is empty, not a .npy file");
}
END_TEST

START_TEST(empty_arrays_have_no_data)
{
    static const char *shapes[] = {"(0,)", "(3, 0, 2)", "(4294967295, 4294967295, 4294967295, 0)"};
    char dict[128];
    struct problem problem = {0};
    struct array array;

    snprintf(dict, sizeof dict, "{'descr': '<f8', 'fortran_order': True, 'shape': %s, }",
             shapes[_i]);
    ck_assert_msg(read_made(1, dict, 0, &array, &problem), "%s", problem.text);
    ck_assert(array.bytes == 0 && !array.data && array.rank > 0 && array.stride[0] == 0);
    array_release(&array);
}
END_TEST

START_TEST(bytes_after_the_data_are_ignored)
{
    struct problem problem = {0};
    struct array array;

    ck_assert_msg(read_made(1, dicts[0].dict, 100, &array, &problem), "%s", problem.text);
    ck_assert_uint_eq(array.bytes, 24);
    array_release(&array);
}
END_TEST

START_TEST(long_headers_of_version_2_are_read)
{
    size_t padding = 70000;
    unsigned char *file = malloc(padding + 200);
    char *dict = malloc(padding + 100);
    struct problem problem = {0};
    struct array array;

    sprintf(dict, "%s%*s", dicts[1].dict, (int)padding, "\n");
    write_file("x.npy", file, make(file, 2, dict, 24));
    ck_assert_msg(array_file_read("x.npy", &array, &problem), "%s", problem.text);
    ck_assert_uint_eq(((unsigned char *)array.data)[1], 1);
    array_release(&array);
    free(dict);
    free(file);
}
END_TEST

START_TEST(damage_before_the_dict_is_named)
{
    unsigned char file[512];
    size_t length = make(file, 1, dicts[0].dict, 24);

    file[0] = 'P';
    assert_refused(file, length, "is not a .npy file");
    file[0] = 0x93;
    file[6] = 4;
    assert_refused(file, length, ".npy version 4.0 is unknown");
    file[6] = 0;
    assert_refused(file, length, ".npy version 0.0 is unknown");
    file[6] = 1;
    file[7] = 1;
    assert_refused(file, length, ".npy version 1.1 is unknown");
    file[7] = 0;
    file[9] = 0xFF;
    assert_refused(file, length, "is cut short: a header of 65340 bytes from byte 10 exceeds");
    memset(file + 8, 0xFF, 4);
    file[6] = 2;
    assert_refused(file, length, "a header of 4294967295 bytes from byte 12 exceeds");
}
END_TEST

START_TEST(every_truncation_is_refused)
{
    unsigned char file[512];
    unsigned version = (unsigned)_i;
    size_t length = make(file, version, dicts[0].dict, 24);

    for (size_t cut = 0; cut < length; cut++)
        assert_refused(file, cut, ": is ");
}
END_TEST

START_TEST(random_mutations_never_crash)
{
    unsigned char whole[512];
    size_t length = make(whole, 1, dicts[0].dict, 24);
    unsigned read = 0;

    for (int round = 0; round < 4000; round++) {
        unsigned char file[512];
        struct problem problem = {0};
        struct array array;

        memcpy(file, whole, length);
        for (unsigned changes = pick(4) + 1; changes > 0; changes--) {
            unsigned char *at = file + 6 + pick(length - 30);

            *at = pick(2) ? (unsigned char)pick(256) : file[10 + pick(length - 34)];
        }
        write_file("x.npy", file, length);
        if (array_file_read("x.npy", &array, &problem)) {
            ck_assert_uint_le(array.bytes, 24 + 60);
            read++;
        } else {
            ck_assert_uint_gt(strlen(problem.text), 10);
            ck_assert_ptr_null(strchr(problem.text, '\n'));
        }
        array_release(&array);
    }
    ck_assert_uint_gt(read, 0);
}
END_TEST

START_TEST(names_choose_the_format)
{
    struct problem problem = {0};
    unsigned char file[512];
    struct array array;

    write_file("X.NPY", file, make(file, 1, dicts[0].dict, 24));
    ck_assert_msg(array_file_read("X.NPY", &array, &problem), "%s", problem.text);
    array_release(&array);
    ck_assert(!array_file_read("x.jpg", &array, &problem));
    ck_assert_str_eq(problem.text,
                     "x.jpg: the name must end in .npy or .png, the formats that can be read");
    ck_assert(!array_file_read("npy", &array, &problem));
    ck_assert(!array_file_read("", &array, &problem));
}
END_TEST

START_TEST(what_is_no_file_is_refused)
{
    struct problem problem = {0};
    struct array array;

    ck_assert(!array_file_read("missing.npy", &array, &problem));
    ck_assert_str_eq(problem.text, "cannot read missing.npy: No such file or directory");
    ck_assert_int_eq(mkdir("d.npy", 0777), 0);
    ck_assert(!array_file_read("d.npy", &array, &problem));
    ck_assert_ptr_nonnull(strstr(problem.text, "cannot read d.npy: not a regular file"));
    ck_assert_int_eq(mkfifo("x.npy", 0666), 0);
    ck_assert(!array_file_read("x.npy", &array, &problem));
    ck_assert_ptr_nonnull(strstr(problem.text, "cannot read x.npy: not a regular file"));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("npy");
    TCase *tests = suite_case(suite, "npy");
    tcase_add_checked_fixture(tests, enter, leave);
    tcase_add_loop_test(tests, headers_are_numpys, 0, COUNT_OF(golden));
    tcase_add_test(tests, the_longest_header_fits);
    tcase_add_test(tests, written_headers_are_read);
    tcase_add_loop_test(tests, types_are_read, 0, COUNT_OF(types));
    tcase_add_loop_test(tests, other_types_are_refused, 0, COUNT_OF(refused_types));
    tcase_add_loop_test(tests, dicts_are_judged, 0, COUNT_OF(dicts));
    tcase_add_test(tests, fortran_order_is_other_strides);
    tcase_add_test(tests, zero_dimensions_hold_one_element);
    tcase_add_loop_test(tests, empty_arrays_have_no_data, 0, 3);
    tcase_add_test(tests, bytes_after_the_data_are_ignored);
    tcase_add_test(tests, long_headers_of_version_2_are_read);
    tcase_add_test(tests, damage_before_the_dict_is_named);
    tcase_add_loop_test(tests, every_truncation_is_refused, 1, 4);
    tcase_add_test(tests, random_mutations_never_crash);
    tcase_add_test(tests, names_choose_the_format);
    tcase_add_test(tests, what_is_no_file_is_refused);
    return suite_run(suite);
}
