/* SPDX-License-Identifier: MIT */
#include "cli/formats/guard.h"

#include "cli/formats/array.h"
#include "cli/formats/output.h"
#include "cli/progress.h"
#include "conformance/problem.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

static const int ends[] = {SIGHUP, SIGINT, SIGTERM};

enum { END_COUNT = sizeof ends / sizeof ends[0] };

/* What handlers may read; set before they are installed. */
static struct {
    bool is_set;
    const struct array *array;   /* borrowed */
    const struct output *output; /* borrowed */
    struct problem cannot_read;  /* a line each, its newline included */
    struct problem cannot_write;
    struct sigaction old; /* of SIGBUS */
    atomic_flag is_ending;
    bool is_ignored[END_COUNT]; /* from the start, as under nohup */
    atomic_bool is_holding;
    atomic_int held; /* the signal, or 0 */
} guarded = {.is_ending = ATOMIC_FLAG_INIT};

static void remove_temporary(void)
{
    if (guarded.output->path && guarded.output->temporary[0] != '\0')
        unlinkat(guarded.output->directory, guarded.output->temporary, 0);
}

static bool is_inside(const void *address, const void *mapping, size_t bytes)
{
    const char *at = address;
    const char *start = mapping;

    return start && at >= start && at < start + bytes;
}

/* In whichever thread touches the mapping: mostly one of the driver's. */
static void on_bus_error(int number, siginfo_t *info, void *context)
{
    const struct problem *line = NULL;
    ssize_t written;

    (void)context;
    if (is_inside(info->si_addr, guarded.array->mapping, guarded.array->mapping_bytes))
        line = &guarded.cannot_read;
    else if (is_inside(info->si_addr, guarded.output->mapping, guarded.output->mapping_bytes))
        line = &guarded.cannot_write;
    if (!line) {
        sigaction(number, &guarded.old, NULL); /* the access repeats, and is theirs */
        return;
    }
    /* Several threads may get here; the others wait for the end. */
    while (atomic_flag_test_and_set(&guarded.is_ending))
        pause();
    remove_temporary();
    progress_end();
    written = write(STDERR_FILENO, line->text, strlen(line->text));
    (void)written; /* the status tells it, too */
    _exit(1);
}

static void on_end(int number)
{
    int none = 0;

    if (guarded.is_holding && atomic_compare_exchange_strong(&guarded.held, &none, number))
        return;
    remove_temporary();
    progress_end();
    _exit(GUARD_STATUS + number);
}

static void prepare(const struct array *array, const char *path, const struct output *output)
{
    struct sigaction old;

    guarded.is_set = true;
    guarded.array = array;
    guarded.output = output;
    problem_set(&guarded.cannot_read,
                "clslice: cannot read %s: it was truncated, or its disk failed, while it was "
                "being sliced; try again when nothing else writes to it",
                path);
    problem_set(&guarded.cannot_write,
                "clslice: cannot write %s: its disk is full or failed; make room or name another",
                output->path);
    /* Paths that could be opened leave room for that. */
    strcat(guarded.cannot_read.text, "\n");
    strcat(guarded.cannot_write.text, "\n");
    for (size_t i = 0; i < END_COUNT; ++i)
        guarded.is_ignored[i] = sigaction(ends[i], NULL, &old) == 0 && old.sa_handler == SIG_IGN;
}

void guard_install(const struct array *array, const char *path, const struct output *output)
{
    struct sigaction bus = {.sa_sigaction = on_bus_error, .sa_flags = SA_SIGINFO};
    /* A driver need not know interrupted calls. */
    struct sigaction end = {.sa_handler = on_end, .sa_flags = SA_RESTART};
    struct sigaction old;

    if (!guarded.is_set)
        prepare(array, path, output);
    sigemptyset(&bus.sa_mask);
    sigemptyset(&end.sa_mask);
    if (sigaction(SIGBUS, &bus, &old) == 0 && old.sa_sigaction != on_bus_error)
        guarded.old = old;
    for (size_t i = 0; i < END_COUNT; ++i)
        if (!guarded.is_ignored[i])
            sigaction(ends[i], &end, NULL);
}

void guard_hold(void)
{
    guarded.held = 0;
    guarded.is_holding = true;
}

int guard_held(void)
{
    return guarded.held;
}

int guard_release(void)
{
    guarded.is_holding = false;
    return guarded.held;
}
