/* Preloaded into a program, kills it at a chosen write: the most sudden death there is, always at the same place. */
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

static void count_down(void) {
    static long left = -1;
    const char *at = getenv("IOLITE_TEST_KILL_AT");
    if (left < 0) left = at ? atol(at) : 0;
    if (left > 0 && --left == 0) kill(getpid(), SIGKILL);
}

ssize_t pwrite(int fd, const void *bytes, size_t length, off_t offset) {
    static ssize_t (*next)(int, const void *, size_t, off_t);
    if (!next) *(void **)&next = dlsym(RTLD_NEXT, "pwrite");
    count_down();
    return next(fd, bytes, length, offset);
}
