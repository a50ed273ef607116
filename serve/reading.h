/* Work on whole logs, of which only so much goes on at a time. */
#ifndef IOL_SERVE_READING_H
#define IOL_SERVE_READING_H

#include "serve/exchange.h"

/* False, with the answer made, if there is too much of it already. */
bool iol__reading_begin(iol__exchange *x);
void iol__reading_end(iol__exchange *x);
/* A log by its number, if the viewer may see it; it is closed at the end of the step. False: the answer is made. */
bool iol__open_log_number(iol__exchange *x, const char *id, iol_log **log);
/* The file of a log, if the viewer may see it, to be closed by the caller; -1: the answer is made. */
int iol__log_file_number(iol__exchange *x, const char *id, size_t *length);
/* The log in the body. False: the answer is made. */
bool iol__open_body(iol__exchange *x, const char *name, iol_log **log);
/* The policy of a report: its own scripts and its own style by their hashes, and nothing else. */
const char *iol__html_policy(iol__arena *arena);

#endif
