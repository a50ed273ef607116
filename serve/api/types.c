/* The table of answers as types of TypeScript, for the portal: web/src/portal/answers.ts. */
#include <string.h>

#include "serve/serve.h"

static const char *simple_type(const iol__field *f) {
    if (strcmp(f->name, "log_id") == 0) return "LogId";
    switch (f->type) {
    case IOL_FIELD_TEXT: return "string";
    case IOL_FIELD_INT:
    case IOL_FIELD_REAL:
    case IOL_FIELD_TIME: return "number";
    case IOL_FIELD_FLAG: return "boolean";
    case IOL_FIELD_OBJECT: return f->of;
    case IOL_FIELD_MAP: return "Record<string, unknown>";
    default: return "unknown";
    }
}

static const char *item_type(const char *of) {
    if (*of >= 'A' && *of <= 'Z') return of;
    if (strncmp(of, "maybe_", 6) == 0) return "(number | null)";
    return strcmp(of, "text") == 0 ? "string" : strcmp(of, "any") == 0 ? "unknown" : "number";
}

static void put_interface(iol__out *out, const iol__schema *schema) {
    const iol__field *fields = iol__fields_of(schema);
    if (!fields->name) return;
    iol__out_printf(out, "\n/** %s */\nexport interface %s {\n", schema->meaning, schema->name);
    for (const iol__field *f = fields; f->name; f++) {
        if (f->type == IOL_FIELD_ARRAY)
            iol__out_printf(out, "    %s: %s[]", f->name, item_type(f->of));
        else
            iol__out_printf(out, "    %s: %s", f->name, simple_type(f));
        iol__out_printf(out, "%s;\n", f->maybe ? " | null" : "");
    }
    iol__out_text(out, "}\n");
}

static const char *kind_of(const iol__column *column) {
    if (column->type == IOL_TYPE_TEXT) return "text";
    if (column->type == IOL_TYPE_WHEN) return "when";
    if (column->type == IOL_TYPE_TIME) return "seconds";
    return column->unit == IOL_SHOWN_BYTES ? "bytes" : column->unit == IOL_SHOWN_SHARE ? "share" : "count";
}

/* Columns with PORTAL in site/store/schema.def. */
static void put_job_columns(iol__out *out) {
    const iol__column *columns[IOL_WIDEST];
    const size_t count = iol__job_shown(IOL_VIEW_PORTAL, columns);
    iol__out_text(out, "\n/** Columns of the list of jobs, in order. */\n"
                       "export interface JobColumn {\n"
                       "    key: keyof Job;\n"
                       "    label: string;\n"
                       "    kind: \"text\" | \"when\" | \"seconds\" | \"bytes\" | \"share\" | \"count\";\n"
                       "    /** Shown unless others are chosen. */\n"
                       "    usual: boolean;\n"
                       "}\n\nexport const jobColumns: JobColumn[] = [\n");
    for (size_t i = 0; i < count; i++)
        iol__out_printf(out, "    { key: \"%s\", label: \"%s\", kind: \"%s\", usual: %s },\n", columns[i]->api.name,
                        columns[i]->portal.name, kind_of(columns[i]),
                        columns[i]->portal.order < IOL_PORTAL_CHOSEN ? "true" : "false");
    iol__out_text(out, "];\n");
}

void iol__serve_types(iol__out *out) {
    iol__out_text(
        out,
        "// What the server answers, made from serve/api/schemas.def and site/store/schema.def: ./dev docs writes it "
        "again.\n\n"
        "/** Numbers of logs have up to nineteen digits, more than a number of JavaScript holds. */\n"
        "export type LogId = string;\n");
    for (int i = 0; i < IOL_SCHEMAS; i++) put_interface(out, &iol__schemas[i]);
    put_job_columns(out);
}
