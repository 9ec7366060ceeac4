/* SPDX-License-Identifier: MIT */
#include "cli/commands/commands.h"
#include "cli/session.h"
#include "conformance/case_desc.h"
#include "conformance/problem.h"

#include <clslice/clslice.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static const struct poptOption options[] = {CLI_COMMON_OPTIONS};

static bool read_info(clslice_cache_info *info, struct problem *problem)
{
    union session_error error;

    *info = (clslice_cache_info){.size = sizeof *info};
    if (clslice_cache_get_info(NULL, info, session_error_init(&error)) != CLSLICE_S_OK)
        return session_fail(&error, problem);
    return info->mode != CLSLICE_CACHE_OFF ||
           problem_set(problem, "the cache is off: set CLSLICE_CACHE to a folder, or set HOME");
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

static bool print_path(const struct cli *cli, struct problem *problem)
{
    clslice_cache_info info;

    (void)cli;
    if (!read_info(&info, problem))
        return false;
    puts(info.path);
    return true;
}

static bool print_stats(const struct cli *cli, struct problem *problem)
{
    clslice_cache_info info;

    (void)cli;
    if (!read_info(&info, problem))
        return false;
    printf("entries  %" PRIu64 "\n", info.entries);
    printf("bytes    %" PRIu64, info.bytes);
    if (info.max_bytes != UINT64_MAX)
        printf(" of at most %" PRIu64, info.max_bytes);
    printf("\noldest   ");
    if (info.entries)
        print_day(info.oldest);
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

static bool print_list(const struct cli *cli, struct problem *problem)
{
    clslice_cache_info info;
    clslice_cache_entry entry = {.size = sizeof entry};
    union session_error error;
    uint32_t index = 0;
    int32_t result;

    (void)cli;
    if (!read_info(&info, problem))
        return false;
    while ((result = clslice_cache_enumerate(NULL, index, &entry, session_error_init(&error))) ==
           CLSLICE_S_OK) {
        print_entry(&entry);
        ++index;
    }
    return result == CLSLICE_DXGI_ERROR_NOT_FOUND || session_fail(&error, problem);
}

static bool clear(const struct cli *cli, struct problem *problem)
{
    clslice_cache_info info;
    union session_error error;
    uint64_t removed = 0;

    (void)cli;
    if (!read_info(&info, problem))
        return false;
    if (clslice_cache_clear(NULL, &removed, session_error_init(&error)) != CLSLICE_S_OK)
        return session_fail(&error, problem);
    printf("removed %" PRIu64 " from %s\n", removed, info.path);
    return true;
}

/* Compiles one case, which saves its programs. */
static bool compile_case(clslice_device *device, const struct slice_case *c,
                         union session_error *error)
{
    clslice_operator *op = NULL;
    clslice_compiled_operator *compiled = NULL;
    struct case_desc desc;
    int32_t result;

    case_desc_init(&desc, c);
    result = clslice_operator_create(device, &desc.op, &op, session_error_init(error));
    if (result == CLSLICE_S_OK)
        result = clslice_operator_compile(op, NULL, &compiled, &error->error);
    clslice_compiled_operator_release(compiled);
    clslice_operator_release(op);
    return result == CLSLICE_S_OK;
}

static bool fill_from(clslice_device *device, struct problem *problem)
{
    clslice_cache_counters counters = {.size = sizeof counters};
    union session_error error;

    for (size_t i = 0; i < slice_case_count; ++i)
        if (!(slice_cases[i].flags & CASE_LARGE) && !compile_case(device, &slice_cases[i], &error))
            return session_fail(&error, problem);
    if (clslice_device_get_cache_counters(device, &counters, session_error_init(&error)) !=
        CLSLICE_S_OK)
        return session_fail(&error, problem);
    printf("%" PRIu64 " programs saved, %" PRIu64 " already there\n", counters.saved,
           counters.hits);
    return counters.unsaved == 0 ||
           problem_set(problem,
                       "%" PRIu64
                       " programs could not be saved; set CLSLICE_VERBOSE=cache to see why",
                       counters.unsaved);
}

static bool fill(const struct cli *cli, struct problem *problem)
{
    clslice_cache_info info;
    clslice_device *device;
    bool is_filled;

    if (!read_info(&info, problem))
        return false;
    if (info.mode == CLSLICE_CACHE_READ_ONLY)
        return problem_set(problem, "the cache is read-only: set CLSLICE_CACHE to another mode");
    if (!session_open(cli, &device, problem))
        return false;
    is_filled = fill_from(device, problem);
    session_close(device);
    return is_filled;
}

static bool run(const struct cli *cli, struct problem *problem)
{
    static const struct {
        const char *name;
        bool (*run)(const struct cli *cli, struct problem *problem);
    } actions[] = {{"path", print_path},
                   {"list", print_list},
                   {"stats", print_stats},
                   {"clear", clear},
                   {"fill", fill}};
    static const char choice[] = "use path, list, stats, clear or fill";

    if (cli->operand_count == 0)
        return problem_misused(problem, "'cache' needs an action; %s", choice);
    for (size_t i = 0; i < sizeof actions / sizeof actions[0]; ++i)
        if (strcmp(cli->operand[0], actions[i].name) == 0)
            return actions[i].run(cli, problem);
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
