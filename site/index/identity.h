/* Who a log is, whatever its file is called and however it is compressed: a 128-bit hash of its job record, command line,
   modules, names of files and sums of counters. */
#ifndef IOL_SITE_IDENTITY_H
#define IOL_SITE_IDENTITY_H

#include "iolite/log.h"

/* `sums` is the hash of all records that a diagnosis has. */
void iol__identity_of(iol_log *log, const char *sums, char identity[33]);

#endif
