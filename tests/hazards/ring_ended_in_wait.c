/* One thread waits in a ring, another ends it: the waiting one comes back when the memory of the ring is gone.
   NEEDS liburing.h
   FLAGS -pthread
   LINK -luring -pthread
   EXPECT POSIX out.dat POSIX_WRITES = 1 */
#include <liburing.h>
#include <pthread.h>
#include <sched.h>

#include "tests/hazards/hazard.h"

static struct io_uring ring;
static pid_t waiting;

static void nothing(int number) { (void)number; }

static void *wait_in_it(void *unused) {
    (void)unused;
    __atomic_store_n(&waiting, gettid(), __ATOMIC_RELEASE);
    say("woken %d", io_uring_submit_and_wait(&ring, 1));
    return NULL;
}

/* Asks the kernel what the thread does: it sleeps, in nothing but that wait. */
static bool asleep(void) {
    char path[64], text[256] = "";
    pid_t thread = __atomic_load_n(&waiting, __ATOMIC_ACQUIRE);
    if (!thread) return false;
    snprintf(path, sizeof path, "/proc/self/task/%d/stat", (int)thread);
    int fd = open(path, O_RDONLY);
    CHECK(fd >= 0 && read(fd, text, sizeof text - 1) > 0 && close(fd) == 0);
    const char *state = strrchr(text, ')');
    return state && strncmp(state, ") S", 3) == 0;
}

int main(void) {
    CHECK(sigaction(SIGUSR1, &(struct sigaction){.sa_handler = nothing}, NULL) == 0);
    put(fresh("out.dat"), 3);
    if (io_uring_queue_init(8, &ring, 0) != 0) return CANNOT_RUN_HERE;
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, wait_in_it, NULL) == 0);
    while (!asleep()) sched_yield();
    io_uring_queue_exit(&ring);
    CHECK(pthread_kill(thread, SIGUSR1) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
    return 0;
}
