/* Shared pieces of answers. All questions about logs carry the condition of who may see them. */
#include "serve/parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/number.h"
#include "text/text.h"

const char iol__job_columns[] = "cluster, jobid, owner, account, name, exename, state, start, ended, nprocs, nodes, "
                                "bytes_read, bytes_written, run, io_time, findings, lost, selected, logs";

double iol__mibs_of(double bytes, double io) { return io > 0 ? bytes / 1048576 / (io / 1e6) : NAN; }
double iol__percent_of(double part, double whole) { return whole > 0 ? 100 * part / whole : NAN; }

static double moved(const iol__cell *read, const iol__cell *written) {
    return (double)iol__cell_integer(read) + (double)iol__cell_integer(written);
}

void iol__put_job_facts(iol__answer *s, const iol__cell *c) {
    for (int i = 0; i < 7; i++) iol__put_cell(s, &c[i]);
    iol__put_seconds(s, &c[7]);
    iol__put_seconds(s, &c[8]);
    iol__put_count(s, &c[9]);
    iol__put_cell(s, &c[10]);
    iol__put_count(s, &c[11]);
    iol__put_count(s, &c[12]);
    double run = (double)iol__cell_integer(&c[13]), io = (double)iol__cell_integer(&c[14]);
    iol__put_real(s, run / 1e6);
    iol__put_real(s, io / 1e6);
    iol__put_real(s, iol__mibs_of(moved(&c[11], &c[12]), io));
    iol__put_real(s, iol__percent_of(io, run));
    iol__put_real(s, (double)iol__cell_integer(&c[16]) / 1e6);
    iol__put_count(s, &c[17]);
}

void iol__put_job(iol__answer *s, const iol__cell *c) {
    iol__answer_row(s);
    iol__put_job_facts(s, c);
    iol__put_count(s, &c[15]);
    iol__put_count(s, &c[18]);
    iol__answer_row_end(s);
}

const char iol__run_columns[] =
    "log_id, cluster, jobid, owner, start, nprocs, run, io_time, bytes_read, bytes_written, findings, lost";

void iol__put_run(iol__answer *s, const iol__cell *c) {
    iol__answer_row(s);
    for (int i = 0; i < 4; i++) iol__put_cell(s, &c[i]);
    iol__put_seconds(s, &c[4]);
    iol__put_count(s, &c[5]);
    iol__put_real(s, (double)iol__cell_integer(&c[6]) / 1e6);
    iol__put_real(s, (double)iol__cell_integer(&c[7]) / 1e6);
    iol__put_count(s, &c[8]);
    iol__put_count(s, &c[9]);
    iol__put_real(s, iol__mibs_of(moved(&c[8], &c[9]), (double)iol__cell_integer(&c[7])));
    iol__put_count(s, &c[10]);
    iol__put_real(s, (double)iol__cell_integer(&c[11]) / 1e6);
    iol__answer_row_end(s);
}

/* Patterns -------------------------------------------------------------------------------------------------------- */

const char *iol__pattern_of(iol__arena *arena, const char *text, bool inside) {
    if (!text) return NULL;
    char *pattern = iol__arena_alloc(arena, 2 * strlen(text) + 3, 1), *at = pattern;
    if (inside) *at++ = '%';
    for (; *text; text++) {
        if (*text == '*') {
            *at++ = '%';
            continue;
        }
        if (strchr("%_\\", *text)) *at++ = '\\';
        *at++ = *text;
    }
    if (inside) *at++ = '%';
    return pattern;
}

iol__patterns iol__patterns_of(iol__arena *arena, const char *text) {
    iol__patterns all = {0};
    if (!text) return all;
    char *copy = iol__arena_copy(arena, text);
    const char **list = iol__arena_alloc(arena, strlen(text) + 1, sizeof *list);
    for (char *word; (word = strsep(&copy, ","));)
        if (*word) list[all.count++] = iol__pattern_of(arena, word, false);
    all.list = list;
    return all;
}

/* Which logs ------------------------------------------------------------------------------------------------------ */

static void equals(iol__sql *sql, const char *column, const char *value) {
    if (!value) return;
    iol__sql_and(sql);
    iol__sql_add(sql, "%s = ?", column);
    iol__sql_value(sql, iol__text(value));
}

static void compares(iol__sql *sql, const char *condition, int64_t value) {
    if (!value) return;
    iol__sql_and(sql);
    iol__sql_add(sql, "%s ?", condition);
    iol__sql_value(sql, iol__integer(value));
}

void iol__which_logs(iol__sql *sql, const iol__which *w) {
    iol__access_rows(w->viewer, sql, "owner");
    compares(sql, "log_id =", w->log_id);
    equals(sql, "cluster", w->cluster);
    equals(sql, "jobid", w->jobid);
    equals(sql, "owner", w->owner);
    compares(sql, "start >=", w->from);
    compares(sql, "start <", w->before);
}

static void start_about(iol__sql *sql, const iol__which *w, const char *select) {
    iol__sql_start(sql);
    iol__sql_add(sql, "%s WHERE log_id IN (SELECT log_id FROM log", select);
    iol__which_logs(sql, w);
    iol__sql_add(sql, ")");
}

/* Findings -------------------------------------------------------------------------------------------------------- */

bool iol__put_finding(void *context, const iol__cell *c, size_t count) {
    iol__answer *s = context;
    (void)count;
    iol__answer_row(s);
    iol__put_cell(s, &c[0]);
    iol__put_cell(s, &c[1]);
    iol__put_count(s, &c[2]);
    iol__put_real(s, (double)iol__cell_integer(&c[3]) / 1e6);
    iol__put_cell(s, &c[4]);
    iol__answer_row_end(s);
    return true;
}

bool iol__part_findings(iol__exchange *x, const iol__which *which) {
    iol__sql sql;
    iol__answer output;
    iol__answer_within(&output, x, "findings", IOL_SCHEMA_Finding);
    start_about(&sql, which, IOL_SELECT_FINDINGS);
    iol__sql_add(&sql, IOL_ORDER_FINDINGS);
    bool good = iol__store_ok(x, iol__sql_ask(&sql, x->store, iol__put_finding, &output));
    if (good) iol__answer_within_end(&output);
    return good;
}

/* File systems ---------------------------------------------------------------------------------------------------- */

static bool put_fs(void *context, const iol__cell *c, size_t count) {
    iol__answer *s = context;
    (void)count;
    iol__answer_row(s);
    iol__put_cell(s, &c[0]);
    for (int i = 1; i < 6; i++) iol__put_count(s, &c[i]);
    iol__answer_row_end(s);
    return true;
}

bool iol__part_fs(iol__exchange *x, const iol__which *which) {
    iol__sql sql;
    iol__answer output;
    iol__answer_within(&output, x, "fs", IOL_SCHEMA_FsUse);
    start_about(
        &sql, which,
        "SELECT fs, SUM(was_read), SUM(was_written), SUM(r), SUM(w), SUM(o), SUM(was_read + was_written) AS moved "
        "FROM (SELECT mount_id, COALESCE(bytes_read, 0) AS was_read, COALESCE(bytes_written, 0) AS was_written, "
        "COALESCE(reads, 0) AS r, COALESCE(writes, 0) AS w, COALESCE(opens, 0) AS o FROM log_fs");
    iol__sql_add(&sql, ")" IOL_WITH_MOUNTS " GROUP BY fs ORDER BY moved DESC, fs");
    bool good = iol__store_ok(x, iol__sql_ask(&sql, x->store, put_fs, &output));
    if (good) iol__answer_within_end(&output);
    return good;
}

/* Size classes ---------------------------------------------------------------------------------------------------- */

static const char *const labels[IOL_SIZE_CLASSES] = {"0-100", "100-1K", "1K-10K",   "10K-100K", "100K-1M",
                                                     "1M-4M", "4M-10M", "10M-100M", "100M-1G",  "1G+"};

static void add_sizes(int64_t sums[IOL_SIZE_CLASSES], const char *text) {
    for (int i = 0; text && i < IOL_SIZE_CLASSES; i++) {
        char *end;
        sums[i] += strtoll(text, &end, 10);
        text = *end ? end : NULL;
    }
}

static bool take_sizes(void *context, const iol__cell *c, size_t count) {
    iol__sizes *s = context;
    (void)count;
    add_sizes(s->reads, iol__cell_text(&c[0]));
    add_sizes(s->writes, iol__cell_text(&c[1]));
    return true;
}

bool iol__sizes_of(iol__exchange *x, const iol__which *which, iol__sizes *sizes) {
    iol__sql sql;
    *sizes = (iol__sizes){{0}, {0}};
    start_about(&sql, which, "SELECT read_sizes, write_sizes FROM log_module");
    iol__sql_add(&sql, " AND module = 'POSIX'");
    return iol__store_ok(x, iol__sql_ask(&sql, x->store, take_sizes, sizes));
}

static void put_numbers(iol__json *json, const char *key, const int64_t *numbers) {
    iol__json_put_open(json, key, '[');
    for (int i = 0; i < IOL_SIZE_CLASSES; i++) iol__json_i64(json, numbers[i]);
    iol__json_close(json, ']');
}

bool iol__part_sizes(iol__exchange *x, const iol__which *which) {
    iol__sizes sums;
    iol__json *json = &x->json;
    if (!iol__sizes_of(x, which, &sums)) return false;
    iol__json_put_open(json, "sizes", '{');
    iol__json_put_open(json, "labels", '[');
    for (int i = 0; i < IOL_SIZE_CLASSES; i++) iol__json_text(json, labels[i]);
    iol__json_close(json, ']');
    put_numbers(json, "reads", sums.reads);
    put_numbers(json, "writes", sums.writes);
    iol__json_close(json, '}');
    return true;
}

/* Two rows of bars, each as high as its own largest class. */
static void draw_bars(iol__out *out, const char *title, const char *kind, const int64_t *numbers, int top) {
    int64_t most = 1;
    char human[IOL_HUMAN];
    for (int i = 0; i < IOL_SIZE_CLASSES; i++) most = numbers[i] > most ? numbers[i] : most;
    iol__out_printf(out, "<text x=\"4\" y=\"%d\">%s</text>\n", top - 6, title);
    for (int i = 0; i < IOL_SIZE_CLASSES; i++) {
        double height = 70 * (double)numbers[i] / (double)most;
        iol__out_printf(out, "<rect class=\"%s\" x=\"%d\" y=\"%.1f\" width=\"54\" height=\"%.1f\"/>\n", kind,
                        4 + 64 * i, top + 84 - height, height);
        iol__out_printf(out, "<text class=\"small\" x=\"%d\" y=\"%.1f\">%s</text>\n", 31 + 64 * i, top + 80 - height,
                        iol__human_count(human, (double)numbers[i]));
        iol__out_printf(out, "<text class=\"small\" x=\"%d\" y=\"%d\">%s</text>\n", 31 + 64 * i, top + 97, labels[i]);
    }
}

void iol__sizes_svg(iol__out *out, const iol__sizes *sizes) {
    iol__out_text(out,
                  "<svg class=\"bars\" viewBox=\"0 0 648 250\" role=\"img\" aria-label=\"Requests by size: reads and "
                  "writes\">\n");
    draw_bars(out, "Reads", "bar", sizes->reads, 20);
    draw_bars(out, "Writes", "bar w", sizes->writes, 145);
    iol__out_text(out, "</svg>\n");
}
