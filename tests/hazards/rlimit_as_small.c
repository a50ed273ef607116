/* Hardly any address space: Iolite goes without its memory, the program does not.
   TALK
   EXPECT POSIX first.dat POSIX_WRITES = 1 */
#include <sys/resource.h>

#include "tests/hazards/hazard.h"

int main(int argc, char **argv) {
    (void)argv;
    if (argc > 1) {
        int fd = fresh("second.dat");
        for (int i = 0; i < 100; i++) put(fd, 10);
        FILE *stream = fopen("second.txt", "w");
        CHECK(stream && fputs("text\n", stream) >= 0 && fclose(stream) == 0);
        return 0;
    }
    put(fresh("first.dat"), 4);
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        CHECK(setrlimit(RLIMIT_AS, &(struct rlimit){9 << 20, 9 << 20}) == 0);
        again("second");
    }
    collect(child);
    return 0;
}
