/* The OpenAPI document, from the tables of routes and schemas. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "serve/serve.h"

static const char *json_type(iol__field_type type) {
    switch (type) {
    case IOL_FIELD_TEXT: return "string";
    case IOL_FIELD_INT: return "integer";
    case IOL_FIELD_REAL:
    case IOL_FIELD_TIME: return "number";
    case IOL_FIELD_FLAG: return "boolean";
    case IOL_FIELD_ARRAY: return "array";
    default: return "object";
    }
}

static void reference(iol__json *json, const char *schema) {
    char path[128];
    snprintf(path, sizeof path, "#/components/schemas/%s", schema);
    iol__json_put_text(json, "$ref", path);
}

/* What an array holds: a schema, or a simple kind. */
static void items(iol__json *json, const char *of) {
    static const char *const simple[][2] = {
        {"text", "string"}, {"int", "integer"}, {"real", "number"}, {"maybe_real", "number"}};
    iol__json_put_open(json, "items", '{');
    for (size_t i = 0; i < IOL_COUNT(simple); i++)
        if (strcmp(of, simple[i][0]) == 0) iol__json_put_text(json, "type", simple[i][1]);
    if (strncmp(of, "maybe_", 6) == 0) iol__json_put_bool(json, "nullable", true);
    if (*of >= 'A' && *of <= 'Z') reference(json, of);
    iol__json_close(json, '}');
}

static void openapi_field(iol__json *json, const iol__field *f) {
    iol__json_put_open(json, f->name, '{');
    if (f->type == IOL_FIELD_OBJECT) {
        /* In OpenAPI 3.0 nothing may stand beside a reference. */
        iol__json_put_open(json, "allOf", '[');
        iol__json_open(json, '{');
        reference(json, f->of);
        iol__json_close(json, '}');
        iol__json_close(json, ']');
        if (f->maybe) iol__json_put_text(json, "type", "object"); /* nullable means nothing without it */
    } else if (f->type != IOL_FIELD_ANY) {
        iol__json_put_text(json, "type", json_type(f->type));
    }
    if (f->type == IOL_FIELD_ARRAY) items(json, f->of);
    if (f->type == IOL_FIELD_MAP) iol__json_put_bool(json, "additionalProperties", true);
    if (f->maybe) iol__json_put_bool(json, "nullable", true);
    if (*f->meaning) iol__json_put_text(json, "description", f->meaning);
    if (f->type == IOL_FIELD_TIME && !*f->meaning) iol__json_put_text(json, "description", "seconds since the epoch");
    iol__json_close(json, '}');
}

static void openapi_schema(iol__json *json, const iol__schema *s) {
    const iol__field *fields = iol__fields_of(s);
    bool any = !fields->name;
    iol__json_put_open(json, s->name, '{');
    iol__json_put_text(json, "type", "object");
    iol__json_put_text(json, "description", s->meaning);
    if (!any) {
        iol__json_put_open(json, "required", '[');
        for (const iol__field *f = fields; f->name; f++) iol__json_text(json, f->name);
        iol__json_close(json, ']');
        iol__json_put_open(json, "properties", '{');
        for (const iol__field *f = fields; f->name; f++) openapi_field(json, f);
        iol__json_close(json, '}');
        iol__json_put_bool(json, "additionalProperties", false);
    }
    iol__json_close(json, '}');
}

/* Parameters ------------------------------------------------------------------------------------------------------ */

static void bounds(iol__json *json, const iol__param_row *p) {
    const char *colon = strchr(p->values, ':');
    iol__json_put_i64(json, "minimum", strtoll(p->values, NULL, 10));
    if (colon) iol__json_put_i64(json, "maximum", strtoll(colon + 1, NULL, 10));
}

static void choices(iol__json *json, const char *values) {
    iol__json_put_open(json, "enum", '[');
    for (const char *at = values; *at;) {
        char word[64];
        size_t length = strcspn(at, "|");
        snprintf(word, sizeof word, "%.*s", (int)length, at);
        iol__json_text(json, word);
        at += length + (at[length] == '|');
    }
    iol__json_close(json, ']');
}

static void parameter(iol__json *json, const iol__param_row *p) {
    static const char *const types[] = {"string", "integer", "number", "string", "boolean", "string", "string"};
    iol__json_open(json, '{');
    iol__json_put_text(json, "name", p->name);
    iol__json_put_text(json, "in", p->kind == IOL_PARAM_PATH ? "path" : "query");
    iol__json_put_bool(json, "required", p->kind == IOL_PARAM_PATH);
    iol__json_put_text(json, "description", p->meaning);
    iol__json_put_open(json, "schema", '{');
    iol__json_put_text(json, "type", types[p->kind]);
    if (p->kind == IOL_PARAM_INT && *p->values) bounds(json, p);
    if (p->kind == IOL_PARAM_CHOICE) choices(json, p->values);
    iol__json_close(json, '}');
    iol__json_close(json, '}');
}

/* Answers --------------------------------------------------------------------------------------------------------- */

static void list_schema(iol__json *json, const char *row) {
    iol__json_put_text(json, "type", "object");
    iol__json_put_open(json, "required", '[');
    iol__json_text(json, "items");
    iol__json_text(json, "next");
    iol__json_text(json, "total");
    iol__json_close(json, ']');
    iol__json_put_open(json, "properties", '{');
    iol__json_put_open(json, "items", '{');
    iol__json_put_text(json, "type", "array");
    items(json, row);
    iol__json_close(json, '}');
    iol__json_put_open(json, "next", '{');
    iol__json_put_text(json, "type", "string");
    iol__json_put_bool(json, "nullable", true);
    iol__json_close(json, '}');
    iol__json_put_open(json, "total", '{');
    iol__json_put_text(json, "type", "integer");
    iol__json_put_bool(json, "nullable", true);
    iol__json_close(json, '}');
    iol__json_close(json, '}');
    iol__json_put_bool(json, "additionalProperties", false);
}

static void content(iol__json *json, const char *type, const iol__route *r) {
    iol__json_put_open(json, type, '{');
    iol__json_put_open(json, "schema", '{');
    bool is_json = strcmp(type, "application/json") == 0;
    if (is_json && r->shape == IOL_SHAPE_TABLE)
        list_schema(json, iol__schemas[r->schema].name);
    else if (is_json && r->schema < IOL_SCHEMAS)
        reference(json, iol__schemas[r->schema].name);
    else
        iol__json_put_text(json, "type", is_json ? "object" : "string");
    iol__json_close(json, '}');
    iol__json_close(json, '}');
}

static void refusal(iol__json *json, const char *status, const char *why) {
    iol__json_put_open(json, status, '{');
    iol__json_put_text(json, "description", why);
    iol__json_put_open(json, "content", '{');
    iol__json_put_open(json, "application/json", '{');
    iol__json_put_open(json, "schema", '{');
    reference(json, "ErrorAnswer");
    for (int i = 0; i < 4; i++) iol__json_close(json, '}');
}

static void refusals(iol__json *json, const iol__route *r) {
    const bool anybody = r->roles & IOL_ROLE_ANY, names = strchr(r->path, '{') != NULL;
    refusal(json, "400", "a parameter or the body is not as it has to be");
    if (!anybody) refusal(json, "401", "nobody who is known asks");
    if (!anybody) refusal(json, "403", "who asks may not");
    if (names) refusal(json, "404", "there is none, or none that may be seen");
    refusal(json, "429", "too many of one's questions wait");
    refusal(json, "503", "the store is away, or the answer would take too long");
    refusal(json, "default", "what went wrong");
}

static const char *const proofs[] = {"bearer", "session"};

/* A token, or the cookie that it was exchanged for; nothing where anybody may ask. */
static void security(iol__json *json, const iol__route *r) {
    iol__json_put_open(json, "security", '[');
    for (size_t i = 0; i < IOL_COUNT(proofs) && !(r->roles & IOL_ROLE_ANY); i++) {
        iol__json_open(json, '{');
        iol__json_put_open(json, proofs[i], '[');
        iol__json_close(json, ']');
        iol__json_close(json, '}');
    }
    iol__json_close(json, ']');
}

static void security_schemes(iol__json *json, unsigned port) {
    char cookie[32] = "iolite";
    if (port) snprintf(cookie, sizeof cookie, "iolite_%u", port);
    iol__json_put_open(json, "securitySchemes", '{');
    iol__json_put_open(json, "bearer", '{');
    iol__json_put_text(json, "type", "http");
    iol__json_put_text(json, "scheme", "bearer");
    iol__json_close(json, '}');
    iol__json_put_open(json, "session", '{');
    iol__json_put_text(json, "type", "apiKey");
    iol__json_put_text(json, "in", "cookie");
    iol__json_put_text(json, "name", cookie);
    iol__json_close(json, '}');
    iol__json_close(json, '}');
}

/* What a request holds: a log, unless it is named here. */
static const char *body_type(const iol__route *r) {
    static const char *const json_bodies[] = {"live", "alert_note"};
    for (size_t i = 0; i < IOL_COUNT(json_bodies); i++)
        if (strcmp(r->name, json_bodies[i]) == 0) return "application/json";
    return "application/octet-stream";
}

static void openapi_answers(iol__json *json, const iol__route *r) {
    iol__json_put_open(json, "responses", '{');
    iol__json_put_open(json, "200", '{');
    iol__json_put_text(json, "description", r->summary);
    iol__json_put_open(json, "content", '{');
    if (r->shape == IOL_SHAPE_ONE || r->shape == IOL_SHAPE_TABLE) content(json, "application/json", r);
    if (r->shape == IOL_SHAPE_TABLE) content(json, "text/csv", r);
    if (r->shape == IOL_SHAPE_TABLE) content(json, "application/x-ndjson", r);
    if (r->shape == IOL_SHAPE_TEXT) content(json, "text/plain", r);
    if (r->shape == IOL_SHAPE_FILE)
        content(json, strcmp(r->name, "openapi") == 0 ? "application/json" : "application/octet-stream", r);
    iol__json_close(json, '}');
    iol__json_close(json, '}');
    refusals(json, r);
    iol__json_close(json, '}');
}

static void operation(iol__json *json, const iol__route *r) {
    static const unsigned roles[] = {IOL_ROLE_USER, IOL_ROLE_STAFF, IOL_ROLE_INGEST, IOL_ROLE_LIVE};
    iol__json_put_open(json, strcmp(r->method, "POST") == 0 ? "post" : "get", '{');
    iol__json_put_text(json, "operationId", r->name);
    iol__json_put_text(json, "summary", r->summary);
    iol__json_put_open(json, "x-roles", '[');
    for (size_t i = 0; i < IOL_COUNT(roles); i++)
        if (r->roles & (roles[i] | IOL_ROLE_ANY)) iol__json_text(json, iol__role_name(roles[i]));
    iol__json_close(json, ']');
    security(json, r);
    iol__json_put_open(json, "parameters", '[');
    for (const iol__param_row *p = r->params; p->name; p++) parameter(json, p);
    iol__json_close(json, ']');
    if (strcmp(r->method, "POST") == 0) {
        iol__json_put_open(json, "requestBody", '{');
        iol__json_put_bool(json, "required", true);
        iol__json_put_open(json, "content", '{');
        iol__json_put_open(json, body_type(r), '{');
        for (int i = 0; i < 3; i++) iol__json_close(json, '}');
    }
    openapi_answers(json, r);
    iol__json_close(json, '}');
}

/* Routes with one path stand together. */
static void paths(iol__json *json) {
    iol__json_put_open(json, "paths", '{');
    for (size_t i = 0; i < iol__routes_count; i++) {
        const iol__route *r = &iol__routes[i];
        bool first = r->shape != IOL_SHAPE_PAGE && strncmp(r->path, "/api/", 5) == 0;
        for (size_t k = 0; k < i; k++) first = first && strcmp(iol__routes[k].path, r->path) != 0;
        if (!first) continue;
        iol__json_put_open(json, r->path, '{');
        for (size_t k = i; k < iol__routes_count; k++)
            if (strcmp(iol__routes[k].path, r->path) == 0) operation(json, &iol__routes[k]);
        iol__json_close(json, '}');
    }
    iol__json_close(json, '}');
}

static void error_answer(iol__json *json) {
    iol__json_put_open(json, "ErrorAnswer", '{');
    iol__json_put_text(json, "type", "object");
    iol__json_put_open(json, "required", '[');
    iol__json_text(json, "error");
    iol__json_close(json, ']');
    iol__json_put_open(json, "properties", '{');
    iol__json_put_open(json, "error", '{');
    reference(json, "Error");
    iol__json_close(json, '}');
    iol__json_close(json, '}');
    iol__json_close(json, '}');
}

void iol__serve_openapi(iol__exchange *x) {
    iol__json *json = &x->json;
    x->type = "application/json";
    x->keep = true;
    iol__json_start(json, &x->body, 3);
    iol__json_open(json, '{');
    iol__json_put_text(json, "openapi", "3.0.3");
    iol__json_put_open(json, "info", '{');
    iol__json_put_text(json, "title", "Iolite");
    iol__json_put_text(json, "version", IOLITE_VERSION);
    iol__json_put_text(json, "description", "What the programs of a centre did with its file systems.");
    iol__json_put_open(json, "license", '{');
    iol__json_put_text(json, "name", "BSD-3-Clause");
    iol__json_put_text(json, "url", "https://opensource.org/license/bsd-3-clause");
    iol__json_close(json, '}');
    iol__json_close(json, '}');
    iol__json_put_open(json, "servers", '[');
    iol__json_open(json, '{');
    iol__json_put_text(json, "url", *x->serve->options->prefix ? x->serve->options->prefix : "/");
    iol__json_close(json, '}');
    iol__json_close(json, ']');
    paths(json);
    iol__json_put_open(json, "components", '{');
    security_schemes(json, x->serve->port);
    iol__json_put_open(json, "schemas", '{');
    for (int i = 0; i < IOL_SCHEMAS; i++) openapi_schema(json, &iol__schemas[i]);
    error_answer(json);
    iol__json_close(json, '}');
    iol__json_close(json, '}');
    iol__json_close(json, '}');
    iol__json_finish(json);
}
