/* Numbers are eight bytes each, texts have their length in front, and what is not there has a byte that says so. */
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "site/index/found.h"

/* Writing ------------------------------------------------------------------------------------------------------- */

static void put_flag(iol__rows *to, bool flag) { iol__rows_add(to, flag ? "\1" : "\0", 1); }

static void put_found_text(iol__rows *to, const char *text) {
    put_flag(to, text != NULL);
    if (!text) return;
    iol__rows_u64(to, strlen(text));
    iol__rows_text(to, text);
}

static void put_found_cell(iol__rows *to, const iol__cell *cell) {
    uint64_t bits = 0;
    const char kind = (char)cell->kind;
    iol__rows_add(to, &kind, 1);
    if (cell->kind == IOL_CELL_TEXT) put_found_text(to, cell->as.text);
    if (cell->kind == IOL_CELL_INT) iol__rows_u64(to, (uint64_t)cell->as.integer);
    if (cell->kind == IOL_CELL_REAL) {
        memcpy(&bits, &cell->as.real, sizeof bits);
        iol__rows_u64(to, bits);
    }
}

static void pack_entry(iol__rows *to, const iol__entry *e) {
    const char *texts[] = {e->identity, e->reason, e->cluster, e->jobid, e->owner, e->user};
    for (size_t i = 0; i < IOL_COUNT(texts); i++) put_found_text(to, texts[i]);
    put_flag(to, e->damaged);
    put_flag(to, e->of_run);
    put_flag(to, e->no_job);
    iol__rows_u64(to, (uint64_t)e->start);
    iol__rows_u64(to, (uint64_t)e->day);
    iol__rows_u64(to, e->n_mounts);
    for (size_t i = 0; i < e->n_mounts; i++) {
        put_found_text(to, e->mounts[i].point);
        put_found_text(to, e->mounts[i].type);
        put_found_text(to, e->mounts[i].fs);
    }
    for (const iol__entry_row *row = e->first; row; row = row->next) {
        put_flag(to, true);
        iol__rows_u64(to, (uint64_t)row->table);
        iol__rows_u64(to, (uint64_t)row->mount);
        for (size_t i = 0; i < iol__table_width(row->table); i++) put_found_cell(to, &row->values[i]);
    }
    put_flag(to, false);
}

void iol__found_pack(iol__rows *to, const iol__found *f) {
    const int64_t numbers[] = {f->device, f->inode, f->size, f->mtime, f->before};
    put_found_text(to, f->name);
    put_found_text(to, f->reason);
    for (size_t i = 0; i < IOL_COUNT(numbers); i++) iol__rows_u64(to, (uint64_t)numbers[i]);
    put_flag(to, f->broken);
    put_flag(to, f->closed);
    if (!f->broken) pack_entry(to, &f->entry);
}

/* Reading ------------------------------------------------------------------------------------------------------- */

/* Ends by a jump, like the memory of the entry: the bytes end too early. */
typedef struct unpacking {
    const char *at, *end;
    iol__arena *arena;
} unpacking;

static const char *found_pack_take(unpacking *u, size_t bytes) {
    if ((size_t)(u->end - u->at) < bytes) longjmp(*u->arena->exhausted, 1);
    u->at += bytes;
    return u->at - bytes;
}

static bool take_flag(unpacking *u) { return *found_pack_take(u, 1) != 0; }

static uint64_t take_found_number(unpacking *u) {
    const unsigned char *bytes = (const unsigned char *)found_pack_take(u, 8);
    uint64_t value = 0;
    for (int i = 0; i < 8; i++) value |= (uint64_t)bytes[i] << 8 * i;
    return value;
}

static const char *take_found_text(unpacking *u) {
    if (!take_flag(u)) return NULL;
    size_t length = take_found_number(u);
    return iol__arena_text(u->arena, found_pack_take(u, length), length);
}

static iol__cell take_cell(unpacking *u) {
    uint64_t bits;
    double real;
    switch (*found_pack_take(u, 1)) {
    case IOL_CELL_INT: return iol__integer((int64_t)take_found_number(u));
    case IOL_CELL_TEXT: return iol__text(take_found_text(u));
    case IOL_CELL_REAL:
        bits = take_found_number(u);
        memcpy(&real, &bits, sizeof real);
        return iol__real(real);
    default: return iol__null();
    }
}

static void take_found_row(unpacking *u, iol__entry *e) {
    iol__entry_row *row = iol__arena_alloc(u->arena, 1, sizeof *row);
    uint64_t table = take_found_number(u);
    if (table >= IOL_TABLES) longjmp(*u->arena->exhausted, 1);
    row->table = (iol__table_id)table;
    row->mount = (int)(int64_t)take_found_number(u);
    if (row->mount >= (int)e->n_mounts) longjmp(*u->arena->exhausted, 1);
    row->values = iol__arena_alloc(u->arena, iol__table_width(row->table), sizeof *row->values);
    for (size_t i = 0; i < iol__table_width(row->table); i++) row->values[i] = take_cell(u);
    if (e->last)
        e->last->next = row;
    else
        e->first = row;
    e->last = row;
    if (row->table == IOL_TABLE_log) e->log = row->values;
}

static void take_found_entry(unpacking *u, iol__entry *e) {
    const char *identity = take_found_text(u);
    strncpy(e->identity, identity ? identity : "", sizeof e->identity - 1);
    e->reason = take_found_text(u);
    e->cluster = take_found_text(u);
    e->jobid = take_found_text(u);
    e->owner = take_found_text(u);
    e->user = take_found_text(u);
    e->damaged = take_flag(u);
    e->of_run = take_flag(u);
    e->no_job = take_flag(u);
    e->start = (int64_t)take_found_number(u);
    e->day = (int64_t)take_found_number(u);
    e->n_mounts = take_found_number(u);
    if (e->n_mounts > (size_t)(u->end - u->at)) longjmp(*u->arena->exhausted, 1);
    e->mounts = iol__arena_alloc(u->arena, e->n_mounts, sizeof *e->mounts);
    for (size_t i = 0; i < e->n_mounts; i++) {
        e->mounts[i].point = take_found_text(u);
        e->mounts[i].type = take_found_text(u);
        e->mounts[i].fs = take_found_text(u);
    }
    while (take_flag(u)) take_found_row(u, e);
}

static void take_pack_found(unpacking *u, iol__found *f) {
    const char *name = take_found_text(u), *reason = take_found_text(u);
    f->name = strdup(name ? name : "");
    f->reason = reason ? strdup(reason) : NULL;
    if (!f->name || (reason && !f->reason)) longjmp(*u->arena->exhausted, 1);
    int64_t *numbers[] = {&f->device, &f->inode, &f->size, &f->mtime, &f->before};
    for (size_t i = 0; i < IOL_COUNT(numbers); i++) *numbers[i] = (int64_t)take_found_number(u);
    f->broken = take_flag(u);
    f->closed = take_flag(u);
    if (!f->broken) take_found_entry(u, &f->entry);
}

/* False: the bytes make no sense, or there is no memory. */
static bool found_pack_unpack(iol__found *f, unpacking *u) {
    jmp_buf exhausted;
    volatile bool done = false;
    u->arena->exhausted = &exhausted;
    u->arena->block = IOL_ENTRY_BLOCK;
    if (setjmp(exhausted) == 0) {
        take_pack_found(u, f);
        done = true;
    }
    u->arena->exhausted = NULL;
    return done;
}

iol__found *iol__found_unpack(const char **at, const char *end) {
    iol__found *f = calloc(1, sizeof *f);
    if (!f) return NULL;
    unpacking u = {*at, end, &f->entry.arena};
    if (!found_pack_unpack(f, &u)) {
        iol__found_free(f);
        return NULL;
    }
    *at = u.at;
    return f;
}
