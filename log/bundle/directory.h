/* The bytes of a bundle around the logs: head, directory and foot. docs/bundles.md describes the file.
   The directory is pages of entries in the order of names, and a table of pages. What everything depends on is there twice
   (dictionary, directory, foot), so that one damaged place costs one log at most. */
#ifndef IOL_LOG_BUNDLE_DIRECTORY_H
#define IOL_LOG_BUNDLE_DIRECTORY_H

#include "log/bundle/pack.h"

enum {
    IOL_BUNDLE_HEAD = 16,
    IOL_BUNDLE_FOOT = 128,
    IOL_BUNDLE_VERSION = 1,
    IOL_BUNDLE_PAGE = 64,        /* entries */
    IOL_BUNDLE_NAME_MOST = 4096, /* bytes of a name */
};

/* One log of a bundle. */
typedef struct iol__bundle_entry {
    const char *name;                        /* path below where it was packed */
    uint64_t size;                           /* of the log */
    int64_t mtime;                           /* ns since 1970 */
    uint32_t mode, uid, gid;                 /* as it was */
    uint32_t check, stored_check;            /* CRC-32 of the log, and of what is stored for it */
    uint64_t hash;                           /* of the log */
    uint64_t offset, columns, frame, recipe; /* what is stored: columns, then frame; or the log as it is */
    iol__packed_form form;
} iol__bundle_entry;

typedef struct iol__bundle_span {
    uint64_t offset, copy; /* both hold the same */
    uint64_t stored, raw;
    uint32_t check; /* CRC-32 of the stored bytes */
} iol__bundle_span;

typedef struct iol__bundle_foot {
    uint64_t bytes; /* of the bundle */
    uint64_t logs, log_bytes;
    iol__bundle_span dictionary; /* stored 0: there is none */
    iol__bundle_span directory;  /* all pages, then the table: `raw` is where it begins, `check` its own */
    uint64_t table_raw;
} iol__bundle_foot;

void iol__bundle_head(uint8_t bytes[IOL_BUNDLE_HEAD]);
/* Whether a file with these first eight bytes may be a bundle. */
bool iol__bundle_begins(const uint8_t bytes[8]);
void iol__bundle_foot_write(const iol__bundle_foot *foot, uint8_t bytes[IOL_BUNDLE_FOOT]);
/* False if they are no foot of a bundle of `size` bytes, or damaged. */
bool iol__bundle_foot_parse(const uint8_t bytes[IOL_BUNDLE_FOOT], uint64_t size, iol__bundle_foot *foot);

/* An entry behind the one before it in a page (NULL: it is the first). */
bool iol__bundle_entry_put(iol__body *page, const iol__bundle_entry *entry, const iol__bundle_entry *before);
/* The next entry of a page. `name` has room for IOL_BUNDLE_NAME_MOST + 1 and holds the name before it; `size` bounds
   offsets. False if it makes no sense. */
bool iol__bundle_entry_take(iol__cursor *page, iol__bundle_entry *entry, char *name, uint64_t size);

/* A row of the table of pages. */
typedef struct iol__bundle_page {
    uint64_t offset; /* in the directory */
    uint32_t stored, raw, check, entries;
    char *first; /* name */
} iol__bundle_page;

bool iol__bundle_page_put(iol__body *table, const iol__bundle_page *page);
/* False at the end of the table, or if it makes no sense. Free `first`. */
bool iol__bundle_page_take(iol__cursor *table, iol__bundle_page *page);

/* Whether a name may be one of a bundle: a path that stays below where it starts. */
bool iol__bundle_name_good(const char *name);
/* The checks of a log. */
uint32_t iol__bundle_check(uint32_t check, const void *bytes, size_t length);

#endif
