/* Fields of comma-separated values. */
#include "report/csv.h"

#include <math.h>

void iol__csv_text(iol__out *out, const char *text) {
    if (!text) return;
    if (!text[strcspn(text, ",\"\r\n")]) {
        iol__out_text(out, text);
        return;
    }
    iol__out_char(out, '"');
    for (size_t part; *text; text += part) {
        part = strcspn(text, "\"");
        if (text[part] == '"') part++;
        iol__out_bytes(out, text, part);
        if (text[part - 1] == '"') iol__out_char(out, '"');
    }
    iol__out_char(out, '"');
}

void iol__csv_real(iol__out *out, double value) {
    if (isfinite(value)) iol__out_double(out, value);
}
