/* Text for people: names made harmless for a terminal and cut to fit. (Numbers: text/number.h.)
   Names in a log are whatever a program passed to open(): control characters, broken UTF-8, megabytes. */
#ifndef IOL_TEXT_TEXT_H
#define IOL_TEXT_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "text/out.h"

/* Whether the user's locale is UTF-8; asked once, before there are threads that ask. */
bool iol__text_utf8(void);

/* The first character of a NUL-terminated text: its length in bytes. An invalid byte counts as one and gives code -1. */
size_t iol__utf8_decode(const char *text, int32_t *code);
bool iol__utf8_valid(const char *text);
/* Zero-width and direction-changing characters, which can make one name look like another. */
bool iol__text_deceptive(int32_t code);

/* Between these two, text on this thread is made as for a UTF-8 terminal, whatever the locale: for pages and pictures,
   which are UTF-8 everywhere. A machine without such a locale gets escapes instead. They do not nest. */
void iol__text_utf8_begin(void);
void iol__text_utf8_end(void);

/* Whether a name is in a list with commas. */
bool iol__text_listed(const char *list, const char *name);

/* Text as it may be shown: control and direction-changing characters, invalid bytes and the backslash are escaped. */
/* The first character of `length` bytes, which is not plain ASCII: control characters, changes of direction and bytes that
   are no UTF-8 become visible, as \x1b or \u{202e}, in any locale. Returns how many bytes it took. */
size_t iol__out_visible(iol__out *out, const char *text, size_t length);
void iol__out_safe(iol__out *out, const char *text);
/* As it is; on a terminal (iol__out_guard) with its ends of lines and tabs made visible, so that a name cannot look like
   another line. The rest is seen to when it is written. */
void iol__out_name(iol__out *out, const char *text);
/* The same into a buffer, which has room for 4 bytes for each; returns where it ends. */
char *iol__put_name(char *to, const char *text, bool guarded);

/* Program text: the same, but backslashes stay as they are. */
void iol__out_code(iol__out *out, const char *text);
/* A line on standard error, behind `head`. Names of files may have been chosen by others: it stays one line, and control
   characters become visible. */
void iol__complain(const char *head, const char *format, ...) __attribute__((format(printf, 2, 3)));
void iol__vcomplain(const char *head, const char *format, va_list list) __attribute__((format(printf, 2, 0)));

/* The columns that iol__out_safe would use. */
size_t iol__text_columns(const char *text);

typedef enum iol__cut { IOL_CUT_END, IOL_CUT_MIDDLE } iol__cut;

/* The same in at most `columns` columns, with an ellipsis for what is left out. Returns the columns used. */
size_t iol__out_fitted(iol__out *out, const char *text, size_t columns, iol__cut cut);
/* The same in exactly `columns` columns, with spaces after the text, or before it. */
void iol__out_left(iol__out *out, const char *text, size_t columns, iol__cut cut);
void iol__out_right(iol__out *out, const char *text, size_t columns, iol__cut cut);

/* Words in lines of at most `columns` columns, the first of them behind `used` ones that are there already, the others
   behind `indent` spaces. Escaped word by word; a word that is too long is cut. */
void iol__out_wrapped(iol__out *out, size_t columns, size_t indent, size_t used, const char *text);

#endif
