/* Answers of servers over HTTP and HTTPS, through libcurl, which is loaded when it is needed. Servers may hang, answer
   rubbish or a gigabyte: time and size are bounded. */
#ifndef IOL_SITE_CONNECT_HTTP_H
#define IOL_SITE_CONNECT_HTTP_H

#include "site/connect/feed.h"
#include "site/curl.h"

enum { IOL__HTTP_SECONDS = 30 };

/* Whom to say that we are; anything may be NULL. Secrets are never shown. */
typedef struct iol__http_secrets {
    const char *token;           /* of a bearer */
    const char *user, *password; /* basic authentication */
    const char *header;          /* one more header, "X-Scope-OrgID: site" */
    const char *socket;          /* of a server on this machine that listens there */
} iol__http_secrets;

bool iol__is_url(const char *text);
/* Whether an address, of any kind, has a password in it. Such a one is refused, and must not be shown. */
bool iol__url_tells_password(const char *text);
/* GET; the answer's body, whatever its status is, with the status in `*code`. An answer that breaks off gives IOL_OK with
   what came of it, and says so in `why`. */
iol_status iol__http_get(const char *url, const iol__http_secrets *secrets, iol__feed *answer, long *code,
                         char why[400]);
/* POST of a JSON document, else the same. */
iol_status iol__http_post(const char *url, const char *document, const iol__http_secrets *secrets, iol__feed *answer,
                          long *code, char why[400]);

#endif
