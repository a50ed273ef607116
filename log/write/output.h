/* A file that appears under its name whole or not at all.
   It is written without a name where the file system can do that, so that even a killed writer leaves nothing behind;
   elsewhere under a temporary name beside the target. */
#ifndef IOL_LOG_OUTPUT_H
#define IOL_LOG_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct iol__output {
    int fd;
    char *path;      /* final name */
    char *temporary; /* name while being written, NULL if it has none */
    bool replace;
    bool unhurried; /* it may reach the disk later, where that cannot fail any more */
} iol__output;

/* 0 or an errno value. EEXIST if there is such a file and it may not be replaced, ENOTSUP if it is not a regular file. */
int iol__output_open(iol__output *output, const char *path, bool replace);
/* Where temporary files go: TMPDIR, else /tmp. */
const char *iol__temporary_directory(void);
/* A file without a name in the temporary directory, for what is read again soon. */
int iol__output_anonymous(iol__output *output);
/* Its descriptor, which is the caller's from here on. */
int iol__output_keep(iol__output *output);
int iol__output_write(iol__output *output, uint64_t offset, const void *bytes, size_t length);
/* Permissions, to disk (or on its way there), and under its name. The output is closed either way. */
int iol__output_finish(iol__output *output, mode_t mode);
/* As if it had never been. */
void iol__output_abort(iol__output *output);

#endif
