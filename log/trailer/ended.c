/* The records are read once more, and only if some process was killed. Who ended first is named, as a launcher ends the
   others after it; where nobody saw how they ended, who was seen last. */
#include "log/trailer/ended.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "log/read/log_internal.h"
#include "log/trailer/processes.h"
#include "record/mapped.h"

typedef struct victim {
    int64_t rank, signal, status;
    double end;        /* when somebody saw it end */
    bool killed;       /* it does not say itself that it ended */
    bool counts;       /* it is a rank of an MPI job, or recorded something */
    double seen, used; /* anything, and the file below */
    uint64_t file;
} victim;

typedef struct victims {
    victim *all;
    size_t count, room, processes;
    double shared_used; /* of what all ranks had open */
    uint64_t shared;
} victims;

static bool ended_note(void *context, const iol__process *process) {
    victims *v = context;
    v->processes++;
    if (process->ended != IOL_ENDED_NOT && process->status <= 0) return true;
    if (!IOL_GROW(v->all, v->room, v->count)) return false;
    v->all[v->count++] = (victim){.rank = process->rank,
                                  .signal = process->signal,
                                  .status = process->status,
                                  .end = process->end,
                                  .killed = process->ended == IOL_ENDED_NOT};
    return true;
}

static int ended_by_rank(const void *a, const void *b) {
    const victim *x = a, *y = b;
    return x->rank < y->rank ? -1 : x->rank > y->rank;
}

static double ended_time_of(const iol_record *record, const char *module, const char *what) {
    char name[64];
    iol_value value;
    snprintf(name, sizeof name, "%s_F_%s_TIMESTAMP", module, what);
    if (iol_record_find(record, name, &value) != IOL_OK || !isfinite(value.as.d)) return 0;
    return value.as.d;
}

static bool ended_is_stream(iol_log *log, uint64_t id) {
    const char *name = iol_log_name(log, id);
    return name && name[0] == '<';
}

static void ended_look_at(iol_log *log, victims *v, const iol_record *record, const char *module) {
    const double open = ended_time_of(record, module, "OPEN_END"), close = ended_time_of(record, module, "CLOSE_END");
    const double moved = fmax(ended_time_of(record, module, "READ_END"), ended_time_of(record, module, "WRITE_END"));
    const double used = fmax(open, moved);
    const bool held = close < used && !ended_is_stream(log, iol_record_id(record));
    if (iol_record_rank(record) < 0) {
        if (!held || used <= v->shared_used) return;
        v->shared_used = used;
        v->shared = iol_record_id(record);
        return;
    }
    victim *who = bsearch(&(victim){.rank = iol_record_rank(record)}, v->all, v->count, sizeof *v->all, ended_by_rank);
    if (!who) return;
    who->seen = fmax(who->seen, fmax(used, close));
    if (!held || used <= who->used) return;
    who->used = used;
    who->file = iol_record_id(record);
}

static void read_ended_module(iol_log *log, victims *v, int slot, const char *name) {
    iol_records *records;
    const iol_record *record;
    if (iol_records_open(log, slot, &records) != IOL_OK) return;
    while (iol_records_next(records, &record) == IOL_OK) ended_look_at(log, v, record, name);
    iol_records_close(records);
}

static bool ended_is_known(const victim *v) { return v->counts && (v->signal > 0 || v->status > 0); }

/* The command of the run itself, of which only `iolite run` knows that it died, is what the user asked about. */
static bool is_before(const victim *v, const victim *other) {
    if (ended_is_known(v) != ended_is_known(other)) return ended_is_known(v);
    if (!ended_is_known(v)) return v->seen > other->seen;
    if (isnan(v->end) || isnan(other->end)) return isnan(v->end) && !isnan(other->end);
    return v->end < other->end;
}

/* A process that recorded nothing never says how it ended. All ranks of a job may have nothing but shared files. */
static void ended_choose(const victims *v, bool mpi, iol__ended *ended) {
    const bool all = v->count == v->processes && v->shared_used > 0;
    const victim *first = v->all;
    for (size_t i = 0; i < v->count; i++) v->all[i].counts = mpi || all || v->all[i].seen > 0;
    for (size_t i = 0; i < v->count; i++) {
        if (is_before(&v->all[i], first)) first = &v->all[i];
        ended->killed += v->all[i].killed && (all || v->all[i].seen > 0);
    }
    if (!ended->killed) return;
    ended->rank = first->rank;
    ended->signal = first->signal;
    ended->status = first->status;
    ended->others = ended->killed - (first->killed && (all || first->seen > 0));
    ended->at = ended_is_known(first) ? first->end : NAN;
    ended->seen = fmax(first->seen, all ? v->shared_used : 0);
    ended->file = first->file ? first->file : all ? v->shared : 0;
}

static bool of_mpi(const iol_log *log) {
    const char *key, *value;
    for (size_t i = 0; iol_log_metadata(log, i, &key, &value) == IOL_OK; i++)
        if (strcmp(key, IOL_KEY_WORLD) == 0) return true;
    return false;
}

void iol__ended_read(iol_log *log, iol__ended *ended) {
    victims v = {0};
    *ended = (iol__ended){.rank = -1, .seen = NAN};
    if (log->facts) return; /* a mapped file: it may go on */
    iol__processes_each(log, ended_note, &v);
    ended->processes = v.processes;
    if (v.count) {
        qsort(v.all, v.count, sizeof *v.all, ended_by_rank);
        read_ended_module(log, &v, IOL_SLOT_POSIX, "POSIX");
        read_ended_module(log, &v, IOL_SLOT_STDIO, "STDIO");
        ended_choose(&v, of_mpi(log), ended);
    }
    free(v.all);
}
