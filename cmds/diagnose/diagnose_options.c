/* Options of `iolite diagnose` to settings: what to judge by, and how results look. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmds/diagnose/context.h"
#include "cmds/diagnose/diagnose.h"
#include "cmds/in_order.h"

/* Words and numbers --------------------------------------------------------------------------------------------- */

/* "a,b" and repeated options as one list that NULL ends. */
static char **split_globs(const iol__args *args, int option) {
    size_t count = 1;
    for (size_t i = 0; i < args->n_values[option]; i++)
        for (const char *c = args->values[option][i]; c; c = strchr(c + 1, ',')) count++;
    char **list = calloc(count, sizeof *list);
    size_t n = 0;
    for (size_t i = 0; list && i < args->n_values[option]; i++) {
        for (const char *at = args->values[option][i]; at && *at && n + 1 < count;) {
            size_t length = strcspn(at, ",");
            if (length) list[n++] = strndup(at, length);
            at += length + (at[length] == ',');
        }
    }
    return list;
}

static void free_globs(char **list) {
    for (size_t i = 0; list && list[i]; i++) free(list[i]);
    free(list);
}

/* The last value of an option or of its old spelling. */
static const char *diagnose_options_either(const iol__args *args, int option, int old) {
    const char *value = argument_value(args, option);
    return value ? value : argument_value(args, old);
}

static int read_diagnose_options_number(const iol__args *args, const char *text, const char *what,
                                        unsigned long *value) {
    if (!text) return EXIT_DONE;
    char *end;
    errno = 0;
    unsigned long number = strtoul(text, &end, 10);
    if (errno || *end || end == text || *text < '0' || *text > '9')
        return usage_error(args, "'%s' is not a number of %s", text, what);
    *value = number;
    return EXIT_DONE;
}

/* One of a few words: its place among them. */
static int read_diagnose_options_word(const iol__args *args, int option, const char *const *words, int *found) {
    const char *text = argument_value(args, option), *shown = "";
    char list[64] = "";
    if (!text) return EXIT_DONE;
    for (int i = 0; words[i]; i++) {
        if (strcmp(words[i], text) == 0) {
            *found = i;
            return EXIT_DONE;
        }
        size_t used = strlen(list);
        shown = i == 0 ? "" : words[i + 1] ? ", " : " or ";
        snprintf(list + used, sizeof list - used, "%s%s", shown, words[i]);
    }
    return usage_error(args, "'%s' is not one of %s", text, list);
}

static int read_level(const iol__args *args, int option, iol__level *level) {
    const char *name = argument_value(args, option);
    if (!name || iol__level_find(name, level)) return EXIT_DONE;
    return usage_error(args, "a level is info, ok, warn or high, not '%s'", name);
}

/* Looks --------------------------------------------------------------------------------------------------------- */

static int read_colours(diagnose_settings *s) {
    static const char *const when[] = {"auto", "always", "never", NULL}, *const themes[] = {"dark", "light", NULL};
    int colour = 0, theme = s->args->given[OPT_OLD_LIGHT];
    int status = read_diagnose_options_word(s->args, OPT_COLOR, when, &colour);
    if (status == EXIT_DONE) status = read_diagnose_options_word(s->args, OPT_THEME, themes, &theme);
    s->style.colour = colour == 1 || (colour == 0 && use_colour(STDOUT_FILENO));
    s->style.light = theme == 1;
    return status;
}

static int read_looks(diagnose_settings *s) {
    static const char *const names[] = {"base", "full", "hash", NULL};
    const iol__args *args = s->args;
    int shown = args->given[OPT_OLD_PATH] ? IOL_NAMES_FULL : IOL_NAMES_BASE;
    unsigned long width = 0;
    int status =
        read_diagnose_options_number(args, diagnose_options_either(args, OPT_WIDTH, OPT_OLD_SIZE), "columns", &width);
    if (status == EXIT_DONE) status = read_diagnose_options_word(args, OPT_NAMES, names, &shown);
    if (status == EXIT_DONE) status = read_colours(s);
    s->style.names = (iol__findings_names)shown;
    if (shown == IOL_NAMES_HASH) s->key = iol__key_from(NULL);
    s->style.columns = width;
    s->style.no_advice = args->given[OPT_NO_ADVICE] || args->given[OPT_OLD_ISSUES];
    s->style.snippets = args->given[OPT_SNIPPETS] || args->given[OPT_OLD_VERBOSE];
    s->style.ids = args->given[OPT_IDS] || args->given[OPT_OLD_CODE];
    s->style.details = args->given[OPT_DETAILS];
    s->style.thresholds = args->given[OPT_OLD_THRESHOLD];
    s->wide = args->given[OPT_WIDE];
    return status;
}

static int read_scope(diagnose_settings *s) {
    const iol__args *args = s->args;
    unsigned long evidence = 10, nodes = 0, jobs = 0;
    int status = read_diagnose_options_number(args, argument_value(args, OPT_EVIDENCE), "entries", &evidence);
    if (status == EXIT_DONE)
        status = read_diagnose_options_number(args, argument_value(args, OPT_NODES), "nodes", &nodes);
    if (status == EXIT_DONE && args->given[OPT_NODES] && !nodes)
        status = usage_error(args, "a job has at least one node");
    if (status == EXIT_DONE)
        status = read_diagnose_options_number(args, argument_value(args, OPT_THREADS), "threads", &jobs);
    if (status == EXIT_DONE) status = read_level(args, OPT_MIN_LEVEL, &s->options.min_level);
    if (status == EXIT_DONE) status = read_level(args, OPT_FAIL_ON, &s->fail_on);
    s->options.evidence = evidence;
    s->options.nodes = (double)nodes;
    s->options.system = argument_value(args, OPT_SYSTEM);
    s->threads = jobs ? jobs : usable_processors();
    s->globs[0] = split_globs(args, OPT_ONLY);
    s->globs[1] = split_globs(args, OPT_SKIP);
    s->options.only = (const char *const *)s->globs[0];
    s->options.skip = (const char *const *)s->globs[1];
    return status;
}

/* The rulebook ---------------------------------------------------------------------------------------------------- */

static int diagnose_options_complain(const iol_error *error) {
    tell_stderr("%s", error->message);
    return error->status == IOL_INVALID ? EXIT_USAGE : EXIT_TROUBLE;
}

/* Site and user files, those of the command line, then single settings. What is wrong in a file is said and skipped. */
static int load_rules(diagnose_settings *s) {
    const iol__args *args = s->args;
    iol_error error;
    if (iol__rulebook_new(&s->book, &error) != IOL_OK) return diagnose_options_complain(&error);
    s->options.rulebook = s->book;
    if (iol__rulebook_load_usual(s->book, &error) != IOL_OK) tell_stderr("%s", error.message);
    static const int files[] = {OPT_RULES_CONFIG, OPT_RULES};
    for (int f = 0; f < 2; f++) {
        for (size_t i = 0; i < args->n_values[files[f]]; i++) {
            const char *path = args->values[files[f]][i];
            if (iol__rulebook_load_file(s->book, path, path, &error) != IOL_OK)
                return diagnose_options_complain(&error);
        }
    }
    for (size_t i = 0; i < args->n_values[OPT_SET]; i++)
        if (iol__rulebook_set(s->book, args->values[OPT_SET][i], &error) != IOL_OK)
            return diagnose_options_complain(&error);
    const char *message;
    for (size_t i = 0; (message = iol__rulebook_message(s->book, i)); i++) tell_stderr("%s", message);
    return EXIT_DONE;
}

/* Of one log: what the store and the site know. A directory of logs has no context. */
static int ask_for_context(diagnose_settings *s) {
    struct stat status;
    const char *log = s->args->n_operands ? s->args->operands[0] : NULL;
    if (s->args->n_operands != 1 || (stat(log, &status) == 0 && S_ISDIR(status.st_mode))) return EXIT_DONE;
    int outcome = open_surroundings(s->args, wants_history(s->args), &s->around);
    if (outcome == EXIT_DONE) surround_diagnosis(&s->around, &s->options);
    return outcome;
}

static int load_context(diagnose_settings *s) {
    const char *path = argument_value(s->args, OPT_CONTEXT);
    if (!path) return ask_for_context(s);
    s->options.context = s->context = read_context_file(path);
    return s->context ? EXIT_DONE : EXIT_INPUT;
}

static int load_budget(diagnose_settings *s) {
    const char *path = argument_value(s->args, OPT_BUDGET), *mode = argument_value(s->args, OPT_MODE);
    iol_error error;
    if (!path) return EXIT_DONE;
    if (mode && strcmp(mode, "native") != 0) return usage_error(s->args, "--budget is for the native mode");
    if (read_budget(path, s->book, &s->budget, &error)) return EXIT_DONE;
    tell_stderr("%s", error.message);
    return EXIT_USAGE;
}

int read_diagnose_settings(const iol__args *args, diagnose_settings *s) {
    *s = (diagnose_settings){.args = args, .fail_on = IOL_LEVELS};
    int status = read_looks(s);
    if (status == EXIT_DONE) status = read_scope(s);
    if (status == EXIT_DONE) status = load_rules(s);
    if (status == EXIT_DONE) status = load_context(s);
    if (status == EXIT_DONE) status = load_budget(s);
    return status;
}

void free_diagnose_settings(diagnose_settings *s) {
    iol__rulebook_free(s->book);
    free_globs(s->globs[0]);
    free_globs(s->globs[1]);
    free(s->context);
    free_budget(s->budget);
    close_surroundings(&s->around);
}
