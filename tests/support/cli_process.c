/* SPDX-License-Identifier: MIT */
#include "support/cli_process.h"

#include "support/asserts.h"
#include "support/dice.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wordexp.h>

enum { NPY_HEADER = 128, NPY_PREFIX = 10 };

const char *cli_path;

/* The words behind a first one, for the program's name. */
static wordexp_t parse(const char *text)
{
    wordexp_t words = {.we_offs = 1};

    ck_assert_msg(wordexp(text, &words, WRDE_DOOFFS | WRDE_NOCMD | WRDE_UNDEF) == 0, "%s", text);
    return words;
}

/* In the child. */
static _Noreturn void become(const struct cli_child *child, wordexp_t words, wordexp_t environment,
                             void (*prepare)(void))
{
    for (size_t i = 1; i <= environment.we_wordc; ++i)
        putenv(environment.we_wordv[i]);
    if (dup2(child->out, STDOUT_FILENO) < 0 || dup2(child->err, STDERR_FILENO) < 0)
        _exit(98);
    if (prepare)
        prepare();
    words.we_wordv[0] = (char[]){"clslice"};
    execv(cli_path, words.we_wordv);
    _exit(99);
}

struct cli_child cli_start(const char *words, const char *environment, void (*prepare)(void))
{
    wordexp_t parsed = parse(words), variables = parse(environment ? environment : "");
    struct cli_child child = {
        .out = memfd_create("stdout", MFD_CLOEXEC),
        .err = memfd_create("stderr", MFD_CLOEXEC),
    };

    ck_assert(child.out >= 0 && child.err >= 0);
    fflush(NULL);
    child.pid = fork();
    if (child.pid == 0)
        become(&child, parsed, variables, prepare);
    ck_assert_int_gt(child.pid, 0);
    wordfree(&parsed);
    wordfree(&variables);
    return child;
}

static void read_text(int fd, char text[CLI_TEXT_SIZE])
{
    ssize_t length = pread(fd, text, CLI_TEXT_SIZE - 1, 0);

    ck_assert(length >= 0 && length < CLI_TEXT_SIZE - 1);
    text[length] = '\0';
    close(fd);
}

bool cli_is_running(pid_t pid)
{
    siginfo_t info = {0};

    return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == 0;
}

struct cli_result cli_end(struct cli_child *child)
{
    struct cli_result result;
    int status;

    ck_assert_int_eq(waitpid(child->pid, &status, 0), child->pid);
    result.status = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    read_text(child->out, result.out);
    read_text(child->err, result.err);
    return result;
}

struct cli_result cli_run(const char *words, const char *environment)
{
    struct cli_child child = cli_start(words, environment, NULL);

    return cli_end(&child);
}

void cli_assert_refused(const struct cli_result *result, int status, const char *text)
{
    const char *newline = strchr(result->err, '\n');

    ck_assert_msg(result->status == status, "status %d, not %d: %s%s", result->status, status,
                  result->out, result->err);
    ck_assert_msg(strncmp(result->err, "clslice: ", 9) == 0, "%s", result->err);
    ck_assert_msg(newline && newline[1] == '\0', "not one line: %s", result->err);
    ck_assert_msg(strstr(result->err, text) != NULL, "'%s' is not in: %s", text, result->err);
}

void cli_assert_silent(const struct cli_result *result)
{
    ck_assert_msg(result->status == 0 && result->out[0] == '\0' && result->err[0] == '\0',
                  "status %d: %s%s", result->status, result->out, result->err);
}

void npy_store(const char *path, const char *dict, const void *data, size_t bytes)
{
    unsigned char header[NPY_HEADER] = {
        0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, NPY_HEADER - NPY_PREFIX};
    char *text = (char *)header + NPY_PREFIX;
    int fd = open(path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0666);
    int length = snprintf(text, NPY_HEADER - NPY_PREFIX, "{%s}", dict);

    ck_assert_int_ge(fd, 0);
    memset(text + length, ' ', (size_t)(NPY_HEADER - NPY_PREFIX - length));
    header[NPY_HEADER - 1] = '\n';
    ck_assert_int_eq(write(fd, header, sizeof header), sizeof header);
    if (data)
        ck_assert_int_eq(write(fd, data, bytes), (ssize_t)bytes);
    else
        ck_assert_int_eq(ftruncate(fd, (off_t)(sizeof header + bytes)), 0);
    close(fd);
}

unsigned char *npy_load(const char *path, const char *dict, size_t bytes)
{
    unsigned char header[NPY_HEADER];
    char wanted[NPY_HEADER];
    unsigned char *data = malloc(bytes + 1);
    FILE *file = fopen(path, "rb");

    ck_assert(data && file);
    snprintf(wanted, sizeof wanted, "{%s}", dict);
    ck_assert_uint_eq(fread(header, 1, sizeof header, file), sizeof header);
    ck_assert_mem_eq(header, "\x93NUMPY\1\0\x76\0", NPY_PREFIX);
    ck_assert_msg(memcmp(header + NPY_PREFIX, wanted, strlen(wanted)) == 0, "%.118s is not %s",
                  (char *)header + NPY_PREFIX, wanted);
    ck_assert_uint_eq(fread(data, 1, bytes + 1, file), bytes);
    fclose(file);
    return data;
}

void text_store(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");

    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    ck_assert_int_eq(fclose(file), 0);
}

void assert_untouched(const char *path, const char *text)
{
    char bytes[256];
    FILE *file = fopen(path, "rb");
    DIR *directory = opendir(".");
    const struct dirent *entry;
    size_t length;

    ck_assert(file && directory);
    length = fread(bytes, 1, sizeof bytes, file);
    ck_assert(length == strlen(text) && memcmp(bytes, text, length) == 0);
    while ((entry = readdir(directory)))
        ck_assert_msg(strncmp(entry->d_name, ".clslice-", 9) != 0, "%s is left", entry->d_name);
    fclose(file);
    closedir(directory);
}

void fill_bytes(unsigned char *bytes, size_t count)
{
    struct dice dice = {1};

    dice_fill(&dice, bytes, count);
}
