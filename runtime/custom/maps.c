/* What is read or written through a memory map is no call. When a map goes, and at the end, the kernel's table of pages says
   which of its pages this process has used; it is read from /proc/self/pagemap, so that no page of the program is touched.
   The records are those of a module like others' (custom.h), which carries them through merges and MPI jobs.
   The cost is bounded: small maps are left alone, long ones are sampled, and beyond a hundredth of the run's time maps go
   unmeasured, which the record counts. */
#include "runtime/custom/maps.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "runtime/core/store.h"
#include "runtime/core/sys.h"
#include "runtime/custom/custom.h"

enum {
    MAPS_MOST = 256,       /* at a time */
    FILES_MOST = 1024,     /* with records of their own */
    LEAST_BYTES = 1 << 16, /* of a map that counts */
    PIECE = 256,           /* pages that are asked for at once */
    PIECES_MOST = 64,      /* of a map: 64 MiB of pages of 4 KiB are looked at one by one */
    IS_FILE = 61,  /* bits of a page in pagemap; memory of the program's own in the same place is not a file's */
    IS_THERE = 62, /* 62: swapped out, 63: present */
};

/* The time that looking may take: a share of the process's, and some to begin with. */
#define LOOK_SHARE 0.01
#define LOOK_FREE 0.005

/* As the record, see `counters`. */
typedef struct map_values {
    int64_t count, bytes, touched, pieces, sampled, unmeasured;
    double first, last;
} map_values;

static const iolite_counter counters[] = {
    {"MAPS_COUNT", "", "how often the file was mapped, by maps of 64 KiB or more", IOLITE_INT, IOLITE_SUM},
    {"MAPS_BYTES", "bytes", "length of these maps", IOLITE_INT, IOLITE_SUM},
    {"MAPS_TOUCHED", "bytes", "pages of them that the process had used when they went", IOLITE_INT, IOLITE_SUM},
    {"MAPS_PIECES", "", "runs of neighbouring pages that these make", IOLITE_INT, IOLITE_SUM},
    {"MAPS_SAMPLED", "", "maps of which a part of the pages was looked at", IOLITE_INT, IOLITE_SUM},
    {"MAPS_UNMEASURED", "", "maps of which it is not known what was used", IOLITE_INT, IOLITE_SUM},
    {"MAPS_F_FIRST", "s", "when the file was mapped first", IOLITE_INSTANT, IOLITE_FIRST},
    {"MAPS_F_LAST", "s", "when a map of it was last looked at", IOLITE_INSTANT, IOLITE_MAX},
};

typedef struct file_map {
    uintptr_t begin, end;
    iolite_record *record; /* NULL: free */
    bool copied;           /* a child of a fork gets what its parent has used */
    bool inherited;
} file_map;

bool iol__maps_open;

static iol__guard lock;
static file_map maps[MAPS_MOST];
static int n_maps;  /* those behind this one are free */
static int n_files; /* that were mapped */
static double spent;
static bool unreadable;
static iolite_module *module;

static bool enter_maps(void) {
    if (iol__guard_enter(&lock)) return true;
    iol__count_lost();
    return false;
}

/* Beyond some files, those that come are one. */
static iolite_record *map_record_of(const iol__file *file) {
    static const iolite_definition definition = {
        .bytes = sizeof definition,
        .name = "MAPS",
        .meaning = "memory maps of files, and how much of them was used",
        .version = 1,
        .counters = counters,
        .n_counters = sizeof counters / sizeof *counters,
        .record_bytes = sizeof(map_values),
    };
    _Static_assert(sizeof(map_values) == 8 * (sizeof counters / sizeof *counters), "a counter for each value");
    if (!module) module = iol__custom_register(&definition);
    return iol__custom_record_of(module, n_files < FILES_MOST ? file->name : "<FOLDED>", 0);
}

/* Pages --------------------------------------------------------------------------------------------------------- */

typedef struct pages_seen {
    uint64_t looked, used, runs;
    bool in_run;
} pages_seen;

static bool is_used(uint64_t page) { return page >> IS_THERE && (page >> IS_FILE & 1); }

static void count_pages(pages_seen *seen, const uint64_t *pages, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const bool used = is_used(pages[i]);
        seen->used += used;
        seen->runs += used && !seen->in_run;
        seen->in_run = used;
    }
    seen->looked += count;
}

/* Of all pages, or of pieces at equal distances. False if the kernel does not say. */
static bool look_at_pages(int fd, uint64_t first, uint64_t count, pages_seen *seen) {
    uint64_t pages[PIECE];
    const bool whole = count <= (uint64_t)PIECE * PIECES_MOST;
    const uint64_t step = whole ? PIECE : count / PIECES_MOST;
    for (uint64_t at = 0; at < count; at += step) {
        const uint64_t wanted = count - at < PIECE ? count - at : PIECE;
        const long got = sys(pread64, fd, pages, 8 * wanted, (long)(8 * (first + at)));
        if (got != (long)(8 * wanted)) return false;
        if (!whole) seen->in_run = is_used(pages[0]); /* where that run began is not known */
        count_pages(seen, pages, wanted);
    }
    return seen->looked > 0;
}

static bool measure_pages(uintptr_t begin, uintptr_t end, uint64_t page, pages_seen *seen) {
    const double now = iol__now();
    if (unreadable || spent > LOOK_FREE + LOOK_SHARE * (now - iol__core_state.start)) return false;
    const int fd = iol__sys_open(AT_FDCWD, "/proc/self/pagemap", O_RDONLY, 0);
    unreadable = fd < 0;
    const bool good = fd >= 0 && look_at_pages(fd, begin / page, (end - begin + page - 1) / page, seen);
    if (fd >= 0) sys(close, fd);
    spent += iol__now() - now;
    return good;
}

static int64_t scale(uint64_t value, uint64_t all, uint64_t looked) {
    return (int64_t)((double)value * (double)all / (double)looked);
}

/* With the lock held: a part of a map is about to go. A child that used none of its parent's maps has no record of them. */
static void note_used(const file_map *map, uintptr_t begin, uintptr_t end) {
    const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), all = (end - begin + page - 1) / page;
    pages_seen seen = {0};
    const bool known = measure_pages(begin, end, page, &seen);
    if (map->inherited && !seen.used) return;
    map_values *v = iol__custom_values(map->record);
    if (!v) return;
    if (map->inherited) iolite_add(&v->count, 1);
    if (map->inherited) iolite_add(&v->bytes, (int64_t)(map->end - map->begin));
    v->last = iol__now();
    if (v->first == 0) v->first = v->last;
    if (!known) {
        iolite_add(&v->unmeasured, 1);
        return;
    }
    iolite_add(&v->touched, (int64_t)page * scale(seen.used, all, seen.looked));
    const int64_t pieces = scale(seen.runs, all, seen.looked);
    iolite_add(&v->pieces, seen.used && pieces == 0 ? 1 : pieces);
    iolite_add(&v->sampled, seen.looked < all);
}

/* Maps ---------------------------------------------------------------------------------------------------------- */

static file_map *free_map(void) {
    for (int i = 0; i < n_maps; i++)
        if (!maps[i].record) return &maps[i];
    return n_maps < MAPS_MOST ? &maps[n_maps++] : NULL;
}

static void set_maps_open(void) {
    while (n_maps > 0 && !maps[n_maps - 1].record) n_maps--;
    iol__maps_open = n_maps > 0;
}

/* With the lock held: this range is no longer a part of maps that were known. What is left on both sides stays. */
static void cut_maps(uintptr_t begin, uintptr_t end, bool going) {
    for (int i = 0; i < n_maps; i++) {
        file_map *m = &maps[i];
        if (!m->record || m->end <= begin || end <= m->begin) continue;
        const uintptr_t from = begin > m->begin ? begin : m->begin, to = end < m->end ? end : m->end;
        if (going) note_used(m, from, to);
        file_map rest = *m;
        rest.begin = to;
        m->end = from;
        if (m->end <= m->begin) m->record = NULL;
        file_map *place = rest.begin < rest.end ? free_map() : NULL;
        if (place) *place = rest;
    }
    set_maps_open();
}

void iol__maps_mapped(const iol__file *file, void *where, size_t size, bool copied) {
    const uintptr_t begin = (uintptr_t)where;
    if ((size < LEAST_BYTES && !iol__maps_open) || file->refused >> IOL_SLOT_POSIX & 1) return;
    const int saved = errno;
    iolite_record *record = size < LEAST_BYTES ? NULL : map_record_of(file);
    map_values *v = iol__custom_values(record);
    if (enter_maps()) {
        if (iol__maps_open) cut_maps(begin, begin + size, false); /* it may have taken the place of another */
        file_map *map = v ? free_map() : NULL;
        if (map) *map = (file_map){.begin = begin, .end = begin + size, .record = record, .copied = copied};
        if (v && !map) iolite_add(&v->unmeasured, 1);
        if (v && v->first == 0) {
            v->first = iol__now();
            n_files++;
        }
        set_maps_open();
        iol__guard_leave(&lock);
    }
    if (v) iolite_add(&v->count, 1);
    if (v) iolite_add(&v->bytes, (int64_t)size);
    errno = saved;
}

void iol__maps_unmapping(void *where, size_t size) {
    const int saved = errno;
    const uintptr_t begin = (uintptr_t)where, page = (uintptr_t)sysconf(_SC_PAGESIZE);
    /* What the kernel refuses takes nothing away. */
    if (begin % page == 0 && size > 0 && size < UINTPTR_MAX - begin - page && enter_maps()) {
        cut_maps(begin, begin + (size + page - 1) / page * page, true);
        iol__guard_leave(&lock);
    }
    errno = saved;
}

void iol__maps_finish(void) {
    if (!iol__maps_open || !enter_maps()) return;
    const int saved = errno;
    for (int i = 0; i < n_maps; i++)
        if (maps[i].record) note_used(&maps[i], maps[i].begin, maps[i].end);
    n_maps = 0;
    iol__maps_open = false;
    iol__guard_leave(&lock);
    errno = saved;
}

void iol__maps_reset(void) {
    lock.owner = 0;
    spent = 0;
    for (int i = 0; i < n_maps; i++) {
        if (maps[i].copied) maps[i].record = NULL;
        maps[i].inherited = true;
    }
}
