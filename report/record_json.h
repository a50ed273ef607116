/* Records as JSON: who a record is, and what its module has besides counters, as objects and arrays. */
#ifndef IOL_REPORT_RECORD_JSON_H
#define IOL_REPORT_RECORD_JSON_H

#include "record/record.h"
#include "report/fields.h"
#include "text/json.h"

/* Members id, rank, name, mount_point, fs_type; the last three are null where they are not known. */
void iol__json_record_facts(iol__json *json, iol_log *log, const iol_record *record);
/* A field as a member. */
void iol__json_field(iol__json *json, const iol__record_field *field);
/* Members for everything but the counters. The operations of a trace come from the iterator, in small batches. */
void iol__json_record_specials(iol__json *json, const iol_record *record, iol_records *records);

#endif
