/* A handler on a small stack of its own, with a page below it that nobody may touch.
   EXPECT POSIX s.dat POSIX_OPENS = 1
   EXPECT POSIX s.dat POSIX_WRITES = 1
   EXPECT POSIX s.dat POSIX_STATS = 1 */
#include <sys/mman.h>

#include "tests/hazards/hazard.h"

static void on_signal(int number) {
    struct stat status;
    (void)number;
    int fd = fresh("s.dat");
    put(fd, 3);
    CHECK(fstat(fd, &status) == 0 && close(fd) == 0);
}

int main(void) {
    size_t size = ((size_t)sysconf(_SC_SIGSTKSZ) + 4095) / 4096 * 4096;
    char *memory = mmap(NULL, size + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(memory != MAP_FAILED && mprotect(memory, 4096, PROT_NONE) == 0);
    stack_t stack = {.ss_sp = memory + 4096, .ss_size = size};
    CHECK(sigaltstack(&stack, NULL) == 0);
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};
    CHECK(sigaction(SIGUSR1, &action, NULL) == 0);
    raise(SIGUSR1);
    say("done");
    return 0;
}
