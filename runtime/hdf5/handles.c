/* The handles of a program, by their number. HDF5 does not give a number twice until 2^56 are used up, but it has more
   ways to close a handle than can be followed (with its file, with the whole library): before the table grows, those
   that are not open any more go. */
#include <sys/mman.h>

#include "runtime/core/files.h"
#include "runtime/core/sys.h"
#include "runtime/hdf5/hdf5.h"

enum { FIRST_PLACES = 256, LAST_PLACES = 1 << 22, SWEPT_AT_ONCE = 64 };

static iol__guard lock;
static iol__h5_handle **table;
static uint32_t places, taken;
static iol__h5_handle *files; /* those that are open, the latest one first */
static iol__h5_handle *spare;

/* With the lock held ----------------------------------------------------------------------------------------------- */

static uint32_t home(int64_t id) {
    return (uint32_t)((uint64_t)id * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (places - 1);
}

static uint32_t place_of(int64_t id) {
    uint32_t at = home(id);
    while (table[at] && table[at]->id != id) at = (at + 1) & (places - 1);
    return at;
}

/* What stands behind an empty place must not depend on it. */
static void close_gap(uint32_t gap) {
    for (uint32_t at = (gap + 1) & (places - 1); table[at]; at = (at + 1) & (places - 1)) {
        const uint32_t from_home = (at - home(table[at]->id)) & (places - 1);
        if (from_home < ((at - gap) & (places - 1))) continue;
        table[gap] = table[at];
        gap = at;
    }
    table[gap] = NULL;
}

static void forget_file(const iol__h5_handle *handle) {
    iol__h5_handle **link = &files;
    while (*link && *link != handle) link = &(*link)->next;
    if (*link) *link = handle->next;
}

static void drop(int64_t id) {
    if (!table) return;
    const uint32_t at = place_of(id);
    iol__h5_handle *handle = table[at];
    if (!handle) return;
    if (handle->is_file) forget_file(handle);
    close_gap(at);
    taken--;
    handle->next = spare;
    spare = handle;
}

static bool grow(void) {
    iol__h5_handle **old = table;
    const uint32_t old_places = places, wanted = places ? places * 2 : FIRST_PLACES;
    iol__h5_handle **new = wanted <= LAST_PLACES ? iol__sys_memory(wanted * sizeof *new) : NULL;
    if (!new) return false;
    table = new;
    places = wanted;
    for (uint32_t i = 0; old && i < old_places; i++)
        if (old[i]) table[place_of(old[i]->id)] = old[i];
    if (old) sys(munmap, old, old_places * sizeof *old);
    return true;
}

static iol__h5_handle *new_handle(void) {
    iol__h5_handle *handle = spare;
    if (handle) {
        spare = handle->next;
        return handle;
    }
    if (!iol__files_enter()) return NULL;
    handle = iol__files_memory(sizeof *handle);
    iol__files_leave();
    return handle;
}

static iol__h5_handle *add(const iol__h5_handle *described) {
    drop(described->id);
    if ((!table || taken * 2 >= places) && !grow() && (!table || taken + 1 >= places)) return NULL;
    iol__h5_handle *handle = new_handle();
    if (!handle) return NULL;
    *handle = *described;
    handle->next = NULL;
    table[place_of(handle->id)] = handle;
    taken++;
    if (handle->is_file) {
        handle->next = files;
        files = handle;
    }
    return handle;
}

/* Without it ------------------------------------------------------------------------------------------------------- */

/* The next few numbers of the table, from a place on. */
static size_t some_of(uint32_t *at, int64_t *ids) {
    size_t n = 0;
    if (!iol__guard_enter(&lock)) return 0;
    for (; *at < places && n < SWEPT_AT_ONCE; ++*at)
        if (table[*at]) ids[n++] = table[*at]->id;
    iol__guard_leave(&lock);
    return n;
}

/* HDF5 has a lock of its own, so it is not asked while ours is held. */
static void sweep(void) {
    int64_t ids[SWEPT_AT_ONCE];
    uint32_t at = 0;
    for (size_t n; (n = some_of(&at, ids)) > 0;)
        for (size_t i = 0; i < n; i++)
            if (!iol__h5_is_open(ids[i])) iol__h5_handle_drop(ids[i]);
}

iol__h5_handle *iol__h5_handle_find(int64_t id) {
    if (!table || !iol__guard_enter(&lock)) return NULL;
    iol__h5_handle *handle = table[place_of(id)];
    iol__guard_leave(&lock);
    return handle;
}

iol__h5_handle *iol__h5_handle_add(const iol__h5_handle *described) {
    if (table && taken * 2 >= places) sweep();
    if (!iol__guard_enter(&lock)) return NULL;
    iol__h5_handle *handle = add(described);
    iol__guard_leave(&lock);
    return handle;
}

void iol__h5_handle_drop(int64_t id) {
    if (!iol__guard_enter(&lock)) return;
    drop(id);
    iol__guard_leave(&lock);
}

iol__h5_handle *iol__h5_handle_spelt(uint64_t spelling) {
    if (!iol__guard_enter(&lock)) return NULL;
    iol__h5_handle *handle = files;
    while (handle && handle->spelling != spelling) handle = handle->next;
    iol__guard_leave(&lock);
    return handle;
}

void iol__h5_handles_reset(void) { lock.owner = 0; }
