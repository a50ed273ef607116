/* From a log to rows. The diagnosis reads the log; while it does, records pass by here and are summed by mount, because the
   facts do not keep every counter. Everything else comes from the facts, the metrics and the findings as they are. */
#include "site/index/entry.h"

#include <math.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "base/strings.h"
#include "insight/findings/case.h"
#include "insight/compat/compat.h"
#include "insight/facts/facts.h"
#include "insight/facts/metrics.h"
#include "log/merge/group.h"
#include "log/write/keyed.h"
#include "log/trailer/id_pairs.h"
#include "log/trailer/where.h"
#include "record/record.h"
#include "site/index/application.h"
#include "site/index/identity.h"
#include "site/index/names.h"
#include "site/index/runs.h"
#include "site/site.h"

enum { IOL_POSIX_NONE = -1, IOL_STDIO_NONE = -1, MOST_MOUNTS = 256 };

typedef enum fs_counter {
#define FS_COUNTER(name, posix, stdio) FS_##name,
#define FS_TIME(name, counter, least)
#include "site/fs_counters.def"
#undef FS_COUNTER
#undef FS_TIME
    FS_COUNTERS
} fs_counter;

typedef enum fs_time {
#define FS_COUNTER(name, posix, stdio)
#define FS_TIME(name, counter, least) FS_##name,
#include "site/fs_counters.def"
#undef FS_COUNTER
#undef FS_TIME
    FS_TIMES
} fs_time;

/* Sums of counts stop here, so that sums over many logs stay within 64 bits. */
static const int64_t most = INT64_C(1) << 53;

/* Mounts -------------------------------------------------------------------------------------------------------- */

/* What happened on one mount. */
typedef struct mount_sums {
    const char *point, *type;
    int64_t counts[FS_COUNTERS];
    bool counted[FS_COUNTERS], unknown[FS_COUNTERS]; /* unknown: of some record, which has -1 */
    double times[FS_TIMES];                          /* 0: never */
    int64_t files[2];                                /* records of POSIX, of STDIO */
    double read_time, write_time, meta_time;
    int64_t temporary;
} mount_sums;

typedef struct gathering {
    mount_sums mounts[MOST_MOUNTS];
    size_t n_mounts;
    const iol__entry_plan *plan;
    double ops, mean_request; /* as rules see them */
    iol__metrics metrics;
    int64_t file_owner; /* -1: nobody knows */
    iol__where_all where;
    iol__where_line *lines; /* of it */
    iol__grouping run;      /* of this one log */
} gathering;

static int64_t clamped(int64_t value) { return value > most ? most : value; }

static int64_t plus(int64_t sum, int64_t value) { return clamped(iol__facts_plus(sum, value)); }

static mount_sums *mount_at(gathering *g, const char *point, const char *type) {
    for (size_t i = 0; i < g->n_mounts; i++)
        if (g->mounts[i].point == point || strcmp(g->mounts[i].point, point) == 0) return &g->mounts[i];
    if (g->n_mounts == MOST_MOUNTS) return NULL;
    mount_sums *m = &g->mounts[g->n_mounts++];
    *m = (mount_sums){.point = point, .type = type};
    return m;
}

/* Streams, and names without a slash, are at no mount; a path below no mount is left out, as in the reference. */
static mount_sums *mount_of(gathering *g, iol_log *log, uint64_t id) {
    const char *name = iol_log_name(log, id), *point, *type;
    if (!name || !strchr(name, '/')) return mount_at(g, "UNKNOWN", "UNKNOWN");
    if (!iol_log_mount_of(log, name, &point, &type)) return NULL;
    return mount_at(g, point, type);
}

static void add_counts(mount_sums *m, const iol_record *record, const int *counters) {
    for (int i = 0; i < FS_COUNTERS; i++) {
        if (counters[i] < 0) continue;
        m->counted[i] = true;
        if (record->ints[counters[i]] < 0)
            m->unknown[i] = true;
        else
            m->counts[i] = plus(m->counts[i], record->ints[counters[i]]);
    }
}

static void add_times(mount_sums *m, const iol_record *record, const int *counters) {
    static const bool least[FS_TIMES] = {
#define FS_COUNTER(name, posix, stdio)
#define FS_TIME(name, counter, least) least,
#include "site/fs_counters.def"
#undef FS_COUNTER
#undef FS_TIME
    };
    for (int i = 0; i < FS_TIMES; i++) {
        double time = record->reals[counters[i]];
        if (!(time > 0) || !isfinite(time)) continue;
        if (m->times[i] == 0 || (least[i] ? time < m->times[i] : time > m->times[i])) m->times[i] = time;
    }
}

static double seconds(double value) { return value > 0 && isfinite(value) ? value : 0; }

/* Called for every record while the diagnosis reads the log. */
static void watch(void *data, iol_log *log, const iol_record *record) {
    static const int counters[2][FS_COUNTERS] = {{
#define FS_COUNTER(name, posix, stdio) IOL_POSIX_##posix,
#define FS_TIME(name, counter, least)
#include "site/fs_counters.def"
#undef FS_COUNTER
                                                 },
                                                 {
#define FS_COUNTER(name, posix, stdio) IOL_STDIO_##stdio,
#include "site/fs_counters.def"
#undef FS_COUNTER
#undef FS_TIME
                                                 }};
    static const int times[2][FS_TIMES] = {{
#define FS_COUNTER(name, posix, stdio)
#define FS_TIME(name, counter, least) IOL_POSIX_##counter,
#include "site/fs_counters.def"
#undef FS_TIME
                                           },
                                           {
#define FS_TIME(name, counter, least) IOL_STDIO_##counter,
#include "site/fs_counters.def"
#undef FS_COUNTER
#undef FS_TIME
                                           }};
    bool stdio = record->slot == IOL_SLOT_STDIO;
    if (!stdio && record->slot != IOL_SLOT_POSIX) return;
    mount_sums *m = mount_of(data, log, record->id);
    if (!m) return;
    const iol__roles *roles = iol__modules[record->slot].roles;
    add_counts(m, record, counters[stdio]);
    add_times(m, record, times[stdio]);
    m->files[stdio]++;
    m->read_time += seconds(record->reals[roles->read_time]);
    m->write_time += seconds(record->reals[roles->write_time]);
    m->meta_time += seconds(record->reals[roles->meta_time]);
}

/* Called when the values of the job are known: history compares what rules compare. */
static void look(const iol__case *job, void *data) {
    gathering *g = data;
    g->metrics = job->metrics;
    g->ops = iol__variable_value(iol__variable_find("ops"), &job->total);
    g->mean_request = iol__variable_value(iol__variable_find("mean_request"), &job->total);
}

/* Rows ---------------------------------------------------------------------------------------------------------- */

static iol__cell *add_row(iol__entry *entry, iol__table_id table, int mount) {
    iol__entry_row *row = iol__arena_alloc(&entry->arena, 1, sizeof *row);
    row->table = table;
    row->mount = mount;
    row->values = iol__arena_alloc(&entry->arena, iol__table_width(table), sizeof *row->values);
    if (entry->last)
        entry->last->next = row;
    else
        entry->first = row;
    entry->last = row;
    return row->values;
}

static iol__cell microseconds(double value) {
    if (!isfinite(value) || value < 0) return iol__null();
    return iol__integer(value < 9e9 ? llround(value * 1e6) : INT64_C(9000000000000000));
}

static iol__cell count(int64_t value) { return iol__integer(clamped(value)); }

#define SET(table, column, value) values[IOL_AT(table, column)] = (value)

/* What a mount is called in the store. Two that differ in bytes that are no text are still two. */
const char *iol__entry_mount_name(iol__arena *arena, const char *point) {
    const char *name = iol__short_text(arena, point);
    if (!iol__hex_text(arena, point)) return name;
    return iol__short_text(arena,
                           iol__arena_print(arena, "%s~%016llx", name, (unsigned long long)iol__hash_texts(point, "")));
}

/* A mount as the entry knows it. */
static int entry_mount(iol__entry *entry, const gathering *g, const char *point, const char *type) {
    iol__arena *arena = &entry->arena;
    const char *name = iol__entry_mount_name(arena, point);
    for (size_t i = 0; i < entry->n_mounts; i++)
        if (strcmp(entry->mounts[i].point, name) == 0) return (int)i;
    name = iol__arena_copy(arena, name);
    entry->mounts = iol__arena_grow(arena, entry->mounts, entry->n_mounts, sizeof *entry->mounts);
    entry->mounts[entry->n_mounts] = (iol__entry_mount){.point = name,
                                                        .type = iol__valid_text(arena, iol__arena_copy(arena, type)),
                                                        .fs = iol__site_fs(g->plan->site, name)};
    return (int)entry->n_mounts++;
}

/* Idle mounts have no row. */
static bool idle(const mount_sums *m) {
    static const fs_counter looked_at[] = {FS_bytes_read, FS_bytes_written, FS_reads, FS_writes, FS_opens, FS_stats};
    for (size_t i = 0; i < IOL_COUNT(looked_at); i++)
        if (m->counts[looked_at[i]]) return false;
    return true;
}

static void fs_rows(iol__entry *entry, const gathering *g) {
    for (size_t i = 0; i < g->n_mounts; i++) {
        const mount_sums *m = &g->mounts[i];
        if (idle(m)) continue;
        iol__cell *values = add_row(entry, IOL_TABLE_log_fs, entry_mount(entry, g, m->point, m->type));
#define FS_COUNTER(name, posix, stdio) \
    if (m->counted[FS_##name] && !m->unknown[FS_##name]) SET(log_fs, name, iol__integer(m->counts[FS_##name]));
#define FS_TIME(name, counter, least) \
    if (m->times[FS_##name] > 0) SET(log_fs, name, microseconds(m->times[FS_##name]));
#include "site/fs_counters.def"
#undef FS_COUNTER
#undef FS_TIME
        if (m->files[0]) SET(log_fs, posix_files, iol__integer(m->files[0]));
        if (m->files[1]) SET(log_fs, stdio_files, iol__integer(m->files[1]));
        SET(log_fs, read_time, microseconds(m->read_time));
        SET(log_fs, write_time, microseconds(m->write_time));
        SET(log_fs, meta_time, microseconds(m->meta_time));
        SET(log_fs, temporary, iol__integer(m->temporary));
    }
}

/* Modules ------------------------------------------------------------------------------------------------------- */

/* "0 0 12 ..."; most are 0, and printf would be slower than the rest of the row. */
static const char *sizes_text(iol__entry *entry, const int64_t *bins) {
    char text[IOL_SIZE_BUCKETS * 21], *to = text;
    for (int i = 0; i < IOL_SIZE_BUCKETS; i++) {
        int64_t value = clamped(bins[i]);
        if (value > 0)
            to += snprintf(to, 21, "%lld", (long long)value);
        else
            *to++ = '0';
        *to++ = ' ';
    }
    to[-1] = 0;
    return iol__arena_copy(&entry->arena, text);
}

/* Calls are not a role of their own: POSIX and STDIO count them, MPI-IO by kind. */
static int64_t calls(const iol__facts *facts, int slot, bool write) {
    const int64_t *ints = facts->modules[slot].all.ints;
    if (slot == IOL_SLOT_POSIX) return ints[write ? IOL_POSIX_WRITES : IOL_POSIX_READS];
    if (slot == IOL_SLOT_STDIO) return ints[write ? IOL_STDIO_WRITES : IOL_STDIO_READS];
    if (slot == IOL_SLOT_MPIIO) {
        static const int kinds[2][4] = {
            {IOL_MPIIO_INDEP_READS, IOL_MPIIO_COLL_READS, IOL_MPIIO_SPLIT_READS, IOL_MPIIO_NB_READS},
            {IOL_MPIIO_INDEP_WRITES, IOL_MPIIO_COLL_WRITES, IOL_MPIIO_SPLIT_WRITES, IOL_MPIIO_NB_WRITES}};
        int64_t sum = 0;
        for (int i = 0; i < 4; i++) sum = plus(sum, ints[kinds[write][i]]);
        return sum;
    }
    return -1;
}

static void module_row(iol__entry *entry, const iol__facts *facts, int slot) {
    const iol__facts_sums *sums = &facts->modules[slot].all;
    const iol__roles *roles = iol__modules[slot].roles;
    iol__cell *values = add_row(entry, IOL_TABLE_log_module, -1);
    SET(log_module, module, iol__text(iol__modules[slot].name));
    SET(log_module, records, count((int64_t)sums->records));
    if (!roles || !roles->traffic) return;
    if (roles->bytes_read >= 0) SET(log_module, bytes_read, count(sums->ints[roles->bytes_read]));
    if (roles->bytes_written >= 0) SET(log_module, bytes_written, count(sums->ints[roles->bytes_written]));
    int64_t reads = calls(facts, slot, false), writes = calls(facts, slot, true);
    if (reads >= 0) SET(log_module, reads, count(reads));
    if (writes >= 0) SET(log_module, writes, count(writes));
    if (roles->read_time >= 0) SET(log_module, read_time, microseconds(sums->reals[roles->read_time]));
    if (roles->write_time >= 0) SET(log_module, write_time, microseconds(sums->reals[roles->write_time]));
    if (roles->meta_time >= 0) SET(log_module, meta_time, microseconds(sums->reals[roles->meta_time]));
    if (roles->read_buckets >= 0)
        SET(log_module, read_sizes, iol__text(sizes_text(entry, sums->ints + roles->read_buckets)));
    if (roles->write_buckets >= 0)
        SET(log_module, write_sizes, iol__text(sizes_text(entry, sums->ints + roles->write_buckets)));
}

static void module_rows(iol__entry *entry, const iol__facts *facts) {
    for (int slot = 0; slot < IOL_SLOTS_KNOWN; slot++)
        if (facts->modules[slot].all.records) module_row(entry, facts, slot);
}

/* Files --------------------------------------------------------------------------------------------------------- */

typedef struct sized {
    const iol__facts_file *file;
    const char *name;
    int64_t bytes[IOL_DIRECTIONS], ops[IOL_DIRECTIONS], opens, ranks, all_bytes;
} sized;

/* Layers that touch the file system; where none of them has the file, MPI-IO. */
static bool touches(const iol__facts_file *file, int layer) {
    if (layer != IOL_LAYER_MPIIO) return file->layer[layer];
    for (int l = 0; l < IOL_LAYERS; l++)
        if (l != IOL_LAYER_MPIIO && file->layer[l]) return false;
    return file->layer[layer];
}

static sized size_up(const iol__facts *facts, const iol__facts_file *file, const char *name) {
    sized s = {.file = file, .name = name};
    for (int l = 0; l < IOL_LAYERS; l++) {
        if (!touches(file, l)) continue;
        const iol__facts_use *use = file->layer[l];
        const int64_t ranks = iol__facts_rank_count(facts, use);
        for (int direction = 0; direction < IOL_DIRECTIONS; direction++) {
            s.bytes[direction] = plus(s.bytes[direction], use->direction[direction]->bytes);
            s.ops[direction] = plus(s.ops[direction], use->direction[direction]->ops);
        }
        s.opens = plus(s.opens, use->opens);
        if (ranks > s.ranks) s.ranks = ranks;
    }
    s.all_bytes = plus(s.bytes[IOL_READ], s.bytes[IOL_WRITE]);
    return s;
}

static int larger_first(const void *a, const void *b) {
    const sized *x = a, *y = b;
    if (x->all_bytes != y->all_bytes) return x->all_bytes > y->all_bytes ? -1 : 1;
    return x->file->id < y->file->id ? -1 : x->file->id > y->file->id;
}

static const char *kept_name(iol__entry *entry, const gathering *g, const char *name) {
    if (!name || !g->plan->key) return name;
    return iol__arena_print(&entry->arena, "%016llx",
                            (unsigned long long)iol__keyed_hash(g->plan->key, name, strlen(name)));
}

static void file_row(iol__entry *entry, const gathering *g, const iol__facts *facts, const sized *s) {
    const char *point, *type;
    iol__facts_mount(facts, s->file, &point, &type);
    const char *name = kept_name(entry, g, s->name);
    iol__cell *values = add_row(entry, IOL_TABLE_file, entry_mount(entry, g, point, type));
    SET(file, record, iol__text(iol__arena_print(&entry->arena, "%llu", (unsigned long long)s->file->id)));
    SET(file, name, iol__text(name ? iol__valid_text(&entry->arena, iol__arena_copy(&entry->arena, name)) : NULL));
    SET(file, name_hex, iol__text(iol__hex_text(&entry->arena, name)));
    SET(file, ranks, count(s->ranks));
    SET(file, bytes_read, count(s->bytes[IOL_READ]));
    SET(file, bytes_written, count(s->bytes[IOL_WRITE]));
    SET(file, reads, count(s->ops[IOL_READ]));
    SET(file, writes, count(s->ops[IOL_WRITE]));
    SET(file, opens, count(s->opens));
    SET(file, io_time, microseconds(iol__facts_file_time(s->file)));
}

static void file_rows(iol__entry *entry, const gathering *g, const iol__diagnosis *diagnosis) {
    const iol__facts *facts = diagnosis->facts;
    size_t n = 0;
    sized *list = iol__arena_alloc(&entry->arena, facts->n_files + 1, sizeof *list);
    for (size_t i = 0; i < facts->n_files; i++) {
        const sized s = size_up(facts, &facts->file[i], diagnosis->names[i]);
        if (s.all_bytes > 0 || !g->plan->files) list[n++] = s;
    }
    qsort(list, n, sizeof *list, larger_first);
    for (size_t i = 0; i < n && (!g->plan->files || i < g->plan->files); i++) file_row(entry, g, facts, &list[i]);
}

/* Temporary data: what a faster tier could have held. Written first and read back by the same job, or removed by it after it
   was last opened, where the log knows of that (log/trailer/id_pairs.h). */
static int64_t temporary_bytes(const iol__facts_file *file, double removed) {
    int64_t bytes = 0;
    static const iol__facts_layer layers[] = {IOL_LAYER_POSIX, IOL_LAYER_STDIO};
    static const double grain = 1e-5; /* of the times in records, at most */
    const double opened =
        fmax(iol__facts_layer_of(file, layers[0])->last_open, iol__facts_layer_of(file, layers[1])->last_open);
    for (size_t i = 0; i < 2; i++) {
        const iol__facts_use *use = iol__facts_layer_of(file, layers[i]);
        const iol__facts_traffic *read = use->direction[IOL_READ], *write = use->direction[IOL_WRITE];
        const bool read_back = read->bytes > 0 && write->first > 0 && write->first <= read->first;
        if (write->bytes > 0 && (read_back || removed + grain >= opened))
            bytes = plus(bytes, plus(read->bytes, write->bytes));
    }
    return bytes;
}

static int64_t find_temporary(gathering *g, const iol__facts *facts) {
    int64_t all = 0;
    iol__id_pairs removed = {0};
    iol__id_pairs_add(facts->log, IOL_PAIRS_REMOVED, 0, &removed); /* without memory: fewer are known */
    for (size_t i = 0; i < facts->n_files; i++) {
        int64_t bytes = temporary_bytes(&facts->file[i], iol__id_pairs_time(&removed, facts->file[i].id));
        mount_sums *m = bytes ? mount_of(g, facts->log, facts->file[i].id) : NULL;
        if (m) m->temporary = plus(m->temporary, bytes);
        all = plus(all, bytes);
    }
    iol__id_pairs_free(&removed);
    return all;
}

/* OSTs ---------------------------------------------------------------------------------------------------------- */

typedef struct target {
    int mount;
    int64_t ost, files, bytes[IOL_DIRECTIONS];
} target;

static int by_target(const void *a, const void *b) {
    const target *x = a, *y = b;
    if (x->mount != y->mount) return x->mount < y->mount ? -1 : 1;
    return x->ost < y->ost ? -1 : x->ost > y->ost;
}

static size_t stripes_of(const iol__facts_file *file) {
    size_t stripes = 0;
    for (uint32_t c = 0; file->lustre && c < file->lustre->components; c++)
        if (file->lustre->stripes[c].count > 0) stripes += (size_t)file->lustre->stripes[c].count;
    return stripes;
}

static size_t list_targets(iol__entry *entry, const gathering *g, const iol__facts *facts, target *list) {
    size_t n = 0;
    for (size_t i = 0; i < facts->n_files; i++) {
        const iol__facts_file *file = &facts->file[i];
        size_t stripes = stripes_of(file);
        if (!stripes) continue;
        const char *point, *type;
        iol__facts_mount(facts, file, &point, &type);
        int mount = entry_mount(entry, g, point, type);
        const sized all = size_up(facts, file, NULL);
        for (uint32_t c = 0; c < file->lustre->components; c++)
            for (int64_t s = 0; s < file->lustre->stripes[c].count; s++)
                list[n++] = (target){mount,
                                     file->lustre->stripes[c].osts[s],
                                     1,
                                     {all.bytes[IOL_READ] / (int64_t)stripes, all.bytes[IOL_WRITE] / (int64_t)stripes}};
    }
    return n;
}

static void ost_rows(iol__entry *entry, const gathering *g, const iol__facts *facts) {
    size_t all = 0;
    for (size_t i = 0; i < facts->n_files; i++) all += stripes_of(&facts->file[i]);
    if (!all) return;
    target *list = iol__arena_alloc(&entry->arena, all, sizeof *list);
    size_t n = list_targets(entry, g, facts, list);
    qsort(list, n, sizeof *list, by_target);
    for (size_t i = 0, next; i < n; i = next) {
        target sum = list[i];
        for (next = i + 1; next < n && by_target(&list[i], &list[next]) == 0; next++) {
            sum.files++;
            for (int direction = 0; direction < IOL_DIRECTIONS; direction++)
                sum.bytes[direction] = plus(sum.bytes[direction], list[next].bytes[direction]);
        }
        iol__cell *values = add_row(entry, IOL_TABLE_log_ost, sum.mount);
        SET(log_ost, ost, iol__integer(sum.ost));
        SET(log_ost, files, iol__integer(sum.files));
        SET(log_ost, bytes_read, count(sum.bytes[IOL_READ]));
        SET(log_ost, bytes_written, count(sum.bytes[IOL_WRITE]));
    }
}

/* Findings ------------------------------------------------------------------------------------------------------ */

static void finding_rows(iol__entry *entry, const gathering *g, const iol__diagnosis *diagnosis) {
    for (size_t i = 0; i < diagnosis->n_findings; i++) {
        const iol__finding *f = &diagnosis->findings[i];
        bool costed = f->costed && f->cost.known;
        iol__cell *values = add_row(entry, IOL_TABLE_finding, -1);
        SET(finding, rule, iol__text(f->id));
        SET(finding, level, iol__text(iol__level_name(f->level)));
        if (costed) SET(finding, lost, microseconds(f->cost.best));
        if (costed) SET(finding, node_time, microseconds(f->cost.node_h * 3600));
        SET(finding, files, count((int64_t)(f->subject_count > 0 ? f->subject_count : 0)));
        /* Sentences name files. */
        if (!g->plan->key)
            SET(finding, title, iol__text(iol__valid_text(&entry->arena, iol__arena_copy(&entry->arena, f->title))));
    }
}

/* Lines of code -------------------------------------------------------------------------------------------------- */

enum { MOST_LINES = 20, LINE_TEXT = 512 };

/* Of the program or library that a line is in; empty: it has none, or is of Python. */
static const char *build_of(const iol__where_all *all, const iol__where_line *line) {
    const size_t object = line->frame == IOL_IDMAP_NONE ? IOL_IDMAP_NONE : all->frames[line->frame].object;
    const char *build = object == IOL_IDMAP_NONE ? "-" : all->objects[object].build;
    return strcmp(build, "-") == 0 ? "" : build;
}

/* Two lines of a log may read the same, in files of one name in two directories. */
static bool was_listed(const iol__where_all *all, const iol__where_line *lines, size_t at) {
    char text[LINE_TEXT], other[LINE_TEXT];
    iol__where_line_text(&lines[at], text, sizeof text);
    for (size_t i = 0; i < at; i++)
        if (strcmp(build_of(all, &lines[i]), build_of(all, &lines[at])) == 0 &&
            strcmp(iol__where_line_text(&lines[i], other, sizeof other), text) == 0)
            return true;
    return false;
}

static void line_row(iol__entry *entry, const iol__where_all *all, const iol__where_line *line,
                     double nodes_per_process) {
    char text[LINE_TEXT];
    const double seconds_of = (double)line->values.time / 1e9;
    iol__cell *values = add_row(entry, IOL_TABLE_log_line, -1);
    iol__where_line_text(line, text, sizeof text);
    SET(log_line, build,
        iol__text(iol__valid_text(&entry->arena, iol__arena_copy(&entry->arena, build_of(all, line)))));
    SET(log_line, place, iol__text(iol__valid_text(&entry->arena, iol__arena_copy(&entry->arena, text))));
    SET(log_line, calls, count(line->values.calls));
    SET(log_line, reads, count(line->by_kind[IOL_WHERE_READ].calls));
    SET(log_line, writes, count(line->by_kind[IOL_WHERE_WRITE].calls));
    SET(log_line, opens, count(line->by_kind[IOL_WHERE_OPEN].calls));
    SET(log_line, bytes_read, count(line->by_kind[IOL_WHERE_READ].bytes));
    SET(log_line, bytes_written, count(line->by_kind[IOL_WHERE_WRITE].bytes));
    SET(log_line, io_time, microseconds(seconds_of));
    SET(log_line, node_time, microseconds(seconds_of * nodes_per_process));
}

/* Names are those that the log has: programs are not looked for from here. */
static void line_rows(iol__entry *entry, gathering *g, const iol__diagnosis *d) {
    size_t n_lines = 0, kept = 0;
    if (g->plan->key) return;
    const double processes = d->facts->processes > 0 ? (double)d->facts->processes : 1,
                 nodes = d->nodes > 0 && isfinite(d->nodes) ? d->nodes : 1;
    if (!iol__where_make(d->facts->log, &g->where) || !iol__where_lines(&g->where, NULL, &g->lines, &n_lines)) return;
    for (size_t i = 0; i < n_lines && kept < MOST_LINES; i++) {
        if (was_listed(&g->where, g->lines, i)) continue;
        line_row(entry, &g->where, &g->lines[i], nodes / processes);
        kept++;
    }
}

static int64_t compat_bits(const iol__facts *facts) {
    iol__compat compat;
    int64_t bits = 0;
    iol__compat_make(facts, &compat);
    for (size_t i = 0; i < compat.count; i++) bits |= INT64_C(1) << (compat.finding[i].rule - iol__compat_rules);
    return bits;
}

/* The log itself ------------------------------------------------------------------------------------------------ */

/* The traffic of all modules that reach a file system. */
typedef struct totals {
    int64_t bytes[IOL_DIRECTIONS], ops[IOL_DIRECTIONS];
    double read_time, write_time, meta_time;
} totals;

static totals total_of(const iol__facts *facts) {
    static const int slots[] = {IOL_SLOT_POSIX, IOL_SLOT_STDIO, IOL_SLOT_DFS, IOL_SLOT_DAOS};
    totals t = {0};
    for (size_t i = 0; i < IOL_COUNT(slots); i++) {
        const iol__facts_sums *sums = &facts->modules[slots[i]].all;
        const iol__roles *roles = iol__modules[slots[i]].roles;
        if (!sums->records || !roles) continue;
        t.bytes[IOL_READ] = plus(t.bytes[IOL_READ], sums->ints[roles->bytes_read]);
        t.bytes[IOL_WRITE] = plus(t.bytes[IOL_WRITE], sums->ints[roles->bytes_written]);
        t.ops[IOL_READ] = plus(t.ops[IOL_READ], calls(facts, slots[i], false));
        t.ops[IOL_WRITE] = plus(t.ops[IOL_WRITE], calls(facts, slots[i], true));
        t.read_time += seconds(sums->reals[roles->read_time]);
        t.write_time += seconds(sums->reals[roles->write_time]);
        t.meta_time += seconds(sums->reals[roles->meta_time]);
    }
    return t;
}

/* Clocks that were never set say 1970. */
int64_t iol__entry_start(const iol_job *job) {
    const int64_t year = INT64_C(365) * 86400;
    return job->start_seconds < year ? 0 : job->start_seconds * 1000000 + job->start_nanoseconds / 1000;
}

const char *iol__entry_program(iol__arena *arena, const iol_job *job) {
    if (!job->exe || !*job->exe) return NULL;
    return iol__short_text(arena, iol__base_name(iol__arena_text(arena, job->exe, strcspn(job->exe, " "))));
}

static const char *metadata_of(iol__entry *entry, iol_log *log, const char *wanted) {
    const char *key, *value;
    for (size_t i = 0; iol_log_metadata(log, i, &key, &value) == IOL_OK; i++)
        if (strcmp(key, wanted) == 0) return iol__valid_text(&entry->arena, iol__arena_copy(&entry->arena, value));
    return NULL;
}

/* A job without USER and LOGNAME leaves logs under the number of its user. */
static bool is_number_of(const char *user, int64_t uid) {
    char *end;
    return *user >= '0' && *user <= '9' && strtoll(user, &end, 10) == uid && !*end;
}

/* Who has a number: by the system's directory, where the file itself belongs to that user of this system, else by the site
   file. NULL: nobody knows; the batch system may, later. */
static const char *name_of_number(iol__arena *arena, const gathering *g, int64_t uid) {
    struct passwd entry, *found = NULL;
    char buffer[4096];
    if (uid == g->file_owner && getpwuid_r((uid_t)uid, &entry, buffer, sizeof buffer, &found) == 0 && found)
        return iol__arena_copy(arena, found->pw_name);
    return iol__site_user(g->plan->site, uid);
}

/* "exe", "exename", "command", and the user from the name of the file. */
static void who_and_what(iol__entry *entry, const gathering *g, iol_log *log, const char *path) {
    iol__arena *arena = &entry->arena;
    const iol_job *job = iol_log_job(log);
    iol__cell *values = entry->log;
    const char *command = job->exe && *job->exe ? job->exe : NULL, *program = iol__entry_program(arena, job);
    if (command) {
        char *exe = iol__arena_text(arena, command, strcspn(command, " "));
        SET(log, exe, iol__text(iol__valid_text(arena, kept_name(entry, g, exe))));
        SET(log, exename, iol__text(program));
        SET(log, command, iol__text(iol__valid_text(arena, iol__arena_copy(arena, kept_name(entry, g, command)))));
        if (!g->plan->key) SET(log, command_hex, iol__text(iol__hex_text(arena, command)));
    }
    iol__log_name name;
    const char *file = iol__base_name(path), *user = NULL;
    if (iol__log_name_parse(file, program, &name) && name.user) user = iol__arena_text(arena, file, name.user);
    if (!user || is_number_of(user, job->uid)) user = name_of_number(arena, g, job->uid);
    if (user) user = iol__short_text(arena, kept_name(entry, g, user));
    entry->user = user;
    entry->owner = user ? user : iol__arena_print(arena, "uid:%lld", (long long)job->uid);
    SET(log, username, iol__text(user));
    SET(log, owner, iol__text(entry->owner));
}

static void job_columns(iol__entry *entry, const gathering *g, const iol__diagnosis *d, const char *path) {
    const iol__facts *facts = d->facts;
    const iol_job *job = facts->job;
    iol__cell *values = entry->log;
    iol__arena *arena = &entry->arena;
    entry->cluster = iol__arena_copy(arena, g->plan->cluster);
    /* Logs that do not say of which job they are are not all of one. */
    entry->no_job = job->job_id == 0;
    entry->jobid = entry->no_job ? iol__arena_print(arena, IOL_NO_JOB "%.12s", entry->identity)
                                 : iol__arena_print(arena, "%lld", (long long)job->job_id);
    entry->start = iol__entry_start(job);
    entry->day = entry->start ? iol__site_day(g->plan->site, entry->start) : 0;
    SET(log, cluster, iol__text(entry->cluster));
    SET(log, identity, iol__text(entry->identity));
    SET(log, state, iol__text(entry->damaged ? "damaged" : "ok"));
    SET(log, reader, iol__text(IOLITE_VERSION));
    SET(log, jobid, iol__text(entry->jobid));
    SET(log, uid, iol__integer(job->uid));
    who_and_what(entry, g, facts->log, path);
    SET(log, nprocs, iol__integer(facts->processes));
    SET(log, nodes, iol__real(d->nodes));
    SET(log, start, iol__integer(entry->start));
    if (entry->start && job->end_seconds > 0)
        SET(log, ended, iol__integer(job->end_seconds * 1000000 + job->end_nanoseconds / 1000));
    SET(log, run, microseconds(facts->run_time));
    SET(log, day, iol__integer(entry->day));
    SET(log, log_version, iol__text(iol__arena_copy(arena, facts->info->version)));
    SET(log, lib_version, iol__text(metadata_of(entry, facts->log, "lib_ver")));
    SET(log, system, iol__text(d->system ? iol__valid_text(arena, iol__arena_copy(arena, d->system)) : NULL));
    SET(log, bytes, iol__integer((int64_t)facts->info->file_bytes));
}

static void fact_columns(iol__entry *entry, const gathering *g, const iol__diagnosis *d) {
    const iol__facts *facts = d->facts;
    iol__cell *values = entry->log;
    totals t = total_of(facts);
    int64_t modules = 0, shared = 0, stats = 0, opens = 0;
    for (int slot = 0; slot < IOL_SLOTS_KNOWN; slot++)
        if (facts->modules[slot].all.records) modules |= INT64_C(1) << slot;
    for (size_t i = 0; i < facts->n_files; i++)
        shared += iol__facts_file_sharing(&facts->file[i]) != IOL_SHARING_UNIQUE;
    stats = facts->modules[IOL_SLOT_POSIX].all.ints[IOL_POSIX_STATS];
    opens = plus(facts->modules[IOL_SLOT_POSIX].all.ints[IOL_POSIX_OPENS],
                 facts->modules[IOL_SLOT_STDIO].all.ints[IOL_STDIO_OPENS]);
    SET(log, modules, iol__integer(modules));
    SET(log, partial, iol__integer((int64_t)facts->partial));
    SET(log, files, iol__integer((int64_t)facts->n_files));
    SET(log, shared, iol__integer(shared));
    SET(log, bytes_read, iol__integer(t.bytes[IOL_READ]));
    SET(log, bytes_written, iol__integer(t.bytes[IOL_WRITE]));
    SET(log, reads, iol__integer(t.ops[IOL_READ]));
    SET(log, writes, iol__integer(t.ops[IOL_WRITE]));
    SET(log, opens, count(opens));
    SET(log, stats, count(stats));
    SET(log, read_time, microseconds(t.read_time));
    SET(log, write_time, microseconds(t.write_time));
    SET(log, meta_time, microseconds(t.meta_time));
    SET(log, io_time, microseconds(d->io_time));
    SET(log, rate, iol__real(d->rate));
    SET(log, ops, iol__real(g->ops));
    SET(log, mean_request, iol__real(g->mean_request));
}

static void application_columns(iol__entry *entry, const gathering *g, const iol__facts *facts) {
    iol__cell *values = entry->log;
    iol__arena *arena = &entry->arena;
    const iol__application app =
        iol__application_of(arena, facts->log, iol__entry_program(arena, facts->job), facts->run_time);
    SET(log, app, iol__text(app.name));
    if (app.name) SET(log, app_time, microseconds(app.seconds));
    if (app.name) SET(log, app_ranks, iol__integer(app.ranks));
    if (!g->plan->key) SET(log, missed, iol__text(app.missed));
    SET(log, cause, iol__text(app.cause));
}

static void metric_columns(iol__entry *entry, const gathering *g) {
    const iol__metrics m = g->metrics;
    iol__cell *values = entry->log;
    SET(log, coll_writes, count(m.coll_writes));
    SET(log, meta_ratio_mpiio, iol__real(m.meta_ratio_mpiio));
    SET(log, meta_ratio, iol__real(m.meta_ratio));
    SET(log, meta_layer, iol__text(m.meta_layer));
    SET(log, meta_s_per_proc, iol__real(m.meta_s_layer));
    SET(log, match1, iol__integer(m.match1));
    SET(log, match2, iol__integer(m.match2));
    SET(log, match3, iol__integer(m.match3));
    if (!m.posix) return;
    if (m.extents) {
        SET(log, redundant_read_bytes, count(m.redundant_read_bytes));
        SET(log, redundant_read_files, count(m.redundant_read_files));
        SET(log, redundant_read_ro_bytes, count(m.redundant_read_ro_bytes));
        SET(log, redundant_write_bytes, count(m.redundant_write_bytes));
    }
    SET(log, meta_ratio_posix, iol__real(m.meta_ratio_posix));
    SET(log, meta_s_rank_max_lo, iol__real(m.meta_s_rank_max_lo));
    SET(log, meta_s_rank_max_hi, iol__real(m.meta_s_rank_max_hi));
    SET(log, small_shared_indep_writes, count(m.small_shared_indep_writes));
    SET(log, small_shared_indep_writes_strict, count(m.small_shared_indep_writes_strict));
}

/* Sums of what the rows of findings have, to the microsecond. */
static void finding_columns(iol__entry *entry, const iol__diagnosis *d) {
    iol__cell *values = entry->log;
    int64_t lost = 0, node_time = 0;
    for (size_t i = 0; i < d->n_findings; i++) {
        if (!d->findings[i].costed || !d->findings[i].cost.known) continue;
        const iol__cell one = microseconds(d->findings[i].cost.best),
                        nodes = microseconds(d->findings[i].cost.node_h * 3600);
        lost = plus(lost, iol__cell_integer(&one));
        node_time = plus(node_time, iol__cell_integer(&nodes));
    }
    SET(log, findings, iol__integer((int64_t)(d->count[IOL_LEVEL_WARN] + d->count[IOL_LEVEL_HIGH])));
    SET(log, lost, iol__integer(lost));
    SET(log, node_time, iol__integer(node_time));
    SET(log, compat, iol__integer(compat_bits(d->facts)));
    SET(log, took, microseconds(d->elapsed));
}

/* Its run ------------------------------------------------------------------------------------------------------- */

static const char *add_run_line(iol__entry *entry, const char *lines, const char *line) {
    return iol__arena_print(&entry->arena, "%s%s%s", lines, *lines ? "\n" : "", iol__valid_text(&entry->arena, line));
}

/* "file /scratch/scheduler.json": the kind stays as it is. */
static const char *kept_meeting(iol__entry *entry, const gathering *g, const char *meeting) {
    const size_t kind = strcspn(meeting, " ");
    if (!g->plan->key || !meeting[kind]) return meeting;
    return iol__arena_print(&entry->arena, "%.*s %s", (int)kind, meeting, kept_name(entry, g, meeting + kind + 1));
}

/* What the log says of the run that it may be of, if it has no job id of a batch system and its time is known. */
static void run_row(iol__entry *entry, gathering *g, const iol__facts *facts, const char *path) {
    iol__arena *arena = &entry->arena;
    const char *name = iol__base_name(path), *hosts = "", *meetings = "";
    if (!iol__runs_wanted(g->plan->site) || !iol__names_process_as_job(name) || !entry->start) return;
    if (!iol__grouping_add(&g->run, facts->log, name)) longjmp(*arena->exhausted, 1);
    const iol__group_log *l = &g->run.logs[0];
    for (size_t i = 0; i < l->n_hosts; i++) hosts = add_run_line(entry, hosts, kept_name(entry, g, l->hosts[i]));
    for (size_t i = 0; i < l->n_keys; i++) meetings = add_run_line(entry, meetings, kept_meeting(entry, g, l->keys[i]));
    if (l->parent)
        meetings = add_run_line(entry, meetings, iol__arena_print(arena, "parent %lld", (long long)l->parent));
    iol__cell *values = add_row(entry, IOL_TABLE_run_log, -1);
    SET(run_log, cluster, iol__text(entry->cluster));
    SET(run_log, uid, iol__integer(l->uid));
    SET(run_log, jobid, iol__text(entry->jobid));
    SET(run_log, username,
        iol__text(l->user ? iol__valid_text(arena, iol__arena_copy(arena, kept_name(entry, g, l->user))) : NULL));
    SET(run_log, pid, iol__integer(l->pid));
    SET(run_log, start, iol__integer(entry->start));
    SET(run_log, ended, iol__integer(entry->start + llround(fmin(l->end - l->start, 1e9) * 1e6)));
    SET(run_log, launcher, iol__integer(l->launcher));
    SET(run_log, hosts, iol__text(hosts));
    SET(run_log, meetings, iol__text(meetings));
    SET(run_log, waits, iol__integer(1));
    entry->of_run = true;
}

/* The whole ----------------------------------------------------------------------------------------------------- */

static void make_rows(iol__entry *entry, gathering *g, const iol__diagnosis *d, const char *path) {
    const iol__facts *facts = d->facts;
    const iol_error *error = iol_log_error(facts->log, 0);
    entry->damaged = d->damaged || error;
    if (error) entry->reason = iol__valid_text(&entry->arena, iol__arena_copy(&entry->arena, error->message));
    iol__identity_of(facts->log, d->log_hash, entry->identity);
    entry->log = add_row(entry, IOL_TABLE_log, -1);
    job_columns(entry, g, d, path);
    fact_columns(entry, g, d);
    application_columns(entry, g, facts);
    metric_columns(entry, g);
    finding_columns(entry, d);
    iol__cell *values = entry->log;
    SET(log, temporary, iol__integer(find_temporary(g, facts)));
    module_rows(entry, facts);
    fs_rows(entry, g);
    ost_rows(entry, g, facts);
    file_rows(entry, g, d);
    finding_rows(entry, g, d);
    line_rows(entry, g, d);
    run_row(entry, g, facts, path);
}

iol_status iol__entry_make(iol_log *log, const char *path, const iol__entry_plan *plan, iol__entry *entry,
                           iol_error *error) {
    return iol__entry_make_of(log, path, -1, plan, entry, error);
}

iol_status iol__entry_make_of(iol_log *log, const char *path, int64_t file_owner, const iol__entry_plan *plan,
                              iol__entry *entry, iol_error *error) {
    *entry = (iol__entry){0};
    gathering *g = malloc(sizeof *g);
    iol__diagnosis *diagnosis = NULL;
    if (!g) return iol__store_fail(error, IOL_SYSTEM, "out of memory");
    g->n_mounts = 0;
    g->ops = g->mean_request = NAN;
    g->metrics = (iol__metrics){0};
    g->plan = plan;
    g->file_owner = file_owner;
    g->where = (iol__where_all){0};
    g->lines = NULL;
    g->run = (iol__grouping){0};
    iol__diagnose_options options = {.rulebook = plan->rulebook,
                                     .evidence = 1,
                                     .keep = true,
                                     .brief = true,
                                     .look = look,
                                     .look_data = g,
                                     .watch = watch,
                                     .watch_data = g};
    iol_status status = iol__diagnose(log, &options, &diagnosis, error);
    jmp_buf exhausted;
    entry->arena.exhausted = &exhausted;
    entry->arena.block = IOL_ENTRY_BLOCK;
    if (status == IOL_OK) {
        if (setjmp(exhausted) == 0)
            make_rows(entry, g, diagnosis, path);
        else
            status = iol__store_fail(error, IOL_SYSTEM, "out of memory");
    }
    entry->arena.exhausted = NULL;
    iol__diagnosis_free(diagnosis);
    free(g->lines);
    iol__where_free(&g->where);
    iol__grouping_free(&g->run);
    free(g);
    return status;
}

void iol__entry_free(iol__entry *entry) { iol__arena_free(&entry->arena); }
