/* The progress bar: thirty cells, drawn five times per second. */
#include "report/progress.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/deadline.h"

enum { CELLS = 30, STEPS_A_LOOK = 256 };

#define FIRST_AFTER 1.0
#define DRAW_EVERY 0.2

void iol__progress_start(iol__progress *progress, bool quiet) {
    *progress = (iol__progress){.countdown = STEPS_A_LOOK, .scale = 1};
    progress->wanted = !quiet && isatty(STDERR_FILENO);
    if (progress->wanted) progress->next = iol__monotonic_seconds() + FIRST_AFTER;
}

void iol__progress_part(iol__progress *progress, size_t index, size_t count) {
    progress->base = (double)index / (double)count;
    progress->scale = 1 / (double)count;
    progress->from = progress->until = 0;
}

void iol__progress_piece(iol__progress *progress, double until) {
    progress->from = progress->until;
    progress->until = until;
}

void iol__progress_draw(iol__progress *progress, double fraction) {
    progress->countdown = STEPS_A_LOOK;
    double time = iol__monotonic_seconds();
    if (time < progress->next) return;
    progress->next = time + DRAW_EVERY;
    double part = progress->from + (progress->until - progress->from) * fraction;
    double whole = progress->base + progress->scale * part;
    if (!(whole >= 0 && whole <= 1)) return;
    progress->shown = true;
    char bar[CELLS + 1];
    size_t full = (size_t)(whole * CELLS);
    memset(bar, '.', CELLS);
    memset(bar, '#', full);
    bar[CELLS] = '\0';
    fprintf(stderr, "\r[%s] %3.0f%%", bar, whole * 100);
    fflush(stderr);
}

void iol__progress_end(iol__progress *progress) {
    if (!progress->shown) return;
    fputs("\r\033[K", stderr);
    fflush(stderr);
    progress->shown = false;
}
