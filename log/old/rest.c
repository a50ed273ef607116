/* What a log of 1.x or 2.x has and the records of today have no place for: data types of MPI-IO, extents, calls on streams,
   devices, and what belongs to a layer that the file has no record of. A converted log keeps it in its trailer, one JSON
   object per record, with the values that are not 0. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "log/read/log_internal.h"
#include "log/old/old.h"

static bool has_place(const iol__old_counter *counter, uint64_t slots) {
    return (counter->posix != IOL_NONE && slots >> IOL_SLOT_POSIX & 1) ||
           (counter->mpiio != IOL_NONE && slots >> IOL_SLOT_MPIIO & 1);
}

typedef struct rest_line {
    FILE *out;
    const iol__old_record *record;
    int64_t rank;
    bool any;
} rest_line;

static void print_rest_name(rest_line *line, const iol__old_counter *counter) {
    if (!line->any) fprintf(line->out, "{\"id\": \"%" PRIu64 "\", \"rank\": %" PRId64, line->record->id, line->rank);
    fprintf(line->out, ", \"%s\": ", counter->name);
    line->any = true;
}

static void print_rest(FILE *out, const iol__old_version *v, const iol__old_record *record, int64_t first_rank) {
    const uint64_t slots = iol__old_slots(record);
    rest_line line = {out, record, record->rank < 0 ? record->rank : record->rank + first_rank, false};
    for (int i = 0; i < IOL_OLD_INTS; i++) {
        const iol__old_counter *counter = &iol__old_ints[i];
        /* The opens of HDF5 have a place; those of PnetCDF have become one count of two. */
        if (has_place(counter, slots) || i == IOL_OLD_CP_HDF5_OPENS || counter->since > v->knows) continue;
        if (record->ints[i] == 0) continue;
        print_rest_name(&line, counter);
        fprintf(out, "%" PRId64, record->ints[i]);
    }
    for (int i = 0; i < IOL_OLD_REALS; i++) {
        const iol__old_counter *counter = &iol__old_reals[i];
        const double value = record->reals[i];
        if (has_place(counter, slots) || counter->since > v->knows || !isfinite(value) || !(fabs(value) > 0)) continue;
        print_rest_name(&line, counter);
        fprintf(out, "%.17g", value);
    }
    if (line.any) fputs("}\n", out);
}

bool iol__old_rest_text(iol_log *log, int64_t first_rank, char **text, size_t *length) {
    iol__old_record record;
    *text = NULL;
    FILE *out = open_memstream(text, length);
    if (!out) return false;
    for (uint64_t i = 0; log->old && iol__old_record_at(log, i, &record) == IOL_OK; i++)
        print_rest(out, log->old->origin, &record, first_rank);
    return fclose(out) == 0;
}
