/* One log for the API and for pages: its row in the index, and its file. */
#ifndef IOL_SERVE_LOGS_H
#define IOL_SERVE_LOGS_H

#include "serve/api/parts.h"

typedef struct iol__the_log {
    bool found;
    iol__arena *arena;
    iol__the_log_row row;
    iol__which which;
} iol__the_log;

/* A log by its number. False: the answer is made; not there and not yours are the same. */
bool iol__find_log_number(iol__exchange *x, const char *id, iol__the_log *log);
/* Whether the file that was indexed is still there. False: the answer is made. */
bool iol__log_is_there(iol__exchange *x, const iol__the_log *log, bool *there);

#endif
