/* SPDX-License-Identifier: MIT */
/* One target per program: libFuzzer's entry point, which replay.c calls without a fuzzer. */
#ifndef CLSLICE_TESTS_FUZZ_FUZZ_H
#define CLSLICE_TESTS_FUZZ_FUZZ_H

#include <stdbool.h>
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

/* Whether an array of `size` bytes holds a message: one line, not empty, that ends within it. */
static inline bool fuzz_is_message(const char *text, size_t size)
{
    for (size_t i = 0; i < size; ++i)
        if ((unsigned char)text[i] < 0x20 || text[i] == 0x7F)
            return i > 0 && text[i] == '\0';
    return false;
}

#endif
