// SPDX-License-Identifier: MIT
// Transposes packed matrices of 1, 2, 4 or 8-byte elements by tiles: a peer of sweep.py, which
// builds it. A word is K elements. A thread reads K words below each other, turns them in
// registers, and writes them to shared memory as words of K rows of the output, each row rotated so
// that no two lanes meet at a bank. Narrow elements need not be aligned as words: rows are shifted.
#include <cstdint>

constexpr unsigned THREADS = 256; // four groups at a time have registers for all loads
template <class Element> constexpr bool IS_NARROW = sizeof(Element) < 4;

// The word at an element, of which so many are left in the row; the others are anything.
template <class Element, class Word> __device__ Word read(const Element *at, int left)
{
    constexpr int K = sizeof(Word) / sizeof(Element);
    const int past = IS_NARROW<Element> ? uintptr_t(at) / sizeof(Element) % K : 0;
    const Word *words = (const Word *)(at - past);
    const Word word = left > 0 ? words[0] : Word{};
    if constexpr (IS_NARROW<Element>) {
        const Word next = past > 0 && left > K - past ? words[1] : Word{};
        return __funnelshift_r(word, next, past * 8 * sizeof(Element));
    }
    return word;
}

template <unsigned K, class Word> __device__ void turn(Word *w)
{
    const Word a = w[0];
    if constexpr (K == 4) {
        const Word b = __byte_perm(a, w[1], 0x5140), c = __byte_perm(w[2], w[3], 0x5140);
        const Word d = __byte_perm(a, w[1], 0x7362), e = __byte_perm(w[2], w[3], 0x7362);
        w[0] = __byte_perm(b, c, 0x5410), w[1] = __byte_perm(b, c, 0x7632);
        w[2] = __byte_perm(d, e, 0x5410), w[3] = __byte_perm(d, e, 0x7632);
    } else if constexpr (K == 2 && sizeof(Word) == 4) {
        w[0] = __byte_perm(a, w[1], 0x5410), w[1] = __byte_perm(a, w[1], 0x7632);
    } else if constexpr (K == 2) {
        w[0].y = w[1].x, w[1].x = a.y;
    }
}

template <class Element, class Word, unsigned LANES>
__global__ void __launch_bounds__(THREADS, 4)
    tile(const Element *__restrict__ in, Element *__restrict__ out, unsigned rows, unsigned columns)
{
    constexpr unsigned K = sizeof(Word) / sizeof(Element), SIDE = LANES * K, STEP = THREADS / LANES;
    __shared__ Word words[SIDE][LANES];
    const unsigned across = (columns - 1) / SIDE + 1, down = (rows - 1) / SIDE + 1;
    const unsigned column = blockIdx.x % across * SIDE, row = blockIdx.x / across % down * SIDE;
    const unsigned wide = min(SIDE, columns - column), high = min(SIDE, rows - row);
    const unsigned lane = threadIdx.x % LANES, first = threadIdx.x / LANES;
    const size_t matrix = size_t(blockIdx.x / across / down) * rows * columns;
    in += matrix + size_t(row) * columns + column + lane * K;
    out += matrix + size_t(column) * rows + row;
#pragma unroll
    for (unsigned j = first; j < first + LANES; j += STEP) {
        Word w[K];
        for (unsigned i = 0, y = j * K; i < K; ++i, ++y)
            w[i] = read<Element, Word>(in + size_t(y) * columns, y < high ? wide - lane * K : 0);
        turn<K>(w);
        for (unsigned i = 0; i < K; ++i)
            words[lane * K + i][(j + lane) % LANES] = w[i];
    }
    __syncthreads();
    for (unsigned x = first; x < wide; x += STEP) {
        Element *to = out + size_t(x) * rows;
        const auto word = [&](unsigned i) { return &words[x][(i + x / K) % LANES]; };
        const unsigned skew = IS_NARROW<Element> ? -uintptr_t(to) / sizeof(Element) % K : 0;
        const unsigned head = min(skew, high), whole = (high - head) / K;
        if (lane < whole) {
            Word value = *word(lane);
            if constexpr (IS_NARROW<Element>)
                value = __funnelshift_r(value, *word(lane + 1), head * 8 * sizeof(Element));
            *(Word *)(to + head + lane * K) = value;
        }
        const unsigned edge = lane < head ? lane : lane + whole * K;
        if (IS_NARROW<Element> && edge < high)
            to[edge] = ((const Element *)word(edge / K))[edge % K];
    }
}

template <class Element, class Word>
int start(const void *in, void *out, unsigned matrices, unsigned rows, unsigned columns)
{
    constexpr unsigned SIDE = 32 * sizeof(Word) / sizeof(Element);
    const auto tiles = [=](unsigned n) { return ((rows - 1) / n + 1) * ((columns - 1) / n + 1); };
    const bool is_small = tiles(SIDE / 2) <= 2 * tiles(SIDE); // large ones would be half empty
    const auto kernel = is_small ? tile<Element, Word, 16> : tile<Element, Word, 32>;
    const unsigned blocks = matrices * tiles(is_small ? SIDE / 2 : SIDE);
    kernel<<<blocks, THREADS>>>((const Element *)in, (Element *)out, rows, columns);
    return cudaGetLastError();
}

extern "C" int transpose(const void *in, void *out, unsigned bytes, unsigned matrices,
                         unsigned rows, unsigned columns)
{
    const bool is_even = (rows | columns | (uintptr_t(in) | uintptr_t(out)) / bytes) % 2 == 0;
    const auto narrow = bytes == 1 ? start<uint8_t, uint32_t> : start<uint16_t, uint32_t>;
    const auto middle = is_even ? start<uint32_t, uint2> : start<uint32_t, uint32_t>;
    const auto wide = is_even ? start<uint64_t, ulonglong2> : start<uint64_t, uint64_t>;
    return (bytes <= 2 ? narrow : bytes == 4 ? middle : wide)(in, out, matrices, rows, columns);
}
