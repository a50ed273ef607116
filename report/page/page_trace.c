/* The traced requests: all of them on a grid of time and ranks, for the first look, and up to a limit one by one, as
   columns of numbers that a script can use as they are. */
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "base/grow.h"
#include "record/record.h"
#include "report/page/page_internal.h"

/* Where requests are not shown one by one, the grid is all that is shown of them: it is finer then. */
enum { MOST_ROWS = 128, BINS = 240, FINE_BINS = 480, CHUNK = 512, MOST_HOSTS = 4096, MOST_FILES = 100000 };

static bool is_traced(const iol__page *page) {
    return page->facts->modules[IOL_SLOT_DXT_POSIX].module.length ||
           page->facts->modules[IOL_SLOT_DXT_MPIIO].module.length;
}

/* When the last request ended, as far as is known before they are read again. */
static double page_trace_end_of(const iol__page *page) {
    const iol__tracing *tracing = page->diagnosis->tracing;
    double end = page->facts->run_time;
    for (size_t i = 0; i < tracing->count; i++)
        if (tracing->requests[i].end > end) end = tracing->requests[i].end;
    return end > 0 ? end : 1;
}

void iol__page_trace_start(iol__page *page) {
    if (!is_traced(page)) return;
    iol__page_tracing *trace = &page->trace;
    trace->rows = iol__page_rows_of(page->ranks.count, MOST_ROWS);
    trace->bins = page->diagnosis->tracing->seen > page->options.requests ? FINE_BINS : BINS;
    trace->end = page_trace_end_of(page);
    trace->width = trace->end / (double)trace->bins;
    for (int m = 0; m < IOL_PAGE_TRACES; m++)
        for (int direction = 0; direction < IOL_DIRECTIONS; direction++) {
            iol__page_grid *grid = &trace->grid[m];
            size_t cells = trace->rows.count * trace->bins;
            grid->bytes[direction] = iol__page_alloc(page, cells, sizeof(double));
            grid->busy[direction] = iol__page_alloc(page, cells, sizeof(double));
            grid->count[direction] = iol__page_alloc(page, cells, sizeof(double));
        }
    trace->number = iol__page_alloc(page, page->facts->n_files + 1, sizeof *trace->number);
}

/* One request -------------------------------------------------------------------------------------------------- */

static bool page_trace_sensible(const iol_segment *s) {
    return isfinite(s->start) && isfinite(s->end) && s->start >= 0 && s->end >= s->start && s->offset >= 0 &&
           s->length >= 0;
}

static size_t page_trace_bucket_of(int64_t length) {
    size_t bucket = 0;
    while (bucket + 1 < IOL_SIZE_BUCKETS && length > iol__size_bounds[bucket]) bucket++;
    return bucket;
}

/* Bytes go to the bins that the request overlaps, in proportion to the time in each. */
static void add_to_grid(const iol__page_tracing *trace, iol__page_grid *grid, int direction, size_t row,
                        const iol_segment *s) {
    size_t base = row * trace->bins, last_bin = trace->bins - 1;
    size_t from = s->start < trace->end ? (size_t)(s->start / trace->width) : last_bin;
    size_t until = s->end < trace->end ? (size_t)(s->end / trace->width) : last_bin;
    if (from > last_bin) from = last_bin;
    if (until > last_bin) until = last_bin;
    double length = (double)s->length, duration = s->end - s->start;
    grid->count[direction][base + from]++;
    for (size_t bin = from; bin <= until; bin++) {
        double t0 = (double)bin * trace->width, t1 = bin == last_bin ? s->end : t0 + trace->width;
        double overlap = fmin(s->end, t1) - fmax(s->start, t0);
        if (overlap < 0) overlap = 0;
        grid->busy[direction][base + bin] += overlap;
        grid->bytes[direction][base + bin] += duration > 0 && from != until ? length * (overlap / duration)
                                              : bin == from                 ? length
                                                                            : 0;
    }
    size_t bucket = page_trace_bucket_of(s->length);
    grid->bin_count[direction][bucket]++;
    grid->bin_bytes[direction][bucket] += length;
    grid->requests++;
}

/* A file's number among those with requests. */
static uint32_t page_trace_number_of(iol__page *page, size_t file) {
    iol__page_tracing *trace = &page->trace;
    if (!trace->number[file]) {
        trace->file = iol__arena_grow(&page->arena, trace->file, trace->n_files, sizeof *trace->file);
        trace->file[trace->n_files++] = (uint32_t)file;
        trace->number[file] = (uint32_t)trace->n_files;
    }
    return trace->number[file] - 1;
}

static void page_trace_give_up(iol__page_tracing *trace) {
    free(trace->request);
    trace->request = NULL;
    trace->kept = trace->room = 0;
}

static bool make_page_trace_room(iol__page *page) {
    iol__page_tracing *trace = &page->trace;
    if (!IOL_GROW(trace->request, trace->room, trace->kept)) longjmp(page->exhausted, 1);
    return true;
}

static void page_trace_keep(iol__page *page, const iol__page_request *request) {
    iol__page_tracing *trace = &page->trace;
    if (trace->seen > page->options.requests) {
        page_trace_give_up(trace);
    } else if (make_page_trace_room(page)) {
        trace->request[trace->kept++] = *request;
    }
}

static void note_page_trace_host(iol__page *page, const char *host) {
    iol__page_tracing *trace = &page->trace;
    size_t length = strlen(host);
    if (!length || trace->n_hosts >= MOST_HOSTS) return;
    size_t before = trace->host_ids.count;
    if (iol__idmap_add(&trace->host_ids, iol_name_id(host, length)) != before || trace->host_ids.count == before)
        return;
    trace->hosts = iol__arena_grow(&page->arena, trace->hosts, trace->n_hosts, sizeof *trace->hosts);
    trace->hosts[trace->n_hosts++] = iol__arena_copy(&page->arena, host);
}

void iol__page_trace_visit(iol__page *page, iol_records *records, const iol_record *record) {
    iol__page_tracing *trace = &page->trace;
    const iol__facts_file *file = iol__facts_find(page->facts, record->id);
    iol_trace head;
    if (!trace->bins || !file || record->rank < 0 || record->rank >= page->ranks.count) return;
    if (iol_record_trace(record, &head) != IOL_OK) return;
    note_page_trace_host(page, head.host);
    int which = record->slot == IOL_SLOT_DXT_MPIIO;
    size_t row = (size_t)(record->rank / trace->rows.per_row);
    uint32_t number = page_trace_number_of(page, (size_t)(file - page->facts->file));
    iol_segment segments[CHUNK];
    size_t got;
    for (uint64_t at = 0; iol_records_segments(records, segments, CHUNK, &got) == IOL_OK && got; at += got) {
        for (size_t i = 0; i < got; i++) {
            const iol_segment *s = &segments[i];
            int direction = at + i < head.writes ? IOL_WRITE : IOL_READ;
            if (!page_trace_sensible(s)) continue;
            add_to_grid(trace, &trace->grid[which], direction, row, s);
            trace->seen++;
            page_trace_keep(page, &(iol__page_request){.start = s->start,
                                                       .duration = s->end - s->start,
                                                       .offset = (double)s->offset,
                                                       .length = (double)s->length,
                                                       .rank = (uint32_t)record->rank,
                                                       .file = number,
                                                       .kind = (uint8_t)((direction == IOL_WRITE) | which << 1)});
        }
    }
}

/* Sorting ------------------------------------------------------------------------------------------------------ */

/* Seconds in one tick: fine enough for any clock, coarse enough that the whole run fits 32 bits. */
static double page_trace_tick_of(const iol__page_tracing *trace) {
    double end = 0, tick = 1e-9;
    for (size_t i = 0; i < trace->kept; i++) {
        const iol__page_request *r = &trace->request[i];
        if (r->start > end) end = r->start;
        if (r->duration > end) end = r->duration;
    }
    while (end / tick > 4294967294.0) tick *= 10;
    return tick;
}

static uint32_t ticks(double seconds, double tick) {
    double n = seconds / tick + 0.5;
    return n < 4294967295.0 ? (uint32_t)n : UINT32_MAX;
}

/* By start, stable, so that requests of one instant keep the order of the log: sorted by bytes of the tick, lowest
   first. Comparing would take several times as long for a million of them. */
static void sort_by_start(iol__page *page) {
    iol__page_tracing *trace = &page->trace;
    double tick = page_trace_tick_of(trace);
    size_t n = trace->kept;
    uint64_t *keys = malloc(2 * (n + 1) * sizeof *keys), *other = keys ? keys + n + 1 : NULL;
    iol__page_request *sorted = malloc((n + 1) * sizeof *sorted);
    if (!keys || !sorted) {
        free(keys);
        free(sorted);
        longjmp(page->exhausted, 1);
    }
    for (size_t i = 0; i < n; i++) keys[i] = (uint64_t)ticks(trace->request[i].start, tick) << 32 | i;
    uint64_t *from = keys, *to = other;
    for (int shift = 32; shift < 64; shift += 8) {
        size_t place[257] = {0};
        for (size_t i = 0; i < n; i++) place[(from[i] >> shift & 255) + 1]++;
        for (int b = 0; b < 256; b++) place[b + 1] += place[b];
        for (size_t i = 0; i < n; i++) to[place[from[i] >> shift & 255]++] = from[i];
        uint64_t *swap = from;
        from = to;
        to = swap;
    }
    for (size_t i = 0; i < n; i++) sorted[i] = trace->request[(uint32_t)from[i]];
    free(keys);
    free(trace->request);
    trace->request = sorted;
    trace->room = n + 1;
}

void iol__page_trace_finish(iol__page *page) {
    if (page->trace.kept) sort_by_start(page);
}

const iol__page_grid *iol__page_trace_complete(const iol__page *page, int slot, double reads, double writes) {
    int which = slot == IOL_SLOT_POSIX ? 0 : slot == IOL_SLOT_MPIIO ? 1 : -1;
    if (which < 0) return NULL;
    const iol__page_grid *grid = &page->trace.grid[which];
    double counted[IOL_DIRECTIONS] = {0};
    for (int direction = 0; direction < IOL_DIRECTIONS; direction++)
        for (int b = 0; b < IOL_SIZE_BUCKETS; b++) counted[direction] += grid->bin_count[direction][b];
    return grid->requests && counted[IOL_READ] == reads && counted[IOL_WRITE] == writes ? grid : NULL;
}

/* The columns -------------------------------------------------------------------------------------------------- */

static void align(iol__out *out, size_t start) {
    while ((out->length - start) % 8) iol__out_char(out, 0);
}

static void put_u32(iol__out *out, uint32_t value) {
    const uint8_t bytes[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16), (uint8_t)(value >> 24)};
    iol__out_bytes(out, bytes, sizeof bytes);
}

static void put_page_trace_f64(iol__out *out, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_u32(out, (uint32_t)bits);
    put_u32(out, (uint32_t)(bits >> 32));
}

#define COLUMN(put, expression)                          \
    for (size_t i = 0; i < trace->kept; i++) {           \
        const iol__page_request *r = &trace->request[i]; \
        put(out, expression);                            \
    }                                                    \
    align(out, start)

bool iol__page_trace(const iol__page *page, iol__out *out) {
    const iol__page_tracing *trace = &page->trace;
    if (!trace->kept) return false;
    double tick = page_trace_tick_of(trace);
    size_t start = out->length;
    COLUMN(put_u32, ticks(r->start, tick));
    COLUMN(put_u32, ticks(r->duration, tick));
    COLUMN(put_page_trace_f64, r->offset);
    COLUMN(put_page_trace_f64, r->length);
    COLUMN(put_u32, r->rank);
    COLUMN(put_u32, r->file);
    COLUMN(iol__out_char, (char)r->kind);
    return true;
}

iol__page_timeline iol__page_timeline_of(const iol__page *page) {
    const iol__page_tracing *t = &page->trace;
    return (iol__page_timeline){.requests = t->seen, .embedded = t->kept, .bins = t->bins, .bin_width = t->width};
}

/* The document ------------------------------------------------------------------------------------------------- */

static void write_page_trace_cells(iol__json *json, const char *key, const iol__page_tracing *trace,
                                   const iol__page_grid *grid, int direction) {
    size_t cells = trace->rows.count * trace->bins;
    const double *bytes = grid->bytes[direction], *busy = grid->busy[direction], *count = grid->count[direction];
#define CELLS(name, write)                                      \
    iol__page_column(json, name);                               \
    for (size_t i = 0; i < cells; i++)                          \
        if (count[i] > 0 || busy[i] > 0 || bytes[i] > 0) write; \
    iol__page_column_end(json)
    iol__json_put_open(json, key, '{');
    CELLS("row", iol__json_u64(json, i / trace->bins));
    CELLS("bin", iol__json_u64(json, i % trace->bins));
    CELLS("count", iol__json_real(json, count[i]));
    CELLS("bytes", iol__json_real(json, iol__page_five_digits(bytes[i])));
    CELLS("busy", iol__json_real(json, iol__page_rounded(busy[i], 1e6)));
    iol__json_close(json, '}');
#undef CELLS
}

static void write_binned(iol__json *json, const iol__page_tracing *trace) {
    const iol__page_grid *grid = trace->grid[0].requests ? &trace->grid[0] : &trace->grid[1];
    iol__json_put_open(json, "binned", '{');
    iol__json_put_text(json, "module", grid == &trace->grid[0] ? "POSIX" : "MPI-IO");
    iol__json_put_u64(json, "bins", trace->bins);
    iol__json_put_real(json, "bin_width", trace->width);
    iol__json_put_u64(json, "rows", trace->rows.count);
    iol__json_put_i64(json, "per_row", trace->rows.per_row);
    write_page_trace_cells(json, "read", trace, grid, IOL_READ);
    write_page_trace_cells(json, "write", trace, grid, IOL_WRITE);
    iol__json_close(json, '}');
}

static void write_files(iol__json *json, const iol__page *page) {
    const iol__page_tracing *trace = &page->trace;
    size_t n = trace->n_files < MOST_FILES ? trace->n_files : MOST_FILES;
    iol__json_put_open(json, "files", '[');
    for (size_t i = 0; i < n; i++) iol__json_i64(json, page->row[trace->file[i]]);
    iol__json_close(json, ']');
    iol__json_put_open(json, "names", '[');
    for (size_t i = 0; i < n; i++) iol__json_text(json, page->names[trace->file[i]]);
    iol__json_close(json, ']');
}

void iol__page_trace_write(iol__json *json, const iol__page *page) {
    static const char *const columns[] = {"start:u32", "duration:u32", "offset:f64", "length:f64",
                                          "rank:u32",  "file:u32",     "kind:u8"};
    const iol__page_tracing *trace = &page->trace;
    if (!trace->seen) return;
    iol__json_put_open(json, "trace", '{');
    iol__json_put_u64(json, "requests", trace->seen);
    iol__json_put_u64(json, "embedded", trace->kept);
    iol__json_put_open(json, "modules", '[');
    if (trace->grid[0].requests) iol__json_text(json, "POSIX");
    if (trace->grid[1].requests) iol__json_text(json, "MPI-IO");
    iol__json_close(json, ']');
    write_files(json, page);
    iol__json_put_real(json, "tick", page_trace_tick_of(trace));
    iol__json_put_open(json, "hosts", '[');
    for (size_t i = 0; i < trace->n_hosts; i++) iol__json_text(json, trace->hosts[i]);
    iol__json_close(json, ']');
    iol__json_put_open(json, "columns", '[');
    for (size_t i = 0; i < IOL_COUNT(columns); i++) iol__json_text(json, columns[i]);
    iol__json_close(json, ']');
    write_binned(json, trace);
    iol__json_close(json, '}');
}
