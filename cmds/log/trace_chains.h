/* The chain of callers of a traced request, where a log knows it (record/where.h): as texts, which are made when a chain is first
   asked for. */
#ifndef IOL_CMDS_TRACE_CHAINS_H
#define IOL_CMDS_TRACE_CHAINS_H

#include "cmds/where/symbols.h"
#include "log/trailer/where.h"

typedef struct trace_chain {
    char *line;   /* "rows.c:8 put": the program's own place that made the request; NULL: not known */
    char *frames; /* that and its callers, with " < " between them */
} trace_chain;

typedef struct trace_chains {
    iol__where_all all;
    uint32_t *by_mark; /* number of the chain + 1; 0: there is none, or more than one */
    trace_chain *texts;
    bool known; /* the log has lines of code */
} trace_chains;

/* Names that the log lacks are looked for. False without memory; to be closed in any case. */
bool trace_chains_open(trace_chains *chains, iol_log *log, const source_paths *paths);
void trace_chains_close(trace_chains *chains);
/* Of a request, whose times are afterwards without its mark; NULL if it is not known. */
const trace_chain *trace_chain_of(trace_chains *chains, iol_segment *segment);

#endif
