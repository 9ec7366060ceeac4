/* SPDX-License-Identifier: MIT */
#include "cli/formats/array_file.h"

#include "cli/formats/array.h"
#include "cli/formats/npy.h"
#include "cli/formats/png_file.h"
#include "conformance/problem.h"

#include <string.h>

/* Whether a path ends in the suffix, in lower case, whatever the locale. */
static bool has_suffix(const char *path, const char *suffix)
{
    const char *at = strrchr(path, '.');

    for (; at && *at != '\0'; ++at, ++suffix)
        if (*at != *suffix && !(*at >= 'A' && *at <= 'Z' && *at - 'A' + 'a' == *suffix))
            return false;
    return at && *suffix == '\0';
}

enum array_file_format array_file_format(const char *path)
{
    if (has_suffix(path, ".npy"))
        return ARRAY_FILE_NPY;
    return has_suffix(path, ".png") ? ARRAY_FILE_PNG : ARRAY_FILE_UNKNOWN;
}

bool array_file_read(const char *path, struct array *array, struct problem *problem)
{
    *array = (struct array){0};
    switch (array_file_format(path)) {
    case ARRAY_FILE_NPY:
        return npy_read(path, array, problem);
    case ARRAY_FILE_PNG:
        return png_file_read(path, array, problem);
    case ARRAY_FILE_UNKNOWN:
        break;
    }
    return problem_set(problem,
                       "%s: the name must end in .npy or .png, the formats that can be read", path);
}
