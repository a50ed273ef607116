/* In integers: the order of adding does not matter, and nothing is rounded before the end. */
#include "runtime/pack/spread.h"

void iol__spread_add(iol__pack_spread *into, int64_t value) {
    const unsigned __int128 wide = (unsigned __int128)(__int128)value;
    into->total += (uint64_t)value;
    into->squares += wide * wide;
}

int64_t iol__spread_time(double seconds) {
    const double units = seconds * 0x1p28;
    if (!(units > -9e18) || !(units < 9e18)) return 0;
    return (int64_t)(units < 0 ? units - 0.5 : units + 0.5);
}

/* Around a whole number near the mean, so that the squares are those of small numbers. */
double iol__spread_variance(const iol__pack_spread *spread, uint64_t n) {
    const int64_t total = (int64_t)spread->total, middle = total / (int64_t)n, rest = total % (int64_t)n;
    const unsigned __int128 m = (unsigned __int128)(__int128)middle, t = (unsigned __int128)(__int128)total;
    const __int128 squares = (__int128)(spread->squares - 2 * m * t + m * m * n);
    return ((double)squares - (double)rest * (double)rest / (double)n) / (double)n;
}

void iol__spread_join(iol__pack_spread *into, const iol__pack_spread *more) {
    into->total += more->total;
    into->squares += more->squares;
}

iol__pack_spread iol__spread_load(const uint64_t words[IOL_SPREAD_WORDS]) {
    return (iol__pack_spread){words[0], (unsigned __int128)words[2] << 64 | words[1]};
}

void iol__spread_save(const iol__pack_spread *spread, uint64_t words[IOL_SPREAD_WORDS]) {
    words[0] = spread->total;
    words[1] = (uint64_t)spread->squares;
    words[2] = (uint64_t)(spread->squares >> 64);
}
