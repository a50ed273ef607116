/* How many servers the Lustre file systems of a job have. In a finished log that is the trailer section LUST, one JSON
   object; a mapped file has it among the facts of its process. */
#ifndef IOL_LOG_LUSTRE_H
#define IOL_LOG_LUSTRE_H

#include <stdio.h>

#include "iolite/log.h"
#include "record/mapped.h"

#define IOL_TAG_LUSTRE "LUST"

enum { IOL_LUSTRE_MOST = 16 };

typedef struct iol__lustre_list {
    size_t count;
    iol__lustre_total of[IOL_LUSTRE_MOST];
} iol__lustre_list;

/* Adds those of this log that are not there yet. What cannot be understood is passed over and noted in the log. */
void iol__lustre_add(iol_log *log, iol__lustre_list *list);
/* The content of LUST. */
void iol__lustre_print(FILE *to, const iol__lustre_list *list);

#endif
