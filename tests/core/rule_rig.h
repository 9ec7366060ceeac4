/* SPDX-License-Identifier: MIT */
/* A description to break a rule in, and how it is then refused. */
#ifndef CLSLICE_TESTS_CORE_RULE_RIG_H
#define CLSLICE_TESTS_CORE_RULE_RIG_H

#include "support/guarded_desc.h"
#include "support/suite.h"

enum { TYPES = 11 };

extern struct guarded_desc desc;
extern struct slice slice; /* of the last description that was accepted */
extern clslice_error error;

/* A checked fixture. */
void map_memory(void);

/* Every dimension takes 3 of the 6 elements that begin at 1 of 9, forwards or backwards in turn. */
struct slice_case base_case(uint32_t rank, uint32_t data_type);

/* Describes the same with both arrays of strides in use. */
void fill_base(uint32_t rank, uint32_t data_type);

/* "Sizes[2]" and "InputTensor.Sizes", in one of a few buffers in turn. */
const char *at(const char *name, uint32_t i);
const char *of(int tensor, const char *field);

/* Takes the members of a struct broken. */
#define EXPECT(...) guarded_desc_expect(&desc, &(const struct broken){__VA_ARGS__}, &error)

void expect_named(const char *part);
void expect_accepted(void);

#endif
