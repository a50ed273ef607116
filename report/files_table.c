/* One row per file, in 80 columns. */
#include "report/files_table.h"

#include <math.h>
#include <stdio.h>

#include "text/number.h"

void iol__files_head(iol__out *out, const char *first) {
    iol__out_printf(out, "%-*s %8s %8s %8s %9s %6s %6s", IOL_FILES_FIRST, first, "SIZE", "READ", "WRITTEN", "TIME",
                    "CALLS", "SEEKS");
}

static void put_files_table_row(iol__out *out, double size, double read, double written, double time, double calls,
                                double seeks) {
    char b[6][IOL_HUMAN];
    iol__out_printf(out, " %8s %8s %8s %9s %6s %6s\n", iol__human_bytes(b[0], size), iol__human_bytes(b[1], read),
                    iol__human_bytes(b[2], written), iol__human_seconds(b[3], time), iol__human_count(b[4], calls),
                    iol__human_count(b[5], seeks));
}

void iol__files_row(iol__out *out, const iol__file_total *f) {
    if (f)
        put_files_table_row(out, f->size, f->bytes_read, f->bytes_written, f->time, f->calls, f->seeks);
    else
        put_files_table_row(out, NAN, NAN, NAN, NAN, NAN, NAN);
}

void iol__files_totals(iol__out *out, const iol__summary *summary) {
    const double *v = summary->figures.value;
    double size = 0, seeks = -1;
    for (size_t i = 0; i < summary->n_top; i++) {
        const iol__file_total *f = &summary->top[i];
        if (f->size > 0) size += f->size;
        if (f->seeks >= 0) seeks = f->seeks + (seeks < 0 ? 0 : seeks);
    }
    put_files_table_row(out, size, v[IOL_FIGURE_bytes_read], v[IOL_FIGURE_bytes_written], v[IOL_FIGURE_io_time],
                        v[IOL_FIGURE_reads] + v[IOL_FIGURE_writes], seeks);
}

const char *iol__file_name(iol_log *log, uint64_t id, char number[32]) {
    const char *name = iol_log_name(log, id);
    if (name && *name) return name;
    snprintf(number, 32, "record %llu", (unsigned long long)id);
    return number;
}
