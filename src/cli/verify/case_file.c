/* SPDX-License-Identifier: MIT */
#include "cli/verify/case_file.h"

#include "cli/formats/json_read.h"
#include "cli/verify/element.h"
#include "cli/verify/literal_desc.h"
#include "conformance/case_desc.h"
#include "conformance/problem.h"
#include "conformance/size_for.h"

#include <errno.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

/* An array member of exactly `rank` entries. */
static bool read_dimensions(const struct json_object *object, const char *name, uint32_t rank,
                            int64_t least, uint32_t most, uint32_t *entries,
                            struct problem *problem)
{
    struct json_object *member;

    if (!json_read_member(object, name, &member, problem))
        return false;
    if (!json_object_is_type(member, json_type_array) || json_object_array_length(member) != rank)
        return problem_set(problem, "%s is not an array of %" PRIu32 " entries, as in_shape is",
                           name, rank);
    return json_read_array(member, name, least, most, entries, problem);
}

/* As read_dimensions; *present tells whether the member is there and not null. */
static bool read_strides(const struct json_object *object, const char *name, uint32_t rank,
                         bool *present, uint32_t *entries, struct problem *problem)
{
    struct json_object *member;

    *present = json_object_object_get_ex(object, name, &member) && member;
    return !*present || read_dimensions(object, name, rank, 0, UINT32_MAX, entries, problem);
}

static bool read_total(const struct json_object *object, const char *name, uint64_t *bytes,
                       struct problem *problem)
{
    struct json_object *member;

    if (!json_object_object_get_ex(object, name, &member) || !member)
        return true;
    return json_read_integer(object, name, 0, UINT64_MAX, bytes, problem);
}

static bool read_rank(const struct json_object *object, uint32_t *rank, struct problem *problem)
{
    struct json_object *shape;
    size_t length;

    if (!json_read_member(object, "in_shape", &shape, problem))
        return false;
    length = json_object_is_type(shape, json_type_array) ? json_object_array_length(shape) : 0;
    if (length < 1 || length > CASE_MAX_RANK)
        return problem_set(problem, "in_shape is not an array of 1 to %d sizes", CASE_MAX_RANK);
    *rank = (uint32_t)length;
    return true;
}

static bool read_case(const struct json_object *object, struct slice_case *c,
                      struct problem *problem)
{
    const uint32_t most = UINT32_MAX;

    return read_rank(object, &c->rank, problem) &&
           read_dimensions(object, "in_shape", c->rank, 0, most, c->in_sizes, problem) &&
           read_strides(object, "in_strides", c->rank, &c->in_strided, c->in_strides, problem) &&
           read_dimensions(object, "window_offsets", c->rank, 0, most, c->window_offsets,
                           problem) &&
           read_dimensions(object, "window_sizes", c->rank, 0, most, c->window_sizes, problem) &&
           read_dimensions(object, "window_strides", c->rank, INT32_MIN, INT32_MAX,
                           (uint32_t *)c->window_strides, problem) &&
           read_dimensions(object, "out_shape", c->rank, 0, most, c->out_sizes, problem) &&
           read_strides(object, "out_strides", c->rank, &c->out_strided, c->out_strides, problem) &&
           read_total(object, "in_total_bytes", &c->in_total_bytes, problem) &&
           read_total(object, "out_total_bytes", &c->out_total_bytes, problem);
}

static bool read_operator(const struct json_object *object, enum case_operator *op,
                          struct problem *problem)
{
    static const char *const words[] = {
        [CASE_SLICE1] = "slice1",
        [CASE_SLICE] = "slice",
        [CASE_SLICE_GRAD] = "slice_grad",
    };
    const char *word;

    if (!json_read_string(object, "operator", words[CASE_SLICE1], &word, problem))
        return false;
    for (*op = CASE_SLICE1; *op <= CASE_SLICE_GRAD; ++*op)
        if (strcmp(word, words[*op]) == 0)
            return true;
    return problem_set(problem, "operator is not \"slice1\", \"slice\" or \"slice_grad\"");
}

static bool read_format(const struct json_object *object, struct element_format *format,
                        struct problem *problem)
{
    const char *dtype;
    const char *encoding;

    if (!json_read_string(object, "dtype", "", &dtype, problem) ||
        !json_read_string(object, "encoding", "", &encoding, problem))
        return false;
    if (*encoding != '\0' && strcmp(encoding, "bits") != 0)
        return problem_set(problem, "encoding is \"%s\", not \"bits\"", encoding);
    if (!element_format_from(dtype, *encoding != '\0', format))
        return problem_set(problem, "dtype is \"%s\", which is unknown", dtype);
    return true;
}

/* The elements of a member: `count` of them. The caller owns *bytes, also after a failure. A null
 * is allowed where `may_be_null`, and then every element is made of its index. */
static bool read_elements(const struct json_object *object, const char *name,
                          const struct element_format *format, uint64_t count, bool may_be_null,
                          unsigned char **bytes, struct problem *problem)
{
    struct json_object *member;

    if (!json_read_member(object, name, &member, problem))
        return false;
    if ((member || !may_be_null) && !json_object_is_type(member, json_type_array))
        return problem_set(problem, "%s is not an array", name);
    if (member && json_object_array_length(member) != count)
        return problem_set(problem, "%s has %zu elements, not %" PRIu64, name,
                           json_object_array_length(member), count);
    *bytes = calloc(size_for(count), format->bytes);
    if (!*bytes)
        return problem_set(problem, "out of memory for the %" PRIu64 " elements of %s", count,
                           name);
    for (uint64_t i = 0; i < count; ++i) {
        unsigned char *element = *bytes + i * format->bytes;
        struct json_object *value = member ? json_object_array_get_idx(member, (size_t)i) : NULL;

        if (!member)
            element_from_index(format, i, element);
        else if (!element_from_json(format, value, element))
            return problem_set(problem, "%s[%" PRIu64 "] is %s, which the type cannot hold", name,
                               i, json_object_to_json_string(value));
    }
    return true;
}

static bool read_run(const struct json_object *object, struct case_line *line,
                     struct problem *problem)
{
    struct slice_case *c = &line->run;
    struct element_format format;
    uint64_t in_count;
    uint64_t out_count;

    if (!read_format(object, &format, problem) || !read_operator(object, &c->op, problem) ||
        !read_case(object, c, problem))
        return false;
    c->name = line->name;
    c->data_type = format.data_type;
    if (!case_span(c->rank, c->in_sizes, c->in_strided ? c->in_strides : NULL, &in_count) ||
        in_count > UINT32_MAX)
        return problem_set(problem, "the input spans no element, or more than 2^32 - 1");
    if (!case_out_elements(c, &out_count) || out_count == 0)
        return problem_set(problem, "out_shape has no element, or too many");
    return read_elements(object, "input", &format, in_count, true, &line->in, problem) &&
           read_elements(object, "output", &format, out_count, false, &line->out, problem);
}

static bool read_expect(const struct json_object *object, enum case_expect *expect,
                        struct problem *problem)
{
    static const char *const words[] = {
        [CASE_EXPECT_INVALID] = "invalid",
        [CASE_EXPECT_VALID] = "valid",
        [CASE_EXPECT_EITHER] = "either",
    };
    const char *word;

    if (!json_read_string(object, "expect", "", &word, problem))
        return false;
    for (*expect = CASE_EXPECT_INVALID; *expect <= CASE_EXPECT_EITHER; ++*expect)
        if (strcmp(word, words[*expect]) == 0)
            return true;
    return problem_set(problem, "expect is not \"invalid\", \"valid\" or \"either\"");
}

static bool copy_string(const struct json_object *object, const char *name, const char *fallback,
                        char **copy, struct problem *problem)
{
    const char *string;

    if (!json_read_string(object, name, fallback, &string, problem))
        return false;
    *copy = strdup(string);
    return *copy || problem_set(problem, "out of memory");
}

static bool read_judge(const struct json_object *object, struct case_line *line,
                       struct problem *problem)
{
    enum case_operator op;

    if (!read_operator(object, &op, problem))
        return false;
    if (op != CASE_SLICE1)
        return problem_set(problem, "a desc is judged as a \"slice1\" alone");
    return copy_string(object, "rule", "", &line->rule, problem) &&
           read_expect(object, &line->expect, problem) &&
           literal_desc_create(object, &line->desc, problem);
}

static bool read_line(const struct json_object *object, struct case_line *line,
                      struct problem *problem)
{
    if (!copy_string(object, "name", "unnamed", &line->name, problem))
        return false;
    if (json_object_object_get_ex(object, "desc", NULL))
        return read_judge(object, line, problem);
    return read_run(object, line, problem);
}

bool case_line_create(const char *text, size_t length, struct case_line **line,
                      struct problem *problem)
{
    struct json_object *object;
    struct case_line *made;
    bool is_read;

    *line = NULL;
    if (!json_read_object(text, length, &object, problem))
        return false;
    made = calloc(1, sizeof *made);
    is_read = made ? read_line(object, made, problem) : problem_set(problem, "out of memory");
    json_object_put(object);
    if (is_read)
        *line = made;
    else
        case_line_release(made);
    return is_read;
}

void case_line_release(struct case_line *line)
{
    if (!line)
        return;
    literal_desc_release(line->desc);
    free(line->name);
    free(line->rule);
    free(line->in);
    free(line->out);
    free(line);
}

bool case_file_open(const char *path, struct case_file *file, struct problem *problem)
{
    *file = (struct case_file){.stream = fopen(path, "re")};
    return file->stream || problem_set(problem, "cannot open: %s", strerror(errno));
}

void case_file_release(struct case_file *file)
{
    if (file->stream)
        fclose(file->stream);
    free(file->text);
    *file = (struct case_file){0};
}

bool case_file_next(struct case_file *file, unsigned long *number, struct case_line **line,
                    struct problem *problem)
{
    ssize_t length;

    *line = NULL;
    if (file->is_broken)
        return false;
    do {
        errno = 0;
        length = getline(&file->text, &file->room, file->stream);
        *number = ++file->number;
        if (length < 0) {
            file->is_broken = errno != 0;
            if (file->is_broken)
                problem_set(problem, "cannot read: %s", strerror(errno));
            return file->is_broken;
        }
    } while (strspn(file->text, " \t\r\n") == (size_t)length);
    case_line_create(file->text, (size_t)length, line, problem);
    return true;
}
