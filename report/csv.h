/* Comma-separated values as RFC 4180 has them, with bare newlines. */
#ifndef IOL_REPORT_CSV_H
#define IOL_REPORT_CSV_H

#include "report/out.h"

/* One text field, quoted where it must be; NULL is an empty field. Bytes stay as they are, for programs that look
   names up. */
void iol__csv_text(iol__out *out, const char *text);
/* The same for sentences with names in them, which people look at too: always UTF-8 and one line, whatever the locale.
   Bytes that are none become U+FFFD, as in JSON; control characters become visible, as \x1b, as in text. */
void iol__csv_words(iol__out *out, const char *text);
/* A number, or an empty field for NaN and infinities. */
void iol__csv_real(iol__out *out, double value);

#endif
