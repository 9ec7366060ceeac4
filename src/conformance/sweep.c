/* SPDX-License-Identifier: MIT */
#include "conformance/sweep.h"

#include "conformance/data_type.h"

#include <stdio.h>

enum { LONG_ROW_LEAST_BYTES = 1 << 10, LONG_ROW_MOST_BYTES = 1 << 16, OFFSET_MOST = 15 };

/* A dimension while it is drawn. */
struct axis {
    uint32_t count;   /* elements of the output */
    uint32_t slack;   /* of the input that the window leaves out */
    uint32_t pad;     /* of the output's memory behind them */
    int32_t step;     /* of the window */
    bool is_repeated; /* the input has a stride of 0 */
};

/* A slice while it is drawn: axes from the innermost on. */
struct sketch {
    uint64_t state;     /* of the random numbers */
    bool prime_is_next; /* every second extent becomes a prime */
    uint32_t element_bytes;
    uint64_t wanted;   /* elements of the output */
    uint32_t reserved; /* how many times as many the axes to come bring at least */
    uint32_t out_step; /* between neighbours of the output */
    uint32_t rank;
    struct axis axis[CASE_MAX_RANK];
    uint32_t in_order[CASE_MAX_RANK]; /* the axes as the input's memory has them, innermost first */
};

/* Steele, Lea and Flood, Fast Splittable Pseudorandom Number Generators, 2014. */
static uint64_t roll(struct sketch *s)
{
    uint64_t z = s->state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

/* In [low, high]. The bias is below 2^-32. */
static uint32_t uniform(struct sketch *s, uint32_t low, uint32_t high)
{
    return low + (uint32_t)(roll(s) % ((uint64_t)high - low + 1));
}

static bool one_in(struct sketch *s, uint32_t count)
{
    return uniform(s, 1, count) == 1;
}

static bool is_prime(uint32_t n)
{
    for (uint32_t d = 2; d <= n / d; ++d)
        if (n % d == 0)
            return false;
    return n > 1;
}

/* The number as an extent: every second one is moved to the next prime. */
static uint32_t settled(struct sketch *s, uint32_t n)
{
    s->prime_is_next = !s->prime_is_next;
    while (!s->prime_is_next && n > 1 && !is_prime(n))
        ++n;
    return n;
}

/* Log-uniform over [low, high], in whole numbers, so that every machine draws the same: an octave
 * is as likely as another, and a number of it by one over itself. */
static uint32_t extent(struct sketch *s, uint32_t low, uint32_t high)
{
    uint32_t first = 0, last = 0, n;
    while (low >> first > 1)
        ++first;
    while (high >> last > 1)
        ++last;
    do {
        uint32_t octave = UINT32_C(1) << uniform(s, first, last);
        n = octave + uniform(s, 0, octave - 1);
        if (uniform(s, 0, n - 1) >= octave)
            n = 0;
    } while (n < low || n > high);
    return settled(s, n);
}

static uint32_t in_size(const struct axis *axis)
{
    uint32_t step = (uint32_t)(axis->step < 0 ? -axis->step : axis->step);
    return (axis->count - 1) * step + 1 + axis->slack;
}

/* Of the input's memory, and of the output's. */
static uint64_t in_elements(const struct sketch *s)
{
    uint64_t elements = 1;
    for (uint32_t i = 0; i < s->rank; ++i)
        elements *= s->axis[i].is_repeated ? 1 : in_size(&s->axis[i]);
    return elements;
}

static uint64_t out_elements(const struct sketch *s)
{
    uint64_t elements = s->out_step;
    for (uint32_t i = 0; i < s->rank; ++i)
        elements *= (uint64_t)s->axis[i].count + s->axis[i].pad;
    return elements;
}

static struct axis *add(struct sketch *s, uint32_t count)
{
    struct axis *axis = &s->axis[s->rank];
    s->in_order[s->rank] = s->rank;
    ++s->rank;
    *axis = (struct axis){.count = count, .step = 1};
    return axis;
}

/* What is still wanted of the output's elements, with the axes that there are. */
static uint32_t left(const struct sketch *s)
{
    uint64_t made = s->reserved;
    for (uint32_t i = 0; i < s->rank; ++i)
        made *= s->axis[i].count;
    uint64_t most = s->wanted / made;
    return most < 1 ? 1 : most < UINT32_MAX / 2 ? (uint32_t)most : UINT32_MAX / 2;
}

/* An axis of low to high elements, where so many are wanted. */
static struct axis *add_extent(struct sketch *s, uint32_t low, uint32_t high)
{
    uint32_t most = left(s);
    return add(s, most <= low ? most : extent(s, low, most < high ? most : high));
}

/* The outermost axis: as many elements as are wanted. */
static struct axis *add_rest(struct sketch *s)
{
    return add(s, settled(s, left(s)));
}

static void add_long_row(struct sketch *s)
{
    add_extent(s, LONG_ROW_LEAST_BYTES / s->element_bytes, LONG_ROW_MOST_BYTES / s->element_bytes);
}

/* Of the input: 1 to `most` elements of a row, few along the others. */
static void leave_out(struct sketch *s, uint32_t most)
{
    s->axis[0].slack = uniform(s, 1, most);
    for (uint32_t i = 1; i < s->rank; ++i)
        s->axis[i].slack = uniform(s, 0, 3);
}

static void draw_crop(struct sketch *s)
{
    uint32_t rank = uniform(s, 2, 4);
    add_long_row(s);
    while (s->rank < rank - 1)
        add_extent(s, 2, 64);
    add_rest(s);
    leave_out(s, 64);
}

static void draw_flip(struct sketch *s)
{
    draw_crop(s);
    uint32_t flipped = uniform(s, 1, (UINT32_C(1) << s->rank) - 1);
    for (uint32_t i = 0; i < s->rank; ++i)
        s->axis[i].step = flipped >> i & 1 ? -1 : 1;
}

static void draw_step(struct sketch *s)
{
    enum { UPWARDS = 16 - 2 + 1, DOWNWARDS = 5 - 2 + 1 };
    draw_crop(s);
    int32_t way = (int32_t)uniform(s, 0, UPWARDS + DOWNWARDS - 1);
    s->axis[0].step = way < UPWARDS ? 2 + way : -2 - (way - UPWARDS);
}

static void draw_rows(struct sketch *s)
{
    uint32_t rank = uniform(s, 2, 4);
    add_extent(s, 2, 100);
    while (s->rank < rank - 1)
        add_extent(s, 8, 1024);
    add_rest(s);
    leave_out(s, 8);
}

static void draw_pixels(struct sketch *s)
{
    enum { HALVED, MIRRORED, PICKED, REVERSED };
    uint32_t kind = uniform(s, HALVED, REVERSED);
    uint32_t channels = uniform(s, kind >= PICKED ? 2 : 1, 6);
    uint32_t picked = kind == PICKED ? uniform(s, 1, channels - 1) : channels;
    struct axis *channel = add(s, picked);
    struct axis *column = add_extent(s, 64, 4096), *row = add_extent(s, 64, 4096);
    add_rest(s);
    channel->slack = channels - picked;
    if (kind == HALVED) {
        row->step = column->step = 2;
    } else if (kind == MIRRORED) {
        uint32_t ways = uniform(s, 1, 3);
        row->step = ways & 1 ? -1 : 1;
        column->step = ways & 2 ? -1 : 1;
    } else if (kind == REVERSED) {
        channel->step = -1;
    }
}

static void draw_interleave(struct sketch *s)
{
    static const uint32_t from_planes[] = {1, 2, 0, 3}, to_planes[] = {2, 0, 1, 3};
    bool is_to_planes = one_in(s, 2);
    uint32_t channels = extent(s, 2, 64);
    if (!is_to_planes)
        add(s, channels);
    s->reserved = is_to_planes ? channels : 1;
    add_extent(s, 16, 2048);
    add_extent(s, 16, 2048);
    if (is_to_planes)
        add(s, channels);
    s->reserved = 1;
    add_rest(s);
    for (uint32_t i = 0; i < s->rank; ++i)
        s->in_order[i] = (is_to_planes ? to_planes : from_planes)[i];
}

/* Shuffles the input's order until it is another than the output's. */
static void permute(struct sketch *s)
{
    bool is_same;
    do {
        is_same = true;
        for (uint32_t i = s->rank; i-- > 0;) {
            uint32_t other = uniform(s, 0, i), at = s->in_order[i];
            s->in_order[i] = s->in_order[other];
            s->in_order[other] = at;
        }
        for (uint32_t i = 0; i < s->rank; ++i)
            is_same = is_same && s->in_order[i] == i;
    } while (is_same);
}

static void draw_perm(struct sketch *s)
{
    static const int32_t steps[] = {-1, -2, 2, 3};
    uint32_t rank = uniform(s, 2, 5), rest = uniform(s, 0, rank - 1), long_steps = 0;
    for (uint32_t i = 1; i < rank; ++i)
        s->reserved *= 5;
    while (s->rank < rank - 1) {
        add_extent(s, 5, 5000);
        s->reserved /= 5;
    }
    add_rest(s);
    struct axis last = s->axis[rank - 1];
    s->axis[rank - 1] = s->axis[rest];
    s->axis[rest] = last;
    permute(s);
    for (uint32_t i = 0; i < rank; ++i)
        if (one_in(s, 4)) { /* the input is at most 9 times the output */
            int32_t step = steps[uniform(s, 0, 3)];
            s->axis[i].step = step == -1 || ++long_steps <= 2 ? step : 1;
        }
}

static void draw_gaps(struct sketch *s)
{
    enum { PITCH, SECOND, ONE_OF_THREE, THREE_OF_FOUR };
    uint32_t kind = uniform(s, PITCH, THREE_OF_FOUR);
    if (kind == PITCH) {
        struct axis *row = add_extent(s, 16, 4096);
        row->pad = uniform(s, 1, 64);
    } else if (kind == THREE_OF_FOUR) {
        add(s, 3)->pad = 1;
        add_extent(s, 64, 4096);
    } else {
        s->out_step = kind == SECOND ? 2 : 3;
        add_long_row(s);
    }
    add_extent(s, 2, 1024);
    add_rest(s);
}

static void draw_broadcast(struct sketch *s)
{
    enum { SCALAR, ROW_OF_3, INNER, HEADS };
    uint32_t kind = uniform(s, SCALAR, HEADS);
    if (kind == SCALAR || kind == ROW_OF_3) {
        struct axis *row = kind == SCALAR ? add_extent(s, 2, 4096) : add(s, 3);
        row->is_repeated = kind == SCALAR;
        add_rest(s)->is_repeated = true;
    } else if (kind == INNER) {
        add(s, uniform(s, 3, 61))->is_repeated = true;
        add_extent(s, 2, 4096);
        add_rest(s);
    } else {
        uint32_t group = uniform(s, 2, 8);
        s->reserved = group;
        add_extent(s, 32, 256);
        add_extent(s, 64, 4096);
        add(s, group)->is_repeated = true;
        s->reserved = 1;
        add_rest(s);
    }
}

static void draw_ranks(struct sketch *s)
{
    enum { FAR_LEAST_BYTES = 1 << 26 };
    uint32_t rank = uniform(s, 6, 8), stepped = 0;
    bool is_far = one_in(s, 4) && s->wanted >= FAR_LEAST_BYTES / s->element_bytes;
    while (s->rank < rank - 1)
        add_extent(s, 2, 16);
    add_rest(s);
    for (uint32_t i = 0; i < rank; ++i)
        if (one_in(s, 4))
            s->axis[i].step = -1;
        else if (stepped < 3 && one_in(s, 3) && ++stepped)
            s->axis[i].step = 2;
    if (is_far) { /* a window out of more than 2^31 elements */
        struct axis *axis = &s->axis[rank - 2];
        axis->slack = in_size(axis) * (uint32_t)((UINT64_C(9) << 28) / in_elements(s));
    }
}

static const struct {
    const char *name;
    void (*draw)(struct sketch *s);
} classes[SWEEP_CLASS_COUNT] = {
    [SWEEP_CROP] = {"crop", draw_crop},
    [SWEEP_FLIP] = {"flip", draw_flip},
    [SWEEP_STEP] = {"step", draw_step},
    [SWEEP_ROWS] = {"rows", draw_rows},
    [SWEEP_PIXELS] = {"pixels", draw_pixels},
    [SWEEP_INTERLEAVE] = {"interleave", draw_interleave},
    [SWEEP_PERM] = {"perm", draw_perm},
    [SWEEP_GAPS] = {"gaps", draw_gaps},
    [SWEEP_BROADCAST] = {"broadcast", draw_broadcast},
    [SWEEP_RANKS] = {"ranks", draw_ranks},
};

const char *sweep_class_name(enum sweep_class class)
{
    return classes[class].name;
}

/* DirectML allows a tensor to span 2^32 - 1 elements: shortens the longest axis until neither
 * exceeds that. */
static void fit(struct sketch *s)
{
    struct axis *longest = &s->axis[0];
    for (uint32_t i = 1; i < s->rank; ++i)
        if (s->axis[i].count > longest->count)
            longest = &s->axis[i];
    while (in_elements(s) > UINT32_MAX || out_elements(s) > UINT32_MAX)
        longest->count -= longest->count / 8;
}

/* The sketch as a case: the axes from the outermost on. */
static void finish(struct sketch *s, struct slice_case *c)
{
    uint32_t in_stride = 1, out_stride = s->out_step;
    c->data_type = data_type_unsigned(s->element_bytes);
    c->rank = s->rank;
    c->in_strided = c->out_strided = true;
    for (uint32_t i = 0; i < s->rank; ++i) {
        const struct axis *axis = &s->axis[i], *in_axis = &s->axis[s->in_order[i]];
        uint32_t d = s->rank - 1 - i, in_d = s->rank - 1 - s->in_order[i];
        c->in_sizes[d] = in_size(axis);
        c->window_offsets[d] = uniform(s, 0, axis->slack);
        c->window_sizes[d] = in_size(axis) - axis->slack;
        c->window_strides[d] = axis->step;
        c->out_sizes[d] = axis->count;
        c->out_strides[d] = out_stride;
        out_stride *= axis->count + axis->pad;
        c->in_strides[in_d] = in_axis->is_repeated ? 0 : in_stride;
        in_stride *= in_axis->is_repeated ? 1 : in_size(in_axis);
    }
}

static uint32_t draw_offset(struct sketch *s)
{
    return one_in(s, 2) ? 0 : uniform(s, 1, OFFSET_MOST);
}

void sweep_draw(struct sweep_draw *draw, uint64_t seed, enum sweep_class class, uint32_t number,
                uint64_t bytes)
{
    struct sketch s = {.state = seed, .reserved = 1, .out_step = 1};
    s.state = roll(&s) + class;
    s.state = roll(&s) + number;
    s.prime_is_next = one_in(&s, 2);
    s.element_bytes = UINT32_C(1) << uniform(&s, 0, 3);
    s.wanted = bytes / s.element_bytes;
    classes[class].draw(&s);
    fit(&s);

    *draw = (struct sweep_draw){0};
    draw->in_offset = draw_offset(&s);
    draw->out_offset = draw_offset(&s);
    snprintf(draw->name, sizeof draw->name, "%s/%u", classes[class].name, number);
    draw->c.name = draw->name;
    finish(&s, &draw->c);
}
