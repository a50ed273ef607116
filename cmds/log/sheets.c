/* Sheets of the commands. dump and trace write rows as they come; others print CSV, which has few rows there, into memory. */
#include "cmds/log/sheets.h"

#include <unistd.h>

#include "base/count.h"

int sheets_given(const iol__args *args) { return args->given[OPT_ARROW] + args->given[OPT_PARQUET]; }

bool sheet_wanted(const iol__args *args, iol__sheet_form *form) {
    *form = args->given[OPT_PARQUET] ? IOL_SHEET_PARQUET : IOL_SHEET_ARROW;
    return sheets_given(args) > 0;
}

void open_csv_output(const iol__args *args, iol__out *out, int fd) { iol__out_open(out, sheets_given(args) ? -1 : fd); }

int finish_csv_output(const iol__args *args, iol__out *out, int fd, int status, const iol__sheet_column *known,
                      size_t n_known) {
    iol__sheet_form form;
    iol__out sheet;
    if (!sheet_wanted(args, &form)) return finish_output(out, status);
    iol__out_open(&sheet, fd);
    if (out->length && !iol__sheet_from_csv(&sheet, form, out->buffer, out->length, known, n_known)) {
        tell_stderr("no table can be made of this");
        status = EXIT_TROUBLE;
    }
    iol__out_close(out);
    return finish_output(&sheet, status);
}

static const iol__sheet_column dump_columns[] = {
    {"path", IOL_SHEET_TEXT},        {"module", IOL_SHEET_TEXT},     {"rank", IOL_SHEET_INT},
    {"record_id", IOL_SHEET_UINT},   {"counter", IOL_SHEET_TEXT},    {"value", IOL_SHEET_REAL},
    {"value_int", IOL_SHEET_INT},    {"value_text", IOL_SHEET_TEXT}, {"file_name", IOL_SHEET_TEXT},
    {"mount_point", IOL_SHEET_TEXT}, {"fs_type", IOL_SHEET_TEXT},
};
enum { DUMP_COLUMNS = IOL_COUNT(dump_columns) };

iol__sheet *begin_dump_sheet(iol__out *out, iol__sheet_form form, bool several) {
    return iol__sheet_begin(out, form, several ? dump_columns : dump_columns + 1, DUMP_COLUMNS - !several);
}

/* A double holds whole numbers up to 2^53 exactly; value_int has all of them. Ids have no number that means something. */
static void put_value(iol__sheet *sheet, const dump_row *row) {
    const bool whole = row->kind == DUMP_INT || (row->kind == DUMP_UINT && row->as.u <= INT64_MAX);
    if (row->kind == DUMP_TEXT)
        iol__sheet_null(sheet);
    else
        iol__sheet_real(sheet, row->kind == DUMP_REAL  ? row->as.d
                               : row->kind == DUMP_INT ? (double)row->as.i
                                                       : (double)row->as.u);
    if (whole)
        iol__sheet_int(sheet, row->as.i);
    else
        iol__sheet_null(sheet);
    if (row->kind == DUMP_TEXT)
        iol__sheet_text(sheet, row->as.text);
    else
        iol__sheet_null(sheet);
}

void put_dump_row(iol__sheet *sheet, const dump_row *row) {
    if (row->path) iol__sheet_text(sheet, row->path);
    iol__sheet_text(sheet, row->module);
    iol__sheet_int(sheet, row->rank);
    iol__sheet_uint(sheet, row->record_id);
    iol__sheet_text(sheet, row->counter);
    put_value(sheet, row);
    iol__sheet_text(sheet, row->file_name);
    iol__sheet_text(sheet, row->mount_point);
    iol__sheet_text(sheet, row->fs_type);
}
