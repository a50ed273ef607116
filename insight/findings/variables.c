/* From facts to the values that rules see. A file's values are filled at once, because nearly every rule asks for some;
   those that need its name or mount are computed when asked for. */
#include "insight/findings/variables.h"

#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/count.h"
#include "insight/facts/carriers.h"
#include "insight/findings/case.h"
#include "insight/language/sections.h"

/* The table --------------------------------------------------------------------------------------------------- */

const iol__variable iol__variables[] = {
#define SUM(name, unit, meaning) {#name, IOL_VARIABLE_RAW, IOL_TYPE_NUMBER, IOL_SUM_##name, meaning},
#define MAX(name, unit, meaning) {#name, IOL_VARIABLE_RAW, IOL_TYPE_NUMBER, IOL_MAX_##name, meaning},
#define CALC(name, type, unit, meaning) {#name, IOL_VARIABLE_CALC, IOL_TYPE_##type, IOL_CALC_##name, meaning},
#define JOB(name, type, unit, meaning) {#name, IOL_VARIABLE_JOB, IOL_TYPE_##type, IOL_JOB_##name, meaning},
#define PHASE(name, unit, meaning) {#name, IOL_VARIABLE_PHASE, IOL_TYPE_NUMBER, IOL_PHASE_##name, meaning},
#define PAIR(name, unit, meaning) {#name, IOL_VARIABLE_PAIR, IOL_TYPE_NUMBER, IOL_PAIR_##name, meaning},
#include "insight/findings/variables.def"
};
enum { VARIABLES = IOL_COUNT(iol__variables) };

static const iol__variable_info shown[] = {
#define SUM(name, unit, meaning) {#name, "job, file, files", unit, meaning},
#define MAX(name, unit, meaning) {#name, "job, file, files", unit, meaning},
#define CALC(name, type, unit, meaning) {#name, "job, file, files", unit, meaning},
#define JOB(name, type, unit, meaning) {#name, "all", unit, meaning},
#define PHASE(name, unit, meaning) {#name, "phase, pairs", unit, meaning},
#define PAIR(name, unit, meaning) {#name, "pairs", unit, meaning},
#include "insight/findings/variables.def"
};

size_t iol__variable_count(void) { return VARIABLES; }
const iol__variable_info *iol__variable_at(size_t index) { return index < VARIABLES ? &shown[index] : NULL; }

/* Rules name variables thousands of times, whenever a rulebook is read. */
enum { SLOTS = 1024 };
static_assert(VARIABLES <= SLOTS / 2, "the index of variables has room");

static uint16_t by_name[SLOTS]; /* the variable and 1; 0: none */
static pthread_once_t index_once = PTHREAD_ONCE_INIT;

static unsigned slot_of(const char *name) {
    unsigned hash = 0;
    for (; *name; name++) hash = hash * 31 + (unsigned char)*name;
    return hash % SLOTS;
}

static void index_variables(void) {
    for (int i = 0; i < VARIABLES; i++) {
        unsigned slot = slot_of(iol__variables[i].name);
        while (by_name[slot]) slot = (slot + 1) % SLOTS;
        by_name[slot] = (uint16_t)(i + 1);
    }
}

int iol__variable_find(const char *name) {
    pthread_once(&index_once, index_variables);
    for (unsigned slot = slot_of(name); by_name[slot]; slot = (slot + 1) % SLOTS)
        if (strcmp(iol__variables[by_name[slot] - 1].name, name) == 0) return by_name[slot] - 1;
    return -1;
}

bool iol__variable_fits(const iol__variable *variable, iol__scope scope, bool by_file) {
    if (variable->kind == IOL_VARIABLE_JOB) return true;
    bool pair = scope == IOL_SCOPE_FILE_PHASE || scope == IOL_SCOPE_RANK_PHASE;
    if (variable->kind == IOL_VARIABLE_PHASE) return pair || scope == IOL_SCOPE_PHASE;
    if (variable->kind == IOL_VARIABLE_PAIR) return pair;
    return by_file || (scope != IOL_SCOPE_PHASE && scope != IOL_SCOPE_RANK_PHASE);
}

bool iol__constant_find(const char *name, double *value, iol__type *type) {
    static const struct {
        const char *name;
        double value;
        iol__type type;
    } constants[] = {{"true", 1, IOL_TYPE_TRUTH},
                     {"false", 0, IOL_TYPE_TRUTH},
                     {"unique", IOL_SHARING_UNIQUE, IOL_TYPE_SHARING},
                     {"partial", IOL_SHARING_PARTIAL, IOL_TYPE_SHARING},
                     {"shared", IOL_SHARING_SHARED, IOL_TYPE_SHARING}};
    for (size_t i = 0; i < IOL_COUNT(constants); i++) {
        if (strcmp(constants[i].name, name) != 0) continue;
        *value = constants[i].value;
        *type = constants[i].type;
        return true;
    }
    return false;
}

bool iol__counter_by_name(const char *name, int *slot, int *counter) {
    for (*slot = 0; *slot < IOL_SLOTS_KNOWN; ++*slot) {
        if (!iol_counter_count(*slot)) continue;
        *counter = iol_counter_find(*slot, name);
        if (*counter >= 0) return true;
    }
    return false;
}

int iol__module_by_word(const char *word, size_t length) {
    static const struct {
        const char *word, *module;
    } words[] = {{"posix", "POSIX"},
                 {"stdio", "STDIO"},
                 {"mpiio", "MPI-IO"},
                 {"hdf5", "H5F"},
                 {"h5f", "H5F"},
                 {"h5d", "H5D"},
                 {"pnetcdf", "PNETCDF_FILE"},
                 {"pnetcdf_var", "PNETCDF_VAR"},
                 {"lustre", "LUSTRE"},
                 {"dxt", "DXT_POSIX"},
                 {"dxt_posix", "DXT_POSIX"},
                 {"dxt_mpiio", "DXT_MPIIO"},
                 {"heatmap", "HEATMAP"},
                 {"dfs", "DFS"},
                 {"daos", "DAOS"},
                 {"bgq", "BG/Q"}};
    for (size_t i = 0; i < IOL_COUNT(words); i++)
        if (strlen(words[i].word) == length && memcmp(words[i].word, word, length) == 0)
            return iol_module_find(words[i].module);
    return -1;
}

int iol__label_find(const char *word, size_t length) {
    static const char *const labels[] = {"name", "path", "dir", "exe", "mount", "fs", "who", "one"};
    for (int i = 0; i < 8; i++)
        if (strlen(labels[i]) == length && memcmp(labels[i], word, length) == 0) return i;
    return -1;
}

/* What a name or a mount says --------------------------------------------------------------------------------- */

static bool is_standard_stream(uint64_t id) {
    static const char *const names[] = {"<STDIN>", "<STDOUT>", "<STDERR>"};
    for (int i = 0; i < 3; i++)
        if (iol_name_id(names[i], strlen(names[i])) == id) return true;
    return false;
}

bool iol__is_folded(uint64_t id) {
    static const char name[] = "<FOLDED>";
    return iol_name_id(name, sizeof name - 1) == id;
}

/* `length` is that of the name. Mostly the last letter tells. */
static bool ends_in(const char *name, size_t length, const char *suffix) {
    const size_t s = strlen(suffix);
    return length >= s && (name[length - 1] | 0x20) == (suffix[s - 1] | 0x20) &&
           strcasecmp(name + length - s, suffix) == 0;
}

bool iol__is_hdf5(const iol__case *job, const iol__facts_file *file) {
    if (file->hdf5 || file->pnetcdf) return true;
    static const char *const suffixes[] = {".h5", ".hdf5", ".nc", ".nc4", ".cdf"};
    const char *name = iol__case_name(job, file);
    const size_t length = name ? strlen(name) : 0;
    for (size_t i = 0; name && i < IOL_COUNT(suffixes); i++)
        if (ends_in(name, length, suffixes[i])) return true;
    return false;
}

/* Files by whom they belong to, as far as names tell: what is found about the files of a program is not said about these. */
static bool ends_in_one_of(const char *name, const char *const *suffixes) {
    const size_t length = strlen(name);
    for (; *suffixes; suffixes++)
        if (ends_in(name, length, *suffixes)) return true;
    return false;
}

static bool is_import(const char *name) {
    static const char *const suffixes[] = {".pyc", ".py", ".so", ".pth", NULL};
    const char *base = strrchr(name, '/');
    return strstr(name, "/site-packages/") || strstr(name, "/dist-packages/") || strstr(name, "/__pycache__/") ||
           ends_in_one_of(name, suffixes) || (base && strncmp(base, "/lib", 4) == 0 && strstr(base, ".so."));
}

/* SQLite sorts and keeps large results in these. */
static bool is_sqlite_temporary(const char *name) { return strstr(name, "/etilqs_") != NULL; }

static bool is_database(const char *name) {
    static const char *const suffixes[] = {".db",          ".sqlite",      ".sqlite3",    ".db-wal", ".db-journal",
                                           ".db-shm",      ".sqlite-wal",  ".sqlite-shm", ".mdb",    ".sqlite-journal",
                                           ".sqlite3-wal", ".sqlite3-shm", ".ldb",        ".gdbm",   ".sqlite3-journal",
                                           ".dbm",         ".dir",         ".rdb",        NULL};
    return ends_in_one_of(name, suffixes) || is_sqlite_temporary(name);
}

/* Many programs call a file of their own .db; these a database alone makes, beside its file. */
static bool is_journal(const char *name) {
    static const char *const suffixes[] = {"-journal", "-wal", "-shm", "/lock.mdb", ".ldb", NULL};
    return ends_in_one_of(name, suffixes) || is_sqlite_temporary(name);
}

static bool is_of_mpi(const char *name) {
    static const char *const suffixes[] = {".locktest", ".sm", ".shfp", ".shm", NULL};
    return ends_in_one_of(name, suffixes) || strstr(name, ".locktest") || strstr(name, ".shfp.") ||
           strstr(name, "/vader_segment") || strstr(name, "/psm2_shm") || strstr(name, "/.nfs");
}

enum { OF_IMPORTS = 1, OF_DATABASES = 2, OF_MPI = 4, OF_JOURNALS = 8 };

unsigned iol__owners_by_name(const char *name) {
    if (!name || *name != '/') return 0;
    return (is_import(name) ? OF_IMPORTS : 0u) | (is_database(name) ? OF_DATABASES : 0u) |
           (is_of_mpi(name) ? OF_MPI : 0u) | (is_journal(name) ? OF_JOURNALS : 0u);
}

static unsigned owners_of_file(const iol__case *job, const iol__facts_file *file) {
    return job->owners ? job->owners[file - job->facts.file] : iol__owners_by_name(iol__case_name(job, file));
}

static void fill_owner(const iol__case *job, const iol__facts_file *file, double *raw) {
    const unsigned owners = owners_of_file(job, file);
    raw[IOL_SUM_import_files] = (owners & OF_IMPORTS) != 0;
    raw[IOL_SUM_database_files] = (owners & OF_DATABASES) != 0;
    raw[IOL_SUM_journal_files] = (owners & OF_JOURNALS) != 0;
    raw[IOL_SUM_mpi_files] = (owners & OF_MPI) != 0;
}

static bool one_of(const char *text, const char *const *list) {
    for (; *list; list++)
        if (strcmp(text, *list) == 0) return true;
    return false;
}

bool iol__is_local_fs(const char *type) {
    static const char *const local[] = {"tmpfs",    "ext2",     "ext3",    "ext4",    "xfs",    "btrfs",
                                        "zfs",      "f2fs",     "overlay", "ramfs",   "rootfs", "aufs",
                                        "squashfs", "devtmpfs", "vfat",    "iso9660", "jfs",    NULL};
    return one_of(type, local);
}

static bool is_shared_fs(const char *type) {
    static const char *const shared[] = {"lustre", "gpfs",  "nfs",      "nfs4",      "nfs3",  "beegfs", "ceph", "cifs",
                                         "panfs",  "pvfs2", "orangefs", "glusterfs", "afs",   "smb3",   "dwfs", "gfs2",
                                         "dvs",    "cxfs",  "quobyte",  "wekafs",    "fhgfs", NULL};
    return one_of(type, shared);
}

bool iol__is_slow_fs(const char *point, const char *type) {
    static const char *const slow[] = {"nfs", "nfs4", "nfs3", "cifs", "smb3", "smbfs", "afs", "fuse.sshfs", "9p", NULL};
    if (one_of(type, slow)) return true;
    /* A home directory on a parallel file system is still no place for bulk data; on a local disk it is. */
    return !iol__is_local_fs(type) && strncmp(point, "/home", 5) == 0 && (point[5] == '/' || !point[5]);
}

double iol__recommended_stripe_size(const iol__subject *subject) {
    double wanted = fmax(subject->raw[IOL_MAX_common_size], subject->raw[IOL_MAX_stripe_size]), power = 1048576;
    while (power < wanted && power < 16 * 1048576.0) power *= 2;
    return power;
}

/* A divisor or a multiple of the number of aggregators, so that each has as much to do; not less than half. */
static double rounded(double stripes, double aggregators) {
    double a = round(aggregators);
    if (a < 2 || a > 4096) return stripes;
    if (stripes >= a) return floor(stripes / a) * a;
    for (int c = (int)stripes; c > 1 && c >= stripes / 2; c--)
        if ((int)a % c == 0) return c;
    return stripes;
}

double iol__recommended_stripes(const iol__subject *subject) {
    const double *raw = subject->raw;
    double size = raw[IOL_SUM_size] / (double)(subject->members > 1 ? subject->members : 1);
    double gib = size / 1073741824.0;
    double count = gib < 1     ? 1
                   : gib < 10  ? iol__subject_threshold(subject, "lustre.stripes.small")
                   : gib < 100 ? iol__subject_threshold(subject, "lustre.stripes.medium")
                               : iol__subject_threshold(subject, "lustre.stripes.large");
    double osts = iol__subject_threshold(subject, "site.osts");
    if (osts > 0) count = fmin(count, osts);
    if (raw[IOL_MAX_fs_osts] > 0) count = fmin(count, raw[IOL_MAX_fs_osts]);
    count = fmax(1, fmin(count, ceil(size / iol__recommended_stripe_size(subject))));
    bool collective = raw[IOL_SUM_mpiio_coll_writes] + raw[IOL_SUM_mpiio_coll_reads] > 0;
    return collective ? rounded(count, raw[IOL_MAX_eff_ranks]) : count;
}

/* Filling ----------------------------------------------------------------------------------------------------- */

static double waited(const iol__case *job, double slowest, double all) {
    return (job->concurrency > 0 ? fmax(slowest, all / job->concurrency) : slowest) / job->threads;
}

double iol__waited(const iol__case *job, const iol__facts_use *use) {
    return waited(job, iol__facts_slowest_time(use), iol__facts_time(use));
}

static double positive(int64_t value) { return value > 0 ? (double)value : 0; }

/* The extent that was touched. A read of nothing beyond the end moves the offset, so only what moved bytes counts. Where it
   is not known, nothing is known to have been moved twice. */
static double extent_of(const iol__facts_traffic *t) {
    if (t->max_byte == IOL_EXTENT_UNKNOWN) return t->bytes > 0 ? fmax((double)t->bytes, 0x1p31) : 0;
    return t->bytes > 0 && t->max_byte >= 0 ? (double)t->max_byte + 1 : 0;
}

/* Bytes in requests below 1 MiB. Exact when every request is at most 1 MiB; else from the middle of each bin. */
static double small_bytes(const iol__facts_traffic *t) {
    static const double middle[] = {50, 400, 4000, 40000, 400000};
    static const double least[] = {1048577, 4194305, 10485761, 104857601, 1073741825};
    double upto = 0, large = 0, large_bytes = 0, guess = 0;
    for (int i = 0; i < 5; i++) upto += (double)t->bins[i];
    for (int i = 5; i < 10; i++) {
        large += (double)t->bins[i];
        large_bytes += (double)t->bins[i] * least[i - 5];
    }
    double exact = fmax(0, upto - (double)t->below_mib);
    double rest = (double)t->bytes - large_bytes - exact * 1048576;
    if (rest < 0) rest = 0;
    if (large <= 0) return rest;
    for (int i = 0; i < 5; i++) {
        double count = (double)t->bins[i] - (i == 4 ? exact : 0);
        guess += count * middle[i];
    }
    return fmin(fmax(guess, 0), rest);
}

static void fill_posix_direction(double *raw, const iol__facts_traffic *t, int ops, int bytes, int small, int small_b,
                                 int seq, int consec, int random, int time, int redundant, int size) {
    raw[ops] = (double)t->ops;
    raw[bytes] = (double)t->bytes;
    raw[small] = t->bytes > 0 ? (double)t->below_mib : 0; /* reads at the end of a file get nothing, and cost as much */
    raw[small_b] = small_bytes(t);
    raw[seq] = (double)t->seq;
    raw[consec] = (double)t->consec;
    raw[random] = (double)t->random;
    raw[time] = t->time;
    double extent = extent_of(t);
    raw[size] = extent;
    raw[redundant] = fmax(0, (double)t->bytes - extent);
}

/* Requests that only metadata of a format makes: at most 1 KiB, and common sizes up to 4 KiB. */
static double tiny_requests(const iol__facts_use *use) {
    double tiny = 0;
    for (int direction = 0; direction < IOL_DIRECTIONS; direction++)
        tiny += (double)use->direction[direction]->bins[0] + (double)use->direction[direction]->bins[1];
    for (int i = 0; i < IOL_COMMON; i++)
        if (use->sizes[i].value > 1024 && use->sizes[i].value < 4096) tiny += (double)use->sizes[i].count;
    return tiny;
}

static void fill_posix(const iol__case *job, const iol__facts_use *use, double *raw) {
    const iol__facts_traffic *r = use->direction[IOL_READ], *w = use->direction[IOL_WRITE];
    fill_posix_direction(raw, r, IOL_SUM_reads, IOL_SUM_bytes_read, IOL_SUM_small_reads, IOL_SUM_small_read_bytes,
                         IOL_SUM_seq_reads, IOL_SUM_consec_reads, IOL_SUM_random_reads, IOL_SUM_read_time,
                         IOL_SUM_redundant_read, IOL_SUM_size_read);
    fill_posix_direction(raw, w, IOL_SUM_writes, IOL_SUM_bytes_written, IOL_SUM_small_writes, IOL_SUM_small_write_bytes,
                         IOL_SUM_seq_writes, IOL_SUM_consec_writes, IOL_SUM_random_writes, IOL_SUM_write_time,
                         IOL_SUM_redundant_write, IOL_SUM_size_written);
    raw[IOL_SUM_meta_time] = use->meta_time;
    raw[IOL_SUM_opens] = positive(use->opens);
    raw[IOL_SUM_stats] = positive(use->stats);
    raw[IOL_SUM_seeks] = positive(use->seeks);
    raw[IOL_SUM_syncs] = positive(use->syncs);
    raw[IOL_SUM_renames] = positive(use->renames);
    raw[IOL_SUM_sync_time] = fmin(job->sync_mean * raw[IOL_SUM_syncs], fmax(0, w->time));
    raw[IOL_SUM_mmaps] = positive(use->mmaps);
    raw[IOL_SUM_rw_switches] = positive(use->rw_switches);
    raw[IOL_SUM_mem_unaligned] = positive(use->mem_not_aligned);
    raw[IOL_SUM_file_unaligned] = positive(use->file_not_aligned);
    raw[IOL_SUM_tiny_requests] = tiny_requests(use);
    raw[IOL_MAX_file_alignment] = positive(use->file_alignment);
    raw[IOL_MAX_mem_alignment] = positive(use->mem_alignment);
    raw[IOL_MAX_close_span_s] = use->close_span;
    raw[IOL_MAX_slowest_read_s] = r->slowest;
    raw[IOL_MAX_slowest_write_s] = w->slowest;
    raw[IOL_MAX_own_excess] = positive(r->excess);
    raw[IOL_MAX_common_size] = positive(use->sizes[0].value);
    raw[IOL_MAX_common_count] = positive(use->sizes[0].count);
    /* The counter is the gap between two requests. */
    double gap = positive(use->strides[0].value);
    raw[IOL_MAX_stride] = gap > 0 ? gap + raw[IOL_MAX_common_size] : 0;
    raw[IOL_MAX_stride_count] = positive(use->strides[0].count);
    double eff = iol__facts_effective_ranks(&job->facts, use);
    raw[IOL_MAX_eff_ranks] = eff < 0 ? 0 : eff;
}

/* Who took how long, compared among those that carried the data. */
static void fill_ranks(const iol__case *job, const iol__facts_use *use, double *raw) {
    iol__carriers c = iol__carriers_of(&job->facts, use);
    raw[IOL_MAX_ranks] = c.ranks;
    raw[IOL_SUM_uses] = c.ranks;
    raw[IOL_MAX_slowest_s] = c.slowest_s / job->threads;
    raw[IOL_MAX_mean_rank_s] = c.ranks > 0 ? iol__facts_time(use) / c.ranks : 0;
    raw[IOL_MAX_carrier_s] = c.mean_s;
    raw[IOL_MAX_carrier_bytes] = c.mean_bytes;
    if (c.slowest_rank < 0) return;
    raw[IOL_MAX_fastest_s] = c.fastest_s;
    raw[IOL_MAX_slowest_rank] = (double)c.slowest_rank;
    raw[IOL_MAX_slowest_rank_bytes] = positive(c.slowest_bytes);
    raw[IOL_MAX_carrier_excess_s] = fmax(0, c.slowest_s - c.mean_s);
    raw[IOL_SUM_excess_s] =
        use->whole ? iol__facts_time_excess(&job->facts, use) : fmax(0, c.slowest_s - raw[IOL_MAX_mean_rank_s]);
}

static void fill_stdio(const iol__case *job, const iol__facts_use *use, bool console, double *raw) {
    const iol__facts_traffic *r = use->direction[IOL_READ], *w = use->direction[IOL_WRITE];
    raw[IOL_SUM_stdio_reads] = (double)r->ops;
    raw[IOL_SUM_stdio_writes] = (double)w->ops;
    raw[IOL_SUM_stdio_bytes_read] = (double)r->bytes;
    raw[IOL_SUM_stdio_bytes_written] = (double)w->bytes;
    raw[IOL_SUM_stdio_opens] = positive(use->opens);
    raw[IOL_SUM_stdio_seeks] = positive(use->seeks);
    raw[IOL_SUM_stdio_flushes] = positive(use->syncs);
    raw[IOL_SUM_stdio_read_time] = r->time;
    raw[IOL_SUM_stdio_write_time] = w->time;
    raw[IOL_SUM_stdio_meta_time] = use->meta_time;
    raw[IOL_MAX_stdio_slowest_s] = iol__waited(job, use);
    raw[IOL_SUM_stdio_size_read] = extent_of(r);
    if (console) {
        raw[IOL_SUM_stdio_console_bytes] = (double)r->bytes + (double)w->bytes;
        return;
    }
    raw[IOL_SUM_stdio_redundant_read] = fmax(0, (double)r->bytes - raw[IOL_SUM_stdio_size_read]);
    double written = extent_of(w);
    raw[IOL_SUM_stdio_redundant_write] = fmax(0, (double)w->bytes - written);
}

/* Where the trace has every request of a direction, it knows what bins cannot tell. */
static void fill_exact_direction(const iol__traced_direction *t, double ops, double *small, double *small_b) {
    if ((double)t->requests != ops) return;
    *small = t->small;
    *small_b = t->small_bytes;
}

static void fill_traced(const iol__case *job, const iol__facts_file *file, double *raw) {
    const iol__traced_file *t = &job->traced.files[file - job->facts.file];
    const iol__traced_direction *r = &t->direction[IOL_READ], *w = &t->direction[IOL_WRITE];
    raw[IOL_SUM_traced_reads] = r->requests;
    raw[IOL_SUM_traced_writes] = w->requests;
    raw[IOL_SUM_jumps_forward] = (double)r->forward + w->forward;
    raw[IOL_SUM_jumps_backward] = (double)r->backward + w->backward;
    raw[IOL_SUM_covering_s] = job->covering[file - job->facts.file];
    fill_exact_direction(r, raw[IOL_SUM_reads], &raw[IOL_SUM_small_reads], &raw[IOL_SUM_small_read_bytes]);
    fill_exact_direction(w, raw[IOL_SUM_writes], &raw[IOL_SUM_small_writes], &raw[IOL_SUM_small_write_bytes]);
    if (t->strided <= raw[IOL_MAX_stride_count]) return;
    raw[IOL_MAX_stride] = (double)(t->stride < 0 ? -t->stride : t->stride);
    raw[IOL_MAX_stride_count] = t->strided;
}

static void fill_hints(const iol__hints *hints, double *raw) {
    raw[IOL_MAX_hint_cb_nodes] = hints->cb_nodes;
    raw[IOL_MAX_hint_cb_buffer] = hints->cb_buffer;
    raw[IOL_MAX_hint_cb_off] = hints->cb_off;
}

static void fill_mpiio(const iol__case *job, const iol__facts_file *file, double *raw) {
    const iol__facts_use *use = file->layer[IOL_LAYER_MPIIO];
    const iol__facts_mpiio *m = file->mpiio;
    raw[IOL_SUM_mpiio_reads] = (double)use->direction[IOL_READ]->ops;
    raw[IOL_SUM_mpiio_writes] = (double)use->direction[IOL_WRITE]->ops;
    raw[IOL_SUM_mpiio_bytes_read] = (double)use->direction[IOL_READ]->bytes;
    raw[IOL_SUM_mpiio_bytes_written] = (double)use->direction[IOL_WRITE]->bytes;
    raw[IOL_SUM_mpiio_read_time] = use->direction[IOL_READ]->time;
    raw[IOL_SUM_mpiio_write_time] = use->direction[IOL_WRITE]->time;
    raw[IOL_SUM_mpiio_meta_time] = use->meta_time;
    raw[IOL_SUM_mpiio_syncs] = positive(use->syncs);
    raw[IOL_MAX_mpiio_slowest_s] = iol__facts_slowest_time(use);
    double ranks = (double)iol__facts_rank_count(&job->facts, use);
    raw[IOL_MAX_mpiio_mean_rank_s] = ranks > 0 ? iol__facts_time(use) / ranks : 0;
    raw[IOL_SUM_mpiio_indep_reads] = (double)m->indep[IOL_READ];
    raw[IOL_SUM_mpiio_indep_writes] = (double)m->indep[IOL_WRITE];
    raw[IOL_SUM_mpiio_coll_reads] = (double)m->coll[IOL_READ];
    raw[IOL_SUM_mpiio_coll_writes] = (double)m->coll[IOL_WRITE];
    raw[IOL_SUM_mpiio_split_reads] = (double)m->split[IOL_READ];
    raw[IOL_SUM_mpiio_split_writes] = (double)m->split[IOL_WRITE];
    raw[IOL_SUM_mpiio_nb_reads] = (double)m->nonblocking[IOL_READ];
    raw[IOL_SUM_mpiio_nb_writes] = (double)m->nonblocking[IOL_WRITE];
    raw[IOL_SUM_mpiio_indep_opens] = (double)m->indep_opens;
    raw[IOL_SUM_mpiio_coll_opens] = (double)m->coll_opens;
    raw[IOL_SUM_mpiio_hints] = (double)m->hints;
    raw[IOL_SUM_mpiio_views] = (double)m->views;
}

static void fill_libraries(const iol__facts_file *file, double *raw) {
    const iol__facts_hdf5 *h = file->hdf5;
    if (h) {
        raw[IOL_SUM_h5f_opens] = (double)h->opens;
        raw[IOL_SUM_h5d_sets] = (double)h->dataset_records;
        raw[IOL_SUM_hdf5_flushes] = (double)h->flushes + (double)h->dataset_flushes;
        raw[IOL_SUM_h5d_ops] = (double)h->reads + (double)h->writes;
        raw[IOL_SUM_h5d_writes] = (double)h->writes;
        raw[IOL_MAX_h5d_span_s] = h->last_s - h->first_s;
        raw[IOL_SUM_h5d_bytes] = (double)h->bytes[IOL_READ] + (double)h->bytes[IOL_WRITE];
        raw[IOL_SUM_h5d_time] = h->time[IOL_READ] + h->time[IOL_WRITE];
        raw[IOL_SUM_h5d_indep_ops] = (double)h->indep_ops;
        raw[IOL_SUM_h5d_indep_bytes] = (double)h->indep_bytes;
        raw[IOL_SUM_h5d_partial_ops] = (double)h->partial_ops;
        raw[IOL_SUM_h5d_partial_pieces] = (double)h->partial_pieces;
        raw[IOL_SUM_h5d_partial_bytes] = (double)h->partial_bytes;
        raw[IOL_MAX_chunk_bytes] = (double)h->worst_chunk;
        raw[IOL_SUM_h5d_tiny_chunks] = h->tiny_chunks;
        raw[IOL_SUM_h5d_tiny_chunk_bytes] = h->tiny_chunk_bytes;
        raw[IOL_SUM_h5d_tiny_chunk_s] = h->tiny_chunk_s;
    }
    const iol__facts_pnetcdf *p = file->pnetcdf;
    if (p) {
        raw[IOL_SUM_pnetcdf_indep] = (double)p->indep[IOL_READ] + (double)p->indep[IOL_WRITE];
        raw[IOL_SUM_pnetcdf_coll] = (double)p->coll[IOL_READ] + (double)p->coll[IOL_WRITE];
        raw[IOL_SUM_pnetcdf_nb] = (double)p->nonblocking[IOL_READ] + (double)p->nonblocking[IOL_WRITE];
        raw[IOL_SUM_pnetcdf_bytes] = (double)p->bytes[IOL_READ] + (double)p->bytes[IOL_WRITE];
    }
    if (!file->lustre || !file->lustre->components) return;
    const iol__facts_stripes *last = &file->lustre->stripes[file->lustre->components - 1];
    raw[IOL_MAX_stripe_count] = positive(last->count);
    raw[IOL_MAX_stripe_size] = positive(last->size);
    raw[IOL_MAX_fs_osts] = positive(file->lustre->fs_osts);
    raw[IOL_SUM_osts] = positive(last->count);
}

/* Bytes and time in the layers that the program itself used. */
static void fill_top(const iol__case *job, const iol__facts_file *file, bool console, double *raw) {
    iol__facts_layer layer;
    const iol__facts_use *top = iol__facts_top(file, &layer);
    if (!top) return;
    double bytes = iol__facts_file_bytes(file, IOL_READ) + iol__facts_file_bytes(file, IOL_WRITE);
    raw[IOL_SUM_top_time] = iol__facts_file_time(file);
    raw[IOL_MAX_top_slowest_s] = waited(job, iol__facts_file_slowest(file), raw[IOL_SUM_top_time]);
    raw[IOL_SUM_unused_files] = top->opens > 0 && bytes <= 0 && top->mmaps <= 0;
    if (console) return;
    raw[IOL_SUM_top_bytes] = bytes;
    raw[IOL_SUM_data_files] = bytes > 0;
    if (layer == IOL_LAYER_STDIO) raw[IOL_SUM_stdio_own_bytes] = bytes;
}

/* The log has the spans of all files together: each gets its part by opens. A span is an upper bound, and a file that is held
   open for longer than it takes to understand its bytes is held open over something else. */
static void fill_around(iol__subject *subject) {
    const double *job = subject->job->job;
    double *raw = subject->raw, opens = fmax(raw[IOL_SUM_opens], raw[IOL_SUM_stdio_opens]) - raw[IOL_SUM_uses];
    if (!(job[IOL_JOB_reopens] > 0) || opens <= 0) return;
    const double span = job[IOL_JOB_reopen_span_s] * fmin(1, opens / job[IOL_JOB_reopens]);
    const double beyond = span - raw[IOL_MAX_top_slowest_s], most = iol__subject_threshold(subject, "posix.open.span");
    const double understood = raw[IOL_SUM_bytes_read] / iol__subject_threshold(subject, "posix.open.parse");
    if (beyond > 0 && beyond <= most * opens + understood) raw[IOL_SUM_around_s] = beyond;
}

void iol__subject_fill(iol__subject *subject, const iol__case *job, const iol__facts_file *file) {
    subject->job = job;
    subject->file = file;
    subject->members = 1;
    subject->fired = NULL;
    subject->phase = NULL;
    subject->pair = NULL;
    subject->thresholds = iol__thresholds_of_file(job, file);
    double *raw = subject->raw;
    memset(raw, 0, sizeof subject->raw);
    raw[IOL_SUM_files] = !iol__is_folded(file->id);
    const iol__facts_use *top = iol__facts_top(file, NULL);
    raw[IOL_MAX_rank] = top && !top->whole && top->records == 1 ? (double)top->rank : NAN;
    bool console = file->layer[IOL_LAYER_STDIO] && is_standard_stream(file->id);
    const iol__facts_use *posix = file->layer[IOL_LAYER_POSIX];
    if (posix) {
        fill_posix(job, posix, raw);
        fill_ranks(job, posix, raw);
    } else {
        double ranks = top ? (double)iol__facts_rank_count(&job->facts, top) : 0;
        raw[IOL_MAX_ranks] = raw[IOL_SUM_uses] = ranks;
    }
    if (file->layer[IOL_LAYER_STDIO]) fill_stdio(job, file->layer[IOL_LAYER_STDIO], console, raw);
    if (file->layer[IOL_LAYER_MPIIO]) fill_mpiio(job, file, raw);
    if (file->hdf5 || file->pnetcdf || file->lustre) fill_libraries(file, raw);
    if (job->traced.files) fill_traced(job, file, raw);
    if (job->hints) fill_hints(&job->hints[file - job->facts.file], raw);
    fill_top(job, file, console, raw);
    fill_owner(job, file, raw);
    fill_around(subject);
    raw[IOL_SUM_size] = fmax(fmax(raw[IOL_SUM_size_read], raw[IOL_SUM_size_written]), raw[IOL_SUM_stdio_size_read]);
    subject->counters = job->counters ? job->counters + (size_t)(file - job->facts.file) * job->book->n_counters : NULL;
}

void iol__subject_add(iol__subject *sum, const iol__subject *file) {
    for (int i = 0; i < IOL_SUMS; i++) sum->raw[i] += file->raw[i];
    for (int i = IOL_SUMS; i < IOL_RAW; i++) sum->raw[i] = file->raw[i] > sum->raw[i] ? file->raw[i] : sum->raw[i];
    /* Files of one mount have its thresholds, also together. */
    if (!sum->members) sum->thresholds = file->thresholds;
    if (sum->thresholds != file->thresholds) sum->thresholds = NULL;
    sum->members++;
}

/* Computed values --------------------------------------------------------------------------------------------- */

static double ratio(double a, double b) { return b > 0 ? a / b : NAN; }

static double from_place(int index, const iol__subject *subject) {
    const iol__facts_file *file = subject->file;
    if (!file) return NAN;
    const iol__facts *facts = &subject->job->facts;
    if (index == IOL_CALC_hdf5) return iol__is_hdf5(subject->job, file);
    if (index == IOL_CALC_standard_stream) return is_standard_stream(file->id);
    if (index == IOL_CALC_python_package) {
        const char *name = iol__case_name(subject->job, file);
        return name && is_import(name);
    }
    const char *point = "UNKNOWN", *type = "UNKNOWN", *name = iol__case_name(subject->job, file);
    if (name) iol_log_mount_of(facts->log, name, &point, &type);
    if (index == IOL_CALC_shared_fs) return is_shared_fs(type);
    return index == IOL_CALC_local_fs ? iol__is_local_fs(type) : iol__is_slow_fs(point, type);
}

static double misfit(double request, double stripe) {
    if (request <= 0 || stripe <= 0) return NAN;
    return fmod(request, stripe) != 0 && fmod(stripe, request) != 0;
}

/* Reads beyond the end of a file that grows: what a write with gaps reads first, before it changes and writes it. */
static bool reads_nothing(const double *raw) { return raw[IOL_SUM_reads] > 0 && raw[IOL_SUM_bytes_read] == 0; }

/* A call on a dataset or variable makes at least one request; where those calls are small themselves, as many tiny requests
   are theirs. A large one may be cut into tiny pieces all over the file: where most requests are tiny and the data is
   most of the bytes, so are the requests. Reads that found nothing do not count as metadata. */
static double metadata_requests(const double *raw) {
    double tiny = raw[IOL_SUM_tiny_requests], calls = raw[IOL_SUM_h5d_ops] + raw[IOL_SUM_pnetcdf_indep] +
                                                      raw[IOL_SUM_pnetcdf_coll] + raw[IOL_SUM_pnetcdf_nb];
    double data = raw[IOL_SUM_h5d_bytes] + raw[IOL_SUM_pnetcdf_bytes];
    double bytes = raw[IOL_SUM_bytes_read] + raw[IOL_SUM_bytes_written], ops = raw[IOL_SUM_reads] + raw[IOL_SUM_writes];
    if (reads_nothing(raw)) tiny = fmax(0, tiny - raw[IOL_SUM_reads]);
    if (calls > 0 && data < 4096 * calls) tiny = fmax(0, tiny - calls);
    if (bytes > 0 && bytes < 4096 * ops) tiny *= 1 - fmin(1, data / bytes);
    return tiny;
}

double iol__dataset_span(const iol__subject *s) {
    const double *job = s->job->job, known = fmax(1, job[IOL_JOB_job_datasets]);
    return s->raw[IOL_MAX_h5d_span_s] * (1 + job[IOL_JOB_folded_datasets] / known);
}

/* A stripe count matters where the OSTs are what the file waited for: not if it moved at a trickle. */
static double ost_bound(const iol__subject *s) {
    const double *raw = s->raw;
    double osts = raw[IOL_MAX_stripe_count], seconds = raw[IOL_MAX_top_slowest_s];
    double given = osts * iol__subject_threshold(s, "site.ost_bandwidth");
    if (osts <= 0 || seconds <= 0 || given <= 0) return NAN;
    return raw[IOL_SUM_top_bytes] / seconds >= iol__subject_threshold(s, "lustre.bound") * given;
}

/* The data goes through the network once before it is written, or after it is read. */
static double exchange_seconds(const iol__subject *s) {
    const double *job = s->job->job;
    const double rate = fmax(1, job[IOL_JOB_nodes]) * iol__subject_threshold(s, "mpiio.exchange");
    return job[IOL_JOB_process_tree] > 0 || rate <= 0 ? 0 : job[IOL_JOB_network] * s->raw[IOL_SUM_top_bytes] / rate;
}

/* Fewer ranks that carry data are no group of which one could stand out. */
#define FEW_CARRIERS 4

/* One rank of N that differs from all others lies sqrt(N - 1) deviations from the mean, one of four half as far. Where times
   spread evenly the slowest lies at less than two, however many they are. Where a few carry the data for all, N is those: the
   deviations of all ranks are those between carriers and the others, whose part in the metadata is all that they took. */
static double loneliness(const iol__subject *s) {
    const iol__facts_use *use = s->file ? s->file->layer[IOL_LAYER_POSIX] : NULL;
    if (!use) return 0;
    const iol__carriers c = iol__carriers_of(&s->job->facts, use);
    if (c.ranks < 2) return 0;
    double variance = 0, mean = iol__facts_time(use) / c.ranks, count = c.ranks;
    if (use->whole)
        variance = use->whole->variance_time;
    else if (use->ranks)
        variance = use->ranks->time_squares / c.ranks - mean * mean;
    if (!(variance > 0)) return c.slowest_s > mean; /* not measured */
    if (c.count >= FEW_CARRIERS && c.count <= 0.5 * c.ranks) {
        const double squares = c.ranks * (variance + mean * mean), idle = use->meta_time / c.ranks;
        count = c.count;
        mean = c.mean_s;
        variance = fmax(0, squares - (c.ranks - count) * idle * idle) / count - mean * mean;
        if (!(variance > 0)) return 0; /* they are alike */
    }
    return (c.slowest_s - mean) / sqrt(variance) / (0.5 * sqrt(count - 1));
}

static double calculated(int index, const iol__subject *s) {
    const double *raw = s->raw;
#define R(name) raw[IOL_SUM_##name]
    switch (index) {
    case IOL_CALC_ops: return R(reads) + R(writes);
    case IOL_CALC_bytes: return R(bytes_read) + R(bytes_written);
    case IOL_CALC_time: return R(read_time) + R(write_time) + R(meta_time);
    case IOL_CALC_mean_read: return ratio(R(bytes_read), R(reads));
    case IOL_CALC_mean_write: return ratio(R(bytes_written), R(writes));
    case IOL_CALC_mean_request: return ratio(R(bytes_read) + R(bytes_written), R(reads) + R(writes));
    case IOL_CALC_small_read_mean: return ratio(R(small_read_bytes), R(small_reads));
    case IOL_CALC_small_write_mean: return ratio(R(small_write_bytes), R(small_writes));
    case IOL_CALC_meta_ratio: return ratio(R(meta_time), R(read_time) + R(write_time) + R(meta_time));
    case IOL_CALC_stdio_ops: return R(stdio_reads) + R(stdio_writes);
    case IOL_CALC_stdio_bytes: return R(stdio_bytes_read) + R(stdio_bytes_written);
    case IOL_CALC_stdio_time: return R(stdio_read_time) + R(stdio_write_time) + R(stdio_meta_time);
    case IOL_CALC_stdio_mean_request:
        return ratio(R(stdio_bytes_read) + R(stdio_bytes_written), R(stdio_reads) + R(stdio_writes));
    case IOL_CALC_mpiio_bytes: return R(mpiio_bytes_read) + R(mpiio_bytes_written);
    case IOL_CALC_mpiio_time: return R(mpiio_read_time) + R(mpiio_write_time) + R(mpiio_meta_time);
    case IOL_CALC_mpiio_collective_read: return ratio(R(mpiio_coll_reads), R(mpiio_reads));
    case IOL_CALC_mpiio_collective_write: return ratio(R(mpiio_coll_writes), R(mpiio_writes));
    case IOL_CALC_mpiio_collective:
        return (R(mpiio_coll_reads) + R(mpiio_coll_writes) + R(mpiio_split_reads) + R(mpiio_split_writes)) /
               fmax(1, R(mpiio_reads) + R(mpiio_writes));
    case IOL_CALC_meta_requests: return metadata_requests(raw);
    case IOL_CALC_empty_reads: return reads_nothing(raw);
    case IOL_CALC_ost_bound: return ost_bound(s);
    case IOL_CALC_exchange_s: return exchange_seconds(s);
    case IOL_CALC_lonely: return loneliness(s);
    case IOL_CALC_sharing: return s->file ? (double)iol__facts_file_sharing(s->file) : NAN;
    case IOL_CALC_recommended_stripes: return iol__recommended_stripes(s);
    case IOL_CALC_on_slow_ost:
        return s->file ? (isnan(iol__slow_ost_excess(s->job, s->file)) ? 0.0 : 1.0) : (double)NAN;
    case IOL_CALC_slow_ost_s: return s->file ? iol__slow_ost_excess(s->job, s->file) : NAN;
    case IOL_CALC_stripe_misfit: return misfit(raw[IOL_MAX_common_size], raw[IOL_MAX_stripe_size]);
    case IOL_CALC_opened_by_all: return raw[IOL_MAX_ranks] >= (double)s->job->facts.processes;
    default: return from_place(index, s);
    }
#undef R
}

static double of_phase(int index, const iol__phase *phase) {
    if (!phase) return NAN;
    const double values[IOL_PHASES] = {[IOL_PHASE_phase_start_s] = phase->start,
                                       [IOL_PHASE_phase_end_s] = phase->end,
                                       [IOL_PHASE_phase_s] = phase->end - phase->start,
                                       [IOL_PHASE_phase_bytes] = phase->bytes_read + phase->bytes_written,
                                       [IOL_PHASE_phase_written] = phase->bytes_written,
                                       [IOL_PHASE_phase_ranks] = phase->ranks,
                                       [IOL_PHASE_phase_eff_ranks] = phase->effective_ranks,
                                       [IOL_PHASE_phase_files] = phase->files,
                                       [IOL_PHASE_phase_slowest_rank] = (double)phase->slowest_rank,
                                       [IOL_PHASE_phase_straggle_s] = phase->straggle,
                                       [IOL_PHASE_phase_meta_s] = phase->meta_s,
                                       [IOL_PHASE_phase_meta_files] = phase->meta_files,
                                       [IOL_PHASE_phase_window_s] = phase->window};
    return values[index];
}

static double of_pair(int index, const iol__pair *p) {
    if (!p) return NAN;
    const double values[IOL_PAIRS] = {
        [IOL_PAIR_pair_reads] = p->requests[IOL_READ],
        [IOL_PAIR_pair_writes] = p->requests[IOL_WRITE],
        [IOL_PAIR_pair_small_reads] = p->small[IOL_READ],
        [IOL_PAIR_pair_small_writes] = p->small[IOL_WRITE],
        [IOL_PAIR_pair_small_read_mean] = ratio(p->small_bytes[IOL_READ], p->small[IOL_READ]),
        [IOL_PAIR_pair_small_write_mean] = ratio(p->small_bytes[IOL_WRITE], p->small[IOL_WRITE]),
        [IOL_PAIR_pair_random_reads] = p->random[IOL_READ],
        [IOL_PAIR_pair_random_writes] = p->random[IOL_WRITE],
        [IOL_PAIR_pair_read_s] = p->seconds[IOL_READ],
        [IOL_PAIR_pair_write_s] = p->seconds[IOL_WRITE],
        [IOL_PAIR_pair_bytes] = p->bytes[IOL_READ] + p->bytes[IOL_WRITE],
        [IOL_PAIR_pair_ranks] = p->ranks,
        [IOL_PAIR_pair_rank] = (double)p->rank,
        [IOL_PAIR_pair_s] = p->slowest_s,
        [IOL_PAIR_pair_mean_s] = p->mean_s,
        [IOL_PAIR_pair_rank_bytes] = p->slowest_bytes,
        [IOL_PAIR_pair_mean_bytes] = p->mean_bytes,
        [IOL_PAIR_pair_whole_s] = p->whole_slowest_s,
        [IOL_PAIR_pair_whole_mean_s] = p->whole_mean_s,
        [IOL_PAIR_pair_readers] = p->few[IOL_READ],
        [IOL_PAIR_pair_readers_share] = p->few_share[IOL_READ],
        [IOL_PAIR_pair_writers] = p->few[IOL_WRITE],
        [IOL_PAIR_pair_writers_share] = p->few_share[IOL_WRITE]};
    return values[index];
}

double iol__variable_value(int index, const iol__subject *subject) {
    const iol__variable *variable = &iol__variables[index];
    switch (variable->kind) {
    case IOL_VARIABLE_RAW: return subject->raw[variable->index];
    case IOL_VARIABLE_CALC: return calculated(variable->index, subject);
    case IOL_VARIABLE_JOB: return subject->job->job[variable->index];
    case IOL_VARIABLE_PHASE: return of_phase(variable->index, subject->phase);
    default: return of_pair(variable->index, subject->pair);
    }
}
