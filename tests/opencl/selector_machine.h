/* SPDX-License-Identifier: MIT */
/* A machine of devices that do not exist, to select from. */
#ifndef CLSLICE_TESTS_OPENCL_SELECTOR_MACHINE_H
#define CLSLICE_TESTS_OPENCL_SELECTOR_MACHINE_H

#include "opencl/selector.h"

enum { GPU = CL_DEVICE_TYPE_GPU, CPU = CL_DEVICE_TYPE_CPU, ACC = CL_DEVICE_TYPE_ACCELERATOR };
enum { DEVICES = 7 };

extern struct found_device devices[DEVICES];
extern struct found_devices found; /* those, or the first of them */
extern clslice_error error;        /* of the last pick */

void fresh_error(void);
cl_platform_id platform_id(uintptr_t number);
void set_name(char *to, size_t size, const char *from);

/* A checked fixture. */
void fill_machine(void);

/* As CLSLICE_DEVICE picks. */
int32_t pick(const char *selector, uint32_t *index);

#endif
