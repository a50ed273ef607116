/* How a process leaves its records for good, if not in a spool (spool.h). */
#ifndef IOL_RUNTIME_LOGFILE_H
#define IOL_RUNTIME_LOGFILE_H

#include <stdbool.h>
#include <stddef.h>

/* Facts for the end, which spools need as well: times and heat maps are final. */
void iol__log_prepare(double end);
/* A log of its own, where the settings say. False, with a line on standard error, if there is no place at all. The name
   is put into `path`: "" if there is no place, and a spool has the records, or would have had room for them. */
bool iol__log_write(char *path, size_t room);

#endif
