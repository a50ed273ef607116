/* A program with Iolite in it, and one log of all its processes.
   The program comes first: whatever of Iolite does not work, the program runs, without it if need be. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/count.h"
#include "cmds/run/caller.h"
#include "cmds/run/child.h"
#include "cmds/cmd.h"
#include "cmds/run/leftover_logs.h"
#include "cmds/library.h"
#include "cmds/run/run_directory.h"
#include "cmds/run/run_program.h"
#include "cmds/settings.h"
#include "cmds/run/unseen.h"
#include "record/mapped.h"

typedef struct runner {
    char **command;
    bool quiet, talk;       /* talk: a person reads what goes well */
    bool first;             /* of the tasks of a job, or the only one: it says what is to be said once */
    bool asked;             /* for a log in a certain place: that there is none is no remark then */
    iol__unseen_why unseen; /* why the program itself cannot be recorded */
    const iol__config *config;
    run_output output;
    char preload[3 * PATH_MAX];
} runner;

/* Options --------------------------------------------------------------------------------------------------------- */

/* They become variables, because that is how the settings reach processes that outlive us. Relative paths would mean
   another place in a process that changes its directory. */
static bool set_path(const char *name, const char *path) {
    char *full = NULL, *here = *path == '/' ? NULL : getcwd(NULL, 0);
    bool set = false;
    if (*path == '/')
        set = setenv(name, path, 1) == 0;
    else if (here && asprintf(&full, "%s/%s", here, path) >= 0) {
        set = setenv(name, full, 1) == 0;
        free(full);
    }
    free(here);
    return set;
}

static bool apply_options(const iol__args *args) {
    const char *directory = argument_value(args, OPT_LOG_DIR), *file = argument_value(args, OPT_LOG_FILE);
    const char *modules = argument_value(args, OPT_MODULES), *wait = argument_value(args, OPT_RUN_WAIT);
    /* What is asked for here counts more than a file name in the environment. */
    if (directory && !(set_path("IOLITE_LOG_DIR", directory) && setenv("IOLITE_LOG_FILE", "", 1) == 0)) return false;
    if (file && !set_path("IOLITE_LOG_FILE", file)) return false;
    if (wait && setenv("IOLITE_RUN_WAIT", wait, 1) != 0) return false;
    if (args->given[OPT_RUN_TRACE] && setenv("IOLITE_TRACE", "1", 1) != 0) return false;
    if (args->given[OPT_RUN_WHERE] && setenv("IOLITE_WHERE", "1", 1) != 0) return false;
    if (modules && (setenv("IOLITE_MOD_DISABLE", "*", 1) != 0 || setenv("IOLITE_MOD_ENABLE", modules, 1) != 0))
        return false;
    return true;
}

/* Running --------------------------------------------------------------------------------------------------------- */

/* As a shell says it, and the status that it would give. */
static int tell_exec_error(const char *name, int error) {
    bool missing = error == ENOENT && !strchr(name, '/');
    fprintf(stderr, "iolite: %s: %s\n", name, missing ? "command not found" : strerror(error));
    return error == ENOENT ? EXIT_NO_PROGRAM : EXIT_CANNOT_RUN;
}

/* Without Iolite: the program takes our place. */
static int run_plainly(const runner *r) {
    restore_failed_writes();
    execvp(r->command[0], r->command);
    return tell_exec_error(r->command[0], errno);
}

__attribute__((format(printf, 3, 4))) static void tell(const runner *r, bool always, const char *format, ...) {
    va_list list;
    if (!always && !r->talk) return;
    va_start(list, format);
    fputs("iolite: ", stderr);
    vfprintf(stderr, format, list);
    fputc('\n', stderr);
    va_end(list);
}

/* LD_PRELOAD: our library, and what the user has there already. */
static bool prepare_preload(runner *r) {
    char library[PATH_MAX];
    const char *before = getenv("LD_PRELOAD");
    const char *refused = find_library(library) ? library_refused(library) : "is not there";
    if (refused) {
        tell(r, true, "%s %s; %s runs without Iolite", library, refused, r->command[0]);
        return false;
    }
    int length =
        snprintf(r->preload, sizeof r->preload, "%s%s%s", library, before && *before ? ":" : "", before ? before : "");
    if (!strpbrk(library, ": \t") && length > 0 && (size_t)length < sizeof r->preload) return true;
    tell(r, true, "%s has a blank or a colon in its path, or LD_PRELOAD is too long; %s runs without Iolite", library,
         r->command[0]);
    return false;
}

/* Whether the program is to be recorded; if not, a message has said why. */
static bool can_record(runner *r) {
    program *facts = malloc(sizeof *facts);
    if (!facts) return false;
    bool good = false;
    const char *reason;
    inspect_program(r->command[0], facts);
    r->unseen = why_unseen(facts);
    if (iol__setting_flag(r->config, IOL_SET_DISABLE))
        tell(r, false, "switched off by %s", r->config->values[IOL_SET_DISABLE].variable);
    else if (facts->error)
        good = true; /* exec will say what is wrong */
    else if ((reason = harmed_because(facts)) != NULL)
        tell(r, r->asked, "%s is not recorded: %s", r->command[0], reason);
    else
        good = true;
    if (good && !facts->error && (reason = unseen_because(facts)) != NULL)
        tell(r, false, "%s itself is not recorded: %s%s", r->command[0], reason,
             facts->privileged ? "" : "; programs that it starts are");
    if (good) good = prepare_preload(r);
    free(facts);
    return good;
}

/* Whether something is printed in the end although nothing went wrong, beside the line that says where the log is. */
static bool has_words(const runner *r, const iol__args *args) { return r->talk || args->given[OPT_RUN_JSON]; }

/* Whether logs say which lines of code did the I/O: their names are added in the end. */
static bool has_lines(const runner *r) { return iol__setting_flag(r->config, IOL_SET_WHERE); }

/* A script that starts a thousand programs finds a thousand lines; a job that has a thousand tasks one. */
static bool is_first_task(void) {
    static const char *const launchers[] = {
#define LAUNCHER(variable, who) variable,
#include "schema/launchers.def"
#undef LAUNCHER
    };
    for (size_t i = 0; i < IOL_COUNT(launchers); i++) {
        const char *rank = getenv(launchers[i]);
        if (rank && *rank >= '0' && *rank <= '9') return strtol(rank, NULL, 10) == 0;
    }
    return true;
}

static void tell_place(const runner *r, const written_logs *logs) {
    if (r->quiet || !r->first || logs->told || logs->count == 0) return;
    if (logs->count > 1)
        tell_stderr("the log is %s, and %zu more are beside it", logs->paths[0], logs->count - 1);
    else
        tell_stderr("the log is %s", logs->paths[0]);
}

static int run_recorded(runner *r, run_directory *run, size_t number_at, const iol__args *args,
                        const run_words *words) {
    written_logs logs = {0};
    child_end end;
    const child_start start = {r->command, environ, getenv(IOL_RUN_VARIABLE) + number_at};
    const child_rest rest = {iol__setting_number(r->config, IOL_SET_RUN_WAIT), somebody_records, run};
    run_child(&start, &rest, &end);
    if (end.start_error || end.exec_error) {
        remove_run_directory(run);
        if (end.exec_error) return tell_exec_error(r->command[0], end.exec_error);
        fprintf(stderr, "iolite: cannot start a process for %s: %s\n", r->command[0], strerror(end.start_error));
        return EXIT_RUN_FAILED;
    }
    tell_messages(run);
    write_run_log(r->config, run, r->command, r->unseen, &end, &r->output, &logs);
    if (words->name_lines && has_lines(r)) words->name_lines(&logs);
    if (words->say && has_words(r, args))
        words->say(args, &logs, &end, r->talk);
    else
        tell_place(r, &logs);
    free_written(&logs);
    collect_leftovers(r->config, r->asked);
    end_like(end.status);
}

static void hand_over(const run_words *words) {
    if (!words->hand_over) return;
    restore_failed_writes();
    words->hand_over();
    ignore_failed_writes();
}

/* A standard descriptor that is closed would be given to the next file that we open, and messages would go there.
   For us it leads to nowhere; for the program it stays closed. */
static void occupy_standard_descriptors(void) {
    for (int fd = 0; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDWR | O_CLOEXEC) < 0) return;
}

int run_program(const iol__args *args, const run_words *words) {
    static runner r;
    static run_directory run;
    char link[RUN_TEXT];
    if (args->n_operands == 0) return usage_error(args, "a program is needed");
    occupy_standard_descriptors();
    ignore_failed_writes();
    r.command = args->operands;
    r.quiet = args->given[OPT_QUIET];
    r.asked = args->given[OPT_LOG_FILE] || args->given[OPT_LOG_DIR];
    r.first = is_first_task();
    r.talk = !r.quiet && ((r.first && isatty(STDERR_FILENO)) || args->given[OPT_VERBOSE]);
    if (!apply_options(args))
        fputs("iolite: the options could not be applied: no memory, or no current directory\n", stderr);
    r.config = load_settings(words->complain);
    if (!r.quiet && iol__setting_flag(r.config, IOL_SET_VERBOSE)) r.talk = true;
    if (has_words(&r, args) || has_lines(&r)) hand_over(words);
    if (!can_record(&r)) return run_plainly(&r);
    if (args->given[OPT_LOG_FILE] && !check_run_output(r.config->values[IOL_SET_LOG_FILE].text, &r.output))
        return EXIT_RUN_FAILED;
    if (!make_run_directory(r.config, &run)) {
        tell(&r, true, "%s runs without Iolite", r.command[0]);
        return run_plainly(&r);
    }
    const iol__runner us = find_caller();
    const size_t number_at = describe_run(&run, &us, link, sizeof link);
    if (setenv(IOL_RUN_VARIABLE, link, 1) != 0 || setenv("LD_PRELOAD", r.preload, 1) != 0) {
        remove_run_directory(&run);
        unsetenv(IOL_RUN_VARIABLE);
        return run_plainly(&r);
    }
    return run_recorded(&r, &run, number_at, args, words);
}
