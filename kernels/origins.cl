/* SPDX-License-Identifier: MIT */
/*
 * origins: where the items of a batch begin, from tables in device memory, each checked here and
 * used as it was checked.
 *
 * Grid: one dimension, groups of any size; work-item i makes origin i. Arguments: the tables of
 * windows and of indices, any buffer where there is none; the origins; how many are skipped, or any
 * buffer; the batch; how many items there are; whether skipped ones are counted.
 */
struct origin {
    ulong in, out;
};

struct batch_axis {
    ulong stride;
    ulong most;
};

/* core/batch.h has this layout and says what it is. */
struct batch {
    ulong in_first;
    long in_step;
    ulong out_pitch;
    ulong index_most;
    ulong first;
    ulong window_at, index_at, skipped_at;
    uint row_words;
    uint axis_count;
    uint index_bytes;
    uint shift;
    struct batch_axis axis[8];
};

kernel void origins(global const uint *windows, global const uint *indices,
                    global struct origin *to, volatile global uint *skipped, struct batch b,
                    uint items, uint counts)
{
    uint i = (uint)get_global_id(0);
    if (i >= items)
        return;
    windows += b.window_at;
    indices += b.index_at;
    ulong item = b.first + i;
    ulong index = b.index_bytes == 4 ? indices[i]
                  : b.index_bytes == 8
                      ? indices[2 * (ulong)i] | (ulong)indices[2 * (ulong)i + 1] << 32
                      : item;
    ulong in = b.in_first + item * (ulong)b.in_step;
    bool fits = index <= b.index_most;
    global const uint *row = windows + (ulong)i * b.row_words;
    for (uint a = 0; a < b.axis_count; ++a) {
        ulong offset = row[a];
        fits = fits && offset <= b.axis[a].most;
        in += offset * b.axis[a].stride;
    }
    to[i].in = fits ? in >> b.shift : ~(ulong)0;
    to[i].out = index * b.out_pitch >> b.shift;
    if (!fits && counts)
        atomic_inc(skipped + b.skipped_at);
}
