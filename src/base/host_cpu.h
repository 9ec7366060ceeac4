/* SPDX-License-Identifier: MIT */
/* What of this machine's processor changes the code that compilers make for it: drivers for CPUs
 * tell as little as a brand, and of two machines of one brand a hypervisor may have taken half the
 * features. */
#ifndef CLSLICE_BASE_HOST_CPU_H
#define CLSLICE_BASE_HOST_CPU_H

#include "base/hash.h"

/* Of model and features, the same on each of its cores. */
struct hash host_cpu(void);

#endif
