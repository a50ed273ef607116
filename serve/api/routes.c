/* The tables, flat: fields and parameters stand behind a line without a name, which is their owner's. */
#include "serve/api/routes.h"

#include <pthread.h>
#include <string.h>

#include "base/count.h"
#include "serve/api/parts.h"

/* Schemas --------------------------------------------------------------------------------------------------------- */

/* What a value of a store is in an answer: times are seconds there, and numbers that name something are texts, because they
   have up to nineteen digits, more than a number of JavaScript. */
#define TYPE_OF(type)                                \
    ((type) == (int)IOL_TYPE_TEXT   ? IOL_FIELD_TEXT \
     : (type) == (int)IOL_TYPE_KEY  ? IOL_FIELD_TEXT \
     : (type) == (int)IOL_TYPE_WHEN ? IOL_FIELD_TIME \
     : (type) == (int)IOL_TYPE_REAL ? IOL_FIELD_REAL \
     : (type) == (int)IOL_TYPE_TIME ? IOL_FIELD_REAL \
                                    : IOL_FIELD_INT)

/* A line of the table: a field, or columns of jobs that say themselves how they are called. */
typedef struct field_line {
    iol__field field;
    bool shown;
    int first, last;
} field_line;

/* Where a field that handlers fill in is in the struct of its schema. */
#define FILLED(schema, name) offsetof(iol__##schema##_answer, name)
#define FILLED_TEXT(schema, name) FILLED(schema, name)
#define FILLED_INT(schema, name) FILLED(schema, name)
#define FILLED_REAL(schema, name) FILLED(schema, name)
#define FILLED_TIME(schema, name) FILLED(schema, name)
#define FILLED_FLAG(schema, name) FILLED(schema, name)
#define FILLED_OBJECT(schema, name) IOL_NOT_FILLED
#define FILLED_ARRAY(schema, name) IOL_NOT_FILLED
#define FILLED_MAP(schema, name) IOL_NOT_FILLED

static const field_line lines[] = {
#define SCHEMA(name, meaning) {.shown = false},
#define ROWS(schema, query)
#define FIELD(schema, name, type, of, meaning) \
    {.field = {#name, IOL_FIELD_##type, #of, false, meaning, NULL, NULL, FILLED_##type(schema, name)}},
#define MAYBE(schema, name, type, of, meaning) \
    {.field = {#name, IOL_FIELD_##type, #of, true, meaning, NULL, NULL, FILLED_##type(schema, name)}},
#define FROM(schema, name, query, member, meaning)                                                           \
    {.field = {#name, TYPE_OF(IOL_TYPE_IN_##query##_##member), "", IOL_NULLS_IN_##query##_##member, meaning, \
               &iol__query_cells[IOL_CELL_##query##_##member], NULL, IOL_NOT_FILLED}},
#define MADE(schema, name, function, meaning) \
    {.field = {#name, IOL_FIELD_REAL, "", true, meaning, NULL, function, IOL_NOT_FILLED}},
#define SHOWN(schema, from, to) {.shown = true, .first = from, .last = to},
#include "serve/api/schemas.def"
    {.shown = false},
};
#undef SCHEMA
#undef FIELD
#undef MAYBE
#undef FROM
#undef MADE
#undef SHOWN

enum {
#define SCHEMA(name, meaning) LINES_OF_##name,
#define FIELD(schema, name, type, of, meaning) LINE_##schema##_##name,
#define MAYBE(schema, name, type, of, meaning) LINE_##schema##_##name,
#define FROM(schema, name, query, member, meaning) LINE_##schema##_##name,
#define MADE(schema, name, function, meaning) LINE_##schema##_##name,
#define SHOWN(schema, first, last) LINE_##schema##_shown_##first,
#include "serve/api/schemas.def"
#undef SCHEMA
#undef FIELD
#undef MAYBE
#undef FROM
#undef MADE
#undef SHOWN
    LINES
};

const iol__schema iol__schemas[IOL_SCHEMAS] = {
#define SCHEMA(name, meaning) {#name, meaning},
#define FIELD(schema, name, type, of, meaning)
#define MAYBE(schema, name, type, of, meaning)
#define FROM(schema, name, query, member, meaning)
#define MADE(schema, name, function, meaning)
#define SHOWN(schema, first, last)
#include "serve/api/schemas.def"
#undef SCHEMA
};

static const int first_lines[IOL_SCHEMAS] = {
#define SCHEMA(name, meaning) LINES_OF_##name + 1,
#include "serve/api/schemas.def"
#undef SCHEMA
#undef ROWS
#undef FIELD
#undef MAYBE
#undef FROM
#undef MADE
#undef SHOWN
};

static bool ends(const field_line *line) { return !line->shown && !line->field.name; }

/* JobDetail has lists where Job has numbers, under the same names. */
static bool has_field_of_its_own(const field_line *line, const char *name) {
    for (; !ends(line); line++)
        if (line->field.name && strcmp(line->field.name, name) == 0) return true;
    return false;
}

/* Fields of all schemas, each list behind the one before. */
static iol__field all_fields[LINES + 2 * IOL_WIDEST + 1];
static const iol__field *first_fields[IOL_SCHEMAS];

static size_t add_shown(const field_line *line, const field_line *schema, iol__field *to) {
    const iol__column *columns[IOL_WIDEST];
    const size_t count = iol__job_shown(IOL_VIEW_API, columns);
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        const iol__column *column = columns[i];
        const iol__shown *shown = &column->api;
        if (shown->order < line->first || shown->order > line->last) continue;
        if (has_field_of_its_own(schema, shown->name)) continue;
        to[n++] = (iol__field){shown->name,
                               TYPE_OF((int)column->type),
                               "",
                               column->maybe || column->of_logs || column->type == IOL_TYPE_WHEN,
                               column->meaning,
                               column,
                               NULL,
                               IOL_NOT_FILLED};
    }
    return n;
}

static void list_fields(void) {
    size_t n = 0;
    for (int i = 0; i < IOL_SCHEMAS; i++) {
        const field_line *schema = &lines[first_lines[i]];
        first_fields[i] = &all_fields[n];
        for (const field_line *line = schema; !ends(line); line++) {
            if (line->shown)
                n += add_shown(line, schema, &all_fields[n]);
            else
                all_fields[n++] = line->field;
        }
        n++; /* one without a name */
    }
}

const iol__field *iol__fields_of(const iol__schema *schema) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, list_fields);
    return first_fields[schema - iol__schemas];
}

/* Routes ---------------------------------------------------------------------------------------------------------- */

static const iol__param_row params[] = {
#define ROUTE(name, method, path, roles, shape, schema, summary) {0},
#define PARAM(route, name, kind, values, meaning) {#name, IOL_PARAM_##kind, values, meaning},
#include "serve/api/routes.def"
#undef ROUTE
#undef PARAM
    {0},
};

enum {
#define ROUTE(name, method, path, roles, shape, schema, summary) PARAMS_OF_##name,
#define PARAM(route, name, kind, values, meaning) PARAM_##route##_##name,
#include "serve/api/routes.def"
#undef ROUTE
#undef PARAM
};

enum {
    ANY = IOL_ROLE_ANY,
    USER = IOL_ROLE_USER,
    STAFF = IOL_ROLE_STAFF,
    INGEST = IOL_ROLE_INGEST,
    LIVE = IOL_ROLE_LIVE
};

const iol__route iol__routes[] = {
#define ROUTE(name, method, path, roles, shape, schema, summary) \
    {#name,   #method,           path,                           \
     roles,   IOL_SHAPE_##shape, IOL_SCHEMA_##schema,            \
     summary, iol__serve_##name, &params[PARAMS_OF_##name + 1]},
#define PARAM(route, name, kind, values, meaning)
#include "serve/api/routes.def"
#undef ROUTE
#undef PARAM
};
const size_t iol__routes_count = IOL_COUNT(iol__routes);

bool iol__route_fits(const iol__route *route, const char *path, iol__piece *pieces) {
    const char *want = route->path;
    size_t n = 0;
    while (*want) {
        if (*want != '{') {
            if (*path++ != *want++) return false;
            continue;
        }
        size_t length = strcspn(path, "/");
        if (!length || n == IOL_MOST_PARAMS) return false;
        pieces[n++] = (iol__piece){path, length};
        path += length;
        want = strchr(want, '}') + 1;
    }
    return !*path;
}

const char *iol__role_name(unsigned role) {
    static const struct {
        unsigned role;
        const char *name;
    } names[] = {{USER, "user"}, {STAFF, "staff"}, {INGEST, "ingest"}, {LIVE, "live"}};
    for (size_t i = 0; i < IOL_COUNT(names); i++)
        if (names[i].role == role) return names[i].name;
    return NULL;
}
