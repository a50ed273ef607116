/* Destructors of the program and of its libraries do I/O, and those of libraries come after Iolite's own.
   PART destructor
   EXPECT POSIX main.dat POSIX_WRITES = 1
   EXPECT POSIX own.dat POSIX_WRITES = 1
   EXPECT POSIX kept.dat POSIX_WRITES = 1
   EXPECT POSIX late.dat POSIX_WRITES = 1
   EXPECT STDIO late.txt STDIO_WRITES = 1 */
#include "tests/hazards/hazard.h"

void destructor_needed(void);

__attribute__((destructor)) static void own_destructor(void) { put(fresh("own.dat"), 3); }

int main(void) {
    destructor_needed();
    put(fresh("main.dat"), 5);
    return 0;
}
