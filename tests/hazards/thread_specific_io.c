/* Destructors of thread-specific data do I/O when the thread is nearly gone.
   LINK -pthread
   EXPECT POSIX out.dat POSIX_WRITES = 20
   EXPECT POSIX late.dat POSIX_WRITES = 20 */
#include <pthread.h>

#include "tests/hazards/hazard.h"

static int out, late;
static pthread_key_t key;

static void on_end(void *context) {
    static _Thread_local int rounds;
    put_at(late, 1, 0);
    if (++rounds < 2) pthread_setspecific(key, context);
}

static void *writes(void *context) {
    CHECK(pthread_setspecific(key, context) == 0);
    put_at(out, 1, 0);
    put_at(out, 1, 0);
    return NULL;
}

int main(void) {
    out = fresh("out.dat");
    late = fresh("late.dat");
    CHECK(pthread_key_create(&key, on_end) == 0);
    for (int i = 0; i < 10; i++) {
        pthread_t thread;
        CHECK(pthread_create(&thread, NULL, writes, &key) == 0);
        CHECK(pthread_join(thread, NULL) == 0);
    }
    return 0;
}
