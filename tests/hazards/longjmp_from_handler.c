/* A handler jumps out of a blocked read and out of a loop of writes, with records locked because there are threads.
   LINK -pthread
   EXPECT POSIX p.fifo POSIX_READS = 0
   EXPECT POSIX loop.dat POSIX_WRITES > 0
   EXPECT POSIX after.dat POSIX_WRITES = 100
   EXPECT POSIX loop.dat POSIX_SEEKS = 20 */
#include <pthread.h>
#include <setjmp.h>
#include <sys/time.h>

#include "tests/hazards/hazard.h"

static sigjmp_buf back;

static void on_timer(int number) {
    (void)number;
    siglongjmp(back, 1);
}

static void *waits(void *context) {
    for (;;) pause();
    return context;
}

static void arm(long microseconds) {
    CHECK(setitimer(ITIMER_REAL, &(struct itimerval){{0, 0}, {0, microseconds}}, NULL) == 0);
}

int main(void) {
    pthread_t thread;
    char byte;
    sigset_t all, before;
    sigfillset(&all);
    /* The thread has them blocked from its first moment: a handler there would jump to the stack of this one. */
    CHECK(pthread_sigmask(SIG_BLOCK, &all, &before) == 0);
    CHECK(pthread_create(&thread, NULL, waits, NULL) == 0);
    CHECK(pthread_sigmask(SIG_SETMASK, &before, NULL) == 0);
    CHECK(mkfifo("p.fifo", 0600) == 0);
    int fifo = open("p.fifo", O_RDWR), loop = fresh("loop.dat"), after = fresh("after.dat");
    signal(SIGALRM, on_timer);
    if (sigsetjmp(back, 1) == 0) {
        arm(10000);
        CHECK(read(fifo, &byte, 1) == 1);
    }
    for (volatile int i = 0; i < 20; i++) {
        if (sigsetjmp(back, 1) == 0) {
            arm(1000 + 37 * i);
            for (;;) put_at(loop, 8, 0);
        }
        CHECK(lseek(loop, 0, SEEK_SET) == 0);
        for (int j = 0; j < 5; j++) put(after, 4);
    }
    CHECK(unlink("p.fifo") == 0);
    say("done");
    return 0;
}
