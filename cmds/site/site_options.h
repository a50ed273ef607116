/* What the commands about a centre share: which store, which site file, which period. */
#ifndef IOL_CMDS_SITE_OPTIONS_H
#define IOL_CMDS_SITE_OPTIONS_H

#include "cmds/cmd.h"
#include "site/site.h"
#include "site/store/store.h"
#include "text/sheet.h"

/* --store, else IOLITE_STORE, else NULL: the usual place. */
const char *store_url(const iol__args *args);
/* False with a message. */
bool open_site(const iol__args *args, iol__site **site);
/* EXIT_DONE, or the status to end with after a message. */
int open_store(const char *url, iol__store_mode mode, iol__store **store);
/* What the store has to say about a failure; EXIT_TROUBLE. */
int store_trouble(const iol__store *store);

/* A day, month or year as a number of days, 20261231: the first day for --since, the last for --until; 0 if it is not
   given. False if the text is not a date. */
bool read_day(const iol__args *args, int option, int64_t *day);

/* What a column of the store is in a table for other programs. */
iol__sheet_kind sheet_kind_of(iol__column_type type);

#endif
