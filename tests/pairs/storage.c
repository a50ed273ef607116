/* A preloaded library behind Iolite's: files below the directory in STORAGE answer as slowly as on a busy parallel file
   system, on any machine. Every call that moves data waits for a latency and for its bytes, every open, stat and sync
   for a latency. All ranks together get no more than the servers give, five times what one gets: their queue is a clock
   in a file beside the directory. STORAGE_SLOW is a rank whose storage is slower by a factor of ten. Waiting is sleeping,
   for the storage and for other ranks, so that ranks on few cores do not stand in each other's way. */
#include <dlfcn.h>
#include <fcntl.h>
#include <sched.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum {
    DESCRIPTORS = 4096,
    REQUEST_NS = 600000,
    OPEN_NS = 1000000,
    SYNC_NS = 4000000,
    BYTES_PER_US = 100,
    STREAMS = 5,
    REST_NS = 20000
};

static bool kept[DESCRIPTORS]; /* descriptors of files on the storage */

static bool on_storage(const char *path) {
    const char *directory = getenv("STORAGE");
    return directory && path && strncmp(path, directory, strlen(directory)) == 0;
}

static long factor(void) {
    const char *slow = getenv("STORAGE_SLOW"), *rank = getenv("OMPI_COMM_WORLD_RANK");
    if (!rank) rank = getenv("PMI_RANK");
    return slow && rank && strcmp(slow, rank) == 0 ? 10 : 1;
}

static void wait_for(long nanoseconds) {
    nanoseconds *= factor();
    struct timespec time = {nanoseconds / 1000000000, nanoseconds % 1000000000};
    while (nanosleep(&time, &time) != 0) {}
}

static bool is_kept(int fd) { return fd >= 0 && fd < DESCRIPTORS && kept[fd]; }

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* When the servers are through with what is queued, in nanoseconds. */
static _Atomic int64_t *queue(void) {
    static _Atomic int64_t *shared;
    if (shared) return shared;
    char path[4096];
    snprintf(path, sizeof path, "%s.clock", getenv("STORAGE"));
    int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CREAT, 0600);
    if (fd < 0 || ftruncate(fd, sizeof *shared) != 0) abort();
    void *map = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (map == MAP_FAILED) abort();
    syscall(SYS_close, fd);
    return shared = map;
}

/* Puts so much work into the queue; returns how long it takes until that is done. */
static int64_t queue_up(int64_t nanoseconds) {
    _Atomic int64_t *until = queue();
    int64_t present = now(), busy = atomic_load(until), done;
    do done = (busy > present ? busy : present) + nanoseconds;
    while (!atomic_compare_exchange_weak(until, &busy, done));
    return done - present;
}

static void wait_for_bytes(int fd, ssize_t bytes) {
    if (!is_kept(fd) || bytes < 0) return;
    int64_t alone = bytes / BYTES_PER_US * 1000, together = queue_up(alone / STREAMS);
    wait_for(REQUEST_NS + (long)(together > alone ? together : alone));
}

static int opened(int fd, const char *path) {
    if (fd >= 0 && fd < DESCRIPTORS) kept[fd] = on_storage(path);
    if (is_kept(fd)) wait_for(OPEN_NS);
    return fd;
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* An MPI that waits for a message asks for it again and again. On a cluster every rank has a core for that; on fewer cores
   it would take the others' time, and their requests would seem to need it. Open MPI yields between two questions; MPICH
   asks UCX, of which it is enough to see every tenth question that brings nothing. */
static void rest(void) { nanosleep(&(struct timespec){.tv_nsec = REST_NS}, NULL); }

int sched_yield(void) {
    rest();
    return 0;
}

unsigned ucp_worker_progress(void *worker);
unsigned ucp_worker_progress(void *worker) {
    static _Thread_local unsigned in_vain;
    static __typeof__(&ucp_worker_progress) next;
    if (!next) next = NEXT(ucp_worker_progress);
    unsigned events = next(worker);
    in_vain = events ? 0 : in_vain + 1;
    if (in_vain % 10 == 9) rest();
    return events;
}

#define OPEN(name)                                          \
    int name(const char *path, int flags, ...) {            \
        va_list list;                                       \
        va_start(list, flags);                              \
        mode_t mode = va_arg(list, mode_t);                 \
        va_end(list);                                       \
        return opened(NEXT(name)(path, flags, mode), path); \
    }
OPEN(open)
OPEN(open64)

#define TRANSFER(name, parameters, arguments) \
    ssize_t name parameters {                 \
        ssize_t moved = NEXT(name) arguments; \
        wait_for_bytes(fd, moved);            \
        return moved;                         \
    }
TRANSFER(read, (int fd, void *buffer, size_t length), (fd, buffer, length))
TRANSFER(write, (int fd, const void *buffer, size_t length), (fd, buffer, length))
TRANSFER(pread, (int fd, void *buffer, size_t length, off_t at), (fd, buffer, length, at))
TRANSFER(pwrite, (int fd, const void *buffer, size_t length, off_t at), (fd, buffer, length, at))
TRANSFER(pread64, (int fd, void *buffer, size_t length, off64_t at), (fd, buffer, length, at))
TRANSFER(pwrite64, (int fd, const void *buffer, size_t length, off64_t at), (fd, buffer, length, at))
TRANSFER(readv, (int fd, const struct iovec *pieces, int n), (fd, pieces, n))
TRANSFER(writev, (int fd, const struct iovec *pieces, int n), (fd, pieces, n))
TRANSFER(preadv, (int fd, const struct iovec *pieces, int n, off_t at), (fd, pieces, n, at))
TRANSFER(pwritev, (int fd, const struct iovec *pieces, int n, off_t at), (fd, pieces, n, at))
TRANSFER(preadv64, (int fd, const struct iovec *pieces, int n, off64_t at), (fd, pieces, n, at))
TRANSFER(pwritev64, (int fd, const struct iovec *pieces, int n, off64_t at), (fd, pieces, n, at))

int stat(const char *path, struct stat *facts) {
    if (on_storage(path)) wait_for(OPEN_NS);
    return NEXT(stat)(path, facts);
}

int fsync(int fd) {
    if (is_kept(fd)) wait_for(SYNC_NS);
    return NEXT(fsync)(fd);
}

int close(int fd) {
    if (fd >= 0 && fd < DESCRIPTORS) kept[fd] = false;
    return NEXT(close)(fd);
}
