/* SPDX-License-Identifier: MIT */
#define INDEX_BITS 64
#define SMALL_NUMBERS
#define WALK_NAME wide
#include "walk_on_host.inc"
