/* Finding and sampling the mapped files. Only the parts of a file that the header says are in use are read, and the
   traced operations never are, so that a look costs some ten microseconds per process, and less while it does nothing. */
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

#include "base/count.h"
#include "base/deadline.h"
#include "base/grow.h"
#include "base/strings.h"
#include "live/watch.h"
#include "log/figures/calls.h"
#include "log/read/found.h"
#include "log/merge/living.h"
#include "record/hash.h"
#include "record/header.h"
#include "record/mapped.h"
#include "record/record.h"

enum {
    MOST_BYTES = 256 << 20, /* of one file, where no lower limit is set */
    LIFE_LOOKS = 16,        /* looks between two checks that a process is still the one that made the file */
    NAMES_EACH = 8,         /* busiest files of a process whose names are asked for */
};

/* Recent past: about five looks. */
static const double smoothing = 0.2;

const iol__live_limits iol__live_careful = {
    .file_bytes = 16 << 20, .user_bytes = 64 << 20, .user_processes = 4096, .entries = 65536};

bool iol__live_used(const iol__live_figures *f) {
    return f->bytes_read > 0 || f->bytes_written > 0 || f->reads > 0 || f->writes > 0 || f->time > 0;
}

double iol__live_calls(const iol__live_figures *f) { return f->reads + f->writes; }

void iol__live_add(iol__live_figures *sum, const iol__live_figures *more) {
    sum->bytes_read += more->bytes_read;
    sum->bytes_written += more->bytes_written;
    sum->reads += more->reads;
    sum->writes += more->writes;
    sum->time += more->time;
}

/* A counter that went back belongs to something new: it has no rate. */
static double change_per_second(double now, double before, double seconds) {
    return seconds > 0 && now > before ? (now - before) / seconds : 0;
}

static iol__live_figures rate_of(const iol__live_figures *now, const iol__live_figures *before, double seconds) {
    return (iol__live_figures){
        .bytes_read = change_per_second(now->bytes_read, before->bytes_read, seconds),
        .bytes_written = change_per_second(now->bytes_written, before->bytes_written, seconds),
        .reads = change_per_second(now->reads, before->reads, seconds),
        .writes = change_per_second(now->writes, before->writes, seconds),
        .time = change_per_second(now->time, before->time, seconds),
    };
}

double iol__live_activity(const iol__live_figures *f) {
    return f->bytes_read + f->bytes_written + 4096 * iol__live_calls(f);
}

int iol__live_trend(const iol__live_process *p) {
    double now = iol__live_activity(&p->rate);
    if (p->looks < 3 || (now < 4096 && p->usual < 4096)) return 0;
    return now > 1.25 * p->usual ? 1 : now < 0.8 * p->usual ? -1 : 0;
}

/* One record ------------------------------------------------------------------------------------------------------ */

static double sane_value(double value) { return value >= 0 && isfinite(value) ? value : 0; }

static iol__live_figures figures_of_record(const iol_record *record) {
    const iol__roles *roles = iol__modules[record->slot].roles;
    return (iol__live_figures){
        .bytes_read = sane_value((double)record->ints[roles->bytes_read]),
        .bytes_written = sane_value((double)record->ints[roles->bytes_written]),
        .reads = iol__record_calls(record, false),
        .writes = iol__record_calls(record, true),
        .time = sane_value(record->reals[roles->read_time]) + sane_value(record->reals[roles->write_time]) +
                sane_value(record->reals[roles->meta_time]),
    };
}

/* The entry of a file in a layer, new or known; NULL without memory. */
static iol__live_file *file_of_process(iol__live_process *p, uint64_t id, int slot) {
    size_t number = iol__idmap_add(&p->ids, id ^ (uint64_t)slot << 56);
    if (number == IOL_IDMAP_NONE) return NULL;
    if (number >= p->room) {
        size_t room = p->room ? 2 * p->room : 16;
        iol__live_file *grown = realloc(p->files, room * sizeof *grown);
        if (!grown) return NULL;
        memset(grown + p->room, 0, (room - p->room) * sizeof *grown);
        p->files = grown;
        p->room = room;
    }
    iol__live_file *file = &p->files[number];
    file->id = id;
    file->slot = slot;
    return file;
}

/* Whether it was opened, read or written after its last close. Records keep no number of descriptors: a file that is open twice
   and closed once counts as open when something happens to it again. */
static bool is_record_open(const iol_record *record) {
    static const struct {
        int slot, closed, opened, read, written;
    } times[] = {
        {IOL_SLOT_POSIX, IOL_POSIX_F_CLOSE_END_TIMESTAMP, IOL_POSIX_F_OPEN_END_TIMESTAMP,
         IOL_POSIX_F_READ_END_TIMESTAMP, IOL_POSIX_F_WRITE_END_TIMESTAMP},
        {IOL_SLOT_MPIIO, IOL_MPIIO_F_CLOSE_END_TIMESTAMP, IOL_MPIIO_F_OPEN_END_TIMESTAMP,
         IOL_MPIIO_F_READ_END_TIMESTAMP, IOL_MPIIO_F_WRITE_END_TIMESTAMP},
        {IOL_SLOT_STDIO, IOL_STDIO_F_CLOSE_END_TIMESTAMP, IOL_STDIO_F_OPEN_END_TIMESTAMP,
         IOL_STDIO_F_READ_END_TIMESTAMP, IOL_STDIO_F_WRITE_END_TIMESTAMP},
    };
    for (size_t i = 0; i < IOL_COUNT(times); i++) {
        if (times[i].slot != record->slot) continue;
        const double closed = record->reals[times[i].closed];
        return record->reals[times[i].opened] > closed || record->reals[times[i].read] > closed ||
               record->reals[times[i].written] > closed;
    }
    return false;
}

static void read_layer(iol__live_process *p, iol_log *log, int slot, double elapsed) {
    iol_records *records;
    const iol_record *record;
    iol__live_figures total = {0};
    if (!iol__modules[slot].roles->traffic || iol_records_open(log, slot, &records) != IOL_OK) return;
    while (iol_records_next(records, &record) == IOL_OK) {
        iol__live_figures now = figures_of_record(record);
        iol__live_add(&total, &now);
        if (!iol__modules[slot].roles->estimated) continue; /* datasets and variables are inside files */
        iol__live_file *file = file_of_process(p, record->id, slot);
        if (!file) continue;
        file->rate = rate_of(&now, &file->total, elapsed);
        file->total = now;
        file->open = is_record_open(record);
        p->open_files += file->open;
    }
    iol_records_close(records);
    p->layer_rate[slot] = rate_of(&total, &p->layer_total[slot], elapsed);
    p->layer_total[slot] = total;
}

/* The process as a whole: MPI-IO calls POSIX, so that bytes and time of both must not be added. */
static void sum_layers(iol__live_process *p) {
    bool mpiio = iol__live_used(&p->layer_total[IOL_SLOT_MPIIO]);
    iol__live_figures total = {0}, rate = {0};
    for (int slot = 0; slot < IOL_SLOTS_KNOWN; slot++) {
        if (!iol__modules[slot].roles->estimated || (slot == IOL_SLOT_POSIX && mpiio)) continue;
        iol__live_add(&total, &p->layer_total[slot]);
        iol__live_add(&rate, &p->layer_rate[slot]);
    }
    p->total = total;
    p->rate = rate;
    double now = iol__live_activity(&rate);
    p->usual = p->looks <= 2 ? now : p->usual + smoothing * (now - p->usual);
}

static bool is_busier(const iol__live_file *a, const iol__live_file *b) {
    const double now = iol__live_activity(&a->rate), then = iol__live_activity(&b->rate);
    return now > then || (now == then && iol__live_activity(&a->total) > iol__live_activity(&b->total));
}

/* Of those that do nothing at the moment, the busiest so far; of the others all, as they become busy. */
static void name_busiest(iol__live_process *p, iol_log *log) {
    for (int i = 0; i < NAMES_EACH; i++) {
        iol__live_file *best = NULL;
        for (size_t f = 0; f < p->ids.count && f < p->room; f++)
            if (!p->files[f].name && (!best || is_busier(&p->files[f], best))) best = &p->files[f];
        if (!best || (p->named >= NAMES_EACH && iol__live_activity(&best->rate) == 0)) return;
        const char *name = iol_log_name(log, best->id);
        best->name = strdup(name ? name : "?");
        p->named++;
    }
}

/* One file -------------------------------------------------------------------------------------------------------- */

static iol__live_use *use_of(iol__live_watch *w, uid_t uid) {
    for (size_t i = 0; i < w->n_uses; i++)
        if (w->uses[i].uid == uid) return &w->uses[i];
    if (!IOL_GROW(w->uses, w->uses_room, w->n_uses)) return NULL;
    w->uses[w->n_uses] = (iol__live_use){.uid = uid};
    return &w->uses[w->n_uses++];
}

static bool within(uint64_t value, uint64_t limit) { return limit == 0 || value <= limit; }

/* A file while it is being read: what is on the disk of it bounds what it may claim to hold, because what is in use is there.
   Disks that compress have less. */
typedef struct file_reading {
    iol__live_watch *watch;
    iol__live_use *use; /* of its user; NULL: not counted */
    int fd;
    uint64_t most, justified;
} file_reading;

static bool begin_reading(iol__live_watch *w, const iol__live_process *p, file_reading *r) {
    enum { COMPRESSED = 64, BLOCK = 512 };
    struct stat st;
    *r = (file_reading){.watch = w, .fd = p->fd, .most = w->limits.file_bytes ? w->limits.file_bytes : MOST_BYTES};
    r->use = w->limits.user_bytes ? use_of(w, p->uid) : NULL;
    if (fstat(p->fd, &st) != 0) return false;
    r->justified = (uint64_t)st.st_blocks * BLOCK * COMPRESSED;
    return true;
}

/* Areas are far apart, so that files reach far: what counts is what is read. */
static bool read_region(file_reading *r, iol__region region) {
    iol__live_watch *w = r->watch;
    if (region.bytes == 0) return true;
    if (region.at > MOST_BYTES || region.bytes > MOST_BYTES - region.at) return false;
    if (region.bytes > r->most || region.bytes > r->justified) return false;
    if (r->use && !within(r->use->bytes += region.bytes, w->limits.user_bytes)) return false;
    size_t end = (size_t)(region.at + region.bytes);
    if (end > w->n_bytes) {
        uint8_t *grown = realloc(w->bytes, end);
        if (!grown) return false;
        w->bytes = grown;
        w->n_bytes = end;
    }
    return pread(r->fd, w->bytes + region.at, (size_t)region.bytes, (off_t)region.at) == (ssize_t)region.bytes;
}

/* The header without the areas that are not read: in their place the buffer has bytes of the file that was read before, which
   may be another user's. */
static void leave_out(iol__log_header *header, bool whole) {
    memset(&header->modules[IOL_SLOT_DXT_POSIX], 0, sizeof(iol__region));
    memset(&header->modules[IOL_SLOT_DXT_MPIIO], 0, sizeof(iol__region));
    for (int slot = 0; !whole && slot < IOL_SLOTS; slot++)
        if (slot >= IOL_SLOTS_KNOWN || !iol__modules[slot].roles->traffic)
            memset(&header->modules[slot], 0, sizeof(iol__region));
}

/* Head, names and records in use, each where it is in the file; with `whole` also records without traffic. Returns how far
   they reach, 0 if that cannot be. */
static size_t read_used(file_reading *r, bool whole, iol__mapped *facts, uint64_t *digest) {
    iol__log_header header;
    uint8_t *const *bytes = &r->watch->bytes;
    if (!read_region(r, (iol__region){0, IOL_MAPPED_NAMES_AT}) || !iol__mapped_is(*bytes, IOL_MAPPED_NAMES_AT))
        return 0;
    memcpy(facts, *bytes + IOL_MAPPED_AT, sizeof *facts);
    memcpy(&header, *bytes, sizeof header);
    leave_out(&header, whole);
    size_t reach = IOL_MAPPED_NAMES_AT;
    *digest = iol__hash(&header, sizeof header, facts->ended);
    for (int i = -1; i < IOL_SLOTS; i++) {
        const iol__region region = i < 0 ? header.names : header.modules[i];
        if (!read_region(r, region)) return 0;
        if (!region.bytes) continue;
        *digest = iol__hash(*bytes + region.at, (size_t)region.bytes, *digest);
        if (region.at + region.bytes > reach) reach = (size_t)(region.at + region.bytes);
    }
    iol__mapped plain = *facts;
    plain.trace_bytes = plain.sizes_bytes = plain.custom_bytes = plain.removed_bytes = 0;
    memcpy(*bytes, &header, sizeof header);
    memcpy(*bytes + IOL_MAPPED_AT, &plain, sizeof plain);
    return reach;
}

static void free_process(iol__live_process *p) {
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
static bool is_of_owner(const iol__live_watch *w, const iol__live_process *p, const iol__mapped *facts) {
    char path[64];
    struct stat st;
    if (iol__mapped_is_foreign(w->bytes)) return true;
    snprintf(path, sizeof path, "/proc/%d", (int)facts->pid);
    if (stat(path, &st) != 0) return errno != ENOENT;
    return st.st_uid == p->uid || st.st_uid == 0; /* root's: who changed who he is, or may not be looked at */
}

static bool is_alive(const iol__live_watch *w, const iol__live_process *p, const iol__mapped *facts) {
    if (facts->ended != IOL_ENDED_NOT) return false;
    const bool asked = p->looks % LIFE_LOOKS == 0;
    if (asked && !is_of_owner(w, p, facts)) return false;
    if (asked || facts->locked)
        return iol__mapped_lives(p->fd, p->path, facts); /* of a lock the kernel knows at once */
    return kill(facts->pid, 0) == 0 || errno != ESRCH;
}

/* Nothing has changed since the last look. */
static void come_to_rest(iol__live_process *p) {
    if (p->moving) {
        memset(p->layer_rate, 0, sizeof p->layer_rate);
        for (size_t i = 0; i < p->ids.count && i < p->room; i++) p->files[i].rate = (iol__live_figures){0};
    }
    p->moving = false;
    sum_layers(p);
}

static bool take_apart(iol__live_watch *w, iol__live_process *p, const iol__mapped *facts, size_t reach) {
    iol_log *log;
    if (iol_log_open_memory(w->bytes, reach, p->path, &log, NULL) != IOL_OK) {
        w->unreadable++;
        return false;
    }
    const iol_job *job = iol_log_job(log);
    p->pid = facts->pid;
    p->run = facts->run;
    p->job = job->job_id;
    p->start = job->start_seconds;
    if (!p->command) p->command = strdup(job->exe);
    p->open_files = 0;
    p->moving = true;
    const double elapsed = p->fresh ? 0 : w->elapsed;
    for (int slot = 0; slot < IOL_SLOTS_KNOWN; slot++) read_layer(p, log, slot, elapsed);
    sum_layers(p);
    name_busiest(p, log);
    iol_log_close(log);
    return p->command != NULL;
}

/* False: the process has ended, or its file cannot be read. */
static bool sample_process(iol__live_watch *w, iol__live_process *p) {
    iol__mapped facts;
    file_reading r;
    uint64_t digest = 0;
    const size_t reach = begin_reading(w, p, &r) ? read_used(&r, false, &facts, &digest) : 0;
    if (!reach) {
        const bool much = r.use && !within(r.use->bytes, w->limits.user_bytes);
        *(much ? &w->beyond : &w->unreadable) += lives_by_name(p->path);
        return false;
    }
    if (!is_alive(w, p, &facts)) return false;
    const bool resting = p->looks && digest == p->digest && facts.pid == p->pid;
    p->looks++;
    p->digest = digest;
    if (!resting) return take_apart(w, p, &facts, reach);
    come_to_rest(p);
    return true;
}

iol_status iol__live_log(iol__live_watch *w, const iol__live_process *p, iol_log **log) {
    iol__mapped facts;
    file_reading r;
    uint64_t digest;
    const size_t reach = begin_reading(w, p, &r) ? read_used(&r, true, &facts, &digest) : 0;
    return reach ? iol_log_open_memory(w->bytes, reach, p->path, log, NULL) : IOL_INVALID;
}

/* All of them ----------------------------------------------------------------------------------------------------- */

static size_t first_slot(const iol__live_watch *w, uint64_t key) { return (size_t)(key >> 20) & (w->n_by_key - 1); }

static void note_key(iol__live_watch *w, size_t number) {
    size_t at = first_slot(w, w->processes[number]->key);
    while (w->by_key[at]) at = (at + 1) & (w->n_by_key - 1);
    w->by_key[at] = (uint32_t)number + 1;
}

/* The processes by key, for at least twice as many as there are. */
static bool list_keys(iol__live_watch *w) {
    size_t size = 64;
    while (size < 2 * w->count + 2) size *= 2;
    uint32_t *list = size == w->n_by_key ? w->by_key : realloc(w->by_key, size * sizeof *list);
    if (!list) return false;
    memset(list, 0, size * sizeof *list);
    w->by_key = list;
    w->n_by_key = size;
    for (size_t i = 0; i < w->count; i++) note_key(w, i);
    return true;
}

static iol__live_process *find_process(const iol__live_watch *w, uint64_t key) {
    for (size_t at = first_slot(w, key); w->by_key[at]; at = (at + 1) & (w->n_by_key - 1))
        if (w->processes[w->by_key[at] - 1]->key == key) return w->processes[w->by_key[at] - 1];
    return NULL;
}

static void append_process(iol__live_watch *w, iol__live_process *p) {
    w->processes[w->count++] = p;
    if (2 * w->count + 2 > w->n_by_key)
        list_keys(w); /* without memory for that, the table of before still has a free place */
    else
        note_key(w, w->count - 1);
}

/* Each user has room for so many processes at a time. */
static bool has_room(iol__live_watch *w, uid_t uid) {
    iol__live_use *use = w->limits.user_processes ? use_of(w, uid) : NULL;
    return !use || within(++use->processes, w->limits.user_processes);
}

static void meet_file(iol__live_watch *w, int directory, const char *place, const char *name) {
    char path[PATH_MAX];
    struct stat st, opened;
    if (fstatat(directory, name, &st, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(st.st_mode)) return;
    if (!has_room(w, st.st_uid)) {
        w->beyond++;
        return;
    }
    uint64_t key = (uint64_t)st.st_ino * 0x9e3779b97f4a7c15u ^ (uint64_t)st.st_dev;
    iol__live_process *known = find_process(w, key);
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
    iol__live_process *p = calloc(1, sizeof *p);
    if (!p || !IOL_GROW(w->processes, w->room, w->count)) {
        free(p);
        close(fd);
        return;
    }
    snprintf(path, sizeof path, "%s/%s", place, name);
    *p = (iol__live_process){
        .key = key, .fd = fd, .path = strdup(path), .uid = opened.st_uid, .seen = true, .fresh = true};
    append_process(w, p);
}

static void look_into(iol__live_watch *w, int parent, const char *name, const char *place) {
    const int fd =
        openat(parent, name, O_RDONLY | O_DIRECTORY | O_NONBLOCK | O_CLOEXEC | (parent < 0 ? 0 : O_NOFOLLOW));
    DIR *directory = fd < 0 ? NULL : fdopendir(fd);
    const struct dirent *entry;
    char path[PATH_MAX];
    if (fd >= 0 && !directory) close(fd);
    if (!directory && parent >= 0) w->foreign_runs += errno == EACCES;
    while (directory && (entry = readdir(directory)) != NULL) {
        if (!within(++w->entries, w->limits.entries)) {
            w->beyond++; /* and whatever is behind it */
            break;
        }
        if (strncmp(entry->d_name, "iolite-", 7) != 0) continue;
        if (iol__ends_with(entry->d_name, IOL_MAPPED_SUFFIX))
            meet_file(w, fd, place, entry->d_name);
        else if (parent < 0 && strncmp(entry->d_name, "iolite-run-", 11) == 0 &&
                 snprintf(path, sizeof path, "%s/%s", place, entry->d_name) < PATH_MAX)
            look_into(w, fd, entry->d_name, path);
    }
    if (directory) closedir(directory);
}

static void sample_all(iol__live_watch *w) {
    size_t kept = 0;
    for (size_t i = 0; i < w->count; i++) {
        iol__live_process *p = w->processes[i];
        if (p->seen && p->path && sample_process(w, p))
            w->processes[kept++] = p;
        else
            free_process(p);
    }
    w->count = kept;
}

void iol__live_look(iol__live_watch *w) {
    const double now = iol__monotonic_seconds();
    w->elapsed = w->at > 0 ? now - w->at : 0;
    w->at = now;
    w->unreadable = w->foreign_runs = w->beyond = 0;
    w->entries = w->n_uses = 0;
    if (!list_keys(w)) return;
    for (size_t i = 0; i < w->count; i++) w->processes[i]->seen = false;
    for (size_t i = 0; i < w->n_places; i++) look_into(w, AT_FDCWD, w->places[i], w->places[i]);
    sample_all(w);
}

void iol__live_forget(iol__live_watch *w) {
    for (size_t i = 0; i < w->count; i++) free_process(w->processes[i]);
    free(w->processes);
    free(w->by_key);
    free(w->uses);
    free(w->bytes);
    *w = (iol__live_watch){.places = w->places, .n_places = w->n_places, .limits = w->limits};
}
