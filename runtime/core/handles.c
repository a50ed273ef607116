/* Open addressing. A place keeps its handle when that goes, because it is likely to come again: libraries allocate
   their objects. Tables that became too small stay, for whoever is still looking at them; all of them together are as
   large as the last one. */
#include "runtime/core/handles.h"

#include <stddef.h>

#include "runtime/core/sys.h"

enum { FIRST_PLACES = 255, MOST_PLACES = (1 << 20) - 1 };

typedef struct handles_place {
    uint64_t handle;
    void *value;
} handles_place;

typedef struct iol__handle_table {
    uint32_t places; /* a power of two, less the one that the head takes */
    uint32_t taken;  /* places that have a handle, with a value or without */
    handles_place all[];
} handles_table;

_Static_assert(sizeof(handles_table) <= sizeof(handles_place), "the head takes the room of one place");

static uint32_t start(const handles_table *t, uint64_t handle) {
    return (uint32_t)((handle * UINT64_C(0x9e3779b97f4a7c15) >> 32) * t->places >> 32);
}

/* The place of a handle, or the empty one where it would be. There is always one. */
static handles_place *look(handles_table *t, uint64_t handle) {
    uint32_t at = start(t, handle);
    for (;; at = at + 1 < t->places ? at + 1 : 0) {
        handles_place *p = &t->all[at];
        const uint64_t there = __atomic_load_n(&p->handle, __ATOMIC_ACQUIRE);
        if (there == handle || there == 0) return p;
    }
}

void *iol__handle_find(const iol__handles *handles, uint64_t handle) {
    handles_table *t = __atomic_load_n(&handles->table, __ATOMIC_ACQUIRE);
    if (!t || handle == 0) return NULL;
    const handles_place *p = look(t, handle);
    const bool there = __atomic_load_n(&p->handle, __ATOMIC_RELAXED) == handle;
    return there ? __atomic_load_n(&p->value, __ATOMIC_ACQUIRE) : NULL;
}

static void put(handles_table *t, uint64_t handle, void *value) {
    handles_place *p = look(t, handle);
    __atomic_store_n(&p->value, value, __ATOMIC_RELEASE);
    if (p->handle == handle) return;
    t->taken++;
    __atomic_store_n(&p->handle, handle, __ATOMIC_RELEASE);
}

/* A new table with what has a value, twice as large unless that is little. */
static handles_table *grow(iol__handles *handles) {
    const handles_table *old = handles->table;
    uint32_t live = 0, places = FIRST_PLACES;
    for (uint32_t i = 0; old && i < old->places; i++) live += old->all[i].value != NULL;
    while (places < MOST_PLACES && live * 4 >= places) places = places * 2 + 1;
    if (live * 4 >= places * 3) return NULL;
    handles_table *new = iol__sys_memory(((size_t)places + 1) * sizeof(handles_place));
    if (!new) return NULL;
    new->places = places;
    for (uint32_t i = 0; old && i < old->places; i++)
        if (old->all[i].value) put(new, old->all[i].handle, old->all[i].value);
    __atomic_store_n(&handles->table, new, __ATOMIC_RELEASE);
    return new;
}

bool iol__handle_set(iol__handles *handles, uint64_t handle, void *value) {
    if (handle == 0) return false;
    handles_table *t = handles->table;
    const bool known = t && look(t, handle)->handle == handle;
    if (!known && (!t || t->taken * 4 >= t->places * 3) && !(t = grow(handles))) return false;
    put(t, handle, value);
    return true;
}

void *iol__handle_remove(iol__handles *handles, uint64_t handle) {
    handles_table *t = handles->table;
    if (!t || handle == 0) return NULL;
    handles_place *p = look(t, handle);
    return p->handle == handle ? __atomic_exchange_n(&p->value, NULL, __ATOMIC_ACQ_REL) : NULL;
}

void iol__handles_clear(iol__handles *handles) {
    handles_table *t = handles->table;
    for (uint32_t i = 0; t && i < t->places; i++) __atomic_store_n(&t->all[i].value, NULL, __ATOMIC_RELEASE);
}
