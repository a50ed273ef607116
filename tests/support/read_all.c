/* The whole public interface, called once over one log. Values are folded into a sum, so that every byte handed out
   is really touched and a sanitizer sees it. */
#include "tests/support/read_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "log/trailer/processes.h"

enum { SEGMENTS_AT_A_TIME = 64, SLOTS = 64, ROWS_AT_A_TIME = 50, TABLE_COLUMNS = 700 };

/* zlib and zstd make no more than this many of the smallest things out of one byte. */
enum { MOST_PER_BYTE = 4096 };

typedef struct reading {
    iol_log *log;
    const char *name;
    uint64_t most;
    read_all_result result;
} reading;

static void broken(const char *name, const char *promise) {
    fprintf(stderr, "%s: %s\n", name, promise);
    abort();
}

static void must_be_bounded(const reading *r) {
    if (r->result.records + r->result.segments + r->result.names > r->most)
        broken(r->name, "more results than the bytes can hold");
}

static void must_name_file(const reading *r, const iol_error *error) {
    if (error->status == IOL_OK || error->message[0] == '\0' || strstr(error->message, r->name) == NULL)
        broken(r->name, "an error without a message that names the file");
    if (strnlen(error->message, sizeof error->message) == sizeof error->message || strchr(error->message, '\n') != NULL)
        broken(r->name, "a message that is not one terminated line");
}

static void touch_text(reading *r, const char *text) { r->result.touched += strlen(text); }

static void touch_ints(reading *r, const int64_t *values, size_t count) {
    for (size_t i = 0; i < count; i++) r->result.touched += (uint64_t)values[i];
}

/* Head -------------------------------------------------------------------------------------------------------- */

static void read_head(reading *r) {
    touch_text(r, iol_log_info(r->log)->path);
    touch_text(r, iol_log_info(r->log)->version);
    touch_text(r, iol_log_job(r->log)->exe);
    const char *left, *right;
    for (size_t i = 0; iol_log_metadata(r->log, i, &left, &right) == IOL_OK; i++) {
        touch_text(r, left);
        touch_text(r, right);
    }
    for (size_t i = 0; iol_log_mount(r->log, i, &left, &right) == IOL_OK; i++) {
        touch_text(r, left);
        touch_text(r, right);
    }
}

static void read_names(reading *r) {
    uint64_t id;
    const char *name, *point, *type;
    for (size_t i = 0; iol_log_name_at(r->log, i, &id, &name) == IOL_OK; i++) {
        if (iol_log_name(r->log, id) != name) broken(r->name, "a listed name is not found by its id");
        iol_log_mount_of(r->log, name, &point, &type);
        touch_text(r, name);
        touch_text(r, point);
        touch_text(r, type);
        r->result.names++;
        must_be_bounded(r);
    }
    if (r->result.names != iol_log_name_count(r->log)) broken(r->name, "names do not match their count");
}

static void read_trailer(reading *r) {
    size_t count = iol_log_trailer_count(r->log);
    for (size_t i = 0; i < count; i++) {
        char tag[5];
        const void *bytes = NULL;
        size_t length = 0;
        if (iol_log_trailer(r->log, i, tag, &bytes, &length) != IOL_OK) continue;
        for (size_t at = 0; at < length; at++) r->result.touched += ((const uint8_t *)bytes)[at];
        touch_text(r, tag);
        r->result.trailer_bytes += length;
    }
}

/* Records ----------------------------------------------------------------------------------------------------- */

static void read_counters(reading *r, const iol_record *record, int slot) {
    iol_value value;
    iol_counter counter;
    for (size_t i = 0; i < iol_counter_count(slot); i++) {
        if (iol_record_counter(record, i, &value) == IOL_OK) r->result.touched += value.as.u;
        if (i % 16 == 0 && iol_counter_at(slot, i, &counter) == IOL_OK)
            r->result.touched += (uint64_t)iol_record_find(record, counter.name, &value);
    }
}

static void read_components(reading *r, const iol_record *record) {
    for (size_t i = 0; i < iol_record_components(record); i++) {
        iol_stripes stripes;
        const int64_t *osts;
        if (iol_record_component(record, i, &stripes, &osts) != IOL_OK)
            broken(r->name, "a counted component is missing");
        touch_text(r, stripes.pool);
        if (stripes.count > 0) touch_ints(r, osts, (size_t)stripes.count);
    }
}

static void read_heatmap(reading *r, const iol_record *record) {
    iol_heatmap heatmap;
    if (iol_record_heatmap(record, &heatmap) != IOL_OK) return;
    touch_ints(r, heatmap.written, heatmap.bins);
    touch_ints(r, heatmap.read, heatmap.bins);
}

/* Every other record is left with segments unread, for iol_records_next() to skip. */
static void read_segments(reading *r, iol_records *records, const iol_record *record) {
    iol_trace trace;
    if (iol_record_trace(record, &trace) != IOL_OK) return;
    touch_text(r, trace.host);
    iol_segment segments[SEGMENTS_AT_A_TIME];
    size_t got;
    while (iol_records_segments(records, segments, SEGMENTS_AT_A_TIME, &got) == IOL_OK) {
        if (got == 0 || got > SEGMENTS_AT_A_TIME) broken(r->name, "segments without end");
        for (size_t i = 0; i < got; i++) r->result.touched += (uint64_t)segments[i].offset ^ segments[i].thread;
        r->result.segments += got;
        must_be_bounded(r);
        if (r->result.records % 2 == 0) return;
    }
}

static void read_record(reading *r, iol_records *records, const iol_record *record, int slot) {
    if (iol_record_slot(record) != slot) broken(r->name, "a record of another module");
    const char *name = iol_log_name(r->log, iol_record_id(record));
    if (name != NULL) touch_text(r, name);
    r->result.touched += (uint64_t)iol_record_rank(record) + iol_record_owner(record);
    read_counters(r, record, slot);
    read_components(r, record);
    read_heatmap(r, record);
    read_segments(r, records, record);
}

static void read_sum(reading *r, const iol_sum *sum, int slot) {
    iol_performance performance;
    iol_files files;
    if (iol_sum_records(sum) > 0) read_counters(r, iol_sum_total(sum), slot);
    if (iol_sum_performance(sum, &performance) == IOL_OK) r->result.touched += (uint64_t)performance.total_bytes;
    for (int category = 0; category < IOL_CATEGORIES; category++)
        if (iol_sum_files(sum, (iol_category)category, &files) == IOL_OK) r->result.touched += (uint64_t)files.count;
}

/* The same damage met twice is noted once, so the message may be older than the failure. */
static bool noted(const iol_log *log, int slot, iol_status status) {
    const iol_error *error;
    size_t i = 0;
    for (; (error = iol_log_error(log, i)) != NULL; i++)
        if (error->slot == slot && error->status == status) return true;
    return iol_log_error_count(log) > i;
}

/* The same as columns. A table ends as the iterator does, and texts are where cells say. */
static uint64_t read_table(reading *r, iol_table *table, iol_status *status) {
    static uint64_t room[TABLE_COLUMNS][ROWS_AT_A_TIME];
    void *cells[TABLE_COLUMNS] = {NULL};
    const size_t columns = iol_table_columns(table);
    iol_counter column;
    if (columns > TABLE_COLUMNS) broken(r->name, "a table with too many columns");
    for (size_t c = 0; c < columns; c++) cells[c] = room[c];
    uint64_t all = 0;
    size_t rows;
    while ((*status = iol_table_fill(table, cells, ROWS_AT_A_TIME, &rows)) == IOL_OK) {
        if (rows == 0 || rows > ROWS_AT_A_TIME) broken(r->name, "rows without end");
        for (size_t c = 0; c < columns; c++) {
            const char *block;
            size_t length, count;
            if (iol_table_column(table, c, &column) != IOL_OK) broken(r->name, "a counted column is missing");
            if (column.kind == IOL_TEXT && iol_table_texts(table, c, &block, &length, &count) != IOL_OK)
                broken(r->name, "a column of texts without texts");
            for (size_t i = 0; i < rows; i++) {
                r->result.touched += room[c][i];
                if (column.kind == IOL_TEXT && room[c][i] != IOL_NO_TEXT && room[c][i] >= count)
                    broken(r->name, "a cell counts past its texts");
            }
        }
        all += rows;
    }
    return all;
}

static void read_tables(reading *r, int slot, uint64_t records, iol_status ended) {
    iol_table *table;
    iol_status status;
    if (iol_table_open(r->log, slot, IOL_TABLE_RECORDS, &table) != IOL_OK) return;
    const uint64_t rows = read_table(r, table, &status);
    iol_table_close(table);
    /* Where memory ran out for one of the two, the other may have gone further. */
    const bool whole = status != IOL_SYSTEM && ended != IOL_SYSTEM;
    if (whole && (rows > records || records > rows + 1)) broken(r->name, "a table with other rows than records");
    if (whole && status != ended) broken(r->name, "a table ends otherwise than its records");
    if (iol_table_open(r->log, slot, IOL_TABLE_PARTS, &table) != IOL_OK) return;
    read_table(r, table, &status);
    iol_table_close(table);
}

static void read_module(reading *r, int slot) {
    iol_records *records = NULL;
    if (iol_records_open(r->log, slot, &records) != IOL_OK) return;
    iol_sum *sum = NULL;
    if (iol_sum_new(r->log, slot, &sum) != IOL_OK) sum = NULL;
    const iol_record *record;
    iol_status status;
    const uint64_t before = r->result.records;
    while ((status = iol_records_next(records, &record)) == IOL_OK) {
        r->result.records++;
        must_be_bounded(r);
        read_record(r, records, record, slot);
        if (sum != NULL) iol_sum_add(sum, record);
    }
    if (status != IOL_END && !noted(r->log, slot, status)) broken(r->name, "damage that was not noted");
    if (iol_records_next(records, &record) == IOL_OK) broken(r->name, "a record behind the end");
    if (sum != NULL) read_sum(r, sum, slot);
    iol_sum_free(sum);
    iol_records_close(records);
    read_tables(r, slot, r->result.records - before, status);
}

static bool touch_process(void *context, const iol__process *process) {
    reading *r = context;
    if (process->n_images == 0) broken(r->name, "a process without a command");
    for (size_t i = 0; i < process->n_images; i++) touch_text(r, process->images[i]);
    for (int i = 0; i < 3; i++)
        if (process->targets[i] != NULL) touch_text(r, process->targets[i]);
    r->result.touched += (uint64_t)process->rank;
    return true;
}

static void read_custom_module(reading *r, size_t module) {
    iol_custom_counter counter;
    iol_custom_record record;
    iol_custom_span span;
    iol_value value;
    for (size_t i = 0; iol_custom_counter_at(r->log, module, i, &counter) == IOL_OK; i++) {
        touch_text(r, counter.is.name);
        touch_text(r, counter.is.unit);
        touch_text(r, counter.is.meaning);
        touch_text(r, counter.rule);
    }
    for (size_t i = 0; iol_custom_record_at(r->log, module, i, &record) == IOL_OK; i++) {
        touch_text(r, record.name);
        r->result.records++;
        must_be_bounded(r);
        for (size_t c = 0; iol_custom_value(r->log, module, i, c, &value) == IOL_OK; c++)
            r->result.touched += value.as.u;
    }
    for (size_t i = 0; iol_custom_span_at(r->log, module, i, &span) == IOL_OK; i++) {
        touch_text(r, span.name);
        r->result.segments++;
        must_be_bounded(r);
    }
}

static void read_custom(reading *r) {
    iol_custom custom;
    for (size_t i = 0; iol_log_custom(r->log, i, &custom) == IOL_OK; i++) {
        touch_text(r, custom.name);
        touch_text(r, custom.meaning);
        read_custom_module(r, i);
    }
}

static void read_processes(reading *r) {
    iol__folded folded = {0};
    iol__processes_each(r->log, touch_process, r);
    iol__folded_add(r->log, &folded);
    r->result.touched += iol__folded_any(&folded);
}

static bool expands_little(iol_compression method) {
    return method == IOL_ZLIB || method == IOL_UNCOMPRESSED || method == IOL_ZSTD;
}

read_all_result read_all(const void *bytes, size_t length, const char *name) {
    reading r = {.name = name, .most = (uint64_t)length * MOST_PER_BYTE};
    iol_error error = {0};
    r.result.opened = iol_log_open_memory(bytes, length, name, &r.log, &error);
    if (r.result.opened != IOL_OK) {
        if (r.log != NULL) broken(name, "a log that failed to open is not NULL");
        must_name_file(&r, &error);
        return r.result;
    }
    if (!expands_little(iol_log_info(r.log)->compression)) r.most = UINT64_MAX;
    read_head(&r);
    for (int slot = 0; slot < SLOTS; slot++) {
        iol_module module;
        if (iol_log_module(r.log, slot, &module) != IOL_OK) broken(name, "a slot that cannot be asked for");
        read_module(&r, slot);
    }
    read_names(&r);
    read_trailer(&r);
    read_processes(&r);
    read_custom(&r);
    r.result.errors = iol_log_error_count(r.log);
    const iol_error *kept;
    for (size_t i = 0; (kept = iol_log_error(r.log, i)) != NULL; i++) {
        must_name_file(&r, kept);
        r.result.unknown += kept->status == IOL_UNSUPPORTED || strstr(kept->message, "cannot be understood") != NULL;
    }
    iol_log_close(r.log);
    return r.result;
}
