/* Comma-separated values as RFC 4180 has them, with bare newlines. Bytes stay as they are: CSV is for programs. */
#ifndef IOL_REPORT_CSV_H
#define IOL_REPORT_CSV_H

#include "report/out.h"

/* One text field, quoted where it must be; NULL is an empty field. */
void iol__csv_text(iol__out *out, const char *text);
/* A number, or an empty field for NaN and infinities. */
void iol__csv_real(iol__out *out, double value);

#endif
