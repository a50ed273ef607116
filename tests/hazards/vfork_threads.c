/* Two threads in vfork at once: the child of one lives on while the other makes several and goes on with its work.
   LINK -pthread
   EXPECT POSIX main.dat POSIX_WRITES = 101
   EXPECT POSIX main.dat POSIX_BYTES_WRITTEN = 101
   EXPECT POSIX thread.dat POSIX_OPENS = 5
   EXPECT POSIX thread.dat POSIX_WRITES = 5 */
#include <pthread.h>
#include <sys/syscall.h>

#include "tests/hazards/hazard.h"

static int begin[2], over[2];

static void *forks(void *context) {
    char byte;
    CHECK(read(begin[0], &byte, 1) == 1);
    for (int i = 0; i < 5; i++) {
        pid_t child = vfork();
        CHECK(child >= 0);
        if (child == 0) _exit(0);
        collect(child);
        int fd = fresh("thread.dat");
        put(fd, 1);
        CHECK(close(fd) == 0);
    }
    put(over[1], 1);
    return context;
}

int main(void) {
    pthread_t thread;
    int fd = fresh("main.dat");
    put_at(fd, 1, 0);
    CHECK(pipe(begin) == 0 && pipe(over) == 0);
    CHECK(pthread_create(&thread, NULL, forks, NULL) == 0);
    pid_t child = vfork();
    CHECK(child >= 0);
    if (child == 0) {
        char byte = 0;
        syscall(SYS_write, begin[1], &byte, 1);
        syscall(SYS_read, over[0], &byte, 1);
        _exit(0);
    }
    collect(child);
    CHECK(pthread_join(thread, NULL) == 0);
    for (int i = 0; i < 100; i++) put_at(fd, 1, i);
    say("done");
    return 0;
}
