/* iolite probe: a small benchmark under Iolite, from cron. Each run is one line in a table, with its log; slow OSTs are
   looked for in the latest logs; runs that are far below what is usual are reported. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cmds/site/site_data.h"
#include "site/analyze/bad_ost.h"
#include "site/analyze/job.h"
#include "site/analyze/numbers.h"
#include "text/number.h"
#include "text/text.h"

enum { REQUEST = 1 << 20, LOGS_BACK = 20, LEAST_RUNS = 5, KIND_COLUMNS = 8 };

/* The kernel ------------------------------------------------------------------------------------------------------- */

typedef struct kernel {
    const char *directory;
    bool shared; /* one file for all processes, else one for each */
    int processes, mib;
} kernel;

static bool move_all(int fd, off_t from, int mib, bool writes) {
    static char block[REQUEST];
    for (int i = 0; i < mib; i++) {
        off_t at = from + (off_t)i * REQUEST;
        ssize_t moved = writes ? pwrite(fd, block, sizeof block, at) : pread(fd, block, sizeof block, at);
        if (moved != REQUEST) return false;
    }
    return true;
}

static bool one_process(const kernel *is, int number) {
    char path[4200];
    snprintf(path, sizeof path, is->shared ? "%.4000s/iolite-probe.shared" : "%.4000s/iolite-probe.%d", is->directory,
             number);
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    off_t from = is->shared ? (off_t)number * is->mib * REQUEST : 0;
    bool good = fd >= 0 && move_all(fd, from, is->mib, true) && fsync(fd) == 0 && move_all(fd, from, is->mib, false);
    if (!good) tell_stderr("%s: %s", path, strerror(errno));
    if (fd >= 0) close(fd);
    return good;
}

static void probe_clean_up(const kernel *is) {
    char path[4200];
    for (int i = 0; i < is->processes; i++) {
        snprintf(path, sizeof path, is->shared ? "%.4000s/iolite-probe.shared" : "%.4000s/iolite-probe.%d",
                 is->directory, i);
        unlink(path);
    }
}

static int run_kernel(const kernel *is) {
    bool good = true;
    for (int i = 0; i < is->processes; i++) {
        pid_t child = fork();
        if (child == 0) exit(one_process(is, i) ? EXIT_DONE : EXIT_TROUBLE);
        good = good && child > 0;
    }
    for (int state; wait(&state) > 0;) good = good && state == 0;
    probe_clean_up(is);
    return good ? EXIT_DONE : EXIT_TROUBLE;
}

/* One run ---------------------------------------------------------------------------------------------------------- */

typedef struct probing {
    site_run *run;
    kernel kernel;
    const char *kind, *keep, *command;
    double least; /* part of the usual rate below which there is an alarm */
} probing;

/* Starts a command under iolite run; gives its status. */
static int probe_start(probing *on, const char *log) {
    iol__arena *arena = &on->run->arena;
    const char *self = "/proc/self/exe";
    char target[4096];
    ssize_t length = readlink(self, target, sizeof target - 1);
    if (length > 0) {
        target[length] = 0;
        self = target;
    }
    const char *arguments[20] = {self, "run", "-q", "-o", log, "--"};
    size_t count = 6;
    if (on->command) {
        arguments[count++] = "/bin/sh";
        arguments[count++] = "-c";
        arguments[count++] = on->command;
    } else {
        arguments[count++] = self;
        arguments[count++] = "probe";
        arguments[count++] = "--kernel";
        arguments[count++] = "--kind";
        arguments[count++] = on->kind;
        arguments[count++] = "--processes";
        arguments[count++] = iol__arena_print(arena, "%d", on->kernel.processes);
        arguments[count++] = "--mib";
        arguments[count++] = iol__arena_print(arena, "%d", on->kernel.mib);
        arguments[count++] = on->kernel.directory;
    }
    pid_t child;
    int state = -1;
    setenv("PROBE_DIR", on->kernel.directory, 1);
    if (posix_spawnp(&child, self, NULL, NULL, (char *const *)(uintptr_t)arguments, environ) != 0) return EXIT_TROUBLE;
    while (waitpid(child, &state, 0) < 0 && errno == EINTR) continue;
    return WIFEXITED(state) ? WEXITSTATUS(state) : EXIT_TROUBLE;
}

static double probe_seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Earlier results, as a list. */
static iol__value *probe_earlier(probing *on) {
    iol__arena *arena = &on->run->arena;
    iol__value *list = iol__value_new(arena, IOL__LIST);
    char why[400];
    iol__feed feed;
    char *path = iol__arena_print(arena, "%s/results.jsonl", on->keep);
    if (access(path, F_OK) != 0 || iol__feed_open(path, &feed, why) != IOL_OK) return list;
    iol__lines lines = {feed.bytes, feed.bytes + feed.length};
    for (char *line; (line = iol__next_line(&lines));) {
        iol__value *row = iol__value_parse(arena, line, strlen(line), NULL);
        if (row && row->kind == IOL__MAP) iol__list_add(arena, list, row);
    }
    iol__feed_close(&feed);
    return list;
}

/* One line at once, so that two probes never mix theirs. */
static bool probe_append(probing *on, const iol__value *row) {
    iol__out out;
    iol__json json;
    iol__out_open(&out, -1);
    iol__json_start(&json, &out, 0);
    iol__value_json(&json, &on->run->arena, row);
    iol__out_char(&out, '\n');
    char *path = iol__arena_print(&on->run->arena, "%s/results.jsonl", on->keep);
    int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    bool good = fd >= 0 && write(fd, out.buffer, out.length) == (ssize_t)out.length;
    if (!good) tell_stderr("%s: %s", path, strerror(errno));
    if (fd >= 0) close(fd);
    iol__out_close(&out);
    return good;
}

static const char *slow_osts(probing *on, const iol__value *results, const char *log) {
    iol__arena *arena = &on->run->arena;
    iol__striped files = {0};
    char why[400], *names = NULL;
    bool silent = iol__site_silent;
    iol__site_silent = true;
    size_t used = 0;
    if (access(log, R_OK) == 0) iol__striped_read(arena, log, &files, why);
    for (size_t i = results->count; i-- > 0 && used < LOGS_BACK;) {
        const char *kind = iol__map_text(results->items[i], "kind"), *path = iol__map_text(results->items[i], "log");
        if (!kind || !path || strcmp(kind, on->kind) != 0 || access(path, R_OK) != 0) continue;
        iol__striped_read(arena, path, &files, why);
        used++;
    }
    iol__site_silent = silent;
    iol__suspects found = iol__find_suspects(arena, &files, NULL);
    for (size_t i = 0; i < found.count; i++)
        if (found.list[i].is.p < 0.05 && found.list[i].is.r < -0.5)
            names =
                iol__arena_print(arena, "%s%s%lld", names ? names : "", names ? "," : "", (long long)found.list[i].ost);
    return names;
}

static double usual_rate(probing *on, const iol__value *results) {
    double *rates = iol__arena_alloc(&on->run->arena, results->count + 1, sizeof *rates);
    size_t count = 0;
    for (size_t i = 0; i < results->count; i++) {
        const char *kind = iol__map_text(results->items[i], "kind");
        double rate = iol__map_number(results->items[i], "rate");
        if (kind && strcmp(kind, on->kind) == 0 && rate > 0) rates[count++] = rate;
    }
    return count >= LEAST_RUNS ? iol__five_of(rates, count).median : NAN;
}

static void put_probe_log(probing *on, const char *log, iol__value *row) {
    iol__arena *arena = &on->run->arena;
    iol__job_log facts;
    char why[400];
    iol__value *keys = iol__value_new(arena, IOL__MAP);
    if (access(log, R_OK) != 0 || iol__job_put_log(arena, log, keys, &facts, why) != IOL_OK) return;
    double bytes = iol__map_number(keys, "darshan_tot_bytes_read_posix") +
                   iol__map_number(keys, "darshan_tot_bytes_written_posix"),
           time = iol__map_number(keys, "darshan_io_time");
    iol__map_put_text(arena, row, "log", log);
    if (bytes > 0) iol__map_put_real(arena, row, "bytes", bytes);
    if (time > 0) iol__map_put_real(arena, row, "io_seconds", time);
}

/* NULL: all is well. */
static const char *alarm_of(const probing *on, int status, double rate, double usual, const char *osts) {
    iol__arena *arena = &on->run->arena;
    char is[IOL_HUMAN], part[IOL_HUMAN], was[IOL_HUMAN];
    if (status != 0) return iol__arena_print(arena, "probe '%s' failed with status %d", on->kind, status);
    if (rate < on->least * usual)
        return iol__arena_print(arena, "probe '%s' moved %s, %s of the usual %s", on->kind, iol__human_rate(is, rate),
                                iol__human_share(part, rate / usual), iol__human_rate(was, usual));
    return osts ? iol__arena_print(arena, "probe '%s': OST %s looks unhealthy", on->kind, osts) : NULL;
}

static int probe_once(probing *on, iol__value *result) {
    iol__arena *arena = &on->run->arena;
    const iol__value *results = probe_earlier(on);
    char stamp[32];
    time_t now = time(NULL);
    struct tm tm;
    localtime_r(&now, &tm);
    strftime(stamp, sizeof stamp, "%Y%m%dT%H%M%S", &tm);
    char *log = iol__arena_print(arena, "%s/logs/%s-%s-%d.darshan", on->keep, on->kind, stamp, (int)getpid());
    double before = probe_seconds_now();
    int status = probe_start(on, log);
    double took = probe_seconds_now() - before;
    iol__value *row = iol__value_new(arena, IOL__MAP);
    iol__map_put_integer(arena, row, "time", (int64_t)now);
    iol__map_put_text(arena, row, "kind", on->kind);
    iol__map_put_integer(arena, row, "status", status);
    iol__map_put_real(arena, row, "seconds", took);
    put_probe_log(on, log, row);
    double bytes = iol__map_number(row, "bytes"), usual = usual_rate(on, results);
    double time_in_io = iol__map_number(row, "io_seconds");
    double rate = status == 0 && bytes > 0 ? bytes / (time_in_io > 0 ? time_in_io : took) : NAN;
    if (!isnan(rate)) iol__map_put_real(arena, row, "rate", rate);
    const char *osts = slow_osts(on, results, log);
    if (osts) iol__map_put_text(arena, row, "slow_osts", osts);
    const char *alarm = alarm_of(on, status, rate, usual, osts);
    if (alarm) iol__map_put_text(arena, row, "alarm", alarm);
    iol__list_add(arena, result, row);
    if (!probe_append(on, row)) return EXIT_TROUBLE;
    return alarm ? EXIT_FOUND : EXIT_DONE;
}

/* How the site notifies people: the sentence is the command's input. */
static void probe_alert(const char *command, const iol__value *result) {
    FILE *to = command ? popen(command, "we") : NULL;
    for (size_t i = 0; i < result->count; i++) {
        const char *alarm = iol__map_text(result->items[i], "alarm");
        if (alarm) tell_stderr("%s", alarm);
        if (alarm && to) fprintf(to, "%s\n", alarm);
    }
    if (to) pclose(to);
}

/* Variability ------------------------------------------------------------------------------------------------------ */

static iol__value *probe_by_month(probing *on) {
    iol__arena *arena = &on->run->arena;
    const iol__value *results = probe_earlier(on);
    iol__value *groups = iol__value_new(arena, IOL__MAP), *result = iol__value_new(arena, IOL__LIST);
    for (size_t i = 0; i < results->count; i++) {
        const char *kind = iol__map_text(results->items[i], "kind");
        double rate = iol__map_number(results->items[i], "rate");
        char month[32];
        iol__format_time(iol__whole(iol__map_number(results->items[i], "time")), month);
        month[7] = 0;
        if (kind && rate > 0)
            iol__list_add(arena, iol__map_open(arena, groups, iol__arena_print(arena, "%s %s", month, kind), IOL__LIST),
                          iol__of_real(arena, rate));
    }
    for (size_t i = 0; i < groups->count; i++) {
        const iol__value *rates = groups->items[i];
        double *values = iol__arena_alloc(arena, rates->count + 1, sizeof *values);
        for (size_t k = 0; k < rates->count; k++) values[k] = rates->items[k]->real;
        iol__five five = iol__five_of(values, rates->count);
        iol__value *row = iol__value_new(arena, IOL__MAP);
        iol__map_put_text(arena, row, "month", iol__arena_text(arena, groups->keys[i], 7));
        iol__map_put_text(arena, row, "kind", groups->keys[i] + 8);
        iol__map_put_integer(arena, row, "runs", (int64_t)rates->count);
        iol__map_put_real(arena, row, "min", five.min);
        iol__map_put_real(arena, row, "q1", five.q1);
        iol__map_put_real(arena, row, "median", five.median);
        iol__map_put_real(arena, row, "q3", five.q3);
        iol__map_put_real(arena, row, "max", five.max);
        iol__map_put_real(arena, row, "slowest_over_fastest", five.max / five.min);
        iol__list_add(arena, result, row);
    }
    return result;
}

static int print_report(probing *on) {
    const iol__value *result = probe_by_month(on);
    site_output to;
    if (on->run->args->given[OPT_JSON]) return print_tree(on->run, result, NULL);
    if (!open_output(on->run, OPT_SITE_OUTPUT, &to)) return on->run->status;
    iol__out_printf(&to.out, "%-8s %-8s %4s %9s %9s %9s %9s %9s %7s\n", "month", "kind", "runs", "min MiB/s", "q1",
                    "median", "q3", "max", "slowest");
    for (size_t i = 0; i < result->count; i++) {
        static const char *const keys[] = {"min", "q1", "median", "q3", "max"};
        const iol__value *row = result->items[i];
        iol__out_printf(&to.out, "%-8s ", iol__map_text(row, "month"));
        iol__out_left(&to.out, iol__map_text(row, "kind"), KIND_COLUMNS, IOL_CUT_MIDDLE);
        iol__out_printf(&to.out, " %4.0f", iol__map_number(row, "runs"));
        for (size_t k = 0; k < 5; k++) iol__out_printf(&to.out, " %9.1f", iol__map_number(row, keys[k]) / 0x1p20);
        iol__out_printf(&to.out, " %6.1fx\n", iol__map_number(row, "slowest_over_fastest"));
    }
    return close_output(&to, EXIT_DONE);
}

/* ------------------------------------------------------------------------------------------------------------------ */

static bool take_probe_options(probing *on) {
    const iol__args *args = on->run->args;
    double processes = 4, mib = 16;
    on->least = 0.5;
    on->kind = argument_value(args, OPT_PROBE_KIND);
    on->command = argument_value(args, OPT_PROBE_COMMAND);
    if (!number_option(on->run, OPT_PROCESSES, &processes) || !number_option(on->run, OPT_MIB, &mib) ||
        !number_option(on->run, OPT_PROBE_LEAST, &on->least))
        return false;
    bool known = !on->kind || on->command || strcmp(on->kind, "shared") == 0 || strcmp(on->kind, "fpp") == 0;
    if (args->n_operands != 1)
        on->run->status = usage_error(args, "one directory is needed, on the file system to probe");
    else if (!known || !(processes >= 1 && processes <= 1024) || !(mib >= 1 && mib <= 1 << 20))
        on->run->status = usage_error(args, "a kind is shared or fpp; processes are 1 to 1024; MiB are 1 or more");
    if (on->run->status != EXIT_DONE) return false;
    on->kernel = (kernel){.directory = args->operands[0], .processes = (int)processes, .mib = (int)mib};
    on->keep = argument_value(args, OPT_PROBE_KEEP);
    if (!on->keep) on->keep = iol__arena_print(&on->run->arena, "%s/iolite-probe", on->kernel.directory);
    return true;
}

static bool make_folders(probing *on) {
    char *logs = iol__arena_print(&on->run->arena, "%s/logs", on->keep);
    if ((mkdir(on->keep, 0777) == 0 || errno == EEXIST) && (mkdir(logs, 0777) == 0 || errno == EEXIST)) return true;
    tell_stderr("%s: %s", logs, strerror(errno));
    return false;
}

static int probe_probe(site_run *run) {
    static const char *const kinds[] = {"shared", "fpp"};
    const iol__args *args = run->args;
    probing on = {.run = run};
    if (!take_probe_options(&on)) return run->status;
    if (args->given[OPT_PROBE_KERNEL]) {
        on.kernel.shared = on.kind && strcmp(on.kind, "shared") == 0;
        return run_kernel(&on.kernel);
    }
    if (args->given[OPT_PROBE_REPORT]) return print_report(&on);
    if (!make_folders(&on)) return EXIT_TROUBLE;
    iol__value *result = iol__value_new(&run->arena, IOL__LIST);
    const char *only = on.kind;
    int status = EXIT_DONE;
    for (size_t i = 0; i < (on.command ? 1 : 2); i++) {
        if (!on.command && only && strcmp(only, kinds[i]) != 0) continue;
        on.kind = on.command ? only ? only : "command" : kinds[i];
        int outcome = probe_once(&on, result);
        if (outcome > status) status = outcome;
    }
    probe_alert(argument_value(args, OPT_ALERT), result);
    if (!args->given[OPT_JSON]) return status;
    int printed = print_tree(run, result, NULL);
    return printed == EXIT_DONE ? status : printed;
}

int cmd_probe(const iol__args *args) { return with_site(args, probe_probe); }
