/* Reading the trailer of a log: find it, check it, decompress its sections on first use. */
#include "record/trailer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "log/read/log_internal.h"

typedef struct trailer_section {
    char tag[5];
    uint8_t *bytes;
    size_t length;
} trailer_section;

struct iol__trailer {
    trailer_section *sections;
    size_t count;
};

/* Inflate exactly `raw` bytes, with the dictionary where that is the method. */
static bool inflate_section(const iol__trailer_section *from, uint8_t *to) {
    z_stream z = {.next_in = (Bytef *)(uintptr_t)from->bytes,
                  .avail_in = (uInt)from->stored,
                  .next_out = to,
                  .avail_out = (uInt)from->raw};
    const bool words = from->method == IOL_TRAILER_WORDS;
    if (from->stored > UINT32_MAX || inflateInit2(&z, words ? -MAX_WBITS : MAX_WBITS) != Z_OK) return false;
    int result = Z_OK;
    if (words) result = inflateSetDictionary(&z, (const Bytef *)iol__trailer_words, (uInt)iol__trailer_words_length());
    if (result == Z_OK) result = inflate(&z, Z_FINISH);
    uLong got = z.total_out;
    inflateEnd(&z);
    return result == Z_STREAM_END && got == from->raw;
}

static iol_status add_trailer_section(iol_log *log, struct iol__trailer *trailer, const iol__trailer_section *from,
                                      uint64_t offset) {
    char tag[5] = {0};
    for (int i = 0; i < 4; i++) tag[i] = from->tag[i] < ' ' || from->tag[i] > '~' ? '?' : from->tag[i];
    if (from->method > IOL_TRAILER_WORDS)
        return iol__fail(log, IOL_UNSUPPORTED, -1, offset, "trailer section '%s' uses method %u, which is not known",
                         tag, from->method);
    if (from->method == IOL_TRAILER_STORED && from->raw != from->stored)
        return iol__fail(log, IOL_DAMAGED, -1, offset, "trailer section '%s' is stored but has two lengths", tag);
    if (from->raw > UINT32_MAX || !iol__budget_take(log, from->raw + 2 * sizeof(trailer_section)))
        return iol__fail(log, IOL_LIMIT, -1, offset, "trailer section '%s' claims %llu bytes, more than is believable",
                         tag, (unsigned long long)from->raw);
    trailer_section *grown = realloc(trailer->sections, (trailer->count + 1) * sizeof *grown);
    if (!grown) return iol__fail(log, IOL_SYSTEM, -1, offset, "out of memory");
    trailer->sections = grown;
    trailer_section *s = &grown[trailer->count];
    *s = (trailer_section){.bytes = malloc(from->raw + 1), .length = (size_t)from->raw};
    memcpy(s->tag, tag, sizeof s->tag);
    if (!s->bytes) return iol__fail(log, IOL_SYSTEM, -1, offset, "out of memory");
    s->bytes[from->raw] = 0;
    if (from->method == IOL_TRAILER_STORED) {
        memcpy(s->bytes, from->bytes, s->length);
    } else if (!inflate_section(from, s->bytes)) {
        free(s->bytes);
        return iol__fail(log, IOL_DAMAGED, -1, offset, "trailer section '%s' does not inflate to its %llu bytes", tag,
                         (unsigned long long)from->raw);
    }
    trailer->count++;
    return IOL_OK;
}

/* The last section that was added is one of texts: they take its place. */
static void unfold_texts(iol_log *log, struct iol__trailer *trailer, uint64_t offset) {
    const trailer_section texts = trailer->sections[--trailer->count];
    iol__trailer_section text;
    bool damaged;
    for (size_t at = 0; iol__trailer_text(texts.bytes, texts.length, &at, &text, &damaged);)
        if (add_trailer_section(log, trailer, &text, offset) != IOL_OK) break;
    if (damaged) iol__fail(log, IOL_DAMAGED, -1, offset, "the texts of the trailer end inside of one");
    free(texts.bytes);
}

static void read_sections(iol_log *log, const iol__trailer_footer *footer, const uint8_t *bytes) {
    iol__trailer_section from;
    size_t at = 0;
    bool damaged;
    for (;;) {
        uint64_t offset = footer->offset + at;
        if (!iol__trailer_next(bytes, (size_t)footer->length, &at, &from, &damaged)) {
            if (damaged) iol__fail(log, IOL_DAMAGED, -1, offset, "the trailer ends inside a section");
            return;
        }
        if (add_trailer_section(log, log->trailer, &from, offset) == IOL_OK && strcmp(from.tag, IOL_TAG_TEXTS) == 0)
            unfold_texts(log, log->trailer, offset);
    }
}

static bool trailer_within(uint64_t at, uint64_t offset, uint64_t length) {
    return at >= offset && at - offset < length;
}

/* Records that are not compressed may end with anything, also with what looks like a trailer. */
static bool inside_region(const iol_log *log, uint64_t at) {
    if (trailer_within(at, log->name_offset, log->info.name_bytes)) return true;
    for (int slot = 0; slot < IOL_SLOTS; slot++)
        if (trailer_within(at, log->modules[slot].offset, log->modules[slot].length)) return true;
    return false;
}

static uint64_t end_of_regions(const iol_log *log) {
    uint64_t end = log->name_offset + log->info.name_bytes;
    for (int slot = 0; slot < IOL_SLOTS; slot++) {
        const uint64_t length = log->modules[slot].length, behind = log->modules[slot].offset + length;
        if (length && behind > end) end = behind;
    }
    return end;
}

/* Where a trailer would begin there is the head of a section: it has lost its end, or something was put behind it. What it
   says, perhaps of records that are missing, cannot be read. */
static void look_for_beginning(iol_log *log) {
    uint8_t head[IOL_TRAILER_HEAD];
    const uint64_t at = end_of_regions(log);
    if (log->info.mapped || iol__source_read(log->source, at, head, sizeof head) != sizeof head) return;
    for (int i = 0; i < 4; i++)
        if (head[i] < 'A' || head[i] > 'Z') return;
    if (head[4] > IOL_TRAILER_WORDS || head[5] || head[6] || head[7]) return;
    iol__fail(log, IOL_DAMAGED, -1, at, "the trailer has no end: it was cut short, or something was put behind it");
}

static void trailer_load(iol_log *log) {
    if (log->trailer_read) return;
    log->trailer_read = true;
    uint64_t size = log->info.file_bytes;
    uint8_t end[IOL_TRAILER_FOOTER];
    iol__trailer_footer footer;
    if (size < IOL_HEADER_OLD + sizeof end) return;
    uint64_t footer_at = size - sizeof end;
    if (iol__source_read(log->source, footer_at, end, sizeof end) != sizeof end) return;
    if (!iol__trailer_footer_parse(end, &footer) || inside_region(log, footer_at)) {
        look_for_beginning(log);
        return;
    }
    if (footer.version != IOL_TRAILER_VERSION) {
        iol__fail(log, IOL_UNSUPPORTED, -1, footer_at, "trailer version %u; this Iolite reads version %d",
                  footer.version, IOL_TRAILER_VERSION);
        return;
    }
    if (footer.offset > footer_at || footer.length != footer_at - footer.offset ||
        !iol__budget_take(log, footer.length)) {
        iol__fail(log, IOL_DAMAGED, -1, footer_at,
                  "the trailer should begin at %llu with %llu bytes, which is impossible",
                  (unsigned long long)footer.offset, (unsigned long long)footer.length);
        return;
    }
    uint8_t *bytes = malloc((size_t)footer.length + 1);
    log->trailer = calloc(1, sizeof *log->trailer);
    if (!bytes || !log->trailer) {
        iol__fail(log, IOL_SYSTEM, -1, footer.offset, "out of memory");
    } else if (iol__source_read(log->source, footer.offset, bytes, (size_t)footer.length) != (int64_t)footer.length) {
        iol__fail(log, IOL_SYSTEM, -1, footer.offset, "cannot read the trailer: %s", strerror(errno));
    } else {
        if (iol__crc32(0, bytes, (size_t)footer.length) != footer.crc)
            iol__fail(log, IOL_DAMAGED, -1, footer.offset, "the trailer does not match its checksum");
        read_sections(log, &footer, bytes);
    }
    free(bytes);
}

size_t iol_log_trailer_count(iol_log *log) {
    if (!log) return 0;
    trailer_load(log);
    return log->trailer ? log->trailer->count : 0;
}

iol_status iol_log_trailer(iol_log *log, size_t index, char tag[5], const void **bytes, size_t *length) {
    if (!tag || !bytes || !length || index >= iol_log_trailer_count(log)) return IOL_INVALID;
    const trailer_section *s = &log->trailer->sections[index];
    memcpy(tag, s->tag, sizeof s->tag);
    *bytes = s->bytes;
    *length = s->length;
    return IOL_OK;
}

void iol__section_each(iol_log *log, const char *wanted, bool (*use)(iol_log *, char *, size_t, void *),
                       void *context) {
    size_t count = iol_log_trailer_count(log), length;
    bool go_on = true;
    for (size_t i = 0; go_on && i < count; i++) {
        char tag[5];
        const void *bytes;
        if (iol_log_trailer(log, i, tag, &bytes, &length) != IOL_OK || strcmp(tag, wanted) != 0) continue;
        char *copy = malloc(length + 1);
        if (!copy) {
            iol__fail(log, IOL_SYSTEM, -1, IOL_NO_OFFSET, "out of memory");
            return;
        }
        memcpy(copy, bytes, length);
        copy[length] = 0;
        go_on = use(log, copy, length, context);
        free(copy);
    }
}

void iol__trailer_free(iol_log *log) {
    if (!log->trailer) return;
    for (size_t i = 0; i < log->trailer->count; i++) free(log->trailer->sections[i].bytes);
    free(log->trailer->sections);
    free(log->trailer);
}
