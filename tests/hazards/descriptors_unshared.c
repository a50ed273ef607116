/* A thread parts with the descriptors of the others: from then on one number means two files, and what is written to the
   one must not be counted as written to the other. Recording stops, and the log says so.
   OPERATION processes STOPPED = 1
   EXPECT POSIX first.dat POSIX_WRITES = 1
   EXPECT POSIX first.dat POSIX_BYTES_WRITTEN = 10
   ABSENT POSIX second.dat */
#include <pthread.h>
#include <sched.h>

#include "tests/hazards/hazard.h"

static int shared;

static void *part(void *unused) {
    CHECK(unshare(CLONE_FILES) == 0);
    CHECK(close(shared) == 0);
    CHECK(fresh("second.dat") == shared);
    put(shared, 3);
    return unused;
}

int main(void) {
    pthread_t thread;
    CHECK(unshare(CLONE_FILES) == 0); /* alone, that changes nothing */
    shared = fresh("first.dat");
    put(shared, 10);
    CHECK(pthread_create(&thread, NULL, part, NULL) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
    put(shared, 20);
    return 0;
}
