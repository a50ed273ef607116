/* The section of custom modules, from the table: the schemas first, then module by module its records and spans, with a
   word on the rank wherever that changes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "log/trailer/custom.h"
#include "record/hash.h"

typedef struct writing {
    FILE *to;
    int64_t rank;
} writing;

static void put_custom_schema(FILE *to, const iol__custom_table *t, uint32_t number) {
    const iol__custom_schema head = {.head = {IOL_CUSTOM_SCHEMA, (uint32_t)t->schema_bytes},
                                     .module = number,
                                     .version = t->version,
                                     .counters = (uint32_t)t->counters,
                                     .flags = t->flags,
                                     .folded = t->folded,
                                     .spans_lost = t->spans_lost};
    fwrite(&head, sizeof head, 1, to);
    fwrite(t->schema + sizeof head, t->schema_bytes - sizeof head, 1, to);
}

static void set_custom_rank(writing *w, int64_t rank) {
    if (rank == w->rank) return;
    const iol__custom_rank block = {.head = {IOL_CUSTOM_RANK, sizeof block}, .rank = rank};
    fwrite(&block, sizeof block, 1, w->to);
    w->rank = rank;
}

static void put_custom_line(writing *w, const iol__custom_table *t, uint32_t number, const iol__custom_line *line) {
    static const char zeros[8];
    const size_t used = sizeof(iol__custom_record) + 8 * t->counters + strlen(line->name) + 1;
    const uint32_t bytes = iol__custom_round(used);
    const bool named = line->id == iol__hash(line->name, strlen(line->name), 0);
    const iol__custom_record block = {.head = {IOL_CUSTOM_RECORD, bytes},
                                      .module = number,
                                      .flags = named ? IOL_CUSTOM_NAMED : 0,
                                      .id = named ? 0 : line->id};
    if (!line->values) return;
    set_custom_rank(w, line->rank);
    fwrite(&block, sizeof block, 1, w->to);
    fwrite(line->values, 8, t->counters, w->to);
    fwrite(line->name, strlen(line->name) + 1, 1, w->to);
    fwrite(zeros, 1, bytes - used, w->to);
}

static void put_custom_time(writing *w, uint32_t number, const iol__custom_time *time) {
    const iol__custom_span block = {.head = {IOL_CUSTOM_SPAN, sizeof block},
                                    .module = number,
                                    .id = time->id,
                                    .thread = time->thread,
                                    .begin = time->begin,
                                    .end = time->end};
    set_custom_rank(w, time->rank);
    fwrite(&block, sizeof block, 1, w->to);
}

void *iol__custom_pack(const iol__custom *custom, size_t *length) {
    const uint32_t words[2] = {IOL_CUSTOM_MARK, IOL_CUSTOM_VERSION};
    char *bytes = NULL;
    writing w = {.to = open_memstream(&bytes, length)};
    if (!w.to) return NULL;
    fwrite(words, sizeof words, 1, w.to);
    if (custom->damaged) {
        const iol__custom_damage block = {.head = {IOL_CUSTOM_DAMAGE, sizeof block}, .bytes = custom->damaged};
        fwrite(&block, sizeof block, 1, w.to);
    }
    for (uint32_t i = 0; i < custom->count; i++) put_custom_schema(w.to, custom->tables[i], i);
    for (uint32_t i = 0; i < custom->count; i++) {
        const iol__custom_table *t = custom->tables[i];
        for (size_t k = 0; k < t->n_lines; k++) put_custom_line(&w, t, i, &t->lines[k]);
        for (size_t k = 0; k < t->n_times; k++) put_custom_time(&w, i, &t->times[k]);
    }
    const bool good = !ferror(w.to);
    if (fclose(w.to) == 0 && good) return bytes;
    free(bytes);
    return NULL;
}
