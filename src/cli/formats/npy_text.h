/* SPDX-License-Identifier: MIT */
/* The text of a .npy header, read token by token: the part of Python's literals that NumPy
 * writes. */
#ifndef CLSLICE_CLI_FORMATS_NPY_TEXT_H
#define CLSLICE_CLI_FORMATS_NPY_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct problem;

struct npy_text {
    const char *path; /* borrowed; for the problem's text */
    const char *text; /* borrowed; no NUL need follow */
    size_t length;
    size_t at; /* what comes next */
    struct problem *problem;
};

/* Sets the problem: what is expected here, and what is there. Returns false. */
bool npy_text_damaged(const struct npy_text *text, const char *expected);

/* Skips white space. Returns the next character, which is still to be read; -1 at the end. */
int npy_text_peek(struct npy_text *text);

/* Skip white space and take the character, or the word, if it comes next. */
bool npy_text_take(struct npy_text *text, char wanted);
bool npy_text_take_word(struct npy_text *text, const char *word);

/* Takes a string; *string is what stands between its quotes, escapes as they are. `expected` is for
 * the problem's text. */
bool npy_text_take_string(struct npy_text *text, const char **string, size_t *length,
                          const char *expected);

/* Takes a tuple of sizes: *rank is their number, of which the first `most` are stored. */
bool npy_text_take_shape(struct npy_text *text, uint32_t most, uint64_t *size, uint32_t *rank);

/* Takes one size. */
bool npy_text_take_size(struct npy_text *text, uint64_t *size);

#endif
