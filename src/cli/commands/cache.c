/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <clslice/clslice.h>

#include "cli/cli.h"
#include "cli/session.h"
#include "conformance/case_desc.h"
#include "conformance/problem.h"

static int read_info(clslice_cache_info *info)
{
    union session_error error;

    *info = (clslice_cache_info){.size = sizeof *info};
    if (clslice_cache_get_info(NULL, info, session_error_init(&error)) != CLSLICE_S_OK)
        return session_fail(&error);
    if (info->mode == CLSLICE_CACHE_OFF)
        return cli_fail(CLI_FAILED, "the cache is off: set CLSLICE_CACHE to a folder, or HOME");
    return CLI_DONE;
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

static int print_path(const struct cli *cli)
{
    clslice_cache_info info;
    int status = read_info(&info);

    (void)cli;
    if (status == CLI_DONE)
        puts(info.path);
    return status;
}

static int print_stats(const struct cli *cli)
{
    clslice_cache_info info;
    int status = read_info(&info);

    (void)cli;
    if (status != CLI_DONE)
        return status;
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
    return CLI_DONE;
}

static int print_list(const struct cli *cli)
{
    clslice_cache_info info;
    clslice_cache_entry entry;
    union session_error error;
    int status = read_info(&info);
    int32_t result = CLSLICE_S_OK;

    (void)cli;
    for (uint32_t i = 0; status == CLI_DONE && result == CLSLICE_S_OK; i++) {
        entry = (clslice_cache_entry){.size = sizeof entry};
        result = clslice_cache_enumerate(NULL, i, &entry, session_error_init(&error));
        if (result == CLSLICE_S_OK) {
            printf("%s  %8" PRIu64 "  ", entry.name, entry.bytes);
            print_day(entry.last_used);
            printf("  %s%s\n", entry.is_whole ? "" : "not usable: ", entry.text);
        } else if (result != CLSLICE_DXGI_ERROR_NOT_FOUND) {
            status = session_fail(&error);
        }
    }
    return status;
}

static int clear(const struct cli *cli)
{
    clslice_cache_info info;
    union session_error error;
    uint64_t removed = 0;
    int status = read_info(&info);

    (void)cli;
    if (status != CLI_DONE)
        return status;
    if (clslice_cache_clear(NULL, &removed, session_error_init(&error)) != CLSLICE_S_OK)
        return session_fail(&error);
    printf("removed %" PRIu64 " from %s\n", removed, info.path);
    return CLI_DONE;
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

static int fill_from(clslice_device *device)
{
    clslice_cache_counters counters = {.size = sizeof counters};
    union session_error error;

    for (size_t i = 0; i < slice_case_count; i++)
        if (!(slice_cases[i].flags & CASE_LARGE) && !compile_case(device, &slice_cases[i], &error))
            return session_fail(&error);
    if (clslice_device_get_cache_counters(device, &counters, session_error_init(&error)) !=
        CLSLICE_S_OK)
        return session_fail(&error);
    printf("%" PRIu64 " programs saved, %" PRIu64 " were there\n", counters.saved, counters.hits);
    if (counters.unsaved)
        return cli_fail(CLI_FAILED,
                        "%" PRIu64 " programs could not be saved; CLSLICE_VERBOSE=cache says why",
                        counters.unsaved);
    return CLI_DONE;
}

static int fill(const struct cli *cli)
{
    clslice_cache_info info;
    clslice_device *device = NULL;
    int status = read_info(&info);

    if (status == CLI_DONE && info.mode == CLSLICE_CACHE_READ_ONLY)
        return cli_fail(CLI_FAILED, "the cache is read-only: set CLSLICE_CACHE to another mode");
    if (status == CLI_DONE)
        status = session_open(cli, &device);
    if (status == CLI_DONE)
        status = fill_from(device);
    session_close(device);
    return status;
}

int cache_run(const struct cli *cli)
{
    static const struct {
        const char *name;
        int (*run)(const struct cli *cli);
    } actions[] = {{"path", print_path},
                   {"list", print_list},
                   {"stats", print_stats},
                   {"clear", clear},
                   {"fill", fill}};

    for (size_t i = 0; cli->operand_count > 0 && i < sizeof actions / sizeof actions[0]; i++)
        if (strcmp(cli->operand[0], actions[i].name) == 0)
            return actions[i].run(cli);
    return cli_misused(cli->command, "%s%s%s: say path, list, stats, clear or fill",
                       cli->operand_count ? "'" : "nothing to do",
                       cli->operand_count ? cli->operand[0] : "", cli->operand_count ? "'" : "");
}
