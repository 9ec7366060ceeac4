/* SPDX-License-Identifier: MIT */
/* Makes the program that it is linked into one that takes the user's locale, as hosts with windows
 * do, where in_locale.sh runs it. */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((constructor)) static void take_locale(void)
{
    const char *wanted = getenv("CLSLICE_TEST_LOCALE");
    char shown[8];
    if (!wanted)
        return;
    const char *taken = setlocale(LC_ALL, "");
    snprintf(shown, sizeof shown, "%.1f", 0.5);
    if (!taken || strcmp(taken, wanted) != 0 || strcmp(shown, "0,5") != 0) {
        fprintf(stderr, "the locale is %s, not %s\n", taken ? taken : "unknown", wanted);
        exit(EXIT_FAILURE);
    }
}
