/* SPDX-License-Identifier: MIT */
#define INDEX_BITS 32
#define DIVIDES_BY_1
#define WALK_NAME small
#include "walk_on_host.inc"
