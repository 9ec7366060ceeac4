/* SPDX-License-Identifier: MIT */
#include "selector_machine.h"

#include <stdio.h>
#include <string.h>

clslice_error error;

void fresh_error(void)
{
    memset(&error, 0, sizeof error);
    error.size = sizeof error;
}

cl_platform_id platform_id(uintptr_t number)
{
    return (cl_platform_id)(number * 64);
}

void set_name(char *to, size_t size, const char *from)
{
    snprintf(to, size, "%s", from);
}

static const struct {
    uintptr_t platform;
    const char *platform_name, *platform_vendor, *name, *vendor;
    cl_device_type type;
    bool unified;
    const char *uuid, *pci;
} machine[DEVICES] = {
    {1, "AMD Accelerated Parallel Processing", "Advanced Micro Devices, Inc.",
     "gfx90a:sramecc+:xnack-", "AMD", GPU, false, "", "0000:03:00.0"},
    {1, "AMD Accelerated Parallel Processing", "Advanced Micro Devices, Inc.",
     "gfx90a:sramecc+:xnack-", "AMD", GPU, false, "", "0000:83:00.0"},
    {2, "Intel(R) OpenCL Graphics", "Intel(R) Corporation", "Intel(R) UHD Graphics 770",
     "Intel(R) Corporation", GPU, true, "", "0000:00:02.0"},
    {3, "NVIDIA CUDA", "NVIDIA Corporation", "NVIDIA GeForce GTX 650", "NVIDIA Corporation", GPU,
     false, "0123456789abcdef0123456789abcdef", "0000:01:00.0"},
    {4, "Oclgrind", "University of Bristol", "Oclgrind Simulator", "University of Bristol",
     GPU | CPU | ACC, true, "", ""},
    {5, "Portable Computing Language", "The pocl project", "pthread-AMD EPYC", "AuthenticAMD", CPU,
     true, "", ""},
    {6, "Xilinx", "Xilinx", "fpga0", "Xilinx", ACC, false, "", ""},
};

struct found_device devices[DEVICES];
struct found_devices found;

void fill_machine(void)
{
    fresh_error();
    memset(devices, 0, sizeof devices);
    found = (struct found_devices){.device = devices, .count = DEVICES, .platform_count = 6};
    for (uint32_t i = 0; i < DEVICES; ++i) {
        struct found_device *device = &devices[i];
        device->platform = platform_id(machine[i].platform);
        device->type = machine[i].type;
        device->unified_memory = machine[i].unified;
        set_name(device->platform_name, sizeof device->platform_name, machine[i].platform_name);
        set_name(device->platform_vendor, sizeof device->platform_vendor,
                 machine[i].platform_vendor);
        set_name(device->name, sizeof device->name, machine[i].name);
        set_name(device->vendor, sizeof device->vendor, machine[i].vendor);
        set_name(device->uuid, sizeof device->uuid, machine[i].uuid);
        set_name(device->pci, sizeof device->pci, machine[i].pci);
    }
}

int32_t pick(const char *selector, uint32_t *index)
{
    return selector_pick(selector, "CLSLICE_DEVICE", "", &found, index, &error);
}
