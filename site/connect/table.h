/* Trees as tables: a list of rows, or a map of rows whose keys become the first column. */
#ifndef IOL_SITE_CONNECT_TABLE_H
#define IOL_SITE_CONNECT_TABLE_H

#include "site/connect/value.h"

/* `key`: heading of the first column for a map of rows. The columns are all keys of all rows, in order of appearance.
   Pages of Elasticsearch are lists of their documents. False if the tree is not a table. */
bool iol__value_csv(iol__out *out, iol__arena *arena, const iol__value *value, const char *key);

/* A CSV file with a heading line as a list of rows: numbers are numbers, empty fields are nothing. Quotes as usual. */
iol__value *iol__csv_rows(iol__arena *arena, char *bytes, size_t length);

#endif
