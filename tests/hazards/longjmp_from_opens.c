/* Handlers jump out of opens and closes at any moment: the program goes on as without Iolite. A jump out of the middle of
   Iolite's own table can keep files that are opened later from being recorded, so nothing is asked of the log. */
#include <setjmp.h>
#include <sys/time.h>

#include "tests/hazards/hazard.h"

enum { TIMES = 1500, FILES = 20 };

static sigjmp_buf back;

static void on_timer(int number) {
    (void)number;
    siglongjmp(back, 1);
}

static void arm(long microseconds) {
    CHECK(setitimer(ITIMER_REAL, &(struct itimerval){{0, 0}, {0, microseconds}}, NULL) == 0);
}

int main(void) {
    char names[FILES][8];
    for (int i = 0; i < FILES; i++) {
        snprintf(names[i], sizeof names[i], "f.%d", i);
        make_unknown(names[i]);
    }
    signal(SIGALRM, on_timer);
    for (volatile int n = 0; n < TIMES; n++) {
        if (sigsetjmp(back, 1) == 0) {
            arm(150 + n % 100);
            for (;;) close(open(names[n % FILES], O_RDONLY));
        }
        close_range(3, ~0U, 0);
    }
    put(fresh("last.dat"), 1);
    say("done");
    return 0;
}
