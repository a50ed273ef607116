/* A thread with little stack: wrappers must not put large buffers there.
   LINK -pthread
   EXPECT POSIX out.dat POSIX_WRITES = 1
   EXPECT POSIX out.dat POSIX_STATS = 1
   EXPECT STDIO out.txt STDIO_WRITES = 1 */
#include <limits.h>
#include <pthread.h>

#include "tests/hazards/hazard.h"

static void *works(void *context) {
    struct stat status;
    int fd = fresh("out.dat");
    put(fd, 3);
    CHECK(stat("out.dat", &status) == 0 && close(fd) == 0);
    FILE *stream = fopen("out.txt", "w");
    CHECK(stream && fputs("text", stream) >= 0 && fclose(stream) == 0);
    return context;
}

int main(void) {
    pthread_attr_t attributes;
    pthread_t thread;
    CHECK(pthread_attr_init(&attributes) == 0);
    CHECK(pthread_attr_setstacksize(&attributes, (size_t)PTHREAD_STACK_MIN + 4096) == 0);
    CHECK(pthread_create(&thread, &attributes, works, NULL) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
    return 0;
}
