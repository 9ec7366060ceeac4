/* SPDX-License-Identifier: MIT */
#include "cli/cli.h"

#include <popt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <clslice/clslice.h>

#include "conformance/problem.h"

enum { LINE_SIZE = 8192 };

#define COMMON_OPTIONS (1u << CLI_DEVICE | 1u << CLI_HELP)

/* popt's numbers of options begin at 1. */
static const struct poptOption option_table[CLI_OPTION_COUNT] = {
    {"device", 0, POPT_ARG_STRING, NULL, 1 + CLI_DEVICE,
     "use this device, not CLSLICE_DEVICE's; see 'clslice devices'", "SELECTOR"},
    {"json", 0, POPT_ARG_NONE, NULL, 1 + CLI_JSON, "print JSON", NULL},
    {"offsets", 0, POPT_ARG_STRING, NULL, 1 + CLI_OFFSETS, "where the window begins", "N,N..."},
    {"sizes", 0, POPT_ARG_STRING, NULL, 1 + CLI_SIZES, "of the window", "N,N..."},
    {"strides", 0, POPT_ARG_STRING, NULL, 1 + CLI_STRIDES,
     "through the window, negative from its end; 1,1... if not given", "N,N..."},
    {"output-sizes", 0, POPT_ARG_STRING, NULL, 1 + CLI_OUTPUT_SIZES,
     "take fewer elements than the window yields", "N,N..."},
    {"case", 0, POPT_ARG_STRING, NULL, 1 + CLI_CASE,
     "measure the cases of this name alone; * stands for any characters", "NAME"},
    {"variant", 0, POPT_ARG_STRING, NULL, 1 + CLI_VARIANT,
     "use this kernel, not the planner's choice", "NAME"},
    {"pairs", 0, POPT_ARG_STRING, NULL, 1 + CLI_PAIRS, "of copy and case to time, 21 if not given",
     "N"},
    {"picture", 0, POPT_ARG_STRING, NULL, 1 + CLI_PICTURE,
     "also draw the efficiencies, with gnuplot", "FILE.svg|.png"},
    {"planned", 0, POPT_ARG_NONE, NULL, 1 + CLI_PLANNED,
     "run each case by the planner's choice alone", NULL},
    {"help", 0, POPT_ARG_NONE, NULL, 1 + CLI_HELP, "print this and exit", NULL},
    {"version", 0, POPT_ARG_NONE, NULL, 1 + CLI_VERSION, "print the version and exit", NULL},
};

__attribute__((format(printf, 1, 0))) static void print_error(const char *format, va_list arguments,
                                                              const char *more)
{
    char line[LINE_SIZE];

    vsnprintf(line, sizeof line, format, arguments);
    for (char *at = line; *at != '\0'; at++)
        if ((unsigned char)*at < ' ' || *at == '\x7f')
            *at = '?';
    fflush(stdout);
    fprintf(stderr, "clslice: %s%s\n", line, more);
}

int cli_fail(int status, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    print_error(format, arguments, "");
    va_end(arguments);
    return status;
}

int cli_fail_problem(const struct problem *problem)
{
    return cli_fail(CLI_FAILED, "%s", problem->text);
}

int cli_misused(const struct cli_command *command, const char *format, ...)
{
    va_list arguments;
    char more[64];

    snprintf(more, sizeof more, "; see 'clslice %s%s--help'", command ? command->name : "",
             command ? " " : "");
    va_start(arguments, format);
    print_error(format, arguments, more);
    va_end(arguments);
    return CLI_MISUSED;
}

static bool is_operand(const char *word)
{
    return word[0] != '-' || word[1] == '\0' || word[1] == ':' ||
           (word[1] >= '0' && word[1] <= '9');
}

/* Whether the next word is the option's value. */
static bool takes_next(const char *word)
{
    for (size_t i = 0; i < CLI_OPTION_COUNT; i++)
        if (option_table[i].argInfo == POPT_ARG_STRING && strncmp(word, "--", 2) == 0 &&
            strcmp(word + 2, option_table[i].longName) == 0)
            return true;
    return false;
}

/* Parts the words: operands to cli, options with their values, what popt is to read, to `options`.
 * Returns how many the latter are. */
static int part_words(struct cli *cli, int argc, char **argv, const char **options)
{
    int count = 0;
    bool ended = false;

    options[count++] = "clslice";
    for (int i = 1; i < argc; i++) {
        if (ended || is_operand(argv[i])) {
            cli->operand[cli->operand_count++] = argv[i];
        } else if (strcmp(argv[i], "--") == 0) {
            ended = true;
        } else {
            options[count++] = argv[i];
            if (takes_next(argv[i]) && i + 1 < argc)
                options[count++] = argv[++i];
        }
    }
    return count;
}

/* Rows of the options whose bits are set, and the end. */
static void make_table(struct poptOption table[CLI_OPTION_COUNT + 1], unsigned options)
{
    size_t count = 0;

    for (size_t i = 0; i < CLI_OPTION_COUNT; i++)
        if (options >> i & 1)
            table[count++] = option_table[i];
    table[count] = (struct poptOption)POPT_TABLEEND;
}

static int read_options(struct cli *cli, int argc, const char **argv)
{
    struct poptOption table[CLI_OPTION_COUNT + 1];
    int status = CLI_DONE;
    poptContext popt;
    int option;

    make_table(table, ~0u);
    popt = poptGetContext("clslice", argc, argv, table, 0);
    while ((option = poptGetNextOpt(popt)) > 0) {
        char *value = poptGetOptArg(popt);

        free(cli->value[option - 1]);
        cli->value[option - 1] = value ? value : strdup("");
    }
    if (option < -1)
        status = cli_misused(NULL, "%s: %s", poptBadOption(popt, POPT_BADOPTION_NOALIAS),
                             poptStrerror(option));
    poptFreeContext(popt);
    return status;
}

static void list_names(const struct cli_command *commands, size_t count, char *text, size_t size)
{
    size_t used = 0;

    for (size_t i = 0; i < count && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s",
                                 i == 0           ? ""
                                 : i == count - 1 ? " or "
                                                  : ", ",
                                 commands[i].name);
}

/* Takes the command's name, the first operand. */
static int read_command(struct cli *cli, const struct cli_command *commands, size_t count)
{
    char names[128];

    list_names(commands, count, names, sizeof names);
    if (cli->operand_count == 0)
        return cli_misused(NULL, "name a command: %s", names);
    for (size_t i = 0; i < count && !cli->command; i++)
        if (strcmp(cli->operand[0], commands[i].name) == 0)
            cli->command = &commands[i];
    if (!cli->command)
        return cli_misused(NULL, "'%s' is no command; use %s", cli->operand[0], names);
    cli->operand_count--;
    memmove(cli->operand, cli->operand + 1, cli->operand_count * sizeof *cli->operand);
    return CLI_DONE;
}

static int check_command(const struct cli *cli)
{
    const struct cli_command *command = cli->command;

    for (size_t i = 0; i < CLI_OPTION_COUNT; i++)
        if (cli->value[i] && !((command->options | COMMON_OPTIONS) >> i & 1))
            return cli_misused(command, "--%s: '%s' has no such option", option_table[i].longName,
                               command->name);
    if (cli->operand_count > command->most_operands)
        return cli_misused(command,
                           "'%s' is one operand too many for '%s'; quote what holds spaces",
                           cli->operand[command->most_operands], command->name);
    return CLI_DONE;
}

static void print_options(const char *usage, unsigned options)
{
    const char *argv[] = {"clslice", NULL};
    struct poptOption table[CLI_OPTION_COUNT + 1];
    poptContext popt;

    make_table(table, options);
    popt = poptGetContext("clslice", 1, argv, table, 0);
    poptSetOtherOptionHelp(popt, usage);
    poptPrintHelp(popt, stdout, 0);
    poptFreeContext(popt);
}

static void print_help(const struct cli_command *command, const struct cli_command *commands,
                       size_t count)
{
    char usage[128];

    if (command) {
        snprintf(usage, sizeof usage, "%s %s", command->name, command->operands);
        print_options(usage, command->options | COMMON_OPTIONS);
        printf("\n%s\n", command->details);
        return;
    }
    print_options("[OPTION...] COMMAND", COMMON_OPTIONS | 1u << CLI_VERSION);
    printf("\nCommands; each has its own --help:\n");
    for (size_t i = 0; i < count; i++)
        printf("  %-9s %s\n", commands[i].name, commands[i].summary);
}

static void print_version(void)
{
    const struct clslice_api *api = clslice_get_api(CLSLICE_ABI_VERSION);

    printf("clslice %s\n", api ? api->version : CLSLICE_VERSION);
}

int cli_read(struct cli *cli, int argc, char **argv, const struct cli_command *commands,
             size_t count)
{
    size_t words = (size_t)argc + 1;
    const char **options = calloc(words, sizeof *options);
    int status;

    *cli = (struct cli){.operand = calloc(words, sizeof *cli->operand)};
    if (!options || !cli->operand) {
        status = cli_fail(CLI_FAILED, "out of memory");
        goto end;
    }
    status = read_options(cli, part_words(cli, argc, argv, options), options);
    if (status != CLI_DONE)
        goto end;
    if (cli->value[CLI_VERSION]) {
        print_version();
        goto end;
    }
    if (cli->operand_count > 0 || !cli->value[CLI_HELP])
        status = read_command(cli, commands, count);
    if (status == CLI_DONE && cli->value[CLI_HELP]) {
        print_help(cli->command, commands, count);
        cli->command = NULL;
    } else if (status == CLI_DONE) {
        status = check_command(cli);
    }
end:
    free(options);
    return status;
}

void cli_release(struct cli *cli)
{
    for (size_t i = 0; i < CLI_OPTION_COUNT; i++)
        free(cli->value[i]);
    free(cli->operand);
    *cli = (struct cli){0};
}
