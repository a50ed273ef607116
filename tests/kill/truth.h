/* What a program that is going to be killed knows of itself: for each file and counter how much was begun and how much
   was done, in a page that outlives it. Whatever a log says must lie between the two. */
#ifndef IOL_TESTS_KILL_TRUTH_H
#define IOL_TESTS_KILL_TRUTH_H

#include <stdatomic.h>
#include <stdint.h>

#define TRUTH_COUNTERS(X)                            \
    X(OPENS, "POSIX", "POSIX_OPENS")                 \
    X(READS, "POSIX", "POSIX_READS")                 \
    X(WRITES, "POSIX", "POSIX_WRITES")               \
    X(SEEKS, "POSIX", "POSIX_SEEKS")                 \
    X(BYTES_READ, "POSIX", "POSIX_BYTES_READ")       \
    X(BYTES_WRITTEN, "POSIX", "POSIX_BYTES_WRITTEN") \
    X(STREAM_OPENS, "STDIO", "STDIO_OPENS")          \
    X(STREAM_WRITES, "STDIO", "STDIO_WRITES")        \
    X(STREAM_BYTES, "STDIO", "STDIO_BYTES_WRITTEN")

enum {
#define X(identifier, module, counter) TRUTH_##identifier,
    TRUTH_COUNTERS(X)
#undef X
        TRUTH_COUNT,
    TRUTH_FILES = 8, /* DIRECTORY/file.0 and so on */
};

typedef struct truth_pair {
    _Atomic uint64_t begun, done;
} truth_pair;

typedef struct truth {
    _Atomic int32_t group;          /* process group of the program, 0 until it is known */
    _Atomic uint32_t stop;          /* set from outside: come to an end */
    _Atomic uint64_t forks, worked; /* processes that may exist; those that certainly did something */
    truth_pair counts[TRUTH_FILES][TRUTH_COUNT];
} truth;

/* Maps the page, which must exist; NULL with a message if it cannot be. */
truth *truth_open(const char *path);

#endif
