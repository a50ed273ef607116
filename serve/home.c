/* The first page. To a user: what the last week cost, and which finding cost most of it. To staff: whether data comes, the
   jobs that cost the machine most, slow targets, and what changed since the day before. The portal's script adds advice,
   histories and file systems. */
#include <math.h>
#include <stdio.h>
#include <time.h>

#include "serve/overview.h"
#include "serve/page_parts.h"
#include "serve/serve.h"
#include "text/escape.h"
#include "text/text.h"

typedef struct home {
    iol__exchange *x;
    const iol__overview *o;
    bool staff;
} home;

static double hours_of(int64_t microseconds) { return (double)microseconds / 3.6e9; }

/* What was lost, as this viewer counts it. */
static const char *lost_text(const home *h, char text[IOL_HUMAN + 16], int64_t lost, int64_t node_time) {
    char number[IOL_HUMAN];
    if (h->staff)
        snprintf(text, IOL_HUMAN + 16, "%s node hours", iol__human_count(number, hours_of(node_time)));
    else
        snprintf(text, IOL_HUMAN + 16, "%s", iol__human_seconds(number, (double)lost / 1e6));
    return text;
}

/* The sentence ---------------------------------------------------------------------------------------------------- */

static void say_worst(const home *h) {
    const iol__overview *o = h->o;
    iol__out *out = &h->x->body;
    char text[IOL_HUMAN + 16];
    if (!o->has_worst) return;
    iol__out_text(out, " Most of it: ");
    iol__page_link(h->x, "/jobs?finding=%s&amp;sort=-lost_s", o->worst_rule.rule, NULL,
                   o->worst.title ? o->worst.title : o->worst_rule.rule);
    iol__out_printf(out, " (%s, %lld %s).", lost_text(h, text, o->worst_rule.lost, o->worst_rule.node_time),
                    (long long)o->worst_rule.logs, o->worst_rule.logs == 1 ? "log" : "logs");
}

static void say_losses(const home *h) {
    const iol__overview *o = h->o;
    iol__out *out = &h->x->body;
    char losing[IOL_HUMAN], all[IOL_HUMAN], text[IOL_HUMAN + 16];
    const char *whose = h->staff ? "" : "your ";
    iol__human_count(all, (double)o->now.jobs);
    if (!o->now.jobs)
        iol__out_text(out, h->staff ? "No job started in this time." : "You have started no job in this time.");
    else if (!o->now.losing)
        iol__out_printf(out, "<strong>%s %s%s lost nothing worth a change.</strong>", all, whose,
                        o->now.jobs == 1 ? "job" : "jobs");
    else
        iol__out_printf(out, "<strong>%s of %s%s %s lost %s.</strong>", iol__human_count(losing, (double)o->now.losing),
                        whose, all, o->now.jobs == 1 ? "job" : "jobs",
                        lost_text(h, text, o->now.lost, o->now.node_time));
    if (o->now.losing) say_worst(h);
}

static void say_late(const home *h) {
    char when[32];
    iol__out_text(&h->x->body, "<strong class=\"p-late\">Nothing new has come.</strong>");
    for (int i = 0; i < 2; i++)
        if (h->o->latest[i])
            iol__out_printf(&h->x->body, " The latest %s is of %s.", i ? "job of the batch system" : "log",
                            iol__when(when, (double)h->o->latest[i] / 1e6));
    iol__out_printf(&h->x->body, " <a href=\"%s/admin\">Look</a>", h->x->serve->options->prefix);
}

static void say_sentence(const home *h) {
    if (h->o->late) {
        iol__out_text(&h->x->body, "<p class=\"p-lead\" data-level=\"high\"><span>");
        say_late(h);
        iol__out_text(&h->x->body, "</span></p>\n");
    }
    iol__out_printf(&h->x->body, "<p class=\"p-lead\" data-level=\"%s\"><span>",
                    h->o->now.losing ? "high"
                    : h->o->now.jobs ? "ok"
                                     : "info");
    say_losses(h);
    iol__out_text(&h->x->body, "</span></p>\n");
}

/* Key figures ----------------------------------------------------------------------------------------------------- */

static const char *against(char text[64], double was, double is) {
    char change[IOL_HUMAN];
    if (!(was > 0)) return is > 0 ? "none in the time before" : "as before";
    snprintf(text, 64, "%s against the time before", iol__human_change(change, was, is));
    return text;
}

static void loss_figure(const home *h) {
    const iol__overview *o = h->o;
    char value[IOL_HUMAN + 16], detail[64];
    iol__page_figure(h->x, h->staff ? "Lost to findings" : "Time lost",
                     lost_text(h, value, o->now.lost, o->now.node_time),
                     h->staff ? against(detail, hours_of(o->earlier.node_time), hours_of(o->now.node_time))
                              : against(detail, (double)o->earlier.lost, (double)o->now.lost));
}

static void coverage_figure(const home *h) {
    const iol__period_sums_row *now = &h->o->now;
    char value[IOL_HUMAN], detail[2 * IOL_HUMAN + 32], listed[IOL_HUMAN], covered[IOL_HUMAN];
    if (!now->listed) return;
    snprintf(detail, sizeof detail, "%s of %s jobs have a log", iol__human_count(covered, (double)now->covered),
             iol__human_count(listed, (double)now->listed));
    iol__page_figure(h->x, "Coverage", iol__human_share(value, (double)now->covered / (double)now->listed), detail);
}

static void latest_figure(const home *h) {
    char value[IOL_HUMAN + 8], age[IOL_HUMAN], when[32];
    const double start = (double)h->o->latest[0] / 1e6;
    if (!h->o->latest[0]) return;
    snprintf(value, sizeof value, "%s ago", iol__human_seconds(age, (double)time(NULL) - start));
    iol__page_figure(h->x, "Latest log", value, iol__when(when, start));
}

static void key_figures(const home *h) {
    const iol__overview *o = h->o;
    const double moved = (double)o->now.bytes_read + (double)o->now.bytes_written;
    char value[IOL_HUMAN], detail[2 * IOL_HUMAN + 32], first[IOL_HUMAN], second[IOL_HUMAN], change[64];
    iol__page_figures_begin(h->x);
    loss_figure(h);
    snprintf(detail, sizeof detail, "%s failed, %s with findings", iol__human_count(first, (double)o->now.failed),
             iol__human_count(second, (double)o->now.losing));
    iol__page_figure(h->x, "Jobs", iol__human_count(value, (double)o->now.jobs), detail);
    iol__page_figure(h->x, "Data moved", iol__human_bytes(value, moved),
                     against(change, (double)o->earlier.bytes_read + (double)o->earlier.bytes_written, moved));
    if (h->staff) coverage_figure(h);
    if (h->staff) latest_figure(h);
    iol__out_text(&h->x->body, "</div>\n");
}

/* Tables ---------------------------------------------------------------------------------------------------------- */

static void linked_cell(iol__exchange *x, const char *format, const char *a, const char *b, const char *text) {
    iol__out_text(&x->body, "<td>");
    iol__page_link(x, format, a, b, text);
    iol__out_text(&x->body, "</td>");
}

static void costly_jobs(const home *h) {
    static const char *const heads[] = {"Job", "User", "Program", "Start", "Findings", "Time lost", "Node hours"};
    const iol__overview *o = h->o;
    char when[32];
    iol__out_text(&h->x->body, "<section class=\"p-section\"><h2>Jobs that lost most</h2>\n");
    iol__page_heads(h->x, heads, 7, 4);
    for (size_t i = 0; i < o->n_jobs; i++) {
        const iol__job_row *job = &o->jobs[i];
        iol__out_text(&h->x->body, "<tr>");
        linked_cell(h->x, "/jobs/%s/%s", job->cluster, job->jobid, job->jobid);
        iol__cell_words(h->x, job->owner);
        iol__cell_words(h->x, job->exename);
        iol__cell_words(h->x, iol__when(when, (double)job->start / 1e6));
        iol__cell_number(h->x, iol__human_number, (double)job->findings);
        iol__cell_number(h->x, iol__human_seconds, (double)job->lost / 1e6);
        iol__cell_number(h->x, iol__human_number, hours_of(job->node_time));
        iol__out_text(&h->x->body, "</tr>\n");
    }
    iol__out_text(&h->x->body, "</tbody></table></section>\n");
}

static void changed_programs(const home *h) {
    static const char *const heads[] = {"Program", "User", "Node hours lost", "Before", "Change"};
    const iol__overview *o = h->o;
    char change[IOL_HUMAN];
    iol__out_text(&h->x->body, "<section class=\"p-section\"><h2>What changed</h2>\n");
    iol__page_heads(h->x, heads, 5, 2);
    for (size_t i = 0; i < o->n_changes; i++) {
        const iol__program_change_row *one = &o->changes[i];
        iol__out_text(&h->x->body, "<tr>");
        linked_cell(h->x, "/programs/%s", one->exename, NULL, one->exename);
        iol__cell_words(h->x, one->owner);
        iol__cell_number(h->x, iol__human_number, hours_of(one->now));
        iol__cell_number(h->x, iol__human_number, hours_of(one->earlier));
        iol__cell_words(h->x, iol__human_change(change, hours_of(one->earlier), hours_of(one->now)));
        iol__out_text(&h->x->body, "</tr>\n");
    }
    iol__out_text(&h->x->body, "</tbody></table></section>\n");
}

static void slow_targets(const home *h) {
    static const char *const heads[] = {"What was found", "Job", "User", "Program", "Lost"};
    const iol__overview *o = h->o;
    iol__out_text(&h->x->body, "<section class=\"p-section\"><h2>Slow targets</h2>\n");
    if (!o->n_slow) {
        iol__out_text(&h->x->body, "<p>No job met a storage target that was slower than the others.</p></section>\n");
        return;
    }
    iol__page_heads(h->x, heads, 5, 4);
    for (size_t i = 0; i < o->n_slow; i++) {
        const iol__overview_found *one = &o->slow[i];
        iol__out_text(&h->x->body, "<tr>");
        iol__cell_words(h->x, one->title ? one->title : "lustre.ost.slow");
        linked_cell(h->x, "/jobs/%s/%s", one->job.cluster, one->job.jobid, one->job.jobid);
        iol__cell_words(h->x, one->job.owner);
        iol__cell_words(h->x, one->job.exename);
        iol__cell_number(h->x, iol__human_seconds, (double)one->lost / 1e6);
        iol__out_text(&h->x->body, "</tr>\n");
    }
    iol__out_text(&h->x->body, "</tbody></table></section>\n");
}

/* The page -------------------------------------------------------------------------------------------------------- */

static const char *title_of(const home *h) {
    if (h->o->days == 1) return h->staff ? "The last 24 hours" : "Your last 24 hours";
    return iol__arena_print(&h->x->arena, "%s last %lld days", h->staff ? "The" : "Your", (long long)h->o->days);
}

static void period_choice(const home *h) {
    static const int days[] = {1, 7, 30, 365};
    static const char *const names[] = {"day", "week", "month", "year"};
    iol__out_text(&h->x->body, "<p>The last ");
    for (int i = 0; i < 4; i++)
        iol__out_printf(&h->x->body, "%s<a href=\"%s/?days=%d\"%s>%s</a>", i ? ", " : "", h->x->serve->options->prefix,
                        days[i], h->o->days == days[i] ? " aria-current=\"true\"" : "", names[i]);
    iol__out_printf(&h->x->body, ". <a href=\"%s/jobs\">All jobs</a>.</p>\n", h->x->serve->options->prefix);
}

/* Nobody has run anything yet. */
static void first_steps(const home *h) {
    iol__out_text(&h->x->body,
                  "<p class=\"note\"><code>iolite run PROGRAM</code> records a program; its job appears here soon "
                  "after it has ended.</p>\n");
}

void iol__serve_page_home(iol__exchange *x) {
    home h = {x, iol__overview_make(x), iol__access_all(&x->viewer)};
    if (!h.o) return;
    iol__page_begin(x, title_of(&h));
    period_choice(&h);
    say_sentence(&h);
    key_figures(&h);
    /* The panel of running jobs belongs here; the portal's script fills it. */
    iol__out_text(&x->body, "<div id=\"running-jobs\"></div>\n<div id=\"worst-finding\"></div>\n");
    if (!h.o->now.jobs && !h.o->earlier.jobs) first_steps(&h);
    iol__out_text(&x->body, "<div class=\"p-columns\">\n");
    if (h.o->n_jobs) costly_jobs(&h);
    if (h.o->n_changes) changed_programs(&h);
    if (h.staff) slow_targets(&h);
    iol__out_text(&x->body, "</div>\n");
    iol__page_end(x);
}
