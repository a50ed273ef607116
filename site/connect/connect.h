/* Connectors: each talks to one tool that a centre runs, takes what that tool prints or stores, and gives it as a tree
   with unchanged values. One file each, one row each in connectors.def. They know nothing of the site and nothing of
   each other. */
#ifndef IOL_SITE_CONNECT_CONNECT_H
#define IOL_SITE_CONNECT_CONNECT_H

#include "site/connect/feed.h"
#include "site/connect/value.h"

/* What a connector is asked for. Texts that were not given are NULL. */
typedef struct iol__request {
    iol__arena *arena;
    const char *source; /* the connector's name: IOLITE_SLURM_TOKEN and the like belong to it */
    const char *const *paths;
    size_t n_paths;
    bool ranged; /* only what overlaps [start, end), seconds since the epoch */
    int64_t start, end;
    const char *host, *metric, *user, *type, *job, *fs;
    const char *const *modules; /* of logs */
    size_t n_modules;
    const char *const *counters;
    size_t n_counters;
    bool base, total, perf; /* of logs */
    /* What was met on the way. */
    size_t understood; /* lines, records and documents in the connector's own form, wanted or not */
    size_t skipped;    /* lines or records that could not be understood */
    size_t duplicates; /* of which the last one counts */
    char why[400];     /* what went wrong, with the file's name */
    char partial[200]; /* why this is not all there is; empty: it is */
    bool cut;          /* a program ran out of time, and what it had yet to print is missing */
} iol__request;

typedef struct iol__connector {
    const char *name, *about;
    iol_status (*read)(iol__request *request, iol__value **out);
    const char *key; /* the first column of a table: what the keys of the tree are; NULL: a list of rows */
} iol__connector;

extern const iol__connector iol__connectors[];
extern const size_t iol__n_connectors;
const iol__connector *iol__connector_find(const char *name);
/* Those of others, from 0 on; NULL behind the last. */
const iol__connector *iol__plugin(size_t number);

#define CONNECTOR(name, function, key, about) iol_status function(iol__request *request, iol__value **out);
#include "site/connect/connectors.def"
#undef CONNECTOR

/* Helpers that connectors share ---------------------------------------------------------------------------------- */

/* Something worth knowing, on standard error, unless nobody wants to know. */
extern bool iol__site_silent;
void iol__site_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* How many seconds a program or a server may take; 0: what is usual for it. */
extern unsigned iol__site_patience;
/* What went wrong, into the request. */
iol_status iol__refuse(iol__request *request, iol_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Not all there is: said aloud, and kept with the request. */
void iol__partial(iol__request *request, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The command that the connector's data come from where no input is named: "run:sacct". NULL: it has none. */
const char *iol__live_command(const char *connector);
/* What a live source answers: an address, unix:SOCKET:/PATH, or run:COMMAND with arguments for the request. */
bool iol__is_live(const char *path);
iol_status iol__live_open(iol__request *request, const char *path, iol__feed *feed);

/* The one input; reported if it is not whole. */
iol_status iol__request_feed(iol__request *request, size_t number, iol__feed *feed);
/* The tree of a cache file, of its whole records if it was cut off; NULL if the input is no JSON. */
iol__value *iol__request_json(iol__request *request, const iol__feed *feed);
/* Whether JSON may be what a connector gave before: a map that holds records, or nothing. */
bool iol__is_cache(const iol__value *value);
/* Refuses inputs of which nothing was understood: "x: expected FORM; it begins with '...'". */
iol_status iol__expect_form(iol__request *request, const char *form);
/* Each file of each input, which may be directories and tar files; reported if they are not whole. */
iol_status iol__request_members(iol__request *request, iol__feed_visitor *visit, void *context);
/* Each input, by a function that adds to a map. JSON is taken as it is. */
typedef iol_status iol__read_text(iol__request *request, iol__feed *feed, iol__value *into);
iol_status iol__request_each(iol__request *request, iol__read_text *take, iol__value **out);

/* Fields of a line between white space, at most `room`; gives how many there are. The line is changed. */
size_t iol__split(char *line, char *fields[], size_t room);

/* Times: YYYY-MM-DD[T ]HH:MM:SS[.f][Z|+HH:MM], a date, @seconds; local time where there is no offset. */
bool iol__parse_time(const char *text, double *seconds);
/* A time that was read without an offset and comes after another one: where clocks went back, that of the second hour. */
double iol__time_after(double before, double when);
/* Whether a day of the sort YYYYMMDDHHMMSS[.f], local. */
bool iol__parse_compact_time(const char *text, double *seconds);
/* "2017-03-20 02:07:47", local. */
void iol__format_time(int64_t seconds, char text[32]);
/* Local midnight of the day that is `days` after that of `seconds`. */
int64_t iol__midnight(int64_t seconds, int days);

/* "fs-OST0014-..." to "fs" and "OST0014"; false for other names. */
bool iol__target_of(const char *device, char fs[128], char target[16]);
/* How many servers hold more or fewer targets than the others: {fs: {mode, abnormal_ips: {address: [targets]}}}. */
iol__value *iol__failovers(iol__arena *arena, const iol__value *map);

/* Host lists of Slurm: "nid[001-003,010]" to names, added to a list, and back. False if it is none. */
bool iol__hostlist_expand(iol__arena *arena, const char *text, iol__value *list);
char *iol__hostlist_compress(iol__arena *arena, const iol__value *list);

/* Those of {id: record} that the request is about, with their steps. */
iol__value *iol__jobs_asked_for(const iol__request *request, iol__value *jobs);

/* All nodes of job records, as keys; and how far they are from their centre: job_min_radius, job_max_radius,
   job_avg_radius. Without coordinates there are none of these. */
iol__value *iol__job_nodes(iol__arena *arena, const iol__value *jobs);
iol__value *iol__job_radius(iol__arena *arena, const iol__value *nodes, const iol__value *names);

/* Ask a Prometheus server for a query over [start, end], in as many requests as it wants; the answer is a list of series as
   iol__read_prometheus() gives. */
iol_status iol__ask_prometheus(iol__request *request, const char *base, const char *query, int64_t start, int64_t end,
                               int64_t step, iol__value **out);

/* Documents of an Elasticsearch index, whose address is the input, with times in the range of the request, as pages; of the
   kind that `type` names (disk, cpu, memory; NULL: all), of hosts that begin with `host`. */
iol_status iol__ask_elastic(iol__request *request, iol__value **out);

/* A regular expression as sites write it: extended, with \d. */
bool iol__regex_matches(const char *pattern, const char *text, size_t *length);

#endif
