/* Handlers jump out of the first opens, while Iolite makes room for records: no file of it is left that nobody knows of,
   and what comes afterwards is recorded.
   PLAIN
   PROCESSES 1
   EXPECT POSIX after.dat POSIX_WRITES = 3 */
#include <setjmp.h>
#include <sys/time.h>

#include "tests/hazards/hazard.h"

static sigjmp_buf back;

static void on_timer(int number) {
    (void)number;
    siglongjmp(back, 1);
}

int main(void) {
    signal(SIGALRM, on_timer);
    for (volatile int n = 0; n < 400; n++) {
        if (sigsetjmp(back, 1) != 0) continue;
        CHECK(setitimer(ITIMER_REAL, &(struct itimerval){{0, 0}, {0, 1 + n / 2}}, NULL) == 0);
        close(open("first.dat", O_WRONLY | O_CREAT, 0644));
        pause();
    }
    for (int fd = 3; fd < 1000; fd++) close(fd);
    const int fd = fresh("after.dat");
    for (int i = 0; i < 3; i++) put(fd, 5);
    say("done");
    return 0;
}
