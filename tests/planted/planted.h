/* What the planted programs share. A loss has to be worth naming on any machine, fast or slow, so a program goes on
   until it has made enough calls and has spent enough time in them: it does little else, so its share of I/O is large
   by construction. What a program needs beforehand it makes when it is called with the word `prepare` (judge.sh). */
#ifndef IOL_TESTS_PLANTED_PLANTED_H
#define IOL_TESTS_PLANTED_PLANTED_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { KiB = 1024, MiB = 1024 * 1024 };

/* Seconds for which a sin is committed; several times what a finding has to cost to be called a warning. */
#define ENOUGH 0.6

#define NEED(condition)                                                                          \
    do {                                                                                         \
        if (!(condition)) {                                                                      \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #condition, strerror(errno)); \
            _exit(99);                                                                           \
        }                                                                                        \
    } while (0)

static inline bool preparing(int argc, char **argv) { return argc > 1 && strcmp(argv[1], "prepare") == 0; }

/* Whether the program is to do the same without its fault (tests/planted/repaired). */
static inline bool repaired(int argc, char **argv) { return argc > 1 && strcmp(argv[1], "repaired") == 0; }

static inline double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Whether another round is due: true for `least` rounds, and on until enough time has gone by. */
static inline bool more(long least) {
    static double begin;
    static long rounds;
    if (rounds++ == 0) begin = seconds();
    if (rounds <= least || rounds % 8 != 0) return true;
    return seconds() - begin < ENOUGH;
}

/* For programs that sync too often: where that costs nothing, as in memory, there is nothing to find. */
static inline int costly(double in_syncs) {
    if (in_syncs >= 0.5 * ENOUGH) return 0;
    fprintf(stderr, "syncs cost nothing here\n");
    return 77;
}

/* Work that is no I/O. */
static inline void compute_for(double duration) {
    double until = seconds() + duration;
    volatile double sum = 0;
    while (seconds() < until)
        for (int i = 1; i < 10000; i++) sum = sum + 1.0 / i;
}

/* A file of zeros that takes no room on the disk; reading it is reading all the same. */
static inline void make_sparse(const char *path, off_t size) {
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    NEED(fd >= 0 && ftruncate(fd, size) == 0 && close(fd) == 0);
}

/* The numbers below 2^bits, each once, in no order. */
static inline uint64_t scattered(uint64_t i, int bits) {
    const uint64_t mask = ((uint64_t)1 << bits) - 1;
    for (int round = 0; round < 3; round++) {
        i = i * 0x9E3779B1u & mask;
        i ^= i >> (bits / 2);
    }
    return i;
}

/* Starts `workers` processes, each of which calls `work` with its number, and waits for them. */
static inline void fork_workers(int workers, void (*work)(int number)) {
    for (int i = 0; i < workers; i++) {
        pid_t pid = fork();
        NEED(pid >= 0);
        if (pid == 0) {
            work(i);
            exit(0);
        }
    }
    for (int i = 0, status; i < workers; i++) NEED(wait(&status) > 0 && status == 0);
}

#endif
