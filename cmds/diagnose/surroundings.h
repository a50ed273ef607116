/* What is known beside a log, for commands about one: earlier runs from a store, and what the servers did from the data of a
   site. It is asked while the log is diagnosed, which is opened and judged once. A store is used only where one is named:
   --store or IOLITE_STORE; data of a site where a site file is: --site or IOLITE_SITE_CONFIG. */
#ifndef IOL_CMDS_SURROUNDINGS_H
#define IOL_CMDS_SURROUNDINGS_H

#include "cmds/cmd.h"
#include "insight/findings/engine.h"
#include "site/query/history.h"

typedef struct surroundings {
    const char *site_file; /* of the data; NULL: that of the environment */
    bool wants_site, wants_history;
    bool wants_document;            /* `document` is made */
    struct iol__site *site;         /* whose store it is */
    iol__history_question question; /* with the history */
    iol_log *log;                   /* that it is about, to be set before the diagnosis */
    bool copied;                    /* what is diagnosed is a copy of it, without names or files */
    char *document;                 /* the context document (docs/context.md); NULL: nothing is known */
    int outcome;                    /* EXIT_DONE, or what asking ended with, which was reported */
} surroundings;

/* EXIT_DONE, or the status to end with after a message. Close in any case. */
int open_surroundings(const iol__args *args, bool history, surroundings *around);
void close_surroundings(surroundings *around);
/* For options of a diagnosis: asks while it is made. */
void surround_diagnosis(surroundings *around, iol__diagnose_options *options);

/* How the run stands among earlier ones, on standard error; nothing where nothing is known. */
void tell_history(const surroundings *around);

/* The history of a log, for commands that do not diagnose it. EXIT_DONE, or the status to end with after a message. */
bool wants_history(const iol__args *args);
int read_history(const iol__args *args, iol_log *log, iol__history *history);

#endif
