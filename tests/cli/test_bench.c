/* SPDX-License-Identifier: MIT */
/* What `clslice bench` prints and draws, and that it notices what is wrong. */
#include "cli/bench/bench_subject.h"
#include "conformance/case_words.h"
#include "conformance/problem.h"
#include "support/case_slice.h"
#include "support/cli_process.h"
#include "support/harness.h"
#include "support/needs.h"
#include "support/suite.h"

#include <json-c/json.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- On a device whose OpenCL is the real one but for one function ---- */

enum { MOST_BYTES = 1 << 20, WRONG_BYTE = BENCH_READ_BYTES + 3 };

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

/* Output of which one byte is wrong, and that far behind the first. */
static cl_int CL_API_CALL read_wrongly(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                       size_t offset, size_t bytes, void *to, cl_uint wait_count,
                                       const cl_event *waits, cl_event *event)
{
    RIG_REAL(clEnqueueReadBuffer, read_buffer);
    cl_int code = read_buffer(queue, buffer, blocking, offset, bytes, to, wait_count, waits, event);
    if (offset <= WRONG_BYTE && WRONG_BYTE - offset < bytes)
        ((unsigned char *)to)[WRONG_BYTE - offset] ^= 1;
    return code;
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
    ck_assert_int_eq(bench_subject_open(&subject, &cl, case_named("tiny_64"), 0, 0, NULL, &problem),
                     BENCH_FAILED);
    ck_assert_msg(strstr(problem.text, "of the output is 0xA5, not 0x"), "%s", problem.text);
    ck_assert_ptr_null(subject.compiled);
    close_replaced(&cl);
}
END_TEST

/* The output is read in parts. */
START_TEST(a_wrong_byte_far_behind_is_noticed)
{
    struct rig_own replacement = {"clEnqueueReadBuffer", RIG_ADDRESS(read_wrongly)};
    const struct slice_case c = CASE("large", UINT8, COPY(5, BENCH_READ_BYTES / 4));
    struct bench_subject subject;
    struct problem problem = {0};
    struct bench_cl cl;

    open_replaced(&cl, &replacement);
    ck_assert_int_eq(bench_subject_open(&subject, &cl, &c, 1, 0, NULL, &problem), BENCH_FAILED);
    ck_assert_msg(strncmp(problem.text, "byte 16777219 of the output is 0x", 33) == 0, "%s",
                  problem.text);
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
        ck_assert_int_eq(bench_subject_open(&subject, &cl, small, 0, 0, NULL, &problem),
                         BENCH_READY);
        bench_subject_close(&subject);
        ck_assert_int_eq(bench_subject_open(&subject, &cl, large, 0, 0, NULL, &problem),
                         BENCH_SKIPPED);
        ck_assert_msg(strstr(problem.text, "clCreateBuffer failed with OpenCL error -4"), "%s",
                      problem.text);
    }
    cl.info.max_alloc_bytes = MOST_BYTES;
    ck_assert_int_eq(bench_subject_open(&subject, &cl, large, 0, 0, NULL, &problem), BENCH_SKIPPED);
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
    ck_assert_int_eq(bench_subject_open(&forced, &cl, c, 0, 0, "frob", &problem), BENCH_SKIPPED);
    ck_assert_str_eq(problem.text,
                     "clslice_compile_options.variant = \"frob\" is not a variant; the variants "
                     "are: rows_cpu rows_gpu transpose_cpu transpose_gpu strided_cpu strided_gpu "
                     "gapped_cpu gradient_cpu gradient_gpu");
    ck_assert_int_eq(bench_subject_open(&forced, &cl, c, 0, 0, "transpose_cpu", &problem),
                     BENCH_SKIPPED);
    ck_assert_str_eq(problem.text,
                     "clslice_compile_options.variant = \"transpose_cpu\" cannot run this slice; "
                     "the variants that can are: rows_cpu rows_gpu transpose_gpu strided_cpu "
                     "strided_gpu gapped_cpu");
    ck_assert_int_eq(bench_subject_open(&planned, &cl, c, 0, 0, NULL, &problem), BENCH_READY);
    ck_assert_int_eq(
        bench_subject_open(&forced, &cl, c, 0, 0, bench_subject_variant(&planned), &problem),
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

/* ---- Draws ---- */

/* Without a device. */
static struct cli_result list(const char *options)
{
    char words[128];

    snprintf(words, sizeof words, "bench --list --random %s", options);
    return run_well(words, "CLSLICE_OPENCL=/nonexistent");
}

START_TEST(a_list_has_every_class_and_depends_on_the_seed_alone)
{
    static const char *const names[] = {"crop",       "flip", "step", "rows",      "pixels",
                                        "interleave", "perm", "gaps", "broadcast", "ranks"};
    struct cli_result first = list("2 --seed c0ffee");
    struct cli_result again = list("2 --seed 00C0FFEE");
    struct cli_result other = list("2 --seed c0ffef");
    char *text = first.out;
    char name[64];

    ck_assert_str_eq(first.out, again.out);
    ck_assert_str_ne(first.out, other.out);
    for (size_t i = 0; i < 2 * COUNT_OF(names); ++i) {
        struct json_object *object = json_tokener_parse(strsep(&text, "\n"));

        snprintf(name, sizeof name, "%s/%zu", names[i / 2], i % 2);
        ck_assert_str_eq(text_of(object, "case"), name);
        ck_assert_str_eq(text_of(object, "seed"), "c0ffee");
        ck_assert_double_eq(number_of(object, "bytes"), 64 << 20);
        json_object_put(object);
    }
    ck_assert_str_eq(text, "");
}
END_TEST

#define DRAW_PERM_0                                                                      \
    "{\"case\":\"perm/"                                                                  \
    "0\",\"seed\":\"1\",\"bytes\":67108864,\"operator\":\"slice1\",\"dtype\":\"uint8\"," \
    "\"in_shape\":[210,53,13,107,8],\"in_strides\":[5512,104,8,1157520,1],"              \
    "\"window_offsets\":[0,0,0,0,0],\"window_sizes\":[210,53,13,107,8],"                 \
    "\"window_strides\":[1,1,-2,1,1],\"out_shape\":[210,53,7,107,8],"                    \
    "\"out_strides\":[317576,5992,856,8,1],\"in_offset\":0,\"out_offset\":6}\n"

/* The tensors have changed places, and where they begin. */
START_TEST(a_gradient_is_the_draw_turned)
{
    struct cli_result result = list("1 --gradient");

    ck_assert_msg(strstr(result.out,
                         "\n{\"case\":\"perm/0\",\"seed\":\"1\",\"bytes\":67108864,"
                         "\"operator\":\"slice_grad\",\"dtype\":\"uint8\","
                         "\"in_shape\":[210,53,7,107,8],\"in_strides\":[317576,5992,856,8,1],") !=
                      NULL,
                  "%s", result.out);
    ck_assert_msg(strstr(result.out, "\"out_shape\":[210,53,13,107,8],"
                                     "\"out_strides\":[5512,104,8,1157520,1],\"in_offset\":6,"
                                     "\"out_offset\":0}\n") != NULL,
                  "%s", result.out);
}
END_TEST

START_TEST(gradients_are_measured)
{
    struct cli_result result =
        run_well("bench --random 1 --bytes 8K --gradient --case rows/0", NULL);

    ck_assert_msg(strstr(result.out, "gradient_cpu") != NULL, "%s", result.out);
    result = cli_run("bench --gradient", NULL);
    ck_assert_int_eq(result.status, 2);
    ck_assert_msg(strstr(result.err, "--gradient needs --random") != NULL, "%s", result.err);
}
END_TEST

START_TEST(a_list_says_all_of_a_draw)
{
    struct cli_result result = list("1");

    ck_assert_msg(strstr(result.out, "\n" DRAW_PERM_0) != NULL, "%s", result.out);
}
END_TEST

/* A line of what is measured is the line of the list, and more. */
START_TEST(json_of_draws)
{
    static const char *const names[] = {"crop/0", "pixels/0", "perm/0"};
    struct cli_result result =
        run_well("bench --random 1 --bytes 64K --pairs 1 --json --case '[cp]*'", NULL);
    char *text = result.out;

    for (size_t i = 0; i < COUNT_OF(names); ++i) {
        struct json_object *object = next_object(&text);
        struct json_object *ceiling;

        check_speed(object, names[i]);
        ck_assert_double_eq(number_of(object, "bytes"), 64 << 10);
        ck_assert(json_object_object_get_ex(object, "out_strides", NULL));
        ck_assert(json_object_object_get_ex(object, "in_offset", NULL));
        ck_assert_ptr_nonnull(strstr(text_of(object, "plan"), "\nplan:   "));
        ck_assert(json_object_object_get_ex(object, "ceiling", &ceiling));
        ck_assert(!ceiling || json_object_get_double(ceiling) <= 1);
        json_object_put(object);
    }
    ck_assert_str_eq(text, "");
}
END_TEST

START_TEST(draws_are_summed_up_by_class)
{
    struct cli_result result =
        run_well("bench --random 2 --bytes 64K --pairs 1 --case 'rows/*'", NULL);

    ck_assert_ptr_nonnull(strstr(result.out, " GB/s read + written, by "));
    ck_assert_ptr_nonnull(strstr(result.out, "\nrows/0  "));
    ck_assert_ptr_nonnull(strstr(result.out, "\nrows/1  "));
    ck_assert_ptr_nonnull(strstr(result.out, "\nrows                    2        0 "));
    ck_assert_ptr_nonnull(strstr(result.out, "\nplan:   "));
    ck_assert_ptr_null(strstr(result.out, "\ncrop"));
}
END_TEST

START_TEST(latency_is_beside_an_equal_copy)
{
    struct cli_result result =
        run_well("bench --random 1 --bytes 64K --pairs 1 --json --case crop/0 --latency", NULL);
    char *text = result.out;
    struct json_object *object = next_object(&text), *sizes;
    double bytes = 1;

    check_speed(object, "crop/0");
    ck_assert(json_object_object_get_ex(object, "out_shape", &sizes));
    for (size_t i = 0; i < json_object_array_length(sizes); ++i)
        bytes *= json_object_get_double(json_object_array_get_idx(sizes, i));
    bytes *= strtod(text_of(object, "dtype") + strlen("uint"), NULL) / 8;
    check_number(object, "efficiency",
                 2 * bytes / 1e9 / number_of(object, "copy_gb_per_s") /
                     number_of(object, "seconds"));
    json_object_put(object);
}
END_TEST

START_TEST(draws_that_a_variant_cannot_do_are_skipped)
{
    struct cli_result result =
        cli_run("bench --random 1 --bytes 64K --case 'broad*' --variant transpose_cpu", NULL);

    ck_assert_int_eq(result.status, 1);
    ck_assert_ptr_nonnull(strstr(result.out, "\nbroadcast/0      skipped: "));
    ck_assert_ptr_nonnull(strstr(result.err, "no draw could be measured; the last one: "));
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
    TCase *device = suite_case(suite, "device");
    TCase *gnuplot = needs_case(suite, "gnuplot", lack_gnuplot);
    cli_path = argc > 1 ? argv[1] : "clslice";
    tcase_add_test(device, a_wrong_output_is_noticed);
    tcase_add_test(device, a_wrong_byte_far_behind_is_noticed);
    tcase_add_test(device, a_case_without_memory_is_skipped_and_the_next_one_is_not);
    tcase_add_test(device, a_variant_that_cannot_do_a_case_skips_it);
    tcase_add_test(device, json_has_an_object_a_line);
    tcase_add_test(device, json_of_overheads);
    tcase_add_test(device, json_of_a_skipped_case);
    tcase_add_test(device, the_table_names_device_copy_and_cases);
    tcase_add_test(device, tiny_cases_have_a_row_for_host_memory);
    tcase_add_test(device, nothing_measured_is_a_failure);
    tcase_add_test(device, a_list_has_every_class_and_depends_on_the_seed_alone);
    tcase_add_test(device, a_list_says_all_of_a_draw);
    tcase_add_test(device, a_gradient_is_the_draw_turned);
    tcase_add_test(device, gradients_are_measured);
    tcase_add_test(device, json_of_draws);
    tcase_add_test(device, draws_are_summed_up_by_class);
    tcase_add_test(device, latency_is_beside_an_equal_copy);
    tcase_add_test(device, draws_that_a_variant_cannot_do_are_skipped);
    tcase_add_test(device, the_picture_is_what_gnuplot_draws);
    tcase_add_test(device, a_picture_that_fails_leaves_the_old_one);
    tcase_add_loop_test(gnuplot, the_real_gnuplot_draws, 0, 3);
    tcase_add_test(device, an_interrupt_leaves_nothing_behind);
    return suite_run(suite);
}
