/* The view over all jobs as a document: `iolite fleet --json` prints it, the server answers with it. */
#ifndef IOL_SITE_FLEET_JSON_H
#define IOL_SITE_FLEET_JSON_H

#include "site/query/fleet.h"
#include "text/json.h"

extern const char *const iol__fleet_interfaces[3];
extern const char *const iol__fleet_metrics[IOL_METRICS];

/* The interface that a rule or code is about; -1: none. "mpiio.absent" is about logs without the interface. */
int iol__fleet_interface(const char *id);
/* Logs with the native finding of the same name. */
int64_t iol__fleet_native(const iol__fleet *fleet, const char *id);
/* As one value; `compat`: with the codes of the compatible mode. */
void iol__fleet_json(iol__json *json, const iol__fleet *fleet, bool native, bool compat);

#endif
