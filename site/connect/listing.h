/* Listings that a client of Lustre prints, alone or as the blocks of a day: "BEGIN <epoch>", then the listing. */
#ifndef IOL_SITE_CONNECT_LISTING_H
#define IOL_SITE_CONNECT_LISTING_H

#include "site/connect/connect.h"

/* Add what a line says; false if it is of another kind. */
typedef bool iol__listing_line(iol__request *request, char *line, iol__value *into);
/* {fs: {target: ...}}, or {epoch: {fs: {target: ...}}} for a day. Without a line of this form it is refused; a listing whose
   last line has no end is partial. */
iol_status iol__listing_read(iol__request *request, iol__listing_line *take, const char *form, iol__value **out);
/* A value for a target; one that was there is counted as a duplicate. */
void iol__listing_put(iol__request *request, iol__value *into, const char *fs, const char *target, iol__value *value);

#endif
