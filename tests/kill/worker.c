/* The program that is killed. Three threads and an endless row of forked children make known calls on known files, and
   say so in the page of truth before and after each. Some children exec, some are killed by their parent.
     kill-worker new TRUTH              makes the page
     kill-worker work TRUTH DIRECTORY   works until it is stopped
     kill-worker once TRUTH DIRECTORY   one thread, always the same calls, then exit
     kill-worker leaf TRUTH DIRECTORY   what children exec
     kill-worker stop TRUTH             tells it to stop
     kill-worker group TRUTH            prints its process group, 0 if it has none yet */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/kill/truth.h"

enum { SHARED_FILE = 0, CHILD_FILE = 7, THREADS = 3, WRITE_BYTES = 100, READ_BYTES = 50, STREAM_BYTES = 30 };

static const char *truth_path, *directory;
static truth *facts;
static int shared_fd;

/* One thread's place to work. */
typedef struct bench {
    int file, fd;    /* descriptor calls */
    int stream_file; /* stream calls, on another file: it has to be known which layer counts what */
    FILE *stream;
    unsigned random;
} bench;

_Noreturn static void die(const char *what) {
    perror(what);
    exit(1);
}

typedef struct change {
    unsigned counter;
    uint64_t amount;
} change;

static void begin(int file, change a, change b) {
    atomic_fetch_add(&facts->counts[file][a.counter].begun, a.amount);
    atomic_fetch_add(&facts->counts[file][b.counter].begun, b.amount);
}

static void end(int file, change a, change b) {
    atomic_fetch_add(&facts->counts[file][a.counter].done, a.amount);
    atomic_fetch_add(&facts->counts[file][b.counter].done, b.amount);
}

/* A call between the two notes of it. */
#define NOTED(file, a, b, call)            \
    do {                                   \
        begin(file, (change)a, (change)b); \
        if (!(call)) die(#call);           \
        end(file, (change)a, (change)b);   \
    } while (0)
#define ONE(counter) \
    { TRUTH_##counter, 1 }
#define MANY(counter, amount) \
    { TRUTH_##counter, amount }
#define NONE \
    { 0, 0 }

static char path_buffer[THREADS + 1][4096];

static const char *path_of(const bench *b, int file) {
    char *path = path_buffer[b->file % (THREADS + 1)];
    snprintf(path, sizeof path_buffer[0], "%s/file.%d", directory, file);
    return path;
}

static void open_file(bench *b) {
    const char *path = path_of(b, b->file);
    NOTED(b->file, ONE(OPENS), NONE, (b->fd = open(path, O_RDWR)) >= 0);
}

static void open_stream(bench *b) {
    const char *path = path_of(b, b->stream_file);
    NOTED(b->stream_file, ONE(STREAM_OPENS), NONE, (b->stream = fopen(path, "r+")) != NULL);
}

static void write_to(int file, int fd) {
    static const char bytes[WRITE_BYTES];
    NOTED(file, ONE(WRITES), MANY(BYTES_WRITTEN, WRITE_BYTES), pwrite(fd, bytes, sizeof bytes, 700) == WRITE_BYTES);
}

static void read_from(int file, int fd) {
    char bytes[READ_BYTES];
    NOTED(file, ONE(READS), MANY(BYTES_READ, READ_BYTES), pread(fd, bytes, sizeof bytes, 200) == READ_BYTES);
}

static void one_step(bench *b) {
    switch (rand_r(&b->random) % 9) {
    case 0: write_to(b->file, b->fd); break;
    case 1: read_from(b->file, b->fd); break;
    case 2: NOTED(b->file, ONE(SEEKS), NONE, lseek(b->fd, 17, SEEK_SET) == 17); break;
    case 3:
        close(b->fd);
        open_file(b);
        break;
    case 4: write_to(SHARED_FILE, shared_fd); break;
    case 5: read_from(SHARED_FILE, shared_fd); break;
    case 6:
    case 7:
        if (!b->stream) open_stream(b);
        NOTED(b->stream_file, ONE(STREAM_WRITES), MANY(STREAM_BYTES, STREAM_BYTES),
              fwrite("a stream writes thirty letters", STREAM_BYTES, 1, b->stream) == 1);
        break;
    case 8:
        if (b->stream) fclose(b->stream);
        b->stream = NULL;
        break;
    }
}

static bool stopped(void) { return atomic_load(&facts->stop) != 0; }

static void *thread(void *number) {
    int n = (int)(intptr_t)number;
    bench b = {.file = 1 + n, .stream_file = 4 + n, .random = (unsigned)n};
    open_file(&b);
    while (!stopped()) one_step(&b);
    return NULL;
}

static void some_steps(unsigned random, int count) {
    bench b = {.file = CHILD_FILE, .stream_file = CHILD_FILE - 1, .random = random};
    open_file(&b);
    for (int i = 0; i < count; i++) one_step(&b);
}

_Noreturn static void be_child(unsigned random) {
    alarm(60);
    some_steps(random, (int)(random % 40));
    atomic_fetch_add(&facts->worked, 1);
    switch (random / 64 % 3) {
    case 0: execl("/proc/self/exe", "kill-worker", "leaf", truth_path, directory, (char *)NULL); die("exec");
    case 1: _exit(0);
    default: exit(0);
    }
}

/* Children, one after the other; every fourth is killed at some moment. */
static void have_children(void) {
    unsigned random = (unsigned)getpid();
    while (!stopped()) {
        unsigned seed = (unsigned)rand_r(&random);
        int status;
        atomic_fetch_add(&facts->forks, 1);
        pid_t child = fork();
        if (child == 0) be_child(seed);
        if (child < 0) die("fork");
        if (seed % 4 == 0) {
            usleep(seed / 4 % 3000);
            kill(child, SIGKILL);
        }
        if (waitpid(child, &status, 0) != child) die("waitpid");
        if (WIFEXITED(status) && WEXITSTATUS(status) != 0) exit(1);
    }
}

static void open_shared(void) {
    bench b = {.file = SHARED_FILE};
    open_file(&b);
    shared_fd = b.fd;
}

static void work(void) {
    pthread_t threads[THREADS];
    setpgid(0, 0);
    atomic_store(&facts->group, (int32_t)getpid());
    alarm(60);
    open_shared();
    atomic_fetch_add(&facts->worked, 1);
    for (intptr_t t = 0; t < THREADS; t++)
        if (pthread_create(&threads[t], NULL, thread, (void *)t) != 0) die("pthread_create");
    have_children();
    for (int t = 0; t < THREADS; t++) pthread_join(threads[t], NULL);
}

static void make_page(void) {
    int fd = open(truth_path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    if (fd < 0 || ftruncate(fd, sizeof(truth)) != 0) die(truth_path);
    close(fd);
}

int main(int argc, char **argv) {
    const char *what = argc > 2 ? argv[1] : "";
    truth_path = argc > 2 ? argv[2] : "";
    directory = argc > 3 ? argv[3] : ".";
    if (strcmp(what, "new") == 0) make_page();
    if (!(facts = truth_open(truth_path))) return 2;
    if (strcmp(what, "work") == 0) work();
    if (strcmp(what, "leaf") == 0 || strcmp(what, "once") == 0) {
        open_shared();
        some_steps(42, 60);
    }
    if (strcmp(what, "stop") == 0) atomic_store(&facts->stop, 1);
    if (strcmp(what, "group") == 0) printf("%d\n", atomic_load(&facts->group));
    return 0;
}
