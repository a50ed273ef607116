/* Time is summed by name: a loop of short programs is an application too. */
#include "site/index/application.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/count.h"
#include "base/strings.h"
#include "insight/facts/log_words.h"
#include "log/trailer/processes.h"
#include "record/starter.h"
#include "site/index/names.h"

enum { MOST_PROGRAMS = 64 };

typedef struct application_programs {
    iol__arena *arena;
    double end; /* of the log: for processes that have none */
    size_t count;
    struct {
        const char *name;
        double seconds;
        size_t processes;
    } of[MOST_PROGRAMS];
} application_programs;

static bool only_starts_others(const char *command) { return iol__is_starter(command) || iol__is_wrapper(command); }

bool iol__is_tool(const char *name) {
    static const char *const tools[] = {
        "awk",   "basename", "bunzip2", "bzip2",  "cat",   "chgrp",  "chmod",     "chown",  "cmp",      "cp",
        "curl",  "cut",      "date",    "dd",     "df",    "diff",   "dirname",   "du",     "echo",     "file",
        "find",  "gawk",     "grep",    "gunzip", "gzip",  "head",   "hostname",  "id",     "install",  "ln",
        "ls",    "lua",      "mawk",    "md5sum", "mkdir", "mktemp", "mv",        "printf", "readlink", "realpath",
        "rm",    "rmdir",    "rsync",   "scp",    "sed",   "seq",    "sha256sum", "sort",   "stat",     "tail",
        "tar",   "tclsh",    "tee",     "touch",  "tr",    "uname",  "uniq",      "unzip",  "wc",       "wget",
        "xargs", "xz",       "zcat",    "zip",    "zstd",
    };
    for (size_t i = 0; i < IOL_COUNT(tools); i++)
        if (iol__is_program(name, tools[i])) return true;
    return false;
}

/* The last word of the path of a command line. */
static const char *name_of(iol__arena *arena, const char *command) {
    return iol__short_text(arena, iol__base_name(iol__arena_text(arena, command, strcspn(command, " "))));
}

static void add_time(application_programs *p, const char *command, double seconds) {
    const char *name = name_of(p->arena, command);
    size_t i = 0;
    while (i < p->count && strcmp(p->of[i].name, name) != 0) i++;
    if (i == MOST_PROGRAMS) return;
    if (i == p->count) {
        p->of[i].name = name;
        p->of[i].processes = 0;
        p->of[p->count++].seconds = 0;
    }
    p->of[i].seconds += seconds;
    p->of[i].processes++;
}

/* A loop over a little tool takes its time between the processes: that a script needs to start one is part of it. */
static double time_of_program(const application_programs *p, size_t i) {
    static const double start_of_tool = 0.02;
    return p->of[i].seconds + (iol__is_tool(p->of[i].name) ? start_of_tool * (double)p->of[i].processes : 0);
}

/* A process may have run a shell before it became the program, or the other way round. */
static bool visit_process(void *context, const iol__process *process) {
    application_programs *p = context;
    const double end = isnan(process->end) ? p->end : process->end,
                 seconds = isnan(process->start) || !(end > process->start) ? 0 : end - process->start;
    for (size_t i = process->n_images; i-- > 0;)
        if (!only_starts_others(process->images[i])) {
            add_time(p, process->images[i], seconds);
            break;
        }
    return true;
}

/* A shell that somebody started without the library hides all that it starts. */
static bool hides_others(iol__unseen_why why) { return why == IOL_UNSEEN_OPTED_OUT || why == IOL_UNSEEN_DISABLED; }

void iol__missed_words(const iol__unseen *missed, char *text, size_t room, char *cause, size_t cause_room) {
    iol__unseen kept = {0};
    char names[400];
    size_t at = 0;
    *text = *cause = 0;
    for (size_t i = 0; i < missed->count; i++)
        if (!only_starts_others(missed->of[i].program)) kept.of[kept.count++] = missed->of[i];
    for (int why = 1; why < IOL_UNSEEN_REASONS && at < room; why++) {
        if (!iol__unseen_programs(&kept, (iol__unseen_why)why, 8, names, sizeof names)) continue;
        const char *reason = iol__unseen_text((iol__unseen_why)why);
        if (!at) snprintf(cause, cause_room, "could not be recorded: %s", reason);
        at += (size_t)snprintf(text + at, room - at, "%s%s: %s", at ? "; " : "", reason, names);
    }
    for (size_t i = 0; i < missed->count && !*cause; i++)
        if (hides_others(missed->of[i].why))
            snprintf(cause, cause_room, "could not be recorded: %s", iol__unseen_text(missed->of[i].why));
}

static void read_missed(iol__arena *arena, iol_log *log, iol__application *app) {
    iol__unseen unseen = {0};
    char text[1000], cause[200];
    iol__unseen_add(log, &unseen);
    if (!unseen.count) return;
    iol__missed_words(&unseen, text, sizeof text, cause, sizeof cause);
    if (*text) app->missed = iol__valid_text(arena, iol__arena_copy(arena, text));
    if (*cause) app->cause = iol__arena_copy(arena, cause);
}

iol__application iol__application_of(iol__arena *arena, iol_log *log, const char *program, double seconds) {
    iol__application app = {.seconds = 0};
    application_programs p = {.arena = arena, .end = seconds};
    iol__processes_each(log, visit_process, &p);
    size_t longest = 0;
    for (size_t i = 1; i < p.count; i++)
        if (p.of[i].seconds > p.of[longest].seconds) longest = i;
    if (p.count) {
        app.name = p.of[longest].name;
        app.seconds = time_of_program(&p, longest);
    }
    const char *exe = iol_log_job(log)->exe;
    if (!app.name && program && exe && !only_starts_others(exe)) {
        app.name = program;
        app.seconds = isnan(seconds) ? 0 : seconds;
        app.ranks = iol_log_job(log)->processes > 1;
    }
    read_missed(arena, log, &app);
    return app;
}
