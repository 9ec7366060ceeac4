/* SPDX-License-Identifier: MIT */
#include "cli/cli.h"

#include "conformance/problem.h"

#include <clslice/clslice.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where no command is named. */
static const struct poptOption common_options[] = {CLI_COMMON_OPTIONS};

static const struct poptOption *options_of(const struct cli_command *command)
{
    return command ? command->options : common_options;
}

/* ---- Words ---- */

static bool is_operand(const char *word)
{
    return word[0] != '-' || word[1] == '\0' || word[1] == ':' ||
           (word[1] >= '0' && word[1] <= '9');
}

/* Whether the next word is the option's argument, whichever command the option belongs to. */
static bool takes_next(const char *word, const struct cli_command *const *commands)
{
    if (strncmp(word, "--", 2) != 0)
        return false;
    for (; *commands; ++commands)
        for (const struct poptOption *at = (*commands)->options; at->longName; ++at)
            if (at->argInfo == POPT_ARG_STRING && strcmp(word + 2, at->longName) == 0)
                return true;
    return false;
}

/* Parts the words: operands go to cli, options with their arguments, for popt to read, to
 * `options`. Returns how many the latter are. */
static int part_words(struct cli *cli, int argc, char **argv,
                      const struct cli_command *const *commands, const char **options)
{
    int count = 0;
    bool is_ended = false;

    options[count++] = "clslice";
    for (int i = 1; i < argc; ++i) {
        if (is_ended || is_operand(argv[i])) {
            cli->operand[cli->operand_count++] = argv[i];
        } else if (strcmp(argv[i], "--") == 0) {
            is_ended = true;
        } else {
            options[count++] = argv[i];
            if (takes_next(argv[i], commands) && i + 1 < argc)
                options[count++] = argv[++i];
        }
    }
    return count;
}

/* ---- The command ---- */

static void list_names(const struct cli_command *const *commands, char *text, size_t size)
{
    size_t used = 0;

    for (size_t i = 0; commands[i] && used < size; ++i)
        used += (size_t)snprintf(text + used, size - used, "%s%s",
                                 i == 0            ? ""
                                 : commands[i + 1] ? ", "
                                                   : " or ",
                                 commands[i]->name);
}

/* Takes the command's name, the first operand, if there is one. */
static bool read_command(struct cli *cli, const struct cli_command *const *commands,
                         struct problem *problem)
{
    char names[128];

    if (cli->operand_count == 0)
        return true;
    list_names(commands, names, sizeof names);
    for (; *commands && !cli->command; ++commands)
        if (strcmp(cli->operand[0], (*commands)->name) == 0)
            cli->command = *commands;
    if (!cli->command)
        return problem_misused(problem, "'%s' is not a command; use %s", cli->operand[0], names);
    --cli->operand_count;
    memmove(cli->operand, cli->operand + 1, cli->operand_count * sizeof *cli->operand);
    return true;
}

static bool check_command(const struct cli *cli, const struct cli_command *const *commands,
                          struct problem *problem)
{
    char names[128];

    if (!cli->command) {
        list_names(commands, names, sizeof names);
        return problem_misused(problem, "name a command: %s", names);
    }
    if (cli->operand_count > cli->command->most_operands)
        return problem_misused(problem, "too many operands for '%s': '%s'%s", cli->command->name,
                               cli->operand[cli->command->most_operands],
                               strstr(cli->command->operands, "KEY")
                                   ? "; put quotes around a KEY that contains spaces"
                                   : "");
    return true;
}

/* ---- Options ---- */

static bool read_options(struct cli *cli, int argc, const char **argv, struct problem *problem)
{
    poptContext popt = poptGetContext("clslice", argc, argv, options_of(cli->command), 0);
    int option;

    while ((option = poptGetNextOpt(popt)) > 0) {
        char *value = poptGetOptArg(popt);

        free(cli->value[option]);
        cli->value[option] = value ? value : strdup("");
    }
    if (option < -1)
        problem_misused(problem, "%s: %s", poptBadOption(popt, POPT_BADOPTION_NOALIAS),
                        poptStrerror(option));
    poptFreeContext(popt);
    return option >= -1;
}

/* ---- Help ---- */

static void print_help(const struct cli_command *command, const struct cli_command *const *commands)
{
    const char *argv[] = {"clslice", NULL};
    poptContext popt = poptGetContext("clslice", 1, argv, options_of(command), 0);
    char usage[128] = "[OPTION...] COMMAND";

    if (command)
        snprintf(usage, sizeof usage, "%s %s", command->name, command->operands);
    poptSetOtherOptionHelp(popt, usage);
    poptPrintHelp(popt, stdout, 0);
    poptFreeContext(popt);
    printf("\n%s\n", command ? command->details : "Commands; each has its own --help:");
    for (; !command && *commands; ++commands)
        printf("  %-9s %s\n", (*commands)->name, (*commands)->summary);
}

static void print_version(void)
{
    const struct clslice_api *api = clslice_get_api(CLSLICE_ABI_VERSION);

    printf("clslice %s\n", api ? api->version : CLSLICE_VERSION);
}

/* ---- All of it ---- */

bool cli_read(struct cli *cli, int argc, char **argv, const struct cli_command *const *commands,
              bool *is_done, struct problem *problem)
{
    size_t words = (size_t)argc + 1;
    const char **options;

    *is_done = false;
    *cli = (struct cli){.operand = calloc(2 * words, sizeof *cli->operand)};
    if (!cli->operand)
        return problem_set(problem, "out of memory");
    options = cli->operand + words; /* of use only here */
    argc = part_words(cli, argc, argv, commands, options);
    if (!read_command(cli, commands, problem) || !read_options(cli, argc, options, problem))
        return false;
    *is_done = cli->value[CLI_VERSION] || cli->value[CLI_HELP];
    if (cli->value[CLI_VERSION])
        print_version();
    else if (cli->value[CLI_HELP])
        print_help(cli->command, commands);
    return *is_done || check_command(cli, commands, problem);
}

void cli_release(struct cli *cli)
{
    for (size_t i = 0; i < CLI_MAX_OPTIONS; ++i)
        free(cli->value[i]);
    free(cli->operand);
    *cli = (struct cli){0};
}
