/* Where files are: by file system of the mount table, and by the first part of the path. */
#include <stdlib.h>
#include <string.h>

#include "report/page/page_internal.h"

/* File systems ------------------------------------------------------------------------------------------------- */

static void take_figures(iol__page_place *place, const iol__page *page, const double value[IOL_SUMMED_FIGURES]) {
    place->bytes_read = value[IOL_FIGURE_bytes_read];
    place->bytes_written = value[IOL_FIGURE_bytes_written];
    place->reads = value[IOL_FIGURE_reads];
    place->writes = value[IOL_FIGURE_writes];
    place->time = (value[IOL_FIGURE_read_time] + value[IOL_FIGURE_write_time] + value[IOL_FIGURE_meta_time]) /
                  (double)page->facts->processes;
}

static int page_places_by_time(const void *a, const void *b) {
    const iol__page_place *x = a, *y = b;
    if (x->time != y->time) return x->time > y->time ? -1 : 1;
    if (x->files != y->files) return x->files > y->files ? -1 : 1;
    return strcmp(x->mount_point, y->mount_point);
}

void iol__page_places_make(iol__page *page) {
    size_t mounts = iol_log_mount_count(page->log);
    iol__page_place *all = iol__page_alloc(page, mounts + 1, sizeof *all);
    for (size_t i = 0; i < mounts; i++)
        if (iol_log_mount(page->log, i, &all[i].mount_point, &all[i].fs_type) != IOL_OK) all[i].mount_point = NULL;
    all[mounts].mount_point = all[mounts].fs_type = "UNKNOWN";
    for (size_t i = 0; i < page->facts->n_files; i++) all[page->mount[i] < 0 ? mounts : (size_t)page->mount[i]].files++;
    for (size_t i = 0; i <= mounts; i++) take_figures(&all[i], page, page->summary.figures.place[i].value);
    double sum = 0;
    page->places = all;
    for (size_t i = 0; i <= mounts; i++) {
        if (!all[i].files || !all[i].mount_point) continue;
        sum += all[i].time;
        all[page->n_places++] = all[i];
    }
    for (size_t i = 0; i < page->n_places; i++) all[i].share = sum > 0 ? all[i].time / sum : NAN;
    qsort(all, page->n_places, sizeof *all, page_places_by_time);
}

static void write_filesystems(iol__json *json, const iol__page *page) {
    iol__json_put_open(json, "filesystems", '[');
    for (size_t i = 0; i < page->n_places; i++) {
        const iol__page_place *p = &page->places[i];
        iol__json_open(json, '{');
        iol__json_put_text(json, "mount_point", p->mount_point);
        iol__json_put_text(json, "fs_type", p->fs_type);
        iol__json_put_u64(json, "files", p->files);
        iol__json_put_real(json, "bytes_read", p->bytes_read);
        iol__json_put_real(json, "bytes_written", p->bytes_written);
        iol__json_put_real(json, "reads", p->reads);
        iol__json_put_real(json, "writes", p->writes);
        iol__json_put_real(json, "time", p->time);
        iol__json_put_real(json, "share", p->share);
        iol__json_close(json, '}');
    }
    iol__json_close(json, ']');
}

/* Categories --------------------------------------------------------------------------------------------------- */

enum { SHOWN = 8, MOST_CATEGORIES = 4096 };

typedef struct category {
    const char *name;
    size_t length;
    double bytes[IOL_DIRECTIONS], files[IOL_DIRECTIONS];
} category;

/* "/scratch1" for all below it, "/" for files directly under the root, the standard streams as they are. */
static void category_of(const char *name, category *c) {
    c->name = name;
    c->length = strlen(name);
    if (name[0] == '/') {
        const char *second = strchr(name + 1, '/');
        c->length = second ? (size_t)(second - name) : 1;
    } else if (c->length && strspn(name, "0123456789") == c->length) {
        c->name = "anonymised";
        c->length = strlen(c->name);
    }
}

static category *page_places_enter(category *list, iol__idmap *ids, const category *wanted) {
    uint64_t id = iol_name_id(wanted->name, wanted->length);
    size_t place = iol__idmap_find(ids, id);
    if (place == IOL_IDMAP_NONE && ids->count >= MOST_CATEGORIES) return NULL;
    if (place == IOL_IDMAP_NONE) {
        place = iol__idmap_add(ids, id);
        if (place != IOL_IDMAP_NONE) list[place] = *wanted;
    }
    return place == IOL_IDMAP_NONE ? NULL : &list[place];
}

static int page_places_by_bytes(const void *a, const void *b) {
    const category *x = a, *y = b;
    double p = x->bytes[0] + x->bytes[1], q = y->bytes[0] + y->bytes[1];
    if (p != q) return p > q ? -1 : 1;
    size_t shorter = x->length < y->length ? x->length : y->length;
    int order = memcmp(x->name, y->name, shorter);
    return order ? order : (x->length > y->length) - (x->length < y->length);
}

/* POSIX and STDIO together, as they see what others only pass on. */
static void add_to_category(category *c, const iol__facts_file *file) {
    for (int direction = 0; direction < IOL_DIRECTIONS; direction++) {
        double bytes = (double)iol__facts_layer_of(file, IOL_LAYER_POSIX)->direction[direction]->bytes +
                       (double)iol__facts_layer_of(file, IOL_LAYER_STDIO)->direction[direction]->bytes;
        c->bytes[direction] += bytes;
        c->files[direction] += bytes > 0;
    }
}

static size_t find_categories(const iol__page *page, category *list) {
    iol__idmap ids = {0};
    for (size_t i = 0; i < page->facts->n_files; i++) {
        const iol__facts_file *file = &page->facts->file[i];
        if (!page->names[i] || (!file->layer[IOL_LAYER_POSIX] && !file->layer[IOL_LAYER_STDIO])) continue;
        category wanted = {0};
        category_of(page->names[i], &wanted);
        category *c = page_places_enter(list, &ids, &wanted);
        if (c) add_to_category(c, file);
    }
    size_t n = ids.count;
    iol__idmap_free(&ids);
    qsort(list, n, sizeof *list, page_places_by_bytes);
    return n;
}

static void write_categories(iol__json *json, const iol__page *page) {
    category *list = calloc(MOST_CATEGORIES, sizeof *list);
    size_t n = list ? find_categories(page, list) : 0;
    iol__json_put_open(json, "categories", '[');
    for (size_t i = 0; i < n && i < SHOWN; i++) {
        char *name = strndup(list[i].name, list[i].length);
        iol__json_open(json, '{');
        iol__json_put_text(json, "name", name);
        iol__json_put_real(json, "bytes_read", list[i].bytes[IOL_READ]);
        iol__json_put_real(json, "bytes_written", list[i].bytes[IOL_WRITE]);
        iol__json_put_real(json, "files_read", list[i].files[IOL_READ]);
        iol__json_put_real(json, "files_written", list[i].files[IOL_WRITE]);
        iol__json_close(json, '}');
        free(name);
    }
    iol__json_close(json, ']');
    free(list);
}

void iol__page_places_write(iol__json *json, const iol__page *page) {
    write_categories(json, page);
    write_filesystems(json, page);
}
