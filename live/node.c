/* From processes to jobs. Processes are sorted by job after each look, and accounts are kept in the same order, so that both
   are brought together in one pass however many there are. */
#include "live/node.h"

#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/deadline.h"
#include "base/grow.h"
#include "insight/findings/engine.h"
#include "text/text.h"

enum { MOST_NAMES = 4096, HIDDEN_SECONDS = 60 };

/* Order ----------------------------------------------------------------------------------------------------------- */

static int compare_owned(int64_t a, uid_t a_uid, int64_t b, uid_t b_uid) {
    if (a != b) return a < b ? -1 : 1;
    return (a_uid > b_uid) - (a_uid < b_uid);
}

static int compare_processes(const void *a, const void *b) {
    const iol__live_process *x = *(iol__live_process *const *)a, *y = *(iol__live_process *const *)b;
    const int order = compare_owned(x->job, x->uid, y->job, y->uid);
    return order ? order : (x->pid > y->pid) - (x->pid < y->pid);
}

static bool order_processes(iol__live_node *n) {
    const size_t count = n->watch.count;
    if (count > n->ordered_room) {
        iol__live_process **larger = realloc(n->ordered, count * sizeof *larger);
        if (!larger) return false;
        n->ordered = larger;
        n->ordered_room = count;
    }
    if (count) memcpy(n->ordered, n->watch.processes, count * sizeof *n->ordered);
    if (count) qsort(n->ordered, count, sizeof *n->ordered, compare_processes);
    return true;
}

/* How many processes from `at` on are of the same job. */
static size_t processes_from(const iol__live_node *n, size_t at) {
    size_t end = at + 1;
    while (end < n->watch.count && n->ordered[end]->job == n->ordered[at]->job &&
           n->ordered[end]->uid == n->ordered[at]->uid)
        end++;
    return end - at;
}

/* Accounts -------------------------------------------------------------------------------------------------------- */

static iol__live_figures times(const iol__live_figures *rate, double seconds) {
    return (iol__live_figures){.bytes_read = rate->bytes_read * seconds,
                               .bytes_written = rate->bytes_written * seconds,
                               .reads = rate->reads * seconds,
                               .writes = rate->writes * seconds,
                               .time = rate->time * seconds};
}

/* What a process has done since the last look, or since its start if this is the first one that sees it. */
static iol__live_figures done_by(const iol__live_node *n, const iol__live_process *p) {
    return p->fresh ? p->total : times(&p->rate, n->watch.elapsed);
}

static iol__live_account account_of(const iol__live_node *n, size_t at, size_t count, size_t *known) {
    iol__live_account account = {.job = n->ordered[at]->job, .uid = n->ordered[at]->uid};
    while (*known < n->n_accounts &&
           compare_owned(n->accounts[*known].job, n->accounts[*known].uid, account.job, account.uid) < 0)
        ++*known; /* of a job that has ended */
    if (*known < n->n_accounts &&
        compare_owned(n->accounts[*known].job, n->accounts[*known].uid, account.job, account.uid) == 0)
        account.total = n->accounts[*known].total;
    for (size_t i = at; i < at + count; i++) {
        const iol__live_figures done = done_by(n, n->ordered[i]);
        iol__live_add(&account.total, &done);
    }
    return account;
}

static void keep_accounts(iol__live_node *n) {
    iol__live_account *accounts = malloc((n->watch.count + 1) * sizeof *accounts);
    size_t count = 0, known = 0;
    for (size_t at = 0, more; accounts && at < n->watch.count; at += more) {
        more = processes_from(n, at);
        accounts[count++] = account_of(n, at, more, &known);
    }
    free(n->accounts);
    n->accounts = accounts;
    n->n_accounts = n->jobs = count;
}

/* What happened before the node was watched is not part of it. */
static void keep_sum(iol__live_node *n) {
    for (size_t i = 0; n->watch.elapsed > 0 && i < n->watch.count; i++) {
        const iol__live_figures done = done_by(n, n->watch.processes[i]);
        iol__live_add(&n->sum, &done);
    }
}

void iol__live_node_look(iol__live_node *n) {
    iol__live_look(&n->watch);
    if (order_processes(n))
        keep_accounts(n);
    else
        n->n_accounts = n->jobs = 0; /* without memory there are no jobs this time */
    keep_sum(n);
    const double now = iol__monotonic_seconds();
    if (n->watch.n_places && (n->hidden_at == 0 || now - n->hidden_at >= HIDDEN_SECONDS)) {
        n->hidden = iol__live_count_hidden(n->watch.places[0]);
        n->hidden_at = now;
    }
}

/* The state ------------------------------------------------------------------------------------------------------- */

static char *ask_name(uid_t uid) {
    char room[4096];
    struct passwd entry, *found = NULL;
    return getpwuid_r(uid, &entry, room, sizeof room, &found) == 0 && found ? strdup(found->pw_name) : NULL;
}

/* Asked once: the answer may come from afar. */
static const char *name_of_user(iol__live_node *n, uid_t uid) {
    for (size_t i = 0; i < n->n_names; i++)
        if (n->names[i].uid == uid) return n->names[i].name;
    if (n->n_names == MOST_NAMES || !IOL_GROW(n->names, n->names_room, n->n_names)) return NULL;
    n->names[n->n_names] = (iol__live_name){.uid = uid, .name = ask_name(uid)};
    return n->names[n->n_names++].name;
}

/* "/opt/heat3d -n 4" is heat3d. */
static const char *program_of(iol__arena *arena, const char *command) {
    const size_t length = strcspn(command, " ");
    const char *end = command + length, *begin = end;
    while (begin > command && begin[-1] != '/') begin--;
    return begin < end ? iol__arena_text(arena, begin, (size_t)(end - begin)) : iol__arena_copy(arena, command);
}

static bool is_of_job(const iol__live_process *p, const void *context) {
    const iol__live_job *job = context;
    return p->job == job->job && p->uid == job->uid;
}

static void list_busiest(const iol__live_node *n, iol__arena *arena, iol__live_job *job) {
    iol__live_hot hot[IOL_LIVE_HOT];
    const size_t found = iol__live_hottest(&n->watch, is_of_job, job, true, hot);
    job->n_busiest = found < IOL_LIVE_JOB_FILES ? found : IOL_LIVE_JOB_FILES;
    job->busiest = iol__arena_alloc(arena, job->n_busiest + 1, sizeof *job->busiest);
    for (size_t i = 0; i < job->n_busiest; i++)
        job->busiest[i] = (iol__live_job_file){.name = iol__arena_copy(arena, hot[i].name),
                                               .module = iol__modules[hot[i].slot].name,
                                               .open = hot[i].open,
                                               .processes = hot[i].processes,
                                               .total = hot[i].total,
                                               .rate = hot[i].rate};
}

static iol__live_job job_of(const iol__live_node *n, size_t at, size_t count) {
    const iol__live_process *first = n->ordered[at];
    iol__live_job job = {
        .job = first->job, .uid = first->uid, .exe = first->command, .start = first->start, .processes = count};
    for (size_t i = at; i < at + count; i++) {
        const iol__live_process *p = n->ordered[i];
        job.files += p->ids.count;
        job.open_files += p->open_files;
        if (p->start < job.start) job.start = p->start;
        iol__live_add(&job.rate, &p->rate);
    }
    return job;
}

static int compare_live_jobs(const void *a, const void *b) {
    const iol__live_job *x = a, *y = b;
    const double now = iol__live_activity(&x->rate), then = iol__live_activity(&y->rate);
    if (now != then) return now < then ? 1 : -1;
    const double all = iol__live_activity(&x->total), other = iol__live_activity(&y->total);
    if (all != other) return all < other ? 1 : -1;
    return compare_owned(x->job, x->uid, y->job, y->uid);
}

static void list_jobs(iol__live_node *n, iol__arena *arena, iol__live_state *state) {
    state->jobs = iol__arena_alloc(arena, n->n_accounts + 1, sizeof *state->jobs);
    for (size_t at = 0, more; at < n->watch.count && state->n_jobs < n->n_accounts; at += more) {
        more = processes_from(n, at);
        iol__live_job *job = &state->jobs[state->n_jobs];
        *job = job_of(n, at, more);
        job->total = n->accounts[state->n_jobs++].total;
    }
    qsort(state->jobs, state->n_jobs, sizeof *state->jobs, compare_live_jobs);
    if (state->n_jobs <= IOL_LIVE_JOBS) return;
    state->left_out = state->n_jobs - IOL_LIVE_JOBS;
    state->n_jobs = IOL_LIVE_JOBS;
}

static bool is_wished(const iol__live_job *job, const iol__live_wish *wishes, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (wishes[i].job == job->job && wishes[i].uid == job->uid) return true;
    return false;
}

/* Which files are the busiest is worked out for as many jobs as people look at; of the others the figures are enough. */
enum { JOBS_WITH_FILES = 64 };

iol__live_state iol__live_node_state(iol__live_node *n, iol__arena *arena, const iol__live_wish *wishes,
                                     size_t n_wishes) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    iol__live_state state = {.time = (double)now.tv_sec + (double)now.tv_nsec * 1e-9,
                             .interval = n->watch.elapsed,
                             .processes = n->watch.count,
                             .unseen = {.unreadable = n->watch.unreadable,
                                        .foreign_runs = n->watch.foreign_runs,
                                        .hidden = n->hidden,
                                        .beyond = n->watch.beyond}};
    list_jobs(n, arena, &state);
    for (size_t i = 0; i < state.n_jobs; i++) {
        iol__live_job *job = &state.jobs[i];
        const bool wished = is_wished(job, wishes, n_wishes);
        job->user = name_of_user(n, job->uid);
        job->exe = program_of(arena, job->exe);
        if (i < JOBS_WITH_FILES || wished) list_busiest(n, arena, job);
        if (wished) iol__live_judge(n, arena, job);
    }
    return state;
}

void iol__live_node_close(iol__live_node *n) {
    for (size_t i = 0; i < n->n_names; i++) free(n->names[i].name);
    free(n->names);
    free(n->accounts);
    free(n->ordered);
    iol__rulebook_free(n->rulebook);
    iol__live_forget(&n->watch);
    *n = (iol__live_node){.watch = n->watch};
}
