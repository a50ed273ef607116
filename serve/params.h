/* Parameters of a request against the table of its route: decoded, each at most once, of the right kind. */
#ifndef IOL_SERVE_PARAMS_H
#define IOL_SERVE_PARAMS_H

#include "serve/exchange.h"

enum { IOL_PARAM_BYTES = 2048 }; /* of one value, decoded */

/* Takes the path's pieces and the query apart into x->params. False, with the answer made, for what is wrong. */
bool iol__params_read(iol__exchange *x, const iol__piece *pieces);
/* Percent signs, and plus signs in a query. NULL: not well formed, not UTF-8, or with a control character. */
char *iol__url_decode(iol__arena *arena, const char *text, size_t length, bool query);
/* The value of one parameter of a query that no route has checked; NULL: not there. */
const char *iol__query_value(iol__arena *arena, const char *query, const char *name);
/* Appends text as part of an address. */
void iol__out_url(iol__out *out, const char *text);

#endif
