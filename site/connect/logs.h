/* What analyses take from logs, with the digits that the text of a log has: six behind the point. Published figures
   were made from that text, and comparing with them needs the same numbers. */
#ifndef IOL_SITE_CONNECT_LOGS_H
#define IOL_SITE_CONNECT_LOGS_H

#include "iolite/log.h"

/* A number as the text of a log shows it. */
double iol__six_digits(double value);
/* One counter by its full name, as in POSIX_F_META_TIME; 0 if the record has none. */
double iol__log_counter(const iol_record *record, const char *name);
/* Name of a module in trees: "posix", "mpiio". */
void iol__module_key(const char *name, char key[32]);
/* Whether a part of a file's layout has objects on its OSTs: a later part of a growing file may have none yet. */
bool iol__component_used(const iol_record *record, const iol_stripes *stripes);

#endif
