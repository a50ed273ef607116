/* Looks for new parts by listing the whole directory again and again.
   PREPARE
   FINDS posix.names.heavy */
#include <dirent.h>

#include "tests/planted/planted.h"

enum { PARTS = 200 };

static int count_parts(void) {
    int parts = 0;
    DIR *directory = opendir("parts");
    NEED(directory);
    while (readdir(directory)) parts++; /* HERE */
    NEED(closedir(directory) == 0);
    return parts;
}

int main(int argc, char **argv) {
    char path[32];
    if (preparing(argc, argv)) NEED(mkdir("parts", 0700) == 0);
    for (int i = 0; i < PARTS && preparing(argc, argv); i++) {
        snprintf(path, sizeof path, "parts/%d", i);
        make_sparse(path, 100);
    }
    while (!preparing(argc, argv) && more(6000)) NEED(count_parts() >= PARTS);
    return 0;
}
