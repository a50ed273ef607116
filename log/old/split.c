/* A flat record of 1.x or 2.x, taken apart by the tables of schema/old.h.
   What its version did not know is -1 in the records of today, never 0. What was counted once for all layers (bytes, the
   first and last times, fastest and slowest rank) is in the records of both POSIX and MPI-IO. */
#include <string.h>

#include "log/read/log_internal.h"
#include "log/old/old.h"

void iol__old_decode(const iol__old_version *v, bool swap, const uint8_t *bytes, iol__old_record *record) {
    const uint8_t *at = bytes + (v->generation == 1 ? 16 : 16 + IOL_OLD_SUFFIX);
    const uint8_t *suffix = v->generation == 1 ? bytes + v->record_bytes - IOL_OLD_SUFFIX : bytes + 16;
    memset(record, 0, sizeof *record);
    record->id = iol__u64(bytes, swap);
    record->rank = v->generation == 1 ? (int32_t)iol__u32(bytes + 8, swap) : iol__i64(bytes + 8, swap);
    memcpy(record->suffix, suffix, v->suffix);
    for (int i = 0; i < IOL_OLD_INTS; i++) {
        if (iol__old_ints[i].since > v->knows) continue;
        record->ints[i] = iol__i64(at, swap);
        at += 8;
    }
    for (int i = 0; i < IOL_OLD_REALS; i++) {
        if (iol__old_reals[i].since > v->knows) continue;
        record->reals[i] = iol__f64(at, swap);
        at += 8;
    }
}

static bool any_above(const int64_t *ints, int first, int last) {
    for (int i = first; i <= last; i++)
        if (ints[i] > 0) return true;
    return false;
}

static bool used_mpiio(const int64_t *c) {
    return any_above(c, IOL_OLD_CP_INDEP_OPENS, IOL_OLD_CP_SYNCS) || c[IOL_OLD_CP_VIEWS] > 0;
}

uint64_t iol__old_slots(const iol__old_record *record) {
    const int64_t *c = record->ints;
    uint64_t slots = 0;
    if (used_mpiio(c)) slots |= UINT64_C(1) << IOL_SLOT_MPIIO;
    if (c[IOL_OLD_CP_HDF5_OPENS] > 0) slots |= UINT64_C(1) << IOL_SLOT_H5F;
    if (any_above(c, IOL_OLD_CP_INDEP_NC_OPENS, IOL_OLD_CP_COLL_NC_OPENS))
        slots |= UINT64_C(1) << IOL_SLOT_PNETCDF_FILE;
    const bool posix = any_above(c, IOL_OLD_CP_POSIX_READS, IOL_OLD_CP_POSIX_FDSYNCS) || c[IOL_OLD_CP_BYTES_READ] > 0 ||
                       c[IOL_OLD_CP_BYTES_WRITTEN] > 0;
    if (posix || !slots) slots |= UINT64_C(1) << IOL_SLOT_POSIX; /* no file is lost */
    return slots;
}

static int16_t split_home_of(const iol__old_counter *counter, int slot) {
    return slot == IOL_SLOT_POSIX ? counter->posix : counter->mpiio;
}

static void split_layer(const iol__old_version *v, const iol__old_record *from, int slot, int64_t *ints,
                        double *reals) {
    for (int i = 0; i < IOL_OLD_INTS; i++) {
        const int16_t to = split_home_of(&iol__old_ints[i], slot);
        if (to != IOL_NONE && iol__old_ints[i].since <= v->knows) ints[to] = from->ints[i];
    }
    for (int i = 0; i < IOL_OLD_REALS; i++) {
        const int16_t to = split_home_of(&iol__old_reals[i], slot);
        if (to != IOL_NONE && iol__old_reals[i].since <= v->knows) reals[to] = from->reals[i];
    }
    /* The mode of MPI-IO took the place of the other one. */
    if (slot == IOL_SLOT_POSIX && used_mpiio(from->ints)) ints[IOL_POSIX_MODE] = -1;
    if (slot == IOL_SLOT_POSIX) ints[IOL_POSIX_RENAMED_FROM] = 0;
}

bool iol__old_split(const iol__old_version *v, const iol__old_record *from, int slot, int64_t *ints, double *reals) {
    const int64_t *c = from->ints;
    if (!(iol__old_slots(from) >> slot & 1)) return false;
    for (unsigned i = 0; i < iol__modules[slot].ints; i++) ints[i] = -1;
    for (unsigned i = 0; i < iol__modules[slot].reals; i++) reals[i] = -1;
    switch (slot) {
    case IOL_SLOT_H5F:
        ints[IOL_H5F_OPENS] = c[IOL_OLD_CP_HDF5_OPENS];
        reals[IOL_H5F_F_OPEN_START_TIMESTAMP] = from->reals[IOL_OLD_CP_F_OPEN_TIMESTAMP];
        reals[IOL_H5F_F_CLOSE_END_TIMESTAMP] = from->reals[IOL_OLD_CP_F_CLOSE_TIMESTAMP];
        break;
    case IOL_SLOT_PNETCDF_FILE:
        ints[IOL_PNETCDF_FILE_OPENS] =
            (int64_t)((uint64_t)c[IOL_OLD_CP_INDEP_NC_OPENS] + (uint64_t)c[IOL_OLD_CP_COLL_NC_OPENS]);
        reals[IOL_PNETCDF_FILE_F_OPEN_START_TIMESTAMP] = from->reals[IOL_OLD_CP_F_OPEN_TIMESTAMP];
        reals[IOL_PNETCDF_FILE_F_CLOSE_END_TIMESTAMP] = from->reals[IOL_OLD_CP_F_CLOSE_TIMESTAMP];
        break;
    default: split_layer(v, from, slot, ints, reals);
    }
    return true;
}
