/* SPDX-License-Identifier: MIT */
#include "runtime/kernel_slot.h"

#include "runtime/programs/kernels.h"

static void release(struct kernel_slot *slot, const struct cl_api *cl)
{
    if (slot->kernel)
        cl->clReleaseKernel(slot->kernel);
    if (slot->walk)
        cl->clReleaseMemObject(slot->walk);
}

void kernel_slot_release_all(struct kernel_slots *slots, const struct cl_api *cl)
{
    for (int i = 0; i < KERNEL_SLOT_COUNT; ++i)
        release(&slots->slot[i], cl);
}

static int32_t make_kernel(struct clslice_device *device, const struct kernel_slots *slots,
                           struct kernel_slot *slot, clslice_error *error)
{
    cl_int code;
    slot->kernel =
        device->cl.clCreateKernel(slots->program, program_kernel_name(slots->kernel), &code);
    return slot->kernel ? CLSLICE_S_OK : cl_fail(error, "clCreateKernel", code, NULL);
}

int32_t kernel_slot_first(struct clslice_device *device, struct kernel_slots *slots, size_t *most,
                          clslice_error *error)
{
    int32_t status = make_kernel(device, slots, &slots->slot[0], error);
    if (status != CLSLICE_S_OK)
        return status;
    cl_int code =
        device->cl.clGetKernelWorkGroupInfo(slots->slot[0].kernel, device->about.id,
                                            CL_KERNEL_WORK_GROUP_SIZE, sizeof *most, most, NULL);
    return code == CL_SUCCESS ? CLSLICE_S_OK
                              : cl_fail(error, "clGetKernelWorkGroupInfo", code, NULL);
}

static bool take(struct kernel_slot *slot)
{
    return atomic_load_explicit(&slot->taken, memory_order_relaxed) == 0 &&
           atomic_exchange_explicit(&slot->taken, 1, memory_order_acquire) == 0;
}

int32_t kernel_slot_acquire(struct clslice_device *device, struct kernel_slots *slots,
                            struct kernel_slot *spare, struct kernel_slot **taken,
                            clslice_error *error)
{
    struct kernel_slot *slot = spare;
    for (int i = 0; i < KERNEL_SLOT_COUNT && slot == spare; ++i)
        if (take(&slots->slot[i]))
            slot = &slots->slot[i];
    *taken = slot;
    int32_t status = slot->kernel ? CLSLICE_S_OK : make_kernel(device, slots, slot, error);
    if (status != CLSLICE_S_OK)
        kernel_slot_return(device, spare, slot);
    return status;
}

void kernel_slot_return(struct clslice_device *device, struct kernel_slot *spare,
                        struct kernel_slot *slot)
{
    if (slot == spare)
        release(slot, &device->cl);
    atomic_store_explicit(&slot->taken, 0, memory_order_release);
}

/* ---- Arguments ---- */

static int32_t renew_kernel(struct clslice_device *device, const struct kernel_slots *slots,
                            struct kernel_slot *slot, clslice_error *error)
{
    device->cl.clReleaseKernel(slot->kernel);
    slot->kernel = NULL;
    slot->addresses = 0;
    slot->holds_whole = false;
    return make_kernel(device, slots, slot, error);
}

static cl_int set_memory(struct clslice_device *device, cl_kernel kernel, uint32_t i,
                         const struct kernel_memory *memory)
{
    cl_uint index =
        i < KERNEL_SIDES ? KERNEL_ARG_SIDES + i : KERNEL_ARG_TABLES + (i - KERNEL_SIDES);
    return memory->mem ? device->cl.clSetKernelArg(kernel, index, sizeof memory->mem, &memory->mem)
                       : device->cl.clSetKernelArgSVMPointer(kernel, index, memory->address);
}

static int32_t set_memories(struct clslice_device *device, const struct kernel_slots *slots,
                            struct kernel_slot *slot, const struct kernel_memory *memory,
                            clslice_error *error)
{
    uint32_t count = slots->kernel.has_tables ? KERNEL_MEMORY_COUNT : KERNEL_SIDES, addresses = 0;
    for (uint32_t i = 0; i < count; ++i)
        addresses |= (uint32_t)!memory[i].mem << i;
    int32_t status =
        slot->addresses & ~addresses ? renew_kernel(device, slots, slot, error) : CLSLICE_S_OK;
    if (status != CLSLICE_S_OK)
        return status;
    slot->addresses = addresses;
    cl_int code = CL_SUCCESS;
    for (uint32_t i = 0; code == CL_SUCCESS && i < count; ++i)
        code = set_memory(device, slot->kernel, i, &memory[i]);
    return code == CL_SUCCESS ? CLSLICE_S_OK : cl_fail(error, "clSetKernelArg", code, NULL);
}

/* In a buffer: launches that use the one before keep it alive. */
static int32_t make_walk_buffer(struct clslice_device *device, struct kernel_slot *slot,
                                struct walk *walk, clslice_error *error)
{
    const struct cl_api *cl = &device->cl;
    cl_int code;
    if (slot->walk)
        cl->clReleaseMemObject(slot->walk);
    slot->walk = cl->clCreateBuffer(device->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                                    sizeof *walk, walk, &code);
    return slot->walk ? CLSLICE_S_OK : cl_fail(error, "clCreateBuffer", code, NULL);
}

static int32_t set_walk(struct clslice_device *device, const struct kernel_slots *slots,
                        struct kernel_slot *slot, const struct kernel_arguments *a,
                        clslice_error *error)
{
    bool whole = a->walk == slots->whole;
    if (whole && slot->holds_whole && slot->in_first == a->in_first &&
        slot->out_first == a->out_first)
        return CLSLICE_S_OK;
    struct walk placed = *a->walk;
    placed.in_first = slot->in_first = a->in_first;
    placed.out_first = slot->out_first = a->out_first;
    bool by_buffer = plan_variant_is_cpu(slots->kernel.variant);
    slot->holds_whole = false;
    int32_t status = by_buffer ? make_walk_buffer(device, slot, &placed, error) : CLSLICE_S_OK;
    if (status != CLSLICE_S_OK)
        return status;
    cl_int code = device->cl.clSetKernelArg(slot->kernel, KERNEL_ARG_WALK,
                                            by_buffer ? sizeof slot->walk : sizeof placed,
                                            by_buffer ? (void *)&slot->walk : &placed);
    slot->holds_whole = whole && code == CL_SUCCESS;
    return code == CL_SUCCESS ? CLSLICE_S_OK : cl_fail(error, "clSetKernelArg", code, NULL);
}

int32_t kernel_slot_set(struct clslice_device *device, const struct kernel_slots *slots,
                        struct kernel_slot *slot, const struct kernel_arguments *arguments,
                        clslice_error *error)
{
    int32_t status = set_memories(device, slots, slot, arguments->memory, error);
    if (status == CLSLICE_S_OK)
        status = set_walk(device, slots, slot, arguments, error);
    uint32_t few_words = slots->kernel.few_words;
    if (status != CLSLICE_S_OK || (!slots->kernel.has_tables && few_words == 0))
        return status;
    cl_int code = few_words > 0
                      ? device->cl.clSetKernelArg(slot->kernel, KERNEL_ARG_FEW,
                                                  offsetof(struct few_items, word) + 4 * few_words,
                                                  arguments->few)
                      : device->cl.clSetKernelArg(slot->kernel, KERNEL_ARG_BATCH,
                                                  sizeof *arguments->batch, arguments->batch);
    return code == CL_SUCCESS ? CLSLICE_S_OK : cl_fail(error, "clSetKernelArg", code, NULL);
}
