/* SPDX-License-Identifier: MIT */
/*
 * first_result rows|columns|pairs: flips rows or columns, each by one program, or transposes pairs,
 * which takes two programs and uses one. Prints the milliseconds from the start of a fresh process
 * to its first result, those to its end, and how the program came about. The process is this one
 * again: the clock runs from before fork to the byte that it writes once the result is there and
 * right, and on until it has released everything and is gone.
 */
#include "support/host_dispatch.h"

#include <clslice/directml.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ROWS = 64, COLUMNS = 100 };

static float in[ROWS][COLUMNS], out[ROWS][COLUMNS];

enum move { FLIP_ROWS, FLIP_COLUMNS, PAIRS, MOVE_COUNT };

static const char *const move_names[MOVE_COUNT] = {"rows", "columns", "pairs"};

static int is_right(enum move move)
{
    const float *at = out[0];
    int wrong = 0;
    for (int row = 0; row < ROWS; ++row)
        for (int column = 0; column < COLUMNS; ++column) {
            int i = row * COLUMNS + column;
            int from = move == FLIP_ROWS      ? (ROWS - 1 - row) * COLUMNS + column
                       : move == FLIP_COLUMNS ? row * COLUMNS + COLUMNS - 1 - column
                                              : i % ROWS * COLUMNS + i / ROWS;
            wrong += at[i] != (float)from; /* small whole numbers */
        }
    return wrong == 0;
}

/* The operator's description lives in static memory. */
static const DML_OPERATOR_DESC *desc_of(enum move move)
{
    static const uint32_t sizes[] = {ROWS, COLUMNS, 2}, offsets[] = {0, 0, 0};
    static const uint32_t transposed[] = {2, 2 * ROWS, 1}; /* of halves of floats */
    static const int32_t strides[MOVE_COUNT][3] = {{-1, 1}, {1, -1}, {1, 1, 1}};
    static DML_BUFFER_TENSOR_DESC buffers[2];
    static const DML_TENSOR_DESC tensors[] = {{DML_TENSOR_TYPE_BUFFER, &buffers[0]},
                                              {DML_TENSOR_TYPE_BUFFER, &buffers[1]}};
    static DML_SLICE1_OPERATOR_DESC slice;
    static const DML_OPERATOR_DESC desc = {DML_OPERATOR_SLICE1, &slice};
    uint32_t rank = move == PAIRS ? 3 : 2;
    for (int i = 0; i < 2; ++i)
        buffers[i] = (DML_BUFFER_TENSOR_DESC){
            .DataType = move == PAIRS ? DML_TENSOR_DATA_TYPE_UINT16 : DML_TENSOR_DATA_TYPE_FLOAT32,
            .DimensionCount = rank,
            .Sizes = sizes,
            .Strides = i && move == PAIRS ? transposed : NULL,
            .TotalTensorSizeInBytes = sizeof in};
    slice =
        (DML_SLICE1_OPERATOR_DESC){&tensors[0], &tensors[1], rank, offsets, sizes, strides[move]};
    return &desc;
}

static int32_t make(clslice_device *device, enum move move, clslice_compiled_operator **compiled,
                    clslice_error *error)
{
    clslice_operator *op = NULL;
    int32_t status = clslice_operator_create(device, desc_of(move), &op, error);
    if (status == CLSLICE_S_OK)
        status = clslice_operator_compile(op, NULL, compiled, error);
    clslice_operator_release(op);
    return status;
}

/* Writes whether the program was 'b'uilt or 'c'ached as soon as the result is there. */
static int work(int to, enum move move)
{
    clslice_error error = {.size = sizeof error};
    clslice_device *device = NULL;
    clslice_compiled_operator *compiled = NULL;
    clslice_compiled_operator_info info = {.size = sizeof info};
    for (int i = 0; i < ROWS * COLUMNS; ++i)
        in[i / COLUMNS][i % COLUMNS] = (float)i;
    int failed =
        clslice_device_create(NULL, &device, &error) != CLSLICE_S_OK ||
        make(device, move, &compiled, &error) != CLSLICE_S_OK ||
        host_dispatch(device, compiled, in, sizeof in, out, sizeof out, &error) != CLSLICE_S_OK;
    if (failed)
        fprintf(stderr, "first_result: %s\n", error.text);
    failed = failed || !is_right(move) ||
             clslice_compiled_operator_get_info(compiled, &info, &error) != CLSLICE_S_OK ||
             write(to, info.program_outcome == CLSLICE_PROGRAM_FROM_CACHE ? "c" : "b", 1) != 1;
    clslice_compiled_operator_release(compiled);
    clslice_device_release(device);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

int main(int argc, char **argv)
{
    int ends[2], status;
    char how = '?', descriptor[16];
    enum move move = FLIP_ROWS;
    while (argc > 1 && move < MOVE_COUNT && strcmp(argv[1], move_names[move]) != 0)
        ++move;
    if (argc == 3 && move < MOVE_COUNT)
        return work((int)strtol(argv[2], NULL, 10), move);
    if (argc != 2 || move == MOVE_COUNT || pipe(ends) != 0) {
        fprintf(stderr, "usage: first_result rows|columns|pairs\n");
        return 2;
    }
    snprintf(descriptor, sizeof descriptor, "%d", ends[1]);
    double start = now();
    pid_t child = fork();
    if (child == 0) {
        execl("/proc/self/exe", argv[0], argv[1], descriptor, (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    ssize_t got = read(ends[0], &how, 1);
    double result = now();
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0 || got != 1)
        return EXIT_FAILURE;
    double end = now();
    printf("%.1f %.1f %s\n", result - start, end - start, how == 'c' ? "cached" : "built");
    return EXIT_SUCCESS;
}
