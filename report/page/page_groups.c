/* Files in groups: by what was done to them, by who did it, and the shared ones by how unevenly. */
#include <stdlib.h>

#include "report/page/page_internal.h"

/* File counts -------------------------------------------------------------------------------------------------- */

typedef enum page_groups_kind { TOTAL, READ_ONLY, WRITE_ONLY, READ_WRITE, CREATED, KINDS } page_groups_kind;
static const char *const kind_names[KINDS] = {"total", "read_only", "write_only", "read_write", "created"};

typedef struct page_groups_group {
    double count, sized, bytes, most; /* sized: those whose size is known */
} page_groups_group;

/* The size of a file as far as it was touched; below 0: not known. MPI-IO, DFS and DAOS do not know offsets, but the
   POSIX record of the same file does. */
static double page_groups_size_of(const iol__facts_file *file) {
    if (!file->layer[IOL_LAYER_POSIX] && !file->layer[IOL_LAYER_STDIO]) return -1;
    int64_t most = -1;
    for (int l = IOL_LAYER_POSIX; l <= IOL_LAYER_STDIO; l++)
        for (int direction = 0; direction < IOL_DIRECTIONS; direction++) {
            int64_t byte = iol__facts_layer_of(file, (iol__facts_layer)l)->direction[direction]->max_byte;
            if (byte == IOL_EXTENT_UNKNOWN) return -1;
            if (file->layer[l] && byte > most) most = byte;
        }
    return (double)most + 1;
}

/* Written, and nothing was read that had not been written before: as near to "created" as a log lets us come. */
static bool looks_created(const iol__facts_use *use) {
    const iol__facts_traffic *read = use->direction[IOL_READ], *write = use->direction[IOL_WRITE];
    if (write->bytes <= 0) return false;
    if (read->bytes <= 0) return true;
    return write->first > 0 && write->first <= read->first && read->max_byte <= write->max_byte;
}

static void count_in(page_groups_group *g, double size) {
    g->count++;
    if (size < 0) return;
    g->sized++;
    g->bytes += size;
    if (size > g->most) g->most = size;
}

static void count_file(page_groups_group groups[KINDS], const iol__facts_file *file, const iol__facts_use *use) {
    double size = page_groups_size_of(file);
    bool read = use->direction[IOL_READ]->bytes > 0, written = use->direction[IOL_WRITE]->bytes > 0;
    count_in(&groups[TOTAL], size);
    if (read && !written) count_in(&groups[READ_ONLY], size);
    if (!read && written) count_in(&groups[WRITE_ONLY], size);
    if (read && written) count_in(&groups[READ_WRITE], size);
    if (looks_created(use)) count_in(&groups[CREATED], size);
}

static void write_counts(iol__json *json, const iol__page *page) {
    iol__json_put_open(json, "file_counts", '[');
    for (int l = 0; l < IOL_LAYERS; l++) {
        page_groups_group groups[KINDS] = {0};
        for (size_t i = 0; i < page->facts->n_files; i++) {
            const iol__facts_file *file = &page->facts->file[i];
            if (file->layer[l]) count_file(groups, file, file->layer[l]);
        }
        if (!(groups[TOTAL].count > 0)) continue;
        iol__json_open(json, '{');
        iol__json_put_text(json, "module", iol__modules[iol__facts_slots[l]].name);
        iol__json_put_open(json, "rows", '[');
        for (int k = 0; k < KINDS; k++) {
            const page_groups_group *g = &groups[k];
            iol__json_open(json, '{');
            iol__json_put_text(json, "kind", kind_names[k]);
            iol__json_put_real(json, "count", g->count);
            iol__json_put_real(json, "mean_bytes", g->sized > 0 ? g->bytes / g->sized : NAN);
            iol__json_put_real(json, "max_bytes", g->sized > 0 ? g->most : NAN);
            iol__json_close(json, '}');
        }
        iol__json_close(json, ']');
        iol__json_close(json, '}');
    }
    iol__json_close(json, ']');
}

/* Mean I/O of a process ------------------------------------------------------------------------------------------ */

enum { META = IOL_DIRECTIONS, OPS };

typedef struct effort {
    double seconds, bytes;
} effort;

static void add_effort(effort sums[OPS], const iol__facts_use *use) {
    for (int direction = 0; direction < IOL_DIRECTIONS; direction++) {
        sums[direction].seconds += use->direction[direction]->time;
        sums[direction].bytes += (double)use->direction[direction]->bytes;
    }
    sums[META].seconds += use->meta_time;
}

static void write_mean(iol__json *json, const iol__page *page) {
    static const char *const kinds[] = {"independent", "shared"}, *const ops[] = {"read", "write", "meta"};
    effort sums[2][OPS] = {0};
    double n = (double)page->facts->processes;
    for (size_t i = 0; i < page->facts->n_files; i++) {
        const iol__facts_file *file = &page->facts->file[i];
        const bool shared = iol__facts_file_sharing(file) != IOL_SHARING_UNIQUE;
        for (int l = 0; l < IOL_LAYERS; l++)
            if (iol__page_is_base(file, (iol__facts_layer)l)) add_effort(sums[shared], file->layer[l]);
    }
    iol__json_put_open(json, "mean_io", '[');
    for (int k = 0; k < 2; k++)
        for (int op = 0; op < OPS; op++) {
            iol__json_open(json, '{');
            iol__json_put_text(json, "kind", kinds[k]);
            iol__json_put_text(json, "op", ops[op]);
            iol__json_put_real(json, "seconds", sums[k][op].seconds / n);
            iol__json_put_real(json, "bytes", op == META ? NAN : sums[k][op].bytes / n);
            iol__json_close(json, '}');
        }
    iol__json_close(json, ']');
}

/* Variance in shared files --------------------------------------------------------------------------------------- */

enum { MOST_VARIANCES = 20 };

typedef struct extreme {
    int64_t rank;
    double time, bytes;
} extreme;

typedef struct page_groups_spread {
    extreme fastest, slowest;
    double sigma_time, sigma_bytes, processes;
} page_groups_spread;

static double sigma(double sum, double squares, double n) {
    double mean = sum / n, variance = squares / n - mean * mean;
    return variance > 0 ? sqrt(variance) : 0;
}

static double root(double variance) { return variance >= 0 && isfinite(variance) ? sqrt(variance) : NAN; }

static bool spread_of(const iol__page *page, const iol__facts_use *use, page_groups_spread *s) {
    const iol__facts_whole *w = use->whole;
    const iol__facts_ranks *r = use->ranks;
    s->processes = (double)iol__facts_rank_count(page->facts, use);
    if (w) {
        s->fastest = (extreme){w->fastest_rank, w->fastest_time, (double)w->fastest_bytes};
        s->slowest = (extreme){w->slowest_rank, w->slowest_time, (double)w->slowest_bytes};
        s->sigma_time = root(w->variance_time);
        s->sigma_bytes = root(w->variance_bytes);
    } else if (r) {
        s->fastest = (extreme){r->fastest_rank, r->fastest_time, (double)r->fastest_bytes};
        s->slowest = (extreme){r->slowest_rank, r->slowest_time, (double)r->slowest_bytes};
        s->sigma_time = sigma(r->time, r->time_squares, use->records);
        s->sigma_bytes = sigma(r->bytes, r->squares, use->records);
    }
    return w || r;
}

static void write_extreme(iol__json *json, const char *key, const extreme *e) {
    iol__json_put_open(json, key, '{');
    iol__json_put_i64(json, "rank", e->rank);
    iol__json_put_real(json, "time", e->time);
    iol__json_put_real(json, "bytes", e->bytes);
    iol__json_close(json, '}');
}

/* The table of files is in the order of the slowest rank's time already. */
static void write_variance(iol__json *json, const iol__page *page) {
    size_t n = 0;
    iol__json_put_open(json, "variance", '[');
    for (size_t i = 0; i < page->shown && n < MOST_VARIANCES; i++) {
        const iol__facts_file *file = &page->facts->file[page->order[i]];
        const iol__facts_use *top = iol__facts_top(file, NULL);
        page_groups_spread s;
        if (!top || !spread_of(page, top, &s)) continue;
        n++;
        iol__json_open(json, '{');
        iol__json_put_id(json, "id", file->id);
        iol__json_put_text(json, "name", page->names[page->order[i]]);
        iol__json_put_real(json, "processes", s.processes);
        write_extreme(json, "fastest", &s.fastest);
        write_extreme(json, "slowest", &s.slowest);
        iol__json_put_real(json, "sigma_time", s.sigma_time);
        iol__json_put_real(json, "sigma_bytes", s.sigma_bytes);
        iol__json_close(json, '}');
    }
    iol__json_close(json, ']');
}

void iol__page_groups_write(iol__json *json, const iol__page *page) {
    write_counts(json, page);
    write_mean(json, page);
    write_variance(json, page);
}
