/* SPDX-License-Identifier: MIT */
/* test_compile_race [ROUNDS]: two threads compile and use the same two programs of one device,
 * whose cache is empty or is filled anew, in the same order or in opposite ones. For the
 * sanitizers: what they must not find is a race or a use after free between a compile that saves
 * and whatever else goes on. */
#include "support/program_rig.h"
#include "support/suite.h"

#include <pthread.h>
#include <stdlib.h>

enum { ROUNDS = 50, USES = 2, THREADS = 2 }; /* ROUNDS: of one process */

static const struct step uses[USES] = {
    {"strided", ACT_DISPATCH, SHAPE_STRIDED, MEMORY_CL, STEP_EVENT},
    {"rows", ACT_DISPATCH, SHAPE_ROWS, MEMORY_CL, STEP_EVENT}};

struct task {
    const struct world *world;
    struct world own[USES], caller[USES];
    int first;
    int32_t status;
};

static pthread_barrier_t start;
static const DML_OPERATOR_DESC *descs[USES]; /* made before the threads are */

/* Compiles and dispatches one of the slices, and lets go of the operator while the slice may
 * run. */
static int32_t use(const struct world *world, int which, struct world *own, struct world *caller)
{
    *own = *world;
    own->step = &uses[which];
    int32_t status = clslice_operator_create(own->device, descs[which], &own->op, NULL);
    if (status == CLSLICE_S_OK)
        status = world_compile(own->op, 0, &own->compiled, NULL);
    world_share(caller, own, NULL);
    if (status == CLSLICE_S_OK)
        status = world_act(caller, NULL);
    clslice_compiled_operator_release(own->compiled);
    clslice_operator_release(own->op);
    return status;
}

static void *run(void *user)
{
    struct task *task = user;
    pthread_barrier_wait(&start);
    for (int i = 0; i < USES && task->status == CLSLICE_S_OK; ++i) {
        int which = (task->first + i) % USES;
        task->status = use(task->world, which, &task->own[which], &task->caller[which]);
    }
    return NULL;
}

static void race(struct world *world, int round)
{
    struct task tasks[THREADS] = {{.world = world}, {.world = world, .first = round % USES}};
    pthread_t threads[THREADS];
    pthread_barrier_init(&start, NULL, THREADS);
    for (int t = 0; t < THREADS; ++t)
        ck_assert_int_eq(pthread_create(&threads[t], NULL, run, &tasks[t]), 0);
    for (int t = 0; t < THREADS; ++t)
        pthread_join(threads[t], NULL);
    pthread_barrier_destroy(&start);
    for (int t = 0; t < THREADS; ++t) {
        ck_assert_int_eq(tasks[t].status, CLSLICE_S_OK);
        for (int i = 0; i < USES; ++i) {
            world_check_done(&tasks[t].caller[i]);
            world_unshare(&tasks[t].caller[i]);
        }
    }
}

START_TEST(p16_compiles_beside_each_other)
{
    for (int i = 0; i < USES; ++i)
        descs[i] = shape_desc(uses[i].shape);
    static const struct step device = {"device", ACT_OPERATOR, SHAPE_STRIDED, MEMORY_CL, 0};
    for (int round = 0; round < ROUNDS; ++round) {
        clslice_device_options options = rig_begin();
        struct world world;
        size_t builds = fake_builds();
        if (round & 2)
            options.cache_mode = CLSLICE_CACHE_REFRESH;
        world_open_on(&world, &device, &options);
        race(&world, round);
        rig_check_counters(world.device, COUNTED(.misses = USES, .saved = USES));
        world_close(&world);
        ck_assert_uint_eq(fake_builds() - builds, USES);
        ck_assert_uint_eq(rig_queries(), USES);
        ck_assert_uint_eq(rig_entries(&options), USES);
    }
}
END_TEST

int main(int argc, char **argv)
{
    long rounds = argc > 1 ? strtol(argv[1], NULL, 10) : ROUNDS;
    Suite *suite = suite_create("compile_race");
    TCase *tcase = suite_case(suite, "threads");
    tcase_add_loop_test(tcase, p16_compiles_beside_each_other, 0,
                        (int)((rounds + ROUNDS - 1) / ROUNDS));
    return suite_run(suite) || rounds < 1;
}
