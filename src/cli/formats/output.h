/* SPDX-License-Identifier: MIT */
/* Output files that appear complete or not at all. */
#ifndef CLSLICE_CLI_FORMATS_OUTPUT_H
#define CLSLICE_CLI_FORMATS_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

struct problem;

/*
 * A file that appears under its name complete, or not at all: until output_commit its bytes are in
 * a file without a name in the same directory (under a random name .clslice-* where the file system
 * has no O_TMPFILE). All zeros is a valid output that owns nothing.
 */
struct output {
    const char *path;   /* borrowed from output_open's caller, for texts; NULL: nothing is open */
    char *name;         /* owned; the target in its directory, symbolic links resolved */
    int directory;      /* owned descriptor */
    int fd;             /* owned; -1 when closed */
    char temporary[32]; /* name in the directory; empty while the file has none */
    /* Of the file that is there, whose permission bits and, where allowed, owner are kept; st_mode
     * is 0 where none is. */
    struct stat old;
    void *mapping; /* owned */
    size_t mapping_bytes;
};

/*
 * Checks that `path` may be written and opens the temporary file. A symbolic link is followed, what
 * it points at will be replaced. A target must be a regular file that the user may write; a new one
 * gets the mode that open(2) with 0666 gives. `path` must live as long as the output. After a
 * failure nothing is open.
 */
bool output_open(struct output *output, const char *path, struct problem *problem);

/*
 * Makes the content `header` followed by data_bytes zeros, and maps it for writing. The space is on
 * the disk before this returns, so a write to *data is never a SIGBUS. *data is NULL if data_bytes
 * is 0 and valid until commit or discard. Once per output, and not after output_write.
 */
bool output_map(struct output *output, const void *header, size_t header_bytes, uint64_t data_bytes,
                void **data, struct problem *problem);

/* Appends to the content. */
bool output_write(struct output *output, const void *bytes, size_t count, struct problem *problem);

/* Brings the content to the disk, and tells how far it is. output_commit does that too, but has
 * little to do behind this. */
bool output_sync(const struct output *output, struct problem *problem);

/*
 * Brings the content to the disk and then gives it the target's name, in one atomic step. Hard
 * links to an old file keep the old content. Frees the output, also on failure; then the old file
 * is as it was.
 */
bool output_commit(struct output *output, struct problem *problem);

/* Drops the content and frees the output. NULL, half-opened, committed and all-zero outputs are
 * fine. */
void output_discard(struct output *output);

#endif
