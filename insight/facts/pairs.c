/* Files and ranks within phases. A file that is well used on the whole may be badly used for a minute, and that minute
   is what a developer can find in the program. Requests are added up by record and phase in one pass; the sums, which
   are few, are then sorted twice: by file and by rank. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "insight/facts/traced.h"

enum { MOST_PARTS = 1 << 20, RANKS_TEXT = 120 };
#define MOST_OF_THEM 0.9 /* small requests that a few ranks make */

/* What one rank did to one file in one phase. */
typedef struct pairs_part {
    uint32_t file, phase;
    int32_t rank;
    uint32_t requests[IOL_DIRECTIONS], small[IOL_DIRECTIONS], random[IOL_DIRECTIONS];
    double bytes[IOL_DIRECTIONS], small_bytes[IOL_DIRECTIONS], seconds[IOL_DIRECTIONS];
} pairs_part;

static double pairs_time_of(const pairs_part *p) { return p->seconds[IOL_READ] + p->seconds[IOL_WRITE]; }
static double pairs_bytes_of(const pairs_part *p) { return p->bytes[IOL_READ] + p->bytes[IOL_WRITE]; }

static int by_file(const void *a, const void *b) {
    const pairs_part *x = a, *y = b;
    if (x->file != y->file) return x->file < y->file ? -1 : 1;
    if (x->phase != y->phase) return x->phase < y->phase ? -1 : 1;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

static int pairs_by_rank(const void *a, const void *b) {
    const pairs_part *x = a, *y = b;
    if (x->rank != y->rank) return x->rank < y->rank ? -1 : 1;
    if (x->phase != y->phase) return x->phase < y->phase ? -1 : 1;
    return (x->file > y->file) - (x->file < y->file);
}

/* Parts ------------------------------------------------------------------------------------------------------- */

static void add_request(pairs_part *p, const iol__traced_request *r, const iol__traced_request *before, double small) {
    int direction = r->write ? IOL_WRITE : IOL_READ;
    p->requests[direction]++;
    p->bytes[direction] += (double)r->length;
    p->seconds[direction] += r->end - r->start;
    if ((double)r->length < small) {
        p->small[direction]++;
        p->small_bytes[direction] += (double)r->length;
    }
    if (before && r->offset < before->offset + before->length) p->random[direction]++;
}

typedef struct collection {
    pairs_part *parts;
    size_t count, room;
} collection;

/* False without memory, or when there are too many parts to be worth it. */
static bool make_pairs_room(collection *c) { return c->count < MOST_PARTS && IOL_GROW(c->parts, c->room, c->count); }

/* Requests of a record come in order of time, and so do phases. */
static bool pairs_collect(collection *c, const iol__tracing *tracing, const iol__phases *phases, const uint32_t *order,
                          double small) {
    const iol__traced_request *last[IOL_DIRECTIONS] = {0};
    size_t phase = 0;
    uint32_t record = UINT32_MAX;
    for (size_t i = 0; i < tracing->count; i++) {
        const iol__traced_request *r = &tracing->requests[order[i]];
        bool fresh = r->record != record;
        size_t now = fresh ? 0 : phase;
        if (fresh) last[IOL_READ] = last[IOL_WRITE] = NULL;
        while (now + 1 < phases->kept && r->start > phases->phases[now].end) now++;
        if (!c->count || fresh || now != phase) {
            if (!make_pairs_room(c)) return false;
            c->parts[c->count++] = (pairs_part){.file = r->file, .phase = (uint32_t)now, .rank = r->rank};
        }
        record = r->record;
        phase = now;
        int direction = r->write ? IOL_WRITE : IOL_READ;
        add_request(&c->parts[c->count - 1], r, last[direction], small);
        last[direction] = r;
    }
    return true;
}

/* Adding up --------------------------------------------------------------------------------------------------- */

static void add_pairs_part(iol__pair *pair, const pairs_part *p) {
    for (int direction = 0; direction < IOL_DIRECTIONS; direction++) {
        pair->requests[direction] += p->requests[direction];
        pair->bytes[direction] += p->bytes[direction];
        pair->small[direction] += p->small[direction];
        pair->small_bytes[direction] += p->small_bytes[direction];
        pair->random[direction] += p->random[direction];
    }
}

/* "0-3,17,40", or how it begins. */
static const char *ranks_text(const int32_t *ranks, size_t count, iol__arena *arena) {
    char text[RANKS_TEXT];
    size_t used = 0;
    for (size_t i = 0; i < count;) {
        size_t to = i;
        while (to + 1 < count && ranks[to + 1] == ranks[to] + 1) to++;
        if (used + 32 > sizeof text) {
            used += (size_t)snprintf(text + used, sizeof text - used, ",...");
            break;
        }
        const char *comma = used ? "," : "";
        used += (size_t)(to > i ? snprintf(text + used, sizeof text - used, "%s%d-%d", comma, ranks[i], ranks[to])
                                : snprintf(text + used, sizeof text - used, "%s%d", comma, ranks[i]));
        i = to + 1;
    }
    return iol__arena_text(arena, text, used);
}

typedef struct pairs_share {
    double small;
    int32_t rank;
} pairs_share;

static int by_small(const void *a, const void *b) {
    const pairs_share *x = a, *y = b;
    if (x->small != y->small) return x->small > y->small ? -1 : 1;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

static int pairs_by_number(const void *a, const void *b) {
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* The few ranks that make most of the small requests. `all` is how many the file has over the whole run. */
static void find_pairs_few(iol__pair *pair, int direction, const pairs_part *parts, size_t count, double all,
                           iol__arena *arena) {
    if (pair->small[direction] <= 0 || all <= 0) return;
    pairs_share *shares = iol__arena_alloc(arena, count, sizeof *shares);
    int32_t *ranks = iol__arena_alloc(arena, count, sizeof *ranks);
    for (size_t i = 0; i < count; i++) shares[i] = (pairs_share){parts[i].small[direction], parts[i].rank};
    qsort(shares, count, sizeof *shares, by_small);
    double sum = 0;
    size_t n = 0;
    while (n < count && sum < MOST_OF_THEM * pair->small[direction]) {
        ranks[n] = shares[n].rank;
        sum += shares[n++].small;
    }
    qsort(ranks, n, sizeof *ranks, pairs_by_number);
    pair->few[direction] = (double)n;
    pair->few_share[direction] = sum / all;
    pair->few_ranks[direction] = ranks_text(ranks, n, arena);
}

/* A file in a phase: `parts` are those of its ranks. */
static iol__pair pair_of_file(const pairs_part *parts, size_t count, const iol__phases *phases) {
    iol__pair pair = {.phase = &phases->phases[parts[0].phase], .file = parts[0].file, .rank = parts[0].rank};
    double sum = 0, bytes = 0;
    for (size_t i = 0; i < count; i++) {
        add_pairs_part(&pair, &parts[i]);
        sum += pairs_time_of(&parts[i]);
        bytes += pairs_bytes_of(&parts[i]);
        for (int direction = 0; direction < IOL_DIRECTIONS; direction++)
            pair.seconds[direction] = fmax(pair.seconds[direction], parts[i].seconds[direction]);
        if (pairs_time_of(&parts[i]) <= pair.slowest_s) continue;
        pair.slowest_s = pairs_time_of(&parts[i]);
        pair.slowest_bytes = pairs_bytes_of(&parts[i]);
        pair.rank = parts[i].rank;
    }
    pair.ranks = (double)count;
    pair.mean_s = sum / (double)count;
    pair.mean_bytes = bytes / (double)count;
    return pair;
}

/* The same over all phases of the file; parts of one rank lie apart, so that sums are kept by rank. */
static void whole_file(const pairs_part *parts, size_t count, double *by_ranks, double *slowest, double *mean) {
    double sum = 0, ranks = 0;
    *slowest = 0;
    for (size_t i = 0; i < count; i++) by_ranks[parts[i].rank] = 0;
    for (size_t i = 0; i < count; i++) {
        double *own = &by_ranks[parts[i].rank];
        ranks += *own <= 0;
        *own += pairs_time_of(&parts[i]);
        sum += pairs_time_of(&parts[i]);
        *slowest = fmax(*slowest, *own);
    }
    *mean = ranks > 0 ? sum / ranks : 0;
}

typedef struct list {
    iol__pair *pairs;
    size_t count;
} list;

static void pairs_of_file(const pairs_part *parts, size_t count, const iol__phases *phases, double least_s,
                          double *by_ranks, list *out, iol__arena *arena) {
    double slowest, mean, small[IOL_DIRECTIONS] = {0};
    whole_file(parts, count, by_ranks, &slowest, &mean);
    if (slowest < least_s) return;
    for (size_t i = 0; i < count; i++)
        for (int direction = 0; direction < IOL_DIRECTIONS; direction++) small[direction] += parts[i].small[direction];
    for (size_t from = 0, to = 0; from < count; from = to) {
        while (to < count && parts[to].phase == parts[from].phase) to++;
        iol__pair pair = pair_of_file(parts + from, to - from, phases);
        if (pair.slowest_s < least_s) continue;
        pair.whole_slowest_s = slowest;
        pair.whole_mean_s = mean;
        for (int direction = 0; direction < IOL_DIRECTIONS; direction++)
            find_pairs_few(&pair, direction, parts + from, to - from, small[direction], arena);
        out->pairs = iol__arena_grow(arena, out->pairs, out->count, sizeof *out->pairs);
        out->pairs[out->count++] = pair;
    }
}

/* Ranks ------------------------------------------------------------------------------------------------------- */

/* Sums over the ranks of a phase, and of the whole. */
typedef struct phase_sum {
    double seconds, bytes, ranks;
} phase_sum;

static void sum_phases(const pairs_part *parts, size_t count, phase_sum *phases, phase_sum *whole) {
    for (size_t i = 0; i < count; i++) {
        bool new_rank = !i || parts[i].rank != parts[i - 1].rank;
        phase_sum *sum = &phases[parts[i].phase];
        sum->seconds += pairs_time_of(&parts[i]);
        sum->bytes += pairs_bytes_of(&parts[i]);
        sum->ranks += new_rank || parts[i].phase != parts[i - 1].phase;
        whole->seconds += pairs_time_of(&parts[i]);
        whole->ranks += new_rank;
    }
}

static void pairs_of_rank(const pairs_part *parts, size_t count, const iol__phases *phases, const phase_sum *sums,
                          const phase_sum *whole, double least_s, list *out, iol__arena *arena) {
    double all = 0;
    for (size_t i = 0; i < count; i++) all += pairs_time_of(&parts[i]);
    if (all < least_s) return;
    for (size_t from = 0, to = 0; from < count; from = to) {
        const phase_sum *sum = &sums[parts[from].phase];
        iol__pair pair = {.phase = &phases->phases[parts[from].phase], .file = -1, .rank = parts[from].rank};
        for (; to < count && parts[to].phase == parts[from].phase; to++) {
            add_pairs_part(&pair, &parts[to]);
            pair.slowest_s += pairs_time_of(&parts[to]);
            pair.slowest_bytes += pairs_bytes_of(&parts[to]);
            for (int direction = 0; direction < IOL_DIRECTIONS; direction++)
                pair.seconds[direction] += parts[to].seconds[direction];
        }
        if (pair.slowest_s < least_s) continue;
        pair.ranks = sum->ranks;
        pair.mean_s = sum->seconds / sum->ranks;
        pair.mean_bytes = sum->bytes / sum->ranks;
        pair.whole_slowest_s = all;
        pair.whole_mean_s = whole->seconds / whole->ranks;
        out->pairs = iol__arena_grow(arena, out->pairs, out->count, sizeof *out->pairs);
        out->pairs[out->count++] = pair;
    }
}

/* All of them ------------------------------------------------------------------------------------------------- */

static void pairs_all_files(pairs_part *parts, size_t count, const iol__phases *phases, double least_s, list *out,
                            iol__arena *arena) {
    int32_t most = 0;
    for (size_t i = 0; i < count; i++)
        if (parts[i].rank > most) most = parts[i].rank;
    double *by_ranks = iol__arena_alloc(arena, (size_t)most + 1, sizeof *by_ranks);
    qsort(parts, count, sizeof *parts, by_file);
    for (size_t from = 0, to = 0; from < count; from = to) {
        while (to < count && parts[to].file == parts[from].file) to++;
        pairs_of_file(parts + from, to - from, phases, least_s, by_ranks, out, arena);
    }
}

static void all_ranks(pairs_part *parts, size_t count, const iol__phases *phases, double least_s, list *out,
                      iol__arena *arena) {
    phase_sum *sums = iol__arena_alloc(arena, phases->kept + 1, sizeof *sums), whole = {0};
    qsort(parts, count, sizeof *parts, pairs_by_rank);
    sum_phases(parts, count, sums, &whole);
    for (size_t from = 0, to = 0; from < count; from = to) {
        while (to < count && parts[to].rank == parts[from].rank) to++;
        pairs_of_rank(parts + from, to - from, phases, sums, &whole, least_s, out, arena);
    }
}

iol__pairs iol__pairs_find(iol__tracing *tracing, const iol__phases *phases, double small, double least_s,
                           iol__arena *arena) {
    if (tracing->slot != IOL_SLOT_DXT_POSIX || !phases->kept || phases->kept != phases->count) return (iol__pairs){0};
    uint32_t *order = iol__tracing_by_record(tracing);
    collection c = {0};
    bool good = order && pairs_collect(&c, tracing, phases, order, small);
    free(order);
    tracing->scratch = c.parts; /* goes with the trace if there is no memory for what follows */
    list files = {0}, ranks = {0};
    if (good && c.count) {
        pairs_all_files(c.parts, c.count, phases, least_s, &files, arena);
        all_ranks(c.parts, c.count, phases, least_s, &ranks, arena);
    }
    free(c.parts);
    tracing->scratch = NULL;
    return (iol__pairs){files.pairs, ranks.pairs, files.count, ranks.count};
}
