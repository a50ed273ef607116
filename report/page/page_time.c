/* Phases, as the diagnosis found them, as a table. */
#include <stdlib.h>

#include "report/page/page_internal.h"

enum { MOST_PHASES = 2000 };

static double page_time_bytes_of(const iol__phase *p) { return p->bytes_read + p->bytes_written; }

static int page_time_by_bytes(const void *a, const void *b) {
    double x = page_time_bytes_of(*(const iol__phase *const *)a), y = page_time_bytes_of(*(const iol__phase *const *)b);
    return (x < y) - (x > y);
}

static int page_time_by_start(const void *a, const void *b) {
    const iol__phase *x = *(const iol__phase *const *)a, *y = *(const iol__phase *const *)b;
    return (x->start > y->start) - (x->start < y->start);
}

/* Of very many, the largest; in the order of time. */
static size_t page_time_choose(const iol__phases *phases, const iol__phase **list) {
    size_t n = phases->kept;
    for (size_t i = 0; i < n; i++) list[i] = &phases->phases[i];
    if (n > MOST_PHASES) {
        qsort(list, n, sizeof *list, page_time_by_bytes);
        n = MOST_PHASES;
        qsort(list, n, sizeof *list, page_time_by_start);
    }
    return n;
}

static void write_page_time_table(iol__json *json, const iol__phase *const *list, size_t n) {
#define PHASES(key, value)             \
    iol__page_column(json, key);       \
    for (size_t i = 0; i < n; i++) {   \
        const iol__phase *p = list[i]; \
        iol__json_real(json, value);   \
    }                                  \
    iol__page_column_end(json)
    iol__page_table(json, "table", n);
    PHASES("t0", p->start);
    PHASES("t1", p->end);
    PHASES("bytes_read", p->bytes_read);
    PHASES("bytes_written", p->bytes_written);
    PHASES("requests", p->reads + p->writes);
    PHASES("ranks", p->ranks);
    PHASES("effective_ranks", p->effective_ranks);
    PHASES("rate", p->end > p->start ? page_time_bytes_of(p) / (p->end - p->start) : NAN);
    iol__page_table_end(json);
#undef PHASES
}

void iol__page_phases_write(iol__json *json, const iol__page *page) {
    const iol__phases *phases = page->diagnosis->all_phases;
    if (!phases->source) return;
    const iol__phase **list = malloc((phases->kept + 1) * sizeof *list);
    size_t n = list ? page_time_choose(phases, list) : 0;
    iol__json_put_open(json, "phases", '{');
    iol__json_put_text(json, "source", phases->source);
    iol__json_put_real(json, "resolution_s", phases->resolution);
    iol__json_put_u64(json, "count", phases->count);
    if (list) write_page_time_table(json, list, n);
    iol__json_close(json, '}');
    free(list);
}
