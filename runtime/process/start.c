/* The start of the runtime, before main: settings, time zero, modules. What the program gave us, its arguments and its
   environment, is copied, because it may not be there any more at the end. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "record/mapped.h"
#include "record/place.h"
#include "record/left_alone.h"
#include "record/starter.h"
#include "record/zone.h"
#include "runtime/custom/custom.h"
#include "runtime/process/carry.h"
#include "runtime/core/core.h"
#include "runtime/output/explain.h"
#include "runtime/core/filter.h"
#include "runtime/core/modules.h"
#include "runtime/core/sys.h"
#include "runtime/core/process.h"
#include "runtime/core/real.h"
#include "runtime/core/text.h"
#include "runtime/core/trust.h"
#include "runtime/lazy/lazy.h"
#include "runtime/lazy/next.h"
#include "runtime/lazy/spaces.h"
#include "runtime/mpi/plugin.h"

enum { VARIABLES = 96, VARIABLE_BYTES = 16384, NAME_BYTES = 24 };

iol__core iol__core_state = {.home = -1, .task = -1};

/* Copies ----------------------------------------------------------------------------------------------------------- */

static char *variables[VARIABLES + 1];
static char variable_bytes[VARIABLE_BYTES];
static size_t n_variables, bytes_used;

static void keep_variable(const char *text) {
    const size_t length = strlen(text) + 1;
    if (n_variables == VARIABLES || length > VARIABLE_BYTES - bytes_used) return;
    variables[n_variables++] = memcpy(variable_bytes + bytes_used, text, length);
    bytes_used += length;
}

static bool named(const char *text, const char *name, size_t length) {
    return strncmp(text, name, length) == 0 && text[length] == '=';
}

static void keep_named(char **environment, const char *name, size_t length) {
    for (; environment && *environment; environment++)
        if (named(*environment, name, length)) keep_variable(*environment);
}

/* A bit for the first letter of a name: most variables are told from those that matter by it. */
static uint32_t letter(char c) { return UINT32_C(1) << (c & 31); }

/* The variables that settings, places and job ids may come from. */
static void keep_environment(char **environment) {
    static const struct {
        char name[NAME_BYTES];
        uint8_t length;
    } others[] = {
#define OTHER(variable) {variable, sizeof variable - 1},
        OTHER("HOME") OTHER("LOGNAME") OTHER("TZ") OTHER("TZDIR")
#define SCHEDULER(variable, form, who) OTHER(variable)
#include "schema/schedulers.def"
#undef SCHEDULER
#define RESTART(variable, who) OTHER(variable)
#include "schema/restarts.def"
#undef RESTART
#undef OTHER
    };
    uint32_t first_letters = letter('I') | letter('D');
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) first_letters |= letter(*others[i].name);
    for (char **at = environment; at && *at; at++) {
        const char c = **at;
        if (!(letter(c) & first_letters)) continue;
        if (c == 'I' && named(*at, IOL_CARRIED_VARIABLE, sizeof IOL_CARRIED_VARIABLE - 1)) continue;
        if ((c == 'I' && strncmp(*at, "IOLITE", 6) == 0) || (c == 'D' && strncmp(*at, "DARSHAN_", 8) == 0) ||
            (c == 'D' && strncmp(*at, "DXT_", 4) == 0)) {
            keep_variable(*at);
            continue;
        }
        for (size_t i = 0; i < sizeof others / sizeof *others; i++)
            if (c == others[i].name[0] && (*at)[1] == others[i].name[1] && named(*at, others[i].name, others[i].length))
                keep_variable(*at);
    }
    iol__core_state.environment = variables;
}

/* The variables that settings name. */
static void keep_more(char **environment, const char *list) {
    for (size_t length = 0; *list; list += length ? length : 1) {
        for (length = 0; list[length] && list[length] != ',' && list[length] != ' ';) length++;
        if (length) keep_named(environment, list, length);
    }
}

/* Arguments joined by blanks, on one line. */
static void keep_command(int argc, char **argv) {
    iol__core *core = &iol__core_state;
    iol__text text = {core->command, sizeof core->command, 0};
    for (int i = 0; i < argc && argv[i]; i++) {
        if (i > 0) iol__text_add(&text, " ");
        iol__text_add(&text, argv[i]);
    }
    if (text.length == 0) iol__text_add(&text, "<unknown>");
    for (size_t i = 0; i < text.length; i++)
        if (core->command[i] == '\n') core->command[i] = ' ';
    static const char cut[] = "<TRUNCATED>";
    if (text.length == sizeof core->command - 1)
        memcpy(core->command + text.length - (sizeof cut - 1), cut, sizeof cut - 1);
    const char *name = argc > 0 && argv[0] ? argv[0] : "unknown", *slash = strrchr(name, '/');
    iol__text_add(&(iol__text){core->program, sizeof core->program, 0}, slash && slash[1] ? slash + 1 : name);
}

/* Time zero -------------------------------------------------------------------------------------------------------- */

static uint64_t take_number(const char **text, unsigned base) {
    uint64_t value = 0;
    for (;; (*text)++) {
        const char c = **text;
        unsigned digit = 99;
        if (c >= '0' && c <= '9') digit = (unsigned)(c - '0');
        if (c >= 'a' && c <= 'f') digit = (unsigned)(c - 'a') + 10;
        if (digit >= base) return value;
        value = value * base + digit;
    }
}

static bool take_mark(const char **text, char mark) { return **text == mark && (*text)++; }

/* The zero of a run by this machine's monotonic clock. On another machine that clock began at another time; there the
   real-time clocks, which agree to within seconds, tell how long ago it was. -1 if it is still to come. */
static int64_t zero_here(int64_t zero, int64_t now) {
    enum { SECOND = 1000000000, APART = 2 };
    const iol__core *core = &iol__core_state;
    struct timespec real;
    clock_gettime(CLOCK_REALTIME, &real);
    const int64_t ago = (real.tv_sec - core->zero_s) * SECOND + real.tv_nsec - core->zero_ns, off = now - zero - ago;
    if (ago < -(int64_t)APART * SECOND) return -1;
    if (zero <= now && off > -(int64_t)APART * SECOND && off < (int64_t)APART * SECOND) return zero;
    return ago > 0 && ago < now ? now - ago : now;
}

/* Two digits a byte; nothing is known of a run without one. */
static bool take_key(const char **text, uint8_t key[IOL_RUN_KEY]) {
    for (size_t i = 0; i < IOL_RUN_KEY; i++) {
        const char byte[3] = {(*text)[0], (*text)[0] ? (*text)[1] : '\0', 0}, *at = byte;
        key[i] = (uint8_t)take_number(&at, 16);
        if (at != byte + 2) return false;
        *text += 2;
    }
    return true;
}

/* NUMBER-KEY:ZERO_S.NNNNNNNNN:MONOTONIC_NS:RUNNER:DIRECTORY. */
static bool join_run(const char *text, int64_t now, int64_t *monotonic) {
    iol__core *core = &iol__core_state;
    const uint64_t number = take_number(&text, 16);
    if (!take_mark(&text, '-') || !take_key(&text, core->run_key)) return false;
    if (!take_mark(&text, ':')) return false;
    core->zero_s = (int64_t)take_number(&text, 10);
    if (!take_mark(&text, '.')) return false;
    core->zero_ns = (int64_t)take_number(&text, 10);
    if (!take_mark(&text, ':')) return false;
    const int64_t zero = (int64_t)take_number(&text, 10);
    if (!take_mark(&text, ':')) return false;
    iol__runner runner = {0};
    if (iol__runner_read(&text, &runner) && !take_mark(&text, ':')) return false;
    if (*text != '/' || strlen(text) >= sizeof core->directory) return false;
    if (number == 0 || zero < 0 || core->zero_ns >= 1000000000) return false;
    const int64_t here = zero_here(zero, now);
    if (here < 0) return false;
    strcpy(core->directory, text);
    core->run = number;
    core->runner = runner;
    core->run_zero = core->zero_s * 1000000000 + core->zero_ns;
    *monotonic = here;
    return true;
}

/* Processes of a run share its time zero. An MPI job has one of its own, when it begins: how long the run had been under
   way is no part of it. */
static void begin_own_time(int64_t now, int64_t *monotonic) {
    iol__core *core = &iol__core_state;
    const int64_t zero = core->run_zero + (now - *monotonic);
    core->zero_s = zero / 1000000000;
    core->zero_ns = zero % 1000000000;
    *monotonic = now;
}

static void set_time(void) {
    iol__core *core = &iol__core_state;
    const char *run = iol__variable(core->environment, IOL_RUN_VARIABLE);
    const int64_t here = iol__clock_monotonic();
    int64_t zero = here;
    if (run && join_run(run, here, &zero)) {
        if (core->launched) begin_own_time(here, &zero);
    } else {
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        core->zero_s = now.tv_sec;
        core->zero_ns = now.tv_nsec;
    }
    iol__clock_start(zero);
    core->start = iol__now();
}

/* Whether to start ------------------------------------------------------------------------------------------------- */

/* Long before MPI can be asked. */
static int launched_as(char **environment) {
    static const char *const variables_of_launchers[] = {
#define LAUNCHER(variable, who) variable,
#include "schema/launchers.def"
#undef LAUNCHER
    };
    uint32_t first_letters = 0;
    for (char **at = environment; at && *at; at++) first_letters |= letter(**at);
    for (size_t i = 0; i < sizeof variables_of_launchers / sizeof *variables_of_launchers; i++) {
        if (!(first_letters & letter(*variables_of_launchers[i]))) continue;
        const char *rank = iol__variable(environment, variables_of_launchers[i]);
        if (!rank || *rank < '0' || *rank > '9') continue;
        /* A batch system counts the tasks of any program. */
        iol__core_state.launched = strcmp(variables_of_launchers[i], "SLURM_PROCID") != 0;
        return (int)(take_number(&rank, 10) & INT_MAX);
    }
    return -1;
}

/* What is the same for all ranks is said by the first. */
static bool speaks_for_all(void) { return iol__core_state.task <= 0; }

/* What is wrong with the settings is said by `iolite run`, `config` and `doctor`: here it would be said in every process
   of a tree, in the middle of what the program says. A user who wants to know can ask for it. */
static char complaint[512];
static void complain(const char *text) {
    if (!*complaint) iol__text_add(&(iol__text){complaint, sizeof complaint, 0}, text);
}
static void say_complaint(void) {
    if (*complaint && iol__core_state.verbose && !iol__core_state.run && speaks_for_all()) iol__say(complaint, "");
}

/* One look at the switch, before anything is done at all. */
static bool disabled(char **environment) {
    iol__main_switch is = IOL_MAIN_SWITCH;
    for (; environment && *environment; environment++) iol__main_switch_read(&is, *environment);
    return iol__main_switch_off(&is);
}

/* Most sites have no list of programs: then nobody has to know which file this is. */
static bool filters_programs(const iol__config *config, bool starter) {
    return starter || *config->values[IOL_SET_APP_EXCLUDE].text;
}

/* The file that runs, links resolved; as the kernel was given it where there is no /proc. */
static const char *own_executable(const char *first_word, char *path, size_t room) {
    const long length = sys(readlinkat, AT_FDCWD, "/proc/self/exe", path, room - 1);
    const char *given = (const char *)getauxval(AT_EXECFN);
    if (length <= 0) return given ? given : first_word;
    path[length] = 0;
    return path;
}

/* The program is not among those that anybody misses in a log: a launcher, one of our own, or outside of any job. */
static bool of_no_interest;

/* In a container the leader may be outside: then nothing tells the sessions apart, and each process would leave a log. */
static bool is_of_session(const iol__config *config) {
    return iol__setting_flag(config, IOL_SET_SESSION_LOG) && sys(getsid, 0) > 0;
}

/* Whether the settings, or the kind of process, say no. */
static bool unwanted(char **argv) {
    iol__core *core = &iol__core_state;
    iol__resolve(&core->config, core->environment, iol__sys_read_file);
    if (iol__setting_flag(&core->config, IOL_SET_DISABLE)) return true;
    if (!core->run && !core->launched && !iol__setting_flag(&core->config, IOL_SET_WITHOUT_JOB) &&
        !iol__batch_job_text(&core->config, core->environment) && !is_of_session(&core->config))
        return of_no_interest = true;
    if (!argv || !argv[0]) return false;
    /* Beside the log of the ranks there would be one of who starts them, and one of each of its copies that becomes a
       rank. `iolite run` tells them apart. */
    core->own = !core->run && iol__is_own(argv[0], argv[1]);
    const bool starter = core->own || (!core->run && iol__is_starter(argv[0]));
    of_no_interest = starter;
    char path[PATH_MAX];
    return filters_programs(&core->config, starter) &&
           iol__program_left_alone(&core->config, own_executable(argv[0], path, sizeof path), starter);
}

static void end_quickly(void) { iol__finish(IOL_ENDED_EXIT); }

static void keep_what_settings_name(char **environment) {
    const iol__config *config = &iol__core_state.config;
    unsigned at = 0;
    for (const char *list; (list = iol__setting_list(config, IOL_SET_LOG_PATH_BY_ENV, &at)) != NULL;)
        keep_more(environment, list);
    keep_more(environment, config->values[IOL_SET_JOB_ID].text);
}

static void start_modules(void) {
    iol__core *core = &iol__core_state;
    core->verbose = iol__setting_flag(&core->config, IOL_SET_VERBOSE);
    iol__filter_start(&core->config);
    iol__modules_start();
}

/* A program that Iolite is linked into, but that has a loader, may be given our library as well: that one sees more,
   unless the program has its MPI inside. */
#if IOL_STATIC
#pragma weak iolite_mpi_plugin

static bool left_to_another(char **environment) {
    if (getauxval(AT_BASE) == 0 || iolite_mpi_plugin) return false;
    for (; environment && *environment; environment++)
        if (strncmp(*environment, "LD_PRELOAD=", 11) == 0 &&
            (strstr(*environment, "/libiolite.so") || strstr(*environment, "/libdarshan.so")))
            return true;
    return false;
}
#else
static bool left_to_another(char **environment) {
    (void)environment;
    return iol__apart() || iol__program_has_mpi_inside();
}
#endif

/* Tools that run the whole process on a processor of their own. Those that look for races between threads know the locks
   of pthread, and would find many in Iolite; what they do takes most of the time anyway. */
static bool checks_threads(void) {
#if !IOL_STATIC
    iol__core_state.valgrind = iol__loaded("vgpreload_");
    if (!iol__core_state.valgrind || !(iol__loaded("vgpreload_helgrind") || iol__loaded("vgpreload_drd"))) return false;
    iol__real_bind_all();
    return true;
#else
    return false;
#endif
}

static void begin_recording(iol__core *core, int argc, char **argv) {
    if (!iol__setting_flag(&core->config, IOL_SET_COMMAND_LINE)) keep_command(argc > 0, argv);
    start_modules();
    say_complaint();
    iol__watch_forks();
    const int unable = at_quick_exit(end_quickly);
    (void)unable; /* then quick_exit leaves the mapped file, which is as good */
    iol__finish_last();
    iol__process_announce();
    if (iol__setting_flag(&core->config, IOL_SET_DUMP_CONFIG) && speaks_for_all()) iol__explain_settings(&core->config);
    iol__timing_started();
    core->phase = IOL_PHASE_RUNNING;
    iol__page.ours = 1;
    iol__page.live = iol__page_wiped;
#if !IOL_STATIC
    iol__lazy_hide();
    iol__spaces_start();
#endif
    iol__custom_load(&core->config);
}

/* Before the constructors of the program, which a loader sees to by itself. */
#if IOL_STATIC
#define FIRST constructor(101)
#else
#define FIRST constructor
#endif

__attribute__((FIRST)) static void start(int argc, char **argv, char **environment) {
    iol__core *core = &iol__core_state;
    const int saved = errno;
    core->phase = IOL_PHASE_OFF;
    iol__real_find(); /* wrappers need them in any case */
    if (iol__trust_more_rights()) {
        iol__trust_forget_settings(environment);
        return;
    }
    if (left_to_another(environment)) return;
    iol__carry_hide(environment); /* where it was not done already */
    if (disabled(environment)) return;
    core->present = true;
    iol__timing_begin();
    iol__carry_start(environment);
    keep_environment(environment);
    keep_environment(iol__carry_taken.entries);
    core->task = launched_as(environment);
    keep_command(argc, argv);
    core->config.complain = complain;
    core->pid = core->first_pid = getpid();
    iol__root_note();
    set_time();
    const bool disabled_here = unwanted(argv);
    const iol__unseen_why why = disabled_here      ? IOL_UNSEEN_DISABLED
                                : checks_threads() ? IOL_UNSEEN_CHECKER
                                                   : IOL_UNSEEN_NOT;
    const bool wanted = why == IOL_UNSEEN_NOT;
    keep_what_settings_name(environment);
    keep_what_settings_name(iol__carry_taken.entries);
    if (!wanted && !of_no_interest) iol__run_unseen(iol__unseen_how(why), core->pid, core->program);
    if (wanted) begin_recording(core, argc, argv);
    errno = saved;
}
