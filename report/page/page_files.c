/* The table of files, most costly first. Of a job with very many files the cheap ones are counted together. */
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "log/read/log_internal.h"
#include "report/page/page_internal.h"
#include "text/text.h"

static const char *const layer_names[] = {"MPI-IO", "POSIX", "STDIO", "HDF5", "PNETCDF", "DFS", "DAOS"};

/* What to sort by: a file costs what its slowest rank spent in it; where there are no times, its bytes decide. */
typedef struct rank_of_file {
    double time, bytes;
    uint32_t file;
} rank_of_file;

static int page_files_by_cost(const void *a, const void *b) {
    const rank_of_file *x = a, *y = b;
    if (x->time != y->time) return x->time > y->time ? -1 : 1;
    if (x->bytes != y->bytes) return x->bytes > y->bytes ? -1 : 1;
    return (x->file > y->file) - (x->file < y->file);
}

static const iol__facts_use *top_of(const iol__facts_file *file) {
    const iol__facts_use *top = iol__facts_top(file, NULL);
    return top ? top : &iol__facts_unused;
}

static int32_t mount_index(const iol__page *page, const char *name) {
    const size_t i = iol__mount_index(page->log, name);
    return i < iol_log_mount_count(page->log) ? (int32_t)i : -1;
}

void iol__page_files_make(iol__page *page) {
    const iol__facts *facts = page->facts;
    size_t n = facts->n_files;
    page->names = page->diagnosis->names;
    page->mount = iol__page_alloc(page, n + 1, sizeof *page->mount);
    page->row = iol__page_alloc(page, n + 1, sizeof *page->row);
    rank_of_file *list = iol__page_alloc(page, n + 1, sizeof *list);
    for (size_t i = 0; i < n; i++) {
        const double bytes =
            iol__facts_file_bytes(&facts->file[i], IOL_READ) + iol__facts_file_bytes(&facts->file[i], IOL_WRITE);
        page->mount[i] = mount_index(page, page->names[i]);
        page->row[i] = -1;
        list[i] = (rank_of_file){iol__facts_file_slowest(&facts->file[i]), bytes, (uint32_t)i};
    }
    qsort(list, n, sizeof *list, page_files_by_cost);
    page->shown = n < page->options.files ? n : page->options.files;
    page->order = iol__page_alloc(page, page->shown + 1, sizeof *page->order);
    for (size_t i = 0; i < page->shown; i++) {
        page->order[i] = list[i].file;
        page->row[list[i].file] = (int64_t)i;
    }
}

/* Columns ------------------------------------------------------------------------------------------------------ */

static const iol__facts_file *page_files_file_at(const iol__page *page, size_t row) {
    return &page->facts->file[page->order[row]];
}

static double layers_of(const iol__facts_file *file) {
    const bool has[] = {file->layer[IOL_LAYER_MPIIO],
                        file->layer[IOL_LAYER_POSIX],
                        file->layer[IOL_LAYER_STDIO],
                        file->hdf5,
                        file->pnetcdf,
                        file->layer[IOL_LAYER_DFS],
                        file->layer[IOL_LAYER_DAOS]};
    unsigned mask = 0;
    for (unsigned i = 0; i < IOL_COUNT(has); i++) mask |= (unsigned)has[i] << i;
    return mask;
}

typedef enum page_files_call { OPENS, STATS, SEEKS, SYNCS } page_files_call;

/* MPI-IO has few of these calls; what reached the file system says more. */
static double page_files_calls_of(const iol__facts_file *file, page_files_call which) {
    double all = 0;
    for (int l = 0; l < IOL_LAYERS; l++) {
        if (!iol__page_is_base(file, (iol__facts_layer)l)) continue;
        const iol__facts_use *use = file->layer[l];
        const int64_t counts[] = {
            [OPENS] = use->opens, [STATS] = use->stats, [SEEKS] = use->seeks, [SYNCS] = use->syncs};
        all += (double)counts[which];
    }
    return all;
}

static double max_byte_of(const iol__facts_file *file) {
    int64_t most = -1;
    for (int l = 0; l < IOL_LAYERS; l++)
        for (int direction = 0; direction < IOL_DIRECTIONS; direction++) {
            int64_t byte = iol__facts_layer_of(file, (iol__facts_layer)l)->direction[direction]->max_byte;
            if (byte == IOL_EXTENT_UNKNOWN) return -1;
            if (file->layer[l] && byte > most) most = byte;
        }
    return (double)most;
}

/* Of the I/O time that the page shows: with threads, no more than the run time. */
static double page_files_share_of(const iol__page *page, double time) {
    double all = page->diagnosis->io_time;
    return all > 0 ? fmin(1, time / all) : NAN;
}

static double reads_of(const iol__facts_use *use) { return (double)use->direction[IOL_READ]->ops; }
static double writes_of(const iol__facts_use *use) { return (double)use->direction[IOL_WRITE]->ops; }
static double read_time_of(const iol__facts_use *use) { return use->direction[IOL_READ]->time; }
static double write_time_of(const iol__facts_use *use) { return use->direction[IOL_WRITE]->time; }
static double meta_time_of(const iol__facts_use *use) { return use->meta_time; }

static double page_files_small_of(const iol__facts_use *use) {
    return (double)use->direction[IOL_READ]->below_mib + (double)use->direction[IOL_WRITE]->below_mib;
}

static double page_files_mean_of(double bytes, double calls) { return calls > 0 ? bytes / calls : NAN; }

static double first_of(const iol__facts_use *use) {
    double first = use->first_open > 0 ? use->first_open : INFINITY;
    for (int direction = 0; direction < IOL_DIRECTIONS; direction++)
        if (use->direction[direction]->first > 0 && use->direction[direction]->first < first)
            first = use->direction[direction]->first;
    return isfinite(first) ? first : NAN;
}

static double page_files_last_of(const iol__facts_use *use) {
    double last = use->last_close;
    for (int direction = 0; direction < IOL_DIRECTIONS; direction++)
        if (use->direction[direction]->last > last) last = use->direction[direction]->last;
    return last > 0 ? last : NAN;
}

/* The least, or the most, of what is known in the layers that count. */
static double time_at_end(const iol__facts_file *file, bool last) {
    double found = NAN;
    for (int l = 0; l < IOL_LAYERS; l++) {
        if (!iol__facts_counts(file, l)) continue;
        found = last ? fmax(found, page_files_last_of(file->layer[l])) : fmin(found, first_of(file->layer[l]));
    }
    return found;
}

static double page_files_stripes_of(const iol__facts_file *file, bool size) {
    if (!file->lustre || !file->lustre->components) return NAN;
    const iol__facts_stripes *s = &file->lustre->stripes[0];
    return (double)(size ? s->size : s->count);
}

static double above_zero(double value) { return value >= 0 ? value : NAN; }

/* One table says what the columns are; `number` is asked for each row. */
typedef double (*number)(const iol__page *page, const iol__facts_file *file, const iol__facts_use *top);

#define COLUMN(name, value)                                                                                      \
    static double column_##name(const iol__page *page, const iol__facts_file *file, const iol__facts_use *top) { \
        (void)page, (void)file, (void)top;                                                                       \
        return value;                                                                                            \
    }
COLUMN(mount, (double)page->mount[file - page->facts->file])
COLUMN(layers, layers_of(file))
COLUMN(sharing, (double)iol__facts_file_sharing(file))
COLUMN(ranks, (double)iol__facts_rank_count(page->facts, top))
COLUMN(bytes_read, iol__facts_file_bytes(file, IOL_READ))
COLUMN(bytes_written, iol__facts_file_bytes(file, IOL_WRITE))
COLUMN(reads, iol__facts_over_layers(file, reads_of))
COLUMN(writes, iol__facts_over_layers(file, writes_of))
COLUMN(opens, page_files_calls_of(file, OPENS))
COLUMN(stats, page_files_calls_of(file, STATS))
COLUMN(seeks, page_files_calls_of(file, SEEKS))
COLUMN(syncs, page_files_calls_of(file, SYNCS))
COLUMN(read_time, iol__facts_over_layers(file, read_time_of))
COLUMN(write_time, iol__facts_over_layers(file, write_time_of))
COLUMN(meta_time, iol__facts_over_layers(file, meta_time_of))
COLUMN(time, iol__facts_file_slowest(file))
COLUMN(share, page_files_share_of(page, iol__facts_file_slowest(file)))
COLUMN(mean_read, page_files_mean_of(iol__facts_file_bytes(file, IOL_READ), iol__facts_over_layers(file, reads_of)))
COLUMN(mean_write, page_files_mean_of(iol__facts_file_bytes(file, IOL_WRITE), iol__facts_over_layers(file, writes_of)))
COLUMN(max_byte, max_byte_of(file))
COLUMN(effective_ranks, above_zero(iol__facts_effective_ranks(page->facts, top)))
COLUMN(stripe_count, page_files_stripes_of(file, false))
COLUMN(stripe_size, page_files_stripes_of(file, true))
COLUMN(first, time_at_end(file, false))
COLUMN(last, time_at_end(file, true))
COLUMN(small, iol__facts_over_layers(file, page_files_small_of))

static const struct {
    const char *key;
    number value;
    int digits; /* 0: all; those of times would be half of the table */
} columns[] = {
    {"mount", column_mount, 0},
    {"layers", column_layers, 0},
    {"sharing", column_sharing, 0},
    {"ranks", column_ranks, 0},
    {"bytes_read", column_bytes_read, 0},
    {"bytes_written", column_bytes_written, 0},
    {"reads", column_reads, 0},
    {"writes", column_writes, 0},
    {"opens", column_opens, 0},
    {"stats", column_stats, 0},
    {"seeks", column_seeks, 0},
    {"syncs", column_syncs, 0},
    {"read_time", column_read_time, 5},
    {"write_time", column_write_time, 5},
    {"meta_time", column_meta_time, 5},
    {"time", column_time, 5},
    {"share", column_share, 4},
    {"mean_read", column_mean_read, 5},
    {"mean_write", column_mean_write, 5},
    {"max_byte", column_max_byte, 0},
    {"effective_ranks", column_effective_ranks, 5},
    {"stripe_count", column_stripe_count, 0},
    {"stripe_size", column_stripe_size, 0},
    {"first", column_first, 6},
    {"last", column_last, 6},
    {"small", column_small, 0},
};

static void write_findings(iol__json *json, const iol__page *page) {
    const iol__diagnosis *d = page->diagnosis;
    const uint64_t **files = calloc(d->n_findings + 1, sizeof *files);
    for (size_t f = 0; files && f < d->n_findings; f++) files[f] = iol__diagnosis_files(d, f);
    iol__page_column(json, "findings");
    for (size_t i = 0; i < page->shown; i++) {
        uint32_t file = page->order[i];
        iol__json_open(json, '[');
        for (size_t f = 0; files && f < d->n_findings; f++)
            if (files[f] && files[f][file / 64] >> (file % 64) & 1) iol__json_u64(json, f);
        iol__json_close(json, ']');
    }
    iol__page_column_end(json);
    free(files);
}

static void write_left_out(iol__json *json, const iol__page *page) {
    double read = 0, written = 0, time = 0;
    for (size_t i = 0; i < page->facts->n_files; i++) {
        if (page->row[i] >= 0) continue;
        read += iol__facts_file_bytes(&page->facts->file[i], IOL_READ);
        written += iol__facts_file_bytes(&page->facts->file[i], IOL_WRITE);
        time += iol__facts_file_slowest(&page->facts->file[i]);
    }
    iol__json_put_open(json, "left_out", '{');
    iol__json_put_u64(json, "files", page->facts->n_files - page->shown);
    iol__json_put_real(json, "bytes_read", read);
    iol__json_put_real(json, "bytes_written", written);
    iol__json_put_real(json, "time", time);
    iol__json_close(json, '}');
}

/* Names that are no UTF-8 are shown with U+FFFD; here are their bytes. */
static void write_hex(iol__json *json, const iol__page *page) {
    static const char digits[] = "0123456789abcdef";
    bool any = false;
    for (size_t i = 0; i < page->shown; i++) {
        const char *name = page->names[page->order[i]];
        if (!name || iol__utf8_valid(name)) continue;
        if (!any) iol__json_put_open(json, "names_hex", '{');
        any = true;
        char id[24];
        *iol__format_u64(id, page_files_file_at(page, i)->id) = 0;
        size_t length = strlen(name);
        char *hex = malloc(2 * length + 1);
        if (!hex) break;
        for (size_t c = 0; c < length; c++) {
            hex[2 * c] = digits[(unsigned char)name[c] >> 4];
            hex[2 * c + 1] = digits[(unsigned char)name[c] & 15];
        }
        hex[2 * length] = 0;
        iol__json_key(json, id);
        iol__json_text(json, hex);
        free(hex);
    }
    if (any) iol__json_close(json, '}');
}

void iol__page_files_write(iol__json *json, const iol__page *page) {
    iol__json_put_open(json, "files", '{');
    iol__json_put_u64(json, "total", page->facts->n_files);
    iol__json_put_u64(json, "rows", page->shown);
    iol__json_put_open(json, "columns", '{');
    iol__page_column(json, "id");
    for (size_t i = 0; i < page->shown; i++) iol__json_id(json, page_files_file_at(page, i)->id);
    iol__page_column_end(json);
    iol__page_column(json, "name");
    for (size_t i = 0; i < page->shown; i++) iol__json_text(json, page->names[page->order[i]]);
    iol__page_column_end(json);
    for (size_t c = 0; c < IOL_COUNT(columns); c++) {
        iol__page_column(json, columns[c].key);
        for (size_t i = 0; i < page->shown; i++) {
            const iol__facts_file *file = page_files_file_at(page, i);
            double value = columns[c].value(page, file, top_of(file));
            iol__json_real(json, columns[c].digits ? iol__page_shortened(value, columns[c].digits) : value);
        }
        iol__page_column_end(json);
    }
    write_findings(json, page);
    iol__json_close(json, '}');
    iol__json_put_open(json, "layer_names", '[');
    for (size_t i = 0; i < IOL_COUNT(layer_names); i++) iol__json_text(json, layer_names[i]);
    iol__json_close(json, ']');
    write_left_out(json, page);
    iol__json_close(json, '}');
    write_hex(json, page);
}

size_t iol__page_files(const iol__page *page, size_t *total) {
    *total = page->facts->n_files;
    return page->shown;
}

iol__page_file iol__page_file_at(const iol__page *page, size_t row) {
    const iol__facts_file *file = page_files_file_at(page, row);
    const iol__facts_use *top = top_of(file);
    return (iol__page_file){.name = page->names[page->order[row]],
                            .id = file->id,
                            .sharing = (int)iol__facts_file_sharing(file),
                            .ranks = iol__facts_rank_count(page->facts, top),
                            .bytes_read = iol__facts_file_bytes(file, IOL_READ),
                            .bytes_written = iol__facts_file_bytes(file, IOL_WRITE),
                            .time = iol__facts_file_slowest(file),
                            .share = page_files_share_of(page, iol__facts_file_slowest(file))};
}
