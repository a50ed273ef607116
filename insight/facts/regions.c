/* Records have no region, but they know when a file was first and last used. A file whose first use and whose last use
   both fall into a region belongs there; of regions in each other it is the inner one. A finding whose files agree is at
   home there, too. */
#include "insight/facts/regions.h"

#include <math.h>
#include <string.h>

enum { FILES_ASKED = 4 /* of a finding, the most costly ones */ };

/* A use may begin just before its mark is on the clock. */
#define SLACK 0.001

static const iol__facts_file *regions_file_of(const iol__case *job, uint64_t id) {
    for (size_t i = 0; i < job->facts.n_files; i++)
        if (job->facts.file[i].id == id) return &job->facts.file[i];
    return NULL;
}

typedef struct regions_window {
    double from, to;
    int64_t rank; /* -1: several */
} regions_window;

static bool window_of(const iol__case *job, const iol__evidence *e, regions_window *w) {
    *w = (regions_window){.from = INFINITY, .to = 0, .rank = -1};
    if (e->kind == IOL_EVIDENCE_SEGMENT || e->kind == IOL_EVIDENCE_TIMERANGE) {
        *w = (regions_window){.from = e->t0, .to = e->t1, .rank = e->kind == IOL_EVIDENCE_SEGMENT ? e->rank : -1};
        return w->from <= w->to;
    }
    const iol__facts_file *file = regions_file_of(job, e->file_id);
    const iol__facts_use *top = file ? iol__facts_top(file, NULL) : NULL;
    if (!top) return false;
    for (int direction = 0; direction < IOL_DIRECTIONS; direction++) {
        const iol__facts_traffic *traffic = top->direction[direction];
        if (traffic->last <= 0) continue;
        w->from = fmin(w->from, traffic->first);
        w->to = fmax(w->to, traffic->last);
    }
    if (top->records == 1 && !top->whole) w->rank = top->rank;
    return w->from <= w->to;
}

/* Marks regions in whose spans the ends of the window are: bit 0 the first, bit 1 the last. */
static void mark_spans(const iol__case *job, const iol__regions *regions, const regions_window *w, uint8_t *marks) {
    iol_custom_span span;
    memset(marks, 0, regions->count);
    for (size_t i = 0; iol_custom_span_at(job->facts.log, regions->module, i, &span) == IOL_OK; i++) {
        const size_t region = iol__regions_find(regions, span.id);
        if (region == IOL_IDMAP_NONE || (w->rank >= 0 && span.rank != w->rank)) continue;
        const double begin = span.begin - SLACK, end = isnan(span.end) ? INFINITY : span.end + SLACK;
        if (w->from >= begin && w->from <= end) marks[region] |= 1;
        if (w->to >= begin && w->to <= end) marks[region] |= 2;
    }
}

static const iol__marked_region *regions_home_of(const iol__case *job, const iol__regions *regions,
                                                 const regions_window *w, uint8_t *marks) {
    const iol__marked_region *home = NULL;
    mark_spans(job, regions, w, marks);
    for (size_t i = 0; i < regions->count; i++)
        if (marks[i] == 3 && (!home || regions->all[i].time < home->time)) home = &regions->all[i];
    return home;
}

static const iol__marked_region *home_of_finding(const iol__case *job, const iol__regions *regions,
                                                 const iol__finding *f, uint8_t *marks) {
    const iol__marked_region *home = NULL;
    for (size_t i = 0, asked = 0; i < f->n_evidence && asked < FILES_ASKED; i++) {
        regions_window w;
        if (!window_of(job, &f->evidence[i], &w)) continue;
        const iol__marked_region *one = regions_home_of(job, regions, &w, marks);
        if (!one || (home && one != home)) return NULL;
        home = one;
        asked++;
    }
    return home;
}

void iol__case_regions(iol__case *job, iol__diagnosis *out) {
    iol__regions *regions = &job->regions; /* there, because memory may end in the middle */
    if (!iol__regions_make(job->facts.log, regions)) longjmp(*job->arena.exhausted, 1);
    if (regions->count == 0) return;
    iol__marked_region *list = iol__arena_alloc(&job->arena, regions->count, sizeof *list);
    memcpy(list, regions->all, regions->count * sizeof *list);
    for (size_t i = 0; i < regions->count; i++) list[i].name = iol__arena_copy(&job->arena, list[i].name);
    out->regions = list;
    out->n_regions = regions->count;
    uint8_t *marks = iol__arena_alloc(&job->arena, regions->count, 1);
    for (size_t i = 0; i < out->n_findings; i++) {
        iol__finding *f = (iol__finding *)(uintptr_t)&out->findings[i];
        const iol__marked_region *home = home_of_finding(job, regions, f, marks);
        if (home) f->region = &list[home - regions->all];
    }
}
