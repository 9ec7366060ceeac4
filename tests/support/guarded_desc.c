/* SPDX-License-Identifier: MIT */
#include "support/guarded_desc.h"

#include "conformance/case_desc.h"
#include "support/asserts.h"

#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void guarded_desc_init(struct guarded_desc *desc)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    unsigned char *at =
        mmap(NULL, 2 * page * GUARDED_PLACES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(at, MAP_FAILED);
    for (int i = 0; i < GUARDED_PLACES; ++i) {
        ck_assert_int_eq(mprotect(at + 2 * page * (size_t)i, page, PROT_READ | PROT_WRITE), 0);
        desc->end[i] = at + 2 * page * (size_t)i + page;
    }
    desc->never = desc->end[0];
}

/* The last `bytes` bytes of a place, holding a copy of `from`. */
static void *put(struct guarded_desc *desc, int place, const void *from, size_t bytes)
{
    return memcpy(desc->end[place] - bytes, from, bytes);
}

static uint32_t *put_strides(struct guarded_desc *desc, int place, uint32_t rank,
                             const uint64_t *strides)
{
    uint32_t narrow[CASE_MAX_RANK];
    for (uint32_t i = 0; i < rank; ++i)
        narrow[i] = (uint32_t)strides[i];
    return put(desc, place, narrow, rank * sizeof narrow[0]);
}

void guarded_desc_fill(struct guarded_desc *desc, const struct slice_case *c)
{
    struct case_desc plain;
    uint64_t strides[2][CASE_MAX_RANK];
    size_t bytes = c->rank * sizeof(uint32_t);
    case_desc_init(&plain, c);
    case_in_strides(c, strides[0]);
    case_out_strides(c, strides[1]);
    desc->op = put(desc, 0, &plain.op, sizeof plain.op);
    desc->slice1 = put(desc, 1, &plain.slice1, sizeof plain.slice1);
    desc->tensor[0] = put(desc, 2, &plain.in_tensor, sizeof plain.in_tensor);
    desc->tensor[1] = put(desc, 3, &plain.out_tensor, sizeof plain.out_tensor);
    desc->buffer[0] = put(desc, 4, &plain.in_buffer, sizeof plain.in_buffer);
    desc->buffer[1] = put(desc, 5, &plain.out_buffer, sizeof plain.out_buffer);
    desc->sizes[0] = put(desc, 6, c->in_sizes, bytes);
    desc->sizes[1] = put(desc, 7, c->out_sizes, bytes);
    desc->strides[0] = put_strides(desc, 8, c->rank, strides[0]);
    desc->strides[1] = put_strides(desc, 9, c->rank, strides[1]);
    desc->offsets = put(desc, 10, c->window_offsets, bytes);
    desc->windows = put(desc, 11, c->window_sizes, bytes);
    desc->steps = put(desc, 12, c->window_strides, bytes);
    desc->op->Desc = desc->slice1;
    desc->slice1->InputTensor = desc->tensor[0];
    desc->slice1->OutputTensor = desc->tensor[1];
    desc->slice1->InputWindowOffsets = desc->offsets;
    /* The structures of the family are alike; SLICE counts output elements. */
    desc->slice1->InputWindowSizes = c->op == CASE_SLICE ? desc->sizes[1] : desc->windows;
    desc->slice1->InputWindowStrides = desc->steps;
    for (int t = 0; t < 2; ++t) {
        desc->tensor[t]->Desc = desc->buffer[t];
        desc->buffer[t]->Sizes = desc->sizes[t];
        if (desc->buffer[t]->Strides)
            desc->buffer[t]->Strides = desc->strides[t];
    }
}

void guarded_desc_expect(const struct guarded_desc *desc, const struct broken *broken,
                         clslice_error *error)
{
    struct slice slice;
    int32_t status = broken->status ? broken->status : CLSLICE_E_INVALIDARG;
    uint32_t dimension = broken->dimension ? broken->dimension - 1 : CLSLICE_NO_DIMENSION;
    memset(error, 0, sizeof *error);
    error->size = sizeof *error;
    ck_assert_int_eq(slice_from(desc->op, &slice, NULL), status);
    ck_assert_int_eq(slice_from(desc->op, &slice, error), status);
    ck_assert_msg(error->rule == broken->rule, "rule %" PRIu32 ", not %" PRIu32 ": %s", error->rule,
                  broken->rule, error->text);
    ck_assert_int_eq(error->status, status);
    ck_assert_int_eq(error->opencl, 0);
    ck_assert_msg(error->tensor == broken->tensor, "tensor %" PRIu32 ": %s", error->tensor,
                  error->text);
    ck_assert_msg(error->dimension == dimension, "dimension %" PRIu32 ": %s", error->dimension,
                  error->text);
    for (int i = 0; i < 3; ++i)
        ck_assert_msg(error->value[i] == broken->value[i], "value[%d] = %" PRIu64 ": %s", i,
                      error->value[i], error->text);
    ck_assert_ptr_null(strchr(error->text, '\n'));
    ck_assert_uint_eq(error->text_length, strlen(error->text));
}

void guarded_desc_accept(const struct guarded_desc *desc, struct slice *slice)
{
    clslice_error error, kept;
    memset(&error, 0x5A, sizeof error);
    error.size = sizeof error;
    kept = error;
    int32_t status = slice_from(desc->op, slice, &error);
    ck_assert_msg(status == CLSLICE_S_OK, "%s", status == CLSLICE_S_OK ? "" : error.text);
    ck_assert_mem_eq(&error, &kept, sizeof error);
}
