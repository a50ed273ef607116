/* Between vfork and exec the child rearranges its descriptors in the parent's memory. They are not the parent's.
   PROCESSES 2
   EXPECT POSIX a.dat POSIX_BYTES_WRITTEN = 9
   EXPECT POSIX b.dat POSIX_BYTES_WRITTEN = 5
   EXPECT POSIX b.dat POSIX_WRITES = 1
   RECORDS POSIX b.dat 1 */
#include "tests/hazards/hazard.h"

int main(int argc, char **argv) {
    (void)argv;
    if (argc > 1) {
        put(101, 7);
        return 0;
    }
    int a = fresh("a.dat"), b = fresh("b.dat");
    CHECK(dup2(a, 100) == 100 && dup2(b, 101) == 101);
    pid_t child = vfork();
    CHECK(child >= 0);
    if (child == 0) {
        dup2(100, 101);
        close(100);
        close(a);
        close(b);
        again("child");
        _exit(1);
    }
    collect(child);
    put(100, 2);
    put(101, 5);
    return 0;
}
