/* iolite show: the job at a glance, on one screen of 24 lines by 80 columns; names use what a wider one has.
   The figures come from report/summary; this file only lays them out. Where the other parts need the room, the list of
   files gets shorter and the explanations go, unless --top says how many files it must be. */
#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "cmds/cmd.h"
#include "cmds/last_log.h"
#include "cmds/diagnose/surroundings.h"
#include "cmds/log/show_custom.h"
#include "insight/facts/log_words.h"
#include "log/merge/launcher.h"
#include "log/read/log_internal.h"
#include "log/trailer/lustre.h"
#include "log/figures/messages.h"
#include "log/trailer/operations.h"
#include "log/trailer/platform.h"
#include "log/trailer/processes.h"
#include "record/mapped.h"
#include "report/figures_text.h"
#include "report/files_table.h"
#include "report/log_json.h"
#include "report/operation_text.h"
#include "report/summary.h"
#include "report/summary_json.h"
#include "text/number.h"
#include "text/text.h"

enum { COLUMNS = 80, LINES = 24, TOP = 5, FILE_FIGURES = 36 /* columns beside a name */ };

typedef struct screen {
    iol__out out;
    bool colour;
    const iol__summary *summary;
    const iol_job *job;
    size_t columns; /* of the terminal, never fewer than COLUMNS */
    bool brief;     /* no room for explanations */
    unsigned warnings;
    iol__progress progress;
} screen;

/* Calm colours: what to read first is bold, what explains is faint, what warns is yellow. */
typedef enum paint { PLAIN, BOLD, FAINT, WARN, BAR } paint;

static void show_begin(screen *s, paint p) {
    static const char *const codes[] = {
        [BOLD] = "\033[1m", [FAINT] = "\033[2m", [WARN] = "\033[33m", [BAR] = "\033[36m"};
    if (s->colour && codes[p]) iol__out_text(&s->out, codes[p]);
}

static void show_end(screen *s, paint p) {
    if (s->colour && p != PLAIN) iol__out_text(&s->out, "\033[0m");
}

static void painted(screen *s, paint p, const char *text) {
    show_begin(s, p);
    iol__out_text(&s->out, text);
    show_end(s, p);
}

static void show_line(screen *s, paint p, const char *text) {
    painted(s, p, text);
    iol__out_char(&s->out, '\n');
}

/* Head --------------------------------------------------------------------------------------------------------- */

static void start_time(const iol_job *job, char *text, size_t room) {
    time_t seconds = (time_t)job->start_seconds;
    struct tm parts;
    if (!localtime_r(&seconds, &parts) || strftime(text, room, "%Y-%m-%d %H:%M:%S", &parts) == 0)
        snprintf(text, room, "%lld s after 1970", (long long)job->start_seconds);
}

static bool show_unfinished(const screen *s) {
    const iol_info *info = iol_log_info(s->summary->log);
    return !info->job_damaged && (info->mapped || s->job->end_seconds == 0);
}

static void process_count(int64_t count, char *text, size_t room) {
    char number[IOL_HUMAN];
    if (count > 0)
        snprintf(text, room, "%s process%s", iol__human_number(number, (double)count), count == 1 ? "" : "es");
    else
        snprintf(text, room, "unknown number of processes");
}

static void show_head(screen *s) {
    const iol_job *job = s->job;
    char who[128], processes[40], when[48], took[IOL_HUMAN], figures[IOL_FIGURES_LINE];
    if (iol_log_info(s->summary->log)->job_damaged) {
        show_line(s, BOLD, "(unknown program)");
        show_line(s, WARN, "The job record is damaged: who ran what and when is not known.\n");
        return;
    }
    show_begin(s, BOLD);
    iol__out_fitted(&s->out, job->exe && *job->exe ? job->exe : "(unknown program)", s->columns, IOL_CUT_END);
    show_end(s, BOLD);
    iol__out_char(&s->out, '\n');
    process_count(job->processes, processes, sizeof processes);
    const iol_log *log = s->summary->log;
    if (iol__job_id_known(log))
        snprintf(who, sizeof who, "job %lld, user %lld, %s", (long long)job->job_id, (long long)job->uid, processes);
    else
        snprintf(who, sizeof who, "unknown job, user %lld, %s", (long long)job->uid, processes);
    iol__out_fitted(&s->out, who, s->columns, IOL_CUT_END);
    if (iol__start_known(log))
        start_time(job, when, sizeof when);
    else
        snprintf(when, sizeof when, "at an unknown time");
    bool known = !show_unfinished(s) && job->run_time >= 0;
    iol__out_printf(&s->out, "\nstarted %s, ran %s\n%s\n", when,
                    known ? iol__human_seconds(took, job->run_time) : "for an unknown time",
                    iol__figures_line(figures, s->summary->figures.value, s->summary->figures.waited));
    if (*iol__maps_line(figures, s->summary->figures.value)) iol__out_printf(&s->out, "%s\n", figures);
    iol__out_char(&s->out, '\n');
}

/* Layers ------------------------------------------------------------------------------------------------------- */

static void show_layer_row(screen *s, const iol__layer *layer) {
    char b[8][IOL_HUMAN];
    iol__out_printf(&s->out, "%-11s %9s %9s %6s %6s %9s %6s %6s %10s\n", layer->module.name,
                    iol__human_bytes(b[0], layer->bytes_read), iol__human_bytes(b[1], layer->bytes_written),
                    iol__human_count(b[2], layer->reads), iol__human_count(b[3], layer->writes),
                    iol__human_seconds(b[4], layer->time), iol__human_share(b[5], iol__layer_run_share(layer, s->job)),
                    iol__human_share(b[6], iol__layer_meta_share(layer)),
                    iol__human_rate(b[7], layer->bytes_per_second));
}

/* Modules that move no bytes are only named. */
static void show_other_modules(screen *s) {
    char count[IOL_HUMAN];
    iol__out list;
    iol__out_open(&list, -1);
    for (size_t i = 0; i < s->summary->n_layers; i++) {
        const iol__layer *layer = &s->summary->layers[i];
        if (layer->traffic || !layer->readable) continue;
        iol__out_printf(&list, "%s%s (%s)", list.length ? ", " : "", layer->module.name,
                        iol__human_number(count, (double)layer->records));
    }
    if (list.length) {
        iol__out_char(&list, '\0');
        show_begin(s, FAINT);
        iol__out_text(&s->out, "also recorded: ");
        iol__out_fitted(&s->out, list.buffer, s->columns - 15, IOL_CUT_END);
        show_end(s, FAINT);
        iol__out_char(&s->out, '\n');
    }
    iol__out_close(&list);
}

static void show_layers(screen *s) {
    size_t shown = 0;
    for (size_t i = 0; i < s->summary->n_layers; i++) {
        if (!s->summary->layers[i].traffic) continue;
        if (!shown++)
            show_line(s, FAINT, "LAYER            READ   WRITTEN  READS WRITES      TIME OF RUN   META  BANDWIDTH");
        show_layer_row(s, &s->summary->layers[i]);
    }
    if (!shown) show_line(s, PLAIN, "No reads or writes are in what could be read.");
    if (s->brief) return;
    if (shown)
        show_line(s, FAINT,
                  "TIME: how long the job waited for the layer ('iolite explain io_time'). OF RUN:\n"
                  "share of the run time. META: share of open, stat, seek, close in time in calls.");
    show_other_modules(s);
}

/* Operations --------------------------------------------------------------------------------------------------- */

/* What has no counter in any record: the ones that took longest, as many as fit beside "..., 10 more". */
static void operations(screen *s) {
    static const char title[] = "OPERATIONS  ";
    enum { TITLE = sizeof title - 1, MORE = 9 };
    iol__operation_totals totals = {0};
    int order[IOL_OPERATIONS], shown = 0, rows_left = s->brief ? 0 : 1;
    iol__operations_add(s->summary->log, &totals);
    const int count = iol__operations_by_time(&totals, order);
    if (count == 0) return;
    painted(s, FAINT, title);
    for (size_t used = TITLE; shown < count; shown++) {
        char item[128];
        const size_t length =
            (size_t)iol__operation_text(item, sizeof item, order[shown], &totals.of[order[shown]]) + 2;
        const bool fits = used + length + (rows_left ? 0 : MORE) <= s->columns;
        if (!fits && !rows_left) break;
        if (!fits) {
            rows_left--;
            iol__out_printf(&s->out, ",\n%*s%s", TITLE, "", item);
            used = TITLE + length;
            continue;
        }
        iol__out_printf(&s->out, "%s%s", shown ? ", " : "", item);
        used += length;
    }
    if (shown < count) iol__out_printf(&s->out, ", %d more", count - shown);
    iol__out_char(&s->out, '\n');
}

/* Where an MPI job ran. */
static void platform(screen *s) {
    iol__platform p;
    iol__platform_read(s->summary->log, &p);
    if (p.nodes) {
        iol__out text;
        iol__out_open(&text, -1);
        const char *each = p.ranks_per_node[1] == 1 ? "rank" : "ranks";
        char count[IOL_HUMAN];
        if (p.nodes > 1) iol__out_printf(&text, "%s nodes with ", iol__human_number(count, (double)p.nodes));
        iol__out_text(&text, iol__human_number(count, (double)p.ranks_per_node[0]));
        if (p.ranks_per_node[1] > p.ranks_per_node[0])
            iol__out_printf(&text, " to %s", iol__human_number(count, (double)p.ranks_per_node[1]));
        iol__out_printf(&text, p.nodes > 1 ? " %s each" : " %s", each);
        if (p.node_list) iol__out_printf(&text, p.nodes > 1 ? ": %s" : " on %s", p.node_list);
        iol__out_char(&text, '\0');
        painted(s, FAINT, "PLACE       ");
        iol__out_fitted(&s->out, text.buffer, s->columns - 12, IOL_CUT_END);
        iol__out_char(&s->out, '\n');
        iol__out_close(&text);
    }
    iol__platform_free(&p);
}

/* The operations that took most of the time in MPI's own calls, as many as fit. */
static void message_operations(screen *s, const iol__messages *m, double all) {
    static const char rest[] = " of all ranks' time in them";
    int order[IOL_MESSAGE_OPERATIONS];
    const int count = iol__messages_by_time(m, order);
    size_t used = 12 + sizeof rest;
    for (int i = 0; i < count; i++) {
        char item[64], name[32], share[IOL_HUMAN];
        const int length = snprintf(item, sizeof item, "%s%s %s", i ? ", " : "", iol__message_name(order[i], name),
                                    iol__human_share(share, m->of[order[i]].time / all));
        used += (size_t)length;
        if (i && (used > s->columns || m->of[order[i]].time < 0.01 * all)) break;
        iol__out_text(&s->out, item);
    }
    iol__out_printf(&s->out, "%s\n", rest);
}

/* What MPI's own calls took, and who comes late. */
static void messages(screen *s) {
    iol__messages m;
    char b[2][IOL_HUMAN];
    iol__messages_read(s->summary->log, &m);
    const iol__late_rank late = iol__messages_late(&m);
    double all = 0;
    for (int i = 0; i < IOL_MESSAGE_OPERATIONS; i++) all += m.of[i].time;
    if (late.rank >= 0 && all > 0) {
        painted(s, FAINT, "MPI CALLS   ");
        iol__out_printf(&s->out, "median rank %s, least rank %lld with %s%s\n            ",
                        iol__human_seconds(b[0], late.usual_s), (long long)late.rank,
                        iol__human_seconds(b[1], late.own_s),
                        late.wait_s >= 0.1 * late.usual_s ? ": it comes last" : "");
        message_operations(s, &m, all);
    }
    iol__messages_free(&m);
}

/* How many servers there would be to stripe over. */
static void show_lustre(screen *s) {
    iol__lustre_list list = {0};
    iol__lustre_add(s->summary->log, &list);
    for (size_t i = 0; i < list.count; i++) {
        const iol__lustre_total *total = &list.of[i];
        painted(s, FAINT, i ? "            " : "LUSTRE      ");
        iol__out_printf(&s->out, "%s", total->mount);
        if (total->osts) iol__out_printf(&s->out, ": %d OST%s", (int)total->osts, total->osts > 1 ? "s" : "");
        if (total->osts && total->mdts)
            iol__out_printf(&s->out, ", %d MDT%s", (int)total->mdts, total->mdts > 1 ? "s" : "");
        iol__out_char(&s->out, '\n');
    }
}

/* What the program, or modules of others, had to say ------------------------------------------------------------ */

static void custom(screen *s) {
    iol__out text;
    iol__out_open(&text, -1);
    show_regions(&text, s->summary->log);
    if (text.length) {
        const size_t title = strcspn(text.buffer, "\n") + 1;
        iol__out_char(&s->out, '\n');
        show_begin(s, FAINT);
        iol__out_bytes(&s->out, text.buffer, title);
        show_end(s, FAINT);
        iol__out_bytes(&s->out, text.buffer + title, text.length - title);
    }
    text.length = 0;
    show_custom(&text, s->summary->log);
    iol__out_bytes(&s->out, text.buffer, text.length);
    iol__out_close(&text);
}

/* Files -------------------------------------------------------------------------------------------------------- */

static void show_file_row(screen *s, const iol__file_total *file) {
    char b[3][IOL_HUMAN];
    char number[32];
    const char *name = iol__file_name(s->summary->log, file->id, number);
    const char *ranks = file->shared ? "all" : iol__human_count(b[0], (double)file->ranks);
    iol__out_left(&s->out, name, s->columns - FILE_FIGURES, IOL_CUT_MIDDLE);
    iol__out_printf(&s->out, " %-7s %6s %9s %10s\n", iol__modules[file->slot].name, ranks,
                    iol__human_bytes(b[1], file->bytes_read + file->bytes_written),
                    iol__human_seconds(b[2], file->time));
}

static void show_files(screen *s, size_t rows) {
    if (rows == 0) return;
    iol__out_char(&s->out, '\n');
    static const char head[] = "FILES BY TIME";
    show_begin(s, FAINT);
    iol__out_text(&s->out, head);
    iol__out_repeat(&s->out, ' ', s->columns - FILE_FIGURES - (sizeof head - 1));
    iol__out_text(&s->out, " LAYER    RANKS     BYTES       TIME");
    show_end(s, FAINT);
    iol__out_char(&s->out, '\n');
    for (size_t i = 0; i < rows; i++) show_file_row(s, &s->summary->top[i]);
}

/* Every file, or the first of them, with the sums over all. */
static void all_files(screen *s, size_t most) {
    const iol__summary *summary = s->summary;
    char number[32], count[IOL_HUMAN];
    show_begin(s, FAINT);
    iol__files_head(&s->out, "FILES BY TIME");
    show_end(s, FAINT);
    iol__out_char(&s->out, '\n');
    for (size_t i = 0; i < summary->n_top && i < most; i++) {
        const char *name = iol__file_name(summary->log, summary->top[i].id, number);
        iol__out_left(&s->out, name, IOL_FILES_FIRST, IOL_CUT_MIDDLE);
        iol__files_row(&s->out, &summary->top[i]);
    }
    if (summary->n_top > most)
        iol__out_printf(&s->out, "... and %s more files\n", iol__human_number(count, (double)(summary->n_top - most)));
    iol__out_printf(&s->out, "%-*s", IOL_FILES_FIRST, "all files");
    iol__files_totals(&s->out, summary);
    if (summary->top_lossy) show_line(s, WARN, "Very many files: only the costliest are known.");
}

/* Access sizes ------------------------------------------------------------------------------------------------- */

/* One of eight heights, against the largest of the row; what is there at all is seen. */
static const char *show_bar(double share) {
    static const char *const blocks[] = {"\u00b7", "\u2581", "\u2582", "\u2583", "\u2584",
                                         "\u2585", "\u2586", "\u2587", "\u2588"};
    static const char *const ascii[] = {".", "_", "_", "-", "=", "+", "*", "#", "#"};
    int level = share <= 0 ? 0 : share >= 1 ? 8 : 1 + (int)(share * 7.999);
    return (iol__text_utf8() ? blocks : ascii)[level];
}

static void size_row(screen *s, const iol__layer *layer, bool writes) {
    char count[IOL_HUMAN];
    double calls = writes ? layer->writes : layer->reads, most = 0;
    for (size_t b = 0; b < IOL_SIZE_BUCKETS; b++) {
        double n = iol__layer_size_count(layer, writes, b);
        if (n > most) most = n;
    }
    iol__out_printf(&s->out, "%-6s %9s  ", writes ? "writes" : "reads", iol__human_count(count, calls));
    for (size_t b = 0; b < IOL_SIZE_BUCKETS; b++) {
        double n = iol__layer_size_count(layer, writes, b);
        const char *cell = show_bar(most > 0 ? n / most : 0);
        iol__out_text(&s->out, "  ");
        show_begin(s, n > 0 ? BAR : FAINT);
        for (int i = 0; i < 4; i++) iol__out_text(&s->out, cell);
        show_end(s, BAR);
    }
    iol__out_char(&s->out, '\n');
}

static void sizes(screen *s) {
    /* Each column has the calls up to this size, and above the one before. */
    static const char *const labels[] = {"100B", "1K", "10K", "100K", "1M", "4M", "10M", "100M", "1G", ">1G"};
    const iol__layer *layer = iol__summary_sizes(s->summary);
    if (!layer) return;
    iol__out_char(&s->out, '\n');
    char title[24];
    snprintf(title, sizeof title, "%s SIZES", layer->module.name);
    show_begin(s, FAINT);
    iol__out_printf(&s->out, "%-18s", title);
    for (size_t b = 0; b < IOL_SIZE_BUCKETS; b++) iol__out_printf(&s->out, "%6s", labels[b]);
    show_end(s, FAINT);
    iol__out_char(&s->out, '\n');
    size_row(s, layer, false);
    size_row(s, layer, true);
}

/* Data quality ------------------------------------------------------------------------------------------------- */

static void show_remark(screen *s, paint p, const char *text) {
    show_begin(s, p);
    iol__out_wrapped(&s->out, s->columns, 2, 0, text);
    show_end(s, p);
    s->warnings += p == WARN;
}

/* One remark, made of a sentence and the modules it is about; nothing if there are none. */
static void remark_modules(screen *s, paint p, const char *text, bool (*test)(const iol__layer *)) {
    iol__out message;
    iol__out_open(&message, -1);
    for (size_t i = 0; i < s->summary->n_layers; i++) {
        const iol__layer *layer = &s->summary->layers[i];
        if (!test(layer)) continue;
        iol__out_text(&message, message.length ? ", " : text);
        if (layer->module.name)
            iol__out_text(&message, layer->module.name);
        else
            iol__out_printf(&message, "slot %d", layer->module.slot);
    }
    if (message.length) {
        iol__out_char(&message, '\0');
        show_remark(s, p, message.buffer);
    }
    iol__out_close(&message);
}

static bool is_partial(const iol__layer *layer) { return layer->module.partial && !layer->cut; }
static bool was_cut(const iol__layer *layer) { return layer->module.partial && layer->cut; }
static bool is_cut(const iol__layer *layer) { return layer->damaged && layer->readable; }
static bool is_lost(const iol__layer *layer) { return layer->damaged && !layer->readable; }
static bool is_unreadable(const iol__layer *layer) {
    return layer->module.length > 0 && !layer->readable && !layer->damaged;
}
static bool is_odd(const iol__layer *layer) { return layer->odd_records > 0; }

/* What went past us. */
static void remark_past(screen *s, const iol__folded *folded) {
    char text[COLUMNS + 80], count[IOL_HUMAN];
    if (folded->calls_unseen) {
        snprintf(text, sizeof text, "Not seen: %s system calls on files, made past libc's functions",
                 iol__human_count(count, (double)folded->calls_unseen));
        show_remark(s, WARN, text);
    }
    if (folded->spaces_unseen) {
        snprintf(text, sizeof text, "Not seen: what libraries did in %s namespace%s of the loader (dlmopen)",
                 iol__human_count(count, (double)folded->spaces_unseen), folded->spaces_unseen > 1 ? "s" : "");
        show_remark(s, WARN, text);
    }
    if (folded->stopped) {
        snprintf(text, sizeof text,
                 "Not recorded to the end: %s process%s (chroot, threads without libc, or unshared ones)",
                 iol__human_count(count, (double)folded->stopped), folded->stopped > 1 ? "es" : "");
        show_remark(s, WARN, text);
    }
}

/* What had no room of its own, or none at all. */
static void remark_folded(screen *s) {
    iol__folded folded = {0};
    iol__out text;
    char count[IOL_HUMAN];
    iol__folded_add(s->summary->log, &folded);
    if (!iol__folded_any(&folded)) return;
    iol__out_open(&text, -1);
    for (int slot = 0; slot < IOL_SLOTS_KNOWN; slot++)
        if (folded.files[slot])
            iol__out_printf(&text, "%s%s files of %s", text.length ? ", " : "Counted only together: ",
                            iol__human_count(count, (double)folded.files[slot]), iol__modules[slot].name);
    if (text.length) iol__out_char(&text, '\0');
    if (text.length) show_remark(s, WARN, text.buffer);
    text.length = 0;
    if (folded.trace_lost)
        iol__out_printf(&text, "Lost: %s traced operations", iol__human_count(count, (double)folded.trace_lost));
    if (folded.lost)
        iol__out_printf(&text, "%s%s updates",
                        text.length ? ", " : "Lost: ", iol__human_count(count, (double)folded.lost));
    if (text.length) iol__out_char(&text, '\0');
    if (text.length) show_remark(s, WARN, text.buffer);
    text.length = 0;
    if (folded.ring_unseen)
        iol__out_printf(&text, "Not seen: %s operations of io_uring, which the program enters past libc",
                        iol__human_count(count, (double)folded.ring_unseen));
    if (text.length) iol__out_char(&text, '\0');
    if (text.length) show_remark(s, WARN, text.buffer);
    iol__out_close(&text);
    remark_past(s, &folded);
}

/* What was started, and is not here. */
static void remark_unseen(screen *s) {
    enum { SHOWN = 8 };
    iol__unseen unseen = {0};
    char programs[1024], text[1200];
    iol__unseen_add(s->summary->log, &unseen);
    for (int why = 1; why < IOL_UNSEEN_REASONS; why++) {
        if (!iol__unseen_programs(&unseen, (iol__unseen_why)why, SHOWN, programs, sizeof programs)) continue;
        snprintf(text, sizeof text, "Not recorded, %s: %s", iol__unseen_text((iol__unseen_why)why), programs);
        show_remark(s, WARN, text);
    }
}

/* Who was killed, and what it did last. */
static void remark_ended(screen *s) {
    iol__ended ended;
    char text[1024];
    iol__ended_read(s->summary->log, &ended);
    const char *file = ended.file ? iol_log_name(s->summary->log, ended.file) : NULL;
    if (iol__ended_text(&ended, NULL, text, sizeof text)) show_remark(s, WARN, text);
    if (!file) return;
    /* On a line of its own, or a long name is all that is cut. */
    snprintf(text, sizeof text, "Rank %lld had open: %s", (long long)ended.rank, file);
    show_remark(s, WARN, text);
}

/* Who is not in this log, and where others are. */
static void remark_run(screen *s) {
    const char *key, *value;
    char text[256];
    for (size_t i = 0; iol_log_metadata(s->summary->log, i, &key, &value) == IOL_OK; i++) {
        if (strcmp(key, IOL_KEY_MISSING) == 0) {
            snprintf(text, sizeof text, "Ranks that left nothing, as they did no I/O or it is lost: %s", value);
            show_remark(s, WARN, text);
        } else if (strncmp(key, IOL_KEY_LINKED, sizeof IOL_KEY_LINKED - 1) == 0) {
            show_begin(s, FAINT);
            iol__out_text(&s->out, "Of the same run: ");
            iol__out_fitted(&s->out, value, s->columns - 17, IOL_CUT_MIDDLE);
            show_end(s, FAINT);
            iol__out_char(&s->out, '\n');
        }
    }
}

static void show_quality(screen *s) {
    iol_log *log = s->summary->log;
    char text[COLUMNS];
    const uint64_t overwritten = iol_log_custom_damaged(log);
    iol__out_char(&s->out, '\n');
    s->warnings = 0;
    if (show_unfinished(s))
        show_remark(s, WARN, "Unfinished: the program still runs or was killed; there is no end time.");
    remark_modules(s, WARN, "Incomplete, the writer ran out of memory: ", is_partial);
    remark_modules(s, WARN, "Incomplete, damaged before the log was converted or merged: ", was_cut);
    remark_folded(s);
    remark_ended(s);
    remark_unseen(s);
    remark_run(s);
    remark_modules(s, WARN, "Cannot be decoded by this version: ", is_unreadable);
    remark_modules(s, WARN, "Damaged, only a part could be read: ", is_cut);
    remark_modules(s, WARN, "Damaged, nothing could be read: ", is_lost);
    remark_modules(s, WARN, "Impossible values (as times below zero) left out: ", is_odd);
    if (overwritten)
        show_remark(s, WARN, "Damaged: a module wrote over the records of modules; some of them are missing.");
    if (iol_log_info(log)->minor == 20)
        show_remark(s, WARN, "Written by Darshan 3.2.0: its most common access sizes are not reliable.");
    if (s->summary->top_lossy)
        show_remark(s, WARN, "Very many files: bytes and ranks in the list of files are lower bounds.");
    if (iol_log_error_count(log)) {
        size_t errors = iol_log_error_count(log);
        snprintf(text, sizeof text, "Damaged: %zu error%s; only what could be read is shown.", errors,
                 errors > 1 ? "s" : "");
        show_remark(s, WARN, text);
    }
    if (!s->warnings) show_remark(s, FAINT, "Complete: no module ran out of room, nothing in the log is damaged.");
    const char *note;
    for (size_t i = 0; (note = iol__log_note(log, i)); i++) show_remark(s, FAINT, note);
    remark_modules(s, FAINT, "Records of an older form, some counters are not known: ", iol__layer_is_older);
}

/* The command -------------------------------------------------------------------------------------------------- */

static void before_files(screen *s) {
    if (iol__is_launcher_log(s->summary->log)) show_remark(s, WARN, IOL_LAUNCHER_SENTENCE);
    show_head(s);
    show_layers(s);
    operations(s);
    platform(s);
    messages(s);
    show_lustre(s);
    custom(s);
}

static void after_files(screen *s) {
    sizes(s);
    show_quality(s);
}

static size_t lines_without_files(screen *s) {
    iol__out real = s->out;
    size_t lines = 0;
    iol__out_open(&s->out, -1);
    before_files(s);
    after_files(s);
    for (size_t i = 0; i < s->out.length; i++) lines += s->out.buffer[i] == '\n';
    iol__out_close(&s->out);
    s->out = real;
    return lines;
}

/* How many files fit beside the rest, below an empty line and a heading. */
static size_t rows_that_fit(screen *s) {
    size_t others = lines_without_files(s);
    s->brief = others + 3 > LINES;
    if (s->brief) others = lines_without_files(s);
    size_t left = others + 2 < LINES ? LINES - others - 2 : 0;
    return left < s->summary->n_top ? left : s->summary->n_top;
}

static void show_text(screen *s, bool fit) {
    s->brief = false;
    size_t rows = fit ? rows_that_fit(s) : s->summary->n_top;
    before_files(s);
    show_files(s, rows);
    after_files(s);
}

typedef struct options {
    const iol__args *args;
    bool json, several, files;
    bool top_given;
    size_t top;
} options;

/* How the run stands among earlier ones, if a store is named. */
static int show_history(screen *s, const options *o, iol_log *log) {
    iol__history history;
    char sentence[300];
    if (!wants_history(o->args) || o->json) return EXIT_DONE;
    int outcome = read_history(o->args, log, &history);
    if (outcome == EXIT_DONE && iol__history_sentence(&history, sentence, sizeof sentence))
        iol__out_printf(&s->out, "\nHistory: %s.\n", sentence);
    return outcome;
}

static int show_log(screen *s, iol__json *json, const options *o, const char *path) {
    iol_log *log;
    iol_error error;
    iol__summary summary;
    if (iol_log_open(path, &log, &error) != IOL_OK) {
        if (o->json) iol__json_unreadable(json, path, &error);
        return report_open_error(&error);
    }
    const bool all = o->files && !(o->json && o->top_given); /* the sums want every file */
    const size_t top = all ? SIZE_MAX : o->top_given ? o->top : TOP;
    bool made = iol__summary_make(log, top, &s->progress, &summary);
    iol__progress_end(&s->progress);
    int status = EXIT_TROUBLE;
    if (made) {
        s->summary = &summary;
        s->job = iol_log_job(log);
        if (o->json)
            iol__json_summary(json, &summary);
        else if (o->files)
            all_files(s, o->top_given ? o->top : SIZE_MAX);
        else
            show_text(s, !o->top_given);
        int known = show_history(s, o, log);
        iol__out_flush(&s->out);
        status = report_log_errors(log);
        if (known > status) status = known;
        iol__summary_free(&summary);
    } else {
        fputs("iolite: out of memory\n", stderr);
    }
    iol_log_close(log);
    return status;
}

static bool parse_show_top(const char *text, size_t *top) {
    char *stop;
    errno = 0;
    unsigned long long value = strtoull(text, &stop, 10);
    *top = value < SIZE_MAX / 2 ? (size_t)value : SIZE_MAX / 2;
    return *text >= '0' && *text <= '9' && !*stop && !errno;
}

static void show_heading(screen *s, const char *path, bool first) {
    if (!first) iol__out_char(&s->out, '\n');
    show_begin(s, BOLD);
    iol__out_safe(&s->out, path);
    show_end(s, BOLD);
    iol__out_char(&s->out, '\n');
}

int cmd_show(const iol__args *given) {
    char path[PATH_MAX], *operand[1];
    const iol__args with = with_last_log(given, path, operand), *args = &with;
    /* Blocks of an archive take and give back some megabytes each; the system need not hear of it every time. */
#ifdef M_TRIM_THRESHOLD
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TRIM_THRESHOLD, 64 << 20);
#endif
    if (args->n_operands == 0)
        return usage_error(args, "a log is needed: there is none of yours in the places that logs go to");
    if (args->given[OPT_SHOW_WHERE]) return cmd_where(args);
    options o = {.args = args,
                 .json = args->given[OPT_JSON],
                 .several = args->n_operands > 1,
                 .files = args->given[OPT_SHOW_FILES]};
    const char *top = argument_value(args, OPT_TOP);
    o.top_given = top != NULL;
    if (top && !parse_show_top(top, &o.top)) return usage_error(args, "'%s' is not a number of files", top);

    const int wide = terminal_columns();
    screen s = {.colour = use_colour(STDOUT_FILENO), .columns = wide > COLUMNS ? (size_t)wide : COLUMNS};
    iol__json json;
    iol__out_open(&s.out, STDOUT_FILENO);
    iol__json_start(&json, &s.out, o.several ? 4 : 3);
    if (o.json && o.several) iol__json_open(&json, '[');
    int status = EXIT_DONE;
    iol__progress_start(&s.progress, false);
    for (size_t i = 0; i < args->n_operands; i++) {
        iol__progress_part(&s.progress, i, args->n_operands);
        if (o.several && !o.json) show_heading(&s, args->operands[i], i == 0);
        int outcome = show_log(&s, &json, &o, args->operands[i]);
        if (outcome > status) status = outcome;
    }
    if (o.json && o.several) iol__json_close(&json, ']');
    if (o.json) iol__json_finish(&json);
    return finish_output(&s.out, status);
}
