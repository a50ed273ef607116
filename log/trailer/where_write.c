/* The trailer's section of modules is written anew, with the names of frames, and nothing else of the log changes: its other
   bytes are copied. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "log/trailer/where_pack.h"
#include "schema/schema.h"
#include "record/custom.h"
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

/* So many rows of single files and ranks that all of it is about a tenth of the log; a small one has room for some more. */
enum { BYTES_OF_NAMES = 700, BYTES_OF_A_ROW = 64, LEAST_ROWS = 32 };

static size_t rows_allowed(uint64_t log_bytes) {
    const uint64_t tenth = log_bytes / 10,
                   rows = tenth > BYTES_OF_NAMES ? (tenth - BYTES_OF_NAMES) / BYTES_OF_A_ROW : 0;
    return rows < LEAST_ROWS ? LEAST_ROWS : (size_t)rows;
}

static bool is_traced(const iol_log *log) {
    iol_module posix, mpiio;
    return (iol_log_module(log, IOL_SLOT_DXT_POSIX, &posix) == IOL_OK && posix.length > 0) ||
           (iol_log_module(log, IOL_SLOT_DXT_MPIIO, &mpiio) == IOL_OK && mpiio.length > 0);
}

/* All modules, ours with the names; to be freed. NULL with the reason. */
static uint8_t *pack_modules(iol_log *log, const iol__where_all *all, uint64_t log_bytes, size_t *length,
                             char why[IOL_WHERE_WHY]) {
    iol__custom custom = *iol__custom_of(log);
    iol__where_packed packed = {0};
    uint8_t *made = NULL;
    bool found = false;
    iol__custom_table **tables = malloc((custom.count + 1) * sizeof(iol__custom_table *));
    for (size_t i = 0; tables && i < custom.count; i++) {
        tables[i] = custom.tables[i];
        if (found || strcmp(tables[i]->name, IOL_WHERE_MODULE) != 0 || tables[i]->counters != 3) continue;
        if (!iol__where_pack(all, tables[i], rows_allowed(log_bytes), is_traced(log), &packed)) break;
        tables[i] = &packed.table;
        found = true;
    }
    custom.tables = tables;
    if (found) made = iol__custom_pack(&custom, length);
    if (!made) fail(why, found || !tables ? "out of memory" : "it has no records of lines of code");
    iol__where_packed_free(&packed);
    free(tables);
    return made;
}

/* The trailer ------------------------------------------------------------------------------------------------------ */

static void add_packed(bytes *to, const uint8_t *raw, size_t raw_length) {
    uint8_t head[IOL_TRAILER_HEAD];
    uLongf length = compressBound((uLong)raw_length);
    uint8_t *packed = malloc(length);
    if (!packed || compress2(packed, &length, raw, (uLong)raw_length, Z_BEST_COMPRESSION) != Z_OK) {
        to->failed = true;
    } else {
        iol__trailer_head(head, IOL_TAG_CUSTOM, IOL_TRAILER_ZLIB, length, raw_length);
        add(to, head, sizeof head);
        add(to, packed, length);
    }
    free(packed);
}

/* Every other section as it is. */
static bool make_sections(const uint8_t *old, size_t length, const uint8_t *modules, size_t modules_length, bytes *new,
                          char why[IOL_WHERE_WHY]) {
    size_t at = 0;
    iol__trailer_section section;
    bool damaged;
    while (iol__trailer_next(old, length, &at, &section, &damaged)) {
        uint8_t head[IOL_TRAILER_HEAD];
        if (strcmp(section.tag, IOL_TAG_CUSTOM) == 0) continue;
        iol__trailer_head(head, section.tag, section.method, section.stored, section.raw);
        add(new, head, sizeof head);
        add(new, section.bytes, section.stored);
    }
    if (damaged) return fail(why, "its trailer is damaged");
    add_packed(new, modules, modules_length);
    return new->failed ? fail(why, "out of memory") : true;
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

bool iol__where_write(const char *path, iol_log *log, const iol__where_all *all, char why[IOL_WHERE_WHY]) {
    iol__trailer_footer footer;
    size_t length = 0;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return fail(why, strerror(errno));
    uint8_t *old = read_sections(fd, &footer, why);
    uint8_t *modules = old ? pack_modules(log, all, footer.offset, &length, why) : NULL;
    bytes new = {0};
    const bool good = modules && make_sections(old, footer.length, modules, length, &new, why) &&
                      replace(path, fd, &new, footer.offset, why);
    free(modules);
    free(old);
    free(new.at);
    close(fd);
    return good;
}
