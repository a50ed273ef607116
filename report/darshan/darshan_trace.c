/* The text of darshan-dxt-parser: a heading for each record, a line for each operation, and on Lustre the OSTs that the
   operation touched. Lines have fixed columns, so they are written right to left into a row of blanks. */
#include <stdio.h>
#include <stdlib.h>

#include "base/grow.h"
#include "base/idmap.h"
#include "log/read/log_internal.h"
#include "report/darshan/darshan_text.h"
#include "text/text.h"

/* Striping of files by record id ----------------------------------------------------------------------------------- */

/* More components than any file system makes are not walked for every operation. */
enum { COMPONENTS_WALKED = 1024 };

typedef struct stripes {
    iol__component *components;
    int64_t *osts;
    size_t n_components, n_osts;
} stripes;

struct iol__stripe_table {
    iol__idmap ids;
    stripes *files;
    size_t room;
};

static bool keep_stripes(iol_log *log, iol__stripe_table *table, const iol_record *record) {
    if (iol__idmap_find(&table->ids, record->id) != IOL_IDMAP_NONE) return true;
    size_t component_bytes = record->n_components * sizeof(iol__component),
           ost_bytes = record->n_osts * sizeof(int64_t);
    if (!iol__budget_take(log, component_bytes + ost_bytes + 2 * sizeof(stripes) + IOL_IDMAP_COST)) return false;
    if (!IOL_GROW(table->files, table->room, table->ids.count)) return false;
    stripes kept = {malloc(component_bytes + 1), malloc(ost_bytes + 1), record->n_components, record->n_osts};
    size_t number = kept.components && kept.osts ? iol__idmap_add(&table->ids, record->id) : IOL_IDMAP_NONE;
    if (number == IOL_IDMAP_NONE) {
        free(kept.components);
        free(kept.osts);
        return false;
    }
    if (component_bytes) memcpy(kept.components, record->components, component_bytes);
    if (ost_bytes) memcpy(kept.osts, record->osts, ost_bytes);
    table->files[number] = kept;
    return true;
}

iol__stripe_table *iol__stripe_table_load(iol_log *log) {
    iol_records *records;
    if (iol_records_open(log, IOL_SLOT_LUSTRE, &records) != IOL_OK) return NULL;
    iol__stripe_table *table = calloc(1, sizeof *table);
    const iol_record *record;
    while (table && iol_records_next(records, &record) == IOL_OK) {
        if (keep_stripes(log, table, record)) continue;
        iol__fail(log, IOL_LIMIT, IOL_SLOT_LUSTRE, IOL_NO_OFFSET,
                  "more striping data than a log of this size can justify; OSTs of some files are not shown");
        break;
    }
    iol_records_close(records);
    return table;
}

void iol__stripe_table_free(iol__stripe_table *table) {
    if (!table) return;
    for (size_t i = 0; i < table->ids.count; i++) {
        free(table->files[i].components);
        free(table->files[i].osts);
    }
    free(table->files);
    iol__idmap_free(&table->ids);
    free(table);
}

static const stripes *darshan_trace_stripes_of(const iol__stripe_table *table, uint64_t id) {
    size_t number = table ? iol__idmap_find(&table->ids, id) : IOL_IDMAP_NONE;
    return number == IOL_IDMAP_NONE ? NULL : &table->files[number];
}

/* The OSTs that hold [offset, offset + length), each once a round over the stripes. Sums that leave the range of file
   offsets end the walk. */
static void print_osts(iol__out *out, const stripes *file, int64_t offset, int64_t length) {
    int64_t end, at = offset, printed = 0;
    if (offset < 0 || length <= 0 || __builtin_add_overflow(offset, length, &end)) return;
    for (size_t k = 0; k < file->n_components && k < COMPONENTS_WALKED && at < end; k++) {
        const iol__component *component = &file->components[k];
        const int64_t *c = component->counters;
        int64_t size = c[IOL_LUSTRE_COMP_STRIPE_SIZE], count = c[IOL_LUSTRE_COMP_STRIPE_COUNT];
        int64_t from = c[IOL_LUSTRE_COMP_EXT_START], to = c[IOL_LUSTRE_COMP_EXT_END];
        if (to < 0) to = INT64_MAX;
        if (count <= 0 || size <= 0 || from < 0 || at < from || at >= to) continue;
        int64_t local = at - from;
        int64_t i = local / size % count;
        while (at < end && at < to) {
            iol__out_text(out, " [");
            iol__out_i64(out, file->osts[component->first_ost + (size_t)i]);
            iol__out_char(out, ']');
            i = (i + 1) % count;
            if (__builtin_add_overflow(local - local % size, size, &local)) return;
            if (__builtin_add_overflow(from, local, &at)) return;
            if (++printed >= count) {
                at = to == INT64_MAX ? end : to;
                break;
            }
        }
    }
}

/* Headings --------------------------------------------------------------------------------------------------------- */

static void print_components(iol__out *out, const stripes *file) {
    iol__out_text(out, "# DXT, Lustre stripe components:\n");
    for (size_t k = 0; k < file->n_components; k++) {
        const int64_t *c = file->components[k].counters;
        iol__out_printf(out, "#\t[Component %zu] stripe_ext: %lld - ", k + 1, (long long)c[IOL_LUSTRE_COMP_EXT_START]);
        if (c[IOL_LUSTRE_COMP_EXT_END] == -1)
            iol__out_text(out, "EOF");
        else
            iol__out_i64(out, c[IOL_LUSTRE_COMP_EXT_END]);
        iol__out_printf(out,
                        ", stripe_size: %lld, stripe_count: %lld, OSTs:", (long long)c[IOL_LUSTRE_COMP_STRIPE_SIZE],
                        (long long)c[IOL_LUSTRE_COMP_STRIPE_COUNT]);
        for (int64_t i = 0; i < c[IOL_LUSTRE_COMP_STRIPE_COUNT]; i++) {
            iol__out_char(out, ' ');
            iol__out_i64(out, file->osts[file->components[k].first_ost + (size_t)i]);
        }
        iol__out_char(out, '\n');
    }
}

static void print_heading(iol__out *out, iol_log *log, const iol_record *record, size_t threads, const stripes *file) {
    const char *name = iol_log_name(log, record->id), *point, *type;
    const iol_trace *trace = &record->trace;
    iol_log_mount_of(log, name, &point, &type);
    iol__out_printf(out, "\n# DXT, file_id: %llu, file_name: ", (unsigned long long)record->id);
    iol__out_name(out, name ? name : "(null)");
    iol__out_char(out, '\n');
    iol__out_printf(out, "# DXT, rank: %lld, hostname: %s\n", (long long)record->rank, trace->host);
    iol__out_printf(out, "# DXT, number of threads: %zu\n", threads);
    iol__out_printf(out, "# DXT, write_count: %llu, read_count: %llu\n", (unsigned long long)trace->writes,
                    (unsigned long long)trace->reads);
    iol__out_printf(out, "# DXT, mnt_pt: %s, fs_type: %s\n", point, type);
    if (file) print_components(out, file);
    iol__out_printf(
        out,
        "# Module    Rank  Wt/Rd  Segment          Offset          Length    Start(s)      End(s)%s   Pthread-ID\n",
        file ? "   [OST]" : "");
}

/* Lines ------------------------------------------------------------------------------------------------------------ */

enum { HEAD_COLUMNS = 23, NUMBER_END = 32, OFFSET_END = 48, LENGTH_END = 64, START_END = 76, LINE_END = 88 };

/* Right-aligned, ending before `end`; false if it needs more than `width`. */
static bool darshan_trace_put(char *row, int end, int width, const char *text, size_t length) {
    if (length > (size_t)width) return false;
    memcpy(row + end - (int)length, text, length);
    return true;
}

static bool put_int(char *row, int end, int width, int64_t value) {
    char text[24];
    return darshan_trace_put(row, end, width, text, (size_t)(iol__format_i64(text, value) - text));
}

static bool put_darshan_trace_time(char *row, int end, int width, double value) {
    char text[336];
    return darshan_trace_put(row, end, width, text, (size_t)(iol__format_fixed(text, value, 4) - text));
}

static void print_columns(iol__out *out, const char *head, uint64_t number, const iol_segment *s) {
    char *row = iol__out_room(out, LINE_END + 2);
    memset(row, ' ', LINE_END + 2);
    memcpy(row, head, HEAD_COLUMNS);
    bool fits = put_int(row, NUMBER_END, 9, (int64_t)number) && put_int(row, OFFSET_END, 16, s->offset) &&
                put_int(row, LENGTH_END, 16, s->length) && put_darshan_trace_time(row, START_END, 12, s->start) &&
                put_darshan_trace_time(row, LINE_END, 12, s->end);
    if (fits)
        out->length += LINE_END + 2;
    else
        iol__out_printf(out, "%s%9llu%16lld%16lld%12.4f%12.4f  ", head, (unsigned long long)number,
                        (long long)s->offset, (long long)s->length, s->start, s->end);
}

typedef struct printer {
    iol__out *out;
    const iol_trace *trace;
    const stripes *file;
    char heads[2][64]; /* module, rank and operation: writes, reads */
    bool fixed_head;   /* the rank fits its column */
} printer;

static void print_segment(printer *p, uint64_t number, const iol_segment *s) {
    bool read = number >= p->trace->writes;
    const char *head = p->heads[read];
    uint64_t shown = read ? number - p->trace->writes : number;
    if (p->fixed_head)
        print_columns(p->out, head, shown, s);
    else
        iol__out_printf(p->out, "%s%9llu%16lld%16lld%12.4f%12.4f  ", head, (unsigned long long)shown,
                        (long long)s->offset, (long long)s->length, s->start, s->end);
    if (p->file) {
        print_osts(p->out, p->file, s->offset, s->length);
        if (p->file->n_components) iol__out_text(p->out, "  ");
    }
    if (p->trace->threads)
        iol__out_printf(p->out, " %4llu\n", (unsigned long long)s->thread);
    else
        iol__out_bytes(p->out, " N/A\n", 5);
}

enum { BATCH = 512 };

static iol_status print_segments(iol__out *out, iol_records *records, const iol_record *record, const stripes *file) {
    const char *module = record->slot == IOL_SLOT_DXT_POSIX ? "X_POSIX" : "X_MPIIO";
    printer p = {.out = out, .trace = &record->trace, .file = file};
    snprintf(p.heads[0], sizeof p.heads[0], "%8s%8lld%7s", module, (long long)record->rank, "write");
    snprintf(p.heads[1], sizeof p.heads[1], "%8s%8lld%7s", module, (long long)record->rank, "read");
    p.fixed_head = strlen(p.heads[0]) == HEAD_COLUMNS;
    iol_segment batch[BATCH];
    size_t got;
    uint64_t number = 0;
    iol_status status = IOL_END;
    while (!out->closed && (status = iol_records_segments(records, batch, BATCH, &got)) == IOL_OK)
        for (size_t i = 0; i < got; i++) print_segment(&p, number++, &batch[i]);
    return status == IOL_END ? IOL_OK : status;
}

/* How many threads a record has is printed before its segments, so another iterator reads ahead of the printing one. */
static size_t count_threads(iol_log *log, iol_records *ahead) {
    const iol_record *record;
    if (!ahead || iol_records_next(ahead, &record) != IOL_OK) return 1;
    iol__idmap threads = {0};
    iol_segment batch[BATCH];
    size_t got;
    uint64_t taken = 0;
    while (iol_records_segments(ahead, batch, BATCH, &got) == IOL_OK) {
        for (size_t i = 0; i < got; i++) {
            if (iol__idmap_find(&threads, batch[i].thread) != IOL_IDMAP_NONE) continue;
            if (!iol__budget_take(log, IOL_IDMAP_COST)) continue;
            taken += IOL_IDMAP_COST;
            iol__idmap_add(&threads, batch[i].thread);
        }
    }
    size_t count = threads.count;
    iol__idmap_free(&threads);
    iol__budget_return(log, taken);
    return count;
}

iol_status iol__darshan_trace(iol__out *out, iol_log *log, int slot, const iol__stripe_table *table) {
    iol_records *records, *ahead = NULL;
    iol_status status = iol_records_open(log, slot, &records);
    if (status != IOL_OK) return status;
    iol_module module;
    iol_log_module(log, slot, &module);
    bool threads = module.version == iol__modules[slot].current;
    if (threads) iol_records_open(log, slot, &ahead);
    const iol_record *record;
    while (!out->closed && (status = iol_records_next(records, &record)) == IOL_OK) {
        const stripes *file = slot == IOL_SLOT_DXT_POSIX ? darshan_trace_stripes_of(table, record->id) : NULL;
        print_heading(out, log, record, count_threads(log, ahead), file);
        status = print_segments(out, records, record, file);
        if (status != IOL_OK) break;
    }
    iol_records_close(ahead);
    iol_records_close(records);
    return status == IOL_END ? IOL_OK : status;
}
