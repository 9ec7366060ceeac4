/* SPDX-License-Identifier: MIT */
#define INDEX_BITS 32
#define SMALL_NUMBERS
#define WALK_NAME small
#include "walk_on_host.inc"
