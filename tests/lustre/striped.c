/* Writes files in the ways in which layouts are asked for: striped HOW FILE..., each file with 100 bytes.
     close    open and close            stream   fopen and fclose
     copies   dup, and both are closed  open     never closed
     again    closed, then opened once more, written to (5000 bytes) and closed
     thread   two threads at the same time, 200 times each
     fork     a child closes what it inherited
     killed   closed, then the program is killed */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char bytes[5000];

static void check(bool good, const char *what) {
    if (good) return;
    perror(what);
    exit(1);
}

static int begin(const char *path, size_t size) {
    const int fd = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
    check(fd >= 0 && write(fd, bytes, size) == (ssize_t)size, path);
    return fd;
}

static void closed(const char *path) { check(close(begin(path, 100)) == 0, path); }

static void stream(const char *path) {
    FILE *file = fopen(path, "w");
    check(file && fwrite(bytes, 1, 100, file) == 100 && fclose(file) == 0, path);
}

static void copies(const char *path) {
    const int fd = begin(path, 100), copy = dup(fd);
    check(copy >= 0 && close(fd) == 0 && close(copy) == 0, path);
}

static void left_open(const char *path) { begin(path, 100); }

static void again(const char *path) {
    closed(path);
    check(close(begin(path, sizeof bytes)) == 0, path);
}

static void *many(void *path) {
    for (int i = 0; i < 200; i++) closed(path);
    return NULL;
}

static void threads(const char *path) {
    pthread_t two[2];
    for (int i = 0; i < 2; i++) check(pthread_create(&two[i], NULL, many, (void *)(uintptr_t)path) == 0, "thread");
    for (int i = 0; i < 2; i++) pthread_join(two[i], NULL);
}

static void forked(const char *path) {
    const int fd = begin(path, 100);
    const pid_t child = fork();
    if (child == 0) {
        check(write(fd, bytes, 10) == 10 && close(fd) == 0, path);
        exit(0);
    }
    int status;
    check(waitpid(child, &status, 0) == child && status == 0 && close(fd) == 0, path);
}

static void killed(const char *path) {
    closed(path);
    raise(SIGKILL);
}

static const struct {
    const char *name;
    void (*use)(const char *path);
} uses[] = {{"close", closed}, {"stream", stream},  {"copies", copies}, {"open", left_open},
            {"again", again},  {"thread", threads}, {"fork", forked},   {"killed", killed}};

int main(int argc, char **argv) {
    for (size_t at = 0; argc > 2 && at < sizeof uses / sizeof *uses; at++) {
        if (strcmp(argv[1], uses[at].name) != 0) continue;
        for (int i = 2; i < argc; i++) uses[at].use(argv[i]);
        return 0;
    }
    return 2;
}
