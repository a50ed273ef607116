/* Threads open, and look at, more files than the memory for records holds, and each goes on writing to one that it keeps
   open: records give way all the time, and nothing is lost or counted twice.
   LINK -pthread
   ENV IOLITE_MEMORY=1
   PARTIAL POSIX
   PLAIN
   EXPECT POSIX * POSIX_OPENS = 6004
   EXPECT POSIX * POSIX_WRITES = 18000
   EXPECT POSIX * POSIX_BYTES_WRITTEN = 72000
   EXPECT POSIX * POSIX_STATS = 6000
   EXPECT POSIX steady0 POSIX_WRITES = 3000
   EXPECT POSIX steady1 POSIX_WRITES = 3000
   EXPECT POSIX steady2 POSIX_WRITES = 3000
   EXPECT POSIX steady3 POSIX_WRITES = 3000
   RECORDS POSIX <FOLDED> 1 */
#include <pthread.h>
#include <stdint.h>
#include <sys/stat.h>

#include "tests/hazards/hazard.h"

enum { THREADS = 4, FILES = 1500 };

static pthread_barrier_t all_done;

static void *work(void *argument) {
    const int me = (int)(intptr_t)argument;
    char name[32], steady[32];
    struct stat facts;
    snprintf(steady, sizeof steady, "steady%d", me);
    int own = fresh(steady);
    for (int i = 0; i < FILES; i++) {
        snprintf(name, sizeof name, "file%d.%d", me, i);
        int fd = fresh(name);
        put(fd, 4);
        put(own, 4);
        put(own, 4);
        CHECK(close(fd) == 0 && stat(name, &facts) == 0 && unlink(name) == 0);
    }
    /* Closed, it could give way to files of threads that are still at work. */
    pthread_barrier_wait(&all_done);
    CHECK(close(own) == 0);
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    CHECK(pthread_barrier_init(&all_done, NULL, THREADS) == 0);
    for (intptr_t i = 0; i < THREADS; i++) CHECK(pthread_create(&threads[i], NULL, work, (void *)i) == 0);
    for (int i = 0; i < THREADS; i++) CHECK(pthread_join(threads[i], NULL) == 0);
    return 0;
}
