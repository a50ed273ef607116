/* How processes ended that did not say so themselves, from what those who waited for them put on the list of the run. A
   process number may have been used before and again: the one that is meant is of the same namespace and was the last to
   start before it ended. */
#include <math.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "log/merge/merge_internal.h"

typedef struct person {
    uint64_t run, name_space;
    int32_t pid;
    int64_t instant; /* when it started */
    size_t number;   /* in the list of people */
} person;

static int by_pid(const person *x, const person *y) {
    if (x->run != y->run) return x->run < y->run ? -1 : 1;
    if (x->name_space != y->name_space) return x->name_space < y->name_space ? -1 : 1;
    return x->pid < y->pid ? -1 : x->pid > y->pid;
}

static int by_pid_and_start(const void *a, const void *b) {
    const person *x = a, *y = b;
    const int order = by_pid(x, y);
    if (order) return order;
    if (x->instant != y->instant) return x->instant < y->instant ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

static person *sorted_people(const merger *m) {
    person *people = calloc(m->n_people + 1, sizeof *people);
    if (!people) return NULL;
    for (size_t i = 0; i < m->n_people; i++) {
        const merge_process *p = &m->people[i];
        people[i] = (person){p->run, p->born >> IOL_BORN_BITS, p->pid, iol__merge_process_instant(p), i};
    }
    qsort(people, m->n_people, sizeof *people, by_pid_and_start);
    return people;
}

/* The last one that started at this instant or before. */
static merge_process *who_ended(merger *m, const person *people, const person *ended) {
    size_t low = 0, high = m->n_people; /* those below `low` are not behind it */
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const int order = by_pid(&people[middle], ended);
        if (order < 0 || (order == 0 && people[middle].instant <= ended->instant))
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0 || by_pid(&people[low - 1], ended) != 0) return NULL;
    return &m->people[people[low - 1].number];
}

/* A process that reported its exit did not die of a signal before. Of several reports the first counts: of one who found it
   ending (status 0) for the time, of a debugger and a parent for the status. */
static void note_death(merge_process *p, int status, int64_t instant) {
    if (p->ended != IOL_ENDED_NOT && (!status || WIFSIGNALED(status))) return;
    if (!p->status) p->status = status;
    int64_t since;
    if (isnan(p->end) && !__builtin_sub_overflow(instant, p->zero, &since)) p->end = (double)since * 1e-9;
}

static bool is_death(const iol__start *start, int *status) {
    *status = (int)(start->how >> IOL_STARTED_STATUS & 0xffff);
    return start->how & IOL_STARTED_ENDED && isfinite(start->time) && (WIFEXITED(*status) || WIFSIGNALED(*status));
}

iol_status iol__merge_survey_deaths(merger *m) {
    person *people = NULL;
    for (size_t i = 0; i < m->found.n_starts; i++) {
        const iol__start *start = &m->found.starts[i];
        int status;
        if (!is_death(start, &status)) continue;
        if (!people && !(people = sorted_people(m))) return iol__merge_out_of_memory(m);
        const person ended = {.run = start->run,
                              .name_space = start->born >> IOL_BORN_BITS,
                              .pid = start->pid,
                              .instant = iol__merge_instant(start->zero_s, start->zero_ns, start->time)};
        merge_process *p = who_ended(m, people, &ended);
        if (p) note_death(p, status, ended.instant);
    }
    free(people);
    return IOL_OK;
}
