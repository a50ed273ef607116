/* How busy OSTs and their servers were with the files of logs, and how long that took: the number of records (file and
   rank) on each, and the distribution of their time in I/O. */
#ifndef IOL_SITE_ANALYZE_OCCUPANCY_H
#define IOL_SITE_ANALYZE_OCCUPANCY_H

#include "text/out.h"
#include "site/analyze/numbers.h"
#include "site/analyze/striped.h"
#include "site/connect/value.h"

/* An OST or a server. */
typedef struct iol__busy {
    const char *name;
    double *times; /* sorted */
    size_t count;
    iol__value *osts; /* numbers as text, each once */
    iol__five five;
    bool slow;       /* its median is far beyond what others need */
    bool overloaded; /* a server that held more OSTs than others: it had taken some over */
} iol__busy;

typedef struct iol__occupancy {
    iol__busy *osts, *servers;
    size_t n_osts, n_servers;
    iol__five all;
} iol__occupancy;

/* `map`: listings of `lctl dl -t` with this file system, or NULL; each log is looked up in the listing of its time. */
iol__occupancy iol__occupancy_of(iol__arena *arena, const iol__striped *files, const iol__value *map, const char *fs);
iol__value *iol__occupancy_tree(iol__arena *arena, const iol__occupancy *is);
void iol__occupancy_text(iol__out *out, const iol__occupancy *is);
void iol__occupancy_svg(iol__out *out, const iol__occupancy *is);

#endif
