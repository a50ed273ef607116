/* The same with recording switched off: then nobody looks at all.
   NEEDS libaio.h liburing.h
   LINK -laio -luring
   ENV IOLITE_DISABLE=1
   LOGS 0 */
#include "tests/hazards/queues_bad_memory.c"
