/* A library that does I/O of every kind in its destructor. */
#include "tests/hazards/hazard.h"

void destructor_needed(void);

static int fd = -1;

void destructor_needed(void) { fd = fresh("kept.dat"); }

__attribute__((destructor)) static void end(void) {
    put(fd, 2);
    CHECK(close(fd) == 0);
    put(fresh("late.dat"), 6);
    FILE *stream = fopen("late.txt", "w");
    CHECK(stream && fprintf(stream, "%d\n", 7) == 2 && fclose(stream) == 0);
}
