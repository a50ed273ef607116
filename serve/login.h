/* Sessions of browsers. */
#ifndef IOL_SERVE_LOGIN_H
#define IOL_SERVE_LOGIN_H

#include "serve/exchange.h"

/* The session in this server's cookie; NULL: none. */
const char *iol__login_session(iol__exchange *x);
/* Makes a session for a token and sends the browser to a path below the prefix. False: the token is wrong, and the answer
   says so. */
bool iol__login_with(iol__exchange *x, const char *token, const char *to);

#endif
