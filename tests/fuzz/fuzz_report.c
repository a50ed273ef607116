/* The fuzzer of the report: a log with any values in it gives a page document whose braces match, and static HTML in
   which no text of the log is markup. */
#include <stdlib.h>
#include <string.h>

#include "report/html/html_internal.h"
#include "tests/fuzz/diagnosed.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Outside of texts, brackets are balanced and nothing is said that JSON has no word for. */
static void check_json(const iol__out *out) {
    size_t depth = 0;
    bool inside = false;
    for (size_t i = 0; i < out->length; i++) {
        char c = out->buffer[i];
        if (inside && c == '\\') {
            i++;
        } else if (c == '"') {
            inside = !inside;
        } else if (!inside) {
            if (c == '{' || c == '[') depth++;
            if ((c == '}' || c == ']') && depth-- == 0) abort();
            if (c == 'N' || c == 'i' || c == 'I') abort(); /* NaN, inf */
        } else if ((unsigned char)c < 0x20) {
            abort();
        }
    }
    if (depth || inside) abort();
}

/* The static part has no scripts, no handlers and no images of its own. */
static void check_html(const iol__out *out) {
    static const char *const never[] = {"<script", "<img", "<!--", "</main", "<a "};
    for (size_t i = 0; i < sizeof never / sizeof *never; i++)
        if (memmem(out->buffer, out->length, never[i], strlen(never[i]))) abort();
}

static void report(iol_log *log, const iol__diagnosis *diagnosis) {
    iol__page_options options = {.files = 50, .requests = 1000, .version = "0"};
    iol__page *page = iol__page_make(log, diagnosis, &options);
    if (!page) return;
    iol__out out;
    iol__json json;
    iol__out_open(&out, -1);
    iol__json_start(&json, &out, 0);
    iol__page_json(&json, page);
    check_json(&out);
    out.length = 0;
    iol__html_static(&out, page, diagnosis);
    check_html(&out);
    out.length = 0;
    iol__page_trace(page, &out);
    iol__out_close(&out);
    iol__page_free(page);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    diagnose_bytes(data, size, true, report);
    return 0;
}
