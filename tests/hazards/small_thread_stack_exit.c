/* A thread with the smallest stack ends the process: the log is written on that stack.
   LINK -pthread
   STATUS 4
   PLAIN
   EXPECT POSIX out.dat POSIX_WRITES = 1
   EXPECT POSIX out.dat POSIX_BYTES_WRITTEN = 5 */
#include <limits.h>
#include <pthread.h>

#include "tests/hazards/hazard.h"

static void *ends(void *context) {
    (void)context;
    int fd = fresh("out.dat");
    put(fd, 5);
    CHECK(close(fd) == 0);
    _exit(4);
}

int main(void) {
    pthread_attr_t attributes;
    pthread_t thread;
    CHECK(pthread_attr_init(&attributes) == 0);
    CHECK(pthread_attr_setstacksize(&attributes, (size_t)PTHREAD_STACK_MIN) == 0);
    CHECK(pthread_create(&thread, &attributes, ends, NULL) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
    return 0;
}
