/* The processor stops after each instruction of calls that write to a file, seek in it and close it, and each time a signal
   handler does the same with another file: nothing that either of them adds to what they share is lost.
   EXPECT POSIX handler.dat POSIX_OPENS = 1500
   EXPECT POSIX handler.dat POSIX_WRITES = 1500
   EXPECT POSIX handler.dat POSIX_SEEKS = 1500
   EXPECT POSIX own.dat POSIX_WRITES = 2
   EXPECT POSIX own.dat POSIX_SEEKS = 1
   EXPECT HEATMAP heatmap:POSIX WRITTEN = 4506
   OPERATION open COUNT = 1501
   OPERATION seek COUNT = 1501
   OPERATION close COUNT = 1501
   OPERATION updates LOST = 0 */
#include <signal.h>

#include "tests/hazards/hazard.h"

enum { TIMES = 1500 };

#if defined __x86_64__
static volatile int times;

static void use_another_file(void) {
    const int saved = errno, fd = open("handler.dat", O_WRONLY | O_CREAT, 0644);
    CHECK(fd >= 0);
    put_at(fd, 3, 0);
    CHECK(lseek(fd, 0, SEEK_SET) == 0 && close(fd) == 0);
    times++;
    errno = saved;
}

static void on_trap(int number) {
    (void)number;
    if (times < TIMES) use_another_file();
}

static inline void stop_after_each(void) { __asm__ volatile("pushfq; orq $0x100, (%%rsp); popfq" ::: "memory", "cc"); }
static inline void go_on(void) { __asm__ volatile("pushfq; andq $~0x100, (%%rsp); popfq" ::: "memory", "cc"); }

int main(void) {
    const int fd = fresh("own.dat");
    put_at(fd, 3, 0);
    struct sigaction action = {.sa_handler = on_trap, .sa_flags = SA_RESTART};
    CHECK(sigaction(SIGTRAP, &action, NULL) == 0);
    stop_after_each();
    const ssize_t written = pwrite(fd, "abc", 3, 0);
    const off_t place = lseek(fd, 0, SEEK_SET);
    const int closed = close(fd);
    go_on();
    CHECK(written == 3 && place == 0 && closed == 0);
    while (times < TIMES) use_another_file();
    return 0;
}
#else
int main(void) { return 77; }
#endif
