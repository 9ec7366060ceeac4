/* SPDX-License-Identifier: MIT */
#include "cli/formats/array.h"

#include "conformance/problem.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

void array_shape_text(uint32_t rank, const uint64_t *size, char text[ARRAY_SHAPE_TEXT_SIZE])
{
    char *at = text;

    *at++ = '(';
    for (uint32_t i = 0; i < rank; ++i)
        at += sprintf(at, "%s%" PRIu64, i > 0 ? ", " : "", size[i]);
    sprintf(at, rank == 1 ? ",)" : ")");
}

/* The number of items, or some number above 2^32-1. Every size is at most 2^32-1. */
static uint64_t count_items(const struct array *array)
{
    uint64_t count = 1;

    for (uint32_t i = 0; i < array->rank; ++i)
        if (count <= UINT32_MAX || array->size[i] == 0)
            count *= array->size[i];
    return count;
}

static bool check_sizes(const struct array *array, const char *path, struct problem *problem)
{
    if (array->rank > ARRAY_MAX_RANK)
        return problem_set(problem,
                           "%s: has %" PRIu32
                           " dimensions, at most %d can be sliced; join some with "
                           "x.reshape(...)",
                           path, array->rank, ARRAY_MAX_RANK);
    if (array->rank == ARRAY_MAX_RANK && array->parts > 1)
        return problem_set(problem,
                           "%s: has %" PRIu32 " dimensions, and its items of %" PRIu64
                           " bytes would be one more, at most %d can be sliced; join some with "
                           "x.reshape(...)",
                           path, array->rank, array->dtype.bytes, ARRAY_MAX_RANK);
    for (uint32_t i = 0; i < array->rank; ++i)
        if (array->size[i] > UINT32_MAX)
            return problem_set(problem,
                               "%s: size %" PRIu64 " of dimension %" PRIu32 " exceeds %" PRIu32
                               "; split it",
                               path, array->size[i], i, UINT32_MAX);
    return true;
}

static bool check_count(const struct array *array, uint64_t count, const char *path,
                        struct problem *problem)
{
    char shape[ARRAY_SHAPE_TEXT_SIZE];

    if (array->parts == 0 || count <= UINT32_MAX / array->parts)
        return true;
    array_shape_text(array->rank, array->size, shape);
    return problem_set(
        problem, "%s: shape %s has more than %" PRIu32 " elements of size %" PRIu32 "; split it",
        path, shape, UINT32_MAX, array->element_size);
}

/* The bytes that move as one: the largest of 1, 2, 4 and 8 that divides an item. */
static uint32_t width_of(const struct dtype *dtype)
{
    uint32_t width = 8;

    while (dtype->bytes % width != 0)
        width /= 2;
    return width;
}

bool array_layout(struct array *array, const char *path, struct problem *problem)
{
    uint64_t count;
    uint64_t step = 1;

    array->element_size = width_of(&array->dtype);
    array->parts = (uint32_t)(array->dtype.bytes / array->element_size);
    if (!check_sizes(array, path, problem))
        return false;
    count = count_items(array);
    if (!check_count(array, count, path, problem))
        return false;
    array->bytes = count * array->dtype.bytes;
    for (uint32_t i = 0; i < array->rank; ++i) {
        uint32_t axis = array->is_fortran ? i : array->rank - 1 - i;

        array->stride[axis] = array->bytes > 0 ? step : 0;
        step *= array->bytes > 0 ? array->size[axis] : 1;
    }
    return true;
}

void array_release(struct array *array)
{
    if (!array)
        return;
    if (array->mapping)
        munmap(array->mapping, array->mapping_bytes);
    free(array->allocation);
    *array = (struct array){0};
}

enum { SHOWN = 60 }; /* bytes of a descr */

/* Latin-1's characters take one byte or two in UTF-8. Those that a terminal obeys become '?'. */
static char *append_character(char *at, unsigned char c, bool is_utf8)
{
    if (c < ' ' || c == 0x7F || (!is_utf8 && c >= 0x80 && c < 0xA0)) {
        *at++ = '?';
    } else if (c < 0x80 || is_utf8) {
        *at++ = (char)c;
    } else {
        *at++ = (char)(0xC0 | c >> 6);
        *at++ = (char)(0x80 | (c & 0x3F));
    }
    return at;
}

void dtype_text(const struct dtype *dtype, char text[DTYPE_TEXT_SIZE])
{
    const unsigned char *descr = (const unsigned char *)dtype->descr;
    size_t shown = dtype->length < SHOWN ? dtype->length : SHOWN;

    /* Whole characters. */
    while (dtype->is_utf8 && shown > 0 && shown < dtype->length && (descr[shown] & 0xC0) == 0x80)
        --shown;
    for (size_t i = 0; i < shown; ++i)
        text = append_character(text, descr[i], dtype->is_utf8);
    strcpy(text, shown < dtype->length ? "..." : "");
}
