/* SPDX-License-Identifier: MIT */
/*
 * A .npy file of any origin. After a first byte of 0 the rest is the whole file. Else the rest is the dict of a header
 * of version 1, 2 or 3, as the first byte modulo 4 says, before DATA bytes of data.
 */
#include "fuzz.h"

#include "cli/formats/array.h"
#include "cli/formats/npy.h"
#include "conformance/problem.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { INPUT_MAX = 4096, START_MAX = 12, DATA = 4096 };

/* What stands before the dict; returns its length. */
static size_t put_start(unsigned char start[START_MAX], unsigned version, size_t dict)
{
    const unsigned char bytes[START_MAX] = {
        0x93, 'N', 'U', 'M', 'P', 'Y', (unsigned char)version, 0, dict & 0xFF, (dict >> 8) & 0xFF};
    memcpy(start, bytes, sizeof bytes);
    return version == 1 ? 10 : 12;
}

/* What is written keeps the dtype's text, and can be measured. */
static void check_header(const struct array *array)
{
    char text[DTYPE_TEXT_SIZE];
    size_t length = 0;
    unsigned char *header = npy_header_create(&array->dtype, array->rank, array->size, &length);
    dtype_text(&array->dtype, text);
    EXPECT(strlen(text) < sizeof text);
    EXPECT(header && length % 64 == 0);
    EXPECT(memmem(header, length, array->dtype.descr, array->dtype.length));
    free(header);
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
    check_header(array);
    if (!data)
        return;
    EXPECT((last + 1) * item == array->bytes);
    EXPECT(data >= file && array->bytes <= array->mapping_bytes - (size_t)(data - file));
}

static void read_file(int fd)
{
    struct array array = {0};
    struct problem problem = {0};
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    if (npy_read(path, &array, &problem))
        check_array(&array);
    else
        EXPECT(!array.mapping && !array.allocation &&
               fuzz_is_message(problem.text, sizeof problem.text));
    array_release(&array);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const unsigned char zeros[DATA];
    unsigned char start[START_MAX];
    if (size == 0 || size > INPUT_MAX)
        return 0;
    unsigned version = data[0] % 4;
    size_t length = version > 0 ? put_start(start, version, size - 1) : 0;
    int fd = memfd_create("fuzz_npy", MFD_CLOEXEC);
    if (fd < 0)
        return 0;
    if (write(fd, start, length) == (ssize_t)length &&
        write(fd, data + 1, size - 1) == (ssize_t)size - 1 &&
        (version == 0 || write(fd, zeros, sizeof zeros) == (ssize_t)sizeof zeros))
        read_file(fd);
    close(fd);
    return 0;
}
