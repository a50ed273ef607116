/* See launcher.h. */
#include "log/merge/launcher.h"

#include <stddef.h>
#include <string.h>

#include "base/count.h"
#include "log/read/log_internal.h"
#include "record/record.h"
#include "record/starter.h"

/* Where launchers read and write: system directories, and whatever else has one of these in its path. */
static bool is_launchers_file(const char *name) {
    static const char *const begins[] = {"/proc/", "/sys/", "/dev/", "/etc/", "/run/",
                                         "/tmp/",  "/var/", "/usr/", "<STD"};
    static const char *const holds[] = {"/openmpi", "/pmix", "/prrte", "/ompi.", "/prte.", "/hydra",
                                        ".so",      ".conf", ".txt",   "host",   "/slurm"};
    if (!name || !*name) return true;
    for (size_t i = 0; i < IOL_COUNT(begins); i++)
        if (strncmp(name, begins[i], strlen(begins[i])) == 0) return true;
    for (size_t i = 0; i < IOL_COUNT(holds); i++)
        if (strstr(name, holds[i])) return true;
    return false;
}

static bool moved_bytes_elsewhere(iol_log *log, int slot) {
    const iol__roles *roles = iol__modules[slot].roles;
    iol_records *records;
    const iol_record *record;
    bool elsewhere = false;
    if (!log->modules[slot].length || iol_records_open(log, slot, &records) != IOL_OK) return false;
    while (!elsewhere && iol_records_next(records, &record) == IOL_OK)
        elsewhere = (record->ints[roles->bytes_read] > 0 || record->ints[roles->bytes_written] > 0) &&
                    !is_launchers_file(iol_log_name(log, record->id));
    iol_records_close(records);
    return elsewhere;
}

bool iol__is_launcher_log(iol_log *log) {
    static const int libraries[] = {IOL_SLOT_MPIIO, IOL_SLOT_H5F, IOL_SLOT_H5D, IOL_SLOT_PNETCDF_FILE};
    if (log->info.job_damaged || log->job.processes > 1 || !iol__is_starter(log->job.exe)) return false;
    for (size_t i = 0; i < IOL_COUNT(libraries); i++)
        if (log->modules[libraries[i]].length) return false;
    return !moved_bytes_elsewhere(log, IOL_SLOT_POSIX) && !moved_bytes_elsewhere(log, IOL_SLOT_STDIO);
}
