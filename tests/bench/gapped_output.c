/* SPDX-License-Identifier: MIT */
/*
 * gapped_output: what a dispatch into host memory takes whose output has gaps, beside the same
 * elements without, in turns; from the call to completion, medians. Looks at every byte, too.
 */
#include <clslice/clslice.h>
#include <clslice/directml.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PAIRS = 21, MOST_SECONDS = 4, RANK_MAX = 4, SET_ASIDE = 0xEE };

static const struct row {
    const char *name;
    uint32_t type, bytes; /* of an element */
    uint32_t rank, sizes[RANK_MAX], strides[RANK_MAX];
} rows[] = {
#define U8 DML_TENSOR_DATA_TYPE_UINT8, 1
#define U16 DML_TENSOR_DATA_TYPE_UINT16, 2
#define U32 DML_TENSOR_DATA_TYPE_UINT32, 4
    {"600 x 3 u16, pitch 60", U16, 2, {600, 3}, {60, 1}},
    {"6000 x 3 u16, pitch 60", U16, 2, {6000, 3}, {60, 1}},
    {"64 x 1000 u32, pitch 1001", U32, 2, {64, 1000}, {1001, 1}},
    {"1000 x 1000 u32, pitch 1001", U32, 2, {1000, 1000}, {1001, 1}},
    {"64 x 1000000 u8, pitch 1000064", U8, 2, {64, 1000000}, {1000064, 1}},
    {"1000 x 1000 u32, every second", U32, 2, {1000, 1000}, {2000, 2}},
    {"100 x 100 x 3 u8 into RGBA", U8, 3, {100, 100, 3}, {400, 4, 1}},
    {"1080 x 1920 x 3 u8 into RGBA", U8, 3, {1080, 1920, 3}, {7680, 4, 1}},
    {"30 x 30 x 30 u32, gaps in all", U32, 3, {30, 30, 30}, {4000, 70, 2}},
    {"20 x 20 x 20 x 4 u32, gaps outside", U32, 4, {20, 20, 20, 4}, {20000, 500, 12, 1}},
};

/* A slice of everything into an output with the row's strides, or without gaps. */
struct subject {
    clslice_compiled_operator *compiled;
    unsigned char *out;
    uint64_t out_bytes;
};

static clslice_device *device;

static int fail(const char *name, const clslice_error *error)
{
    fprintf(stderr, "gapped_output: %s: %s\n", name, error->text);
    return 0;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static uint64_t element_count(const struct row *row)
{
    uint64_t count = 1;
    for (uint32_t i = 0; i < row->rank; ++i)
        count *= row->sizes[i];
    return count;
}

/* Elements from the output's first to its last. */
static uint64_t span(const struct row *row)
{
    uint64_t last = 0;
    for (uint32_t i = 0; i < row->rank; ++i)
        last += (uint64_t)(row->sizes[i] - 1) * row->strides[i];
    return last + 1;
}

static int open_subject(const struct row *row, int has_gaps, struct subject *subject)
{
    static const uint32_t offsets[RANK_MAX];
    static const int32_t steps[RANK_MAX] = {1, 1, 1, 1};
    uint64_t in_bytes = element_count(row) * row->bytes;
    clslice_error error = {.size = sizeof error};
    clslice_operator *op = NULL;
    subject->out_bytes = has_gaps ? span(row) * row->bytes : in_bytes;
    const DML_BUFFER_TENSOR_DESC in = {.DataType = row->type,
                                       .DimensionCount = row->rank,
                                       .Sizes = row->sizes,
                                       .TotalTensorSizeInBytes = (in_bytes + 3) / 4 * 4};
    const DML_BUFFER_TENSOR_DESC out = {.DataType = row->type,
                                        .DimensionCount = row->rank,
                                        .Sizes = row->sizes,
                                        .Strides = has_gaps ? row->strides : NULL,
                                        .TotalTensorSizeInBytes = (subject->out_bytes + 3) / 4 * 4};
    const DML_TENSOR_DESC input = {DML_TENSOR_TYPE_BUFFER, &in};
    const DML_TENSOR_DESC output = {DML_TENSOR_TYPE_BUFFER, &out};
    const DML_SLICE1_OPERATOR_DESC slice = {&input, &output, row->rank, offsets, row->sizes, steps};
    const DML_OPERATOR_DESC desc = {DML_OPERATOR_SLICE1, &slice};
    if (clslice_operator_create(device, &desc, &op, &error) != CLSLICE_S_OK ||
        clslice_operator_compile(op, NULL, &subject->compiled, &error) != CLSLICE_S_OK)
        return fail(row->name, &error);
    clslice_operator_release(op);
    subject->out = malloc((size_t)subject->out_bytes);
    if (!subject->out)
        return 0;
    memset(subject->out, SET_ASIDE, (size_t)subject->out_bytes);
    return 1;
}

static void close_subject(struct subject *subject)
{
    clslice_compiled_operator_release(subject->compiled);
    free(subject->out);
}

/* Seconds; negative where it failed. */
static double run(const struct row *row, const struct subject *subject, unsigned char *in)
{
    const clslice_binding from = {
        .kind = CLSLICE_BINDING_HOST, .handle = in, .size = element_count(row) * row->bytes};
    const clslice_binding to = {
        .kind = CLSLICE_BINDING_HOST, .handle = subject->out, .size = subject->out_bytes};
    const clslice_dispatch_desc dispatch = {.size = sizeof dispatch,
                                            .inputs = &from,
                                            .outputs = &to,
                                            .input_count = 1,
                                            .output_count = 1};
    clslice_error error = {.size = sizeof error};
    struct _cl_event *event = NULL;
    double start = now();
    int32_t status = clslice_dispatch(subject->compiled, &dispatch, &event, &error);
    if (status == CLSLICE_S_OK)
        status = clslice_event_wait(device, event, &error);
    double seconds = now() - start;
    clslice_event_release(device, event);
    return status == CLSLICE_S_OK || fail(row->name, &error) ? seconds : -1;
}

/* Takes away each element that is where it belongs; what is left must be what the output began
 * with. */
static int is_right(const struct row *row, const struct subject *subject, const unsigned char *in)
{
    for (uint64_t n = 0; n < element_count(row); ++n) {
        uint64_t rest = n, at = 0;
        for (uint32_t i = row->rank; i-- > 0; rest /= row->sizes[i])
            at += rest % row->sizes[i] * row->strides[i];
        if (memcmp(subject->out + at * row->bytes, in + n * row->bytes, row->bytes) != 0)
            return 0;
        memset(subject->out + at * row->bytes, SET_ASIDE, row->bytes);
    }
    for (uint64_t i = 0; i < subject->out_bytes; ++i)
        if (subject->out[i] != SET_ASIDE)
            return 0;
    return 1;
}

static int compare(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static double median(double *seconds, int count)
{
    qsort(seconds, (size_t)count, sizeof *seconds, compare);
    return seconds[count / 2];
}

static int measure(const struct row *row, const struct subject *packed,
                   const struct subject *gapped, unsigned char *in)
{
    double packed_seconds[PAIRS], gapped_seconds[PAIRS], start = now();
    int count = 0;
    if (run(row, packed, in) < 0 || run(row, gapped, in) < 0) /* the first of each is not counted */
        return 0;
    do {
        packed_seconds[count] = run(row, packed, in);
        gapped_seconds[count] = run(row, gapped, in);
        if (packed_seconds[count] < 0 || gapped_seconds[count] < 0)
            return 0;
    } while (++count < PAIRS && now() - start < MOST_SECONDS);
    uint64_t bytes = element_count(row) * row->bytes;
    double without = median(packed_seconds, count) * 1e6;
    double with = median(gapped_seconds, count) * 1e6;
    int right = is_right(row, gapped, in);
    printf("| %-36s | %9" PRIu64 " | %5.1f | %10.1f | %10.1f | %6.2f |%s\n", row->name, bytes,
           (double)gapped->out_bytes / (double)bytes, without, with, with / without,
           right ? "" : " WRONG");
    fflush(stdout);
    return right;
}

static int measure_row(const struct row *row)
{
    struct subject packed = {NULL}, gapped = {NULL};
    uint64_t bytes = element_count(row) * row->bytes;
    unsigned char *in = malloc((size_t)bytes);
    for (uint64_t i = 0; in && i < bytes; ++i)
        in[i] = (unsigned char)(i * 37 + i / 251);
    int done = in && open_subject(row, 0, &packed) && open_subject(row, 1, &gapped) &&
               measure(row, &packed, &gapped, in);
    close_subject(&packed);
    close_subject(&gapped);
    free(in);
    return done;
}

int main(void)
{
    clslice_error error = {.size = sizeof error};
    clslice_device_info info = {.size = sizeof info};
    int done = 1;
    if (clslice_device_create(NULL, &device, &error) != CLSLICE_S_OK ||
        clslice_device_get_info(device, &info, &error) != CLSLICE_S_OK)
        return !fail("no device", &error);
    printf(
        "%s, driver %s; microseconds; span: bytes from the first to the last over those written\n\n"
        "| %-36s | %9s | %5s | %10s | %10s | %6s |\n|---|---:|---:|---:|---:|---:|\n",
        info.name, info.driver, "output", "written", "span", "packed", "with gaps", "ratio");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i)
        done = measure_row(&rows[i]) && done;
    clslice_device_release(device);
    return !done;
}
