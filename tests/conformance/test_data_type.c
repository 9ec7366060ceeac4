/* SPDX-License-Identifier: MIT */
#include "conformance/data_type.h"
#include "support/suite.h"

#include <clslice/directml.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* NumPy's names are DirectML's in lower case, and end in the number of bits. */
START_TEST(names_and_sizes_agree)
{
    uint32_t taken = 0;
    const struct data_type *type;

    for (uint32_t value = 0; (type = data_type_of(value)); ++value) {
        size_t letters = strcspn(type->name, "0123456789");

        ck_assert_int_eq(type->numpy != NULL, type->kind != DATA_TYPE_OTHER);
        ck_assert_int_eq(type->bytes > 0, type->kind != DATA_TYPE_OTHER);
        if (!type->numpy)
            continue;
        ck_assert_uint_eq(strlen(type->numpy), strlen(type->name));
        for (size_t i = 0; i < letters; ++i)
            ck_assert_int_eq(type->numpy[i], type->name[i] + ('a' - 'A'));
        ck_assert_str_eq(type->numpy + letters, type->name + letters);
        ck_assert_uint_eq(strtoul(type->name + letters, NULL, 10), 8 * type->bytes);
        ck_assert_int_eq(type->kind == DATA_TYPE_FLOAT, type->name[0] == 'F');
        ck_assert_int_eq(type->kind == DATA_TYPE_SIGNED, type->name[0] == 'I');
        ck_assert_uint_eq(data_type_from_numpy(type->numpy), value);
        ++taken;
    }
    ck_assert_uint_eq(taken, 11);
}
END_TEST

START_TEST(types_are_found)
{
    ck_assert_uint_eq(data_type_from_numpy("bool"), DML_TENSOR_DATA_TYPE_UNKNOWN);
    ck_assert_uint_eq(data_type_from_numpy(""), DML_TENSOR_DATA_TYPE_UNKNOWN);
    ck_assert_uint_eq(data_type_unsigned(1), DML_TENSOR_DATA_TYPE_UINT8);
    ck_assert_uint_eq(data_type_unsigned(2), DML_TENSOR_DATA_TYPE_UINT16);
    ck_assert_uint_eq(data_type_unsigned(4), DML_TENSOR_DATA_TYPE_UINT32);
    ck_assert_uint_eq(data_type_unsigned(8), DML_TENSOR_DATA_TYPE_UINT64);
    ck_assert_ptr_null(data_type_of(UINT32_MAX));
    ck_assert_uint_eq(data_type_of(DML_TENSOR_DATA_TYPE_INT4)->bytes, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("data_type");
    TCase *tests = suite_case(suite, "data_type");
    tcase_add_test(tests, names_and_sizes_agree);
    tcase_add_test(tests, types_are_found);
    return suite_run(suite);
}
