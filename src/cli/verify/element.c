/* SPDX-License-Identifier: MIT */
#include "cli/verify/element.h"

#include "cli/formats/json_read.h"
#include "conformance/case_desc.h"
#include "conformance/data_type.h"

#include <clslice/directml.h>
#include <json-c/json.h>
#include <math.h>
#include <string.h>

bool element_format_from(const char *dtype, bool is_bits, struct element_format *format)
{
    bool is_bool = strcmp(dtype, "bool") == 0;

    *format = (struct element_format){
        .data_type = is_bool ? DML_TENSOR_DATA_TYPE_UINT8 : data_type_from_numpy(dtype),
        .is_bool = is_bool,
        .is_bits = is_bits,
    };
    format->bytes = case_type_bytes(format->data_type);
    return format->bytes > 0;
}

static bool is_kind(const struct element_format *format, enum data_type_kind kind)
{
    return data_type_of(format->data_type)->kind == kind;
}

uint16_t element_half(double number)
{
    enum { LEAST_EXPONENT = -14, INFINITE = 0x7C00, QUIET_NAN = 0x7E00 };
    uint32_t sign = signbit(number) ? 0x8000 : 0;
    double magnitude = fabs(number);
    uint32_t units;
    int exponent;

    if (isnan(number))
        return (uint16_t)(sign | QUIET_NAN);
    if (magnitude >= 65520) /* half way from the greatest number to the next power of 2 */
        return (uint16_t)(sign | INFINITE);
    frexp(magnitude, &exponent);
    exponent = magnitude < 0x1p-14 ? LEAST_EXPONENT : exponent - 1;
    /* Of the last place. The hidden bit counts as the first exponent; a carry out of the
     * significand is the next one. */
    units = (uint32_t)nearbyint(ldexp(magnitude, 10 - exponent));
    return (uint16_t)(sign | (units + ((uint32_t)(exponent - LEAST_EXPONENT) << 10)));
}

static void store_float(uint32_t data_type, double number, void *element)
{
    float single = (float)number;
    uint16_t half = element_half(number);

    if (data_type == DML_TENSOR_DATA_TYPE_FLOAT16)
        memcpy(element, &half, sizeof half);
    else if (data_type == DML_TENSOR_DATA_TYPE_FLOAT32)
        memcpy(element, &single, sizeof single);
    else
        memcpy(element, &number, sizeof number);
}

/* A number, or the name of one that JSON cannot write. */
static bool read_float(struct json_object *value, double *number)
{
    static const struct {
        const char *name;
        double number;
    } names[] = {
        {"NaN", (double)NAN}, {"Infinity", (double)INFINITY}, {"-Infinity", -(double)INFINITY}};
    enum json_type type = json_object_get_type(value);

    if (type == json_type_string) {
        for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
            if (strcmp(json_object_get_string(value), names[i].name) == 0) {
                *number = names[i].number;
                return true;
            }
        return false;
    }
    *number = json_object_get_double(value);
    return type == json_type_double || type == json_type_int;
}

bool element_from_json(const struct element_format *format, struct json_object *value,
                       void *element)
{
    uint64_t most = UINT64_MAX >> (64 - 8 * format->bytes);
    int64_t least = -(int64_t)(most >> 1) - 1;
    uint64_t bits;
    double number;

    if (!format->is_bits && is_kind(format, DATA_TYPE_FLOAT)) {
        if (!read_float(value, &number))
            return false;
        store_float(format->data_type, number, element);
        return true;
    }
    if (!format->is_bits && is_kind(format, DATA_TYPE_SIGNED))
        most >>= 1;
    else if (!format->is_bits)
        least = 0;
    if (!json_read_number(value, least, most, &bits))
        return false;
    case_store(element, bits, format->bytes);
    return true;
}

void element_from_index(const struct element_format *format, uint64_t index, void *element)
{
    if (format->data_type == DML_TENSOR_DATA_TYPE_FLOAT16)
        index %= 2048;
    else if (format->data_type == DML_TENSOR_DATA_TYPE_FLOAT32)
        index %= 16777216;
    else if (format->is_bool)
        index %= 2;
    if (is_kind(format, DATA_TYPE_FLOAT))
        store_float(format->data_type, (double)index, element);
    else
        case_store(element, index, format->bytes);
}
