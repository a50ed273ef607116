/* See darshan_old.h. One pass prints the records and sums them up, by file, by rank and in total; then come the sums. */
#include "report/darshan/darshan_old.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "log/read/log_internal.h"
#include "log/old/old.h"

/* Head --------------------------------------------------------------------------------------------------------- */

static void missing_lines(iol__out *out, const iol__old_counter *counters, int count, unsigned knows, bool ranked) {
    for (int i = 0; i < count; i++)
        if (counters[i].since > knows && (counters[i].since == IOL_OLD_RANKED) == ranked)
            iol__out_printf(out, "#   %s\n", counters[i].name);
}

static void version_warnings(iol__out *out, const iol__old_version *v) {
    if (v->knows < IOL_OLD_RANKED) {
        iol__out_printf(out, "# WARNING: version %s log format does not support the following parameters:\n",
                        v->version);
        for (int ranked = 0; ranked < 2; ranked++) {
            missing_lines(out, iol__old_ints, IOL_OLD_INTS, v->knows, ranked);
            missing_lines(out, iol__old_reals, IOL_OLD_REALS, v->knows, ranked);
        }
    }
    if (!*v->limits) return;
    /* Those of 2.02 are announced as those of 2.01. */
    iol__out_printf(out, "# WARNING: version %s log format has the following limitations:\n",
                    strcmp(v->version, "2.02") == 0 ? "2.01" : v->version);
    for (size_t i = 0; i < iol__old_limits_count; i++)
        if (strchr(v->limits, iol__old_limits[i].letter)) iol__out_printf(out, "# - %s\n", iol__old_limits[i].text);
}

static void time_lines(iol__out *out, const char *which, int64_t seconds) {
    char text[64] = "unknown";
    const time_t time = (time_t)seconds;
    struct tm local;
    if (localtime_r(&time, &local)) strftime(text, sizeof text, "%a %b %e %H:%M:%S %Y", &local);
    iol__out_printf(out, "# %s_time: %lld\n# %s_time_asci: %s\n", which, (long long)seconds, which, text);
}

static void job_lines(iol__out *out, const iol_log *log, const char *version) {
    const iol_job *job = iol_log_job(log);
    iol__out_printf(out, "# darshan log version: %s\n", version);
    iol__out_text(out, "# size of file statistics: 1328 bytes\n# size of job statistics: 1080 bytes\n");
    iol__out_printf(out, "# exe: %s\n# uid: %lld\n# jobid: %lld\n", job->exe, (long long)job->uid,
                    (long long)log->own_job_id);
    time_lines(out, "start", job->start_seconds);
    time_lines(out, "end", job->end_seconds);
    iol__out_printf(out, "# nprocs: %lld\n# run time: %lld\n", (long long)job->processes, (long long)job->run_time);
    const char *key, *value;
    for (size_t i = 0; iol_log_metadata(log, i, &key, &value) == IOL_OK; i++)
        iol__out_printf(out, "# metadata: %s = %s\n", key, value);
    iol__out_text(out, "\n# mounted file systems (device, mount point, and fs type)\n"
                       "# -------------------------------------------------------\n");
    for (size_t i = log->old->n_devices; i-- > 0;) {
        const iol__old_device *d = &log->old->devices[i];
        iol__out_printf(out, "# mount entry: %lld\t%s\t%s\n", (long long)d->device, d->point, d->type);
    }
}

static const char columns[] =
    "\n# description of columns:\n"
    "#   <rank>: MPI rank.  -1 indicates that the file is shared\n"
    "#      across all processes and statistics are aggregated.\n"
    "#   <file>: hash of file path.  0 indicates that statistics\n"
    "#      are condensed to refer to all files opened at the given\n"
    "#      process.\n"
    "#   <counter> and <value>: statistical counters.\n"
    "#      A value of -1 indicates that Darshan could not monitor\n"
    "#      that counter, and its value should be ignored.\n"
    "#   <name suffix>: last 15 characters of file name.\n"
    "#   <mount pt>: mount point that the file resides on.\n"
    "#   <fs type>: type of file system that the file resides on.\n"
    "\n# description of counters:\n"
    "#   CP_POSIX_*: posix operation counts.\n"
    "#   CP_COLL_*: MPI collective operation counts.\n"
    "#   CP_INDEP_*: MPI independent operation counts.\n"
    "#   CP_SPIT_*: MPI split collective operation counts.\n"
    "#   CP_NB_*: MPI non blocking operation counts.\n"
    "#   READS,WRITES,OPENS,SEEKS,STATS, and MMAPS are types of operations.\n"
    "#   CP_*_NC_OPENS: number of indep. and collective pnetcdf opens.\n"
    "#   CP_HDF5_OPENS: number of hdf5 opens.\n"
    "#   CP_COMBINER_*: combiner counts for MPI mem and file datatypes.\n"
    "#   CP_HINTS: number of times MPI hints were used.\n"
    "#   CP_VIEWS: number of times MPI file views were used.\n"
    "#   CP_MODE: mode that file was opened in.\n"
    "#   CP_BYTES_*: total bytes read and written.\n"
    "#   CP_MAX_BYTE_*: highest offset byte read and written.\n"
    "#   CP_CONSEC_*: number of exactly adjacent reads and writes.\n"
    "#   CP_SEQ_*: number of reads and writes from increasing offsets.\n"
    "#   CP_RW_SWITCHES: number of times access alternated between read and write.\n"
    "#   CP_*_ALIGNMENT: memory and file alignment.\n"
    "#   CP_*_NOT_ALIGNED: number of reads and writes that were not aligned.\n"
    "#   CP_MAX_*_TIME_SIZE: size of the slowest read and write operations.\n"
    "#   CP_SIZE_READ_*: histogram of read access sizes.\n"
    "#   CP_SIZE_READ_AGG_*: histogram of MPI datatype total sizes.\n"
    "#   CP_EXTENT_READ_*: histogram of MPI datatype extents.\n"
    "#   CP_STRIDE*_STRIDE: the four most common strides detected.\n"
    "#   CP_STRIDE*_COUNT: count of the four most common strides.\n"
    "#   CP_ACCESS*_ACCESS: the four most common access sizes.\n"
    "#   CP_ACCESS*_COUNT: count of the four most common access sizes.\n"
    "#   CP_DEVICE: File system identifier.\n"
    "#   CP_SIZE_AT_OPEN: size of file when first opened.\n"
    "#   CP_*_RANK_BYTES: fastest, slowest and variance of bytes transfer.\n"
    "#   CP_F_OPEN_TIMESTAMP: timestamp of first open (mpi or posix).\n"
    "#   CP_F_*_START_TIMESTAMP: timestamp of first read/write (mpi or posix).\n"
    "#   CP_F_*_END_TIMESTAMP: timestamp of last read/write (mpi or posix).\n"
    "#   CP_F_CLOSE_TIMESTAMP: timestamp of last close (mpi or posix).\n"
    "#   CP_F_POSIX_READ/WRITE_TIME: cumulative time spent in posix reads or writes.\n"
    "#   CP_F_MPI_READ/WRITE_TIME: cumulative time spent in mpi-io reads or writes.\n"
    "#   CP_F_POSIX_META_TIME: cumulative time spent in posix open, close, fsync, stat and seek, .\n"
    "#   CP_F_MPI_META_TIME: cumulative time spent in mpi-io open, close, set_view, and sync.\n"
    "#   CP_MAX_*_TIME: duration of the slowest read and write operations.\n"
    "#   CP_*_RANK_TIME: fastest, slowest variance of transfer time. Note that these counters show MPI-IO time for "
    "files "
    "accessed using MPI-IO, and POSIX time otherwise.\n"
    "\n#<rank>\t<file>\t<counter>\t<value>\t<name suffix>\t<mount pt>\t<fs type>\n";

/* Records ------------------------------------------------------------------------------------------------------- */

static const iol__old_device *darshan_old_device_of(const iol_log *log, const iol__old_record *record) {
    static const iol__old_device unknown = {0, "UNKNOWN", "UNKNOWN"};
    const iol__old *old = log->old;
    if (old->version->knows < 123) return &unknown;
    for (size_t i = old->n_devices; i-- > 0;)
        if (old->devices[i].device == record->ints[IOL_OLD_CP_DEVICE]) return &old->devices[i];
    return &unknown;
}

static void record_lines(iol__out *out, const iol_log *log, const iol__old_record *r) {
    const iol__old_device *device = darshan_old_device_of(log, r);
    char before[64];
    snprintf(before, sizeof before, "%lld\t%llu\t", (long long)r->rank, (unsigned long long)r->id);
    for (int i = 0; i < IOL_OLD_INTS + IOL_OLD_REALS; i++) {
        const bool whole = i < IOL_OLD_INTS;
        iol__out_text(out, before);
        iol__out_text(out, whole ? iol__old_ints[i].name : iol__old_reals[i - IOL_OLD_INTS].name);
        iol__out_char(out, '\t');
        if (whole)
            iol__out_i64(out, r->ints[i]);
        else
            iol__out_fixed(out, r->reals[i - IOL_OLD_INTS], 6);
        iol__out_printf(out, "\t...%s\t%s\t%s\n", r->suffix, device->point, device->type);
    }
}

/* Sums ------------------------------------------------------------------------------------------------------------- */

static bool through_mpiio(const iol__old_record *r) {
    return r->ints[IOL_OLD_CP_INDEP_OPENS] > 0 || r->ints[IOL_OLD_CP_COLL_OPENS] > 0;
}

static double meta_time(const iol__old_record *r) {
    return r->reals[through_mpiio(r) ? IOL_OLD_CP_F_MPI_META_TIME : IOL_OLD_CP_F_POSIX_META_TIME];
}

static double io_time(const iol__old_record *r) {
    if (through_mpiio(r))
        return r->reals[IOL_OLD_CP_F_MPI_META_TIME] + r->reals[IOL_OLD_CP_F_MPI_READ_TIME] +
               r->reals[IOL_OLD_CP_F_MPI_WRITE_TIME];
    return r->reals[IOL_OLD_CP_F_POSIX_META_TIME] + r->reals[IOL_OLD_CP_F_POSIX_READ_TIME] +
           r->reals[IOL_OLD_CP_F_POSIX_WRITE_TIME];
}

/* From the open to the end of the last read or write. */
static double last_io(const iol__old_record *r) {
    const double read = r->reals[IOL_OLD_CP_F_READ_END_TIMESTAMP], write = r->reals[IOL_OLD_CP_F_WRITE_END_TIMESTAMP];
    const double last = read > write ? read : write, open = r->reals[IOL_OLD_CP_F_OPEN_TIMESTAMP];
    return last > open ? last - open : 0;
}

static void darshan_old_combine_ints(iol__old_record *to, const iol__old_record *from) {
    for (int i = 0; i < IOL_OLD_INTS; i++) {
        switch ((iol__old_total)iol__old_ints[i].total) {
        case IOL_OLD_TOTAL_SUM:
            to->ints[i] = (int64_t)((uint64_t)to->ints[i] + (uint64_t)from->ints[i]);
            if (to->ints[i] < 0) to->ints[i] = -1;
            break;
        case IOL_OLD_TOTAL_MAX:
            if (from->ints[i] > to->ints[i]) to->ints[i] = from->ints[i];
            break;
        case IOL_OLD_TOTAL_MIN:
            if (from->ints[i] < to->ints[i]) to->ints[i] = from->ints[i];
            break;
        case IOL_OLD_TOTAL_COMMON: /* the four values stand before their four counts */
            if (from->ints[i] <= to->ints[i]) break;
            to->ints[i] = from->ints[i];
            to->ints[i - 4] = from->ints[i - 4];
            break;
        default: break;
        }
    }
}

static void darshan_old_combine_reals(iol__old_record *to, const iol__old_record *from) {
    for (int i = 0; i < IOL_OLD_REALS; i++) {
        const double value = from->reals[i];
        switch ((iol__old_total)iol__old_reals[i].total) {
        case IOL_OLD_TOTAL_SUM: to->reals[i] += value; break;
        case IOL_OLD_TOTAL_MAX:
            if (value > to->reals[i]) to->reals[i] = value;
            break;
        case IOL_OLD_TOTAL_FIRST:
            if (value > 0 && (to->reals[i] <= 0 || value < to->reals[i])) to->reals[i] = value;
            break;
        default: break;
        }
    }
}

static void darshan_old_combine(iol__old_record *to, const iol__old_record *from) {
    darshan_old_combine_ints(to, from);
    darshan_old_combine_reals(to, from);
}

typedef struct old_file {
    iol__old_record sum;
    int64_t processes;
    bool shared, mpiio;
    double time, slowest;
} old_file;

typedef struct old_rank {
    double io, meta;
} old_rank;

typedef struct sums {
    iol_log *log;
    iol__old_record total;
    old_file *files;
    iol__idmap file_ids, rank_ids;
    old_rank *ranks;
    size_t file_room, rank_room;
    uint64_t bytes;
    double cumulated, meta, by_open, by_last_io, by_slowest; /* of files of all ranks */
} sums;

/* The entry of a key, zeroed when it is new; NULL without memory. */
static void *darshan_old_entry(iol__idmap *ids, uint64_t key, void **table, size_t *room, size_t bytes) {
    size_t number = iol__idmap_find(ids, key);
    if (number != IOL_IDMAP_NONE) return (char *)*table + number * bytes;
    if (ids->count == *room) {
        const size_t grown_room = *room ? 2 * *room : 16;
        void *grown = realloc(*table, grown_room * bytes);
        if (!grown) return NULL;
        *table = grown;
        *room = grown_room;
    }
    number = iol__idmap_add(ids, key);
    return number == IOL_IDMAP_NONE ? NULL : memset((char *)*table + number * bytes, 0, bytes);
}

static bool darshan_old_add_to_file(sums *s, const iol__old_record *r) {
    void *table = s->files;
    old_file *file = darshan_old_entry(&s->file_ids, r->id, &table, &s->file_room, sizeof *file);
    s->files = table;
    if (!file) return false;
    double slowest = io_time(r);
    file->sum.id = r->id;
    memcpy(file->sum.suffix, r->suffix, sizeof r->suffix);
    if (r->rank < 0) {
        file->shared = true;
        file->processes = iol_log_job(s->log)->processes;
        slowest = r->reals[IOL_OLD_CP_F_SLOWEST_RANK_TIME];
        if (!(slowest > 0)) slowest = last_io(r);
    } else {
        file->processes++;
    }
    if (slowest > file->slowest) file->slowest = slowest;
    file->mpiio = file->mpiio || through_mpiio(r);
    file->time += io_time(r);
    darshan_old_combine(&file->sum, r);
    return true;
}

static void add_darshan_old_shared(sums *s, const iol__old_record *r) {
    const double open = r->reals[IOL_OLD_CP_F_OPEN_TIMESTAMP], close = r->reals[IOL_OLD_CP_F_CLOSE_TIMESTAMP];
    if (close > open) s->by_open += close - open;
    s->by_last_io += last_io(r);
    s->cumulated += io_time(r);
    s->meta += meta_time(r);
    s->by_slowest += r->reals[IOL_OLD_CP_F_SLOWEST_RANK_TIME];
}

static bool add_to_rank(sums *s, const iol__old_record *r) {
    void *table = s->ranks;
    old_rank *rank = darshan_old_entry(&s->rank_ids, (uint64_t)r->rank, &table, &s->rank_room, sizeof *rank);
    s->ranks = table;
    if (!rank) return false;
    rank->io += io_time(r);
    rank->meta += meta_time(r);
    return true;
}

static bool add_darshan_old_record(sums *s, const iol__old_record *r) {
    s->bytes += (uint64_t)r->ints[IOL_OLD_CP_BYTES_READ] + (uint64_t)r->ints[IOL_OLD_CP_BYTES_WRITTEN];
    darshan_old_combine(&s->total, r);
    if (r->rank < 0) add_darshan_old_shared(s, r);
    return darshan_old_add_to_file(s, r) && (r->rank < 0 || add_to_rank(s, r));
}

/* What is printed of them -------------------------------------------------------------------------------------------- */

static void total_lines(iol__out *out, const iol__old_record *total) {
    for (int i = 0; i < IOL_OLD_INTS; i++)
        iol__out_printf(out, "total_%s: %lld\n", iol__old_ints[i].name, (long long)total->ints[i]);
    for (int i = 0; i < IOL_OLD_REALS; i++) {
        iol__out_printf(out, "total_%s: ", iol__old_reals[i].name);
        iol__out_fixed(out, total->reals[i], 6);
        iol__out_char(out, '\n');
    }
}

/* The lowest rank with the longest time. */
static int64_t slowest_rank(const sums *s, old_rank *slowest) {
    int64_t found = 0;
    *slowest = (old_rank){0};
    for (size_t i = 0; i < s->rank_ids.count; i++) {
        const int64_t rank = (int64_t)s->rank_ids.keys[i];
        const old_rank *r = &s->ranks[i];
        if (r->io < slowest->io || r->io == 0 || (r->io == slowest->io && rank > found)) continue;
        *slowest = *r;
        found = rank;
    }
    return found;
}

static double darshan_old_rate(const sums *s, double time) {
    return time != 0 ? (double)(int64_t)s->bytes / 1048576.0 / time : 0;
}

static void perf_lines(iol__out *out, const sums *s) {
    const double processes = (double)iol_log_job(s->log)->processes;
    const double cumulated = s->cumulated / processes;
    old_rank alone;
    const int64_t rank = slowest_rank(s, &alone);
    iol__out_printf(out,
                    "\n# performance\n# -----------\n# total_bytes: %lld\n#\n"
                    "# I/O timing for unique files (seconds):\n# ...........................\n"
                    "# unique files: slowest_rank_io_time: %f\n# unique files: slowest_rank_meta_time: %f\n"
                    "# unique files: slowest rank: %lld\n#\n",
                    (long long)s->bytes, alone.io, alone.meta, (long long)rank);
    iol__out_printf(out,
                    "# I/O timing for shared files (seconds):\n"
                    "# (multiple estimates shown; time_by_slowest is generally the most accurate)\n"
                    "# ...........................\n"
                    "# shared files: time_by_cumul_io_only: %f\n# shared files: time_by_cumul_meta_only: %f\n"
                    "# shared files: time_by_open: %f\n# shared files: time_by_open_lastio: %f\n"
                    "# shared files: time_by_slowest: %f\n#\n",
                    cumulated, s->meta / processes, s->by_open, s->by_last_io, s->by_slowest);
    iol__out_printf(out,
                    "# Aggregate performance, including both shared and unique files (MiB/s):\n"
                    "# (multiple estimates shown; agg_perf_by_slowest is generally the most accurate)\n"
                    "# ...........................\n"
                    "# agg_perf_by_cumul: %f\n# agg_perf_by_open: %f\n# agg_perf_by_open_lastio: %f\n"
                    "# agg_perf_by_slowest: %f\n",
                    darshan_old_rate(s, alone.io + cumulated), darshan_old_rate(s, alone.io + s->by_open),
                    darshan_old_rate(s, alone.io + s->by_last_io), darshan_old_rate(s, alone.io + s->by_slowest));
}

enum { ALL, READ_ONLY, WRITE_ONLY, READ_WRITE, UNIQUE, SHARED, CATEGORIES };

static bool any_of(const iol__old_record *sum, const int *counters) {
    for (; *counters >= 0; counters++)
        if (sum->ints[*counters] > 0) return true;
    return false;
}

static bool darshan_old_in_category(const old_file *file, int category) {
    static const int reads[] = {IOL_OLD_CP_POSIX_READS,
                                IOL_OLD_CP_POSIX_FREADS,
                                IOL_OLD_CP_INDEP_READS,
                                IOL_OLD_CP_COLL_READS,
                                IOL_OLD_CP_SPLIT_READS,
                                IOL_OLD_CP_NB_READS,
                                -1};
    static const int writes[] = {IOL_OLD_CP_POSIX_WRITES,
                                 IOL_OLD_CP_POSIX_FWRITES,
                                 IOL_OLD_CP_INDEP_WRITES,
                                 IOL_OLD_CP_COLL_WRITES,
                                 IOL_OLD_CP_SPLIT_WRITES,
                                 IOL_OLD_CP_NB_WRITES,
                                 -1};
    const bool read = any_of(&file->sum, reads), written = any_of(&file->sum, writes);
    const bool unique = !file->shared && file->processes == 1;
    const bool is[CATEGORIES] = {true, read && !written, written && !read, read && written, unique, !unique};
    return is[category];
}

static void files_lines(iol__out *out, const sums *s) {
    static const char *const names[CATEGORIES] = {"total", "read_only", "write_only", "read_write", "unique", "shared"};
    iol__out_text(out, "\n# files\n# -----\n");
    for (int category = 0; category < CATEGORIES; category++) {
        int64_t count = 0, largest = 0;
        uint64_t bytes = 0;
        for (size_t i = 0; i < s->file_ids.count; i++) {
            const int64_t *ints = s->files[i].sum.ints;
            const int64_t read = ints[IOL_OLD_CP_MAX_BYTE_READ], written = ints[IOL_OLD_CP_MAX_BYTE_WRITTEN];
            const int64_t end = read > written ? read : written;
            if (!darshan_old_in_category(&s->files[i], category)) continue;
            count++;
            bytes += (uint64_t)end;
            if (end > largest) largest = end;
        }
        iol__out_printf(out, "# %s: %lld %lld %lld\n", names[category], (long long)count, (long long)bytes,
                        (long long)largest);
    }
}

static void list_head(iol__out *out, bool detailed) {
    iol__out_printf(out, "\n# Per-file summary of I/O activity%s.\n", detailed ? " (detailed)" : "");
    iol__out_text(out,
                  "# <hash>: hash of file name\n# <suffix>: last 15 characters of file name\n# <type>: MPI or POSIX\n"
                  "# <nprocs>: number of processes that opened the file\n"
                  "# <slowest>: (estimated) time in seconds consumed in IO by slowest process\n"
                  "# <avg>: average time in seconds consumed in IO per process\n");
    if (detailed)
        iol__out_text(
            out, "# <start_{open/read/write}>: start timestamp of first open, read, or write\n"
                 "# <end_{open/read/write}>: end timestamp of last open, read, or write\n"
                 "# <mpi_indep_opens>: independent MPI_File_open calls\n"
                 "# <mpi_coll_opens>: collective MPI_File_open calls\n# <posix_opens>: POSIX open calls\n"
                 "# <CP_SIZE_READ_*>: POSIX read size histogram\n# <CP_SIZE_WRITE_*>: POSIX write size histogram\n");
    iol__out_text(out, "\n# <hash>\t<suffix>\t<type>\t<nprocs>\t<slowest>\t<avg>");
    if (detailed) {
        iol__out_text(out, "\t<start_open>\t<start_read>\t<start_write>\t<end_open>\t<end_read>\t<end_write>"
                           "\t<mpi_indep_opens>\t<mpi_coll_opens>\t<posix_opens>");
        for (int i = IOL_OLD_CP_SIZE_READ_0_100; i <= IOL_OLD_CP_SIZE_WRITE_1G_PLUS; i++)
            iol__out_printf(out, "\t%s", iol__old_ints[i].name);
    }
    iol__out_char(out, '\n');
}

static void list_lines(iol__out *out, const sums *s, bool detailed) {
    list_head(out, detailed);
    for (size_t i = 0; i < s->file_ids.count; i++) {
        const old_file *file = &s->files[i];
        const int64_t *ints = file->sum.ints;
        iol__out_printf(out, "%llu\t%s\t%s\t%lld\t%f\t%f", (unsigned long long)file->sum.id, file->sum.suffix,
                        file->mpiio ? "MPI" : "POSIX", (long long)file->processes, file->slowest,
                        file->time / (double)file->processes);
        for (int t = IOL_OLD_CP_F_OPEN_TIMESTAMP; detailed && t <= IOL_OLD_CP_F_WRITE_END_TIMESTAMP; t++)
            iol__out_printf(out, "\t%f", file->sum.reals[t]);
        if (detailed)
            iol__out_printf(out, "\t%lld\t%lld\t%lld", (long long)ints[IOL_OLD_CP_INDEP_OPENS],
                            (long long)ints[IOL_OLD_CP_COLL_OPENS], (long long)ints[IOL_OLD_CP_POSIX_OPENS]);
        for (int c = IOL_OLD_CP_SIZE_READ_0_100; detailed && c <= IOL_OLD_CP_SIZE_WRITE_1G_PLUS; c++)
            iol__out_printf(out, "\t%lld", (long long)ints[c]);
        iol__out_char(out, '\n');
    }
}

bool iol__darshan_old(iol__out *out, iol_log *log, const iol__old_parts *parts) {
    const iol__old_version *v = iol__old_version_of(log);
    sums s = {.log = log};
    const bool add_up = parts->total || parts->perf || parts->files || parts->file_list || parts->file_list_detailed;
    iol__old_record record;
    bool good = true;
    version_warnings(out, v);
    job_lines(out, log, v->version);
    if (parts->base) iol__out_text(out, columns);
    for (uint64_t i = 0; good && iol__old_record_at(log, i, &record) == IOL_OK; i++) {
        if (parts->base) record_lines(out, log, &record);
        good = !add_up || add_darshan_old_record(&s, &record);
    }
    if (good && parts->total) total_lines(out, &s.total);
    if (good && parts->perf) perf_lines(out, &s);
    if (good && parts->files) files_lines(out, &s);
    if (good && parts->file_list) list_lines(out, &s, false);
    if (good && parts->file_list_detailed) list_lines(out, &s, true);
    iol__idmap_free(&s.file_ids);
    iol__idmap_free(&s.rank_ids);
    free(s.files);
    free(s.ranks);
    return good;
}
