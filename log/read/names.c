/* The name region, read once into a table. Later entries of an id are dropped, except that a real name replaces an
   empty one. */
#include "log/read/names.h"

#include <stdlib.h>
#include <string.h>

#include "log/read/log_internal.h"
#include "log/old/old.h"
#include "log/read/stream.h"
#include "record/hash.h"
#include "record/mapped.h"

enum {
    CHUNK_BYTES = 1 << 16,
    ENTRY_FREE = 240,
};

typedef struct iol__chunk {
    struct iol__chunk *next;
    size_t used, size;
    char text[];
} iol__chunk;

/* The entry of an id, or NULL. Valid until the log is closed. */
static const iol__name *name_find(const iol__names *names, uint64_t id) {
    size_t number = iol__idmap_find(&names->ids, id);
    return number == IOL_IDMAP_NONE ? NULL : &names->entries[number];
}

static const char *keep_names_text(iol__names *names, const void *text, size_t length) {
    iol__chunk *chunk = names->chunks;
    if (!chunk || chunk->size - chunk->used < length + 1) {
        size_t size = length + 1 > CHUNK_BYTES ? length + 1 : CHUNK_BYTES;
        chunk = malloc(sizeof *chunk + size);
        if (!chunk) return NULL;
        *chunk = (iol__chunk){.next = names->chunks, .size = size};
        names->chunks = chunk;
    }
    char *kept = chunk->text + chunk->used;
    memcpy(kept, text, length);
    kept[length] = 0;
    chunk->used += length + 1;
    return kept;
}

/* Room for one more entry than there are ids. */
static bool names_grow(iol__names *names) {
    if (names->ids.count < names->capacity) return true;
    size_t capacity = names->capacity ? names->capacity + names->capacity / 2 : 64;
    iol__name *entries = realloc(names->entries, capacity * sizeof *entries);
    if (!entries) return false;
    names->entries = entries;
    names->capacity = capacity;
    return true;
}

/* Names whose id is their hash pay nothing for their first bytes: the id cannot be compressed, so the file justifies them
   by its own size. Others, long ones, and those of archives, which store no such ids, have to keep within the budget. */
static uint64_t names_cost(const iol_log *log, uint64_t id, const char *text, size_t length) {
    uint64_t bytes = length + 1 + IOL_NAME_COST;
    if (log->info.compression == IOL_ARCHIVE || iol__hash(text, length, 0) != id) return bytes;
    return bytes > ENTRY_FREE ? bytes - ENTRY_FREE : 0;
}

/* True if the table took the entry, or had no need to. */
static bool names_add(void *context, uint64_t id, const char *text, size_t length) {
    iol_log *log = context;
    iol__names *names = &log->names;
    size_t number = iol__idmap_find(&names->ids, id);
    bool known = number != IOL_IDMAP_NONE;
    if (known && (names->entries[number].length > 0 || length == 0 || log->info.minor < 10)) return true;
    if (!iol__budget_take(log, names_cost(log, id, text, length))) return false;
    const char *kept = keep_names_text(names, text, length);
    if (!kept || !names_grow(names)) return false;
    if (!known) number = iol__idmap_add(&names->ids, id);
    if (number == IOL_IDMAP_NONE) return false;
    names->entries[number] = (iol__name){kept, (uint32_t)length};
    return true;
}

/* Length of the name that begins at the window's start behind its id (and length word); -1 if the region ends first. */
static int64_t name_length(iol_log *log, iol__stream *stream, const uint8_t **bytes, size_t *have) {
    if (log->info.minor < 10) {
        uint32_t length = iol__u32(*bytes + 8, log->swap);
        if (length > IOL_NAME_MOST) return length;
        *have = iol__stream_peek(stream, 12 + (size_t)length, bytes);
        return *have >= 12 + (size_t)length ? (int64_t)length : -1;
    }
    size_t searched = 8;
    for (;;) {
        const uint8_t *nul = memchr(*bytes + searched, 0, *have - searched);
        if (nul) return nul - *bytes - 8;
        searched = *have;
        if (searched > IOL_NAME_MOST) return (int64_t)searched;
        *have = iol__stream_peek(stream, searched + 1, bytes);
        if (*have <= searched) return -1;
    }
}

static iol_status visit_entries(iol_log *log, iol__stream *stream, iol__name_visitor visit, void *context) {
    size_t head = log->info.minor < 10 ? 12 : 8;
    size_t tail = log->info.minor < 10 ? 0 : 1;
    for (;;) {
        const uint8_t *bytes;
        size_t have = iol__stream_peek(stream, head + tail, &bytes);
        if (have == 0) return iol__stream_status(stream);
        uint64_t offset = iol__stream_offset(stream);
        int64_t length = have < head + tail ? -1 : name_length(log, stream, &bytes, &have);
        if (length < 0) {
            if (iol__stream_status(stream) != IOL_OK) return iol__stream_status(stream);
            return iol__fail(log, IOL_DAMAGED, -1, offset, "the name region ends inside an entry");
        }
        if (length > IOL_NAME_MOST)
            return iol__fail(log, IOL_LIMIT, -1, offset,
                             "a record name of more than 2 MiB; the names from here on are not read");
        /* Embedded NULs of the 3.00 form end the name for everybody. */
        const char *text = (const char *)bytes + head;
        const uint64_t id = iol__u64(bytes, log->swap);
        const size_t used = strnlen(text, (size_t)length);
        if (!iol__name_of_nobody(id, text, used) && !visit(context, id, text, used)) return IOL_LIMIT;
        iol__stream_consume(stream, head + (size_t)length + tail);
    }
}

iol_status iol__names_each(iol_log *log, iol__name_visitor visit, void *context) {
    if (log->old) return iol__old_names_each(log, visit, context);
    if (log->info.name_bytes == 0) return IOL_OK;
    iol__stream *stream;
    iol_status status = iol__stream_open(log, -1, log->name_offset, log->info.name_bytes, &stream);
    if (status != IOL_OK) return status;
    status = visit_entries(log, stream, visit, context);
    iol__stream_close(stream);
    return status;
}

/* Names are read once, on first use; errors are noted in the log. */
static void names_load(iol_log *log) {
    if (log->names.loaded) return;
    log->names.loaded = true;
    size_t errors = log->n_errors;
    if (iol__names_each(log, names_add, log) == IOL_LIMIT && log->n_errors == errors)
        iol__fail(log, IOL_LIMIT, -1, log->name_offset, "more names than a log of this size can justify; %zu were read",
                  log->names.ids.count);
    iol__old_mounts(log);
    iol__old_converted_mounts(log);
}

static bool add_id(void *context, uint64_t id, const char *text, size_t length) {
    iol_log *log = context;
    iol__id_list *list = &log->ids;
    (void)text, (void)length;
    if (list->count == list->room) {
        size_t room = list->room ? list->room + list->room / 2 : 64;
        if (!iol__budget_take(log, (room - list->room) * sizeof *list->ids)) return false;
        uint64_t *grown = realloc(list->ids, room * sizeof *grown);
        if (!grown) return false;
        list->ids = grown;
        list->room = room;
    }
    list->ids[list->count++] = id;
    return true;
}

void iol__ids_load(iol_log *log) {
    if (log->ids.loaded) return;
    log->ids.loaded = true;
    if (iol__names_each(log, add_id, log) == IOL_LIMIT)
        iol__fail(log, IOL_LIMIT, -1, log->name_offset,
                  "more record ids than a log of this size can justify; %zu were read", log->ids.count);
}

void iol__names_free(iol__names *names) {
    free(names->entries);
    iol__idmap_free(&names->ids);
    while (names->chunks) {
        iol__chunk *next = names->chunks->next;
        free(names->chunks);
        names->chunks = next;
    }
}

const char *iol_log_name(iol_log *log, uint64_t id) {
    if (!log) return NULL;
    names_load(log);
    const iol__name *name = name_find(&log->names, id);
    return name ? name->text : NULL;
}

size_t iol_log_name_count(iol_log *log) {
    if (!log) return 0;
    names_load(log);
    return log->names.ids.count;
}

iol_status iol_log_name_at(iol_log *log, size_t index, uint64_t *id, const char **name) {
    if (!log || !id || !name) return IOL_INVALID;
    names_load(log);
    if (index >= log->names.ids.count) return IOL_INVALID;
    *id = log->names.ids.keys[index];
    *name = log->names.entries[index].text;
    return IOL_OK;
}
