/* A process forks while other threads are in the middle of recorded calls: the child must not find a held lock.
   LINK -pthread
   PROCESSES 51
   EXPECT POSIX child.dat POSIX_WRITES = 50
   EXPECT POSIX child.dat POSIX_BYTES_WRITTEN = 150
   EXPECT STDIO child.txt STDIO_WRITES = 50
   EXPECT POSIX busy*.dat POSIX_WRITES > 0
   RECORDS POSIX child.dat 50 */
#include <pthread.h>
#include <stdatomic.h>

#include "tests/hazards/hazard.h"

static atomic_int stop;

static void *writes(void *name) {
    int fd = fresh(name);
    FILE *stream = fopen("/dev/null", "w");
    CHECK(stream);
    while (!stop) {
        put_at(fd, 8, 0);
        fputs("text", stream);
    }
    fclose(stream);
    close(fd);
    return NULL;
}

static void child(void) {
    int fd = open("child.dat", O_WRONLY | O_CREAT | O_APPEND, 0644);
    CHECK(fd >= 0);
    put(fd, 3);
    FILE *stream = fopen("child.txt", "a");
    CHECK(stream && fputs("line\n", stream) >= 0 && fclose(stream) == 0);
    exit(0);
}

int main(void) {
    pthread_t threads[3];
    char names[3][16];
    for (int i = 0; i < 3; i++) {
        snprintf(names[i], sizeof names[i], "busy%d.dat", i);
        CHECK(pthread_create(&threads[i], NULL, writes, names[i]) == 0);
    }
    for (int i = 0; i < 50; i++) {
        pid_t pid = fork();
        CHECK(pid >= 0);
        if (pid == 0) child();
        collect(pid);
    }
    stop = 1;
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    say("done");
    return 0;
}
