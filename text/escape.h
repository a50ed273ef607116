/* Text from a log inside markup. One escaping serves element content and quoted attributes, in HTML and in XML: what is
   markup becomes an entity; what a reader could not see, or should not obey (control characters, changes of direction,
   bytes that are no UTF-8, what XML forbids), becomes visible, as \x1b or \u{202e}. Line ends and tabs stay. */
#ifndef IOL_TEXT_ESCAPE_H
#define IOL_TEXT_ESCAPE_H

#include <stddef.h>

#include "text/out.h"

void iol__out_markup(iol__out *out, const char *text);
/* The same for text that no NUL ends; one inside it becomes visible too. */
void iol__out_markup_bytes(iol__out *out, const char *text, size_t length);

#endif
