/* A record as a flat list of names and values, for forms that know nothing else (text, CSV): the counters, and what a
   module has besides them under the names that darshan-parser made known (HEATMAP_READ_BIN_7, LUSTRE_COMP1_OST_ID_0). */
#ifndef IOL_REPORT_FIELDS_H
#define IOL_REPORT_FIELDS_H

#include "record/record.h"
#include "text/out.h"

typedef enum iol__field_kind {
    IOL_FIELD_INT,
    IOL_FIELD_UINT,
    IOL_FIELD_REAL,
    IOL_FIELD_ID, /* a record id */
    IOL_FIELD_TEXT,
} iol__field_kind;

typedef struct iol__record_field {
    const char *name;
    size_t name_length;
    int counter; /* its number in the module's counter table, -1 for all other fields */
    iol__field_kind kind;
    int64_t i; /* UINT and ID: the same bits */
    double d;
    const char *text;
} iol__record_field;

typedef void (*iol__field_visitor)(void *context, const iol__record_field *field);

/* Only the counters of the module's table. */
void iol__fields_counters(const iol_record *record, iol__field_visitor visit, void *context);
/* Everything, in the order of print. The operations of a trace are not fields: they are read one by one. */
void iol__fields_all(const iol_record *record, iol__field_visitor visit, void *context);
/* The longest counter name of a module, for columns. */
size_t iol__fields_width(int slot);

/* How many entries of the OST list are a component's. */
size_t iol__component_osts(const iol_record *record, const iol__component *component);

/* The 36 characters of a UUID and a NUL. */
enum { IOL_UUID_TEXT = 37 };
void iol__uuid_text(const uint8_t uuid[16], char text[IOL_UUID_TEXT]);

#endif
