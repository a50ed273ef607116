/* Threads that open and close streams: libc hands the memory of one thread's stream to the next thread at once.
   LINK -pthread
   PLAIN
   RECORDS STDIO out.* 8
   EXPECT STDIO out.* STDIO_OPENS = 200000
   EXPECT STDIO out.* STDIO_WRITES = 8 */
#include <pthread.h>

#include "tests/hazards/hazard.h"

enum { THREADS = 8, TIMES = 25000 };

static void *opens(void *context) {
    const char *name = context;
    for (int i = 1; i <= TIMES; i++) {
        FILE *stream = fopen(name, "w");
        CHECK(stream);
        if (i == TIMES) CHECK(fputs("last", stream) >= 0);
        CHECK(fclose(stream) == 0);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    char names[THREADS][16];
    for (int i = 0; i < THREADS; i++) {
        snprintf(names[i], sizeof names[i], "out.%d", i);
        CHECK(pthread_create(&threads[i], NULL, opens, names[i]) == 0);
    }
    for (int i = 0; i < THREADS; i++) CHECK(pthread_join(threads[i], NULL) == 0);
    say("done");
    return 0;
}
