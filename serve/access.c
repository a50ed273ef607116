/* Decisions about who sees what. No other file compares roles or owners. */
#include "serve/access.h"

#include <pwd.h>
#include <stdio.h>
#include <string.h>

#include "text/text.h"

enum { SMALL = 5 }; /* numbers below it could point at somebody */

bool iol__access_trusts(const iol__trust *trust, const iol__peer *peer) {
    bool known = peer->local;
    for (size_t i = 0; i < trust->n_proxy_addresses; i++)
        known = known || strcmp(trust->proxy_addresses[i], peer->address) == 0;
    return known;
}

bool iol__access_proxied(const iol__trust *trust, const iol__peer *peer) {
    return trust->proxy_header && iol__access_trusts(trust, peer);
}

static bool is_name(const char *name) {
    size_t length = strlen(name);
    if (!length || length >= IOL_USER_NAME || !iol__utf8_valid(name)) return false;
    for (const unsigned char *c = (const unsigned char *)name; *c; c++)
        if (*c <= ' ' || *c == 127) return false;
    return strncmp(name, "uid:", 4) != 0;
}

/* Logs whose file name does not tell the user are kept under the user's number. */
static void find_number(iol__viewer *viewer) {
    char room[4096];
    struct passwd entry, *found = NULL;
    if (getpwnam_r(viewer->user, &entry, room, sizeof room, &found) == 0 && found)
        snprintf(viewer->number, sizeof viewer->number, "uid:%lu", (unsigned long)found->pw_uid);
}

bool iol__access_user(const iol__trust *trust, const char *name, iol__viewer *viewer) {
    *viewer = (iol__viewer){0};
    if (!is_name(name)) return false;
    memcpy(viewer->user, name, strlen(name) + 1);
    viewer->role = IOL_ROLE_USER;
    for (size_t i = 0; i < trust->n_staff; i++)
        if (strcmp(trust->staff[i], name) == 0) viewer->role = IOL_ROLE_STAFF;
    find_number(viewer);
    return true;
}

bool iol__access_route(const iol__viewer *viewer, const iol__route *route) {
    return (route->roles & IOL_ROLE_ANY) || (viewer->role & route->roles);
}

bool iol__access_all(const iol__viewer *viewer) { return viewer->role == IOL_ROLE_STAFF; }

size_t iol__access_owners(const iol__viewer *viewer, const char *owners[2]) {
    if (iol__access_all(viewer)) return 0;
    owners[0] = viewer->role == IOL_ROLE_USER ? viewer->user : "";
    owners[1] = viewer->number;
    return *viewer->number ? 2 : 1;
}

bool iol__access_owner(const iol__viewer *viewer, const char *owner) {
    const char *owners[2];
    if (iol__access_all(viewer)) return true;
    size_t n = iol__access_owners(viewer, owners);
    for (size_t i = 0; i < n; i++)
        if (*owners[i] && owner && strcmp(owner, owners[i]) == 0) return true;
    return false;
}

void iol__access_rows(const iol__viewer *viewer, iol__sql *sql, const char *column) {
    const char *owners[2];
    size_t n = iol__access_owners(viewer, owners);
    if (!n) return;
    iol__sql_and(sql);
    iol__sql_add(sql, n == 2 ? "%s IN (?, ?)" : "%s = ?", column);
    for (size_t i = 0; i < n; i++) iol__sql_value(sql, iol__text(owners[i]));
}

int64_t iol__access_count(const iol__viewer *viewer, int64_t count) {
    if (iol__access_all(viewer)) return count;
    return count < SMALL ? -1 : count - count % SMALL;
}
