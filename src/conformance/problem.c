/* SPDX-License-Identifier: MIT */
#include "conformance/problem.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Drops what a cut has left of a UTF-8 character at the end. */
static void trim_cut(char *text)
{
    size_t length = strlen(text);
    size_t start = length;

    while (start > 0 && ((unsigned char)text[start - 1] & 0xC0) == 0x80)
        --start;
    if (start > 0 && (unsigned char)text[start - 1] >= 0xC0)
        text[start - 1] = '\0';
}

bool problem_fill(struct problem *problem, int status, const char *format, ...)
{
    va_list arguments;
    int length;

    if (!problem)
        return false;
    problem->status = status;
    va_start(arguments, format);
    length = vsnprintf(problem->text, sizeof problem->text, format, arguments);
    va_end(arguments);
    if (length < 0)
        problem->text[0] = '\0';
    else if ((size_t)length >= sizeof problem->text)
        trim_cut(problem->text);
    for (char *at = problem->text; *at != '\0'; ++at)
        if ((unsigned char)*at < ' ' || *at == '\x7f')
            *at = '?';
    return false;
}

bool problem_opencl(const char *call, int32_t code, struct problem *problem)
{
    return code == 0 || problem_set(problem, "%s failed with OpenCL error %" PRId32, call, code);
}
