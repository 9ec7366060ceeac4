/* SPDX-License-Identifier: MIT */
#include "opencl/cl_memory.h"

#include <stddef.h>

static cl_int ask(const struct cl_api *cl, cl_mem mem, cl_mem_info what, void *value, size_t size)
{
    return cl->clGetMemObjectInfo(mem, what, size, value, NULL);
}

/* Where a sub-buffer lies; a buffer lies in itself. */
static cl_int ask_root(const struct cl_api *cl, cl_mem mem, struct cl_memory *memory)
{
    cl_mem parent = NULL;
    size_t offset = 0;
    cl_int code = ask(cl, mem, CL_MEM_ASSOCIATED_MEMOBJECT, &parent, sizeof parent);
    if (code == CL_SUCCESS && parent)
        code = ask(cl, mem, CL_MEM_OFFSET, &offset, sizeof offset);
    memory->root = parent ? parent : mem;
    memory->root_offset = offset;
    return code;
}

/* Of the root, because Intel's driver mistells the pointer of a sub-buffer. */
static cl_int ask_host_ptr(const struct cl_api *cl, struct cl_memory *memory, bool is_root)
{
    cl_mem_flags flags = memory->flags;
    unsigned char *host = NULL;
    cl_int code = is_root ? CL_SUCCESS : ask(cl, memory->root, CL_MEM_FLAGS, &flags, sizeof flags);
    if (code != CL_SUCCESS || !(flags & CL_MEM_USE_HOST_PTR))
        return code;
    code = ask(cl, memory->root, CL_MEM_HOST_PTR, &host, sizeof host);
    memory->host_ptr = host ? host + memory->root_offset : NULL;
    return code;
}

cl_int cl_memory_of(const struct cl_api *cl, cl_mem mem, struct cl_memory *memory)
{
    const struct {
        cl_mem_info what;
        void *value;
        size_t size;
    } queries[] = {{CL_MEM_TYPE, &memory->type, sizeof memory->type},
                   {CL_MEM_CONTEXT, &memory->context, sizeof memory->context},
                   {CL_MEM_FLAGS, &memory->flags, sizeof memory->flags},
                   {CL_MEM_SIZE, &memory->size, sizeof memory->size}};
    *memory = (struct cl_memory){0};
    for (size_t i = 0; i < sizeof queries / sizeof queries[0]; ++i) {
        cl_int code = ask(cl, mem, queries[i].what, queries[i].value, queries[i].size);
        if (code != CL_SUCCESS || memory->type != CL_MEM_OBJECT_BUFFER)
            return code;
    }
    cl_int code = ask_root(cl, mem, memory);
    return code == CL_SUCCESS ? ask_host_ptr(cl, memory, memory->root == mem) : code;
}
