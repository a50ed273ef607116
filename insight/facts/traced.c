/* One pass over the requests, record by record and in order of time, as the rank made them: a profile has bins and four
   common values, a trace has every request. */
#include "insight/facts/traced.h"

#include <math.h>
#include <stdlib.h>

uint32_t *iol__tracing_by_record(const iol__tracing *tracing) {
    uint32_t *order = calloc(tracing->count + 1, sizeof *order);
    uint32_t *place = calloc((size_t)tracing->records + 2, sizeof *place);
    if (!order || !place) {
        free(order);
        free(place);
        return NULL;
    }
    for (size_t i = 0; i < tracing->count; i++) place[tracing->requests[i].record + 1]++;
    for (uint32_t r = 0; r < tracing->records; r++) place[r + 1] += place[r];
    for (size_t i = 0; i < tracing->count; i++) order[place[tracing->requests[i].record]++] = (uint32_t)i;
    free(place);
    return order;
}

static int traced_bits_of(uint64_t distance) { return distance ? 64 - __builtin_clzll(distance) : 0; }

/* Candidates for the commonest stride: a value stays as long as it is not outvoted, so that one which more than half of
   the jumps share is left at the end. */
typedef struct vote {
    int64_t stride;
    uint32_t votes;
} vote;

static void cast(vote *v, int64_t stride) {
    if (!v->votes) v->stride = stride;
    if (v->stride == stride)
        v->votes++;
    else
        v->votes--;
}

static bool jumped(const iol__traced_request *before, const iol__traced_request *now) {
    return now->offset != before->offset + before->length;
}

static void traced_take(iol__traced *traced, iol__traced_file *file, vote *v, const iol__traced_request *before,
                        const iol__traced_request *now, double small) {
    int direction = now->write ? IOL_WRITE : IOL_READ;
    iol__traced_direction *w = &file->direction[direction];
    w->requests++;
    if ((double)now->length < small) {
        w->small++;
        w->small_bytes += (double)now->length;
    }
    if (!before || !jumped(before, now)) return;
    int64_t end = before->offset + before->length;
    *(now->offset > end ? &w->forward : &w->backward) += 1;
    int bits = traced_bits_of(now->offset > end ? (uint64_t)(now->offset - end) : (uint64_t)(end - now->offset));
    traced->jumps[direction][bits < IOL_JUMP_BINS ? bits : IOL_JUMP_BINS - 1]++;
    cast(v, now->offset - before->offset);
}

/* Calls back with each request and the one of the same record and direction before it. */
typedef struct traced_walk {
    const iol__tracing *tracing;
    const uint32_t *order;
    size_t at;
    const iol__traced_request *last[IOL_DIRECTIONS];
} traced_walk;

static const iol__traced_request *next_request(traced_walk *w, const iol__traced_request **before) {
    if (w->at == w->tracing->count) return NULL;
    const iol__traced_request *r = &w->tracing->requests[w->order[w->at++]];
    int direction = r->write ? IOL_WRITE : IOL_READ;
    for (int i = 0; i < IOL_DIRECTIONS; i++)
        if (w->last[i] && w->last[i]->record != r->record) w->last[i] = NULL;
    *before = w->last[direction];
    w->last[direction] = r;
    return r;
}

iol__traced iol__traced_find(const iol__tracing *tracing, const iol__facts *facts, double small, iol__arena *arena) {
    iol__traced traced = {0};
    if (!tracing->count || tracing->slot != IOL_SLOT_DXT_POSIX) return traced;
    iol__traced_file *files = iol__arena_alloc(arena, facts->n_files + 1, sizeof *files);
    vote *votes = calloc(facts->n_files + 1, sizeof *votes);
    uint32_t *order = iol__tracing_by_record(tracing);
    traced_walk first = {.tracing = tracing, .order = order}, second = first;
    const iol__traced_request *r, *before;
    if (votes && order && files) {
        while ((r = next_request(&first, &before)))
            traced_take(&traced, &files[r->file], &votes[r->file], before, r, small);
        while ((r = next_request(&second, &before))) {
            if (!before || !jumped(before, r) || r->offset - before->offset != votes[r->file].stride) continue;
            files[r->file].stride = votes[r->file].stride;
            files[r->file].strided++;
        }
        traced.files = files;
    }
    free(votes);
    free(order);
    return traced;
}

double iol__traced_jump(const iol__traced *traced, iol__facts_direction direction, double part) {
    double all = 0, below = 0;
    for (int i = 0; i < IOL_JUMP_BINS; i++) all += traced->jumps[direction][i];
    if (all <= 0) return NAN;
    for (int i = 0; i < IOL_JUMP_BINS; i++) {
        below += traced->jumps[direction][i];
        if (below >= part * all) return ldexp(1, i);
    }
    return NAN;
}
