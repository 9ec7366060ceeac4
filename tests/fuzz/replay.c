/* SPDX-License-Identifier: MIT */
/* replay FOLDER...: gives every file there to a fuzz target, for builds without a fuzzer. */
#include "fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int replay_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    unsigned char *bytes = NULL;
    size_t size = 0, room = 0;
    if (!file)
        return -1;
    do {
        room += 65536;
        bytes = realloc(bytes, room);
        if (!bytes)
            break;
        size += fread(bytes + size, 1, room - size, file);
    } while (size == room);
    fclose(file);
    if (!bytes)
        return -1;
    /* As long as the input is, so that a sanitizer sees the first byte beyond it. */
    unsigned char *exact = malloc(size + (size == 0));
    if (exact) {
        memcpy(exact, bytes, size);
        LLVMFuzzerTestOneInput(exact, size);
    }
    free(exact);
    free(bytes);
    return exact ? 0 : -1;
}

/* How many files it gave; -1 where one could not be read. */
static int replay_folder(const char *path)
{
    DIR *folder = opendir(path);
    int count = 0;
    if (!folder)
        return -1;
    for (struct dirent *item; count >= 0 && (item = readdir(folder));) {
        char name[4096];
        if (item->d_name[0] == '.')
            continue;
        snprintf(name, sizeof name, "%s/%s", path, item->d_name);
        count = replay_file(name) == 0 ? count + 1 : -1;
    }
    closedir(folder);
    return count;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; ++i) {
        int count = replay_folder(argv[i]);
        printf("%s: %d inputs\n", argv[i], count);
        if (count <= 0)
            return EXIT_FAILURE;
    }
    return argc > 1 ? EXIT_SUCCESS : EXIT_FAILURE;
}
