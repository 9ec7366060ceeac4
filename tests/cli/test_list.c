/* SPDX-License-Identifier: MIT */
/* Lists of numbers on the command line, and the one line that says what is wrong. */
#include "cli/args/list.h"
#include "conformance/problem.h"
#include "support/suite.h"

#include <stdint.h>
#include <string.h>

START_TEST(lists_are_read)
{
    uint32_t list[8];
    uint32_t count;

    ck_assert(list_parse("--sizes", " 0,4294967295 ,\t7", 0, UINT32_MAX, list, &count, NULL));
    ck_assert(count == 3 && list[0] == 0 && list[1] == UINT32_MAX && list[2] == 7);
    ck_assert(list_parse("--sizes", "1,2,3,4,5,6,7,8", 0, UINT32_MAX, list, &count, NULL));
    ck_assert(count == 8 && list[7] == 8);
    ck_assert(list_parse("--strides", "-2147483648,2147483647,- 2,+3", INT32_MIN, INT32_MAX, list,
                         &count, NULL));
    ck_assert(count == 4 && list[0] == (uint32_t)INT32_MIN && list[1] == INT32_MAX);
    ck_assert(list[2] == (uint32_t)-2 && list[3] == 3);
}
END_TEST

static const struct {
    bool is_signed;
    const char *text;
    const char *message;
} bad_lists[] = {
    {false, "", "--o position 1: the end is found where an integer is expected"},
    {false, " ", "--o position 2: the end is found where an integer is expected"},
    {false, "1,", "--o position 3: the end is found where an integer is expected"},
    {false, ",1", "--o position 1: ',' is found where an integer is expected"},
    {false, "1 2", "--o position 3: '2' is found where a comma or the end is expected"},
    {false, "1,x", "--o position 3: 'x' is found where an integer is expected"},
    {false, "1,2.0", "--o position 3: '2.0' is not an integer"},
    {false, "0,-1", "--o position 3: '-1' is out of range, 0 to 4294967295"},
    {false, "4294967296", "--o position 1: '4294967296' is out of range"},
    {false, "99999999999999999999", "'99999999999999999999' is out of range"},
    {true, "2147483648", "'2147483648' is out of range, -2147483648 to 2147483647"},
    {true, "1, -2147483649", "--o position 4: '-2147483649' is out of range"},
    {true, "1:2", "--o position 2: ':' is found where a comma or the end is expected"},
    {true, "1,2,3,4,5,6,7,8,9", "--o position 17: '9' is one too many"},
};

START_TEST(bad_lists_say_where_and_why)
{
    struct problem problem = {0};
    uint32_t list[8];
    uint32_t count;
    int64_t low = bad_lists[_i].is_signed ? INT32_MIN : 0;
    int64_t high = bad_lists[_i].is_signed ? INT32_MAX : UINT32_MAX;

    ck_assert(!list_parse("--o", bad_lists[_i].text, low, high, list, &count, &problem));
    ck_assert_msg(strstr(problem.text, bad_lists[_i].message) != NULL, "%s", problem.text);
}
END_TEST

START_TEST(problems_stay_one_line_of_whole_characters)
{
    struct problem problem;
    char text[PROBLEM_TEXT_SIZE + 1000];

    for (size_t i = 0; i + 1 < sizeof text; ++i)
        text[i] = "\xe2\x82\xac"[i % 3];
    text[sizeof text - 1] = '\0';
    ck_assert(!problem_set(&problem, "a\nb\x7f%s", text));
    ck_assert_int_eq(strncmp(problem.text, "a?b?", 4), 0);
    ck_assert_uint_eq((strlen(problem.text) - 4) % 3, 0);
    ck_assert_uint_ge(strlen(problem.text), sizeof problem.text - 4);
    ck_assert_int_eq(problem.status, PROBLEM_FAILED);
    ck_assert(!problem_set(NULL, "nobody asks"));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("list");
    TCase *tests = suite_case(suite, "list");
    tcase_add_test(tests, lists_are_read);
    tcase_add_loop_test(tests, bad_lists_say_where_and_why, 0, COUNT_OF(bad_lists));
    tcase_add_test(tests, problems_stay_one_line_of_whole_characters);
    return suite_run(suite);
}
