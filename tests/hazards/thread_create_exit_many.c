/* Thousands of short threads: what is kept for each must be given back.
   LINK -pthread
   EXPECT POSIX out.dat POSIX_WRITES = 2000
   EXPECT POSIX out.dat POSIX_BYTES_WRITTEN = 2000
   EXPECT HEATMAP heatmap:POSIX WRITTEN >= 1990
   RECORDS HEATMAP heatmap:POSIX 1 */
#include <pthread.h>

#include "tests/hazards/hazard.h"

static int fd;

static void *writes(void *context) {
    put_at(fd, 1, 0);
    return context;
}

int main(void) {
    fd = fresh("out.dat");
    for (int round = 0; round < 500; round++) {
        pthread_t threads[4];
        for (int i = 0; i < 4; i++) CHECK(pthread_create(&threads[i], NULL, writes, NULL) == 0);
        for (int i = 0; i < 4; i++) CHECK(pthread_join(threads[i], NULL) == 0);
    }
    return 0;
}
