/* SPDX-License-Identifier: MIT */
/*
 * Every kernel variant on every named case that it can do, through cl_mem and host memory.
 *
 *     test_variants                on the device that the environment picks
 *     test_variants oclgrind ICD   on Oclgrind, whose driver is the file ICD, and whose log must
 *                                  hold nothing: small cases, with all its checks, by each variant,
 *                                  in groups of 32 and without optimization but for transpose_gpu,
 *                                  through cl_mem alone, as staging launches the same kernels;
 *                                  exits with 77 where there is no such file
 *     test_variants oclgrind ICD planned
 *                                  larger cases, too, compiled as usual, by what is planned
 */
#include "conformance/case_desc.h"
#include "conformance/case_run.h"
#include "conformance/case_words.h"
#include "conformance/problem.h"
#include "conformance/reference.h"
#include "conformance/size_for.h"
#include "core/plan.h"
#include "support/harness.h"
#include "support/suite.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    EXIT_SKIPPED = 77,
    OUTPUT_BYTES_MOST = 64 << 20, /* there are inputs of gigabytes, of few distinct ones */
    /* of an input or output on Oclgrind, which interprets every instruction */
    OCLGRIND_BYTES = 1500,
    OCLGRIND_PLANNED_BYTES = 100000
};

static bool on_oclgrind;
static uint64_t bytes_most = UINT64_MAX; /* of an input or output */

/* ---- Cases ---- */

static bool is_wanted(const struct slice_case *c)
{
    uint64_t in = 0, out = 0;
    if (c->flags & CASE_LARGE || !case_in_bytes(c, &in) || !case_out_bytes(c, &out))
        return false;
    return in <= bytes_most && out <= bytes_most;
}

static enum case_result run_case(const struct case_context *context, const struct slice_case *c,
                                 struct problem *problem)
{
    struct slice_case packed;
    uint64_t in_bytes, out_bytes;
    reference_pack(c, &packed);
    ck_assert(case_in_bytes(c, &in_bytes) && case_out_bytes(&packed, &out_bytes));
    unsigned char *in = malloc(size_for(in_bytes)), *out = malloc(size_for(out_bytes));
    ck_assert(in && out);
    reference_input(c, in, (size_t)in_bytes);
    reference_slice(&packed, in, out, NULL);
    enum case_result result = case_run(context, c, in, out, problem);
    free(in);
    free(out);
    return result;
}

static void open_device(struct rig *rig)
{
    rig_open(rig, NULL);
    if (on_oclgrind)
        ck_assert_msg(strstr(rig->info.name, "Oclgrind"), "the device is %s", rig->info.name);
}

static void run_all_cases(const char *variant, bool are_gradients)
{
    struct case_context context;
    struct problem problem = {0};
    unsigned passed = 0, failed = 0, skipped = 0;
    struct rig rig;
    open_device(&rig);
    ck_assert_msg(case_context_init(&context, rig.device, variant, &problem), "%s", problem.text);
    context.skips_host_memory = on_oclgrind;
    for (size_t i = 0; i < slice_case_count; ++i) {
        if (!is_wanted(&slice_cases[i]))
            continue;
        struct slice_case c = slice_cases[i];
        uint64_t bytes;
        if (are_gradients)
            c = case_gradient(&c);
        if (!case_out_bytes(&c, &bytes) || bytes > OUTPUT_BYTES_MOST)
            continue;
        enum case_result result = run_case(&context, &c, &problem);
        passed += result == CASE_PASSED;
        skipped += result == CASE_SKIPPED;
        bool has_failed = result == CASE_FAILED || result == CASE_REFUSED;
        failed += has_failed;
        if (has_failed)
            fprintf(stderr, "%s: %s\n", slice_cases[i].name, problem.text);
        /* A refusal names the variants that are not refused. */
        ck_assert_msg(result != CASE_SKIPPED || !strstr(strrchr(problem.text, ':'), variant),
                      "%s is refused and recommended: %s", slice_cases[i].name, problem.text);
    }
    printf("%s%s on %s: %u passed, %u failed, %u left out\n", variant ? variant : "planned",
           are_gradients ? ", gradients" : "", rig.info.name, passed, failed, skipped);
    bool exists = !variant || strcmp(variant, "transpose_gpu") != 0 || rig_has_groups(&rig);
    rig_close(&rig);
    ck_assert_uint_eq(failed, 0);
    ck_assert_int_eq(passed > 0, exists);
    ck_assert(variant || skipped == 0);
}

/* ---- A case by every variant for the device ---- */

START_TEST(all_variants_are_named)
{
    for (enum plan_variant v = 0; v < PLAN_VARIANT_COUNT; ++v)
        ck_assert_str_eq(clslice_variant_name(v), plan_variant_name(v));
    ck_assert_ptr_null(clslice_variant_name(PLAN_VARIANT_COUNT));
}
END_TEST

static const char *lost; /* the variant whose launches never run; NULL: none */

static cl_int CL_API_CALL lose(cl_command_queue queue, cl_kernel kernel, cl_uint rank,
                               const size_t *offset, const size_t *global, const size_t *local,
                               cl_uint wait_count, const cl_event *waits, cl_event *event)
{
    char name[32];
    RIG_REAL(clEnqueueNDRangeKernel, real);
    RIG_REAL(clEnqueueMarkerWithWaitList, mark);
    RIG_REAL(clGetKernelInfo, info);
    ck_assert_int_eq(info(kernel, CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL), CL_SUCCESS);
    if (lost && strcmp(name, lost) == 0)
        return mark(queue, wait_count, waits, event);
    return real(queue, kernel, rank, offset, global, local, wait_count, waits, event);
}

static void *losing_proc(void *user, const char *name)
{
    return strcmp(name, "clEnqueueNDRangeKernel") == 0 ? RIG_ADDRESS(lose) : rig_proc(user, name);
}

static bool is_planned_for_cpus(const struct rig *rig, const struct slice_case *c)
{
    clslice_compiled_operator_info info = {.size = sizeof info};
    clslice_compiled_operator *compiled = rig_compile(rig, c, NULL);
    ck_assert_int_eq(clslice_compiled_operator_get_info(compiled, &info, NULL), CLSLICE_S_OK);
    clslice_compiled_operator_release(compiled);
    return plan_variant_is_cpu(plan_variant_named(info.variant));
}

/* Whichever variant is wrong, planned or not, is named. */
START_TEST(a_case_meets_every_variant_for_the_device)
{
    static const struct slice_case c =
        CASE("all can do it", FLOAT32, WHOLE(6, 5), IN_STRIDES(1, 2), BY(1, 1), OUT(6, 5));
    clslice_device_options options = {.size = sizeof options, .get_proc = losing_proc};
    unsigned char in[256], out[6 * 5 * 4];
    struct case_context context;
    struct problem problem = {0};
    unsigned long runs = 0;
    struct rig rig;
    rig_open(&rig, &options);
    ck_assert_msg(case_context_init(&context, rig.device, NULL, &problem), "%s", problem.text);
    reference_input(&c, in, sizeof in);
    reference_slice(&c, in, out, NULL);
    ck_assert_msg(case_run_all(&context, &c, in, out, &runs, &problem) == CASE_PASSED, "%s",
                  problem.text);
    bool for_cpus = is_planned_for_cpus(&rig, &c), has_all = for_cpus || rig_has_groups(&rig);
    unsigned long variants = 0;
    for (uint32_t v = 0; v < PLAN_SLICE_VARIANTS; ++v)
        variants += plan_variant_is_cpu((enum plan_variant)v) == for_cpus;
    ck_assert_uint_eq(runs, variants - !has_all);
    for (uint32_t v = 0; v < PLAN_SLICE_VARIANTS && (lost = clslice_variant_name(v)); ++v) {
        if (plan_variant_is_cpu((enum plan_variant)v) != for_cpus ||
            (v == PLAN_TRANSPOSE_GPU && !has_all))
            continue;
        ck_assert_int_eq(case_run_all(&context, &c, in, out, &runs, &problem), CASE_FAILED);
        ck_assert_msg(strncmp(problem.text, lost, strlen(lost)) == 0 &&
                          strncmp(problem.text + strlen(lost), ": cl_mem: ", 10) == 0,
                      "%s was lost: %s", lost, problem.text);
    }
    rig_close(&rig);
}
END_TEST

static unsigned cpu_kernels, hinted;

static cl_kernel CL_API_CALL create_kernel(cl_program program, const char *name, cl_int *code)
{
    char attributes[256] = "";
    RIG_REAL(clCreateKernel, real);
    RIG_REAL(clGetKernelInfo, info);
    cl_kernel kernel = real(program, name, code);
    if (kernel && strstr(name, "_cpu")) {
        info(kernel, CL_KERNEL_ATTRIBUTES, sizeof attributes, attributes, NULL);
        ++cpu_kernels;
        hinted += strstr(attributes, "vec_type_hint") != NULL;
    }
    return kernel;
}

static void *hinted_proc(void *user, const char *name)
{
    return strcmp(name, "clCreateKernel") == 0 ? RIG_ADDRESS(create_kernel) : rig_proc(user, name);
}

/* Without the hint, Intel's compiler takes more than ten minutes for the pixels of bytes. */
START_TEST(compilers_are_told_that_cpu_kernels_have_vectors)
{
    static const struct slice_case c =
        CASE("all can do it", UINT8, WHOLE(6, 5), IN_STRIDES(1, 2), BY(2, 2), OUT(3, 3));
    clslice_device_options options = {
        .size = sizeof options, .get_proc = hinted_proc, .cache_mode = CLSLICE_CACHE_OFF};
    struct slice_case gradient = case_gradient(&c);
    struct rig rig;
    rig_open(&rig, &options);
    unsigned variants = 0;
    for (enum plan_variant v = 0; v < PLAN_VARIANT_COUNT; ++v) {
        if (!plan_variant_is_cpu(v))
            continue;
        ++variants;
        clslice_compiled_operator_release(rig_compile(
            &rig, plan_variant_kind(v) == PLAN_GRADIENTS ? &gradient : &c, plan_variant_name(v)));
    }
    rig_close(&rig);
    ck_assert_uint_ge(cpu_kernels, variants);
    ck_assert_uint_eq(hinted, cpu_kernels);
}
END_TEST

/* ---- Oclgrind's log ---- */

/* Each test's process has its own log, which Oclgrind opens with the context. */
static void log_to(const char *name)
{
    if (on_oclgrind)
        setenv("OCLGRIND_LOG", name, 1);
}

static char *read_log(const char *name)
{
    static char text[4096];
    FILE *file = fopen(name, "r");
    size_t length = file ? fread(text, 1, sizeof text - 1, file) : 0;
    text[length] = '\0';
    if (file)
        fclose(file);
    return text;
}

static void check_log(const char *name)
{
    if (on_oclgrind)
        ck_assert_msg(access(name, F_OK) == 0 && read_log(name)[0] == '\0', "%s: %s", name,
                      read_log(name));
}

static void name_log(int index, char name[32])
{
    snprintf(name, 32, "oclgrind.%d.log", index);
}

/* Reads or writes one byte behind its buffer, or does neither. */
static void run_control(const struct rig *rig, uint32_t in_bytes, uint32_t out_bytes)
{
    const char *source = "kernel void copy(global const uchar *in, global uchar *out, uint n)"
                         "{ for (uint i = 0; i < n; ++i) out[i] = in[i]; }";
    const cl_uint n = 16;
    const size_t one = 1;
    unsigned char bytes[17] = {1, 2, 3};
    cl_int code;
    cl_program program =
        rig->cl.clCreateProgramWithSource(rig->objects.context, 1, &source, NULL, &code);
    ck_assert_int_eq(rig->cl.clBuildProgram(program, 0, NULL, "", NULL, NULL), CL_SUCCESS);
    cl_kernel kernel = rig->cl.clCreateKernel(program, "copy", &code);
    cl_mem in = rig_buffer(rig, in_bytes, bytes), out = rig_buffer(rig, out_bytes, bytes);
    rig->cl.clSetKernelArg(kernel, 0, sizeof in, &in);
    rig->cl.clSetKernelArg(kernel, 1, sizeof out, &out);
    rig->cl.clSetKernelArg(kernel, 2, sizeof n, &n);
    ck_assert_int_eq(rig->cl.clEnqueueNDRangeKernel(rig->objects.queue, kernel, 1, NULL, &one, &one,
                                                    0, NULL, NULL),
                     CL_SUCCESS);
    rig->cl.clFinish(rig->objects.queue);
    rig->cl.clReleaseMemObject(in);
    rig->cl.clReleaseMemObject(out);
    rig->cl.clReleaseKernel(kernel);
    rig->cl.clReleaseProgram(program);
}

/* That a bad access is reported is what the empty logs of the other tests rest on. */
START_TEST(a_bad_access_is_reported)
{
    static const struct {
        uint32_t in_bytes, out_bytes;
        const char *report;
    } controls[] = {{16, 16, NULL}, {15, 16, "Invalid read"}, {16, 15, "Invalid write"}};
    struct rig rig;
    char name[32];
    name_log(100 + _i, name);
    log_to(name);
    open_device(&rig);
    run_control(&rig, controls[_i].in_bytes, controls[_i].out_bytes);
    rig_close(&rig);
    if (controls[_i].report)
        ck_assert_msg(strstr(read_log(name), controls[_i].report), "not reported: %s",
                      read_log(name));
    else
        check_log(name);
}
END_TEST

/* Most of a larger group would have nothing to do in a small case, and of small ones a case takes
 * several. transpose_gpu needs larger ones, and is optimized instead, without a `freeze`. */
static void save_instructions(const char *variant)
{
    if (!on_oclgrind || !variant)
        return;
    if (strcmp(variant, "transpose_gpu") == 0)
        unsetenv("CLSLICE_BUILD_OPTIONS");
    else
        setenv("OCLGRIND_MAX_WGSIZE", "32", 1);
}

/* One variant, the planner's choice first. */
START_TEST(every_case_is_right_by_every_variant)
{
    const char *variant = _i == 0 ? NULL : plan_variant_name((enum plan_variant)(_i - 1));
    char name[32];
    name_log(_i, name);
    log_to(name);
    save_instructions(variant);
    /* That part of it does not follow the vectors of a CPU's kernels: it crashes, or reports what
     * is there. */
    if (_i == 1 + PLAN_ROWS_CPU || _i == 1 + PLAN_TRANSPOSE_CPU)
        unsetenv("OCLGRIND_UNINITIALIZED");
    run_all_cases(variant, false);
    check_log(name);
}
END_TEST

/* Every case turned: its slice's gradient. */
START_TEST(every_gradient_is_right_by_every_variant)
{
    static const char *const variants[] = {NULL, "gradient_cpu", "gradient_gpu"};
    char name[32];
    name_log(50 + _i, name);
    log_to(name);
    save_instructions(variants[_i]);
    if (_i == 1)
        unsetenv("OCLGRIND_UNINITIALIZED"); /* as above */
    run_all_cases(variants[_i], true);
    check_log(name);
}
END_TEST

/* A folder with this one driver, for the OpenCL loader. */
static void use_driver(const char *icd, bool is_planned)
{
    char folder[PATH_MAX];
    FILE *file;
    if ((mkdir("vendors", 0777) != 0 && access("vendors", W_OK) != 0) ||
        !realpath("vendors", folder) || !(file = fopen("vendors/oclgrind.icd", "w"))) {
        perror("vendors/oclgrind.icd");
        exit(EXIT_FAILURE);
    }
    fprintf(file, "%s\n", icd);
    fclose(file);
    setenv("OCL_ICD_VENDORS", folder, 1);
    if (is_planned)
        return;
    setenv("OCLGRIND_CHECK_API", "1", 1);
    setenv("OCLGRIND_DATA_RACES", "1", 1);
    setenv("OCLGRIND_UNINITIALIZED", "1", 1);
    setenv("CLSLICE_BUILD_OPTIONS", "-cl-opt-disable", 1); /* it stops at LLVM's `freeze` */
}

int main(int argc, char **argv)
{
    const bool is_planned = argc == 4 && strcmp(argv[3], "planned") == 0;
    setenv("POCL_SIGFPE_HANDLER", "0", 1); /* which hides a division by zero */
    on_oclgrind = argc >= 3 && strcmp(argv[1], "oclgrind") == 0;
    if (on_oclgrind && access(argv[2], R_OK) != 0) {
        printf("skipped: Oclgrind is not installed: no file %s\n", argv[2]);
        return EXIT_SKIPPED;
    }
    if (on_oclgrind) {
        use_driver(argv[2], is_planned);
        bytes_most = is_planned ? OCLGRIND_PLANNED_BYTES : OCLGRIND_BYTES;
    }
    Suite *suite = suite_create("variants");
    TCase *variants = suite_case(suite, "variants");
    const int first = on_oclgrind && !is_planned; /* what is planned there has a run of its own */
    tcase_add_loop_test(variants, every_case_is_right_by_every_variant, first,
                        is_planned ? 1 : PLAN_SLICE_VARIANTS + 1);
    tcase_add_loop_test(variants, every_gradient_is_right_by_every_variant, first,
                        is_planned ? 1 : 3);
    tcase_add_test(variants, all_variants_are_named);
    tcase_add_test(variants, a_case_meets_every_variant_for_the_device);
    if (on_oclgrind)
        tcase_add_loop_test(variants, a_bad_access_is_reported, 0, 3);
    else /* it tells of no attributes */
        tcase_add_test(variants, compilers_are_told_that_cpu_kernels_have_vectors);
    return suite_run(suite);
}
