/* A library that is loaded at run time and does I/O. */
#include "tests/hazards/hazard.h"

int loaded_work(void);

int loaded_work(void) {
    int fd = open("library.dat", O_WRONLY | O_CREAT | O_APPEND, 0644);
    CHECK(fd >= 0);
    put(fd, 10);
    CHECK(close(fd) == 0);
    FILE *stream = fopen("library.txt", "a");
    CHECK(stream && fputs("line\n", stream) >= 0 && fclose(stream) == 0);
    return 42;
}
