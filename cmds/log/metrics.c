/* iolite metrics: the figures of a job that select candidates for a closer look, as text, JSON or one line of CSV
   per log. One table names them all; the three forms go over it. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/count.h"
#include "cmds/cmd.h"
#include "insight/facts/metrics.h"
#include "log/read/log_internal.h"
#include "text/csv.h"
#include "report/figures_text.h"
#include "report/log_json.h"
#include "text/number.h"
#include "text/text.h"

typedef enum metrics_kind { COUNT, BYTES, SECONDS, SHARE, NUMBER, FLAG, WORD } metrics_kind;

/* What a log must have for a figure to be known; FROM_EXTENTS: how far files reach; FROM_LAYER: the layer whose metadata time
   counts. */
typedef enum metrics_needs { ALWAYS, FROM_POSIX, FROM_EXTENTS, FROM_LAYER } metrics_needs;

typedef struct metrics_field {
    const char *key;
    size_t offset;
    metrics_kind kind;
    metrics_needs needs;
    const char *words;
} metrics_field;

#define AT(member) #member, offsetof(iol__metrics, member)
static const metrics_field fields[] = {
    {AT(processes), COUNT, ALWAYS, "processes"},
    {AT(redundant_read_bytes), BYTES, FROM_EXTENTS, "read beyond the size of the file (selects)"},
    {AT(redundant_read_files), COUNT, FROM_EXTENTS, "files of which bytes were read again"},
    {AT(redundant_read_ro_bytes), BYTES, FROM_EXTENTS, "of it, from files that were only read"},
    {AT(redundant_write_bytes), BYTES, FROM_EXTENTS, "written beyond the size of the file"},
    {AT(meta_ratio_posix), SHARE, FROM_POSIX, "metadata's share of POSIX time"},
    {AT(meta_ratio_mpiio), SHARE, ALWAYS, "metadata's share of MPI-IO time"},
    {AT(meta_ratio), SHARE, ALWAYS, "of both, each file in its layer (selects)"},
    {AT(meta_layer), WORD, ALWAYS, "layers of the files"},
    {AT(meta_s_per_proc), SECONDS, FROM_POSIX, "POSIX metadata time per process"},
    {AT(meta_s_layer), SECONDS, FROM_LAYER, "the same, each file in its layer (selects)"},
    {AT(meta_s_rank_max_lo), SECONDS, FROM_POSIX, "POSIX metadata of the worst rank, at least"},
    {AT(meta_s_rank_max_hi), SECONDS, FROM_POSIX, "POSIX metadata of the worst rank, at most"},
    {AT(small_shared_indep_writes), COUNT, FROM_POSIX, "small writes to shared files (selects)"},
    {AT(small_shared_indep_writes_strict), COUNT, FROM_POSIX, "of them, to files without collective writes"},
    {AT(coll_writes), COUNT, ALWAYS, "collective writes"},
    {AT(match1), FLAG, FROM_EXTENTS, "selected: redundant reads"},
    {AT(match2), FLAG, FROM_LAYER, "selected: metadata"},
    {AT(match3), FLAG, FROM_POSIX, "selected: small writes to shared files"},
    {AT(random_reads), COUNT, FROM_POSIX, "reads out of order"},
    {AT(random_writes), COUNT, FROM_POSIX, "writes out of order"},
    {AT(effective_ranks), NUMBER, FROM_POSIX, "ranks that carry the largest shared file"},
    {AT(time_excess), SECONDS, FROM_POSIX, "largest lag of a rank in a shared file"},
};
#undef AT
enum { FIELDS = IOL_COUNT(fields) };

typedef enum metrics_form { TEXT, JSON, CSV } metrics_form;

static const void *metrics_value_of(const iol__metrics *metrics, const metrics_field *f) {
    return (const char *)metrics + f->offset;
}
static bool metrics_is_known(const iol__metrics *metrics, const metrics_field *f) {
    switch (f->needs) {
    case FROM_POSIX: return metrics->posix;
    case FROM_EXTENTS: return metrics->extents;
    case FROM_LAYER: return metrics->meta_layer != NULL;
    default: return true;
    }
}

/* Text ---------------------------------------------------------------------------------------------------------- */

static const char *words_of(const iol__metrics *metrics, const metrics_field *f, char text[IOL_HUMAN]) {
    const void *value = metrics_value_of(metrics, f);
    if (!metrics_is_known(metrics, f)) return "-";
    switch (f->kind) {
    case COUNT: return iol__human_number(text, (double)*(const int64_t *)value);
    case BYTES: return iol__human_bytes(text, (double)*(const int64_t *)value);
    case SECONDS: return iol__human_seconds(text, *(const double *)value);
    case SHARE: return iol__human_share(text, *(const double *)value);
    case NUMBER: return iol__human_number(text, *(const double *)value);
    case FLAG: return *(const bool *)value ? "yes" : "no";
    case WORD: return *(const char *const *)value ? *(const char *const *)value : "-";
    }
    return text;
}

/* A sentence says more than a column of dashes. */
static void metrics_text(iol__out *out, const iol__facts *facts, const iol__metrics *metrics) {
    char text[IOL_HUMAN], line[IOL_FIGURES_LINE];
    iol__out_printf(out, "%s\n", iol__figures_line(line, facts->figures.value, facts->figures.waited));
    for (size_t i = 0; i < FIELDS; i++) {
        const char *words = words_of(metrics, &fields[i], text);
        if (metrics->posix || strcmp(words, "-") != 0) iol__out_printf(out, "%-45s %14s\n", fields[i].words, words);
    }
    if (!metrics->posix) iol__out_text(out, "There are no POSIX records that could be read: nothing more is known.\n");
}

/* JSON and CSV -------------------------------------------------------------------------------------------------- */

static void metrics_json(iol__json *json, const iol__facts *facts, const iol__metrics *metrics) {
    iol__json_open(json, '{');
    iol__json_log_facts(json, facts->log);
    iol__json_figures(json, facts->figures.value);
    iol__json_put_open(json, "metrics", '{');
    for (size_t i = 0; i < FIELDS; i++) {
        const metrics_field *f = &fields[i];
        const void *value = metrics_value_of(metrics, f);
        if (!metrics_is_known(metrics, f))
            iol__json_put_real(json, f->key, NAN);
        else if (f->kind == COUNT || f->kind == BYTES)
            iol__json_put_i64(json, f->key, *(const int64_t *)value);
        else if (f->kind == FLAG)
            iol__json_put_bool(json, f->key, *(const bool *)value);
        else if (f->kind == WORD)
            iol__json_put_text(json, f->key, *(const char *const *)value);
        else
            iol__json_put_real(json, f->key, *(const double *)value);
    }
    iol__json_close(json, '}');
    iol__json_log_errors(json, facts->log);
    iol__json_close(json, '}');
}

static void csv_head(iol__out *out) {
    iol__out_text(out, "path,job_id");
    for (size_t i = 0; i < FIELDS; i++) iol__out_printf(out, ",%s", fields[i].key);
    iol__out_char(out, '\n');
}

static void metrics_csv(iol__out *out, const iol__facts *facts, const iol__metrics *metrics) {
    iol__csv_text(out, facts->info->path);
    iol__out_char(out, ',');
    if (iol__job_id_known(facts->log)) iol__out_i64(out, facts->job->job_id);
    for (size_t i = 0; i < FIELDS; i++) {
        const metrics_field *f = &fields[i];
        const void *value = metrics_value_of(metrics, f);
        iol__out_char(out, ',');
        if (!metrics_is_known(metrics, f)) continue;
        if (f->kind == COUNT || f->kind == BYTES)
            iol__out_i64(out, *(const int64_t *)value);
        else if (f->kind == FLAG)
            iol__out_char(out, *(const bool *)value ? '1' : '0');
        else if (f->kind == WORD)
            iol__csv_text(out, *(const char *const *)value);
        else
            iol__csv_real(out, *(const double *)value);
    }
    iol__out_char(out, '\n');
}

/* The command --------------------------------------------------------------------------------------------------- */

static int log_metrics(iol__out *out, iol__json *json, metrics_form as, const char *path) {
    iol_log *log;
    iol_error error;
    iol__facts facts;
    iol__metrics metrics;
    if (iol_log_open(path, &log, &error) != IOL_OK) {
        if (as == JSON) iol__json_unreadable(json, path, &error);
        return report_open_error(&error);
    }
    int status = EXIT_TROUBLE;
    if (iol__facts_make(log, NULL, NULL, &facts)) {
        iol__metrics_make(&facts, &iol__metric_limits_usual, &metrics);
        if (as == JSON)
            metrics_json(json, &facts, &metrics);
        else if (as == CSV)
            metrics_csv(out, &facts, &metrics);
        else
            metrics_text(out, &facts, &metrics);
        iol__out_flush(out);
        status = report_log_errors(log);
        iol__facts_free(&facts);
    } else {
        fputs("iolite: out of memory\n", stderr);
    }
    iol_log_close(log);
    return status;
}

int cmd_metrics(const iol__args *args) {
    if (args->n_operands == 0) return usage_error(args, "a log is needed");
    if (args->given[OPT_JSON] && args->given[OPT_CSV]) return usage_error(args, "--json and --csv exclude each other");
    metrics_form as = args->given[OPT_JSON] ? JSON : args->given[OPT_CSV] ? CSV : TEXT;
    bool several = args->n_operands > 1;
    iol__out out;
    iol__json json;
    iol__out_open(&out, STDOUT_FILENO);
    iol__json_start(&json, &out, several ? 3 : 2);
    if (as == JSON && several) iol__json_open(&json, '[');
    if (as == CSV) csv_head(&out);
    int status = EXIT_DONE;
    for (size_t i = 0; i < args->n_operands; i++) {
        if (as == TEXT && several) {
            if (i) iol__out_char(&out, '\n');
            iol__out_safe(&out, args->operands[i]);
            iol__out_char(&out, '\n');
        }
        int outcome = log_metrics(&out, &json, as, args->operands[i]);
        if (outcome > status) status = outcome;
    }
    if (as == JSON && several) iol__json_close(&json, ']');
    if (as == JSON) iol__json_finish(&json);
    return finish_output(&out, status);
}
