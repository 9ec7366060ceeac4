/* SPDX-License-Identifier: MIT */
/* The command line itself: what it understands, what it prints, how it ends. */
#include "support/cli_process.h"
#include "support/suite.h"

#include <fcntl.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DICT(order, shape) "'descr': '<i2', 'fortran_order': " order ", 'shape': " shape ", "

static void enter(void)
{
    unsigned char bytes[120];

    fill_bytes(bytes, sizeof bytes);
    npy_store("in.npy", DICT("False", "(10, 6)"), bytes, sizeof bytes);
    npy_store("scalar.npy", DICT("False", "()"), bytes, 2);
    npy_store("none.npy", DICT("False", "(0, 6)"), bytes, 0);
    npy_store("-3.npy", DICT("False", "(60,)"), bytes, sizeof bytes);
    npy_store("wide.npy", "'descr': '<c16', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1), ",
              bytes, sizeof bytes);
    npy_store("object.npy", "'descr': '|O', 'fortran_order': False, 'shape': (60,), ", bytes,
              sizeof bytes);
    npy_store("short.npy", DICT("False", "(61,)"), bytes, sizeof bytes);
    text_store("text.npy", "1 2 3");
    text_store("damaged.png", "\x89PNG\r\n\x1a\nand more");
    text_store("out.npy", "old");
}

#define ALL_WINDOWS "--offsets 0,0 --sizes 4,3 --strides -2,2"

/* What is refused before OpenCL is touched: there is none that could be. */
static const struct {
    int status;
    const char *text;
    const char *words;
} refused[] = {
    {2,
     "clslice: name a command: devices, slice, explain, verify, bench or cache; see 'clslice "
     "--help'",
     ""},
    {2, "name a command", "--device cpu"},
    {2, "'frob' is not a command; use devices, ", "frob in.npy"},
    {2, "'-3:' is not a command", "-3:"},
    {2, "'a?b' is not a command", "'a\nb'"},
    {2, "--frob: unknown option; see 'clslice slice --help'", "slice --frob"},
    {2, "--frob=1: unknown option", "--frob=1 slice"},
    {2, "-x: unknown option", "slice in.npy -x"},
    {2, "--device: missing argument", "devices --device"},
    {2, "--offsets: missing argument", "slice in.npy out.npy --offsets"},
    {2, "--json=1: option does not take an argument", "devices --json=1"},
    {2, "--json: unknown option; see 'clslice slice --help'", "slice --json"},
    {2, "--sizes: unknown option; see 'clslice verify --help'", "verify --sizes 1"},
    {2, "too many operands for 'devices': 'in.npy'; see", "devices in.npy"},
    {2, "too many operands for 'slice': '4'; put quotes around", "slice in.npy out.npy 1:2, 4"},
    {2, "too many operands for 'explain': '1'", "explain in.npy 1 1"},
    {2, "'slice' needs IN OUT KEY", "slice"},
    {2, "'slice' needs IN OUT KEY", "slice in.npy"},
    {2, "'slice' needs IN OUT KEY", "slice in.npy out.npy"},
    {2, "'slice' needs IN OUT KEY", "slice in.npy " ALL_WINDOWS},
    {2, "'explain' needs IN KEY", "explain"},
    {2, "'explain' needs IN KEY", "explain in.npy"},
    {2, "give KEY or --offsets, not both", "slice in.npy out.npy : " ALL_WINDOWS},
    {2, "--sizes is missing", "slice in.npy out.npy --offsets 0,0"},
    {2, "--offsets is missing", "slice in.npy out.npy --sizes 1,1"},
    {2, "--offsets is missing", "slice in.npy out.npy --output-sizes 1,1"},
    {2,
     "KEY position 3: 'x' is found where a comma or the end of KEY is expected; see 'clslice slice "
     "--help'",
     "slice in.npy out.npy 1:x"},
    {2, "'cache' needs an action; use path, list, ", "cache"},
    {2, "'frob' is not an action of 'cache'; use path", "cache frob"},
    {2, "--json: unknown option; see 'clslice --help'", "--json"},
    {2, "KEY position 1: ", "slice missing.npy missing/out.npy '[0]'"},
    {2, "KEY position 1: '--help' is not", "slice in.npy out.npy -- --help"},
    {2, "--gradient and --each exclude each other",
     "explain in.npy --gradient --sizes 1,1 --each in.npy"},
    {2, "KEY position 5: '0' is a step of zero", "explain in.npy -3::0"},
    {2, "--offsets position 1: '-1' is out of range",
     "slice in.npy out.npy --offsets -1,0 --sizes 1,1"},
    {2, "--sizes position 5: the end", "explain in.npy --offsets 0,0 --sizes=1,1,"},
    {2, "--strides position 1: 'x'", "explain in.npy --offsets 0,0 --sizes=1,1 --strides x"},
    {2, "--strides has 1 number, --offsets has 2",
     "explain in.npy --offsets 0,0 --sizes=1,1 --strides 1"},
    {2, "--output-sizes has 3 numbers, --offsets has 2",
     "explain in.npy " ALL_WINDOWS " --output-sizes 1,1,1"},
    {2, "--case: unknown option; see 'clslice verify --help'", "verify --case copy_all"},
    {2, "too many operands for 'bench': 'copy_all'", "bench copy_all"},
    {2, "--pairs '0' is not a number from 1 to 100000", "bench --pairs 0"},
    {2, "--pairs '7,7' is not a number", "bench --pairs 7,7"},
    {2, "--pairs position 1: '-1' is out of range", "bench --pairs=-1"},
    {1, "--case 'nosuch' is not a case; there are copy_all, crop_aligned, ", "bench --case nosuch"},
    {1, "--variant 'nosuch' is not a variant; there are rows_cpu, rows_gpu, transpose_cpu, ",
     "bench --variant nosuch"},
    {1, "--case '' is not a case", "bench --case ''"},
    {2, "--random '0' is not a number from 1 to 100000", "bench --random 0"},
    {2, "--seed '0x1' is not 1 to 16 hexadecimal digits", "bench --random 1 --seed 0x1"},
    {2, "--seed '00000000000000001' is not 1 to 16 hexadecimal digits",
     "bench --random 1 --seed 00000000000000001"},
    {2, "--bytes '1023' is not a size from 1K to 4G", "bench --random 1 --bytes 1023"},
    {2, "--bytes '64Q' is not a size", "bench --random 1 --bytes 64Q"},
    {2, "--bytes 'none' is not a size", "bench --random 1 --bytes none"},
    {2, "--list needs --random", "bench --list"},
    {2, "--picture draws the table of cases, not --random", "bench --random 1 --picture x.svg"},
    {1, "--case 'copy_all' is not a draw; they are CLASS/NUMBER from 0 to 1, of the classes crop, ",
     "bench --random 2 --case copy_all"},
    {1, "cannot write x.jpg: the name must end in .svg or .png", "bench --picture x.jpg"},
    {1, "cannot write missing/x.svg: directory missing: No such file",
     "bench --picture missing/x.svg"},
    {1, "cannot read missing.npy: No such file", "slice missing.npy out.npy 1"},
    {1, "'in.txt': the name must end in .npy or .png", "slice in.txt out.npy 1"},
    {1, "'': the name must end in .npy or .png", "slice '' out.npy 1"},
    {1, "'out.txt': the name must end in .npy or .png", "slice in.npy out.txt 1"},
    {1, "text.npy: is not a .npy file", "slice text.npy out.npy 1"},
    {1, "short.npy: is truncated", "slice short.npy out.npy 1"},
    {1, "wide.npy: has 8 dimensions, and its items of 16 bytes would be one more",
     "slice wide.npy out.npy 0"},
    {1, "object.npy: dtype '|O' holds Python objects", "slice object.npy out.npy 1"},
    {1, "damaged.png: damaged PNG", "slice damaged.png out.npy 1"},
    {1, "KEY index 10 is out of range for axis 0 of size 10", "slice in.npy out.npy 10"},
    {1, "KEY index -11 is out of range", "slice in.npy out.npy -11"},
    {1, "KEY has 3 indices, the array has 2 axes", "slice in.npy out.npy 1,1,1"},
    {1, "KEY has 1 index, the array has 0 axes", "slice scalar.npy out.npy 0"},
    {1, "use the KEY ''", "slice scalar.npy out.npy --offsets 0 --sizes 1"},
    {1, "shape (10, 6), 2 dimensions, --offsets has 1",
     "slice in.npy out.npy --offsets 0 --sizes 1"},
    {1, "InputWindowOffsets[0] + InputWindowSizes[0] = 0 + 70000 = 70000 exceeds InputTensor.Sizes",
     "slice in.npy out.npy --offsets 0,0 --sizes 70000,70000"},
    {1, "InputWindowOffsets[1] + InputWindowSizes[1] = 4 + 3 = 7 exceeds InputTensor.Sizes[1] = 6",
     "slice in.npy out.npy --offsets 0,4 --sizes 1,3"},
    {1, "InputWindowSizes[0]", "explain in.npy --offsets 0,4 --sizes 0,1"},
    {1, "InputWindowStrides[1] = 0", "explain in.npy --offsets 0,4 --sizes 1,1 --strides -1,0"},
    {1, "OutputTensor.Sizes[0] = 3 exceeds MaxCopiedElements[0] = 2",
     "slice in.npy out.npy " ALL_WINDOWS " --output-sizes 3,2"},
    {1, "InputTensor.Sizes[0]", "slice none.npy out.npy --offsets 0,0 --sizes 1,1"},
    {1, "cannot write missing/out.npy: directory missing: No such file",
     "slice in.npy missing/out.npy 1"},
    {1, "cannot write x.png: a PNG can hold", "slice in.npy x.png 1"},
    {1, "cannot write x.png: ", "slice in.npy x.png :0"},
};

START_TEST(what_cannot_be_done_is_refused_in_one_line)
{
    struct cli_result result = cli_run(refused[_i].words, "CLSLICE_OPENCL=/nonexistent");

    cli_assert_refused(&result, refused[_i].status, refused[_i].text);
    ck_assert_str_eq(result.out, "");
    assert_untouched("out.npy", "old");
    ck_assert_int_ne(access("x.png", F_OK), 0);
}
END_TEST

/* Words of the first line and of the whole output, none of which needs OpenCL. */
static const struct {
    const char *words;
    const char *first;
    const char *text;
} helps[] = {
    {"--help", "Usage: clslice [OPTION...] COMMAND\n", "explain"},
    {"slice --help", "Usage: clslice slice IN OUT KEY\n", "--output-sizes"},
    {"--help explain in.npy", "Usage: clslice explain IN KEY\n", "--strides"},
    {"devices --help", "Usage: clslice devices [OPTION...]\n", "--json"},
    {"verify --help", "Usage: clslice verify [CASES.jsonl ...]\n", "passed"},
    {"bench --help", "Usage: clslice bench [OPTION...]\n", "--picture"},
    {"--version", "clslice 0.1.0\n", ""},
};

START_TEST(help_and_version_are_printed)
{
    struct cli_result result = cli_run(helps[_i].words, "CLSLICE_OPENCL=/nonexistent");

    ck_assert_int_eq(result.status, 0);
    ck_assert_str_eq(result.err, "");
    ck_assert_msg(strncmp(result.out, helps[_i].first, strlen(helps[_i].first)) == 0, "%s",
                  result.out);
    ck_assert_msg(strstr(result.out, helps[_i].text) != NULL, "%s", result.out);
}
END_TEST

/* Words in any order, and what the first line says of the result; NULL: IN is missing. */
static const struct {
    const char *words;
    const char *result;
} same[] = {
    {"explain in.npy -3:", "shape (3, 6), dtype '<i2', 36 bytes"},
    {"explain -- in.npy -3:", "shape (3, 6), dtype '<i2', 36 bytes"},
    {"explain in.npy -- -3:", "shape (3, 6), dtype '<i2', 36 bytes"},
    {"--device any explain in.npy -3:", "shape (3, 6), dtype '<i2', 36 bytes"},
    {"explain -3: --device=any", NULL},
    {"explain in.npy -3: --device nope --device=any", "shape (3, 6), dtype '<i2', 36 bytes"},
    {"explain -- -3.npy -3:", "shape (3,), dtype '<i2', 6 bytes"},
    {"explain -3.npy -3", "shape (), dtype '<i2', 2 bytes"},
    {"explain -3.npy ::-1", "shape (60,), dtype '<i2', 120 bytes"},
    {"explain scalar.npy ''", "shape (), dtype '<i2', 2 bytes"},
    {"explain in.npy ' : , 2 '", "shape (10,), dtype '<i2', 20 bytes"},
    {"explain in.npy " ALL_WINDOWS, "shape (2, 2), dtype '<i2', 8 bytes"},
    {"explain --offsets 0,0 in.npy --strides=-2,2 --sizes 4,3",
     "shape (2, 2), dtype '<i2', 8 bytes"},
    {"explain in.npy " ALL_WINDOWS " --output-sizes 1,2", "shape (1, 2), dtype '<i2', 4 bytes"},
    {"explain in.npy --offsets 9,5 --sizes 1,1", "shape (1, 1), dtype '<i2', 2 bytes"},
};

START_TEST(operands_and_values_may_begin_with_minus)
{
    struct cli_result result = cli_run(same[_i].words, NULL);
    char line[128];

    if (!same[_i].result) {
        cli_assert_refused(&result, 2, "'explain' needs IN KEY");
        return;
    }
    ck_assert_msg(result.status == 0 && result.err[0] == '\0', "%s", result.err);
    snprintf(line, sizeof line, "result: %s\n", same[_i].result);
    ck_assert_msg(strncmp(result.out, line, strlen(line)) == 0, "%s", result.out);
    ck_assert_ptr_nonnull(strstr(result.out, "\nplan:   "));
    ck_assert_ptr_nonnull(strstr(result.out, "\nfloor:  "));
    ck_assert_ptr_nonnull(strstr(result.out, "\nruns:   in 1 launch "));
}
END_TEST

START_TEST(explain_finds_aliases_and_builds_nothing)
{
    struct cli_result result = cli_run("explain in.npy 2:5", "CLSLICE_VERBOSE=1");

    ck_assert_int_eq(result.status, 0);
    ck_assert_ptr_nonnull(strstr(result.out, "\nalias:  36 bytes of the input from byte 24;"));
    ck_assert_ptr_nonnull(strstr(result.err, "clslice: device "));
    ck_assert_ptr_null(strstr(result.err, "built"));
    result = cli_run("explain in.npy :,2:5", NULL);
    ck_assert_ptr_nonnull(strstr(result.out, "\nalias:  none"));
}
END_TEST

/* Of a slice of 3 rows of 10 by 6. */
START_TEST(explain_tells_of_gradients)
{
    struct cli_result result = cli_run("explain --gradient in.npy 8:2:-2", NULL);

    ck_assert_int_eq(result.status, 0);
    ck_assert_ptr_nonnull(strstr(result.out, "result: shape (10, 6), dtype "));
    ck_assert_ptr_nonnull(strstr(result.out, "\ngradient: 60 elements; the input from element 12 "
                                             "goes to 3 coordinates from 4 by 2, 6 coordinates "
                                             "from 0 by 1\n"));
    ck_assert_ptr_nonnull(strstr(result.out, "\nplan:   gradient_cpu, "));
    ck_assert_ptr_nonnull(strstr(result.out, "\nalias:  none"));
}
END_TEST

START_TEST(explain_of_nothing_needs_no_device)
{
    struct cli_result result = cli_run("explain in.npy :0", "CLSLICE_DEVICE=none");

    ck_assert_int_eq(result.status, 0);
    ck_assert_str_eq(result.out, "result: shape (0, 6), dtype '<i2', 0 bytes: nothing to slice\n");
}
END_TEST

static const char *text_of(struct json_object *device, const char *name)
{
    struct json_object *value;

    ck_assert_msg(json_object_object_get_ex(device, name, &value), "%s is missing", name);
    return json_object_get_string(value);
}

/* Every selector of the list picks its device, and that one alone is marked. */
START_TEST(every_listed_selector_picks_its_device)
{
    static const char environment[] = "'POCL_DEVICES=pthread basic pthread'";
    static const char *const fields[] = {
        "picked",      "name",           "platform",     "version",
        "driver",      "type",           "device_class", "usable",
        "vendor_id",   "compute_units",  "address_bits", "unusable_reason",
        "host_memory", "unified_memory", "global_bytes", "max_work_group_size",
        "local_bytes", "max_alloc_bytes"};
    struct cli_result result = cli_run("devices --json", environment);
    struct json_object *list = json_tokener_parse(result.out);
    size_t count;

    ck_assert_msg(result.status == 0 && list, "%s", result.err);
    count = json_object_array_length(list);
    ck_assert_uint_ge(count, 1);
    for (size_t i = 0; i < count; ++i) {
        struct json_object *device = json_object_array_get_idx(list, i);
        char line[512];

        for (size_t j = 0; j < COUNT_OF(fields); ++j)
            text_of(device, fields[j]);
        snprintf(line, sizeof line, "devices --device '%s'", text_of(device, "selector"));
        result = cli_run(line, environment);
        ck_assert_int_eq(result.status, 0);
        snprintf(line, sizeof line, "* \"%s\"\n    %s of ", text_of(device, "selector"),
                 text_of(device, "name"));
        ck_assert_msg(strstr(result.out, line) != NULL, "%s", result.out);
        ck_assert_ptr_eq(strchr(result.out, '*'), strrchr(result.out, '*'));
    }
    json_object_put(list);
}
END_TEST

START_TEST(a_selector_that_picks_none_still_lists)
{
    struct cli_result result = cli_run("devices --device 'no such device'", NULL);

    cli_assert_refused(&result, 1, "no such device\": no match");
    ck_assert_ptr_nonnull(strstr(result.out, "compute unit"));
    ck_assert_ptr_null(strchr(result.out, '*'));
}
END_TEST

static void close_out(void)
{
    dup2(open("/dev/full", O_WRONLY), STDOUT_FILENO);
}

START_TEST(a_full_standard_output_is_an_error)
{
    struct cli_child child = cli_start("--version", NULL, close_out);
    struct cli_result result = cli_end(&child);

    cli_assert_refused(&result, 1, "cannot write to standard output: No space left on device");
}
END_TEST

START_TEST(verify_counts_and_ends_accordingly)
{
    struct cli_result result = cli_run("verify", NULL);
    const char *last;
    char *rest;

    ck_assert_msg(result.status == 0, "%s%s", result.out, result.err);
    last = strrchr(result.out, '\n');
    while (last > result.out && last[-1] != '\n')
        --last;
    ck_assert_uint_ge(strtoul(last, &rest, 10), 100);
    ck_assert_str_eq(rest, " passed, 0 failed\n");
    ck_assert_ptr_nonnull(strstr(result.out, " runs of kernel variants that can do the cases\n"));
    text_store("family.jsonl",
               "{\"operator\":\"slice_grad\",\"dtype\":\"uint8\",\"in_shape\":[2],"
               "\"window_offsets\":[1],\"window_sizes\":[3],\"window_strides\":[-2],"
               "\"out_shape\":[5],\"input\":[7,8],\"output\":[0,8,0,7,0]}\n"
               "{\"operator\":\"slice\",\"dtype\":\"uint8\",\"in_shape\":[5],"
               "\"window_offsets\":[1],\"window_sizes\":[3],\"window_strides\":[2],"
               "\"out_shape\":[2],\"input\":[1,2,3,4,5],\"output\":[2,4]}\n");
    result = cli_run("verify family.jsonl", NULL);
    ck_assert_msg(result.status == 0, "%s%s", result.out, result.err);
    ck_assert_ptr_nonnull(strstr(result.out, "\n2 passed, 0 failed\n"));
    text_store("bad.jsonl", "not a case\n");
    result = cli_run("verify bad.jsonl", NULL);
    ck_assert_int_eq(result.status, 1);
    ck_assert_ptr_nonnull(strstr(result.out, "0 passed, 1 failed\n"));
    text_store("none.jsonl", "\n");
    result = cli_run("verify none.jsonl family.jsonl", NULL);
    ck_assert_int_eq(result.status, 1);
    ck_assert_ptr_nonnull(strstr(result.out, "none.jsonl: has no cases\n"));
    ck_assert_ptr_nonnull(strstr(result.out, "\n2 passed, 1 failed\n"));
}
END_TEST

/* Where a device would make do. */
START_TEST(the_cache_says_which_variable_has_no_meaning)
{
    static const char *const actions[] = {"cache path", "cache stats", "cache fill", "cache clear"};

    for (size_t i = 0; i < sizeof actions / sizeof actions[0]; ++i) {
        struct cli_result result = cli_run(actions[i], "CLSLICE_CACHE=folder");

        cli_assert_refused(&result, 1, "CLSLICE_CACHE=\"folder\": expected off, ro, ");
        result = cli_run(actions[i], "CLSLICE_CACHE_MAX=5T");
        cli_assert_refused(&result, 1, "CLSLICE_CACHE_MAX=\"5T\": expected none or ");
    }
}
END_TEST

/* The same case twice, one expected value changed in the second. */
START_TEST(verify_notices_one_changed_value)
{
#define FLIP(name, output)                                                                \
    "{\"name\":\"" name "\",\"dtype\":\"int32\",\"in_shape\":[4],\"window_offsets\":[0]," \
    "\"window_sizes\":[4],\"window_strides\":[-1],\"out_shape\":[4],\"input\":[5,6,7,8]," \
    "\"output\":" output "}\n"
    struct cli_result result;

    text_store("cases.jsonl", FLIP("right", "[8,7,6,5]") FLIP("changed", "[8,7,6,4]"));
#undef FLIP
    result = cli_run("verify cases.jsonl", NULL);
    ck_assert_int_eq(result.status, 1);
    ck_assert_ptr_nonnull(strstr(result.out, "cases.jsonl:2 changed: "));
    ck_assert_ptr_null(strstr(result.out, "right"));
    ck_assert_ptr_nonnull(strstr(result.out, "pu: cl_mem: "));  /* _cpu or _gpu */
    bool is_cpu = strstr(result.out, "_cpu: cl_mem: ") != NULL; /* which has one more */
    ck_assert_ptr_nonnull(
        strstr(result.out, is_cpu ? "\n3 runs of kernel variants" : "\n2 runs of kernel variants"));
    ck_assert_ptr_nonnull(strstr(result.out, "1 passed, 1 failed\n"));
    result = cli_run("verify --planned cases.jsonl", NULL);
    ck_assert_ptr_null(strstr(result.out, "runs"));
    ck_assert_ptr_nonnull(strstr(result.out, "1 passed, 1 failed\n"));
}
END_TEST

static unsigned times_in(const char *text, const char *word)
{
    unsigned times = 0;

    while ((text = strstr(text, word))) {
        ++times;
        text += strlen(word);
    }
    return times;
}

START_TEST(verify_tells_one_refusal_of_the_compilers)
{
#define COPY(name, dtype)                                                                     \
    "{\"name\":\"" name "\",\"dtype\":\"" dtype "\",\"in_shape\":[2],\"window_offsets\":[0]," \
    "\"window_sizes\":[2],\"window_strides\":[1],\"out_shape\":[2],\"input\":[1,2],"          \
    "\"output\":[1,2]}\n"
    struct cli_result result;
    const char *log;

    text_store("cases.jsonl", COPY("first", "int32") COPY("second", "int16") COPY("third", "int8"));
#undef COPY
    result = cli_run("verify cases.jsonl", "'CLSLICE_BUILD_OPTIONS=-Delement=('");
    ck_assert_int_eq(result.status, 1);
    ck_assert_msg(times_in(result.out, "the OpenCL compiler refused ") == 1, "%s", result.out);
    ck_assert_ptr_nonnull(strstr(result.out, "cases.jsonl:1 first: creation failed"));
    log = strstr(result.out, "\n    ");
    ck_assert_msg(log && strstr(log, "error"), "no log in: %s", result.out);
    ck_assert_ptr_nonnull(strstr(log, "\n2 more failed because the compiler refused a kernel\n"));
    ck_assert_ptr_nonnull(strstr(log, "\n0 passed, 3 failed\n"));
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("cli");
    TCase *tests = suite_case(suite, "cli");
    cli_path = argc > 1 ? argv[1] : "clslice";
    tcase_add_unchecked_fixture(tests, enter, NULL);
    tcase_add_loop_test(tests, what_cannot_be_done_is_refused_in_one_line, 0, COUNT_OF(refused));
    tcase_add_loop_test(tests, help_and_version_are_printed, 0, COUNT_OF(helps));
    tcase_add_loop_test(tests, operands_and_values_may_begin_with_minus, 0, COUNT_OF(same));
    tcase_add_test(tests, explain_finds_aliases_and_builds_nothing);
    tcase_add_test(tests, explain_tells_of_gradients);
    tcase_add_test(tests, explain_of_nothing_needs_no_device);
    tcase_add_test(tests, every_listed_selector_picks_its_device);
    tcase_add_test(tests, a_selector_that_picks_none_still_lists);
    tcase_add_test(tests, a_full_standard_output_is_an_error);
    tcase_add_test(tests, verify_counts_and_ends_accordingly);
    tcase_add_test(tests, the_cache_says_which_variable_has_no_meaning);
    tcase_add_test(tests, verify_notices_one_changed_value);
    tcase_add_test(tests, verify_tells_one_refusal_of_the_compilers);
    return suite_run(suite);
}
