/* SPDX-License-Identifier: MIT */
#include "rule_rig.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *const tensors[] = {"InputTensor", "OutputTensor"};
struct guarded_desc desc;
struct slice slice;
clslice_error error;

void map_memory(void)
{
    guarded_desc_init(&desc);
}

struct slice_case base_case(uint32_t rank, uint32_t data_type)
{
    struct slice_case c = {.name = "base", .data_type = data_type, .rank = rank};
    for (uint32_t i = 0; i < rank; ++i) {
        c.in_sizes[i] = 9;
        c.window_offsets[i] = 1;
        c.window_sizes[i] = 6;
        c.window_strides[i] = i % 2 ? -2 : 2;
        c.out_sizes[i] = 3;
    }
    return c;
}

void fill_base(uint32_t rank, uint32_t data_type)
{
    struct slice_case c = base_case(rank, data_type);
    guarded_desc_fill(&desc, &c);
    desc.buffer[0]->Strides = desc.strides[0];
    desc.buffer[1]->Strides = desc.strides[1];
}

const char *at(const char *name, uint32_t i)
{
    static char texts[4][64];
    static int turn;
    char *text = texts[turn++ % 4];
    snprintf(text, sizeof texts[0], "%s[%" PRIu32 "]", name, i);
    return text;
}

const char *of(int tensor, const char *field)
{
    static char texts[4][64];
    static int turn;
    char *text = texts[turn++ % 4];
    snprintf(text, sizeof texts[0], "%s.%s", tensors[tensor], field);
    return text;
}

void expect_named(const char *part)
{
    ck_assert_msg(strstr(error.text, part) != NULL, "\"%s\" does not name %s", error.text, part);
}

void expect_accepted(void)
{
    guarded_desc_accept(&desc, &slice);
}
