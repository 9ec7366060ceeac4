/* SPDX-License-Identifier: MIT */
/* Runs the built command line, and makes the files that it reads. Failures fail the test. */
#ifndef CLSLICE_TESTS_SUPPORT_CLI_PROCESS_H
#define CLSLICE_TESTS_SUPPORT_CLI_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { CLI_TEXT_SIZE = 32768 };

/* Path of the program; set by main. */
extern const char *cli_path;

struct cli_child {
    pid_t pid;
    int out;
    int err;
};

struct cli_result {
    int status; /* exit status, or a signal's number below 0 */
    char out[CLI_TEXT_SIZE];
    char err[CLI_TEXT_SIZE];
};

/* Starts it with these words, as a shell takes them apart, and with this environment,
 * "NAME=value ...", on top of the test's; NULL: nothing. `prepare`, NULL for nothing, runs in the
 * child. */
struct cli_child cli_start(const char *words, const char *environment, void (*prepare)(void));
bool cli_is_running(pid_t pid);
struct cli_result cli_end(struct cli_child *child);

/* Both. */
struct cli_result cli_run(const char *words, const char *environment);

/* It failed with this status, printed nothing but one line, which holds `text`. */
void cli_assert_refused(const struct cli_result *result, int status, const char *text);

/* It has done what it should, in silence. */
void cli_assert_silent(const struct cli_result *result);

/* A .npy whose header, 128 bytes long, says this: "'descr': '<f4', 'fortran_order': False, 'shape':
 * (2, 3), ". `data` may be NULL: `bytes` zeros, none of them on the disk. */
void npy_store(const char *path, const char *dict, const void *data, size_t bytes);

/* The data of a .npy that holds exactly this, under this dict; to be freed. */
unsigned char *npy_load(const char *path, const char *dict, size_t bytes);

void text_store(const char *path, const char *text);

/* The file holds this text, and no temporary file is beside it, in the current directory. */
void assert_untouched(const char *path, const char *text);

/* Fills with the same pseudo-random bytes in every run. */
void fill_bytes(unsigned char *bytes, size_t count);

#endif
