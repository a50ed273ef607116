/* One pass over the records of APMPI. */
#include "log/figures/messages.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "log/read/log_internal.h"
#include "record/record.h"

/* Where the counters of an operation are: its first integer, and its sync time among the reals. */
static const struct {
    const char *name;
    int16_t count, sync;
    bool message;
} operations[IOL_MESSAGE_OPERATIONS] = {
#define MESSAGE(name) {#name, IOL_MPI_##name##_CALL_COUNT, -1, true},
#define PLAIN(name) {#name, IOL_MPI_##name##_CALL_COUNT, -1, false},
#define SYNCED_MESSAGE(name) {#name, IOL_MPI_##name##_CALL_COUNT, IOL_MPI_##name##_TOTAL_SYNC_TIME, true},
#define SYNCED_PLAIN(name) {#name, IOL_MPI_##name##_CALL_COUNT, IOL_MPI_##name##_TOTAL_SYNC_TIME, false},
#include "schema/apmpi_operations.def"
#undef MESSAGE
#undef PLAIN
#undef SYNCED_MESSAGE
#undef SYNCED_PLAIN
};

const char *iol__message_name(int operation, char room[32]) {
    size_t length = (size_t)snprintf(room, 32, "MPI_%s", operations[operation].name);
    for (size_t i = 5; i < length && i < 31; i++) room[i] = (char)tolower((unsigned char)room[i]);
    return room;
}

/* Reading --------------------------------------------------------------------------------------------------------- */

static double messages_seconds(double value) { return isfinite(value) && value > 0 ? value : 0; }

static void add_messages_operation(iol__message_operation *to, const iol_record *record, int operation) {
    const int first = operations[operation].count;
    to->calls += (uint64_t)record->ints[first];
    if (operations[operation].message) to->bytes += (uint64_t)record->ints[first + 1];
    to->time += messages_seconds(record->reals[3 * operation]);
    to->longest = fmax(to->longest, messages_seconds(record->reals[3 * operation + 2]));
    if (record->sync_times && operations[operation].sync >= 0)
        to->sync += messages_seconds(record->reals[operations[operation].sync]);
}

static bool add_messages_record(iol_log *log, iol__messages *m, const iol_record *record) {
    if ((m->n_ranks & (m->n_ranks - 1)) == 0) {
        size_t room = m->n_ranks ? 2 * m->n_ranks : 1;
        if (!iol__budget_take(log, (room - m->n_ranks) * sizeof *m->ranks)) return false;
        iol__message_rank *grown = realloc(m->ranks, room * sizeof *grown);
        if (!grown) return false;
        m->ranks = grown;
    }
    m->ranks[m->n_ranks++] = (iol__message_rank){
        .rank = record->rank,
        .time = messages_seconds(record->reals[IOL_MPI_TOTAL_COMM_TIME]),
        .sync = record->sync_times ? messages_seconds(record->reals[IOL_MPI_TOTAL_COMM_SYNC_TIME]) : 0,
    };
    m->sync = m->sync || record->sync_times;
    for (int i = 0; i < IOL_MESSAGE_OPERATIONS; i++) add_messages_operation(&m->of[i], record, i);
    return true;
}

void iol__messages_read(iol_log *log, iol__messages *messages) {
    *messages = (iol__messages){0};
    iol_records *records;
    const iol_record *record;
    if (iol_records_open(log, IOL_SLOT_APMPI, &records) != IOL_OK) return;
    bool room = true;
    while (room && iol_records_next(records, &record) == IOL_OK)
        if (!record->header) room = add_messages_record(log, messages, record);
    iol_records_close(records);
    if (!room) iol__messages_free(messages);
}

void iol__messages_free(iol__messages *messages) {
    free(messages->ranks);
    *messages = (iol__messages){0};
}

/* Asking ---------------------------------------------------------------------------------------------------------- */

int iol__messages_by_time(const iol__messages *messages, int order[IOL_MESSAGE_OPERATIONS]) {
    int count = 0;
    for (int i = 0; i < IOL_MESSAGE_OPERATIONS; i++) {
        if (!messages->of[i].calls) continue;
        int at = count++;
        for (; at > 0 && messages->of[order[at - 1]].time < messages->of[i].time; at--) order[at] = order[at - 1];
        order[at] = i;
    }
    return count;
}

iol__late_rank iol__messages_late(const iol__messages *messages) {
    iol__late_rank late = {.rank = -1};
    double *times = messages->n_ranks > 1 ? malloc(messages->n_ranks * sizeof *times) : NULL;
    if (!times) return late;
    size_t least = 0;
    for (size_t i = 0; i < messages->n_ranks; i++) {
        times[i] = messages->ranks[i].time;
        if (times[i] < times[least]) least = i;
    }
    late.rank = messages->ranks[least].rank;
    late.own_s = times[least];
    qsort(times, messages->n_ranks, sizeof *times, iol__by_value);
    late.usual_s = times[messages->n_ranks / 2];
    late.wait_s = late.usual_s - late.own_s;
    free(times);
    return late;
}
