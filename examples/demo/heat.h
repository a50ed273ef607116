/* Heat in a plate, in steps of time: all that is no I/O. heat_before.c and heat_after.c compute the same and write the
   same files, one in ways that are often seen, the other fixed. */
#ifndef EXAMPLES_DEMO_HEAT_H
#define EXAMPLES_DEMO_HEAT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Each of the three ways to lose time is to cost half a second where calls of the system are quick, so that the story is
   the same on every machine; and what the fixed version does is to be little even where they are slow. */
enum { SIZE = 512, STEPS = 240, SMALLER_STEPS = 2, STEPS_A_CHECKPOINT = 40, SOURCES = 5000 };

typedef struct {
    int row, column;
    double heat;
} source;

static double plate[SIZE][SIZE];

static inline void stop(const char *what) {
    perror(what);
    exit(1);
}

/* Explicit steps; the rim stays cold. */
static inline void diffuse(void) {
    static double next[SIZE][SIZE];
    for (int row = 1; row < SIZE - 1; row++)
        for (int column = 1; column < SIZE - 1; column++) {
            double around =
                plate[row - 1][column] + plate[row + 1][column] + plate[row][column - 1] + plate[row][column + 1];
            next[row][column] = plate[row][column] + 0.2 * (around - 4 * plate[row][column]);
        }
    memcpy(plate, next, sizeof plate);
}

static inline void step_forward(const source *sources) {
    for (int i = 0; i < SOURCES; i++) plate[sources[i].row][sources[i].column] += sources[i].heat;
    for (int i = 0; i < SMALLER_STEPS; i++) diffuse();
}

static inline double mean_of_row(int row) {
    double sum = 0;
    for (int column = 0; column < SIZE; column++) sum += plate[row][column];
    return sum / SIZE;
}

#endif
