/* The screen of iolite top: a line on the whole node, the processes or jobs, the busiest files, and the keys. Every line
   fits the terminal; what is repainted is sent at once, so that it does not flicker over a slow connection. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/count.h"
#include "cmds/cmd.h"
#include "cmds/top/top.h"
#include "text/number.h"
#include "text/text.h"

const char *const top_order_names[TOP_ORDERS] = {"bytes", "read", "written", "calls", "time", "pid"};

enum { BOLD = 1, DIM = 2, REVERSE = 7, GREEN = 32, YELLOW = 33, CYAN = 36, LEAST_ROWS = 10, MOST_JOBS = 4096 };

typedef struct painter {
    iol__out *out;
    const top_view *view;
    size_t used; /* columns of this line */
    int lines;
} painter;

static void style(painter *p, int code) {
    if (p->view->colour) iol__out_printf(p->out, "\033[%dm", code);
}

static void plain(painter *p) {
    if (p->view->colour) iol__out_text(p->out, "\033[m");
}

static void put(painter *p, const char *text) {
    size_t left = (size_t)p->view->columns - p->used;
    p->used += iol__out_fitted(p->out, text, left, IOL_CUT_END);
}

static void pad(painter *p, const char *text, size_t columns, bool right) {
    size_t length = strlen(text);
    if (right && length < columns) iol__out_repeat(p->out, ' ', columns - length);
    iol__out_text(p->out, text);
    if (!right && length < columns) iol__out_repeat(p->out, ' ', columns - length);
    p->used += length < columns ? columns : length;
}

static void end_line(painter *p) {
    plain(p);
    iol__out_text(p->out, p->view->screen ? "\033[K\r\n" : "\n");
    p->used = 0;
    p->lines++;
}

/* Table ----------------------------------------------------------------------------------------------------------- */

typedef struct top_row {
    pid_t pid;
    char who[16], what[24];
    const iol__live_figures *rate;
    int trend;
    const char *command;
    double key;
} top_row;

static double key_of(top_order order, const iol__live_figures *f, pid_t pid) {
    switch (order) {
    case TOP_BY_READ: return f->bytes_read;
    case TOP_BY_WRITTEN: return f->bytes_written;
    case TOP_BY_CALLS: return iol__live_calls(f);
    case TOP_BY_TIME: return f->time;
    case TOP_BY_PID: return -(double)pid;
    default: return f->bytes_read + f->bytes_written;
    }
}

static int compare_rows(const void *a, const void *b) {
    const top_row *x = a, *y = b;
    if (x->key != y->key) return x->key < y->key ? 1 : -1;
    return (x->pid > y->pid) - (x->pid < y->pid);
}

static bool wanted(const iol__live_process *process, const void *context) {
    const top_view *view = context;
    char pattern[TOP_FILTER + 2];
    if (view->follow && process->pid != view->follow) return false;
    if (!*view->filter) return true;
    snprintf(pattern, sizeof pattern, "*%s*", view->filter);
    return glob_matches(pattern, process->command);
}

/* The command line without the directory of the program, which says least and takes most room. */
static const char *short_command(const char *command) {
    const char *start = command;
    for (const char *c = command; *c && *c != ' '; c++)
        if (*c == '/' && c[1] && c[1] != ' ') start = c + 1;
    return start;
}

static size_t process_rows(const iol__live_watch *w, const top_view *view, top_row *rows, size_t room) {
    size_t count = 0;
    for (size_t i = 0; i < w->count; i++) {
        const iol__live_process *p = w->processes[i];
        if (!wanted(p, view)) continue;
        top_row r = {
            .pid = p->pid, .rate = &p->rate, .trend = iol__live_trend(p), .command = short_command(p->command)};
        r.key = key_of(view->order, &p->rate, p->pid);
        snprintf(r.who, sizeof r.who, "%d", (int)p->pid);
        if (count < room && !view->layers && !view->follow) rows[count++] = r;
        for (int slot = 0; slot < IOL_SLOTS_KNOWN && (view->layers || view->follow); slot++) {
            if (!iol__live_used(&p->layer_total[slot]) || count == room) continue;
            snprintf(r.what, sizeof r.what, "%s", iol__modules[slot].name);
            r.rate = &p->layer_rate[slot];
            rows[count++] = r;
        }
    }
    return count;
}

static size_t job_rows(const iol__live_watch *w, const top_view *view, top_job *jobs, top_row *rows, size_t room) {
    size_t count = 0, all = top_jobs(w, jobs, MOST_JOBS);
    for (size_t i = 0; i < all && count < room; i++) {
        if (!wanted(jobs[i].first, view)) continue;
        top_row r = {
            .pid = jobs[i].first->pid, .rate = &jobs[i].rate, .command = short_command(jobs[i].first->command)};
        r.key = key_of(view->order, r.rate, r.pid);
        snprintf(r.who, sizeof r.who, "%lld", (long long)jobs[i].job);
        snprintf(r.what, sizeof r.what, "%zu", jobs[i].processes);
        rows[count++] = r;
    }
    return count;
}

static void put_figures(painter *p, const iol__live_figures *f) {
    char text[IOL_HUMAN];
    pad(p, iol__human_bytes(text, f->bytes_read), 10, true);
    pad(p, iol__human_bytes(text, f->bytes_written), 10, true);
    pad(p, iol__human_count(text, f->reads), 8, true);
    pad(p, iol__human_count(text, f->writes), 8, true);
    pad(p, iol__human_share(text, f->time), 7, true);
}

static void put_trend(painter *p, int trend) {
    static const char *const signs[2][3] = {{" -", "  ", " +"}, {" ▼", "  ", " ▲"}};
    if (trend) style(p, trend > 0 ? YELLOW : GREEN);
    iol__out_text(p->out, signs[iol__text_utf8()][trend + 1]);
    if (trend) plain(p);
    p->used += 2;
}

static void put_row(painter *p, const top_row *r, bool selected) {
    if (selected) style(p, REVERSE);
    pad(p, r->who, 9, true);
    if (*r->what) put(p, " ");
    if (*r->what) pad(p, r->what, 7, false);
    put_figures(p, r->rate);
    put_trend(p, r->trend);
    if (selected) style(p, REVERSE);
    put(p, " ");
    put(p, r->command);
    end_line(p);
}

static void put_head(painter *p, const top_view *view) {
    style(p, BOLD);
    pad(p, view->jobs ? "JOB" : "PROCESS", 9, true);
    put(p, view->jobs ? " PROCS  " : view->layers || view->follow ? " LAYER  " : "");
    put(p, "    READ/s WRITTEN/s READS/s  WRITES    I/O   PROGRAM");
    end_line(p);
}

static void put_table(painter *p, const iol__live_watch *w, top_view *view, int most) {
    size_t room = w->count * (view->layers || view->follow ? IOL_SLOTS_KNOWN : 1) + 1;
    top_row *rows = calloc(room, sizeof *rows);
    top_job *jobs = view->jobs ? calloc(MOST_JOBS, sizeof *jobs) : NULL;
    if (!rows || (view->jobs && !jobs)) {
        free(rows);
        free(jobs);
        return;
    }
    size_t count = view->jobs ? job_rows(w, view, jobs, rows, room) : process_rows(w, view, rows, room);
    qsort(rows, count, sizeof *rows, compare_rows);
    view->n_shown = count;
    if (count && view->selected >= count) view->selected = count - 1;
    view->selected_pid = count ? rows[view->selected].pid : 0;
    put_head(p, view);
    size_t first = view->selected >= (size_t)most ? view->selected - (size_t)most + 1 : 0;
    for (size_t i = first; i < count && i < first + (size_t)most; i++)
        put_row(p, &rows[i], view->screen && i == view->selected);
    if (count == 0) {
        put(p, w->count ? "  Nothing fits the filter."
                        : "  No recorded program runs here. 'iolite run -- PROGRAM' starts one.");
        end_line(p);
    }
    free(rows);
    free(jobs);
}

/* The rest of the screen ------------------------------------------------------------------------------------------ */

static void put_unseen(painter *p, const iol__live_watch *w) {
    char text[160] = "";
    int used = 0;
    if (!w->unreadable && !w->foreign_runs) return;
    if (w->unreadable)
        used = snprintf(text, sizeof text, "%zu program%s that cannot be read", w->unreadable,
                        w->unreadable == 1 ? "" : "s");
    if (w->foreign_runs)
        snprintf(text + used, sizeof text - (size_t)used, "%s%zu run%s of others", used ? ", " : "", w->foreign_runs,
                 w->foreign_runs == 1 ? "" : "s");
    style(p, DIM);
    put(p, "not shown: ");
    put(p, text);
    end_line(p);
}

static void put_summary(painter *p, const iol__live_watch *w) {
    iol__live_figures sum = {0};
    char text[160], read[IOL_HUMAN], written[IOL_HUMAN], calls[IOL_HUMAN], busy[IOL_HUMAN], now[16];
    time_t seconds = time(NULL);
    struct tm clock = {0};
    localtime_r(&seconds, &clock);
    strftime(now, sizeof now, "%H:%M:%S  ", &clock);
    for (size_t i = 0; i < w->count; i++) {
        const iol__live_figures *f = &w->processes[i]->rate;
        sum.bytes_read += f->bytes_read;
        sum.bytes_written += f->bytes_written;
        sum.reads += iol__live_calls(f);
        sum.time += f->time;
    }
    int length = snprintf(text, sizeof text, "%zu process%s  read %s  written %s  %s calls/s  %s in I/O", w->count,
                          w->count == 1 ? "" : "es", iol__human_rate(read, sum.bytes_read),
                          iol__human_rate(written, sum.bytes_written), iol__human_count(calls, sum.reads),
                          iol__human_number(busy, sum.time));
    style(p, BOLD);
    if (length + (int)strlen(now) <= p->view->columns) put(p, now); /* of all this the clock can be done without */
    put(p, text);
    end_line(p);
    put_unseen(p, w);
}

static void put_files(painter *p, const iol__live_watch *w, const top_view *view, int most) {
    iol__live_hot hot[IOL_LIVE_HOT];
    size_t count = most > 1 ? iol__live_hottest(w, wanted, view, false, hot) : 0;
    if (!count) return;
    end_line(p);
    style(p, BOLD);
    put(p, "  PROCS LAYER        READ/s WRITTEN/s READS/s  WRITES    I/O   BUSIEST FILES");
    end_line(p);
    for (size_t i = 0; i < count && (int)i < most; i++) {
        char text[24];
        snprintf(text, sizeof text, "%zu", hot[i].processes);
        pad(p, text, 7, true);
        iol__out_char(p->out, ' ');
        p->used++;
        pad(p, iol__modules[hot[i].slot].name, 9, false);
        put_figures(p, &hot[i].rate);
        put(p, "   ");
        p->used += iol__out_fitted(p->out, hot[i].name, (size_t)view->columns - p->used, IOL_CUT_MIDDLE);
        end_line(p);
    }
}

static void put_help(painter *p) {
    static const char *const lines[] = {
        "  b r w c t p   sort by bytes, read, written, calls, time in I/O, process",
        "  up down       choose a process        Enter  follow it alone, Esc goes back",
        "  j             jobs or processes       l      a line for each layer",
        "  /             filter by program       + -    look less or more often",
        "  space         look now                q      quit",
        "",
        "  Figures are per second. I/O is the share of the time that a process spent in",
        "  calls; several threads can make it more than 100%. The arrows say that a",
        "  process does more, or less, than it did a few seconds ago.",
    };
    for (size_t i = 0; i < IOL_COUNT(lines); i++) {
        put(p, lines[i]);
        end_line(p);
    }
}

static void put_keys(painter *p, const top_view *view) {
    char text[160], interval[IOL_HUMAN];
    style(p, DIM);
    if (view->typing)
        snprintf(text, sizeof text, "show only: %s_", view->filter);
    else
        snprintf(text, sizeof text, "by %s%s%s  every %s   ? help  q quit", top_order_names[view->order],
                 *view->filter ? ", only " : "", view->filter, iol__human_seconds(interval, view->interval));
    put(p, text);
    plain(p);
    iol__out_text(p->out, view->screen ? "\033[K\033[J" : "\n");
}

void top_draw(iol__out *out, const iol__live_watch *w, top_view *view) {
    painter p = {.out = out, .view = view};
    int rows = view->rows > LEAST_ROWS ? view->rows : LEAST_ROWS, most = rows - 6 - rows / 3;
    if (view->screen) iol__out_text(out, "\033[H");
    put_summary(&p, w);
    end_line(&p);
    if (view->help) {
        put_help(&p);
    } else {
        put_table(&p, w, view, most);
        put_files(&p, w, view, rows - p.lines - 3);
    }
    if (view->screen) {
        while (p.lines < rows - 1) end_line(&p);
        put_keys(&p, view);
    }
    iol__out_flush(out);
}
