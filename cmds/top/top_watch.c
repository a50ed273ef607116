/* Finding and sampling the mapped files. Only the parts of a file that the header says are in use are read, and the
   traced operations never are, so that a look costs some ten microseconds per process. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/grow.h"
#include "base/strings.h"
#include "cmds/run/run_directory.h"
#include "cmds/top/top.h"
#include "log/figures/calls.h"
#include "log/read/found.h"
#include "log/merge/living.h"
#include "record/header.h"
#include "record/mapped.h"
#include "record/record.h"
#include "report/summary.h"

enum {
    MOST_BYTES = 256 << 20, /* of one file; programs with more records than that are not watched */
    LIFE_LOOKS = 16,        /* looks between two checks that a process is still the one that made the file */
    NAMES_EACH = 8,         /* busiest files of a process whose names are asked for */
};

/* Recent past: about five looks. */
static const double smoothing = 0.2;

static double monotonic(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

bool top_layer_used(const top_figures *f) {
    return f->bytes_read > 0 || f->bytes_written > 0 || f->reads > 0 || f->writes > 0 || f->time > 0;
}

double top_calls(const top_figures *f) { return f->reads + f->writes; }

static void top_watch_add(top_figures *sum, const top_figures *more) {
    sum->bytes_read += more->bytes_read;
    sum->bytes_written += more->bytes_written;
    sum->reads += more->reads;
    sum->writes += more->writes;
    sum->time += more->time;
}

/* A counter that went back belongs to something new: it has no rate. */
static double top_watch_change(double now, double before, double seconds) {
    return seconds > 0 && now > before ? (now - before) / seconds : 0;
}

static top_figures rate_of(const top_figures *now, const top_figures *before, double seconds) {
    return (top_figures){
        .bytes_read = top_watch_change(now->bytes_read, before->bytes_read, seconds),
        .bytes_written = top_watch_change(now->bytes_written, before->bytes_written, seconds),
        .reads = top_watch_change(now->reads, before->reads, seconds),
        .writes = top_watch_change(now->writes, before->writes, seconds),
        .time = top_watch_change(now->time, before->time, seconds),
    };
}

/* How busy: a call weighs as much as the bytes that a disk moves in its stead. */
static double activity(const top_figures *f) { return f->bytes_read + f->bytes_written + 4096 * top_calls(f); }

int top_trend(const top_process *p) {
    double now = activity(&p->rate);
    if (p->looks < 3 || (now < 4096 && p->usual < 4096)) return 0;
    return now > 1.25 * p->usual ? 1 : now < 0.8 * p->usual ? -1 : 0;
}

/* One record ------------------------------------------------------------------------------------------------------ */

static double top_watch_sane(double value) { return value >= 0 && isfinite(value) ? value : 0; }

static top_figures top_watch_figures_of(const iol_record *record) {
    const iol__roles *roles = iol__modules[record->slot].roles;
    return (top_figures){
        .bytes_read = top_watch_sane((double)record->ints[roles->bytes_read]),
        .bytes_written = top_watch_sane((double)record->ints[roles->bytes_written]),
        .reads = iol__record_calls(record, false),
        .writes = iol__record_calls(record, true),
        .time = top_watch_sane(record->reals[roles->read_time]) + top_watch_sane(record->reals[roles->write_time]) +
                top_watch_sane(record->reals[roles->meta_time]),
    };
}

/* The entry of a file in a layer, new or known; NULL without memory. */
static top_file *top_watch_file_of(top_process *p, uint64_t id, int slot) {
    size_t number = iol__idmap_add(&p->ids, id ^ (uint64_t)slot << 56);
    if (number == IOL_IDMAP_NONE) return NULL;
    if (number >= p->room) {
        size_t room = p->room ? 2 * p->room : 16;
        top_file *grown = realloc(p->files, room * sizeof *grown);
        if (!grown) return NULL;
        memset(grown + p->room, 0, (room - p->room) * sizeof *grown);
        p->files = grown;
        p->room = room;
    }
    top_file *file = &p->files[number];
    file->id = id;
    file->slot = slot;
    return file;
}

static void read_layer(top_process *p, iol_log *log, int slot, double elapsed) {
    iol_records *records;
    const iol_record *record;
    top_figures total = {0};
    if (!iol__modules[slot].roles->traffic || iol_records_open(log, slot, &records) != IOL_OK) return;
    while (iol_records_next(records, &record) == IOL_OK) {
        top_figures now = top_watch_figures_of(record);
        top_watch_add(&total, &now);
        if (!iol__modules[slot].roles->estimated) continue; /* datasets and variables are inside files */
        top_file *file = top_watch_file_of(p, record->id, slot);
        if (!file) continue;
        file->rate = rate_of(&now, &file->total, elapsed);
        file->total = now;
    }
    iol_records_close(records);
    p->layer_rate[slot] = rate_of(&total, &p->layer_total[slot], elapsed);
    p->layer_total[slot] = total;
}

/* The process as a whole: MPI-IO calls POSIX, so that bytes and time of both must not be added. */
static void sum_layers(top_process *p) {
    bool mpiio = top_layer_used(&p->layer_total[IOL_SLOT_MPIIO]);
    top_figures total = {0}, rate = {0};
    for (int slot = 0; slot < IOL_SLOTS_KNOWN; slot++) {
        if (!iol__modules[slot].roles->estimated || (slot == IOL_SLOT_POSIX && mpiio)) continue;
        top_watch_add(&total, &p->layer_total[slot]);
        top_watch_add(&rate, &p->layer_rate[slot]);
    }
    p->total = total;
    p->rate = rate;
    double now = activity(&rate);
    p->usual = p->looks <= 2 ? now : p->usual + smoothing * (now - p->usual);
}

static void name_busiest(top_process *p, iol_log *log) {
    for (int i = 0; i < NAMES_EACH; i++) {
        top_file *best = NULL;
        for (size_t f = 0; f < p->ids.count; f++) {
            top_file *file = &p->files[f];
            if (!file->name && (!best || activity(&file->rate) > activity(&best->rate))) best = file;
        }
        if (!best || (i > 0 && activity(&best->rate) == 0)) return;
        const char *name = iol_log_name(log, best->id);
        best->name = strdup(name ? name : "?");
    }
}

/* One file -------------------------------------------------------------------------------------------------------- */

/* What is in use is on the disk; a file with more than that has been made up. Disks that compress have less. */
static bool top_watch_is_there(int fd, uint64_t bytes) {
    enum { COMPRESSED = 64, BLOCK = 512 };
    struct stat st;
    return fstat(fd, &st) == 0 && bytes / COMPRESSED <= (uint64_t)st.st_blocks * BLOCK;
}

static bool read_region(top_watch *w, int fd, iol__region region) {
    if (region.bytes == 0) return true;
    if (region.at > MOST_BYTES || region.bytes > MOST_BYTES - region.at || !top_watch_is_there(fd, region.bytes))
        return false;
    size_t end = (size_t)(region.at + region.bytes);
    if (end > w->n_bytes) {
        uint8_t *grown = realloc(w->bytes, end);
        if (!grown) return false;
        w->bytes = grown;
        w->n_bytes = end;
    }
    return pread(fd, w->bytes + region.at, (size_t)region.bytes, (off_t)region.at) == (ssize_t)region.bytes;
}

/* Head, names and records in use, each where it is in the file. Returns how far they reach, 0 if that cannot be. */
static size_t read_used(top_watch *w, int fd, iol__mapped *facts) {
    iol__log_header header;
    if (!read_region(w, fd, (iol__region){0, IOL_MAPPED_NAMES_AT}) || !iol__mapped_is(w->bytes, IOL_MAPPED_NAMES_AT))
        return 0;
    memcpy(facts, w->bytes + IOL_MAPPED_AT, sizeof *facts);
    memcpy(&header, w->bytes, sizeof header);
    memset(&header.modules[IOL_SLOT_DXT_POSIX], 0, sizeof(iol__region));
    memset(&header.modules[IOL_SLOT_DXT_MPIIO], 0, sizeof(iol__region));
    size_t reach = IOL_MAPPED_NAMES_AT;
    for (int i = -1; i < IOL_SLOTS; i++) {
        iol__region region = i < 0 ? header.names : header.modules[i];
        if (!read_region(w, fd, region)) return 0;
        if (region.bytes && region.at + region.bytes > reach) reach = (size_t)(region.at + region.bytes);
    }
    iol__mapped plain = *facts;
    plain.trace_bytes = 0;
    memcpy(w->bytes, &header, sizeof header);
    memcpy(w->bytes + IOL_MAPPED_AT, &plain, sizeof plain);
    return reach;
}

static void free_process(top_process *p) {
    for (size_t i = 0; i < p->ids.count && i < p->room; i++) free(p->files[i].name);
    free(p->files);
    iol__idmap_free(&p->ids);
    free(p->command);
    free(p->path);
    close(p->fd);
    free(p);
}

/* Whether the process runs that the name of a mapped file has in it: iolite-RUN-PID-NUMBER. */
static bool lives_by_name(const char *path) {
    const char *slash = strrchr(path, '/');
    int pid = 0;
    if (sscanf(slash ? slash + 1 : path, "iolite-%*[0-9a-f]-%d-", &pid) != 1 || pid <= 0) return false;
    return kill(pid, 0) == 0 || errno == EPERM;
}

/* A file may say that it is of any process. Whose process of that number is, and whose file, must agree; numbers of
   another namespace mean nothing here. */
static bool is_of_owner(const top_watch *w, const top_process *p, const iol__mapped *facts) {
    char path[64];
    struct stat st;
    if (iol__mapped_is_foreign(w->bytes)) return true;
    snprintf(path, sizeof path, "/proc/%d", (int)facts->pid);
    if (stat(path, &st) != 0) return errno != ENOENT;
    return st.st_uid == p->uid || st.st_uid == 0; /* root's: who changed who he is, or may not be looked at */
}

/* False: the process has ended, or its file cannot be read. */
static bool top_watch_sample(top_watch *w, top_process *p) {
    iol__mapped facts;
    size_t reach = read_used(w, p->fd, &facts);
    if (!reach) {
        w->unreadable += lives_by_name(p->path);
        return false;
    }
    if (facts.ended != IOL_ENDED_NOT) return false;
    if (p->looks % LIFE_LOOKS == 0 && !(iol__mapped_lives(p->fd, p->path, &facts) && is_of_owner(w, p, &facts)))
        return false;
    if (!facts.locked && kill(facts.pid, 0) != 0 && errno == ESRCH) return false;
    iol_log *log;
    if (iol_log_open_memory(w->bytes, reach, p->path, &log, NULL) != IOL_OK) {
        w->unreadable++;
        return false;
    }
    const iol_job *job = iol_log_job(log);
    p->pid = facts.pid;
    p->run = facts.run;
    p->job = job->job_id;
    if (!p->command) p->command = strdup(job->exe);
    p->looks++;
    double elapsed = p->fresh ? 0 : w->elapsed;
    for (int slot = 0; slot < IOL_SLOTS_KNOWN; slot++) read_layer(p, log, slot, elapsed);
    sum_layers(p);
    name_busiest(p, log);
    iol_log_close(log);
    return p->command != NULL;
}

/* All of them ----------------------------------------------------------------------------------------------------- */

static top_process *top_watch_find(top_watch *w, uint64_t key) {
    for (size_t i = 0; i < w->count; i++)
        if (w->processes[i]->key == key) return w->processes[i];
    return NULL;
}

static void top_watch_meet(top_watch *w, int directory, const char *place, const char *name) {
    char path[PATH_MAX];
    struct stat st, opened;
    if (fstatat(directory, name, &st, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(st.st_mode)) return;
    uint64_t key = (uint64_t)st.st_ino * 0x9e3779b97f4a7c15u ^ (uint64_t)st.st_dev;
    top_process *known = top_watch_find(w, key);
    if (known) {
        known->seen = true;
        known->fresh = false;
        return;
    }
    int fd = iol__found_open(directory, name, &opened);
    if (fd < 0) {
        w->unreadable += errno != ENOENT && lives_by_name(name);
        return;
    }
    if (opened.st_dev != st.st_dev || opened.st_ino != st.st_ino) { /* another has its name now */
        close(fd);
        return;
    }
    top_process *p = calloc(1, sizeof *p);
    if (!p || !IOL_GROW(w->processes, w->room, w->count)) {
        free(p);
        close(fd);
        return;
    }
    snprintf(path, sizeof path, "%s/%s", place, name);
    *p = (top_process){.key = key, .fd = fd, .path = strdup(path), .uid = opened.st_uid, .seen = true, .fresh = true};
    w->processes[w->count++] = p;
}

static void top_watch_look_in(top_watch *w, int parent, const char *name, const char *place) {
    const int fd =
        openat(parent, name, O_RDONLY | O_DIRECTORY | O_NONBLOCK | O_CLOEXEC | (parent < 0 ? 0 : O_NOFOLLOW));
    DIR *directory = fd < 0 ? NULL : fdopendir(fd);
    const struct dirent *entry;
    char path[PATH_MAX];
    if (fd >= 0 && !directory) close(fd);
    if (!directory && parent >= 0) w->foreign_runs += errno == EACCES;
    while (directory && (entry = readdir(directory)) != NULL) {
        if (strncmp(entry->d_name, "iolite-", 7) != 0) continue;
        if (iol__ends_with(entry->d_name, IOL_MAPPED_SUFFIX))
            top_watch_meet(w, fd, place, entry->d_name);
        else if (parent < 0 && strncmp(entry->d_name, "iolite-run-", 11) == 0 &&
                 snprintf(path, sizeof path, "%s/%s", place, entry->d_name) < PATH_MAX)
            top_watch_look_in(w, fd, entry->d_name, path);
    }
    if (directory) closedir(directory);
}

void top_look(top_watch *w) {
    const char *place;
    double now = monotonic();
    w->elapsed = w->at > 0 ? now - w->at : 0;
    w->at = now;
    w->unreadable = w->foreign_runs = 0;
    for (size_t i = 0; i < w->count; i++) w->processes[i]->seen = false;
    for (unsigned i = 0; (place = mapped_place(w->config, i)) != NULL; i++)
        top_watch_look_in(w, AT_FDCWD, place, place);
    size_t kept = 0;
    for (size_t i = 0; i < w->count; i++) {
        top_process *p = w->processes[i];
        if (p->seen && p->path && top_watch_sample(w, p))
            w->processes[kept++] = p;
        else
            free_process(p);
    }
    w->count = kept;
}

void top_forget(top_watch *w) {
    for (size_t i = 0; i < w->count; i++) free_process(w->processes[i]);
    free(w->processes);
    free(w->bytes);
    *w = (top_watch){.config = w->config};
}

/* Together -------------------------------------------------------------------------------------------------------- */

static int by_activity(double a, double b) { return (a < b) - (a > b); }

static int compare_jobs(const void *a, const void *b) {
    const top_job *x = a, *y = b;
    int order = by_activity(activity(&x->rate), activity(&y->rate));
    if (order == 0) order = by_activity(activity(&x->total), activity(&y->total));
    return order ? order : (x->first->pid > y->first->pid) - (x->first->pid < y->first->pid);
}

size_t top_jobs(const top_watch *w, top_job *jobs, size_t room) {
    size_t count = 0;
    for (size_t i = 0; i < w->count; i++) {
        const top_process *p = w->processes[i];
        size_t j = 0;
        while (j < count && !(jobs[j].run == p->run && (p->run || jobs[j].job == p->job))) j++;
        if (j == count && count == room) continue;
        if (j == count) jobs[count++] = (top_job){.run = p->run, .job = p->job, .first = p};
        if (p->pid < jobs[j].first->pid) {
            jobs[j].first = p;
            jobs[j].job = p->job;
        }
        jobs[j].processes++;
        top_watch_add(&jobs[j].total, &p->total);
        top_watch_add(&jobs[j].rate, &p->rate);
    }
    qsort(jobs, count, sizeof *jobs, compare_jobs);
    return count;
}

static int compare_hot(const void *a, const void *b) {
    const top_hot *x = a, *y = b;
    int order = by_activity(x->rate.time + 1e-9 * activity(&x->rate), y->rate.time + 1e-9 * activity(&y->rate));
    return order ? order : (x->id > y->id) - (x->id < y->id);
}

/* Over all processes: a table that grows, because the busiest file may come last. */
typedef struct hot_table {
    iol__idmap ids;
    top_hot *files;
    size_t room;
} hot_table;

static void add_hot(hot_table *table, const top_file *file) {
    size_t number = iol__idmap_add(&table->ids, file->id ^ (uint64_t)file->slot << 56);
    if (number == IOL_IDMAP_NONE) return;
    if (number >= table->room) {
        size_t room = table->room ? 2 * table->room : 64;
        top_hot *grown = realloc(table->files, room * sizeof *grown);
        if (!grown) return;
        memset(grown + table->room, 0, (room - table->room) * sizeof *grown);
        table->files = grown;
        table->room = room;
    }
    top_hot *hot = &table->files[number];
    hot->id = file->id;
    hot->slot = file->slot;
    if (!hot->name) hot->name = file->name;
    hot->processes++;
    top_watch_add(&hot->total, &file->total);
    top_watch_add(&hot->rate, &file->rate);
}

size_t top_hottest(const top_watch *w, bool (*keep)(const top_process *, const void *), const void *context,
                   top_hot hot[TOP_HOT]) {
    hot_table table = {0};
    for (size_t i = 0; i < w->count; i++) {
        const top_process *p = w->processes[i];
        if (keep && !keep(p, context)) continue;
        for (size_t f = 0; f < p->ids.count && f < p->room; f++)
            if (top_layer_used(&p->files[f].rate)) add_hot(&table, &p->files[f]);
    }
    size_t all = table.ids.count < table.room ? table.ids.count : table.room, count = 0;
    if (all) qsort(table.files, all, sizeof *table.files, compare_hot);
    for (size_t i = 0; i < all && count < TOP_HOT; i++)
        if (table.files[i].name) hot[count++] = table.files[i];
    free(table.files);
    iol__idmap_free(&table.ids);
    return count;
}
