/* The frame of the report: head, the static part, the blocks of data, and the few lines that start the application. */
#include "report/html/html.h"

#include <string.h>

#include "text/escape.h"
#include "report/findings/findings.h"
#include "report/html/html_internal.h"

/* Nothing may be fetched, and no script of elsewhere may run: what a log holds is text even if an escape were
   forgotten. */
static const char head[] =
    "<!doctype html>\n"
    "<html lang=\"en\">\n"
    "<head>\n"
    "<meta charset=\"utf-8\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'unsafe-inline' blob:; "
    "style-src 'unsafe-inline'; img-src data: blob:; worker-src blob:; base-uri 'none'; form-action 'none'\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<meta name=\"color-scheme\" content=\"light dark\">\n";

/* The browser inflates the application itself. If it cannot, the static part says so and stays. */
const char iol__html_loader[] =
    "\n(async () => {\n"
    "  const fail = (why) => {\n"
    "    const note = document.createElement(\"p\");\n"
    "    note.className = \"io-note\";\n"
    "    note.textContent = \"The interactive page could not start (\" + why + \"). The figures below are complete \" "
    "+\n"
    "      \"in themselves.\";\n"
    "    document.getElementById(\"iolite-static\")?.prepend(note);\n"
    "  };\n"
    "  try {\n"
    "    const packed = Uint8Array.from(atob(document.getElementById(\"iolite-app\").textContent),\n"
    "      (letter) => letter.charCodeAt(0));\n"
    "    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream(\"gzip\"));\n"
    "    const script = document.createElement(\"script\");\n"
    "    script.textContent = await new Response(stream).text();\n"
    "    document.body.append(script);\n"
    "  } catch (error) {\n"
    "    fail(String(error));\n"
    "  }\n"
    "})();\n";

/* JSON inside a script element: '<' occurs in texts only, where it may as well be written as an escape, so that no
   text can end the element or open a comment. */
static void plain_block(iol__out *out, const char *id, const iol__out *json) {
    iol__out_printf(out, "<script type=\"application/json\" id=\"%s\">", id);
    const char *at = json->buffer, *end = at + json->length;
    while (at < end) {
        const char *bracket = memchr(at, '<', (size_t)(end - at));
        size_t plain = (size_t)((bracket ? bracket : end) - at);
        iol__out_bytes(out, at, plain);
        if (bracket) iol__out_text(out, "\\u003c");
        at += plain + (bracket != NULL);
    }
    iol__out_text(out, "</script>\n");
}

static void packed_block(iol__out *out, const char *id, iol__out *raw) {
    iol__out_printf(out, "<script type=\"text/plain\" id=\"%s\">", id);
    iol__html_packed(out, raw);
    iol__out_text(out, "</script>\n");
}

static void diagnosis_block(iol__out *out, const iol__diagnosis *diagnosis) {
    iol__out text;
    iol__json json;
    iol__out_open(&text, -1);
    iol__json_start(&json, &text, 0);
    iol__findings_json(&json, diagnosis);
    plain_block(out, "iolite-diagnosis", &text);
    iol__out_close(&text);
}

static void page_block(iol__out *out, const iol__page *page) {
    iol__out text;
    iol__json json;
    iol__out_open(&text, -1);
    iol__json_start(&json, &text, 0);
    iol__page_json(&json, page);
    packed_block(out, "iolite-page", &text);
    iol__out_close(&text);
}

static void trace_block(iol__out *out, const iol__page *page) {
    iol__out columns;
    iol__out_open(&columns, -1);
    if (iol__page_trace(page, &columns)) packed_block(out, "iolite-trace", &columns);
    iol__out_close(&columns);
}

static void app_block(iol__out *out) {
    iol__out_text(out, "<script type=\"text/plain\" id=\"iolite-app\">");
    iol__html_base64(out, iol__web_app, iol__web_app_length);
    iol__out_text(out, "</script>\n<script>");
    iol__out_text(out, iol__html_loader);
    iol__out_text(out, "</script>\n");
}

void iol__html(iol__out *out, const iol__page *page, const iol__diagnosis *diagnosis) {
    char program[IOL_PROGRAM_NAME];
    iol__out_text(out, head);
    iol__out_text(out, "<title>");
    iol__html_text(out, iol__page_program(diagnosis->exe, program));
    if (diagnosis->job_id_known) iol__out_printf(out, ", job %lld", (long long)diagnosis->job_id);
    iol__out_text(out, ": I/O report</title>\n<style>");
    iol__out_bytes(out, iol__web_style, iol__web_style_length);
    iol__out_text(out, "</style>\n</head>\n<body>\n<main id=\"iolite-static\">\n");
    iol__html_static(out, page, diagnosis);
    iol__out_text(out, "</main>\n");
    diagnosis_block(out, diagnosis);
    page_block(out, page);
    trace_block(out, page);
    app_block(out);
    iol__out_text(out, "</body>\n</html>\n");
}
