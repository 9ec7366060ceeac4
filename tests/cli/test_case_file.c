/* SPDX-License-Identifier: MIT */
#include "cli/verify/case_file.h"
#include "cli/verify/element.h"
#include "cli/verify/judge.h"
#include "cli/verify/literal_desc.h"
#include "conformance/case_desc.h"
#include "conformance/problem.h"
#include "support/suite.h"

#include <clslice/clslice.h>
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* A case of one dimension: `count` elements in, the first `out_count` of them out. */
#define LINE(dtype, count, in, out_count, out, more)                                            \
    "{\"name\":\"n\",\"dtype\":\"" dtype "\",\"in_shape\":[" #count "],\"window_offsets\":[0]," \
    "\"window_sizes\":[" #count "],\"window_strides\":[1],\"out_shape\":[" #out_count "],"      \
    "\"input\":" in ",\"output\":" out more "}"

#define TENSOR(buffer) "{\"Type\":\"BUFFER\",\"Desc\":" buffer "}"
#define BUFFER(type, count, sizes, total)                                              \
    "{\"DataType\":" type ",\"Flags\":0,\"DimensionCount\":" count ",\"Sizes\":" sizes \
    ",\"Strides\":null,\"TotalTensorSizeInBytes\":" total ",\"GuaranteedBaseOffsetAlignment\":0}"
#define JUDGE(expect, in, out, count, offsets, strides)                                            \
    "{\"name\":\"n\",\"rule\":\"WINDOW_BOUNDS\",\"expect\":\"" expect "\",\"desc\":{"              \
    "\"InputTensor\":" in ",\"OutputTensor\":" out ",\"DimensionCount\":" count                    \
    ",\"InputWindowOffsets\":" offsets ",\"InputWindowSizes\":[1],\"InputWindowStrides\":" strides \
    "}}"
#define PLAIN TENSOR(BUFFER("\"UINT8\"", "1", "[5]", "8"))

static struct case_line *read_line(const char *text)
{
    struct problem problem = {0};
    struct case_line *line = NULL;

    ck_assert_msg(case_line_create(text, strlen(text), &line, &problem), "%s: %s", text,
                  problem.text);
    return line;
}

START_TEST(a_case_to_run_is_read)
{
    static const int16_t in[] = {1, 2, 3, 4, 5, 6, 7};
    static const int16_t out[] = {6, -2};
    struct case_line *line = read_line(
        "{\"name\":\"a case\",\"dtype\":\"int16\",\"in_shape\":[2,3],\"in_strides\":[4,1],"
        "\"window_offsets\":[0,1],\"window_sizes\":[2,2],\"window_strides\":[-1,2147483647],"
        "\"out_shape\":[2,1],\"out_strides\":null,\"out_total_bytes\":64,"
        "\"input\":[1,2,3,4,5,6,7],\"output\":[6,-2.0],\"tags\":[[{}]],\"source\":\"nobody\"}  \n");

    ck_assert_str_eq(line->name, "a case");
    ck_assert_ptr_null(line->desc);
    ck_assert_str_eq(line->run.name, "a case");
    ck_assert_uint_eq(line->run.data_type, DML_TENSOR_DATA_TYPE_INT16);
    ck_assert_uint_eq(line->run.rank, 2);
    ck_assert(line->run.in_strided && !line->run.out_strided);
    ck_assert_uint_eq(line->run.in_sizes[1], 3);
    ck_assert_uint_eq(line->run.in_strides[0], 4);
    ck_assert_uint_eq(line->run.window_offsets[1], 1);
    ck_assert_uint_eq(line->run.window_sizes[1], 2);
    ck_assert_int_eq(line->run.window_strides[0], -1);
    ck_assert_int_eq(line->run.window_strides[1], INT32_MAX);
    ck_assert_uint_eq(line->run.out_sizes[1], 1);
    ck_assert_uint_eq(line->run.in_total_bytes, 0);
    ck_assert_uint_eq(line->run.out_total_bytes, 64);
    ck_assert_mem_eq(line->in, in, sizeof in);
    ck_assert_mem_eq(line->out, out, sizeof out);
    case_line_release(line);
}
END_TEST

static const struct {
    const char *line;
    unsigned char in[24]; /* little-endian */
    size_t bytes;
} encodings[] = {
    {LINE("uint64", 3, "[18446744073709551615,9007199254740993,0]", 1, "[0]", ""),
     {255, 255, 255, 255, 255, 255, 255, 255, 1, 0, 0, 0, 0, 0, 0x20},
     24},
    {LINE("int64", 2, "[-9223372036854775808,9223372036854775807]", 1, "[0]", ""),
     {0, 0, 0, 0, 0, 0, 0, 0x80, 255, 255, 255, 255, 255, 255, 255, 0x7F},
     16},
    {LINE("int8", 4, "[-128,127,-1,2.0]", 1, "[0]", ""), {0x80, 0x7F, 0xFF, 2}, 4},
    {LINE("bool", 3, "[true,false,1]", 1, "[true]", ""), {1, 0, 1}, 3},
    {LINE("bool", 3, "null", 1, "[false]", ""), {0, 1, 0}, 3},
    {LINE("uint16", 3, "null", 1, "[0]", ""), {0, 0, 1, 0, 2, 0}, 6},
    {LINE("float32", 3, "[-0.0,0.1,16777217]", 1, "[0]", ""),
     {0, 0, 0, 0x80, 0xCD, 0xCC, 0xCC, 0x3D, 0, 0, 0x80, 0x4B},
     12},
    {LINE("float32", 3, "[NaN,Infinity,-Infinity]", 1, "[0]", ""),
     {0, 0, 0xC0, 0x7F, 0, 0, 0x80, 0x7F, 0, 0, 0x80, 0xFF},
     12},
    {LINE("float16", 3, "[\"NaN\",\"Infinity\",\"-Infinity\"]", 1, "[0]", ""),
     {0, 0x7E, 0, 0x7C, 0, 0xFC},
     6},
    {LINE("float16", 4, "[-0.0,1,65520,5.960464477539063e-08]", 1, "[0]", ""),
     {0, 0x80, 0, 0x3C, 0, 0x7C, 1, 0},
     8},
    {LINE("float64", 2, "[-0.0,1.5]", 1, "[0]", ""),
     {0, 0, 0, 0, 0, 0, 0, 0x80, 0, 0, 0, 0, 0, 0, 0xF8, 0x3F},
     16},
    {LINE("float32", 2, "[2143289345,-1]", 1, "[0]", ",\"encoding\":\"bits\""),
     {1, 0, 0xC0, 0x7F, 255, 255, 255, 255},
     8},
    {LINE("float64", 1, "[9218868437227405313]", 1, "[0]", ",\"encoding\":\"bits\""),
     {1, 0, 0, 0, 0, 0, 0xF0, 0x7F},
     8},
};

/* The byte that stands at `i` in little-endian elements of so many bytes. */
static unsigned char little_endian(const unsigned char *bytes, size_t i, size_t element)
{
    return bytes[__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? i : i ^ (element - 1)];
}

START_TEST(elements_are_exact)
{
    struct case_line *line = read_line(encodings[_i].line);
    uint32_t element = case_type_bytes(line->run.data_type);

    for (size_t i = 0; i < encodings[_i].bytes; ++i)
        ck_assert_uint_eq(little_endian(line->in, i, element), encodings[_i].in[i]);
    case_line_release(line);
}
END_TEST

START_TEST(input_without_numbers_wraps)
{
    struct case_line *line = read_line(LINE("float16", 2050, "null", 1, "[0]", ""));
    const uint16_t *half = (const uint16_t *)(const void *)line->in;

    ck_assert_uint_eq(half[2047], element_half(2047));
    ck_assert_uint_eq(half[2049], element_half(1));
    case_line_release(line);
    line = read_line(LINE("uint8", 300, "null", 1, "[0]", ""));
    ck_assert_uint_eq(line->in[299], 299 - 256);
    case_line_release(line);
}
END_TEST

static const struct {
    const char *line;
    const char *reason;
} unreadable[] = {
    {"", "not JSON"},
    {"{", "not JSON"},
    {"[1]", "not a JSON object"},
    {"null", "not a JSON object"},
    {"{}", "dtype"},
    {"{} {}", "not JSON"},
    {LINE("uint8", 1, "[1,]", 1, "[1]", ""), "not JSON"},
    {LINE("uint8", 1, "[1]", 1, "[1]", ",}"), "not JSON"},
    {LINE("uint64", 1, "[18446744073709551616]", 1, "[1]", ""), "18446744073709551616"},
    {LINE("int64", 1, "[-9223372036854775809]", 1, "[1]", ""), "-9223372036854775809"},
    {LINE("complex64", 1, "[1]", 1, "[1]", ""), "complex64"},
    {LINE("uint8", 1, "[256]", 1, "[1]", ""), "input[0] is 256"},
    {LINE("uint8", 1, "[1]", 1, "[-1]", ""), "output[0] is -1"},
    {LINE("uint8", 1, "[1.5]", 1, "[1]", ""), "input[0] is 1.5"},
    {LINE("uint8", 1, "[null]", 1, "[1]", ""), "input[0] is null"},
    {LINE("uint8", 1, "[\"1\"]", 1, "[1]", ""), "input[0]"},
    {LINE("float32", 1, "[\"nan\"]", 1, "[1]", ""), "input[0]"},
    {LINE("float32", 1, "[4294967296]", 1, "[1]", ",\"encoding\":\"bits\""), "input[0]"},
    {LINE("float32", 1, "[1]", 1, "[1]", ",\"encoding\":\"hex\""), "hex"},
    {LINE("uint8", 2, "[1]", 1, "[1]", ""), "input has 1 elements, not 2"},
    {LINE("uint8", 2, "[1,2,3]", 1, "[1]", ""), "input has 3 elements, not 2"},
    {LINE("uint8", 2, "[1,2]", 2, "[1]", ""), "output has 1 elements, not 2"},
    {LINE("uint8", 2, "[1,2]", 2, "null", ""), "output is not an array"},
    {LINE("uint8", 2, "[1,2]", 0, "[]", ""), "out_shape"},
    {LINE("uint8", 0, "[]", 1, "[1]", ""), "input spans no element"},
    {LINE("uint8", -1, "[]", 1, "[1]", ""), "in_shape[0] is -1"},
    {LINE("uint8", 4294967296, "[]", 1, "[1]", ""), "in_shape[0] is 4294967296"},
    {LINE("uint8", 1, "[1]", 1, "[1]", ",\"in_strides\":[1,1]"), "in_strides"},
    {LINE("uint8", 1, "[1]", 1, "[1]", ",\"out_strides\":[-1]"), "out_strides[0]"},
    {LINE("uint8", 2, "[1]", 1, "[1]", ",\"in_strides\":[4294967295]"), "input spans"},
    {LINE("uint8", 1, "[1]", 1, "[1]", ",\"in_total_bytes\":-4"), "in_total_bytes"},
    {LINE("uint8", 1, "[1]", 1, "[1]", ",\"name\":7"), "name"},
    {LINE("uint8", 1, "[1]", 1, "[1]", ",\"operator\":\"gather\""), "operator is not \"slice1\""},
    {"{\"dtype\":\"int8\",\"in_shape\":[]}", "in_shape"},
    {"{\"dtype\":\"int8\",\"in_shape\":[1,1,1,1,1,1,1,1,1]}", "in_shape"},
    {"{\"dtype\":\"int8\",\"in_shape\":[1],\"window_offsets\":[0]}", "window_sizes is missing"},
    {"{\"expect\":\"maybe\",\"desc\":null}", "expect"},
    {"{\"desc\":null}", "expect"},
    {"{\"expect\":\"valid\",\"desc\":[]}", "desc"},
    {"{\"expect\":\"valid\",\"desc\":{}}", "InputTensor is missing"},
    {JUDGE("valid", "7", PLAIN, "1", "[0]", "[1]"), "InputTensor is neither"},
    {JUDGE("valid", PLAIN, TENSOR("[]"), "1", "[0]", "[1]"), "OutputTensor.Desc is neither"},
    {JUDGE("valid", PLAIN, TENSOR(BUFFER("\"FLOAT8\"", "1", "[5]", "8")), "1", "[0]", "[1]"),
     "OutputTensor.DataType"},
    {JUDGE("valid", PLAIN, TENSOR(BUFFER("1", "1", "5", "8")), "1", "[0]", "[1]"),
     "OutputTensor.Sizes is neither"},
    {JUDGE("valid", PLAIN, TENSOR(BUFFER("1", "1", "[-5]", "8")), "1", "[0]", "[1]"),
     "OutputTensor.Sizes[0] is -5"},
    {JUDGE("valid", PLAIN, TENSOR(BUFFER("1", "4294967296", "[5]", "8")), "1", "[0]", "[1]"),
     "OutputTensor.DimensionCount"},
    {JUDGE("valid", PLAIN, PLAIN, "1", "[4294967296]", "[1]"), "InputWindowOffsets[0]"},
    {JUDGE("valid", PLAIN, PLAIN, "1", "[0]", "[2147483648]"), "InputWindowStrides[0]"},
};

START_TEST(unreadable_lines_say_why)
{
    struct problem problem = {0};
    struct case_line *line = NULL;
    const char *text = unreadable[_i].line;

    ck_assert_msg(!case_line_create(text, strlen(text), &line, &problem), "read: %s", text);
    ck_assert_ptr_null(line);
    ck_assert_msg(strstr(problem.text, unreadable[_i].reason), "%s: %s", text, problem.text);
}
END_TEST

START_TEST(a_NUL_byte_is_unreadable)
{
    const char text[] = "{\"expect\":\"valid\",\"desc\":null}\0";
    struct problem problem = {0};
    struct case_line *line = NULL;

    ck_assert(!case_line_create(text, sizeof text - 1, &line, &problem));
}
END_TEST

START_TEST(a_description_is_literal)
{
    struct case_line *line =
        read_line(JUDGE("either", TENSOR(BUFFER("-1", "4294967295", "[7]", "18446744073709551615")),
                        "{\"Type\":5,\"Desc\":null}", "9", "[]", "[-2147483648,2147483647]"));
    const struct literal_desc *desc = line->desc;

    ck_assert_int_eq(line->expect, CASE_EXPECT_EITHER);
    ck_assert_str_eq(line->rule, "WINDOW_BOUNDS");
    ck_assert_int_eq(desc->op.Type, DML_OPERATOR_SLICE1);
    ck_assert_ptr_eq(desc->op.Desc, &desc->slice1);
    ck_assert_ptr_eq(desc->slice1.InputTensor, &desc->in.tensor);
    ck_assert_ptr_eq(desc->in.tensor.Desc, &desc->in.buffer);
    ck_assert_uint_eq((uint32_t)desc->in.buffer.DataType, UINT32_MAX);
    ck_assert_uint_eq(desc->in.buffer.DimensionCount, UINT32_MAX);
    ck_assert_uint_eq(desc->in.buffer.Sizes[0], 7);
    ck_assert_ptr_null(desc->in.buffer.Strides);
    ck_assert_uint_eq(desc->in.buffer.TotalTensorSizeInBytes, UINT64_MAX);
    ck_assert_uint_eq((uint32_t)desc->out.tensor.Type, 5);
    ck_assert_ptr_null(desc->out.tensor.Desc);
    ck_assert_uint_eq(desc->slice1.DimensionCount, 9);
    ck_assert_ptr_nonnull(desc->slice1.InputWindowOffsets);
    ck_assert_int_eq(desc->slice1.InputWindowStrides[0], INT32_MIN);
    ck_assert_int_eq(desc->slice1.InputWindowStrides[1], INT32_MAX);
    case_line_release(line);
}
END_TEST

START_TEST(a_null_description_is_read)
{
    struct case_line *line = read_line("{\"expect\":\"invalid\",\"desc\":null}");

    ck_assert_int_eq(line->desc->op.Type, DML_OPERATOR_SLICE1);
    ck_assert_ptr_null(line->desc->op.Desc);
    ck_assert_str_eq(line->rule, "");
    case_line_release(line);
}
END_TEST

/* A legal DimensionCount may be trusted, even where the file gives fewer entries. */
START_TEST(short_arrays_end_in_zeros)
{
    struct case_line *line = read_line(
        JUDGE("invalid", TENSOR(BUFFER("\"INT4\"", "8", "[3]", "8")), PLAIN, "8", "[]", "[1,2]"));
    const struct literal_desc *desc = line->desc;

    ck_assert_uint_eq(desc->in.buffer.Sizes[0], 3);
    ck_assert_uint_eq(desc->in.buffer.Sizes[7], 0);
    ck_assert_uint_eq(desc->slice1.InputWindowOffsets[7], 0);
    ck_assert_int_eq(desc->slice1.InputWindowStrides[1], 2);
    ck_assert_int_eq(desc->slice1.InputWindowStrides[7], 0);
    ck_assert(literal_desc_has_4_bits(desc));
    case_line_release(line);
}
END_TEST

START_TEST(halves_are_rounded_to_even)
{
    for (uint32_t bits = 0; bits < 0x7C00; ++bits) {
        uint32_t exponent = bits >> 10;
        double significand = (bits & 0x3FF) + (exponent > 0 ? 1024 : 0);
        double number = ldexp(significand, (int)(exponent > 0 ? exponent : 1) - 25);
        double gap = ldexp(1, (int)(exponent > 0 ? exponent : 1) - 25);
        double middle = number + gap / 2;

        ck_assert_uint_eq(element_half(number), bits);
        ck_assert_uint_eq(element_half(-number), bits | 0x8000);
        ck_assert_uint_eq(element_half(middle), bits + bits % 2);
        ck_assert_uint_eq(element_half(nextafter(middle, 0)), bits);
        ck_assert_uint_eq(element_half(nextafter(middle, HUGE_VAL)), bits + 1);
    }
    ck_assert_uint_eq(element_half(HUGE_VAL), 0x7C00);
    ck_assert_uint_eq(element_half(-1e300), 0xFC00);
    ck_assert_uint_eq(element_half(-1e-300), 0x8000);
    ck_assert_uint_eq(element_half(5e-324), 0);
    ck_assert_uint_eq(element_half((double)NAN), 0x7E00);
    /* Rounding to single precision first would give 0x3C00, the even neighbour. */
    ck_assert_uint_eq(element_half(1 + 0x1p-11 + 0x1p-40), 0x3C01);
}
END_TEST

START_TEST(texts_must_name_fields)
{
    ck_assert(judge_text("WINDOW_BOUNDS", "InputWindowOffsets[2] + InputWindowSizes[2] = 9 exceeds "
                                          "InputTensor.Sizes[2] = 8"));
    ck_assert(!judge_text("WINDOW_BOUNDS", "InputWindowOffsets[2] + InputWindowSizes[2] = 9"));
    ck_assert(!judge_text("WINDOW_BOUNDS", "InputWindowOffsets[2] + InputWindowSizes[1] exceeds "
                                           "InputTensor.Sizes[2]"));
    ck_assert(judge_text("SIZE_ZERO", "OutputTensor.Sizes[7] is 0"));
    ck_assert(!judge_text("SIZE_ZERO", "Sizes[7] is 0"));
    ck_assert(judge_text("TENSOR_ELEMENT_LIMIT", "InputTensor.Strides"));
    ck_assert(judge_text("TENSOR_ELEMENT_LIMIT", "OutputTensor.Sizes"));
    ck_assert(!judge_text("DATA_TYPE_MISMATCH", "OutputTensor.DataType"));
    ck_assert(!judge_text("NULL_INPUT_TENSOR", ""));
    ck_assert(judge_text("A_RULE_OF_TOMORROW", ""));
}
END_TEST

START_TEST(answers_to_descriptions_are_judged)
{
    static const char *const bounds = "InputWindowOffsets[0] InputWindowSizes[0] "
                                      "InputTensor.Sizes[0]";
    struct literal_desc desc = {.op = {.Type = DML_OPERATOR_SLICE1}};
    struct case_line line = {.rule = (char[]){"WINDOW_BOUNDS"}, .desc = &desc};
    struct problem problem = {0};

    line.expect = CASE_EXPECT_INVALID;
    ck_assert(judge_answer(&line, CLSLICE_E_INVALIDARG, bounds, &problem));
    ck_assert(!judge_answer(&line, CLSLICE_E_INVALIDARG, "no", &problem));
    ck_assert(!judge_answer(&line, CLSLICE_S_OK, "", &problem));
    ck_assert(!judge_answer(&line, CLSLICE_DXGI_ERROR_UNSUPPORTED, bounds, &problem));
    desc.in.buffer.DataType = DML_TENSOR_DATA_TYPE_INT4;
    ck_assert(judge_answer(&line, CLSLICE_DXGI_ERROR_UNSUPPORTED, bounds, &problem));
    line.expect = CASE_EXPECT_VALID;
    ck_assert(judge_answer(&line, CLSLICE_S_OK, "", &problem));
    ck_assert(!judge_answer(&line, CLSLICE_E_INVALIDARG, bounds, &problem));
    line.expect = CASE_EXPECT_EITHER;
    ck_assert(judge_answer(&line, CLSLICE_S_OK, "", &problem));
    ck_assert(judge_answer(&line, CLSLICE_E_INVALIDARG, "no", &problem));
    ck_assert(!judge_answer(&line, CLSLICE_E_OUTOFMEMORY, "no", &problem));
}
END_TEST

START_TEST(files_go_on_after_a_bad_line)
{
    static const char text[] = "\n  \r\n{\"name\":\"one\",\"expect\":\"valid\",\"desc\":null}\r\n"
                               "garbage\n\n{\"name\":\"two\",\"expect\":\"valid\",\"desc\":null}";
    struct problem problem = {0};
    struct case_file file;
    struct case_line *line;
    unsigned long number;
    FILE *stream = fopen("cases.jsonl", "w");

    ck_assert_ptr_nonnull(stream);
    ck_assert_uint_eq(fwrite(text, 1, sizeof text - 1, stream), sizeof text - 1);
    ck_assert_int_eq(fclose(stream), 0);
    ck_assert(case_file_open("cases.jsonl", &file, &problem));
    ck_assert(case_file_next(&file, &number, &line, &problem));
    ck_assert_uint_eq(number, 3);
    ck_assert_str_eq(line->name, "one");
    case_line_release(line);
    ck_assert(case_file_next(&file, &number, &line, &problem));
    ck_assert_uint_eq(number, 4);
    ck_assert_ptr_null(line);
    ck_assert(case_file_next(&file, &number, &line, &problem));
    ck_assert_uint_eq(number, 6);
    ck_assert_str_eq(line->name, "two");
    case_line_release(line);
    ck_assert(!case_file_next(&file, &number, &line, &problem));
    ck_assert(!case_file_next(&file, &number, &line, &problem));
    case_file_release(&file);
}
END_TEST

START_TEST(files_that_cannot_be_read)
{
    struct problem problem = {0};
    struct case_file file;
    struct case_line *line;
    unsigned long number;

    ck_assert(!case_file_open("no such file", &file, &problem));
    ck_assert_msg(strstr(problem.text, strerror(ENOENT)), "%s", problem.text);
    ck_assert(case_file_open(".", &file, &problem));
    ck_assert(case_file_next(&file, &number, &line, &problem));
    ck_assert_ptr_null(line);
    ck_assert(!case_file_next(&file, &number, &line, &problem));
    case_file_release(&file);
    case_file_release(&file);
    case_line_release(NULL);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("case_file");
    TCase *lines = suite_case(suite, "lines");
    TCase *judging = suite_case(suite, "judging");
    tcase_add_test(lines, a_case_to_run_is_read);
    tcase_add_loop_test(lines, elements_are_exact, 0, COUNT_OF(encodings));
    tcase_add_test(lines, input_without_numbers_wraps);
    tcase_add_loop_test(lines, unreadable_lines_say_why, 0, COUNT_OF(unreadable));
    tcase_add_test(lines, a_NUL_byte_is_unreadable);
    tcase_add_test(lines, halves_are_rounded_to_even);
    tcase_add_test(lines, files_go_on_after_a_bad_line);
    tcase_add_test(lines, files_that_cannot_be_read);
    tcase_add_test(judging, a_description_is_literal);
    tcase_add_test(judging, a_null_description_is_read);
    tcase_add_test(judging, short_arrays_end_in_zeros);
    tcase_add_test(judging, texts_must_name_fields);
    tcase_add_test(judging, answers_to_descriptions_are_judged);
    return suite_run(suite);
}
