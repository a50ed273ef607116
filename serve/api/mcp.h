/* What comes before a message of an assistant is looked at. */
#ifndef IOL_SERVE_API_MCP_H
#define IOL_SERVE_API_MCP_H

#include "serve/exchange.h"

/* Whether the page that asks, if it is one, is of this server. */
bool iol__origin_is_ours(const iol__exchange *x);

#endif
