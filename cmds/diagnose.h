/* What the files of `iolite diagnose` share: its settings, its outputs, and the table of ways to judge. A way takes an
   open log on any thread and leaves a result; results are printed on one thread, in the order of the command line. */
#ifndef IOL_CMDS_DIAGNOSE_H
#define IOL_CMDS_DIAGNOSE_H

#include "cmds/cmd.h"
#include "insight/compat.h"
#include "insight/engine.h"
#include "log/keyed.h"
#include "report/findings.h"

/* Markdown is for lists of rules only. */
typedef enum diagnose_form {
    FORM_TEXT,
    FORM_JSON,
    FORM_NDJSON,
    FORM_CSV,
    FORM_HTML,
    FORM_SVG,
    FORM_SARIF,
    FORM_MARKDOWN,
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
    size_t threads;
    char *context;
    iol__key key;    /* of pseudonyms */
    char **globs[2]; /* of --only and --skip */
} diagnose_settings;

/* EXIT_DONE, or what was wrong, which was told. Free in any case. */
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
    iol__facts *facts;
    iol__compat *compat;
} diagnosed;

/* An output: one document in one form, for any number of logs. */
typedef struct diagnose_sheet {
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
} diagnose_sheet;

typedef struct diagnose_mode {
    const char *name;
    unsigned forms; /* bits: those it has */
    /* Whether it has a rule that a pattern of --only or --skip means. */
    bool (*knows)(const diagnose_settings *settings, const char *glob);
    /* IOL_OK, or the reason is in diagnosed.error. */
    iol_status (*judge)(const diagnose_settings *settings, diagnosed *d);
    void (*release)(diagnosed *d);
    void (*count)(const diagnosed *d, size_t found[IOL_LEVELS]);
    /* A document: what comes before the first log and after the last. For text neither is called. */
    void (*begin)(diagnose_sheet *sheet);
    void (*print)(diagnose_sheet *sheet, const diagnosed *d);
    void (*end)(diagnose_sheet *sheet);
    /* As lines for people, coloured if the style says so. */
    void (*text)(iol__out *out, const iol__findings_style *style, const diagnose_settings *settings,
                 const diagnosed *d);
} diagnose_mode;

extern const diagnose_mode diagnose_native, diagnose_compat;

/* Outputs ------------------------------------------------------------------------------------------------------ */

typedef struct diagnose_sheets {
    diagnose_sheet *list;
    size_t count;
    bool exports[FORMS]; /* saved for every log beside them, as the old spellings --html, --svg and --csv want */
    char **exported;     /* their names so far, because two logs may have the same name */
    size_t n_exported;
    bool to_terminal;
} diagnose_sheets;

/* From -o, --format and their kin; what is wrong is told. Nothing is opened yet. */
int choose_sheets(const diagnose_settings *settings, const diagnose_mode *mode, diagnose_sheets *sheets);
/* EXIT_DONE, or EXIT_TROUBLE with a message. */
int open_sheets(diagnose_sheets *sheets);
void print_on_sheets(diagnose_sheets *sheets, const diagnosed *d, int *status);
/* In place of a log that could not be read or judged: an object, where there are objects. */
void print_error_on_sheets(diagnose_sheets *sheets, const diagnosed *d);
int close_sheets(diagnose_sheets *sheets, int status);
void free_sheets(diagnose_sheets *sheets);

#endif
