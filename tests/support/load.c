/* Reads files for test tools. */
#include "tests/support/load.h"

#include <stdio.h>
#include <stdlib.h>

bytes load_file(const char *path) {
    bytes all = {0};
    uint8_t part[65536];
    FILE *file = fopen(path, "rb");
    if (!file) {
        fprintf(stderr, "cannot read %s: %m\n", path);
        exit(2);
    }
    for (size_t n; (n = fread(part, 1, sizeof part, file)) > 0;) bytes_raw(&all, part, n);
    fclose(file);
    return all;
}
