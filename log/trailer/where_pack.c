/* The lines of code of a log as records again, in as little as they need: what all ranks have in common once, chains up to main
   and no further, only objects and names that are left then. There are as many rows of single files as the log's size allows,
   those with the most time; other files of a chain are one row, and if ranks are too many for that, so are they. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "log/trailer/where_pack.h"
#include "record/hash.h"

enum { NAME_PLACES = IOL_CUSTOM_RECORD_NAME / 2 };

typedef struct where_packing {
    const iol__where_all *all;
    iol__where_packed *to;
    char **chain_texts; /* the hash by which rows name a chain, in hexadecimal */
    bool *objects, *frames;
    bool traced; /* requests refer to chains by their hash */
    bool failed;
} where_packing;

/* Lines ------------------------------------------------------------------------------------------------------------ */

static const iol__where_values no_values;

/* Takes the name. */
static void add_line(where_packing *p, char *name, int64_t rank, const iol__where_values *values) {
    iol__custom_table *t = &p->to->table;
    if (t->n_lines == t->line_room) {
        const size_t room = t->line_room ? 2 * t->line_room : 64;
        iol__custom_line *grown = realloc(t->lines, room * sizeof *grown);
        if (grown) t->lines = grown;
        if (grown) t->line_room = room;
    }
    iol__where_values *copy = malloc(sizeof *copy);
    if (!name || !copy || t->n_lines == t->line_room) {
        free(name);
        free(copy);
        p->failed = true;
        return;
    }
    *copy = *values;
    t->lines[t->n_lines++] = (iol__custom_line){
        .id = iol__hash(name, strlen(name), 0), .rank = rank, .name = name, .values = (uint8_t *)copy};
}

static void add_print(where_packing *p, int64_t rank, const iol__where_values *values, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
static void add_print(where_packing *p, int64_t rank, const iol__where_values *values, const char *format, ...) {
    char *name = NULL;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&name, format, arguments) < 0) name = NULL;
    va_end(arguments);
    add_line(p, name, rank, values);
}

/* Chains ----------------------------------------------------------------------------------------------------------- */

static bool is_main(const iol__where_frame *frame) {
    const char *function = frame->n_places ? frame->places[frame->n_places - 1].function : NULL;
    return !frame->python && function && strcmp(function, "main") == 0;
}

/* How many frames say something: what called main is the same for every program. */
static size_t telling_frames(const iol__where_all *all, const iol__where_chain *chain) {
    for (size_t i = 0; i < chain->count; i++)
        if (is_main(&all->frames[all->steps[chain->first + i]])) return i + 1;
    return chain->count;
}

static void print_frame(FILE *out, const iol__where_frame *f) {
    if (f->unknown)
        fputs(" ?", out);
    else if (f->python)
        fprintf(out, " %" PRIx64 ":%" PRIu64, f->key, f->offset);
    else
        fprintf(out, " %" PRIx64 "+%" PRIx64, f->key, f->offset);
}

static void pack_chain(where_packing *p, size_t number) {
    const iol__where_chain *chain = &p->all->chains[number];
    char *frames = NULL;
    size_t length = 0;
    FILE *out = chain->unknown || chain->folded ? NULL : open_memstream(&frames, &length);
    if (!out) {
        p->chain_texts[number] = strdup(chain->folded ? IOL_WHERE_FOLDED : IOL_WHERE_UNKNOWN);
        p->failed |= !p->chain_texts[number] || !(chain->unknown || chain->folded);
        return;
    }
    const size_t count = p->traced ? chain->count : telling_frames(p->all, chain);
    for (size_t i = 0; i < count; i++) {
        const size_t frame = p->all->steps[chain->first + i];
        print_frame(out, &p->all->frames[frame]);
        p->frames[frame] = true;
    }
    const bool closed = fclose(out) == 0;
    const uint64_t hash = p->traced || !closed ? chain->id : iol__hash(frames, length, 0);
    if (!closed || asprintf(&p->chain_texts[number], "%016" PRIx64, hash) < 0) {
        p->chain_texts[number] = NULL;
        p->failed = true;
    } else {
        add_print(p, 0, &no_values, "c %s%s", p->chain_texts[number], frames);
    }
    free(frames);
}

/* Names ------------------------------------------------------------------------------------------------------------ */

static char *name_of_frame(const iol__where_frame *frame) {
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (!out) return NULL;
    fprintf(out, "s %" PRIx64 "+%" PRIx64 " ", frame->key, frame->offset);
    for (size_t i = 0; i < frame->n_places; i++) {
        const iol__where_place *p = &frame->places[i];
        if (ftell(out) > NAME_PLACES) break;
        fprintf(out, "%s%.512s\t%.1024s\t%u", i ? "\t" : "", p->function ? p->function : "", p->file ? p->file : "",
                p->line);
    }
    return fclose(out) == 0 ? text : NULL;
}

/* A function of Python is named once, whatever lines of it there are. */
static bool named_before(const where_packing *p, size_t number) {
    const iol__where_frame *frames = p->all->frames;
    for (size_t i = 0; i < number; i++)
        if (p->frames[i] && frames[i].python && frames[i].key == frames[number].key) return true;
    return false;
}

static void pack_names(where_packing *p) {
    const iol__where_all *all = p->all;
    for (size_t i = 0; i < all->n_frames; i++) {
        const iol__where_frame *f = &all->frames[i];
        if (!p->frames[i]) continue;
        if (f->object != IOL_IDMAP_NONE) p->objects[f->object] = true;
        if (!f->n_places || f->unknown) continue;
        if (!f->python)
            add_line(p, name_of_frame(f), 0, &no_values);
        else if (!named_before(p, i))
            add_print(p, 0, &no_values, "p %" PRIx64 " %s\t%s", f->key,
                      f->places[0].function ? f->places[0].function : "", f->places[0].file ? f->places[0].file : "");
    }
    for (size_t i = 0; i < all->n_objects; i++)
        if (p->objects[i])
            add_print(p, 0, &no_values, "o %" PRIx64 " %s %s", all->objects[i].key, all->objects[i].build,
                      all->objects[i].path);
}

/* Rows ------------------------------------------------------------------------------------------------------------- */

static int by_place(const void *a, const void *b) {
    const iol__where_row *x = a, *y = b;
    if (x->chain != y->chain) return x->chain < y->chain ? -1 : 1;
    if (x->layer != y->layer) return x->layer < y->layer ? -1 : 1;
    if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
    if (x->file != y->file) return x->file < y->file ? -1 : 1;
    return x->rank < y->rank ? -1 : x->rank > y->rank;
}

static bool same_act(const iol__where_row *x, const iol__where_row *y) {
    return x->chain == y->chain && x->layer == y->layer && x->kind == y->kind;
}

/* Sorts, and makes one of those that are about the same. How many there are then. */
static size_t join_rows(iol__where_row *rows, size_t count) {
    size_t kept = 0;
    if (count) qsort(rows, count, sizeof *rows, by_place);
    for (size_t i = 0; i < count; i++) {
        if (kept && by_place(&rows[kept - 1], &rows[i]) == 0) {
            iol__where_sum(&rows[kept - 1].values, &rows[i].values);
        } else {
            rows[kept++] = rows[i];
        }
    }
    return kept;
}

/* What a chain did to one file: rows that stand together. */
typedef struct filed_rows {
    size_t first, count;
    iol__where_values values;
    bool alone; /* the only file: nothing is saved */
} filed_rows;

static int by_time_down(const void *a, const void *b) {
    const filed_rows *x = a, *y = b;
    if (x->values.time != y->values.time) return x->values.time < y->values.time ? 1 : -1;
    return x->first < y->first ? -1 : x->first > y->first;
}

/* Groups of sorted rows; room for as many as there are rows. */
static size_t group_by_file(const iol__where_row *rows, size_t count, filed_rows *groups) {
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        const bool same = i && same_act(&rows[i - 1], &rows[i]);
        if (!same || rows[i - 1].file != rows[i].file) {
            groups[n++] = (filed_rows){.first = i, .alone = !same};
            if (same && n > 1) groups[n - 2].alone = groups[n - 1].alone = false;
        }
        groups[n - 1].count++;
        iol__where_sum(&groups[n - 1].values, &rows[i].values);
    }
    return n;
}

/* Files with little time count together, so that there are no more than `most` rows of others. */
static size_t fold_files(iol__where_row *rows, size_t count, size_t most) {
    filed_rows *groups = malloc((count + 1) * sizeof *groups);
    if (!groups) return SIZE_MAX;
    const size_t n = group_by_file(rows, count, groups);
    if (n) qsort(groups, n, sizeof *groups, by_time_down);
    for (size_t i = 0; i < n; i++) {
        const filed_rows *g = &groups[i];
        if (g->alone || g->count <= most) {
            most -= g->count < most ? g->count : most;
            continue;
        }
        for (size_t k = 0; k < g->count; k++) rows[g->first + k].file = 0;
    }
    free(groups);
    return join_rows(rows, count);
}

/* Rank by rank: what one did looks like what the one before did, and compressors see that. */
static int by_rank(const void *a, const void *b) {
    const iol__where_row *x = a, *y = b;
    if (x->rank != y->rank) return x->rank < y->rank ? -1 : 1;
    return by_place(a, b);
}

static size_t fold_ranks(iol__where_row *rows, size_t count) {
    for (size_t i = 0; i < count; i++) rows[i].rank = -1;
    return join_rows(rows, count);
}

static void pack_rows(where_packing *p, size_t most) {
    const iol__where_all *all = p->all;
    iol__where_row *rows = malloc((all->n_rows + 1) * sizeof *rows);
    p->failed |= !rows;
    if (!rows) return;
    if (all->n_rows) memcpy(rows, all->rows, all->n_rows * sizeof *rows);
    size_t count = join_rows(rows, all->n_rows);
    if (count > most) count = fold_files(rows, count, most);
    if (count != SIZE_MAX && count > most) count = fold_ranks(rows, count);
    p->failed |= count == SIZE_MAX;
    if (!p->failed && count) qsort(rows, count, sizeof *rows, by_rank);
    for (size_t i = 0; !p->failed && i < count; i++)
        add_print(p, rows[i].rank, &rows[i].values, "r %s %s %s %" PRIx64, p->chain_texts[rows[i].chain],
                  iol__where_layers[rows[i].layer], iol__where_kinds[rows[i].kind], rows[i].file);
    free(rows);
}

/* The whole -------------------------------------------------------------------------------------------------------- */

bool iol__where_pack(const iol__where_all *all, const iol__custom_table *from, size_t most_rows, bool traced,
                     iol__where_packed *packed) {
    where_packing p = {.all = all,
                       .traced = traced,
                       .to = packed,
                       .chain_texts = calloc(all->n_chains + 1, sizeof *p.chain_texts),
                       .objects = calloc(all->n_objects + 1, sizeof *p.objects),
                       .frames = calloc(all->n_frames + 1, sizeof *p.frames)};
    *packed = (iol__where_packed){.table = *from};
    packed->table.lines = NULL;
    packed->table.n_lines = packed->table.line_room = packed->table.n_times = 0;
    p.failed = !p.chain_texts || !p.objects || !p.frames;
    for (size_t i = 0; !p.failed && i < all->n_chains; i++) pack_chain(&p, i);
    if (!p.failed) pack_names(&p);
    if (!p.failed) pack_rows(&p, most_rows);
    for (size_t i = 0; p.chain_texts && i < all->n_chains; i++) free(p.chain_texts[i]);
    free(p.chain_texts);
    free(p.objects);
    free(p.frames);
    return !p.failed;
}

void iol__where_packed_free(iol__where_packed *packed) {
    for (size_t i = 0; i < packed->table.n_lines; i++) {
        free(packed->table.lines[i].name);
        free(packed->table.lines[i].values);
    }
    free(packed->table.lines);
    *packed = (iol__where_packed){0};
}
