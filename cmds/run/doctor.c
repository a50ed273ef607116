/* iolite doctor: will this program be recorded, where would the log go, and if not, why not.
   Nothing is run and nothing is written: everything is read from files and asked of the system. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/count.h"
#include "base/grow.h"
#include "cmds/cmd.h"
#include "cmds/run/leftovers.h"
#include "cmds/library.h"
#include "cmds/run/run_directory.h"
#include "cmds/settings.h"
#include "record/left_alone.h"
#include "record/place.h"
#include "text/json.h"
#include "text/text.h"

typedef enum group { GROUP_FILES, GROUP_STREAMS, GROUP_PROCESSES, GROUP_MPI, GROUP_HDF5, GROUP_PNETCDF, GROUPS } group;

typedef struct names {
    char **all;
    size_t count, room;
} names;

typedef struct diagnosis {
    const char *command;
    const iol__config *config;
    program program;
    bool recorded;
    own_entries own;
    char reason[512];
    char library[PATH_MAX];
    const char *refused; /* what is wrong with the library, NULL for nothing */
    names exports, bound[GROUPS], plugins, notes, leftovers;
    char records[PATH_MAX];
    char log[IOL_PLACE_BYTES];
    const char *log_named;
} diagnosis;

/* Lists ----------------------------------------------------------------------------------------------------------- */

static void add_name(void *context, const char *name) {
    names *list = context;
    if (!IOL_GROW(list->all, list->room, list->count)) return;
    char *copy = strdup(name);
    if (copy) list->all[list->count++] = copy;
}

static void free_names(names *list) {
    for (size_t i = 0; i < list->count; i++) free(list->all[i]);
    free(list->all);
}

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static void sort_names(names *list) {
    if (list->count) qsort(list->all, list->count, sizeof *list->all, by_name);
}

__attribute__((format(printf, 2, 3))) static void note(diagnosis *d, const char *format, ...) {
    char text[PATH_MAX + 256];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    add_name(&d->notes, text);
}

static diagnosis *patient; /* whom complaints about settings are for */
static void complain_later(const char *text) { note(patient, "%s", text); }

/* What is bound --------------------------------------------------------------------------------------------------- */

static bool begins_with(const char *name, const char *const *starts, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strncmp(name, starts[i], strlen(starts[i])) == 0) return true;
    return false;
}

static group group_of(const char *name) {
    static const char *const processes[] = {"fork",       "vfork", "exec",  "posix_spawn", "exit",  "Exit",
                                            "quick_exit", "Fork",  "clone", "daemon",      "system"};
    static const char *const streams[] = {
        "fopen",   "fdopen",   "freopen",   "fclose",   "fread",  "fwrite", "fput",    "fget",     "fprintf",
        "fscanf",  "fwprintf", "fwscanf",   "fseek",    "ftell",  "fflush", "fsetpos", "put",      "getc",
        "getw",    "gets",     "getline",   "getdelim", "print",  "scanf",  "vprintf", "vfprintf", "vscanf",
        "vfscanf", "vwprintf", "vfwprintf", "wprintf",  "rewind", "unget",  "setvbuf", "setbuf",   "setlinebuf",
        "fileno",  "tmpfile",  "popen",     "pclose",   "perror"};
    if (strncmp(name, "MPI_", 4) == 0 || strncmp(name, "PMPI_", 5) == 0) return GROUP_MPI;
    if (strncmp(name, "H5", 2) == 0) return GROUP_HDF5;
    if (strncmp(name, "ncmpi_", 6) == 0) return GROUP_PNETCDF;
    /* __printf_chk, __isoc99_fscanf, _IO_putc */
    while (*name == '_') name++;
    if (strncmp(name, "isoc", 4) == 0) name += strcspn(name, "_");
    if (strncmp(name, "IO_", 3) == 0) name += 3;
    while (*name == '_') name++;
    if (begins_with(name, processes, IOL_COUNT(processes))) return GROUP_PROCESSES;
    return begins_with(name, streams, IOL_COUNT(streams)) ? GROUP_STREAMS : GROUP_FILES;
}

static void add_bound(void *context, const char *name) {
    diagnosis *d = context;
    if (d->exports.count && bsearch(&name, d->exports.all, d->exports.count, sizeof *d->exports.all, by_name))
        add_name(&d->bound[group_of(name)], name);
}

static void find_bound(diagnosis *d) {
    if (d->refused || d->program.carried[0] || d->program.error || !d->program.elf || !d->program.native) return;
    list_symbols(d->library, false, add_name, &d->exports);
    sort_names(&d->exports);
    list_symbols(d->program.path, true, add_bound, d);
    for (int i = 0; i < GROUPS; i++) sort_names(&d->bound[i]);
}

/* What speaks for the different MPIs, beside the library. */
static void find_plugins(diagnosis *d) {
    static const char *const kinds[] = {"openmpi", "mpich", "standard"};
    const char *slash = d->refused ? NULL : strrchr(d->library, '/');
    for (size_t i = 0; slash && i < IOL_COUNT(kinds); i++) {
        char path[PATH_MAX];
        const int length =
            snprintf(path, sizeof path, "%.*s/libiolite-mpi-%s.so", (int)(slash - d->library), d->library, kinds[i]);
        if (length < (int)sizeof path && access(path, R_OK) == 0) add_name(&d->plugins, kinds[i]);
    }
}

/* Filters --------------------------------------------------------------------------------------------------------- */

/* As the library does it: by the file that runs in the end, of a script the interpreter. */
static bool is_left_alone(const diagnosis *d) {
    char path[PATH_MAX];
    return iol__program_left_alone(d->config, realpath(d->program.path, path) ? path : d->program.path, false);
}

/* Directories whose files are not recorded, unless a filter says otherwise. */
static void check_directory(diagnosis *d) {
    static const char *const excluded[] = {"/etc/", "/dev/",  "/usr/", "/bin/",  "/boot/", "/lib/",
                                           "/opt/", "/sbin/", "/sys/", "/proc/", "/var/"};
    char here[PATH_MAX];
    if (!getcwd(here, sizeof here - 1)) return;
    size_t length = strlen(here);
    here[length] = '/';
    here[length + 1] = '\0';
    for (size_t i = 0; i < IOL_COUNT(excluded); i++)
        if (strncmp(here, excluded[i], strlen(excluded[i])) == 0)
            note(d,
                 "files below %s, as in the current directory, are not recorded; NAME_INCLUDE in a config file changes "
                 "that",
                 excluded[i]);
}

/* Places ---------------------------------------------------------------------------------------------------------- */

static void check_records(diagnosis *d) {
    const char *place;
    for (unsigned i = 0; (place = mapped_place(d->config, i)) != NULL; i++) {
        if (access(place, W_OK | X_OK) == 0) {
            snprintf(d->records, sizeof d->records, "%s", place);
            return;
        }
        note(d, "records cannot be kept in %s: %s", place, strerror(errno));
    }
}

/* 0, or why a file cannot be made: of a directory that will be created, the nearest one that exists counts. */
static int can_write(const iol__place *place) {
    char path[IOL_PLACE_BYTES];
    if (place->exact && access(place->path, F_OK) == 0) return EEXIST;
    snprintf(path, sizeof path, "%s", place->path);
    for (char *slash; (slash = strrchr(path, '/')) != NULL;) {
        slash[slash == path] = '\0';
        if (access(path, W_OK | X_OK) == 0) return 0;
        if (errno != ENOENT || !place->create || (size_t)(slash - path) <= place->there) return errno;
    }
    return access(".", W_OK | X_OK) == 0 ? 0 : errno;
}

static void check_log(diagnosis *d) {
    char user[256];
    const char *slash = strrchr(d->command, '/');
    int64_t now = time(NULL);
    iol__user_name(environ, geteuid(), user, sizeof user);
    iol__place_facts facts = {.user = user,
                              .program = slash ? slash + 1 : d->command,
                              .job = iol__job_id(d->config, environ, getpid()),
                              .pid = getpid(),
                              .start = now,
                              .utc_offset = local_offset(now),
                              .environment = environ};
    unsigned candidate = 0;
    iol__place place;
    while (iol__place_next(d->config, &facts, &candidate, &place)) {
        int error = can_write(&place);
        char *last = strrchr(place.path, '/');
        if (!place.exact && last) *last = '\0';
        if (!error) {
            snprintf(d->log, sizeof d->log, "%s", place.path);
            d->log_named = strcmp(place.named, "the default") == 0 ? NULL : place.named;
            return;
        }
        note(d, "no log can be written to %s (%s): %s", place.path, place.named, strerror(error));
    }
}

/* What a bare preload does, as a site's module sets it: below `iolite run` none of this matters. */
static void check_alone(diagnosis *d) {
    const bool job = iol__batch_job_text(d->config, environ) != NULL;
    const bool session = !job && iol__setting_flag(d->config, IOL_SET_SESSION_LOG);
    if (!d->recorded) return;
    if (!job && !session && !iol__setting_flag(d->config, IOL_SET_WITHOUT_JOB))
        note(d, "outside of a batch job it is recorded under 'iolite run' or as a rank of MPI only, because %s is 0",
             iol__settings[IOL_SET_WITHOUT_JOB].env);
    if ((job || session) && iol__setting_flag(d->config, IOL_SET_JOB_SPOOL))
        note(d,
             "without MPI and 'iolite run', it is in one log with the other programs of its %s here; 'iolite merge "
             "--leftovers' makes that, or whoever comes when all have ended",
             job ? "batch job" : "session");
}

/* The verdict ------------------------------------------------------------------------------------------------------ */

static void judge(diagnosis *d) {
    const char *why = d->program.error ? NULL : unseen_because(&d->program);
    if (d->program.error == ENOENT)
        snprintf(d->reason, sizeof d->reason, "it is not there");
    else if (d->program.error)
        snprintf(d->reason, sizeof d->reason, "it cannot be run: %s", strerror(d->program.error));
    else if (why)
        snprintf(d->reason, sizeof d->reason, "%s", why);
    else if (d->refused && !d->program.carried[0])
        snprintf(d->reason, sizeof d->reason, "%.400s %s", d->library, d->refused);
    else if (iol__setting_flag(d->config, IOL_SET_DISABLE))
        snprintf(d->reason, sizeof d->reason, "%s switches Iolite off", d->config->values[IOL_SET_DISABLE].variable);
    else if (is_left_alone(d))
        snprintf(d->reason, sizeof d->reason, "APP_EXCLUDE leaves it out");
    else if (!iol__module_enabled(d->config, IOL_SLOT_POSIX) && !iol__module_enabled(d->config, IOL_SLOT_STDIO))
        snprintf(d->reason, sizeof d->reason, "the settings switch all modules off");
    d->recorded = !d->reason[0];
    if (why && d->program.libc == IOL_PROGRAM_STATIC && d->program.elf && d->program.native && !d->program.go)
        note(d, "it could be linked with Iolite: 'iolite link-flags --static' prints how");
    if (why && !harmed_because(&d->program) && !d->program.privileged) note(d, "programs that it starts are recorded");
    if (d->own.calls && !d->own.rings)
        note(d, "it has instructions of its own that enter the kernel without libc: what goes that way is not seen");
    if (d->own.rings)
        note(d, "it enters io_uring by itself, without liburing or libc: of what goes that way no more than the number "
                "is known");
    if (d->program.sanitizer[0])
        note(d, "it is built with a sanitizer (%s), which goes on checking it", d->program.sanitizer);
}

static void add_path(void *context, const leftover *one) { add_name(context, one->path); }

static void examine(diagnosis *d) {
    patient = d;
    d->config = load_settings(complain_later);
    inspect_program(d->command, &d->program);
    d->own = find_own_entries(&d->program);
    d->own.calls = d->own.calls && d->program.loader[0] && !d->program.go; /* others have their libc inside */
    d->refused = find_library(d->library) ? library_refused(d->library) : "is not there";
    find_bound(d);
    find_plugins(d);
    judge(d);
    check_directory(d);
    check_records(d);
    check_log(d);
    check_alone(d);
    if (d->recorded && !d->log[0]) {
        d->recorded = false;
        snprintf(d->reason, sizeof d->reason, "there is no place for its log");
    }
    find_leftovers(d->config, NULL, add_path, &d->leftovers);
}

/* Output ---------------------------------------------------------------------------------------------------------- */

enum { LABEL = 12, WIDTH = 80 };
static const char *const group_names[GROUPS] = {"files", "streams", "processes", "mpi", "hdf5", "pnetcdf"};

/* A label and words behind it, wrapped to the width of a screen. */
static void row(iol__out *out, const char *label, const char *text) {
    iol__out safe;
    iol__out_open(&safe, -1);
    iol__out_safe(&safe, text);
    iol__out_char(&safe, '\0');
    iol__out_printf(out, "%-*s", LABEL, label);
    size_t column = LABEL;
    for (const char *word = safe.buffer; *word;) {
        size_t length = strcspn(word, " ");
        if (column > LABEL && column + 1 + length > WIDTH) {
            iol__out_char(out, '\n');
            iol__out_repeat(out, ' ', LABEL);
            column = LABEL;
        }
        if (column > LABEL) iol__out_char(out, ' ');
        iol__out_bytes(out, word, length);
        column += length + (column > LABEL);
        word += length + (word[length] == ' ');
    }
    iol__out_char(out, '\n');
    iol__out_close(&safe);
}

static void print_program(iol__out *out, const diagnosis *d) {
    static const char *const libcs[] = {"static", "glibc", "musl", "another C library"};
    const program *p = &d->program;
    row(out, "program", p->script[0] ? p->script : p->path);
    if (p->script[0]) row(out, "run by", p->path);
    if (!p->elf) return;
    char text[64];
    snprintf(text, sizeof text, "%u-bit, %s", p->bits, p->native ? libcs[p->libc] : "of another kind");
    row(out, "", text);
}

static size_t count_bound(const diagnosis *d) {
    size_t total = 0;
    for (int i = 0; i < GROUPS; i++) total += d->bound[i].count;
    return total;
}

static bool calls_nothing(const diagnosis *d) { return d->exports.count && count_bound(d) == 0; }

static void print_bound(iol__out *out, const diagnosis *d) {
    const size_t total = count_bound(d);
    char text[128];
    if (!d->exports.count || !d->program.loader[0]) return;
    if (calls_nothing(d)) {
        row(out, "recorded", "what the libraries it loads call; the program itself calls nothing that is");
        return;
    }
    snprintf(text, sizeof text, "%zu function%s that it calls, and those of the libraries it loads", total,
             total == 1 ? "" : "s");
    row(out, "recorded", text);
    for (int i = 0; i < GROUPS; i++) {
        iol__out line;
        if (!d->bound[i].count) continue;
        iol__out_open(&line, -1);
        for (size_t k = 0; k < d->bound[i].count; k++) iol__out_printf(&line, "%s%s", k ? " " : "", d->bound[i].all[k]);
        iol__out_char(&line, '\0');
        snprintf(text, sizeof text, "  %s", group_names[i]);
        row(out, text, line.buffer);
        iol__out_close(&line);
    }
}

/* What killed programs left; a few by name are enough to know what to do. */
static void print_leftovers(iol__out *out, const diagnosis *d) {
    enum { NAMED = 3 };
    char text[2 * PATH_MAX + 128];
    const size_t count = d->leftovers.count;
    for (size_t i = 0; i < count && i < NAMED; i++) {
        snprintf(text, sizeof text, "%s, of a program that was killed", d->leftovers.all[i]);
        row(out, "left over", text);
    }
    if (count == 0) return;
    if (count > NAMED)
        snprintf(text, sizeof text, "and %zu more; 'iolite merge -o LOG FILE' makes a log of one", count - NAMED);
    row(out, "", count > NAMED ? text : "'iolite merge -o LOG FILE' makes a log of it");
}

static void print_text(iol__out *out, const diagnosis *d) {
    char text[IOL_PLACE_BYTES + 128];
    print_program(out, d);
    if (d->program.carried[0])
        snprintf(text, sizeof text, "inside the program, which is linked with Iolite %s", d->program.carried);
    else
        snprintf(text, sizeof text, "%s", d->refused ? "none" : d->library);
    row(out, "library", text);
    print_bound(out, d);
    if (d->plugins.count) {
        text[0] = 0;
        for (size_t i = 0; i < d->plugins.count; i++) {
            if (i) strcat(text, ", ");
            strcat(text, d->plugins.all[i]);
        }
        row(out, "MPI", text);
    } else if (d->bound[GROUP_MPI].count) {
        row(out, "MPI",
            "no plugin for it beside the library: its ranks are recorded as single processes. `iolite build-plugin "
            "--mpicc "
            "MPICC` makes one, with the compiler wrapper of that MPI");
    }
    row(out, "records", d->records[0] ? d->records : "no place for them");
    snprintf(text, sizeof text, "%s%s%s", d->log[0] ? d->log : "no place for it", d->log_named ? ", named by " : "",
             d->log_named ? d->log_named : "");
    row(out, "log", text);
    for (size_t i = 0; i < d->notes.count; i++) row(out, "note", d->notes.all[i]);
    print_leftovers(out, d);
    iol__out_char(out, '\n');
    iol__out_safe(out, d->command);
    if (d->recorded)
        iol__out_text(out,
                      calls_nothing(d) ? " will be recorded, but calls nothing that is.\n" : " will be recorded.\n");
    else
        iol__out_printf(out, " will not be recorded: %s.\n", d->reason);
}

static void put_names(iol__json *json, const char *key, const names *list) {
    iol__json_put_open(json, key, '[');
    for (size_t i = 0; i < list->count; i++) iol__json_text(json, list->all[i]);
    iol__json_close(json, ']');
}

static void print_json(iol__out *out, const diagnosis *d) {
    const program *p = &d->program;
    iol__json json;
    iol__json_start(&json, out, 1);
    iol__json_open(&json, '{');
    iol__json_put_text(&json, "command", d->command);
    iol__json_put_bool(&json, "recorded", d->recorded);
    iol__json_put_text(&json, "reason", d->recorded ? NULL : d->reason);
    iol__json_put_text(&json, "program", p->error ? NULL : p->path);
    iol__json_put_text(&json, "script", p->script[0] ? p->script : NULL);
    iol__json_put_text(&json, "loader", p->loader[0] ? p->loader : NULL);
    iol__json_put_bool(&json, "go", p->go);
    iol__json_put_bool(&json, "own_rings", d->own.rings);
    iol__json_put_bool(&json, "own_calls", d->own.calls);
    iol__json_put_text(&json, "sanitizer", p->sanitizer[0] ? p->sanitizer : NULL);
    iol__json_put_text(&json, "library", d->refused ? NULL : d->library);
    iol__json_put_text(&json, "linked_with", p->carried[0] ? p->carried : NULL);
    put_names(&json, "mpi_plugins", &d->plugins);
    iol__json_put_open(&json, "functions", '{');
    for (int i = 0; i < GROUPS; i++) put_names(&json, group_names[i], &d->bound[i]);
    iol__json_close(&json, '}');
    iol__json_put_text(&json, "records", d->records[0] ? d->records : NULL);
    iol__json_put_text(&json, "log", d->log[0] ? d->log : NULL);
    iol__json_put_text(&json, "log_named_by", d->log_named);
    put_names(&json, "notes", &d->notes);
    put_names(&json, "left_over", &d->leftovers);
    iol__json_close(&json, '}');
    iol__json_finish(&json);
}

int cmd_doctor(const iol__args *args) {
    if (args->n_operands == 0) return usage_error(args, "a program is needed");
    diagnosis *d = calloc(1, sizeof *d);
    if (!d) {
        fputs("iolite: out of memory\n", stderr);
        return EXIT_TROUBLE;
    }
    d->command = args->operands[0];
    examine(d);
    iol__out out;
    iol__out_open(&out, STDOUT_FILENO);
    if (args->given[OPT_JSON])
        print_json(&out, d);
    else
        print_text(&out, d);
    int status = d->recorded ? EXIT_DONE : EXIT_FOUND;
    names *lists[] = {&d->exports, &d->plugins, &d->notes, &d->leftovers};
    for (size_t i = 0; i < IOL_COUNT(lists); i++) free_names(lists[i]);
    for (int i = 0; i < GROUPS; i++) free_names(&d->bound[i]);
    free(d);
    return finish_output(&out, status);
}
