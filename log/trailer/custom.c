/* Blocks are read one by one and never believed: a module counts from its schema on, a record goes to the line of its
   name and rank, a span is kept. Modules share memory with the program and may write where they should not: behind a
   block that cannot be, the next one that certainly is one is looked for, and what lies between is counted. */
#include "log/trailer/custom.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "base/grow.h"
#include "iolite/module.h"
#include "log/read/log_internal.h"
#include "record/mapped.h"
#include "record/hash.h"

enum {
    TABLES_MOST = 1024, /* of a merged log; a process has a few */
    TIMES_MOST = 65536, /* spans of a module */
    LINE_COST = sizeof(iol__custom_line) * 3 / 2 + IOL_IDMAP_COST + 64,
    TIME_COST = sizeof(iol__custom_time) * 3 / 2,
    SEARCH_MOST = 256 << 10, /* bytes of a list in which a next block is looked for */
    RANKS_MOST = 1 << 30,
};

typedef struct custom_reading {
    iol_log *log;
    iol__custom *custom;
    const iol__custom_fit *fit;
    bool swap, memory;
    int64_t rank;
    iol__custom_table *modules[TABLES_MOST]; /* by their number in the list */
} custom_reading;

/* Schemas --------------------------------------------------------------------------------------------------------- */

static void free_table(iol__custom_table *t) {
    if (!t) return;
    for (size_t i = 0; i < t->n_lines; i++) {
        free(t->lines[i].name);
        free(t->lines[i].values);
    }
    iol__idmap_free(&t->keys);
    free(t->lines);
    free(t->times);
    free(t->schema);
    free(t);
}

/* The texts behind the kinds and rules. False if they do not end inside the block. */
static bool cut_texts(iol__custom_table *t) {
    const char *at = (const char *)t->rules + t->counters, *end = (const char *)t->schema + t->schema_bytes;
    const size_t count = 2 + 3 * t->counters;
    for (size_t i = 0; i < count; i++) {
        const char *stop = memchr(at, 0, (size_t)(end - at));
        if (!stop) return false;
        *(i == 0 ? &t->name : i == 1 ? &t->meaning : &t->texts[i - 2]) = at;
        at = stop + 1;
    }
    return true;
}

static bool schema_good(const iol__custom_table *t) {
    if (!iol__custom_name_good(t->name)) return false;
    for (size_t i = 0; i < t->counters; i++)
        if (t->kinds[i] > IOLITE_INSTANT || t->rules[i] > IOLITE_KEEP || !iol__custom_name_good(t->texts[3 * i]))
            return false;
    return true;
}

/* A table that stands on a copy of the block; NULL if that is none, or without memory. */
static iol__custom_table *new_table(custom_reading *r, const uint8_t *block, size_t bytes) {
    const uint32_t counters = iol__u32(block + offsetof(iol__custom_schema, counters), r->swap);
    if (counters == 0 || counters > IOL_CUSTOM_COUNTERS || bytes < sizeof(iol__custom_schema) + 2 * (size_t)counters)
        return NULL;
    iol__custom_table *t = calloc(1, sizeof *t);
    if (t) t->schema = malloc(bytes);
    if (!t || !t->schema) {
        r->memory = false;
        free(t);
        return NULL;
    }
    memcpy(t->schema, block, bytes);
    t->schema_bytes = bytes;
    t->counters = counters;
    t->version = iol__u32(block + offsetof(iol__custom_schema, version), r->swap);
    t->flags = iol__u32(block + offsetof(iol__custom_schema, flags), r->swap);
    t->folded = iol__u64(block + offsetof(iol__custom_schema, folded), r->swap);
    t->spans_lost = iol__u64(block + offsetof(iol__custom_schema, spans_lost), r->swap);
    t->kinds = t->schema + sizeof(iol__custom_schema);
    t->rules = t->kinds + counters;
    if (cut_texts(t) && schema_good(t)) return t;
    free_table(t);
    return NULL;
}

/* Modules are the same if all that is said of them is. */
static bool same_module(const iol__custom_table *a, const iol__custom_table *b) {
    const size_t from = sizeof(iol__custom_schema);
    return a->version == b->version && a->counters == b->counters && a->schema_bytes == b->schema_bytes &&
           memcmp(a->schema + from, b->schema + from, a->schema_bytes - from) == 0;
}

static bool read_schema(custom_reading *r, const uint8_t *block, size_t bytes) {
    if (bytes < sizeof(iol__custom_schema)) return false;
    const uint32_t number = iol__u32(block + offsetof(iol__custom_schema, module), r->swap);
    if (number >= IOL_COUNT(r->modules) || !iol__budget_take(r->log, bytes + sizeof(iol__custom_table))) return false;
    iol__custom_table *t = new_table(r, block, bytes);
    if (!t) return false;
    iol__custom *custom = r->custom;
    for (size_t i = 0; i < custom->count; i++) {
        iol__custom_table *known = custom->tables[i];
        if (!same_module(known, t)) continue;
        known->flags |= t->flags;
        known->folded += t->folded;
        known->spans_lost += t->spans_lost;
        free_table(t);
        r->modules[number] = known;
        return true;
    }
    bool good = custom->count < TABLES_MOST && IOL_GROW(custom->tables, custom->room, custom->count);
    if (!good) {
        free_table(t);
        return false;
    }
    r->modules[number] = custom->tables[custom->count++] = t;
    return true;
}

/* Records --------------------------------------------------------------------------------------------------------- */

static iol__custom_table *module_at(const custom_reading *r, const uint8_t *block) {
    const uint32_t number = iol__u32(block + offsetof(iol__custom_record, module), r->swap);
    return number < IOL_COUNT(r->modules) ? r->modules[number] : NULL;
}

/* The rank in the larger log. */
static int64_t fitted_rank(const custom_reading *r) {
    if (r->fit->single) return r->fit->first_rank;
    return r->rank < 0 ? r->rank : (int64_t)((uint64_t)r->rank + (uint64_t)r->fit->first_rank);
}

/* That of a record, which may be of all ranks; a span never is. */
static int64_t record_rank(const custom_reading *r) { return r->fit->together ? -1 : fitted_rank(r); }

static void note_last(const custom_reading *r, double instant) {
    if (r->fit->last && instant > *r->fit->last && isfinite(instant)) *r->fit->last = instant;
}

/* The values in the order of this machine, with the times of the larger log. */
static void fit_values(const custom_reading *r, const iol__custom_table *t, const uint8_t *from, uint8_t *to) {
    for (size_t i = 0; i < t->counters; i++, from += 8, to += 8) {
        uint64_t bits = iol__u64(from, r->swap);
        if (t->kinds[i] == IOLITE_INSTANT) {
            double instant;
            memcpy(&instant, &bits, sizeof instant);
            if (instant != 0) instant += r->fit->shift;
            note_last(r, instant);
            memcpy(&bits, &instant, sizeof bits);
        }
        memcpy(to, &bits, sizeof bits);
    }
}

static uint64_t custom_key_of(uint64_t id, int64_t rank) {
    const uint64_t words[2] = {id, (uint64_t)rank};
    return iol__hash(words, sizeof words, 0);
}

static iol__custom_line *line_of(custom_reading *r, iol__custom_table *t, uint64_t id, int64_t rank, const char *name) {
    const size_t known = t->keys.count, length = strlen(name);
    const uint64_t key = custom_key_of(id, rank);
    size_t number = iol__idmap_find(&t->keys, key);
    if (number != IOL_IDMAP_NONE) return &t->lines[number];
    if (!iol__budget_take(r->log, LINE_COST + length + 8 * t->counters)) return NULL;
    r->memory = IOL_GROW(t->lines, t->line_room, known);
    if (!r->memory) return NULL;
    iol__custom_line line = {.id = id, .rank = rank, .name = strdup(name), .values = NULL};
    if (!line.name || iol__idmap_add(&t->keys, key) == IOL_IDMAP_NONE) {
        free(line.name);
        r->memory = false;
        return NULL;
    }
    t->lines[known] = line;
    t->n_lines = known + 1;
    return &t->lines[known];
}

static bool read_record(custom_reading *r, const uint8_t *block, size_t bytes) {
    iol__custom_table *t = bytes >= sizeof(iol__custom_record) ? module_at(r, block) : NULL;
    if (!t || bytes < sizeof(iol__custom_record) + 8 * t->counters + 1) return false;
    const uint32_t flags = iol__u32(block + offsetof(iol__custom_record, flags), r->swap);
    if (flags & IOL_CUSTOM_GONE) return true;
    const uint8_t *values = block + sizeof(iol__custom_record);
    const char *name = (const char *)values + 8 * t->counters;
    uint8_t fitted[8 * IOL_CUSTOM_COUNTERS];
    if (!memchr(name, 0, bytes - sizeof(iol__custom_record) - 8 * t->counters)) return false;
    const uint64_t id = flags & IOL_CUSTOM_NAMED ? iol__hash(name, strlen(name), 0)
                                                 : iol__u64(block + offsetof(iol__custom_record, id), r->swap);
    iol__custom_line *line = line_of(r, t, id, record_rank(r), name);
    if (!line) return false;
    fit_values(r, t, values, fitted);
    if (line->values) {
        iol__custom_combine(line->values, fitted, t->kinds, t->rules, t->counters);
        return true;
    }
    line->values = malloc(8 * t->counters);
    r->memory = line->values != NULL;
    if (line->values) memcpy(line->values, fitted, 8 * t->counters);
    return r->memory;
}

static double custom_real_at(const custom_reading *r, const uint8_t *bytes) { return iol__f64(bytes, r->swap); }

static bool read_span(custom_reading *r, const uint8_t *block, size_t bytes) {
    iol__custom_table *t = bytes >= sizeof(iol__custom_span) ? module_at(r, block) : NULL;
    if (!t) return false;
    iol__custom_time time = {.id = iol__u64(block + offsetof(iol__custom_span, id), r->swap),
                             .thread = iol__u64(block + offsetof(iol__custom_span, thread), r->swap),
                             .rank = fitted_rank(r),
                             .begin = custom_real_at(r, block + offsetof(iol__custom_span, begin)),
                             .end = custom_real_at(r, block + offsetof(iol__custom_span, end))};
    if (!(fabs(time.begin) < 1e12) || !(fabs(time.end) < 1e12)) return true; /* no clock says so */
    const struct iol__mapped *facts = r->log->facts;
    if (time.end < time.begin && facts && facts->ended != IOL_ENDED_NOT && facts->end >= time.begin)
        time.end = facts->end;
    if (time.end >= time.begin) time.end += r->fit->shift;
    time.begin += r->fit->shift;
    if (t->n_times == TIMES_MOST) {
        t->spans_lost++;
        return true;
    }
    note_last(r, time.begin);
    note_last(r, time.end);
    if (!iol__budget_take(r->log, TIME_COST)) return false;
    time.line = iol__idmap_find(&t->keys, custom_key_of(time.id, record_rank(r)));
    r->memory = IOL_GROW(t->times, t->time_room, t->n_times);
    if (r->memory) t->times[t->n_times++] = time;
    return r->memory;
}

static bool read_rank(custom_reading *r, const uint8_t *block, size_t bytes) {
    if (bytes < sizeof(iol__custom_rank)) return false;
    r->rank = iol__i64(block + offsetof(iol__custom_rank, rank), r->swap);
    return r->rank >= -1;
}

/* Lists of blocks ------------------------------------------------------------------------------------------------- */

static bool read_damage(custom_reading *r, const uint8_t *block, size_t bytes) {
    if (bytes < sizeof(iol__custom_damage)) return false;
    r->custom->damaged += iol__u64(block + offsetof(iol__custom_damage, bytes), r->swap);
    return true;
}

static bool read_block(custom_reading *r, uint32_t kind, const uint8_t *block, size_t bytes) {
    switch (kind) {
    case IOL_CUSTOM_SCHEMA: return read_schema(r, block, bytes);
    case IOL_CUSTOM_RANK: return read_rank(r, block, bytes);
    case IOL_CUSTOM_RECORD: return read_record(r, block, bytes);
    case IOL_CUSTOM_SPAN: return read_span(r, block, bytes);
    case IOL_CUSTOM_DAMAGE: return read_damage(r, block, bytes);
    default: return true; /* of a later version */
    }
}

/* A record is known by its name, whose hash it has. */
static bool certain_record(const custom_reading *r, const uint8_t *block, size_t bytes) {
    const iol__custom_table *t = bytes >= sizeof(iol__custom_record) ? module_at(r, block) : NULL;
    const size_t before = t ? sizeof(iol__custom_record) + 8 * t->counters : 0;
    if (!t || bytes <= before || bytes > iol__custom_round(before + IOL_CUSTOM_RECORD_NAME)) return false;
    const char *name = (const char *)block + before;
    const size_t length = strnlen(name, bytes - before);
    return iol__custom_round(before + length + 1) == bytes &&
           iol__hash(name, length, 0) == iol__u64(block + offsetof(iol__custom_record, id), r->swap);
}

static bool certain_span(const custom_reading *r, const uint8_t *block, size_t bytes) {
    const iol__custom_table *t = bytes == sizeof(iol__custom_span) ? module_at(r, block) : NULL;
    return t && iol__idmap_find(&t->keys, custom_key_of(iol__u64(block + offsetof(iol__custom_span, id), r->swap),
                                                        record_rank(r))) != IOL_IDMAP_NONE;
}

/* Whether these bytes, anywhere in a list, are a block: there is more to it than a length that fits. */
static bool certain(const custom_reading *r, uint32_t kind, const uint8_t *block, size_t bytes) {
    switch (kind) {
    case IOL_CUSTOM_SCHEMA: {
        if (bytes < sizeof(iol__custom_schema)) return false;
        const uint32_t number = iol__u32(block + offsetof(iol__custom_schema, module), r->swap);
        return number < IOL_COUNT(r->modules) && !r->modules[number];
    }
    case IOL_CUSTOM_RANK:
        return !r->log->facts && bytes == sizeof(iol__custom_rank) &&
               iol__i64(block + offsetof(iol__custom_rank, rank), r->swap) < RANKS_MOST;
    case IOL_CUSTOM_RECORD: return certain_record(r, block, bytes);
    case IOL_CUSTOM_SPAN: return certain_span(r, block, bytes);
    default: return false;
    }
}

/* The length of the block, which has been read; 0 if it is none. */
static size_t custom_read_at(custom_reading *r, const uint8_t *block, size_t left, bool searching) {
    if (left < sizeof(iol__custom_head)) return 0;
    const uint32_t kind = iol__u32(block, r->swap), bytes = iol__u32(block + 4, r->swap);
    if (bytes < sizeof(iol__custom_head) || bytes % 8 || bytes > left) return 0;
    if (searching && !certain(r, kind, block, bytes)) return 0;
    return read_block(r, kind, block, bytes) ? bytes : 0;
}

static void read_blocks(custom_reading *r, const uint8_t *list, size_t length) {
    size_t first = 0, lost = 0;
    bool searching = false;
    for (size_t at = 0, bytes; at < length && r->memory; at += bytes) {
        const size_t left = length - at;
        bytes = custom_read_at(r, list + at, left, searching);
        searching = bytes == 0;
        if (!searching) continue;
        if (!lost) first = at;
        bytes = lost < SEARCH_MOST && left > 8 ? 8 : left;
        lost += bytes;
    }
    if (!lost || !r->memory) return;
    r->custom->damaged += lost;
    iol__fail(r->log, IOL_DAMAGED, -1, IOL_NO_OFFSET,
              "%zu of %zu bytes of custom modules cannot be understood, from byte %zu on", lost, length, first);
}

static bool read_custom_section(iol_log *log, char *text, size_t length, void *context) {
    custom_reading *r = context;
    const uint8_t *bytes = (const uint8_t *)text;
    const uint32_t mark = length >= IOL_CUSTOM_HEAD ? iol__u32(bytes, false) : 0;
    r->swap = mark == __builtin_bswap32(IOL_CUSTOM_MARK);
    r->rank = 0;
    memset(r->modules, 0, sizeof r->modules);
    if (mark != IOL_CUSTOM_MARK && !r->swap)
        iol__fail(log, IOL_DAMAGED, -1, IOL_NO_OFFSET, "the section of custom modules does not begin as it should");
    else if (iol__u32(bytes + 4, r->swap) != IOL_CUSTOM_VERSION)
        iol__fail(log, IOL_UNSUPPORTED, -1, IOL_NO_OFFSET, "the section of custom modules is of version %u, not %d",
                  iol__u32(bytes + 4, r->swap), IOL_CUSTOM_VERSION);
    else
        read_blocks(r, bytes + IOL_CUSTOM_HEAD, length - IOL_CUSTOM_HEAD);
    return r->memory;
}

static void read_mapped(custom_reading *r) {
    iol_log *log = r->log;
    const uint64_t at = log->facts->custom_at, size = log->info.file_bytes;
    const uint64_t length = log->facts->custom_bytes;
    if (at < IOL_MAPPED_HEAD || at > size || length > size - at || !iol__budget_take(log, length)) {
        iol__fail(log, IOL_DAMAGED, -1, at, "%llu bytes of custom modules should be here, but the file ends at %llu",
                  (unsigned long long)length, (unsigned long long)size);
        return;
    }
    uint8_t *bytes = malloc((size_t)length);
    r->memory = bytes != NULL;
    if (bytes && iol__source_read(log->source, at, bytes, (size_t)length) == (int64_t)length)
        read_blocks(r, bytes, (size_t)length);
    free(bytes);
    iol__budget_return(log, length);
}

bool iol__custom_read(iol_log *log, const iol__custom_fit *fit, iol__custom *custom) {
    if (log->facts && log->facts->custom_bytes == 0) return true; /* as nearly always */
    custom_reading *r = malloc(sizeof *r);
    if (!r) return false;
    *r = (custom_reading){.log = log, .custom = custom, .fit = fit, .memory = true};
    if (log->facts)
        read_mapped(r);
    else
        iol__section_each(log, IOL_TAG_CUSTOM, read_custom_section, r);
    const bool memory = r->memory;
    free(r);
    return memory;
}

const iol__custom *iol__custom_of(iol_log *log) {
    static const iol__custom_fit as_it_is = {0};
    static const iol__custom none;
    if (log->custom) return log->custom;
    log->custom = calloc(1, sizeof *log->custom);
    if (!log->custom || !iol__custom_read(log, &as_it_is, log->custom))
        iol__fail(log, IOL_SYSTEM, -1, IOL_NO_OFFSET, "out of memory");
    return log->custom ? log->custom : &none;
}

void iol__custom_free(iol__custom *custom) {
    if (!custom) return;
    for (size_t i = 0; i < custom->count; i++) free_table(custom->tables[i]);
    free(custom->tables);
    *custom = (iol__custom){0};
}
