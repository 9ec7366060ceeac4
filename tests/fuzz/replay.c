/* SPDX-License-Identifier: MIT */
/*
 * A fuzz target without a fuzzer, over a corpus: a text file with one input per line, a word that
 * names it and its bytes as hexadecimal digits, or - for none. The words ascend. Lines that begin
 * with # are comments.
 *
 *     replay CORPUS                    gives every input to the target
 *     replay --unpack FOLDER CORPUS    writes every input to FOLDER/WORD, where libFuzzer reads it
 *
 * A line that is anything else, or no line at all, is an error.
 */
#include "fuzz.h"

#include <string.h>
#include <sys/types.h>

enum { WORD_MAX = 64 };

struct input {
    char word[WORD_MAX + 1];
    /* owned, with nothing behind them, so that a sanitizer sees who goes on reading */
    unsigned char *bytes;
    size_t size;
};

/* Reads the digits of one input; false where they are damaged. */
static bool read_bytes(const char *digits, struct input *input)
{
    if (strcmp(digits, "-") == 0)
        digits = "";
    size_t length = strspn(digits, "0123456789abcdef");
    if (digits[length] != '\0' || length % 2 != 0)
        return false;
    input->size = length / 2;
    input->bytes = malloc(input->size + (input->size == 0));
    for (size_t i = 0; input->bytes && i < input->size; ++i) {
        const char pair[] = {digits[2 * i], digits[2 * i + 1], '\0'};
        input->bytes[i] = (unsigned char)strtoul(pair, NULL, 16);
    }
    return input->bytes != NULL;
}

/* Reads a line without its end; says what is wrong with it, NULL if nothing. */
static const char *read_line(const char *line, struct input *input)
{
    static const char letters[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz";
    size_t length = strspn(line, letters);
    if (length == 0 || length > WORD_MAX || line[length] != ' ' || line[length + 1] == '\0')
        return "not a word, a space and hexadecimal digits";
    if (strncmp(line, input->word, length) < 0 ||
        (strncmp(line, input->word, length) == 0 && strlen(input->word) >= length))
        return "its word does not follow the last one";
    memcpy(input->word, line, length);
    input->word[length] = '\0';
    return read_bytes(line + length + 1, input) ? NULL : "not pairs of hexadecimal digits";
}

static bool unpack(const char *folder, const struct input *input)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, input->word);
    FILE *file = fopen(path, "wb");
    bool is_done = file && fwrite(input->bytes, 1, input->size, file) == input->size;
    if (file && fclose(file) != 0)
        is_done = false;
    if (!is_done)
        perror(path);
    return is_done;
}

/* How many inputs of the stream were given or, with a folder, unpacked; -1 where one could not
 * be. */
static int replay(FILE *stream, const char *path, const char *folder)
{
    struct input input = {.word = ""};
    char *line = NULL;
    size_t room = 0;
    int count = 0, number = 0;
    for (ssize_t length; count >= 0 && (length = getline(&line, &room, stream)) > 0;) {
        ++number;
        if (line[0] == '#')
            continue;
        /* What was cut has no end of line; what holds a NUL is shorter than it. */
        const char *wrong = line[length - 1] == '\n' ? NULL : "its end is missing";
        line[length - 1] = '\0';
        if (!wrong)
            wrong = strlen(line) + 1 == (size_t)length ? read_line(line, &input) : "a NUL byte";
        if (wrong)
            fprintf(stderr, "%s:%d: %s\n", path, number, wrong);
        else if (!folder)
            LLVMFuzzerTestOneInput(input.bytes, input.size);
        count = !wrong && (!folder || unpack(folder, &input)) ? count + 1 : -1;
        free(input.bytes);
        input.bytes = NULL;
    }
    free(line);
    return ferror(stream) ? -1 : count;
}

int main(int argc, char **argv)
{
    bool is_unpacking = argc == 4 && strcmp(argv[1], "--unpack") == 0;
    if (argc != 2 && !is_unpacking) {
        fprintf(stderr, "usage: %s [--unpack FOLDER] CORPUS\n", argv[0]);
        return 2;
    }
    const char *path = argv[argc - 1];
    FILE *stream = fopen(path, "rb");
    if (!stream) {
        perror(path);
        return EXIT_FAILURE;
    }
    int count = replay(stream, path, is_unpacking ? argv[2] : NULL);
    fclose(stream);
    printf("%s: %d inputs\n", path, count);
    return count > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
