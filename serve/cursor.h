/* Where a page of a list ended: the values of its last row, signed together with the question and with who asked, so that
   nobody can make one up or use another's. */
#ifndef IOL_SERVE_CURSOR_H
#define IOL_SERVE_CURSOR_H

#include "serve/exchange.h"

enum { IOL_CURSOR_VALUES = 8 };

/* The text for `next`, in the exchange's arena. */
const char *iol__cursor_make(iol__exchange *x, const iol__cell *values, size_t count);
/* The values of the cursor that came with the request; 0 if there is none. -1 with the answer made if it is wrong. */
int iol__cursor_read(iol__exchange *x, iol__cell values[IOL_CURSOR_VALUES]);

#endif
