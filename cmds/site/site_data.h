/* What commands on data of a site share: the site file, times, memory, and the forms of output. */
#ifndef IOL_CMDS_SITE_DATA_H
#define IOL_CMDS_SITE_DATA_H

#include "cmds/cmd.h"
#include "site/analyze/places.h"
#include "site/connect/connect.h"

/* One run of such a command. Everything that it makes is in the arena. */
typedef struct site_run {
    const iol__args *args;
    iol__arena arena;
    iol__places site;
    bool ranged;
    int64_t start, end;
    int status;
} site_run;

/* Read the site file and the times, call the command's body, print why it failed, free everything. */
int with_site(const iol__args *args, int (*body)(site_run *run));
/* A time option; false, with a complaint, if it is none. */
bool time_option(site_run *run, int option, int64_t *seconds);
/* A number option, or what it is without. */
bool number_option(site_run *run, int option, double *number);
/* Print what went wrong with an input; EXIT_INPUT, or EXIT_TROUBLE where the system refused. */
int site_failed(const char *why);
/* The tree as JSON, or as a table for --csv, to --output or standard output. */
int print_tree(site_run *run, const iol__value *tree, const char *key);
/* Open what --output names, or standard output; a file gets its name in the end. */
typedef struct site_output {
    iol__out out;
    const char *path;
    char *temporary;
} site_output;
bool open_output(site_run *run, int option, site_output *to);
/* Whether a picture is asked for. */
bool ends_in_svg(const char *path);
int close_output(site_output *to, int status);
/* A request of a connector for these paths, with the options of the run. */
iol__request request_for(site_run *run, const char *const *paths, size_t count);
/* Inputs where none is named: what the site file has for the source on the days of the request, else the tool itself.
   Whether the site file has a key with files of that source. */
bool usual_inputs(site_run *run, iol__request *request);
/* What --live names, for questions about series; NULL without it. False after a complaint. */
struct iol__live;
bool live_option(site_run *run, struct iol__live **live);
/* Read one source, with its complaint if that fails. */
const iol__value *read_source(site_run *run, const char *connector, const char *path);
/* The name that a listing has for a file system: that of the servers where the site file says so. */
const char *listed_as(site_run *run, const iol__value *listing, const char *fs);

#endif
