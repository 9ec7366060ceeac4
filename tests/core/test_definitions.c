/* SPDX-License-Identifier: MIT */
/* How many programs there are: each costs its first user a build. */
#include "conformance/sweep.h"
#include "core/definitions.h"
#include "support/case_slice.h"

#include <string.h>

enum { PROGRAMS_MOST = 40, DRAWS = 100 }; /* of each class of slices */

struct programs {
    char text[PROGRAMS_MOST][160];
    uint32_t count;
};

static void add_program(struct programs *programs, const struct plan *plan, const char *name)
{
    char bytes[sizeof programs->text[0]];
    struct text text = text_in(bytes, sizeof bytes);
    text_append(&text, "%s ", plan_variant_name(plan->variant));
    plan_define(plan, &text);
    ck_assert_uint_lt(text.length, sizeof bytes);
    for (uint32_t i = 0; i < programs->count; ++i)
        if (strcmp(programs->text[i], bytes) == 0)
            return;
    ck_assert_msg(programs->count < PROGRAMS_MOST, "%s needs one more: %s", name, bytes);
    strcpy(programs->text[programs->count++], bytes);
}

/* Of the sizes that are measured, whatever the tensors' addresses. */
START_TEST(a_thousand_slices_share_forty_programs)
{
    static const uint64_t seeds[] = {1, 0xa0fdaae3, 0x30ee91f0, 0xabcdef};
    static const struct plan_limits devices[] = {{true, 2, 64, 4096, 0, 12 << 20},
                                                 {true, 16, 64, 4096, 0, 48 << 20},
                                                 {false, 132, 32, 1024, 48 << 10, 0}};
    const struct plan_limits *device = &devices[_i % 3];
    struct programs programs = {.count = 0};
    for (uint32_t n = 0; n < SWEEP_CLASS_COUNT * DRAWS; ++n) {
        struct sweep_draw draw;
        sweep_draw(&draw, seeds[_i / 3], n / DRAWS, n % DRAWS, device->cpu ? 64 << 20 : 256 << 20);
        for (int alignment = 0; alignment < PLAN_ALIGNMENT_COUNT; ++alignment) {
            struct plan plan = plan_within(&draw.c, device, alignment, CHOSEN);
            add_program(&programs, &plan, draw.name);
        }
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("definitions");
    TCase *definitions = suite_case(suite, "definitions");
    tcase_add_loop_test(definitions, a_thousand_slices_share_forty_programs, 0, 12);
    return suite_run(suite);
}
