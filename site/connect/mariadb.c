/* MySQL and MariaDB through libmariadb, which is loaded when it is needed, so that building needs no header. Its functions
   and the numbers of its options never change. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "site/connect/database.h"

/* From mysql.h */
enum { CONNECT_TIMEOUT = 0, READ_TIMEOUT = 11, WRITE_TIMEOUT = 12, SET_CHARSET_NAME = 7 };
enum { SECONDS = 30 };

typedef struct client {
    void *(*init)(void *);
    int (*options)(void *, int, const void *);
    void *(*connect)(void *, const char *, const char *, const char *, const char *, unsigned, const char *,
                     unsigned long);
    int (*query)(void *, const char *);
    void *(*use)(void *);
    char **(*fetch)(void *);
    unsigned (*fields)(void *);
    char **(*field)(void *);
    void (*free_result)(void *);
    unsigned (*number)(void *);
    const char *(*error)(void *);
    unsigned long (*escape)(void *, char *, const char *, unsigned long);
    void (*close)(void *);
} client;

static client library;

static bool mariadb_load(void) {
    static bool tried, there;
    if (tried) return there;
    tried = true;
    void *handle = dlopen("libmariadb.so.3", RTLD_NOW | RTLD_LOCAL);
    if (!handle) handle = dlopen("libmysqlclient.so.21", RTLD_NOW | RTLD_LOCAL);
    const struct {
        const char *name;
        void *to;
    } functions[] = {{"mysql_init", &library.init},
                     {"mysql_options", &library.options},
                     {"mysql_real_connect", &library.connect},
                     {"mysql_query", &library.query},
                     {"mysql_use_result", &library.use},
                     {"mysql_fetch_row", &library.fetch},
                     {"mysql_num_fields", &library.fields},
                     {"mysql_fetch_field", &library.field},
                     {"mysql_free_result", &library.free_result},
                     {"mysql_errno", &library.number},
                     {"mysql_error", &library.error},
                     {"mysql_real_escape_string", &library.escape},
                     {"mysql_close", &library.close}};
    there = handle != NULL;
    for (size_t i = 0; there && i < IOL_COUNT(functions); i++) {
        void *found = dlsym(handle, functions[i].name);
        there = found != NULL;
        memcpy(functions[i].to, &found, sizeof found);
    }
    return there;
}

/* Rows of a query that is under way. */
typedef struct mariadb_result {
    void *result;
    char **row, **names;
    unsigned columns;
} mariadb_result;

static void close_server(void *handle) { library.close(handle); }

/* The query with its values in it, quoted. */
static char *filled_in(void *handle, const char *query, const char *const *values) {
    size_t room = strlen(query) + 1, used = 0;
    for (size_t i = 0; values && values[i]; i++) room += 2 * strlen(values[i]) + 2;
    char *text = malloc(room);
    for (const char *at = query; text && *at; at++) {
        if (*at != '?' || !values || !*values) {
            text[used++] = *at;
            continue;
        }
        text[used++] = '\'';
        used += library.escape(handle, text + used, *values, strlen(*values));
        text[used++] = '\'';
        values++;
    }
    if (text) text[used] = 0;
    return text;
}

/* The first member of a field is its name, in both libraries and all releases. */
static bool take_names(mariadb_result *on) {
    on->names = calloc(on->columns + 1, sizeof *on->names);
    for (unsigned i = 0; on->names && i < on->columns; i++) {
        char **field = library.field(on->result);
        on->names[i] = field ? field[0] : NULL;
    }
    return on->names != NULL;
}

static void mariadb_done(void *rows) {
    mariadb_result *on = rows;
    if (!on) return;
    if (on->result) library.free_result(on->result);
    free(on->names);
    free(on);
}

static void *mariadb_ask(void *handle, const char *query, const char *const *values) {
    char *text = filled_in(handle, query, values);
    mariadb_result *on = calloc(1, sizeof *on);
    bool good = text && on && library.query(handle, text) == 0 && (on->result = library.use(handle));
    free(text);
    if (good) on->columns = library.fields(on->result);
    if (good && take_names(on)) return on;
    mariadb_done(on);
    return NULL;
}

static bool next(void *rows) {
    mariadb_result *on = rows;
    on->row = library.fetch(on->result);
    return on->row != NULL;
}

static const char *text_at(void *rows, int column) {
    const mariadb_result *on = rows;
    return column >= 0 && (unsigned)column < on->columns && on->row ? on->row[column] : NULL;
}

static int columns(void *rows) { return (int)((const mariadb_result *)rows)->columns; }
static const char *mariadb_column(void *rows, int number) { return ((const mariadb_result *)rows)->names[number]; }
static const char *error(void *handle) { return library.number(handle) ? library.error(handle) : NULL; }

static const iol__db_driver driver = {close_server, mariadb_ask,    next,  text_at,
                                      columns,      mariadb_column, error, mariadb_done};

/* Addresses -------------------------------------------------------------------------------------------------------- */

typedef struct mariadb_place {
    const char *host, *user, *name, *socket;
    unsigned port;
} mariadb_place;

/* mysql://USER@HOST:PORT/DATABASE?socket=PATH */
static iol_status mariadb_parse(iol__request *request, const char *address, const char *prefix, mariadb_place *to) {
    iol__arena *arena = request->arena;
    char *rest = iol__arena_copy(arena, strstr(address, "://") + 3), *slash = strchr(rest, '/');
    char *query = slash ? strchr(slash, '?') : NULL;
    if (query) *query++ = 0;
    if (slash) *slash++ = 0;
    char *at = strrchr(rest, '@');
    if (at) *at++ = 0;
    if (at && strchr(rest, ':'))
        return iol__refuse(request, IOL_INVALID,
                           "a password does not belong into an address, which others see: %s_PASSWORD, or a file that "
                           "%s_PASSWORD_FILE names",
                           prefix, prefix);
    if (at) to->user = rest;
    char *host = at ? at : rest, *colon = strrchr(host, ':');
    if (colon) *colon++ = 0;
    to->host = *host ? host : "localhost";
    to->port = colon ? (unsigned)strtoul(colon, NULL, 10) : 0;
    to->name = slash && *slash ? slash : getenv(iol__arena_print(arena, "%s_DB", prefix));
    to->socket = query && strncmp(query, "socket=", 7) == 0 ? query + 7 : NULL;
    if (!to->user) to->user = getenv(iol__arena_print(arena, "%s_USER", prefix));
    return IOL_OK;
}

iol_status iol__mariadb_open(iol__request *request, const char *address, const char *prefix, iol__db *sql) {
    mariadb_place to = {0};
    const char *password;
    const unsigned seconds = iol__site_patience ? iol__site_patience : SECONDS;
    iol_status status = mariadb_parse(request, address, prefix, &to);
    if (status != IOL_OK) return status;
    if (!iol__secret(request, iol__arena_print(request->arena, "%s_PASSWORD", prefix), &password)) return IOL_INVALID;
    void *handle = mariadb_load() ? library.init(NULL) : NULL;
    if (!handle)
        return iol__refuse(request, IOL_UNSUPPORTED, "%.200s: libmariadb is not on this machine (Debian: libmariadb3)",
                           address);
    library.options(handle, CONNECT_TIMEOUT, &seconds);
    library.options(handle, READ_TIMEOUT, &seconds);
    library.options(handle, WRITE_TIMEOUT, &seconds);
    library.options(handle, SET_CHARSET_NAME, "utf8mb4");
    *sql = (iol__db){&driver, handle};
    if (library.connect(handle, to.host, to.user, password, to.name, to.port, to.socket, 0)) return IOL_OK;
    status = iol__refuse(request, IOL_SYSTEM, "%.150s: %.200s", address, library.error(handle));
    library.close(handle);
    return status;
}
