/* SPDX-License-Identifier: MIT */
#include "conformance/data_type.h"

#include <clslice/directml.h>
#include <stddef.h>
#include <string.h>

#define ROW(type, ...) [DML_TENSOR_DATA_TYPE_##type] = {#type, __VA_ARGS__}
static const struct data_type rows[] = {
    ROW(UNKNOWN, NULL, 0, DATA_TYPE_OTHER),       ROW(FLOAT32, "float32", 4, DATA_TYPE_FLOAT),
    ROW(FLOAT16, "float16", 2, DATA_TYPE_FLOAT),  ROW(UINT32, "uint32", 4, DATA_TYPE_UNSIGNED),
    ROW(UINT16, "uint16", 2, DATA_TYPE_UNSIGNED), ROW(UINT8, "uint8", 1, DATA_TYPE_UNSIGNED),
    ROW(INT32, "int32", 4, DATA_TYPE_SIGNED),     ROW(INT16, "int16", 2, DATA_TYPE_SIGNED),
    ROW(INT8, "int8", 1, DATA_TYPE_SIGNED),       ROW(FLOAT64, "float64", 8, DATA_TYPE_FLOAT),
    ROW(UINT64, "uint64", 8, DATA_TYPE_UNSIGNED), ROW(INT64, "int64", 8, DATA_TYPE_SIGNED),
    ROW(UINT4, NULL, 0, DATA_TYPE_OTHER),         ROW(INT4, NULL, 0, DATA_TYPE_OTHER),
};
#undef ROW

enum { ROW_COUNT = sizeof rows / sizeof rows[0] };

const struct data_type *data_type_of(uint32_t value)
{
    return value < ROW_COUNT ? &rows[value] : NULL;
}

uint32_t data_type_from_numpy(const char *name)
{
    for (uint32_t i = 0; i < ROW_COUNT; ++i)
        if (rows[i].numpy && strcmp(rows[i].numpy, name) == 0)
            return i;
    return DML_TENSOR_DATA_TYPE_UNKNOWN;
}

uint32_t data_type_unsigned(uint32_t bytes)
{
    for (uint32_t i = 0; i < ROW_COUNT; ++i)
        if (rows[i].kind == DATA_TYPE_UNSIGNED && rows[i].bytes == bytes)
            return i;
    return DML_TENSOR_DATA_TYPE_UNKNOWN;
}
