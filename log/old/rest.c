/* What a log of 1.x or 2.x has and the records of today have no place for: data types of MPI-IO, extents, calls on streams,
   devices. A converted log keeps it in its trailer, one JSON object per record, with the values that are not 0. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "log/read/log_internal.h"
#include "log/old/old.h"

static bool has_place(const iol__old_counter *counter, int index) {
    const bool opens = index == IOL_OLD_CP_HDF5_OPENS; /* PnetCDF's two counts have become one */
    return counter->posix != IOL_NONE || counter->mpiio != IOL_NONE || opens;
}

static void print_rest(FILE *out, const iol__old_version *v, const iol__old_record *record, int64_t first_rank) {
    const int64_t rank = record->rank < 0 ? record->rank : record->rank + first_rank;
    bool any = false;
    for (int i = 0; i < IOL_OLD_INTS; i++) {
        const iol__old_counter *counter = &iol__old_ints[i];
        if (has_place(counter, i) || counter->since > v->knows || record->ints[i] == 0) continue;
        if (!any) fprintf(out, "{\"id\": \"%" PRIu64 "\", \"rank\": %" PRId64, record->id, rank);
        fprintf(out, ", \"%s\": %" PRId64, counter->name, record->ints[i]);
        any = true;
    }
    if (any) fputs("}\n", out);
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
