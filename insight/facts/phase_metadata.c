/* Metadata calls are not traced, but records say when a file was first opened and last closed. Where both lie around
   one phase, between the phase before and the one behind, the file's metadata time belongs to that phase. */
#include <math.h>
#include <stdlib.h>

#include "insight/facts/phases.h"

/* What a file of one rank cost that rank. */
typedef struct phase_metadata_own {
    size_t phase;
    int32_t rank;
    double seconds;
} phase_metadata_own;

static int by_phase_and_rank(const void *a, const void *b) {
    const phase_metadata_own *x = a, *y = b;
    if (x->phase != y->phase) return x->phase < y->phase ? -1 : 1;
    if (x->rank != y->rank) return x->rank < y->rank ? -1 : 1;
    return (x->seconds > y->seconds) - (x->seconds < y->seconds);
}

/* The first phase that ends no earlier. */
static size_t phase_at(const iol__phases *phases, double time) {
    size_t low = 0, high = phases->kept;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (phases->phases[middle].end < time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void set_windows(iol__phase *list, size_t count, double run_time) {
    for (size_t i = 0; i < count; i++) {
        double from = i ? list[i - 1].end : 0;
        double to = i + 1 < count ? list[i + 1].start : fmax(run_time, list[i].end);
        list[i].window = fmax(0, to - from);
        list[i].meta_s = list[i].meta_files = 0;
    }
}

/* False if the file was not used around one phase only. */
static bool phase_metadata_place(const iol__facts_use *use, const iol__phases *phases, size_t *phase) {
    if (!(use->first_open > 0) || !(use->last_close >= use->first_open) || !(use->meta_time > 0)) return false;
    *phase = phase_at(phases, use->first_open);
    if (*phase == phases->kept) return false;
    return *phase + 1 == phases->kept || use->last_close <= phases->phases[*phase + 1].start;
}

/* Each rank's files one after the other, ranks side by side. */
static void add_worst_rank(const phase_metadata_own *list, size_t count, iol__phase *phases) {
    double sum = 0, worst = 0;
    for (size_t i = 0; i < count; i++) {
        bool same = i && list[i].phase == list[i - 1].phase;
        sum = same && list[i].rank == list[i - 1].rank ? sum + list[i].seconds : list[i].seconds;
        worst = same ? fmax(worst, sum) : sum;
        if (i + 1 == count || list[i + 1].phase != list[i].phase) phases[list[i].phase].meta_s += worst;
    }
}

void iol__phases_metadata(const iol__phases *phases, const iol__facts *facts) {
    iol__phase *list = (iol__phase *)(uintptr_t)phases->phases; /* made for this, and not shown to anybody yet */
    set_windows(list, phases->kept, facts->run_time);
    phase_metadata_own *owns =
        phases->kept && phases->kept == phases->count ? malloc((facts->n_files + 1) * sizeof *owns) : NULL;
    size_t n = 0, phase;
    for (size_t i = 0; owns && i < facts->n_files; i++) {
        const iol__facts_use *use = facts->file[i].layer[IOL_LAYER_POSIX];
        if (!use || !phase_metadata_place(use, phases, &phase)) continue;
        list[phase].meta_files++;
        if (!use->whole && use->records == 1)
            owns[n++] = (phase_metadata_own){phase, use->rank, use->meta_time};
        else
            list[phase].meta_s += use->meta_time / (double)iol__facts_rank_count(facts, use);
    }
    if (n) {
        qsort(owns, n, sizeof *owns, by_phase_and_rank);
        add_worst_rank(owns, n, list);
    }
    free(owns);
}
