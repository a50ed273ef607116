/* Outputs of `iolite diagnose`. A sheet is one document in one form: standard output, a file of -o, and a short-lived
   one for every file that --html, --svg, and --csv with a directory, save for every log. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmds/diagnose.h"
#include "report/log_json.h"
#include "report/screen.h"
#include "text/text.h"

static const char *const form_names[FORMS] = {"text", "json", "ndjson", "csv", "html", "svg", "sarif", "markdown"};

bool find_form(const char *name, diagnose_form *form) {
    for (int i = 0; i < FORMS; i++) {
        if (strcmp(form_names[i], name) != 0) continue;
        *form = (diagnose_form)i;
        return true;
    }
    return false;
}

static bool is_screen(diagnose_form form) { return form == FORM_HTML || form == FORM_SVG; }

/* One document -------------------------------------------------------------------------------------------------- */

/* Files are 80 columns wide and without colour unless that is asked for; pages are always coloured. */
static void dress(diagnose_sheet *sheet) {
    const iol__args *args = sheet->settings->args;
    const char *when = argument_value(args, OPT_COLOR);
    sheet->style = sheet->settings->style;
    if (!sheet->style.columns) sheet->style.columns = sheet->path ? 80 : (size_t)terminal_columns();
    if (is_screen(sheet->form)) {
        sheet->style.colour = true;
        if (!sheet->settings->style.columns) sheet->style.columns = 80;
    } else if (sheet->path) {
        sheet->style.colour = when && strcmp(when, "always") == 0;
    }
}

static int open_sheet(diagnose_sheet *sheet) {
    sheet->fd = STDOUT_FILENO;
    if (sheet->path) sheet->fd = open(sheet->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (sheet->fd < 0) {
        fprintf(stderr, "iolite: %s: %s\n", sheet->path, strerror(errno));
        return EXIT_TROUBLE;
    }
    dress(sheet);
    iol__out_open(&sheet->out, sheet->fd);
    iol__out_open(&sheet->text, -1);
    iol__json_start(&sheet->json, &sheet->out, sheet->several ? 3 : 2);
    if (sheet->form != FORM_TEXT && !is_screen(sheet->form)) sheet->mode->begin(sheet);
    return EXIT_DONE;
}

static void print_text(diagnose_sheet *sheet, iol__out *out, const diagnosed *d) {
    bool colour = sheet->style.colour;
    if (sheet->any) iol__out_char(out, '\n');
    if (sheet->several) {
        if (colour) iol__out_text(out, iol__ink_sequence(IOL_INK_STRONG, sheet->style.light));
        iol__out_safe(out, d->shown);
        if (colour) iol__out_text(out, iol__ink_sequence(IOL_INK_PLAIN, sheet->style.light));
        iol__out_char(out, '\n');
    }
    sheet->mode->text(out, &sheet->style, sheet->settings, d);
}

static void print_on(diagnose_sheet *sheet, const diagnosed *d) {
    if (is_screen(sheet->form)) {
        iol__text_utf8_begin();
        print_text(sheet, &sheet->text, d);
        iol__text_utf8_end();
    } else if (sheet->form == FORM_TEXT) {
        print_text(sheet, &sheet->out, d);
    } else {
        sheet->mode->print(sheet, d);
    }
    if (!sheet->title) sheet->title = d->whole ? "log" : d->path;
    sheet->any = true;
    iol__out_flush(&sheet->out);
}

static void draw_screen(diagnose_sheet *sheet) {
    iol__out title;
    iol__out_open(&title, -1);
    iol__out_text(&title, "iolite diagnose ");
    iol__out_text(&title, sheet->title ? sheet->title : "");
    iol__out_text(&title, sheet->title && sheet->several ? " ..." : "");
    iol__out_char(&title, '\0');
    iol__screen screen = {.text = sheet->text.buffer,
                          .length = sheet->text.length,
                          .columns = sheet->style.columns,
                          .light = sheet->style.light,
                          .title = title.buffer};
    (sheet->form == FORM_HTML ? iol__screen_html : iol__screen_svg)(&sheet->out, &screen);
    iol__out_close(&title);
}

static int close_sheet(diagnose_sheet *sheet, int status) {
    if (is_screen(sheet->form))
        draw_screen(sheet);
    else if (sheet->form != FORM_TEXT)
        sheet->mode->end(sheet);
    iol__out_close(&sheet->text);
    status = finish_output(&sheet->out, status);
    if (sheet->path && close(sheet->fd) != 0) {
        fprintf(stderr, "iolite: %s: %s\n", sheet->path, strerror(errno));
        return EXIT_TROUBLE;
    }
    return status;
}

/* Choosing ------------------------------------------------------------------------------------------------------ */

/* The last part of a file's name: report.json, report.txt. */
static bool form_of_file(const char *path, diagnose_form *form) {
    const char *dot = strrchr(path, '.');
    if (!dot || strchr(dot, '/')) return false;
    if (strcmp(dot, ".txt") == 0) *form = FORM_TEXT;
    if (strcmp(dot, ".htm") == 0) *form = FORM_HTML;
    return strcmp(dot, ".txt") == 0 || strcmp(dot, ".htm") == 0 || find_form(dot + 1, form);
}

/* Forms that are asked for by name, in order; --json and its like are such too. */
typedef struct wishes {
    diagnose_form form[16];
    size_t count;
} wishes;

static int read_wishes(const diagnose_settings *s, bool csv, wishes *w) {
    const iol__args *args = s->args;
    for (size_t i = 0; i < args->n_values[OPT_FORMAT]; i++) {
        const char *name = args->values[OPT_FORMAT][i];
        if (w->count == sizeof w->form / sizeof *w->form) return usage_error(args, "too many formats");
        if (!find_form(name, &w->form[w->count++])) return usage_error(args, "there is no format '%s'", name);
    }
    const bool given[FORMS] = {
        [FORM_JSON] = args->given[OPT_JSON], [FORM_NDJSON] = args->given[OPT_NDJSON], [FORM_CSV] = csv};
    for (int i = 0; i < FORMS; i++)
        if (given[i] && w->count < sizeof w->form / sizeof *w->form) w->form[w->count++] = (diagnose_form)i;
    return EXIT_DONE;
}

/* The form of the i-th file: as many names as files go together in order; a single name is for a single file, or for
   those whose own name says nothing. */
static int match_forms(const diagnose_settings *s, const wishes *w, diagnose_sheets *sheets) {
    size_t files = s->args->n_values[OPT_DIAGNOSE_OUTPUT];
    if (!files) {
        if (w->count > 1) return usage_error(s->args, "several formats need as many -o FILE");
        if (w->count) sheets->list[0].form = w->form[0];
        return EXIT_DONE;
    }
    if (w->count > 1 && w->count != files)
        return usage_error(s->args, "%zu formats and %zu files: which belongs to which?", w->count, files);
    for (size_t i = 0; i < files; i++) {
        diagnose_sheet *sheet = &sheets->list[i];
        if (w->count == 1) sheet->form = w->form[0];
        if (w->count == files)
            sheet->form = w->form[i];
        else
            form_of_file(sheet->path, &sheet->form);
    }
    return EXIT_DONE;
}

static int check_forms(const diagnose_settings *s, const diagnose_mode *mode, const diagnose_sheets *sheets) {
    for (int form = 0; form < FORMS; form++) {
        bool wanted = sheets->exports[form];
        for (size_t i = 0; i < sheets->count; i++) wanted = wanted || (int)sheets->list[i].form == form;
        if (wanted && !(mode->forms >> form & 1) && form != FORM_MARKDOWN)
            return usage_error(s->args, "the %s mode has no %s", mode->name, form_names[form]);
    }
    return EXIT_DONE;
}

int choose_sheets(const diagnose_settings *s, const diagnose_mode *mode, diagnose_sheets *sheets) {
    const iol__args *args = s->args;
    size_t files = args->n_values[OPT_DIAGNOSE_OUTPUT];
    *sheets = (diagnose_sheets){.count = files ? files : 1};
    sheets->list = calloc(sheets->count, sizeof *sheets->list);
    if (!sheets->list) {
        fputs("iolite: out of memory\n", stderr);
        return EXIT_TROUBLE;
    }
    for (size_t i = 0; i < sheets->count; i++)
        sheets->list[i] = (diagnose_sheet){.settings = s,
                                           .mode = mode,
                                           .several = s->several,
                                           .fd = -1,
                                           .path = files ? args->values[OPT_DIAGNOSE_OUTPUT][i] : NULL};
    /* The old tool saved its table in a file. Everywhere else --csv means standard output, so that it does here, in
       both modes, unless a directory to save in is named. */
    bool saved = argument_value(args, OPT_EXPORT_DIR);
    sheets->exports[FORM_HTML] = args->given[OPT_OLD_HTML];
    sheets->exports[FORM_SVG] = args->given[OPT_OLD_SVG];
    sheets->exports[FORM_CSV] = args->given[OPT_CSV] && saved;
    wishes w = {.count = 0};
    int status = read_wishes(s, args->given[OPT_CSV] && !saved, &w);
    if (status == EXIT_DONE) status = match_forms(s, &w, sheets);
    if (status == EXIT_DONE) status = check_forms(s, mode, sheets);
    sheets->to_terminal = !files && isatty(STDOUT_FILENO);
    return status;
}

/* Saving for every log ------------------------------------------------------------------------------------------ */

static int make_directories(const char *path) {
    char *copy = strdup(path);
    int failed = copy ? 0 : ENOMEM;
    for (char *at = copy; copy && !failed && at; at = strchr(at + 1, '/')) {
        if (at == copy) continue;
        *at = '\0';
        if (mkdir(copy, 0777) != 0 && errno != EEXIST) failed = errno;
        *at = '/';
    }
    if (!failed && mkdir(path, 0777) != 0 && errno != EEXIST) failed = errno;
    free(copy);
    if (!failed) return EXIT_DONE;
    fprintf(stderr, "iolite: %s: %s\n", path, strerror(failed));
    return EXIT_TROUBLE;
}

static bool is_taken(const diagnose_sheets *sheets, const char *path) {
    for (size_t i = 0; i < sheets->n_exported; i++)
        if (strcmp(sheets->exported[i], path) == 0) return true;
    return false;
}

/* DIR/<name of the log without its suffix>.html; a second log of that name gets a number. NULL without memory. */
static char *export_path(diagnose_sheets *sheets, const diagnose_sheet *sheet, const char *log) {
    const char *directory = argument_value(sheet->settings->args, OPT_EXPORT_DIR), *slash = strrchr(log, '/');
    const char *name = slash ? slash + 1 : log, *dot = strrchr(name, '.');
    int length = dot && dot > name ? (int)(dot - name) : (int)strlen(name);
    if (strcmp(log, "-") == 0) name = "stdin", length = 5;
    char *path = NULL, number[16] = "";
    for (unsigned n = 2; n < 1000000; n++) {
        if (asprintf(&path, "%s%s%.*s%s.%s", directory ? directory : "", directory ? "/" : "", length, name, number,
                     form_names[sheet->form]) < 0)
            return NULL;
        if (!is_taken(sheets, path)) break;
        free(path);
        path = NULL;
        snprintf(number, sizeof number, "-%u", n);
    }
    char **list = realloc(sheets->exported, (sheets->n_exported + 1) * sizeof *list);
    if (list) sheets->exported = list;
    if (list && path) list[sheets->n_exported++] = path;
    if (list) return path;
    free(path);
    return NULL;
}

static int export_one(diagnose_sheets *sheets, const diagnosed *d, diagnose_form form) {
    diagnose_sheet sheet = {.settings = sheets->list[0].settings, .mode = sheets->list[0].mode, .form = form};
    sheet.path = export_path(sheets, &sheet, d->path);
    if (!sheet.path) {
        fputs("iolite: out of memory\n", stderr);
        return EXIT_TROUBLE;
    }
    int status = open_sheet(&sheet);
    if (status != EXIT_DONE) return status;
    print_on(&sheet, d);
    return close_sheet(&sheet, EXIT_DONE);
}

/* All together ---------------------------------------------------------------------------------------------------- */

int open_sheets(diagnose_sheets *sheets) {
    const char *directory = argument_value(sheets->list[0].settings->args, OPT_EXPORT_DIR);
    if (directory && make_directories(directory) != EXIT_DONE) return EXIT_TROUBLE;
    for (size_t i = 0; i < sheets->count; i++)
        if (open_sheet(&sheets->list[i]) != EXIT_DONE) return EXIT_TROUBLE;
    return EXIT_DONE;
}

void print_on_sheets(diagnose_sheets *sheets, const diagnosed *d, int *status) {
    for (size_t i = 0; i < sheets->count; i++) print_on(&sheets->list[i], d);
    for (int form = 0; form < FORMS; form++) {
        if (!sheets->exports[form]) continue;
        int outcome = export_one(sheets, d, (diagnose_form)form);
        if (outcome > *status) *status = outcome;
    }
}

void print_error_on_sheets(diagnose_sheets *sheets, const diagnosed *d) {
    for (size_t i = 0; i < sheets->count; i++) {
        diagnose_sheet *sheet = &sheets->list[i];
        iol__json line;
        iol__json_start(&line, &sheet->out, 0);
        if (sheet->form == FORM_JSON) iol__json_unreadable(&sheet->json, d->shown, &d->error);
        if (sheet->form != FORM_NDJSON) continue;
        iol__json_unreadable(&line, d->shown, &d->error);
        iol__json_finish(&line);
    }
}

int close_sheets(diagnose_sheets *sheets, int status) {
    for (size_t i = 0; i < sheets->count; i++)
        if (sheets->list[i].fd >= 0) status = close_sheet(&sheets->list[i], status);
    return status;
}

void free_sheets(diagnose_sheets *sheets) {
    for (size_t i = 0; i < sheets->n_exported; i++) free(sheets->exported[i]);
    free(sheets->exported);
    free(sheets->list);
}
