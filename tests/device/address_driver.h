/* SPDX-License-Identifier: MIT */
/* A driver that launches no kernel with a buffer where it once got an address, as NVIDIA's 580. */
#ifndef CLSLICE_TESTS_DEVICE_ADDRESS_DRIVER_H
#define CLSLICE_TESTS_DEVICE_ADDRESS_DRIVER_H

/* The `get_proc` of its devices; for one thread. */
void *address_driver_proc(void *user, const char *name);

#endif
