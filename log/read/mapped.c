/* Chunks of traced operations are found once, when the file is opened, and listed by file and direction in the order of
   the area. From the list the bytes of a trace module are made while they are read: the head of a record, then its
   writes, then its reads. So no other part of the reader knows of chunks. */
#include "log/read/mapped.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/idmap.h"
#include "log/read/log_internal.h"

enum {
    HEAD_BYTES = 104,
    SEGMENT_BYTES = 40,
    HOST_AT = 24,
    HOST_BYTES = 64,
    WRITES_AT = 88,
    WINDOW_BYTES = 4096,
    TRACE_SLOTS = 2,
    /* What a table entry takes with the slack of a growing array. */
    CHUNK_COST = 24,
    FILE_COST = 48 + IOL_IDMAP_COST,
};

#define NO_CHUNK UINT32_MAX

typedef struct mapped_chunk {
    uint64_t at; /* of its segments in the file */
    uint32_t used, next;
} mapped_chunk;

typedef struct traced_file {
    uint32_t first[2], last[2]; /* reads, writes */
    uint64_t count[2];
} traced_file;

typedef struct trace_table {
    iol__idmap ids;
    traced_file *files;
    size_t room;
} trace_table;

struct iol__trace_chunks {
    mapped_chunk *chunks;
    size_t count, room;
    trace_table tables[TRACE_SLOTS];
    int64_t rank;
    char host[HOST_BYTES];
};

static int mapped_table_of(uint32_t slot) {
    return slot == IOL_SLOT_DXT_POSIX ? 0 : slot == IOL_SLOT_DXT_MPIIO ? 1 : -1;
}

/* Listing --------------------------------------------------------------------------------------------------------- */

/* False without memory, or past what a file of this size justifies; the error is noted. */
static bool make_mapped_room(iol_log *log, void **list, size_t *room, size_t count, size_t bytes, uint64_t cost) {
    if (!iol__budget_take(log, cost)) {
        iol__fail(log, IOL_LIMIT, -1, log->facts->trace_at, "more traced files than a file of this size can justify");
        return false;
    }
    if (count < *room) return true;
    size_t grown_room = *room ? *room + *room / 2 : 64;
    void *grown = realloc(*list, grown_room * bytes);
    if (!grown) {
        iol__fail(log, IOL_SYSTEM, -1, IOL_NO_OFFSET, "out of memory");
        return false;
    }
    *list = grown;
    *room = grown_room;
    return true;
}

static traced_file *mapped_file_of(iol_log *log, trace_table *table, uint64_t id) {
    size_t number = iol__idmap_find(&table->ids, id);
    if (number != IOL_IDMAP_NONE) return &table->files[number];
    void *files = table->files;
    bool good = make_mapped_room(log, &files, &table->room, table->ids.count, sizeof *table->files, FILE_COST);
    table->files = files;
    if (!good) return NULL;
    number = iol__idmap_add(&table->ids, id);
    if (number == IOL_IDMAP_NONE) {
        iol__fail(log, IOL_SYSTEM, -1, IOL_NO_OFFSET, "out of memory");
        return NULL;
    }
    table->files[number] = (traced_file){.first = {NO_CHUNK, NO_CHUNK}, .last = {NO_CHUNK, NO_CHUNK}};
    return &table->files[number];
}

static bool list_chunk(iol_log *log, const iol__trace_chunk *head, uint64_t segments_at) {
    struct iol__trace_chunks *all = log->trace_chunks;
    int number = mapped_table_of(head->slot), write = head->write != 0;
    if (number < 0) {
        iol__fail(log, IOL_DAMAGED, -1, segments_at, "traced operations of slot %u, which has none", head->slot);
        return true;
    }
    if (head->used == 0) return true;
    void *chunks = all->chunks;
    bool good = make_mapped_room(log, &chunks, &all->room, all->count, sizeof *all->chunks, CHUNK_COST);
    all->chunks = chunks;
    traced_file *file = good && all->count < NO_CHUNK ? mapped_file_of(log, &all->tables[number], head->id) : NULL;
    if (!file) return false;
    uint32_t mine = (uint32_t)all->count++;
    all->chunks[mine] = (mapped_chunk){segments_at, head->used, NO_CHUNK};
    *(file->last[write] == NO_CHUNK ? &file->first[write] : &all->chunks[file->last[write]].next) = mine;
    file->last[write] = mine;
    file->count[write] += head->used;
    log->modules[head->slot].length += sizeof *head + (uint64_t)head->room * SEGMENT_BYTES;
    return true;
}

/* Some bytes of the file, so that neighbouring heads cost one read. */
typedef struct mapped_window {
    uint64_t from;
    size_t have;
    uint8_t bytes[WINDOW_BYTES];
} mapped_window;

static const uint8_t *head_at(iol_log *log, mapped_window *w, uint64_t at) {
    if (at >= w->from && at - w->from + sizeof(iol__trace_chunk) <= w->have) return w->bytes + (at - w->from);
    int64_t got = iol__source_read(log->source, at, w->bytes, sizeof w->bytes);
    w->from = at;
    w->have = got > 0 ? (size_t)got : 0;
    return w->have >= sizeof(iol__trace_chunk) ? w->bytes : NULL;
}

static void list_chunks(iol_log *log, uint64_t from, uint64_t length) {
    mapped_window w = {0};
    for (uint64_t at = 0; length - at >= sizeof(iol__trace_chunk);) {
        const uint8_t *bytes = head_at(log, &w, from + at);
        iol__trace_chunk head = {0};
        size_t step = 0;
        if (!bytes) return;
        if (!iol__trace_next(bytes, (size_t)(length - at), &step, &head)) {
            /* Room that nobody took is zero. */
            if (head.room != 0)
                iol__fail(log, IOL_DAMAGED, -1, from + at,
                          "%u traced operations should be here, more than there is room", head.room);
            return;
        }
        if (!list_chunk(log, &head, from + at + sizeof head)) return;
        at += step;
    }
}

/* What is said of the module --------------------------------------------------------------------------------------- */

/* Chunks do not say whose they are; all records of a mapped file are of one rank. */
static int64_t rank_of_records(iol_log *log) {
    for (int slot = 1; slot < IOL_SLOTS_KNOWN; slot++) {
        uint8_t base[16];
        iol__form form = iol__modules[slot].form;
        if (log->modules[slot].length == 0 || form == IOL_FORM_APXC || form == IOL_FORM_APMPI) continue;
        if (iol__source_read(log->source, log->modules[slot].offset, base, sizeof base) != sizeof base) continue;
        int64_t rank = iol__i64(base + 8, false);
        if (rank >= 0) return rank;
    }
    return 0;
}

/* The file says it; one that does not is on storage of the node that wrote it, and so are we. */
static void find_mapped_host(iol_log *log, char host[HOST_BYTES]) {
    const char *key, *value;
    for (size_t i = 0; iol_log_metadata(log, i, &key, &value) == IOL_OK; i++)
        if (strcmp(key, "hostname") == 0) {
            memcpy(host, value, strnlen(value, HOST_BYTES));
            return;
        }
    char name[256] = "";
    if (gethostname(name, sizeof name - 1) == 0) memcpy(host, name, strnlen(name, HOST_BYTES));
}

static void read_trace(iol_log *log) {
    const iol__mapped *facts = log->facts;
    uint64_t size = log->info.file_bytes, from = facts->trace_at, length = facts->trace_bytes;
    if (length == 0) return;
    if (from < IOL_MAPPED_HEAD || from > size || length > size - from) {
        iol__fail(log, IOL_DAMAGED, -1, from,
                  "%llu bytes of traced operations should be here, but the file ends at %llu",
                  (unsigned long long)length, (unsigned long long)size);
        if (from < IOL_MAPPED_HEAD || from > size) return;
        length = size - from;
    }
    log->trace_chunks = calloc(1, sizeof *log->trace_chunks);
    if (!log->trace_chunks) {
        iol__fail(log, IOL_SYSTEM, -1, IOL_NO_OFFSET, "out of memory");
        return;
    }
    log->trace_chunks->rank = rank_of_records(log);
    find_mapped_host(log, log->trace_chunks->host);
    for (int slot = IOL_SLOT_DXT_POSIX; slot <= IOL_SLOT_DXT_MPIIO; slot++) log->modules[slot].length = 0;
    list_chunks(log, from, length);
    for (int slot = IOL_SLOT_DXT_POSIX; slot <= IOL_SLOT_DXT_MPIIO; slot++) {
        if (log->modules[slot].length == 0) continue;
        log->modules[slot].offset = from;
        log->modules[slot].version = iol__modules[slot].current;
    }
}

static void mark_partial(iol_log *log, int slot) {
    log->modules[slot].partial = true;
    log->info.partial_flags |= UINT64_C(1) << slot;
}

/* A process that has ended says when, also where its job record does not. */
static void set_mapped_end(iol_log *log) {
    const iol__mapped *facts = log->facts;
    iol_job *job = &log->job;
    if (facts->ended == IOL_ENDED_NOT || job->end_seconds != 0 || !(facts->end > 0 && facts->end < 1e9)) return;
    double seconds = floor(facts->end);
    int64_t nanoseconds = (int64_t)((facts->end - seconds) * 1e9) + facts->zero_ns % 1000000000;
    job->end_seconds = (int64_t)((uint64_t)facts->zero_s + (uint64_t)seconds + (nanoseconds >= 1000000000));
    job->end_nanoseconds = nanoseconds % 1000000000;
    job->run_time = facts->end;
    log->info.mapped = false;
}

void iol__mapped_read(iol_log *log) {
    iol__mapped facts;
    if (log->info.compression != IOL_UNCOMPRESSED || log->swap || log->info.minor < 41) return;
    if (iol__source_size(log->source) < IOL_MAPPED_HEAD) return;
    if (iol__source_read(log->source, IOL_MAPPED_AT, &facts, sizeof facts) != sizeof facts) return;
    if (!iol__mapped_has_facts(&facts)) return;
    log->facts = malloc(sizeof *log->facts);
    if (!log->facts) {
        iol__fail(log, IOL_SYSTEM, -1, IOL_NO_OFFSET, "out of memory");
        return;
    }
    *log->facts = facts;
    for (int i = 0; i < 3; i++) log->facts->target[i][IOL_MAPPED_TARGET - 1] = 0;
    if (!log->info.job_damaged) set_mapped_end(log);
    read_trace(log);
    for (int slot = 1; slot < IOL_SLOTS_KNOWN; slot++)
        if (log->facts->folded[slot]) mark_partial(log, slot);
    if (log->facts->trace_lost) mark_partial(log, IOL_SLOT_DXT_POSIX);
    if (log->facts->trace_lost && log->modules[IOL_SLOT_DXT_MPIIO].length) mark_partial(log, IOL_SLOT_DXT_MPIIO);
}

void iol__mapped_free(iol_log *log) {
    free(log->facts);
    if (!log->trace_chunks) return;
    for (int i = 0; i < TRACE_SLOTS; i++) {
        iol__idmap_free(&log->trace_chunks->tables[i].ids);
        free(log->trace_chunks->tables[i].files);
    }
    free(log->trace_chunks->chunks);
    free(log->trace_chunks);
}

/* Reading --------------------------------------------------------------------------------------------------------- */

bool iol__mapped_has_trace(const iol_log *log, int slot) {
    int number = slot < 0 ? -1 : mapped_table_of((uint32_t)slot);
    return log->trace_chunks && number >= 0 && log->trace_chunks->tables[number].ids.count > 0;
}

static void put_mapped_head(const struct iol__trace_chunks *all, uint64_t id, const traced_file *file, uint8_t *to) {
    const uint64_t counts[2] = {file->count[1], file->count[0]};
    memset(to, 0, HEAD_BYTES);
    memcpy(to, &id, sizeof id);
    memcpy(to + 8, &all->rank, sizeof all->rank);
    memcpy(to + HOST_AT, all->host, HOST_BYTES);
    memcpy(to + WRITES_AT, counts, sizeof counts);
}

/* To the chunks of reads, or to the next file. */
static void mapped_go_on(iol__trace_cursor *c, const traced_file *file) {
    if (c->reads) {
        *c = (iol__trace_cursor){.file = c->file + 1};
    } else {
        c->reads = true;
        c->chunk = file->first[0];
    }
}

int64_t iol__mapped_trace(iol_log *log, int slot, iol__trace_cursor *c, uint8_t *to, size_t room) {
    const struct iol__trace_chunks *all = log->trace_chunks;
    const trace_table *table = &all->tables[mapped_table_of((uint32_t)slot)];
    size_t done = 0;
    while (c->file < table->ids.count) {
        const traced_file *file = &table->files[c->file];
        if (!c->inside) {
            if (room - done < HEAD_BYTES) break;
            put_mapped_head(all, table->ids.keys[c->file], file, to + done);
            done += HEAD_BYTES;
            c->inside = true;
            c->chunk = file->first[1];
        }
        if (c->chunk == NO_CHUNK) {
            mapped_go_on(c, file);
            continue;
        }
        const mapped_chunk *from = &all->chunks[c->chunk];
        size_t left = from->used - c->done, fits = (room - done) / SEGMENT_BYTES, count = left < fits ? left : fits;
        if (count == 0) break;
        uint64_t at = from->at + (uint64_t)c->done * SEGMENT_BYTES;
        int64_t got = iol__source_read(log->source, at, to + done, count * SEGMENT_BYTES);
        if (got != (int64_t)(count * SEGMENT_BYTES)) {
            iol_status status = got < 0 ? IOL_SYSTEM : IOL_DAMAGED;
            iol__fail(log, status, slot, at, "%s",
                      got < 0 ? strerror(errno) : "the file became shorter while it was read");
            return -(int64_t)status;
        }
        done += count * SEGMENT_BYTES;
        c->done += (uint32_t)count;
        if (c->done < from->used) continue;
        c->chunk = from->next;
        c->done = 0;
    }
    return (int64_t)done;
}
