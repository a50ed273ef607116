/* Names of frames are added to the trailer's section of modules, and nothing else of the log changes: its other bytes are
   copied. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "log/trailer/where.h"
#include "record/custom.h"
#include "record/hash.h"
#include "record/trailer.h"

enum { MOST = 1 << 30 };

typedef struct bytes {
    uint8_t *at;
    size_t length, room;
    bool failed;
} bytes;

static void add(bytes *to, const void *from, size_t length) {
    if (to->failed) return;
    if (to->length + length > to->room) {
        const size_t room = 2 * to->room + length + 4096;
        uint8_t *grown = realloc(to->at, room);
        to->failed = !grown;
        if (!grown) return;
        to->at = grown;
        to->room = room;
    }
    if (length) memcpy(to->at + to->length, from, length);
    to->length += length;
}

static bool fail(char why[IOL_WHERE_WHY], const char *reason) {
    snprintf(why, IOL_WHERE_WHY, "%s", reason);
    return false;
}

/* The section of modules ------------------------------------------------------------------------------------------- */

static uint32_t word_at(const uint8_t *at) {
    uint32_t word;
    memcpy(&word, at, sizeof word);
    return word;
}

/* The block that describes our records. */
static const iol__custom_schema *find_schema(const bytes *raw, iol__custom_schema *schema) {
    size_t at = IOL_CUSTOM_HEAD;
    while (at + sizeof *schema <= raw->length) {
        const uint32_t kind = word_at(raw->at + at), length = word_at(raw->at + at + 4);
        if (length < IOL_CUSTOM_HEAD || length % 8 || length > raw->length - at) return NULL;
        if (kind == IOL_CUSTOM_SCHEMA && length > sizeof *schema) {
            memcpy(schema, raw->at + at, sizeof *schema);
            const size_t name = sizeof *schema + 2 * (size_t)schema->counters;
            if (schema->counters <= IOL_CUSTOM_COUNTERS && name + sizeof IOL_WHERE_MODULE <= length &&
                memcmp(raw->at + at + name, IOL_WHERE_MODULE, sizeof IOL_WHERE_MODULE) == 0)
                return (const iol__custom_schema *)(const void *)(raw->at + at);
        }
        at += length;
    }
    return NULL;
}

static char *name_of(const iol__where_frame *frame) {
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (!out) return NULL;
    fprintf(out, "s %" PRIx64 "+%" PRIx64 " ", frame->key, frame->offset);
    for (size_t i = 0; i < frame->n_places; i++) {
        const iol__where_place *p = &frame->places[i];
        if (ftell(out) > IOL_CUSTOM_RECORD_NAME / 2) break;
        fprintf(out, "%s%.512s\t%.1024s\t%u", i ? "\t" : "", p->function ? p->function : "", p->file ? p->file : "",
                p->line);
    }
    return fclose(out) == 0 ? text : NULL;
}

static void add_name(bytes *raw, const iol__where_frame *frame, const iol__custom_schema *schema) {
    static const uint8_t zeros[8 * IOL_CUSTOM_COUNTERS];
    char *name = name_of(frame);
    if (!name) {
        raw->failed = true;
        return;
    }
    const size_t length = strlen(name), values = 8 * (size_t)schema->counters;
    const uint32_t whole = iol__custom_round(sizeof(iol__custom_record) + values + length + 1);
    const iol__custom_record record = {
        .head = {IOL_CUSTOM_RECORD, whole}, .module = schema->module, .id = iol__hash(name, length, 0)};
    add(raw, &record, sizeof record);
    add(raw, zeros, values);
    add(raw, name, length);
    add(raw, zeros, whole - sizeof record - values - length);
    free(name);
}

/* They are of rank 0, as everything that concerns all of them. */
static bool add_names(bytes *raw, const iol__where_all *all, char why[IOL_WHERE_WHY]) {
    iol__custom_schema schema;
    if (raw->length < IOL_CUSTOM_HEAD || word_at(raw->at) != IOL_CUSTOM_MARK)
        return fail(why, "it was written on a machine with another byte order");
    const iol__custom_schema *found = find_schema(raw, &schema);
    if (!found) return fail(why, "it has no records of lines of code");
    uint8_t *copy = malloc(schema.head.bytes);
    if (!copy) return fail(why, "out of memory");
    memcpy(copy, found, schema.head.bytes);
    iol__custom_schema none = schema;
    none.folded = none.spans_lost = 0; /* what is counted once is not to be counted twice */
    memcpy(copy, &none, sizeof none);
    const iol__custom_rank rank = {{IOL_CUSTOM_RANK, sizeof rank}, 0};
    add(raw, &rank, sizeof rank);
    add(raw, copy, schema.head.bytes);
    free(copy);
    for (size_t i = 0; i < all->n_frames; i++)
        if (all->frames[i].n_places && !all->frames[i].in_log && !all->frames[i].python)
            add_name(raw, &all->frames[i], &schema);
    return raw->failed ? fail(why, "out of memory") : true;
}

/* The trailer ------------------------------------------------------------------------------------------------------ */

static bool unpack(const iol__trailer_section *section, bytes *raw, char why[IOL_WHERE_WHY]) {
    if (section->raw > MOST) return fail(why, "its records of modules are too large");
    if (section->method == IOL_TRAILER_STORED) {
        add(raw, section->bytes, section->stored);
        return raw->failed ? fail(why, "out of memory") : true;
    }
    uLongf length = (uLongf)section->raw;
    raw->at = malloc(section->raw + 1);
    raw->room = section->raw + 1;
    if (!raw->at) return fail(why, "out of memory");
    if (section->method != IOL_TRAILER_ZLIB ||
        uncompress(raw->at, &length, section->bytes, (uLong)section->stored) != Z_OK || length != section->raw)
        return fail(why, "its records of modules are damaged");
    raw->length = length;
    return true;
}

static void add_packed(bytes *to, const bytes *raw) {
    uint8_t head[IOL_TRAILER_HEAD];
    uLongf length = compressBound((uLong)raw->length);
    uint8_t *packed = malloc(length);
    if (!packed || compress2(packed, &length, raw->at, (uLong)raw->length, Z_BEST_COMPRESSION) != Z_OK) {
        to->failed = true;
    } else {
        iol__trailer_head(head, IOL_TAG_CUSTOM, IOL_TRAILER_ZLIB, length, raw->length);
        add(to, head, sizeof head);
        add(to, packed, length);
    }
    free(packed);
}

static bool make_sections(const uint8_t *old, size_t length, const iol__where_all *all, bytes *new,
                          char why[IOL_WHERE_WHY]) {
    size_t at = 0;
    iol__trailer_section section;
    bool damaged, done = false;
    while (iol__trailer_next(old, length, &at, &section, &damaged)) {
        if (done || strcmp(section.tag, IOL_TAG_CUSTOM) != 0) {
            uint8_t head[IOL_TRAILER_HEAD];
            iol__trailer_head(head, section.tag, section.method, section.stored, section.raw);
            add(new, head, sizeof head);
            add(new, section.bytes, section.stored);
            continue;
        }
        bytes raw = {0};
        done = unpack(&section, &raw, why) && add_names(&raw, all, why);
        if (done) add_packed(new, &raw);
        free(raw.at);
        if (!done) return false;
    }
    if (damaged) return fail(why, "its trailer is damaged");
    if (new->failed) return fail(why, "out of memory");
    return done ? true : fail(why, "it has no records of modules");
}

/* Files ------------------------------------------------------------------------------------------------------------ */

static bool copy_beginning(int from, int to, uint64_t bytes_left) {
    uint8_t buffer[65536];
    while (bytes_left > 0) {
        const ssize_t got = read(from, buffer, bytes_left < sizeof buffer ? (size_t)bytes_left : sizeof buffer);
        if (got <= 0 || write(to, buffer, (size_t)got) != got) return false;
        bytes_left -= (uint64_t)got;
    }
    return true;
}

static bool put(int to, const bytes *sections, uint64_t offset) {
    uint8_t footer[IOL_TRAILER_FOOTER];
    iol__trailer_footer_write(footer, &(iol__trailer_footer){.version = IOL_TRAILER_VERSION,
                                                             .crc = iol__crc32(0, sections->at, sections->length),
                                                             .offset = offset,
                                                             .length = sections->length});
    return write(to, sections->at, sections->length) == (ssize_t)sections->length &&
           write(to, footer, sizeof footer) == sizeof footer;
}

/* A new file in the place of the old one, with its rights. */
static bool replace(const char *path, int from, const bytes *sections, uint64_t offset, char why[IOL_WHERE_WHY]) {
    struct stat st;
    char *name = NULL;
    if (fstat(from, &st) != 0 || lseek(from, 0, SEEK_SET) != 0 || asprintf(&name, "%s.XXXXXX", path) < 0)
        return fail(why, strerror(errno));
    const int to = mkstemp(name);
    const bool good = to >= 0 && copy_beginning(from, to, offset) && put(to, sections, offset) &&
                      fchmod(to, st.st_mode & 07777) == 0 && rename(name, path) == 0;
    if (!good) fail(why, strerror(errno));
    if (to >= 0) {
        if (fchown(to, st.st_uid, st.st_gid) != 0) errno = 0; /* as far as that is allowed */
        close(to);
        if (!good) unlink(name);
    }
    free(name);
    return good;
}

static uint8_t *read_sections(int fd, iol__trailer_footer *footer, char why[IOL_WHERE_WHY]) {
    uint8_t last[IOL_TRAILER_FOOTER];
    struct stat st;
    if (fstat(fd, &st) != 0 || st.st_size < IOL_TRAILER_FOOTER ||
        pread(fd, last, sizeof last, st.st_size - IOL_TRAILER_FOOTER) != sizeof last ||
        !iol__trailer_footer_parse(last, footer)) {
        fail(why, "it has no trailer");
        return NULL;
    }
    if (footer->length > MOST || footer->offset > (uint64_t)st.st_size ||
        footer->length > (uint64_t)st.st_size - footer->offset) {
        fail(why, "its trailer is damaged");
        return NULL;
    }
    uint8_t *sections = malloc(footer->length + 1);
    if (!sections || pread(fd, sections, footer->length, (off_t)footer->offset) != (ssize_t)footer->length ||
        iol__crc32(0, sections, footer->length) != footer->crc) {
        fail(why, sections ? "its trailer is damaged" : "out of memory");
        free(sections);
        return NULL;
    }
    return sections;
}

bool iol__where_write(const char *path, const iol__where_all *all, char why[IOL_WHERE_WHY]) {
    iol__trailer_footer footer;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return fail(why, strerror(errno));
    uint8_t *old = read_sections(fd, &footer, why);
    bytes new = {0};
    const bool good =
        old && make_sections(old, footer.length, all, &new, why) && replace(path, fd, &new, footer.offset, why);
    free(old);
    free(new.at);
    close(fd);
    return good;
}
