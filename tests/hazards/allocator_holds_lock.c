/* A preloaded allocator opens, reads, writes, maps and looks at files while it holds a lock that it cannot take twice,
   in its very first allocation, long before Iolite has started, and again later, with several threads.
   PRELOAD locking_malloc
   PLAIN
   FLAGS -pthread
   LINK -pthread
   EXPECT POSIX out.dat POSIX_WRITES = 40
   EXPECT POSIX out.dat POSIX_BYTES_WRITTEN = 400
   EXPECT STDIO out.txt STDIO_WRITES = 1 */
#include <dlfcn.h>
#include <pthread.h>

#include "tests/hazards/hazard.h"

static int out;

static void *work(void *argument) {
    for (int i = 0; i < 10; i++) {
        char *copy = strdup("0123456789");
        CHECK(copy && write(out, copy, 10) == 10);
        free(copy);
        for (int n = 0; n < 100; n++) free(malloc(16));
    }
    return argument;
}

int main(void) {
    pthread_t threads[4];
    int (*rounds)(void);
    out = fresh("out.dat");
    for (int i = 0; i < 4; i++) CHECK(pthread_create(&threads[i], NULL, work, NULL) == 0);
    for (int i = 0; i < 4; i++) CHECK(pthread_join(threads[i], NULL) == 0);
    FILE *stream = fopen("out.txt", "w");
    CHECK(stream && fputs("text", stream) >= 0 && fclose(stream) == 0);
    CHECK(!dlsym(RTLD_DEFAULT, "no_such_name") && dlerror()); /* which makes a text */
    *(void **)&rounds = dlsym(RTLD_DEFAULT, "locking_malloc_rounds");
    CHECK(rounds && rounds() > 10);
    say("done");
    return 0;
}
