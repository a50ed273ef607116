/* The edits of schema/upgrades.def, applied version after version. */
#include "record/upgrade.h"

#include <string.h>

static void insert_ints(int64_t *ints, unsigned *n, const iol__upgrade *u) {
    memmove(ints + u->position + u->count, ints + u->position, (*n - u->position) * sizeof *ints);
    for (unsigned i = 0; i < u->count; i++) ints[u->position + i] = u->value;
    *n += u->count;
}

static void insert_reals(double *reals, unsigned *n, const iol__upgrade *u) {
    memmove(reals + u->position + u->count, reals + u->position, (*n - u->position) * sizeof *reals);
    for (unsigned i = 0; i < u->count; i++) reals[u->position + i] = u->value;
    *n += u->count;
}

static void delete_ints(int64_t *ints, unsigned *n, const iol__upgrade *u) {
    *n -= u->count;
    memmove(ints + u->position, ints + u->position + u->count, (*n - u->position) * sizeof *ints);
}

bool iol__upgrade_counters(int slot, unsigned version, int64_t *ints, unsigned *n_ints, double *reals,
                           unsigned *n_reals) {
    /* The table is in order of version within a module. */
    for (size_t i = 0; i < iol__upgrades_count; i++) {
        const iol__upgrade *u = &iol__upgrades[i];
        if (u->slot != slot || u->from < version) continue;
        switch ((iol__edit)u->edit) {
        case IOL_EDIT_SKIP_IF_POSITIVE:
            if (ints[u->position] > 0) return false;
            break;
        case IOL_EDIT_DELETE_INTS: delete_ints(ints, n_ints, u); break;
        case IOL_EDIT_ADD_INT:
            ints[u->position] = (int64_t)((uint64_t)ints[u->position] + (uint64_t)ints[u->count]);
            break;
        case IOL_EDIT_INSERT_INTS: insert_ints(ints, n_ints, u); break;
        case IOL_EDIT_INSERT_REALS: insert_reals(reals, n_reals, u); break;
        }
    }
    return true;
}
