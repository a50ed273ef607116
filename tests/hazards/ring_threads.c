/* Rings of many threads, one ring that one thread fills and another empties, and a child that makes its own after a fork
   while the parent has requests in flight.
   NEEDS liburing.h
   LINK -luring -pthread
   PROCESSES 2
   EXPECT POSIX own.* POSIX_WRITES = 2000
   EXPECT POSIX own.* POSIX_BYTES_WRITTEN = 128000
   EXPECT POSIX shared.dat POSIX_WRITES = 1000
   EXPECT POSIX shared.dat POSIX_BYTES_WRITTEN = 16000
   EXPECT POSIX child.dat POSIX_WRITES = 3
   EXPECT POSIX before.dat POSIX_READS = 1
   OPERATION ring UNSEEN = 0 */
#include <liburing.h>
#include <pthread.h>

#include "tests/hazards/hazard.h"

enum { THREADS = 4, WRITES = 500, SHARED = 1000, DEPTH = 16 };

static char bytes[64];
static struct io_uring shared;
static bool possible = true;

static void reap(struct io_uring *ring, unsigned n, int size) {
    for (unsigned i = 0; i < n; i++) {
        struct io_uring_cqe *cqe;
        CHECK(io_uring_wait_cqe(ring, &cqe) == 0);
        CHECK(cqe->res == size);
        io_uring_cqe_seen(ring, cqe);
    }
}

static void write_all(struct io_uring *ring, int fd, unsigned count, unsigned size, bool collect_here) {
    for (unsigned i = 0; i < count; i++) {
        struct io_uring_sqe *sqe = io_uring_get_sqe(ring);
        for (; !sqe; sqe = io_uring_get_sqe(ring)) CHECK(io_uring_submit(ring) >= 0);
        io_uring_prep_write(sqe, fd, bytes, size, i * size);
        if (i % DEPTH != DEPTH - 1 && i != count - 1) continue;
        const unsigned ready = io_uring_sq_ready(ring);
        CHECK(io_uring_submit(ring) == (int)ready);
        if (collect_here) reap(ring, ready, (int)size);
    }
}

static void *own_ring(void *argument) {
    char name[32];
    struct io_uring ring;
    snprintf(name, sizeof name, "own.%d", *(int *)argument);
    if (io_uring_queue_init(DEPTH, &ring, 0) != 0) return argument;
    write_all(&ring, fresh(name), WRITES, sizeof bytes, true);
    io_uring_queue_exit(&ring);
    return NULL;
}

static void *empty_shared(void *argument) {
    reap(&shared, SHARED, 16);
    return argument;
}

static void in_child(void) {
    struct io_uring ring;
    if (io_uring_queue_init(4, &ring, 0) != 0) _exit(1);
    write_all(&ring, fresh("child.dat"), 3, 10, true);
    exit(0);
}

int main(void) {
    static int numbers[THREADS];
    pthread_t threads[THREADS], other;
    void *failed;
    if (io_uring_queue_init(2048, &shared, 0) != 0) return CANNOT_RUN_HERE;
    for (int i = 0; i < THREADS; i++) {
        numbers[i] = i;
        CHECK(pthread_create(&threads[i], NULL, own_ring, &numbers[i]) == 0);
    }
    CHECK(pthread_create(&other, NULL, empty_shared, NULL) == 0);
    write_all(&shared, fresh("shared.dat"), SHARED, 16, false);
    pthread_join(other, NULL);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], &failed);
        possible = possible && !failed;
    }
    int fd = fresh("before.dat");
    put(fd, 100);
    struct io_uring_sqe *sqe = io_uring_get_sqe(&shared);
    io_uring_prep_read(sqe, fd, bytes, 10, 0);
    CHECK(io_uring_submit(&shared) == 1);
    pid_t child = fork();
    if (child == 0) in_child();
    collect(child);
    reap(&shared, 1, 10);
    say("done %d", possible);
    return 0;
}
