/* The last step of an answer: marks by which a client knows that nothing has changed, and compression. */
#ifndef IOL_SERVE_FINISH_H
#define IOL_SERVE_FINISH_H

#include "serve/exchange.h"

void iol__finish(iol__exchange *x);
/* Whether the header Accept-Encoding wants gzip. */
bool iol__takes_gzip(const char *header);
/* An error as a page. */
void iol__page_error(iol__exchange *x, int status, const char *message);

#endif
