/* iolite jobs: jobs of the index in rows, or one of them with its findings and logs. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cmds/cmd.h"
#include "cmds/site/site_options.h"
#include "cmds/log/sheets.h"
#include "text/csv.h"
#include "text/json.h"
#include "text/number.h"
#include "text/text.h"
#include "site/query/job_list.h"
#include "site/query/query.h"

enum { USUAL_SHOWN = 20, LOGS_SHOWN = 20, MOST_COLUMNS = 40 };

/* Columns that can be shown: those with JOBS in site/store/schema.def, in that order. */
static const iol__column *columns[IOL_WIDEST];
static size_t n_columns;

static const char *name_of(const iol__column *column) { return column->jobs.name; }

typedef enum form { AS_TEXT, AS_JSON, AS_CSV } form;

typedef struct listing {
    const iol__args *args;
    const iol__column *chosen[MOST_COLUMNS];
    size_t n_chosen, limit;
    const iol__column *sort;
    form form;
    iol__out *out;
    iol__json json;
    size_t shown; /* findings of a job */
} listing;

/* Options ------------------------------------------------------------------------------------------------------- */

static const iol__column *find_column(const char *name) {
    for (size_t i = 0; i < n_columns; i++)
        if (strcmp(name_of(columns[i]), name) == 0) return columns[i];
    return NULL;
}

static int no_column(const char *name) {
    char names[1024] = "";
    for (size_t i = 0; i < n_columns; i++) {
        const size_t length = strlen(names);
        snprintf(names + length, sizeof names - length, " %s", name_of(columns[i]));
    }
    iol__complain("iolite jobs: ", "there is no column '%s'; there are:%s", name, names);
    return EXIT_USAGE;
}

/* How many places the terminal has room for; other forms have all. */
static int places_shown(const listing *l) {
    enum { PLACES = 5 };
    int width = -1;
    if (l->form != AS_TEXT) return PLACES;
    for (int place = 1; place <= PLACES; place++) {
        for (size_t i = 0; i < n_columns; i++)
            width += columns[i]->jobs.place == place ? columns[i]->jobs.width + 1 : 0;
        if (place > 1 && width > terminal_columns()) return place - 1;
    }
    return PLACES;
}

static int choose_columns(listing *l) {
    const char *list = argument_value(l->args, OPT_JOBS_COLUMNS);
    const int places = places_shown(l);
    for (size_t i = 0; !list && i < n_columns && l->n_chosen < MOST_COLUMNS; i++)
        if ((columns[i]->jobs.place && columns[i]->jobs.place <= places) || l->form == AS_JSON)
            l->chosen[l->n_chosen++] = columns[i];
    char *copy = list ? strdup(list) : NULL, *rest = copy;
    for (char *name; copy && (name = strsep(&rest, ","));) {
        const iol__column *column = find_column(name);
        if (!column || l->n_chosen == MOST_COLUMNS) {
            int outcome = no_column(name);
            free(copy);
            return outcome;
        }
        l->chosen[l->n_chosen++] = column;
    }
    free(copy);
    return EXIT_DONE;
}

static int read_options(listing *l) {
    const iol__args *args = l->args;
    const char *shown = argument_value(args, OPT_MAX_SHOW), *sort = argument_value(args, OPT_JOBS_SORT);
    l->limit = USUAL_SHOWN;
    if (args->given[OPT_SITE_JSON] + args->given[OPT_JOBS_CSV] + sheets_given(args) > 1)
        return usage_error(args, "--json, --csv, --arrow and --parquet exclude each other");
    l->form = args->given[OPT_SITE_JSON] ? AS_JSON : args->given[OPT_JOBS_CSV] || sheets_given(args) ? AS_CSV : AS_TEXT;
    if (shown) {
        char *end;
        errno = 0;
        l->limit = strtoull(shown, &end, 10);
        if (*end || errno || !*shown || *shown == '-' || !l->limit)
            return usage_error(args, "--max-show takes a number from 1 on");
    }
    l->sort = find_column(sort ? sort : "start");
    if (!l->sort) return no_column(sort);
    return choose_columns(l);
}

/* Rows ---------------------------------------------------------------------------------------------------------- */

static const char *when(char buffer[32], int64_t microseconds) {
    time_t seconds = (time_t)(microseconds / 1000000);
    struct tm tm;
    if (!microseconds) return "unknown";
    if (!localtime_r(&seconds, &tm)) return "-";
    strftime(buffer, 32, "%Y-%m-%d %H:%M", &tm);
    return buffer;
}

static const char *words(char buffer[32], const iol__column *column, const iol__cell *cell) {
    if (cell->kind == IOL_CELL_NULL) return "-";
    if (column->type == IOL_TYPE_TEXT) return iol__cell_text(cell) ? iol__cell_text(cell) : "-";
    if (column->type == IOL_TYPE_WHEN) return when(buffer, iol__cell_integer(cell));
    if (column->type == IOL_TYPE_TIME) return iol__human_seconds(buffer, iol__cell_real(cell) / 1e6);
    if (column->unit == IOL_SHOWN_BYTES) return iol__human_bytes(buffer, iol__cell_real(cell));
    if (column->unit == IOL_SHOWN_SHARE) return iol__human_share(buffer, iol__cell_real(cell));
    return iol__human_count(buffer, iol__cell_real(cell));
}

static void text_cell(listing *l, const iol__column *column, const char *text, bool last) {
    bool left = column->type == IOL_TYPE_TEXT || column->type == IOL_TYPE_WHEN;
    const size_t width = (size_t)column->jobs.width;
    if (left && last)
        iol__out_fitted(l->out, text, width, IOL_CUT_MIDDLE);
    else
        (left ? iol__out_left : iol__out_right)(l->out, text, width, IOL_CUT_MIDDLE);
    iol__out_char(l->out, last ? '\n' : ' ');
}

static void value_json(iol__json *json, const char *key, const iol__cell *cell) {
    if (cell->kind == IOL_CELL_TEXT)
        iol__json_put_text(json, key, cell->as.text);
    else if (cell->kind == IOL_CELL_INT)
        iol__json_put_i64(json, key, cell->as.integer);
    else
        iol__json_put_real(json, key, iol__cell_real(cell));
}

static void value_csv(iol__out *out, const iol__cell *cell) {
    if (cell->kind == IOL_CELL_TEXT)
        iol__csv_text(out, cell->as.text);
    else if (cell->kind == IOL_CELL_INT)
        iol__out_i64(out, cell->as.integer);
    else if (cell->kind == IOL_CELL_REAL)
        iol__csv_real(out, cell->as.real);
}

static bool print_job(void *context, const iol__cell *cells, size_t count) {
    listing *l = context;
    if (l->form == AS_JSON) iol__json_open(&l->json, '{');
    for (size_t i = 0; i < l->n_chosen && i < count; i++) {
        char buffer[32];
        if (l->form == AS_JSON) {
            const iol__cell cell = iol__shown_cell(l->chosen[i], cells[i]);
            value_json(&l->json, name_of(l->chosen[i]), &cell);
        } else if (l->form == AS_CSV) {
            if (i) iol__out_char(l->out, ',');
            const iol__cell cell = iol__shown_cell(l->chosen[i], cells[i]);
            value_csv(l->out, &cell);
        } else {
            text_cell(l, l->chosen[i], words(buffer, l->chosen[i], &cells[i]), i + 1 == l->n_chosen);
        }
    }
    if (l->form == AS_JSON) iol__json_close(&l->json, '}');
    if (l->form == AS_CSV) iol__out_char(l->out, '\n');
    return true;
}

static void print_head(listing *l) {
    for (size_t i = 0; i < l->n_chosen; i++) {
        if (l->form == AS_TEXT) text_cell(l, l->chosen[i], name_of(l->chosen[i]), i + 1 == l->n_chosen);
        if (l->form == AS_CSV) iol__out_printf(l->out, "%s%s", i ? "," : "", name_of(l->chosen[i]));
    }
    if (l->form == AS_CSV) iol__out_char(l->out, '\n');
    if (l->form == AS_JSON) iol__json_open(&l->json, '[');
}

/* Asking -------------------------------------------------------------------------------------------------------- */

static iol__patterns patterns(const iol__args *args, int option) {
    return (iol__patterns){args->values[option], args->n_values[option]};
}

static iol__job_filter filter_of(const listing *l, int64_t since, int64_t until) {
    const iol__args *args = l->args;
    const char *metric = argument_value(args, OPT_SELECTED);
    return (iol__job_filter){
        .users = patterns(args, OPT_OF_USER),
        .programs = patterns(args, OPT_OF_PROGRAM),
        .accounts = patterns(args, OPT_OF_ACCOUNT),
        .rules = patterns(args, OPT_WITH_RULE),
        .jobid = args->n_operands ? args->operands[0] : NULL,
        .since = since,
        .until = until,
        .selected = metric ? atoi(metric) : 0,
        .unlogged = args->given[OPT_NO_LOG],
    };
}

/* Of a job without a log, what logs say is not known; how long it ran, the batch system may know. */
static void select_column(iol__sql *sql, const iol__column *column) {
    if (!column->of_logs)
        iol__sql_add(sql, "%s", column->name);
    else
        iol__sql_add(sql, "CASE WHEN logs > 0 THEN %s%s END", column->name,
                     strcmp(column->name, "run") == 0 ? " WHEN start > 0 THEN ended - start" : "");
}

static iol_status list_jobs(listing *l, iol__store *store, int64_t since, int64_t until) {
    iol__sql sql;
    iol__sql_start(&sql);
    iol__sql_add(&sql, "SELECT ");
    for (size_t i = 0; i < l->n_chosen; i++) {
        if (i) iol__sql_add(&sql, ", ");
        select_column(&sql, l->chosen[i]);
    }
    const iol__job_filter filter = filter_of(l, since, until);
    iol__job_list(&sql, store, &filter, &(iol__job_sort){.expression = l->sort->name}, l->limit);
    print_head(l);
    iol_status status = iol__sql_ask(&sql, store, print_job, l);
    if (l->form == AS_JSON) {
        iol__json_close(&l->json, ']');
        iol__json_finish(&l->json);
    }
    return status;
}

/* One job ------------------------------------------------------------------------------------------------------- */

static bool print_log(void *context, const iol__log_of_job_row *log) {
    listing *l = context;
    char a[32], b[32], c[32], d[32], processes[IOL_HUMAN];
    iol__out_text(l->out, "  ");
    iol__out_fitted(l->out, log->exename ? log->exename : "-", 20, IOL_CUT_END);
    iol__out_printf(l->out, "  %s\n    %s process%s, %s read, %s written, %s in I/O\n", when(a, log->start),
                    iol__human_number(processes, (double)log->nprocs), log->nprocs == 1 ? "" : "es",
                    iol__human_bytes(b, (double)log->bytes_read), iol__human_bytes(c, (double)log->bytes_written),
                    iol__human_seconds(d, (double)log->io_time / 1e6));
    return true;
}

static bool print_finding(void *context, const iol__found_in_job_row *finding) {
    listing *l = context;
    char a[IOL_HUMAN];
    l->shown++;
    iol__out_printf(l->out, "  %-5s %-30s %5s log%s", finding->high ? "high" : "warn", finding->rule,
                    iol__human_number(a, (double)finding->logs), finding->logs == 1 ? "" : "s");
    if (finding->lost) iol__out_printf(l->out, ", %s lost", iol__human_seconds(a, (double)finding->lost / 1e6));
    iol__out_char(l->out, '\n');
    if (!finding->title) return true;
    iol__out_repeat(l->out, ' ', 8);
    iol__out_wrapped(l->out, (size_t)terminal_columns(), 8, 8, finding->title);
    return true;
}

/* Jobs with the id that was asked for; their texts are in the arena. */
typedef struct the_jobs {
    iol__arena arena;
    iol__job_row *list;
    size_t count;
} the_jobs;

static bool take_the_job(void *context, const iol__job_row *job) {
    the_jobs *all = context;
    all->list = iol__arena_grow(&all->arena, all->list, all->count, sizeof *all->list);
    all->list[all->count++] = iol__keep_job(&all->arena, job);
    return true;
}

/* Its logs, as jobs are made of them (site/index/jobs.c): no more than a day apart, and of nobody else who has a name. */
static void logs_of(iol__sql *sql, const iol__job_row *j) {
    const int64_t day = INT64_C(86400000000);
    const char *owner = j->owner ? j->owner : "";
    iol__sql_add(sql, " FROM log WHERE cluster = ? AND jobid = ? AND start >= ? AND start <= ? AND (owner = ?%s)",
                 strncmp(owner, "uid:", 4) == 0 ? "" : " OR owner LIKE 'uid:%'");
    iol__sql_value(sql, iol__text(j->cluster));
    iol__sql_value(sql, iol__text(j->jobid));
    iol__sql_value(sql, iol__integer(j->start - day));
    iol__sql_value(sql, iol__integer(iol__known_or(j->ended, j->start) + day));
    iol__sql_value(sql, iol__text(owner));
    sql->where = true;
}

/* One line per rule over all logs of the job, with the level of the worst. */
static iol_status show_findings(listing *l, iol__store *store, const iol__job_row *j) {
    iol__sql sql;
    iol__select_found_in_job(&sql);
    iol__sql_add(&sql, " FROM finding WHERE log_id IN (SELECT log_id");
    logs_of(&sql, j);
    iol__sql_add(&sql, ") AND level <> 'info' AND level <> 'ok' GROUP BY rule ORDER BY cost DESC, rule");
    iol__out_text(l->out, j->logs == 1 ? "\nFindings\n" : "\nFindings, over all logs\n");
    l->shown = 0;
    const iol_status status = iol__ask_found_in_job(&sql, store, print_finding, l);
    if (status == IOL_OK && l->shown == 0) iol__out_text(l->out, "  nothing serious\n");
    return status;
}

static iol_status show_logs(listing *l, iol__store *store, const iol__job_row *j) {
    const bool some = j->logs > LOGS_SHOWN;
    char all[IOL_HUMAN];
    iol__sql sql;
    iol__select_log_of_job(&sql);
    logs_of(&sql, j);
    iol__sql_add(&sql, " ORDER BY %sstart, identity LIMIT %d", some ? "COALESCE(lost, -1) DESC, " : "", LOGS_SHOWN);
    iol__out_text(l->out, "\nLogs");
    if (some) {
        iol__out_printf(l->out, ": the %d of %s that lost most; `iolite find --job ", LOGS_SHOWN,
                        iol__human_count(all, (double)j->logs));
        iol__out_safe(l->out, j->jobid);
        iol__out_text(l->out, "` has all");
    }
    iol__out_char(l->out, '\n');
    return iol__ask_log_of_job(&sql, store, print_log, l);
}

static iol_status show_job(listing *l, iol__store *store, const iol__job_row *j, bool one_of_several) {
    char start[32];
    iol_status status = IOL_OK;
    if (one_of_several) {
        iol__out_text(l->out, "\n");
        iol__out_safe(l->out, j->owner ? j->owner : "unknown");
        iol__out_printf(l->out, ", %s\n", when(start, j->start));
    }
    if (j->missed) {
        iol__out_text(l->out, "\nPrograms that could not be recorded\n  ");
        iol__out_wrapped(l->out, (size_t)terminal_columns(), 2, 2, j->missed);
    }
    if (j->logs) status = show_findings(l, store, j);
    return j->logs && status == IOL_OK ? show_logs(l, store, j) : status;
}

static iol_status show_steps(listing *l, iol__store *store, int64_t since, int64_t until) {
    iol__sql sql;
    the_jobs all = {0};
    jmp_buf exhausted;
    const iol__job_filter filter = filter_of(l, since, until);
    all.arena.exhausted = &exhausted;
    if (setjmp(exhausted)) return iol__store_fail(&store->error, IOL_SYSTEM, "out of memory");
    iol__select_job(&sql);
    iol__job_list(&sql, store, &filter, &(iol__job_sort){.expression = l->sort->name}, l->limit);
    iol_status status = iol__ask_job(&sql, store, take_the_job, &all);
    for (size_t i = 0; i < all.count && status == IOL_OK; i++) status = show_job(l, store, &all.list[i], all.count > 1);
    iol__arena_free(&all.arena);
    return status;
}

static int run(listing *l) {
    const iol__args *args = l->args;
    int64_t since, until;
    iol__store *store;
    const char *metric = argument_value(args, OPT_SELECTED);
    if (!read_day(args, OPT_SINCE, &since) || !read_day(args, OPT_UNTIL, &until))
        return usage_error(args, "dates are YYYY-MM-DD, YYYY-MM or YYYY");
    if (metric && (strlen(metric) != 1 || *metric < '1' || *metric > '3'))
        return usage_error(args, "--selected takes 1, 2 or 3");
    int outcome = open_store(store_url(args), IOL_STORE_READ, &store);
    if (outcome != EXIT_DONE) return outcome;
    iol__out out;
    open_csv_output(args, &out, STDOUT_FILENO);
    l->out = &out;
    iol__json_start(&l->json, &out, 1);
    iol_status status = list_jobs(l, store, since, until);
    if (status == IOL_OK && args->n_operands && l->form == AS_TEXT) status = show_steps(l, store, since, until);
    if (status != IOL_OK) outcome = store_trouble(store);
    iol__store_close(store);
    iol__sheet_column known[MOST_COLUMNS];
    for (size_t i = 0; i < l->n_chosen; i++)
        known[i] = (iol__sheet_column){name_of(l->chosen[i]), sheet_kind_of(l->chosen[i]->type)};
    return finish_csv_output(args, &out, STDOUT_FILENO, outcome, known, l->n_chosen);
}

int cmd_jobs(const iol__args *args) {
    listing l = {.args = args};
    n_columns = iol__job_shown(IOL_VIEW_JOBS, columns);
    if (args->n_operands > 1) return usage_error(args, "only one job is expected");
    iol__site *site;
    if (!open_site(args, &site)) return EXIT_INPUT;
    int outcome = read_options(&l);
    if (outcome == EXIT_DONE) outcome = run(&l);
    iol__site_free(site);
    return outcome;
}
