/* See late.h. The notes are a ring: a handler, and handlers above it, add at its end; whoever leaves the lock does what
   is noted, one at a time. A note is free again when it is done, so nothing is copied. */
#include "runtime/posix/late.h"

#include <string.h>

#include "runtime/core/files.h"
#include "runtime/core/sys.h"
#include "runtime/posix/operations.h"
#include "runtime/posix/posix.h"
#include "runtime/where/where.h"

enum { NOTES = 16, PATH_ROOM = 4096 };

typedef enum note_kind { NOTE_OPEN, NOTE_TRANSFER, NOTE_STAT, NOTE_OPERATION, NOTE_CLOSE } note_kind;

typedef struct late_note {
    note_kind kind;
    bool failed, unaligned, ready;
    int fd; /* or the directory that the path begins at */
    int directory, flags, operation;
    mode_t mode;
    iol__direction direction;
    int64_t offset, size;
    double begin, end;
    char path[PATH_ROOM];
} late_note;

static iol__file nobody = {.name = "?", .mount = -1, .refused = UINT32_MAX, .pinned = true};
static iol__posix without_record;
iol__opened iol__late_opened = {.posix = &without_record.state, .file = &nobody, .links = 1, .append = true};

static late_note notes[NOTES];
static uint32_t used, done; /* since the start */
static bool at_work;

static void do_note(const late_note *n) {
    iol__opened *opened;
    iol__state *state;
    switch (n->kind) {
    case NOTE_OPEN:
        iol__posix_opened_between(n->fd, n->directory, n->path, n->flags, n->mode, n->begin, n->end);
        return;
    case NOTE_STAT: iol__posix_stat_between(n->directory, n->path, n->begin, n->end); return;
    case NOTE_OPERATION:
        iol__operation_between(n->operation, n->failed, n->directory, n->path, n->begin, n->end);
        return;
    case NOTE_TRANSFER:
        if ((opened = iol__descriptor(n->fd)) != NULL)
            iol__posix_transfer_between(opened, n->fd, n->offset, n->size, n->unaligned, n->direction, n->begin,
                                        n->end);
        return;
    case NOTE_CLOSE:
        if ((state = iol__posix_closing(n->fd)) != NULL) iol__posix_closed_between(state, false, n->begin, n->begin);
    }
}

/* Who comes here while a thread is at it leaves the rest to that one. */
static void do_notes(void) {
    if (__atomic_exchange_n(&at_work, true, __ATOMIC_ACQUIRE)) return;
    const iol__where_absence before = iol__where_leave_out();
    while (done != __atomic_load_n(&used, __ATOMIC_ACQUIRE)) {
        late_note *n = &notes[done % NOTES];
        if (n->ready) do_note(n); /* else its handler was left by longjmp */
        n->ready = false;
        __atomic_store_n(&done, done + 1, __ATOMIC_RELEASE);
    }
    iol__where_put_back(&before);
    __atomic_store_n(&at_work, false, __ATOMIC_RELEASE);
}

/* A handler that came in between and left by longjmp would leave them to nobody. */
static void do_all(void) {
    uint64_t before;
    const bool held = iol__signals_keep_waiting(&before);
    do_notes();
    if (held) iol__signals_let_in(before);
}

static late_note *new_note(note_kind kind, double begin, double end) {
    if (__atomic_load_n(&used, __ATOMIC_RELAXED) - __atomic_load_n(&done, __ATOMIC_ACQUIRE) >= NOTES - 1) return NULL;
    late_note *n = &notes[__atomic_fetch_add(&used, 1, __ATOMIC_ACQ_REL) % NOTES];
    n->kind = kind;
    n->begin = begin;
    n->end = end;
    return n;
}

static bool keep(late_note *n) {
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    n->ready = true;
    iol__files_when_left(do_all);
    return true;
}

static bool keep_path(late_note *n, int directory, const char *path) {
    const size_t length = strnlen(path, PATH_ROOM);
    if (length == PATH_ROOM) return false;
    memcpy(n->path, path, length + 1);
    n->directory = directory;
    return keep(n);
}

bool iol__late_open(int fd, int directory, const char *path, int flags, mode_t mode, double begin, double end) {
    late_note *n = new_note(NOTE_OPEN, begin, end);
    if (!n) return false;
    n->fd = fd;
    n->flags = flags;
    n->mode = mode;
    return keep_path(n, directory, path);
}

bool iol__late_transfer(int fd, iol__direction direction, int64_t offset, int64_t size, bool unaligned, double begin,
                        double end) {
    late_note *n = new_note(NOTE_TRANSFER, begin, end);
    if (!n) return false;
    n->fd = fd;
    n->direction = direction;
    n->offset = offset;
    n->size = size;
    n->unaligned = unaligned;
    return keep(n);
}

bool iol__late_stat(int directory, const char *path, double begin, double end) {
    late_note *n = new_note(NOTE_STAT, begin, end);
    return n && keep_path(n, directory, path);
}

bool iol__late_operation(int operation, bool failed, int directory, const char *path, double begin, double end) {
    late_note *n = new_note(NOTE_OPERATION, begin, end);
    if (!n) return false;
    n->operation = operation;
    n->failed = failed;
    return keep_path(n, directory, path);
}

bool iol__late_close(int fd, double begin) {
    late_note *n = new_note(NOTE_CLOSE, begin, begin);
    if (!n) return false;
    n->fd = fd;
    return keep(n);
}

void iol__late_reset(void) {
    at_work = false;
    if (used == 0) return; /* notes that nobody wrote stay untouched: each has a page of its own */
    for (int i = 0; i < NOTES; i++)
        if (notes[i].ready) notes[i].ready = false;
    used = done = 0;
}
