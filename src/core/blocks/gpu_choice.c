/* SPDX-License-Identifier: MIT */
#include "core/blocks/gpu_choice.h"

#include "base/checked.h"

enum {
    /* Of most GPUs: work-items that wait for each other, and the banks of local memory. */
    WARP = 32,
    BANKS = 32,
    BANK_BYTES = 4,
    STEP_BYTES = 2, /* in the table of a row's steps */
    PART_BYTES = 4, /* of a word: orders of whole parts are tried first */
    PADS = 4,
    MOSTS = 6,
    JOINS = 3,
    WAYS = MOSTS * JOINS, /* without chunks, and as many with */
};

#define PRIME UINT64_C(0x100000001B3) /* FNV's */

/* ---- What a block costs ---- */

/* What a work-item of the first warp reads: the second word of its strip, as the first may be part
 * of one. */
struct reader {
    uint64_t at;  /* its first element's place in its row */
    int64_t from; /* the row's first element in local memory, in elements from the first row's */
};

static struct reader reader_of(const struct gpu_block *b, const struct gpu_turn *turn,
                               uint64_t item)
{
    uint64_t of_strip = item / turn->strip, row = of_strip % turn->rows, shift = 0;
    uint64_t word = gpu_block_word(b->element_size);
    struct reader r = {.from = 0};
    for (uint32_t i = b->run_rank; i < b->rank; ++i) {
        uint64_t coordinate = row % b->dim[i].extent;
        row /= b->dim[i].extent;
        r.from += (int64_t)coordinate * b->dim[i].pitch;
        /* where the block's first row begins at a word of memory */
        shift += b->rows_aligned ? 0 : coordinate * (uint64_t)b->dim[i].out_stride;
    }
    r.at = (of_strip / turn->rows * turn->strip + item % turn->strip + 1) * word - shift % word;
    return r;
}

/* Where element `at` of a row lies in local memory, in elements from the row's first. */
static int64_t run_offset(const struct gpu_block *b, uint64_t at)
{
    int64_t offset = 0;
    for (uint32_t i = 0; i < b->run_rank; ++i) {
        uint64_t coordinate = i + 1 == b->run_rank ? at : at % b->dim[i].extent;
        at /= b->dim[i].extent;
        offset += (int64_t)coordinate * b->dim[i].pitch;
    }
    return offset;
}

/* How often a bank is asked for a word of its own, at most, when the warp's work-items read an
 * element each, and where `of_table` is set, its place in the table of a row's steps. */
static uint64_t bank_conflicts(const struct gpu_block *b, const struct gpu_turn *turn,
                               const struct reader *readers, bool of_table)
{
    uint64_t word = gpu_block_word(b->element_size), seen[WARP], n = 0, most = 1;
    uint8_t asked[BANKS] = {0};
    for (uint64_t item = 0; item < WARP; ++item) {
        const struct reader *r = &readers[item];
        uint64_t order = (item >> turn->order_shift) * turn->order_step % word;
        int64_t offset = r->from + run_offset(b, r->at + order) + (INT64_C(1) << 32);
        uint64_t bank_word = of_table ? (r->at % b->full + order) * STEP_BYTES / BANK_BYTES
                                      : (uint64_t)offset * b->element_size / BANK_BYTES;
        bool is_new = true;
        for (uint64_t i = 0; i < n; ++i)
            is_new = is_new && seen[i] != bank_word;
        if (is_new && ++asked[bank_word % BANKS] > most)
            ++most;
        if (is_new)
            seen[n++] = bank_word;
    }
    return most;
}

/* Cycles of a compute unit per 65,536 elements, about: instructions that it issues, 4 a cycle; its
 * way to local memory; and bytes of the device's memory, in sectors. The numbers of instructions
 * are counted on an NVIDIA H200. */
static uint64_t cost(const struct gpu_block *b, const struct gpu_turn *turn, uint64_t conflicts)
{
    enum { BLOCK = 120, UNIT = 18, ROW = 25, WORD = 25, ORDER = 60, END = 100 };
    enum { SECTOR_CYCLES = 2 };
    enum { WHOLE_STRIP = 128 / GPU_BLOCK_UNIT }; /* words that the caches take at once */
    uint64_t word = gpu_block_word(b->element_size), elements = b->rows * b->full;
    uint64_t step = gpu_block_is_straight(b) ? 2 : 3;
    uint64_t warps = GPU_BLOCK_GROUP / WARP;
    uint64_t loads = div_ceil(b->lines * b->units, GPU_BLOCK_GROUP) * warps;
    uint64_t rows = div_ceil(b->rows, turn->rows) * warps;
    uint64_t stores = rows * div_ceil(b->words, turn->strip * turn->strips);
    uint64_t blocks = gpu_block_count(b, b->run_rank - 1); /* along a row */
    uint64_t ends = !gpu_block_has_ends(b) ? 0 : b->is_part ? clamp(2, 0, blocks) : 2 * blocks;
    uint64_t end_turns = div_ceil(b->rows * word, GPU_BLOCK_GROUP) * warps * ends / 2 / blocks;
    uint64_t order = turn->order_step > 0 ? ORDER : 0;
    uint64_t writes = rows * ROW + stores * (WORD + order + word * (step + 1)) + end_turns * END;
    uint64_t reads = stores * conflicts * word + 4 * end_turns;
    elements *= b->dim[b->run_rank - 1].extent;
    uint64_t issue = (warps * BLOCK + loads * UNIT + writes) / 4;
    uint64_t local = loads * 2 * WARP * GPU_BLOCK_UNIT / BANKS / BANK_BYTES + reads;
    bool splits = !b->rows_aligned || turn->strip % WHOLE_STRIP != 0 || b->words % turn->strip != 0;
    uint64_t sectors = b->lines * (b->units * GPU_BLOCK_UNIT / GPU_BLOCK_SECTOR + 1) +
                       b->rows * (b->words * GPU_BLOCK_UNIT / GPU_BLOCK_SECTOR +
                                  splits * div_ceil(b->words, turn->strip) + 2 * ends / blocks);
    uint64_t memory = sectors * SECTOR_CYCLES;
    for (uint32_t i = 0; i < b->rank; ++i) { /* at the ends, blocks work as much but move less */
        uint64_t covered = gpu_block_count(b, i) * b->dim[i].extent;
        issue = issue * covered / b->dim[i].size;
        local = local * covered / b->dim[i].size;
    }
    uint64_t most = issue > local ? issue : local;
    most = most > memory ? most : memory;
    return (2 * most + issue + 2 * local + memory) * (UINT64_C(1) << 16) / elements;
}

/* With strips of that length, so many rows at once that the fewest turns do. */
static struct gpu_turn turn_of(const struct gpu_block *b, uint64_t strip)
{
    enum { PASSES_MOST = 8 };
    struct gpu_turn best = {.strip = (uint32_t)strip, .rows = 1, .strips = 1};
    uint64_t strips = div_ceil(b->words, strip), least = UINT64_MAX;
    for (uint64_t passes = 1; passes <= PASSES_MOST; ++passes) {
        uint64_t rows = clamp(div_ceil(b->rows, passes), 1, GPU_BLOCK_GROUP / strip);
        uint64_t at_once = clamp(GPU_BLOCK_GROUP / strip / rows, 1, strips);
        uint64_t turns = div_ceil(b->rows, rows) * div_ceil(strips, at_once);
        if (turns < least) {
            least = turns;
            best.rows = (uint32_t)rows;
            best.strips = (uint32_t)at_once;
        }
    }
    return best;
}

/* Takes the turn, with the order in which its work-items read elements that costs the least, if
 * that is less than `least`, which then becomes what it costs. */
static bool try_orders(const struct gpu_block *b, struct gpu_turn turn, struct gpu_turn *best,
                       uint64_t *least)
{
    enum { SHIFTS = 5 };
    uint64_t word = gpu_block_word(b->element_size);
    uint32_t part = (uint32_t)clamp(PART_BYTES / b->element_size, 1, PART_BYTES);
    bool is_found = false, is_straight = gpu_block_is_straight(b);
    bool has_orders = word > 1 && (is_straight || b->full <= GPU_BLOCK_STEPS);
    uint32_t tries = !has_orders ? 1 : part == 1 ? 1 + SHIFTS : 1 + 2 * SHIFTS;
    uint64_t fewest = is_straight ? 1 : 2;
    struct reader readers[WARP];
    for (uint64_t item = 0; item < WARP; ++item)
        readers[item] = reader_of(b, &turn, item);
    for (uint32_t i = 0; i < tries; ++i) {
        turn.order_step = i == 0 ? 0 : i <= SHIFTS ? part : 1;
        turn.order_shift = i == 0 ? 0 : (i - 1) % SHIFTS;
        if (cost(b, &turn, fewest) >= *least)
            continue;
        uint64_t conflicts = bank_conflicts(b, &turn, readers, false);
        if (!is_straight)
            conflicts += bank_conflicts(b, &turn, readers, true);
        uint64_t now = cost(b, &turn, conflicts);
        if (now < *least) {
            *least = now;
            *best = turn;
            is_found = true;
        }
    }
    return is_found;
}

/* Whether there is a turn by which the block costs less than `least`, which then becomes what it
 * costs. */
static bool find_turn(const struct gpu_block *b, struct gpu_turn *best, uint64_t *least)
{
    enum { FRACTIONS = 4, POWERS = 6 };
    bool is_found = false;
    uint64_t strips[FRACTIONS + POWERS];
    for (uint64_t i = 0; i < FRACTIONS + POWERS; ++i) {
        uint64_t strip = i < FRACTIONS ? div_ceil(b->words, i + 1) : UINT64_C(1) << (i - FRACTIONS);
        strips[i] = clamp(strip, 1, GPU_BLOCK_GROUP);
        bool is_new = strip <= b->words;
        for (uint64_t k = 0; k < i; ++k)
            is_new = is_new && strips[k] != strips[i];
        if (!is_new)
            continue;
        struct gpu_turn turn = turn_of(b, strips[i]);
        if (cost(b, &turn, 1) < *least)
            is_found = try_orders(b, turn, best, least) || is_found;
    }
    return is_found;
}

struct gpu_turn gpu_turn_best(const struct gpu_block *b)
{
    struct gpu_turn best = {.strip = 1, .rows = 1, .strips = 1};
    uint64_t least = UINT64_MAX;
    find_turn(b, &best, &least);
    return best;
}

/* ---- Choosing ---- */

static bool is_small(const struct gpu_block *b)
{
    return b->bytes <= GPU_BLOCK_BYTES_FEW && b->lines * b->units <= GPU_BLOCK_UNITS_FEW;
}

/* The blocks that were tried, each by a hash of how it lies: most ways lead to a block that another
 * has led to. Where two blocks had the same hash, only a faster one could be missed. */
struct tried {
    uint64_t hash[2 * WAYS * PADS];
    uint32_t count;
};

/* Whether the block was not tried before; adds it to those that were. */
static bool first_try(struct tried *tried, const struct gpu_block *b)
{
    uint64_t hash = b->dim[0].size; /* a chunk, or the whole dimension */
    for (uint32_t i = 0; i < b->rank; ++i) {
        const struct gpu_block_dim *dim = &b->dim[i];
        hash = (hash * PRIME + dim->extent) * PRIME + (uint64_t)dim->pitch * 2 + dim->is_line;
    }
    for (uint32_t i = 0; i < tried->count; ++i)
        if (tried->hash[i] == hash)
            return false;
    tried->hash[tried->count++] = hash;
    return true;
}

/* Takes the best of the ways to lay out these extents, if it is better than `least`. */
static void try_pads(struct gpu_block b, struct gpu_block_choice choice, uint32_t rank,
                     struct tried *tried, struct gpu_block_choice *best, uint64_t *least)
{
    struct gpu_turn turn;
    uint32_t chunks = choice.chunk > 0;
    for (uint32_t i = 0; i < rank; ++i)
        choice.extent[i] = (uint32_t)b.dim[rank - 1 - i + chunks].extent;
    for (choice.pad = 0; choice.pad < PADS; ++choice.pad) {
        if (gpu_block_settle(&b, &choice) && first_try(tried, &b) && find_turn(&b, &turn, least)) {
            *best = choice;
            best->bytes = is_small(&b) ? GPU_BLOCK_BYTES_FEW : UINT32_MAX;
        }
    }
}

uint64_t gpu_block_choose(struct gpu_block_choice *choice, uint32_t wanted, uint32_t element_size,
                          struct gpu_block_first first, uint32_t rank, const struct slice_dim *dim)
{
    static const struct gpu_block_most most[MOSTS] = {{UINT32_MAX, UINT32_MAX}, {512, UINT32_MAX},
                                                      {256, UINT32_MAX},        {128, UINT32_MAX},
                                                      {64, UINT32_MAX},         {UINT32_MAX, 256}};
    static const uint32_t joined[JOINS] = {TENSOR_RANK_MAX, 1, 2};
    struct gpu_block_choice best = {
        .joined = TENSOR_RANK_MAX, .bytes = UINT32_MAX, .is_aligned = choice->is_aligned};
    struct tried tried = {.count = 0};
    uint64_t least = UINT64_MAX, word = gpu_block_word(element_size);
    bool has_chunks = dim[rank - 1].size >= 4 * word && rank < TENSOR_RANK_MAX;
    for (uint32_t chunks = 0; chunks <= (uint32_t)has_chunks; ++chunks)
        for (uint32_t i = 0; i < WAYS; ++i) {
            struct gpu_block_choice way = {.chunk = chunks * (uint32_t)word,
                                           .joined = joined[i / MOSTS],
                                           .bytes = wanted,
                                           .is_aligned = choice->is_aligned};
            try_pads(gpu_block_grown(&way, most[i % MOSTS], element_size, first, rank, dim), way,
                     rank, &tried, &best, &least);
        }
    best.bytes = (uint32_t)clamp(best.bytes, 0, choice->bytes);
    *choice = best;
    return least;
}
