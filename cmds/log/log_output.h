/* What commands share that print the records of one log or several in one of many forms (dump, trace): the output, the
   filters, and the walk over the logs. */
#ifndef IOL_CMDS_LOG_OUTPUT_H
#define IOL_CMDS_LOG_OUTPUT_H

#include "cmds/cmd.h"
#include "cmds/log/filter.h"
#include "report/progress.h"
#include "text/json.h"
#include "text/out.h"

typedef struct log_output {
    iol__out out;
    iol__out before, after; /* the parts of a line that are the same on all lines of a record */
    iol__json json;
    iol__filter filter;
    iol__progress progress;
    bool several; /* more than one log was given */
    iol_log *log; /* the one at hand */
} log_output;

/* One JSON document, with members of the first `depth` levels on lines of their own; a list of them for several logs. */
void log_output_json(log_output *to, int depth);
void log_output_json_end(log_output *to);
/* A JSON document per line; each ends with iol__json_finish. */
void log_output_lines(log_output *to);

/* What the walk calls with its context. */
typedef struct log_walk {
    void (*start)(void *context);
    void (*log)(void *context); /* log_output.log is open */
    void (*unreadable)(void *context, const char *path, const iol_error *error);
    void (*finish)(void *context);
} log_walk;

/* At the end of a log: its output is out before anything is said about it. */
void log_output_log_end(log_output *to);

/* All logs that were given, with the filter set. The worst exit status. */
int log_output_walk(log_output *to, const iol__args *args, const log_walk *walk, void *context);

#endif
