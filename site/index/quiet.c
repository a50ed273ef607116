/* A sorted list of days with the number of the last log of each. */
#include "site/index/quiet.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

typedef struct iol__quiet_day {
    int64_t day;
    uint64_t last; /* the number of its last log */
    bool taken;
} quiet_day;

void iol__quiet_start(iol__quiet *q, uint64_t patience) { *q = (iol__quiet){.patience = patience}; }

/* The place of a day, or the one where it belongs. */
static size_t quiet_place_of(const iol__quiet *q, int64_t day) {
    size_t low = 0, high = q->count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (q->days[middle].day < day)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool make_quiet_room(iol__quiet *q) { return IOL_GROW(q->days, q->room, q->count); }

void iol__quiet_note(iol__quiet *q, int64_t day) {
    const size_t at = quiet_place_of(q, day);
    q->logs++;
    if (at == q->count || q->days[at].day != day) {
        if (!make_quiet_room(q)) return; /* it is summed up at the end */
        memmove(&q->days[at + 1], &q->days[at], (q->count - at) * sizeof *q->days);
        q->days[at] = (quiet_day){.day = day};
        q->count++;
    }
    q->days[at].last = q->logs;
}

size_t iol__quiet_take(iol__quiet *q, int64_t *days, size_t most) {
    size_t n = 0;
    if (q->logs - q->taken_at < q->patience / 2) return 0;
    for (size_t i = 0; i < q->count && n < most; i++) {
        quiet_day *d = &q->days[i];
        if (d->taken || q->logs - d->last < q->patience) continue;
        d->taken = true;
        days[n++] = d->day;
    }
    if (n) q->taken_at = q->logs;
    return n;
}

void iol__quiet_free(iol__quiet *q) { free(q->days); }
