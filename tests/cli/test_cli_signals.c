/* SPDX-License-Identifier: MIT */
/* `clslice slice` on a terminal, ended by a signal while it tells how far it is. */
#include "support/cli_process.h"
#include "support/suite.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* In three parts. */
#define IN_DICT "'descr': '|u1', 'fortran_order': False, 'shape': (5, 134217728), "
enum { BYTES = 5 << 27, SHOWN = 4096 };

static const int ends[] = {SIGINT, SIGTERM};

static int terminal;       /* the test's side */
static const char *device; /* the command's */

static void open_terminal(void)
{
    terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    ck_assert_int_ge(terminal, 0);
    ck_assert(grantpt(terminal) == 0 && unlockpt(terminal) == 0);
    ck_assert_ptr_nonnull(device = ptsname(terminal));
    ck_assert_int_eq(fcntl(terminal, F_SETFL, O_NONBLOCK), 0);
}

static void take_terminal(void)
{
    int fd = open(device, O_RDWR | O_NOCTTY | O_CLOEXEC);

    if (fd < 0 || dup2(fd, STDERR_FILENO) < 0)
        _exit(97);
}

/* Appends what the terminal shows. */
static void look(char shown[SHOWN])
{
    size_t used = strlen(shown);
    ssize_t count = read(terminal, shown + used, SHOWN - 1 - used);

    if (count > 0)
        shown[used + (size_t)count] = '\0';
}

static void wait_ms(long ms)
{
    nanosleep(&(struct timespec){.tv_nsec = ms * 1000000}, NULL);
}

/* Stops the command most of the time, so that it takes a second on any machine. False if it has
 * ended without a line; else it is stopped. */
static bool stop_while_slicing(pid_t pid, char shown[SHOWN])
{
    while (cli_is_running(pid)) {
        kill(pid, SIGSTOP);
        wait_ms(20);
        look(shown);
        if (strstr(shown, "slicing: "))
            return true;
        kill(pid, SIGCONT);
        wait_ms(2);
    }
    return false;
}

/* Its exit status; 0 where it came too late. */
static int end_by(int signal, char shown[SHOWN])
{
    struct cli_child child;
    struct cli_result result;

    open_terminal();
    shown[0] = '\0';
    child = cli_start("slice in.npy out.npy ::-1", NULL, take_terminal);
    if (stop_while_slicing(child.pid, shown)) {
        kill(child.pid, signal);
        kill(child.pid, SIGCONT);
    }
    result = cli_end(&child);
    look(shown);
    close(terminal);
    return result.status;
}

START_TEST(a_signal_leaves_no_file_and_no_line)
{
    static const char cleared[] = "\r\033[K";
    char shown[SHOWN];
    int status;

    npy_store("in.npy", IN_DICT, NULL, BYTES);
    do {
        text_store("out.npy", "old");
        status = end_by(ends[_i], shown);
    } while (status == 0);
    ck_assert_msg(status == 128 + ends[_i], "status %d: %s", status, shown);
    ck_assert_uint_gt(strlen(shown), strlen(cleared));
    ck_assert_str_eq(shown + strlen(shown) - strlen(cleared), cleared);
    assert_untouched("out.npy", "old");
    unlink("in.npy");
}
END_TEST

int main(int argc, char **argv)
{
    Suite *suite = suite_create("cli signals");
    TCase *tests = suite_case(suite, "cli signals");
    cli_path = argc > 1 ? argv[1] : "clslice";
    tcase_set_timeout(tests, 300);
    tcase_add_loop_test(tests, a_signal_leaves_no_file_and_no_line, 0, COUNT_OF(ends));
    return suite_run(suite);
}
