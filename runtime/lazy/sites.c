/* A table of calls by the address that they return to. An entry is written by one thread at a time, and who reads it
   while it changes looks further by himself; so there is no lock, and a signal handler may come at any moment. */
#include "runtime/lazy/sites.h"

#include <link.h>
#include <stddef.h>

enum { SITES = 4096, STEPS = 8 };

typedef struct site {
    uint32_t turn; /* odd while it is written */
    uint32_t number;
    const void *caller;
    uint64_t gone;
    void *go_on;
} site;

static site sites[SITES];

static int first_object(struct dl_phdr_info *info, size_t size, void *gone) {
    (void)size;
    *(uint64_t *)gone = info->dlpi_subs;
    return 1;
}

uint64_t iol__objects_gone(void) {
    uint64_t gone = 0;
    dl_iterate_phdr(first_object, &gone);
    return gone;
}

/* A thread that reads a field of a later turn, and so a mix, sees that turn as well: each is released, and acquired. */
#define get(field) __atomic_load_n(field, __ATOMIC_ACQUIRE)
#define set(field, value) __atomic_store_n(field, value, __ATOMIC_RELEASE)

static site *place(const void *caller, uintptr_t number, unsigned step) {
    const uint64_t mixed = ((uint64_t)(uintptr_t)caller + number * 64) * UINT64_C(0x9e3779b97f4a7c15);
    return &sites[((mixed >> 40) + step) % SITES];
}

void *iol__site_find(const void *caller, uintptr_t number, uint64_t gone) {
    for (unsigned step = 0; step < STEPS; step++) {
        const site *s = place(caller, number, step);
        const uint32_t turn = __atomic_load_n(&s->turn, __ATOMIC_ACQUIRE);
        const bool same = get(&s->caller) == caller && get(&s->number) == number && get(&s->gone) == gone;
        void *go_on = get(&s->go_on);
        if (turn % 2 || __atomic_load_n(&s->turn, __ATOMIC_RELAXED) != turn) continue;
        if (same) return go_on;
    }
    return NULL;
}

/* Into the first place that is free, or not true any more; else into the first one. */
void iol__site_add(const void *caller, uintptr_t number, uint64_t gone, void *go_on) {
    site *s = place(caller, number, 0);
    for (unsigned step = 0; step < STEPS; step++) {
        site *other = place(caller, number, step);
        if (get(&other->caller) && get(&other->gone) == gone) continue;
        s = other;
        break;
    }
    uint32_t turn = __atomic_load_n(&s->turn, __ATOMIC_RELAXED);
    if (turn % 2 || !__atomic_compare_exchange_n(&s->turn, &turn, turn + 1, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
        return;
    set(&s->caller, caller);
    set(&s->number, (uint32_t)number);
    set(&s->gone, gone);
    set(&s->go_on, go_on);
    __atomic_store_n(&s->turn, turn + 2, __ATOMIC_RELEASE);
}
