/* Who belongs into which log. Ranks of an MPI job say so in their mapped files, and finished logs of such jobs in their
   metadata; each job is a part of the merge, and everybody else is the last part. Inputs and processes move from the
   survey into the parts, where they get their final ranks. */
#include <stdlib.h>
#include <string.h>

#include "log/merge/merge_internal.h"
#include "record/hash.h"

enum { MISSING_TEXT = 160 /* of the list of missing ranks */ };

/* Times ------------------------------------------------------------------------------------------------------------ */

static bool merge_parts_earlier(int64_t s1, int64_t ns1, int64_t s2, int64_t ns2) {
    return s1 < s2 || (s1 == s2 && ns1 < ns2);
}

/* An MPI job begins with its first process, other logs with what their times count from. */
static void note_times(merger *m, const merge_input *in) {
    merge_input *whole = &m->whole;
    const bool own = m->world && in->instant > 0 && in->instant != INT64_MAX;
    const int64_t start = own ? in->instant / 1000000000 : in->start;
    const int64_t start_ns = own ? in->instant % 1000000000 : in->start_ns;
    if (in->end == 0) m->unfinished = true;
    if (!m->timed || merge_parts_earlier(start, start_ns, whole->start, whole->start_ns)) {
        whole->start = start;
        whole->start_ns = start_ns;
    }
    if (in->run_zero > 0) whole->run_zero = in->run_zero;
    m->timed = true;
    if (merge_parts_earlier(whole->end, whole->end_ns, in->end, in->end_ns)) {
        whole->end = in->end;
        whole->end_ns = in->end_ns;
    }
}

static void find_times(merger *m, const merger *survey) {
    for (size_t i = 0; i < m->n_inputs; i++)
        if (!m->inputs[i].unknown) note_times(m, &m->inputs[i]);
    for (size_t i = 0; !m->world && i < survey->found.n_groups; i++) {
        const merge_group *g = &survey->groups[i];
        if (g->alone) note_times(m, &(merge_input){.start = g->start, .start_ns = g->start_ns, .end = g->end});
    }
}

static double shift_of(const merger *m, const merge_input *in) {
    return ((double)in->start - (double)m->whole.start) + ((double)in->start_ns - (double)m->whole.start_ns) / 1e9;
}

/* Inputs whose job record is damaged are taken for more of the first one that is sound. */
static void adopt_unknown(merger *m) {
    const merge_input *sound = NULL;
    for (size_t i = 0; i < m->n_inputs && !sound; i++)
        if (!m->inputs[i].unknown) sound = &m->inputs[i];
    for (size_t i = 0; sound && i < m->n_inputs; i++) {
        merge_input *in = &m->inputs[i];
        if (!in->unknown) continue;
        in->job_id = sound->job_id;
        in->processes = sound->processes;
        in->start = m->whole.start;
        in->start_ns = m->whole.start_ns;
        in->instant = iol__merge_instant(in->start, in->start_ns, 0);
    }
}

static void free_input(merge_input *in) {
    iol_log_close(in->log);
    free(in->missing);
    free(in->exe);
}

/* Ranks of an MPI job ---------------------------------------------------------------------------------------------- */

/* Records are combined in the order of their ranks, and those of one process in order of time. */
static int merge_parts_by_rank(const void *a, const void *b) {
    const merge_input *x = a, *y = b;
    if (x->first_rank != y->first_rank) return x->first_rank < y->first_rank ? -1 : 1;
    if (x->rank != y->rank) return x->rank < y->rank ? -1 : 1;
    if (x->instant != y->instant) return x->instant < y->instant ? -1 : 1;
    return x->number < y->number ? -1 : 1;
}

typedef struct merge_parts_ranks {
    uint8_t *bits; /* of ranks that are there */
    int64_t size;
} merge_parts_ranks;

static void set_rank(merge_parts_ranks *all, int64_t rank, bool there) {
    const uint8_t bit = (uint8_t)(1U << (rank & 7));
    if (rank < 0 || rank >= all->size) return;
    all->bits[rank >> 3] = (uint8_t)(there ? all->bits[rank >> 3] | bit : all->bits[rank >> 3] & ~bit);
}

static bool has_merge_parts_rank(const merge_parts_ranks *all, int64_t rank) {
    return all->bits[rank >> 3] >> (rank & 7) & 1;
}

/* Ranks as in the metadata, "3,7-9". Calls back for each range. */
static void each_range(const char *text, void (*each)(void *context, int64_t from, int64_t to), void *context) {
    while (*text) {
        char *end;
        const long long from = strtoll(text, &end, 10);
        long long to = from;
        if (end == text) return;
        if (*end == '-') to = strtoll(text = end + 1, &end, 10);
        if (from < 0 || to < from || end == text) return;
        each(context, from, to);
        if (*end != ',') return;
        text = end + 1;
    }
}

static void not_there(void *context, int64_t from, int64_t to) {
    merge_parts_ranks *all = context;
    for (int64_t rank = from; rank <= to && rank < all->size; rank++) set_rank(all, rank, false);
}

/* Adds the ranks of a finished log, which are all but those that it misses. False if all of them are there already. */
static bool add_merge_parts_log(merge_parts_ranks *all, merge_parts_ranks *room, const merge_input *in) {
    const size_t bytes = (size_t)all->size / 8 + 1;
    bool news = false;
    memset(room->bits, 0xff, bytes);
    if (in->missing) each_range(in->missing, not_there, room);
    for (int64_t rank = 0; rank < all->size && !news; rank++)
        news = has_merge_parts_rank(room, rank) && !has_merge_parts_rank(all, rank);
    for (size_t i = 0; i < bytes; i++) all->bits[i] |= room->bits[i];
    return news;
}

/* Finished logs of one job complete each other. One that has nothing new was made of the same records: whoever made it
   was killed before it could remove them. */
static bool add_finished(merger *m, merge_parts_ranks *all) {
    merge_parts_ranks room = {calloc((size_t)all->size / 8 + 1, 1), all->size};
    size_t kept = 0;
    for (size_t i = 0; room.bits && i < m->n_inputs; i++) {
        merge_input *in = &m->inputs[i];
        if (in->process == MERGE_NO_PROCESS && !add_merge_parts_log(all, &room, in)) {
            iol__merge_complain(m, "%s: nothing new for its job; left out", m->found.all[in->number].path);
            free_input(in);
            continue;
        }
        m->inputs[kept++] = *in;
    }
    if (room.bits) m->n_inputs = kept;
    free(room.bits);
    return room.bits != NULL;
}

static char *print_missing(const merge_parts_ranks *all, int64_t *count) {
    char text[MISSING_TEXT + 64] = "";
    size_t length = 0;
    *count = 0;
    for (int64_t rank = 0, to; rank < all->size; rank = to) {
        for (to = rank; to < all->size && !has_merge_parts_rank(all, to); to++) {}
        *count += to - rank;
        if (to > rank && length < MISSING_TEXT) {
            const char *comma = length ? "," : "";
            int n = to - rank > 1 ? snprintf(text + length, sizeof text - length, "%s%lld-%lld", comma, (long long)rank,
                                             (long long)to - 1)
                                  : snprintf(text + length, sizeof text - length, "%s%lld", comma, (long long)rank);
            length += (size_t)n;
        } else if (to > rank && length < sizeof text - 8) {
            snprintf(text + length, sizeof text - length, ",...");
            length = sizeof text;
        }
        if (to == rank) to++;
    }
    return strdup(text);
}

/* Ranks that went on after the end of MPI, and nothing else: what all did before that is not here. */
static bool only_late(const merger *m) {
    for (size_t i = 0; i < m->n_inputs; i++)
        if (!m->inputs[i].late) return false;
    return m->n_inputs > 0;
}

static iol_status find_missing(merger *m) {
    merge_parts_ranks all = {calloc((size_t)m->processes / 8 + 1, 1), m->processes};
    bool good = all.bits != NULL;
    if (good && only_late(m)) memset(all.bits, 0xff, (size_t)m->processes / 8 + 1);
    for (size_t i = 0; good && i < m->n_people && !m->completes; i++)
        if (m->people[i].n_inputs) set_rank(&all, m->people[i].seat.rank, true);
    good = good && add_finished(m, &all);
    if (good) m->missing = print_missing(&all, &m->n_missing);
    free(all.bits);
    if (!m->missing) return iol__merge_out_of_memory(m);
    if (m->n_missing == 1)
        iol__merge_complain(m, "rank %s of %lld left nothing", m->missing, (long long)m->processes);
    else if (m->n_missing)
        iol__merge_complain(m, "%lld of %lld ranks left nothing: %s", (long long)m->n_missing, (long long)m->processes,
                            m->missing);
    return IOL_OK;
}

/* Ranks and their number are as the inputs say. */
static iol_status assign_seats(merger *m) {
    m->processes = 1;
    for (size_t i = 0; i < m->n_people; i++) {
        m->people[i].rank = m->people[i].seat.rank;
        if (m->people[i].seat.size > m->processes) m->processes = m->people[i].seat.size;
    }
    for (size_t i = 0; i < m->n_inputs; i++) {
        merge_input *in = &m->inputs[i];
        in->shift = shift_of(m, in);
        in->single = in->process != MERGE_NO_PROCESS;
        in->first_rank = in->single ? m->people[in->process].rank : 0;
        if (in->single) in->rank = 0;
        if (m->completes) in->seated = false; /* the log that is there speaks for the job, and comes first */
        if (m->completes && !in->single) in->rank = -1;
        if (!in->single && in->processes > m->processes && in->processes <= MERGE_RANKS_MOST)
            m->processes = in->processes;
    }
    qsort(m->inputs, m->n_inputs, sizeof *m->inputs, merge_parts_by_rank);
    m->reduce = m->merge->reduce != IOL_MERGE_KEEP;
    return find_missing(m);
}

/* Everybody else --------------------------------------------------------------------------------------------------- */

/* Ranks of MPI jobs whose logs do not say which: those of one job stand together and in order. Then all others. */
static int merge_parts_by_job(const void *a, const void *b) {
    const merge_input *x = a, *y = b;
    bool x_run = x->listed || x->process != MERGE_NO_PROCESS, y_run = y->listed || y->process != MERGE_NO_PROCESS;
    if (x_run != y_run) return x_run ? 1 : -1;
    if (x->job_id != y->job_id) return x->job_id < y->job_id ? -1 : 1;
    return merge_parts_by_rank(x, y);
}

/* The ranks of an MPI job stay, behind those of jobs before it. Returns the first input that is of no such job. */
static size_t number_jobs(merger *m) {
    size_t from = 0, to;
    for (; from < m->n_inputs; from = to) {
        int64_t largest = 1;
        if (m->inputs[from].listed || m->inputs[from].process != MERGE_NO_PROCESS) break;
        for (to = from; to < m->n_inputs && m->inputs[to].job_id == m->inputs[from].job_id; to++) {
            if (m->inputs[to].listed || m->inputs[to].process != MERGE_NO_PROCESS) break;
            if (m->inputs[to].processes > largest) largest = m->inputs[to].processes;
        }
        bool single = largest == 1 && m->n_inputs > 1;
        for (size_t i = from; i < to; i++) {
            merge_input *in = &m->inputs[i];
            in->single = single;
            in->first_rank = single ? m->processes++ : m->processes;
            if (single) in->shift = shift_of(m, in);
        }
        if (!single) m->processes += largest;
    }
    return from;
}

/* Processes are numbered in order of their start, behind the ranks of MPI jobs. */
static iol_status assign_numbers(merger *m) {
    bool mpi = false;
    adopt_unknown(m);
    for (size_t i = 0; i < m->n_inputs; i++) {
        const merge_input *in = &m->inputs[i];
        mpi = mpi || (in->processes > 1 && !in->listed && in->process == MERGE_NO_PROCESS);
    }
    if (mpi) qsort(m->inputs, m->n_inputs, sizeof *m->inputs, merge_parts_by_job);
    size_t from = mpi ? number_jobs(m) : 0;
    for (size_t i = from; i < m->n_inputs; i++) {
        merge_input *in = &m->inputs[i];
        in->single = !in->listed && (m->n_inputs > 1 || in->process != MERGE_NO_PROCESS || m->n_people > 0);
        in->rank = 0;
        in->shift = shift_of(m, in);
    }
    iol_status status = iol__merge_number(m, from);
    qsort(m->inputs, m->n_inputs, sizeof *m->inputs, merge_parts_by_rank);
    iol__merge_reduce wish = m->merge->reduce;
    bool several = m->n_inputs > 1 || m->n_people > 1;
    m->reduce = several && (wish == IOL_MERGE_REDUCE || (wish == IOL_MERGE_AUTO && mpi));
    return status;
}

static bool is_worth(const merger *m) {
    if (iol__unseen_total(&m->unseen)) return true;
    for (size_t i = 0; i < m->n_inputs; i++)
        if (!m->inputs[i].starter) return true;
    return false;
}

/* Splitting -------------------------------------------------------------------------------------------------------- */

typedef struct seat_turn {
    merge_seat seat;
    int64_t instant;
    size_t process;
} seat_turn;

static int by_seat(const void *a, const void *b) {
    const seat_turn *x = a, *y = b;
    if (x->seat.world != y->seat.world) return x->seat.world < y->seat.world ? -1 : 1;
    if (x->seat.rank != y->seat.rank) return x->seat.rank < y->seat.rank ? -1 : 1;
    if (x->instant != y->instant) return x->instant < y->instant ? -1 : 1;
    return x->process < y->process ? -1 : 1;
}

/* A rank is one process. Others that claim to be the same are its children, and go where children go. */
static bool settle_seats(merger *m) {
    size_t n = 0;
    seat_turn *turns = calloc(m->n_people + 1, sizeof *turns);
    if (!turns) return false;
    for (size_t i = 0; i < m->n_people; i++) {
        const merge_process *p = &m->people[i];
        if (p->seat.world) turns[n++] = (seat_turn){p->seat, iol__merge_process_instant(p), i};
    }
    qsort(turns, n, sizeof *turns, by_seat);
    for (size_t i = 1; i < n; i++)
        if (turns[i].seat.world == turns[i - 1].seat.world && turns[i].seat.rank == turns[i - 1].seat.rank)
            m->people[turns[i].process].seat = (merge_seat){0};
    free(turns);
    return true;
}

typedef struct absent {
    int64_t rank;
    bool is;
} absent;

static void look_for(void *context, int64_t from, int64_t to) {
    absent *one = context;
    one->is = one->is || (one->rank >= from && one->rank <= to);
}

/* Whether a log that the job wrote itself has this rank. */
static bool is_written(const merger *m, const merge_seat *seat) {
    for (size_t i = 0; seat->world && i < m->n_written; i++) {
        absent one = {.rank = seat->rank};
        if (m->written[i].world != seat->world) continue;
        if (m->written[i].missing) each_range(m->written[i].missing, look_for, &one);
        if (!one.is) return true;
    }
    return false;
}

/* What a rank left although it is in its job's log, and what its process did as a copy of the launcher. */
static bool is_needless(const merger *m, const merge_input *in) {
    if (in->process == MERGE_NO_PROCESS) return false;
    const merge_process *p = &m->people[in->process];
    return (in->seated && !in->late && is_written(m, &p->seat)) || (in->starter && (p->seat.world || p->seated));
}

static void drop_needless(merger *m) {
    size_t kept = 0;
    for (size_t i = 0; i < m->n_inputs; i++) {
        const merge_input *in = &m->inputs[i];
        if (is_needless(m, in)) {
            m->found.all[in->number].fate = IOL_INPUT_USED;
            m->people[in->process].n_inputs--;
        } else {
            m->inputs[kept++] = *in;
        }
    }
    m->n_inputs = kept;
    for (size_t i = 0; i < m->n_people; i++) {
        if (m->people[i].late || !is_written(m, &m->people[i].seat)) continue;
        m->people[i].seat = (merge_seat){0}; /* what else it ran is that of any process */
        m->people[i].seated = true;
    }
}

static uint64_t world_of(const merger *m, const merge_input *in) {
    return in->process == MERGE_NO_PROCESS ? in->world : m->people[in->process].seat.world;
}

typedef struct world {
    uint64_t number;
    int64_t instant; /* of its first process */
} world;

static int by_instant(const void *a, const void *b) {
    const world *x = a, *y = b;
    if (x->instant != y->instant) return x->instant < y->instant ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

/* All worlds in order of start, and room for one more; NULL without memory. */
static world *find_worlds(const merger *m, size_t *count) {
    iol__idmap numbers = {0};
    world *worlds = calloc(m->n_inputs + 1, sizeof *worlds);
    for (size_t i = 0; worlds && i < m->n_inputs; i++) {
        const uint64_t number = world_of(m, &m->inputs[i]);
        size_t known = numbers.count, at = number ? iol__idmap_add(&numbers, number) : IOL_IDMAP_NONE;
        if (at == IOL_IDMAP_NONE) {
            if (!number) continue;
            free(worlds);
            worlds = NULL;
        } else if (at == known || m->inputs[i].instant < worlds[at].instant) {
            worlds[at] = (world){number, m->inputs[i].instant};
        }
    }
    *count = numbers.count;
    iol__idmap_free(&numbers);
    if (worlds) qsort(worlds, *count, sizeof *worlds, by_instant);
    return worlds;
}

/* A rank that left nothing here has a log elsewhere, or is missing from that of its job; it is none of the others. */
static bool merge_parts_belongs(const merge_process *p, uint64_t number, bool logged) {
    return p->seat.world == number && (number || p->n_inputs || !p->seated || !logged);
}

static bool take_merge_parts_part(merger *survey, uint64_t number, bool logged, merger *part) {
    size_t *places = calloc(survey->n_people + 1, sizeof *places);
    part->merge = survey->merge;
    part->error = survey->error;
    part->options = survey->options;
    part->found = survey->found;
    part->world = number;
    memcpy(part->standard, survey->standard, sizeof part->standard);
    part->inputs = calloc(survey->n_inputs + 1, sizeof *part->inputs);
    part->people = calloc(survey->n_people + 1, sizeof *part->people);
    if (!places || !part->inputs || !part->people) {
        free(places);
        return false;
    }
    for (size_t i = 0; i < survey->n_people; i++) {
        if (!merge_parts_belongs(&survey->people[i], number, logged)) continue;
        places[i] = part->n_people;
        part->people[part->n_people++] = survey->people[i];
        survey->people[i] = (merge_process){.seat = survey->people[i].seat, .seated = survey->people[i].seated};
    }
    for (size_t i = 0; i < survey->n_inputs; i++) {
        merge_input *in = &survey->inputs[i];
        if (in->number == SIZE_MAX || world_of(survey, in) != number) continue;
        part->inputs[part->n_inputs] = *in;
        if (in->process != MERGE_NO_PROCESS) part->inputs[part->n_inputs].process = places[in->process];
        part->n_inputs++;
        *in = (merge_input){.number = SIZE_MAX};
    }
    free(places);
    return true;
}

static const char *completed_by(const merger *survey, uint64_t number) {
    for (size_t i = 0; number && i < survey->n_written; i++)
        if (survey->written[i].world == number && survey->written[i].path) return survey->written[i].path;
    return NULL;
}

static bool make_part(merger *survey, uint64_t number, bool logged, merger *part) {
    if (!take_merge_parts_part(survey, number, logged, part)) return false;
    part->completes = completed_by(survey, number);
    find_times(part, survey);
    return (number ? assign_seats(part) : assign_numbers(part)) == IOL_OK;
}

merger *iol__merge_split(merger *survey, size_t *count) {
    size_t n_worlds;
    bool good = settle_seats(survey);
    drop_needless(survey);
    world *worlds = good ? find_worlds(survey, &n_worlds) : NULL;
    merger *parts = worlds ? calloc(n_worlds + 1, sizeof *parts) : NULL;
    *count = 0;
    good = parts != NULL;
    if (good) worlds[n_worlds] = (world){0}; /* the others */
    for (size_t i = 0; good && i <= n_worlds; i++) {
        merger *part = &parts[(*count)++];
        good = make_part(survey, worlds[i].number, n_worlds || survey->n_written, part);
        if (good && !part->n_inputs && !part->n_people) iol__merge_free_part(&parts[--*count]);
    }
    free(worlds);
    if (good && *count) parts[*count - 1].unseen = survey->unseen; /* the others, if there are any */
    if (good) return parts;
    while (*count) iol__merge_free_part(&parts[--*count]);
    free(parts);
    return NULL;
}

void iol__merge_free_part(merger *part) {
    for (size_t i = 0; i < part->n_inputs; i++) free_input(&part->inputs[i]);
    for (size_t i = 0; i < part->n_people; i++) iol__merge_free_process(&part->people[i]);
    free(part->inputs);
    free(part->people);
    free(part->missing);
    *part = (merger){0};
}

/* What a caller learns --------------------------------------------------------------------------------------------- */

iol__merge_part iol__merge_describe(const merger *m) {
    iol__merge_part part = {.world = m->world,
                            .processes = m->processes,
                            .missing = m->n_missing,
                            .unfinished = m->unfinished,
                            .worth = is_worth(m),
                            .command = iol__merge_command(m),
                            .start_seconds = m->whole.start,
                            .completes = m->completes};
    const merge_process *speaker = iol__merge_first(m);
    if (speaker) part.pid = speaker->pid;
    for (size_t i = 0; i < m->n_people && m->n_inputs == 0; i++)
        part.elsewhere = part.elsewhere || m->people[i].follows;
    if (m->n_inputs == 0) return part;
    const merge_input *first = &m->inputs[0]; /* they are in order of rank */
    part.job_id = first->job_id;
    if (!part.command) part.command = first->exe;
    if (!part.pid) part.pid = first->pid;
    return part;
}
