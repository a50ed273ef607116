/* Programs are started from where there is little room: a thread with the smallest stack, by vfork, and a signal handler
   with a stack of its own. They are recorded, also with a cleared environment.
   LINK -pthread
   EXPECT POSIX second.dat POSIX_WRITES = 4 */
#include <limits.h>
#include <pthread.h>
#include <sys/auxv.h>
#include <sys/mman.h>

#include "tests/hazards/hazard.h"

enum { ROOM = 8192, PAGE = 65536 };

static char self[4096];
static char *words[] = {self, (char *)(size_t) "second", NULL}, *none[] = {NULL};
static char **environment;

static void start(void) {
    int status;
    pid_t child = vfork();
    if (child == 0) {
        execve(self, words, environment);
        _exit(CHECK_FAILED);
    }
    CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0);
}

static void *in_thread(void *nothing) {
    start();
    return nothing;
}

static void in_handler(int number) {
    (void)number;
    start();
}

int main(int argc, char **argv) {
    (void)argv;
    if (argc > 1) {
        put(open("second.dat", O_WRONLY | O_CREAT | O_APPEND, 0644), 2);
        return 0;
    }
    CHECK(readlink("/proc/self/exe", self, sizeof self - 1) > 0);
    const size_t least = getauxval(AT_MINSIGSTKSZ) ? getauxval(AT_MINSIGSTKSZ) : 4096;
    const size_t bytes = least + ROOM;
    char *guarded = mmap(NULL, PAGE + bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(guarded != MAP_FAILED && mprotect(guarded, PAGE, PROT_NONE) == 0);
    const stack_t stack = {.ss_sp = guarded + PAGE, .ss_size = bytes};
    CHECK(sigaltstack(&stack, NULL) == 0);
    CHECK(sigaction(SIGUSR1, &(struct sigaction){.sa_handler = in_handler, .sa_flags = SA_ONSTACK}, NULL) == 0);
    for (int which = 0; which < 2; which++) {
        pthread_attr_t small;
        pthread_t thread;
        environment = which ? none : environ;
        CHECK(pthread_attr_init(&small) == 0 && pthread_attr_setstacksize(&small, (size_t)PTHREAD_STACK_MIN) == 0);
        CHECK(pthread_create(&thread, &small, in_thread, NULL) == 0 && pthread_join(thread, NULL) == 0);
        CHECK(raise(SIGUSR1) == 0);
    }
    say("done");
    return 0;
}
