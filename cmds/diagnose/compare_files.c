/* iolite compare A B C...: three or more logs, file by file. A file is the same in all logs by its record id, which follows
   from its name. Nothing is tested or judged: this is the table that a study of several runs starts from. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmds/cmd.h"
#include "cmds/diagnose/compare.h"
#include "base/idmap.h"
#include "report/files_table.h"
#include "report/log_json.h"
#include "text/text.h"
#include "text/number.h"

enum { COLUMNS = 80, TOP = 10, LETTERS = 26 };

/* A file: what it cost in each log, NULL where that log does not have it. */
typedef struct compare_files_row {
    uint64_t id;
    const iol__file_total **in; /* one per log */
    double time;                /* the longest of all logs */
} compare_files_row;

typedef struct compare_files_table {
    size_t n_logs;
    iol_log **logs;
    iol__summary *summaries;
    compare_files_row *rows;
    size_t n_rows;
    const iol__file_total **cells; /* of all rows */
    int status;
} compare_files_table;

static bool compare_files_no_memory(compare_files_table *t) {
    fputs("iolite: out of memory\n", stderr);
    t->status = EXIT_TROUBLE;
    return false;
}

/* Reading ------------------------------------------------------------------------------------------------------- */

static bool read_logs(compare_files_table *t, char *const *paths, bool json) {
    iol__progress progress;
    t->logs = calloc(t->n_logs, sizeof *t->logs);
    t->summaries = calloc(t->n_logs, sizeof *t->summaries);
    if (!t->logs || !t->summaries) return compare_files_no_memory(t);
    for (size_t i = 0; i < t->n_logs; i++) {
        iol_error error;
        if (iol_log_open(paths[i], &t->logs[i], &error) == IOL_OK) continue;
        if (json && t->status == EXIT_DONE) print_unreadable(paths[i], &error);
        t->status = report_open_error(&error);
    }
    iol__progress_start(&progress, false);
    for (size_t i = 0; i < t->n_logs && t->status == EXIT_DONE; i++) {
        iol__progress_part(&progress, i, t->n_logs);
        if (!iol__summary_make(t->logs[i], SIZE_MAX, &progress, &t->summaries[i])) compare_files_no_memory(t);
    }
    iol__progress_end(&progress);
    return t->status == EXIT_DONE;
}

static int compare_files_by_time(const void *left, const void *right) {
    const compare_files_row *a = left, *b = right;
    if (a->time != b->time) return a->time > b->time ? -1 : 1;
    return (a->id > b->id) - (a->id < b->id);
}

static bool join_files(compare_files_table *t) {
    size_t most = 1;
    iol__idmap ids = {0};
    for (size_t i = 0; i < t->n_logs; i++) most += t->summaries[i].n_top;
    t->rows = calloc(most, sizeof *t->rows);
    for (size_t i = 0; t->rows && i < t->n_logs; i++)
        for (size_t k = 0; k < t->summaries[i].n_top; k++)
            if (iol__idmap_find(&ids, t->summaries[i].top[k].id) == IOL_IDMAP_NONE &&
                iol__idmap_add(&ids, t->summaries[i].top[k].id) == IOL_IDMAP_NONE)
                most = 0;
    t->cells = calloc(ids.count * t->n_logs + 1, sizeof *t->cells);
    const bool good = t->rows && t->cells && most;
    for (size_t i = 0; good && i < t->n_logs; i++)
        for (size_t k = 0; k < t->summaries[i].n_top; k++) {
            const iol__file_total *file = &t->summaries[i].top[k];
            size_t place = iol__idmap_find(&ids, file->id);
            compare_files_row *r = &t->rows[place];
            r->id = file->id;
            r->in = t->cells + place * t->n_logs;
            r->in[i] = file;
            if (file->time > r->time) r->time = file->time;
        }
    t->n_rows = good ? ids.count : 0;
    iol__idmap_free(&ids);
    if (!good) return compare_files_no_memory(t);
    qsort(t->rows, t->n_rows, sizeof *t->rows, compare_files_by_time);
    return true;
}

static const char *compare_files_name_of(const compare_files_table *t, const compare_files_row *r, char number[32]) {
    size_t i = 0;
    while (!r->in[i]) i++;
    return iol__file_name(t->logs[i], r->id, number);
}

/* Text ---------------------------------------------------------------------------------------------------------- */

/* "A", or a number where there are more logs than letters. */
static const char *compare_files_label(const compare_files_table *t, size_t log, char text[24]) {
    if (t->n_logs <= LETTERS)
        snprintf(text, 24, "%c", (int)('A' + (int)log));
    else
        snprintf(text, 24, "%zu", log + 1);
    return text;
}

static void first_column(iol__out *out, const compare_files_table *t, size_t log) {
    char text[24];
    iol__out_printf(out, "  %-*s", IOL_FILES_FIRST - 2, compare_files_label(t, log, text));
}

static void print_compare_files_text(const compare_files_table *t, iol__out *out, size_t top) {
    char text[32], more[IOL_HUMAN];
    for (size_t i = 0; i < t->n_logs; i++) {
        iol__out_printf(out, "%-4s", compare_files_label(t, i, text));
        iol__out_fitted(out, iol_log_info(t->logs[i])->path, COLUMNS - 4, IOL_CUT_MIDDLE);
        iol__out_char(out, '\n');
    }
    iol__out_char(out, '\n');
    iol__files_head(out, "FILES BY TIME");
    iol__out_char(out, '\n');
    for (size_t k = 0; k < t->n_rows && k < top; k++) {
        iol__out_fitted(out, compare_files_name_of(t, &t->rows[k], text), COLUMNS, IOL_CUT_MIDDLE);
        iol__out_char(out, '\n');
        for (size_t i = 0; i < t->n_logs; i++) {
            first_column(out, t, i);
            iol__files_row(out, t->rows[k].in[i]);
        }
    }
    if (t->n_rows > top)
        iol__out_printf(out, "... and %s more files (--top)\n", iol__human_number(more, (double)(t->n_rows - top)));
    iol__out_text(out, "all files\n");
    for (size_t i = 0; i < t->n_logs; i++) {
        first_column(out, t, i);
        iol__files_totals(out, &t->summaries[i]);
    }
}

/* JSON ---------------------------------------------------------------------------------------------------------- */

static void put_known(iol__json *json, const char *key, double value) {
    iol__json_put_real(json, key, value < 0 ? (double)NAN : value);
}

static void put_compare_files_cell(iol__json *json, const iol__file_total *file) {
    if (!file) {
        iol__json_text(json, NULL);
        return;
    }
    iol__json_open(json, '{');
    iol__json_put_text(json, "module", iol__modules[file->slot].name);
    put_known(json, "size", file->size);
    iol__json_put_real(json, "bytes_read", file->bytes_read);
    iol__json_put_real(json, "bytes_written", file->bytes_written);
    iol__json_put_real(json, "time", file->time);
    iol__json_put_real(json, "calls", file->calls);
    put_known(json, "seeks", file->seeks);
    iol__json_close(json, '}');
}

static void print_compare_files_json(const compare_files_table *t, iol__out *out, size_t top) {
    iol__json json;
    char number[32];
    iol__json_start(&json, out, 2);
    iol__json_open(&json, '{');
    iol__json_put_open(&json, "logs", '[');
    for (size_t i = 0; i < t->n_logs; i++) {
        iol_log_name_count(t->logs[i]); /* what is wrong with the names is to be among the errors */
        iol__json_open(&json, '{');
        iol__json_log_facts(&json, t->logs[i]);
        iol__json_figures(&json, t->summaries[i].figures.value);
        iol__json_log_errors(&json, t->logs[i]);
        iol__json_close(&json, '}');
    }
    iol__json_close(&json, ']');
    iol__json_put_open(&json, "files", '[');
    for (size_t k = 0; k < t->n_rows && k < top; k++) {
        iol__json_open(&json, '{');
        iol__json_put_id(&json, "id", t->rows[k].id);
        iol__json_put_text(&json, "name", compare_files_name_of(t, &t->rows[k], number));
        iol__json_put_open(&json, "logs", '[');
        for (size_t i = 0; i < t->n_logs; i++) put_compare_files_cell(&json, t->rows[k].in[i]);
        iol__json_close(&json, ']');
        iol__json_close(&json, '}');
    }
    iol__json_close(&json, ']');
    iol__json_close(&json, '}');
    iol__json_finish(&json);
}

/* The command --------------------------------------------------------------------------------------------------- */

int compare_files(const iol__args *args) {
    compare_files_table t = {.n_logs = args->n_operands, .status = EXIT_DONE};
    const char *top_text = argument_value(args, OPT_TOP_CHANGES);
    const bool json = args->given[OPT_JSON];
    const size_t top = top_text ? (size_t)strtoull(top_text, NULL, 10) : json ? SIZE_MAX : TOP;
    int status = EXIT_DONE;
    if (read_logs(&t, args->operands, json) && join_files(&t)) {
        iol__out out;
        iol__out_open(&out, STDOUT_FILENO);
        if (json)
            print_compare_files_json(&t, &out, top);
        else
            print_compare_files_text(&t, &out, top);
        status = finish_output(&out, EXIT_DONE);
    }
    if (t.status > status) status = t.status;
    for (size_t i = 0; i < t.n_logs; i++) {
        if (t.logs && t.logs[i] && report_log_errors(t.logs[i]) == EXIT_INPUT && status < EXIT_INPUT)
            status = EXIT_INPUT;
        if (t.summaries) iol__summary_free(&t.summaries[i]);
        if (t.logs) iol_log_close(t.logs[i]);
    }
    free(t.logs);
    free(t.summaries);
    free(t.rows);
    free(t.cells);
    return status;
}
