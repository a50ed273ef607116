/* The parts of the driver of the hazard programs: what a source asks for, what a run left, what its logs say.
   driver.c describes the whole. */
#ifndef IOL_TESTS_HAZARDS_DRIVER_H
#define IOL_TESTS_HAZARDS_DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MOST_WORDS = 16, MOST_EXPECTATIONS = 96, PATH_ROOM = 4096 };

typedef enum expectation_kind {
    EXPECT_COUNTER,
    EXPECT_RECORDS,
    EXPECT_ABSENT,
    EXPECT_OPERATION,
    EXPECT_SIZE,
    EXPECT_GONE,
    EXPECT_KEPT,
    EXPECT_CUSTOM
} expectation_kind;

/* A comparison of a counter with a number or with another counter of the same records. */
typedef struct comparison {
    const char *counter, *operator, * value;
} comparison;

typedef struct expectation {
    expectation_kind kind;
    const char *module; /* or the name of an operation */
    const char *name;   /* a pattern, see driver.c */
    comparison is;
    comparison when; /* counter NULL: always */
} expectation;

/* What the first comment of a source asks for. All text points into `text`. */
typedef struct hazard {
    char *text;
    const char *environment[MOST_WORDS], *arguments[MOST_WORDS], *partial[MOST_WORDS];
    size_t n_environment, n_arguments, n_partial;
    const char *stdin_text, *preload, *others_talk;
    bool closed[3];
    bool plain, recover, lingers, talk;
    int exit_status, signal;
    long least_logs, most_logs, processes; /* processes -1: any number */
    long ranks;
    expectation expectations[MOST_EXPECTATIONS];
    size_t n_expectations;
} hazard;

/* Says what is wrong, with the name of the program before it; the driver's status becomes 1. */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Reads a source; complains and returns false about a line that it does not understand. */
bool hazard_read(const char *source, hazard *h);
void hazard_free(hazard *h);

/* A whole file, with a zero byte behind it; NULL if it cannot be read. The caller frees it. */
char *read_whole(const char *path, size_t *length);

/* Compares what two runs left: names, types, modes, sizes and bytes. */
void trees_compare(const char *without, const char *with);
void tree_remove(const char *path);
/* Calls `visit` for each entry of a directory, in order of name. Returns how many there were, 0 without a directory. */
size_t tree_entries(const char *directory, void (*visit)(const char *path, const char *name, void *context),
                    void *context);

/* Checks the logs in a directory against the expectations. `whole`: one log holds all processes of the run. */
void logs_check(const hazard *h, const char *directory, bool whole);

#endif
