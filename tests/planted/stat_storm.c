/* Waits for a result by asking for it again and again, and looks at all the others too.
   PREPARE
   FINDS posix.stat.heavy */
#include "tests/planted/planted.h"

enum { FILES = 200 };

static const char *part(int number) {
    static char path[32];
    snprintf(path, sizeof path, "part.%d", number);
    return path;
}

int main(int argc, char **argv) {
    struct stat status;
    for (int i = 0; i < FILES && preparing(argc, argv); i++) make_sparse(part(i), 100);
    if (preparing(argc, argv)) return 0;
    for (int i = 0; more(5000); i++) NEED(stat(part(i % FILES), &status) == 0); /* HERE */
    return 0;
}
