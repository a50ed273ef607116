/* Threads open, write, read and close files of their own, over and over.
   LINK -pthread
   EXPECT POSIX own*.dat POSIX_OPENS = 800
   EXPECT POSIX own*.dat POSIX_WRITES = 4000
   EXPECT POSIX own*.dat POSIX_READS = 800
   EXPECT STDIO own*.txt STDIO_OPENS = 800
   EXPECT STDIO own*.txt STDIO_WRITES = 800
   RECORDS POSIX own*.dat 8
   RECORDS STDIO own*.txt 8 */
#include <pthread.h>

#include "tests/hazards/hazard.h"

static void *works(void *number) {
    char data[32], text[32], byte;
    snprintf(data, sizeof data, "own%zu.dat", (size_t)number);
    snprintf(text, sizeof text, "own%zu.txt", (size_t)number);
    for (int i = 0; i < 100; i++) {
        int fd = fresh(data);
        for (int j = 0; j < 5; j++) put(fd, 10);
        CHECK(pread(fd, &byte, 1, 0) == 1 && close(fd) == 0);
        FILE *stream = fopen(text, "w");
        CHECK(stream && fputs("text", stream) >= 0 && fclose(stream) == 0);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[8];
    for (size_t i = 0; i < 8; i++) CHECK(pthread_create(&threads[i], NULL, works, (void *)i) == 0);
    for (size_t i = 0; i < 8; i++) CHECK(pthread_join(threads[i], NULL) == 0);
    return 0;
}
