/* SPDX-License-Identifier: MIT */
#include "runtime/bind.h"

#include "base/checked.h"
#include "opencl/cl_memory.h"

#include <inttypes.h>

enum { STRICT_ALIGNMENT = DML_MINIMUM_BUFFER_TENSOR_ALIGNMENT };

/* One binding under check. */
struct side {
    const struct clslice_device *device;
    const clslice_binding *binding;
    const char *name; /* "inputs[0]" */
    uint32_t role;    /* CLSLICE_TENSOR_*: NONE for a table */
    bool is_written;
    uint32_t element_size;
    uint64_t alignment; /* of the offset */
    uint64_t least;     /* bytes, */
    const char *whole;  /* of what: "InputTensor" */
    clslice_error *error;
    struct cl_memory memory; /* of a cl_mem, else all 0 */
};

static int32_t bind_fail(const struct side *side, uint32_t rule, uint64_t value, const char *text)
{
    return status_fail(side->error, CLSLICE_E_INVALIDARG,
                       WHERE(.rule = rule, .tensor = side->role, .value = {value}), "%s.%s",
                       side->name, text);
}

static int32_t check_reserved(const struct side *side)
{
    const clslice_binding *b = side->binding;
    const uint64_t reserved[] = {b->reserved0, b->reserved[0], b->reserved[1], b->reserved[2],
                                 b->reserved[3]};
    static const char *const field[] = {"reserved0", "reserved[0]", "reserved[1]", "reserved[2]",
                                        "reserved[3]"};
    for (int i = 0; i < 5; ++i)
        if (reserved[i])
            return status_fail(side->error, CLSLICE_E_NOTIMPL,
                               WHERE(.rule = CLSLICE_RULE_BIND_RESERVED, .tensor = side->role,
                                     .value = {reserved[i]}),
                               "%s.%s = %" PRIu64 ": must be 0", side->name, field[i], reserved[i]);
    return CLSLICE_S_OK;
}

static int32_t check_kind(const struct side *side)
{
    uint32_t kind = side->binding->kind;
    if (kind > CLSLICE_BINDING_SVM)
        return status_fail(
            side->error, CLSLICE_E_NOTIMPL,
            WHERE(.rule = CLSLICE_RULE_BIND_TYPE, .tensor = side->role, .value = {kind}),
            "%s.kind = %" PRIu32 " is reserved or unknown: use CL_MEM, HOST or SVM", side->name,
            kind);
    return CLSLICE_S_OK;
}

static int32_t check_shape(const struct side *side)
{
    const clslice_binding *b = side->binding;
    int32_t status = check_kind(side);
    if (status != CLSLICE_S_OK)
        return status;
    if (b->kind == CLSLICE_BINDING_NONE)
        return bind_fail(side, CLSLICE_RULE_BIND_TYPE, b->kind,
                         "kind = 0 (NONE) is not allowed, as SLICE1 has no optional tensor: use "
                         "CL_MEM, HOST or SVM");
    status = check_reserved(side);
    if (status != CLSLICE_S_OK)
        return status;
    if (!b->handle)
        return bind_fail(side, CLSLICE_RULE_BIND_NULL_BUFFER, 0,
                         "handle is NULL: pass a buffer or an address");
    if (b->kind == CLSLICE_BINDING_SVM &&
        (!side->device->about.svm || !side->device->cl.clSetKernelArgSVMPointer))
        return status_fail(
            side->error, CLSLICE_DXGI_ERROR_UNSUPPORTED,
            WHERE(.rule = CLSLICE_RULE_BIND_TYPE, .tensor = side->role, .value = {b->kind}),
            "%s.kind = SVM, but the device has no shared virtual memory", side->name);
    return CLSLICE_S_OK;
}

/* Kernels count in whole elements from where the tensor lies. */
static int32_t check_svm_address(const struct side *side)
{
    const clslice_binding *b = side->binding;
    uint64_t address = (uintptr_t)b->handle + b->offset;
    if (b->kind != CLSLICE_BINDING_SVM || address % side->element_size == 0)
        return CLSLICE_S_OK;
    return status_fail(side->error, CLSLICE_E_INVALIDARG,
                       WHERE(.rule = CLSLICE_RULE_BIND_OFFSET_ALIGNMENT, .tensor = side->role,
                             .value = {address, side->element_size}),
                       "%s.handle + offset (Offset) = 0x%" PRIx64
                       " is an SVM address that is not a multiple of %" PRIu32
                       ", the element size: move the tensor to one that is",
                       side->name, address, side->element_size);
}

static int32_t check_range(const struct side *side)
{
    const clslice_binding *b = side->binding;
    bool strict = side->role != CLSLICE_TENSOR_NONE &&
                  side->device->flags & CLSLICE_DEVICE_FLAG_STRICT_DIRECTML;
    if (b->offset % side->alignment != 0)
        return status_fail(side->error, CLSLICE_E_INVALIDARG,
                           WHERE(.rule = CLSLICE_RULE_BIND_OFFSET_ALIGNMENT, .tensor = side->role,
                                 .value = {b->offset, side->alignment}),
                           "%s.offset (Offset) = %" PRIu64 " is not a multiple of %" PRIu64,
                           side->name, b->offset, side->alignment);
    if (b->size < side->least)
        return status_fail(side->error, CLSLICE_E_INVALIDARG,
                           WHERE(.rule = CLSLICE_RULE_BIND_RANGE_TOO_SMALL, .tensor = side->role,
                                 .value = {b->size, side->least}),
                           "%s.size (SizeInBytes) = %" PRIu64 " is below the %" PRIu64
                           " bytes of %s",
                           side->name, b->size, side->least, side->whole);
    if (strict && b->size % 4 != 0)
        return status_fail(side->error, CLSLICE_E_INVALIDARG,
                           WHERE(.rule = CLSLICE_RULE_BIND_SIZE_NOT_DWORD, .tensor = side->role,
                                 .value = {b->size}),
                           "%s.size (SizeInBytes) = %" PRIu64 " is not a multiple of 4", side->name,
                           b->size);
    uint64_t room = UINTPTR_MAX - (uintptr_t)b->handle;
    if (b->kind != CLSLICE_BINDING_CL_MEM && (b->offset > room || b->size > room - b->offset))
        return status_fail(side->error, CLSLICE_E_INVALIDARG,
                           WHERE(.rule = CLSLICE_RULE_BIND_RANGE_OUTSIDE_BUFFER,
                                 .tensor = side->role, .value = {b->offset, b->size}),
                           "%s.offset (Offset) = %" PRIu64 " + size (SizeInBytes) = %" PRIu64
                           " exceeds the address space",
                           side->name, b->offset, b->size);
    return CLSLICE_S_OK;
}

static int32_t query_fail(const struct side *side, cl_int code)
{
    return status_fail(
        side->error, CLSLICE_E_INVALIDARG,
        WHERE(.rule = CLSLICE_RULE_BIND_MEM_TYPE, .tensor = side->role, .opencl = code),
        "%s.handle is not a valid cl_mem: clGetMemObjectInfo returned %s (%d)", side->name,
        cl_error_name(code), code);
}

static int32_t check_mem_access(const struct side *side, cl_mem_flags flags)
{
    cl_mem_flags wrong = side->is_written ? CL_MEM_READ_ONLY : CL_MEM_WRITE_ONLY;
    if ((flags & wrong) == 0)
        return CLSLICE_S_OK;
    return bind_fail(side, CLSLICE_RULE_BIND_ACCESS, 0,
                     side->is_written
                         ? "handle (Buffer) was created with CL_MEM_READ_ONLY: an output needs "
                           "CL_MEM_READ_WRITE or CL_MEM_WRITE_ONLY"
                         : "handle (Buffer) was created with CL_MEM_WRITE_ONLY: an input needs "
                           "CL_MEM_READ_WRITE or CL_MEM_READ_ONLY");
}

static int32_t check_mem(struct side *side)
{
    const clslice_binding *b = side->binding;
    const struct cl_memory *memory = &side->memory;
    cl_int code = cl_memory_of(&side->device->cl, b->handle, &side->memory);
    if (code != CL_SUCCESS)
        return query_fail(side, code);
    if (memory->type != CL_MEM_OBJECT_BUFFER)
        return bind_fail(side, CLSLICE_RULE_BIND_MEM_TYPE, 0,
                         "handle is an image or a pipe: pass a buffer");
    if (memory->context != side->device->context)
        return bind_fail(side, CLSLICE_RULE_BIND_CONTEXT, 0,
                         "handle (Buffer) does not belong to the context of the device");
    int32_t status = check_mem_access(side, memory->flags);
    if (status != CLSLICE_S_OK)
        return status;
    if (((uintptr_t)memory->host_ptr + b->offset) % side->element_size != 0)
        return status_fail(
            side->error, CLSLICE_E_INVALIDARG,
            WHERE(.rule = CLSLICE_RULE_BIND_OFFSET_ALIGNMENT, .tensor = side->role,
                  .value = {(uintptr_t)memory->host_ptr + b->offset, side->element_size}),
            "%s.handle (Buffer) is in host memory, where offset (Offset) = %" PRIu64
            " gives address 0x%" PRIxPTR ", which is not a multiple of %" PRIu32
            ": bind that memory as HOST",
            side->name, b->offset, (uintptr_t)memory->host_ptr + (uintptr_t)b->offset,
            side->element_size);
    if (b->offset > memory->size || b->size > memory->size - b->offset)
        return status_fail(side->error, CLSLICE_E_INVALIDARG,
                           WHERE(.rule = CLSLICE_RULE_BIND_RANGE_OUTSIDE_BUFFER,
                                 .tensor = side->role, .value = {b->offset, b->size, memory->size}),
                           "%s.offset (Offset) = %" PRIu64 " + size (SizeInBytes) = %" PRIu64
                           " exceeds the buffer size %zu",
                           side->name, b->offset, b->size, memory->size);
    return CLSLICE_S_OK;
}

/* [start, end) as positions that can be compared: inside one buffer, or as addresses. */
static void extent(const struct side *side, bool inside_buffer, uint64_t *start, uint64_t *end)
{
    const clslice_binding *b = side->binding;
    uint64_t base = side->memory.root_offset;
    if (!inside_buffer)
        base = b->kind == CLSLICE_BINDING_CL_MEM ? (uintptr_t)side->memory.host_ptr
                                                 : (uintptr_t)b->handle;
    *start = base + b->offset;
    *end = *start + b->size;
}

static int32_t check_overlap(const struct side *in, const struct side *out)
{
    bool one_buffer = in->memory.root && in->memory.root == out->memory.root;
    bool both_addresses =
        (!in->memory.root || in->memory.host_ptr) && (!out->memory.root || out->memory.host_ptr);
    uint64_t in_start, in_end, out_start, out_end;
    if (!one_buffer && !both_addresses)
        return CLSLICE_S_OK;
    extent(in, one_buffer, &in_start, &in_end);
    extent(out, one_buffer, &out_start, &out_end);
    if (in_start >= out_end || out_start >= in_end)
        return CLSLICE_S_OK;
    return status_fail(
        out->error, CLSLICE_E_INVALIDARG,
        WHERE(.rule = CLSLICE_RULE_BIND_OVERLAP, .tensor = out->role ? out->role : in->role,
              .value = {in->binding->offset, out->binding->offset}),
        "the bound ranges overlap: %s Offset %" PRIu64 " SizeInBytes %" PRIu64
        ", %s Offset %" PRIu64 " SizeInBytes %" PRIu64 ": %s",
        in->name, in->binding->offset, in->binding->size, out->name, out->binding->offset,
        out->binding->size,
        in->role && out->role ? "a slice cannot run in place, even if its elements only interleave"
                              : "what is written may not be read");
}

/* A kernel gets the buffer and counts to the tensor in whole elements: both must be aligned. */
static struct bound bound_mem(const struct side *side)
{
    const clslice_binding *b = side->binding;
    uintptr_t base = side->memory.host_ptr ? (uintptr_t)side->memory.host_ptr
                                           : (uintptr_t)side->memory.root_offset;
    return (struct bound){.way = BIND_MEM,
                          .mem = b->handle,
                          .offset = b->offset,
                          .alignment = alignment_of(base | b->offset)};
}

static struct bound bound_of(const struct side *side)
{
    const clslice_binding *b = side->binding;
    if (b->kind == CLSLICE_BINDING_CL_MEM)
        return bound_mem(side);
    uintptr_t address = (uintptr_t)b->handle + (uintptr_t)b->offset;
    enum bind_way way = b->kind == CLSLICE_BINDING_SVM      ? BIND_ADDRESS
                        : address % side->element_size != 0 ? BIND_STAGE
                                                            : side->device->host_memory;
    return (struct bound){.way = way,
                          .address = b->handle,
                          .offset = b->offset,
                          .alignment = way == BIND_STAGE ? 16 : alignment_of(address)};
}

static struct side tensor_side(const struct clslice_operator *op, const clslice_dispatch_desc *desc,
                               int i, clslice_error *error)
{
    bool is_output = i == BIND_OUT;
    bool strict = op->device->flags & CLSLICE_DEVICE_FLAG_STRICT_DIRECTML;
    const struct tensor *tensor = is_output ? &op->slice.output : &op->slice.input;
    return (struct side){
        .device = op->device,
        .binding = is_output ? desc->outputs : desc->inputs,
        .name = is_output ? "outputs[0]" : "inputs[0]",
        .role = is_output ? CLSLICE_TENSOR_OUTPUT : CLSLICE_TENSOR_INPUT,
        .is_written = is_output,
        .element_size = tensor->element_size,
        .alignment = clamp(tensor->alignment, strict ? STRICT_ALIGNMENT : 1, UINT32_MAX),
        .least = strict ? tensor->total_bytes : tensor->span * tensor->element_size,
        .whole = tensor->name,
        .error = error};
}

static int32_t check_side(struct side *side)
{
    int32_t status = check_shape(side);
    if (status == CLSLICE_S_OK)
        status = check_range(side);
    if (status == CLSLICE_S_OK)
        status = check_svm_address(side);
    if (status == CLSLICE_S_OK && side->binding->kind == CLSLICE_BINDING_CL_MEM)
        status = check_mem(side);
    return status;
}

int32_t bind_check(const struct clslice_operator *op, const clslice_dispatch_desc *desc,
                   bool may_overlap, struct bound bound[BIND_SIDES], clslice_error *error)
{
    if (desc->input_count != 1 || desc->output_count != 1 || !desc->inputs || !desc->outputs)
        return status_fail(error, CLSLICE_E_INVALIDARG,
                           WHERE(.rule = CLSLICE_RULE_BIND_COUNT,
                                 .value = {desc->input_count, desc->output_count}),
                           "bindingCount: input_count = %" PRIu32 " and output_count = %" PRIu32
                           "%s: there is 1 input and 1 output",
                           desc->input_count, desc->output_count,
                           desc->inputs && desc->outputs ? "" : " with a NULL array");
    struct side sides[BIND_SIDES];
    for (int i = 0; i < BIND_SIDES; ++i) {
        sides[i] = tensor_side(op, desc, i, error);
        int32_t status = check_side(&sides[i]);
        if (status != CLSLICE_S_OK)
            return status;
    }
    int32_t status = may_overlap ? CLSLICE_S_OK : check_overlap(&sides[BIND_IN], &sides[BIND_OUT]);
    if (status != CLSLICE_S_OK)
        return status;
    bound[BIND_IN] = bound_of(&sides[BIND_IN]);
    bound[BIND_OUT] = bound_of(&sides[BIND_OUT]);
    return CLSLICE_S_OK;
}

/* A table, or the counter: of numbers of `element_size` bytes, which the host reads at any
 * address. */
static struct side table_side(const struct clslice_operator *op, const clslice_binding *binding,
                              const char *name, uint32_t element_size, uint64_t bytes,
                              clslice_error *error)
{
    bool is_host = binding->kind == CLSLICE_BINDING_HOST;
    return (struct side){.device = op->device,
                         .binding = binding,
                         .name = name,
                         .element_size = is_host ? 1 : element_size,
                         .alignment = is_host ? 1 : element_size,
                         .least = bytes,
                         .whole = "the items",
                         .error = error};
}

/* One that is not there says nothing else. */
static int32_t check_none(const struct side *side)
{
    const clslice_binding *b = side->binding;
    return !b->handle && b->offset == 0 && b->size == 0
               ? check_reserved(side)
               : bind_fail(
                     side, CLSLICE_RULE_BIND_TYPE, b->kind,
                     "kind = 0 (NONE), but other fields are not 0: set the kind, or leave all "
                     "of it 0");
}

static int32_t check_table(struct side *table, const struct side *out)
{
    if (table->binding->kind == CLSLICE_BINDING_NONE)
        return check_none(table);
    int32_t status = check_side(table);
    return status == CLSLICE_S_OK ? check_overlap(table, out) : status;
}

/* What counts is not read. */
static int32_t check_counter(const struct side *in, const struct side tables[BIND_TABLES])
{
    const struct side *counter = &tables[BIND_SKIPPED];
    if (counter->binding->kind == CLSLICE_BINDING_NONE)
        return CLSLICE_S_OK;
    int32_t status = check_overlap(in, counter);
    for (int i = 0; status == CLSLICE_S_OK && i < BIND_SKIPPED; ++i)
        if (tables[i].binding->kind != CLSLICE_BINDING_NONE)
            status = check_overlap(&tables[i], counter);
    return status;
}

/* Whether this version knows all about tables that are not read. */
static int32_t check_unread(const struct side tables[BIND_TABLES])
{
    int32_t status = CLSLICE_S_OK;
    for (int i = 0; status == CLSLICE_S_OK && i < BIND_TABLES; ++i) {
        status = check_kind(&tables[i]);
        if (status == CLSLICE_S_OK)
            status = check_reserved(&tables[i]);
    }
    return status;
}

int32_t bind_check_tables(const struct clslice_operator *op, const clslice_dispatch_desc *desc,
                          const clslice_batch *batch, const struct batch_tables *bytes,
                          struct bound bound[BIND_TABLES], clslice_error *error)
{
    struct side sides[BIND_SIDES] = {tensor_side(op, desc, BIND_IN, error),
                                     tensor_side(op, desc, BIND_OUT, error)};
    struct side tables[BIND_TABLES] = {
        table_side(op, &batch->window, "clslice_batch.window", 4, bytes->window, error),
        table_side(op, &batch->output, "clslice_batch.output", batch->output_index_bytes,
                   bytes->output, error),
        table_side(op, &batch->skipped, "clslice_batch.skipped", 4, 4, error)};
    int32_t status = CLSLICE_S_OK;
    if (batch->count == 0)
        return check_unread(tables);
    tables[BIND_SKIPPED].is_written = true;
    for (int i = 0; status == CLSLICE_S_OK && i < BIND_SIDES; ++i)
        if (sides[i].binding->kind == CLSLICE_BINDING_CL_MEM) /* it is one, as was checked before */
            status = check_mem(&sides[i]);
    for (int i = 0; status == CLSLICE_S_OK && i < BIND_TABLES; ++i) {
        status = check_table(&tables[i], &sides[BIND_OUT]);
        bool is_there = tables[i].binding->kind != CLSLICE_BINDING_NONE;
        bound[i] = is_there && status == CLSLICE_S_OK ? bound_of(&tables[i]) : (struct bound){0};
    }
    return status == CLSLICE_S_OK ? check_counter(&sides[BIND_IN], tables) : status;
}
