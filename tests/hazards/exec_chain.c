/* One process, three program images: they are one rank, and what the first two recorded must outlive them.
   PROCESSES 1
   RECORDS POSIX a.dat 1
   EXPECT POSIX a.dat POSIX_WRITES = 2
   EXPECT POSIX a.dat POSIX_BYTES_WRITTEN = 5
   EXPECT POSIX a.dat POSIX_OPENS = 2
   EXPECT POSIX b.dat POSIX_BYTES_WRITTEN = 4
   EXPECT POSIX c.dat POSIX_BYTES_WRITTEN = 6 */
#include "tests/hazards/hazard.h"

int main(int argc, char **argv) {
    if (argc == 1) {
        put(fresh("a.dat"), 3);
        again("second");
    } else if (strcmp(argv[1], "second") == 0) {
        put(fresh("b.dat"), 4);
        put(fresh("a.dat"), 2);
        again("third");
    }
    put(fresh("c.dat"), 6);
    say("third");
    return 0;
}
