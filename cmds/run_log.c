/* The log of a run: where it goes, how it is made, and its summary. A place that fails costs a line, never the log. */
#include <errno.h>
#include <mntent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmds/cmd.h"
#include "cmds/run_log.h"
#include "log/merge.h"
#include "record/mounts.h"
#include "report/summary.h"
#include "report/summary_json.h"
#include "report/text.h"

enum { COLUMNS = 80, COMMAND_MOST = 4096 };

/* Writing --------------------------------------------------------------------------------------------------------- */

typedef struct run_work {
    const iol__config *config;
    const char *mounts[2 * IOL_MOUNTS];
    size_t n_mounts;
    const run_directory *run;
    const child_end *end;
    char command[COMMAND_MOST];
    char user[256];
    iol__place_facts facts;
    const char **inputs;
    size_t n_inputs;
    run_report *report;
} run_work;

static void complain(void *context, const char *message) {
    (void)context;
    fprintf(stderr, "iolite: %s\n", message);
}

static void join_command(const iol__config *config, char **command, char text[COMMAND_MOST]) {
    const bool arguments = iol__setting_flag(config, IOL_SET_COMMAND_LINE);
    size_t length = 0;
    for (; *command && length + 1 < COMMAND_MOST && (arguments || length == 0); command++) {
        int more = snprintf(text + length, COMMAND_MOST - length, "%s%s", length ? " " : "", *command);
        length += more < 0 ? 0 : (size_t)more;
    }
}

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void find_facts(run_work *w, char **command) {
    char host[256] = "";
    struct timespec time;
    gethostname(host, sizeof host - 1);
    clock_gettime(CLOCK_REALTIME, &time);
    iol__user_name(environ, geteuid(), w->user, sizeof w->user);
    w->facts = (iol__place_facts){
        .user = w->user,
        .program = base_name(command[0]),
        .job = iol__job_id(w->config, environ, w->end->pid),
        .pid = w->end->pid,
        .start = w->run->zero.tv_sec,
        .utc_offset = iol__utc_offset(w->run->zero.tv_sec),
        .random = iol__place_random(host, (uint64_t)time.tv_sec * 1000000 + (uint64_t)time.tv_nsec / 1000),
        .environment = environ,
    };
}

/* For a run in which nobody recorded anything: a log says on which mounts files could have been. */
static void find_mounts(run_work *w) {
    static char texts[IOL_MOUNTS][2][256];
    FILE *table = setmntent("/proc/self/mounts", "re");
    struct mntent *one;
    while (table && w->n_mounts < IOL_MOUNTS && (one = getmntent(table)) != NULL) {
        if (iol__mount_skipped(one->mnt_type) || one->mnt_dir[0] != '/') continue;
        char(*pair)[256] = texts[w->n_mounts];
        snprintf(pair[0], sizeof pair[0], "%s", one->mnt_dir);
        snprintf(pair[1], sizeof pair[1], "%s", one->mnt_type);
        w->mounts[2 * w->n_mounts] = pair[0];
        w->mounts[2 * w->n_mounts + 1] = pair[1];
        w->n_mounts++;
    }
    if (table) endmntent(table);
}

/* The directory itself, and mapped files that are elsewhere. */
static bool find_inputs(run_work *w, char **strays) {
    size_t count = 0;
    while (strays && strays[count]) count++;
    w->inputs = calloc(count + 1, sizeof *w->inputs);
    if (!w->inputs) return false;
    w->inputs[w->n_inputs++] = w->run->path;
    for (size_t i = 0; i < count; i++) w->inputs[w->n_inputs++] = strays[i];
    return true;
}

static bool write_at(run_work *w, const iol__place *place, iol_error *error) {
    iol_job job = {.uid = getuid(),
                   .start_seconds = w->run->zero.tv_sec,
                   .start_nanoseconds = w->run->zero.tv_nsec,
                   .job_id = w->facts.job,
                   .processes = 1,
                   .exe = w->command};
    iol__merge merge = {.inputs = w->inputs,
                        .n_inputs = w->n_inputs,
                        .end_seconds = w->end->ended.tv_sec,
                        .end_nanoseconds = w->end->ended.tv_nsec,
                        .skip_live = true,
                        .remove_used = true,
                        .command = w->command,
                        .job = &job,
                        .metadata = "lib_ver=3.5.0\niolite=" IOLITE_VERSION "\n",
                        .mounts = w->mounts,
                        .n_mounts = w->n_mounts,
                        .complain = complain};
    error->status = IOL_SYSTEM;
    if (place->create && iol__place_create(place, mkdir) != 0) {
        snprintf(error->message, sizeof error->message, "%.300s: %s", place->path, strerror(errno));
        return false;
    }
    const bool threads = iol__setting_flag(w->config, IOL_SET_TRACE_THREADS);
    const iol_write_options options = {.mode = 0400, .dxt_posix = threads ? 2 : 0, .dxt_mpiio = threads ? 3 : 0};
    if (iol__merge_logs(&merge, place->path, &options, error) != IOL_OK) return false;
    snprintf(w->report->log, sizeof w->report->log, "%s", place->path);
    return true;
}

static bool write_somewhere(run_work *w) {
    unsigned candidate = 0;
    iol__place place;
    iol_error error;
    char refused[sizeof error.message + 128] = "";
    while (iol__place_next(w->config, &w->facts, &candidate, &place)) {
        if (write_at(w, &place, &error)) {
            if (refused[0]) fprintf(stderr, "iolite: %s; it is in %s\n", refused, place.path);
            return true;
        }
        if (error.status != IOL_SYSTEM) {
            fprintf(stderr, "iolite: %s\n", error.message);
            return false;
        }
        if (!refused[0]) snprintf(refused, sizeof refused, "no log where %s wants it: %s", place.named, error.message);
    }
    if (refused[0]) fprintf(stderr, "iolite: %s\n", refused);
    return false;
}

void write_run_log(const iol__config *config, const run_directory *run, char **command, const child_end *end,
                   run_report *report) {
    run_work w = {.config = config, .run = run, .end = end, .report = report};
    report->log[0] = '\0';
    close_spool(run);
    char **strays = gather_strays(config, run);
    join_command(config, command, w.command);
    find_facts(&w, command);
    list_unseen(run, (int32_t)end->pid, w.command);
    find_mounts(&w);
    bool written = find_inputs(&w, strays) && write_somewhere(&w);
    if (written)
        remove_run_directory(run);
    else
        fprintf(stderr,
                "iolite: no log was written; what was recorded is in %s\n"
                "iolite: 'iolite merge -o LOG %s' makes a log of it\n",
                run->path, run->path);
    free(w.inputs);
    free_strays(strays);
}

/* Summary --------------------------------------------------------------------------------------------------------- */

typedef struct figures {
    double bytes_read, bytes_written, read_time, write_time, meta_time;
} figures;

static void add(double *sum, double value) {
    if (value > 0) *sum += value;
}

/* The layers next to the system: what MPI-IO and HDF5 did is in them already. */
static figures add_up(const iol__summary *summary) {
    figures f = {0};
    for (size_t i = 0; i < summary->n_layers; i++) {
        const iol__layer *layer = &summary->layers[i];
        if (layer->module.slot != IOL_SLOT_POSIX && layer->module.slot != IOL_SLOT_STDIO) continue;
        add(&f.bytes_read, layer->bytes_read);
        add(&f.bytes_written, layer->bytes_written);
        add(&f.read_time, layer->read_time);
        add(&f.write_time, layer->write_time);
        add(&f.meta_time, layer->meta_time);
    }
    return f;
}

static void print_rate(iol__out *out, const char *did, double bytes, double seconds) {
    char amount[IOL_HUMAN], rate[IOL_HUMAN];
    iol__out_printf(out, "%s %s", did, iol__human_bytes(amount, bytes));
    if (bytes > 0 && seconds > 0) iol__out_printf(out, " (%s/s)", iol__human_bytes(rate, bytes / seconds));
}

static void print_times(iol__out *out, const figures *f) {
    char total[IOL_HUMAN], shares[3][IOL_HUMAN];
    double all = f->read_time + f->write_time + f->meta_time;
    if (all <= 0) {
        iol__out_text(out, "  no time in I/O calls\n");
        return;
    }
    iol__out_printf(out, "  %s in I/O calls: %s read, %s write, %s metadata\n", iol__human_seconds(total, all),
                    iol__human_share(shares[0], f->read_time / all), iol__human_share(shares[1], f->write_time / all),
                    iol__human_share(shares[2], f->meta_time / all));
}

static void print_top(iol__out *out, const iol__summary *summary) {
    char time[IOL_HUMAN], bytes[IOL_HUMAN];
    if (summary->n_top == 0) {
        iol__out_text(out, "  no files\n");
        return;
    }
    const iol__cost *top = &summary->top[0];
    const char *name = iol_log_name(summary->log, top->id);
    iol__out_text(out, "  most of it on ");
    iol__out_fitted(out, name ? name : "a file without a name", COLUMNS - 38, IOL_CUT_MIDDLE);
    iol__out_printf(out, " (%s, %s)\n", iol__human_seconds(time, top->time),
                    iol__human_bytes(bytes, top->bytes_read + top->bytes_written));
}

static void print_text(iol__out *out, const run_report *report, const child_end *end, const iol__summary *summary) {
    char time[IOL_HUMAN];
    const iol_job *job = iol_log_job(summary->log);
    figures f = add_up(summary);
    iol__out_printf(out, "iolite: ran %s, %lld process%s", iol__human_seconds(time, job->run_time),
                    (long long)job->processes, job->processes == 1 ? "" : "es");
    if (end->someone_left) iol__out_text(out, "; what still runs leaves a log of its own");
    iol__out_text(out, "\n  ");
    print_rate(out, "read", f.bytes_read, f.read_time);
    print_rate(out, ", wrote", f.bytes_written, f.write_time);
    iol__out_char(out, '\n');
    print_times(out, &f);
    print_top(out, summary);
    iol__out_text(out, "  log: ");
    iol__out_safe(out, report->log);
    iol__out_char(out, '\n');
}

static void print_json(iol__out *out, const run_report *report, const child_end *end, const iol__summary *summary) {
    iol__json json;
    iol__json_start(&json, out, 1);
    iol__json_open(&json, '{');
    iol__json_put_text(&json, "log", report->log[0] ? report->log : NULL);
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

void print_run_summary(const run_report *report, const child_end *end, bool json) {
    iol_log *log = NULL;
    iol_error error;
    iol__summary summary;
    bool made = report->log[0] && iol_log_open(report->log, &log, &error) == IOL_OK &&
                iol__summary_make(log, 1, NULL, &summary);
    iol__out out;
    iol__out_open(&out, STDERR_FILENO);
    if (json)
        print_json(&out, report, end, made ? &summary : NULL);
    else if (made)
        print_text(&out, report, end, &summary);
    iol__out_close(&out);
    if (made) iol__summary_free(&summary);
    iol_log_close(log);
}
