/* Pages without script: the list of jobs, one job, rankings, the fleet, and the table of routes. They answer from the same
   functions as the API. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/count.h"
#include "site/query/fleet_json.h"
#include "serve/jobs.h"
#include "serve/page_parts.h"
#include "serve/params.h"
#include "serve/rankings.h"
#include "serve/series.h"
#include "serve/serve.h"
#include "text/escape.h"
#include "text/text.h"

enum { PAGE_ROWS = 100 };

/* Jobs ------------------------------------------------------------------------------------------------------------ */

static double seconds_of(int64_t microseconds) { return (double)microseconds / 1e6; }

static iol__human *human_of_column(const iol__column *column) {
    if (column->type == IOL_TYPE_TIME) return iol__human_seconds;
    if (column->unit == IOL_SHOWN_BYTES) return iol__human_bytes;
    return column->unit == IOL_SHOWN_SHARE ? iol__human_share : iol__human_number;
}

/* Of a job without a log no figure is known. */
static void figure_cell(iol__exchange *x, const iol__column *column, const iol__job_row *job) {
    const iol__cell cell = iol__job_cell(column, job);
    const double number = iol__cell_real(&cell) / (column->type == IOL_TYPE_TIME ? 1e6 : 1);
    if (strcmp(column->name, "logs") == 0 && !job->logs)
        iol__out_text(&x->body, "<td class=\"n\">none</td>");
    else
        iol__cell_number(x, human_of_column(column), cell.kind == IOL_CELL_NULL ? NAN : number);
}

/* Columns with PORTAL in site/store/schema.def that are shown unless others are chosen, and their count. */
static size_t portal_columns(const iol__column *columns[IOL_WIDEST]) {
    size_t count = iol__job_shown(IOL_VIEW_PORTAL, columns);
    while (count && columns[count - 1]->portal.order >= IOL_PORTAL_CHOSEN) count--;
    return count;
}

static bool is_figure(const iol__column *column) {
    return column->type != IOL_TYPE_TEXT && column->type != IOL_TYPE_WHEN;
}

static void job_row(void *context, const iol__job_row *job) {
    iol__exchange *x = context;
    const iol__column *columns[IOL_WIDEST];
    const size_t count = portal_columns(columns);
    char when[32];
    iol__out_text(&x->body, "<tr>");
    for (size_t i = 0; i < count; i++) {
        const iol__cell cell = iol__row_cell(columns[i], job);
        if (is_figure(columns[i])) {
            figure_cell(x, columns[i], job);
        } else if (columns[i]->type == IOL_TYPE_WHEN) {
            iol__cell_words(x, cell.as.integer ? iol__when(when, iol__cell_real(&cell) / 1e6) : "unknown");
        } else if (strcmp(columns[i]->name, "jobid") == 0) {
            iol__out_text(&x->body, "<td>");
            iol__page_link(x, "/jobs/%s/%s", job->cluster, job->jobid, job->jobid);
            iol__out_text(&x->body, "</td>");
        } else {
            iol__cell_words(x, iol__cell_text(&cell));
        }
    }
    iol__out_text(&x->body, "</tr>\n");
}

static size_t job_heads(iol__exchange *x) {
    const iol__column *columns[IOL_WIDEST];
    const char *heads[IOL_WIDEST];
    const size_t count = portal_columns(columns);
    size_t texts = 0;
    for (size_t i = 0; i < count; i++) heads[i] = columns[i]->portal.name;
    while (texts < count && !is_figure(columns[texts])) texts++;
    iol__page_heads(x, heads, count, texts);
    return count;
}

static void options_of(iol__exchange *x, const char *name, const char *const options[][2], size_t count) {
    for (size_t i = 0; i < count; i++)
        iol__out_printf(&x->body, "<option value=\"%s\"%s>%s</option>", options[i][0],
                        strcmp(iol__param_choice(x, name), options[i][0]) == 0 ? " selected" : "", options[i][1]);
}

/* What a list can be narrowed down by, beside the fields of its form, and how people call it. */
static const struct {
    const char *name, *words;
} job_filters[] = {{"user", "user"},
                   {"account", "account"},
                   {"exe", "program"},
                   {"state", "state"},
                   {"month", "month"},
                   {"fs", "file system"},
                   {"finding", "finding"},
                   {"min_lost", "seconds lost, at least"},
                   {"min_bytes", "bytes moved, at least"},
                   {"selected", "metric"},
                   {"cluster", "machine"},
                   {"start", "from"},
                   {"end", "up to"}};

static void hidden_field(iol__exchange *x, const char *name) {
    const char *value = iol__param(x, name);
    if (!value) return;
    iol__out_printf(&x->body, "<input type=\"hidden\" name=\"%s\" value=\"", name);
    iol__out_markup(&x->body, value);
    iol__out_text(&x->body, "\">");
}

static void search_form(iol__exchange *x) {
    const char *q = iol__param(x, "q");
    iol__out_printf(&x->body,
                    "<form action=\"%s/jobs\" role=\"search\"><label>Search <input type=\"search\" name=\"q\" value=\"",
                    x->serve->options->prefix);
    iol__out_markup(&x->body, q ? q : "");
    iol__out_text(&x->body, "\"></label> <label>Order <select name=\"sort\">");
    static const char *const orders[][2] = {{"-start", "latest first"},
                                            {"-lost_s", "most time lost"},
                                            {"-findings", "most findings"},
                                            {"-bytes", "most bytes"},
                                            {"-io_s", "most I/O time"}};
    static const char *const logs[][2] = {{"", "with and without log"}, {"1", "with a log"}, {"0", "without a log"}};
    options_of(x, "sort", orders, IOL_COUNT(orders));
    iol__out_text(&x->body, "</select></label> <label>Jobs <select name=\"has_log\">");
    options_of(x, "has_log", logs, IOL_COUNT(logs));
    iol__out_text(&x->body, "</select></label>");
    for (size_t i = 0; i < IOL_COUNT(job_filters); i++) hidden_field(x, job_filters[i].name);
    iol__out_printf(&x->body,
                    " <button>Show</button> <a data-csv href=\"%s/api/v1/jobs?format=csv&amp;limit=1000\">CSV</a>"
                    "</form>\n",
                    x->serve->options->prefix);
}

static bool is_narrowed(const iol__exchange *x) {
    for (size_t i = 0; i < IOL_COUNT(job_filters); i++)
        if (iol__param(x, job_filters[i].name)) return true;
    return false;
}

static void active_filters(iol__exchange *x) {
    if (!is_narrowed(x)) return;
    iol__out_text(&x->body, "<p class=\"p-narrowed\">Only jobs with");
    for (size_t i = 0; i < IOL_COUNT(job_filters); i++) {
        const char *value = iol__param(x, job_filters[i].name);
        if (!value) continue;
        iol__out_printf(&x->body, " %s <code>", job_filters[i].words);
        iol__out_markup(&x->body, value);
        iol__out_text(&x->body, "</code>");
    }
    iol__out_printf(&x->body, ". <a href=\"%s/jobs\">All jobs</a></p>\n", x->serve->options->prefix);
}

/* A list may be empty because of the question, or because there is nothing to list yet. */
static void say_empty(iol__exchange *x, size_t columns) {
    bool asked = (iol__param(x, "q") && *iol__param(x, "q")) || is_narrowed(x) || iol__param(x, "cursor") ||
                 *iol__param_choice(x, "has_log");
    iol__out_printf(
        &x->body, "<tr><td colspan=\"%zu\">%s</td></tr>\n", columns,
        asked ? "No jobs match."
              : "There is no job yet. <code>iolite run PROGRAM</code> records one; it appears here soon after "
                "it has ended.");
}

static void kept_param(iol__exchange *x, const char *name) {
    const char *value = iol__param(x, name);
    if (!value) return;
    iol__out_printf(&x->body, "&amp;%s=", name);
    iol__out_url(&x->body, value);
}

void iol__serve_page_jobs(iol__exchange *x) {
    const char *next = NULL;
    if (!iol__exchange_store(x)) return;
    iol__page_begin(x, "Jobs");
    search_form(x);
    active_filters(x);
    const size_t columns = job_heads(x), before = x->body.length;
    if (!iol__jobs_list(x, PAGE_ROWS, job_row, x, &next)) return;
    if (x->body.length == before) say_empty(x, columns);
    iol__out_text(&x->body, "</tbody></table>\n");
    if (next) {
        iol__out_printf(&x->body, "<p><a rel=\"next\" href=\"%s/jobs?cursor=", x->serve->options->prefix);
        iol__out_url(&x->body, next);
        static const char *const fields[] = {"q", "sort", "has_log"};
        for (size_t i = 0; i < IOL_COUNT(fields); i++) kept_param(x, fields[i]);
        for (size_t i = 0; i < IOL_COUNT(job_filters); i++) kept_param(x, job_filters[i].name);
        iol__out_text(&x->body, "\">More</a></p>\n");
    }
    iol__page_end(x);
}

/* One job --------------------------------------------------------------------------------------------------------- */

static const char *decimals(char text[64], const char *format, double value) {
    if (isnan(value)) return "not known";
    snprintf(text, 64, format, value);
    return text;
}

/* Up to here amounts are in MB, as portals of centres have shown them for long; nobody reads more digits. */
static const double many_mb = 10000;

static const char *amount(char text[64], double mb) {
    return !(mb >= many_mb) ? decimals(text, "%.1f MB", mb) : iol__human_bytes(text, mb * 1e6);
}

static const char *rate(char text[64], double mbs) {
    return !(mbs >= many_mb) ? decimals(text, "%.2f MB/s", mbs) : iol__human_rate(text, mbs * 1e6);
}

/* Who ran what, when, and how it ended. */
static void who_line(iol__exchange *x, const iol__job_row *job) {
    const iol__box box = iol__box_of(job);
    char start[32], end[32];
    iol__out_text(&x->body, "<p class=\"p-who\">");
    iol__page_link(x, "/users/%s", job->owner, NULL, job->owner);
    if (job->exename) {
        iol__out_text(&x->body, " ran ");
        iol__page_link(x, "/programs/%s", job->exename, NULL, job->exename);
    }
    iol__out_printf(&x->body, " from %s to %s", job->start ? iol__when(start, box.start) : "a time not known",
                    isnan(box.end) ? "a time not known" : iol__when(end, box.end));
    if (job->state) {
        iol__out_text(&x->body, ": <span class=\"p-state\">");
        iol__out_markup(&x->body, job->state);
        iol__out_text(&x->body, "</span>");
    }
    iol__out_text(&x->body, "</p>\n");
}

static void key_figures_of_job(iol__exchange *x, const iol__job_row *job) {
    const iol__box box = iol__box_of(job);
    char text[64], human[IOL_HUMAN], detail[IOL_HUMAN + 32];
    iol__page_figures_begin(x);
    iol__page_figure(x, "Estimated time in I/O", decimals(text, "%.2f %%", box.percent),
                     job->logs ? iol__human_seconds(human, (double)job->io_time / 1e6) : "");
    iol__page_figure(x, "Time lost", job->logs ? iol__human_seconds(human, (double)job->lost / 1e6) : "not known",
                     "to all findings");
    iol__page_figure(x, "Read", amount(text, box.read), "");
    iol__page_figure(x, "Written", amount(text, box.written), "");
    iol__page_figure(x, "Estimated I/O rate", rate(text, box.rate), "all bytes against the time in I/O");
    if (job->logs)
        snprintf(detail, sizeof detail, "%s processes", iol__human_count(human, (double)job->nprocs));
    else
        *detail = 0;
    iol__page_figure(x, "Wall-clock time", decimals(text, "%.0f s", box.wall), detail);
    iol__out_text(&x->body, "</div>\n");
}

/* Parts that the portal's script makes tabs of: by their name. */
static void begin_part(iol__exchange *x, const char *name, const char *title) {
    iol__out_printf(&x->body, "<section class=\"p-section\" data-tab=\"%s\"><h2>%s</h2>\n", name, title);
}

static void end_part(iol__exchange *x) { iol__out_text(&x->body, "</section>\n"); }

static void fact_row(iol__exchange *x, const char *label, const char *value) {
    if (!value || !*value) return;
    iol__out_printf(&x->body, "<tr><th scope=\"row\">%s</th>", label);
    iol__cell_words(x, value);
    iol__out_text(&x->body, "</tr>\n");
}

/* What the batch system says. */
static void accounting_part(iol__exchange *x, const iol__job_row *job) {
    const iol__box box = iol__box_of(job);
    char text[32], human[IOL_HUMAN];
    begin_part(x, "accounting", "Accounting");
    iol__out_text(&x->body, "<table><tbody>\n");
    fact_row(x, "Account", job->account);
    fact_row(x, "Partition", job->part);
    fact_row(x, "Name of the job", job->name);
    fact_row(x, "State", job->state);
    fact_row(x, "Start", iol__when(text, job->start ? box.start : NAN));
    fact_row(x, "End", iol__when(text, box.end));
    if (!isnan(job->nodes)) fact_row(x, "Nodes", iol__human_number(human, job->nodes));
    if (job->cores.known) fact_row(x, "Cores", iol__human_count(human, (double)job->cores.value));
    if (job->core_time.known) fact_row(x, "Core hours", iol__human_number(human, (double)job->core_time.value / 3.6e9));
    fact_row(x, "Node hours lost to findings",
             job->logs ? iol__human_number(human, (double)job->node_time / 3.6e9) : NULL);
    fact_row(x, "How the library came in", job->entry);
    fact_row(x, "In the batch system's list", job->known ? "yes" : "no");
    iol__out_text(&x->body, "</tbody></table>\n");
    end_part(x);
}

static bool log_row(void *context, const iol__log_of_job_row *log) {
    iol__exchange *x = context;
    char when[32], id[32];
    snprintf(id, sizeof id, "%lld", (long long)log->log_id);
    iol__out_text(&x->body, "<tr><td>");
    iol__page_link(x, "/logs/%s/report", id, NULL, log->exename ? log->exename : "report");
    iol__out_text(&x->body, "</td>");
    iol__cell_words(x, iol__when(when, seconds_of(log->start)));
    iol__cell_number(x, iol__human_count, (double)log->nprocs);
    iol__cell_number(x, iol__human_bytes, (double)log->bytes_read);
    iol__cell_number(x, iol__human_bytes, (double)log->bytes_written);
    iol__cell_number(x, iol__human_seconds, seconds_of(log->io_time));
    iol__out_text(&x->body, "</tr>\n");
    return true;
}

static bool finding_row(void *context, const iol__found_row *finding) {
    iol__exchange *x = context;
    iol__out_text(&x->body, "<tr>");
    iol__cell_level(x, finding->level);
    iol__cell_words(x, finding->rule);
    iol__cell_words(x, finding->title);
    iol__cell_number(x, iol__human_number, (double)finding->logs);
    iol__cell_number(x, iol__human_seconds, seconds_of(finding->lost));
    iol__out_text(&x->body, "</tr>\n");
    return true;
}

static bool logs_table(iol__exchange *x, const iol__which *which, int64_t logs) {
    static const char *const heads[] = {"Log", "Start", "Processes", "Read", "Written", "I/O time"};
    enum { SHOWN = 1000 };
    char all[IOL_HUMAN];
    iol__sql sql;
    begin_part(x, "logs", "Logs");
    iol__out_text(&x->body, "<p>Each opens the report of one run.");
    if (logs > SHOWN)
        iol__out_printf(&x->body, " These are the first %d of %s.", SHOWN, iol__human_count(all, (double)logs));
    iol__out_text(&x->body, "</p>\n");
    iol__page_heads(x, heads, 6, 2);
    iol__select_log_of_job(&sql);
    iol__sql_add(&sql, " FROM log");
    iol__which_logs(&sql, which);
    iol__sql_add(&sql, " ORDER BY start, identity LIMIT %d", SHOWN);
    bool good = iol__store_ok(x, iol__ask_log_of_job(&sql, x->store, log_row, x));
    if (good) iol__out_text(&x->body, "</tbody></table>\n");
    if (good) end_part(x);
    return good;
}

static bool findings_table(iol__exchange *x, const iol__which *which, bool some) {
    static const char *const heads[] = {"Level", "Rule", "What was found", "Logs", "Lost"};
    iol__sql sql;
    iol__out_text(&x->body, "<section class=\"p-section\" id=\"findings\"><h2>Findings</h2>\n");
    if (!some) {
        iol__out_text(&x->body, "<p>No finding is worth a change.</p></section>\n");
        return true;
    }
    iol__page_heads(x, heads, 5, 3);
    iol__select_found(&sql);
    iol__sql_add(&sql, " FROM finding WHERE level IN ('high', 'warn') AND log_id IN (SELECT log_id FROM log");
    iol__which_logs(&sql, which);
    iol__sql_add(&sql, ") GROUP BY level, rule ORDER BY cost DESC, rule, level");
    bool good = iol__store_ok(x, iol__ask_found(&sql, x->store, finding_row, x));
    if (good) iol__out_text(&x->body, "</tbody></table></section>\n");
    return good;
}

static bool histograms(iol__exchange *x, const iol__which *which) {
    iol__sizes sizes;
    if (!iol__sizes_of(x, which, &sizes)) return false;
    begin_part(x, "sizes", "Requests by size");
    iol__sizes_svg(&x->body, &sizes);
    end_part(x);
    return true;
}

void iol__serve_page_job(iol__exchange *x) {
    iol__the_job job;
    if (!iol__find_job(x, &job)) return;
    const char *why = iol__why_no_log(&job.row);
    iol__page_begin(x, iol__arena_print(&x->arena, "Job %s on %s", job.row.jobid, job.row.cluster));
    who_line(x, &job.row);
    if (why) {
        iol__out_text(&x->body, "<p class=\"note\">This job left no log: ");
        iol__out_markup(&x->body, why);
        iol__out_text(&x->body, ".</p>\n");
    } else if (!findings_table(x, &job.which, job.row.findings > 0)) {
        return;
    }
    key_figures_of_job(x, &job.row);
    if (!why && (!histograms(x, &job.which) || !logs_table(x, &job.which, job.row.logs))) return;
    accounting_part(x, &job.row);
    iol__page_end(x);
}

/* Rankings -------------------------------------------------------------------------------------------------------- */

static iol__human *human_of(iol__unit unit) {
    return unit == IOL_UNIT_BYTES ? iol__human_bytes : unit == IOL_UNIT_TIME ? iol__human_seconds : iol__human_count;
}

static void change_cell(iol__exchange *x, double value, double was) {
    char text[IOL_HUMAN];
    iol__out_text(&x->body, "<td class=\"n\">");
    iol__out_markup(&x->body, iol__human_change(text, was, value)); /* it may have a "<" */
    iol__out_text(&x->body, "</td>");
}

static void key_cell(iol__exchange *x, const iol__rank_query *q, const char *key) {
    static const char *const pages[] = {
        [IOL_RANK_USER] = "/users/%s", [IOL_RANK_PROGRAM] = "/programs/%s", [IOL_RANK_FS] = "/fs/%s"};
    bool one = q->key == IOL_RANK_USER || q->key == IOL_RANK_PROGRAM || q->key == IOL_RANK_FS;
    if (!one || !key || !*key) {
        iol__cell_words(x, key);
        return;
    }
    iol__out_text(&x->body, "<td>");
    iol__page_link(x, pages[q->key], key, NULL, key);
    iol__out_text(&x->body, "</td>");
}

static void ranked_row(iol__exchange *x, const iol__rank_query *q, const iol__ranking *all, const iol__ranking *before,
                       const iol__ranked *one) {
    double value = iol__rank_value(q, one->value), was = iol__rank_before(q, before, one);
    iol__out_text(&x->body, "<tr>");
    key_cell(x, q, one->key[0]);
    if (q->key == IOL_RANK_TRIPLE) iol__cell_words(x, one->key[1]);
    if (q->key == IOL_RANK_TRIPLE) iol__cell_words(x, one->key[2]);
    iol__cell_number(x, human_of(q->measure->unit), value);
    iol__cell_number(x, iol__human_share, all->total > 0 ? (double)one->value / (double)all->total : NAN);
    iol__cell_number(x, human_of(q->measure->unit), was);
    change_cell(x, value, was);
    iol__cell_number(x, iol__human_bytes, (double)one->read);
    iol__cell_number(x, iol__human_bytes, (double)one->written);
    iol__cell_number(x, iol__human_number, (double)one->logs);
    iol__out_text(&x->body, "</tr>\n");
}

static void choice(iol__exchange *x, const char *name, const char *label) {
    const char *values = "", *chosen = iol__param_choice(x, name);
    for (const iol__param_row *p = x->route->params; p->name; p++)
        if (strcmp(p->name, name) == 0) values = p->values;
    iol__out_printf(&x->body, "<label>%s <select name=\"%s\">", label, name);
    while (*values) {
        size_t length = strcspn(values, "|");
        bool is = strlen(chosen) == length && strncmp(chosen, values, length) == 0;
        iol__out_printf(&x->body, "<option%s>%.*s</option>", is ? " selected" : "", (int)length, values);
        values += length + (values[length] == '|');
    }
    iol__out_text(&x->body, "</select></label> ");
}

static void period_links(iol__exchange *x) {
    static const struct {
        const char *name;
        int days;
    } periods[] = {{"day", 1}, {"week", 7}, {"month", 30}, {"year", 365}};
    iol__out_text(&x->body, "<p>The last ");
    for (size_t i = 0; i < IOL_COUNT(periods); i++)
        iol__out_printf(&x->body, "%s<a href=\"%s/scoreboard?by=%s&amp;metric=%s&amp;days=%d\">%s</a>", i ? ", " : "",
                        x->serve->options->prefix, iol__param_choice(x, "by"), iol__param_choice(x, "metric"),
                        periods[i].days, periods[i].name);
    iol__out_printf(&x->body, ". As <a href=\"%s/api/v1/scoreboard?by=%s&amp;metric=%s&amp;format=csv\">CSV</a>.</p>\n",
                    x->serve->options->prefix, iol__param_choice(x, "by"), iol__param_choice(x, "metric"));
}

static void scoreboard_form(iol__exchange *x, int64_t days) {
    iol__out_printf(&x->body, "<form action=\"%s/scoreboard\">", x->serve->options->prefix);
    choice(x, "by", "By");
    choice(x, "metric", "metric");
    iol__out_printf(&x->body,
                    "<label>of the last <input type=\"number\" name=\"days\" min=\"1\" max=\"3660\" value=\"%lld\"> "
                    "days</label> <button>Show</button></form>\n",
                    (long long)days);
    period_links(x);
}

/* A choice that the form offers is answered with the form, and what to choose instead. */
static void unknown_ranking(iol__exchange *x, int64_t days) {
    x->status = 200;
    x->body.length = 0;
    iol__page_begin(x, "Scoreboard");
    scoreboard_form(x, days);
    iol__out_text(&x->body,
                  "<p class=\"note\">What findings cost is known of jobs as a whole, not of their part on one file "
                  "system. Rank users, accounts or programs by it.</p>\n");
    iol__page_end(x);
}

void iol__serve_page_scoreboard(iol__exchange *x) {
    static const char *const heads[] = {"Name", "Value", "Share", "Period before", "Change", "Read", "Written", "Logs"};
    static const char *const triple[] = {"User",          "Program", "File system", "Value",   "Share",
                                         "Period before", "Change",  "Read",        "Written", "Logs"};
    const char *owners[2];
    iol__rank_query q = iol__rank_question(x, owners);
    iol__ranking now, before;
    int64_t days = iol__param_int(x, "days", 30);
    q.since = iol__site_day(x->serve->site, ((int64_t)time(NULL) - (days - 1) * 86400) * 1000000);
    q.limit = PAGE_ROWS;
    if (!iol__exchange_store(x)) return;
    if (!iol__rank_both(x, &q, &now, &before)) {
        if (x->status == 400) unknown_ranking(x, days);
        return;
    }
    iol__page_begin(x, "Scoreboard");
    scoreboard_form(x, days);
    bool three = q.key == IOL_RANK_TRIPLE;
    if (!now.count) iol__out_text(&x->body, "<p class=\"note\">There is no log of these days. Try more of them.</p>\n");
    iol__page_heads(x, three ? triple : heads, three ? 10 : 8, three ? 3 : 1);
    for (size_t i = 0; i < now.count; i++) ranked_row(x, &q, &now, &before, &now.list[i]);
    iol__out_text(&x->body, "</tbody></table>\n");
    iol__page_end(x);
    iol__ranking_free(&now);
    iol__ranking_free(&before);
}

/* Fleet ----------------------------------------------------------------------------------------------------------- */

static double share(int64_t part, int64_t all) { return all > 0 ? (double)part / (double)all : NAN; }

static void fleet_findings(iol__exchange *x, const iol__fleet *f) {
    static const char *const heads[] = {"Level", "Layer", "Rule", "Logs", "Of all", "Of layer", "Node time"};
    iol__out_text(&x->body, "<h2>Findings</h2>\n");
    iol__page_heads(x, heads, 7, 3);
    for (size_t i = 0; i < f->n_findings; i++) {
        const iol__fleet_finding *one = &f->findings[i];
        int layer = iol__fleet_interface(one->rule);
        iol__out_text(&x->body, "<tr>");
        iol__cell_level(x, one->level);
        iol__cell_words(x, layer < 0 ? NULL : iol__fleet_interfaces[layer]);
        iol__out_text(&x->body, "<td>");
        iol__page_link(x, "/jobs?finding=%s", one->rule, NULL, one->rule);
        iol__out_text(&x->body, "</td>");
        iol__cell_number(x, iol__human_number, (double)one->logs);
        iol__cell_number(x, iol__human_share, share(one->logs, f->logs));
        iol__cell_number(x, iol__human_share, layer < 0 ? NAN : share(one->logs, f->interface[layer]));
        iol__cell_number(x, iol__human_seconds, (double)one->node_time / 1e6);
        iol__out_text(&x->body, "</tr>\n");
    }
    iol__out_text(&x->body, "</tbody></table>\n");
}

static void fleet_metrics(iol__exchange *x, const iol__fleet *f) {
    static const char *const heads[] = {"Metric", "Worst job", "Of",       "Jobs",
                                        "Users",  "And by 1",  "And by 2", "And by 3"};
    iol__out_text(&x->body, "<h2>Jobs that deserve a look</h2>\n");
    iol__page_heads(x, heads, 8, 3);
    for (int m = 0; m < IOL_METRICS; m++) {
        char text[IOL_HUMAN];
        const iol__fleet_job *top = f->metrics[m].top;
        iol__out_text(&x->body, "<tr>");
        iol__cell_words(x, iol__fleet_metrics[m]);
        iol__out_text(&x->body, "<td>");
        if (top) iol__page_link(x, "/jobs/%s/%s", top->cluster, top->jobid, top->jobid);
        iol__out_text(&x->body, "</td>");
        iol__cell_words(x, top ? top->owner : NULL);
        iol__out_text(&x->body, "<td class=\"n\">");
        iol__page_link(x, "/jobs?selected=%s&amp;sort=-lost_s", (const char[]){(char)('1' + m), 0}, NULL,
                       iol__human_number(text, (double)f->metrics[m].jobs));
        iol__out_text(&x->body, "</td>");
        iol__cell_number(x, iol__human_number, (double)f->metrics[m].users);
        for (int n = 0; n < IOL_METRICS; n++) iol__cell_number(x, iol__human_number, (double)f->overlap[m][n]);
        iol__out_text(&x->body, "</tr>\n");
    }
    iol__out_text(&x->body, "</tbody></table>\n");
}

static void coverage_row(iol__exchange *x, const char *what, const iol__coverage *c) {
    iol__out_text(&x->body, "<tr>");
    iol__cell_words(x, what);
    iol__cell_number(x, iol__human_number, (double)c->jobs);
    iol__cell_number(x, iol__human_share, share(c->logged, c->jobs));
    iol__cell_number(x, iol__human_number, (double)c->users);
    iol__cell_number(x, iol__human_share, share(c->users_logged, c->users));
    iol__cell_number(x, iol__human_number, (double)c->core_time / 3.6e9);
    iol__cell_number(x, iol__human_share, share(c->core_time_logged, c->core_time));
    iol__out_text(&x->body, "</tr>\n");
}

static void fleet_coverage(iol__exchange *x, const iol__fleet *f) {
    static const char *const heads[] = {"Day", "Jobs", "Logged", "Active users", "Logged", "Core hours", "Logged"};
    iol__out_text(&x->body, "<h2>Coverage</h2>\n");
    iol__page_heads(x, heads, 7, 1);
    coverage_row(x, "all", &f->all);
    for (size_t i = f->n_days; i-- > 0;) {
        char day[16];
        int64_t d = f->days[i].day;
        snprintf(day, sizeof day, "%04d-%02d-%02d", (int)(d / 10000), (int)(d / 100 % 100), (int)(d % 100));
        coverage_row(x, day, &f->days[i]);
    }
    iol__out_text(&x->body, "</tbody></table>\n");
}

void iol__serve_page_fleet(iol__exchange *x) {
    iol__fleet fleet;
    char count[3][IOL_HUMAN];
    int64_t days = iol__param_int(x, "days", 0), since = 0;
    if (days) since = iol__site_day(x->serve->site, ((int64_t)time(NULL) - (days - 1) * 86400) * 1000000);
    if (!iol__exchange_store(x) || !iol__store_ok(x, iol__fleet_make(x->store, since, 0, &fleet))) return;
    iol__page_begin(x, "Fleet");
    iol__out_printf(&x->body,
                    "<form action=\"%s/fleet\"><label>Of the last <input type=\"number\" name=\"days\" min=\"1\" "
                    "max=\"3660\" value=\"",
                    x->serve->options->prefix);
    if (days) iol__out_printf(&x->body, "%lld", (long long)days);
    iol__out_text(&x->body, "\" placeholder=\"all\"> days</label> <button>Show</button></form>\n");
    iol__out_printf(&x->body, "<p>%s logs of %s jobs and %s users.</p>\n",
                    iol__human_number(count[0], (double)fleet.logs), iol__human_number(count[1], (double)fleet.jobs),
                    iol__human_number(count[2], (double)fleet.users));
    fleet_findings(x, &fleet);
    fleet_metrics(x, &fleet);
    fleet_coverage(x, &fleet);
    iol__page_end(x);
    iol__fleet_free(&fleet);
}

/* The routes ------------------------------------------------------------------------------------------------------ */

void iol__serve_page_api(iol__exchange *x) {
    iol__page_begin(x, "What the server answers");
    iol__out_printf(&x->body, "<p>The same for programs: <a href=\"%s/api/v1/openapi.json\">openapi.json</a>.</p>\n",
                    x->serve->options->prefix);
    for (size_t i = 0; i < iol__routes_count; i++) {
        const iol__route *r = &iol__routes[i];
        if (r->shape == IOL_SHAPE_PAGE || strncmp(r->path, "/api/", 5) != 0) continue;
        iol__out_printf(&x->body, "<h2><code>%s %s</code></h2>\n<p>%s.</p>\n<dl>\n", r->method, r->path, r->summary);
        for (const iol__param_row *p = r->params; p->name; p++) {
            iol__out_printf(&x->body, "<dt><code>%s</code></dt><dd>", p->name);
            iol__out_markup(&x->body, p->meaning);
            if (p->kind == IOL_PARAM_CHOICE) iol__out_printf(&x->body, ": %s", p->values);
            iol__out_text(&x->body, "</dd>\n");
        }
        iol__out_text(&x->body, "</dl>\n");
    }
    iol__page_end(x);
}

/* Pages of the portal's script ------------------------------------------------------------------------------------ */

static void shell(iol__exchange *x, const char *title, const char *data) {
    iol__page_begin(x, title);
    iol__out_text(&x->body, "<noscript><p>This page is drawn by a script. Its data: ");
    iol__out_printf(&x->body, "<a href=\"%s%s\">JSON</a>.</p></noscript>\n", x->serve->options->prefix, data);
    iol__page_end(x);
}

/* Somebody else is not there. */
void iol__serve_page_users(iol__exchange *x) {
    const char *user = iol__param(x, "user");
    if (!iol__access_owner(&x->viewer, user)) {
        iol__not_found(x);
        return;
    }
    shell(x, user, "/api/v1/programs");
}

void iol__serve_page_programs(iol__exchange *x) { shell(x, "Programs", "/api/v1/programs"); }
void iol__serve_page_program(iol__exchange *x) { shell(x, iol__param(x, "exe"), "/api/v1/programs"); }
void iol__serve_page_fs_list(iol__exchange *x) { shell(x, "File systems", "/api/v1/fs"); }
void iol__serve_page_fs(iol__exchange *x) {
    const char *fs = iol__param(x, "fs");
    if (iol__find_fs(x, fs)) shell(x, fs, "/api/v1/fs");
}
void iol__serve_page_screens(iol__exchange *x) { shell(x, "Screens", "/api/v1/screens"); }
void iol__serve_page_compare(iol__exchange *x) { shell(x, "Compare", "/api/v1/jobs"); }
void iol__serve_page_benchmarks(iol__exchange *x) { shell(x, "Benchmarks", "/api/v1/programs"); }
void iol__serve_page_admin(iol__exchange *x) { shell(x, "Administration", "/api/v1/failures"); }
