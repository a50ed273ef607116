/* A record of all ranks has sums and variances. From the variance of the bytes follows how many ranks carried them, if
   they carried alike; the transfers' time is theirs, while opening and closing is everybody's. */
#include "insight/facts/carriers.h"

#include <math.h>

static double carriers_bytes_of(const iol__facts_use *use) {
    return (double)use->direction[IOL_READ]->bytes + (double)use->direction[IOL_WRITE]->bytes;
}

iol__carriers iol__carriers_of(const iol__facts *facts, const iol__facts_use *use) {
    iol__carriers c = {.ranks = (double)iol__facts_rank_count(facts, use), .slowest_rank = -1};
    c.count = fmin(c.ranks, fmax(0, iol__facts_effective_ranks(facts, use)));
    double transfers = use->direction[IOL_READ]->time + use->direction[IOL_WRITE]->time;
    if (c.ranks > 0) c.mean_s = transfers / (c.count >= 1 ? c.count : c.ranks) + use->meta_time / c.ranks;
    if (c.count >= 1) c.mean_bytes = carriers_bytes_of(use) / c.count;
    c.slowest_s = iol__facts_slowest_time(use);
    if (use->whole) {
        c.fastest_s = use->whole->fastest_time;
        c.slowest_rank = use->whole->slowest_rank;
        c.slowest_bytes = use->whole->slowest_bytes;
    } else if (use->ranks) {
        c.fastest_s = use->ranks->fastest_time;
        c.slowest_rank = use->ranks->slowest_rank;
        c.slowest_bytes = use->ranks->slowest_bytes;
    }
    return c;
}

/* The least share of what the rank with most data moved. */
#define CARRIED 0.02

static double own_bytes(const iol__facts_rank *rank) {
    return (double)rank->bytes[IOL_READ] + (double)rank->bytes[IOL_WRITE];
}

/* A carrier has to move a share worth the name: ranks that only read a small input are none. One rank with most of the
   data is not a group of carriers, though: it is compared with all that have such files. */
iol__unique_carriers iol__carriers_of_unique_files(const iol__facts *facts) {
    const iol__facts_layer_ranks *posix = &facts->ranks[IOL_LAYER_POSIX];
    iol__unique_carriers c = {.slowest_s = NAN, .slowest_bytes = NAN};
    double seconds = 0, carried_s = 0, bytes = 0, most = 0;
    size_t slowest = 0;
    for (size_t r = 0; r < facts->n_top; r++) {
        seconds += facts->top_time[r];
        c.ranks += facts->top_time[r] > 0;
        if (facts->top_time[r] > facts->top_time[slowest]) slowest = r;
    }
    for (size_t r = 0; r < posix->count; r++) most = fmax(most, own_bytes(&posix->ranks[r]));
    for (size_t r = 0; r < posix->count; r++) {
        const double own = own_bytes(&posix->ranks[r]);
        if (r == slowest) c.slowest_bytes = own;
        bytes += own;
        if (own <= 0 || own < CARRIED * most) continue;
        c.count++;
        carried_s += r < facts->n_top ? facts->top_time[r] : 0;
    }
    if (c.count < 2) {
        c.count = fmax(1, c.ranks);
        carried_s = seconds;
    }
    c.mean_s = carried_s / c.count;
    c.mean_bytes = bytes / c.count;
    c.slowest_rank = (int64_t)slowest;
    if (facts->n_top) c.slowest_s = facts->top_time[slowest];
    return c;
}
