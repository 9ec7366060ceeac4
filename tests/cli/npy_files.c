/* SPDX-License-Identifier: MIT */
#include "npy_files.h"

#include "cli/formats/array_file.h"
#include "conformance/problem.h"
#include "support/suite.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

void npy_files_remove(void)
{
    unlink("x.npy");
    unlink("X.NPY");
    rmdir("d.npy");
}

void write_file(const char *path, const void *bytes, size_t length)
{
    FILE *file = fopen(path, "wb");

    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(bytes, 1, length, file), length);
    ck_assert_int_eq(fclose(file), 0);
}

size_t make(unsigned char *file, unsigned version, const char *dict, size_t data_bytes)
{
    size_t length = strlen(dict);
    size_t prefix = version == 1 ? 10 : 12;

    memcpy(file, "\x93NUMPY", 6);
    file[6] = (unsigned char)version;
    file[7] = 0;
    for (size_t i = 8; i < prefix; ++i)
        file[i] = (unsigned char)(length >> 8 * (i - 8));
    memcpy(file + prefix, dict, length);
    for (size_t i = 0; i < data_bytes; ++i)
        file[prefix + length + i] = (unsigned char)i;
    return prefix + length + data_bytes;
}

struct array read_well(const char *path)
{
    struct problem problem = {0};
    struct array array;

    ck_assert_msg(array_file_read(path, &array, &problem), "%s", problem.text);
    return array;
}

struct array read_made(unsigned version, const char *dict, size_t data_bytes)
{
    unsigned char file[1024];

    write_file("x.npy", file, make(file, version, dict, data_bytes));
    return read_well("x.npy");
}

void assert_refused(const void *bytes, size_t length, const char *message)
{
    struct problem problem = {0};
    struct array array;

    write_file("x.npy", bytes, length);
    ck_assert(!array_file_read("x.npy", &array, &problem));
    ck_assert_msg(strstr(problem.text, message) && strstr(problem.text, "x.npy"), "%s",
                  problem.text);
    ck_assert(!array.mapping && !array.allocation && !array.data);
}

struct dtype dtype_of(const char *descr)
{
    return (struct dtype){.descr = descr, .length = strlen(descr)};
}

void assert_dict_refused(const char *dict, size_t data_bytes, const char *message)
{
    unsigned char file[512];

    assert_refused(file, make(file, 1, dict, data_bytes), message);
}
