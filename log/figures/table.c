/* Records as columns. A table walks over the records of a module as an iterator does; a row is a record or a part of
   one, and each column knows how to take its cell from the row. Columns that are not counters are in table.def. Names
   are looked up once per file, not once per row. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/idmap.h"
#include "log/read/log_internal.h"
#include "log/figures/texts.h"
#include "record/record.h"

enum { SEGMENTS_AT_ONCE = 256, COLUMNS_MOST = 32 + IOL_MAX_INTS + IOL_MAX_REALS };

/* Texts of a file, as numbers in the dictionary. */
typedef struct file_texts {
    uint64_t name, point, type;
} file_texts;

typedef struct row {
    iol_table *table;
    const iol_record *record;
    file_texts file;
    size_t part, stripe; /* a bin, a component and its OST, a server */
    const iol_segment *segment;
    bool write;
    uint64_t host;
} row;

typedef union figures_table_cell {
    int64_t i;
    uint64_t u;
    double d;
} figures_table_cell;

typedef enum column_source { FROM_LIST, FROM_INTS, FROM_REALS, FROM_COMPONENT } column_source;

typedef struct table_column {
    iol_counter is;
    column_source from;
    unsigned index; /* there */
} table_column;

struct iol_table {
    iol_log *log;
    iol_records *records;
    int slot;
    iol_table_kind kind;
    size_t n_columns;
    table_column columns[COLUMNS_MOST];

    iol_status ended; /* IOL_OK while it goes on */
    bool exhausted;   /* of memory */
    row row;
    iol_segment segments[SEGMENTS_AT_ONCE];
    size_t segments_got, segments_used;
    uint64_t segments_seen;

    iol__texts texts;
    iol__idmap ids;
    file_texts *files; /* by number of the id */
    size_t files_room;
};

/* Texts -------------------------------------------------------------------------------------------------------- */

static uint64_t text_number(iol_table *table, const char *text) {
    const size_t number = text ? iol__texts_number(&table->texts, text) : 0;
    if (text && number == SIZE_MAX) table->exhausted = true;
    return text && number != SIZE_MAX ? number : IOL_NO_TEXT;
}

static uint64_t text_of_uuid(iol_table *table, const uint8_t *uuid) {
    static const char digits[] = "0123456789abcdef";
    char text[37], *to = text;
    if (!uuid) return IOL_NO_TEXT;
    for (int i = 0; i < 16; i++) {
        if (i == 4 || i == 6 || i == 8 || i == 10) *to++ = '-';
        *to++ = digits[uuid[i] >> 4];
        *to++ = digits[uuid[i] & 0xf];
    }
    *to = '\0';
    return text_number(table, text);
}

static file_texts texts_of_file(iol_table *table, uint64_t id) {
    const char *name = iol_log_name(table->log, id), *point, *type;
    const bool mounted = name && iol_log_mount_of(table->log, name, &point, &type);
    return (file_texts){text_number(table, name), text_number(table, mounted ? point : NULL),
                        text_number(table, mounted ? type : NULL)};
}

static file_texts known_texts_of_file(iol_table *table, uint64_t id) {
    const size_t known = table->ids.count, number = iol__idmap_add(&table->ids, id);
    if (number < known) return table->files[number];
    if (number == IOL_IDMAP_NONE || !IOL_GROW(table->files, table->files_room, number)) {
        table->exhausted = true;
        return (file_texts){IOL_NO_TEXT, IOL_NO_TEXT, IOL_NO_TEXT};
    }
    return table->files[number] = texts_of_file(table, id);
}

/* Columns ------------------------------------------------------------------------------------------------------ */

static size_t osts_of_component(const iol_record *record, size_t index) {
    const int64_t count = record->components[index].counters[IOL_LUSTRE_COMP_STRIPE_COUNT];
    const size_t first = record->components[index].first_ost,
                 most = first < record->n_osts ? record->n_osts - first : 0;
    return count < 0 ? 0 : (uint64_t)count < most ? (size_t)count : most;
}

static int64_t ost_of(const row *r) {
    const bool none = r->stripe >= osts_of_component(r->record, r->part);
    return none ? -1 : r->record->osts[r->record->components[r->part].first_ost + r->stripe];
}

#define CELL_INT i
#define CELL_UINT u
#define CELL_TEXT u
#define CELL_REAL d
#define ANY UINT64_MAX
#define AT(ident) (UINT64_C(1) << IOL_SLOT_##ident)
#define TRACES (AT(DXT_POSIX) | AT(DXT_MPIIO))

enum { IN_RECORDS = 1 << IOL_TABLE_RECORDS, IN_PARTS = 1 << IOL_TABLE_PARTS, IN_BOTH = IN_RECORDS | IN_PARTS };

enum {
#define COLUMN(ident, table, modules, name, KIND, unit, meaning, value) COLUMN_##ident,
#include "log/figures/table.def"
#undef COLUMN
    LISTED_COLUMNS
};

static const struct listed {
    iol_counter is;
    unsigned tables;
    uint64_t modules;
} listed[] = {
#define COLUMN(ident, table, modules, name, KIND, unit, meaning, value) \
    {{name, unit, meaning, IOL_##KIND}, IN_##table, modules},
#include "log/figures/table.def"
#undef COLUMN
};

static figures_table_cell listed_cell(const row *r, unsigned which) {
    switch (which) {
#define COLUMN(ident, table, modules, name, KIND, unit, meaning, value) \
    case COLUMN_##ident:                                                \
        return (figures_table_cell){.CELL_##KIND = value};
#include "log/figures/table.def"
#undef COLUMN
    default: return (figures_table_cell){0};
    }
}

/* Sync times of APMPI mean something only when they were measured. */
static bool not_measured(const iol_record *record, unsigned real) {
    return record->slot == IOL_SLOT_APMPI && !record->sync_times && real >= IOL_APMPI_TIMES &&
           real != IOL_MPI_TOTAL_COMM_TIME;
}

static figures_table_cell table_cell_of(const row *r, const table_column *c) {
    switch (c->from) {
    case FROM_INTS: return (figures_table_cell){.i = c->index < r->record->n_ints ? r->record->ints[c->index] : 0};
    case FROM_REALS:
        if (c->index >= r->record->n_reals || not_measured(r->record, c->index))
            return (figures_table_cell){.d = (double)NAN};
        return (figures_table_cell){.d = r->record->reals[c->index]};
    case FROM_COMPONENT: return (figures_table_cell){.i = r->record->components[r->part].counters[c->index]};
    default: return listed_cell(r, c->index);
    }
}

static void add_column(iol_table *table, column_source from, unsigned index, iol_counter is) {
    table->columns[table->n_columns++] = (table_column){is, from, index};
}

static void choose_table_columns(iol_table *table) {
    const iol__module *module = &iol__modules[table->slot];
    for (unsigned i = 0; i < LISTED_COLUMNS; i++)
        if (listed[i].tables & 1U << table->kind && listed[i].modules & UINT64_C(1) << table->slot)
            add_column(table, FROM_LIST, i, listed[i].is);
    if (table->kind == IOL_TABLE_PARTS && table->slot == IOL_SLOT_LUSTRE)
        for (unsigned i = 0; i < IOL_LUSTRE_COMP_INTS; i++)
            add_column(table, FROM_COMPONENT, i,
                       (iol_counter){iol__lustre_component[i].name, iol__lustre_component[i].unit,
                                     iol__counter_meaning(IOL_SLOT_LUSTRE, i), IOL_INT});
    for (unsigned i = 0; table->kind == IOL_TABLE_RECORDS && i < (unsigned)module->ints + module->reals; i++) {
        iol_counter counter;
        if (iol_counter_at(table->slot, i, &counter) != IOL_OK) break;
        const bool real = i >= module->ints;
        add_column(table, real ? FROM_REALS : FROM_INTS, real ? i - module->ints : i, counter);
    }
}

/* Rows --------------------------------------------------------------------------------------------------------- */

static size_t parts_of(const iol_record *record) {
    switch (record->slot) {
    case IOL_SLOT_HEATMAP: return record->heatmap.bins;
    case IOL_SLOT_LUSTRE: return record->n_components;
    case IOL_SLOT_MDHIM: return record->n_servers;
    default: return record->header;
    }
}

static bool has_parts(int slot) { return iol__modules[slot].form != IOL_FORM_FIXED; }

/* A trace record has its operations in the iterator, a batch at a time. */
static iol_status next_operation(iol_table *table) {
    row *r = &table->row;
    if (table->segments_used == table->segments_got) {
        table->segments_used = table->segments_got = 0;
        iol_status status =
            iol_records_segments(table->records, table->segments, SEGMENTS_AT_ONCE, &table->segments_got);
        if (status != IOL_OK) return status;
    }
    r->segment = &table->segments[table->segments_used++];
    r->write = table->segments_seen++ < r->record->trace.writes;
    return IOL_OK;
}

/* The next part of the record at hand; IOL_END after the last. */
static iol_status next_part(iol_table *table) {
    row *r = &table->row;
    if (!r->record) return IOL_END;
    if (iol__modules[table->slot].form == IOL_FORM_TRACE) return next_operation(table);
    if (table->slot == IOL_SLOT_LUSTRE && r->part < r->record->n_components &&
        r->stripe + 1 < osts_of_component(r->record, r->part)) {
        r->stripe++;
        return IOL_OK;
    }
    r->part++; /* from SIZE_MAX to the first */
    r->stripe = 0;
    return r->part < parts_of(r->record) ? IOL_OK : IOL_END;
}

static iol_status table_next_record(iol_table *table) {
    row *r = &table->row;
    do {
        iol_status status = iol_records_next(table->records, &r->record);
        if (status != IOL_OK) return status;
    } while (table->kind == IOL_TABLE_RECORDS && r->record->header);
    r->part = SIZE_MAX;
    r->stripe = 0;
    r->file = known_texts_of_file(table, r->record->id);
    table->segments_used = table->segments_got = 0;
    table->segments_seen = 0;
    if (table->kind == IOL_TABLE_PARTS && iol__modules[table->slot].form == IOL_FORM_TRACE)
        r->host = text_number(table, r->record->trace.host);
    return IOL_OK;
}

static iol_status next_row(iol_table *table) {
    if (table->kind == IOL_TABLE_RECORDS) return table_next_record(table);
    for (;;) {
        iol_status status = next_part(table);
        if (status != IOL_END) return status;
        status = table_next_record(table);
        if (status != IOL_OK) return status;
    }
}

/* The public functions ----------------------------------------------------------------------------------------- */

iol_status iol_table_open(iol_log *log, int slot, iol_table_kind kind, iol_table **out) {
    if (out) *out = NULL;
    if (!log || !out || (kind != IOL_TABLE_RECORDS && kind != IOL_TABLE_PARTS)) return IOL_INVALID;
    if (slot < 0 || slot >= IOL_SLOTS) return IOL_INVALID;
    if (kind == IOL_TABLE_PARTS && slot < IOL_SLOTS_KNOWN && !has_parts(slot)) return IOL_INVALID;
    const bool empty = slot > IOL_SLOT_NULL && slot < IOL_SLOTS_KNOWN && log->modules[slot].length == 0;
    iol_records *records = NULL;
    iol_status status = empty ? IOL_OK : iol_records_open(log, slot, &records);
    if (status != IOL_OK) return status;
    iol_table *table = calloc(1, sizeof *table);
    if (!table) {
        iol_records_close(records);
        return iol__fail(log, IOL_SYSTEM, slot, IOL_NO_OFFSET, "out of memory");
    }
    table->log = log;
    table->records = records;
    table->slot = slot;
    table->kind = kind;
    table->row.table = table;
    table->ended = empty ? IOL_END : IOL_OK;
    choose_table_columns(table);
    *out = table;
    return IOL_OK;
}

void iol_table_close(iol_table *table) {
    if (!table) return;
    iol_records_close(table->records);
    iol__texts_free(&table->texts);
    iol__idmap_free(&table->ids);
    free(table->files);
    free(table);
}

size_t iol_table_columns(const iol_table *table) { return table ? table->n_columns : 0; }

iol_status iol_table_column(const iol_table *table, size_t index, iol_counter *is) {
    if (!table || !is || index >= table->n_columns) return IOL_INVALID;
    *is = table->columns[index].is;
    return IOL_OK;
}

iol_status iol_table_fill(iol_table *table, void *const *cells, size_t room, size_t *rows) {
    if (rows) *rows = 0;
    if (!table || !cells || !rows) return IOL_INVALID;
    while (*rows < room && table->ended == IOL_OK) {
        table->ended = next_row(table);
        for (size_t c = 0; c < table->n_columns && table->ended == IOL_OK; c++)
            if (cells[c]) ((figures_table_cell *)cells[c])[*rows] = table_cell_of(&table->row, &table->columns[c]);
        if (table->exhausted)
            table->ended = iol__fail(table->log, IOL_SYSTEM, table->slot, IOL_NO_OFFSET, "out of memory");
        else if (table->ended == IOL_OK)
            ++*rows;
    }
    return *rows ? IOL_OK : table->ended;
}

iol_status iol_table_texts(const iol_table *table, size_t index, const char **block, size_t *length, size_t *count) {
    if (!table || !block || !length || !count || index >= table->n_columns) return IOL_INVALID;
    if (table->columns[index].is.kind != IOL_TEXT) return IOL_INVALID;
    *block = table->texts.block;
    *length = table->texts.length;
    *count = table->texts.count;
    return IOL_OK;
}
