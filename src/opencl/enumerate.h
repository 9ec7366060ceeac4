/* SPDX-License-Identifier: MIT */
/* Every OpenCL device of the machine, with what identifies it, in an order that the loader's does
 * not change: platform name, then PCI address or UUID, then the driver's order. */
#ifndef CLSLICE_OPENCL_ENUMERATE_H
#define CLSLICE_OPENCL_ENUMERATE_H

#include "base/hash.h"
#include "opencl/cl_api.h"

/* Bytes of arguments that any kernel of ours takes: a device must take as many. OpenCL's least is
 * 1024, but 256 in the embedded profile. */
enum { ENUMERATE_KERNEL_BYTES = 936 };

/* Bytes of the largest element of a kernel: a device must be able to allocate one. */
enum { ENUMERATE_ALLOC_BYTES = 16 };

struct found_device {
    cl_platform_id platform; /* valid as long as the process */
    cl_device_id id;
    cl_device_type type; /* may have several bits */
    uint32_t driver_order;
    bool unified_memory;
    bool little_endian;
    cl_uint address_bits;
    cl_uint compute_units;
    cl_uint vendor_id;
    size_t max_work_group_size; /* of one dimension */
    size_t parameter_bytes;     /* that a kernel's arguments may have together */
    cl_ulong max_alloc_bytes;
    cl_ulong global_bytes;
    cl_ulong local_bytes; /* 0 where local memory is emulated */
    bool system_svm;      /* fine-grain system SVM */
    bool svm;             /* any SVM */
    bool scalar;          /* it has no vectors: an operation takes one element */
    bool loops_end_early; /* its driver ends a work-item's loops, and makes vectors of work-items */
    bool copies_block;    /* its driver keeps the caller while it copies host memory */
    bool is_identified;   /* every question about its identity was answered */
    struct hash strings;  /* of the seven below, uncut */
    char platform_name[256];
    char platform_vendor[256];
    char platform_version[256];
    char name[256];
    char vendor[256];
    char version[256]; /* CL_DEVICE_VERSION */
    char driver[128];
    char uuid[33];        /* 32 hexadecimal digits, or empty */
    char driver_uuid[33]; /* likewise */
    char pci[16];         /* dddd:bb:dd.f, or empty */
    char unusable[256];   /* why clslice cannot use it; empty where it can */
};

struct found_devices {
    struct found_device *device; /* owned; count of them */
    uint32_t count;
    uint32_t platform_count;
    char deviceless[256]; /* names of the platforms that have no device, with commas */
};

/* E_OUTOFMEMORY, or E_FAIL where the loader itself fails; no platform and no device are an empty
 * list. A device or platform that cannot be queried does not hide the others. */
int32_t enumerate_devices(const struct cl_api *cl, struct found_devices *found,
                          clslice_error *error);

void enumerate_release(struct found_devices *found);

/* Describes one device that a host brought with its context. */
void enumerate_describe(const struct cl_api *cl, cl_device_id id, struct found_device *device);

#endif
