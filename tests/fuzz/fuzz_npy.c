/* SPDX-License-Identifier: MIT */
/*
 * A .npy file of any origin. After a first byte of 0 the rest is the whole file. Else the rest is
 * the dict of a header of version 1, 2 or 3, as the first byte modulo 4 says, before DATA bytes of
 * data.
 */
#include "cli/formats/array.h"
#include "cli/formats/npy.h"
#include "conformance/problem.h"
#include "fuzz.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { INPUT_MAX = 4096, START_MAX = 12, DATA = 4096 };

static const unsigned char zeros[DATA];

/* A file in memory of both pieces; -1 where there is none. */
static int make_file(const void *start, size_t start_size, const void *rest, size_t rest_size)
{
    int fd = memfd_create("fuzz_npy", MFD_CLOEXEC);
    if (fd >= 0 && write(fd, start, start_size) == (ssize_t)start_size &&
        write(fd, rest, rest_size) == (ssize_t)rest_size)
        return fd;
    close(fd);
    return -1;
}

static bool read_file(int fd, struct array *array)
{
    struct problem problem = {0};
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    FILE *file = fopen(path, "rb");
    EXPECT(file);
    *array = (struct array){0};
    bool is_read = npy_read(file, (uint64_t)lseek(fd, 0, SEEK_END), path, array, &problem);
    fclose(file);
    EXPECT(is_read || fuzz_is_message(problem.text, sizeof problem.text));
    if (!is_read)
        array_release(array);
    return is_read;
}

/* What stands before the dict; returns its length. */
static size_t put_start(unsigned char start[START_MAX], unsigned version, size_t dict)
{
    const unsigned char bytes[START_MAX] = {
        0x93, 'N', 'U', 'M', 'P', 'Y', (unsigned char)version, 0, dict & 0xFF, (dict >> 8) & 0xFF};
    memcpy(start, bytes, sizeof bytes);
    return version == 1 ? 10 : 12;
}

/* Everything about the array is in the file. */
static void check_array(const struct array *array)
{
    const char *data = array->data, *file = array->mapping;
    uint64_t count = 1, last = 0;
    const uint64_t item = array->dtype.bytes;
    EXPECT(array->rank <= ARRAY_MAX_RANK && array->element_size > 0);
    EXPECT((uint64_t)array->element_size * array->parts == item);
    for (uint32_t i = 0; i < array->rank; ++i) {
        count *= array->size[i];
        last += array->size[i] > 0 ? (array->size[i] - 1) * array->stride[i] : 0;
    }
    EXPECT(array->bytes == count * item);
    EXPECT((array->bytes == 0) == (data == NULL));
    if (!data)
        return;
    EXPECT((last + 1) * item == array->bytes);
    EXPECT(data >= file && array->bytes <= array->mapping_bytes - (size_t)(data - file));
}

/* The header, with as much data, is read as the same array. */
static void check_again(const unsigned char *header, size_t bytes, const struct array *array)
{
    struct array again;
    int fd = make_file(header, bytes, zeros, array->bytes);
    EXPECT(fd >= 0 && read_file(fd, &again));
    close(fd);
    EXPECT(again.rank == array->rank && again.bytes == array->bytes);
    EXPECT(memcmp(again.size, array->size, array->rank * sizeof again.size[0]) == 0);
    EXPECT(again.dtype.bytes == array->dtype.bytes && again.dtype.kind == array->dtype.kind);
    EXPECT(again.dtype.length == array->dtype.length);
    EXPECT(memcmp(again.dtype.descr, array->dtype.descr, again.dtype.length) == 0);
    array_release(&again);
}

/* What is written of the array keeps the dtype's text, which can be shown. */
static void check_written(const struct array *array)
{
    char text[DTYPE_TEXT_SIZE];
    size_t bytes;
    unsigned char *header = npy_header_create(&array->dtype, array->rank, array->size, &bytes);
    dtype_text(&array->dtype, text);
    EXPECT(strlen(text) < sizeof text);
    EXPECT(header && bytes % 64 == 0);
    EXPECT(memmem(header, bytes, array->dtype.descr, array->dtype.length));
    if (array->bytes <= DATA)
        check_again(header, bytes, array);
    free(header);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    unsigned char file[START_MAX + INPUT_MAX];
    struct array array;
    if (size == 0 || size > INPUT_MAX)
        return 0;
    unsigned version = data[0] % 4;
    size_t length = version > 0 ? put_start(file, version, size - 1) : 0;
    memcpy(file + length, data + 1, size - 1);
    int fd = make_file(file, length + size - 1, zeros, version > 0 ? DATA : 0);
    if (fd < 0)
        return 0;
    if (read_file(fd, &array)) {
        check_array(&array);
        check_written(&array);
        array_release(&array);
    }
    close(fd);
    return 0;
}
