/* Custom modules and regions as JSON: the schema that came with the log, the records, the spans. */
#ifndef IOL_REPORT_CUSTOM_JSON_H
#define IOL_REPORT_CUSTOM_JSON_H

#include "log/trailer/regions.h"
#include "text/json.h"

/* What of it is wanted; NULL: all. A record or counter that is not wanted is left out, and a module is with it if it is
   not wanted itself. */
typedef struct iol__custom_choice {
    bool (*module)(void *context, const char *name);
    bool (*record)(void *context, int64_t rank, uint64_t id, const char *name);
    bool (*counter)(void *context, const char *name);
    void *context;
    size_t most; /* records and spans of a module; 0: all */
} iol__custom_choice;

/* "added": a list, not there if the log has none. */
void iol__json_custom(iol__json *json, iol_log *log, const iol__custom_choice *choice);
/* One record: members of an open object. */
void iol__json_custom_record(iol__json *json, iol_log *log, size_t module, size_t record,
                             const iol__custom_choice *choice);
/* One region of the totals. */
void iol__json_region(iol__json *json, const iol__marked_region *region);
/* "regions": an object with totals and spans, not there if nothing was marked. */
void iol__json_regions(iol__json *json, iol_log *log, bool spans);

bool iol__custom_chosen_module(const iol__custom_choice *choice, const char *name);
bool iol__custom_chosen_record(const iol__custom_choice *choice, const iol_custom_record *record);
bool iol__custom_chosen_counter(const iol__custom_choice *choice, const char *name);

#endif
