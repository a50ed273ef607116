/* What `iolite run` says in the end: five lines for a person, or JSON. */
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmds/cmd.h"
#include "cmds/run/run_log.h"
#include "insight/facts/log_words.h"
#include "report/operation_text.h"
#include "report/figures_text.h"
#include "report/summary.h"
#include "report/summary_json.h"
#include "text/number.h"
#include "text/text.h"

enum { COLUMNS = 80 };

/* "read 10 MiB, wrote 2 MiB; I/O 235 ms, 4% of the run, 12 MiB, 51 MiB/s": the second half is as `show` and `diagnose`
   print it. */
static void print_bytes(iol__out *out, const double *v, double waited) {
    char read[IOL_HUMAN], written[IOL_HUMAN], line[IOL_FIGURES_LINE];
    iol__out_printf(out, "  read %s, wrote %s; %s\n", iol__human_bytes(read, v[IOL_FIGURE_bytes_read]),
                    iol__human_bytes(written, v[IOL_FIGURE_bytes_written]), iol__figures_line(line, v, waited));
}

static void print_times(iol__out *out, const double *v) {
    char total[IOL_HUMAN], shares[3][IOL_HUMAN];
    const double all = v[IOL_FIGURE_call_time];
    if (!(all > 0)) {
        iol__out_text(out, "  no time in I/O calls\n");
        return;
    }
    iol__out_printf(out, "  %s in I/O calls: %s read, %s write, %s metadata\n", iol__human_seconds(total, all),
                    iol__human_share(shares[0], v[IOL_FIGURE_read_time] / all),
                    iol__human_share(shares[1], v[IOL_FIGURE_write_time] / all),
                    iol__human_share(shares[2], v[IOL_FIGURE_meta_time] / all));
}

/* A program that only looked at names. */
static void print_run_summary_operations(iol__out *out, iol_log *log) {
    enum { SHOWN = 2 };
    iol__operation_totals totals = {0};
    int order[IOL_OPERATIONS];
    iol__operations_add(log, &totals);
    const int count = iol__operations_by_time(&totals, order);
    iol__out_text(out, count ? "  no files, only names: " : "  no files");
    for (int i = 0; i < count && i < SHOWN; i++) {
        char item[COLUMNS];
        iol__operation_text(item, sizeof item, order[i], &totals.of[order[i]]);
        iol__out_printf(out, "%s%s", i ? ", " : "", item);
    }
    iol__out_char(out, '\n');
}

static void print_top(iol__out *out, const iol__summary *summary) {
    char time[IOL_HUMAN], bytes[IOL_HUMAN];
    if (summary->n_top == 0) {
        print_run_summary_operations(out, summary->log);
        return;
    }
    const iol__file_total *top = &summary->top[0];
    const char *name = iol_log_name(summary->log, top->id);
    iol__out_text(out, "  longest on ");
    iol__out_fitted(out, name ? name : "a file without a name", COLUMNS - 38, IOL_CUT_MIDDLE);
    iol__out_printf(out, " (%s, %s)\n", iol__human_seconds(time, top->time),
                    iol__human_bytes(bytes, top->bytes_read + top->bytes_written));
}

/* Of all logs of the run. */
static void print_run_summary_unseen(iol__out *out, const written_logs *logs) {
    enum { SHOWN = 3 };
    iol__unseen unseen = {0};
    iol_error error;
    char programs[512];
    for (size_t i = 0; i < logs->count; i++) {
        iol_log *log;
        if (iol_log_open(logs->paths[i], &log, &error) != IOL_OK) continue;
        iol__unseen_add(log, &unseen);
        iol_log_close(log);
    }
    for (int why = 1; why < IOL_UNSEEN_REASONS; why++) {
        if (!iol__unseen_programs(&unseen, (iol__unseen_why)why, SHOWN, programs, sizeof programs)) continue;
        iol__out_printf(out, "  not recorded, %s: ", iol__unseen_text((iol__unseen_why)why));
        iol__out_safe(out, programs);
        iol__out_char(out, '\n');
    }
}

static void print_run_summary_text(iol__out *out, const written_logs *logs, const child_end *end,
                                   const iol__summary *summary) {
    char time[IOL_HUMAN], processes[IOL_HUMAN];
    const iol_job *job = iol_log_job(summary->log);
    const double *v = summary->figures.value;
    iol__out_printf(out, "iolite: ran %s, %s process%s", iol__human_seconds(time, job->run_time),
                    iol__human_number(processes, (double)job->processes), job->processes == 1 ? "" : "es");
    if (end->someone_left) iol__out_text(out, "; what still runs leaves a log of its own");
    iol__out_char(out, '\n');
    print_bytes(out, v, summary->figures.waited);
    print_times(out, v);
    print_top(out, summary);
    print_run_summary_unseen(out, logs);
    for (size_t i = 0; i < logs->count; i++) {
        iol__out_text(out, i ? "  and: " : "  log: ");
        iol__out_safe(out, logs->paths[i]);
        iol__out_char(out, '\n');
    }
}

static void print_run_summary_json(iol__out *out, const written_logs *logs, const child_end *end,
                                   const iol__summary *summary) {
    iol__json json;
    iol__json_start(&json, out, 1);
    iol__json_open(&json, '{');
    iol__json_put_text(&json, "log", logs->count ? logs->paths[0] : NULL);
    if (logs->count > 1) {
        iol__json_key(&json, "other_logs");
        iol__json_open(&json, '[');
        for (size_t i = 1; i < logs->count; i++) iol__json_text(&json, logs->paths[i]);
        iol__json_close(&json, ']');
    }
    if (WIFSIGNALED(end->status))
        iol__json_put_i64(&json, "signal", WTERMSIG(end->status));
    else
        iol__json_put_i64(&json, "exit_status", WEXITSTATUS(end->status));
    iol__json_put_bool(&json, "left_running", end->someone_left);
    if (summary) {
        iol__json_key(&json, "summary");
        iol__json_summary(&json, summary);
    }
    iol__json_close(&json, '}');
    iol__json_finish(&json);
}

void print_run_summary(const written_logs *logs, const child_end *end, bool json) {
    iol_log *log = NULL;
    iol_error error;
    iol__summary summary;
    bool made = logs->count && iol_log_open(logs->paths[0], &log, &error) == IOL_OK &&
                iol__summary_make(log, 1, NULL, &summary);
    iol__out out;
    iol__out_open(&out, STDERR_FILENO);
    if (json)
        print_run_summary_json(&out, logs, end, made ? &summary : NULL);
    else if (made)
        print_run_summary_text(&out, logs, end, &summary);
    iol__out_close(&out);
    if (made) iol__summary_free(&summary);
    iol_log_close(log);
}
