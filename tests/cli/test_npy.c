/* SPDX-License-Identifier: MIT */
#include "cli/formats/array_file.h"
#include "cli/formats/npy.h"
#include "conformance/problem.h"
#include "npy_files.h"
#include "support/dice.h"
#include "support/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What NumPy 2.4's write_array_header_1_0 writes: its dtype, total bytes, and shape. */
static const struct {
    const char *descr;
    size_t total;
    const char *shape;
} golden[] = {
    {"'<f4'", 128, "()"},
    {"'|b1'", 128, "(3,)"},
    {"'<f8'", 128, "(2, 3)"},
    {"'|u1'", 128, "(0, 5)"},
    {"'<i8'", 128, "(1, 2, 3, 4, 5, 6, 7, 8)"},
    {"'<u2'", 128, "(4294967295,)"},
    {"'<f2'", 128, "(1000000, 1, 1, 1, 1, 1, 1)"},
    {"'<i4'", 192,
     "(4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, 4294967295, "
     "4294967295)"},
    {"'<u8'", 128, "(0, 0, 0, 0, 0, 0, 0, 0)"},
    {"'<i2'", 128, "(10, 100, 1000, 10000)"},
    {"'<f4'", 128, "(100000, 100000, 100000, 100000, 100000, 10001)"},
    {"'<f4'", 128, "(100000, 100000, 100000, 100000, 100000, 100000)"},
    {"'<f4'", 192, "(1000000, 1000000, 100001, 100001, 100001, 100001)"},
    {"'<f4'", 192, "(1000000, 1000000, 1000000, 100001, 100001, 100001)"},
    {"'<f4'", 192, "(1000000, 1000000, 1000000, 1000000, 100001, 100001)"},
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
     "the key 'shape' appears twice"},
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

static struct dice dice = {1};

/* The numbers of a tuple; returns how many. */
static uint32_t sizes_of(const char *shape, uint64_t size[8])
{
    uint32_t rank = 0;
    char *end;

    for (const char *at = shape + 1; *at != ')'; at = end + strspn(end, ", "))
        size[rank++] = strtoull(at, &end, 10);
    return rank;
}

START_TEST(headers_are_numpys)
{
    char wanted[256];
    uint64_t size[8];
    uint32_t rank = sizes_of(golden[_i].shape, size);
    struct dtype dtype = dtype_of(golden[_i].descr);
    size_t total;
    unsigned char *header = npy_header_create(&dtype, rank, size, &total);
    int text =
        snprintf(wanted, sizeof wanted, "{'descr': %s, 'fortran_order': False, 'shape': %s, }",
                 golden[_i].descr, golden[_i].shape);

    ck_assert_ptr_nonnull(header);
    ck_assert_uint_eq(total, golden[_i].total);
    ck_assert_uint_eq(total % 64, 0);
    ck_assert_mem_eq(header, "\x93NUMPY\x01\x00", 8);
    ck_assert_uint_eq(header[8] + 256U * header[9], total - 10);
    ck_assert_mem_eq(header + 10, wanted, (size_t)text);
    for (size_t i = 10 + (size_t)text; i < total - 1; ++i)
        ck_assert_uint_eq(header[i], ' ');
    ck_assert_uint_eq(header[total - 1], '\n');
    free(header);
}
END_TEST

START_TEST(the_longest_shape_fits)
{
    static const uint64_t size[8] = {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX,
                                     UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX};
    struct dtype dtype = dtype_of("'<f4'");
    size_t total;
    unsigned char *header = npy_header_create(&dtype, 8, size, &total);

    ck_assert_uint_eq(total, 256);
    ck_assert_mem_eq(header + 10 + 205, "18446744073709551615), }", 24);
    free(header);
}
END_TEST

/* What NumPy 2.4 writes for a dtype of so many bytes, around the length that two bytes can tell. */
START_TEST(headers_beyond_version_1_are_version_2)
{
    static const struct {
        size_t descr;
        unsigned version;
        size_t total;
    } lengths[] = {
        {65388, 1, 65472}, {65389, 1, 65536},  {65452, 1, 65536},
        {65453, 2, 65600}, {99999, 2, 100096},
    };
    static const uint64_t size[] = {3};
    char *descr = malloc(lengths[_i].descr);
    struct dtype dtype = {.descr = descr, .length = lengths[_i].descr};
    unsigned char *header;
    size_t total;
    size_t prefix;

    memset(descr, 'x', lengths[_i].descr);
    header = npy_header_create(&dtype, 1, size, &total);
    prefix = header[6] == 1 ? 10 : 12;
    ck_assert_uint_eq(header[6], lengths[_i].version);
    ck_assert_uint_eq(total, lengths[_i].total);
    ck_assert_uint_eq(header[8] + 256U * header[9] + (prefix == 12 ? 65536U * header[10] : 0),
                      total - prefix);
    ck_assert_mem_eq(header + prefix, "{'descr': xxx", 13);
    ck_assert_uint_eq(header[total - 1], '\n');
    free(header);
    free(descr);
}
END_TEST

START_TEST(written_headers_are_read)
{
    unsigned char file[512];
    static const uint64_t size[] = {2, 3, 1};
    struct array array;
    struct dtype dtype = dtype_of("'<f4'");
    size_t length;
    unsigned char *header = npy_header_create(&dtype, 3, size, &length);

    memcpy(file, header, length);
    free(header);
    memset(file + length, 7, 24);
    write_file("x.npy", file, length + 24);
    array = read_well("x.npy");
    ck_assert_uint_eq(array.rank, 3);
    ck_assert_mem_eq(array.size, size, sizeof size);
    ck_assert_mem_eq(array.data, file + length, 24);
    ck_assert_uint_eq((uintptr_t)array.data % 64, 0);
    array_release(&array);
}
END_TEST

START_TEST(dicts_are_judged)
{
    if (dicts[_i].message) {
        assert_dict_refused(dicts[_i].dict, 24, dicts[_i].message);
        return;
    }
    for (unsigned version = 1; version <= 3; ++version) {
        struct array array = read_made(version, dicts[_i].dict, 24);

        ck_assert(array.rank == 2 && array.size[0] == 2 && array.size[1] == 3);
        ck_assert(array.stride[0] == 3 && array.stride[1] == 1);
        ck_assert_uint_eq(((unsigned char *)array.data)[23], 23);
        array_release(&array);
    }
}
END_TEST

START_TEST(fortran_order_is_other_strides)
{
    struct array array =
        read_made(1, "{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3, 4)}", 24);

    ck_assert(array.stride[0] == 1 && array.stride[1] == 2 && array.stride[2] == 6);
    ck_assert(array.size[0] == 2 && array.size[1] == 3 && array.size[2] == 4);
    array_release(&array);
}
END_TEST

START_TEST(zero_dimensions_hold_one_element)
{
    struct array array = read_made(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (), }", 8);

    ck_assert(array.rank == 0 && array.bytes == 8 && array.data);
    array_release(&array);
    assert_refused("", 0, "is empty, not a .npy file");
}
END_TEST

START_TEST(empty_arrays_have_no_data)
{
    static const char *shapes[] = {"(0,)", "(3, 0, 2)", "(4294967295, 4294967295, 4294967295, 0)"};
    char dict[128];
    struct array array;

    snprintf(dict, sizeof dict, "{'descr': '<f8', 'fortran_order': True, 'shape': %s, }",
             shapes[_i]);
    array = read_made(1, dict, 0);
    ck_assert(array.bytes == 0 && !array.data && array.rank > 0 && array.stride[0] == 0);
    array_release(&array);
}
END_TEST

START_TEST(bytes_after_the_data_are_ignored)
{
    struct array array = read_made(1, dicts[0].dict, 100);

    ck_assert_uint_eq(array.bytes, 24);
    array_release(&array);
}
END_TEST

START_TEST(long_headers_of_version_2_are_read)
{
    size_t padding = 70000;
    unsigned char *file = malloc(padding + 200);
    char *dict = malloc(padding + 100);
    struct array array;

    sprintf(dict, "%s%*s", dicts[1].dict, (int)padding, "\n");
    write_file("x.npy", file, make(file, 2, dict, 24));
    array = read_well("x.npy");
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
    assert_refused(file, length, "is truncated: a header of 65340 bytes from byte 10 exceeds");
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

    for (size_t cut = 0; cut < length; ++cut)
        assert_refused(file, cut, ": is ");
}
END_TEST

START_TEST(random_mutations_never_crash)
{
    static const char *const starts[] = {
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }\n",
        "{'descr': [('a', '<f4'), (('t', 'b'), [('c', '<i2', (2,))], (1, 1)), ('', '|V4')], "
        "'fortran_order': False, 'shape': (2,), }\n"};
    unsigned char whole[512];
    size_t length = make(whole, 1, starts[_i], 24);
    unsigned read = 0;

    for (int round = 0; round < 4000; ++round) {
        unsigned char file[512];
        struct problem problem = {0};
        struct array array;

        memcpy(file, whole, length);
        for (unsigned changes = dice_pick(&dice, 4) + 1; changes > 0; --changes) {
            unsigned char *at = file + 6 + dice_below(&dice, length - 30);

            *at = dice_pick(&dice, 2) ? (unsigned char)dice_pick(&dice, 256)
                                      : file[10 + dice_below(&dice, length - 34)];
        }
        write_file("x.npy", file, length);
        if (array_file_read("x.npy", &array, &problem)) {
            ck_assert_uint_le(array.bytes, 24 + 60);
            ++read;
        } else {
            ck_assert_uint_gt(strlen(problem.text), 10);
            ck_assert_ptr_null(strchr(problem.text, '\n'));
        }
        array_release(&array);
    }
    ck_assert_uint_gt(read, 0);
}
END_TEST

/* Where the data are mapped, they are gone with the file. */
/* Reading it ended the process. */
START_TEST(a_dtype_outlives_its_file)
{
    struct problem problem = {0};
    unsigned char file[512];
    struct array array;
    char text[DTYPE_TEXT_SIZE];

    write_file("x.npy", file, make(file, 1, dicts[0].dict, 24));
    ck_assert_msg(array_file_read("x.npy", &array, &problem), "%s", problem.text);
    ck_assert_int_eq(truncate("x.npy", 0), 0);
    dtype_text(&array.dtype, text);
    ck_assert_str_eq(text, "'<f4'");
    array_release(&array);
}
END_TEST

START_TEST(a_copy_outlives_its_file)
{
    struct problem problem = {0};
    unsigned char file[512];
    struct array array;
    size_t length = make(file, 1, dicts[0].dict, 24);

    write_file("x.npy", file, length);
    ck_assert_msg(array_file_copy("x.npy", &array, &problem), "%s", problem.text);
    ck_assert_int_eq(truncate("x.npy", 0), 0);
    ck_assert_mem_eq(array.data, file + length - 24, 24);
    array_release(&array);
    ck_assert(!array_file_copy("x.npy", &array, &problem));
    ck_assert_ptr_nonnull(strstr(problem.text, "x.npy: is empty"));
}
END_TEST

START_TEST(names_choose_the_format)
{
    struct problem problem = {0};
    unsigned char file[512];
    struct array array;

    write_file("X.NPY", file, make(file, 1, dicts[0].dict, 24));
    array = read_well("X.NPY");
    array_release(&array);
    ck_assert(!array_file_read("x.jpg", &array, &problem));
    ck_assert_str_eq(problem.text,
                     "'x.jpg': the name must end in .npy or .png, the formats that can be read");
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
    tcase_add_checked_fixture(tests, NULL, npy_files_remove);
    tcase_add_loop_test(tests, headers_are_numpys, 0, COUNT_OF(golden));
    tcase_add_test(tests, the_longest_shape_fits);
    tcase_add_loop_test(tests, headers_beyond_version_1_are_version_2, 0, 5);
    tcase_add_test(tests, written_headers_are_read);
    tcase_add_loop_test(tests, dicts_are_judged, 0, COUNT_OF(dicts));
    tcase_add_test(tests, fortran_order_is_other_strides);
    tcase_add_test(tests, zero_dimensions_hold_one_element);
    tcase_add_loop_test(tests, empty_arrays_have_no_data, 0, 3);
    tcase_add_test(tests, bytes_after_the_data_are_ignored);
    tcase_add_test(tests, long_headers_of_version_2_are_read);
    tcase_add_test(tests, damage_before_the_dict_is_named);
    tcase_add_loop_test(tests, every_truncation_is_refused, 1, 4);
    tcase_add_loop_test(tests, random_mutations_never_crash, 0, 2);
    tcase_add_test(tests, a_dtype_outlives_its_file);
    tcase_add_test(tests, a_copy_outlives_its_file);
    tcase_add_test(tests, names_choose_the_format);
    tcase_add_test(tests, what_is_no_file_is_refused);
    return suite_run(suite);
}
