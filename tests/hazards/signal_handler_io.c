/* A timer's handler does I/O on the very file whose record its thread is just updating: no deadlock, nothing lost.
   EXPECT POSIX main.dat POSIX_WRITES = 20201
   EXPECT POSIX main.dat POSIX_BYTES_WRITTEN = 20201
   EXPECT POSIX handler.dat POSIX_WRITES = 200
   EXPECT POSIX opened.dat POSIX_OPENS = 200 */
#include <sys/time.h>

#include "tests/hazards/hazard.h"

enum { SIGNALS = 200 };

static int fd, other;
static volatile sig_atomic_t count;

static void on_timer(int number) {
    (void)number;
    if (count == SIGNALS) return;
    int saved = errno;
    put_at(fd, 1, 0);
    put_at(other, 2, 0);
    CHECK(close(open("opened.dat", O_WRONLY | O_CREAT, 0644)) == 0);
    errno = saved;
    count++;
}

int main(void) {
    fd = fresh("main.dat");
    other = fresh("handler.dat");
    put_at(fd, 1, 0); /* the first access makes what later ones use; a handler that comes just then counts as lost */
    struct sigaction action = {.sa_handler = on_timer, .sa_flags = SA_RESTART};
    CHECK(sigaction(SIGALRM, &action, NULL) == 0);
    CHECK(setitimer(ITIMER_REAL, &(struct itimerval){{0, 100}, {0, 100}}, NULL) == 0);
    for (int i = 0; i < 20000; i++) put_at(fd, 1, 0);
    while (count < SIGNALS) usleep(100);
    return 0;
}
