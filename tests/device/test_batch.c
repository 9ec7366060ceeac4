/* SPDX-License-Identifier: MIT */
/*
 * Batches on a device: many items of one operator in one dispatch, against single slices.
 *
 * To repeat a failure: CLSLICE_TEST_TRIAL=NUMBER.
 */
#include "conformance/case_words.h"
#include "support/batch_trial.h"
#include "support/suite.h"

#include <stdio.h>
#include <stdlib.h>

enum { TRIALS = 600, SEED = 20261123 };

static void run_trials(const struct rig *rig, bool may_stage, uint32_t trials)
{
    const char *only = getenv("CLSLICE_TEST_TRIAL");
    uint32_t ran = 0;
    rig_tell_crashes();
    for (uint32_t i = 0; i < trials; ++i) {
        struct dice dice = {SEED + i};
        struct batch_trial trial;
        for (int n = 0; n < 4; ++n)
            dice_roll(&dice);
        batch_trial_draw(&dice, may_stage, &trial);
        if (only && (uint32_t)atoi(only) != i)
            continue;
        if (getenv("SHOW"))
            fprintf(stderr, "%u %s\n", i, trial.text);
        ran += batch_trial_run(rig, &trial);
    }
    if (!only)
        ck_assert_uint_gt(ran, trials / 2);
}

START_TEST(random_batches_are_single_slices)
{
    struct rig rig;
    rig_open(&rig, NULL);
    run_trials(&rig, true, TRIALS);
    rig_close(&rig);
}
END_TEST

/* A device that does not share the host's memory, with a pool that holds few items. */
START_TEST(random_batches_are_staged)
{
    clslice_device_options options = {
        .size = sizeof options, .get_proc = rig_proc, .staging_bytes = _i == 0 ? 0 : 16384};
    struct rig rig;
    rig_lie = (struct rig_lie){.is_gpu = true, .has_no_svm = true};
    rig_open(&rig, &options);
    run_trials(&rig, true, TRIALS / 2);
    rig_close(&rig);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("batch");
    TCase *tests = suite_case(suite, "batch");
    tcase_set_timeout(tests, 1200);
    tcase_add_test(tests, random_batches_are_single_slices);
    tcase_add_loop_test(tests, random_batches_are_staged, 0, 2);
    return suite_run(suite);
}
