/* The processor stops after each instruction of calls that open, write, look at, rename and remove files, and a signal
   handler does I/O of its own at one of these places, a later one each time, inside every lock that Iolite has on the way:
   nothing is lost.
   EXPECT POSIX handler.dat POSIX_OPENS = 60
   EXPECT POSIX handler.dat POSIX_WRITES = 60
   EXPECT POSIX handler.dat POSIX_BYTES_WRITTEN = 180
   EXPECT POSIX handler.dat POSIX_STATS = 60
   EXPECT POSIX shared.dat POSIX_WRITES = 120
   EXPECT POSIX own* POSIX_OPENS = 60
   EXPECT POSIX own* POSIX_RENAME_SOURCES = 60
   OPERATION mkdir COUNT = 60
   OPERATION rmdir COUNT = 60
   OPERATION rename COUNT = 60
   OPERATION unlink COUNT = 60
   OPERATION close COUNT = 120
   OPERATION updates LOST = 0 */
#include <signal.h>
#include <sys/stat.h>

#include "tests/hazards/hazard.h"

enum { TIMES = 60, STEP = 83 };

#if defined __x86_64__
static volatile unsigned steps, place; /* since the calls began, and where the handler does something */
static int shared;

static void do_something(void) {
    const int saved = errno;
    struct stat facts;
    const int fd = open("handler.dat", O_WRONLY | O_CREAT, 0644);
    CHECK(fd >= 0);
    put(fd, 3);
    CHECK(close(fd) == 0 && stat("handler.dat", &facts) == 0);
    put_at(shared, 1, 0);
    CHECK(mkdir("made", 0755) == 0 && rmdir("made") == 0);
    errno = saved;
}

static void on_trap(int number) {
    (void)number;
    if (steps++ == place) do_something();
}

static inline void stop_after_each(void) { __asm__ volatile("pushfq; orq $0x100, (%%rsp); popfq" ::: "memory", "cc"); }
static inline void go_on(void) { __asm__ volatile("pushfq; andq $~0x100, (%%rsp); popfq" ::: "memory", "cc"); }

static void use_files(int number) {
    char name[32], other[32];
    struct stat facts;
    snprintf(name, sizeof name, "own%d", number);
    snprintf(other, sizeof other, "other%d", number % 7);
    steps = 0;
    stop_after_each();
    const int fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0644);
    const ssize_t written = write(fd, name, 3), again = pwrite(shared, name, 1, 0);
    const int closed = close(fd), found = stat(name, &facts), moved = rename(name, other), gone = unlink(other);
    go_on();
    CHECK(fd >= 0 && written == 3 && again == 1 && closed == 0 && found == 0 && moved == 0 && gone == 0);
}

int main(void) {
    shared = fresh("shared.dat");
    struct sigaction action = {.sa_handler = on_trap, .sa_flags = SA_RESTART};
    CHECK(sigaction(SIGTRAP, &action, NULL) == 0);
    for (int i = 0; i < TIMES; i++) {
        place = (unsigned)i * STEP;
        use_files(i % 100);
        if (steps <= place) do_something(); /* there are not so many */
    }
    return 0;
}
#else
int main(void) { return 77; }
#endif
