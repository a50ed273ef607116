/* Sums over ranks, exact, and how much the ranks differ. */
#ifndef IOL_RUNTIME_SPREAD_H
#define IOL_RUNTIME_SPREAD_H

#include <stdint.h>

typedef struct iol__pack_spread {
    uint64_t total;
    unsigned __int128 squares;
} iol__pack_spread;

enum { IOL_SPREAD_WORDS = 3 };

void iol__spread_add(iol__pack_spread *into, int64_t value);
void iol__spread_join(iol__pack_spread *into, const iol__pack_spread *more);
/* As words in a message, and there. */
iol__pack_spread iol__spread_load(const uint64_t words[IOL_SPREAD_WORDS]);
void iol__spread_save(const iol__pack_spread *spread, uint64_t words[IOL_SPREAD_WORDS]);
static inline void iol__spread_join_words(uint64_t *into, const uint64_t *more) {
    const uint64_t low = into[1] + more[1];
    into[0] += more[0];
    into[2] += more[2] + (low < more[1]);
    into[1] = low;
}
/* A time as such a value, in units of 2^-28 s; and the population variance of n values. */
int64_t iol__spread_time(double seconds);
double iol__spread_variance(const iol__pack_spread *spread, uint64_t n);

#endif
