/* The allocator that does I/O while it holds its lock, at a site that leaves out files by expressions of their names: to
   match them must not allocate. The second stage has the settings from its start.
   PART locking_malloc
   PLAIN
   LOGS 1 2
   FLAGS -pthread
   LINK -pthread -Wl,--no-as-needed
   ABSENT POSIX left.tmp
   EXPECT POSIX kept.dat POSIX_BYTES_WRITTEN = 5 */
#include <pthread.h>

#include "tests/hazards/hazard.h"

static void *opens(void *argument) {
    for (int i = 0; i < 200; i++) {
        char name[32];
        snprintf(name, sizeof name, "%s.%d.tmp", (const char *)argument, i);
        close(fresh(name));
        unlink(name);
        free(malloc(16));
    }
    return NULL;
}

/* A child of a process whose threads are in the middle of it has nobody who comes out of there. */
static void second(void) {
    pthread_t thread;
    for (int i = 0; i < 100; i++) free(malloc(16)); /* the first file is the allocator's */
    CHECK(pthread_create(&thread, NULL, opens, "other") == 0);
    for (int i = 0; i < 20; i++) {
        pid_t child = fork();
        CHECK(child >= 0);
        if (child == 0) {
            alarm(60);
            close(fresh("left.tmp"));
            _exit(0);
        }
        collect(child);
    }
    CHECK(pthread_join(thread, NULL) == 0);
    put(fresh("left.tmp"), 3);
    put(fresh("kept.dat"), 5);
    say("done");
}

int main(int argc, char **argv) {
    (void)argv;
    if (argc > 1) {
        second();
        return 0;
    }
    char path[4096];
    int fd = fresh("site.conf");
    CHECK(write(fd, "NAME_EXCLUDE [.]tmp$ *\n", 23) == 23 && close(fd) == 0);
    CHECK(getcwd(path, sizeof path - 16));
    strcat(path, "/site.conf");
    CHECK(setenv("IOLITE_CONFIG", path, 1) == 0);
    again("second");
    return CHECK_FAILED;
}
