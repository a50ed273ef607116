/* Asks for the attributes of many files, again and again, and opens none of them.
   PREPARE
   FINDS posix.stat.heavy */
#include "tests/planted/planted.h"

enum { FILES = 1500 };

int main(int argc, char **argv) {
    struct stat facts;
    char name[32];
    for (int i = 0; preparing(argc, argv) && i < FILES; i++) {
        snprintf(name, sizeof name, "sample%d", i);
        make_sparse(name, 1);
    }
    for (int i = 0; !preparing(argc, argv) && more(100000); i++) {
        snprintf(name, sizeof name, "sample%d", i % FILES);
        NEED(stat(name, &facts) == 0); /* HERE */
    }
    return 0;
}
