/* SPDX-License-Identifier: MIT */
#include "cli/commands/commands.h"
#include "cli/session.h"
#include "conformance/case_run.h"
#include "conformance/cases.h"
#include "conformance/problem.h"

#include <clslice/clslice.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static const struct poptOption options[] = {CLI_COMMON_OPTIONS};

struct job {
    const struct cli *cli; /* borrowed */
    clslice_cache_info info;
};

static bool read_info(clslice_cache_info *info, struct problem *problem)
{
    union session_error error = SESSION_ERROR;

    if (clslice_cache_get_info(NULL, info, &error.error) != CLSLICE_S_OK)
        return session_fail(&error, problem);
    return info->mode != CLSLICE_CACHE_OFF ||
           problem_set(problem, "the cache is off: set CLSLICE_CACHE to an absolute path, or let "
                                "XDG_CACHE_HOME or HOME name a folder of your own");
}

static void print_day(uint64_t seconds)
{
    time_t when = (time_t)seconds;
    struct tm parts;
    char text[32] = "";

    if (gmtime_r(&when, &parts))
        strftime(text, sizeof text, "%Y-%m-%d %H:%M:%SZ", &parts);
    fputs(text, stdout);
}

static bool print_path(const struct job *job, struct problem *problem)
{
    (void)problem;
    puts(job->info.path);
    return true;
}

static bool print_stats(const struct job *job, struct problem *problem)
{
    const clslice_cache_info *info = &job->info;

    (void)problem;
    printf("entries  %" PRIu64 "\n", info->entries);
    printf("bytes    %" PRIu64, info->bytes);
    if (info->max_bytes != UINT64_MAX)
        printf(" of at most %" PRIu64, info->max_bytes);
    printf("\noldest   ");
    if (info->entries)
        print_day(info->oldest);
    else
        putchar('-');
    putchar('\n');
    return true;
}

static void print_entry(const clslice_cache_entry *entry)
{
    printf("%s  %8" PRIu64 "  ", entry->name, entry->bytes);
    print_day(entry->last_used);
    printf("  %s%s\n", entry->is_whole ? "" : "not usable: ", entry->text);
}

static bool print_list(const struct job *job, struct problem *problem)
{
    clslice_cache_entry entry = {.size = sizeof entry};
    union session_error error = SESSION_ERROR;
    uint32_t index = 0;
    int32_t result;

    (void)job;
    while ((result = clslice_cache_enumerate(NULL, index, &entry, &error.error)) == CLSLICE_S_OK) {
        print_entry(&entry);
        ++index;
    }
    return result == CLSLICE_DXGI_ERROR_NOT_FOUND || session_fail(&error, problem);
}

static bool clear(const struct job *job, struct problem *problem)
{
    union session_error error = SESSION_ERROR;
    uint64_t removed = 0;

    if (clslice_cache_clear(NULL, &removed, &error.error) != CLSLICE_S_OK)
        return session_fail(&error, problem);
    printf("removed %" PRIu64 " from %s\n", removed, job->info.path);
    return true;
}

/* Compiles one case, which saves its programs. */
static bool compile_case(clslice_device *device, const struct slice_case *c,
                         struct problem *problem)
{
    clslice_compiled_operator *compiled;
    union session_error error = SESSION_ERROR;
    int32_t result = case_compile(device, c, NULL, NULL, NULL, &compiled, &error.error);

    clslice_compiled_operator_release(compiled);
    return result == CLSLICE_S_OK || session_fail(&error, problem);
}

static bool fill(const struct job *job, struct problem *problem)
{
    clslice_cache_counters counters = {.size = sizeof counters};
    union session_error error = SESSION_ERROR;
    clslice_device *device;
    bool is_done = true;

    if (job->info.mode == CLSLICE_CACHE_READ_ONLY)
        return problem_set(problem, "the cache is read-only: set CLSLICE_CACHE to another mode");
    if (!session_open(job->cli, &device, problem))
        return false;
    for (size_t i = 0; i < slice_case_count && is_done; ++i)
        if (!(slice_cases[i].flags & CASE_LARGE))
            is_done = compile_case(device, &slice_cases[i], problem);
    if (is_done)
        is_done =
            clslice_device_get_cache_counters(device, &counters, &error.error) == CLSLICE_S_OK ||
            session_fail(&error, problem);
    clslice_device_release(device);
    if (!is_done)
        return false;
    printf("%" PRIu64 " programs saved, %" PRIu64 " already there\n", counters.saved,
           counters.hits);
    return counters.unsaved == 0 ||
           problem_set(problem,
                       "%" PRIu64
                       " programs could not be saved; set CLSLICE_VERBOSE=cache to see why",
                       counters.unsaved);
}

static bool run(const struct cli *cli, struct problem *problem)
{
    static const struct {
        const char *name;
        bool (*run)(const struct job *job, struct problem *problem);
    } actions[] = {{"path", print_path},
                   {"list", print_list},
                   {"stats", print_stats},
                   {"clear", clear},
                   {"fill", fill}};
    static const char choice[] = "use path, list, stats, clear or fill";
    struct job job = {.cli = cli, .info = {.size = sizeof job.info}};

    if (cli->operand_count == 0)
        return problem_misused(problem, "'cache' needs an action; %s", choice);
    for (size_t i = 0; i < sizeof actions / sizeof actions[0]; ++i)
        if (strcmp(cli->operand[0], actions[i].name) == 0)
            return read_info(&job.info, problem) && actions[i].run(&job, problem);
    return problem_misused(problem, "'%s' is not an action of 'cache'; %s", cli->operand[0],
                           choice);
}

const struct cli_command cache_command = {
    .name = "cache",
    .operands = "path|list|stats|clear|fill",
    .summary = "manage the program binaries on disk",
    .details =
        "path: print the folder. list: print every entry, least recently used first. stats: print\n"
        "the number of entries, their bytes and the oldest use. clear: remove all entries. fill:\n"
        "build the programs for this device, so that later processes start with them.",
    .options = options,
    .most_operands = 1,
    .run = run,
};
