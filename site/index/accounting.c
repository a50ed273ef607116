/* Each form becomes rows of `sched`; then the jobs of these ids are made again. Steps only tell how many tasks there were.
   What prolog and epilogue say stays when the list is read again, and the other way round. */
#include "site/index/accounting.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/count.h"
#include "log/write/keyed.h"
#include "site/index/application.h"
#include "site/index/expire.h"
#include "record/hash.h"
#include "site/index/sched.h"
#include "site/query/query.h"
#include "site/site.h"
#include "site/tree.h"

enum { MOST_FIELDS = 64 };
static const size_t most_bytes = (size_t)1 << 31;

typedef struct sched_job {
    const char *cluster, *jobid, *array_job, *user, *account, *partition, *qos, *name, *state, *nodelist, *entry,
        *cause;
    int64_t submit, start, ended; /* microseconds; -1: not known */
    int64_t nodes, cores, tasks;  /* -1: not known */
} sched_job;

typedef struct reading {
    iol__store *store;
    iol__sched *sched;
    const iol__entry_plan *plan;
    iol__accounting_counts *counts;
    int64_t expired_before; /* jobs of earlier days are not taken; 0: all are */
    iol_status status;
} reading;

/* Values -------------------------------------------------------------------------------------------------------- */

/* Seconds since the epoch, or local time as sacct prints it. */
static int64_t time_of(const char *text) {
    struct tm tm = {.tm_isdst = -1};
    int end = 0;
    if (!text || !isdigit((unsigned char)*text)) return -1;
    if (sscanf(text, "%4d-%2d-%2dT%2d:%2d:%2d%n", &tm.tm_year, &tm.tm_mon, &tm.tm_mday, &tm.tm_hour, &tm.tm_min,
               &tm.tm_sec, &end) == 6 &&
        !text[end]) {
        tm.tm_year -= 1900;
        tm.tm_mon--;
        time_t seconds = mktime(&tm);
        return seconds == -1 ? -1 : (int64_t)seconds * 1000000;
    }
    char *stop;
    errno = 0;
    long long seconds = strtoll(text, &stop, 10);
    return *stop || errno || seconds <= 0 || seconds > INT64_C(100000000000) ? -1 : seconds * 1000000;
}

static int64_t count_of(const char *text) {
    char *end;
    if (!text || !isdigit((unsigned char)*text)) return -1;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    return errno || value > INT64_C(1) << 40 ? -1 : value;
}

static iol__maybe known(int64_t value) {
    const iol__maybe unknown = {0};
    return value < 0 ? unknown : iol__known(value);
}

/* Writing ------------------------------------------------------------------------------------------------------- */

/* By the same day as its row in `job`. What has no time stays. */
static bool is_expired(const reading *r, int64_t began) {
    return r->expired_before && began > 0 && iol__site_day(r->plan->site, began) < r->expired_before;
}

/* The same word for a name as in the rows of logs. */
static const char *kept_name(const reading *r, const char *name, char pseudonym[17]) {
    if (!name || !*name || !r->plan->key) return name;
    snprintf(pseudonym, 17, "%016llx", (unsigned long long)iol__keyed_hash(r->plan->key, name, strlen(name)));
    return pseudonym;
}

static void put_job(reading *r, const sched_job *j) {
    char user[17], name[17];
    /* Where the site has no name for its machine, the batch system's would part its jobs from their logs. */
    const bool named = strcmp(r->plan->cluster, "local") != 0;
    const char *cluster = named && j->cluster && *j->cluster ? j->cluster : r->plan->cluster;
    int64_t submit = j->submit >= 0 ? j->submit : 0;
    if (r->status != IOL_OK) return;
    r->counts->jobs++;
    if (is_expired(r, j->start >= 0 ? j->start : submit)) return;
    const iol__sched_row row = {.cluster = cluster,
                                .jobid = j->jobid,
                                .submit = submit,
                                .array_job = j->array_job,
                                .username = kept_name(r, j->user, user),
                                .account = j->account,
                                .part = j->partition,
                                .qos = j->qos,
                                .name = kept_name(r, j->name, name),
                                .state = j->state,
                                .start = known(j->start),
                                .ended = known(j->ended),
                                .nodes = known(j->nodes),
                                .cores = known(j->cores),
                                .tasks = known(j->tasks),
                                .nodelist = j->nodelist};
    r->status = iol__sched_job(r->sched, &row);
}

/* Text of sacct ------------------------------------------------------------------------------------------------- */

typedef enum field {
    F_IDRAW,
    F_ID,
    F_USER,
    F_ACCOUNT,
    F_PARTITION,
    F_QOS,
    F_NAME,
    F_STATE,
    F_SUBMIT,
    F_START,
    F_END,
    F_NODES,
    F_CPUS,
    F_NODELIST,
    F_TASKS,
    F_CLUSTER,
    FIELDS
} field;

static const char *const field_names[FIELDS][2] = {
    [F_IDRAW] = {"jobidraw", NULL},
    [F_ID] = {"jobid", NULL},
    [F_USER] = {"user", NULL},
    [F_ACCOUNT] = {"account", NULL},
    [F_PARTITION] = {"partition", NULL},
    [F_QOS] = {"qos", NULL},
    [F_NAME] = {"jobname", NULL},
    [F_STATE] = {"state", NULL},
    [F_SUBMIT] = {"submit", NULL},
    [F_START] = {"start", NULL},
    [F_END] = {"end", NULL},
    [F_NODES] = {"nnodes", "allocnodes"},
    [F_CPUS] = {"alloccpus", "ncpus"},
    [F_NODELIST] = {"nodelist", NULL},
    [F_TASKS] = {"ntasks", NULL},
    [F_CLUSTER] = {"cluster", NULL},
};

static size_t split(char *line, char *fields[MOST_FIELDS]) {
    size_t n = 0;
    for (char *part; n < MOST_FIELDS && (part = strsep(&line, "|"));) fields[n++] = part;
    return n;
}

/* Where the table has what, and how many columns it has; 0: it does not name jobs. */
static size_t read_head(char *line, int places[FIELDS]) {
    char *fields[MOST_FIELDS];
    size_t n = split(line, fields);
    for (int f = 0; f < FIELDS; f++) {
        places[f] = -1;
        for (size_t i = 0; i < n; i++)
            for (int k = 0; k < 2; k++)
                if (field_names[f][k] && strcasecmp(fields[i], field_names[f][k]) == 0 && places[f] < 0)
                    places[f] = (int)i;
    }
    return places[F_IDRAW] >= 0 || places[F_ID] >= 0 ? n : 0;
}

static const char *at(char *const *fields, size_t n, int place) {
    return place >= 0 && (size_t)place < n && *fields[place] ? fields[place] : NULL;
}

/* "CANCELLED by 4021" is CANCELLED. */
static void first_word(char *text) {
    if (text) text[strcspn(text, " ")] = 0;
}

/* A row with fewer columns than the table is half of one: the list was cut off. */
static void text_row(reading *r, char *line, size_t columns, const int places[FIELDS]) {
    char *fields[MOST_FIELDS];
    size_t n = split(line, fields);
    const char *id = at(fields, n, places[F_IDRAW] >= 0 ? places[F_IDRAW] : places[F_ID]);
    if (n < columns || !id || !isdigit((unsigned char)*id)) {
        r->counts->wrong++;
        return;
    }
    if (strchr(id, '.')) return; /* a step */
    first_word((char *)(uintptr_t)at(fields, n, places[F_STATE]));
    const char *nodes = at(fields, n, places[F_NODELIST]);
    sched_job j = {.jobid = id,
                   .array_job = at(fields, n, places[F_ID]),
                   .cluster = at(fields, n, places[F_CLUSTER]),
                   .user = at(fields, n, places[F_USER]),
                   .account = at(fields, n, places[F_ACCOUNT]),
                   .partition = at(fields, n, places[F_PARTITION]),
                   .qos = at(fields, n, places[F_QOS]),
                   .name = at(fields, n, places[F_NAME]),
                   .state = at(fields, n, places[F_STATE]),
                   .submit = time_of(at(fields, n, places[F_SUBMIT])),
                   .start = time_of(at(fields, n, places[F_START])),
                   .ended = time_of(at(fields, n, places[F_END])),
                   .nodes = count_of(at(fields, n, places[F_NODES])),
                   .cores = count_of(at(fields, n, places[F_CPUS])),
                   .tasks = count_of(at(fields, n, places[F_TASKS])),
                   .nodelist = nodes && strcmp(nodes, "None assigned") == 0 ? NULL : nodes};
    put_job(r, &j);
}

/* Prolog and epilogue --------------------------------------------------------------------------------------------- */

static bool is_entry(const char *word) {
    static const char *const entries[] = {"preloaded", "linked", "opted-out", "absent"};
    for (size_t i = 0; i < IOL_COUNT(entries); i++)
        if (strcmp(entries[i], word) == 0) return true;
    return false;
}

/* The words of such a line. */
typedef struct note {
    char *id, *start, *end, *entry, *status, *missed, *cause;
} note;

/* The cause is the rest of the line. */
static note split_note(char *line) {
    static const char *const keys[] = {"start=", "end=", "entry=", "status=", "missed="};
    note n = {.cause = strstr(line, " cause=")};
    char **values[] = {&n.start, &n.end, &n.entry, &n.status, &n.missed};
    if (n.cause) {
        *n.cause = 0;
        n.cause += strlen(" cause=");
    }
    char *rest = line;
    n.id = strsep(&rest, " ");
    for (char *word; (word = strsep(&rest, " "));)
        for (size_t i = 0; i < IOL_COUNT(keys); i++)
            if (strncmp(word, keys[i], strlen(keys[i])) == 0 && word[strlen(keys[i])])
                *values[i] = word + strlen(keys[i]);
    return n;
}

/* "static:app,static:app,go:tool": a program as often as it was started. */
static void read_missed(char *list, iol__unseen *into) {
    for (char *one; (one = strsep(&list, ","));) {
        char *name = strchr(one, ':');
        if (!name) continue;
        *name++ = 0;
        for (int why = 1; why < IOL_UNSEEN_REASONS; why++)
            if (strcmp(iol__unseen_name((iol__unseen_why)why), one) == 0)
                iol__unseen_note(into, iol__unseen_how((iol__unseen_why)why), name);
    }
    iol__unseen_sort(into);
}

/* "JOBID start=... end=... entry=preloaded status=... missed=... cause=the rest of the line" */
static void note_row(reading *r, char *line) {
    const note n = split_note(line);
    char text[1000] = "", cause[200] = "";
    if (!isdigit((unsigned char)*n.id) || (!n.entry && !n.cause) || (n.entry && !is_entry(n.entry))) {
        r->counts->wrong++;
        return;
    }
    if (r->status != IOL_OK) return;
    r->counts->notes++;
    if (is_expired(r, count_of(n.start) * 1000000)) return;
    if (n.missed) {
        iol__unseen missed = {0};
        read_missed(n.missed, &missed);
        iol__missed_words(&missed, text, sizeof text, cause, sizeof cause);
    }
    const int64_t start = count_of(n.start), ended = count_of(n.end);
    const iol__sched_row row = {.cluster = r->plan->cluster,
                                .jobid = n.id,
                                .start = {start * 1000000, start > 0},
                                .ended = {ended * 1000000, start > 0 && ended >= start},
                                .state = n.status,
                                .entry = n.entry,
                                .cause = n.cause  ? n.cause
                                         : *cause ? cause
                                                  : NULL,
                                .missed = *text ? text : NULL};
    r->status = iol__sched_note(r->sched, &row);
}

static bool is_blank(const char *line) { return !line[strspn(line, " \t")]; }

static void read_text(reading *r, char *text, const char *from) {
    int places[FIELDS];
    char *rest = text, *line = strsep(&rest, "\n");
    const bool table = strchr(line, '|') != NULL;
    line[strcspn(line, "\r")] = 0;
    const size_t columns = table ? read_head(line, places) : 0;
    if (table && !columns) {
        r->status = iol__store_fail(&r->store->error, IOL_INVALID,
                                    "%.200s: the list of jobs has no column JobIDRaw or JobID", from);
        return;
    }
    if (!table && !is_blank(line)) note_row(r, line);
    while (r->status == IOL_OK && (line = strsep(&rest, "\n"))) {
        line[strcspn(line, "\r")] = 0;
        if (is_blank(line)) continue;
        if (table)
            text_row(r, line, columns, places);
        else
            note_row(r, line);
    }
}

/* JSON of sacct ------------------------------------------------------------------------------------------------- */

/* A number, or {"set": true, "number": N}; -1 for what is not set. */
static int64_t number_of(const iol__tree *value) {
    int64_t number;
    bool set = true;
    if (value && value->kind == IOL_TREE_OBJECT) {
        iol__tree_bool(iol__tree_member(value, "set"), &set);
        value = iol__tree_member(value, "number");
    }
    return set && iol__tree_i64(value, &number) && number >= 0 ? number : -1;
}

static int64_t json_time(const iol__tree *job, const char *path) {
    const iol__tree *value = iol__tree_path(job, path);
    if (iol__tree_text(value)) return time_of(iol__tree_text(value));
    int64_t seconds = number_of(value);
    return seconds > 0 && seconds < INT64_C(100000000000) ? seconds * 1000000 : -1;
}

static const char *json_state(const iol__tree *job) {
    const iol__tree *state = iol__tree_member(job, "state");
    if (state && state->kind == IOL_TREE_OBJECT) state = iol__tree_member(state, "current");
    if (state && state->kind == IOL_TREE_ARRAY) state = state->first;
    return iol__tree_text(state);
}

static int64_t json_cores(const iol__tree *job) {
    const iol__tree *list = iol__tree_path(job, "tres.allocated");
    for (const iol__tree *t = list ? list->first : NULL; t; t = t->next) {
        const char *type = iol__tree_text(iol__tree_member(t, "type"));
        if (type && strcmp(type, "cpu") == 0) return number_of(iol__tree_member(t, "count"));
    }
    return -1;
}

static void json_row(reading *r, const iol__tree *job, const char *id) {
    const char *own = iol__tree_scalar(iol__tree_member(job, "job_id"));
    if (own) id = own;
    if (!id || !isdigit((unsigned char)*id)) {
        r->counts->wrong++;
        return;
    }
    if (strchr(id, '.')) return;
    const char *partition = iol__tree_text(iol__tree_member(job, "partition"));
    bool cache = iol__tree_member(job, "jobidraw") != NULL; /* a dictionary of jobs, as older tools keep */
    sched_job j = {.jobid = id,
                   .cluster = iol__tree_text(iol__tree_member(job, "cluster")),
                   .user = iol__tree_text(iol__tree_member(job, "user")),
                   .account = iol__tree_text(iol__tree_member(job, "account")),
                   .partition = partition,
                   .qos = iol__tree_text(iol__tree_member(job, "qos")),
                   .name = iol__tree_text(iol__tree_member(job, "name")),
                   .state = json_state(job),
                   .submit = json_time(job, cache ? "submit" : "time.submission"),
                   .start = json_time(job, cache ? "start" : "time.start"),
                   .ended = json_time(job, cache ? "end" : "time.end"),
                   .nodes = number_of(iol__tree_member(job, "allocation_nodes")),
                   .cores = json_cores(job),
                   .tasks = number_of(iol__tree_path(job, "steps.tasks.count")),
                   .nodelist = iol__tree_text(iol__tree_member(job, "nodes"))};
    const iol__tree *list = iol__tree_member(job, "nodelist");
    if (cache && list && list->kind == IOL_TREE_ARRAY) j.nodes = (int64_t)list->count;
    put_job(r, &j);
}

static void read_json(reading *r, const char *text, size_t length, const char *name) {
    iol__tree_document document;
    iol_error error;
    r->status = iol__tree_parse(text, length, name, &(iol__tree_limits){.bytes = most_bytes}, &document, &error);
    if (r->status != IOL_OK) {
        r->store->error = error;
        return;
    }
    const iol__tree *jobs = iol__tree_member(document.top, "jobs");
    if (!jobs) jobs = document.top;
    for (const iol__tree *job = jobs->first; job && r->status == IOL_OK; job = job->next) json_row(r, job, job->key);
    iol__tree_free(&document);
}

/* Where it comes from ------------------------------------------------------------------------------------------- */

/* sacct, without a shell; times as numbers. */
static int start_sacct(pid_t *child) {
    char *const arguments[] = {
        (char[]){"sacct"},
        (char[]){"--parsable2"},
        (char[]){"--allusers"},
        (char[]){"--allocations"},
        (char[]){"--starttime=now-2days"},
        (char[]){"--format=JobIDRaw,JobID,User,Account,Partition,QOS,JobName,State,Submit,Start,End,NNodes,"
                 "AllocCPUS,NodeList,NTasks,Cluster"},
        NULL};
    int pipe_ends[2];
    if (pipe2(pipe_ends, O_CLOEXEC) != 0) return -1;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], STDOUT_FILENO);
    setenv("SLURM_TIME_FORMAT", "%s", 1);
    int error = posix_spawnp(child, "sacct", &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(pipe_ends[1]);
    if (!error) return pipe_ends[0];
    close(pipe_ends[0]);
    errno = error;
    return -1;
}

static char *fetch(const char *from, size_t *length, iol_error *error) {
    pid_t child = 0;
    bool slurm = strcmp(from, "slurm") == 0, input = strcmp(from, "-") == 0;
    int fd = slurm ? start_sacct(&child) : input ? STDIN_FILENO : open(from, O_RDONLY | O_CLOEXEC);
    const char *name = slurm ? "sacct" : from;
    char *text = fd < 0 ? NULL : iol__read_all(fd, most_bytes, length);
    int reason = errno, status = 0;
    if (fd >= 0 && !input) close(fd);
    if (child > 0) waitpid(child, &status, 0);
    const char *why = !text ? strerror(reason) : *length > most_bytes ? "more than 2 GiB" : NULL;
    if (why)
        iol__store_fail(error, IOL_SYSTEM, "%.200s: %s", name, why);
    else if (status)
        iol__store_fail(error, IOL_SYSTEM, "sacct failed; is this a machine with Slurm's accounting?");
    else
        return text;
    free(text);
    return NULL;
}

/* Lists that were read -------------------------------------------------------------------------------------------- */

/* A list is read every few minutes and changes far less often. The store keeps what the last one of a name was, and what
   came of it: "HASH JOBS NOTES WRONG"; "begun" while it is being read, and for good if that did not come to its end. */
typedef struct known_list {
    char name[300], hash[64];
    bool same;
    iol__accounting_counts *counts;
} known_list;

static bool take_known(void *context, const iol__meta_row *fact) {
    known_list *k = context;
    const size_t length = strlen(k->hash);
    unsigned long long jobs, notes, wrong;
    if (!fact->value || strncmp(fact->value, k->hash, length) != 0) return false;
    if (sscanf(fact->value + length, " %llu %llu %llu", &jobs, &notes, &wrong) != 3) return false;
    *k->counts = (iol__accounting_counts){.jobs = jobs, .notes = notes, .wrong = wrong};
    k->same = true;
    return false;
}

/* Names of users depend on the key, jobs on the machine. */
static iol_status find_known(iol__store *store, const iol__entry_plan *plan, const char *from, const char *text,
                             size_t length, known_list *k) {
    const uint64_t key = plan->key ? iol__keyed_hash(plan->key, plan->cluster, strlen(plan->cluster))
                                   : (uint64_t)iol__hash_texts(plan->cluster, IOLITE_VERSION);
    iol__sql sql;
    snprintf(k->name, sizeof k->name, "list %016llx", (unsigned long long)iol__hash_texts(from, plan->cluster));
    snprintf(k->hash, sizeof k->hash, "%016llx%016llx", (unsigned long long)iol__hash(text, length, key),
             (unsigned long long)iol__hash(text, length, ~key));
    iol__select_meta(&sql);
    iol__sql_add(&sql, " FROM meta WHERE name = ?");
    iol__sql_value(&sql, iol__text(k->name));
    return iol__ask_meta(&sql, store, take_known, k);
}

/* Where a row and the job that follows from it are not written at once, a reader that was killed may have left one without
   the other. Its jobs may be on any list. */
static iol_status begin_list(iol__store *store, const known_list *k, iol__sched *sched) {
    int64_t unfinished = 0;
    iol_status status = iol__store_number(
        store, "SELECT COUNT(*) FROM meta WHERE name LIKE 'list %' AND value = 'begun'", NULL, 0, 0, &unfinished);
    if (status != IOL_OK) return status;
    if (unfinished && !store->driver->atomic) iol__sched_rebuild_all(sched);
    return iol__store_put_meta(store, &(iol__meta_row){.name = k->name, .value = "begun"});
}

/* Nothing of it came into the store. */
static void forget_list(iol__store *store, const known_list *k) {
    const iol_error why = store->error;
    const iol__cell of_list = iol__text(k->name);
    iol__store_run(store, "DELETE FROM meta WHERE name = ?", &of_list, 1);
    store->error = why;
}

static iol_status keep_known(iol__store *store, const known_list *k) {
    char value[200];
    snprintf(value, sizeof value, "%s %llu %llu %llu", k->hash, (unsigned long long)k->counts->jobs,
             (unsigned long long)k->counts->notes, (unsigned long long)k->counts->wrong);
    return iol__store_put_meta(store, &(iol__meta_row){.name = k->name, .value = value});
}

static void read_list(reading *r, char *text, size_t length, const char *from) {
    const char first = text[strspn(text, " \t\r\n")];
    if (first == '{' || first == '[')
        read_json(r, text, length, from);
    else
        read_text(r, text, from);
    if (r->status == IOL_OK) r->status = iol__sched_write(r->sched);
    if (r->status == IOL_OK && r->counts->wrong && !r->counts->jobs && !r->counts->notes)
        r->status =
            iol__store_fail(&r->store->error, IOL_INVALID,
                            "%.200s: expected jobs as 'sacct --parsable2' or 'sacct --json' lists them, or lines "
                            "of the epilogue, and found none",
                            from);
}

iol_status iol__accounting_read(iol__store *store, const iol__entry_plan *plan, const char *from, bool again,
                                iol__accounting_counts *counts, iol_error *error) {
    size_t length = 0;
    *counts = (iol__accounting_counts){0};
    char *text = fetch(from, &length, error);
    if (!text) return IOL_SYSTEM;
    known_list known = {.counts = counts};
    iol_status found = find_known(store, plan, from, text, length, &known);
    if (found != IOL_OK || (known.same && !again)) {
        free(text);
        if (found != IOL_OK && error) *error = store->error;
        return found;
    }
    *counts = (iol__accounting_counts){0};
    reading r = {.store = store, .plan = plan, .counts = counts, .sched = iol__sched_new(store, plan->site)};
    r.status =
        r.sched ? begin_list(store, &known, r.sched) : iol__store_fail(&store->error, IOL_SYSTEM, "out of memory");
    if (r.status == IOL_OK && again) iol__sched_rebuild_all(r.sched);
    if (r.status == IOL_OK) r.status = iol__expired_before(store, &r.expired_before);
    if (r.status == IOL_OK) read_list(&r, text, length, from);
    if (r.status == IOL_OK) r.status = keep_known(store, &known);
    if (r.status != IOL_OK && !counts->jobs && !counts->notes) forget_list(store, &known);
    iol__sched_free(r.sched);
    free(text);
    if (r.status != IOL_OK && error) *error = store->error;
    return r.status;
}
