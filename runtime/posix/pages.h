/* Pages of memory maps that were read from storage. No call says so: from the first map of a file on, the kernel's count of
   major page faults, and the time in which the process did not compute, are compared with those at the end. */
#ifndef IOL_RUNTIME_PAGES_H
#define IOL_RUNTIME_PAGES_H

#include "record/mapped.h"

/* A file was mapped. */
void iol__pages_watch(void);
/* In a forked child, whose counts begin again. */
void iol__pages_reset(void);
/* Since the first map; nothing if there was none. Keeps errno. */
void iol__pages_total(iol__operation *total);

#endif
