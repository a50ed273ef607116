/* Finding the groups: see group.h. Logs are united step by step, from the strongest evidence to the weakest; a step never
   unites two groups that an earlier one has made. */
#include "log/merge/group.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SLACK = 60,        /* seconds between logs of a run that meet at one file or address */
    JOB_SLACK = 86400, /* between logs of one job */
    HOST_SLACK = 5,    /* outside of a group's time, on its hosts */
    NEAR_PID = 64,     /* a process began right behind another */
};

typedef struct group_finder {
    iol__group_log *logs;
    size_t count;
    size_t *parent;      /* of the union */
    double *start, *end; /* of the group, at its root */
} group_finder;

static size_t root_of(group_finder *f, size_t i) {
    while (f->parent[i] != i) i = f->parent[i] = f->parent[f->parent[i]];
    return i;
}

static void unite(group_finder *f, size_t a, size_t b) {
    a = root_of(f, a);
    b = root_of(f, b);
    if (a == b) return;
    if (b < a) {
        const size_t other = a;
        a = b;
        b = other;
    }
    f->parent[b] = a;
    if (f->start[b] < f->start[a]) f->start[a] = f->start[b];
    if (f->end[b] > f->end[a]) f->end[a] = f->end[b];
}

/* Both what the kernel and what the name of the file says, where it does. */
static bool one_user(const iol__group_log *a, const iol__group_log *b) {
    return a->uid == b->uid && (!a->user || !b->user || strcmp(a->user, b->user) == 0);
}

static void give_evidence(iol__group_log *l, const char *format, const char *what) {
    if (!*l->evidence) snprintf(l->evidence, sizeof l->evidence, format, what);
}

/* By name ------------------------------------------------------------------------------------------------------------- */

typedef struct named {
    const char *key;
    const iol__group_log *log;
    size_t number;
} named;

static int group_by_key(const void *a, const void *b) {
    const named *x = a, *y = b;
    int order = strcmp(x->key, y->key);
    if (!order) order = (x->log->uid > y->log->uid) - (x->log->uid < y->log->uid);
    if (!order) order = strcmp(x->log->user ? x->log->user : "", y->log->user ? y->log->user : "");
    if (!order) order = (x->log->start > y->log->start) - (x->log->start < y->log->start);
    return order ? order : (x->number > y->number) - (x->number < y->number);
}

/* Logs with one key, of one user, one after the other or at a time: a key may come again another day. */
static bool unite_by_key(group_finder *f) {
    size_t n = 0;
    for (size_t i = 0; i < f->count; i++) n += f->logs[i].n_keys;
    named *all = malloc((n + 1) * sizeof *all);
    if (!all) return false;
    n = 0;
    for (size_t i = 0; i < f->count; i++)
        for (size_t k = 0; k < f->logs[i].n_keys; k++) all[n++] = (named){f->logs[i].keys[k], &f->logs[i], i};
    qsort(all, n, sizeof *all, group_by_key);
    double end = 0;
    for (size_t i = 0; i < n; i++) {
        const bool same = i > 0 && strcmp(all[i].key, all[i - 1].key) == 0 && one_user(all[i].log, all[i - 1].log);
        const double slack = strncmp(all[i].key, "job ", 4) == 0 ? JOB_SLACK : SLACK;
        const bool joined = same && all[i].log->start <= end + slack;
        if (!joined || all[i].log->end > end) end = all[i].log->end;
        if (!joined) continue;
        unite(f, all[i].number, all[i - 1].number);
        give_evidence(&f->logs[all[i].number], "%s", all[i].key);
        give_evidence(&f->logs[all[i - 1].number], "%s", all[i].key);
    }
    free(all);
    return true;
}

/* By process ---------------------------------------------------------------------------------------------------------- */

/* Logs in order of the numbers of their processes. */
static int64_t pid_at(const group_finder *f, const size_t *numbers, size_t i) { return f->logs[numbers[i]].pid; }

static int numbers_by_pid(const void *a, const void *b, void *logs) {
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;
    const int64_t left = ((const iol__group_log *)logs)[x].pid, right = ((const iol__group_log *)logs)[y].pid;
    if (left != right) return left < right ? -1 : 1;
    return x < y ? -1 : x > y;
}

static size_t first_from_pid(const group_finder *f, const size_t *known, size_t count, int64_t pid) {
    size_t low = 0, high = count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (pid_at(f, known, middle) < pid)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int numbers_by_pid_and_start(const void *a, const void *b, void *logs) {
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;
    const iol__group_log *left = (const iol__group_log *)logs + x, *right = (const iol__group_log *)logs + y;
    if (left->pid != right->pid) return left->pid < right->pid ? -1 : 1;
    if (left->start < right->start || left->start > right->start) return left->start < right->start ? -1 : 1;
    return x < y ? -1 : x > y;
}

static bool share_host(const iol__group_log *a, const iol__group_log *b) {
    for (size_t i = 0; i < a->n_hosts; i++)
        for (size_t k = 0; k < b->n_hosts; k++)
            if (strcmp(a->hosts[i], b->hosts[k]) == 0) return true;
    return false;
}

/* Numbers of processes are those of a host, but reference logs without a trace do not name theirs. */
static bool may_have_forked(const iol__group_log *parent, const iol__group_log *l) {
    return l->parent > 0 && parent->pid == l->parent && one_user(parent, l) && l->start >= parent->start - 1 &&
           l->start <= parent->end + 1 && (!parent->n_hosts || !l->n_hosts || share_host(parent, l));
}

/* A process that went on as another program has a log of each. A copy of a log is no other program. */
static bool went_on_as(const iol__group_log *before, const iol__group_log *l) {
    const double after = l->start - before->end;
    if (before->pid != l->pid || l->start < before->start || !(after >= -1 && after <= 1)) return false;
    const bool same = before->program && l->program && strcmp(before->program, l->program) == 0;
    return !same && one_user(before, l) && share_host(before, l);
}

enum { SEVERAL = -2, NOBODY = -1 };

typedef struct process_links {
    size_t *known;  /* logs by the numbers of their processes, then by their start */
    double *latest; /* by place there: the latest end of those up to it that have the same number */
    size_t count;
    bool *named;      /* by root: some of the group have a name of the run */
    ptrdiff_t *child; /* by log: the root of the named group whose processes it forked, NOBODY, or SEVERAL */
} process_links;

/* The first place behind all of this number that began by this time. */
static size_t place_behind(const group_finder *f, const process_links *p, int64_t pid, double start) {
    size_t low = 0, high = p->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const iol__group_log *l = &f->logs[p->known[middle]];
        if (l->pid < pid || (l->pid == pid && l->start <= start))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The one log that it is; IOL_NOT_GROUPED where those of two groups may be meant. In containers all processes may have the same
   number: only those that were there at the time are looked at. */
static size_t process_of(group_finder *f, const process_links *p, size_t number, int64_t pid,
                         bool (*is_it)(const iol__group_log *other, const iol__group_log *l)) {
    enum { MORE_THAN_SLACK = 2 };
    const double start = f->logs[number].start;
    size_t found = IOL_NOT_GROUPED;
    if (pid <= 0) return found;
    for (size_t i = place_behind(f, p, pid, start + MORE_THAN_SLACK); i-- > 0;) {
        const size_t other = p->known[i];
        if (f->logs[other].pid != pid || p->latest[i] < start - MORE_THAN_SLACK) break;
        if (other == number || !is_it(&f->logs[other], &f->logs[number])) continue;
        if (found == IOL_NOT_GROUPED)
            found = other;
        else if (root_of(f, found) != root_of(f, other))
            return IOL_NOT_GROUPED;
    }
    return found;
}

/* Never two groups that have names of their own. */
static void unite_processes(group_finder *f, process_links *p, size_t number, size_t with, const char *format) {
    iol__group_log *l = &f->logs[number];
    const size_t a = root_of(f, number), b = root_of(f, with);
    if (a == b || (p->named[a] && p->named[b])) return;
    const bool either = p->named[a] || p->named[b];
    unite(f, number, with);
    p->named[root_of(f, number)] = either;
    if (!*l->evidence) snprintf(l->evidence, sizeof l->evidence, format, (long long)f->logs[with].pid);
}

static void find_links(group_finder *f, process_links *p) {
    for (size_t i = 0; i < f->count; i++)
        if (f->logs[i].pid > 0) p->known[p->count++] = i;
    qsort_r(p->known, p->count, sizeof *p->known, numbers_by_pid_and_start, f->logs);
    for (size_t i = 0; i < p->count; i++) {
        const iol__group_log *l = &f->logs[p->known[i]];
        const bool first = i == 0 || f->logs[p->known[i - 1]].pid != l->pid;
        p->latest[i] = first || l->end > p->latest[i - 1] ? l->end : p->latest[i - 1];
    }
    for (size_t i = 0; i < f->count; i++) {
        p->child[i] = NOBODY;
        if (f->logs[i].n_keys) p->named[root_of(f, i)] = true;
    }
    for (size_t i = 0; i < f->count; i++) {
        const size_t parent = process_of(f, p, i, f->logs[i].parent, may_have_forked);
        const size_t root = root_of(f, i);
        if (parent == IOL_NOT_GROUPED || !p->named[root]) continue;
        ptrdiff_t *child = &p->child[parent];
        *child = *child == NOBODY || *child == (ptrdiff_t)root ? (ptrdiff_t)root : SEVERAL;
    }
}

/* What a process forked, and what it was after another program, is of its run, unless it forked those of several. */
static bool unite_by_process(group_finder *f) {
    const size_t n = f->count + 1;
    process_links p = {.known = malloc(n * sizeof *p.known),
                       .latest = malloc(n * sizeof *p.latest),
                       .named = calloc(n, sizeof *p.named),
                       .child = malloc(n * sizeof *p.child)};
    const bool good = p.known && p.latest && p.named && p.child;
    if (good) find_links(f, &p);
    for (size_t i = 0; good && i < f->count; i++) {
        const size_t before = process_of(f, &p, i, f->logs[i].pid, went_on_as);
        if (before != IOL_NOT_GROUPED) unite_processes(f, &p, i, before, "process %lld, as another program");
        const size_t parent = process_of(f, &p, i, f->logs[i].parent, may_have_forked);
        if (parent != IOL_NOT_GROUPED && p.child[parent] != SEVERAL)
            unite_processes(f, &p, i, parent, "forked by process %lld");
    }
    free(p.known);
    free(p.latest);
    free(p.named);
    free(p.child);
    return good;
}

/* By host ------------------------------------------------------------------------------------------------------------- */

/* A host on which a group was, by the log that says so. A host has few groups, however many logs they have. */
typedef struct group_place {
    const char *host;
    size_t root, log;
} group_place;

static int places_by_host(const void *a, const void *b) {
    const group_place *x = a, *y = b;
    const int order = strcmp(x->host, y->host);
    if (order) return order;
    if (x->root != y->root) return x->root < y->root ? -1 : 1;
    return x->log < y->log ? -1 : x->log > y->log;
}

typedef struct group_places {
    group_place *list;
    size_t count;
} group_places;

/* The hosts of all groups that the anchors speak for, each once. False without memory. */
static bool list_places(group_finder *f, const bool *anchors, group_places *places) {
    size_t n = 0, kept = 0;
    for (size_t i = 0; i < f->count; i++) n += anchors[i] ? f->logs[i].n_hosts : 0;
    places->list = malloc((n + 1) * sizeof *places->list);
    if (!places->list) return false;
    n = 0;
    for (size_t i = 0; i < f->count; i++)
        for (size_t h = 0; anchors[i] && h < f->logs[i].n_hosts; h++)
            places->list[n++] = (group_place){f->logs[i].hosts[h], root_of(f, i), i};
    qsort(places->list, n, sizeof *places->list, places_by_host);
    for (size_t i = 0; i < n; i++) {
        const group_place *p = &places->list[i], *last = kept ? &places->list[kept - 1] : NULL;
        if (!last || last->root != p->root || strcmp(last->host, p->host) != 0) places->list[kept++] = *p;
    }
    places->count = kept;
    return true;
}

/* The first one on this host; their number if there is none. */
static size_t first_place(const group_places *places, const char *host) {
    size_t low = 0, high = places->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (strcmp(places->list[middle].host, host) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* How well a log fits the time of a group. Clocks of nodes differ by seconds, and a launcher ends a little after what it
   started; but runs also follow each other on one host, so that what began after the end of one is of the next. */
typedef enum group_fit { FITS_NOT, FITS_NEARLY, FITS_WELL } group_fit;

static group_fit fit_in_time(const group_finder *f, const iol__group_log *l, size_t root) {
    const double start = f->start[root], end = f->end[root];
    if (l->start < start - HOST_SLACK || l->start > end + HOST_SLACK) return FITS_NOT;
    return l->start <= end && l->end <= end + HOST_SLACK ? FITS_WELL : FITS_NEARLY;
}

/* The one group of the user that had a host of this log at its time: of several the one whose time it fits best. */
static size_t group_on_hosts(group_finder *f, size_t number, const group_places *places, const char **host) {
    iol__group_log *l = &f->logs[number];
    size_t found = IOL_NOT_GROUPED;
    group_fit best = FITS_NOT;
    bool several = false;
    for (size_t h = 0; h < l->n_hosts; h++)
        for (size_t i = first_place(places, l->hosts[h]); i < places->count; i++) {
            const group_place *p = &places->list[i];
            if (strcmp(p->host, l->hosts[h]) != 0) break;
            if (p->root == found || !one_user(l, &f->logs[p->log])) continue;
            const group_fit fit = fit_in_time(f, l, p->root);
            if (fit == FITS_NOT || fit < best) continue;
            several = fit == best;
            best = fit;
            found = p->root;
            *host = p->host;
        }
    if (several) snprintf(l->evidence, sizeof l->evidence, "alone: two groups had host %s at that time", *host);
    return several ? IOL_NOT_GROUPED : found;
}

static bool unite_on_hosts(group_finder *f, bool *anchors, size_t *join, bool launchers) {
    group_places places;
    const char *host = NULL;
    if (!list_places(f, anchors, &places)) return false;
    for (size_t i = 0; i < f->count; i++) {
        iol__group_log *l = &f->logs[i];
        join[i] = IOL_NOT_GROUPED;
        if (l->launcher != launchers || anchors[i] || l->n_hosts == 0) continue;
        join[i] = group_on_hosts(f, i, &places, &host);
        if (join[i] != IOL_NOT_GROUPED) give_evidence(l, l->launcher ? "host %s of its command line" : "host %s", host);
    }
    free(places.list);
    for (size_t i = 0; i < f->count; i++) {
        if (join[i] != IOL_NOT_GROUPED) unite(f, i, join[i]);
        if (launchers && f->logs[i].launcher && f->logs[i].n_hosts > 0 && !*f->logs[i].evidence) {
            anchors[i] = true;
            give_evidence(&f->logs[i], "%s", "a launcher, with the hosts of its command line");
        }
    }
    return true;
}

/* Without a batch system the job of a forked process is that of its parent, and says nothing of other processes. */
static bool names_a_run(const iol__group_log *l) {
    for (size_t i = 0; i < l->n_keys; i++)
        if (!l->parent || strncmp(l->keys[i], "job ", 4) != 0) return true;
    return false;
}

/* Logs without a name of the run, on hosts of groups that have one: launchers first, since a launcher that belongs to none
   speaks for its hosts itself. */
static bool unite_by_host(group_finder *f, bool *anchors) {
    size_t *join = calloc(f->count + 1, sizeof *join);
    if (!join) return false;
    for (size_t i = 0; i < f->count; i++) anchors[i] = names_a_run(&f->logs[i]);
    const bool good = unite_on_hosts(f, anchors, join, true) && unite_on_hosts(f, anchors, join, false);
    free(join);
    return good;
}

/* By number ----------------------------------------------------------------------------------------------------------- */

/* How far behind the last process that is known on a host of this log another one began; -1 if that cannot be: numbers of
   processes go up with time. */
static int64_t behind(const iol__group_log *l, const iol__group_log *known) {
    if (!one_user(l, known) || known->start > l->start + 1 || l->start > known->end + 1) return -1;
    return l->pid > known->pid ? l->pid - known->pid : -1;
}

/* Something has joined it to others. */
static bool is_member(const iol__group_log *l) { return *l->evidence && strncmp(l->evidence, "alone", 5) != 0; }

/* Processes of groups whose one host is known, in order of their numbers; NULL without memory. */
static size_t *list_known_processes(const group_finder *f, size_t *count) {
    size_t *known = malloc((f->count + 1) * sizeof *known);
    *count = 0;
    for (size_t i = 0; known && i < f->count; i++) {
        const iol__group_log *l = &f->logs[i];
        if (l->n_hosts == 1 && !l->launcher && l->pid > 0 && is_member(l)) known[(*count)++] = i;
    }
    if (known) qsort_r(known, *count, sizeof *known, numbers_by_pid, f->logs);
    return known;
}

typedef struct nearest_process {
    int64_t distance; /* of the nearest */
    int64_t other;    /* of the nearest of another group */
    size_t log;
} nearest_process;

/* Further away than twice NEAR_PID nothing matters. */
static nearest_process find_nearest(group_finder *f, const iol__group_log *l, const size_t *known, size_t count) {
    nearest_process n = {INT64_MAX, INT64_MAX, 0};
    for (size_t i = first_from_pid(f, known, count, l->pid - 2 * NEAR_PID); i < count; i++) {
        if (pid_at(f, known, i) >= l->pid) break;
        const size_t k = known[i];
        const int64_t distance = behind(l, &f->logs[k]);
        if (distance < 0) continue;
        const bool same = n.distance != INT64_MAX && root_of(f, n.log) == root_of(f, k);
        if (distance < n.distance) {
            if (n.distance != INT64_MAX && !same) n.other = n.distance;
            n.distance = distance;
            n.log = k;
        } else if (!same && distance < n.other) {
            n.other = distance;
        }
    }
    return n;
}

/* Programs like uname leave neither a trace nor a name. What began within a few numbers behind a process of one group only
   is its child or its sibling. */
static bool unite_by_number(group_finder *f) {
    size_t count;
    size_t *known = list_known_processes(f, &count);
    if (!known) return false;
    for (size_t i = 0; i < f->count; i++) {
        iol__group_log *l = &f->logs[i];
        if (l->n_keys || l->n_hosts || l->pid == 0 || *l->evidence) continue;
        const nearest_process n = find_nearest(f, l, known, count);
        if (n.distance > NEAR_PID) continue;
        if (n.other <= 2 * n.distance) {
            snprintf(l->evidence, sizeof l->evidence, "alone: it may have begun behind processes of two groups");
            continue;
        }
        unite(f, i, n.log);
        snprintf(l->evidence, sizeof l->evidence, "process %lld, right behind %lld on host %s", (long long)l->pid,
                 (long long)f->logs[n.log].pid, f->logs[n.log].hosts[0]);
    }
    free(known);
    return true;
}

/* The whole ----------------------------------------------------------------------------------------------------------- */

static void number_groups(iol__grouping *g, group_finder *f, size_t *size, size_t *number) {
    for (size_t i = 0; i < g->count; i++) size[root_of(f, i)]++;
    for (size_t i = 0; i < g->count; i++) {
        const size_t root = root_of(f, i);
        iol__group_log *l = &g->logs[i];
        if (size[root] < 2) {
            if (strncmp(l->evidence, "alone", 5) != 0) snprintf(l->evidence, sizeof l->evidence, "alone");
            continue;
        }
        if (number[root] == 0) number[root] = ++g->groups;
        l->group = number[root] - 1;
        give_evidence(l, "%s", "others joined it");
    }
}

bool iol__grouping_find(iol__grouping *g) {
    const size_t n = g->count + 1;
    group_finder f = {g->logs, g->count, malloc(n * sizeof *f.parent), malloc(n * sizeof *f.start),
                      malloc(n * sizeof *f.end)};
    bool *anchors = calloc(n, sizeof *anchors);
    size_t *size = calloc(n, sizeof *size), *number = calloc(n, sizeof *number);
    bool good = f.parent && f.start && f.end && anchors && size && number;
    for (size_t i = 0; good && i < g->count; i++) {
        f.parent[i] = i;
        f.start[i] = g->logs[i].start;
        f.end[i] = g->logs[i].end;
        g->logs[i].group = IOL_NOT_GROUPED;
        *g->logs[i].evidence = 0;
    }
    g->groups = 0;
    good = good && unite_by_key(&f) && unite_by_process(&f) && unite_by_host(&f, anchors) && unite_by_number(&f);
    if (good) number_groups(g, &f, size, number);
    free(f.parent);
    free(f.start);
    free(f.end);
    free(anchors);
    free(size);
    free(number);
    return good;
}

static void free_group_log(iol__group_log *l) {
    free(l->path);
    free(l->user);
    free(l->program);
    for (size_t k = 0; k < l->n_hosts; k++) free(l->hosts[k]);
    for (size_t k = 0; k < l->n_keys; k++) free(l->keys[k]);
}

void iol__grouping_free(iol__grouping *g) {
    for (size_t i = 0; i < g->count; i++) free_group_log(&g->logs[i]);
    free(g->logs);
    *g = (iol__grouping){0};
}
