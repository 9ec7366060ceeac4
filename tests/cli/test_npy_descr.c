/* SPDX-License-Identifier: MIT */
/* Dtypes in the headers of .npy files. */
#include "cli/formats/array_file.h"
#include "cli/formats/npy.h"
#include "conformance/problem.h"
#include "npy_files.h"
#include "support/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What NumPy 2.4 writes for an array of three: the descr, the version, the bytes of an item and of
 * the header. */
static const struct {
    const char *descr;
    unsigned version;
    uint64_t bytes;
    size_t header;
} numpys[] = {
    {"'<c8'", 1, 8, 128},
    {"'<c16'", 1, 16, 128},
    {"'>c16'", 1, 16, 128},
    {"'>f4'", 1, 4, 128},
    {"'>u2'", 1, 2, 128},
    {"'>i8'", 1, 8, 128},
    {"'<f16'", 1, 16, 128},
    {"'<c32'", 1, 32, 128},
    {"'<M8[ns]'", 1, 8, 128},
    {"'<m8[25s]'", 1, 8, 128},
    {"'<M8'", 1, 8, 128},
    {"'<m8[D]'", 1, 8, 128},
    {"'|S3'", 1, 3, 128},
    {"'|S5'", 1, 5, 128},
    {"'|S6'", 1, 6, 128},
    {"'|S12'", 1, 12, 128},
    {"'|S24'", 1, 24, 128},
    {"'<U5'", 1, 20, 128},
    {"'>U1'", 1, 4, 128},
    {"'|V1'", 1, 1, 128},
    {"'|V7'", 1, 7, 128},
    {"'|V16'", 1, 16, 128},
    {"'|V4096'", 1, 4096, 128},
    {"[('a', '<f4'), ('b', '<i2')]", 1, 6, 128},
    {"[('x', '|u1', (3,))]", 1, 3, 128},
    {"[('r', '|u1'), ('g', '|u1'), ('b', '|u1'), ('c', '<u2', (3, 2))]", 1, 15, 192},
    {"[('a', '|u1'), ('', '|V7'), ('b', '<f8')]", 1, 16, 128},
    {"[('outer', [('in', '<i4'), ('deep', [('z', '>f8', (2,))])], (2, 2)), ('n', '|S5')]", 1, 85,
     192},
    {"[(('a title', 'nm'), '<f8')]", 1, 8, 128},
    {"[(\"it's\", '<i4')]", 1, 4, 128},
    {"[('both\\'\"', '<i4')]", 1, 4, 128},
    {"[(\"(paren) [x], {y}: ''\", '<i4')]", 1, 4, 128},
    {"[('back\\\\slash\\n', '<i2')]", 1, 2, 128},
    {"[('gr\366\337e', '<f4'), ('\377', '<i2')]", 1, 6, 128},
    {"[('\304\261\305\237\304\261k', '<f4')]", 3, 4, 128},
    {"[('\346\270\251\345\272\246', '<f8'), ('\360\237\230\200', '|b1')]", 3, 9, 128},
    {"[('s', '|S0'), ('i', '<i4')]", 1, 4, 128},
    {"[]", 1, 0, 128},
    {"[('', '|V4'), ('a', '<i4'), ('', '|V8'), ('b', '<f4'), ('', '|V12')]", 1, 32, 192},
    {"[('t', '<M8[us]'), ('d', '<m8[h]')]", 1, 16, 128},
    {"[('c', '<c16', (1, 1, 1, 1, 1, 1, 1, 1, 1, 1))]", 1, 16, 192},
};

/* What it does not write, but reads. */
static const struct {
    const char *descr;
    uint64_t bytes;
    char order;
    char kind;
} dtypes[] = {
    {"'|b1'", 1, '|', 'b'},
    {"'|u1'", 1, '|', 'u'},
    {"'<i4'", 4, '<', 'i'},
    {"'=f4'", 4, '=', 'f'},
    {"'f8'", 8, '|', 'f'},
    {"\"<u1\"", 1, '<', 'u'},
    {"'>i1'", 1, '>', 'i'},
    {"'>f12'", 12, '>', 'f'},
    {"'<c24'", 24, '<', 'c'},
    {"'|a7'", 7, '|', 'a'},
    {"'|V0'", 0, '|', 'V'},
    {"'|S2147483647'", 2147483647, '|', 'S'},
    {"[ ( 'a' ,\t'<f4' , 3 , ) , ]", 12, '|', 'V'},
    {"[('a', '<f4', ())]", 4, '|', 'V'},
    {"[('a', '<f4', (4, 0)), ('b', '|u1')]", 1, '|', 'V'},
};

static const struct {
    const char *descr; /* with its quotes or brackets */
    const char *message;
} refused_types[] = {
    {"'|O'", "dtype '|O' holds Python objects (a pickle); save numbers instead"},
    {"'O8'", "dtype 'O8' holds Python objects"},
    {"[('a', '<f4'), ('b', '|O')]", "dtype '|O' holds Python objects"},
    {"'<i16'", "dtype '<i16' is unknown"},
    {"'<f44'", "dtype '<f44' is unknown"},
    {"'<f3'", "dtype '<f3' is unknown"},
    {"'<c4'", "dtype '<c4' is unknown"},
    {"'|T16'", "dtype '|T16' is unknown"},
    {"'float32'", "dtype 'float32' is unknown; save x.astype('<f4')"},
    {"''", "dtype '' is unknown"},
    {"'<'", "dtype '<' is unknown"},
    {"'<<f4'", "dtype '<<f4' is unknown"},
    {"'|b2'", "dtype '|b2' is unknown"},
    {"'|S'", "dtype '|S' is unknown"},
    {"'<f4[ns]'", "dtype '<f4[ns]' is unknown"},
    {"'<M8[ns'", "dtype '<M8[ns' is unknown"},
    {"'<M8ns]'", "dtype '<M8ns]' is unknown"},
    {"'|S2147483648'", "dtype '|S2147483648' is unknown"},
    {"'<U536870912'", "dtype '<U536870912' is unknown"},
    {"'|S99999999999999999999999999'", "is unknown"},
    {"('<f4', (2,))", "damaged .npy header: a dtype expected at character 11, found '('<f4'"},
    {"'f\\x34'", "dtype 'f\\x34' is unknown"},
    {"'<f4", "dtype '<f4, ' is unknown"},
    {"'<f\n4'", "damaged .npy header: a dtype expected"},
    {"4", "a dtype expected at character 11, found '4"},
    {"None", "a dtype expected"},
    {"{'names': ['a'], 'formats': ['<f4']}", "a dtype expected"},
    {"[('a')]", "',' expected"},
    {"['a']", "a field expected"},
    {"[('a', )]", "a dtype expected"},
    {"[('a', '<f4') ('b', '<f4')]", "',' or ']' expected"},
    {"[('a', '<f4', (2)]", "(n,) rather than (n)"},
    {"[('a', '<f4', (2,), 1)]", "')' expected"},
    {"[('a', '<f4', (-2,))]", "a size that is not negative expected"},
    {"[('a', '<f4'", "a size expected"},
    {"[('a', '<f4')", "a field expected"},
    {"[('a', '<f4'}", "')' expected"},
    {"[(1, '<f4')]", "the name of a field expected"},
    {"[(('t' 'a'), '<f4')]", "',' expected"},
    {"[(('t', 'a', 'b'), '<f4')]", "')' expected"},
    {"[('a', '<f4', (65536, 65536))]", "a field of at most 2147483647 bytes"},
    {"[('a', '|S2147483647'), ('b', '|u1')]", "an item of at most 2147483647 bytes"},
    {"[('a', '<f4', (18446744073709551616,))]", "a size of at most"},
};

/* As many elements as make up the item, each as wide as divides it. */
static void assert_parts(const struct array *array, uint64_t bytes)
{
    ck_assert_uint_eq(array->dtype.bytes, bytes);
    ck_assert_uint_eq((uint64_t)array->parts * array->element_size, bytes);
    ck_assert_uint_eq(bytes % array->element_size, 0);
    ck_assert(array->element_size == 8 || bytes % ((uint64_t)array->element_size * 2) != 0);
    ck_assert_uint_eq(array->bytes, 3 * bytes);
    ck_assert_uint_eq(array->stride[0], bytes > 0);
}

START_TEST(numpys_dtypes_are_moved_as_they_are)
{
    static const uint64_t size[] = {3};
    unsigned char *file = malloc(16384);
    char *dict = malloc(512);
    struct array array;
    unsigned char *header;
    size_t length;

    snprintf(dict, 512, "{'descr': %s, 'fortran_order': False, 'shape': (3,), }", numpys[_i].descr);
    length = make(file, numpys[_i].version, dict, (size_t)(3 * numpys[_i].bytes));
    write_file("x.npy", file, length);
    array = read_well("x.npy");
    assert_parts(&array, numpys[_i].bytes);
    header = npy_header_create(&array.dtype, 1, size, &length);
    ck_assert_uint_eq(length, numpys[_i].header);
    ck_assert_uint_eq(header[6], numpys[_i].version);
    ck_assert_mem_eq(header + (header[6] == 1 ? 10 : 12), dict, strlen(dict));
    free(header);
    array_release(&array);
    ck_assert(!array.mapping && !array.data);
    array_release(&array);
    array_release(NULL);
    free(dict);
    free(file);
}
END_TEST

START_TEST(dtypes_are_read)
{
    char dict[128];
    struct array array;

    snprintf(dict, sizeof dict, "{'descr': %s, 'fortran_order': False, 'shape': (0,), }",
             dtypes[_i].descr);
    array = read_made(1, dict, 0);
    ck_assert_uint_eq(array.dtype.bytes, dtypes[_i].bytes);
    ck_assert_int_eq(array.dtype.order, dtypes[_i].order);
    ck_assert_int_eq(array.dtype.kind, dtypes[_i].kind);
    ck_assert_uint_eq(array.dtype.length, strlen(dtypes[_i].descr));
    ck_assert_mem_eq(array.dtype.descr, dtypes[_i].descr, array.dtype.length);
    array_release(&array);
}
END_TEST

START_TEST(dtypes_are_shown_in_utf8)
{
    static const struct {
        const char *descr;
        bool is_utf8;
        const char *text;
    } shown[] = {
        {"'<f4'", false, "'<f4'"},
        {"[\n('\233\177', '<f4')]", false, "[?('?\?', '<f4')]"},
        {"[('gr\366\337e', '<f4')]", false, "[('gr\303\266\303\237e', '<f4')]"},
        {"[('gr\303\266\303\237e', '<f4')]", true, "[('gr\303\266\303\237e', '<f4')]"},
        {"0123456789012345678901234567890123456789012345678901234567\346\270\251", true,
         "0123456789012345678901234567890123456789012345678901234567..."},
        {"012345678901234567890123456789012345678901234567890123456789x", true,
         "012345678901234567890123456789012345678901234567890123456789..."},
    };
    struct dtype dtype = dtype_of(shown[_i].descr);
    char text[DTYPE_TEXT_SIZE];

    dtype.is_utf8 = shown[_i].is_utf8;
    dtype_text(&dtype, text);
    ck_assert_str_eq(text, shown[_i].text);
}
END_TEST

START_TEST(the_longest_text_of_a_dtype_fits)
{
    char descr[200];
    char text[DTYPE_TEXT_SIZE];
    struct dtype dtype = {.descr = descr, .length = sizeof descr};

    memset(descr, 0xFF, sizeof descr);
    dtype_text(&dtype, text);
    ck_assert_uint_eq(strlen(text), 60 * 2 + 3);
    memset(descr, 0x80, sizeof descr);
    dtype.is_utf8 = true;
    dtype_text(&dtype, text);
    ck_assert_str_eq(text, "...");
}
END_TEST

/* 64 levels are read, as many as there need be; more must not cost a stack. */
START_TEST(fields_are_nested_only_so_deep)
{
    enum { LEVELS = 20000, OPEN = sizeof "[('a', " - 1, CLOSE = 2 };
    size_t room = 200 + (size_t)LEVELS * (OPEN + CLOSE);
    int levels = _i == 0 ? 64 : LEVELS;
    char *dict = malloc(room);
    unsigned char *file = malloc(room + 100);
    struct problem problem = {0};
    struct array array;
    char *at = stpcpy(dict, "{'descr': ");

    for (int i = 0; i < levels; ++i)
        at = stpcpy(at, "[('a', ");
    at = stpcpy(at, "'<f4'");
    for (int i = 0; i < levels; ++i)
        at = stpcpy(at, ")]");
    strcpy(at, ", 'fortran_order': False, 'shape': (3,), }");
    write_file("x.npy", file, make(file, 2, dict, 12));
    if (_i == 0) {
        array = read_well("x.npy");
        ck_assert_uint_eq(array.element_size, 4);
        array_release(&array);
    } else {
        ck_assert(!array_file_read("x.npy", &array, &problem));
        ck_assert_ptr_nonnull(strstr(problem.text, "fields at most 64 levels deep"));
    }
    free(file);
    free(dict);
}
END_TEST

START_TEST(wide_items_count_as_a_dimension)
{
    assert_dict_refused("{'descr': '<c16', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1)}", 16,
                        "has 8 dimensions, and its items of 16 bytes would be one more, at most 8");
    assert_dict_refused("{'descr': '<c16', 'fortran_order': False, 'shape': (2147483648,)}", 16,
                        "shape (2147483648,) has more than 4294967295 elements of size 8");
    assert_dict_refused("{'descr': '|V2147483647', 'fortran_order': False, 'shape': (3,)}", 16,
                        "shape (3,) has more than 4294967295 elements of size 1");
    assert_dict_refused("{'descr': '|V2147483647', 'fortran_order': False, 'shape': (2,)}", 16,
                        "needs 4294967294 bytes of data, there are 16");
}
END_TEST

START_TEST(other_types_are_refused)
{
    char dict[128];

    snprintf(dict, sizeof dict, "{'descr': %s, 'fortran_order': False, 'shape': (3,), }",
             refused_types[_i].descr);
    assert_dict_refused(dict, 96, refused_types[_i].message);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("npy_descr");
    TCase *tests = suite_case(suite, "npy_descr");
    tcase_add_checked_fixture(tests, NULL, npy_files_remove);
    tcase_add_loop_test(tests, numpys_dtypes_are_moved_as_they_are, 0, COUNT_OF(numpys));
    tcase_add_loop_test(tests, dtypes_are_read, 0, COUNT_OF(dtypes));
    tcase_add_loop_test(tests, dtypes_are_shown_in_utf8, 0, 6);
    tcase_add_test(tests, the_longest_text_of_a_dtype_fits);
    tcase_add_loop_test(tests, fields_are_nested_only_so_deep, 0, 2);
    tcase_add_test(tests, wide_items_count_as_a_dimension);
    tcase_add_loop_test(tests, other_types_are_refused, 0, COUNT_OF(refused_types));
    return suite_run(suite);
}
