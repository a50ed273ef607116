/* Serial programs with one fault and without it, for bench/pairs.py: `pairs` lists them, `pairs NAME prepare`, `pairs NAME
   before` and `pairs NAME after` run one in the current directory. Both versions do the same work, so that the difference
   of their run times is what the fault costs; what one needs to be there it makes by `prepare`. Files are in the page
   cache, as those of most programs are. */
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { KIB = 1 << 10, MIB = 1 << 20 };

#define NEED(condition)                                                     \
    do {                                                                    \
        if (!(condition)) {                                                 \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
            exit(1);                                                        \
        }                                                                   \
    } while (0)

static bool fixed; /* the version after */
static char block[4 * MIB];

static int create(const char *name, int flags) {
    int fd = open(name, O_RDWR | O_CREAT | O_TRUNC | flags, 0600);
    NEED(fd >= 0);
    return fd;
}

static int open_input(void) {
    int fd = open("input", O_RDONLY);
    NEED(fd >= 0);
    return fd;
}

static void put(int fd, size_t size) { NEED(write(fd, block, size) == (ssize_t)size); }
static void get(int fd, size_t size) { NEED(read(fd, block, size) == (ssize_t)size); }

static void make_input(void) {
    int fd = create("input", 0);
    for (int i = 0; i < 64; i++) put(fd, 4 * MIB);
    NEED(fsync(fd) == 0 && close(fd) == 0);
}

/* The numbers below 2^bits, each once, in no order. */
static uint64_t scattered(uint64_t i, int bits) {
    const uint64_t mask = ((uint64_t)1 << bits) - 1;
    for (int round = 0; round < 3; round++) {
        i = i * 0x9E3779B1u & mask;
        i ^= i >> (bits / 2);
    }
    return i;
}

static void tiny_writes(void) {
    int fd = create("result", 0);
    for (size_t i = 0, each = fixed ? 64 * KIB : 16; i < 24 * MIB / each; i++) put(fd, each);
    close(fd);
}

static void tiny_reads(void) {
    int fd = open_input();
    for (size_t i = 0, each = fixed ? 64 * KIB : 16; i < 24 * MIB / each; i++) get(fd, each);
    close(fd);
}

static void page_writes(void) {
    int fd = create("result", 0);
    for (size_t i = 0, each = fixed ? MIB : 512; i < 128 * MIB / each; i++) put(fd, each);
    close(fd);
}

static void page_reads(void) {
    int fd = open_input();
    for (size_t round = 0; round < 4; round++) {
        NEED(lseek(fd, (off_t)(round * 64 * MIB), SEEK_SET) >= 0);
        for (size_t i = 0, each = fixed ? MIB : 256; i < 64 * MIB / each; i++) get(fd, each);
    }
    close(fd);
}

static void sync_each(void) {
    int fd = create("result", 0);
    for (int i = 0; i < 2000; i++) {
        put(fd, 4 * KIB);
        if (!fixed || i == 1999) NEED(fsync(fd) == 0);
    }
    close(fd);
}

static void sync_flag(void) {
    int fd = create("result", fixed ? 0 : O_SYNC);
    for (int i = 0; i < 2000; i++) put(fd, 4 * KIB);
    NEED(fsync(fd) == 0 && close(fd) == 0);
}

static void direct_small(void) {
    void *aligned;
    NEED(posix_memalign(&aligned, 4096, MIB) == 0);
    memset(aligned, 1, MIB);
    int fd = create("result", O_DIRECT);
    for (size_t i = 0, each = fixed ? MIB : 4 * KIB; i < 32 * MIB / each; i++)
        NEED(write(fd, aligned, each) == (ssize_t)each);
    close(fd);
    free(aligned);
}

static void open_each(void) {
    int fd = create("journal", 0);
    for (int i = 0; i < 200000; i++) {
        if (!fixed) {
            NEED(close(fd) == 0 && (fd = open("journal", O_WRONLY | O_APPEND)) >= 0);
            put(fd, 80);
        } else if (i % 100 == 0) {
            put(fd, 8000);
        }
    }
    close(fd);
}

static void stream_open_each(void) {
    FILE *stream = fopen("journal", "w");
    for (int i = 0; i < 60000; i++) {
        if (!fixed) NEED(stream && fclose(stream) == 0 && (stream = fopen("journal", "a")));
        NEED(stream && fprintf(stream, "step %d energy %f\n", i, 1.0 / (i + 1)) > 0);
    }
    NEED(stream && fclose(stream) == 0);
}

static void ask_each(void) {
    struct stat facts;
    for (int i = 0; i < (fixed ? 1 : 1500000); i++) NEED(stat("input", &facts) == 0);
}

static void search_each(void) {
    static const char *const places[] = {"a", "b", "c", "d", "e", "f", "g"};
    char path[64];
    for (int i = 0; i < (fixed ? 1 : 150000); i++)
        for (size_t place = 0; place < 7; place++) {
            snprintf(path, sizeof path, "%s/parameters", places[place]);
            NEED(access(path, R_OK) != 0);
        }
}

static void read_again(void) {
    for (int round = 0; round < (fixed ? 1 : 12); round++) {
        int fd = open_input();
        for (int i = 0; i < 32; i++) get(fd, 4 * MIB);
        close(fd);
    }
}

static void stream_read_again(void) {
    for (int round = 0; round < (fixed ? 1 : 40); round++) {
        FILE *stream = fopen("input", "r");
        NEED(stream);
        for (int i = 0; i < 512; i++) NEED(fread(block, 1, 128 * KIB, stream) == 128 * KIB);
        fclose(stream);
    }
}

static void written_again(void) {
    int fd = create("state", 0);
    for (int round = 0; round < (fixed ? 1 : 40); round++)
        for (int i = 0; i < 16; i++) NEED(pwrite(fd, block, 4 * MIB, (off_t)i * 4 * MIB) == 4 * MIB);
    close(fd);
}

static void random_reads(void) {
    int fd = open_input();
    if (fixed)
        for (int i = 0; i < 256; i++) get(fd, MIB);
    else
        for (uint64_t i = 0; i < 1 << 18; i++) NEED(pread(fd, block, KIB, (off_t)(scattered(i, 18) * KIB)) == KIB);
    close(fd);
}

static void random_writes(void) {
    int fd = create("result", 0);
    if (fixed)
        for (int i = 0; i < 64; i++) put(fd, MIB);
    else
        for (uint64_t i = 0; i < 1 << 18; i++) NEED(pwrite(fd, block, 256, (off_t)(scattered(i, 18) * 256)) == 256);
    close(fd);
}

static void flush_each(void) {
    FILE *stream = fopen("journal", "w");
    NEED(stream);
    for (int i = 0; i < 500000; i++) {
        NEED(fprintf(stream, "step %d energy %f\n", i, 1.0 / (i + 1)) > 0);
        if (!fixed) NEED(fflush(stream) == 0);
    }
    fclose(stream);
}

static void unbuffered_putc(void) {
    FILE *stream = fopen("result", "w");
    NEED(stream);
    if (!fixed) setvbuf(stream, NULL, _IONBF, 0);
    for (int i = 0; i < MIB; i++) NEED(putc('x', stream) == 'x');
    fclose(stream);
}

static void unbuffered_getc(void) {
    FILE *stream = fopen("input", "r");
    NEED(stream);
    if (!fixed) setvbuf(stream, NULL, _IONBF, 0);
    for (int i = 0; i < 2 * MIB; i++) NEED(getc(stream) != EOF);
    fclose(stream);
}

static void stream_seek_each(void) {
    FILE *stream = fopen("input", "r");
    NEED(stream);
    for (uint64_t i = 0; i < 1 << 18; i++) {
        if (!fixed) NEED(fseek(stream, (long)(scattered(i, 18) * 64), SEEK_SET) == 0);
        NEED(fread(block, 64, 1, stream) == 1);
    }
    fclose(stream);
}

static void tiny_files(void) {
    char name[64];
    int fd = fixed ? create("results", 0) : -1;
    for (int i = 0; i < 20000; i++) {
        snprintf(name, sizeof name, "result.%d", i);
        if (!fixed) fd = create(name, 0);
        if (!fixed || i % 100 == 0) put(fd, fixed ? 20000 : 200);
        if (!fixed) close(fd);
    }
    if (fixed) close(fd);
}

static void backwards(void) {
    int fd = open_input();
    if (fixed)
        for (int i = 0; i < 256; i++) get(fd, MIB);
    else
        for (off_t at = 256 * MIB - 512; at >= 0; at -= 512) NEED(pread(fd, block, 512, at) == 512);
    close(fd);
}

static void columns(void) {
    int fd = open_input();
    if (fixed)
        for (int i = 0; i < 256; i++) get(fd, MIB);
    else
        for (off_t column = 0; column < 32; column++)
            for (off_t row = 0; row < 16 * KIB; row++)
                NEED(pread(fd, block, 512, row * 16 * KIB + column * 512) == 512);
    close(fd);
}

/* Eight workers, one after the other here as on a machine with one core, so that the clock counts what they all do. */
static void read_by_workers(void) {
    for (int worker = 0; worker < 8; worker++) {
        pid_t pid = fork();
        NEED(pid >= 0);
        if (pid == 0) {
            int fd = open_input(), part = fixed ? 8 : 64;
            if (fixed) NEED(lseek(fd, (off_t)worker * 32 * MIB, SEEK_SET) >= 0);
            for (int i = 0; i < part; i++) get(fd, 4 * MIB);
            exit(0);
        }
        int status;
        NEED(wait(&status) == pid && status == 0);
    }
}

static const struct {
    const char *name, *finding;
    void (*work)(void);
} pairs[] = {
    {"tiny_writes", "posix.small.write", tiny_writes},
    {"tiny_reads", "posix.small.read", tiny_reads},
    {"page_writes", "posix.small.write", page_writes},
    {"page_reads", "posix.small.read", page_reads},
    {"sync_each", "posix.fsync.heavy", sync_each},
    {"sync_flag", "posix.sync.open", sync_flag},
    {"direct_small", "posix.direct.small", direct_small},
    {"open_each", "posix.open.repeat", open_each},
    {"stream_open_each", "stdio.open.repeat", stream_open_each},
    {"ask_each", "posix.stat.heavy", ask_each},
    {"search_each", "posix.lookup.failed", search_each},
    {"read_again", "posix.redundant.read", read_again},
    {"stream_read_again", "stdio.redundant.read", stream_read_again},
    {"written_again", "posix.redundant.write", written_again},
    {"random_reads", "posix.random.read", random_reads},
    {"random_writes", "posix.random.write", random_writes},
    {"flush_each", "stdio.flush", flush_each},
    {"unbuffered_putc", "stdio.tiny", unbuffered_putc},
    {"unbuffered_getc", "stdio.tiny", unbuffered_getc},
    {"stream_seek_each", "stdio.seek", stream_seek_each},
    {"tiny_files", "posix.files.many", tiny_files},
    {"backwards", "posix.random.read", backwards},
    {"columns", "posix.small.read", columns},
    {"read_by_workers", "posix.readall", read_by_workers},
};

int main(int argc, char **argv) {
    memset(block, 'x', sizeof block);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        if (argc == 1) printf("%s %s\n", pairs[i].name, pairs[i].finding);
        if (argc != 3 || strcmp(argv[1], pairs[i].name) != 0) continue;
        fixed = strcmp(argv[2], "after") == 0;
        if (strcmp(argv[2], "prepare") == 0)
            make_input();
        else
            pairs[i].work();
        return 0;
    }
    return argc == 1 ? 0 : 2;
}
