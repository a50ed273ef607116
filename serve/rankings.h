/* Rankings for the API and for pages. */
#ifndef IOL_SERVE_RANKINGS_H
#define IOL_SERVE_RANKINGS_H

#include "serve/exchange.h"
#include "site/query/ranking.h"

/* What the request asks for, within what the viewer may see. */
iol__rank_query iol__rank_question(iol__exchange *x, const char *owners[2]);
/* The ranking, and that of the period before if there is one. False: the answer is made. Free both. */
bool iol__rank_both(iol__exchange *x, iol__rank_query *query, iol__ranking *now, iol__ranking *before);
/* What a key had in the period before; 0: nothing; NAN: there is no such period. */
double iol__rank_before(const iol__rank_query *query, const iol__ranking *before, const iol__ranked *one);
/* Seconds instead of microseconds. */
double iol__rank_value(const iol__rank_query *query, int64_t value);

#endif
