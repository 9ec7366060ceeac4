/* SPDX-License-Identifier: MIT */
/* One target per program: libFuzzer's entry point, which replay.c calls without a fuzzer. */
#ifndef CLSLICE_TESTS_FUZZ_FUZZ_H
#define CLSLICE_TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A broken promise ends the process, as a finding should. */
#define EXPECT(promise)                                                           \
    do {                                                                          \
        if (!(promise)) {                                                         \
            fprintf(stderr, "%s:%d: broken: %s\n", __FILE__, __LINE__, #promise); \
            abort();                                                              \
        }                                                                         \
    } while (0)

#endif
