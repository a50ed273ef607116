/* Whether a file of SQLite ends in the middle of a page: what is lacking counts as zeros, and rows would be missing without a
   word. The file itself is not opened, because closing it would end SQLite's locks. For stores and connectors, which do not
   know each other. */
#ifndef IOL_SITE_SQLITE_CUT_H
#define IOL_SITE_SQLITE_CUT_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

static inline bool iol__sqlite_cut(sqlite3 *database, int64_t size) {
    sqlite3_stmt *statement = NULL;
    int64_t page = 0;
    if (sqlite3_prepare_v2(database, "PRAGMA page_size", -1, &statement, NULL) == SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW)
        page = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return page > 0 && size % page != 0;
}

#endif
