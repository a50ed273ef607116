/* The text of darshan-parser. A data line is prefix (module, rank, id), counter, value, suffix (name, mount, type): prefix
   and suffix are made once a record, so that a line is three copies and a number. */
#include "report/darshan_text.h"

#include <stdlib.h>
#include <time.h>

/* Head --------------------------------------------------------------------------------------------------------- */

static const char rule[] = "# -------------------------------------------------------\n";

static const char *compression_name(iol_compression compression) {
    switch (compression) {
    case IOL_ZLIB: return "ZLIB";
    case IOL_BZIP2: return "BZIP2";
    case IOL_UNCOMPRESSED: return "NONE";
    case IOL_ZSTD: return "ZSTD";
    }
    return "UNKNOWN";
}

static void time_lines(iol__out *out, const char *which, int64_t seconds) {
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
    iol__out_printf(out, "# compression method: %s\n", compression_name(info->compression));
    iol__out_printf(out, "# exe: %s\n", job->exe);
    iol__out_printf(out, "# uid: %lld\n", (long long)job->uid);
    iol__out_printf(out, "# jobid: %lld\n", (long long)job->job_id);
    time_lines(out, "start", job->start_seconds);
    time_lines(out, "end", job->end_seconds);
    iol__out_printf(out, "# nprocs: %lld\n", (long long)job->processes);
    iol__out_printf(out, "# run time: %.4f\n", job->run_time);
    const char *key, *value;
    for (size_t i = 0; iol_log_metadata(log, i, &key, &value) == IOL_OK; i++)
        iol__out_printf(out, "# metadata: %s = %s\n", key, value);
    region_lines(out, log);
    iol__out_printf(out, "\n# mounted file systems (mount point and fs type)\n%s", rule);
    const char *point, *type;
    for (size_t i = 0; iol_log_mount(log, i, &point, &type) == IOL_OK; i++)
        iol__out_printf(out, "# mount entry:\t%s\t%s\n", point, type);
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
    iol__out_text(out, "# Memory ran out while the program ran: what is here is right, but records or\n"
                       "# trace segments are missing.\n");
}

/* Data lines ---------------------------------------------------------------------------------------------------- */

typedef struct line {
    iol__out *out;
    iol_log *log;
    char prefix[96];
    size_t prefix_length;
    char *suffix; /* grows to the longest name */
    size_t suffix_length, suffix_room;
} line;

static char *line_begin(line *l, const char *counter, size_t length, size_t value_room) {
    char *at = iol__out_room(l->out, l->prefix_length + length + 1 + value_room + l->suffix_length);
    memcpy(at, l->prefix, l->prefix_length);
    at += l->prefix_length;
    memcpy(at, counter, length);
    at += length;
    *at = '\t';
    return at + 1;
}

static void line_end(line *l, char *at) {
    memcpy(at, l->suffix, l->suffix_length);
    l->out->length = (size_t)(at - l->out->buffer) + l->suffix_length;
}

static void line_int(line *l, const char *counter, size_t length, int64_t value) {
    line_end(l, iol__format_i64(line_begin(l, counter, length, 21), value));
}

static void line_unsigned(line *l, const char *counter, size_t length, uint64_t value) {
    line_end(l, iol__format_u64(line_begin(l, counter, length, 20), value));
}

static void line_real(line *l, const char *counter, size_t length, double value) {
    line_end(l, iol__format_fixed(line_begin(l, counter, length, 330), value, 6));
}

static void line_text(line *l, const char *counter, const char *value) {
    size_t length = strlen(value);
    char *at = line_begin(l, counter, strlen(counter), length);
    memcpy(at, value, length);
    line_end(l, at + length);
}

static void set_prefix(line *l, const iol_record *record) {
    const iol__module *module = &iol__modules[record->slot];
    char *at = l->prefix;
    memcpy(at, module->name, module->name_length);
    at += module->name_length;
    *at++ = '\t';
    at = iol__format_i64(at, record->rank);
    *at++ = '\t';
    at = iol__format_u64(at, record->id);
    *at++ = '\t';
    l->prefix_length = (size_t)(at - l->prefix);
}

static void set_suffix(line *l, const char *name, const char *point, const char *type) {
    size_t parts[] = {strlen(name), strlen(point), strlen(type)};
    size_t length = parts[0] + parts[1] + parts[2] + 4;
    if (length > l->suffix_room) {
        char *grown = realloc(l->suffix, length);
        if (!grown) {
            name = point = type = "";
            parts[0] = parts[1] = parts[2] = 0;
            length = 4;
        } else {
            l->suffix = grown;
            l->suffix_room = length;
        }
    }
    char *at = l->suffix;
    *at++ = '\t';
    at = (char *)memcpy(at, name, parts[0]) + parts[0];
    *at++ = '\t';
    at = (char *)memcpy(at, point, parts[1]) + parts[1];
    *at++ = '\t';
    at = (char *)memcpy(at, type, parts[2]) + parts[2];
    *at++ = '\n';
    l->suffix_length = length;
}

static char *uuid_text(char *at, const uint8_t *uuid) {
    static const char hex[] = "0123456789abcdef";
    for (int i = 0; i < 16; i++) {
        if (i == 4 || i == 6 || i == 8 || i == 10) *at++ = '-';
        *at++ = hex[uuid[i] >> 4];
        *at++ = hex[uuid[i] & 15];
    }
    *at = 0;
    return at;
}

static bool all_zero(const uint8_t *uuid) {
    for (int i = 0; i < 16; i++)
        if (uuid[i]) return false;
    return true;
}

/* Name, mount and type of a record: the last three columns. */
static void set_columns(line *l, const iol_record *record) {
    char pool[80], object[48];
    const char *name, *point, *type;
    switch (record->slot) {
    case IOL_SLOT_APMPI:
    case IOL_SLOT_APXC: set_suffix(l, "", "", ""); return;
    case IOL_SLOT_DFS:
    case IOL_SLOT_DAOS: {
        char *at = uuid_text(pool, record->pool_uuid);
        *at = ':';
        uuid_text(at + 1, record->container_uuid);
        name = iol_log_name(l->log, record->id);
        point = pool;
        if (record->slot == IOL_SLOT_DAOS) {
            char *end = iol__format_u64(object, record->oid_high);
            *end = '.';
            *iol__format_u64(end + 1, record->oid_low) = 0;
            name = object;
        } else if (all_zero(record->pool_uuid) || all_zero(record->container_uuid)) {
            point = "UNKNOWN";
        }
        set_suffix(l, name ? name : "(null)", point, "N/A");
        return;
    }
    default:
        name = iol_log_name(l->log, record->id);
        iol_log_mount_of(l->log, name, &point, &type);
        if (!name) name = record->slot == IOL_SLOT_BGQ ? "darshan-bgq-record" : "(null)";
        set_suffix(l, name, point, type);
    }
}

static void counter_lines(line *l, const iol_record *record) {
    const iol__counter *c = iol__modules[record->slot].counters;
    for (unsigned i = 0; i < record->n_ints; i++, c++) {
        bool is_unsigned = c->kind == IOL_KIND_UINT || (record->slot == IOL_SLOT_POSIX && i == IOL_POSIX_RENAMED_FROM);
        if (is_unsigned)
            line_unsigned(l, c->name, c->name_length, (uint64_t)record->ints[i]);
        else
            line_int(l, c->name, c->name_length, record->ints[i]);
    }
    for (unsigned i = 0; i < record->n_reals; i++, c++) line_real(l, c->name, c->name_length, record->reals[i]);
}

/* A counter name with a number in it, as in HEATMAP_READ_BIN_17. */
static void numbered_line(line *l, const char *head, size_t head_length, size_t number, int64_t value) {
    char name[64];
    memcpy(name, head, head_length);
    char *end = iol__format_u64(name + head_length, number);
    line_int(l, name, (size_t)(end - name), value);
}

/* Lines of the forms that are not two plain arrays --------------------------------------------------------------- */

static const char *pattern_text(int64_t pattern) {
    switch (pattern) {
    case 0: return "raid0";
    case 2: return "mdt";
    case 4: return "raid0,overstriped";
    case 8: return "foreign";
    default: return "N/A";
    }
}

static void flags_text(char text[160], int64_t flags) {
    static const char *const words[] = {"stale",     "prefrd", "prefwr",   "offline", "init",    "nosync",
                                        "extension", "parity", "compress", "partial", "nocompr", "neg"};
    if (flags == -1) {
        strcpy(text, "N/A");
        return;
    }
    char *at = text;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (!(flags >> i & 1)) continue;
        if (at != text) *at++ = ',';
        at = stpcpy(at, words[i]);
    }
    if (at == text) strcpy(text, "0");
}

static void lustre_lines(line *l, const iol_record *record) {
    line_int(l, "LUSTRE_NUM_COMPONENTS", 21, (int64_t)record->n_components);
    line_int(l, "LUSTRE_NUM_STRIPES", 18, (int64_t)record->n_osts);
    for (size_t k = 0; k < record->n_components; k++) {
        const iol__component *component = &record->components[k];
        char name[80], text[160];
        char *end = iol__format_u64(stpcpy(name, "LUSTRE_COMP"), k + 1);
        *end++ = '_';
        for (int i = 0; i < IOL_LUSTRE_COMP_INTS; i++) {
            int64_t value = component->counters[i];
            strcpy(end, iol__lustre_component[i].name + strlen("LUSTRE_COMP_"));
            if (i == IOL_LUSTRE_COMP_STRIPE_PATTERN) {
                line_text(l, name, pattern_text(value));
            } else if (i == IOL_LUSTRE_COMP_FLAGS) {
                flags_text(text, value);
                line_text(l, name, text);
            } else {
                line_int(l, name, strlen(name), value);
            }
        }
        strcpy(end, "POOL_NAME");
        line_text(l, name, *component->pool ? component->pool : "N/A");
        strcpy(end, "OST_ID_");
        for (int64_t i = 0; i < component->counters[IOL_LUSTRE_COMP_STRIPE_COUNT]; i++)
            numbered_line(l, name, strlen(name), (size_t)i, record->osts[component->first_ost + (size_t)i]);
    }
}

static void heatmap_lines(line *l, const iol_record *record) {
    const iol_heatmap *map = &record->heatmap;
    line_real(l, "HEATMAP_F_BIN_WIDTH_SECONDS", 27, map->bin_width);
    for (size_t i = 0; i < map->bins; i++) numbered_line(l, "HEATMAP_READ_BIN_", 17, i, map->read[i]);
    for (size_t i = 0; i < map->bins; i++) numbered_line(l, "HEATMAP_WRITE_BIN_", 18, i, map->written[i]);
}

static void apmpi_lines(line *l, const iol_record *record) {
    if (record->header) {
        line_real(l, "MPI_TOTAL_COMM_TIME_VARIANCE", 28, record->comm_variance);
        if (record->sync_times) line_real(l, "MPI_TOTAL_COMM_SYNC_TIME_VARIANCE", 33, record->sync_variance);
        return;
    }
    line_text(l, "MPI_PROCESSOR_NAME", record->processor);
    const iol__counter *c = iol__modules[IOL_SLOT_APMPI].counters;
    for (unsigned i = 0; i < record->n_ints; i++, c++)
        line_unsigned(l, c->name, c->name_length, (uint64_t)record->ints[i]);
    for (unsigned i = 0; i < record->n_reals; i++, c++) {
        bool sync = i >= IOL_APMPI_TIMES && i != IOL_MPI_TOTAL_COMM_TIME;
        if (!sync || record->sync_times) line_real(l, c->name, c->name_length, record->reals[i]);
    }
}

static void mode_lines(line *l, const char *name, const char *consistent, int64_t mode, const char *const *texts,
                       int64_t count) {
    int64_t value = mode & 0x7fffffff;
    line_text(l, name, texts[value < count ? value : 0]);
    line_int(l, consistent, strlen(consistent), !(mode >> 31 & 1));
}

static void apxc_lines(line *l, const iol_record *record) {
    static const char *const memory[] = {"MM_UNKNOWN", "MM_FLAT", "MM_EQUAL", "MM_SPLIT", "MM_CACHE"};
    static const char *const cluster[] = {"CM_UNKNOWN", "CM_ALL2ALL", "CM_QUAD", "CM_HEMI", "CM_SNC4", "CM_SNC2"};
    if (record->header) {
        line_int(l, "APXC_GROUPS", 11, record->groups);
        line_int(l, "APXC_CHASSIS", 12, record->chassis);
        line_int(l, "APXC_BLADES", 11, record->blades);
        mode_lines(l, "APXC_MEMORY_MODE", "APXC_MEMORY_MODE_CONSISTENT", record->memory_mode, memory, 5);
        mode_lines(l, "APXC_CLUSTER_MODE", "APXC_CLUSTER_MODE_CONSISTENT", record->cluster_mode, cluster, 6);
        line_unsigned(l, "APXC_APPLICATION_ID", 19, record->application);
        return;
    }
    line_int(l, "APXC_GROUP", 10, record->place[0]);
    line_int(l, "APXC_CHASSIS", 12, record->place[1]);
    line_int(l, "APXC_BLADE", 10, record->place[2]);
    line_int(l, "APXC_NODE", 9, record->place[3]);
    counter_lines(l, record);
}

static void record_lines(line *l, const iol_record *record) {
    set_prefix(l, record);
    set_columns(l, record);
    switch ((iol__form)iol__modules[record->slot].form) {
    case IOL_FORM_LUSTRE: lustre_lines(l, record); return;
    case IOL_FORM_HEATMAP: heatmap_lines(l, record); return;
    case IOL_FORM_APMPI: apmpi_lines(l, record); return;
    case IOL_FORM_APXC: apxc_lines(l, record); return;
    case IOL_FORM_MDHIM:
        counter_lines(l, record);
        for (size_t i = 0; i < record->n_servers; i++) numbered_line(l, "MDHIM_SERVER_", 13, i, record->servers[i]);
        return;
    case IOL_FORM_FIXED: counter_lines(l, record); break;
    case IOL_FORM_TRACE: return;
    }
    if (record->slot == IOL_SLOT_H5D) line_unsigned(l, "H5D_FILE_REC_ID", 15, record->owner);
    if (record->slot == IOL_SLOT_PNETCDF_VAR) line_unsigned(l, "PNETCDF_VAR_FILE_REC_ID", 23, record->owner);
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
    {IOL_SLOT_POSIX, 1, "# Files that were used through stdio streams are left out: their counters had another meaning."},
    {IOL_SLOT_POSIX, 4, "# MMAPS is -1 where the writer does not watch mmap; I/O through memory maps is not in the bytes."},
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
    for (size_t i = 0; i < sizeof cautions / sizeof *cautions; i++)
        if (cautions[i].slot == slot && version <= cautions[i].up_to) iol__out_printf(out, "\n%s\n", cautions[i].text);
    iol__out_text(out, "\n#<module>\t<rank>\t<record id>\t<counter>\t<value>\t<file name>\t<mount pt>\t<fs type>\n");
}

static void total_lines(iol__out *out, const iol_sum *sum) {
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

static void perf_lines(iol__out *out, const iol_sum *sum) {
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
    line l = {.out = out, .log = log};
    if (iol_records_open(log, slot, &records) != IOL_OK) return;
    if (sums && iol_sum_new(log, slot, &sum) != IOL_OK) goto out;
    if (parts->base) base_head(out, slot, module.version);
    const iol_record *record;
    while (!out->closed && iol_records_next(records, &record) == IOL_OK) {
        if (parts->base) record_lines(&l, record);
        if (sum) iol_sum_add(sum, record);
    }
    if (sum && parts->total) total_lines(out, sum);
    if (sum && parts->files) file_lines(out, sum);
    if (sum && parts->perf) perf_lines(out, sum);
out:
    free(l.suffix);
    iol_sum_free(sum);
    iol_records_close(records);
}
