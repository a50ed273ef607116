/* The text of darshan-parser around its data lines (darshan_lines.c): head, headings, totals, files and performance. */
#include "report/darshan/darshan_text.h"

#include <ctype.h>
#include <time.h>

#include "base/count.h"
#include "log/figures/accumulate.h"
#include "log/read/log_internal.h"
#include "log/read/methods.h"
#include "report/darshan/darshan_lines.h"
#include "text/text.h"

/* Head --------------------------------------------------------------------------------------------------------- */

static const char rule[] = "# -------------------------------------------------------\n";

static void compression_line(iol__out *out, iol_compression compression) {
    iol__out_text(out, "# compression method: ");
    for (const char *c = iol__method_name(compression); *c; c++) iol__out_char(out, (char)toupper((unsigned char)*c));
    iol__out_char(out, '\n');
}

static void darshan_text_time_lines(iol__out *out, const char *which, int64_t seconds) {
    char text[64] = "unknown";
    time_t time = (time_t)seconds;
    struct tm local;
    if (localtime_r(&time, &local)) strftime(text, sizeof text, "%a %b %e %H:%M:%S %Y", &local);
    iol__out_printf(out, "# %s_time: %lld\n# %s_time_asci: %s\n", which, (long long)seconds, which, text);
}

static void region_lines(iol__out *out, const iol_log *log) {
    const iol_info *info = iol_log_info(log);
    iol__out_printf(out, "\n# log file regions\n%s", rule);
    iol__out_text(out, "# header: 1328 bytes (uncompressed)\n");
    iol__out_printf(out, "# job data: %llu bytes (compressed)\n", (unsigned long long)info->job_bytes);
    iol__out_printf(out, "# record table: %llu bytes (compressed)\n", (unsigned long long)info->name_bytes);
    iol_module module;
    for (int slot = 0; iol_log_module(log, slot, &module) == IOL_OK; slot++) {
        if (module.length == 0 && !module.partial) continue;
        if (module.name)
            iol__out_printf(out, "# %s module:", module.name);
        else
            iol__out_printf(out, "# <UNKNOWN> module (id %d):", slot);
        iol__out_printf(out, " %llu bytes (compressed), ver=%u\n", (unsigned long long)module.length, module.version);
    }
}

void iol__darshan_head(iol__out *out, const iol_log *log) {
    const iol_info *info = iol_log_info(log);
    const iol_job *job = iol_log_job(log);
    if (info->minor == 20)
        iol__out_text(out, "# Caution: the release that wrote this log (3.2.0) is known to store wrong values,\n"
                           "# at least for the most common access sizes of POSIX, MPI-IO and HDF5.\n"
                           "# Take these counters as unknown.\n");
    iol__out_printf(out, "# darshan log version: %s\n", info->version);
    compression_line(out, info->compression);
    iol__out_text(out, "# exe: ");
    iol__out_name(out, job->exe);
    iol__out_char(out, '\n');
    iol__out_printf(out, "# uid: %lld\n", (long long)job->uid);
    iol__out_printf(out, "# jobid: %lld\n", (long long)log->own_job_id);
    darshan_text_time_lines(out, "start", job->start_seconds);
    darshan_text_time_lines(out, "end", job->end_seconds);
    iol__out_printf(out, "# nprocs: %lld\n", (long long)job->processes);
    iol__out_printf(out, "# run time: %.4f\n", job->run_time);
    const char *key, *value;
    for (size_t i = 0; iol_log_metadata(log, i, &key, &value) == IOL_OK; i++)
        iol__out_printf(out, "# metadata: %s = %s\n", key, value);
    region_lines(out, log);
    iol__out_printf(out, "\n# mounted file systems (mount point and fs type)\n%s", rule);
    const char *point, *type;
    for (size_t i = 0; iol_log_mount(log, i, &point, &type) == IOL_OK; i++) {
        iol__out_text(out, "# mount entry:\t");
        iol__out_name(out, point);
        iol__out_char(out, '\t');
        iol__out_name(out, type);
        iol__out_char(out, '\n');
    }
}

void iol__darshan_columns(iol__out *out) {
    iol__out_text(out, "\n# Data lines have eight columns, separated by tabs:\n"
                       "#   module       the layer that recorded the counter\n"
                       "#   rank         the MPI rank, or process; -1 where all ranks were combined\n"
                       "#   record id    hash of the record's name\n"
                       "#   counter      its name; docs/counters.md says what each one means\n"
                       "#   value        -1 where the writer could not know, 0 for times of what never happened\n"
                       "#   file name    full path, or what the record is about\n"
                       "#   mount pt     mount point that the name begins with\n"
                       "#   fs type      type of that file system\n");
}

void iol__darshan_banner(iol__out *out, const char *module, int stars) {
    iol__out_text(out, "\n# ");
    iol__out_repeat(out, '*', (size_t)stars);
    iol__out_printf(out, "\n# %s module data\n# ", module);
    iol__out_repeat(out, '*', (size_t)stars);
    iol__out_char(out, '\n');
}

void iol__darshan_incomplete(iol__out *out, const char *module) {
    iol__out_printf(out, "\n# *WARNING*: The %s module contains incomplete data!\n", module);
    iol__out_text(out, "# Memory ran out while the program ran, or a part of the log was damaged: what is here\n"
                       "# is right, but records or trace segments are missing.\n");
}

/* A module -------------------------------------------------------------------------------------------------------- */

/* What a reader should know of the record version at hand. */
static const struct {
    int slot;
    unsigned up_to;
    const char *text;
} cautions[] = {
    {IOL_SLOT_POSIX, 3, "# fileno, dup and rename were not counted by this writer (-1)."},
    {IOL_SLOT_POSIX, 2, "# The times of the first close and of the last open's return were not taken (-1)."},
    {IOL_SLOT_POSIX, 1,
     "# Files that were used through stdio streams are left out: their counters had another meaning."},
    {IOL_SLOT_POSIX, 4,
     "# MMAPS is -1 where the writer does not watch mmap; I/O through memory maps is not in the bytes."},
    {IOL_SLOT_MPIIO, 2, "# The times of the first close and of the last open's return were not taken (-1)."},
    {IOL_SLOT_MPIIO, 1, "# The write start time of this writer is not reliable."},
    {IOL_SLOT_STDIO, 1, "# fdopen was not counted by this writer (-1)."},
    {IOL_SLOT_STDIO, 2, "# Calls that a compiler inlines into the stream's buffer are not counted by every writer."},
    {IOL_SLOT_H5F, 2, "# Flushes, the MPI-IO flag and the metadata time were not recorded by this writer (-1)."},
    {IOL_SLOT_H5F, 1, "# The times of the first close and of the last open's return were not taken (-1)."},
    {IOL_SLOT_H5D, 1, "# The file that a dataset belongs to was not recorded by this writer (0)."},
    {IOL_SLOT_PNETCDF_FILE, 2, "# Only opens and their times were recorded by this writer; the rest is -1."},
};

static void base_head(iol__out *out, int slot, unsigned version) {
    iol__out_text(out, "\n# One line a counter; docs/counters.md has the meaning of each.\n");
    for (size_t i = 0; i < IOL_COUNT(cautions); i++)
        if (cautions[i].slot == slot && version <= cautions[i].up_to) iol__out_printf(out, "\n%s\n", cautions[i].text);
    iol__out_text(out, "\n#<module>\t<rank>\t<record id>\t<counter>\t<value>\t<file name>\t<mount pt>\t<fs type>\n");
}

static void darshan_text_total_lines(iol__out *out, const iol_sum *sum) {
    const iol_record *total = iol_sum_total(sum);
    const iol__counter *c = iol__modules[total->slot].counters;
    iol__out_text(out, "\n# Totals over all records of the module: sums where counters add up, else the extreme\n"
                       "# or the common value; fastest and slowest rank only where there is a single file.\n\n");
    for (unsigned i = 0; i < total->n_ints; i++, c++)
        iol__out_printf(out, "total_%s: %lld\n", c->name, (long long)total->ints[i]);
    for (unsigned i = 0; i < total->n_reals; i++, c++) {
        iol__out_printf(out, "total_%s: ", c->name);
        iol__out_fixed(out, total->reals[i], 6);
        iol__out_char(out, '\n');
    }
}

static void file_line(iol__out *out, const char *name, const iol_files *files) {
    iol__out_printf(out, "# %s: %lld %lld %lld\n", name, (long long)files->count, (long long)files->bytes,
                    (long long)files->max_offset);
}

static void file_lines(iol__out *out, const iol_sum *sum) {
    static const char *const names[] = {[IOL_FILES_ALL] = "total",
                                        [IOL_FILES_READ_ONLY] = "read_only",
                                        [IOL_FILES_WRITE_ONLY] = "write_only",
                                        [IOL_FILES_READ_WRITE] = "read_write",
                                        [IOL_FILES_UNIQUE] = "unique"};
    iol__out_text(out, "\n# Total file counts\n# -----\n"
                       "# The offset is the highest byte touched, not a size; -1 where the module does not know it.\n"
                       "# Files without traffic are counted in the total, as unique or as shared.\n"
                       "\n# <file_type> <file_count> <total_bytes> <max_byte_offset>\n");
    iol_files files, some;
    for (int category = IOL_FILES_ALL; category <= IOL_FILES_UNIQUE; category++) {
        iol_sum_files(sum, (iol_category)category, &files);
        file_line(out, names[category], &files);
    }
    iol_sum_files(sum, IOL_FILES_SHARED, &files);
    iol_sum_files(sum, IOL_FILES_PART_SHARED, &some);
    files.count += some.count;
    files.bytes = (int64_t)((uint64_t)files.bytes + (uint64_t)some.bytes);
    files.max_offset = (int64_t)((uint64_t)files.max_offset + (uint64_t)some.max_offset);
    file_line(out, "shared", &files);
}

static void darshan_text_perf_lines(iol__out *out, const iol_sum *sum) {
    iol_performance perf;
    iol_sum_performance(sum, &perf);
    iol__out_printf(out, "\n# performance\n# -----------\n# total_bytes: %lld\n#\n", (long long)perf.total_bytes);
    iol__out_text(out, "# time of the rank that was slowest on files of its own (seconds)\n# ....................\n");
    iol__out_printf(out, "# unique files: slowest_rank_io_time: %f\n", perf.slowest_rank_io_time);
    iol__out_printf(out, "# unique files: slowest_rank_meta_only_time: %f\n", perf.slowest_rank_meta_time);
    iol__out_printf(out, "# unique files: slowest_rank_rw_only_time: %f\n", perf.slowest_rank_rw_time);
    iol__out_printf(out, "# unique files: slowest_rank: %lld\n#\n", (long long)perf.slowest_rank);
    iol__out_text(out, "# time on files of all ranks, each by its slowest rank (seconds)\n# ....................\n");
    iol__out_printf(out, "# shared files: time_by_slowest: %f\n#\n", perf.shared_time);
    iol__out_text(out, "# both together, and the bandwidth that follows\n# ....................\n");
    iol__out_printf(out, "# agg_time_by_slowest: %f # seconds\n", perf.time);
    iol__out_printf(out, "# agg_perf_by_slowest: %f # MiB/s\n", perf.mib_per_second);
}

void iol__darshan_module(iol__out *out, iol_log *log, int slot, const iol__parser_parts *parts) {
    iol_module module;
    iol_log_module(log, slot, &module);
    bool estimated = iol__modules[slot].roles->estimated;
    bool sums = estimated && (parts->total || parts->files || parts->perf);
    iol_records *records = NULL;
    iol_sum *sum = NULL;
    iol__darshan_lines lines;
    if (iol_records_open(log, slot, &records) != IOL_OK) return;
    iol__lines_start(&lines, out, log, "", true);
    if (sums && iol_sum_new(log, slot, &sum) != IOL_OK) goto out;
    if (sum) iol__sum_tables(sum, parts->perf, parts->files);
    if (parts->base) base_head(out, slot, module.version);
    const iol_record *record;
    while (!out->closed && iol_records_next(records, &record) == IOL_OK) {
        if (parts->base) iol__lines_record(&lines, record);
        if (sum) iol_sum_add(sum, record);
    }
    if (sum && parts->total) darshan_text_total_lines(out, sum);
    if (sum && parts->files) file_lines(out, sum);
    if (sum && parts->perf) darshan_text_perf_lines(out, sum);
out:
    iol__lines_end(&lines);
    iol_sum_free(sum);
    iol_records_close(records);
}
