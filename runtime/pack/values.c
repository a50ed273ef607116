/* More common is what occurred more often, and of two alike the larger value. */
#include "runtime/pack/values.h"

#include <stdbool.h>
#include <string.h>

static bool rarer(uint64_t count, uint64_t value, uint64_t than, uint64_t other) {
    if (count != than) return (int64_t)count < (int64_t)than;
    return (int64_t)value < (int64_t)other;
}

static size_t place_of(const iol__values *s, const uint64_t *value, size_t width) {
    size_t at = 0;
    while (at < s->n && (s->values[at * width] != value[0] ||
                         (width > 1 && memcmp(s->values + at * width, value, width * sizeof *value) != 0)))
        at++;
    return at;
}

static size_t rarest(const iol__values *s, size_t width) {
    size_t found = 0;
    for (size_t i = 1; i < s->n; i++)
        if (rarer(s->counts[i], s->values[i * width], s->counts[found], s->values[found * width])) found = i;
    return found;
}

/* A value that has no place takes that of the rarest, if it is more common. */
void iol__values_add(iol__values *s, const uint64_t *value, uint64_t count, size_t width) {
    size_t at = place_of(s, value, width);
    if (at < s->n) {
        s->counts[at] += count;
        return;
    }
    if (at == IOL_VALUES_MOST) {
        at = rarest(s, width);
        if (!rarer(s->counts[at], s->values[at * width], count, value[0])) return;
    } else {
        s->n++;
    }
    s->counts[at] = count;
    memcpy(s->values + at * width, value, width * sizeof *value);
}

static void swap(iol__values *s, size_t a, size_t b, size_t width) {
    uint64_t moved[IOL_VALUES_WIDEST], count = s->counts[a];
    memcpy(moved, s->values + a * width, width * sizeof *moved);
    memcpy(s->values + a * width, s->values + b * width, width * sizeof *moved);
    memcpy(s->values + b * width, moved, width * sizeof *moved);
    s->counts[a] = s->counts[b];
    s->counts[b] = count;
}

void iol__values_choose(iol__values *s, size_t width) {
    for (size_t i = 0; i < IOL_VALUES_RECORD && i < s->n; i++) {
        size_t best = i;
        for (size_t j = i + 1; j < s->n; j++)
            if (rarer(s->counts[best], s->values[best * width], s->counts[j], s->values[j * width])) best = j;
        if (best != i) swap(s, i, best, width);
    }
}
