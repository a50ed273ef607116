/* The records are read once more, and only if some process was killed: whoever was seen last is named, because the others
   are often ended by the launcher after it. */
#include "log/ended.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "log/log_internal.h"
#include "log/processes.h"
#include "record/mapped.h"

typedef struct victim {
    int64_t rank, signal;
    double seen, used; /* anything, and the file below */
    uint64_t file;
} victim;

typedef struct victims {
    victim *all;
    size_t count, room, processes;
    double shared_used; /* of what all ranks had open */
    uint64_t shared;
} victims;

static bool note(void *context, const iol__process *process) {
    victims *v = context;
    v->processes++;
    if (process->ended != IOL_ENDED_NOT) return true;
    if (v->count == v->room) {
        size_t room = v->room ? 2 * v->room : 8;
        victim *grown = realloc(v->all, room * sizeof *grown);
        if (!grown) return false;
        v->all = grown;
        v->room = room;
    }
    v->all[v->count++] = (victim){.rank = process->rank, .signal = process->signal};
    return true;
}

static int by_rank(const void *a, const void *b) {
    const victim *x = a, *y = b;
    return x->rank < y->rank ? -1 : x->rank > y->rank;
}

static double time_of(const iol_record *record, const char *module, const char *what) {
    char name[64];
    iol_value value;
    snprintf(name, sizeof name, "%s_F_%s_TIMESTAMP", module, what);
    if (iol_record_find(record, name, &value) != IOL_OK || !isfinite(value.as.d)) return 0;
    return value.as.d;
}

static bool is_stream(iol_log *log, uint64_t id) {
    const char *name = iol_log_name(log, id);
    return name && name[0] == '<';
}

static void look_at(iol_log *log, victims *v, const iol_record *record, const char *module) {
    const double open = time_of(record, module, "OPEN_END"), close = time_of(record, module, "CLOSE_END");
    const double moved = fmax(time_of(record, module, "READ_END"), time_of(record, module, "WRITE_END"));
    const double used = fmax(open, moved);
    const bool held = close < used && !is_stream(log, iol_record_id(record));
    if (iol_record_rank(record) < 0) {
        if (!held || used <= v->shared_used) return;
        v->shared_used = used;
        v->shared = iol_record_id(record);
        return;
    }
    victim *who = bsearch(&(victim){.rank = iol_record_rank(record)}, v->all, v->count, sizeof *v->all, by_rank);
    if (!who) return;
    who->seen = fmax(who->seen, fmax(used, close));
    if (!held || used <= who->used) return;
    who->used = used;
    who->file = iol_record_id(record);
}

static void read_module(iol_log *log, victims *v, int slot, const char *name) {
    iol_records *records;
    const iol_record *record;
    if (iol_records_open(log, slot, &records) != IOL_OK) return;
    while (iol_records_next(records, &record) == IOL_OK) look_at(log, v, record, name);
    iol_records_close(records);
}

/* A process that recorded nothing never says how it ended. All ranks of a job may have nothing but shared files. */
static void choose(const victims *v, iol__ended *ended) {
    const bool all = v->count == v->processes && v->shared_used > 0;
    const victim *last = v->all;
    for (size_t i = 0; i < v->count; i++) {
        const bool known = v->all[i].signal > 0;
        if (known != (last->signal > 0) ? known : v->all[i].seen > last->seen) last = &v->all[i];
        ended->killed += all || v->all[i].seen > 0;
    }
    if (!ended->killed) return;
    ended->rank = last->rank;
    ended->signal = last->signal;
    ended->seen = fmax(last->seen, all ? v->shared_used : 0);
    ended->file = last->file ? last->file : all ? v->shared : 0;
}

void iol__ended_read(iol_log *log, iol__ended *ended) {
    victims v = {0};
    *ended = (iol__ended){.rank = -1, .seen = NAN};
    if (log->facts) return; /* a mapped file: it may go on */
    iol__processes_each(log, note, &v);
    ended->processes = v.processes;
    if (v.count) {
        qsort(v.all, v.count, sizeof *v.all, by_rank);
        read_module(log, &v, IOL_SLOT_POSIX, "POSIX");
        read_module(log, &v, IOL_SLOT_STDIO, "STDIO");
        choose(&v, ended);
    }
    free(v.all);
}

bool iol__ended_text(const iol__ended *e, const char *file, char *text, size_t room) {
    int length;
    if (!e->killed) return false;
    if (e->signal > 0)
        length = snprintf(text, room, "Rank %lld of %zu died of signal %lld at %.2f s or later", (long long)e->rank,
                          e->processes, (long long)e->signal, e->seen);
    else if (e->killed == 1)
        length = snprintf(text, room, "Rank %lld of %zu did not end by itself: it was last seen at %.2f s",
                          (long long)e->rank, e->processes, e->seen);
    else
        length = snprintf(text, room, "%zu of %zu ranks did not end by themselves: rank %lld was seen last, at %.2f s",
                          e->killed, e->processes, (long long)e->rank, e->seen);
    if (file && length > 0 && (size_t)length < room)
        snprintf(text + length, room - (size_t)length, ", with %s open", file);
    return true;
}
