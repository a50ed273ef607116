/* program THREADS: reads and writes while it allocates, with blocks of all sizes that are freed by other threads, loads
   nothing and says what it read. For tests/e2e/allocators.sh. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST = 8, ROUNDS = 50 };

static char *handed[MOST][ROUNDS];

__attribute__((noreturn)) static void fail(const char *what) {
    perror(what);
    _exit(1);
}

static void *work(void *number) {
    const size_t me = (size_t)number;
    char name[32];
    struct stat facts;
    snprintf(name, sizeof name, "part%zu.dat", me);
    const int fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0644);
    for (size_t i = 0; i < ROUNDS; i++) {
        char *block = malloc(i * 37 + 100);
        memset(block, 'a' + (int)(i % 26), 100);
        if (write(fd, block, 100) != 100 || pread(fd, block, 100, (off_t)i * 100) != 100) fail(name);
        handed[me][i] = realloc(block, i * 991 + 100);
    }
    if (fstat(fd, &facts) != 0 || facts.st_size != 100 * ROUNDS || close(fd) != 0) fail(name);
    return NULL;
}

static void streams(void) {
    char *line = NULL;
    size_t room = 0, lines = 0, bytes = 0;
    FILE *stream = fopen("lines.txt", "w+");
    if (!stream) fail("lines.txt");
    for (int i = 0; i < 1000; i++) fprintf(stream, "line %d of many\n", i);
    rewind(stream);
    for (ssize_t got; (got = getline(&line, &room, stream)) > 0; lines++) bytes += (size_t)got;
    free(line);
    fclose(stream);
    printf("%zu lines, %zu bytes\n", lines, bytes);
}

static void child(void) {
    fflush(stdout);
    const pid_t pid = fork();
    if (pid == 0) {
        char *block = malloc(5000);
        const int fd = open("child.dat", O_WRONLY | O_CREAT, 0644);
        if (write(fd, memset(block, 'c', 5000), 5000) != 5000) fail("child.dat");
        exit(0);
    }
    int status = -1;
    waitpid(pid, &status, 0);
    printf("the child ended with %d\n", status);
}

int main(int argc, char **argv) {
    const size_t threads = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
    pthread_t ids[MOST];
    for (size_t i = 1; i < threads && i < MOST; i++)
        if (pthread_create(&ids[i], NULL, work, (void *)i) != 0) fail("thread");
    work(NULL);
    for (size_t i = 1; i < threads && i < MOST; i++) pthread_join(ids[i], NULL);
    for (size_t t = 0; t < MOST; t++)
        for (size_t i = 0; i < ROUNDS; i++) free(handed[t][i]);
    streams();
    child();
    return 0;
}
