/* iolite fleet --export: a data set that can be published. */
#ifndef IOL_CMDS_FLEET_EXPORT_H
#define IOL_CMDS_FLEET_EXPORT_H

#include "cmds/cmd.h"
#include "site/store/store.h"

/* Tables, their description and, with --logs, the logs of a period, into a directory that must be new or empty. */
int export_fleet(const iol__args *args, iol__store *store, int64_t since, int64_t until, const char *directory);

#endif
