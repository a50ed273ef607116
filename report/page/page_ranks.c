/* Ranks: what each did in files of its own, when its calls began and ended, and who stands out. Records of all ranks
   together name no rank, so the part of the time that has one is given with it. */
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "record/record.h"
#include "report/page/page_internal.h"

#include "base/order.h"

enum { MOST_ROWS = 1024, MOST_OUTLIERS = 20, MOST_SPANS = 200 };

iol__page_rows iol__page_rows_of(int64_t ranks, size_t most) {
    iol__page_rows rows = {.per_row = 1};
    if (ranks < 1) ranks = 1;
    if ((uint64_t)ranks > most) rows.per_row = (ranks + (int64_t)most - 1) / (int64_t)most;
    rows.count = (size_t)((ranks + rows.per_row - 1) / rows.per_row);
    return rows;
}

void iol__page_ranks_start(iol__page *page) {
    const iol__facts *facts = page->facts;
    iol__page_ranks *ranks = &page->ranks;
    for (int l = 0; l < IOL_LAYERS; l++)
        if (facts->ranks[l].count > ranks->known) ranks->known = facts->ranks[l].count;
    ranks->rank = iol__page_alloc(page, ranks->known + 1, sizeof *ranks->rank);
    ranks->count = facts->processes;
    if (ranks->count < (int64_t)ranks->known) ranks->count = (int64_t)ranks->known;
}

/* Where the first and last calls of a module are; -1: it has none. */
typedef struct stamps {
    int slot;
    int16_t first[IOL_DIRECTIONS], last[IOL_DIRECTIONS];
} stamps;

#define STAMPS(p)                                                                              \
    {                                                                                          \
        IOL_SLOT_##p, {IOL_##p##_F_READ_START_TIMESTAMP, IOL_##p##_F_WRITE_START_TIMESTAMP}, { \
            IOL_##p##_F_READ_END_TIMESTAMP, IOL_##p##_F_WRITE_END_TIMESTAMP                    \
        }                                                                                      \
    }
static const stamps stamps_of[] = {STAMPS(MPIIO), STAMPS(POSIX), STAMPS(STDIO), STAMPS(DFS), STAMPS(DAOS)};

static int page_ranks_layer_of(int slot) {
    for (int l = 0; l < IOL_LAYERS; l++)
        if (iol__facts_slots[l] == slot) return l;
    return -1;
}

static void add_spans(iol__page_rank *rank, const iol_record *record, int layer) {
    const stamps *s = &stamps_of[layer];
    for (int direction = 0; direction < IOL_DIRECTIONS; direction++) {
        double first = iol__sane(record->reals[s->first[direction]]),
               last = iol__sane(record->reals[s->last[direction]]);
        if (first > 0 && (rank->first[direction] == 0 || first < rank->first[direction]))
            rank->first[direction] = first;
        if (last > rank->last[direction]) rank->last[direction] = last;
    }
}

/* Which files a rank used, and when. Sums are among the figures of the job. */
void iol__page_ranks_visit(iol__page *page, const iol_record *record) {
    int layer = page_ranks_layer_of(record->slot);
    if (layer < 0) return;
    const iol__facts_file *file = iol__facts_find(page->facts, record->id);
    if (layer == IOL_LAYER_POSIX && file && file->layer[IOL_LAYER_MPIIO]) return;
    if (record->rank < 0 || (uint64_t)record->rank >= page->ranks.known) return;
    iol__page_rank *rank = &page->ranks.rank[record->rank];
    rank->files++;
    add_spans(rank, record, layer);
}

void iol__page_ranks_finish(iol__page *page) {
    const iol__figures *figures = &page->summary.figures;
    page->ranks.all_time = figures->value[IOL_FIGURE_call_time];
    for (size_t i = 0; i < page->ranks.known && i < figures->n_ranks; i++) {
        const double *v = figures->rank[i].value;
        iol__page_rank *rank = &page->ranks.rank[i];
        rank->time[IOL_READ] = v[IOL_FIGURE_read_time];
        rank->time[IOL_WRITE] = v[IOL_FIGURE_write_time];
        rank->meta_time = v[IOL_FIGURE_meta_time];
        rank->bytes[IOL_READ] = v[IOL_FIGURE_bytes_read];
        rank->bytes[IOL_WRITE] = v[IOL_FIGURE_bytes_written];
        rank->ops = v[IOL_FIGURE_reads] + v[IOL_FIGURE_writes];
        page->ranks.own_time += figures->rank_time[i];
    }
}

/* The distribution --------------------------------------------------------------------------------------------- */

static double page_ranks_time_of(const iol__page_rank *rank) {
    return rank->time[IOL_READ] + rank->time[IOL_WRITE] + rank->meta_time;
}
static double page_ranks_bytes_of(const iol__page_rank *rank) { return rank->bytes[IOL_READ] + rank->bytes[IOL_WRITE]; }

enum { BOX = 5 };

/* Smallest, quartiles, largest over all ranks of the job; those without a record did nothing. */
static bool box_of(const iol__page_ranks *ranks, double (*value)(const iol__page_rank *), double box[BOX]) {
    double *sorted = malloc((ranks->known + 1) * sizeof *sorted);
    if (!sorted) return false;
    for (size_t i = 0; i < ranks->known; i++) sorted[i] = value(&ranks->rank[i]);
    qsort(sorted, ranks->known, sizeof *sorted, iol__by_value);
    double zeros = (double)ranks->count - (double)ranks->known;
    for (int q = 0; q < BOX; q++) {
        double place = (double)q / (BOX - 1) * ((double)ranks->count - 1) - zeros;
        double below = floor(place), part = place - below;
        double low = below < 0 || !ranks->known ? 0 : sorted[(size_t)below];
        double high = below + 1 < 0 || !ranks->known       ? 0
                      : (size_t)(below + 1) < ranks->known ? sorted[(size_t)(below + 1)]
                                                           : low;
        box[q] = low + part * (high - low);
    }
    free(sorted);
    return true;
}

static void write_box(iol__json *json, const char *key, const double box[BOX]) {
    iol__json_put_open(json, key, '[');
    for (int q = 0; q < BOX; q++) iol__json_real(json, box[q]);
    iol__json_close(json, ']');
}

/* How far a rank is above what the box calls usual, in boxes; 0 if it is not. */
static double beyond(double value, const double box[BOX]) {
    double width = box[3] - box[1], limit = box[3] + 1.5 * width;
    if (!(value > limit) || !(value > 1.2 * box[2])) return 0;
    return width > 0 ? (value - box[3]) / width : value;
}

typedef struct outlier {
    size_t rank;
    double far;
    bool slow;
} outlier;

static int by_distance(const void *a, const void *b) {
    const outlier *x = a, *y = b;
    if (x->far != y->far) return x->far > y->far ? -1 : 1;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

/* A rank that prints a line is longer in I/O than all others, and nobody waits for it: what counts is a part of the run. */
static size_t find_outliers(const iol__page *page, const iol__page_ranks *ranks, const double time[BOX],
                            const double bytes[BOX], outlier *list) {
    const double least = 0.001 * fmax(0, page->facts->run_time),
                 moved = 0.01 * page->diagnosis->bytes_written + 0.01 * page->diagnosis->bytes_read;
    size_t n = 0;
    for (size_t i = 0; i < ranks->known; i++) {
        const double own = page_ranks_time_of(&ranks->rank[i]), data = page_ranks_bytes_of(&ranks->rank[i]);
        double slow = own - time[2] < least ? 0 : beyond(own, time), much = data < moved ? 0 : beyond(data, bytes);
        if (slow > 0 || much > 0) list[n++] = (outlier){i, slow > 0 ? slow : much, slow > 0};
    }
    qsort(list, n, sizeof *list, by_distance);
    return n < MOST_OUTLIERS ? n : MOST_OUTLIERS;
}

static void write_outliers(iol__json *json, const iol__page *page, const iol__page_ranks *ranks, const double time[BOX],
                           const double bytes[BOX]) {
    outlier *list = malloc((ranks->known + 1) * sizeof *list);
    size_t n = list ? find_outliers(page, ranks, time, bytes, list) : 0;
    iol__json_put_open(json, "outliers", '[');
    for (size_t i = 0; i < n; i++) {
        const iol__page_rank *rank = &ranks->rank[list[i].rank];
        iol__json_open(json, '{');
        iol__json_put_u64(json, "rank", list[i].rank);
        iol__json_put_real(json, "time", page_ranks_time_of(rank));
        iol__json_put_real(json, "bytes", page_ranks_bytes_of(rank));
        iol__json_put_text(json, "why",
                           list[i].slow ? "spends much more time in I/O than the other ranks"
                                        : "moves many more bytes than the other ranks");
        iol__json_close(json, '}');
    }
    iol__json_close(json, ']');
    free(list);
}

/* Rows --------------------------------------------------------------------------------------------------------- */

/* Ranks of one row added up. */
typedef struct page_ranks_row {
    double first, last;
    double read_time, write_time, meta_time, time, time_max;
    double bytes_read, bytes_written, ops, files;
} page_ranks_row;

static page_ranks_row row_of(const iol__page_ranks *ranks, int64_t first, int64_t last) {
    page_ranks_row r = {.first = (double)first, .last = (double)last};
    for (int64_t i = first; i <= last && i < (int64_t)ranks->known; i++) {
        const iol__page_rank *rank = &ranks->rank[i];
        double time = page_ranks_time_of(rank);
        r.read_time += rank->time[IOL_READ];
        r.write_time += rank->time[IOL_WRITE];
        r.meta_time += rank->meta_time;
        r.time += time;
        if (time > r.time_max) r.time_max = time;
        r.bytes_read += rank->bytes[IOL_READ];
        r.bytes_written += rank->bytes[IOL_WRITE];
        r.ops += rank->ops;
        r.files += rank->files;
    }
    return r;
}

static const struct {
    const char *key;
    size_t offset;
    bool time;
} row_columns[] = {
    {"first", offsetof(page_ranks_row, first), false},
    {"last", offsetof(page_ranks_row, last), false},
    {"read_time", offsetof(page_ranks_row, read_time), true},
    {"write_time", offsetof(page_ranks_row, write_time), true},
    {"meta_time", offsetof(page_ranks_row, meta_time), true},
    {"time", offsetof(page_ranks_row, time), true},
    {"time_max", offsetof(page_ranks_row, time_max), true},
    {"bytes_read", offsetof(page_ranks_row, bytes_read), false},
    {"bytes_written", offsetof(page_ranks_row, bytes_written), false},
    {"ops", offsetof(page_ranks_row, ops), false},
    {"files", offsetof(page_ranks_row, files), false},
};

void iol__page_ranks_write(iol__json *json, const iol__page *page) {
    const iol__page_ranks *ranks = &page->ranks;
    iol__page_rows rows = iol__page_rows_of(ranks->count, MOST_ROWS);
    if (!ranks->known) rows.count = 0; /* all ranks together is all that the log has */
    page_ranks_row list[MOST_ROWS];
    for (size_t i = 0; i < rows.count; i++) {
        int64_t first = (int64_t)i * rows.per_row, last = first + rows.per_row - 1;
        list[i] = row_of(ranks, first, last < ranks->count ? last : ranks->count - 1);
    }
    iol__json_put_open(json, "ranks", '{');
    iol__json_put_i64(json, "count", ranks->count);
    iol__json_put_i64(json, "per_row", rows.per_row);
    iol__json_put_u64(json, "rows", rows.count);
    iol__json_put_open(json, "columns", '{');
    for (size_t c = 0; c < IOL_COUNT(row_columns); c++) {
        const void *first = (const char *)list + row_columns[c].offset;
        (row_columns[c].time ? iol__page_times : iol__page_doubles)(json, row_columns[c].key, first, rows.count,
                                                                    sizeof *list);
    }
    iol__json_close(json, '}');
    double time[BOX], bytes[BOX];
    if (ranks->known && box_of(ranks, page_ranks_time_of, time) && box_of(ranks, page_ranks_bytes_of, bytes)) {
        iol__json_put_open(json, "box", '{');
        write_box(json, "time", time);
        write_box(json, "bytes", bytes);
        iol__json_close(json, '}');
        write_outliers(json, page, ranks, time, bytes);
    }
    iol__json_put_real(json, "attributed_share", ranks->all_time > 0 ? ranks->own_time / ranks->all_time : NAN);
    iol__json_close(json, '}');
}

/* Spans -------------------------------------------------------------------------------------------------------- */

typedef struct page_ranks_span {
    double rank_first, rank_last, t0, t1;
} page_ranks_span;

static size_t spans_of(const iol__page_ranks *ranks, int direction, iol__page_rows rows, page_ranks_span *list) {
    size_t n = 0;
    for (size_t i = 0; i < rows.count; i++) {
        int64_t first = (int64_t)i * rows.per_row, last = first + rows.per_row - 1;
        page_ranks_span s = {.rank_first = (double)first, .t0 = INFINITY};
        for (int64_t k = first; k <= last && k < (int64_t)ranks->known; k++) {
            const iol__page_rank *rank = &ranks->rank[k];
            if (rank->last[direction] <= 0) continue;
            if (rank->first[direction] < s.t0) s.t0 = rank->first[direction];
            if (rank->last[direction] > s.t1) s.t1 = rank->last[direction];
        }
        s.rank_last = (double)(last < ranks->count ? last : ranks->count - 1);
        if (s.t1 > 0) list[n++] = s;
    }
    return n;
}

static void write_spans(iol__json *json, const char *key, const iol__page_ranks *ranks, int direction) {
    page_ranks_span list[MOST_ROWS];
    size_t n = spans_of(ranks, direction, iol__page_rows_of(ranks->count, MOST_ROWS), list);
    iol__page_table(json, key, n);
    iol__page_doubles(json, "rank_first", &list[0].rank_first, n, sizeof *list);
    iol__page_doubles(json, "rank_last", &list[0].rank_last, n, sizeof *list);
    iol__page_times(json, "t0", &list[0].t0, n, sizeof *list);
    iol__page_times(json, "t1", &list[0].t1, n, sizeof *list);
    iol__page_table_end(json);
}

typedef struct shared_span {
    double file, times[2 * IOL_DIRECTIONS];
} shared_span;

/* Shared files, most costly first. */
static size_t shared_of(const iol__page *page, shared_span list[MOST_SPANS]) {
    size_t n = 0;
    for (size_t i = 0; i < page->shown && n < MOST_SPANS; i++) {
        const iol__facts_use *top = iol__facts_top(&page->facts->file[page->order[i]], NULL);
        if (!top || iol__facts_sharing_of(top) == IOL_SHARING_UNIQUE) continue;
        shared_span s = {.file = (double)i};
        bool any = false;
        for (int direction = 0; direction < IOL_DIRECTIONS; direction++) {
            bool used = top->direction[direction]->last > 0;
            s.times[2 * direction] = used ? top->direction[direction]->first : NAN;
            s.times[2 * direction + 1] = used ? top->direction[direction]->last : NAN;
            any |= used;
        }
        if (any) list[n++] = s;
    }
    return n;
}

void iol__page_spans_write(iol__json *json, const iol__page *page) {
    static const char *const keys[] = {"read_t0", "read_t1", "write_t0", "write_t1"};
    shared_span list[MOST_SPANS];
    size_t n = shared_of(page, list);
    iol__json_put_open(json, "spans", '{');
    write_spans(json, "reads", &page->ranks, IOL_READ);
    write_spans(json, "writes", &page->ranks, IOL_WRITE);
    iol__page_table(json, "shared", n);
    iol__page_doubles(json, "file", &list[0].file, n, sizeof *list);
    for (int k = 0; k < 2 * IOL_DIRECTIONS; k++) iol__page_times(json, keys[k], &list[0].times[k], n, sizeof *list);
    iol__page_table_end(json);
    iol__json_close(json, '}');
}
