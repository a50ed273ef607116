/* Which modules a log has only in part because the log that it was made from was damaged: the trailer section CUTS, one
   name per line. The partial flag alone cannot be distinguished from that of a program that ran out of memory. */
#ifndef IOL_LOG_CUTS_H
#define IOL_LOG_CUTS_H

#include "iolite/log.h"

#define IOL_TAG_CUTS "CUTS"

/* Bit s: slot s was cut before this log was made. */
uint64_t iol__cuts_of(iol_log *log);
/* Nothing for 0. Unassigned slots have no name, and are not written. */
iol_status iol__cuts_write(iol_writer *writer, uint64_t slots);

#endif
