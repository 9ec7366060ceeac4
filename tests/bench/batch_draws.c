/* SPDX-License-Identifier: MIT */
/*
 * batch_draws MIB N SEED: N batches of each kind, drawn at random, beside one dispatch of as many
 * items of the same shape at regular places, which needs no table. Microseconds, medians: from the
 * call to completion, and back to back; there also the least time, which is that of the memory
 * lines of the regular items at a large copy's bandwidth, divided by the time taken. The input has
 * so many MiB, and the output at most an eighth of it, but for 16 items. SEED has up to 16
 * hexadecimal digits.
 *
 * Widths of elements are uniform over 1, 2, 4 and 8 bytes, extents and counts log-uniform; every
 * second extent moves to the next prime, where it counts elements. It knows nothing of plans.
 */
#include "bench/batch_subject.h"

#include <clslice/directml.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { TURNS = 7, COUNT_MOST = 1 << 16, KINDS = 6 };
enum { MIB_LEAST = 256, MIB_MOST = 4095 }; /* 2^32 elements are too many for a tensor */

/* ---- Draws ---- */

static bool is_prime(uint32_t n)
{
    for (uint32_t d = 2; d * d <= n; ++d)
        if (n % d == 0)
            return false;
    return n > 1;
}

static uint32_t log_uniform(uint32_t least, uint32_t most)
{
    double share = draw(1u << 30) / (double)(1u << 30);
    return (uint32_t)(least * pow((double)most / least, share) + 0.5);
}

static uint32_t extent(uint32_t least, uint32_t most)
{
    uint32_t n = log_uniform(least, most);
    for (uint32_t odd = draw(2); odd && !is_prime(n);)
        ++n;
    return n < most ? n : most;
}

static uint32_t below(uint32_t n, uint32_t most)
{
    return n < most ? n : most;
}

/* How many frames of so many elements the input has. */
static uint32_t frames_of(const struct subject *s, const struct bench *bench, uint64_t elements)
{
    return (uint32_t)(bench->bytes / s->bytes / elements);
}

/* Windows of images: frames, rows, columns, channels. */
static void draw_crops(struct subject *s, const struct bench *bench, bool has_steps)
{
    uint32_t height = extent(64, 2048), width = extent(64, 2048), channels = 1 + draw(4);
    s->axes = 3;
    s->in[0] = frames_of(s, bench, (uint64_t)height * width * channels);
    s->in[1] = height, s->in[2] = width, s->in[3] = channels;
    s->item[0] = 1, s->item[3] = channels;
    for (int i = 1; i < 3; ++i) {
        int32_t step = has_steps ? 1 + (int32_t)draw(3) : 1;
        s->item[i] = extent(8, below(512, s->in[i] / (uint32_t)step));
        s->step[i] = has_steps && draw(2) ? -step : step;
    }
}

/* The same, channel by channel: frames, channels, rows, columns. */
static void draw_planes(struct subject *s, const struct bench *bench)
{
    draw_crops(s, bench, false);
    uint32_t channels = s->in[3];
    s->in[3] = s->in[2], s->in[2] = s->in[1], s->in[1] = channels;
    s->item[3] = s->item[2], s->item[2] = s->item[1], s->item[1] = channels;
    s->axes = 4;
}

/* Whole pages, which lie one after the other. */
static void draw_pages(struct subject *s, const struct bench *bench)
{
    uint32_t elements = extent(64, 1 << 20) / s->bytes;
    s->axis = 2, s->axes = 1;
    s->in[0] = s->in[1] = s->item[0] = s->item[1] = s->item[2] = 1;
    s->in[3] = s->item[3] = elements > 0 ? elements : 1;
    s->in[2] = frames_of(s, bench, s->in[3]);
}

/* Parts of blocks: blocks, tokens, heads, elements of one. */
static void draw_blocks(struct subject *s, const struct bench *bench)
{
    s->axes = 1;
    for (int i = 1; i < RANK; ++i) {
        s->in[i] = extent(4, i < 3 ? 32 : 256);
        s->item[i] = extent(1, s->in[i]);
    }
    s->item[0] = 1;
    s->in[0] = frames_of(s, bench, (uint64_t)s->in[1] * s->in[2] * s->in[3]);
}

static const char *const kind_names[KINDS] = {"crops", "steps",  "planes",
                                              "pages", "blocks", "scattered"};

static void draw_subject(struct subject *s, const struct bench *bench, int kind)
{
    static const uint32_t types[] = {DML_TENSOR_DATA_TYPE_UINT8, DML_TENSOR_DATA_TYPE_UINT16,
                                     DML_TENSOR_DATA_TYPE_UINT32, DML_TENSOR_DATA_TYPE_UINT64};
    uint32_t width = draw(4);
    *s = (struct subject){.type = types[width], .bytes = 1u << width, .is_regular = 1};
    if (kind < 2)
        draw_crops(s, bench, kind == 1);
    else if (kind == 2)
        draw_planes(s, bench);
    else if (kind == 4)
        draw_blocks(s, bench);
    else
        draw_pages(s, bench);
    if (kind == 5)
        s->axes = 0, s->scatters = 1;
    uint64_t item = subject_item_bytes(s), room = bench->bytes / 8;
    uint32_t most = (uint32_t)(room / item < COUNT_MOST ? room / item : COUNT_MOST);
    s->count = log_uniform(16, most > 16 ? most : 16);
    if (kind > 2) /* as many as there are apart from each other */
        s->count = below(s->count, s->in[s->axis]);
}

/* ---- Measurements ---- */

/* In turns, so that a machine that becomes slower does so for all. */
static void measure_ways(const struct subject *s, const struct bench *bench,
                         double (*run)(const struct subject *, const struct bench *, enum way),
                         double medians[LOOP])
{
    double taken[LOOP][TURNS];
    for (int turn = -1; turn < TURNS; ++turn)
        for (int way = 0; way < LOOP; ++way) {
            double microseconds = run(s, bench, (enum way)way);
            if (turn >= 0)
                taken[way][turn] = microseconds;
        }
    for (int way = 0; way < LOOP; ++way)
        medians[way] = median(taken[way], TURNS);
}

static void print_variant(clslice_compiled_operator *compiled)
{
    clslice_compiled_operator_info info = {.size = sizeof info};
    int32_t status = clslice_compiled_operator_get_info(compiled, &info, NULL);
    printf(" %s |", status == CLSLICE_S_OK ? info.variant : "?");
}

static double measure(const char *name, struct subject *s, const struct bench *bench)
{
    subject_open(s, bench);
    double single[LOOP], row[LOOP];
    measure_ways(s, bench, subject_run, single);
    measure_ways(s, bench, subject_run_in_a_row, row);
    double least = (double)s->floor_bytes / bench->copy_rate;
    printf("| %s | %" PRIu32 " |", name, s->bytes);
    for (int i = 0; i < RANK; ++i)
        printf(" %" PRIu32, s->in[i]);
    printf(" |");
    for (int i = 0; i < RANK; ++i)
        printf(" %" PRIu32 "%s", s->item[i], s->step[i] < 0 ? "-" : "");
    printf(" |");
    print_variant(s->batch);
    print_variant(s->whole);
    printf(" %" PRIu32 " | %.1f |", s->count,
           (double)(subject_item_bytes(s) * s->count) / (1 << 20));
    printf(" %.1f | %.1f | %.1f | %.1f | %.1f | %.2f | %.2f | %.2f |\n", single[HOST_TABLE],
           single[DEVICE_TABLE], single[WHOLE], row[DEVICE_TABLE], row[WHOLE],
           row[WHOLE] / row[DEVICE_TABLE], least / row[DEVICE_TABLE], least / row[WHOLE]);
    fflush(stdout);
    subject_close(s, bench);
    return row[WHOLE] / row[DEVICE_TABLE];
}

int main(int count, char **arguments)
{
    uint64_t bytes = (count > 3 ? strtoull(arguments[1], NULL, 10) : 0) << 20;
    int draws = count > 3 ? atoi(arguments[2]) : 0;
    struct summary {
        double least, mean;
    } summary[KINDS];
    uint64_t seed = count > 3 ? strtoull(arguments[3], NULL, 16) : 0;
    struct bench bench;
    if (bytes < (uint64_t)MIB_LEAST << 20 || bytes > (uint64_t)MIB_MOST << 20 || draws < 1) {
        fprintf(stderr, "usage: batch_draws MIB N SEED: MIB %d to %d, N at least 1\n", MIB_LEAST,
                MIB_MOST);
        return 2;
    }
    bench_open(&bench, bytes);
    printf("%s, driver %s; microseconds\n\n"
           "| kind | bytes | input | item | variant | regular | items | MiB | batch | table on the "
           "device | regular "
           "| back to back | regular | ratio | of the limit | regular |\n"
           "|---|---:|---|---|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n",
           bench.info.name, bench.info.driver);
    for (int kind = 0; kind < KINDS; ++kind) {
        double sum = 0, least = INFINITY;
        for (int i = 0; i < draws; ++i) {
            struct subject s;
            draw_seed((seed * 0x9E3779B97F4A7C15u + (uint64_t)kind * COUNT_MOST + (uint64_t)i) *
                      0xBF58476D1CE4E5B9u);
            draw_subject(&s, &bench, kind);
            double ratio = measure(kind_names[kind], &s, &bench);
            sum += log(ratio);
            least = ratio < least ? ratio : least;
        }
        summary[kind] = (struct summary){least, exp(sum / draws)};
    }
    for (int kind = 0; kind < KINDS; ++kind)
        printf("%s, ratio: least %.2f, mean %.2f\n", kind_names[kind], summary[kind].least,
               summary[kind].mean);
    bench_close(&bench);
    return 0;
}
