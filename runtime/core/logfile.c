/* Writing what a process recorded: as a log of its own, compressed, or as it is into the spool of the run. The mapped
   file stays until that is done, so a process that is killed in the middle loses nothing. */
#include "runtime/core/logfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>

#include "record/place.h"
#include "record/trailer.h"
#include "runtime/core/added.h"
#include "runtime/core/core.h"
#include "runtime/core/deflate.h"
#include "runtime/core/explain.h"
#include "runtime/core/files.h"
#include "runtime/core/heatmap.h"
#include "runtime/core/operations.h"
#include "runtime/core/own.h"
#include "runtime/core/store.h"
#include "runtime/core/text.h"
#include "runtime/posix/posix.h"
#include "runtime/stdio/stdio.h"

enum { BLOCK = 1 << 20, SEGMENT = 40, SHORT_SEGMENT = 32, TRACE_HEAD = 104, HOST = 64 };

static double end_time;
static size_t segment_bytes; /* of a traced operation: with the thread, which released tools cannot read, or without */

void iol__log_prepare(double end) {
    iol__mapped *facts = iol__store_facts();
    iol__log_job *job = iol__store_job();
    const iol__core *core = &iol__core_state;
    end_time = end;
    iol__posix_finish();
    facts->end = end;
    facts->lost = core->lost;
    const int64_t ns = core->zero_ns + (int64_t)(end * 1e9);
    job->end_ns = ns % 1000000000;
    job->end_s = core->zero_s + ns / 1000000000;
}

/* The log of one process ------------------------------------------------------------------------------------------- */

typedef struct writer {
    int fd;
    bool failed;
    long at; /* in the file */
    uint8_t *raw, *packed;
    size_t have; /* in raw */
    iol__log_header header;
} writer;

/* What is waiting becomes one stream. Blocks hold whole records, because they are flushed between them. */
static void flush(writer *w) {
    if (w->failed || w->have == 0) return;
    const size_t bytes = iol__deflate(w->raw, w->have, w->packed, iol__deflate_bound(BLOCK));
    if (bytes == 0 || iol__own_write_all(w->fd, w->packed, bytes, w->at) != 0) w->failed = true;
    w->at += (long)bytes;
    w->have = 0;
}

static void put(writer *w, const void *bytes, size_t length) {
    if (w->have + length > BLOCK) flush(w);
    memcpy(w->raw + w->have, bytes, length);
    w->have += length;
}

/* Records, or names, that stand one behind the other. */
static void put_many(writer *w, const uint8_t *from, size_t length, size_t record) {
    const size_t most = record ? BLOCK / record * record : BLOCK;
    for (size_t at = 0; at < length; at += most) {
        flush(w);
        const size_t part = length - at < most ? length - at : most;
        put(w, from + at, part);
    }
}

static void begin_region(writer *w, iol__region *region) { region->at = (uint64_t)w->at; }

static void end_region(writer *w, iol__region *region) {
    flush(w);
    region->bytes = (uint64_t)w->at - region->at;
}

static void write_job(writer *w) {
    const char *text = iol__store_text();
    put(w, iol__store_job(), sizeof(iol__log_job));
    put(w, text, strlen(text) + 1);
    flush(w);
}

static void write_names(writer *w) {
    const iol__area *names = &iol__store_state.names;
    begin_region(w, &w->header.names);
    put_many(w, iol__store_state.base + names->at, names->used, 0);
    end_region(w, &w->header.names);
}

static void write_module(writer *w, int slot, size_t record) {
    const iol__area *area = &iol__store_state.modules[slot];
    if (area->used == 0) return;
    begin_region(w, &w->header.modules[slot]);
    put_many(w, iol__store_state.base + area->at, area->used, record);
    end_region(w, &w->header.modules[slot]);
}

/* Standard streams that were neither read nor written are left out, as ever. */
static void write_streams(writer *w) {
    const iol__area *area = &iol__store_state.modules[IOL_SLOT_STDIO];
    const size_t bytes = iol__stdio_module.record_bytes;
    iol__region *region = &w->header.modules[IOL_SLOT_STDIO];
    if (area->used == 0) return;
    begin_region(w, region);
    for (size_t at = 0; at < area->used; at += bytes) {
        const int64_t *record = (const int64_t *)(const void *)(iol__store_state.base + area->at + at);
        const int64_t *ints = record + 2;
        if (iol__stdio_standard((uint64_t)record[0]) && ints[IOL_STDIO_READS] == 0 && ints[IOL_STDIO_WRITES] == 0)
            continue;
        put(w, record, bytes);
    }
    end_region(w, region);
}

static void write_heat(writer *w) {
    static iol__heat_record total;
    iol__region *region = &w->header.modules[IOL_SLOT_HEATMAP];
    if (!iol__store_state.modules[IOL_SLOT_HEATMAP].used) return;
    begin_region(w, region);
    for (int layer = 0; layer < IOL_HEAT_LAYERS; layer++) {
        if (!iol__heat_total((iol__heat_layer)layer, end_time, &total)) continue;
        const size_t bins = (size_t)total.bins * sizeof(int64_t);
        put(w, &total, offsetof(iol__heat_record, bytes));
        put(w, total.bytes[0], bins);
        put(w, total.bytes[1], bins);
    }
    end_region(w, region);
}

/* Traces: the chunks of a file are linked to each other, writes and reads apart. */
static int64_t count_segments(const iol__trace_chunk *chunk) {
    int64_t n = 0;
    for (; chunk; chunk = iol__trace_following(chunk)) n += chunk->used;
    return n;
}

static void write_segments(writer *w, const iol__trace_chunk *chunk) {
    for (; chunk; chunk = iol__trace_following(chunk)) {
        const uint8_t *segment = (const uint8_t *)(chunk + 1);
        for (uint32_t i = 0; i < chunk->used; i++, segment += SEGMENT) put(w, segment, segment_bytes);
    }
}

static void write_trace(writer *w, const iol__posix *p, const char *host) {
    struct {
        uint64_t id;
        int64_t rank, shared;
        char host[HOST];
        int64_t writes, reads;
    } head = {.id = p->state.file->id,
              .writes = count_segments(p->first_chunks[IOL_WRITE]),
              .reads = count_segments(p->first_chunks[IOL_READ])};
    _Static_assert(sizeof head == TRACE_HEAD, "the head of a trace");
    if (head.writes + head.reads == 0) return;
    memcpy(head.host, host, strnlen(host, HOST));
    /* A record may be longer than a block; then it spans several streams, which is all the same to a reader. */
    put(w, &head, sizeof head);
    write_segments(w, p->first_chunks[IOL_WRITE]);
    write_segments(w, p->first_chunks[IOL_READ]);
}

static void write_traces(writer *w, const char *host) {
    const iol__store *store = &iol__store_state;
    iol__region *region = &w->header.modules[IOL_SLOT_DXT_POSIX];
    if (store->trace.used == 0) return;
    const bool threads = iol__setting_flag(&iol__core_state.config, IOL_SET_TRACE_THREADS);
    segment_bytes = threads ? SEGMENT : SHORT_SEGMENT;
    begin_region(w, region);
    iol__trace_chunk chunk;
    const uint8_t *area = store->base + store->trace.at;
    for (size_t next = 0; iol__trace_next(area, store->trace.used, &next, &chunk);) {
        iol__posix *p = iol__posix_by_id(chunk.id);
        if (!p || p->traced_out) continue;
        p->traced_out = true;
        write_trace(w, p, host);
    }
    for (iol__state *state = iol__files_states(); state; state = state->next)
        if (state->module == &iol__posix_module) ((iol__posix *)(void *)state)->traced_out = false;
    w->header.versions[IOL_SLOT_DXT_POSIX] = threads ? 2 : 1;
    end_region(w, region);
}

/* The trailer: what the format has no place for, in sections of JSON. */
enum { SECTION_ROOM = 8192 };
static uint8_t trailer[2 * SECTION_ROOM];

static void add_key(iol__text *json, const char *name) {
    iol__text_add(json, json->length ? ",\"" : "{\"");
    iol__text_add(json, name);
    iol__text_add(json, "\":");
}

static void add_count(iol__text *json, const char *name, uint64_t n) {
    if (n == 0) return;
    add_key(json, name);
    iol__text_number(json, (int64_t)n);
}

/* Seconds, with the nine digits that tell one unit from the next. */
static void add_time(iol__text *json, const char *name, uint64_t units) {
    const uint64_t whole = units >> 28, billionths = ((units & ((1 << 28) - 1)) * 1000000000) >> 28;
    iol__text_add(json, name);
    iol__text_number(json, (int64_t)whole);
    iol__text_add(json, ".");
    for (uint64_t digit = 100000000; digit > 0; digit /= 10) iol__text_number(json, (int64_t)(billionths / digit % 10));
}

/* What the records leave out, for readers who want to know. */
static void say_folded(iol__text *json) {
    const iol__mapped *facts = iol__store_facts();
    for (int slot = 0; slot < IOL_SLOTS_KNOWN; slot++) add_count(json, iol__modules[slot].name, facts->folded[slot]);
    add_count(json, "trace_lost", facts->trace_lost);
    add_count(json, "lost", facts->lost);
    add_count(json, "ring_unseen", facts->ring_unseen);
}

static void say_operations(iol__text *json) {
    static const char *const names[] = {
#define OPERATION(NAME, name, alone, what) name,
#include "schema/operations.def"
#undef OPERATION
    };
    static iol__operation total[IOL_OPERATIONS_ROOM];
    iol__operations_total(total);
    for (int i = 0; i < IOL_OPERATIONS; i++) {
        if (total[i].count == 0 && total[i].failed == 0) continue;
        add_key(json, names[i]);
        iol__text_add(json, "{\"count\":");
        iol__text_number(json, (int64_t)total[i].count);
        iol__text_add(json, ",\"failed\":");
        iol__text_number(json, (int64_t)total[i].failed);
        add_time(json, ",\"time\":", total[i].time);
        add_time(json, ",\"slowest\":", total[i].slowest);
        iol__text_add(json, "}");
    }
}

/* A section behind those that are there already, unless it has nothing to say. Returns where the next one begins. */
static size_t add_section(size_t at, const char *tag, void (*say)(iol__text *)) {
    iol__text json = {(char *)trailer + at + IOL_TRAILER_HEAD, SECTION_ROOM - IOL_TRAILER_HEAD, 0};
    say(&json);
    if (json.length == 0) return at;
    iol__text_add(&json, "}");
    iol__trailer_head(trailer + at, tag, IOL_TRAILER_STORED, json.length, json.length);
    return at + IOL_TRAILER_HEAD + json.length;
}

/* Sizes of files stand as they are in the store, which may be many; the checksum goes on over them. */
static bool write_sizes(writer *w, size_t before, uint32_t *crc, size_t *length) {
    const iol__area *sizes = &iol__store_state.sizes;
    uint8_t head[IOL_TRAILER_HEAD];
    if (sizes->used == 0) return true;
    const uint8_t *bytes = iol__store_state.base + sizes->at;
    const long at = w->at + (long)before;
    iol__trailer_head(head, "SIZE", IOL_TRAILER_STORED, sizes->used, sizes->used);
    *crc = iol__crc32(iol__crc32(*crc, head, sizeof head), bytes, sizes->used);
    *length = before + sizeof head + sizes->used;
    return iol__own_write_all(w->fd, head, sizeof head, at) == 0 &&
           iol__own_write_all(w->fd, bytes, sizes->used, at + (long)sizeof head) == 0;
}

static bool write_added(writer *w, size_t at, uint32_t *crc, size_t *end) {
    const uint8_t *section;
    const size_t length = iol__added_section(&section);
    *end = at + length;
    if (length == 0) return true;
    *crc = iol__crc32(*crc, section, length);
    return iol__own_write_all(w->fd, section, length, w->at + (long)at) == 0;
}

static void write_trailer(writer *w) {
    uint8_t foot[IOL_TRAILER_FOOTER];
    size_t length = add_section(0, "FOLD", say_folded);
    length = add_section(length, "OPER", say_operations);
    if (w->failed || (length == 0 && iol__store_state.sizes.used + iol__store_state.added.used == 0)) return;
    uint32_t crc = iol__crc32(0, trailer, length);
    bool done = iol__own_write_all(w->fd, trailer, length, w->at) == 0;
    done = done && write_sizes(w, length, &crc, &length) && write_added(w, length, &crc, &length);
    iol__trailer_footer_write(foot, &(iol__trailer_footer){IOL_TRAILER_VERSION, crc, (uint64_t)w->at, length});
    if (!done || iol__own_write_all(w->fd, foot, sizeof foot, w->at + (long)length) != 0) w->failed = true;
}

static void write_header(writer *w) {
    if (!w->failed && iol__own_write_all(w->fd, &w->header, sizeof w->header, 0) != 0) w->failed = true;
}

static bool write_log(int fd) {
    static struct utsname host;
    static writer w; /* large, and there is one */
    w = (writer){.fd = fd, .at = sizeof w.header, .header = *iol__store_header()};
    w.raw = iol__own_memory(BLOCK);
    w.packed = iol__own_memory(iol__deflate_bound(BLOCK));
    if (!w.raw || !w.packed || !iol__deflate_start()) return false;
    if (own(uname, &host) != 0) host.nodename[0] = 0;
    w.header.compression = iol__deflate_compresses() ? IOL_LOG_ZLIB : IOL_LOG_PLAIN;
    memset(w.header.modules, 0, sizeof w.header.modules);
    iol__timing_step("log_open");
    write_job(&w);
    iol__timing_step("job_write");
    write_names(&w);
    iol__timing_step("hash_write");
    write_module(&w, IOL_SLOT_POSIX, iol__posix_module.record_bytes);
    iol__timing_step(iol__store_state.modules[IOL_SLOT_POSIX].used ? "POSIX_shutdown" : NULL);
    write_streams(&w);
    iol__timing_step(iol__store_state.modules[IOL_SLOT_STDIO].used ? "STDIO_shutdown" : NULL);
    write_traces(&w, host.nodename);
    iol__timing_step(iol__store_state.trace.used ? "DXT_POSIX_shutdown" : NULL);
    write_heat(&w);
    iol__timing_step(iol__store_state.modules[IOL_SLOT_HEATMAP].used ? "HEATMAP_shutdown" : NULL);
    write_trailer(&w);
    write_header(&w);
    iol__timing_step("header_write");
    own(munmap, w.raw, BLOCK);
    own(munmap, w.packed, iol__deflate_bound(BLOCK));
    return !w.failed;
}

/* Places ----------------------------------------------------------------------------------------------------------- */

static int make_directory(const char *path, mode_t mode) { return (int)own(mkdirat, AT_FDCWD, path, mode); }

/* Without replacing what is there. File systems that do not know how to rename so can link. */
static bool give_name(const char *partial, const char *path) {
    if (own(renameat2, AT_FDCWD, partial, AT_FDCWD, path, 1 /* RENAME_NOREPLACE */) == 0) return true;
    if (errno != EINVAL && errno != ENOSYS) return false;
    if (own(linkat, AT_FDCWD, partial, AT_FDCWD, path, 0) != 0) return false;
    own(unlinkat, AT_FDCWD, partial, 0);
    return true;
}

/* Nothing stands under the final name before it is whole. */
static bool write_at(const iol__place *place) {
    static char partial[IOL_PLACE_BYTES + 16];
    iol__text text = {partial, sizeof partial, 0};
    const size_t length = strlen(place->path), suffix = sizeof ".darshan" - 1;
    const bool plain = place->exact || length < suffix;
    iol__text_bytes(&text, place->path, plain ? length : length - suffix);
    iol__text_add(&text, ".darshan_partial");
    if (place->create) iol__place_create(place, make_directory);
    int fd = iol__own_open(AT_FDCWD, partial, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0600);
    if (fd < 0) return false;
    bool done = write_log(fd);
    int why = errno;
    if (done) {
        own(fchmod, fd, 0400);
        done = give_name(partial, place->path);
        why = errno;
    }
    own(close, fd);
    if (!done) own(unlinkat, AT_FDCWD, partial, 0);
    errno = why;
    return done;
}

/* Past the limit for file sizes a write would raise a signal. */
static bool size_allowed(void) {
    struct rlimit limit = {0};
    const iol__store *store = &iol__store_state;
    uint64_t most = IOL_MAPPED_NAMES_AT + store->names.used + store->sizes.used + store->added.used;
    most += store->trace.used;
    for (int slot = 0; slot < IOL_SLOTS_KNOWN; slot++) most += store->modules[slot].used;
    return own(prlimit64, 0, RLIMIT_FSIZE, NULL, &limit) != 0 || limit.rlim_cur >= most;
}

bool iol__log_write(char *path, size_t room) {
    static iol__place place;
    static char user[256];
    static struct utsname host;
    const iol__core *core = &iol__core_state;
    const iol__log_job *job = iol__store_job();
    if (own(uname, &host) != 0) host.nodename[0] = 0;
    iol__user_name(core->environment, (uid_t)getauxval(AT_EUID), user, sizeof user);
    const iol__place_facts facts = {
        .user = user,
        .program = core->program,
        .job = job->id,
        .pid = core->pid,
        .start = job->start_s,
        .utc_offset = core->utc_offset,
        .random = iol__place_random(host.nodename, (uint64_t)iol__clock_monotonic() / 1000),
        .environment = core->environment,
    };
    static char failed[IOL_PLACE_BYTES];
    failed[0] = 0;
    int why = EFBIG;
    unsigned candidate = 0;
    const bool allowed = size_allowed();
    while (allowed && iol__place_next(&core->config, &facts, &candidate, &place)) {
        if (write_at(&place)) {
            iol__text_add(&(iol__text){path, room, 0}, place.path);
            if (failed[0]) iol__say_place(failed, why, path);
            return true;
        }
        why = errno;
        if (!failed[0]) iol__text_add(&(iol__text){failed, sizeof failed, 0}, place.path);
    }
    iol__say_place(failed, why, iol__store_state.mapped ? iol__store_state.path : "");
    return false;
}

/* The spool of the run --------------------------------------------------------------------------------------------- */

typedef struct piece {
    iol__region *region;
    const iol__area *area;
} piece;

/* The head of the store with everything moved together behind it; returns the whole length. */
static uint64_t pack_head(uint8_t *head) {
    memcpy(head, iol__store_state.base, IOL_MAPPED_OPERATIONS_AT);
    iol__operations_total((iol__operation *)(void *)(head + IOL_MAPPED_OPERATIONS_AT));
    iol__log_header *header = (iol__log_header *)(void *)head;
    iol__mapped *facts = (iol__mapped *)(void *)(head + IOL_MAPPED_AT);
    uint64_t at = IOL_MAPPED_HEAD;
    header->names.at = at;
    at += iol__store_state.names.used;
    for (int slot = 0; slot < IOL_SLOTS_KNOWN; slot++) {
        if (!iol__store_state.modules[slot].used) continue;
        header->modules[slot].at = at;
        at += iol__store_state.modules[slot].used;
    }
    facts->sizes_at = at;
    at += iol__store_state.sizes.used;
    facts->added_at = at;
    at += iol__store_state.added.used;
    facts->trace_at = at;
    return (at + iol__store_state.trace.used + 7) & ~UINT64_C(7);
}

static bool write_area(int fd, const iol__area *area, long *at) {
    if (iol__own_write_all(fd, iol__store_state.base + area->at, area->used, *at) != 0) return false;
    *at += (long)area->used;
    return true;
}

static bool append_frame(int fd) {
    static uint8_t head[IOL_MAPPED_HEAD] __attribute__((aligned(16)));
    iol__spool_head spool = {{0}, 0};
    if (own(pread64, fd, &spool, sizeof spool, 0L) != (long)sizeof spool ||
        memcmp(spool.magic, IOL_SPOOL_MAGIC, sizeof spool.magic) != 0)
        return false;
    const uint64_t length = pack_head(head);
    if (!iol__may_write(fd, length + 64)) return false;
    long at = (long)spool.committed;
    bool done = iol__own_write_all(fd, &length, sizeof length, at) == 0 &&
                iol__own_write_all(fd, head, sizeof head, at + (long)sizeof length) == 0;
    at += (long)(sizeof length + sizeof head);
    done = done && write_area(fd, &iol__store_state.names, &at);
    for (int slot = 0; done && slot < IOL_SLOTS_KNOWN; slot++)
        done = write_area(fd, &iol__store_state.modules[slot], &at);
    done = done && write_area(fd, &iol__store_state.sizes, &at);
    done = done && write_area(fd, &iol__store_state.added, &at);
    done = done && write_area(fd, &iol__store_state.trace, &at);
    const uint64_t committed = spool.committed + sizeof length + length;
    static const char zeros[8];
    done = done && iol__own_write_all(fd, zeros, (size_t)(committed - (uint64_t)at), at) == 0;
    return done && iol__own_write_all(fd, &committed, sizeof committed, offsetof(iol__spool_head, committed)) == 0;
}

/* Writers hold the lock for an instant only; one that was stopped there must not hold up the others. */
static bool lock(int fd) {
    enum { TRIES = 200 };
    for (int i = 0; i < TRIES; i++) {
        if (own(flock, fd, LOCK_EX | LOCK_NB) == 0) return true;
        if (errno != EWOULDBLOCK && errno != EINTR) return false;
        struct timespec pause = {0, 1000000};
        own(nanosleep, &pause, NULL);
    }
    return false;
}

/* The run takes the spool's name away before it reads it, so whoever still finds the name after locking is in time. */
static bool still_there(int fd, const char *path, bool *over) {
    struct stat ours = {0};
    const int again = iol__run_open(path, O_RDONLY);
    *over = again < 0 && errno == ENOENT;
    struct stat named = {0};
    const bool same = again >= 0 && own(fstat, fd, &ours) == 0 && own(fstat, again, &named) == 0 &&
                      ours.st_ino == named.st_ino && ours.st_dev == named.st_dev;
    if (again >= 0) own(close, again);
    return same;
}

bool iol__spool_append(bool *over) {
    static char path[sizeof iol__core_state.directory + 16];
    iol__text text = {path, sizeof path, 0};
    iol__text_add(&text, iol__core_state.directory);
    iol__text_add(&text, "/" IOL_RUN_SPOOL);
    const int fd = iol__run_open(path, O_RDWR);
    if (fd < 0) {
        *over = errno == ENOENT && iol__core_state.home < 0;
        return false;
    }
    bool done = false;
    if (lock(fd)) {
        if (still_there(fd, path, over)) done = append_frame(fd);
    }
    own(close, fd);
    return done;
}
