/* io-loop KIND COUNT DIRECTORY [THREADS]: makes one kind of call COUNT times on a file in the directory and prints
   the nanoseconds that a call took; of processor time, which the machine's other work changes least. THREADS is 0 for
   the main thread alone (the default), else the number of threads that do the same, each on a file of its own, while
   the main thread waits; with "shared" behind it, all of them on one descriptor. `io-loop list` prints the kinds. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { MOST_THREADS = 64, CALL_BYTES = 8, FILE_BYTES = 65536 };

typedef struct loop {
    char path[4096];
    int fd, ends[2];
    FILE *stream;
    long count;
    double nanoseconds; /* of all calls together */
    const struct kind *kind;
} loop;

typedef struct kind {
    const char *name;
    void (*prepare)(loop *);
    void (*once)(loop *, long);
} kind;

static pthread_barrier_t together;

_Noreturn static void die(const char *what) {
    fprintf(stderr, "io-loop: %s: %s\n", what, strerror(errno));
    exit(1);
}

static off_t place(long i) { return i * CALL_BYTES % FILE_BYTES; }

static void prepare_nothing(loop *l) { (void)l; }

static void prepare_file(loop *l) {
    static const char zeros[FILE_BYTES];
    l->fd = open(l->path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    if (l->fd < 0 || write(l->fd, zeros, sizeof zeros) != (ssize_t)sizeof zeros) die(l->path);
}

static void prepare_closed(loop *l) {
    prepare_file(l);
    close(l->fd);
}

static void prepare_append(loop *l) {
    prepare_closed(l);
    l->fd = open(l->path, O_WRONLY | O_APPEND);
    if (l->fd < 0) die(l->path);
}

static void prepare_stream(loop *l) {
    prepare_file(l);
    l->stream = fopen(l->path, "w+");
    if (!l->stream) die(l->path);
}

static void prepare_zero(loop *l) {
    l->fd = open("/dev/zero", O_RDONLY);
    if (l->fd < 0) die("/dev/zero");
}

static void prepare_pipe(loop *l) {
    if (pipe(l->ends) != 0) die("pipe");
}

static void check(ssize_t got, ssize_t wanted, const char *what) {
    if (got != wanted) die(what);
}

static void once_nothing(loop *l, long i) { (void)l, (void)i; }

static void once_pread(loop *l, long i) {
    char bytes[CALL_BYTES];
    check(pread(l->fd, bytes, sizeof bytes, place(i)), CALL_BYTES, "pread");
}

static void once_pwrite(loop *l, long i) {
    check(pwrite(l->fd, "12345678", CALL_BYTES, place(i)), CALL_BYTES, "pwrite");
}

static void once_lseek(loop *l, long i) { check(lseek(l->fd, place(i), SEEK_SET), place(i), "lseek"); }

static void once_fwrite(loop *l, long i) {
    (void)i;
    check((ssize_t)fwrite("12345678", CALL_BYTES, 1, l->stream), 1, "fwrite");
}

static void once_fputc(loop *l, long i) { check(fputc((int)(i & 63), l->stream), i & 63, "fputc"); }

static void once_open(loop *l, long i) {
    (void)i;
    int fd = open(l->path, O_RDONLY);
    if (fd < 0 || close(fd) != 0) die("open and close");
}

static void once_stat(loop *l, long i) {
    struct stat facts;
    (void)i;
    if (stat(l->path, &facts) != 0) die("stat");
}

static void once_missing(loop *l, long i) {
    char path[sizeof l->path + 8];
    (void)i;
    memcpy(path, l->path, sizeof l->path);
    memcpy(path + strlen(l->path), ".gone", 6);
    if (open(path, O_RDONLY) >= 0) die("open of what is not there");
}

static void once_append(loop *l, long i) {
    (void)i;
    check(write(l->fd, "12345678", CALL_BYTES), CALL_BYTES, "write to the end");
}

static void once_fopen(loop *l, long i) {
    (void)i;
    FILE *stream = fopen(l->path, "r");
    if (!stream || fclose(stream) != 0) die("fopen and fclose");
}

static void once_files(loop *l, long i) {
    char path[sizeof l->path + 24];
    snprintf(path, sizeof path, "%s.%ld", l->path, i);
    int fd = open(path, O_WRONLY | O_CREAT, 0600);
    if (fd < 0 || write(fd, "12345678", CALL_BYTES) != CALL_BYTES || close(fd) != 0 || unlink(path) != 0) die(path);
}

static void once_zero(loop *l, long i) {
    char bytes[CALL_BYTES];
    (void)i;
    check(read(l->fd, bytes, sizeof bytes), CALL_BYTES, "read of /dev/zero");
}

static void once_pipe(loop *l, long i) {
    char bytes[CALL_BYTES];
    (void)i;
    check(write(l->ends[1], "12345678", CALL_BYTES), CALL_BYTES, "write to a pipe");
    check(read(l->ends[0], bytes, sizeof bytes), CALL_BYTES, "read of a pipe");
}

static const kind kinds[] = {
    {"nothing", prepare_nothing, once_nothing},
    {"pread", prepare_file, once_pread},
    {"pwrite", prepare_file, once_pwrite},
    {"lseek", prepare_file, once_lseek},
    {"fwrite", prepare_stream, once_fwrite},
    {"fputc", prepare_stream, once_fputc},
    {"open", prepare_closed, once_open},
    {"zero", prepare_zero, once_zero},
    {"pipe", prepare_pipe, once_pipe},
    {"stat", prepare_closed, once_stat},
    {"files", prepare_nothing, once_files},
    {"missing", prepare_nothing, once_missing},
    {"append", prepare_append, once_append},
    {"fopen", prepare_closed, once_fopen},
    {0},
};

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void run(loop *l) {
    void (*once)(loop *, long) = l->kind->once;
    double start = now();
    for (long i = 0; i < l->count; i++) once(l, i);
    l->nanoseconds = now() - start;
}

static void *run_beside_others(void *argument) {
    pthread_barrier_wait(&together);
    run(argument);
    return NULL;
}

static void run_threads(loop *loops, long threads) {
    pthread_t ids[MOST_THREADS];
    pthread_barrier_init(&together, NULL, (unsigned)threads);
    for (long t = 0; t < threads; t++)
        if ((errno = pthread_create(&ids[t], NULL, run_beside_others, &loops[t])) != 0) die("pthread_create");
    for (long t = 0; t < threads; t++) pthread_join(ids[t], NULL);
}

static const kind *find_kind(const char *name) {
    for (const kind *k = kinds; k->name; k++)
        if (strcmp(k->name, name) == 0) return k;
    return NULL;
}

int main(int argc, char **argv) {
    static loop loops[MOST_THREADS];
    if (argc == 2 && strcmp(argv[1], "list") == 0) {
        for (const kind *k = kinds; k->name; k++) puts(k->name);
        return 0;
    }
    const kind *chosen = argc >= 4 ? find_kind(argv[1]) : NULL;
    long threads = argc >= 5 ? atol(argv[4]) : 0;
    const bool shared = argc >= 6 && strcmp(argv[5], "shared") == 0;
    if (!chosen || threads < 0 || threads > MOST_THREADS) {
        fputs("usage: io-loop KIND COUNT DIRECTORY [THREADS [shared]]\n", stderr);
        return 2;
    }
    long used = threads > 0 ? threads : 1;
    for (long t = 0; t < used; t++) {
        if (shared && t > 0) {
            loops[t] = loops[0];
            continue;
        }
        loops[t].kind = chosen;
        loops[t].count = atol(argv[2]);
        snprintf(loops[t].path, sizeof loops[t].path, "%s/loop.%ld", argv[3], t);
        chosen->prepare(&loops[t]);
    }
    if (threads > 0)
        run_threads(loops, threads);
    else
        run(&loops[0]);
    double worst = 0;
    for (long t = 0; t < used; t++)
        if (loops[t].nanoseconds > worst) worst = loops[t].nanoseconds;
    printf("%.2f\n", loops[0].count > 0 ? worst / (double)loops[0].count : 0.0);
    return 0;
}
