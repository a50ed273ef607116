/* The tables, flat: fields and parameters stand behind a line without a name, which is their owner's. */
#include "serve/routes.h"

#include <string.h>

/* Schemas --------------------------------------------------------------------------------------------------------- */

static const iol__field fields[] = {
#define SCHEMA(name, meaning) {0},
#define FIELD(schema, name, type, of, meaning) {#name, IOL_FIELD_##type, #of, false, meaning},
#define MAYBE(schema, name, type, of, meaning) {#name, IOL_FIELD_##type, #of, true, meaning},
#include "serve/schemas.def"
#undef SCHEMA
#undef FIELD
#undef MAYBE
    {0},
};

enum {
#define SCHEMA(name, meaning) FIELDS_OF_##name,
#define FIELD(schema, name, type, of, meaning) FIELD_##schema##_##name,
#define MAYBE(schema, name, type, of, meaning) FIELD_##schema##_##name,
#include "serve/schemas.def"
#undef SCHEMA
#undef FIELD
#undef MAYBE
};

const iol__schema iol__schemas[IOL_SCHEMAS] = {
#define SCHEMA(name, meaning) {#name, meaning, &fields[FIELDS_OF_##name + 1]},
#define FIELD(schema, name, type, of, meaning)
#define MAYBE(schema, name, type, of, meaning)
#include "serve/schemas.def"
#undef SCHEMA
#undef FIELD
#undef MAYBE
};

/* Routes ---------------------------------------------------------------------------------------------------------- */

static const iol__param_row params[] = {
#define ROUTE(name, method, path, roles, shape, schema, summary) {0},
#define PARAM(route, name, kind, values, meaning) {#name, IOL_PARAM_##kind, values, meaning},
#include "serve/routes.def"
#undef ROUTE
#undef PARAM
    {0},
};

enum {
#define ROUTE(name, method, path, roles, shape, schema, summary) PARAMS_OF_##name,
#define PARAM(route, name, kind, values, meaning) PARAM_##route##_##name,
#include "serve/routes.def"
#undef ROUTE
#undef PARAM
};

enum { ANY = IOL_ROLE_ANY, USER = IOL_ROLE_USER, STAFF = IOL_ROLE_STAFF, INGEST = IOL_ROLE_INGEST };

const iol__route iol__routes[] = {
#define ROUTE(name, method, path, roles, shape, schema, summary) \
    {#name,   #method,           path,                           \
     roles,   IOL_SHAPE_##shape, IOL_SCHEMA_##schema,            \
     summary, iol__serve_##name, &params[PARAMS_OF_##name + 1]},
#define PARAM(route, name, kind, values, meaning)
#include "serve/routes.def"
#undef ROUTE
#undef PARAM
};
const size_t iol__routes_count = sizeof iol__routes / sizeof *iol__routes;

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
    return role == USER ? "user" : role == STAFF ? "staff" : role == INGEST ? "ingest" : NULL;
}
