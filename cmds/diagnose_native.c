/* iolite diagnose, the native way: options to a rulebook and a form of output, then one log after the other. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmds/cmd.h"
#include "cmds/diagnose.h"
#include "report/findings.h"

/* Markdown is for lists of rules only. */
typedef enum form { FORM_TEXT, FORM_JSON, FORM_NDJSON, FORM_CSV, FORM_SARIF, FORM_MARKDOWN, FORMS } form;

static const char *const form_names[FORMS] = {"text", "json", "ndjson", "csv", "sarif", "markdown"};

typedef struct native {
    const iol__args *args;
    iol__out out;
    iol__json json;
    iol__rulebook *book;
    iol__diagnose_options options;
    iol__findings_style style;
    form form;
    bool several, any;
    char *context;
    char **globs[2]; /* of --only and --skip */
} native;

/* Options ----------------------------------------------------------------------------------------------------- */

static bool find_form(const char *name, form *found) {
    for (int i = 0; i < FORMS; i++) {
        if (strcmp(form_names[i], name) != 0) continue;
        *found = (form)i;
        return true;
    }
    return false;
}

/* The last part of a file's name: report.json, report.txt. */
static bool form_of_file(const char *path, form *found) {
    const char *dot = strrchr(path, '.');
    if (!dot) return false;
    if (strcmp(dot, ".txt") == 0) *found = FORM_TEXT;
    return strcmp(dot, ".txt") == 0 || find_form(dot + 1, found);
}

static int choose_form(native *n) {
    const iol__args *args = n->args;
    const char *name = argument_value(args, OPT_FORMAT), *file = argument_value(args, OPT_DIAGNOSE_OUTPUT);
    int chosen = args->given[OPT_JSON] + args->given[OPT_NDJSON] + args->given[OPT_CSV] + (name != NULL);
    if (chosen > 1) return usage_error(args, "one form of output at a time");
    if (file) form_of_file(file, &n->form);
    if (args->given[OPT_JSON]) n->form = FORM_JSON;
    if (args->given[OPT_NDJSON]) n->form = FORM_NDJSON;
    if (args->given[OPT_CSV]) n->form = FORM_CSV;
    if (name && !find_form(name, &n->form)) return usage_error(args, "there is no format '%s'", name);
    return EXIT_DONE;
}

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

static int number_option(const iol__args *args, int option, const char *what, unsigned long *value) {
    const char *text = argument_value(args, option);
    if (!text) return EXIT_DONE;
    char *end;
    errno = 0;
    unsigned long number = strtoul(text, &end, 10);
    if (errno || *end || end == text || *text == '-') return usage_error(args, "'%s' is no number of %s", text, what);
    *value = number;
    return EXIT_DONE;
}

static int choose_names(native *n) {
    static const char *const words[] = {"base", "full", "hash"};
    const char *name = argument_value(n->args, OPT_NAMES);
    if (n->args->given[OPT_OLD_PATH]) n->style.names = IOL_NAMES_FULL;
    if (!name) return EXIT_DONE;
    for (int i = 0; i < 3; i++) {
        if (strcmp(words[i], name) != 0) continue;
        n->style.names = (iol__names)i;
        return EXIT_DONE;
    }
    return usage_error(n->args, "names are shown as base, full or hash, not as '%s'", name);
}

static int choose_level(const iol__args *args, int option, iol__level *level) {
    const char *name = argument_value(args, option);
    if (!name || iol__level_find(name, level)) return EXIT_DONE;
    return usage_error(args, "a level is info, ok, warn or high, not '%s'", name);
}

static int choose_look(native *n) {
    const iol__args *args = n->args;
    unsigned long evidence = 10, nodes = 0, width = 0;
    int status = number_option(args, OPT_EVIDENCE, "entries", &evidence);
    if (status == EXIT_DONE) status = number_option(args, OPT_NODES, "nodes", &nodes);
    if (status == EXIT_DONE) status = number_option(args, OPT_WIDTH, "columns", &width);
    if (status == EXIT_DONE) status = choose_names(n);
    if (status == EXIT_DONE) status = choose_level(args, OPT_MIN_LEVEL, &n->options.min_level);
    n->options.evidence = evidence;
    n->options.nodes = (double)nodes;
    bool file = argument_value(args, OPT_DIAGNOSE_OUTPUT) != NULL;
    n->style.columns = width ? width : file ? 80 : (size_t)terminal_columns();
    n->style.colour = !file && use_colour(STDOUT_FILENO);
    n->style.no_advice = args->given[OPT_NO_ADVICE] || args->given[OPT_OLD_ISSUES];
    n->style.snippets = args->given[OPT_SNIPPETS] || args->given[OPT_OLD_VERBOSE];
    n->style.ids = args->given[OPT_IDS] || args->given[OPT_OLD_CODE];
    n->style.details = args->given[OPT_DETAILS];
    return status;
}

/* The rulebook ------------------------------------------------------------------------------------------------ */

static int complain(const iol_error *error) {
    fprintf(stderr, "iolite: %s\n", error->message);
    return error->status == IOL_INVALID ? EXIT_USAGE : EXIT_TROUBLE;
}

/* Site and user files, those of the command line, then single settings. What is wrong in a file is said and skipped. */
static int load_rules(native *n) {
    const iol__args *args = n->args;
    iol_error error;
    if (iol__rulebook_new(&n->book, &error) != IOL_OK) return complain(&error);
    if (iol__rulebook_load_usual(n->book, &error) != IOL_OK) fprintf(stderr, "iolite: %s\n", error.message);
    static const int files[] = {OPT_RULES_CONFIG, OPT_RULES};
    for (int f = 0; f < 2; f++)
        for (size_t i = 0; i < args->n_values[files[f]]; i++)
            if (iol__rulebook_load_file(n->book, args->values[files[f]][i], args->values[files[f]][i], &error) !=
                IOL_OK)
                return complain(&error);
    static const int settings[] = {OPT_SET, OPT_THRESHOLD};
    for (int s = 0; s < 2; s++)
        for (size_t i = 0; i < args->n_values[settings[s]]; i++)
            if (iol__rulebook_set(n->book, args->values[settings[s]][i], &error) != IOL_OK) return complain(&error);
    const char *message;
    for (size_t i = 0; (message = iol__rulebook_message(n->book, i)); i++) fprintf(stderr, "iolite: %s\n", message);
    n->options.rulebook = n->book;
    return EXIT_DONE;
}

enum { MOST_CONTEXT = 16 << 20 };

static int load_context(native *n) {
    const char *path = argument_value(n->args, OPT_CONTEXT);
    if (!path) return EXIT_DONE;
    FILE *f = fopen(path, "re");
    n->context = f ? calloc(1, MOST_CONTEXT + 1) : NULL;
    size_t length = n->context ? fread(n->context, 1, MOST_CONTEXT, f) : 0;
    if (f) fclose(f);
    if (!n->context || !length) {
        fprintf(stderr, "iolite: %s: %s\n", path, f ? "cannot be read" : strerror(errno));
        return EXIT_INPUT;
    }
    n->options.context = n->context;
    return EXIT_DONE;
}

/* Questions about the rules themselves ------------------------------------------------------------------------ */

/* -1: none was asked. */
static int answer(native *n) {
    const iol__args *args = n->args;
    const char *id = argument_value(args, OPT_EXPLAIN);
    bool listed = args->given[OPT_LIST_RULES] || args->given[OPT_LIST_VARIABLES] || args->given[OPT_LIST_THRESHOLDS];
    if (!id && !listed) return -1;
    if (id && !iol__rule_explain(&n->out, n->book, id, n->style.columns))
        return usage_error(args, "there is no rule '%s' (see --list-rules)", id);
    if (args->given[OPT_LIST_RULES] && n->form == FORM_JSON) {
        iol__rules_json(&n->json, n->book);
        iol__json_finish(&n->json);
    } else if (args->given[OPT_LIST_RULES] && n->form == FORM_MARKDOWN) {
        iol__rules_markdown(&n->out, n->book);
    } else if (args->given[OPT_LIST_RULES]) {
        iol__rules_list(&n->out, n->book);
    }
    if (args->given[OPT_LIST_VARIABLES]) iol__variables_list(&n->out);
    if (args->given[OPT_LIST_THRESHOLDS]) iol__thresholds_list(&n->out, n->book);
    return EXIT_DONE;
}

/* Logs -------------------------------------------------------------------------------------------------------- */

static void print_begin(native *n) {
    if (n->form == FORM_JSON && n->several) iol__json_open(&n->json, '[');
    if (n->form == FORM_CSV) iol__findings_csv_head(&n->out, n->book, n->args->given[OPT_WIDE]);
    if (n->form == FORM_SARIF) iol__findings_sarif_begin(&n->json, n->book, IOLITE_VERSION);
}

static void print_one(native *n, const iol__diagnosis *d) {
    switch (n->form) {
    case FORM_JSON: iol__findings_json(&n->json, d); break;
    case FORM_NDJSON: iol__findings_ndjson(&n->out, d); break;
    case FORM_CSV: iol__findings_csv(&n->out, d, n->args->given[OPT_WIDE]); break;
    case FORM_SARIF: iol__findings_sarif(&n->json, d); break;
    default:
        if (n->any) iol__out_char(&n->out, '\n');
        if (n->several) iol__out_printf(&n->out, "%s\n", d->log_name);
        iol__findings_text(&n->out, d, &n->style);
    }
    n->any = true;
}

static void print_end(native *n) {
    if (n->form == FORM_JSON && n->several) iol__json_close(&n->json, ']');
    if (n->form == FORM_SARIF) iol__findings_sarif_end(&n->json);
    if (n->form == FORM_JSON || n->form == FORM_SARIF) iol__json_finish(&n->json);
}

static int diagnose_one(native *n, const char *path, size_t found[IOL_LEVELS]) {
    iol_log *log;
    iol_error error;
    iol__diagnosis *d;
    if (iol_log_open(path, &log, &error) != IOL_OK) return report_open_error(&error);
    int status;
    if (iol__diagnose(log, &n->options, &d, &error) == IOL_OK) {
        for (int level = 0; level < IOL_LEVELS; level++) found[level] += d->count[level];
        print_one(n, d);
        iol__diagnosis_free(d);
        iol__out_flush(&n->out);
        status = report_log_errors(log);
    } else {
        status = complain(&error);
    }
    iol_log_close(log);
    return status;
}

static int diagnose_all(native *n) {
    const iol__args *args = n->args;
    if (n->form == FORM_MARKDOWN) return usage_error(args, "markdown is for --list-rules");
    iol__level limit = IOL_LEVELS;
    size_t found[IOL_LEVELS] = {0};
    int status = choose_level(args, OPT_FAIL_ON, &limit);
    if (status != EXIT_DONE) return status;
    n->several = args->n_operands > 1;
    print_begin(n);
    for (size_t i = 0; i < args->n_operands; i++) {
        int outcome = diagnose_one(n, args->operands[i], found);
        if (outcome > status) status = outcome;
    }
    print_end(n);
    size_t failed = 0;
    for (int level = (int)limit; level < IOL_LEVELS; level++)
        if (level != IOL_LEVEL_OK) failed += found[level]; /* praise never fails anything */
    return status == EXIT_DONE && failed ? EXIT_FOUND : status;
}

static int prepare(native *n) {
    int status = choose_form(n);
    if (status == EXIT_DONE) status = choose_look(n);
    if (status == EXIT_DONE) status = load_rules(n);
    if (status == EXIT_DONE) status = load_context(n);
    n->globs[0] = split_globs(n->args, OPT_ONLY);
    n->globs[1] = split_globs(n->args, OPT_SKIP);
    n->options.only = (const char *const *)n->globs[0];
    n->options.skip = (const char *const *)n->globs[1];
    return status;
}

static int open_output(native *n) {
    const char *path = argument_value(n->args, OPT_DIAGNOSE_OUTPUT);
    int fd = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : STDOUT_FILENO;
    if (fd < 0) {
        fprintf(stderr, "iolite: %s: %s\n", path, strerror(errno));
        return -1;
    }
    iol__out_open(&n->out, fd);
    iol__json_start(&n->json, &n->out, n->args->n_operands > 1 ? 3 : 2);
    return fd;
}

int diagnose_native(const iol__args *args) {
    native n = {.args = args};
    int status = prepare(&n);
    int fd = -1;
    if (status == EXIT_DONE && (fd = open_output(&n)) < 0) status = EXIT_TROUBLE;
    if (fd >= 0) {
        int answered = answer(&n);
        if (answered >= 0)
            status = answered;
        else if (args->n_operands == 0)
            status = usage_error(args, "which log?");
        else
            status = diagnose_all(&n);
        status = finish_output(&n.out, status);
        if (fd != STDOUT_FILENO) close(fd);
    }
    iol__rulebook_free(n.book);
    free_globs(n.globs[0]);
    free_globs(n.globs[1]);
    free(n.context);
    return status;
}
