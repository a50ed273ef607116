/* A store: where the index of all jobs is kept. Everything that a store must be able to do is in one struct of
   functions, so that SQLite (a file), PostgreSQL (a server) and ClickHouse (a cluster) can stand behind the same
   commands. A store is used by one thread at a time. Functions that fail leave the reason in the store:
   iol__store_error(). */
#ifndef IOL_SITE_STORE_STORE_H
#define IOL_SITE_STORE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "iolite/log.h"
#include "site/store/schema.h"

/* Values -------------------------------------------------------------------------------------------------------- */

typedef enum iol__cell_kind {
    IOL_CELL_NULL,
    IOL_CELL_INT,
    IOL_CELL_REAL,
    IOL_CELL_TEXT,
} iol__cell_kind;

typedef struct iol__cell {
    iol__cell_kind kind;
    union {
        int64_t integer;
        double real;
        const char *text; /* valid UTF-8 without a NUL inside */
    } as;
} iol__cell;

static inline iol__cell iol__null(void) { return (iol__cell){.kind = IOL_CELL_NULL}; }
static inline iol__cell iol__integer(int64_t value) { return (iol__cell){.kind = IOL_CELL_INT, .as.integer = value}; }
/* NULL for what is not a number. */
iol__cell iol__real(double value);
/* NULL for NULL. */
static inline iol__cell iol__text(const char *value) {
    return value ? (iol__cell){.kind = IOL_CELL_TEXT, .as.text = value} : iol__null();
}
/* What a column holds, as C; 0, NAN or NULL for what is not known. */
int64_t iol__cell_integer(const iol__cell *value);
double iol__cell_real(const iol__cell *value);
const char *iol__cell_text(const iol__cell *value);

/* Drivers ------------------------------------------------------------------------------------------------------- */

typedef enum iol__store_mode {
    IOL_STORE_READ,  /* must be there */
    IOL_STORE_WRITE, /* is made if it is not there, and brought to this version's tables */
} iol__store_mode;

typedef struct iol__store iol__store;
/* One row of an answer. False ends the query without an error. Texts live until the function returns. */
typedef bool (*iol__store_row)(void *context, const iol__cell *values, size_t count);

typedef struct iol__store_driver {
    const char *name;
    iol__dialect dialect;
    /* Numbers of logs and mounts follow from what they are, because several writers have no counter in common. */
    bool own_numbers;
    /* There are transactions. Where there are none, what others follow from is written first and again until it is
       there. */
    bool atomic;
    bool local;   /* it works in this process: what it is asked takes a processor's time here, not an answer's way */
    size_t batch; /* logs that are best written at once */
    /* `where` is the URL; of a file, without its scheme. The deadline becomes the store's. */
    iol_status (*open)(const char *where, iol__store_mode mode, int64_t deadline, iol__store **store, iol_error *error);
    void (*close)(iol__store *store);
    /* Writers wait for each other here. What happens between begin and commit happens at once or not at all. */
    iol_status (*begin)(iol__store *store);
    iol_status (*commit)(iol__store *store);
    void (*rollback)(iol__store *store);
    /* A row of a table, all columns in order, in place of one with the same key. */
    iol_status (*put)(iol__store *store, iol__table_id table, const iol__cell *values);
    /* A statement with `?` for values: without rows, or with a function that takes them (NULL: none wanted). */
    iol_status (*ask)(iol__store *store, const char *sql, const iol__cell *values, size_t count, iol__store_row row,
                      void *context);
    /* May be NULL. Makes what is missing, where a store's tables are not those of schema.c. */
    iol_status (*make)(iol__store *store);
    /* Adds a column to a table of an older version, if there is such a table without it; make comes behind it. */
    iol_status (*add_column)(iol__store *store, iol__table_id table, const iol__column *column);
    /* Whether there is a table of this name. */
    iol_status (*has_table)(iol__store *store, const char *name, bool *there);
    /* May be NULL. Before a transaction: logs with numbers of these months (iol__log_month) are about to come. */
    iol_status (*expect)(iol__store *store, const int64_t *months, size_t count);
    /* May be NULL. Until the end of the transaction nobody else passes with one of these keys; unless `alone`, those
       who do not want to be alone either do. Sorted and unique. */
    iol_status (*guard)(iol__store *store, const int64_t *keys, size_t count, bool alone);
    /* May be NULL. From now on nothing that the store is asked goes on for longer, also after the asker has gone. */
    iol_status (*limit)(iol__store *store, double seconds);
} iol__store_driver;

struct iol__store {
    const iol__store_driver *driver;
    bool reference;   /* the tables are those of the reference's index (headers, mounts, summaries), to be read only */
    int64_t deadline; /* questions that are not answered by then fail, see base/deadline.h; 0: none */
    bool yielded;     /* set by a store: two writers waited for each other, and this one's transaction was undone */
    iol_error error;
};

extern const iol__store_driver iol__store_sqlite, iol__store_postgresql, iol__store_clickhouse;

/* Calls --------------------------------------------------------------------------------------------------------- */

/* A URL (schemes.def), or a path. NULL is the usual place, below the user's data directory. */
iol_status iol__store_open(const char *url, iol__store_mode mode, iol__store **store, iol_error *error);
/* The same for who cannot wait: opening it and what it is asked end by then, until `store->deadline` is another one. */
iol_status iol__store_open_by(const char *url, iol__store_mode mode, int64_t deadline, iol__store **store,
                              iol_error *error);
void iol__store_close(iol__store *store);
const char *iol__store_error(const iol__store *store);
/* The URL that NULL stands for. Free it; NULL without memory or home directory. */
char *iol__store_usual(void);

iol_status iol__store_begin(iol__store *store);
iol_status iol__store_commit(iol__store *store);
void iol__store_rollback(iol__store *store);
iol_status iol__store_put(iol__store *store, iol__table_id table, const iol__cell *values);
iol_status iol__store_ask(iol__store *store, const char *sql, const iol__cell *values, size_t count, iol__store_row row,
                          void *context);
/* The same for a statement without rows. */
iol_status iol__store_run(iol__store *store, const char *sql, const iol__cell *values, size_t count);
/* The one number that a query gives; `missing` if it gives none. */
iol_status iol__store_number(iol__store *store, const char *sql, const iol__cell *values, size_t count, int64_t missing,
                             int64_t *number);

iol_status iol__store_expect(iol__store *store, const int64_t *months, size_t count);
iol_status iol__store_guard(iol__store *store, int64_t *keys, size_t count, bool alone);
/* For stores that others wait for: a question ends by itself after that number of seconds, and before, at
   `store->deadline`. */
iol_status iol__store_limit(iol__store *store, double seconds);

/* Where numbers follow from what they stand for: the upper bits of a log's are its month, so that stores can keep
   months apart. */
enum { IOL_MONTH_SHIFT = 51, IOL_MONTHS = 4096 };
int64_t iol__log_month(int64_t day);
int64_t iol__log_number(const char *cluster, const char *identity, int64_t day);
int64_t iol__hash_texts(const char *a, const char *b);

/* For drivers: fill an error. */
iol_status iol__store_fail(iol_error *error, iol_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* For drivers: tables and indexes where they are missing, and the version of the tables in `meta`; refuses what a newer
   Iolite made. `name` is for messages. */
iol_status iol__store_prepare(iol__store *store, const char *name, iol__store_mode mode);

#endif
