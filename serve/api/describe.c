/* The table of routes as a page of the documentation. */
#include <ctype.h>
#include <string.h>

#include "base/count.h"
#include "serve/serve.h"

static void roles_of(iol__out *out, unsigned roles) {
    static const unsigned all[] = {IOL_ROLE_USER, IOL_ROLE_STAFF, IOL_ROLE_INGEST, IOL_ROLE_LIVE};
    bool first = true;
    if (roles & IOL_ROLE_ANY) iol__out_text(out, "anybody");
    for (size_t i = 0; i < IOL_COUNT(all) && !(roles & IOL_ROLE_ANY); i++) {
        if (!(roles & all[i])) continue;
        iol__out_printf(out, "%s%s", first ? "" : ", ", iol__role_name(all[i]));
        first = false;
    }
}

/* Bars end a cell of a table. */
static void describe_values_of(iol__out *out, const iol__param_row *p) {
    static const char *const kinds[] = {"text", "whole number", "number", "time", "0 or 1", "", "in the path"};
    iol__out_text(out, kinds[p->kind]);
    for (const char *c = p->values; p->kind == IOL_PARAM_CHOICE && *c; c++) {
        if (*c == '|')
            iol__out_text(out, ", ");
        else
            iol__out_char(out, *c);
    }
    const char *colon = strchr(p->values, ':');
    if (p->kind == IOL_PARAM_INT && colon && strlen(colon) < 12)
        iol__out_printf(out, ", %.*s to %s", (int)(colon - p->values), p->values, colon + 1);
}

/* Anchors of headings have no capital letters. */
static void link_to(iol__out *out, const char *schema) {
    iol__out_printf(out, " of [%s](#", schema);
    for (const char *c = schema; *c; c++) iol__out_char(out, (char)tolower((unsigned char)*c));
    iol__out_char(out, ')');
}

static void route(iol__out *out, const iol__route *r) {
    static const char *const shapes[] = {"an object", "a table", "a file", "text", "a page"};
    iol__out_printf(out, "\n### `%s %s`\n\n%s. For ", r->method, r->path, r->summary);
    roles_of(out, r->roles);
    iol__out_printf(out, "; %s", shapes[r->shape]);
    if (r->schema < IOL_SCHEMAS && iol__fields_of(&iol__schemas[r->schema])->name)
        link_to(out, iol__schemas[r->schema].name);
    iol__out_text(out, ".\n");
    if (r->params->name) iol__out_text(out, "\n| parameter | values | meaning |\n|---|---|---|\n");
    for (const iol__param_row *p = r->params; p->name; p++) {
        iol__out_printf(out, "| `%s` | ", p->name);
        describe_values_of(out, p);
        iol__out_printf(out, " | %s |\n", p->meaning);
    }
}

static void describe_schema(iol__out *out, const iol__schema *s) {
    static const char *const types[] = {"text",   "integer", "number", "time", "boolean",
                                        "object", "array",   "object", "any"};
    const iol__field *fields = iol__fields_of(s);
    if (!fields->name) return;
    iol__out_printf(out, "\n### %s\n\n%s\n\n| key | type | meaning |\n|---|---|---|\n", s->name, s->meaning);
    for (const iol__field *f = fields; f->name; f++) {
        iol__out_printf(out, "| `%s` | %s", f->name, types[f->type]);
        const bool some = strncmp(f->of, "maybe_", 6) == 0;
        if (*f->of) iol__out_printf(out, some ? " of %s, some null" : " of %s", f->of + (some ? 6 : 0));
        iol__out_printf(out, "%s | %s |\n", f->maybe ? " or null" : "", f->meaning);
    }
}

void iol__serve_describe(iol__out *out) {
    iol__out_text(
        out,
        "# What the server answers\n\nThis page is made from serve/api/routes.def and serve/api/schemas.def. [serve.md]"
        "(serve.md) says what holds for all of them.\n\n## The API\n");
    for (size_t i = 0; i < iol__routes_count; i++)
        if (strncmp(iol__routes[i].path, "/api/", 5) == 0) route(out, &iol__routes[i]);
    iol__out_text(out, "\n## Pages\n");
    for (size_t i = 0; i < iol__routes_count; i++)
        if (strncmp(iol__routes[i].path, "/api/", 5) != 0) route(out, &iol__routes[i]);
    iol__out_text(out, "\n## Objects\n");
    for (int i = 0; i < IOL_SCHEMAS; i++) describe_schema(out, &iol__schemas[i]);
}
