/* Each of many processes is interrupted after another instruction of pwrite by a handler that jumps out of it, inside the
   lock of the file's record too, then seeks in the file and ends: no seek is lost because its record was left locked.
   PROCESSES 61
   EXPECT POSIX data POSIX_SEEKS = 60
   OPERATION updates LOST = 0 */
#include <setjmp.h>
#include <signal.h>

#include "tests/hazards/hazard.h"

enum { TIMES = 60, STEP = 5 };

#if defined __x86_64__
static volatile int steps, place; /* since the call began, and where the handler jumps */
static sigjmp_buf back;

static void on_trap(int number) {
    (void)number;
    if (steps++ == place) siglongjmp(back, 1);
}

static inline void stop_after_each(void) { __asm__ volatile("pushfq; orq $0x100, (%%rsp); popfq" ::: "memory", "cc"); }
static inline void go_on(void) { __asm__ volatile("pushfq; andq $~0x100, (%%rsp); popfq" ::: "memory", "cc"); }

static void write_and_jump(int fd) {
    put_at(fd, 3, 0);
    if (sigsetjmp(back, 1) == 0) {
        stop_after_each();
        const ssize_t written = pwrite(fd, "abc", 3, 0);
        go_on();
        CHECK(written == 3);
    }
    go_on();
    CHECK(lseek(fd, 0, SEEK_SET) == 0);
    _exit(0);
}

int main(void) {
    const int fd = fresh("data");
    CHECK(sigaction(SIGTRAP, &(struct sigaction){.sa_handler = on_trap}, NULL) == 0);
    for (int i = 0; i < TIMES; i++) {
        place = i * STEP;
        const pid_t child = fork();
        CHECK(child >= 0);
        int status;
        if (child == 0) write_and_jump(fd);
        CHECK(waitpid(child, &status, 0) == child && status == 0);
    }
    return 0;
}
#else
int main(void) { return 77; }
#endif
