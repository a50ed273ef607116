/* darshan-analyzer: how many logs of a directory use shared files, files of single processes, MPI-IO, PnetCDF and HDF5,
   and how much of their run time went into I/O. Every regular file counts, readable or not. */
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <unistd.h>

#include "cmds/cmd.h"
#include "record/record.h"
#include "report/progress.h"

enum { BINS = 5, OPEN_DIRECTORIES = 32 };

/* nftw has no room for a context of ours. */
static struct {
    int64_t total, shared, unique, mpiio, pnetcdf, hdf5;
    int64_t bins[BINS];
    iol__progress progress;
} tally;

static bool has_data(const iol_log *log, int slot) {
    iol_module module;
    return iol_log_module(log, slot, &module) == IOL_OK && module.length > 0;
}

/* Time in POSIX calls over the run time; notes whether there are shared records and others. */
static double io_ratio(iol_log *log, bool *shared, bool *unique) {
    iol_records *records;
    const iol_record *record;
    double time = 0;
    if (iol_records_open(log, IOL_SLOT_POSIX, &records) != IOL_OK) return 0;
    while (iol_records_next(records, &record) == IOL_OK) {
        *(record->rank == -1 ? shared : unique) = true;
        time += record->reals[IOL_POSIX_F_READ_TIME] + record->reals[IOL_POSIX_F_WRITE_TIME] +
                record->reals[IOL_POSIX_F_META_TIME];
    }
    iol_records_close(records);
    return *shared || *unique ? time / iol_log_job(log)->run_time : 0;
}

static void add_darshan_analyzer_log(const char *path) {
    double ratio = 0;
    iol_log *log;
    if (iol_log_open(path, &log, NULL) == IOL_OK) {
        bool shared = false, unique = false;
        ratio = io_ratio(log, &shared, &unique);
        tally.shared += shared;
        tally.unique += unique;
        tally.mpiio += has_data(log, IOL_SLOT_MPIIO);
        tally.hdf5 += has_data(log, IOL_SLOT_H5F) || has_data(log, IOL_SLOT_H5D);
        tally.pnetcdf += has_data(log, IOL_SLOT_PNETCDF_FILE) || has_data(log, IOL_SLOT_PNETCDF_VAR);
        iol_log_close(log);
    }
    int bin = 0;
    while (bin < BINS - 1 && !(ratio <= 0.2 * (bin + 1))) bin++;
    tally.bins[bin]++;
    tally.total++;
}

static int darshan_analyzer_visit(const char *path, const struct stat *status, int kind, struct FTW *place) {
    (void)place;
    if (kind == FTW_F && S_ISREG(status->st_mode)) add_darshan_analyzer_log(path);
    iol__progress_step(&tally.progress, (double)tally.total, 1000);
    return 0;
}

static void print_share(iol__out *out, const char *label, int64_t count) {
    iol__out_printf(out, "%24s: %f [%lld]\n", label, (double)count / (double)tally.total, (long long)count);
}

int cmd_darshan_analyzer(const iol__args *args) {
    if (args->n_operands != 1) return usage_error(args, "a directory is needed");
    const char *directory = args->operands[0];
    iol__progress_start(&tally.progress, false);
    iol__progress_piece(&tally.progress, 1);
    int failed = nftw(directory, darshan_analyzer_visit, OPEN_DIRECTORIES, FTW_PHYS) != 0 ? errno : 0;
    iol__progress_end(&tally.progress);
    if (failed) {
        fprintf(stderr, "Error: cannot walk %s: %s\n", directory, strerror(failed));
        return 255;
    }
    iol__out out;
    iol__out_open(&out, STDOUT_FILENO);
    iol__out_guard(&out);
    iol__out_printf(&out, "log dir: %s\ntotal logs: %lld\n", directory, (long long)tally.total);
    print_share(&out, "shared file access", tally.shared);
    print_share(&out, "file-per-proccess access", tally.unique);
    print_share(&out, "mpio access", tally.mpiio);
    print_share(&out, "pnetcdf access", tally.pnetcdf);
    print_share(&out, "hdf5 access", tally.hdf5);
    iol__out_text(&out, "\nI/O percentage of runtime:\n");
    for (int i = 0; i < BINS; i++)
        iol__out_printf(&out, "%.2f-%.2f: %lld\n", 0.2 * i, 0.2 * (i + 1), (long long)tally.bins[i]);
    return finish_output(&out, EXIT_DONE);
}
