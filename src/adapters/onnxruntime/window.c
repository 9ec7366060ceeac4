/* SPDX-License-Identifier: MIT */
#include "window.h"

const char *const parameter_names[PARAMETERS] = {"starts", "ends", "axes", "steps"};

static int64_t clamp(int64_t value, int64_t low, int64_t high)
{
    return value < low ? low : value > high ? high : value;
}

/* Negative indices count from the end. */
static int64_t from_start(int64_t index, int64_t size)
{
    return index < 0 ? index + size : index;
}

static OrtStatus *check_counts(const struct host *host, const struct parameter *parameters)
{
    for (size_t p = ENDS; p < PARAMETERS; ++p)
        if (parameters[p].is_given && parameters[p].count != parameters[STARTS].count)
            return host_error(
                host, ORT_INVALID_ARGUMENT,
                "Slice: 'starts' has %zu values and '%s' has %zu; give the same number",
                parameters[STARTS].count, parameter_names[p], parameters[p].count);
    return NULL;
}

/* The dimension that the index-th values are for. */
static OrtStatus *find_axis(const struct host *host, const struct parameter *axes, size_t index,
                            size_t rank, size_t *axis)
{
    const int64_t written = axes->is_given ? axes->values[index] : (int64_t)index;
    const int64_t dimension = from_start(written, (int64_t)rank);
    if (dimension < 0 || dimension >= (int64_t)rank)
        return host_error(host, ORT_INVALID_ARGUMENT,
                          "Slice: 'axes'[%zu] = %lld, and the data has %zu dimensions", index,
                          (long long)written, rank);
    *axis = (size_t)dimension;
    return NULL;
}

/* As ONNX Runtime reads inputs: the greatest int32 or int64 is no index but "as far as the step
 * leads". */
static bool is_open(int64_t end)
{
    return end == INT32_MAX || end == INT64_MAX;
}

static void take(struct window *window, size_t axis, int64_t start, int64_t end, int64_t step,
                 bool goes_on)
{
    const int64_t size = window->sizes[axis];
    const bool is_forward = step > 0;
    /* A step of the whole size leaves the dimension at once, as any larger one, and overflows
     * nothing. */
    const int64_t stride = clamp(step, -size, size);
    const int64_t first = clamp(from_start(start, size), 0, is_forward ? size : size - 1);
    const int64_t last = goes_on      ? (is_forward ? size : -1)
                         : is_forward ? clamp(from_start(end, size), 0, size)
                                      : clamp(from_start(end, size), -1, size);
    const int64_t span = is_forward ? last - first : first - last;
    const int64_t count =
        size > 0 && span > 0 ? 1 + (span - 1) / (is_forward ? stride : -stride) : 0;
    window->first[axis] = first;
    window->step[axis] = count > 1 ? stride : 1;
    window->count[axis] = count;
}

struct window window_whole(size_t rank, const int64_t *sizes)
{
    struct window window = {.rank = rank};
    for (size_t d = 0; d < rank; ++d) {
        window.sizes[d] = window.count[d] = sizes[d];
        window.step[d] = 1;
    }
    return window;
}

OrtStatus *window_from(const struct host *host, size_t rank, const int64_t *sizes,
                       const struct parameter parameters[PARAMETERS], struct window *window)
{
    bool is_taken[MAX_RANK] = {false};
    OrtStatus *status = check_counts(host, parameters);
    *window = window_whole(rank, sizes);
    for (size_t i = 0; !status && i < parameters[STARTS].count; ++i) {
        const int64_t step = parameters[STEPS].is_given ? parameters[STEPS].values[i] : 1;
        size_t axis = 0;
        status = find_axis(host, &parameters[AXES], i, rank, &axis);
        if (status)
            break;
        if (is_taken[axis])
            return host_error(host, ORT_INVALID_ARGUMENT,
                              "Slice: 'axes'[%zu] repeats dimension %zu", i, axis);
        if (step == 0)
            return host_error(host, ORT_INVALID_ARGUMENT, "Slice: 'steps'[%zu] = 0", i);
        is_taken[axis] = true;
        const int64_t end = parameters[ENDS].values[i];
        take(window, axis, parameters[STARTS].values[i], end, step,
             !parameters[ENDS].is_attribute && is_open(end));
    }
    return status;
}

uint64_t window_elements_of(const int64_t *sizes, size_t rank)
{
    uint64_t elements = 1;
    bool fits = true;
    for (size_t d = 0; d < rank; ++d) {
        if (sizes[d] == 0)
            return 0;
        fits = fits && !__builtin_mul_overflow(elements, (uint64_t)sizes[d], &elements);
    }
    return fits ? elements : UINT64_MAX;
}

struct window window_join(const struct window *window)
{
    struct window joined = *window;
    for (size_t d = joined.rank - 1; d > 0; --d) {
        if (joined.count[d] != joined.sizes[d] || joined.step[d] != 1 || joined.step[d - 1] != 1)
            break;
        joined.sizes[d - 1] *= joined.sizes[d];
        joined.first[d - 1] *= joined.sizes[d];
        joined.count[d - 1] *= joined.sizes[d];
        joined.rank = d;
    }
    return joined;
}

int64_t window_run(const struct window *window)
{
    const struct window joined = window_join(window);
    return joined.step[joined.rank - 1] == 1 ? joined.count[joined.rank - 1] : 1;
}

int64_t window_extent(const struct window *window, size_t d)
{
    const int64_t step = window->step[d];
    return (window->count[d] - 1) * (step < 0 ? -step : step) + 1;
}

int64_t window_low(const struct window *window, size_t d)
{
    return window->step[d] < 0 ? window->first[d] - window_extent(window, d) + 1 : window->first[d];
}
