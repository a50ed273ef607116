/* Pages of running jobs, readable without script; the portal's script brings them up to date every few seconds. */
#include <math.h>
#include <stdio.h>

#include "base/count.h"
#include "serve/page_parts.h"
#include "serve/running.h"
#include "serve/serve.h"
#include "text/escape.h"

static const char *job_number(iol__exchange *x, const iol__running_job *job) {
    return iol__arena_print(&x->arena, "%lld", (long long)job->job);
}

static void running_row(iol__exchange *x, const iol__running_job *job) {
    char when[32];
    const char *number = job_number(x, job);
    iol__out_text(&x->body, "<tr><td>");
    iol__page_link(x, "/running/%s/%s", job->cluster, number, number);
    iol__out_text(&x->body, "</td>");
    iol__cell_words(x, job->owner);
    iol__cell_words(x, job->exe);
    iol__cell_words(x, iol__when(when, (double)job->start));
    iol__cell_number(x, iol__human_count, (double)job->n_parts);
    iol__cell_number(x, iol__human_count, (double)job->processes);
    iol__cell_number(x, iol__human_rate, job->rate.bytes_read);
    iol__cell_number(x, iol__human_rate, job->rate.bytes_written);
    iol__cell_number(x, iol__human_number, iol__live_calls(&job->rate));
    iol__cell_number(x, iol__human_share, iol__running_share(&job->rate, job->processes));
    iol__cell_number(x, iol__human_bytes, job->total.bytes_read);
    iol__cell_number(x, iol__human_bytes, job->total.bytes_written);
    iol__cell_number(x, iol__human_count, (double)job->open_files);
    iol__out_text(&x->body, "</tr>\n");
}

static void say_nothing_runs(iol__exchange *x) {
    iol__out_text(&x->body, x->serve->running.own
                                ? "<p class=\"note\">No recorded program of yours runs on this machine. "
                                  "<code>iolite run PROGRAM</code> starts one.</p>\n"
                                : "<p class=\"note\">No recorded job of yours runs on a node that tells of it.</p>\n");
}

void iol__serve_page_running(iol__exchange *x) {
    static const char *const heads[] = {"Job",       "User",     "Program",     "Start",   "Nodes",
                                        "Processes", "Read now", "Written now", "Calls/s", "Time in I/O",
                                        "Read",      "Written",  "Open files"};
    iol__running *r = &x->serve->running;
    size_t count;
    if (!iol__hold(x, &r->lock)) return;
    iol__running_refresh(r, iol__serve_cluster(x->serve));
    const iol__running_job *jobs = iol__running_jobs(x, &count);
    iol__page_begin(x, "Running jobs");
    iol__out_text(&x->body, "<div id=\"running\">\n");
    if (count) iol__page_heads(x, heads, IOL_COUNT(heads), 4);
    for (size_t i = 0; i < count; i++) running_row(x, &jobs[i]);
    if (count)
        iol__out_text(&x->body, "</tbody></table>\n");
    else
        say_nothing_runs(x);
    iol__out_text(&x->body, "</div>\n");
    iol__page_end(x);
}

/* One --------------------------------------------------------------------------------------------------------------- */

static void fact(iol__exchange *x, const char *label, const char *value) {
    iol__out_printf(&x->body, "<div><dt>%s</dt><dd>", label);
    iol__out_markup(&x->body, value);
    iol__out_text(&x->body, "</dd></div>\n");
}

static void number_fact(iol__exchange *x, const char *label, iol__human *how, double value) {
    char text[IOL_HUMAN];
    fact(x, label, isnan(value) ? "not known" : how(text, value));
}

static void running_facts(iol__exchange *x, const iol__running_job *job) {
    char when[32];
    iol__out_text(&x->body, "<dl class=\"box\">\n");
    fact(x, "User", job->owner);
    fact(x, "Program", job->exe);
    fact(x, "Start", iol__when(when, (double)job->start));
    number_fact(x, "Nodes", iol__human_count, (double)job->n_parts);
    number_fact(x, "Processes", iol__human_count, (double)job->processes);
    number_fact(x, "Read now", iol__human_rate, job->rate.bytes_read);
    number_fact(x, "Written now", iol__human_rate, job->rate.bytes_written);
    number_fact(x, "Time in I/O now", iol__human_share, iol__running_share(&job->rate, job->processes));
    number_fact(x, "Read", iol__human_bytes, job->total.bytes_read);
    number_fact(x, "Written", iol__human_bytes, job->total.bytes_written);
    number_fact(x, "Open files", iol__human_count, (double)job->open_files);
    fact(x, "As of", iol__when(when, job->time));
    iol__out_text(&x->body, "</dl>\n");
}

static void busiest_table(iol__exchange *x, const iol__running_job *job) {
    static const char *const heads[] = {"File",        "Layer",   "Open", "Read now",
                                        "Written now", "Calls/s", "Read", "Written"};
    enum { SHOWN = 20 };
    size_t count;
    const iol__live_job_file *files = iol__running_files(x, job, &count);
    iol__out_text(&x->body, "<h2>Busiest files</h2>\n");
    if (!count) iol__out_text(&x->body, "<p>None has been used yet.</p>\n");
    if (!count) return;
    iol__page_heads(x, heads, IOL_COUNT(heads), 3);
    for (size_t i = 0; i < count && i < SHOWN; i++) {
        iol__out_text(&x->body, "<tr>");
        iol__cell_words(x, files[i].name);
        iol__cell_words(x, files[i].module);
        iol__cell_words(x, files[i].open ? "open" : "closed");
        iol__cell_number(x, iol__human_rate, files[i].rate.bytes_read);
        iol__cell_number(x, iol__human_rate, files[i].rate.bytes_written);
        iol__cell_number(x, iol__human_number, iol__live_calls(&files[i].rate));
        iol__cell_number(x, iol__human_bytes, files[i].total.bytes_read);
        iol__cell_number(x, iol__human_bytes, files[i].total.bytes_written);
        iol__out_text(&x->body, "</tr>\n");
    }
    iol__out_text(&x->body, "</tbody></table>\n");
}

static void nodes_table(iol__exchange *x, const iol__running_job *job) {
    static const char *const heads[] = {"Node", "Processes", "Read now",   "Written now",
                                        "Read", "Written",   "Seconds ago"};
    iol__out_text(&x->body, "<h2>Nodes</h2>\n");
    iol__page_heads(x, heads, IOL_COUNT(heads), 1);
    for (size_t i = 0; i < job->n_parts; i++) {
        const iol__live_job *part = job->parts[i].job;
        iol__out_text(&x->body, "<tr>");
        iol__cell_words(x, job->parts[i].host->host);
        iol__cell_number(x, iol__human_count, (double)part->processes);
        iol__cell_number(x, iol__human_rate, part->rate.bytes_read);
        iol__cell_number(x, iol__human_rate, part->rate.bytes_written);
        iol__cell_number(x, iol__human_bytes, part->total.bytes_read);
        iol__cell_number(x, iol__human_bytes, part->total.bytes_written);
        iol__cell_number(x, iol__human_count, floor(iol__running_age(job->parts[i].host)));
        iol__out_text(&x->body, "</tr>\n");
    }
    iol__out_text(&x->body, "</tbody></table>\n");
}

/* On demand: a link asks for them, and a page that shows them goes on asking. */
static void findings_part(iol__exchange *x, const iol__running_job *job, bool asked) {
    static const char *const heads[] = {"Level", "Rule", "What was found", "Processes", "Lost so far"};
    iol__live_finding *findings;
    size_t count;
    const bool judged = iol__running_findings(x, job, &findings, &count);
    iol__out_text(&x->body, "<h2>Findings so far</h2>\n");
    if (!asked && !judged) {
        iol__out_text(&x->body, "<p id=\"ask-findings\">");
        iol__page_link(x, "/running/%s/%s?findings=1", job->cluster, job_number(x, job),
                       "Judge what it has done so far");
        iol__out_text(&x->body, "</p>\n");
        return;
    }
    if (!judged) iol__out_text(&x->body, "<p>Its nodes have been asked. Look again in a few seconds.</p>\n");
    if (judged && !count) iol__out_text(&x->body, "<p>No finding is worth a change.</p>\n");
    if (!count) return;
    iol__page_heads(x, heads, IOL_COUNT(heads), 3);
    for (size_t i = 0; i < count; i++) {
        iol__out_text(&x->body, "<tr>");
        iol__cell_level(x, findings[i].level);
        iol__cell_words(x, findings[i].rule);
        iol__cell_words(x, findings[i].title);
        iol__cell_number(x, iol__human_count, (double)findings[i].processes);
        iol__cell_number(x, iol__human_seconds, findings[i].lost_s);
        iol__out_text(&x->body, "</tr>\n");
    }
    iol__out_text(&x->body, "</tbody></table>\n");
}

void iol__serve_page_running_job(iol__exchange *x) {
    iol__running *r = &x->serve->running;
    const bool asked = iol__param_flag(x, "findings") == 1;
    if (!iol__hold(x, &r->lock)) return;
    iol__running_refresh(r, iol__serve_cluster(x->serve));
    const iol__running_job *job = iol__running_find(x);
    if (job && asked) {
        iol__running_wish_for(r, job);
        iol__running_refresh(r, iol__serve_cluster(x->serve));
        job = iol__running_find(x);
    }
    if (!job) {
        iol__not_found(x);
        return;
    }
    iol__page_begin(x, iol__arena_print(&x->arena, "Running job %lld on %s", (long long)job->job, job->cluster));
    iol__out_text(&x->body, "<div id=\"running-job\">\n");
    running_facts(x, job);
    findings_part(x, job, asked);
    busiest_table(x, job);
    nodes_table(x, job);
    iol__out_text(&x->body, "</div>\n");
    iol__page_end(x);
}
