/* A thread calls exit while main waits for it.
   LINK -pthread
   STATUS 4
   PLAIN
   EXPECT POSIX out.dat POSIX_WRITES = 2 */
#include <pthread.h>

#include "tests/hazards/hazard.h"

static void *leave(void *context) {
    put(*(int *)context, 6);
    exit(4);
}

int main(void) {
    int fd = fresh("out.dat");
    pthread_t thread;
    put(fd, 6);
    CHECK(pthread_create(&thread, NULL, leave, &fd) == 0);
    pthread_join(thread, NULL);
    return 1;
}
