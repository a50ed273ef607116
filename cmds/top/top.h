/* iolite top: what live/watch.h sees of running programs, on a screen, as text or as JSON. */
#ifndef IOL_CMDS_TOP_H
#define IOL_CMDS_TOP_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "live/watch.h"
#include "schema/resolve.h"
#include "text/json.h"

/* Processes of one run, or of one job of the batch system, together. */
typedef struct top_job {
    uint64_t run;
    int64_t job;
    size_t processes;
    const iol__live_process *first;
    iol__live_figures total, rate;
} top_job;

/* The busiest first; returns how many there are. */
size_t top_jobs(const iol__live_watch *watch, top_job *jobs, size_t room);
/* One look as JSON. */
void top_json(iol__json *json, const iol__live_watch *watch);

/* What the person at the keyboard chose. */
typedef enum top_order {
    TOP_BY_BYTES,
    TOP_BY_READ,
    TOP_BY_WRITTEN,
    TOP_BY_CALLS,
    TOP_BY_TIME,
    TOP_BY_PID,
    TOP_ORDERS
} top_order;
extern const char *const top_order_names[TOP_ORDERS];
enum { TOP_FILTER = 64 };
typedef struct top_view {
    top_order order;
    bool jobs, layers, help;
    pid_t follow;             /* 0: all */
    char filter[TOP_FILTER];  /* part of a command line, or a pattern */
    bool typing;              /* the filter is being typed */
    bool look;                /* at once */
    size_t selected, n_shown; /* row of the table; how many there are */
    pid_t selected_pid;
    bool colour, screen; /* screen: repainted in place, else printed once */
    int columns, rows;
    double interval;
} top_view;

void top_draw(iol__out *out, const iol__live_watch *watch, top_view *view);

#endif
