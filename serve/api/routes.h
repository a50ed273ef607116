/* The table of routes (routes.def) and of what they answer (schemas.def), as C knows them. */
#ifndef IOL_SERVE_ROUTES_H
#define IOL_SERVE_ROUTES_H

#include <stdbool.h>
#include <stddef.h>

#include "site/query/query.h"

/* Roles, as bits. */
enum { IOL_ROLE_USER = 1, IOL_ROLE_STAFF = 2, IOL_ROLE_INGEST = 4, IOL_ROLE_ANY = 8, IOL_ROLE_LIVE = 16 };

typedef enum iol__shape { IOL_SHAPE_ONE, IOL_SHAPE_TABLE, IOL_SHAPE_FILE, IOL_SHAPE_TEXT, IOL_SHAPE_PAGE } iol__shape;

typedef enum iol__field_type {
    IOL_FIELD_TEXT,
    IOL_FIELD_INT,
    IOL_FIELD_REAL,
    IOL_FIELD_TIME,
    IOL_FIELD_FLAG,
    IOL_FIELD_OBJECT,
    IOL_FIELD_ARRAY,
    IOL_FIELD_MAP,
    IOL_FIELD_ANY,
} iol__field_type;

typedef struct iol__field {
    const char *name;
    iol__field_type type;
    const char *of;
    bool maybe; /* may be null */
    const char *meaning;
    const iol__column *column;       /* the member of a row that it shows; NULL: none */
    double (*made)(const void *row); /* what it follows from in a row, NAN: not known; NULL: it does not */
    size_t filled;                   /* where iol__SCHEMA_answer has it; IOL_NOT_FILLED: a part of its own */
} iol__field;

enum { IOL_NOT_FILLED = 0xffff };

typedef struct iol__schema {
    const char *name, *meaning;
} iol__schema;

enum {
#define SCHEMA(name, meaning) IOL_SCHEMA_##name,
#define ROWS(schema, query)
#define FIELD(schema, name, type, of, meaning)
#define MAYBE(schema, name, type, of, meaning)
#define FROM(schema, name, query, member, meaning)
#define MADE(schema, name, function, meaning)
#define SHOWN(schema, first, last)
#include "serve/api/schemas.def"
#undef SCHEMA
#undef ROWS
#undef FIELD
#undef MAYBE
#undef FROM
#undef MADE
#undef SHOWN
    IOL_SCHEMAS,
    IOL_SCHEMA_None = IOL_SCHEMAS
};

extern const iol__schema iol__schemas[IOL_SCHEMAS];
/* One without a name ends them. */
const iol__field *iol__fields_of(const iol__schema *schema);

typedef enum iol__param_kind {
    IOL_PARAM_TEXT,
    IOL_PARAM_INT,
    IOL_PARAM_REAL,
    IOL_PARAM_TIME,
    IOL_PARAM_FLAG,
    IOL_PARAM_CHOICE,
    IOL_PARAM_PATH,
} iol__param_kind;

typedef struct iol__param_row {
    const char *name;
    iol__param_kind kind;
    const char *values, *meaning;
} iol__param_row;

enum { IOL_MOST_PARAMS = 24 };

struct iol__exchange;

typedef struct iol__route {
    const char *name, *method, *path;
    unsigned roles;
    iol__shape shape;
    int schema; /* IOL_SCHEMAS: none */
    const char *summary;
    void (*handle)(struct iol__exchange *exchange);
    const iol__param_row *params; /* one without a name ends them */
} iol__route;

extern const iol__route iol__routes[];
extern const size_t iol__routes_count;

/* Whether a path fits the pattern of a route. Pieces that stand for values are left as they came; `pieces` has room for
   IOL_MOST_PARAMS. */
typedef struct iol__piece {
    const char *text;
    size_t length;
} iol__piece;
bool iol__route_fits(const iol__route *route, const char *path, iol__piece *pieces);
/* "user", "staff", "ingest", "live"; NULL for what is not a single role. */
const char *iol__role_name(unsigned role);

#define ROUTE(name, method, path, roles, shape, schema, summary) void iol__serve_##name(struct iol__exchange *exchange);
#define PARAM(route, name, kind, values, meaning)
#include "serve/api/routes.def"
#undef ROUTE
#undef PARAM

#endif
