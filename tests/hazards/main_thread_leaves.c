/* The main thread ends by pthread_exit; the process ends with its last thread.
   LINK -pthread
   PLAIN
   EXPECT POSIX out.dat POSIX_WRITES = 501
   EXPECT POSIX out.dat POSIX_BYTES_WRITTEN = 1002 */
#include <pthread.h>

#include "tests/hazards/hazard.h"

static int fd;

static void *writes(void *context) {
    pthread_join(*(pthread_t *)context, NULL);
    for (int i = 0; i < 500; i++) put(fd, 2);
    return NULL;
}

int main(void) {
    static pthread_t self;
    pthread_t thread;
    self = pthread_self();
    fd = fresh("out.dat");
    put(fd, 2);
    CHECK(pthread_create(&thread, NULL, writes, &self) == 0);
    pthread_exit(NULL);
}
