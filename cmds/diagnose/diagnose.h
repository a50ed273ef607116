/* What the files of `iolite diagnose` share: its settings, its outputs, and the modes in which it judges. A mode takes an
   open log on any thread and leaves a result; results are printed on one thread, in the order of the command line. */
#ifndef IOL_CMDS_DIAGNOSE_H
#define IOL_CMDS_DIAGNOSE_H

#include "cmds/diagnose/budget.h"
#include "cmds/cmd.h"
#include "insight/compat/compat.h"
#include "insight/findings/engine.h"
#include "log/write/keyed.h"
#include "report/findings/findings.h"
#include "cmds/diagnose/surroundings.h"

typedef enum diagnose_form {
#define FORM(symbol, name, suffix) FORM_##symbol,
#include "cmds/diagnose/diagnose_forms.def"
#undef FORM
    FORMS
} diagnose_form;

bool find_form(const char *name, diagnose_form *form);

typedef struct diagnose_settings {
    const iol__args *args;
    iol__rulebook *book;
    iol__diagnose_options options;
    iol__findings_style style;
    bool wide; /* CSV */
    bool several;
    iol__level fail_on; /* IOL_LEVELS: never */
    budget *budget;     /* NULL: none */
    size_t threads;
    char *context;       /* the document of --context */
    surroundings around; /* of the one log, else empty */
    iol__key key;        /* of pseudonyms */
    char **globs[2];     /* of --only and --skip */
} diagnose_settings;

/* EXIT_DONE, or what was wrong, which was reported. Free in any case. */
int read_diagnose_settings(const iol__args *args, diagnose_settings *settings);
void free_diagnose_settings(diagnose_settings *settings);
/* Answer what is asked about the rules themselves; -1 if nothing is. */
int answer_about_rules(const diagnose_settings *settings, iol__out *out, diagnose_form form);

/* Logs and what was found in them ----------------------------------------------------------------------------- */

typedef struct diagnosed {
    const char *path, *shown; /* shown: what is printed for it */
    char number[24];
    iol_log *log, *whole;   /* NULL: see error; whole: the log of which `log` is a copy */
    iol_error error;        /* why there is no log or no judgement */
    iol__diagnosis *native; /* one of these, as the mode has it */
    judged_budget *budget;
    iol__facts *facts;
    iol__compat *compat;
} diagnosed;

/* An output: one document in one form, for any number of logs. */
typedef struct diagnose_output {
    const diagnose_settings *settings;
    const struct diagnose_mode *mode;
    iol__findings_style style;
    diagnose_form form;
    const char *path;  /* NULL: standard output */
    const char *title; /* of pages: the first log's path */
    int fd;
    bool several; /* logs, so that each needs its name */
    bool any;     /* one was printed */
    iol__out out;
    iol__json json; /* writes to out */
    iol__out text;  /* coloured, what pages and pictures are made of */
} diagnose_output;

/* How a form is written: what comes before the first log, for each log, in place of one that could not be read, and
   after the last. Only `print` must be there. */
typedef struct diagnose_writer {
    void (*begin)(diagnose_output *output);
    void (*print)(diagnose_output *output, const diagnosed *d);
    void (*unreadable)(diagnose_output *output, const diagnosed *d);
    void (*end)(diagnose_output *output);
    bool screen; /* a picture of a terminal: coloured, and as wide as one */
} diagnose_writer;

typedef struct diagnose_mode {
    const char *name;
    const diagnose_writer *writers; /* by form; without `print`: the mode does not have it */
    /* Whether it has a rule that a pattern of --only or --skip means. */
    bool (*knows)(const diagnose_settings *settings, const char *glob);
    /* IOL_OK, or the reason is in diagnosed.error. */
    iol_status (*judge)(const diagnose_settings *settings, diagnosed *d);
    void (*release)(diagnosed *d);
    void (*count)(const diagnosed *d, size_t found[IOL_LEVELS]);
    /* As lines for people, coloured if the style says so. */
    void (*text)(iol__out *out, const iol__findings_style *style, const diagnose_settings *settings,
                 const diagnosed *d);
} diagnose_mode;

extern const diagnose_mode diagnose_native, diagnose_compat;

/* What forms of both modes share, as members of a writer. */
void begin_json_output(diagnose_output *output);
void unreadable_json_output(diagnose_output *output, const diagnosed *d);
void end_json_output(diagnose_output *output);
void unreadable_ndjson_output(diagnose_output *output, const diagnosed *d);
/* Forms that are made of the mode's text. */
void print_text_output(diagnose_output *output, const diagnosed *d);
void print_screen_output(diagnose_output *output, const diagnosed *d);
void end_html_output(diagnose_output *output);
void end_svg_output(diagnose_output *output);
#define DIAGNOSE_TEXT_FORMS                                                               \
    [FORM_TEXT] = {.print = print_text_output},                                           \
    [FORM_HTML] = {.print = print_screen_output, .end = end_html_output, .screen = true}, \
    [FORM_SVG] = {.print = print_screen_output, .end = end_svg_output, .screen = true}
#define DIAGNOSE_JSON_FORM(printer) \
    { .begin = begin_json_output, .print = (printer), .unreadable = unreadable_json_output, .end = end_json_output }

/* Outputs ------------------------------------------------------------------------------------------------------ */

typedef struct diagnose_outputs {
    diagnose_output *list;
    size_t count;
    bool exports[FORMS]; /* saved for every log beside them, as the old spellings --html, --svg and --csv want */
    char **exported;     /* their names so far, because two logs may have the same name */
    size_t n_exported;
    bool to_terminal;
} diagnose_outputs;

/* From -o, --format and their kin; what is wrong is reported. Nothing is opened yet. */
int choose_outputs(const diagnose_settings *settings, const diagnose_mode *mode, diagnose_outputs *outputs);
/* EXIT_DONE, or EXIT_TROUBLE with a message. */
int open_outputs(diagnose_outputs *outputs);
void print_on_outputs(diagnose_outputs *outputs, const diagnosed *d, int *status);
/* In place of a log that could not be read or judged: an object, where there are objects. */
void print_error_on_outputs(diagnose_outputs *outputs, const diagnosed *d);
int close_outputs(diagnose_outputs *outputs, int status);
void free_outputs(diagnose_outputs *outputs);

#endif
