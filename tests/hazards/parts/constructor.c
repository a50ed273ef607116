/* A library that opens and writes a file in its constructor, and keeps it open. */
#include "tests/hazards/hazard.h"

int constructor_descriptor(void);

static int fd;

__attribute__((constructor)) static void begin(void) {
    fd = fresh("early.dat");
    put(fd, 6);
}

int constructor_descriptor(void) { return fd; }
