/* Databases that are read: a file of SQLite, or a server of MySQL or MariaDB, mysql://USER@HOST:PORT/DATABASE.
   Passwords come from the environment or from a file that nobody else can read, never from an address. */
#ifndef IOL_SITE_CONNECT_DATABASE_H
#define IOL_SITE_CONNECT_DATABASE_H

#include "site/connect/connect.h"

typedef struct iol__db iol__db;
typedef struct iol__db_rows iol__db_rows;

/* `prefix`: of the variables with what the address does not say, as in IOLITE_LMT for IOLITE_LMT_USER and
   IOLITE_LMT_PASSWORD. */
iol_status iol__db_open(iol__request *request, const char *address, const char *prefix, iol__db **sql);
/* The address of the server that PREFIX_HOST, _USER and _DB name; NULL without PREFIX_HOST. */
const char *iol__db_address(iol__arena *arena, const char *prefix);
void iol__db_close(iol__db *sql);
/* A query with values for its question marks: texts, with NULL behind the last. */
iol_status iol__db_ask(iol__request *request, iol__db *sql, const char *query, const char *const *values,
                       iol__db_rows **rows);
/* The next row; false after the last. Columns are numbered from 0. */
bool iol__db_next(iol__db_rows *rows);
int64_t iol__db_integer(iol__db_rows *rows, int column);
double iol__db_real(iol__db_rows *rows, int column); /* NAN for NULL, and for what is not a number */
const char *iol__db_text(iol__db_rows *rows, int column);
/* Ends a query; an error that came up on the way is reported here. */
iol_status iol__db_done(iol__request *request, iol__db *sql, iol__db_rows *rows);

/* Rows of a query into a table of an SQLite file, which is made with this primary key; equal keys are replaced. */
typedef struct iol__db_copy {
    const char *table, *key;
    const char *query;
    const char *const *values;
    bool optional; /* a source that has no such table is not an error */
} iol__db_copy;
iol_status iol__db_save(iol__request *request, iol__db *from, const char *path, const iol__db_copy *copies,
                        size_t count);

/* LMT's database, and tables of jobs: what the request names, else what the environment does; and their rows in the
   time of the request as an SQLite file, at most `limit` per table unless that is 0. */
iol_status iol__lmt_open(iol__request *request, iol__db **sql);
iol_status iol__save_lmt(iol__request *request, const char *path, size_t limit);
iol_status iol__save_jobsdb(iol__request *request, const char *path);

/* What each kind of database does. */
typedef struct iol__db_driver {
    void (*close)(void *handle);
    void *(*ask)(void *handle, const char *query, const char *const *values); /* NULL: error */
    bool (*next)(void *rows);
    const char *(*text)(void *rows, int column); /* NULL for NULL */
    int (*columns)(void *rows);
    const char *(*column)(void *rows, int column);
    const char *(*error)(void *handle); /* NULL: none */
    void (*done)(void *rows);
} iol__db_driver;
struct iol__db {
    const iol__db_driver *driver;
    void *handle;
};
iol_status iol__mariadb_open(iol__request *request, const char *address, const char *prefix, iol__db *sql);

/* A secret: what the variable NAME says, else the first line of the file that NAME_FILE names, which only its owner may
   be able to read. NULL without either; false with a complaint if the file is open to others. */
bool iol__secret(iol__request *request, const char *name, const char **secret);

#endif
