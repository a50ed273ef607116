/* The table from record id to name: numbers from an id map, texts in chunks. */
#ifndef IOL_LOG_NAMES_H
#define IOL_LOG_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "iolite/log.h"
#include "base/idmap.h"

typedef struct iol__name {
    const char *text; /* NUL terminated; may be empty */
    uint32_t length;
} iol__name;

typedef struct iol__names {
    iol__idmap ids;
    iol__name *entries; /* by number */
    size_t capacity;
    struct iol__chunk *chunks; /* the texts */
    bool loaded;
} iol__names;

enum {
    IOL_NAME_MOST = 2 << 20,                                    /* longest name taken for real */
    IOL_NAME_COST = sizeof(iol__name) * 3 / 2 + IOL_IDMAP_COST, /* of one entry, beside its text */
};

/* Every entry of the region, in order and with repetitions, without keeping any. The callback may stop it with false. */
typedef bool (*iol__name_visitor)(void *context, uint64_t id, const char *name, size_t length);
iol_status iol__names_each(iol_log *log, iol__name_visitor visit, void *context);
void iol__names_free(iol__names *names);

#endif
