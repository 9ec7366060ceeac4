/* SPDX-License-Identifier: MIT */
/* A driver that, like NVIDIA's 580, refuses to launch a kernel with a buffer in place of an earlier
 * address. */
#ifndef CLSLICE_TESTS_DEVICE_ADDRESS_DRIVER_H
#define CLSLICE_TESTS_DEVICE_ADDRESS_DRIVER_H

/* The `get_proc` of its devices; for one thread. */
void *address_driver_proc(void *user, const char *name);

#endif
