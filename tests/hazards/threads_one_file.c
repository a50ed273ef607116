/* Threads write to one file through one descriptor: nothing is lost.
   LINK -pthread
   EXPECT POSIX out.dat POSIX_WRITES = 8000
   EXPECT POSIX out.dat POSIX_BYTES_WRITTEN = 80000
   EXPECT POSIX out.dat POSIX_MAX_BYTE_WRITTEN = 79999
   EXPECT POSIX out.dat POSIX_SIZE_WRITE_0_100 = 8000
   EXPECT POSIX out.dat POSIX_ACCESS1_COUNT = 8000
   RECORDS POSIX out.dat 1 */
#include <pthread.h>

#include "tests/hazards/hazard.h"

static int fd;

static void *writes(void *number) {
    long base = 10000 * (long)(size_t)number;
    for (int i = 0; i < 1000; i++) put_at(fd, 10, base + 10 * i);
    return NULL;
}

int main(void) {
    pthread_t threads[8];
    fd = fresh("out.dat");
    for (size_t i = 0; i < 8; i++) CHECK(pthread_create(&threads[i], NULL, writes, (void *)i) == 0);
    for (size_t i = 0; i < 8; i++) CHECK(pthread_join(threads[i], NULL) == 0);
    return 0;
}
