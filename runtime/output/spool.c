/* Appending to a spool: the head of the store and what is in use of its areas, one behind the other. The mapped file
   stays until that is done, so a process that is killed in the middle loses nothing. */
#include "runtime/output/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>

#include "record/spool_frame.h"
#include "runtime/core/core.h"
#include "runtime/posix/operations.h"
#include "runtime/core/store.h"
#include "runtime/core/sys.h"
#include "runtime/core/text.h"

/* A frame ---------------------------------------------------------------------------------------------------------- */

static uint64_t whole_lines(uint64_t bytes) {
    return (bytes + IOL_SPOOL_FRAME_LINE - 1) & ~(uint64_t)(IOL_SPOOL_FRAME_LINE - 1);
}

static void place_area(const iol__area *area, uint64_t *next, uint64_t *at, uint64_t *bytes) {
    *at = *next;
    *bytes = area->used;
    *next += whole_lines(area->used);
}

/* The head of the store with everything moved together behind it; returns the whole length. */
static uint64_t make_head(uint8_t *head) {
    iol__rt_store *store = &iol__store_state;
    memcpy(head, store->base, IOL_MAPPED_OPERATIONS_AT);
    iol__operations_total((iol__operation *)(void *)(head + IOL_MAPPED_OPERATIONS_AT));
    iol__log_header *header = (iol__log_header *)(void *)head;
    iol__mapped *facts = (iol__mapped *)(void *)(head + IOL_MAPPED_AT);
    uint64_t at = IOL_MAPPED_HEAD;
    place_area(&store->names, &at, &header->names.at, &header->names.bytes);
    for (int slot = 0; slot < IOL_SLOTS_KNOWN; slot++)
        if (store->modules[slot].used)
            place_area(&store->modules[slot], &at, &header->modules[slot].at, &header->modules[slot].bytes);
    place_area(&store->sizes, &at, &facts->sizes_at, &facts->sizes_bytes);
    place_area(&store->removed, &at, &facts->removed_at, &facts->removed_bytes);
    place_area(&store->custom, &at, &facts->custom_at, &facts->custom_bytes);
    place_area(&store->trace, &at, &facts->trace_at, &facts->trace_bytes);
    return at;
}

/* What is written one after the other, in one call if the kernel takes it all. */
enum { AREAS = IOL_SLOTS_KNOWN + 5 };
typedef struct spool_parts {
    struct iovec all[2 * AREAS + 2];
    int count;
    size_t bytes;
} spool_parts;

static void add_part(spool_parts *to, const void *bytes, size_t length) {
    if (length) to->all[to->count++] = (struct iovec){(void *)bytes, length};
    to->bytes += length;
}

/* The areas in the order of their places. */
static size_t list_areas(const iol__area *areas[AREAS]) {
    const iol__rt_store *store = &iol__store_state;
    size_t count = 0;
    areas[count++] = &store->names;
    for (int slot = 0; slot < IOL_SLOTS_KNOWN; slot++) areas[count++] = &store->modules[slot];
    areas[count++] = &store->sizes;
    areas[count++] = &store->removed;
    areas[count++] = &store->custom;
    areas[count++] = &store->trace;
    return count;
}

static void add_as_it_is(spool_parts *frame, const uint8_t *head) {
    static const char zeros[IOL_SPOOL_FRAME_LINE];
    const iol__area *areas[AREAS];
    const size_t count = list_areas(areas);
    add_part(frame, head, IOL_MAPPED_HEAD);
    for (size_t i = 0; i < count; i++) {
        add_part(frame, iol__store_state.base + areas[i]->at, areas[i]->used);
        add_part(frame, zeros, whole_lines(areas[i]->used) - areas[i]->used);
    }
}

/* Most frames are short. */
static void add_packed(spool_parts *frame, const uint8_t *head, size_t length) {
    static uint8_t room[IOL_SPOOL_FRAME_ROOM];
    const iol__area *areas[AREAS];
    const size_t count = list_areas(areas);
    iol__packing packing;
    iol__spool_frame_begin(&packing, room, length);
    iol__spool_frame_add(&packing, head, IOL_MAPPED_HEAD);
    for (size_t i = 0; i < count; i++)
        if (areas[i]->used) iol__spool_frame_add(&packing, iol__store_state.base + areas[i]->at, areas[i]->used);
    add_part(frame, room, packing.used);
}

/* A frame, its head included. */
static void make_frame(spool_parts *frame, iol__spool_frame_head *begin) {
    static uint8_t head[IOL_MAPPED_HEAD] __attribute__((aligned(16)));
    const uint64_t length = make_head(head);
    *frame = (spool_parts){.count = 0};
    add_part(frame, begin, sizeof *begin);
    if (length <= IOL_SPOOL_FRAME_MOST)
        add_packed(frame, head, length);
    else
        add_as_it_is(frame, head);
    *begin = (iol__spool_frame_head){frame->bytes - sizeof *begin, length <= IOL_SPOOL_FRAME_MOST ? length : 0};
}

static bool write_parts(int fd, const spool_parts *from, long at) {
    if (sys(pwritev, fd, from->all, from->count, at, 0) == (long)from->bytes) return true;
    for (int i = 0; i < from->count; i++) {
        if (iol__sys_write_all(fd, from->all[i].iov_base, from->all[i].iov_len, at) != 0) return false;
        at += (long)from->all[i].iov_len;
    }
    return true;
}

/* The spool -------------------------------------------------------------------------------------------------------- */

static bool read_head(int fd, iol__spool_head *spool) {
    return sys(pread64, fd, spool, sizeof *spool, 0L) == (long)sizeof *spool &&
           memcmp(spool->magic, IOL_SPOOL_MAGIC, sizeof spool->magic) == 0;
}

/* The user's sum is another file with a lock of its own: it is asked for several frames at a time, or, where room is
   short, for what is needed. */
static bool charge_frames(iol__spool_head *spool, bool (*charge)(uint64_t bytes)) {
    enum { CHUNK = 16 << 10 };
    const uint64_t need = spool->committed > spool->charged ? spool->committed - spool->charged : 0;
    uint64_t bytes = need < CHUNK ? CHUNK : need;
    if (!charge || need == 0) return true;
    if (!charge(bytes) && !charge(bytes = need)) return false;
    spool->charged += bytes;
    return true;
}

static iol__spooled append_frame(int fd, bool (*charge)(uint64_t bytes)) {
    iol__spool_head spool = {.committed = 0};
    iol__spool_frame_head begin;
    spool_parts frame;
    if (!read_head(fd, &spool)) return IOL_SPOOL_FAILED;
    make_frame(&frame, &begin);
    if (!iol__may_write(fd, frame.bytes)) return IOL_SPOOL_FAILED;
    const long at = (long)spool.committed, counts = offsetof(iol__spool_head, committed);
    spool.committed += frame.bytes;
    if (!charge_frames(&spool, charge)) return IOL_SPOOL_FULL;
    const bool done = write_parts(fd, &frame, at) &&
                      iol__sys_write_all(fd, &spool.committed, sizeof spool - (size_t)counts, counts) == 0;
    return done ? IOL_SPOOLED : IOL_SPOOL_FAILED;
}

bool iol__lock_briefly(int fd) {
    enum { TRIES = 200 };
    for (int i = 0; i < TRIES; i++) {
        if (sys(flock, fd, LOCK_EX | LOCK_NB) == 0) return true;
        if (errno != EWOULDBLOCK && errno != EINTR) return false;
        struct timespec pause = {0, 1000000};
        sys(nanosleep, &pause, NULL);
    }
    return false;
}

/* The maker of a log takes the name of the spool away before reading it, so a process that still finds the name after
   locking is in time. */
static iol__spooled still_there(int fd, const char *path) {
    struct stat ours = {0}, named = {0};
    if (!iol__run_stat(path, &named)) return errno == ENOENT ? IOL_SPOOL_OVER : IOL_SPOOL_FAILED;
    const bool same = sys(fstat, fd, &ours) == 0 && ours.st_ino == named.st_ino && ours.st_dev == named.st_dev;
    return same ? IOL_SPOOLED : IOL_SPOOL_FAILED;
}

iol__spooled iol__spool_append_to(const char *path, bool (*charge)(uint64_t bytes)) {
    const int fd = iol__run_open(path, O_RDWR | O_NONBLOCK);
    if (fd < 0) {
        const bool over = errno == ENOENT && iol__core_state.home < 0 && !iol__root_moved();
        return over ? IOL_SPOOL_OVER : IOL_SPOOL_FAILED;
    }
    iol__spooled how = IOL_SPOOL_FAILED;
    if (iol__lock_briefly(fd)) how = still_there(fd, path);
    if (how == IOL_SPOOLED) how = append_frame(fd, charge);
    sys(close, fd);
    return how;
}

iol__spooled iol__spool_append(void) {
    static char path[sizeof iol__core_state.directory + 16];
    iol__text text = {path, sizeof path, 0};
    iol__text_add(&text, iol__core_state.directory);
    iol__text_add(&text, "/" IOL_RUN_SPOOL);
    return iol__spool_append_to(path, NULL);
}

bool iol__spool_begin(int fd) {
    iol__spool_head head = {.committed = sizeof head};
    memcpy(head.magic, IOL_SPOOL_MAGIC, sizeof head.magic);
    return iol__may_write(fd, sizeof head) && iol__sys_write_all(fd, &head, sizeof head, 0) == 0;
}

void iol__spool_count_dropped(const char *path) {
    const int fd = iol__run_open(path, O_RDWR | O_NONBLOCK);
    iol__spool_head spool = {.committed = 0};
    if (fd < 0) return;
    if (iol__lock_briefly(fd) && read_head(fd, &spool)) {
        spool.dropped++;
        iol__sys_write_all(fd, &spool.dropped, sizeof spool.dropped, offsetof(iol__spool_head, dropped));
    }
    sys(close, fd);
}
