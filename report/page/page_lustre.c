/* Lustre: how files are striped, and what that means for each storage target. A log has bytes by file, not by target:
   they are spread over the targets of the file in proportion to the part of it that each holds. */
#include <stdlib.h>
#include <string.h>

#include "report/page/page_internal.h"

enum { MOST_LAYOUTS = 20000, MOST_TARGETS = 4096 };

typedef struct page_lustre_target {
    int64_t ost;
    double files, bytes, io_time;
    size_t last_file; /* + 1: so that a file counts once */
} page_lustre_target;

typedef struct targets {
    iol__idmap ids;
    page_lustre_target *list;
} targets;

static page_lustre_target *target_of(targets *t, int64_t ost) {
    size_t place = iol__idmap_find(&t->ids, (uint64_t)ost);
    if (place == IOL_IDMAP_NONE) {
        if (t->ids.count >= MOST_TARGETS) return NULL;
        place = iol__idmap_add(&t->ids, (uint64_t)ost);
        if (place == IOL_IDMAP_NONE) return NULL;
        t->list[place] = (page_lustre_target){.ost = ost};
    }
    return &t->list[place];
}

/* The part of the file's first `size` bytes that a component holds. */
static double page_lustre_part_of(const iol__facts_stripes *s, double size) {
    double start = s->start > 0 ? (double)s->start : 0, end = s->end < 0 ? INFINITY : (double)s->end;
    return fmax(fmin(size, end) - start, 0);
}

static double page_lustre_size_of(const iol__facts_file *file) {
    double size = 0;
    for (int l = IOL_LAYER_POSIX; l <= IOL_LAYER_STDIO; l++)
        for (int direction = 0; direction < IOL_DIRECTIONS; direction++)
            if (file->layer[l]) size = fmax(size, (double)file->layer[l]->direction[direction]->max_byte + 1);
    return size;
}

static void page_lustre_spread(targets *t, const iol__facts_file *file, size_t number) {
    double bytes = iol__facts_file_bytes(file, IOL_READ) + iol__facts_file_bytes(file, IOL_WRITE);
    double time = iol__sane(iol__facts_file_time(file)), size = page_lustre_size_of(file), whole = 0;
    for (uint32_t c = 0; c < file->lustre->components; c++)
        whole += page_lustre_part_of(&file->lustre->stripes[c], size);
    for (uint32_t c = 0; c < file->lustre->components; c++) {
        const iol__facts_stripes *s = &file->lustre->stripes[c];
        double part = whole > 0 ? page_lustre_part_of(s, size) / whole : c == 0;
        for (int64_t i = 0; i < s->count; i++) {
            page_lustre_target *mine = target_of(t, s->osts[i]);
            if (!mine) continue;
            mine->files += mine->last_file != number + 1;
            mine->last_file = number + 1;
            mine->bytes += bytes * part / (double)s->count;
            mine->io_time += time * part / (double)s->count;
        }
    }
}

static int page_lustre_by_number(const void *a, const void *b) {
    const page_lustre_target *x = a, *y = b;
    return (x->ost > y->ost) - (x->ost < y->ost);
}

/* In the order of their numbers, found there from now on. */
static void sort_targets(targets *t, size_t n) {
    qsort(t->list, n, sizeof *t->list, page_lustre_by_number);
    iol__idmap_free(&t->ids);
    t->ids = (iol__idmap){0};
    for (size_t i = 0; i < n; i++) {
        iol__idmap_add(&t->ids, (uint64_t)t->list[i].ost);
        t->list[i].last_file = 0;
    }
}

/* How long files took on each target and on each server ------------------------------------------------------------ */

enum { MOST_SAMPLES = 1 << 20, FIVE = 5 };

/* A file on a target, or on a server: it counts in each. */
typedef struct sample {
    size_t group;
    double time;
} sample;

static int page_lustre_by_group(const void *a, const void *b) {
    const sample *x = a, *y = b;
    if (x->group != y->group) return x->group < y->group ? -1 : 1;
    return (x->time > y->time) - (x->time < y->time);
}

/* One for each file and OST; SIZE_MAX if there are too many to keep. */
static size_t page_lustre_gather(const iol__page *page, targets *t, sample *samples) {
    size_t n = 0;
    for (size_t i = 0; i < page->facts->n_files; i++) {
        const iol__facts_file *file = &page->facts->file[i];
        for (uint32_t c = 0; file->lustre && c < file->lustre->components; c++)
            for (int64_t k = 0; k < file->lustre->stripes[c].count; k++) {
                page_lustre_target *mine = target_of(t, file->lustre->stripes[c].osts[k]);
                if (n == MOST_SAMPLES) return SIZE_MAX;
                if (mine && mine->last_file != i + 1)
                    samples[n++] = (sample){(size_t)(mine - t->list), iol__sane(iol__facts_file_time(file))};
                if (mine) mine->last_file = i + 1;
            }
    }
    return n;
}

static double page_lustre_quantile(const sample *sorted, size_t n, double share) {
    double at = (double)(n - 1) * share;
    size_t low = (size_t)at;
    if (low + 1 >= n) return sorted[n - 1].time;
    return sorted[low].time + (sorted[low + 1].time - sorted[low].time) * (at - (double)low);
}

/* Minimum, quartiles and maximum of each group; NAN for one without files. */
static void five_of(sample *samples, size_t n, double (*five)[FIVE], size_t groups) {
    for (size_t i = 0; i < groups; i++)
        for (int k = 0; k < FIVE; k++) five[i][k] = NAN;
    if (n) qsort(samples, n, sizeof *samples, page_lustre_by_group);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i; end < n && samples[end].group == samples[i].group; end++) continue;
        for (int k = 0; k < FIVE && samples[i].group < groups; k++)
            five[samples[i].group][k] = page_lustre_quantile(samples + i, end - i, k / 4.0);
    }
}

static void write_five(iol__json *json, double (*five)[FIVE], size_t n) {
    static const char *const keys[FIVE] = {"time_min", "time_q1", "time_median", "time_q3", "time_max"};
    for (int k = 0; k < FIVE; k++) iol__page_doubles(json, keys[k], n ? &five[0][k] : NULL, n, sizeof *five);
}

/* Where the server of each target is in the list of servers; gives how many there are. */
static size_t number_servers(const iol__page *page, const targets *t, size_t n, const char **names, size_t *number) {
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        const char *name = iol__page_context_oss(page, t->list[i].ost);
        size_t at = 0;
        while (name && at < count && strcmp(names[at], name) != 0) at++;
        if (name && at == count) names[count++] = name;
        number[i] = name ? at : SIZE_MAX;
    }
    return count;
}

static void write_servers(iol__json *json, const iol__page *page, const targets *t, size_t n, sample *samples,
                          size_t n_samples, double (*five)[FIVE]) {
    const char **names = calloc(n + 1, sizeof *names);
    size_t *number = calloc(n + 1, sizeof *number);
    size_t count = names && number ? number_servers(page, t, n, names, number) : 0;
    for (size_t i = 0; number && i < n_samples; i++) samples[i].group = number[samples[i].group];
    five_of(samples, number ? n_samples : 0, five, count);
    iol__page_table(json, "servers", count);
    iol__page_column(json, "oss");
    for (size_t i = 0; i < count; i++) iol__json_text(json, names[i]);
    iol__page_column_end(json);
    write_five(json, five, count);
    iol__page_table_end(json);
    free(names);
    free(number);
}

static void write_targets(iol__json *json, const iol__page *page) {
    targets t = {.list = calloc(MOST_TARGETS, sizeof(page_lustre_target))};
    sample *samples = malloc(MOST_SAMPLES * sizeof *samples);
    double(*five)[FIVE] = calloc(MOST_TARGETS, sizeof *five);
    for (size_t i = 0; t.list && i < page->facts->n_files; i++)
        if (page->facts->file[i].lustre) page_lustre_spread(&t, &page->facts->file[i], i);
    size_t n = t.list ? t.ids.count : 0, n_samples = 0;
    if (t.list) sort_targets(&t, n);
    if (t.list && samples && five) n_samples = page_lustre_gather(page, &t, samples);
    bool known = samples && five && n_samples != SIZE_MAX;
    iol__page_table(json, "osts", n);
    iol__page_column(json, "ost");
    for (size_t i = 0; i < n; i++) iol__json_i64(json, t.list[i].ost);
    iol__page_column_end(json);
    iol__page_column(json, "oss");
    for (size_t i = 0; i < n; i++) iol__json_text(json, iol__page_context_oss(page, t.list[i].ost));
    iol__page_column_end(json);
    iol__page_doubles(json, "files", n ? &t.list[0].files : NULL, n, sizeof *t.list);
    iol__page_doubles(json, "bytes", n ? &t.list[0].bytes : NULL, n, sizeof *t.list);
    iol__page_doubles(json, "io_time", n ? &t.list[0].io_time : NULL, n, sizeof *t.list);
    if (known) five_of(samples, n_samples, five, n);
    if (known) write_five(json, five, n);
    iol__page_table_end(json);
    if (known) write_servers(json, page, &t, n, samples, n_samples, five);
    iol__idmap_free(&t.ids);
    free(t.list);
    free(samples);
    free(five);
}

/* Layouts ------------------------------------------------------------------------------------------------------- */

typedef struct page_lustre_layout {
    size_t row;
    uint32_t component;
    const iol__facts_stripes *stripes;
} page_lustre_layout;

static size_t find_layouts(const iol__page *page, page_lustre_layout list[MOST_LAYOUTS]) {
    size_t n = 0;
    for (size_t i = 0; i < page->shown; i++) {
        const iol__facts_lustre *lustre = page->facts->file[page->order[i]].lustre;
        for (uint32_t c = 0; lustre && c < lustre->components && n < MOST_LAYOUTS; c++)
            list[n++] = (page_lustre_layout){i, c, &lustre->stripes[c]};
    }
    return n;
}

enum { MOST_OSTS = 64 }; /* of one file that are listed */

static void write_osts(iol__json *json, const iol__facts_stripes *s) {
    iol__json_open(json, '[');
    for (int64_t i = 0; i < s->count && i < MOST_OSTS; i++) iol__json_i64(json, s->osts[i]);
    iol__json_close(json, ']');
}

static void write_page_lustre_layouts(iol__json *json, const iol__page *page) {
    page_lustre_layout *list = malloc(MOST_LAYOUTS * sizeof *list);
    size_t n = list ? find_layouts(page, list) : 0;
#define LAYOUTS(key, write)                            \
    iol__page_column(json, key);                       \
    for (size_t i = 0; i < n; i++) {                   \
        const iol__facts_stripes *s = list[i].stripes; \
        (void)s;                                       \
        write;                                         \
    }                                                  \
    iol__page_column_end(json)
    iol__page_table(json, "files", n);
    LAYOUTS("file", iol__json_u64(json, list[i].row));
    LAYOUTS("component", iol__json_u64(json, list[i].component));
    LAYOUTS("start", iol__json_i64(json, s->start));
    LAYOUTS("end", iol__json_real(json, s->end < 0 ? NAN : (double)s->end));
    LAYOUTS("stripe_size", iol__json_i64(json, s->size));
    LAYOUTS("stripe_count", iol__json_i64(json, s->count));
    LAYOUTS("osts", write_osts(json, s));
    iol__page_table_end(json);
#undef LAYOUTS
    free(list);
}

/* Servers of the file system, where every file that knows has the same number: files may be on several. */
static double page_lustre_servers_of(const iol__page *page, bool mdts) {
    double known = NAN;
    for (size_t i = 0; i < page->facts->n_files; i++) {
        const iol__facts_lustre *lustre = page->facts->file[i].lustre;
        if (!lustre) continue;
        double count = (double)(mdts ? lustre->fs_mdts : lustre->fs_osts);
        if (count <= 0 || (!isnan(known) && known != count)) return NAN;
        known = count;
    }
    return known;
}

void iol__page_lustre_write(iol__json *json, const iol__page *page) {
    bool any = false;
    for (size_t i = 0; i < page->facts->n_files && !any; i++) any = page->facts->file[i].lustre != NULL;
    if (!any) return;
    iol__json_put_open(json, "lustre", '{');
    write_targets(json, page);
    write_page_lustre_layouts(json, page);
    iol__json_put_real(json, "ost_count", page_lustre_servers_of(page, false));
    iol__json_put_real(json, "mdt_count", page_lustre_servers_of(page, true));
    iol__json_put_text(json, "note",
                       "The log has bytes and times by file. They are spread evenly over the stripes of each file, so "
                       "the figures of a single target are estimates.");
    iol__json_close(json, '}');
}
