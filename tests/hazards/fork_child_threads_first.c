/* Forked children whose first I/O comes from two threads at once: both find that the records are still the parent's.
   One of them makes the child's own; what the other does meanwhile may be missing, but nothing after that.
   LINK -pthread
   PROCESSES 201
   EXPECT POSIX first.dat POSIX_WRITES >= 200
   EXPECT POSIX first.dat POSIX_WRITES <= 400
   EXPECT POSIX out.dat POSIX_WRITES = 8010
   EXPECT POSIX out.dat POSIX_BYTES_WRITTEN = 8010 */
#include <pthread.h>

#include "tests/hazards/hazard.h"

enum { CHILDREN = 200, TIMES = 20 };

static int first, fd;
static pthread_barrier_t together;

static void *writes(void *context) {
    pthread_barrier_wait(&together);
    put_at(first, 1, 0);
    pthread_barrier_wait(&together);
    for (int i = 0; i < TIMES; i++) put_at(fd, 1, i);
    return context;
}

static void be_child(void) {
    pthread_t threads[2];
    CHECK(pthread_barrier_init(&together, NULL, 2) == 0);
    for (int i = 0; i < 2; i++) CHECK(pthread_create(&threads[i], NULL, writes, NULL) == 0);
    for (int i = 0; i < 2; i++) CHECK(pthread_join(threads[i], NULL) == 0);
    _exit(0);
}

/* Another number of children may be given, for tests/faults/forks.sh. */
int main(int argc, char **argv) {
    const int children = argc > 1 ? atoi(argv[1]) : CHILDREN;
    first = fresh("first.dat"), fd = fresh("out.dat");
    for (int i = 0; i < 10; i++) put_at(fd, 1, i);
    for (int i = 0; i < children; i++) {
        pid_t child = fork();
        CHECK(child >= 0);
        if (child == 0) be_child();
        collect(child);
    }
    say("done");
    return 0;
}
