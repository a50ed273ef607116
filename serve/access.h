/* Access: who may see what. Every decision is made here, and the default is no.

     user    own jobs and logs in full; file systems as a whole; of others' jobs a number, in steps of five
     staff   everything
     ingest  hands logs in, and sees nothing
     live    a node: tells what runs on it, and sees nothing but which jobs people look at there

   What a user may not see is answered as what does not exist. */
#ifndef IOL_SERVE_ACCESS_H
#define IOL_SERVE_ACCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "serve/api/routes.h"
#include "site/query/sql.h"

enum { IOL_USER_NAME = 128 };

typedef struct iol__viewer {
    unsigned role; /* one of IOL_ROLE_*; 0: nobody */
    char user[IOL_USER_NAME];
    char number[32]; /* "uid:1234", as logs without a name have it; "" where the system does not know the user */
} iol__viewer;

/* Where a connection comes from. */
typedef struct iol__peer {
    bool local; /* over a Unix socket */
    char address[64];
} iol__peer;

/* How the server knows people; see tokens.h for the rest. */
typedef struct iol__trust {
    const char *proxy_header;           /* NULL: no proxy is trusted */
    const char *const *proxy_addresses; /* from which it counts, beside a Unix socket */
    size_t n_proxy_addresses;
    const char *const *staff; /* names of users */
    size_t n_staff;
} iol__trust;

/* Whether a connection is that of a proxy that we trust: over a Unix socket, or from an address that was named. */
bool iol__access_trusts(const iol__trust *trust, const iol__peer *peer);
/* Whether the header of a proxy counts on this connection. */
bool iol__access_proxied(const iol__trust *trust, const iol__peer *peer);
/* A user by name: the role is staff for those listed, else user. False if the text is not a name. */
bool iol__access_user(const iol__trust *trust, const char *name, iol__viewer *viewer);
/* Whether this role may use a route at all. */
bool iol__access_route(const iol__viewer *viewer, const iol__route *route);
/* Whether an object of this owner may be shown. */
bool iol__access_owner(const iol__viewer *viewer, const char *owner);
/* Adds the condition that rows are of somebody whom the viewer may see. */
void iol__access_rows(const iol__viewer *viewer, iol__sql *sql, const char *column);
/* Names under which the viewer's own objects are kept; 0: no limit. At most 2. */
size_t iol__access_owners(const iol__viewer *viewer, const char *owners[2]);
/* A number of others' jobs as the viewer may know it; -1: not at all. */
int64_t iol__access_count(const iol__viewer *viewer, int64_t count);
/* Whether all is open: names of others, causes, paths of files. */
bool iol__access_all(const iol__viewer *viewer);

#endif
