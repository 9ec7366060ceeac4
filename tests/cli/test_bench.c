/* SPDX-License-Identifier: MIT */
/* What `clslice bench` measures, that it notices what is wrong, and what it prints. */
#include "cli/bench/bench_case.h"
#include "cli/bench/bench_subject.h"
#include "conformance/case_desc.h"
#include "conformance/problem.h"
#include "support/case_slice.h"
#include "support/cli_process.h"
#include "support/harness.h"
#include "support/needs.h"
#include "support/suite.h"

#include <inttypes.h>
#include <json-c/json.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- The table ---- */

static bool is_prime(uint32_t number)
{
    for (uint32_t i = 2; i <= number / i; ++i)
        if (number % i == 0)
            return false;
    return number > 1;
}

START_TEST(patterns_are_a_shells)
{
    const struct slice_case *even = case_named("rope_even");
    const struct slice_case *twin = case_named("rope_even/awkward");

    ck_assert(bench_is_wanted(even, "rope_even") && !bench_is_wanted(twin, "rope_even"));
    ck_assert(bench_is_wanted(even, "rope_*") && bench_is_wanted(twin, "rope_*"));
    ck_assert(!bench_is_wanted(even, "*/awkward") && bench_is_wanted(twin, "*/awkward"));
    ck_assert(!bench_is_wanted(even, "rope") && !bench_is_wanted(even, ""));
    ck_assert(bench_is_wanted(even, NULL) && bench_is_wanted(case_named("tiny_3d"), NULL));
    ck_assert(!bench_is_wanted(case_named("doc/slice"), NULL));
    ck_assert(!bench_is_wanted(case_named("doc/slice"), "doc/slice"));
}
END_TEST

/* About a, as far as whole numbers of elements allow. */
static void assert_near(uint64_t a, uint64_t b, const char *name)
{
    ck_assert_msg(fabs((double)a / (double)b - 1) < 0.06, "%s: %" PRIu64 " and %" PRIu64, name, a,
                  b);
}

static void check_twin(const struct slice_case *even, const struct slice_case *twin)
{
    uint64_t sizes[2];

    ck_assert_uint_eq(twin->data_type, even->data_type);
    ck_assert_uint_eq(twin->rank, even->rank);
    for (uint32_t i = 0; i < twin->rank; ++i) {
        ck_assert_msg(is_prime(twin->in_sizes[i]) || twin->in_sizes[i] == even->in_sizes[i],
                      "%s: InputTensor.Sizes[%" PRIu32 "] = %" PRIu32, twin->name, i,
                      twin->in_sizes[i]);
        ck_assert_int_eq(twin->window_strides[i], even->window_strides[i]);
    }
    ck_assert(case_out_elements(even, &sizes[0]) && case_out_elements(twin, &sizes[1]));
    assert_near(sizes[0], sizes[1], twin->name);
    ck_assert(case_in_bytes(even, &sizes[0]) && case_in_bytes(twin, &sizes[1]));
    assert_near(sizes[0], sizes[1], twin->name);
}

START_TEST(every_large_case_has_a_twin_of_its_size)
{
    char name[64];

    for (size_t i = 0; i < slice_case_count; ++i) {
        const struct slice_case *c = &slice_cases[i];

        if (!(c->flags & CASE_LARGE))
            continue;
        if (bench_is_twin(c)) {
            snprintf(name, sizeof name, "%.*s", (int)bench_family_length(c), c->name);
            check_twin(case_named(name), c);
            ck_assert_uint_eq(bench_in_offset(c) % 2, 1);
            ck_assert_uint_eq(bench_out_offset(c) % 2, 1);
        } else {
            snprintf(name, sizeof name, "%s/awkward", c->name);
            case_named(name);
            ck_assert_uint_eq(bench_in_offset(c) + bench_out_offset(c), 0);
        }
    }
}
END_TEST

/* ---- Scaling ---- */

#define ASSERT_SAME(field) ck_assert_mem_eq(scaled.field, c->field, sizeof c->field)

START_TEST(a_factor_of_1_changes_nothing)
{
    struct slice_case scaled;

    for (size_t i = 0; i < slice_case_count; ++i) {
        const struct slice_case *c = &slice_cases[i];

        if (!bench_is_wanted(c, NULL))
            continue;
        ck_assert(bench_scale(c, 1, &scaled));
        ASSERT_SAME(in_sizes);
        ASSERT_SAME(in_strides);
        ASSERT_SAME(window_offsets);
        ASSERT_SAME(window_sizes);
        ASSERT_SAME(window_strides);
        ASSERT_SAME(out_sizes);
        ASSERT_SAME(out_strides);
    }
}
END_TEST

START_TEST(scaled_cases_are_valid_and_16_times_as_large)
{
    for (size_t i = 0; i < slice_case_count; ++i) {
        const struct slice_case *c = &slice_cases[i];
        clslice_error error = {.size = sizeof error};
        struct slice_case scaled;
        struct case_desc desc;
        uint64_t elements;
        uint64_t scaled_elements;

        if (!bench_is_wanted(c, NULL))
            continue;
        ck_assert(bench_scale(c, BENCH_GPU_FACTOR, &scaled));
        case_desc_init(&desc, &scaled);
        ck_assert_msg(clslice_operator_create(NULL, &desc.op, NULL, &error) == CLSLICE_S_OK,
                      "%s: %s", c->name, error.text);
        ck_assert(case_out_elements(c, &elements));
        ck_assert(case_out_elements(&scaled, &scaled_elements));
        assert_near(scaled_elements, elements * BENCH_GPU_FACTOR, c->name);
    }
}
END_TEST

START_TEST(strides_over_the_first_dimension_grow_with_it)
{
    struct slice_case scaled;

    ck_assert(bench_scale(case_named("transpose_out"), 16, &scaled));
    ck_assert_uint_eq(scaled.in_sizes[0], 65536);
    ck_assert_uint_eq(scaled.out_sizes[0], 65536);
    ck_assert_uint_eq(scaled.out_strides[0], 1);
    ck_assert_uint_eq(scaled.out_strides[1], 65536);
    ck_assert(bench_scale(case_named("broadcast_in"), 16, &scaled));
    ck_assert_uint_eq(scaled.in_strides[0], 0);
    ck_assert_uint_eq(scaled.in_strides[1], 1);
}
END_TEST

START_TEST(a_first_step_takes_all_of_the_longer_window)
{
    struct slice_case scaled;

    ck_assert(bench_scale(case_named("rows_outer2/awkward"), 16, &scaled));
    ck_assert_uint_eq(scaled.window_offsets[0], 1);
    ck_assert_uint_eq(scaled.window_sizes[0], 65232);
    ck_assert_uint_eq(scaled.out_sizes[0], 32616);
    ck_assert(bench_scale(case_named("flip_rows"), 16, &scaled));
    ck_assert_uint_eq(scaled.out_sizes[0], 65536);
}
END_TEST

START_TEST(what_exceeds_32_bits_is_not_scaled)
{
    struct slice_case scaled;

    ck_assert(!bench_scale(case_named("copy_all"), UINT32_MAX, &scaled));
    ck_assert(!bench_scale(case_named("transpose_out"), 1 << 20, &scaled));
    ck_assert(!bench_scale(case_named("input/last-of-2^32-1"), 2, &scaled));
}
END_TEST

START_TEST(quantiles_are_samples)
{
    double samples[] = {5, 1, 4, 2, 3, 9, 8, 7, 6, 10, 11};

    ck_assert_double_eq(bench_quantile(samples, 11, 0.5), 6);
    ck_assert_double_eq(bench_quantile(samples, 11, 0.1), 2);
    ck_assert_double_eq(bench_quantile(samples, 11, 0), 1);
    ck_assert_double_eq(bench_quantile(samples, 11, 1), 11);
    ck_assert_double_eq(bench_quantile(samples, 4, 0.5), 2);
    ck_assert_double_eq(bench_quantile(samples + 3, 1, 0.5), 4);
}
END_TEST

/* ---- On a device whose OpenCL is the real one but for one function ---- */

enum { MOST_BYTES = 1 << 20 };

/* A kernel that is taken and never runs. */
static cl_int CL_API_CALL lose_kernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                      const size_t *offset, const size_t *global,
                                      const size_t *local, cl_uint wait_count,
                                      const cl_event *waits, cl_event *event)
{
    RIG_REAL(clEnqueueMarkerWithWaitList, enqueue_marker);
    (void)kernel, (void)dimensions, (void)offset, (void)global, (void)local;
    return event ? enqueue_marker(queue, wait_count, waits, event) : CL_SUCCESS;
}

/* Memory that ends early. */
static cl_mem CL_API_CALL create_small_buffer(cl_context context, cl_mem_flags flags, size_t size,
                                              void *host, cl_int *code)
{
    RIG_REAL(clCreateBuffer, create_buffer);
    if (size <= MOST_BYTES)
        return create_buffer(context, flags, size, host, code);
    *code = CL_MEM_OBJECT_ALLOCATION_FAILURE;
    return NULL;
}

static void *get_proc(void *user, const char *name)
{
    return rig_proc_or(user, 1, name);
}

static void open_replaced(struct bench_cl *cl, struct rig_own *replacement)
{
    clslice_error error = {.size = sizeof error};
    clslice_device_options options = {
        .size = sizeof options, .get_proc = get_proc, .get_proc_user = replacement};
    struct problem problem = {0};
    clslice_device *device;

    ASSERT_OK(clslice_device_create(&options, &device, &error), &error);
    ck_assert_msg(bench_cl_open(cl, device, &problem), "%s", problem.text);
}

static void close_replaced(struct bench_cl *cl)
{
    clslice_device *device = cl->device;

    bench_cl_close(cl);
    clslice_device_release(device);
}

START_TEST(a_wrong_output_is_noticed)
{
    struct rig_own replacement = {"clEnqueueNDRangeKernel", RIG_ADDRESS(lose_kernel)};
    struct bench_subject subject;
    struct problem problem = {0};
    struct bench_cl cl;

    open_replaced(&cl, &replacement);
    ck_assert_int_eq(bench_subject_open(&subject, &cl, case_named("tiny_64"), NULL, &problem),
                     BENCH_FAILED);
    ck_assert_msg(strstr(problem.text, "of the output is 0xA5, not 0x"), "%s", problem.text);
    ck_assert_ptr_null(subject.compiled);
    close_replaced(&cl);
}
END_TEST

START_TEST(a_case_without_memory_is_skipped_and_the_next_one_is_not)
{
    struct rig_own replacement = {"clCreateBuffer", RIG_ADDRESS(create_small_buffer)};
    const struct slice_case *large = case_named("column");
    const struct slice_case *small = case_named("tiny_64");
    struct bench_subject subject;
    struct problem problem = {0};
    struct bench_cl cl;

    open_replaced(&cl, &replacement);
    for (int i = 0; i < 2; ++i) {
        ck_assert_int_eq(bench_subject_open(&subject, &cl, small, NULL, &problem), BENCH_READY);
        bench_subject_close(&subject);
        ck_assert_int_eq(bench_subject_open(&subject, &cl, large, NULL, &problem), BENCH_SKIPPED);
        ck_assert_msg(strstr(problem.text, "clCreateBuffer failed with OpenCL error -4"), "%s",
                      problem.text);
    }
    cl.info.max_alloc_bytes = MOST_BYTES;
    ck_assert_int_eq(bench_subject_open(&subject, &cl, large, NULL, &problem), BENCH_SKIPPED);
    ck_assert_msg(strstr(problem.text, "a buffer of the device at most 1048576"), "%s",
                  problem.text);
    close_replaced(&cl);
}
END_TEST

START_TEST(a_variant_that_cannot_do_a_case_skips_it)
{
    struct rig_own none = {"", NULL};
    const struct slice_case *c = case_named("tiny_64");
    struct bench_subject planned;
    struct bench_subject forced;
    struct problem problem = {0};
    struct bench_cl cl;

    open_replaced(&cl, &none);
    ck_assert_int_eq(bench_subject_open(&forced, &cl, c, "frob", &problem), BENCH_SKIPPED);
    ck_assert_str_eq(problem.text,
                     "clslice_compile_options.variant = \"frob\" is not a variant; the variants "
                     "are: rows_cpu rows_gpu transpose_cpu transpose_gpu strided_cpu strided_gpu");
    ck_assert_int_eq(bench_subject_open(&forced, &cl, c, "transpose_cpu", &problem), BENCH_SKIPPED);
    ck_assert_str_eq(problem.text,
                     "clslice_compile_options.variant = \"transpose_cpu\" cannot run this slice; "
                     "the variants that can are: rows_cpu rows_gpu strided_cpu strided_gpu");
    ck_assert_int_eq(bench_subject_open(&planned, &cl, c, NULL, &problem), BENCH_READY);
    ck_assert_int_eq(bench_subject_open(&forced, &cl, c, bench_subject_variant(&planned), &problem),
                     BENCH_READY);
    ck_assert_str_eq(bench_subject_variant(&forced), bench_subject_variant(&planned));
    bench_subject_close(&planned);
    bench_subject_close(&forced);
    close_replaced(&cl);
}
END_TEST

/* ---- The command ---- */

static struct cli_result run_well(const char *words, const char *environment)
{
    struct cli_result result = cli_run(words, environment);

    ck_assert_msg(result.status == 0 && result.err[0] == '\0', "%s", result.err);
    return result;
}

static double number_of(struct json_object *object, const char *name)
{
    struct json_object *value;

    ck_assert_msg(json_object_object_get_ex(object, name, &value), "%s is missing", name);
    ck_assert(json_object_is_type(value, json_type_double) ||
              json_object_is_type(value, json_type_int));
    return json_object_get_double(value);
}

static const char *text_of(struct json_object *object, const char *name)
{
    struct json_object *value;

    ck_assert_msg(json_object_object_get_ex(object, name, &value), "%s is missing", name);
    ck_assert(json_object_is_type(value, json_type_string));
    return json_object_get_string(value);
}

/* The object of the next line of *text; the caller puts it. */
static struct json_object *next_object(char **text)
{
    char *line = strsep(text, "\n");
    struct json_object *object = line ? json_tokener_parse(line) : NULL;

    ck_assert_msg(object != NULL, "no JSON: %s", line);
    ck_assert_str_ne(text_of(object, "device"), "");
    ck_assert_str_ne(text_of(object, "variant"), "");
    return object;
}

/* A number that follows from others as far as digits are printed. */
static void check_number(struct json_object *object, const char *name, double expected)
{
    ck_assert_double_eq_tol(number_of(object, name), expected, 1e-4 * expected);
}

static void check_speed(struct json_object *object, const char *name)
{
    double seconds = number_of(object, "seconds");

    ck_assert_str_eq(text_of(object, "case"), name);
    ck_assert_double_gt(seconds, 0);
    check_number(object, "gb_per_s", number_of(object, "floor_bytes") / seconds / 1e9);
    ck_assert_double_gt(number_of(object, "copy_gb_per_s"), 0);
    ck_assert_double_gt(number_of(object, "efficiency"), 0);
}

START_TEST(json_has_an_object_a_line)
{
    struct cli_result result = run_well("bench --json --case 'rank8_stride2*' --pairs 1", NULL);
    char *text = result.out;
    struct json_object *even;
    struct json_object *twin;

    even = next_object(&text);
    twin = next_object(&text);
    check_speed(even, "rank8_stride2");
    check_speed(twin, "rank8_stride2/awkward");
    ck_assert(!json_object_object_get_ex(even, "to_even", NULL));
    check_number(twin, "to_even", number_of(twin, "efficiency") / number_of(even, "efficiency"));
    ck_assert_str_eq(text, "");
    json_object_put(even);
    json_object_put(twin);
}
END_TEST

START_TEST(json_of_overheads)
{
    static const char *const pairs[][3] = {
        {"latency_ratio", "seconds", "empty_seconds"},
        {"enqueue_ratio", "enqueue_seconds", "bare_enqueue_seconds"},
        {"host_latency_ratio", "host_seconds", "empty_seconds"},
        {"host_enqueue_ratio", "host_enqueue_seconds", "bare_enqueue_seconds"}};
    struct cli_result result = run_well("bench --json --case tiny_3d", NULL);
    char *text = result.out;
    struct json_object *object;

    object = next_object(&text);
    check_speed(object, "tiny_3d");
    check_number(object, "efficiency",
                 number_of(object, "gb_per_s") / number_of(object, "copy_gb_per_s"));
    for (size_t i = 0; i < COUNT_OF(pairs); ++i)
        check_number(object, pairs[i][0],
                     number_of(object, pairs[i][1]) / number_of(object, pairs[i][2]));
    ck_assert_double_gt(number_of(object, "host_seconds"), 0);
    ck_assert_double_gt(number_of(object, "host_enqueue_seconds"), 0);
    ck_assert_str_eq(text, "");
    json_object_put(object);
}
END_TEST

START_TEST(json_of_a_skipped_case)
{
    static const char *const unknown[] = {"variant", "seconds", "gb_per_s", "efficiency"};
    struct cli_result result =
        cli_run("bench --json --case tiny_64 --pairs 1 --variant transpose_cpu", NULL);
    char *text = result.out;
    struct json_object *object = json_tokener_parse(strsep(&text, "\n"));

    ck_assert_int_eq(result.status, 1);
    ck_assert_str_eq(text_of(object, "case"), "tiny_64");
    ck_assert_str_ne(text_of(object, "device"), "");
    ck_assert_ptr_nonnull(strstr(text_of(object, "skipped"), "cannot run this slice"));
    for (size_t i = 0; i < COUNT_OF(unknown); ++i) {
        struct json_object *value = object;

        ck_assert_msg(json_object_object_get_ex(object, unknown[i], &value) && !value,
                      "%s is not null", unknown[i]);
    }
    ck_assert_str_eq(text, "");
    json_object_put(object);
}
END_TEST

START_TEST(the_table_names_device_copy_and_cases)
{
    struct cli_result result = run_well("bench --case 'column*' --pairs 2", NULL);

    ck_assert_ptr_nonnull(strstr(result.out, ", driver "));
    ck_assert_ptr_nonnull(strstr(result.out, " GB/s read + written, by "));
    ck_assert_ptr_nonnull(strstr(result.out, "\ncolumn  "));
    ck_assert_ptr_nonnull(strstr(result.out, "\ncolumn/awkward "));
    ck_assert_ptr_nonnull(strstr(result.out, "\nefficiency: geometric mean "));
    ck_assert_ptr_nonnull(strstr(result.out, "\nawkward to even: geometric mean "));
}
END_TEST

START_TEST(tiny_cases_have_a_row_for_host_memory)
{
    struct cli_result result = run_well("bench --case tiny_64", NULL);
    const char *row = strstr(result.out, "\ntiny_64 ");

    ck_assert_ptr_nonnull(row);
    ck_assert_ptr_eq(strstr(row, "\n  host memory "), strchr(row + 1, '\n'));
}
END_TEST

START_TEST(nothing_measured_is_a_failure)
{
    struct cli_result result = cli_run("bench --case tiny_64 --variant transpose_cpu", NULL);

    cli_assert_refused(&result, 1,
                       "no case could be measured; the last one: clslice_compile_options.variant");
}
END_TEST

/* ---- The picture ---- */

#define DRAW "bench --case column --pairs 1 --picture "

/* A gnuplot that is this shell script, before all others. */
static const char *with_gnuplot(const char *script)
{
    static char environment[8192];

    ck_assert(mkdir("bin", 0777) == 0 || access("bin", W_OK) == 0);
    text_store("bin/gnuplot", script);
    ck_assert_int_eq(chmod("bin/gnuplot", 0755), 0);
    snprintf(environment, sizeof environment, "'PATH=bin:%s'", getenv("PATH"));
    return environment;
}

START_TEST(the_picture_is_what_gnuplot_draws)
{
    run_well(DRAW "x.svg", with_gnuplot("#!/bin/sh\n[ $# -eq 1 ] || grep -E 'terminal|^column' |"
                                        " sed 's/ [0-9.e-]* -$/ N -/'\n"));
    assert_untouched("x.svg", "set terminal svg noenhanced size 1280,640 background 'white'\n"
                              "column N -\n");
    run_well(DRAW "x.png",
             with_gnuplot("#!/bin/sh\n[ $# -eq 1 ] || sed -n '1s/ noenhanced.*//p'\n"));
    assert_untouched("x.png", "set terminal pngcairo\n");
}
END_TEST

START_TEST(a_picture_that_fails_leaves_the_old_one)
{
    struct cli_result result;

    text_store("x.svg", "old");
    result = cli_run(DRAW "x.svg", "PATH=/nonexistent");
    cli_assert_refused(&result, 1, "--picture needs gnuplot, which could not be run; install it");
    assert_untouched("x.svg", "old");
    result =
        cli_run(DRAW "x.svg", with_gnuplot("#!/bin/sh\n[ $# -eq 1 ] || { echo half; exit 3; }\n"));
    cli_assert_refused(&result, 1, "gnuplot failed, exit status 3");
    assert_untouched("x.svg", "old");
    result = cli_run(DRAW "x.svg", with_gnuplot("#!/bin/sh\n[ $# -eq 1 ] || kill -9 $$\n"));
    cli_assert_refused(&result, 1, "gnuplot failed, signal 9");
    assert_untouched("x.svg", "old");
}
END_TEST

static void check_svg(const char *path)
{
    char text[32768];
    FILE *file = fopen(path, "rb");

    ck_assert_ptr_nonnull(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    ck_assert_ptr_nonnull(strstr(text, "<svg"));
    ck_assert_ptr_nonnull(strstr(text, ">column<"));
}

static const char *lack_gnuplot(void)
{
    /* NOLINTNEXTLINE(cert-env33-c): it may lie anywhere in PATH */
    bool works = system("gnuplot --version >/dev/null 2>&1") == 0;
    return works ? NULL : "gnuplot is not installed";
}

/* In silence, also where all bars are even ones or all are twins'. */
START_TEST(the_real_gnuplot_draws)
{
    static const char *const patterns[] = {"column", "column/awkward", "'column*'"};
    char words[128];

    snprintf(words, sizeof words, "bench --case %s --pairs 1 --picture real.svg", patterns[_i]);
    run_well(words, NULL);
    check_svg("real.svg");
}
END_TEST

START_TEST(an_interrupt_leaves_nothing_behind)
{
    struct cli_child child;
    struct cli_result result;

    text_store("x.svg", "old");
    unlink("asked");
    child = cli_start("bench --case copy_all --pairs 100000 --picture x.svg",
                      with_gnuplot("#!/bin/sh\n: >asked\n"), NULL);
    while (access("asked", F_OK) != 0)
        usleep(1000);
    ck_assert_int_eq(kill(child.pid, SIGINT), 0);
    result = cli_end(&child);
    ck_assert_int_eq(result.status, -SIGINT);
    assert_untouched("x.svg", "old");
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("bench");
    TCase *table = suite_case(suite, "table");
    TCase *device = suite_case(suite, "device");
    TCase *gnuplot = needs_case(suite, "gnuplot", lack_gnuplot);
    cli_path = argc > 1 ? argv[1] : "clslice";
    tcase_add_test(table, patterns_are_a_shells);
    tcase_add_test(table, every_large_case_has_a_twin_of_its_size);
    tcase_add_test(table, a_factor_of_1_changes_nothing);
    tcase_add_test(table, scaled_cases_are_valid_and_16_times_as_large);
    tcase_add_test(table, strides_over_the_first_dimension_grow_with_it);
    tcase_add_test(table, a_first_step_takes_all_of_the_longer_window);
    tcase_add_test(table, what_exceeds_32_bits_is_not_scaled);
    tcase_add_test(table, quantiles_are_samples);
    tcase_add_test(device, a_wrong_output_is_noticed);
    tcase_add_test(device, a_case_without_memory_is_skipped_and_the_next_one_is_not);
    tcase_add_test(device, a_variant_that_cannot_do_a_case_skips_it);
    tcase_add_test(device, json_has_an_object_a_line);
    tcase_add_test(device, json_of_overheads);
    tcase_add_test(device, json_of_a_skipped_case);
    tcase_add_test(device, the_table_names_device_copy_and_cases);
    tcase_add_test(device, tiny_cases_have_a_row_for_host_memory);
    tcase_add_test(device, nothing_measured_is_a_failure);
    tcase_add_test(device, the_picture_is_what_gnuplot_draws);
    tcase_add_test(device, a_picture_that_fails_leaves_the_old_one);
    tcase_add_loop_test(gnuplot, the_real_gnuplot_draws, 0, 3);
    tcase_add_test(device, an_interrupt_leaves_nothing_behind);
    return suite_run(suite);
}
