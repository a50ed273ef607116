/* Requests that repeat or get in each other's way. Each question is one sort of the requests and one sweep over
   neighbours, so a trace of a million requests takes a fraction of a second. */
#include "insight/facts/phases.h"

#include <math.h>
#include <stdlib.h>

#include "base/sort.h"
#include "insight/facts/traced.h"

/* A request with the keys of the question at hand. */
typedef struct keyed {
    uint64_t a, b, c;
    const iol__traced_request *r;
} keyed;

static inline bool is_before(const keyed *p, const keyed *q) {
    if (p->a != q->a) return p->a < q->a;
    if (p->b != q->b) return p->b < q->b;
    if (p->c != q->c) return p->c < q->c;
    if (p->r->start != q->r->start) return p->r->start < q->r->start;
    return p->r < q->r; /* the requests themselves are in a fixed order */
}

IOL_SORT(sort_keys, keyed, is_before)

static size_t phase_of(const iol__phases *phases, double start) {
    size_t low = 0, high = phases->kept;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (phases->phases[middle].start <= start)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void clashes_remember(iol__example *example, const iol__traced_request *a, const iol__traced_request *b) {
    if (example->found || !a) return;
    *example = (iol__example){.found = true, .a = *a, .b = *b};
}

/* Whether two requests of different ranks are under way at the same time for some of the same bytes. One that ended
   before the other began is ordered before it, whoever arranged that: fill values, then data, are not a race. */
static bool clash(const iol__traced_request *a, const iol__traced_request *b) {
    return a->rank != b->rank && a->offset < b->offset + b->length && b->offset < a->offset + a->length &&
           a->start < b->end && b->start < a->end;
}

/* The last of the requests before `at` that clashes with it. Sorted by offset, those that reach this far are near. */
static const iol__traced_request *clash_before(const keyed *keys, size_t first, size_t at) {
    enum { LOOK_BACK = 64 };
    for (size_t i = at; i > first && at - i < LOOK_BACK; i--)
        if (clash(keys[i - 1].r, keys[at].r)) return keys[i - 1].r;
    return NULL;
}

/* Two ranks write the same bytes at the same time. */
static void find_conflicts(keyed *keys, const uint32_t *order, const iol__tracing *tracing, const iol__phases *phases,
                           iol__clashes *out) {
    size_t n = 0;
    for (size_t i = 0; i < tracing->count; i++) {
        const iol__traced_request *r = &tracing->requests[order[i]];
        if (!r->write || r->length <= 0) continue;
        keys[n++] = (keyed){.a = phase_of(phases, r->start), .b = r->file, .c = (uint64_t)r->offset, .r = r};
    }
    if (!sort_keys(keys, n)) return;
    for (size_t i = 0, first = 0; i < n; i++) {
        bool same = i && keys[i].a == keys[i - 1].a && keys[i].b == keys[i - 1].b;
        if (!same) first = i;
        const iol__traced_request *other = clash_before(keys, first, i);
        if (!other) continue;
        out->conflicts++;
        clashes_remember(&out->conflict, other, keys[i].r);
    }
}

static int64_t stripe_size_of(const iol__facts_file *file) {
    if (!file->lustre || !file->lustre->components) return 0;
    return file->lustre->stripes[file->lustre->components - 1].size;
}

/* A write that begins or ends in a stripe which another rank wrote a moment ago: the lock has to travel. Stripes in the
   middle of a request are its own. */
static void find_lock_conflicts(keyed *keys, const uint32_t *order, const iol__tracing *tracing,
                                const iol__facts *facts, iol__clashes *out) {
    size_t n = 0;
    for (size_t i = 0; i < tracing->count; i++) {
        const iol__traced_request *r = &tracing->requests[order[i]];
        const iol__facts_file *file = &facts->file[r->file];
        int64_t stripe = stripe_size_of(file);
        if (!r->write || r->length <= 0 || stripe <= 0 || iol__facts_file_sharing(file) == IOL_SHARING_UNIQUE) continue;
        int64_t first = r->offset / stripe, last = (r->offset + r->length - 1) / stripe;
        keys[n++] = (keyed){.a = r->file, .b = (uint64_t)first, .r = r};
        if (last != first) keys[n++] = (keyed){.a = r->file, .b = (uint64_t)last, .r = r};
        out->lock_writes++;
    }
    if (!sort_keys(keys, n)) return;
    for (size_t i = 1; i < n; i++) {
        const iol__traced_request *before = keys[i - 1].r, *r = keys[i].r;
        if (keys[i].a != keys[i - 1].a || keys[i].b != keys[i - 1].b || before->rank == r->rank) continue;
        if (r->start - before->end >= 1) continue;
        out->lock_conflicts++;
        clashes_remember(&out->lock, before, r);
    }
    out->lock_conflicts = fmin(out->lock_conflicts, out->lock_writes); /* some meet others at both ends */
}

/* The same rank moves the same bytes again, all of a request or a part. */
static void find_repeats(keyed *keys, const uint32_t *order, const iol__tracing *tracing, bool write,
                         iol__clashes *out) {
    size_t n = 0;
    int direction = write ? IOL_WRITE : IOL_READ;
    for (size_t i = 0; i < tracing->count; i++) {
        const iol__traced_request *r = &tracing->requests[order[i]];
        if (r->write != write || r->length <= 0) continue;
        keys[n++] = (keyed){.a = (uint64_t)r->file << 32 | (uint32_t)r->rank,
                            .b = (uint64_t)r->offset,
                            .c = (uint64_t)r->length,
                            .r = r};
    }
    if (!sort_keys(keys, n)) return;
    const iol__traced_request *reach = NULL; /* the one that reaches farthest so far */
    for (size_t i = 0; i < n; i++) {
        const iol__traced_request *r = keys[i].r;
        if (!i || keys[i].a != keys[i - 1].a) reach = NULL;
        int64_t end = reach ? reach->offset + reach->length : 0, own = r->offset + r->length;
        double again = reach && r->offset < end ? (double)((own < end ? own : end) - r->offset) : 0;
        if (again > 0) {
            out->repeated[direction]++;
            out->repeated_bytes[direction] += again;
            out->repeated_s[direction] += (r->end - r->start) * again / (double)r->length;
            clashes_remember(&out->repeat[direction], reach, r);
        }
        if (!reach || own > end) reach = r;
    }
}

enum { META_REGION = 96 * 1024 };

/* Many ranks read the very same small region of an HDF5 file: its metadata. */
static void find_regions(keyed *keys, const uint32_t *order, const iol__tracing *tracing, const bool *is_hdf5,
                         iol__clashes *out) {
    size_t n = 0;
    for (size_t i = 0; i < tracing->count; i++) {
        const iol__traced_request *r = &tracing->requests[order[i]];
        if (r->write || r->length <= 0 || r->length >= META_REGION) continue;
        if (!is_hdf5[r->file]) continue;
        keys[n++] =
            (keyed){.a = r->file, .b = (uint64_t)r->offset, .c = (uint64_t)r->length << 24 | (uint32_t)r->rank, .r = r};
    }
    if (!sort_keys(keys, n)) return;
    double ranks = 0;
    for (size_t i = 0; i < n; i++) {
        bool same =
            i && keys[i].a == keys[i - 1].a && keys[i].b == keys[i - 1].b && keys[i].r->length == keys[i - 1].r->length;
        if (!same)
            ranks = 1;
        else if (keys[i].c != keys[i - 1].c)
            ranks++;
        if (ranks <= out->region_ranks) continue;
        out->region_ranks = ranks;
        if (same) out->region = (iol__example){.found = true, .a = *keys[i - 1].r, .b = *keys[i].r};
    }
}

iol__clashes iol__clashes_find(iol__tracing *tracing, const iol__phases *phases, const iol__facts *facts,
                               const bool *is_hdf5) {
    iol__clashes out = {0};
    if (!tracing->count) return out;
    keyed *keys = malloc(2 * tracing->count * sizeof *keys);
    uint32_t *order = iol__tracing_by_record(tracing); /* a record's requests mostly go forward: runs to merge */
    if (!keys || !order) {
        free(keys);
        free(order);
        return out;
    }
    find_conflicts(keys, order, tracing, phases, &out);
    find_lock_conflicts(keys, order, tracing, facts, &out);
    find_repeats(keys, order, tracing, false, &out);
    find_repeats(keys, order, tracing, true, &out);
    find_regions(keys, order, tracing, is_hdf5, &out);
    free(order);
    free(keys);
    return out;
}
