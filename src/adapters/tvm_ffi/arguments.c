/* SPDX-License-Identifier: MIT */
#include "arguments.h"

#include "refuse.h"

#include <inttypes.h>
#include <string.h>

/* What follows the header of an object: its cell. */
static const void *cell_of(const TVMFFIAny *arg)
{
    return arg->v_obj + 1;
}

static const DLTensor *tensor_of(const TVMFFIAny *arg)
{
    if (arg->type_index == kTVMFFIDLTensorPtr)
        return arg->v_ptr;
    return arg->type_index == kTVMFFITensor ? cell_of(arg) : NULL;
}

static const char *read_tensor(const TVMFFIAny *arg, const char *name, const DLTensor **tensor,
                               clslice_error *error)
{
    *tensor = tensor_of(arg);
    if (!*tensor)
        return refuse(error, "TypeError", "%s is of TVM-FFI's type %" PRId32 ", not a tensor", name,
                      arg->type_index);
    return NULL;
}

/* A sequence of integers in any of the forms in which TVM-FFI has them. */
struct numbers {
    const TVMFFIAny *any;  /* of an array: Python's tuples and lists */
    const int64_t *number; /* of a shape or a tensor */
    int64_t step;          /* from one number to the next */
    uint64_t count;
};

static int is_vector_of_int64(const DLTensor *tensor)
{
    return tensor->ndim == 1 && tensor->device.device_type == kDLCPU &&
           tensor->dtype.code == kDLInt && tensor->dtype.bits == 64 && tensor->dtype.lanes == 1 &&
           (tensor->data || tensor->shape[0] == 0);
}

static const char *find_numbers(const TVMFFIAny *arg, const char *name, struct numbers *numbers,
                                clslice_error *error)
{
    const DLTensor *tensor = tensor_of(arg);
    if (arg->type_index == kTVMFFIArray || arg->type_index == kTVMFFIList) {
        const TVMFFISeqCell *cell = cell_of(arg);
        /* an empty list has no data */
        *numbers =
            (struct numbers){.any = cell->data, .count = cell->data ? (uint64_t)cell->size : 0};
    } else if (arg->type_index == kTVMFFIShape) {
        const TVMFFIShapeCell *cell = cell_of(arg);
        *numbers = (struct numbers){.number = cell->data, .step = 1, .count = cell->size};
    } else if (tensor && is_vector_of_int64(tensor)) {
        *numbers = (struct numbers){
            .number = (const void *)((const char *)tensor->data + tensor->byte_offset),
            .step = tensor->strides ? tensor->strides[0] : 1,
            .count = (uint64_t)tensor->shape[0]};
    } else {
        return refuse(error, "TypeError",
                      "%s is of TVM-FFI's type %" PRId32
                      "; pass a tuple, a list, a shape or a vector of int64",
                      name, arg->type_index);
    }
    return NULL;
}

static int64_t number_at(const struct numbers *numbers, uint32_t i)
{
    int64_t number; /* a tensor's may lie at any address */
    if (numbers->any)
        return numbers->any[i].v_int64;
    memcpy(&number, numbers->number + i * numbers->step, sizeof number);
    return number;
}

/* arg as `count` integers from `least` to `most`, both of 32 bits; stores the first RANK_MAX. */
static const char *read_numbers(const TVMFFIAny *arg, const char *name, uint32_t count,
                                int64_t least, int64_t most, uint32_t *to, clslice_error *error)
{
    struct numbers numbers = {0};
    const char *kind = find_numbers(arg, name, &numbers, error);
    if (kind)
        return kind;
    if (numbers.count != count)
        return refuse(error, "ValueError",
                      "%s has %" PRIu64 " numbers, x has %" PRIu32 " dimensions: give one for each",
                      name, numbers.count, count);
    for (uint32_t i = 0; i < count && i < RANK_MAX; ++i) {
        if (numbers.any && numbers.any[i].type_index != kTVMFFIInt)
            return refuse(error, "TypeError",
                          "%s[%" PRIu32 "] is of TVM-FFI's type %" PRId32 ", not an int64", name, i,
                          numbers.any[i].type_index);
        int64_t number = number_at(&numbers, i);
        if (number < least || number > most)
            return refuse(error, "ValueError",
                          "%s[%" PRIu32 "] = %" PRId64 " is outside %" PRId64 " to %" PRId64, name,
                          i, number, least, most);
        to[i] = (uint32_t)number;
    }
    return NULL;
}

static const char *read_selector(const TVMFFIAny *arg, char *selector, clslice_error *error)
{
    TVMFFIByteArray text;
    switch (arg->type_index) {
    case kTVMFFINone:
        return NULL;
    case kTVMFFIRawStr:
        text = (TVMFFIByteArray){arg->v_c_str, strlen(arg->v_c_str)};
        break;
    case kTVMFFISmallStr:
        text = (TVMFFIByteArray){arg->v_bytes, arg->small_str_len};
        break;
    case kTVMFFIStr:
        memcpy(&text, cell_of(arg), sizeof text);
        break;
    default:
        return refuse(error, "TypeError",
                      "device is of TVM-FFI's type %" PRId32
                      "; pass a selector as CLSLICE_DEVICE takes it, or None",
                      arg->type_index);
    }
    if (text.size >= SELECTOR_SIZE || memchr(text.data, '\0', text.size))
        return refuse(error, "ValueError",
                      "device has %zu bytes: a selector has at most %d, and no NUL", text.size,
                      SELECTOR_SIZE - 1);
    memcpy(selector, text.data, text.size);
    return NULL;
}

const char *arguments_read(const TVMFFIAny *args, int32_t count, struct arguments *to,
                           clslice_error *error)
{
    const char *kind;
    *to = (struct arguments){0};
    if (count != 5 && count != 6)
        return refuse(error, "TypeError",
                      "slice takes x, offsets, sizes, strides, out and perhaps device, not %" PRId32
                      " arguments",
                      count);
    if ((kind = read_tensor(&args[0], "x", &to->x, error)))
        return kind;
    to->rank = (uint32_t)to->x->ndim;
    if ((kind = read_numbers(&args[1], "offsets", to->rank, 0, UINT32_MAX, to->offsets, error)) ||
        (kind = read_numbers(&args[2], "sizes", to->rank, 0, UINT32_MAX, to->sizes, error)) ||
        (kind = read_numbers(&args[3], "strides", to->rank, INT32_MIN, INT32_MAX,
                             (uint32_t *)to->strides, error)) ||
        (kind = read_tensor(&args[4], "out", &to->out, error)))
        return kind;
    return count == 6 ? read_selector(&args[5], to->selector, error) : NULL;
}
