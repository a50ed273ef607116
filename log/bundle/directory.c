/* Head, entries, pages and foot of a bundle. Numbers are little-endian, or varints. */
#include "log/bundle/directory.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#if IOL_HAVE_LIBDEFLATE
#include <libdeflate.h>
#endif

static const char head_magic[8] = {'I', 'O', 'L', 'B', 'U', 'N', 'D', 'L'};
static const char foot_magic[8] = {'I', 'O', 'L', 'B', 'U', 'N', 'D', 'E'};

enum { PAGE_MOST = 1 << 20, NO_MODE = 07777 };

uint32_t iol__bundle_check(uint32_t check, const void *bytes, size_t length) {
#if IOL_HAVE_LIBDEFLATE
    return libdeflate_crc32(check, bytes, length);
#else
    return (uint32_t)crc32_z(check, bytes, length);
#endif
}

static void put_little(uint8_t *to, uint64_t value, int bytes) {
    for (int i = 0; i < bytes; i++) to[i] = (uint8_t)(value >> 8 * i);
}

static uint64_t directory_little(const uint8_t *from, int bytes) {
    uint64_t value = 0;
    for (int i = bytes - 1; i >= 0; i--) value = value << 8 | from[i];
    return value;
}

/* Head and foot ---------------------------------------------------------------------------------------------------------- */

void iol__bundle_head(uint8_t bytes[IOL_BUNDLE_HEAD]) {
    memcpy(bytes, head_magic, 8);
    put_little(bytes + 8, IOL_BUNDLE_VERSION, 4);
    put_little(bytes + 12, 0, 4);
}

bool iol__bundle_begins(const uint8_t bytes[8]) { return memcmp(bytes, head_magic, 8) == 0; }

/* In the order of the file; the two checks follow them. */
#define FOOT_NUMBERS(foot)                                                                                       \
    &(foot)->bytes, &(foot)->logs, &(foot)->log_bytes, &(foot)->dictionary.offset, &(foot)->dictionary.copy,     \
        &(foot)->dictionary.stored, &(foot)->dictionary.raw, &(foot)->directory.offset, &(foot)->directory.copy, \
        &(foot)->directory.stored, &(foot)->directory.raw, &(foot)->table_raw
enum { FIRST = 16, NUMBERS = 12, CHECKS = FIRST + 8 * NUMBERS };
_Static_assert(CHECKS + 8 <= IOL_BUNDLE_FOOT, "the foot is full");

void iol__bundle_foot_write(const iol__bundle_foot *foot, uint8_t bytes[IOL_BUNDLE_FOOT]) {
    const uint64_t *const numbers[NUMBERS] = {FOOT_NUMBERS(foot)};
    memset(bytes, 0, IOL_BUNDLE_FOOT);
    memcpy(bytes, foot_magic, 8);
    put_little(bytes + 8, IOL_BUNDLE_VERSION, 4);
    for (int i = 0; i < NUMBERS; i++) put_little(bytes + FIRST + 8 * i, *numbers[i], 8);
    put_little(bytes + CHECKS, foot->dictionary.check, 4);
    put_little(bytes + CHECKS + 4, foot->directory.check, 4);
    put_little(bytes + 12, iol__bundle_check(0, bytes + FIRST, IOL_BUNDLE_FOOT - FIRST), 4);
}

static bool directory_within(const iol__bundle_span *span, uint64_t size) {
    return span->offset <= size && span->copy <= size && span->stored <= size - span->offset &&
           span->stored <= size - span->copy;
}

bool iol__bundle_foot_parse(const uint8_t bytes[IOL_BUNDLE_FOOT], uint64_t size, iol__bundle_foot *foot) {
    uint64_t *const numbers[NUMBERS] = {FOOT_NUMBERS(foot)};
    *foot = (iol__bundle_foot){0};
    if (memcmp(bytes, foot_magic, 8) != 0 || directory_little(bytes + 8, 4) != IOL_BUNDLE_VERSION) return false;
    if (directory_little(bytes + 12, 4) != iol__bundle_check(0, bytes + FIRST, IOL_BUNDLE_FOOT - FIRST)) return false;
    for (int i = 0; i < NUMBERS; i++) *numbers[i] = directory_little(bytes + FIRST + 8 * i, 8);
    foot->dictionary.check = (uint32_t)directory_little(bytes + CHECKS, 4);
    foot->directory.check = (uint32_t)directory_little(bytes + CHECKS + 4, 4);
    return foot->bytes == size && directory_within(&foot->dictionary, size) &&
           directory_within(&foot->directory, size) && foot->dictionary.raw <= IOL_DICTIONARY_MOST &&
           foot->directory.raw <= foot->directory.stored;
}

/* Entries ---------------------------------------------------------------------------------------------------------------- */

bool iol__bundle_name_good(const char *name) {
    const size_t length = strlen(name);
    if (length == 0 || length > IOL_BUNDLE_NAME_MOST || *name == '/' || name[length - 1] == '/') return false;
    for (const char *part = name; part; part = strchr(part, '/') ? strchr(part, '/') + 1 : NULL) {
        const size_t bytes = strcspn(part, "/");
        if (bytes == 0 || (bytes == 1 && part[0] == '.') || (bytes == 2 && part[0] == '.' && part[1] == '.'))
            return false;
    }
    return true;
}

static bool put_signed(iol__body *to, int64_t value) {
    return iol__body_varint(to, (uint64_t)value << 1 ^ (0 - ((uint64_t)value >> 63)));
}

static int64_t take_signed(iol__cursor *from) {
    const uint64_t code = iol__cursor_varint(from);
    return (int64_t)(code >> 1 ^ (0 - (code & 1)));
}

static bool put_name(iol__body *to, const char *name, const char *before) {
    size_t shared = 0;
    while (before && name[shared] && name[shared] == before[shared]) shared++;
    const size_t rest = strlen(name + shared);
    return iol__body_varint(to, shared) && iol__body_varint(to, rest) && iol__body_put(to, name + shared, rest);
}

static bool take_directory_name(iol__cursor *from, char *name) {
    char before[IOL_BUNDLE_NAME_MOST + 1];
    strcpy(before, name);
    const uint64_t shared = iol__cursor_varint(from), rest = iol__cursor_varint(from);
    if (from->bad || shared > strlen(name) || rest > IOL_BUNDLE_NAME_MOST - shared) return false;
    const uint8_t *bytes = iol__cursor_take(from, (size_t)rest);
    if (!bytes || memchr(bytes, 0, (size_t)rest)) return false;
    memcpy(name + shared, bytes, (size_t)rest);
    name[shared + rest] = 0;
    return iol__bundle_name_good(name) && (!*before || strcmp(before, name) < 0);
}

bool iol__bundle_entry_put(iol__body *page, const iol__bundle_entry *e, const iol__bundle_entry *before) {
    uint8_t checks[16];
    put_little(checks, e->check, 4);
    put_little(checks + 4, e->stored_check, 4);
    put_little(checks + 8, e->hash, 8);
    return put_name(page, e->name, before ? before->name : NULL) && iol__body_varint(page, e->size) &&
           put_signed(page, e->mtime) && iol__body_varint(page, e->mode) && iol__body_varint(page, e->uid) &&
           iol__body_varint(page, e->gid) && iol__body_varint(page, (uint64_t)e->form) &&
           iol__body_varint(page, e->offset) && iol__body_varint(page, e->columns) &&
           iol__body_varint(page, e->frame) && iol__body_varint(page, e->recipe) &&
           iol__body_put(page, checks, sizeof checks);
}

/* What a reader may be made to believe: nothing outside of the file, nothing that takes more memory than packing did. */
static bool possible(const iol__bundle_entry *e, uint64_t size) {
    const uint64_t stored = e->form == IOL_PACKED_AS_IT_IS ? e->size : e->columns + e->frame;
    if (e->offset > size || e->columns > size || e->frame > size || stored > size - e->offset) return false;
    if (e->form == IOL_PACKED_AS_IT_IS) return e->columns == 0 && e->frame == 0 && e->recipe == 0;
    if (e->size > IOL_PACKED_LOG_MOST || e->recipe > (uint64_t)IOL_RECIPE_MOST + IOL_PACKED_LOG_MOST) return false;
    if (e->form == IOL_PACKED_RECIPE) return e->columns == 0 && e->size <= e->recipe + e->recipe / 8 + 4096;
    return e->form == IOL_PACKED_COLUMNS;
}

bool iol__bundle_entry_take(iol__cursor *page, iol__bundle_entry *e, char *name, uint64_t size) {
    *e = (iol__bundle_entry){.name = name};
    if (!take_directory_name(page, name)) return false;
    e->size = iol__cursor_varint(page);
    e->mtime = take_signed(page);
    e->mode = (uint32_t)(iol__cursor_varint(page) & NO_MODE);
    e->uid = (uint32_t)iol__cursor_varint(page);
    e->gid = (uint32_t)iol__cursor_varint(page);
    const uint64_t form = iol__cursor_varint(page);
    e->offset = iol__cursor_varint(page);
    e->columns = iol__cursor_varint(page);
    e->frame = iol__cursor_varint(page);
    e->recipe = iol__cursor_varint(page);
    const uint8_t *checks = iol__cursor_take(page, 16);
    if (!checks || form > IOL_PACKED_COLUMNS) return false;
    e->form = (iol__packed_form)form;
    e->check = (uint32_t)directory_little(checks, 4);
    e->stored_check = (uint32_t)directory_little(checks + 4, 4);
    e->hash = directory_little(checks + 8, 8);
    return possible(e, size);
}

/* Pages ------------------------------------------------------------------------------------------------------------------ */

bool iol__bundle_page_put(iol__body *table, const iol__bundle_page *page) {
    const size_t length = strlen(page->first);
    return iol__body_varint(table, page->offset) && iol__body_varint(table, page->stored) &&
           iol__body_varint(table, page->raw) && iol__body_varint(table, page->check) &&
           iol__body_varint(table, page->entries) && iol__body_varint(table, length) &&
           iol__body_put(table, page->first, length);
}

bool iol__bundle_page_take(iol__cursor *table, iol__bundle_page *page) {
    *page = (iol__bundle_page){0};
    if (table->at == table->end) return false;
    page->offset = iol__cursor_varint(table);
    const uint64_t stored = iol__cursor_varint(table), raw = iol__cursor_varint(table),
                   check = iol__cursor_varint(table), entries = iol__cursor_varint(table),
                   length = iol__cursor_varint(table);
    const uint8_t *name = length <= IOL_BUNDLE_NAME_MOST ? iol__cursor_take(table, (size_t)length) : NULL;
    table->bad = table->bad || !name || stored > PAGE_MOST || raw > PAGE_MOST || check > UINT32_MAX || entries == 0 ||
                 entries > IOL_BUNDLE_PAGE;
    if (table->bad) return false;
    page->stored = (uint32_t)stored;
    page->raw = (uint32_t)raw;
    page->check = (uint32_t)check;
    page->entries = (uint32_t)entries;
    page->first = strndup((const char *)name, (size_t)length);
    table->bad = page->first == NULL;
    return !table->bad;
}
