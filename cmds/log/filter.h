/* Which records a command looks at: --module, --file, --rank and --record. Values of one option are alternatives; all
   options together must agree. */
#ifndef IOL_CMDS_FILTER_H
#define IOL_CMDS_FILTER_H

#include "cmds/cmd.h"
#include "record/record.h"

typedef struct iol__rank_range {
    int64_t first, last;
} iol__rank_range;

typedef struct iol__filter {
    const iol__args *args;
    uint64_t slots; /* one bit a module */
    iol__rank_range *ranks;
    uint64_t *ids;
} iol__filter;

/* -1 to go on, else the exit status (the complaint was printed). `slot_of` turns a module's name into its slot, or -1;
   the filter lets only modules of `allowed` pass. */
int filter_parse(const iol__args *args, uint64_t allowed, int (*slot_of)(const char *name), iol__filter *filter);
void filter_free(iol__filter *filter);
bool filter_module(const iol__filter *filter, int slot);
bool filter_record(const iol__filter *filter, const iol_record *record, const char *name);
/* --counter, for commands that have it. */
bool filter_counter(const iol__filter *filter, const char *name);

#endif
