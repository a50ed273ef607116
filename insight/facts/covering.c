/* The covering set: within each phase, what a rank did to a file is a span of time. Going through the phase, the span
   that reaches farthest is taken whenever the last one ends: no other choice needs fewer. Files on the way bound the
   time of the job; a faster disk for any other would change nothing. */
#include <math.h>
#include <stdlib.h>

#include "insight/facts/traced.h"

enum { SHOWN_FILES = 10 };

typedef struct covering_span {
    double start, end;
    uint32_t phase, file;
} covering_span;

static int by_phase(const void *a, const void *b) {
    const covering_span *x = a, *y = b;
    if (x->phase != y->phase) return x->phase < y->phase ? -1 : 1;
    if (x->start != y->start) return x->start < y->start ? -1 : 1;
    if (x->end != y->end) return x->end > y->end ? -1 : 1;
    return (x->file > y->file) - (x->file < y->file);
}

/* One span for each record and phase. Requests of a record come in order of time, and so do phases. */
static size_t make_spans(const iol__tracing *tracing, const iol__phases *phases, const uint32_t *order,
                         covering_span *spans) {
    size_t n = 0;
    uint32_t phase = 0, record = 0;
    for (size_t i = 0; i < tracing->count; i++) {
        const iol__traced_request *r = &tracing->requests[order[i]];
        if (!i || r->record != record) phase = 0;
        bool open = n && i && r->record == record && phase < phases->kept && r->start <= phases->phases[phase].end;
        record = r->record;
        if (open) {
            if (r->end > spans[n - 1].end) spans[n - 1].end = r->end;
            continue;
        }
        while (phase < phases->kept && r->start > phases->phases[phase].end) phase++;
        if (phase == phases->kept) continue;
        spans[n++] = (covering_span){r->start, r->end, phase, r->file};
    }
    return n;
}

/* Seconds for each file, in one phase. Spans that were passed over never reach beyond the one that was taken. */
static void cover(const covering_span *spans, size_t count, double *out) {
    double reached = spans[0].start;
    for (size_t i = 0; i < count;) {
        const covering_span *farthest = NULL;
        for (; i < count && spans[i].start <= reached; i++)
            if (spans[i].end > reached && (!farthest || spans[i].end > farthest->end)) farthest = &spans[i];
        if (farthest) {
            out[farthest->file] += farthest->end - reached;
            reached = farthest->end;
        } else if (i < count) {
            reached = spans[i].start; /* a pause within the phase */
        }
    }
}

static void cover_all(const covering_span *spans, size_t count, double *out) {
    for (size_t from = 0, to = 0; from < count; from = to) {
        while (to < count && spans[to].phase == spans[from].phase) to++;
        cover(spans + from, to - from, out);
    }
}

/* The list ---------------------------------------------------------------------------------------------------- */

/* The files that stand for most, the longest first. */
static void list_covering_files(iol__phases *phases, const iol__facts *facts, const double *seconds,
                                iol__arena *arena) {
    iol__covering *list = iol__arena_alloc(arena, SHOWN_FILES + 1, sizeof *list);
    for (size_t i = 0; i < facts->n_files; i++) {
        if (!(seconds[i] > 0)) continue;
        phases->n_covering++;
        size_t at = phases->kept_covering < SHOWN_FILES ? phases->kept_covering++ : SHOWN_FILES;
        for (; at > 0 && seconds[i] > list[at - 1].seconds; at--) list[at] = list[at - 1];
        list[at] = (iol__covering){.file_id = facts->file[i].id, .seconds = seconds[i]};
    }
    for (size_t i = 0; i < phases->kept_covering; i++) {
        const char *name = iol__facts_name(facts, iol__facts_find(facts, list[i].file_id));
        list[i].name = name ? iol__arena_copy(arena, name) : NULL;
    }
    phases->covering = list;
}

void iol__covering_find(const iol__tracing *tracing, iol__phases *phases, const iol__facts *facts, double *out,
                        iol__arena *arena) {
    if (!tracing->count || !phases->kept || phases->kept != phases->count) return;
    covering_span *spans = malloc(tracing->count * sizeof *spans);
    uint32_t *order = iol__tracing_by_record(tracing);
    size_t count = spans && order ? make_spans(tracing, phases, order, spans) : 0;
    if (count) {
        qsort(spans, count, sizeof *spans, by_phase);
        cover_all(spans, count, out);
    }
    free(spans);
    free(order);
    if (count) list_covering_files(phases, facts, out, arena);
}
