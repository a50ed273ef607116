/* Which record gives way when the memory for records is used up: that with the least time in calls, then bytes. What it
   has is added to the record <FOLDED> of its module, and its place, its state and its name's place go to the file that
   needs them. So a file that is new gets a record whoever came before it, and those that matter keep theirs.

   Why nobody is disturbed. All of this happens with the lock of the files held, and:
   - A file that somebody may be about to record into is in use (iol__file_hold): descriptors and streams keep it so, and
     calls from the moment they look it up. Only files that nobody uses give way, and looking up takes the same lock, so
     nobody starts to use one meanwhile. A thread that is alone looks the last file up without the lock; a signal
     handler of that thread, which may come here, finds it in use.
   - The record is taken away inside the guard of its state. A thread is in a record only inside the guard, and
     asks for the record there. So even a thread whose descriptor was closed under it writes into a record that is
     whole; its update counts for the file that has the record then.
   - Guards are tried, never waited for: the owner may be waiting for the lock that is held here. If one is taken,
     another record gives way, or the new file is counted in <FOLDED>.
   - Memory of states, files and records is never anything else.
   - A kill leaves a readable file at any moment: first the totals are added, then the counters of the old record are
     zero, then its name becomes that of the new file, which no record has yet, then the record gets its id. A kill
     between the first two counts that record twice.
   - A child that is forked in between makes its records again (iol__files_reset); a file may be unknown there, and
     becomes known again at its next use. */
#include "runtime/core/evict.h"

#include <string.h>

#include "record/hash.h"
#include "runtime/core/files.h"
#include "runtime/core/sys.h"
#include "runtime/core/store.h"

enum { FIRST_ROOM = 1024, MOST_SKIPPED = 64, MOST_LOOKS = 4096, PROBES = 32 };

/* The states of a module that have records, the one with the least weight first. Weights only grow; they are brought up
   to date when a state comes first. */
typedef struct heap {
    iol__state **all;
    uint32_t used, room;
    bool made;
} heap;

static heap heaps[IOL_MODULES];

/* What was folded is remembered by 31 bits each, in tables of which the next one is twice as large; together they take at
   most a quarter of the budget. Once all are full, files may be counted more than once, and whoever is asked for may be one
   of them. The last bit says that the file
   is among those that this process has counted: a forked child knows what its parent folded, and counts anew. */
enum { SEEN_TABLES = 3, SEEN_FIRST = 128 /* bytes of the budget per place of the first table */ };
static uint32_t *seen[SEEN_TABLES];
static uint32_t n_seen;
static unsigned seen_tables;
static bool seen_full;

/* The heap --------------------------------------------------------------------------------------------------------- */

static void sink(heap *h, uint32_t at) {
    iol__state *state = h->all[at];
    for (uint32_t below; (below = 2 * at + 1) < h->used; at = below) {
        if (below + 1 < h->used && h->all[below + 1]->weight < h->all[below]->weight) below++;
        if (h->all[below]->weight >= state->weight) break;
        h->all[at] = h->all[below];
    }
    h->all[at] = state;
}

static void rise(heap *h, uint32_t at) {
    iol__state *state = h->all[at];
    for (; at > 0 && h->all[(at - 1) / 2]->weight > state->weight; at = (at - 1) / 2) h->all[at] = h->all[(at - 1) / 2];
    h->all[at] = state;
}

/* After another state came to this place. */
static void settle(heap *h, uint32_t at) {
    if (at > 0 && h->all[(at - 1) / 2]->weight > h->all[at]->weight)
        rise(h, at);
    else
        sink(h, at);
}

static bool make_room(heap *h) {
    if (h->used < h->room) return true;
    const uint32_t room = h->room ? h->room * 2 : FIRST_ROOM;
    iol__state **new = iol__files_pages(room * sizeof *new);
    if (!new) return false;
    if (h->used) memcpy(new, h->all, h->used * sizeof *new);
    iol__state **old = h->all;
    h->all = new;
    if (old) iol__files_pages_back(old, h->room * sizeof *old);
    h->room = room;
    return true;
}

static void push(heap *h, iol__state *state) {
    if (!make_room(h)) return; /* then it never gives way */
    h->all[h->used] = state;
    rise(h, h->used++);
}

static iol__state *pop(heap *h) {
    if (h->used == 0) return NULL;
    iol__state *first = h->all[0];
    h->all[0] = h->all[--h->used];
    if (h->used) sink(h, 0);
    return first;
}

static heap *heap_of(const iol__runtime_module *module) {
    heap *h = &heaps[module->index];
    if (h->made) return h;
    h->made = true;
    for (iol__state *state = iol__files_states(); state; state = state->next) {
        if (state->module != module || !state->record || state->folded) continue;
        state->weight = 0;
        push(h, state);
    }
    return h;
}

void iol__evict_note(iol__state *state) {
    heap *h = &heaps[state->module->index];
    state->weight = 0;
    if (h->made && state->module->weight && !state->folded) push(h, state);
}

void iol__evict_reset(void) {
    for (int i = 0; i < IOL_MODULES; i++) {
        heaps[i].made = false;
        heaps[i].used = 0;
    }
    for (unsigned t = 0; t < seen_tables; t++)
        for (uint32_t i = 0; i < n_seen << t; i++) seen[t][i] &= ~UINT32_C(1);
}

/* What was folded -------------------------------------------------------------------------------------------------- */

static uint32_t mark_of(uint64_t id, int slot) {
    const uint32_t mark = ((uint32_t)(id >> 32) + (uint32_t)slot * UINT32_C(0x9e3779b9)) & ~UINT32_C(1);
    return mark ? mark : 2;
}

/* Where the mark is in a table, or could be; NULL if there is no place for it. */
static uint32_t *place_in(unsigned t, uint64_t id, uint32_t mark) {
    for (uint32_t i = 0; i < PROBES; i++) {
        uint32_t *place = &seen[t][((uint32_t)id + i) & ((n_seen << t) - 1)];
        if (*place == 0 || (*place & ~UINT32_C(1)) == mark) return place;
    }
    return NULL;
}

/* NULL if it was never folded, as far as is remembered; then *room is where that can be noted, or NULL. */
static uint32_t *find_seen(uint64_t id, uint32_t mark, uint32_t **room) {
    *room = NULL;
    for (unsigned t = 0; t < seen_tables; t++) {
        uint32_t *place = place_in(t, id, mark);
        if (place && *place) return place;
        if (place && !*room) *room = place;
    }
    return NULL;
}

static bool add_seen_table(void) {
    if (seen_tables == SEEN_TABLES) return false;
    if (n_seen == 0)
        for (n_seen = 1024; n_seen < iol__store_state.budget / SEEN_FIRST;) n_seen *= 2;
    seen[seen_tables] = iol__files_pages((size_t)(n_seen << seen_tables) * sizeof **seen);
    if (!seen[seen_tables]) return false;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    seen_tables++;
    return true;
}

bool iol__evict_first_time(uint64_t id, int slot) {
    const uint32_t mark = mark_of(id, slot);
    uint32_t *room, *place = find_seen(id, mark, &room);
    if (!place && !room && add_seen_table()) room = place_in(seen_tables - 1, id, mark);
    if (!place) place = room;
    if (!place) return seen_full = true;
    const bool first = !(*place & 1);
    *place = mark | 1;
    return first;
}

bool iol__evict_was_folded(uint64_t id, int slot) {
    uint32_t *room;
    return seen_full || find_seen(id, mark_of(id, slot), &room) != NULL;
}

/* Giving way ------------------------------------------------------------------------------------------------------- */

static bool idle(const iol__file *file) { return !file->pinned && __atomic_load_n(&file->uses, __ATOMIC_ACQUIRE) == 0; }

/* The names of both: the new file has one already, can have one more, or takes that of the other. */
static bool name_found(const iol__file *old, iol__file *new) {
    if (iol__file_named_in_store(new)) return true;
    if (iol__file_records(old) == 1 && iol__file_named_in_store(old) &&
        iol__store_name_fits(old->name_room, new->length))
        return true;
    return iol__file_store_name(new, false);
}

/* Whether the state can give way to the file now, and then with its guard held. A weight that has grown is only noted. */
static bool gives_way(iol__state *state, iol__file *file) {
    if (!idle(state->file) || !iol__guard_try(&state->guard)) return false;
    const uint64_t weight = state->module->weight(state);
    if (weight <= state->weight && weight != UINT64_MAX && name_found(state->file, file)) return true;
    iol__guard_drop(&state->guard);
    if (weight > state->weight) state->weight = weight;
    return false;
}

/* Where names of the lightest ones are all too short, the first of the others in the order of the heap, which is roughly
   that of their weights. */
static iol__state *pick_further(heap *h, iol__file *file) {
    const uint32_t most = h->used < MOST_LOOKS ? h->used : MOST_LOOKS;
    for (uint32_t i = 0; i < most; i++) {
        iol__state *state = h->all[i];
        const uint64_t before = state->weight;
        if (gives_way(state, file)) {
            h->all[i] = h->all[--h->used];
            if (i < h->used) settle(h, i);
            return state;
        }
        if (state->weight != before) sink(h, i); /* what comes up in its place is not looked at this time */
    }
    return NULL;
}

/* The one that gives way, with its guard held. Those that cannot now come again behind it. */
static iol__state *pick(heap *h, iol__file *file) {
    iol__state *skipped[MOST_SKIPPED], *state = NULL;
    unsigned n = 0;
    for (unsigned looks = 0; looks < MOST_LOOKS && n < MOST_SKIPPED && (state = pop(h)); looks++) {
        const uint64_t before = state->weight;
        if (gives_way(state, file)) break;
        if (state->weight != before)
            push(h, state);
        else
            skipped[n++] = state;
        state = NULL;
    }
    if (!state) state = pick_further(h, file);
    for (unsigned i = 0; i < n; i++) {
        if (state && skipped[i]->weight <= state->weight) skipped[i]->weight = state->weight + 1;
        push(h, skipped[i]);
    }
    return state;
}

static void take_name(iol__file *old, iol__file *new) {
    if (iol__file_named_in_store(new)) return;
    iol__store_rename(old->name_at, old->name_room, new->id, new->name, new->length);
    new->name_at = old->name_at;
    new->name_room = new->length;
    new->generation = old->generation;
    old->generation = 0;
}

/* The record goes to the state that the file has already (of before a fork: descriptors may lead to it), or else the state
   goes with it. */
static iol__state *hand_over(iol__state *state, iol__file *file) {
    const iol__runtime_module *module = state->module;
    iol__file *old = state->file;
    iol__state *to = file->states[module->index];
    uint64_t *record = state->record;
    const bool last = iol__file_records(old) == 1;
    __atomic_store_n(&state->record, NULL, __ATOMIC_RELEASE);
    memset(record + 2, 0, module->record_bytes - 16);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (last) take_name(old, file);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    record[0] = file->id;
    __atomic_store_n(&old->states[module->index], NULL, __ATOMIC_RELEASE);
    if (last) iol__file_forget(old);
    if (!to) {
        to = state;
        to->file = file;
    }
    to->weight = 0;
    module->begin(to, record);
    iol__race("evict");
    __atomic_store_n(&file->states[module->index], to, __ATOMIC_RELEASE);
    __atomic_store_n(&to->record, record, __ATOMIC_RELEASE);
    return to;
}

iol__state *iol__evict(iol__file *file, iol__runtime_module *module) {
    iol__state *folded = module->weight ? iol__folded_state(module) : NULL;
    if (!folded) return NULL;
    heap *h = heap_of(module);
    iol__state *state = pick(h, file), *to = state;
    if (!state) return NULL;
    const bool free = iol__guard_try(&folded->guard);
    if (free) {
        module->fold(folded, state);
        iol__guard_drop(&folded->guard);
        if (iol__evict_first_time(state->file->id, module->slot)) iol__store_facts()->folded[module->slot]++;
        iol__store_partial(module->slot);
        to = hand_over(state, file);
    }
    iol__guard_drop(&state->guard);
    push(h, to);
    if (to != state) iol__state_spare(state);
    return free ? to : NULL;
}
