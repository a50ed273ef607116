/* A one-line progress bar on standard error, for people who wait: only on a terminal, only after a second, gone at the
   end. Steps are cheap, so that loops over records can call it for every one. */
#ifndef IOL_REPORT_PROGRESS_H
#define IOL_REPORT_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct iol__progress {
    bool wanted; /* somebody can see it */
    bool shown;
    unsigned countdown; /* steps until the clock is asked again */
    double next;        /* when to draw again */
    double base, scale; /* the part of the whole that pieces are fractions of */
    double from, until; /* the piece that is being worked on */
} iol__progress;

/* Give `quiet` where the bar would be drawn into the output, that is, when results go to the terminal meanwhile. */
void iol__progress_start(iol__progress *progress, bool quiet);
/* The work is `count` parts (as files), and this one begins now. Without it there is one part. */
void iol__progress_part(iol__progress *progress, size_t index, size_t count);
/* From here to `until` (a fraction of the part) is one piece of the work. */
void iol__progress_piece(iol__progress *progress, double until);
/* How much of the piece is done, 0 to 1. */
void iol__progress_draw(iol__progress *progress, double fraction);
/* Clear the line, as before other output; later steps may draw it again. */
void iol__progress_end(iol__progress *progress);

/* Pieces whose end is not known: `done` against what they are `expected` to be. Never reaches the end by itself. */
static inline void iol__progress_step(iol__progress *progress, double done, double expected) {
    if (!progress->wanted || --progress->countdown) return;
    iol__progress_draw(progress, done / (done + expected));
}

#endif
