/* What the hazard programs share. They print what they see, without numbers that differ from run to run, so that a
   change of behaviour shows. Printing goes around stdio: nothing is buffered when a process forks, dies or execs. */
#ifndef IOL_TESTS_HAZARDS_HAZARD_H
#define IOL_TESTS_HAZARDS_HAZARD_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CANNOT_RUN_HERE = 77, CHECK_FAILED = 99 };

/* One line on a descriptor. */
__attribute__((format(printf, 2, 3))) static inline void say_to(int fd, const char *format, ...) {
    char line[1024];
    va_list list;
    va_start(list, format);
    int length = vsnprintf(line, sizeof line - 1, format, list);
    va_end(list);
    if (length < 0 || length > (int)sizeof line - 2) length = (int)sizeof line - 2;
    line[length] = '\n';
    if (write(fd, line, (size_t)length + 1) < 0) _exit(CHECK_FAILED);
}

#define say(...) say_to(1, __VA_ARGS__)

/* A condition that holds with and without Iolite. */
#define CHECK(condition)                                                                        \
    do {                                                                                        \
        if (!(condition)) {                                                                     \
            say_to(2, "%s:%d: %s: %s", __FILE__, __LINE__, #condition, strerrorname_np(errno)); \
            _exit(CHECK_FAILED);                                                                \
        }                                                                                       \
    } while (0)

/* Opens a file for reading and writing, empty. */
static inline int fresh(const char *path) {
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0644);
    CHECK(fd >= 0);
    return fd;
}

/* Writes that many bytes, at most 4096, by one call. */
static inline void put(int fd, size_t count) {
    static const char bytes[4096] = {'x'};
    CHECK(write(fd, bytes, count) == (ssize_t)count);
}

static inline void put_at(int fd, size_t count, off_t offset) {
    static const char bytes[4096] = {'x'};
    CHECK(pwrite(fd, bytes, count, offset) == (ssize_t)count);
}

/* Waits for a child, which must end with 0. */
static inline void collect(pid_t pid) {
    int status = -1;
    CHECK(waitpid(pid, &status, 0) == pid);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
}

/* A file that Iolite has never heard of. */
static inline void make_unknown(const char *path) { CHECK(mknod(path, S_IFREG | 0644, 0) == 0); }

/* The own program again, with one more argument. Returns only if that fails. */
static inline void again(const char *stage) {
    char self[4096];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    CHECK(length > 0);
    self[length] = '\0';
    char *words[] = {self, (char *)(size_t)stage, NULL};
    execv(self, words);
}

#endif
