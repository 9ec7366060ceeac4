/* SPDX-License-Identifier: MIT */
/*
 * batches [MIB]: what many slices in one dispatch take, from the call to completion, medians. With
 * tables in host memory and on the device, beside a loop of dispatches, and beside one dispatch of
 * as many bytes, which is one crop; and with a table on the device, back to back, also as a part of
 * the bandwidth of a large copy, the faster one of clEnqueueCopyBuffer and a dispatch. The input
 * has so many MiB, 400 where nothing is said.
 */
#include "bench/batch_subject.h"

#include <clslice/directml.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { LEAST = 149, MOST = 4095 }; /* MiB: what the crops have in all; 2^32 elements are too many */
enum { TURNS = 21, WIDTH = 1920, HEIGHT = 1080, CHANNELS = 3, CROPS = 1000, PAGES = 4096 };

static void note(const struct subject *s, const struct bench *bench, enum way way, int turn,
                 double taken[WAYS][TURNS])
{
    double microseconds = subject_run(s, bench, way);
    if (turn >= 0)
        taken[way][turn] = microseconds;
}

static void measure(const char *name, struct subject *s, const struct bench *bench)
{
    double taken[WAYS][TURNS], in_a_row[TURNS];
    subject_open(s, bench);
    for (int turn = 0; turn < TURNS; ++turn)
        in_a_row[turn] = subject_run_in_a_row(s, bench, DEVICE_TABLE);
    for (int turn = -2; turn < TURNS; ++turn)
        for (int way = 0; way < LOOP; ++way)
            note(s, bench, (enum way)way, turn, taken);
    for (int turn = -2; turn < TURNS; ++turn) /* it leaves the heap in pieces */
        note(s, bench, LOOP, turn, taken);
    double batch = median(taken[HOST_TABLE], TURNS), on_device = median(taken[DEVICE_TABLE], TURNS);
    double loop = median(taken[LOOP], TURNS), whole = median(taken[WHOLE], TURNS);
    double moved = 2 * (double)(subject_item_bytes(s) * s->count), row = median(in_a_row, TURNS);
    printf("| %s | %.0f | %.0f | %.0f | %.1f | %.0f | %.2f | %.0f | %.2f |\n", name, batch,
           on_device, loop, loop / batch, whole, whole / batch, row,
           moved / row / bench->copy_rate);
    fflush(stdout);
    subject_close(s, bench);
}

static void crops(const struct bench *bench, uint32_t side)
{
    char name[80];
    const uint32_t frames = (uint32_t)(bench->bytes / (HEIGHT * WIDTH * CHANNELS));
    struct subject s = {.type = DML_TENSOR_DATA_TYPE_UINT8,
                        .bytes = 1,
                        .in = {frames, HEIGHT, WIDTH, CHANNELS},
                        .item = {1, side, side, CHANNELS},
                        .count = CROPS,
                        .axes = 3};
    snprintf(name, sizeof name, "%d crops of %" PRIu32 " x %" PRIu32 " x 3", CROPS, side, side);
    measure(name, &s, bench);
}

static void pages(const struct bench *bench, uint32_t kib, int scatters)
{
    char name[80];
    const uint32_t elements = kib * 128, all = (uint32_t)(bench->bytes / (kib * (uint64_t)1024));
    struct subject s = {.type = DML_TENSOR_DATA_TYPE_FLOAT64,
                        .bytes = 8,
                        .in = {1, 1, all, elements},
                        .item = {1, 1, 1, elements},
                        .count = PAGES,
                        .axis = 2,
                        .axes = scatters ? 0 : 1,
                        .scatters = scatters};
    snprintf(name, sizeof name, "%d pages of %" PRIu32 " KiB, %s", PAGES, kib,
             scatters ? "scattered" : "gathered");
    if (all < PAGES + PAGES / 64) { /* the one crop needs more rows than pages */
        fprintf(stderr, "left out: %s: the input is too small\n", name);
        return;
    }
    measure(name, &s, bench);
}

int main(int count, char **arguments)
{
    static const uint32_t sides[] = {224, 64, 32}, kib[] = {4, 8, 32, 128};
    uint64_t bytes = (count > 1 ? strtoull(arguments[1], NULL, 10) : 400) << 20;
    struct bench bench;
    if (bytes < (uint64_t)LEAST << 20 || bytes > (uint64_t)MOST << 20) {
        fprintf(stderr, "usage: batches [MIB]: %d to %d\n", LEAST, MOST);
        return 2;
    }
    bench_open(&bench, bytes);
    printf("%s, driver %s; microseconds; clEnqueueCopyBuffer %.0f GB/s, one dispatch %.0f GB/s\n\n"
           "| items | batch | table on the device | dispatches | ratio | one crop | ratio "
           "| back to back | of a copy |\n"
           "|---|---:|---:|---:|---:|---:|---:|---:|---:|\n",
           bench.info.name, bench.info.driver, bench.driver_rate / 1e3, bench.dispatch_rate / 1e3);
    for (int i = 0; i < 3; ++i)
        crops(&bench, sides[i]);
    for (int i = 0; i < 8; ++i)
        pages(&bench, kib[i / 2], i % 2);
    bench_close(&bench);
    return 0;
}
