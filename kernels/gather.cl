/* SPDX-License-Identifier: MIT */
/*
 * How rows_cpu reads a line of the output, of elements that lie in a pattern in the input. Its
 * definitions are described there.
 */
#ifndef GATHER_CL
#define GATHER_CL

#ifndef GROUP_SIZE
#define GROUP_SIZE 1
#define GROUP_STRIDE 1
#endif

/* How a row's elements lie in the input. */
struct pattern {
    index stride, step; /* from pixel to pixel, and between the elements of one */
    index low, high;    /* what gather() reads at most from a row's first element */
    index spread;       /* lines of the input that a line of the output takes */
    bool down;          /* whether rows, or the blocks of one, follow each other downwards */
};

/* Constants where the program has one pattern. */
#if GROUP_STRIDE != 0
#define STRIDE(p) GROUP_STRIDE
#define SPREAD(p) 1
#else
#define STRIDE(p) (p)->stride
#define SPREAD(p) (p)->spread
#endif

struct pattern pattern_of(const struct walk *w)
{
    struct pattern p = {GROUP_STRIDE == 0 ? (index)w->in_step : GROUP_STRIDE, (index)w->in_pitch};
    index line = (LINE + GROUP_SIZE - 2) / GROUP_SIZE * p.stride, side = (GROUP_SIZE - 1) * p.step;
    p.low = min(line, (index)0) + min(side, (index)0);
    p.high = max(line, (index)0) + max(side, (index)0);
    p.spread = (max(p.stride, -p.stride) + GROUP_SIZE - 1) / GROUP_SIZE;
    return p;
}

/* Where element e of a row lies from its first. */
index offset_of(const struct pattern *p, index e)
{
    return e / GROUP_SIZE * STRIDE(p) + e % GROUP_SIZE * p->step;
}

/* Where a line of the output is read, by one of its elements: that element's pixel, and its place
 * in the pixel. It is the first, but of vectors that go downwards the last. */
struct spot {
    global const element *pixel;
    index component;
};

#ifdef LINE_IS_VECTOR
#define SPOT(p) (STRIDE(p) < 0 ? LINE - 1 : 0)
#else
#define SPOT(p) 0
#endif

/* Of the line that begins with element e of a row. */
struct spot spot_of(const struct pattern *p, global const element *from, index e)
{
    e += SPOT(p);
    struct spot s = {from + e / GROUP_SIZE * STRIDE(p), e % GROUP_SIZE};
    return s;
}

/* One line further, or back if `way` is -1. Without a division, as some patterns are limited by
 * instructions. */
void spot_step(struct spot *s, const struct pattern *p, index way)
{
    s->pixel += LINE / GROUP_SIZE * way * STRIDE(p);
    s->component += LINE % GROUP_SIZE * way;
    if (s->component < 0 || s->component >= GROUP_SIZE) {
        s->component -= GROUP_SIZE * way;
        s->pixel += way * STRIDE(p);
    }
}

#ifdef LINE_IS_VECTOR

/* The same elements the other way round: the words, and what each holds. */
line turned(line r)
{
#if ELEMENT_SIZE == 8
    return as_uint16(as_ulong8(r).s76543210);
#else
    r = r.sfedcba9876543210;
    if (ELEMENT_SIZE < 4)
        r = rotate(r, (line)(16));
    if (ELEMENT_SIZE == 1)
        r = (r & 0x00FF00FFu) << 8 | (r >> 8 & 0x00FF00FFu);
    return r;
#endif
}

#if GROUP_STRIDE != 0

line gather(const struct pattern *p, struct spot s)
{
    return GROUP_STRIDE > 0 ? line_load(s.pixel) : turned(line_load(s.pixel));
}

#else

/* All patterns: how far pixels are apart, upwards, and which way the elements of one go. */
enum { UP = 1, DOWN = -1 };
#if GROUP_SIZE == 1
#define EACH_PATTERN(f) f(2, UP) f(3, UP) f(4, UP)
#elif GROUP_SIZE == 2
#define EACH_PATTERN(f) f(2, DOWN) f(3, UP) f(3, DOWN) f(4, UP) f(4, DOWN)
#elif GROUP_SIZE == 3
#define EACH_PATTERN(f) f(3, DOWN) f(4, UP) f(4, DOWN)
#else
#define EACH_PATTERN(f) f(4, DOWN)
#endif

/* A part of the line that begins with component c of a pixel: from each load of a part's size that
 * it spans, its lanes in their places among zeros. The last load ends with the last element, so
 * that none reaches beyond what is addressed. */
#define OFFSET(e) ((e) / GROUP_SIZE * apart + (e) % GROUP_SIZE * way)
#define SOURCE(l) (OFFSET(q + (l)) - low) /* lane l's place in the span */
#define LOAD_OF(l) (SOURCE(l) / PART < last ? SOURCE(l) / PART : last)
#define START(k) ((k) == last ? span - PART : (k)*PART)
#define LANE(k, l) (LOAD_OF(l) == (k) ? SOURCE(l) - START(k) : PART)
#define LANES_OF(k)                                                                         \
    __builtin_shufflevector(*(global const loose_part *)(from + low + START(k)), (part)(0), \
                            EACH(LANE, k))
#define GATHER_PART(APART, WAY, c, number)                                     \
    part gather_##APART##WAY##_##c##_##number(global const element *from)      \
    {                                                                          \
        enum {                                                                 \
            apart = APART,                                                     \
            way = WAY,                                                         \
            q = c + number * PART,                                             \
            side = (GROUP_SIZE - 1) * way,                                     \
            low = q / GROUP_SIZE * apart + (side < 0 ? side : 0),              \
            pixel = (q + PART - 1) / GROUP_SIZE * apart, /* the part's last */ \
            span = pixel + (side > 0 ? side : 0) - low + 1,                    \
            last = (span - 1) / PART                                           \
        };                                                                     \
        part r = LANES_OF(0);                                                  \
        if (last > 0)                                                          \
            r |= LANES_OF(1);                                                  \
        if (last > 1)                                                          \
            r |= LANES_OF(2);                                                  \
        if (last > 2)                                                          \
            r |= LANES_OF(3);                                                  \
        return r;                                                              \
    }
#define GATHERED(APART, WAY, c, number) gather_##APART##WAY##_##c##_##number(from)
#define GATHER_FROM(APART, WAY, c)                             \
    EACH_PART(GATHER_PART, APART, WAY, c)                      \
    line gather_##APART##WAY##_##c(global const element *from) \
    {                                                          \
        return LINE_OF(GATHERED, APART, WAY, c);               \
    }
#if GROUP_SIZE == 1
#define EACH_COMPONENT(f, APART, WAY) f(APART, WAY, 0)
#elif GROUP_SIZE == 2
#define EACH_COMPONENT(f, APART, WAY) f(APART, WAY, 0) f(APART, WAY, 1)
#elif GROUP_SIZE == 3
#define EACH_COMPONENT(f, APART, WAY) f(APART, WAY, 0) f(APART, WAY, 1) f(APART, WAY, 2)
#else
#define EACH_COMPONENT(f, APART, WAY) \
    f(APART, WAY, 0) f(APART, WAY, 1) f(APART, WAY, 2) f(APART, WAY, 3)
#endif
#define GATHER(APART, WAY) EACH_COMPONENT(GATHER_FROM, APART, WAY)

EACH_PATTERN(GATHER)

#define GATHER_IF(APART, WAY, c) \
    if (component == c)          \
        return gather_##APART##WAY##_##c(from);
#define GATHER_IF_PATTERN(APART, WAY)                        \
    if (apart == APART && (GROUP_SIZE == 1 || way == WAY)) { \
        EACH_COMPONENT(GATHER_IF, APART, WAY)                \
    }

/* A line that goes upwards, from a component of the pixel whose component 0 is `from`. */
line gather_up(global const element *from, index apart, index way, index component)
{
    EACH_PATTERN(GATHER_IF_PATTERN)
    return (line)(0); /* of no pattern */
}

line gather(const struct pattern *p, struct spot s)
{
    if (STRIDE(p) == 0)
        return LINE_ALL(*s.pixel);
    if (STRIDE(p) > 0)
        return gather_up(s.pixel, STRIDE(p), p->step, s.component);
    s.pixel += (GROUP_SIZE - 1) * p->step;
    return turned(gather_up(s.pixel, -STRIDE(p), -p->step, GROUP_SIZE - 1 - s.component));
}

#endif

#else

line gather(const struct pattern *p, struct spot s)
{
    line r;
    for (int l = 0; l < LINE; ++l)
        LANE_OF(r, l) = s.pixel[offset_of(p, s.component + l)];
    return r;
}

#endif

/* Whether the launch reads all that gather() does for a row's first line. */
bool may_gather(const struct pattern *p, const struct walk *w, index row)
{
    return row + p->low >= (index)w->in_low && row + p->high < (index)w->in_high;
}

#endif
