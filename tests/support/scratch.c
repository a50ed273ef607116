/* Scratch files. A failure ends the fuzzer: there is nothing to prove after it. */
#include "tests/support/scratch.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/support/load.h"
#include "tests/support/read_all.h"

const char *scratch_path(int number) {
    static char paths[8][64];
    static const char *folder;
    if (!folder) folder = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    char *path = paths[number & 7];
    snprintf(path, sizeof paths[0], "%s/iolite-fuzz-%ld-%d", folder, (long)getpid(), number & 7);
    return path;
}

const char *scratch_write(int number, const uint8_t *data, size_t length) {
    const char *path = scratch_path(number);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(data, 1, length, file) != length || fclose(file) != 0) abort();
    return path;
}

void scratch_must_be_clean(int number) {
    const char *path = scratch_path(number);
    bytes file = load_file(path);
    read_all_result result = read_all(file.data, file.length, path);
    bytes_free(&file);
    if (result.opened != IOL_OK || result.errors > result.unknown) {
        fprintf(stderr, "what was written cannot be read again: see %s\n", path);
        abort();
    }
    unlink(path);
}
