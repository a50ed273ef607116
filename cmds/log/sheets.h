/* --arrow and --parquet: the tables of --csv for programs that work on columns. */
#ifndef IOL_CMDS_SHEETS_H
#define IOL_CMDS_SHEETS_H

#include "cmds/cmd.h"
#include "text/sheet.h"

/* Whether one of them was given, and which. */
bool sheet_wanted(const iol__args *args, iol__sheet_form *form);
/* How many of them were given. */
int sheets_given(const iol__args *args);
/* Where CSV goes: to `out`, or to memory if a sheet is to be made of it. */
void open_csv_output(const iol__args *args, iol__out *out, int fd);
/* The end of it: finish_output(), with the sheet made of what was printed; columns that are known by name have their kinds. */
int finish_csv_output(const iol__args *args, iol__out *out, int fd, int status, const iol__sheet_column *known,
                      size_t n_known);

/* A row of `dump`: one counter of one record. */
typedef struct dump_row {
    const char *path; /* NULL: there is one log, and no column for it */
    const char *module, *counter, *file_name, *mount_point, *fs_type;
    int64_t rank;
    uint64_t record_id;
    enum { DUMP_INT, DUMP_UINT, DUMP_REAL, DUMP_TEXT } kind;
    union {
        int64_t i;
        uint64_t u;
        double d;
        const char *text;
    } as;
} dump_row;
iol__sheet *begin_dump_sheet(iol__out *out, iol__sheet_form form, bool several);
void put_dump_row(iol__sheet *sheet, const dump_row *row);

#endif
