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

static bool print_rest(FILE *out, const iol__old_version *v, const iol__old_record *record) {
    bool any = false;
    for (int i = 0; i < IOL_OLD_INTS; i++) {
        const iol__old_counter *counter = &iol__old_ints[i];
        if (has_place(counter, i) || counter->since > v->knows || record->ints[i] == 0) continue;
        if (!any) fprintf(out, "{\"id\": \"%" PRIu64 "\", \"rank\": %" PRId64, record->id, record->rank);
        fprintf(out, ", \"%s\": %" PRId64, counter->name, record->ints[i]);
        any = true;
    }
    if (any) fputs("}\n", out);
    return any;
}

iol_status iol__old_write_rest(iol_log *log, iol_writer *writer) {
    char *text = NULL;
    size_t length;
    bool any = false;
    iol__old_record record;
    FILE *out = open_memstream(&text, &length);
    if (!out) return IOL_SYSTEM;
    for (uint64_t i = 0; iol__old_record_at(log, i, &record) == IOL_OK; i++)
        any = print_rest(out, log->old->origin, &record) || any;
    const bool good = fclose(out) == 0;
    const iol_status status = !good ? IOL_SYSTEM : any ? iol_writer_trailer(writer, IOL_TAG_OLD, text, length) : IOL_OK;
    free(text);
    return status;
}
