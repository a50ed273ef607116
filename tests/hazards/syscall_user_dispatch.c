/* A program has the kernel send it a signal for each system call that comes from outside of a part of memory, as
   emulators and sandboxes do, and lets libc's own pass: no call of Iolite's comes from elsewhere.
   EXPECT POSIX out.dat POSIX_OPENS = 1
   EXPECT POSIX out.dat POSIX_WRITES = 12
   EXPECT POSIX out.dat POSIX_BYTES_WRITTEN = 115
   EXPECT POSIX after.dat POSIX_WRITES = 1 */
#include <dlfcn.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>

#include "tests/hazards/hazard.h"

enum { SET_DISPATCH = 59, OFF = 0, ON = 1 };

static volatile char selector;
static volatile sig_atomic_t taken;

static void on_call(int number) {
    (void)number;
    selector = 0;
    taken++;
}

/* Where the code of the library is that has this function. */
static int find_code(const void *function, unsigned long *begin, unsigned long *end) {
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[512];
    int found = 0;
    while (maps && !found && fgets(line, sizeof line, maps))
        if (sscanf(line, "%lx-%lx", begin, end) == 2)
            found = (unsigned long)function >= *begin && (unsigned long)function < *end;
    if (maps) fclose(maps);
    return found;
}

int main(void) {
    unsigned long begin, end;
    void *libc = dlopen("libc.so.6", RTLD_NOW | RTLD_NOLOAD);
    const void *inside = libc ? dlsym(libc, "gnu_get_libc_version") : NULL;
    struct sigaction action = {.sa_handler = on_call};
    struct stat facts;
    int fd = fresh("out.dat");
    put(fd, 5);
    CHECK(sigaction(SIGSYS, &action, NULL) == 0);
    if (!inside || !find_code(inside, &begin, &end)) return CANNOT_RUN_HERE;
    if (prctl(SET_DISPATCH, ON, begin, end - begin, &selector) != 0) return CANNOT_RUN_HERE;
    selector = 1;
    for (int i = 0; i < 10; i++) put(fd, 10);
    CHECK(fstat(fd, &facts) == 0 && access("elsewhere", F_OK) != 0 && chdir(".") == 0);
    const int own = dup(0); /* to be asked where it leads */
    CHECK(own >= 0 && close(own) == 0 && fsync(0) != 1);
    const int other = open("within.dat", O_WRONLY | O_CREAT, 0644);
    selector = 0;
    CHECK(other >= 0 && close(other) == 0 && unlink("within.dat") == 0);
    CHECK(prctl(SET_DISPATCH, OFF, 0, 0, 0) == 0);
    put(fd, 10);
    CHECK(close(fd) == 0);
    put(fresh("after.dat"), 1);
    say("signals %d", (int)taken);
    return 0;
}
