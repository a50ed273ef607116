/* A handler for crashes, on an alternate stack of 8 KiB, reports and ends by _exit: the end of ours must fit there too.
   STATUS 3
   PLAIN
   EXPECT POSIX out.dat POSIX_WRITES = 2
   EXPECT POSIX out.dat POSIX_BYTES_WRITTEN = 9 */
#include <sys/mman.h>

#include "tests/hazards/hazard.h"

enum { STACK = 8192, PAGE = 4096 };

static int fd;

static void on_crash(int number) {
    (void)number;
    put(fd, 4);
    if (write(1, "crash\n", 6) != 6) _exit(CHECK_FAILED);
    _exit(3);
}

int main(void) {
    fd = fresh("out.dat");
    put(fd, 5);
    char *memory = mmap(NULL, STACK + 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(memory != MAP_FAILED && mprotect(memory + PAGE, STACK, PROT_READ | PROT_WRITE) == 0);
    stack_t stack = {.ss_sp = memory + PAGE, .ss_size = STACK};
    /* Where registers need more, the system refuses such a stack. */
    if (sigaltstack(&stack, NULL) != 0) return CANNOT_RUN_HERE;
    struct sigaction action = {.sa_handler = on_crash, .sa_flags = SA_ONSTACK};
    CHECK(sigaction(SIGSEGV, &action, NULL) == 0);
    *(volatile char *)memory = 1;
    return 0;
}
