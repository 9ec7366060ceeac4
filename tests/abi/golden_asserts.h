/* SPDX-License-Identifier: MIT */
/* golden.h at compile time, in C and C++, whichever header declared DirectML's types. */
#ifndef CLSLICE_TESTS_ABI_GOLDEN_ASSERTS_H
#define CLSLICE_TESTS_ABI_GOLDEN_ASSERTS_H

#include "clslice/clslice.h"
#include "clslice/directml.h"
#include "golden.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define GOLDEN_ASSERT static_assert
#else
#define GOLDEN_ASSERT _Static_assert
#endif

#define GOLDEN_SIZE(type, bytes) GOLDEN_ASSERT(sizeof(type) == (bytes), "sizeof " #type);
#define GOLDEN_LEAST_SIZE(type, bytes) GOLDEN_ASSERT(sizeof(type) >= (bytes), "sizeof " #type);
#define GOLDEN_FIELD(type, field, at, bytes)                        \
    GOLDEN_ASSERT(offsetof(type, field) == (at), #type "." #field); \
    GOLDEN_ASSERT(sizeof(((type *)NULL)->field) == (bytes), "sizeof " #type "." #field);
#define GOLDEN_MEMBER(member, at) \
    GOLDEN_ASSERT(offsetof(struct clslice_api, member) == (at), "clslice_api." #member);
#define GOLDEN_CONSTANT(name, value) GOLDEN_ASSERT((uint32_t)(name) == (value), #name);

#if UINTPTR_MAX == UINT64_MAX || defined(__i386__)
GOLDEN_SIZES(GOLDEN_LEAST_SIZE)
GOLDEN_FIELDS(GOLDEN_FIELD) /* NOLINT(bugprone-sizeof-expression): pointers, too, have a size */
GOLDEN_MEMBER(size, 0)
GOLDEN_MEMBER(abi, 4)
GOLDEN_MEMBER(version, 8)
GOLDEN_MEMBERS(GOLDEN_MEMBER)
GOLDEN_DML_SIZES(GOLDEN_SIZE)
GOLDEN_DML_FIELDS(GOLDEN_FIELD) /* NOLINT(bugprone-sizeof-expression) */
GOLDEN_ASSERT(sizeof(clslice_binding) == 56 + P, "elements of arrays cannot grow");
#endif
GOLDEN_CONSTANTS(GOLDEN_CONSTANT)
GOLDEN_DML_CONSTANTS(GOLDEN_CONSTANT)
GOLDEN_ASSERT(CLSLICE_NO_ITEM == UINT64_MAX, "all ones");

#endif
