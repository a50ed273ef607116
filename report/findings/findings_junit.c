/* Findings as JUnit's XML, which CI services show as tests: a suite per log, a case per finding. A finding of the level at which
   `diagnose` fails, or of WARN and above, is a failure; the others pass. */
#include <math.h>

#include "report/findings/findings.h"
#include "text/text.h"

/* Text of an attribute or element. Characters that XML cannot have, and what is no UTF-8, become U+FFFD. */
static void put_xml(iol__out *out, const char *text) {
    while (text && *text) {
        int32_t code;
        const size_t length = iol__utf8_decode(text, &code);
        const bool never = code < 0 || (code < 32 && code != '\n' && code != '\t') || code == 0xfffe || code == 0xffff;
        if (never)
            iol__out_text(out, "\xef\xbf\xbd");
        else if (code == '<' || code == '>' || code == '&' || code == '"' || code == '\n' || code == '\t')
            iol__out_printf(out, "&#%d;", (int)code);
        else
            iol__out_bytes(out, text, length);
        text += length;
    }
}

void iol__findings_junit_begin(iol__out *out) {
    iol__out_text(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
}
void iol__findings_junit_end(iol__out *out) { iol__out_text(out, "</testsuites>\n"); }

static bool fails(const iol__finding *f, iol__level from) { return f->level != IOL_LEVEL_OK && f->level >= from; }

static void put_case(iol__out *out, const iol__finding *f, iol__level from) {
    iol__out_text(out, "    <testcase classname=\"iolite\" name=\"");
    put_xml(out, f->id);
    iol__out_text(out, "\">\n      ");
    iol__out_text(out, fails(f, from) ? "<failure message=\"" : "<system-out>");
    put_xml(out, f->title);
    if (fails(f, from)) {
        iol__out_text(out, "\">");
        for (size_t i = 0; i < f->n_advice; i++) {
            if (i) iol__out_text(out, "&#10;");
            put_xml(out, f->advice[i].text);
        }
    }
    iol__out_text(out, fails(f, from) ? "</failure>\n    </testcase>\n" : "</system-out>\n    </testcase>\n");
}

void iol__findings_junit(iol__out *out, const iol__diagnosis *d, iol__level from) {
    size_t failures = 0;
    for (size_t i = 0; i < d->n_findings; i++) failures += fails(&d->findings[i], from);
    iol__out_text(out, "  <testsuite name=\"");
    put_xml(out, d->log_name);
    iol__out_printf(out, "\" tests=\"%zu\" failures=\"%zu\" errors=\"0\" time=\"", d->n_findings, failures);
    iol__out_fixed(out, isfinite(d->run_time) && d->run_time > 0 ? d->run_time : 0, 3);
    iol__out_text(out, "\">\n");
    for (size_t i = 0; i < d->n_findings; i++) put_case(out, &d->findings[i], from);
    iol__out_text(out, "  </testsuite>\n");
}

void iol__findings_junit_unreadable(iol__out *out, const char *path, const char *message) {
    iol__out_text(out, "  <testsuite name=\"");
    put_xml(out, path);
    iol__out_text(out, "\" tests=\"1\" failures=\"0\" errors=\"1\">\n    <testcase classname=\"iolite\" "
                       "name=\"readable\">\n      <error message=\"");
    put_xml(out, message);
    iol__out_text(out, "\"/>\n    </testcase>\n  </testsuite>\n");
}
