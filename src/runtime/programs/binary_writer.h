/* SPDX-License-Identifier: MIT */
/* A new program's way to the disk: the driver is asked for binaries here and nowhere else. */
#ifndef CLSLICE_RUNTIME_PROGRAMS_BINARY_WRITER_H
#define CLSLICE_RUNTIME_PROGRAMS_BINARY_WRITER_H

#include "runtime/device.h"

/*
 * Runs the program once on scratch memory, in a group of `local_size` work-items or of as many as
 * its kernel takes, so that its binary holds what drivers generate at a first run; then asks for
 * the binary and writes it to the device's cache, all on this thread. Whatever fails is logged and
 * counted, and is no error. Returns whether the program ran.
 */
bool binary_write(struct clslice_device *device, cl_program program, struct program_kernel kernel,
                  size_t local_size, const struct hash_part *key);

#endif
