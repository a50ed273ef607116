/* A thread is cancelled inside a recorded call; its cleanup handler does I/O, and others go on with the same file.
   LINK -pthread
   EXPECT POSIX p.fifo POSIX_READS = 1
   EXPECT POSIX cleanup.dat POSIX_WRITES = 1
   EXPECT POSIX p.fifo POSIX_WRITES = 1 */
#include <pthread.h>

#include "tests/hazards/hazard.h"

static int fifo;

static void clean_up(void *context) {
    (void)context;
    put(fresh("cleanup.dat"), 3);
}

static void *reads(void *context) {
    char byte;
    pthread_cleanup_push(clean_up, NULL);
    CHECK(read(fifo, &byte, 1) == 1);
    pthread_cleanup_pop(0);
    return context;
}

int main(void) {
    pthread_t thread;
    void *result;
    char byte;
    CHECK(mkfifo("p.fifo", 0600) == 0);
    fifo = open("p.fifo", O_RDWR);
    CHECK(fifo >= 0);
    CHECK(pthread_create(&thread, NULL, reads, NULL) == 0);
    CHECK(pthread_cancel(thread) == 0 && pthread_join(thread, &result) == 0);
    say("cancelled %d", result == PTHREAD_CANCELED);
    put(fifo, 1);
    CHECK(read(fifo, &byte, 1) == 1);
    CHECK(unlink("p.fifo") == 0);
    return 0;
}
