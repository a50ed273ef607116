/* Regions that a program marks. What the process read and wrote in the meantime is the difference of two sums over its
   records, made at the marks: reading and writing know nothing of it. With very many files and marks that could cost
   more than it is worth; then some marks go without, and the record says how many. */
#include <errno.h>
#include <string.h>

#include "runtime/custom/custom.h"
#include "runtime/core/sys.h"
#include "runtime/core/store.h"
#include "runtime/posix/posix.h"
#include "runtime/stdio/stdio.h"

enum { OPEN_MOST = 256 };

/* The time that sums may take: a share of the process's, and some to begin with. */
#define SUM_SHARE 0.01
#define SUM_FREE 0.01

typedef struct regions_totals {
    int64_t read, written;
    double read_time, write_time, meta_time;
} regions_totals;

/* As the record, see `counters`. */
typedef struct region {
    int64_t count, unended, unbalanced, unmeasured, bytes_read, bytes_written;
    double time, slowest, first, last, read_time, write_time, meta_time;
} region;

static const iolite_counter counters[] = {
    {"REGION_COUNT", "", "how often it was begun", IOLITE_INT, IOLITE_SUM},
    {"REGION_UNENDED", "", "of these, how many were open when the process ended", IOLITE_INT, IOLITE_SUM},
    {"REGION_UNBALANCED", "", "ends without a begin", IOLITE_INT, IOLITE_SUM},
    {"REGION_UNMEASURED", "", "of all, how many are not in bytes and I/O times", IOLITE_INT, IOLITE_SUM},
    {"REGION_BYTES_READ", "bytes", "read by the process while it was open", IOLITE_INT, IOLITE_SUM},
    {"REGION_BYTES_WRITTEN", "bytes", "written by the process while it was open", IOLITE_INT, IOLITE_SUM},
    {"REGION_F_TIME", "s", "time that it was open, in all", IOLITE_REAL, IOLITE_SUM},
    {"REGION_F_SLOWEST", "s", "the longest time", IOLITE_REAL, IOLITE_MAX},
    {"REGION_F_FIRST", "s", "when it was begun first", IOLITE_INSTANT, IOLITE_FIRST},
    {"REGION_F_LAST", "s", "when it was ended last", IOLITE_INSTANT, IOLITE_MAX},
    {"REGION_F_READ_TIME", "s", "time in reads while it was open", IOLITE_REAL, IOLITE_SUM},
    {"REGION_F_WRITE_TIME", "s", "time in writes while it was open", IOLITE_REAL, IOLITE_SUM},
    {"REGION_F_META_TIME", "s", "time in metadata operations while it was open", IOLITE_REAL, IOLITE_SUM},
};

typedef struct mark {
    iolite_record *record; /* NULL: nobody's */
    uintptr_t owner;
    uint64_t number; /* marks in order */
    double begin;
    regions_totals before;
    iol__custom_span *span;
    bool measured;
    bool inherited; /* begun by the process that this one was forked from */
} mark;

static iol__guard lock;
static mark marks[OPEN_MOST];
static int n_open; /* marks behind this one are free */
static uint64_t n_marks;
static uint64_t untracked; /* regions that are open without a mark, because there was none left */
static double spent;       /* on sums */
static iolite_module *module;

/* Sums ------------------------------------------------------------------------------------------------------------- */

typedef struct layer {
    int slot, read, written, read_time, write_time, meta_time; /* times count from the first real */
} layer;

static const layer layers[] = {
    {IOL_SLOT_POSIX, IOL_POSIX_BYTES_READ, IOL_POSIX_BYTES_WRITTEN, IOL_POSIX_F_READ_TIME, IOL_POSIX_F_WRITE_TIME,
     IOL_POSIX_F_META_TIME},
    {IOL_SLOT_STDIO, IOL_STDIO_BYTES_READ, IOL_STDIO_BYTES_WRITTEN, IOL_STDIO_F_READ_TIME, IOL_STDIO_F_WRITE_TIME,
     IOL_STDIO_F_META_TIME},
};

static void add_layer(regions_totals *sum, const layer *from, size_t record_bytes) {
    const iol__area *area = &iol__store_state.modules[from->slot];
    const uint8_t *at = iol__store_state.base + area->at;
    const size_t ints = iol__modules[from->slot].ints;
    for (size_t done = 0; done + record_bytes <= area->used; done += record_bytes, at += record_bytes) {
        const int64_t *i = (const int64_t *)(const void *)(at + 16);
        const double *f = (const double *)(const void *)(i + ints);
        sum->read += i[from->read];
        sum->written += i[from->written];
        sum->read_time += f[from->read_time];
        sum->write_time += f[from->write_time];
        sum->meta_time += f[from->meta_time];
    }
}

/* False if that would cost too much. */
static bool measure(regions_totals *sum, double now) {
    *sum = (regions_totals){0};
    if (spent > SUM_FREE + SUM_SHARE * (now - iol__core_state.start)) return false;
    add_layer(sum, &layers[0], iol__posix_module.record_bytes);
    add_layer(sum, &layers[1], iol__stdio_module.record_bytes);
    spent += iol__now() - now;
    return true;
}

/* Marks ------------------------------------------------------------------------------------------------------------ */

static bool enter(void) {
    if (iol__guard_enter(&lock)) return true;
    iol__count_lost();
    return false;
}

static iolite_record *record_of(const char *name) {
    static const iolite_definition definition = {
        .bytes = sizeof definition,
        .name = "REGIONS",
        .meaning = "parts of the program, marked by itself",
        .version = 1,
        .counters = counters,
        .n_counters = sizeof counters / sizeof *counters,
        .record_bytes = sizeof(region),
    };
    _Static_assert(sizeof(region) == 8 * (sizeof counters / sizeof *counters), "a counter for each value");
    if (!name || !*name || !iol__awake()) return NULL;
    if (!module) module = iol__custom_register(&definition);
    return iol__custom_record_of(module, name, 0);
}

static mark *free_mark(void) {
    for (int i = 0; i < n_open; i++)
        if (!marks[i].record) return &marks[i];
    return n_open < OPEN_MOST ? &marks[n_open++] : NULL;
}

static void free_again(mark *m) {
    m->record = NULL;
    while (n_open > 0 && !marks[n_open - 1].record) n_open--;
}

/* The newest mark of this record: of this thread, else of any. */
static mark *open_mark(const iolite_record *record, uintptr_t me, const mark *besides) {
    mark *found = NULL;
    for (int i = 0; i < n_open; i++) {
        mark *m = &marks[i];
        if (m == besides || m->record != record) continue;
        const bool better = !found || (m->owner == me) > (found->owner == me) ||
                            ((m->owner == me) == (found->owner == me) && m->number > found->number);
        if (better) found = m;
    }
    return found;
}

void iol__region_begin(const char *name) {
    const int saved = errno;
    iolite_record *record = record_of(name);
    region *r = iol__custom_values(record);
    if (r && enter()) {
        mark *m = free_mark();
        const double now = iol__now();
        iol__custom_span *span = m ? iol__custom_span_begin(record, now) : NULL;
        r->count++;
        if (r->first == 0) r->first = now;
        if (m) {
            *m = (mark){.record = record, .owner = iol__me(), .number = ++n_marks, .begin = now, .span = span};
            m->measured = measure(&m->before, now);
        } else {
            untracked++;
            r->unmeasured++;
        }
        iol__guard_leave(&lock);
    }
    errno = saved;
}

static void add_measured(region *r, const mark *m, double now) {
    regions_totals after;
    if (!m->measured || !measure(&after, now)) {
        r->unmeasured++;
        return;
    }
    r->bytes_read += after.read - m->before.read;
    r->bytes_written += after.written - m->before.written;
    r->read_time += after.read_time - m->before.read_time;
    r->write_time += after.write_time - m->before.write_time;
    r->meta_time += after.meta_time - m->before.meta_time;
}

/* With the lock held. Of a region inside itself only the outer one counts, so that nothing counts twice. */
static void close_mark(mark *m, region *r, double now) {
    const double took = now - m->begin;
    const mark *outer = open_mark(m->record, m->owner, m);
    if (m->inherited) r->count++;
    if (m->inherited && (r->first == 0 || m->begin < r->first)) r->first = m->begin;
    if (m->span) m->span->end = now;
    if (now > r->last) r->last = now;
    if (!outer || outer->owner != m->owner) {
        r->time += took;
        if (took > r->slowest) r->slowest = took;
        add_measured(r, m, now);
    }
    free_again(m);
}

void iol__region_end(const char *name) {
    const int saved = errno;
    const double now = iol__now();
    iolite_record *record = record_of(name);
    region *r = iol__custom_values(record);
    if (r && enter()) {
        mark *m = open_mark(record, iol__me(), NULL);
        if (m)
            close_mark(m, r, now);
        else if (untracked)
            untracked--;
        else
            r->unbalanced++;
        iol__guard_leave(&lock);
    }
    errno = saved;
}

/* A child that did nothing leaves no record only because its parent was in a region. */
void iol__regions_finish(void) {
    if (!module || !iol__store_state.made || !enter()) return;
    const double now = iol__now();
    for (int i = 0; i < OPEN_MOST; i++) {
        region *r = marks[i].record ? iol__custom_values(marks[i].record) : NULL;
        if (!r) continue;
        r->unended++;
        close_mark(&marks[i], r, now);
    }
    iol__guard_leave(&lock);
}

/* A child is in the regions that the thread that forked was in, and begins to count there. That is the child's first
   thread; any other may have the address that one of the parent's had. */
void iol__regions_reset(void) {
    lock.owner = 0;
    spent = 0;
    untracked = 0;
    if (n_open == 0) return; /* what is not touched need not be copied, in a child that may be short */
    const uintptr_t me = sys(gettid, 0) == sys(getpid, 0) ? iol__me() : 0;
    const double now = iol__now();
    for (int i = 0; i < n_open; i++) {
        if (marks[i].owner != me || me == 0) marks[i].record = NULL;
        marks[i].begin = now;
        marks[i].span = NULL;
        marks[i].inherited = true;
        marks[i].before = (regions_totals){0};
    }
}
