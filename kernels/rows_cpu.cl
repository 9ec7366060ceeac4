/* SPDX-License-Identifier: MIT */
/*
 * rows_cpu: rows that are contiguous in the output and hold a pattern of the input's, for devices
 * with few threads and long vectors. Compiled with three definitions more:
 *
 *     GROUP_STRIDE, GROUP_SIZE, ELEMENT_STRIDE
 *         See struct plan_pattern: element j * GROUP_SIZE + c of an output row is element
 *         j * GROUP_STRIDE + c * ELEMENT_STRIDE of the input's.
 *
 * Grid: one dimension, groups of one. Work-item i copies the blocks [i * batch, i * batch + batch),
 * as far as there are any.
 * The plan guarantees: the row's elements are groups of the pattern, in_step = GROUP_STRIDE,
 * out_step = GROUP_SIZE; the column is a group's elements.
 */
#ifndef WALK_CL
#include "stream.cl"
#include "walk.cl"
#endif

/* Where element e of a row lies from its first. */
#define OFFSET(e) \
    ((index)((e) / GROUP_SIZE) * GROUP_STRIDE + (index)((e) % GROUP_SIZE) * ELEMENT_STRIDE)

#if GROUP_STRIDE == 0 && defined LINE_IS_VECTOR

line gather(global const element *from, count e)
{
    return LINE_ALL(*from);
}

#elif GROUP_STRIDE == 1 && GROUP_SIZE == 1 && defined LINE_IS_VECTOR

line gather(global const element *from, count e)
{
    return line_load(from + e);
}

#elif GROUP_STRIDE == -1 && GROUP_SIZE == 1 && ELEMENT_SIZE < 4 && defined LINE_IS_VECTOR

/* The words in reverse, and what each holds: fewer shuffles than part by part. */
line gather(global const element *from, count e)
{
    line r = rotate(line_load(from - (index)(e + LINE - 1)).sfedcba9876543210, (line)(16));
#if ELEMENT_SIZE == 1
    r = (r & 0x00FF00FFu) << 8 | (r >> 8 & 0x00FF00FFu);
#endif
    return r;
}

#elif defined LINE_IS_VECTOR

/* A part of the line that begins with component `component` of pixel 0: from each load of a
 * part's size that it spans, its lanes in their places among zeros. The last load ends with the
 * last element, so that none reaches beyond what is addressed. */
#define SOURCE(l) (OFFSET(q + (l)) - low) /* lane l's place in the span */
#define LOAD_OF(l) (SOURCE(l) / PART < last ? SOURCE(l) / PART : last)
#define START(k) ((k) == last ? span - PART : (k)*PART)
#define LANE(k, l) (LOAD_OF(l) == (k) ? SOURCE(l) - START(k) : PART)
#define LANES_OF(k)                                                                         \
    __builtin_shufflevector(*(global const loose_part *)(from + low + START(k)), (part)(0), \
                            EACH(LANE, k))
#define GATHER_PART(component, number)                                                       \
    part gather_part_##component##number(global const element *from)                         \
    {                                                                                        \
        enum {                                                                               \
            q = component + number * PART,                                                   \
            first = q / GROUP_SIZE * GROUP_STRIDE,              /* the part's first pixel */ \
            pixel = (q + PART - 1) / GROUP_SIZE * GROUP_STRIDE, /* and last */               \
            side = (GROUP_SIZE - 1) * ELEMENT_STRIDE,                                        \
            low = (pixel < first ? pixel : first) + (side < 0 ? side : 0),                   \
            high = (pixel > first ? pixel : first) + (side > 0 ? side : 0),                  \
            span = high - low + 1,                                                           \
            last = (span - 1) / PART                                                         \
        };                                                                                   \
        part r = LANES_OF(0);                                                                \
        if (last > 0)                                                                        \
            r |= LANES_OF(1);                                                                \
        if (last > 1)                                                                        \
            r |= LANES_OF(2);                                                                \
        if (last > 2)                                                                        \
            r |= LANES_OF(3);                                                                \
        return r;                                                                            \
    }
#define GATHERED(component, number) gather_part_##component##number(from)
#define GATHER_FROM(component)                               \
    EACH_PART(GATHER_PART, component)                        \
    line gather_from_##component(global const element *from) \
    {                                                        \
        return LINE_OF(GATHERED, component);                 \
    }

GATHER_FROM(0)
#if GROUP_SIZE > 1
GATHER_FROM(1)
#endif
#if GROUP_SIZE > 2
GATHER_FROM(2)
#endif
#if GROUP_SIZE > 3
GATHER_FROM(3)
#endif

line gather(global const element *from, count e)
{
    from += (index)(e / GROUP_SIZE) * GROUP_STRIDE;
    switch (e % GROUP_SIZE) {
#if GROUP_SIZE > 1
    case 1:
        return gather_from_1(from);
#endif
#if GROUP_SIZE > 2
    case 2:
        return gather_from_2(from);
#endif
#if GROUP_SIZE > 3
    case 3:
        return gather_from_3(from);
#endif
    default:
        return gather_from_0(from);
    }
}

#else

line gather(global const element *from, count e)
{
    line r;
    for (int l = 0; l < LINE; ++l)
        LANE_OF(r, l) = from[OFFSET(e + l)];
    return r;
}

#endif

/* Elements [e, e + n) of a row, fewer than a line has. Contiguous ones by the bits of n, because
 * a loop over single elements would cost as much as a long row. */
#if GROUP_STRIDE == 1
#define DEFINE_FEW(name, space)                                                \
    void name(global const element *from, count e, count n, space element *to) \
    {                                                                          \
        count k = 0;                                                           \
        if (n & 32 % LINE) {                                                   \
            vstore16(vload16(0, from + e), 0, to);                             \
            vstore16(vload16(1, from + e), 1, to);                             \
            k = 32;                                                            \
        }                                                                      \
        if (n & 16 % LINE) {                                                   \
            vstore16(vload16(0, from + e + k), 0, to + k);                     \
            k += 16;                                                           \
        }                                                                      \
        if (n & 8 % LINE) {                                                    \
            vstore8(vload8(0, from + e + k), 0, to + k);                       \
            k += 8;                                                            \
        }                                                                      \
        if (n & 4) {                                                           \
            vstore4(vload4(0, from + e + k), 0, to + k);                       \
            k += 4;                                                            \
        }                                                                      \
        if (n & 2) {                                                           \
            vstore2(vload2(0, from + e + k), 0, to + k);                       \
            k += 2;                                                            \
        }                                                                      \
        if (n & 1)                                                             \
            to[k] = from[e + k];                                               \
    }
#else
#define DEFINE_FEW(name, space)                                                \
    void name(global const element *from, count e, count n, space element *to) \
    {                                                                          \
        for (count k = 0; k < n; ++k)                                          \
            to[k] = from[OFFSET(e + k)];                                       \
    }
#endif
DEFINE_FEW(gather_few, private)
DEFINE_FEW(copy_few, global)

kernel void rows_cpu(global const element *in, global element *out, constant struct walk *walk)
{
    struct walk w = *walk;
    move_blocks(in + w.in_first, out + w.out_first, &w);
}
