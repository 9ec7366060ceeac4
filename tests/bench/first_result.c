/* SPDX-License-Identifier: MIT */
/*
 * first_result rows|columns: flips them, and prints the milliseconds from the start of a fresh
 * process to its first result, and how the program came about. The process is this one again: the
 * clock runs from before fork to the byte that it writes once the result is there and right; what
 * it does after that, such as saving the program, is not counted, but waited for.
 */
#include <clslice/clslice.h>
#include <clslice/directml.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ROWS = 64, COLUMNS = 100 };

static float in[ROWS][COLUMNS], out[ROWS][COLUMNS];

static int is_right(int flips_rows)
{
    int wrong = 0;
    for (int row = 0; row < ROWS; ++row)
        for (int column = 0; column < COLUMNS; ++column) {
            float expected =
                flips_rows ? in[ROWS - 1 - row][column] : in[row][COLUMNS - 1 - column];
            wrong += out[row][column] != expected; /* small whole numbers */
        }
    return wrong == 0;
}

static int32_t make(clslice_device *device, int flips_rows, clslice_compiled_operator **compiled,
                    clslice_error *error)
{
    static const uint32_t sizes[] = {ROWS, COLUMNS}, offsets[] = {0, 0};
    const int32_t strides[] = {flips_rows ? -1 : 1, flips_rows ? 1 : -1};
    static const DML_BUFFER_TENSOR_DESC buffer = {.DataType = DML_TENSOR_DATA_TYPE_FLOAT32,
                                                  .DimensionCount = 2,
                                                  .Sizes = sizes,
                                                  .TotalTensorSizeInBytes = sizeof in};
    static const DML_TENSOR_DESC tensor = {DML_TENSOR_TYPE_BUFFER, &buffer};
    const DML_SLICE1_OPERATOR_DESC slice = {&tensor, &tensor, 2, offsets, sizes, strides};
    const DML_OPERATOR_DESC desc = {DML_OPERATOR_SLICE1, &slice};
    clslice_operator *op = NULL;
    int32_t status = clslice_operator_create(device, &desc, &op, error);
    if (status == CLSLICE_S_OK)
        status = clslice_operator_compile(op, NULL, compiled, error);
    clslice_operator_release(op);
    return status;
}

static int32_t run(clslice_compiled_operator *compiled, clslice_device *device,
                   clslice_error *error)
{
    const clslice_binding from = {.kind = CLSLICE_BINDING_HOST, .handle = in, .size = sizeof in};
    const clslice_binding to = {.kind = CLSLICE_BINDING_HOST, .handle = out, .size = sizeof out};
    const clslice_dispatch_desc dispatch = {.size = sizeof dispatch,
                                            .inputs = &from,
                                            .outputs = &to,
                                            .input_count = 1,
                                            .output_count = 1};
    struct _cl_event *event = NULL;
    int32_t status = clslice_dispatch(compiled, &dispatch, &event, error);
    if (status == CLSLICE_S_OK)
        status = clslice_event_wait(device, event, error);
    clslice_event_release(device, event);
    return status;
}

/* Writes whether the program was 'b'uilt or 'c'ached as soon as the result is there. */
static int work(int to, int flips_rows)
{
    clslice_error error = {.size = sizeof error};
    clslice_device *device = NULL;
    clslice_compiled_operator *compiled = NULL;
    clslice_compiled_operator_info info = {.size = sizeof info};
    for (int i = 0; i < ROWS * COLUMNS; ++i)
        in[i / COLUMNS][i % COLUMNS] = (float)i;
    int failed = clslice_device_create(NULL, &device, &error) != CLSLICE_S_OK ||
                 make(device, flips_rows, &compiled, &error) != CLSLICE_S_OK ||
                 run(compiled, device, &error) != CLSLICE_S_OK;
    if (failed)
        fprintf(stderr, "first_result: %s\n", error.text);
    failed = failed || !is_right(flips_rows) ||
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
    int flips_rows = argc > 1 && strcmp(argv[1], "rows") == 0;
    if (argc == 3)
        return work((int)strtol(argv[2], NULL, 10), flips_rows);
    if (argc != 2 || (!flips_rows && strcmp(argv[1], "columns") != 0) || pipe(ends) != 0) {
        fprintf(stderr, "usage: first_result rows|columns\n");
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
    double end = now();
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0 || got != 1)
        return EXIT_FAILURE;
    printf("%.1f %s\n", end - start, how == 'c' ? "cached" : "built");
    return EXIT_SUCCESS;
}
