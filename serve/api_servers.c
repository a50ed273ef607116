/* Targets of a log by server: the site's listing of the time says which server held which. */
#include <stdio.h>
#include <string.h>

#include "serve/logs.h"
#include "serve/serve.h"
#include "site/analyze/health.h"

typedef struct server {
    const char *address, *fs;
    int64_t files, bytes_read, bytes_written;
} server;

typedef struct servers {
    iol__exchange *x;
    int64_t when;
    const char *fs;              /* that `addresses` is of */
    const iol__value *addresses; /* number of a target as text to address; NULL: no listing */
    server *list;
    size_t count;
} servers;

/* The listing of the file system at the time of the log. */
static void look_up(servers *s, const char *fs) {
    iol__exchange *x = s->x;
    const iol__places *places = &x->serve->places;
    iol__arena *arena = &x->arena;
    const char *backend = iol__places_backend(places, fs);
    iol__value *listing;
    s->fs = iol__arena_copy(arena, fs);
    s->addresses = NULL;
    const iol__value *files =
        iol__places_files(arena, places, "lfsstatus_map_files", fs, s->when - 86400, s->when + 3600, true);
    if (!backend || !files->count) return;
    const char **paths = iol__arena_alloc(arena, files->count, sizeof *paths);
    for (size_t i = 0; i < files->count; i++) paths[i] = files->items[i]->text;
    iol__request request = {.arena = arena, .paths = paths, .n_paths = files->count};
    if (iol__read_lctl(&request, &listing) != IOL_OK) return;
    iol__sample sample = iol__sample_at(arena, listing, backend, s->when);
    if (sample.block) s->addresses = iol__servers_of(arena, sample.block);
}

static bool add_target(void *context, const iol__cell *c, size_t count) {
    servers *s = context;
    char number[32];
    const char *fs = iol__cell_text(&c[1]);
    (void)count;
    if (!s->fs || strcmp(s->fs, fs) != 0) look_up(s, fs);
    snprintf(number, sizeof number, "%lld", (long long)iol__cell_integer(&c[0]));
    const char *address = s->addresses ? iol__map_text(s->addresses, number) : NULL;
    if (!address) address = "unknown";
    size_t at = 0;
    while (at < s->count && (strcmp(s->list[at].address, address) != 0 || strcmp(s->list[at].fs, s->fs) != 0)) at++;
    if (at == s->count) {
        s->list = iol__arena_grow(&s->x->arena, s->list, s->count, sizeof *s->list);
        s->list[s->count++] = (server){.address = iol__arena_copy(&s->x->arena, address), .fs = s->fs};
    }
    s->list[at].files += iol__cell_integer(&c[2]);
    s->list[at].bytes_read += iol__cell_integer(&c[3]);
    s->list[at].bytes_written += iol__cell_integer(&c[4]);
    return true;
}

void iol__log_servers(iol__exchange *x, const iol__the_log *log) {
    servers all = {.x = x, .when = iol__cell_integer(&log->cells[10]) / 1000000};
    iol__cell value = iol__integer(log->which.log_id);
    iol__output s;
    iol_status status =
        iol__store_ask(x->store,
                       "SELECT ost, fs, files, bytes_read, bytes_written FROM log_ost JOIN mount ON log_ost.mount_id = "
                       "mount.mount_id WHERE log_id = ? ORDER BY fs, ost",
                       &value, 1, add_target, &all);
    if (!iol__store_ok(x, status)) return;
    iol__output_begin(&s, x, IOL_SCHEMA_Ost);
    for (size_t i = 0; i < all.count; i++) {
        iol__output_row(&s);
        iol__put_text(&s, all.list[i].address);
        iol__put_text(&s, all.list[i].fs);
        iol__put_int(&s, all.list[i].files);
        iol__put_int(&s, all.list[i].bytes_read);
        iol__put_int(&s, all.list[i].bytes_written);
        iol__output_row_end(&s);
    }
    iol__output_end(&s, NULL, -1);
}
