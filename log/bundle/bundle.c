/* Reading bundles. To find one log takes the foot, the table of pages and one page; the dictionary is read when the first
   log needs it. */
#include "log/bundle/bundle.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/grow.h"
#include "log/read/log_internal.h"
#include "record/hash.h"

enum { TABLE_BASE = 64 << 20, TABLE_FACTOR = 64, COPY_BYTES = 1 << 16 };

struct iol__bundle {
    int fd;
    char *path;
    uint64_t size;
    iol__bundle_foot foot;
    iol__bundle_page *pages;
    size_t n_pages;
    char *packed_with;
    iol__bundle_packing packing;
    iol__dictionary *dictionary;
    char name[IOL_BUNDLE_NAME_MOST + 1]; /* of the entry that was found last */
};

/* Bytes ------------------------------------------------------------------------------------------------------------------ */

static bool bundle_read_at(int fd, uint64_t offset, void *to, size_t length) {
    for (size_t done = 0; done < length;) {
        const ssize_t n = pread(fd, (uint8_t *)to + done, length - done, (off_t)(offset + done));
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        done += (size_t)n;
    }
    return true;
}

/* Bytes with a checksum; NULL if they are damaged. */
static uint8_t *read_checked(const iol__bundle *b, uint64_t offset, uint64_t length, uint32_t check) {
    uint8_t *bytes = offset <= b->size && length <= b->size - offset ? malloc((size_t)length + 1) : NULL;
    if (bytes && bundle_read_at(b->fd, offset, bytes, (size_t)length) &&
        iol__bundle_check(0, bytes, (size_t)length) == check)
        return bytes;
    free(bytes);
    return NULL;
}

/* A frame with a checksum. */
static uint8_t *read_frame(iol__bundle *b, uint64_t offset, uint64_t stored, uint64_t raw, uint32_t check) {
    uint8_t *frame = read_checked(b, offset, stored, check), *bytes = frame ? malloc((size_t)raw + 1) : NULL;
    if (bytes && !iol__frame_unpack(b->packing.framer, NULL, frame, (size_t)stored, bytes, (size_t)raw)) {
        free(bytes);
        bytes = NULL;
    }
    free(frame);
    return bytes;
}

/* From either copy. */
static uint8_t *read_twice(iol__bundle *b, const iol__bundle_span *span, uint64_t at, uint64_t stored, uint64_t raw,
                           uint32_t check) {
    uint8_t *bytes = read_frame(b, span->offset + at, stored, raw, check);
    return bytes ? bytes : read_frame(b, span->copy + at, stored, raw, check);
}

static iol_status damaged(const iol__bundle *b, iol_error *error, const char *what) {
    return iol__error_set(error, IOL_DAMAGED, b->path, IOL_NO_OFFSET, "%s", what);
}

/* Opening ---------------------------------------------------------------------------------------------------------------- */

bool iol__is_bundle(int fd) {
    uint8_t there[IOL_BUNDLE_HEAD];
    return bundle_read_at(fd, 0, there, sizeof there) && iol__bundle_begins(there);
}

static bool read_foot(iol__bundle *b) {
    uint8_t bytes[IOL_BUNDLE_FOOT];
    for (uint64_t i = 1; i <= 2; i++)
        if (b->size >= i * IOL_BUNDLE_FOOT &&
            bundle_read_at(b->fd, b->size - i * IOL_BUNDLE_FOOT, bytes, sizeof bytes) &&
            iol__bundle_foot_parse(bytes, b->size, &b->foot))
            return true;
    return false;
}

static bool add_page(iol__bundle *b, const iol__bundle_page *page) {
    if (!IOL_GROW_NEXT(b->pages, b->n_pages)) return false;
    b->pages[b->n_pages++] = *page;
    return true;
}

static bool parse_table(iol__bundle *b, const uint8_t *bytes, size_t length) {
    iol__cursor table = {.at = bytes, .end = bytes + length};
    const uint64_t text = iol__cursor_varint(&table);
    const uint8_t *with = iol__cursor_take(&table, text > 200 ? SIZE_MAX : (size_t)text);
    b->packed_with = with ? strndup((const char *)with, (size_t)text) : NULL;
    if (!b->packed_with) return false;
    for (iol__bundle_page page; iol__bundle_page_take(&table, &page);)
        if (!add_page(b, &page)) {
            free(page.first);
            return false;
        }
    return !table.bad;
}

static bool read_bundle_table(iol__bundle *b) {
    const iol__bundle_span *d = &b->foot.directory;
    const uint64_t stored = d->stored - d->raw, raw = b->foot.table_raw;
    if (raw > TABLE_BASE + TABLE_FACTOR * stored) return false;
    uint8_t *bytes = read_twice(b, d, d->raw, stored, raw, d->check);
    const bool good = bytes && parse_table(b, bytes, (size_t)raw);
    free(bytes);
    return good;
}

static iol_status open_bundle_bundle(iol__bundle *b, iol_error *error) {
    struct stat st;
    if (b->fd < 0 || fstat(b->fd, &st) != 0)
        return iol__error_set(error, IOL_SYSTEM, b->path, IOL_NO_OFFSET, "cannot open: %s", strerror(errno));
    b->size = (uint64_t)st.st_size;
    if (!S_ISREG(st.st_mode) || !iol__is_bundle(b->fd)) {
        /* One with a damaged first byte still has its end. */
        if (!S_ISREG(st.st_mode) || !read_foot(b))
            return iol__error_set(error, IOL_NOT_A_LOG, b->path, IOL_NO_OFFSET, "this is not a bundle");
    }
    if (!iol__frames_here())
        return iol__error_set(error, IOL_UNSUPPORTED, b->path, IOL_NO_OFFSET, "this build of Iolite has no zstd");
    if (!iol__packing_open(&b->packing, NULL))
        return iol__error_set(error, IOL_SYSTEM, b->path, IOL_NO_OFFSET, "out of memory");
    if (!read_foot(b)) return damaged(b, error, "the bundle is cut off, or its end is damaged");
    if (!read_bundle_table(b)) return damaged(b, error, "both copies of the bundle's directory are damaged");
    return IOL_OK;
}

/* Takes the descriptor. */
static iol_status bundle_start(int fd, const char *name, iol__bundle **out, iol_error *error) {
    const int why = errno;
    *out = NULL;
    iol__bundle *b = calloc(1, sizeof *b);
    if (b) *b = (iol__bundle){.fd = fd, .path = strdup(name)};
    if (!b || !b->path) {
        free(b);
        if (fd >= 0) close(fd);
        return iol__error_set(error, IOL_SYSTEM, name, IOL_NO_OFFSET, "out of memory");
    }
    errno = why;
    const iol_status status = open_bundle_bundle(b, error);
    if (status == IOL_OK)
        *out = b;
    else
        iol__bundle_close(b);
    return status;
}

iol_status iol__bundle_open(const char *path, iol__bundle **bundle, iol_error *error) {
    return bundle_start(open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC), path, bundle, error);
}

iol_status iol__bundle_open_file(int fd, const char *name, iol__bundle **bundle, iol_error *error) {
    return bundle_start(fcntl(fd, F_DUPFD_CLOEXEC, 3), name, bundle, error);
}

void iol__bundle_close(iol__bundle *b) {
    if (!b) return;
    if (b->fd >= 0) close(b->fd);
    for (size_t i = 0; i < b->n_pages; i++) free(b->pages[i].first);
    free(b->pages);
    free(b->packed_with);
    iol__packing_close(&b->packing);
    iol__dictionary_free(b->dictionary);
    free(b->path);
    free(b);
}

uint64_t iol__bundle_count(const iol__bundle *b) { return b->foot.logs; }
uint64_t iol__bundle_log_bytes(const iol__bundle *b) { return b->foot.log_bytes; }
uint64_t iol__bundle_bytes(const iol__bundle *b) { return b->size; }
const char *iol__bundle_packed_with(const iol__bundle *b) { return b->packed_with; }

/* Entries ---------------------------------------------------------------------------------------------------------------- */

static uint8_t *read_page(iol__bundle *b, const iol__bundle_page *page) {
    if (page->offset > b->foot.directory.raw || page->stored > b->foot.directory.raw - page->offset) return NULL;
    return read_twice(b, &b->foot.directory, page->offset, page->stored, page->raw, page->check);
}

typedef bool (*visitor)(void *context, const iol__bundle_entry *entry);

/* False if the page is damaged. *more: the visitor wants to go on. */
static bool visit_page(iol__bundle *b, const iol__bundle_page *page, visitor each, void *context, bool *more) {
    uint8_t *bytes = read_page(b, page);
    iol__cursor cursor = {.at = bytes, .end = bytes ? bytes + page->raw : NULL};
    bool good = bytes != NULL;
    b->name[0] = 0;
    for (uint32_t i = 0; good && *more && i < page->entries; i++) {
        iol__bundle_entry entry;
        good = iol__bundle_entry_take(&cursor, &entry, b->name, b->size);
        if (good) *more = each(context, &entry);
    }
    free(bytes);
    return good;
}

iol_status iol__bundle_each(iol__bundle *b, visitor each, void *context, iol_error *error) {
    bool more = true, good = true;
    for (size_t i = 0; more && i < b->n_pages; i++) good = visit_page(b, &b->pages[i], each, context, &more) && good;
    return good ? IOL_OK : damaged(b, error, "a page of the bundle's directory is damaged; its logs are missing here");
}

typedef struct bundle_search {
    const char *name;
    iol__bundle_entry *entry;
    bool found;
} bundle_search;

static bool is_it(void *context, const iol__bundle_entry *entry) {
    bundle_search *s = context;
    const int order = strcmp(entry->name, s->name);
    s->found = order == 0;
    if (s->found) *s->entry = *entry;
    return order < 0;
}

iol_status iol__bundle_find(iol__bundle *b, const char *name, iol__bundle_entry *entry, iol_error *error) {
    size_t low = 0, high = b->n_pages; /* the last page that does not begin behind the name */
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (strcmp(b->pages[middle].first, name) <= 0)
            low = middle + 1;
        else
            high = middle;
    }
    bundle_search s = {.name = name, .entry = entry};
    bool more = true;
    if (low > 0 && !visit_page(b, &b->pages[low - 1], is_it, &s, &more))
        return damaged(b, error, "the page of the bundle's directory that names this log is damaged");
    if (s.found) return IOL_OK;
    return iol__error_set(error, IOL_INVALID, b->path, IOL_NO_OFFSET, "there is no log '%.200s' in this bundle", name);
}

/* Logs ------------------------------------------------------------------------------------------------------------------- */

static bool load_dictionary(iol__bundle *b) {
    const iol__bundle_span *d = &b->foot.dictionary;
    if (b->dictionary || !d->stored) return true;
    uint8_t *bytes;
    if (d->stored == d->raw) {
        bytes = read_checked(b, d->offset, d->raw, d->check);
        if (!bytes) bytes = read_checked(b, d->copy, d->raw, d->check);
    } else {
        bytes = read_twice(b, d, 0, d->stored, d->raw, d->check);
    }
    b->dictionary = bytes ? iol__dictionary_new(bytes, (size_t)d->raw, false) : NULL;
    b->packing.dictionary = b->dictionary;
    free(bytes);
    return b->dictionary != NULL;
}

static iol_status bundle_wrong(const iol__bundle *b, const iol__bundle_entry *e, iol_error *error, const char *what) {
    char name[256];
    snprintf(name, sizeof name, "%.100s#%.150s", b->path, e->name);
    return iol__error_set(error, what == iol__no_memory ? IOL_SYSTEM : IOL_DAMAGED, name, IOL_NO_OFFSET, "%s", what);
}

static uint64_t stored_bytes(const iol__bundle_entry *e) {
    return e->form == IOL_PACKED_AS_IT_IS ? e->size : e->columns + e->frame;
}

/* What is stored for a log. */
static iol_status read_bundle_stored(iol__bundle *b, const iol__bundle_entry *e, uint8_t **bytes, iol_error *error) {
    *bytes = NULL;
    if (e->form != IOL_PACKED_AS_IT_IS && !load_dictionary(b))
        return damaged(b, error, "both copies of the bundle's dictionary are damaged");
    *bytes = read_checked(b, e->offset, stored_bytes(e), e->stored_check);
    return *bytes ? IOL_OK : bundle_wrong(b, e, error, "this log is damaged in the bundle");
}

static iol__packed packed_of(const iol__bundle_entry *e, uint8_t *stored) {
    return (iol__packed){.form = e->form,
                         .columns = {.bytes = stored, .length = (size_t)e->columns},
                         .frame = {.bytes = stored + e->columns, .length = (size_t)e->frame},
                         .recipe = (size_t)e->recipe};
}

/* From what is stored to the log. */
static iol_status bundle_unpack(iol__bundle *b, const iol__bundle_entry *e, uint8_t *stored, uint8_t **bytes,
                                iol_error *error) {
    const iol__packed packed = packed_of(e, stored);
    *bytes = malloc((size_t)e->size + 1);
    if (!*bytes) return bundle_wrong(b, e, error, iol__no_memory);
    const char *why = iol__unpack_log(&b->packing, &packed, *bytes, (size_t)e->size);
    if (!why && (iol__bundle_check(0, *bytes, (size_t)e->size) != e->check || iol__hash(*bytes, e->size, 0) != e->hash))
        why = "the log that comes out is not the one that went in; was it packed with another compression library?";
    if (!why) return IOL_OK;
    free(*bytes);
    *bytes = NULL;
    return bundle_wrong(b, e, error, why);
}

iol_status iol__bundle_restore(iol__bundle *b, const iol__bundle_entry *e, uint8_t **bytes, iol_error *error) {
    uint8_t *stored;
    *bytes = NULL;
    iol_status status = read_bundle_stored(b, e, &stored, error);
    if (status != IOL_OK) return status;
    if (e->form == IOL_PACKED_AS_IT_IS) {
        *bytes = stored;
        return IOL_OK;
    }
    status = bundle_unpack(b, e, stored, bytes, error);
    free(stored);
    return status;
}

iol_status iol__bundle_content(iol__bundle *b, const iol__bundle_entry *e, uint8_t **bytes, size_t *length,
                               iol_error *error) {
    uint8_t *stored;
    iol__body log = {0};
    *bytes = NULL;
    iol_status status = read_bundle_stored(b, e, &stored, error);
    if (status != IOL_OK) return status;
    const iol__packed packed = packed_of(e, stored);
    if (e->form == IOL_PACKED_COLUMNS) {
        *bytes = stored;
        *length = (size_t)e->columns;
        return IOL_OK;
    }
    const char *why = e->form == IOL_PACKED_RECIPE ? iol__unpack_content(&b->packing, &packed, &log) : NULL;
    if (e->form == IOL_PACKED_RECIPE) free(stored);
    *bytes = e->form == IOL_PACKED_RECIPE ? log.bytes : stored;
    *length = e->form == IOL_PACKED_RECIPE ? log.length : (size_t)e->size;
    if (!why) return IOL_OK;
    free(log.bytes);
    *bytes = NULL;
    return bundle_wrong(b, e, error, why);
}

iol_status iol__bundle_copy(iol__bundle *b, const iol__bundle_entry *e, int to, iol_error *error) {
    uint8_t piece[COPY_BYTES];
    uint32_t check = 0;
    for (uint64_t at = 0; at < e->size;) {
        const size_t part = e->size - at < sizeof piece ? (size_t)(e->size - at) : sizeof piece;
        if (!bundle_read_at(b->fd, e->offset + at, piece, part))
            return bundle_wrong(b, e, error, "the bundle is cut off");
        check = iol__bundle_check(check, piece, part);
        for (size_t done = 0; done < part;) {
            const ssize_t n = write(to, piece + done, part - done);
            if (n < 0 && errno == EINTR) continue;
            if (n < 0)
                return iol__error_set(error, IOL_SYSTEM, e->name, IOL_NO_OFFSET, "cannot write: %s", strerror(errno));
            done += (size_t)n;
        }
        at += part;
    }
    return check == e->check ? IOL_OK : bundle_wrong(b, e, error, "this log is damaged in the bundle");
}

iol_status iol__bundle_log(iol__bundle *b, const iol__bundle_entry *e, iol_log **log, iol_error *error) {
    *log = NULL;
    iol_status status;
    uint8_t *bytes;
    char *name = malloc(strlen(b->path) + strlen(e->name) + 2);
    if (!name) return bundle_wrong(b, e, error, iol__no_memory);
    sprintf(name, "%s#%s", b->path, e->name);
    if (e->form == IOL_PACKED_RECIPE || e->size == 0) {
        size_t length = (size_t)e->size;
        status = iol__bundle_restore(b, e, &bytes, error);
        if (status == IOL_DAMAGED) status = iol__bundle_content(b, e, &bytes, &length, error);
        if (status == IOL_OK) status = iol__log_open_owned(bytes, length, name, log, error);
    } else {
        const uint64_t length = e->form == IOL_PACKED_COLUMNS ? e->columns : e->size;
        status = iol__log_open_part(b->fd, name, e->offset, length, log, error);
    }
    free(name);
    return status;
}

/* Verifying -------------------------------------------------------------------------------------------------------------- */

typedef struct copies {
    iol__bundle *bundle;
    void (*wrong)(void *context, const char *what);
    void *context;
} copies;

static void verify_span(const copies *c, uint64_t first, uint64_t second, uint64_t length, uint32_t check,
                        const char *what) {
    for (int i = 0; i < 2; i++) {
        uint8_t *bytes = read_checked(c->bundle, i ? second : first, length, check);
        char text[120];
        snprintf(text, sizeof text, "the %s copy of %s is damaged", i ? "second" : "first", what);
        if (!bytes) c->wrong(c->context, text);
        free(bytes);
    }
}

static void verify_ends(const copies *c) {
    uint8_t head[IOL_BUNDLE_HEAD], there[IOL_BUNDLE_FOOT];
    iol__bundle_foot foot;
    iol__bundle *b = c->bundle;
    iol__bundle_head(head);
    if (!bundle_read_at(b->fd, 0, there, sizeof head) || memcmp(head, there, sizeof head) != 0)
        c->wrong(c->context, "the first bytes of the bundle are damaged");
    for (uint64_t i = 1; i <= 2; i++)
        if (!bundle_read_at(b->fd, b->size - i * IOL_BUNDLE_FOOT, there, sizeof there) ||
            !iol__bundle_foot_parse(there, b->size, &foot))
            c->wrong(c->context,
                     i == 1 ? "the second copy of the foot is damaged" : "the first copy of the foot is damaged");
}

void iol__bundle_verify(iol__bundle *b, void (*complain)(void *context, const char *what), void *context) {
    const copies c = {.bundle = b, .wrong = complain, .context = context};
    const iol__bundle_span *d = &b->foot.directory, *words = &b->foot.dictionary;
    verify_ends(&c);
    if (words->stored) verify_span(&c, words->offset, words->copy, words->stored, words->check, "the dictionary");
    for (size_t i = 0; i < b->n_pages; i++) {
        const iol__bundle_page *p = &b->pages[i];
        verify_span(&c, d->offset + p->offset, d->copy + p->offset, p->stored, p->check, "a page of the directory");
    }
    verify_span(&c, d->offset + d->raw, d->copy + d->raw, d->stored - d->raw, d->check, "the table of pages");
}

/* Addresses -------------------------------------------------------------------------------------------------------------- */

static bool is_file(const char *path) {
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

iol_status iol__bundle_log_at(const char *path, iol_log **log, iol_error *error) {
    char *copy = strdup(path), *mark = NULL;
    if (!copy) return iol__error_set(error, IOL_SYSTEM, path, IOL_NO_OFFSET, "out of memory");
    iol_status status = IOL_END;
    *log = NULL;
    for (char *at = copy + strlen(copy); status == IOL_END && at > copy; at--) {
        if (*at != '#') continue;
        *at = 0;
        if (is_file(copy)) {
            mark = at;
            break;
        }
        *at = '#';
    }
    if (mark) {
        iol__bundle *bundle;
        iol__bundle_entry entry;
        status = iol__bundle_open(copy, &bundle, error);
        if (status == IOL_OK) status = iol__bundle_find(bundle, mark + 1, &entry, error);
        if (status == IOL_OK) status = iol__bundle_log(bundle, &entry, log, error);
        iol__bundle_close(bundle);
    }
    free(copy);
    return status;
}
