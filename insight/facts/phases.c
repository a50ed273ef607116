/* Phases: stretches of time in which data moved, with the gaps between them. From a trace they are exact; from a heat
   map as fine as its bins. A profile alone has only first and last times, from which none are made. */
#include "insight/facts/phases.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "base/sort.h"
#include "insight/facts/periodic.h"

enum { MOST_PHASES = 1 << 16, FEWEST_POINTS = 1024, POINTS_PER_REQUEST = 16 };
#define SHORT_PAUSE 0.01 /* seconds */

static inline bool starts_before(const iol__traced_request *x, const iol__traced_request *y) {
    if (x->start != y->start) return x->start < y->start;
    if (x->rank != y->rank) return x->rank < y->rank;
    if (x->file != y->file) return x->file < y->file;
    return x->index < y->index;
}

IOL_SORT(sort_by_start, iol__traced_request, starts_before)

/* From a trace ------------------------------------------------------------------------------------------------ */

/* The longest pause that still belongs to a phase: half a percent of the run, thrice the usual pause, 10 ms. A fiftieth
   of the run is a pause however usual it is: in a program that writes without one between its requests, the pauses
   between checkpoints are all there are. Also adds up the busy time, and counts stretches without a real pause. */
static double longest_pause(const iol__tracing *tracing, double run_time, iol__phases *out) {
    double *gaps = malloc(tracing->count * sizeof *gaps), end = -1, start = 0;
    size_t n = 0;
    out->wall_io = out->stretches = 0;
    for (size_t i = 0; i < tracing->count; i++) {
        const iol__traced_request *r = &tracing->requests[i];
        if (r->start > end) {
            out->stretches += end < 0 || r->start - end > SHORT_PAUSE;
            if (end >= 0) out->wall_io += end - start;
            if (end >= 0 && gaps) gaps[n++] = r->start - end;
            start = r->start;
        }
        if (r->end > end) end = r->end;
    }
    if (end >= 0) out->wall_io += end - start;
    double usual = 0;
    if (n) {
        qsort(gaps, n, sizeof *gaps, iol__by_value);
        size_t shortest = (n * 4 + 4) / 5;
        usual = 3 * gaps[(shortest - 1) / 2];
        if (run_time > 0) usual = fmin(usual, 0.02 * run_time);
    }
    free(gaps);
    return fmax(fmax(0.005 * run_time, usual), SHORT_PAUSE);
}

/* Figures by rank while a phase is added up; `stamp` says which phase they belong to. */
typedef struct by_rank {
    uint32_t *stamp;
    double *bytes, *end;
    int32_t *active;      /* ranks of this phase */
    uint32_t *file_stamp; /* likewise by file */
    double *ends;
    size_t n;
} by_rank;

static by_rank rank_room(iol__arena *arena, size_t count, size_t files) {
    return (by_rank){.stamp = iol__arena_alloc(arena, count, sizeof(uint32_t)),
                     .bytes = iol__arena_alloc(arena, count, sizeof(double)),
                     .end = iol__arena_alloc(arena, count, sizeof(double)),
                     .active = iol__arena_alloc(arena, count, sizeof(int32_t)),
                     .file_stamp = iol__arena_alloc(arena, files, sizeof(uint32_t)),
                     .ends = iol__arena_alloc(arena, count, sizeof(double))};
}

static void count_request(iol__phase *phase, by_rank *ranks, uint32_t stamp, const iol__traced_request *r) {
    double length = (double)r->length;
    *(r->write ? &phase->bytes_written : &phase->bytes_read) += length;
    *(r->write ? &phase->writes : &phase->reads) += 1;
    if (r->end > phase->end) phase->end = r->end;
    phase->files += ranks->file_stamp[r->file] != stamp;
    ranks->file_stamp[r->file] = stamp;
    size_t rank = (size_t)r->rank;
    if (ranks->stamp[rank] != stamp) {
        ranks->stamp[rank] = stamp;
        ranks->bytes[rank] = 0;
        ranks->end[rank] = r->end;
        ranks->active[ranks->n++] = r->rank;
    }
    ranks->bytes[rank] += length;
    if (r->end > ranks->end[rank]) ranks->end[rank] = r->end;
}

static void finish_phase(iol__phase *phase, by_rank *ranks) {
    double sum = 0, squares = 0;
    phase->ranks = (double)ranks->n;
    phase->slowest_rank = phase->fastest_rank = ranks->active[0];
    for (size_t i = 0; i < ranks->n; i++) {
        size_t rank = (size_t)ranks->active[i];
        sum += ranks->bytes[rank];
        squares += ranks->bytes[rank] * ranks->bytes[rank];
        ranks->ends[i] = ranks->end[rank];
        if (ranks->end[rank] > ranks->end[phase->slowest_rank]) phase->slowest_rank = (int64_t)rank;
        if (ranks->end[rank] < ranks->end[phase->fastest_rank]) phase->fastest_rank = (int64_t)rank;
    }
    phase->effective_ranks = squares > 0 ? sum * sum / squares : NAN;
    qsort(ranks->ends, ranks->n, sizeof *ranks->ends, iol__by_value);
    phase->straggle = ranks->n > 1 ? phase->end - ranks->ends[(ranks->n - 1) / 2] : NAN;
    ranks->n = 0;
}

static void trace_phases(const iol__tracing *tracing, double pause, by_rank *ranks, iol__phases *out,
                         iol__arena *arena) {
    iol__phase *list = NULL, open = {0};
    uint32_t stamp = 0;
    for (size_t i = 0; i <= tracing->count; i++) {
        const iol__traced_request *r = i < tracing->count ? &tracing->requests[i] : NULL;
        if (stamp && (!r || r->start > open.end + pause)) {
            finish_phase(&open, ranks);
            if (out->count < MOST_PHASES) {
                list = iol__arena_grow(arena, list, out->kept, sizeof *list);
                list[out->kept++] = open;
            }
            out->count++;
            stamp++;
            if (r) open = (iol__phase){.start = r->start, .end = r->end};
        }
        if (!r) break;
        if (!stamp) {
            stamp = 1;
            open = (iol__phase){.start = r->start, .end = r->end};
        }
        count_request(&open, ranks, stamp, r);
    }
    out->phases = list;
}

static void from_trace(iol__tracing *tracing, const iol__facts *facts, iol__phases *out, iol__arena *arena) {
    if (!sort_by_start(tracing->requests, tracing->count)) longjmp(*arena->exhausted, 1);
    int32_t most = 0;
    for (size_t i = 0; i < tracing->count; i++)
        if (tracing->requests[i].rank > most) most = tracing->requests[i].rank;
    double pause = longest_pause(tracing, facts->run_time, out);
    by_rank ranks = rank_room(arena, (size_t)most + 1, facts->n_files + 1);
    out->source = tracing->slot == IOL_SLOT_DXT_POSIX ? "DXT_POSIX" : "DXT_MPIIO";
    out->resolution = pause;
    trace_phases(tracing, pause, &ranks, out, arena);
}

/* From a heat map --------------------------------------------------------------------------------------------- */

static const iol__heat *busiest_heat(const iol__tracing *tracing) {
    for (int i = 0; i < IOL_HEAT_MAPS; i++) {
        const iol__heat *heat = &tracing->heat[i];
        for (size_t b = 0; b < heat->bins; b++)
            if (heat->read[b] + heat->written[b] > 0) return heat;
    }
    return NULL;
}

/* Bins with at least a thousandth of the busiest one's bytes are active, each direction for itself, so that a few
   writes are not lost beside large reads. One quiet bin does not end a phase. */
static void from_heat(const iol__heat *heat, const iol__facts *facts, iol__phases *out, iol__arena *arena) {
    double most_read = 0, most_written = 0;
    for (size_t i = 0; i < heat->bins; i++) {
        most_read = fmax(most_read, heat->read[i]);
        most_written = fmax(most_written, heat->written[i]);
    }
    iol__phase *list = NULL, open = {0};
    double weight = 0;
    size_t quiet = 0;
    bool inside = false;
    for (size_t i = 0; i <= heat->bins; i++) {
        double bytes = i < heat->bins ? heat->read[i] + heat->written[i] : 0;
        bool active = bytes > 0 && (heat->read[i] >= fmax(1, 0.001 * most_read) ||
                                    heat->written[i] >= fmax(1, 0.001 * most_written));
        quiet = active ? 0 : quiet + 1;
        if (inside && (quiet > 1 || i == heat->bins)) {
            if (weight > 0) open.effective_ranks /= weight;
            list = iol__arena_grow(arena, list, out->kept, sizeof *list);
            list[out->kept++] = open;
            inside = false;
        }
        if (!active) continue;
        if (!inside)
            open = (iol__phase){.start = (double)i * heat->width,
                                .reads = NAN,
                                .writes = NAN,
                                .ranks = NAN,
                                .files = NAN,
                                .slowest_rank = -1,
                                .fastest_rank = -1,
                                .straggle = NAN};
        weight = inside ? weight + bytes : bytes;
        inside = true;
        open.end = fmin((double)(i + 1) * heat->width, facts->run_time > 0 ? facts->run_time : INFINITY);
        open.bytes_read += heat->read[i];
        open.bytes_written += heat->written[i];
        open.effective_ranks += heat->squares[i] > 0 ? bytes * (bytes * bytes / heat->squares[i]) : 0;
    }
    out->source = "HEATMAP";
    out->resolution = heat->width;
    out->count = out->kept;
    out->phases = list;
    out->idle_ranks = (double)heat->idle;
}

/* Regular ones ------------------------------------------------------------------------------------------------ */

/* Starts of phases: regular if they vary by less than 15 %. */
static void period_of_starts(iol__phases *out) {
    if (out->kept < 4 || out->kept != out->count) return;
    size_t n = out->kept - 1;
    double *steps = malloc(n * sizeof *steps), sum = 0, squares = 0, busy = 0;
    if (!steps) return;
    for (size_t i = 0; i < n; i++) {
        steps[i] = out->phases[i + 1].start - out->phases[i].start;
        sum += steps[i];
        squares += steps[i] * steps[i];
        busy += out->phases[i].end - out->phases[i].start;
    }
    double mean = sum / (double)n, variance = fmax(0, squares / (double)n - mean * mean);
    double variation = mean > 0 ? sqrt(variance) / mean : 1;
    qsort(steps, n, sizeof *steps, iol__by_value);
    if (variation < 0.15) {
        out->period = steps[n / 2];
        out->periods = (double)out->kept;
        out->duty = busy / sum;
        out->period_from = "starts";
        out->period_confidence = 1 - variation;
    }
    free(steps);
}

/* Bytes over the time of the run. */
static iol__signal phases_signal_of(const iol__tracing *tracing, const iol__heat *heat, const iol__facts *facts) {
    double length = facts->run_time;
    for (size_t i = 0; i < tracing->count; i++) length = fmax(length, tracing->requests[i].end);
    if (tracing->count) {
        /* As fine as the requests are many: the search takes time that grows with the square of the points. */
        size_t points = FEWEST_POINTS;
        while (points < IOL_SIGNAL_POINTS && points < POINTS_PER_REQUEST * tracing->count) points *= 2;
        iol__signal signal = iol__signal_new(length, points);
        for (size_t i = 0; i < tracing->count; i++) {
            const iol__traced_request *r = &tracing->requests[i];
            iol__signal_add(&signal, r->start, r->end, (double)r->length);
        }
        iol__signal_finish(&signal);
        return signal;
    }
    double covered = (double)heat->bins * heat->width; /* bins may go on behind the end of the run */
    if (!(length > 0) || length > covered) length = covered;
    iol__signal signal = iol__signal_new(length, (size_t)ceil(length / heat->width));
    for (size_t i = 0; i < heat->bins && (double)i * heat->width < length; i++)
        iol__signal_add(&signal, (double)i * heat->width, fmin((double)(i + 1) * heat->width, length),
                        heat->read[i] + heat->written[i]);
    iol__signal_finish(&signal);
    return signal;
}

/* Both ways of looking: starts give the sharper period, the spectrum sees what is not a separate phase. */
static void find_period(const iol__tracing *tracing, const iol__heat *heat, const iol__facts *facts, iol__phases *out) {
    period_of_starts(out);
    iol__signal signal = phases_signal_of(tracing, heat, facts);
    iol__rhythm rhythm = {0};
    if (!out->period_from) rhythm = iol__rhythm_find(&signal);
    if (rhythm.found) {
        out->period = rhythm.period;
        out->periods = (double)signal.count * signal.width / rhythm.period;
        out->period_from = "spectrum";
        out->period_confidence = rhythm.confidence;
    }
    double duty = out->period_from ? iol__rhythm_duty(&signal, out->period) : NAN;
    if (!isnan(duty)) out->duty = duty;
    iol__signal_free(&signal);
}

/* Ranks of the job that the trace has nothing of. Only a trace of every request can tell. */
static double ranks_without_data(const iol__tracing *tracing, const iol__facts *facts, iol__arena *arena) {
    const iol__facts_module *posix = &facts->modules[IOL_SLOT_POSIX];
    int64_t all = iol__facts_plus(posix->all.ints[IOL_POSIX_READS], posix->all.ints[IOL_POSIX_WRITES]);
    if (tracing->slot != IOL_SLOT_DXT_POSIX || (int64_t)tracing->count != all || facts->processes > IOL_FACTS_RANKS)
        return NAN;
    bool *seen = iol__arena_alloc(arena, (size_t)facts->processes, sizeof *seen);
    int64_t moved = 0;
    for (size_t i = 0; i < tracing->count; i++) {
        const iol__traced_request *r = &tracing->requests[i];
        if (r->length <= 0 || r->rank >= facts->processes || seen[r->rank]) continue;
        seen[r->rank] = true;
        moved++;
    }
    return (double)(facts->processes - moved);
}

iol__phases iol__phases_find(iol__tracing *tracing, const iol__facts *facts, iol__arena *arena) {
    iol__phases out = {.wall_io = NAN,
                       .stretches = NAN,
                       .period = NAN,
                       .periods = NAN,
                       .duty = NAN,
                       .period_confidence = NAN,
                       .idle_ranks = NAN,
                       .resolution = NAN};
    const iol__heat *heat = busiest_heat(tracing);
    if (tracing->count) {
        from_trace(tracing, facts, &out, arena);
        out.idle_ranks = ranks_without_data(tracing, facts, arena);
        if (isnan(out.idle_ranks) && heat) out.idle_ranks = (double)heat->idle;
    } else if (heat) {
        from_heat(heat, facts, &out, arena);
    }
    if (out.source) find_period(tracing, heat, facts, &out);
    return out;
}

double iol__phases_overlap(const iol__phases *phases, const iol__facts *facts) {
    if (phases->kept < 2) return NAN;
    double hidden = 0;
    for (size_t i = 0; i < phases->kept; i++) {
        const iol__phase *p = &phases->phases[i];
        double next = i + 1 < phases->kept ? phases->phases[i + 1].start : fmax(facts->run_time, p->end);
        hidden += fmin(p->end - p->start, fmax(0, next - p->end));
    }
    return hidden;
}
