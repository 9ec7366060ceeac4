/* SPDX-License-Identifier: MIT */
#include "conformance/case_image.h"

#include "conformance/case_desc.h"
#include "conformance/problem.h"
#include "conformance/reference.h"
#include "conformance/size_for.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    GUARD_BYTE = 0xA5,
    MAX_PADDING_BYTES = 65536,
    COORDINATE_TEXT_SIZE = CASE_MAX_RANK * 11 + 3, /* "[4294967295,...]" */
    ELEMENT_TEXT_SIZE = 8 * 3
};

static size_t image_size(uint64_t span, uint64_t total)
{
    if (total <= span)
        return size_for(span);
    return size_for(total - span > MAX_PADDING_BYTES ? span + MAX_PADDING_BYTES : total);
}

static bool allocate(struct case_image *image, const struct slice_case *c, bool is_out,
                     struct problem *problem)
{
    struct case_desc desc;
    uint64_t span;
    bool fits = is_out ? case_out_bytes(c, &span) : case_in_bytes(c, &span);

    if (!fits)
        return problem_set(problem, "the %s's span does not fit in 64 bits",
                           is_out ? "output" : "input");
    case_desc_init(&desc, c);
    *image = (struct case_image){
        .c = c,
        .span = size_for(span),
        .size = image_size(span, is_out ? desc.out_buffer.TotalTensorSizeInBytes
                                        : desc.in_buffer.TotalTensorSizeInBytes),
    };
    image->before = malloc(image->size);
    if (!image->before)
        return problem_set(problem, "out of memory for a tensor of %zu bytes", image->size);
    for (size_t i = 0; i < image->size; ++i)
        image->before[i] = (unsigned char)(i * 37 + 11);
    return true;
}

bool case_image_of_input(struct case_image *image, const struct slice_case *c, const void *in,
                         struct problem *problem)
{
    if (!allocate(image, c, false, problem))
        return false;
    memcpy(image->before, in, image->span);
    return true;
}

bool case_image_of_output(struct case_image *image, const struct slice_case *c, const void *out,
                          struct problem *problem)
{
    struct slice_case unpack;
    unsigned char *written;

    if (!allocate(image, c, true, problem))
        return false;
    image->after = malloc(image->size);
    written = calloc(image->size, 1);
    if (!image->after || !written) {
        free(written);
        return problem_set(problem, "out of memory for a tensor of %zu bytes", image->size);
    }
    memcpy(image->after, image->before, image->size);
    reference_unpack(c, &unpack);
    reference_slice(&unpack, out, image->after, written);
    for (size_t i = 0; i < image->size; ++i)
        if (written[i])
            image->before[i] = (unsigned char)~image->after[i];
    free(written);
    return true;
}

void case_image_release(struct case_image *image)
{
    if (!image)
        return;
    free(image->before);
    free(image->after);
    *image = (struct case_image){0};
}

size_t case_image_buffer_bytes(const struct case_image *image, size_t offset)
{
    return offset + image->size + CASE_GUARD_BYTES;
}

void case_image_fill(const struct case_image *image, size_t offset, unsigned char *buffer)
{
    memset(buffer, GUARD_BYTE, offset);
    memcpy(buffer + offset, image->before, image->size);
    memset(buffer + offset + image->size, GUARD_BYTE, CASE_GUARD_BYTES);
}

static void element_text(const unsigned char *element, uint32_t bytes, char text[ELEMENT_TEXT_SIZE])
{
    for (uint32_t i = 0; i < bytes; ++i)
        text += sprintf(text, "%s%02x", i > 0 ? " " : "", element[i]);
}

static void coordinate_text(const uint32_t *coordinate, uint32_t rank,
                            char text[COORDINATE_TEXT_SIZE])
{
    for (uint32_t i = 0; i < rank; ++i)
        text += sprintf(text, "%c%" PRIu32, i > 0 ? ',' : '[', coordinate[i]);
    sprintf(text, "]");
}

/* The first wrong element of the output in row-major order, if any is. */
static bool check_elements(const struct case_image *image, const unsigned char *found,
                           struct problem *problem)
{
    const struct slice_case *c = image->c;
    uint32_t bytes = case_type_bytes(c->data_type);
    uint32_t coordinate[CASE_MAX_RANK] = {0};
    uint64_t strides[CASE_MAX_RANK];

    case_out_strides(c, strides);
    do {
        char at[COORDINATE_TEXT_SIZE];
        char expected[ELEMENT_TEXT_SIZE];
        char instead[ELEMENT_TEXT_SIZE];
        uint64_t offset = 0;

        for (uint32_t i = 0; i < c->rank; ++i)
            offset += coordinate[i] * strides[i] * bytes;
        if (memcmp(image->after + offset, found + offset, bytes) == 0)
            continue;
        coordinate_text(coordinate, c->rank, at);
        element_text(image->after + offset, bytes, expected);
        element_text(found + offset, bytes, instead);
        return problem_set(problem, "output%s is %s, expected %s", at, instead, expected);
    } while (case_next(c->rank, c->out_sizes, coordinate));
    return true;
}

/* The first wrong byte of the buffer, if any is. */
static bool check_bytes(const struct case_image *image, size_t offset, const unsigned char *buffer,
                        struct problem *problem)
{
    const unsigned char *after = image->after ? image->after : image->before;
    const char *tensor = image->after ? "output" : "input";
    size_t size = case_image_buffer_bytes(image, offset);

    for (size_t i = 0; i < size; ++i) {
        bool is_guard = i < offset || i - offset >= image->size;
        unsigned char expected = is_guard ? GUARD_BYTE : after[i - offset];

        if (buffer[i] != expected)
            return problem_set(problem,
                               "byte %" PRId64 " of the %s tensor's %zu, which must not be "
                               "written, is %02x and was %02x",
                               (int64_t)i - (int64_t)offset, tensor, image->span, buffer[i],
                               expected);
    }
    return true;
}

bool case_image_check(const struct case_image *image, size_t offset, const unsigned char *buffer,
                      struct problem *problem)
{
    if (image->after && memcmp(buffer + offset, image->after, image->size) != 0 &&
        !check_elements(image, buffer + offset, problem))
        return false;
    return check_bytes(image, offset, buffer, problem);
}
