/* The essential figures as plain HTML, for a reader without scripts, a terminal browser, a search, a printer: what ran,
   what its I/O cost, what was found, and where the time and the bytes went. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "insight/facts/facts.h"
#include "text/escape.h"
#include "report/html/html_internal.h"
#include "text/number.h"

enum { TOP_FILES = 20, LONGEST = 400 };

/* Elements ------------------------------------------------------------------------------------------------------ */

/* As long as text[at] is inside a character, one step back. */
static size_t boundary(const char *text, size_t at) {
    while (at > 0 && ((unsigned char)text[at] & 0xc0) == 0x80) at--;
    return at;
}

static void html_static_one_line(iol__out *out, const char *text, size_t length) {
    static const char ends[] = "\n\r\t", letters[] = "nrt";
    while (length) {
        size_t n = 0;
        while (n < length && !memchr(ends, text[n], sizeof ends - 1)) n++;
        iol__out_markup_bytes(out, text, n);
        if (n < length) {
            iol__out_char(out, '\\');
            iol__out_char(out, letters[(const char *)memchr(ends, text[n], sizeof ends - 1) - ends]);
            n++;
        }
        text += n;
        length -= n;
    }
}

void iol__html_text(iol__out *out, const char *text) {
    size_t length = strlen(text);
    if (length <= LONGEST) {
        html_static_one_line(out, text, length);
        return;
    }
    size_t first = boundary(text, LONGEST / 2), last = boundary(text, length - LONGEST / 2);
    html_static_one_line(out, text, first);
    iol__out_text(out, " &hellip; ");
    html_static_one_line(out, text + last, length - last);
}

static void html_static_raw(iol__out *out, const char *html) { iol__out_text(out, html); }

static void html_static_paragraph(iol__out *out, const char *class, const char *text) {
    iol__out_printf(out, "<p class=\"%s\">", class);
    iol__html_text(out, text);
    html_static_raw(out, "</p>\n");
}

static void html_static_fact(iol__out *out, const char *label, const char *value) {
    iol__out_printf(out, "<div><dt>%s</dt><dd>", label);
    iol__html_text(out, value);
    html_static_raw(out, "</dd></div>\n");
}

static void card(iol__out *out, const char *label, const char *value, const char *detail) {
    iol__out_printf(out, "<div><span class=\"io-card-label\">%s</span><span class=\"io-card-value\">", label);
    iol__html_text(out, value);
    html_static_raw(out, "</span><span class=\"io-card-detail\">");
    iol__html_text(out, detail);
    html_static_raw(out, "</span></div>\n");
}

/* A table begins with its columns; those in front of the bar are text, the others numbers. */
static void html_static_table(iol__out *out, const char *title, const char *const *columns, size_t texts) {
    iol__out_printf(out, "<section>\n<h2>%s</h2>\n<div class=\"io-scroll\">\n<table class=\"io-table\">\n<thead><tr>",
                    title);
    for (size_t i = 0; columns[i]; i++)
        iol__out_printf(out, "<th scope=\"col\"%s>%s</th>", i < texts ? "" : " class=\"io-number\"", columns[i]);
    html_static_raw(out, "</tr></thead>\n<tbody>\n");
}

static void table_end(iol__out *out) { html_static_raw(out, "</tbody>\n</table>\n</div>\n"); }
static void section_end(iol__out *out) { html_static_raw(out, "</section>\n"); }

static void html_static_text_cell(iol__out *out, const char *text) {
    html_static_raw(out, "<td>");
    iol__html_text(out, text);
    html_static_raw(out, "</td>");
}

static void name_cell(iol__out *out, const char *text) {
    html_static_raw(out, "<td class=\"io-path\">");
    iol__html_text(out, text);
    html_static_raw(out, "</td>");
}

static void number_cell(iol__out *out, const char *text) {
    html_static_raw(out, "<td class=\"io-number\">");
    iol__html_text(out, text);
    html_static_raw(out, "</td>");
}

static void bytes_cell(iol__out *out, double bytes) {
    char text[IOL_HUMAN];
    number_cell(out, iol__human_bytes(text, bytes));
}
static void count_cell(iol__out *out, double count) {
    char text[IOL_HUMAN];
    number_cell(out, iol__human_count(text, count));
}
static void seconds_cell(iol__out *out, double seconds) {
    char text[IOL_HUMAN];
    number_cell(out, iol__human_seconds(text, seconds));
}
static void share_cell(iol__out *out, double share) {
    char text[IOL_HUMAN];
    number_cell(out, iol__human_share(text, isnan(share) ? -1 : share));
}

/* The job ------------------------------------------------------------------------------------------------------- */

static const char *html_static_date(int64_t seconds, char room[64]) {
    time_t when = (time_t)seconds;
    struct tm parts;
    if (seconds <= 0 || !localtime_r(&when, &parts) || !strftime(room, 64, "%Y-%m-%d %H:%M:%S %Z", &parts))
        return "unknown";
    return room;
}

static void number_fact(iol__out *out, const char *label, int64_t value) {
    char text[32];
    *iol__format_i64(text, value) = 0;
    html_static_fact(out, label, text);
}

static void html_static_header(iol__out *out, const iol__diagnosis *d, const iol_info *info) {
    char program[IOL_PROGRAM_NAME], when[64], seconds[IOL_HUMAN];
    html_static_raw(out, "<header class=\"io-header\">\n<p class=\"io-brand\">Iolite report</p>\n<h1>");
    iol__html_text(out, iol__page_program(d->exe, program));
    html_static_raw(out, "</h1>\n");
    if (*d->exe) html_static_paragraph(out, "io-command", d->exe);
    html_static_raw(out, "<dl class=\"io-facts\">\n");
    if (d->job_id_known) number_fact(out, "Job", d->job_id);
    number_fact(out, "User", d->uid);
    html_static_fact(out, "Processes", iol__human_number(seconds, (double)d->processes));
    html_static_fact(out, "Run time", d->run_time > 0 ? iol__human_seconds(seconds, d->run_time) : "unknown");
    html_static_fact(out, "Start", html_static_date(d->start_known ? d->start : 0, when));
    html_static_fact(out, "End", html_static_date(d->start_known ? d->end : 0, when));
    html_static_fact(out, "Log", iol__page_base(d->log_name));
    html_static_fact(out, "Format", info->version);
    html_static_raw(out, "</dl>\n</header>\n");
}

static void strip(iol__out *out, const iol__page *page, const iol__diagnosis *d) {
    char time[IOL_HUMAN], share[IOL_HUMAN], bytes[IOL_HUMAN], other[IOL_HUMAN], text[120], count[32];
    html_static_raw(out, "<div class=\"io-strip\">\n");
    const bool doubtful = iol__figures_impossible(d->io_waited, d->run_time);
    iol__human_share(share, isnan(d->io_share) ? -1 : d->io_share);
    if (doubtful) { /* the bounds, as in the line of figures */
        snprintf(text, sizeof text, "%s to %s of the run", iol__human_seconds(time, d->figures[IOL_FIGURE_io_time_low]),
                 share);
        card(out, "Time in I/O", text, "in threads");
    } else {
        snprintf(text, sizeof text, "%s of the run", share);
        card(out, "Time in I/O", iol__human_seconds(time, d->io_time), text);
    }
    snprintf(text, sizeof text, "%s read, %s written", iol__human_bytes(bytes, d->bytes_read),
             iol__human_bytes(other, d->bytes_written));
    char all[IOL_HUMAN];
    card(out, "Bytes moved", iol__human_bytes(all, d->bytes_read + d->bytes_written), text);
    card(out, "Rate", doubtful ? "-" : iol__human_rate(bytes, d->rate), "bytes against time in I/O");
    snprintf(count, sizeof count, "%zu", d->count[IOL_LEVEL_HIGH] + d->count[IOL_LEVEL_WARN]);
    snprintf(text, sizeof text, "%zu serious, %zu worth a look", d->count[IOL_LEVEL_HIGH], d->count[IOL_LEVEL_WARN]);
    card(out, "Findings", count, text);
    size_t total;
    if (iol__page_files(page, &total)) {
        iol__page_file first = iol__page_file_at(page, 0);
        snprintf(text, sizeof text, "%s, %s of the time in I/O", iol__human_seconds(time, first.time),
                 iol__human_share(share, isnan(first.share) ? -1 : first.share));
        card(out, "Slowest file", first.name && *first.name ? iol__page_base(first.name) : "without a name", text);
    }
    bool whole = !d->n_quality && !iol_log_error_count(iol__page_summary(page)->log);
    card(out, "Data quality", whole ? "complete" : "with gaps", whole ? "all of the log was read" : "see below");
    html_static_raw(out, "</div>\n");
}

/* Findings ------------------------------------------------------------------------------------------------------ */

static void html_static_cost(iol__out *out, const iol__finding *f) {
    char low[IOL_HUMAN], high[IOL_HUMAN], share[IOL_HUMAN];
    if (!f->costed || f->level == IOL_LEVEL_OK) return;
    html_static_raw(out, "<p class=\"io-note\">");
    if (!f->cost.known) {
        html_static_raw(out, "Cost unknown: the log has no times to go by.");
    } else {
        iol__out_printf(out, "Costs roughly %s to %s", iol__human_seconds(low, f->cost.low),
                        iol__human_seconds(high, f->cost.high));
        if (!isnan(f->cost.share)) iol__out_printf(out, ", %s of the run", iol__human_share(share, f->cost.share));
        iol__out_printf(out, "; confidence %s.", f->confidence.label);
    }
    html_static_raw(out, "</p>\n");
}

static void advice(iol__out *out, const iol__advice *a) {
    html_static_raw(out, "<div class=\"io-advice\">\n<p>");
    iol__html_text(out, a->text ? a->text : "");
    html_static_raw(out, "</p>\n");
    if (a->code) {
        html_static_raw(out, "<pre class=\"io-code\"><code>");
        iol__out_markup(out, a->code);
        html_static_raw(out, "</code></pre>\n");
    }
    if (a->check && *a->check) {
        html_static_raw(out, "<p class=\"io-check\">Next run: ");
        iol__html_text(out, a->check);
        html_static_raw(out, "</p>\n");
    }
    html_static_raw(out, "</div>\n");
}

static void html_static_finding(iol__out *out, const iol__finding *f) {
    iol__out_printf(out,
                    "<article class=\"io-finding\" data-level=\"%s\">\n<header><h3><span class=\"io-badge\" "
                    "data-level=\"%s\">%s</span> ",
                    iol__level_name(f->level), iol__level_name(f->level), iol__level_name(f->level));
    iol__html_text(out, f->title);
    html_static_raw(out, "</h3></header>\n");
    if (f->subject_name && *f->subject_name) html_static_paragraph(out, "io-subject", f->subject_name);
    html_static_cost(out, f);
    if (f->note) html_static_paragraph(out, "io-note", f->note);
    for (size_t i = 0; i < f->n_advice; i++) advice(out, &f->advice[i]);
    html_static_raw(out, "</article>\n");
}

static void html_static_findings(iol__out *out, const iol__diagnosis *d) {
    html_static_raw(out, "<section>\n<h2>Findings</h2>\n");
    if (!d->count[IOL_LEVEL_HIGH] && !d->count[IOL_LEVEL_WARN])
        html_static_raw(out, d->damaged
                                 ? "<p>Nothing serious was found in what could be read of this damaged log.</p>\n"
                                 : "<p>Nothing serious was found.</p>\n");
    for (size_t i = 0; i < d->n_findings; i++) html_static_finding(out, &d->findings[i]);
    section_end(out);
}

/* Tables -------------------------------------------------------------------------------------------------------- */

static void layer_times(iol__out *out, const iol__page *page, const iol__diagnosis *d) {
    static const char *const columns[] = {"Layer", "Read", "Write", "Metadata", "Wait", "Slowest rank", NULL};
    const iol__page_layer_time *list;
    size_t n = iol__page_layer_times(page, &list);
    html_static_table(out, "Where the run time went", columns, 1);
    for (size_t i = 0; i < n; i++) {
        const iol__page_layer_time *c = &list[i];
        html_static_raw(out, "<tr>");
        html_static_text_cell(out, c->module);
        seconds_cell(out, c->read);
        seconds_cell(out, c->write);
        seconds_cell(out, c->meta);
        seconds_cell(out, c->wait);
        seconds_cell(out, c->slowest_read + c->slowest_write + c->slowest_meta);
        html_static_raw(out, "</tr>\n");
    }
    table_end(out);
    char io[IOL_HUMAN], other[IOL_HUMAN];
    iol__human_seconds(io, d->io_time);
    html_static_raw(out,
                    "<p class=\"io-note\">Mean seconds of a process; layers contain each other and do not add up. ");
    if (iol__figures_impossible(d->io_waited, d->run_time)) {
        html_static_raw(out, "Times add up to more than the run: which part of it was I/O is unknown.</p>\n");
        section_end(out);
        return;
    }
    iol__out_printf(out, "Counted once, the job waited %s for I/O", io);
    if (d->run_time > 0)
        iol__out_printf(out, "; the rest of the run, %s, was something else",
                        iol__human_seconds(other, fmax(d->run_time - d->io_time, 0)));
    html_static_raw(out, ".</p>\n");
    section_end(out);
}

static void html_static_layers(iol__out *out, const iol__page *page) {
    static const char *const columns[] = {"Module", "Records", "Read",   "Written",    "Reads",
                                          "Writes", "Time",    "Rate/s", "Of the run", NULL};
    const iol__summary *summary = iol__page_summary(page);
    html_static_table(out, "Layers", columns, 1);
    for (size_t i = 0; i < summary->n_layers; i++) {
        const iol__layer *l = &summary->layers[i];
        html_static_raw(out, "<tr>");
        html_static_text_cell(out, l->module.name ? l->module.name : "unassigned");
        count_cell(out, (double)l->records);
        bytes_cell(out, l->traffic ? l->bytes_read : -1);
        bytes_cell(out, l->traffic ? l->bytes_written : -1);
        count_cell(out, l->traffic ? l->reads : -1);
        count_cell(out, l->traffic ? l->writes : -1);
        seconds_cell(out, l->traffic ? l->time : -1);
        bytes_cell(out, l->traffic ? l->bytes_per_second : -1);
        share_cell(out, l->traffic ? iol__layer_run_share(l, iol_log_job(summary->log)) : -1);
        html_static_raw(out, "</tr>\n");
    }
    table_end(out);
    section_end(out);
}

static void html_static_files(iol__out *out, const iol__page *page) {
    static const char *const columns[] = {"File",    "Used by", "Ranks",           "Read",
                                          "Written", "Time",    "Of the I/O time", NULL};
    static const char *const sharing[] = {
        [IOL_SHARING_UNIQUE] = "one rank", [IOL_SHARING_PARTIAL] = "some ranks", [IOL_SHARING_SHARED] = "all ranks"};
    size_t total, rows = iol__page_files(page, &total), shown = rows < TOP_FILES ? rows : TOP_FILES;
    if (!shown) return;
    html_static_table(out, "Most costly files", columns, 2);
    for (size_t i = 0; i < shown; i++) {
        iol__page_file f = iol__page_file_at(page, i);
        html_static_raw(out, "<tr>");
        name_cell(out, f.name && *f.name ? f.name : "without a name");
        html_static_text_cell(out, sharing[f.sharing]);
        count_cell(out, (double)f.ranks);
        bytes_cell(out, f.bytes_read);
        bytes_cell(out, f.bytes_written);
        seconds_cell(out, f.time);
        share_cell(out, f.share);
        html_static_raw(out, "</tr>\n");
    }
    table_end(out);
    iol__out_printf(out, "<p class=\"io-note\">%zu of %zu files. Time is that of the slowest rank.</p>\n", shown,
                    total);
    section_end(out);
}

static void places(iol__out *out, const iol__page *page) {
    static const char *const columns[] = {"Mount point",       "Type",  "Files", "Read", "Written",
                                          "Time of a process", "Share", NULL};
    const iol__page_place *list;
    size_t n = iol__page_places(page, &list);
    if (!n) return;
    html_static_table(out, "File systems", columns, 2);
    for (size_t i = 0; i < n; i++) {
        html_static_raw(out, "<tr>");
        bool known = strcmp(list[i].mount_point, "UNKNOWN") != 0;
        name_cell(out, known ? list[i].mount_point : "on no known mount");
        html_static_text_cell(out, known ? list[i].fs_type : "-");
        count_cell(out, (double)list[i].files);
        bytes_cell(out, list[i].bytes_read);
        bytes_cell(out, list[i].bytes_written);
        seconds_cell(out, list[i].time);
        share_cell(out, list[i].share);
        html_static_raw(out, "</tr>\n");
    }
    table_end(out);
    section_end(out);
}

/* Data quality -------------------------------------------------------------------------------------------------- */

/* What the timeline shows, in words: it needs a script. */
static void traced(iol__out *out, const iol__page *page) {
    const iol__page_timeline trace = iol__page_timeline_of(page);
    char all[IOL_HUMAN], bins[IOL_HUMAN], width[IOL_HUMAN], text[400];
    if (!trace.requests) return;
    iol__human_number(all, (double)trace.requests);
    iol__human_number(bins, (double)trace.bins);
    iol__human_seconds(width, trace.bin_width);
    if (trace.embedded)
        snprintf(text, sizeof text, "The timeline has all %s traced requests, one by one.", all);
    else
        snprintf(text, sizeof text,
                 "The timeline has the %s traced requests in %s bins of %s: they are too many to be shown one by one. "
                 "iolite trace lists them, and iolite report --trace-limit %llu puts them into the page.",
                 all, bins, width, (unsigned long long)trace.requests);
    html_static_paragraph(out, "io-note", text);
}

static void sentences(iol__out *out, const char *title, const char *const *list, size_t n) {
    if (!n) return;
    iol__out_printf(out, "<h3>%s</h3>\n<ul class=\"io-sentences\">\n", title);
    for (size_t i = 0; i < n; i++) {
        html_static_raw(out, "<li>");
        iol__html_text(out, list[i]);
        html_static_raw(out, "</li>\n");
    }
    html_static_raw(out, "</ul>\n");
}

static void damage(iol__out *out, const iol_log *log) {
    const iol_error *error;
    if (!iol_log_error_count(log)) return;
    html_static_raw(out, "<h3>What could not be read</h3>\n<ul class=\"io-sentences\">\n");
    for (size_t i = 0; (error = iol_log_error(log, i)); i++) {
        html_static_raw(out, "<li>");
        iol__html_text(out, error->message);
        html_static_raw(out, "</li>\n");
    }
    html_static_raw(out, "</ul>\n");
}

static void html_static_quality(iol__out *out, const iol__page *page, const iol__diagnosis *d) {
    const iol_log *log = iol__page_summary(page)->log;
    html_static_raw(out, "<section>\n<h2>How far the data goes</h2>\n");
    if (iol_log_info(log)->mapped || iol_log_job(log)->end_seconds == 0)
        html_static_raw(out,
                        "<p>The program had not ended when this was recorded, or it was killed: the end of the run is "
                        "unknown.</p>\n");
    if (!d->n_quality && !iol_log_error_count(log)) html_static_raw(out, "<p>The log is complete and sound.</p>\n");
    sentences(out, "What is wrong with the data", d->quality, d->n_quality);
    damage(out, log);
    sentences(out, "What this log cannot tell", d->cannot_tell, d->n_cannot_tell);
    section_end(out);
}

void iol__html_static(iol__out *out, const iol__page *page, const iol__diagnosis *d) {
    const iol__summary *summary = iol__page_summary(page);
    html_static_header(out, d, iol_log_info(summary->log));
    if (!summary->n_layers) {
        html_static_raw(
            out, "<section>\n<h2>There is nothing to report</h2>\n<p>No module recorded anything in this log: the "
                 "program did no I/O "
                 "that is recorded, or all modules were off.</p>\n");
        damage(out, summary->log);
        section_end(out);
        return;
    }
    strip(out, page, d);
    html_static_findings(out, d);
    layer_times(out, page, d);
    html_static_layers(out, page);
    html_static_files(out, page);
    places(out, page);
    traced(out, page);
    html_static_quality(out, page, d);
    html_static_raw(out, "<p class=\"io-note\">This file is complete: it needs no network and no other file.</p>\n");
}
