/* Threads that can be cancelled at any instruction are, again and again, while they read: some of them inside the lock of
   the file's record. Nobody waits for a thread that is gone, and what others do to the file is counted.
   LINK -pthread
   EXPECT POSIX data POSIX_READS >= 120000
   EXPECT POSIX data POSIX_WRITES = 1
   OPERATION updates LOST < 100 */
#include <pthread.h>

#include "tests/hazards/hazard.h"

enum { THREADS = 300, READS = 400 };

static int fd;

static void *reads(void *context) {
    char byte;
    CHECK(pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL) == 0);
    for (;;) CHECK(pread(fd, &byte, 1, 0) == 1);
    return context;
}

int main(void) {
    static pthread_t threads[THREADS];
    char byte;
    fd = fresh("data");
    put(fd, 1);
    for (int i = 0; i < THREADS; i++) {
        CHECK(pthread_create(&threads[i], NULL, reads, NULL) == 0);
        usleep(200);
        CHECK(pthread_cancel(threads[i]) == 0);
        for (int j = 0; j < READS; j++) CHECK(pread(fd, &byte, 1, 0) == 1);
    }
    for (int i = 0; i < THREADS; i++) CHECK(pthread_join(threads[i], NULL) == 0);
    return 0;
}
