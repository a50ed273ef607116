/* /logs/ID/files: the largest files of a log, from the index; with `module` all files, from the log itself. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/count.h"
#include "insight/facts/facts.h"
#include "serve/logs.h"
#include "serve/reading.h"
#include "serve/serve.h"
#include "site/index/names.h"

typedef struct files_listing {
    iol__exchange *x;
    iol__File_answer *list;
    size_t count;
    int64_t least;
    const char *fs; /* NULL: any */
} files_listing;

static void files_add(files_listing *l, const iol__File_answer *one) {
    if (one->bytes_read + one->bytes_written < l->least || (l->fs && strcmp(l->fs, one->fs) != 0)) return;
    l->list = iol__arena_grow(&l->x->arena, l->list, l->count, sizeof *l->list);
    l->list[l->count++] = *one;
}

/* From the index -------------------------------------------------------------------------------------------------- */

static bool take_files_file(void *context, const iol__file_use_row *use) {
    files_listing *l = context;
    iol__arena *arena = &l->x->arena;
    files_add(l, &(iol__File_answer){.id = iol__arena_copy(arena, use->record),
                                     .name = use->name ? iol__arena_copy(arena, use->name) : "",
                                     .fs = iol__arena_copy(arena, use->fs),
                                     .ranks = use->ranks,
                                     .bytes_read = use->bytes_read,
                                     .bytes_written = use->bytes_written,
                                     .reads = use->reads,
                                     .writes = use->writes,
                                     .opens = use->opens,
                                     .io_s = (double)use->io_time / 1e6});
    return true;
}

static bool list_files_indexed(files_listing *l, int64_t log_id) {
    iol__sql sql;
    iol__select_file_use(&sql);
    iol__sql_add(&sql, " FROM (SELECT * FROM file WHERE log_id = ?)" IOL_WITH_MOUNTS);
    iol__sql_value(&sql, iol__integer(log_id));
    return iol__store_ok(l->x, iol__ask_file_use(&sql, l->x->store, take_files_file, l));
}

/* From the log ---------------------------------------------------------------------------------------------------- */

static bool files_layer_of(const char *module, iol__facts_layer *layer) {
    static const struct {
        const char *name;
        iol__facts_layer layer;
    } layers[] = {{"POSIX", IOL_LAYER_POSIX}, {"MPI-IO", IOL_LAYER_MPIIO}, {"MPIIO", IOL_LAYER_MPIIO},
                  {"STDIO", IOL_LAYER_STDIO}, {"DFS", IOL_LAYER_DFS},      {"DAOS", IOL_LAYER_DAOS}};
    for (size_t i = 0; i < IOL_COUNT(layers); i++)
        if (strcasecmp(layers[i].name, module) == 0) return *layer = layers[i].layer, true;
    return false;
}

static void take_fact(files_listing *l, iol_log *log, const iol__facts *facts, const iol__facts_file *f,
                      const iol__facts_use *use) {
    iol__exchange *x = l->x;
    const char *point, *type, *name = iol_log_name(log, f->id);
    iol__facts_mount(facts, f, &point, &type);
    const char *fs = point ? iol__places_fs_of(&x->serve->places, point) : NULL;
    files_add(l, &(iol__File_answer){.id = iol__arena_print(&x->arena, "%llu", (unsigned long long)f->id),
                                     .name = name ? iol__valid_text(&x->arena, iol__arena_copy(&x->arena, name)) : "",
                                     .fs = iol__arena_copy(&x->arena, fs      ? fs
                                                                      : point ? point
                                                                              : "UNKNOWN"),
                                     .ranks = iol__known((int64_t)iol__facts_rank_count(facts, use)),
                                     .bytes_read = use->direction[IOL_READ]->bytes,
                                     .bytes_written = use->direction[IOL_WRITE]->bytes,
                                     .reads = use->direction[IOL_READ]->ops,
                                     .writes = use->direction[IOL_WRITE]->ops,
                                     .opens = use->opens,
                                     .io_s = iol__facts_time(use)});
}

static void free_facts(void *facts) { iol__facts_free(facts); }

static bool list_recorded(files_listing *l, iol__facts_layer layer) {
    iol_log *log;
    iol__facts *facts = iol__arena_alloc(&l->x->arena, 1, sizeof *facts);
    if (!iol__reading_begin(l->x) || !iol__open_log_number(l->x, iol__param(l->x, "id"), &log)) return false;
    bool good = iol__facts_make(log, NULL, NULL, facts);
    iol__at_end(l->x, free_facts, facts);
    for (size_t i = 0; good && i < facts->n_files; i++)
        if (facts->file[i].layer[layer]) take_fact(l, log, facts, &facts->file[i], facts->file[i].layer[layer]);
    if (!good) iol__answer_error(l->x, 503, "out of memory");
    return good;
}

/* Order ----------------------------------------------------------------------------------------------------------- */

static double files_weight(const iol__File_answer *f, const char *key) {
    const struct {
        const char *key;
        double value;
    } keys[] = {{"bytes", (double)f->bytes_read + (double)f->bytes_written},
                {"bytes_read", (double)f->bytes_read},
                {"bytes_written", (double)f->bytes_written},
                {"reads", (double)f->reads},
                {"writes", (double)f->writes},
                {"opens", (double)f->opens},
                {"io_s", f->io_s}};
    for (size_t i = 0; i < IOL_COUNT(keys); i++)
        if (strcmp(keys[i].key, key) == 0) return keys[i].value;
    return 0;
}

static int in_order(const void *a, const void *b, void *sort) {
    const iol__File_answer *x = a, *y = b;
    const char *key = sort;
    bool down = *key == '-';
    key += down;
    int by_name = strcmp(x->name, y->name), same = strcmp(x->id, y->id);
    double left = files_weight(x, key), right = files_weight(y, key);
    int first = strcmp(key, "name") == 0 ? by_name : (left > right) - (left < right);
    return first ? (down ? -first : first) : same;
}

void iol__serve_log_files(iol__exchange *x) {
    iol__the_log log;
    iol__facts_layer layer;
    const char *module = iol__param(x, "module");
    files_listing l = {.x = x, .least = iol__param_int(x, "min_bytes", 0), .fs = iol__param(x, "fs")};
    size_t limit = (size_t)iol__param_int(x, "limit", 100);
    iol__answer s;
    if (!iol__find_log_number(x, iol__param(x, "id"), &log)) return;
    if (module && !files_layer_of(module, &layer)) {
        iol__answer_param(x, "module", "POSIX, MPI-IO, STDIO, DFS or DAOS is expected");
        return;
    }
    if (!(module ? list_recorded(&l, layer) : list_files_indexed(&l, log.which.log_id))) return;
    const char *sort = iol__param_choice(x, "sort");
    if (l.count) qsort_r(l.list, l.count, sizeof *l.list, in_order, (void *)(uintptr_t)sort);
    iol__answer_begin(&s, x, IOL_SCHEMA_File);
    for (size_t i = 0; i < l.count && i < limit; i++) iol__fill_File(&s, &l.list[i]);
    iol__answer_end(&s, NULL, (int64_t)l.count);
}
