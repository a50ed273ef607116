/* Shared pieces of answers. All questions about logs carry the condition of who may see them. */
#include "serve/api/parts.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/number.h"
#include "text/text.h"

double iol__mibs_of(double bytes, double io) { return io > 0 ? bytes / 1048576 / (io / 1e6) : NAN; }
double iol__percent_of(double part, double whole) { return whole > 0 ? 100 * part / whole : NAN; }

iol__cell iol__job_cell(const iol__column *column, const iol__job_row *job) {
    if (!column->of_logs || job->logs) return iol__row_cell(column, job);
    if (column->offset != offsetof(iol__job_row, run) || !job->ended.known || !job->start) return iol__null();
    return iol__integer(job->ended.value - job->start);
}

/* Of any row with these three members. */
#define MIBS_OF(row) iol__mibs_of((double)(row)->bytes_read + (double)(row)->bytes_written, (double)(row)->io_time)

double iol__rate_of_job(const void *row) { return MIBS_OF((const iol__job_row *)row); }
double iol__rate_of_log(const void *row) { return MIBS_OF((const iol__log_of_job_row *)row); }
double iol__rate_of_the_log(const void *row) { return MIBS_OF((const iol__the_log_row *)row); }
double iol__rate_of_run(const void *row) { return MIBS_OF((const iol__run_of_log_row *)row); }

double iol__io_share_of_job(const void *row) {
    const iol__job_row *job = row;
    return iol__percent_of((double)job->io_time, (double)job->run);
}

double iol__io_share_of_the_log(const void *row) {
    const iol__the_log_row *log = row;
    return iol__percent_of((double)log->io_time, (double)log->run.value);
}

bool iol__take_run(void *answer, const iol__run_of_log_row *run) {
    iol__put_Run(answer, run);
    return true;
}

bool iol__take_found(void *answer, const iol__found_row *finding) {
    iol__put_Finding(answer, finding);
    return true;
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

/* Behind a SELECT list. */
static void from_about(iol__sql *sql, const iol__which *w, const char *from) {
    iol__sql_add(sql, " FROM %s WHERE log_id IN (SELECT log_id FROM log", from);
    iol__which_logs(sql, w);
    iol__sql_add(sql, ")");
}

/* Findings -------------------------------------------------------------------------------------------------------- */

bool iol__part_findings(iol__exchange *x, const iol__which *which) {
    iol__sql sql;
    iol__answer output;
    iol__answer_within(&output, x, "findings", IOL_SCHEMA_Finding);
    iol__select_found(&sql);
    from_about(&sql, which, "finding");
    iol__sql_add(&sql, IOL_ORDER_FINDINGS);
    bool good = iol__store_ok(x, iol__ask_found(&sql, x->store, iol__take_found, &output));
    if (good) iol__answer_within_end(&output);
    return good;
}

/* File systems ---------------------------------------------------------------------------------------------------- */

static bool take_fs(void *answer, const iol__fs_use_row *use) {
    iol__put_FsUse(answer, use);
    return true;
}

bool iol__part_fs(iol__exchange *x, const iol__which *which) {
    iol__sql sql;
    iol__answer output;
    iol__answer_within(&output, x, "fs", IOL_SCHEMA_FsUse);
    iol__select_fs_use(&sql);
    from_about(&sql, which,
               "(SELECT mount_id, COALESCE(bytes_read, 0) AS was_read, COALESCE(bytes_written, 0) AS was_written, "
               "COALESCE(reads, 0) AS r, COALESCE(writes, 0) AS w, COALESCE(opens, 0) AS o FROM log_fs");
    iol__sql_add(&sql, ")" IOL_WITH_MOUNTS " GROUP BY fs ORDER BY moved DESC, fs");
    bool good = iol__store_ok(x, iol__ask_fs_use(&sql, x->store, take_fs, &output));
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

static bool take_sizes(void *context, const iol__size_classes_row *row) {
    iol__sizes *s = context;
    add_sizes(s->reads, row->read_sizes);
    add_sizes(s->writes, row->write_sizes);
    return true;
}

bool iol__sizes_of(iol__exchange *x, const iol__which *which, iol__sizes *sizes) {
    iol__sql sql;
    *sizes = (iol__sizes){{0}, {0}};
    iol__select_size_classes(&sql);
    from_about(&sql, which, "log_module");
    iol__sql_add(&sql, " AND module = 'POSIX'");
    return iol__store_ok(x, iol__ask_size_classes(&sql, x->store, take_sizes, sizes));
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
