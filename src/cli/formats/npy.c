/* SPDX-License-Identifier: MIT */
#include "cli/formats/npy.h"

#include "cli/formats/array.h"
#include "cli/formats/npy_dict.h"
#include "conformance/problem.h"
#include "conformance/size_for.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static const unsigned char magic[6] = {0x93, 'N', 'U', 'M', 'P', 'Y'};

enum { ALIGNMENT = 64, GROWTH_DIGITS = 21, VERSION_1_MAX = UINT16_MAX };
enum { PREFIX_MOST = 12 /* bytes before a dict */, HEADER_MOST = 64 << 20 };

/* Maps the file, or memory for it where `file` is -1. */
static bool map_file(int file, uint64_t bytes, const char *path, struct array *array,
                     struct problem *problem)
{
    int access = file < 0 ? PROT_READ | PROT_WRITE : PROT_READ;
    int flags = file < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_PRIVATE;
    void *mapping;

    if (bytes == 0)
        return problem_set(problem, "%s: is empty, not a .npy file; save it again with numpy.save",
                           path);
    mapping = mmap(NULL, size_for(bytes), access, flags, file, 0);
    if (mapping == MAP_FAILED)
        return problem_set(problem, "cannot map %s: %s", path, strerror(errno));
    array->mapping = mapping;
    array->mapping_bytes = size_for(bytes);
    return true;
}

static bool fail_read(FILE *file, const char *path, struct problem *problem)
{
    return problem_set(problem, "cannot read %s: %s", path,
                       ferror(file) ? strerror(errno) : "it was truncated; try again");
}

static bool copy_file(FILE *file, uint64_t bytes, const char *path, struct array *array,
                      struct problem *problem)
{
    return map_file(-1, bytes, path, array, problem) &&
           (fread(array->mapping, 1, array->mapping_bytes, file) == array->mapping_bytes ||
            fail_read(file, path, problem));
}

/* Where the dict lies in the file, which begins with `file`: after magic, version and its length.
 */
static bool find_dict(const struct array *array, const unsigned char file[PREFIX_MOST],
                      const char *path, size_t *offset, size_t *length, struct problem *problem)
{
    uint64_t wanted;

    if (array->mapping_bytes < 10 || memcmp(file, magic, sizeof magic) != 0)
        return problem_set(problem,
                           "%s: is not a .npy file: it does not begin with \\x93NUMPY, a version "
                           "and a length; save it with numpy.save",
                           path);
    if (file[6] < 1 || file[6] > 3 || file[7] != 0)
        return problem_set(problem,
                           "%s: .npy version %u.%u is unknown, only 1.0, 2.0 and 3.0 are read; "
                           "save it again with numpy.save",
                           path, file[6], file[7]);
    *offset = file[6] == 1 ? 10 : 12;
    wanted = file[8] | (uint64_t)file[9] << 8;
    if (file[6] > 1 && array->mapping_bytes >= *offset)
        wanted |= (uint64_t)file[10] << 16 | (uint64_t)file[11] << 24;
    if (array->mapping_bytes < *offset || wanted > array->mapping_bytes - *offset)
        return problem_set(
            problem,
            "%s: is truncated: a header of %" PRIu64
            " bytes from byte %zu exceeds the file's %zu bytes; save or copy it again",
            path, wanted, *offset, array->mapping_bytes);
    *length = (size_t)wanted;
    return true;
}

static bool find_data(struct array *array, const char *path, size_t offset, struct problem *problem)
{
    char shape[ARRAY_SHAPE_TEXT_SIZE];
    char dtype[DTYPE_TEXT_SIZE];
    uint64_t there = array->mapping_bytes - offset;

    if (there < array->bytes) {
        array_shape_text(array->rank, array->size, shape);
        dtype_text(&array->dtype, dtype);
        return problem_set(problem,
                           "%s: is truncated: shape %s of dtype %s needs %" PRIu64
                           " bytes of data, there are %" PRIu64 "; save or copy it again",
                           path, shape, dtype, array->bytes, there);
    }
    array->data = array->bytes > 0 ? (char *)array->mapping + offset : NULL;
    return true;
}

/* The array of what is mapped, from its header. */
static bool parse(const char *path, struct array *array, const void *header, size_t offset,
                  size_t length, struct problem *problem)
{
    if (!npy_dict_parse(array, (const char *)header + offset, length, path, problem))
        return false;
    array->dtype.is_utf8 = ((const unsigned char *)header)[6] == 3;
    return array_layout(array, path, problem) && find_data(array, path, offset + length, problem);
}

/* The file's first bytes. */
static bool read_first(FILE *file, void *to, size_t size, const char *path, struct problem *problem)
{
    rewind(file);
    return fread(to, 1, size, file) == size || fail_read(file, path, problem);
}

/* A copy of the header, as the file may shrink, and a mapping then has no bytes. */
static bool copy_header(FILE *file, size_t size, const char *path, struct array *array,
                        struct problem *problem)
{
    if (size > HEADER_MOST)
        return problem_set(problem,
                           "%s: has a header of %zu bytes, at most %d are read; save it "
                           "again with numpy.save",
                           path, size, HEADER_MOST);
    array->allocation = malloc(size);
    if (!array->allocation)
        return problem_set(problem, "out of memory");
    return read_first(file, array->allocation, size, path, problem);
}

bool npy_read(FILE *file, uint64_t bytes, const char *path, struct array *array,
              struct problem *problem)
{
    unsigned char first[PREFIX_MOST] = {0};
    size_t offset = 0;
    size_t length = 0;

    return map_file(fileno(file), bytes, path, array, problem) &&
           read_first(file, first, bytes < PREFIX_MOST ? (size_t)bytes : PREFIX_MOST, path,
                      problem) &&
           find_dict(array, first, path, &offset, &length, problem) &&
           copy_header(file, offset + length, path, array, problem) &&
           parse(path, array, array->allocation, offset, length, problem);
}

bool npy_copy(FILE *file, uint64_t bytes, const char *path, struct array *array,
              struct problem *problem)
{
    size_t offset = 0;
    size_t length = 0;

    return copy_file(file, bytes, path, array, problem) &&
           find_dict(array, array->mapping, path, &offset, &length, problem) &&
           parse(path, array, array->mapping, offset, length, problem);
}

static bool is_ascii(const struct dtype *dtype)
{
    for (size_t i = 0; i < dtype->length; ++i)
        if ((unsigned char)dtype->descr[i] >= 0x80)
            return false;
    return true;
}

/* Bytes before the dict. */
static size_t prefix_of(unsigned char version)
{
    return version == 1 ? 10 : 12;
}

/* Bytes of a header whose dict needs `used`. NumPy pads with 1 to 64 spaces, never 0. */
static size_t header_bytes(unsigned char version, size_t used)
{
    return (prefix_of(version) + used + 1) / ALIGNMENT * ALIGNMENT + ALIGNMENT;
}

static unsigned char choose_version(const struct dtype *dtype, size_t used)
{
    if (dtype->is_utf8 && !is_ascii(dtype))
        return 3;
    return header_bytes(1, used) - prefix_of(1) > VERSION_1_MAX ? 2 : 1;
}

unsigned char *npy_header_create(const struct dtype *dtype, uint32_t rank, const uint64_t *size,
                                 size_t *bytes)
{
    static const char before[] = "{'descr': ";
    char behind[sizeof ", 'fortran_order': False, 'shape': , }" + ARRAY_SHAPE_TEXT_SIZE];
    char shape[ARRAY_SHAPE_TEXT_SIZE];
    unsigned char version;
    unsigned char *header;
    unsigned char *at;
    size_t used;

    array_shape_text(rank, size, shape);
    snprintf(behind, sizeof behind, ", 'fortran_order': False, 'shape': %s, }", shape);
    used = strlen(before) + dtype->length + strlen(behind);
    if (rank > 0) /* NumPy leaves room for the first size to grow in place */
        used += (size_t)(GROWTH_DIGITS - snprintf(NULL, 0, "%" PRIu64, size[0]));
    version = choose_version(dtype, used);
    *bytes = header_bytes(version, used);
    header = malloc(*bytes);
    if (!header)
        return NULL;
    memset(header, ' ', *bytes);
    at = mempcpy(header, magic, sizeof magic);
    *at++ = version;
    *at++ = 0;
    for (unsigned shift = 0; at < header + prefix_of(version); shift += 8)
        *at++ = (unsigned char)((*bytes - prefix_of(version)) >> shift);
    at = mempcpy(at, before, strlen(before));
    at = mempcpy(at, dtype->descr, dtype->length);
    memcpy(at, behind, strlen(behind));
    header[*bytes - 1] = '\n';
    return header;
}
