/* What the files of the report share. */
#ifndef IOL_REPORT_HTML_INTERNAL_H
#define IOL_REPORT_HTML_INTERNAL_H

#include "report/html/html.h"

/* The application and its style as the build embeds them: a gzip stream, and text. */
extern const unsigned char iol__web_app[], iol__web_style[];
extern const size_t iol__web_app_length, iol__web_style_length;

/* The few lines that start the application, as they stand inside of their element. */
extern const char iol__html_loader[];

/* The figures that are there without a script: the inside of <main>. */
void iol__html_static(iol__out *out, const iol__page *page, const iol__diagnosis *diagnosis);

/* Bytes as base64. */
void iol__html_base64(iol__out *out, const void *bytes, size_t length);
/* The same of the zlib stream of what `raw` holds, which is spent with that. */
void iol__html_packed(iol__out *out, iol__out *raw);

/* Text of a log for people: escaped, on one line, and cut in the middle if it is endless. */
void iol__html_text(iol__out *out, const char *text);

#endif
