/* One table for calls that move bytes; only POSIX and STDIO count seeks and know offsets. */
#include "log/figures/calls.h"

#include <stddef.h>

#include "base/count.h"
#include "log/old/old.h"
#include "log/read/log_internal.h"
#include "record/record.h"
#include "schema/schema.h"

typedef struct call_counters {
    int slot;
    int16_t reads[IOL_CALL_COUNTERS], writes[IOL_CALL_COUNTERS];
} call_counters;

#define N(name) (IOL_##name + 1)
static const call_counters calls_of[] = {
    {IOL_SLOT_POSIX, {N(POSIX_READS)}, {N(POSIX_WRITES)}},
    {IOL_SLOT_MPIIO,
     {N(MPIIO_INDEP_READS), N(MPIIO_COLL_READS), N(MPIIO_SPLIT_READS), N(MPIIO_NB_READS)},
     {N(MPIIO_INDEP_WRITES), N(MPIIO_COLL_WRITES), N(MPIIO_SPLIT_WRITES), N(MPIIO_NB_WRITES)}},
    {IOL_SLOT_STDIO, {N(STDIO_READS)}, {N(STDIO_WRITES)}},
    {IOL_SLOT_H5D, {N(H5D_READS)}, {N(H5D_WRITES)}},
    {IOL_SLOT_PNETCDF_VAR,
     {N(PNETCDF_VAR_INDEP_READS), N(PNETCDF_VAR_COLL_READS), N(PNETCDF_VAR_NB_READS)},
     {N(PNETCDF_VAR_INDEP_WRITES), N(PNETCDF_VAR_COLL_WRITES), N(PNETCDF_VAR_NB_WRITES)}},
    {IOL_SLOT_DFS, {N(DFS_READS), N(DFS_READXS)}, {N(DFS_WRITES), N(DFS_WRITEXS)}},
    {IOL_SLOT_DAOS,
     {N(DAOS_OBJ_FETCHES), N(DAOS_ARRAY_READS), N(DAOS_KV_GETS)},
     {N(DAOS_OBJ_UPDATES), N(DAOS_ARRAY_WRITES), N(DAOS_KV_PUTS)}},
};
#undef N

const int16_t *iol__call_counters(int slot, bool writes) {
    for (size_t i = 0; i < IOL_COUNT(calls_of); i++)
        if (calls_of[i].slot == slot) return writes ? calls_of[i].writes : calls_of[i].reads;
    return NULL;
}

double iol__record_calls(const iol_record *record, bool writes) {
    const int16_t *counters = iol__call_counters(record->slot, writes);
    double sum = 0;
    for (size_t i = 0; counters && i < IOL_CALL_COUNTERS && counters[i]; i++)
        if (record->ints[counters[i] - 1] > 0) sum += (double)record->ints[counters[i] - 1];
    return sum;
}

double iol__record_seeks(const iol_record *record) {
    if (record->slot == IOL_SLOT_POSIX) return (double)record->ints[IOL_POSIX_SEEKS];
    return record->slot == IOL_SLOT_STDIO ? (double)record->ints[IOL_STDIO_SEEKS] : -1;
}

/* A highest offset of 0 is one byte, or none at all. */
static double calls_end_of(const iol_record *record, int offset, int bytes) {
    return record->ints[bytes] > 0 && record->ints[offset] >= 0 ? (double)record->ints[offset] + 1 : 0;
}

/* Old releases counted offsets up to 2^31-1 where programs had no larger ones. */
static bool is_narrow(const iol_log *log, const iol_record *record, int offset) {
    return record->ints[offset] == INT32_MAX && iol__old_version_of(log);
}

double iol__record_size(const iol_log *log, const iol_record *record) {
    const iol__roles *roles = iol__modules[record->slot].roles;
    if (!roles->traffic || roles->max_byte_read < 0) return -1;
    if (is_narrow(log, record, roles->max_byte_read) || is_narrow(log, record, roles->max_byte_written)) return -1;
    const double read = calls_end_of(record, roles->max_byte_read, roles->bytes_read);
    const double written = calls_end_of(record, roles->max_byte_written, roles->bytes_written);
    return read > written ? read : written;
}

double iol__record_slowest_time(const iol_log *log, const iol_record *record) {
    const iol__roles *roles = iol__modules[record->slot].roles;
    const double slowest = record->reals[roles->slowest_time];
    if (slowest != -1 || log->job.processes <= 0) return slowest;
    const double all =
        record->reals[roles->read_time] + record->reals[roles->write_time] + record->reals[roles->meta_time];
    return all / (double)log->job.processes;
}
