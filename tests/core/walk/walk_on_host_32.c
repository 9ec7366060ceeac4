/* SPDX-License-Identifier: MIT */
#define INDEX_BITS 32
#define WALK_NAME 32
#include "walk_on_host.inc"
