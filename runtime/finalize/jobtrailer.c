/* Sections are compressed where that helps; small texts together, with a dictionary. */
#include "runtime/finalize/jobtrailer.h"

#include <string.h>

#include "record/custom.h"
#include "record/trailer.h"
#include "runtime/pack/deflate.h"
#include "runtime/core/sys.h"
#include "runtime/output/sections.h"
#include "runtime/pack/pack.h"
#include "runtime/finalize/platform.h"
#include "runtime/lustre/lustre.h"
#include "runtime/finalize/memory.h"

enum { JSON_ROOM = 256 << 10, SMALL = 96, TEXTS = 4 };

typedef struct making {
    uint8_t *bytes;
    size_t used, room;
} making;

static void add_section(making *m, const char *tag, const void *bytes, size_t length) {
    uint8_t *to = m->bytes + m->used + IOL_TRAILER_HEAD;
    const size_t room = m->room - m->used - IOL_TRAILER_HEAD - IOL_TRAILER_FOOTER;
    if (length == 0 || length > room) return;
    size_t packed = length > SMALL && iol__deflate_compresses() ? iol__deflate(bytes, length, to, room) : 0;
    const bool stored = packed == 0 || packed >= length;
    if (stored) memcpy(to, bytes, packed = length);
    iol__trailer_head(m->bytes + m->used, tag, stored ? IOL_TRAILER_STORED : IOL_TRAILER_ZLIB, packed, length);
    m->used += IOL_TRAILER_HEAD + packed;
}

/* Texts, behind the dictionary; the one that is being written has its tag before it. */
typedef struct texts {
    uint8_t *bytes;
    size_t used;
    iol__text json;
} texts;

static void next_text(texts *t) { t->json = (iol__text){(char *)t->bytes + t->used + IOL_TRAILER_TAG, JSON_ROOM, 0}; }

static bool start_texts(texts *t) {
    const size_t known = iol__trailer_words_length();
    *t = (texts){iol__memory_reserve(known + TEXTS * (JSON_ROOM + IOL_TRAILER_TAG + 1)), known, {0}};
    if (!t->bytes) return false;
    memcpy(t->bytes, iol__trailer_words, known);
    next_text(t);
    return true;
}

static void end_text(texts *t, const char *tag) {
    if (t->json.length == 0) return;
    iol__text_add(&t->json, "}");
    memcpy(t->bytes + t->used, tag, IOL_TRAILER_TAG);
    t->used += IOL_TRAILER_TAG + t->json.length;
    t->bytes[t->used++] = 0;
    next_text(t);
}

static void add_texts(making *m, const texts *t) {
    const size_t known = iol__trailer_words_length(), length = t->used - known;
    uint8_t *to = m->bytes + m->used + IOL_TRAILER_HEAD;
    if (length == 0) return;
    size_t packed = iol__pack_texts(t->bytes, known, t->used, to);
    const bool stored = packed == 0 || packed >= length;
    if (stored) memcpy(to, t->bytes + known, packed = length);
    iol__trailer_head(m->bytes + m->used, IOL_TAG_TEXTS, stored ? IOL_TRAILER_STORED : IOL_TRAILER_WORDS, packed,
                      length);
    m->used += IOL_TRAILER_HEAD + packed;
}

static void say_left_out(iol__text *json, const iol__rt_totals *all, const iol__lists *lists) {
    iol__left_out left_out = {.trace_lost = all->trace_lost,
                              .lost = all->lost,
                              .ring_unseen = all->ring_unseen,
                              .calls_unseen = all->calls_unseen,
                              .spaces_unseen = all->spaces_unseen,
                              .stopped = all->stopped};
    memcpy(left_out.folded, all->folded, sizeof left_out.folded);
    iol__say_folded(json, &left_out);
    uint64_t dropped = 0;
    for (int i = 0; i < IOL_LISTS; i++) dropped += lists->of[i].dropped;
    iol__say_count(json, "trailer_lost", dropped);
}

static void add_custom(making *m, const iol__list *blocks) {
    const uint32_t words[2] = {IOL_CUSTOM_MARK, IOL_CUSTOM_VERSION};
    uint8_t *raw = blocks->used ? iol__memory_take(sizeof words + blocks->used) : NULL;
    if (!raw) return;
    memcpy(raw, words, sizeof words);
    memcpy(raw + sizeof words, blocks->bytes, blocks->used);
    add_section(m, IOL_TAG_CUSTOM, raw, sizeof words + blocks->used);
}

size_t iol__jobtrailer_make(const iol__rt_gathered *g, uint64_t at, const uint8_t **bytes) {
    const iol__rt_totals *all = &g->survey->all;
    texts t;
    making m = {.room = iol__pack_bound(TEXTS * (JSON_ROOM + 1024)) + IOL_TRAILER_FOOTER};
    for (int i = 0; i < IOL_LISTS; i++) m.room += iol__deflate_bound(g->lists.of[i].used) + 1024;
    m.bytes = iol__memory_reserve(m.room);
    if (!m.bytes || !start_texts(&t)) return 0;
    say_left_out(&t.json, all, &g->lists);
    end_text(&t, "FOLD");
    iol__say_operations(&t.json, all->operations);
    end_text(&t, "OPER");
    iol__lustre_say(&t.json, all->lustre);
    end_text(&t, IOL_TAG_LUSTRE_TOTALS);
    iol__platform_say(&t.json, &g->lists.of[IOL_LIST_HOSTS]);
    end_text(&t, IOL_TAG_PLATFORM);
    add_texts(&m, &t);
    add_section(&m, "SIZE", g->lists.of[IOL_LIST_SIZES].bytes, g->lists.of[IOL_LIST_SIZES].used);
    add_section(&m, "GONE", g->lists.of[IOL_LIST_REMOVED].bytes, g->lists.of[IOL_LIST_REMOVED].used);
    add_custom(&m, &g->lists.of[IOL_LIST_CUSTOM]);
    add_section(&m, "HINT", g->lists.of[IOL_LIST_HINTS].bytes, g->lists.of[IOL_LIST_HINTS].used);
    iol__trailer_footer_write(m.bytes + m.used, &(iol__trailer_footer){.version = IOL_TRAILER_VERSION,
                                                                       .crc = iol__crc32(0, m.bytes, m.used),
                                                                       .offset = at,
                                                                       .length = m.used});
    *bytes = m.bytes;
    return m.used + IOL_TRAILER_FOOTER;
}
