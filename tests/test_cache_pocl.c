/* SPDX-License-Identifier: MIT */
/* Real binaries of a real driver, which dies of damaged ones: through the public ABI, in processes
 * as fresh as a user's, each with a driver's cache of its own. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <clslice/clslice.h>
#include <clslice/directml.h>

#include "cache_rig.h"
#include "dice.h"

enum { SEED = 31, ROWS = 40, COLUMNS = 50, DAMAGED_RUNS = 6, DAMAGES = 200, PROCESSES = 8 };

/* What a child says by its exit status. */
enum { BUILT = 20, FROM_CACHE, WRONG, FAILED };

static const char *program; /* this one */
static struct path folder;  /* of the cache */
static unsigned runs;

/* ---- The child ---- */

/* Flips rows, for which two programs are built and one is used; or columns, for which one is. */
static bool flips_rows;

static bool is_right(float in[ROWS][COLUMNS], float out[ROWS][COLUMNS])
{
    for (int row = 0; row < ROWS; ++row)
        for (int column = 0; column < COLUMNS; ++column) {
            float from = flips_rows ? in[ROWS - 1 - row][column] : in[row][COLUMNS - 1 - column];
            if (out[row][column] != from) /* small whole numbers */
                return false;
        }
    return true;
}

static clslice_operator *operator_on(clslice_device *device, clslice_error *error)
{
    static const uint32_t sizes[] = {ROWS, COLUMNS}, offsets[] = {0, 0};
    const int32_t strides[] = {flips_rows ? -1 : 1, flips_rows ? 1 : -1};
    static const DML_BUFFER_TENSOR_DESC buffer = {.DataType = DML_TENSOR_DATA_TYPE_FLOAT32,
                                                  .DimensionCount = 2,
                                                  .Sizes = sizes,
                                                  .TotalTensorSizeInBytes =
                                                      UINT64_C(4) * ROWS * COLUMNS};
    static const DML_TENSOR_DESC tensor = {DML_TENSOR_TYPE_BUFFER, &buffer};
    const DML_SLICE1_OPERATOR_DESC slice = {&tensor, &tensor, 2, offsets, sizes, strides};
    const DML_OPERATOR_DESC desc = {DML_OPERATOR_SLICE1, &slice};
    clslice_operator *op = NULL;
    return clslice_operator_create(device, &desc, &op, error) == CLSLICE_S_OK ? op : NULL;
}

static int run(clslice_compiled_operator *compiled, clslice_device *device, clslice_error *error)
{
    static float in[ROWS][COLUMNS], out[ROWS][COLUMNS];
    for (int i = 0; i < ROWS * COLUMNS; ++i)
        in[i / COLUMNS][i % COLUMNS] = (float)i;
    const clslice_binding from = {.kind = CLSLICE_BINDING_HOST, .handle = in, .size = sizeof in};
    const clslice_binding to = {.kind = CLSLICE_BINDING_HOST, .handle = out, .size = sizeof out};
    const clslice_dispatch_desc dispatch = {.size = sizeof dispatch,
                                            .inputs = &from,
                                            .outputs = &to,
                                            .input_count = 1,
                                            .output_count = 1};
    clslice_compiled_operator_info info = {.size = sizeof info};
    struct _cl_event *event = NULL;
    if (clslice_dispatch(compiled, &dispatch, &event, error) != CLSLICE_S_OK ||
        clslice_event_wait(device, event, error) != CLSLICE_S_OK ||
        clslice_compiled_operator_get_info(compiled, &info, error) != CLSLICE_S_OK)
        return FAILED;
    clslice_event_release(device, event);
    if (!is_right(in, out))
        return WRONG;
    return info.program_outcome == CLSLICE_PROGRAM_FROM_CACHE ? FROM_CACHE : BUILT;
}

static int child(void)
{
    clslice_error error = {.size = sizeof error};
    clslice_device *device = NULL;
    clslice_compiled_operator *compiled = NULL;
    int said = FAILED;
    int32_t status = clslice_device_create(NULL, &device, &error);
    clslice_operator *op = status == CLSLICE_S_OK ? operator_on(device, &error) : NULL;
    if (op && clslice_operator_compile(op, NULL, &compiled, &error) == CLSLICE_S_OK)
        said = run(compiled, device, &error);
    if (said == FAILED)
        fprintf(stderr, "child: %s\n", error.text);
    clslice_compiled_operator_release(compiled);
    clslice_operator_release(op);
    clslice_device_release(device);
    return said;
}

/* ---- Processes ---- */

static const char *flip = "columns";

static pid_t start(void)
{
    char name[64];
    fflush(NULL);
    snprintf(name, sizeof name, "pocl-%ld-%u", (long)getpid(), runs++);
    struct path pocl = path_of(folder.text, name);
    pid_t process = fork();
    ck_assert_int_ge(process, 0);
    if (process == 0) {
        setenv("POCL_CACHE_DIR", pocl.text, 1);
        setenv("CLSLICE_CACHE", path_of(folder.text, "clslice").text, 1);
        setenv("CLSLICE_DEVICE", "portable", 1);
        setenv("ASAN_OPTIONS", "detect_leaks=0", 1); /* the driver's own */
        execl(program, program, "child", flip, (char *)NULL);
        _exit(127);
    }
    return process;
}

static int end(pid_t process)
{
    int status;
    ck_assert_int_eq(waitpid(process, &status, 0), process);
    ck_assert_msg(WIFEXITED(status), "the process died: 0x%x", status);
    return WEXITSTATUS(status);
}

static int fresh_process(void)
{
    return end(start());
}

/* ---- The entry that the driver's binary is in ---- */

static struct path entry;
static struct bytes whole;

/* Once for all tests, each of which leaves a whole entry or none. */
static void enter(void)
{
    struct cache_entry found;
    folder = new_folder();
    ck_assert_int_eq(fresh_process(), BUILT);
    struct path at = path_of(folder.text, "clslice");
    struct cache *cache = cache_create(at.text, CACHE_READ_ONLY, CACHE_NO_LIMIT);
    ck_assert(cache_entry_at(cache, 0, &found));
    ck_assert_uint_gt(found.key.length, 0);
    entry = path_of(at.text, found.name);
    whole = file_read(entry.text);
    free(found.file);
    cache_release(cache);
}

static void leave(void)
{
    free(whole.at);
    remove_tree(folder.text);
}

/* A flipped bit or a cut, by number. */
static void damage(struct dice *dice, int number)
{
    size_t at = (size_t)dice_below(dice, whole.size);
    unsigned char bit = (unsigned char)(1u << dice_below(dice, 8));
    whole.at[at] ^= number % 2 == 0 ? bit : 0;
    file_write(entry.text, whole.at, number % 2 == 0 ? whole.size : at, 0600);
    whole.at[at] ^= number % 2 == 0 ? bit : 0;
}

static bool is_whole_again(void)
{
    struct hash_part key;
    const char *reason;
    struct bytes now = file_read(entry.text);
    entry_key(now.at, now.size, &key, &reason);
    bool is_whole = key.length > 0;
    free(now.at);
    return is_whole;
}

START_TEST(a_second_process_needs_no_compiler)
{
    if (_i == 1) {
        flip = "rows";
        ck_assert_int_eq(fresh_process(), BUILT);
    }
    ck_assert_int_eq(fresh_process(), FROM_CACHE);
    ck_assert_int_eq(fresh_process(), FROM_CACHE);
}
END_TEST

START_TEST(p3_damage_costs_a_build_and_no_more)
{
    struct dice dice = {SEED};
    for (int i = 0; i < DAMAGED_RUNS; ++i) {
        damage(&dice, i);
        ck_assert_int_eq(fresh_process(), BUILT);
        ck_assert_msg(is_whole_again(), "damage %d: not replaced", i);
        ck_assert_int_eq(fresh_process(), FROM_CACHE);
    }
}
END_TEST

/* What a hit does not give, the driver does not get. */
START_TEST(p3_no_damaged_binary_reaches_the_driver)
{
    struct dice dice = {SEED + 1};
    const char *reason;
    struct hash_part key;
    entry_key(whole.at, whole.size, &key, &reason);
    struct cache *cache =
        cache_create(path_of(folder.text, "clslice").text, CACHE_READ_WRITE, CACHE_NO_LIMIT);
    for (int i = 0; i < DAMAGES; ++i) {
        damage(&dice, i);
        struct cache_found found = cache_get(cache, &key);
        ck_assert_msg(found.outcome == CACHE_CORRUPT || found.outcome == CACHE_STALE,
                      "damage %d: outcome %d", i, (int)found.outcome);
        cache_found_release(&found);
        ck_assert_int_ne(access(entry.text, F_OK), 0);
    }
    file_write(entry.text, whole.at, whole.size, 0600);
    struct cache_found found = cache_get(cache, &key);
    ck_assert_int_eq(found.outcome, CACHE_HIT);
    cache_found_release(&found);
    cache_release(cache);
}
END_TEST

START_TEST(p6_first_uses_at_once)
{
    pid_t process[PROCESSES];
    remove_tree(path_of(folder.text, "clslice").text);
    for (int i = 0; i < PROCESSES; ++i)
        process[i] = start();
    for (int i = 0; i < PROCESSES; ++i) {
        int said = end(process[i]);
        ck_assert(said == BUILT || said == FROM_CACHE);
    }
    ck_assert_int_eq(fresh_process(), FROM_CACHE);
    ck_assert_uint_eq(count_temporaries(path_of(folder.text, "clslice").text), 0);
}
END_TEST

int main(int argc, char **argv)
{
    program = argv[0];
    if (argc > 2 && strcmp(argv[1], "child") == 0) {
        flips_rows = strcmp(argv[2], "rows") == 0;
        return child();
    }
    Suite *suite = suite_create("cache pocl");
    TCase *tests = tcase_create("cache pocl");
    tcase_add_unchecked_fixture(tests, enter, leave);
    tcase_add_test(tests, p3_damage_costs_a_build_and_no_more);
    tcase_add_test(tests, p3_no_damaged_binary_reaches_the_driver);
    tcase_add_test(tests, p6_first_uses_at_once);
    tcase_add_loop_test(tests, a_second_process_needs_no_compiler, 0, 2);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
