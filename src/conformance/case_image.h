/* SPDX-License-Identifier: MIT */
/* The bytes that a tensor's memory holds before and after a dispatch. */
#ifndef CLSLICE_CONFORMANCE_CASE_IMAGE_H
#define CLSLICE_CONFORMANCE_CASE_IMAGE_H

#include <stdbool.h>
#include <stddef.h>

struct problem;
struct slice_case;

/* Bytes around a tensor that nothing may touch. */
enum { CASE_GUARD_BYTES = 64 };

/*
 * A tensor's memory as it is before and after a dispatch, byte for byte: its span, and the padding
 * up to its total size, of which a huge one counts in part. Between and behind the addressed
 * elements lies a pattern that must stay, and before the dispatch every byte of an addressed
 * element is wrong.
 */
struct case_image {
    const struct slice_case *c; /* borrowed */
    size_t span;                /* bytes of the tensor's span, unrounded */
    size_t size;                /* bytes of `before` and `after` */
    unsigned char *before;      /* owned */
    unsigned char *after;       /* owned; NULL: the same as before */
};

/* Of the input: `in` holds the span's bytes, which a dispatch leaves alone. */
bool case_image_of_input(struct case_image *image, const struct slice_case *c, const void *in,
                         struct problem *problem);
/* Of the output: `out` holds the expected elements in row-major order without gaps. */
bool case_image_of_output(struct case_image *image, const struct slice_case *c, const void *out,
                          struct problem *problem);
/* An image of all zeros owns nothing. */
void case_image_release(struct case_image *image);

/* A whole buffer: a guard, the image as it is before at `offset`, and a guard to the end. The
 * offset is at least CASE_GUARD_BYTES, and the buffer holds case_image_buffer_bytes. */
size_t case_image_buffer_bytes(const struct case_image *image, size_t offset);
void case_image_fill(const struct case_image *image, size_t offset, unsigned char *buffer);

/* Whether such a buffer is what it must be after a dispatch; if not, `problem` names the first
 * element or byte that is not, and both values. */
bool case_image_check(const struct case_image *image, size_t offset, const unsigned char *buffer,
                      struct problem *problem);

#endif
