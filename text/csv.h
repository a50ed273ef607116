/* Comma-separated values as RFC 4180 has them, with bare newlines. */
#ifndef IOL_TEXT_CSV_H
#define IOL_TEXT_CSV_H

#include "text/out.h"

/* One text field, quoted where it must be; NULL is an empty field. A record is one line, and safe to look at: control
   characters and bytes that are no UTF-8 become visible, as \x1b. JSON has the exact bytes. */
void iol__csv_text(iol__out *out, const char *text);
/* The same for people who open it in a spreadsheet: what would be a formula there stays a text, behind an apostrophe. */
void iol__csv_sheet_text(iol__out *out, const char *text);
/* The same for sentences with names in them; bytes that are no UTF-8 become U+FFFD. */
void iol__csv_words(iol__out *out, const char *text);
/* A number, or an empty field for NaN and infinities. */
void iol__csv_real(iol__out *out, double value);

#endif
