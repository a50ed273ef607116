/* Handlers interrupt threads that hold the lock of the record which the handler itself wants.
   LINK -pthread
   EXPECT POSIX main.dat POSIX_WRITES = 20400
   EXPECT POSIX main.dat POSIX_BYTES_WRITTEN = 20400 */
#include <pthread.h>
#include <stdatomic.h>

#include "tests/hazards/hazard.h"

enum { SIGNALS = 200 };

static int fd;
static _Thread_local volatile sig_atomic_t taken;
static atomic_int total, running = 2;

static void on_signal(int number) {
    (void)number;
    put_at(fd, 1, 0);
    taken++;
    total++;
}

/* Writes, and stays until all its signals have come. */
static void *writes(void *context) {
    for (int i = 0; i < 10000; i++) put_at(fd, 1, 0);
    while (taken < SIGNALS) usleep(50);
    running--;
    return context;
}

int main(void) {
    pthread_t threads[2];
    fd = fresh("main.dat");
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    CHECK(sigaction(SIGUSR1, &action, NULL) == 0);
    for (int i = 0; i < 2; i++) CHECK(pthread_create(&threads[i], NULL, writes, NULL) == 0);
    for (int i = 0; i < SIGNALS; i++) {
        for (int j = 0; j < 2; j++) CHECK(pthread_kill(threads[j], SIGUSR1) == 0);
        /* Two that are pending together would become one. */
        while (total < 2 * (i + 1)) usleep(50);
    }
    for (int i = 0; i < 2; i++) CHECK(pthread_join(threads[i], NULL) == 0);
    say("running %d", running);
    return 0;
}
