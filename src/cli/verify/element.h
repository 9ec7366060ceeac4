/* SPDX-License-Identifier: MIT */
/* Elements of a case file: numbers of a dtype, as the bytes of a tensor. */
#ifndef CLSLICE_CLI_VERIFY_ELEMENT_H
#define CLSLICE_CLI_VERIFY_ELEMENT_H

#include <stdbool.h>
#include <stdint.h>

struct json_object;

/* How the numbers of a case file become elements. */
struct element_format {
    uint32_t data_type; /* DML_TENSOR_DATA_TYPE */
    uint32_t bytes;     /* of one element */
    bool is_bool;       /* a boolean, which travels as UINT8 */
    bool is_bits;       /* the numbers are bit patterns */
};

/* The format of a dtype as NumPy names it ("float32", "bool"); false for any other name. */
bool element_format_from(const char *dtype, bool is_bits, struct element_format *format);

/*
 * Stores a JSON value as an element. Integers must fit; floating-point types take any number, and
 * the strings "NaN", "Infinity" and "-Infinity", as a double that is rounded once. A bit pattern of
 * n bits is from -2^(n-1) to 2^n - 1. False where the value is nothing of that.
 */
bool element_from_json(const struct element_format *format, struct json_object *value,
                       void *element);

/* Stores what a case without an input holds at an index: the index itself, modulo 2048 as float16,
 * 2^24 as float32, 2 as bool and the width of an integer. */
void element_from_index(const struct element_format *format, uint64_t index, void *element);

/* The IEEE binary16 nearest to a number, ties to even; any NaN becomes the quiet one of its
 * sign. */
uint16_t element_half(double number);

#endif
