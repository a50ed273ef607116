/* The parts of the ClickHouse store: requests, statements, tables.
   Of each table T of the schema a server has T_kept (rows with a version, and whether they are gone) and T_here (a view of
   those that count). With a cluster, T_all spreads T_kept over its servers and T is T_here of all of them. */
#ifndef IOL_SITE_STORE_CLICKHOUSE_H
#define IOL_SITE_STORE_CLICKHOUSE_H

#include "site/curl.h"
#include "site/store/rows.h"
#include "site/store/store.h"

enum { IOL_CH_HOSTS = 256 };

typedef struct iol__ch {
    iol__store base;
    const iol__curl *curl;
    void *handle, *headers;
    char *url;                                                              /* in pieces: what follows points into it */
    const char *user, *password, *hosts[IOL_CH_HOSTS], *database, *cluster; /* cluster NULL: one server */
    size_t n_hosts;
    bool tls;
    char name[300];   /* for messages */
    iol__rows answer; /* of the last request */
    iol__rows pending[IOL_TABLES];
    char **deferred; /* deletions, which come after the rows that take the place of what goes */
    size_t n_deferred;
    uint64_t version; /* of rows that are put now: a time before all was read that they are made of */
    uint64_t read_at; /* of jobs, and of marks that days have changed: before the first of all that was read for them */
    uint64_t made;    /* of a log and its rows: only those with the same one belong together */
    bool open;        /* between begin and commit */
} iol__ch;

/* Requests: to one server, or to the first that can be reached. `query` goes into the URL and `body` is data, or `query` is
   NULL and the body is a statement. IOL_END: the server could not be reached. */
iol_status iol__ch_open_url(iol__ch *ch, const char *url, iol_error *error);
iol_status iol__ch_post(iol__ch *ch, size_t host, const char *query, const char *body, size_t length);
iol_status iol__ch_request(iol__ch *ch, const char *query, const char *body, size_t length);
/* Rows of the last answer. */
iol_status iol__ch_rows(iol__ch *ch, iol__store_row row, void *context);
void iol__ch_close_url(iol__ch *ch);

/* Statements of the common subset in the words of ClickHouse. Free them; NULL without memory. */
char *iol__ch_select(const iol__ch *ch, const char *sql, const iol__cell *values, size_t count);
char *iol__ch_delete(const iol__ch *ch, iol__table_id table, const char *condition, const iol__cell *values,
                     size_t count);
char *iol__ch_insert(const iol__ch *ch, iol__table_id table, const char *select, const iol__cell *values, size_t count);
char *iol__ch_update(const iol__ch *ch, iol__table_id table, const char *set, const iol__cell *values, size_t count);
/* The table that a name begins with, which ends at a space; IOL_TABLES: none. */
iol__table_id iol__ch_table(const char *name, size_t *length);
/* Where rows of a table go, and are read with their versions. */
void iol__ch_target(const iol__ch *ch, iol__table_id table, char name[64]);
/* All columns, with `, ` between. */
void iol__ch_columns(iol__rows *sql, iol__table_id table);

/* Tables. */
iol_status iol__ch_make(iol__store *store);
iol_status iol__ch_add_column(iol__store *store, iol__table_id table, const iol__column *column);
bool iol__ch_in_key(iol__table_id table, const char *column);
/* Whether its rows count only with those of a log. */
bool iol__ch_child(iol__table_id table);

#endif
