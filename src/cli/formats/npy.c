/* SPDX-License-Identifier: MIT */
#include "cli/formats/npy.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/formats/array.h"
#include "cli/formats/npy_dict.h"
#include "conformance/problem.h"
#include "conformance/size_for.h"

static const unsigned char magic[6] = {0x93, 'N', 'U', 'M', 'P', 'Y'};

enum { ALIGNMENT = 64, GROWTH_DIGITS = 21 };

static const struct {
    const char *name; /* without the byte order */
    uint32_t data_type;
} types[] = {
    {"b1", ARRAY_UINT8},   {"u1", ARRAY_UINT8},   {"i1", ARRAY_INT8},   {"u2", ARRAY_UINT16},
    {"i2", ARRAY_INT16},   {"f2", ARRAY_FLOAT16}, {"u4", ARRAY_UINT32}, {"i4", ARRAY_INT32},
    {"f4", ARRAY_FLOAT32}, {"u8", ARRAY_UINT64},  {"i8", ARRAY_INT64},  {"f8", ARRAY_FLOAT64},
};

static const struct {
    const char *kinds; /* first letters after the byte order */
    const char *reason;
} refusals[] = {
    {"O", "holds Python objects (a pickle); save numbers instead: x.astype('<f4')"},
    {"c", "is complex; save its parts: x.real and x.imag"},
    {"SaUT", "holds strings; save numbers instead: x.astype('<f4')"},
    {"M", "holds dates; save them as integers: x.astype('<i8')"},
    {"m", "holds time spans; save them as integers: x.astype('<i8')"},
    {"V", "holds raw bytes or records; save numbers instead: x.view('|u1')"},
    {"f", "is a float of a width that cannot be sliced; save x.astype('<f8')"},
};

static bool refuse_type(const char *path, const char *descr, const char *name,
                        struct problem *problem)
{
    bool is_typed = *name != '\0' && (name[1] == '\0' || (name[1] >= '0' && name[1] <= '9'));

    for (size_t i = 0; is_typed && i < sizeof refusals / sizeof refusals[0]; i++)
        if (strchr(refusals[i].kinds, *name))
            return problem_set(problem, "%s: dtype '%s' %s", path, descr, refusals[i].reason);
    return problem_set(
        problem, "%s: dtype '%s' is unknown; save x.astype('<f4') or another plain number type",
        path, descr);
}

/* Sets data_type and descr, the latter in NumPy's own spelling. */
static bool set_type(struct array *array, const char *path, const char *descr,
                     struct problem *problem)
{
    const char *name = descr + (*descr != '\0' && strchr("<>|=", *descr) ? 1 : 0);

    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (strcmp(name, types[i].name) != 0)
            continue;
        if (*descr == '>' && name[1] != '1')
            return problem_set(problem, "%s: dtype '%s' is big-endian; save x.astype('<%s')", path,
                               descr, name);
        array->data_type = types[i].data_type;
        snprintf(array->descr, sizeof array->descr, "%c%s", name[1] == '1' ? '|' : '<',
                 types[i].name);
        return true;
    }
    return refuse_type(path, descr, name, problem);
}

static bool map_file(const char *path, struct array *array, struct problem *problem)
{
    struct stat status;
    bool done = false;
    /* O_NONBLOCK: a FIFO must be refused, not waited for. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

    if (fd < 0 || fstat(fd, &status) != 0) {
        problem_set(problem, "cannot read %s: %s", path, strerror(errno));
        goto end;
    }
    if (!S_ISREG(status.st_mode)) {
        problem_set(
            problem,
            "cannot read %s: not a regular file, and input is mapped; save it to a file first",
            path);
        goto end;
    }
    if (status.st_size == 0) {
        problem_set(problem, "%s: is empty, not a .npy file; save it again with numpy.save", path);
        goto end;
    }
    array->mapping_bytes = size_for((uint64_t)status.st_size);
    array->mapping = mmap(NULL, array->mapping_bytes, PROT_READ, MAP_PRIVATE, fd, 0);
    if (array->mapping == MAP_FAILED) {
        array->mapping = NULL;
        problem_set(problem, "cannot map %s: %s", path, strerror(errno));
        goto end;
    }
    done = true;
end:
    if (fd >= 0)
        close(fd);
    return done;
}

/* Where the dict lies in the file: after magic, version and its length. */
static bool find_dict(const struct array *array, const char *path, size_t *offset, size_t *length,
                      struct problem *problem)
{
    const unsigned char *file = array->mapping;
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
            "%s: is cut short: a header of %" PRIu64
            " bytes from byte %zu exceeds the file's %zu bytes; save or copy it again",
            path, wanted, *offset, array->mapping_bytes);
    *length = (size_t)wanted;
    return true;
}

static bool find_data(struct array *array, const char *path, size_t offset, struct problem *problem)
{
    char shape[ARRAY_SHAPE_TEXT_SIZE];
    uint64_t there = array->mapping_bytes - offset;

    if (there < array->bytes) {
        array_shape_text(array->rank, array->size, shape);
        return problem_set(problem,
                           "%s: is cut short: shape %s of dtype '%s' needs %" PRIu64
                           " bytes of data, there are %" PRIu64 "; save or copy it again",
                           path, shape, array->descr, array->bytes, there);
    }
    array->data = array->bytes > 0 ? (char *)array->mapping + offset : NULL;
    return true;
}

bool npy_read(const char *path, struct array *array, struct problem *problem)
{
    struct npy_dict dict;
    size_t offset = 0;
    size_t length = 0;

    *array = (struct array){0};
    if (!map_file(path, array, problem) || !find_dict(array, path, &offset, &length, problem))
        goto fail;
    if (!npy_dict_parse(&dict, (const char *)array->mapping + offset, length, path, problem))
        goto fail;
    if (!set_type(array, path, dict.descr, problem))
        goto fail;
    array->rank = dict.rank;
    memcpy(array->size, dict.size, sizeof dict.size);
    if (!array_layout(array, dict.fortran, path, problem) ||
        !find_data(array, path, offset + length, problem))
        goto fail;
    return true;
fail:
    array_release(array);
    return false;
}

size_t npy_header(unsigned char header[NPY_HEADER_MAX], const char *descr, uint32_t rank,
                  const uint64_t *size)
{
    char shape[ARRAY_SHAPE_TEXT_SIZE];
    char *text = (char *)header + 10;
    size_t used;
    size_t total;

    array_shape_text(rank, size, shape);
    used = 10 + (size_t)sprintf(text, "{'descr': '%.15s', 'fortran_order': False, 'shape': %s, }",
                                descr, shape);
    /* NumPy leaves room for the first size to grow to 21 digits in place. */
    if (rank > 0)
        used += (size_t)(GROWTH_DIGITS - snprintf(NULL, 0, "%" PRIu64, size[0]));
    /* NumPy pads with 1 to 64 spaces, never 0. */
    total = (used + 1) / ALIGNMENT * ALIGNMENT + ALIGNMENT;
    memcpy(header, magic, sizeof magic);
    header[6] = 1;
    header[7] = 0;
    header[8] = (unsigned char)((total - 10) & 0xFF);
    header[9] = (unsigned char)((total - 10) >> 8);
    memset(header + 10 + strlen(text), ' ', total - 10 - strlen(text));
    header[total - 1] = '\n';
    return total;
}
