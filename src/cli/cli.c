/* SPDX-License-Identifier: MIT */
#include "cli/cli.h"

#include "conformance/problem.h"

#include <clslice/clslice.h>
#include <popt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What every command has. */
enum { DEVICE, HELP, VERSION };
static const struct cli_option common_options[] = {
    [DEVICE] = {"device", "SELECTOR",
                "use this device, not CLSLICE_DEVICE's; see 'clslice devices'"},
    [HELP] = {"help", NULL, "print this and exit"},
    [VERSION] = {"version", NULL, "print the version and exit"},
    {NULL, NULL, NULL},
};

static size_t count_options(const struct cli_option *options)
{
    size_t count = 0;

    while (options && options[count].name)
        ++count;
    return count;
}

/* ---- Words ---- */

static bool is_operand(const char *word)
{
    return word[0] != '-' || word[1] == '\0' || word[1] == ':' ||
           (word[1] >= '0' && word[1] <= '9');
}

static bool is_followed_by_argument(const char *word, const struct cli_option *options)
{
    size_t count = count_options(options);

    for (size_t i = 0; i < count; ++i)
        if (options[i].argument && strncmp(word, "--", 2) == 0 &&
            strcmp(word + 2, options[i].name) == 0)
            return true;
    return false;
}

/* Whether the next word is the option's argument, whichever command the option belongs to. */
static bool takes_next(const char *word, const struct cli_command *const *commands)
{
    for (; *commands; ++commands)
        if (is_followed_by_argument(word, (*commands)->options))
            return true;
    return is_followed_by_argument(word, common_options);
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
        return problem_misused(
            problem,
            "too many operands for '%s': '%s'; put quotes around a KEY that contains spaces",
            cli->command->name, cli->operand[cli->command->most_operands]);
    return true;
}

/* ---- Options ---- */

/* Appends the options, numbered from 1 through the whole table, and popt's end. Returns the
 * count. */
static size_t append(struct poptOption table[CLI_MAX_OPTIONS + 1], size_t count,
                     const struct cli_option *options)
{
    size_t more = count_options(options);

    for (size_t i = 0; i < more && count < CLI_MAX_OPTIONS; ++i, ++count)
        /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): none means `more` is 0 */
        table[count] = (struct poptOption){options[i].name,
                                           0,
                                           options[i].argument ? POPT_ARG_STRING : POPT_ARG_NONE,
                                           NULL,
                                           (int)count + 1,
                                           options[i].help,
                                           options[i].argument};
    table[count] = (struct poptOption)POPT_TABLEEND;
    return count;
}

/* The command's own options, then those of every command. Returns the number of the former. */
static size_t make_table(struct poptOption table[CLI_MAX_OPTIONS + 1],
                         const struct cli_command *command)
{
    size_t own = append(table, 0, command ? command->options : NULL);

    append(table, own, common_options);
    return own;
}

/* Sets *common to the place in cli->value of the first option that every command has. */
static bool read_options(struct cli *cli, int argc, const char **argv, size_t *common,
                         struct problem *problem)
{
    struct poptOption table[CLI_MAX_OPTIONS + 1];
    poptContext popt;
    int option;

    *common = make_table(table, cli->command);
    popt = poptGetContext("clslice", argc, argv, table, 0);
    while ((option = poptGetNextOpt(popt)) > 0) {
        char *value = poptGetOptArg(popt);

        free(cli->value[option - 1]);
        cli->value[option - 1] = value ? value : strdup("");
    }
    if (option < -1)
        problem_misused(problem, "%s: %s", poptBadOption(popt, POPT_BADOPTION_NOALIAS),
                        poptStrerror(option));
    poptFreeContext(popt);
    cli->device = cli->value[*common + DEVICE];
    return option >= -1;
}

/* ---- Help ---- */

static void print_options(const char *usage, const struct cli_command *command)
{
    const char *argv[] = {"clslice", NULL};
    struct poptOption table[CLI_MAX_OPTIONS + 1];
    poptContext popt;

    make_table(table, command);
    popt = poptGetContext("clslice", 1, argv, table, 0);
    poptSetOtherOptionHelp(popt, usage);
    poptPrintHelp(popt, stdout, 0);
    poptFreeContext(popt);
}

static void print_help(const struct cli_command *command, const struct cli_command *const *commands)
{
    char usage[128];

    if (command) {
        snprintf(usage, sizeof usage, "%s %s", command->name, command->operands);
        print_options(usage, command);
        printf("\n%s\n", command->details);
        return;
    }
    print_options("[OPTION...] COMMAND", NULL);
    printf("\nCommands; each has its own --help:\n");
    for (; *commands; ++commands)
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
    const char **options = calloc(words, sizeof *options);
    size_t common = 0;
    bool is_read;

    *is_done = false;
    *cli = (struct cli){.operand = calloc(words, sizeof *cli->operand)};
    if (!options || !cli->operand) {
        free(options);
        return problem_set(problem, "out of memory");
    }
    argc = part_words(cli, argc, argv, commands, options);
    is_read =
        read_command(cli, commands, problem) && read_options(cli, argc, options, &common, problem);
    free(options);
    if (!is_read)
        return false;
    *is_done = cli->value[common + VERSION] || cli->value[common + HELP];
    if (cli->value[common + VERSION])
        print_version();
    else if (cli->value[common + HELP])
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
