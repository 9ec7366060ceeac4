/* SPDX-License-Identifier: MIT */
#include "cli/bench/bench_picture.h"

#include "cli/bench/bench_case.h"
#include "cli/formats/output.h"
#include "conformance/problem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NO_PROGRAM = 127 };

/* What gnuplot draws on; NULL: the suffix is neither. */
static const char *terminal_of(const char *path)
{
    const char *suffix = strrchr(path, '.');

    if (suffix && strcmp(suffix, ".svg") == 0)
        return "svg";
    return suffix && strcmp(suffix, ".png") == 0 ? "pngcairo" : NULL;
}

/* Runs `gnuplot OPTION`, or with NULL what stands in the file `in`. Borrows the descriptors. */
static bool run_gnuplot(const char *option, int in, int out, struct problem *problem)
{
    int status = 0;
    pid_t child = fork();

    if (child == 0) {
        if (dup2(in, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0)
            execlp("gnuplot", "gnuplot", option, (char *)NULL);
        _exit(NO_PROGRAM);
    }
    if (child < 0)
        return problem_set(problem, "cannot start gnuplot: %s", strerror(errno));
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return problem_set(problem, "cannot wait for gnuplot: %s", strerror(errno));
    if (WIFEXITED(status) && WEXITSTATUS(status) == NO_PROGRAM)
        return problem_set(problem, "--picture needs gnuplot, which could not be run; install it");
    return status == 0 || problem_set(problem, "gnuplot failed, %s %d",
                                      WIFEXITED(status) ? "exit status" : "signal",
                                      WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
}

bool bench_picture_check(const char *path, struct problem *problem)
{
    struct output output;
    int null;
    bool runs;

    if (!terminal_of(path))
        return problem_set(problem, "cannot write %s: the name must end in .svg or .png", path);
    if (!output_open(&output, path, problem))
        return false;
    output_discard(&output);
    null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null < 0)
        return problem_set(problem, "cannot open /dev/null: %s", strerror(errno));
    runs = run_gnuplot("--version", null, null, problem);
    close(null);
    return runs;
}

/* As gnuplot quotes, without its markup. */
static void print_quoted(FILE *script, const char *text)
{
    fputc('\'', script);
    for (; *text != '\0'; ++text)
        fputs(*text == '\'' ? "''" : (char[]){*text, '\0'}, script);
    fputc('\'', script);
}

/* A line for each case: its name, its efficiency, its twin's, which was measured behind it. */
static void print_rows(FILE *script, const struct bench_report *report)
{
    for (size_t i = 0; i < report->count; ++i) {
        const struct bench_row *row = &report->rows[i];

        if (row->even) /* stands in that case's line */
            continue;
        fprintf(script, "%.*s", (int)bench_family_length(row->c), row->c->name);
        if (bench_is_twin(row->c))
            fprintf(script, " - %g\n", row->efficiency);
        else if (i + 1 < report->count && row[1].even == row)
            fprintf(script, " %g %g\n", row->efficiency, row[1].efficiency);
        else
            fprintf(script, " %g -\n", row->efficiency);
    }
}

/* gnuplot complains of a column without a bar. */
static void print_plot(FILE *script, const struct bench_report *report)
{
    bool has[2] = {false, false};

    for (size_t i = 0; i < report->count; ++i)
        has[bench_is_twin(report->rows[i].c)] = true;
    fprintf(script, "plot %s%s%s\n", has[0] ? "$rows using 2:xtic(1) title 'even'" : "",
            has[0] && has[1] ? ", " : "", has[1] ? "$rows using 3:xtic(1) title 'awkward'" : "");
}

static void print_script(FILE *script, const char *terminal, const struct bench_report *report)
{
    fprintf(script, "set terminal %s noenhanced size 1280,640 background 'white'\nset title ",
            terminal);
    print_quoted(script, report->copy->cl->info.name);
    fprintf(script,
            "\nset ylabel 'efficiency: 1 is the speed of a copy, %.0f GB/s'\n"
            "set yrange [0:1.1<*]\n"
            "set grid ytics\n"
            "set key outside top right horizontal\n"
            "set xtics rotate by 45 right nomirror\n"
            "set style data histograms\n"
            "set style fill solid\n"
            "set datafile missing '-'\n"
            "$rows << END\n",
            report->copy->bytes_per_second / 1e9);
    print_rows(script, report);
    fputs("END\n", script);
    print_plot(script, report);
}

static bool draw(const char *path, const struct bench_report *report, struct output *output,
                 struct problem *problem)
{
    FILE *script = tmpfile();
    bool is_drawn;

    if (!script)
        return problem_set(problem, "cannot make a temporary file: %s", strerror(errno));
    print_script(script, terminal_of(path), report);
    is_drawn = fflush(script) == 0 && fseek(script, 0, SEEK_SET) == 0
                   ? run_gnuplot(NULL, fileno(script), output->fd, problem)
                   : problem_set(problem, "cannot write a temporary file: %s", strerror(errno));
    fclose(script);
    return is_drawn;
}

bool bench_picture_write(const char *path, const struct bench_report *report,
                         struct problem *problem)
{
    struct output output;

    if (report->count == 0)
        return problem_set(problem, "cannot write %s: none of the measured cases has an efficiency",
                           path);
    if (!output_open(&output, path, problem))
        return false;
    if (draw(path, report, &output, problem))
        return output_commit(&output, problem);
    output_discard(&output);
    return false;
}
