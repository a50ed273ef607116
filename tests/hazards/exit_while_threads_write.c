/* main returns while threads are in the middle of calls: the log is written beside them, without crash or hang.
   LINK -pthread
   EXPECT POSIX busy.dat POSIX_WRITES > 0
   EXPECT POSIX main.dat POSIX_WRITES = 1 */
#include <pthread.h>
#include <stdatomic.h>

#include "tests/hazards/hazard.h"

static atomic_int writing;

static void *writes(void *context) {
    for (;; writing = 1) put_at(*(int *)context, 8, 0);
    return NULL;
}

int main(void) {
    static int fd;
    fd = fresh("busy.dat");
    pthread_t thread;
    for (int i = 0; i < 3; i++) CHECK(pthread_create(&thread, NULL, writes, &fd) == 0);
    while (!writing) usleep(1000);
    put(fresh("main.dat"), 8);
    return 0;
}
