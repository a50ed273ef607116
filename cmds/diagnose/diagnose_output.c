/* Outputs of `iolite diagnose`. An output is one document in one form: standard output, a file of -o, and a short-lived
   one for every file that --html, --svg, and --csv with a directory, save for every log. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/count.h"
#include "cmds/diagnose/diagnose.h"
#include "report/log_json.h"
#include "report/html/screen.h"
#include "text/text.h"

static const struct {
    const char *name, *suffix;
} forms[FORMS] = {
#define FORM(symbol, name, suffix) {name, suffix},
#include "cmds/diagnose/diagnose_forms.def"
#undef FORM
};

bool find_form(const char *name, diagnose_form *form) {
    for (int i = 0; i < FORMS; i++) {
        if (strcmp(forms[i].name, name) != 0) continue;
        *form = (diagnose_form)i;
        return true;
    }
    return false;
}

static const diagnose_writer *writer_of(const diagnose_output *output) { return &output->mode->writers[output->form]; }

/* One document -------------------------------------------------------------------------------------------------- */

/* Files are 80 columns wide and without colour unless that is asked for; pages are always coloured. */
static void dress(diagnose_output *output) {
    const iol__args *args = output->settings->args;
    const char *when = argument_value(args, OPT_COLOR);
    output->style = output->settings->style;
    if (!output->style.columns) output->style.columns = output->path ? 80 : (size_t)terminal_columns();
    if (writer_of(output)->screen) {
        output->style.colour = true;
        if (!output->settings->style.columns) output->style.columns = 80;
    } else if (output->path) {
        output->style.colour = when && strcmp(when, "always") == 0;
    }
}

static int open_output(diagnose_output *output) {
    output->fd = STDOUT_FILENO;
    if (output->path) output->fd = open(output->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (output->fd < 0) {
        tell_stderr("%s: %s", output->path, strerror(errno));
        return EXIT_TROUBLE;
    }
    dress(output);
    iol__out_open(&output->out, output->fd);
    iol__out_open(&output->text, -1);
    iol__json_start(&output->json, &output->out, output->several ? 3 : 2);
    if (writer_of(output)->begin) writer_of(output)->begin(output);
    return EXIT_DONE;
}

static void print_diagnose_output_text(diagnose_output *output, iol__out *out, const diagnosed *d) {
    bool colour = output->style.colour;
    if (output->any) iol__out_char(out, '\n');
    if (output->several) {
        if (colour) iol__out_text(out, iol__ink_sequence(IOL_INK_STRONG, output->style.light));
        iol__out_safe(out, d->shown);
        if (colour) iol__out_text(out, iol__ink_sequence(IOL_INK_PLAIN, output->style.light));
        iol__out_char(out, '\n');
    }
    output->mode->text(out, &output->style, output->settings, d);
}

void print_text_output(diagnose_output *output, const diagnosed *d) {
    print_diagnose_output_text(output, &output->out, d);
}

void print_screen_output(diagnose_output *output, const diagnosed *d) {
    iol__text_utf8_begin();
    print_diagnose_output_text(output, &output->text, d);
    iol__text_utf8_end();
}

static void draw_screen(diagnose_output *output, void (*draw)(iol__out *, const iol__screen *)) {
    iol__out title;
    iol__out_open(&title, -1);
    iol__out_text(&title, "iolite diagnose ");
    iol__out_text(&title, output->title ? output->title : "");
    iol__out_text(&title, output->title && output->several ? " ..." : "");
    iol__out_char(&title, '\0');
    iol__screen screen = {.text = output->text.buffer,
                          .length = output->text.length,
                          .columns = output->style.columns,
                          .light = output->style.light,
                          .title = title.buffer};
    draw(&output->out, &screen);
    iol__out_close(&title);
}

void end_html_output(diagnose_output *output) { draw_screen(output, iol__screen_html); }
void end_svg_output(diagnose_output *output) { draw_screen(output, iol__screen_svg); }

void begin_json_output(diagnose_output *output) {
    if (output->several) iol__json_open(&output->json, '[');
}

void unreadable_json_output(diagnose_output *output, const diagnosed *d) {
    iol__json_unreadable(&output->json, d->shown, &d->error);
}

void end_json_output(diagnose_output *output) {
    if (output->several) iol__json_close(&output->json, ']');
    iol__json_finish(&output->json);
}

void unreadable_ndjson_output(diagnose_output *output, const diagnosed *d) {
    iol__json line;
    iol__json_start(&line, &output->out, 0);
    iol__json_unreadable(&line, d->shown, &d->error);
    iol__json_finish(&line);
}

static void print_on(diagnose_output *output, const diagnosed *d) {
    writer_of(output)->print(output, d);
    if (!output->title) output->title = d->whole ? "log" : d->path;
    output->any = true;
    iol__out_flush(&output->out);
}

static int close_output(diagnose_output *output, int status) {
    if (writer_of(output)->end) writer_of(output)->end(output);
    iol__out_close(&output->text);
    status = finish_output(&output->out, status);
    if (output->path && close(output->fd) != 0) {
        tell_stderr("%s: %s", output->path, strerror(errno));
        return EXIT_TROUBLE;
    }
    return status;
}

/* Choosing ------------------------------------------------------------------------------------------------------ */

/* The last part of a file's name: report.json, report.txt. */
static bool form_of_file(const char *path, diagnose_form *form) {
    const char *dot = strrchr(path, '.');
    if (!dot || strchr(dot, '/')) return false;
    for (int i = 0; i < FORMS; i++) {
        if (strcmp(forms[i].suffix, dot + 1) != 0) continue;
        *form = (diagnose_form)i;
        return true;
    }
    return find_form(dot + 1, form);
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
        if (w->count == IOL_COUNT(w->form)) return usage_error(args, "too many formats");
        if (!find_form(name, &w->form[w->count++])) return usage_error(args, "there is no format '%s'", name);
    }
    const bool given[FORMS] = {
        [FORM_JSON] = args->given[OPT_JSON], [FORM_NDJSON] = args->given[OPT_NDJSON], [FORM_CSV] = csv};
    for (int i = 0; i < FORMS; i++)
        if (given[i] && w->count < IOL_COUNT(w->form)) w->form[w->count++] = (diagnose_form)i;
    return EXIT_DONE;
}

/* The form of the i-th file: as many names as files go together in order; a single name is for a single file, or for
   those whose own name says nothing. */
static int match_forms(const diagnose_settings *s, const wishes *w, diagnose_outputs *outputs) {
    size_t files = s->args->n_values[OPT_DIAGNOSE_OUTPUT];
    if (!files) {
        if (w->count > 1) return usage_error(s->args, "several formats need as many -o FILE");
        if (w->count) outputs->list[0].form = w->form[0];
        return EXIT_DONE;
    }
    if (w->count > 1 && w->count != files)
        return usage_error(s->args, "%zu formats and %zu files: which belongs to which?", w->count, files);
    for (size_t i = 0; i < files; i++) {
        diagnose_output *output = &outputs->list[i];
        if (w->count == 1) output->form = w->form[0];
        if (w->count == files)
            output->form = w->form[i];
        else
            form_of_file(output->path, &output->form);
    }
    return EXIT_DONE;
}

static int check_forms(const diagnose_settings *s, const diagnose_mode *mode, const diagnose_outputs *outputs) {
    for (int form = 0; form < FORMS; form++) {
        bool wanted = outputs->exports[form];
        for (size_t i = 0; i < outputs->count; i++) wanted = wanted || (int)outputs->list[i].form == form;
        if (wanted && !mode->writers[form].print && form != FORM_MARKDOWN)
            return usage_error(s->args, "the %s mode has no %s", mode->name, forms[form].name);
    }
    return EXIT_DONE;
}

int choose_outputs(const diagnose_settings *s, const diagnose_mode *mode, diagnose_outputs *outputs) {
    const iol__args *args = s->args;
    size_t files = args->n_values[OPT_DIAGNOSE_OUTPUT];
    *outputs = (diagnose_outputs){.count = files ? files : 1};
    outputs->list = calloc(outputs->count, sizeof *outputs->list);
    if (!outputs->list) {
        fputs("iolite: out of memory\n", stderr);
        return EXIT_TROUBLE;
    }
    for (size_t i = 0; i < outputs->count; i++)
        outputs->list[i] = (diagnose_output){.settings = s,
                                             .mode = mode,
                                             .several = s->several,
                                             .fd = -1,
                                             .path = files ? args->values[OPT_DIAGNOSE_OUTPUT][i] : NULL};
    /* The old tool saved its table in a file. Everywhere else --csv means standard output, so that it does here, in
       both modes, unless a directory to save in is named. */
    bool saved = argument_value(args, OPT_EXPORT_DIR);
    outputs->exports[FORM_HTML] = args->given[OPT_OLD_HTML];
    outputs->exports[FORM_SVG] = args->given[OPT_OLD_SVG];
    outputs->exports[FORM_CSV] = args->given[OPT_CSV] && saved;
    wishes w = {.count = 0};
    int status = read_wishes(s, args->given[OPT_CSV] && !saved, &w);
    if (status == EXIT_DONE) status = match_forms(s, &w, outputs);
    if (status == EXIT_DONE) status = check_forms(s, mode, outputs);
    outputs->to_terminal = !files && isatty(STDOUT_FILENO);
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
    tell_stderr("%s: %s", path, strerror(failed));
    return EXIT_TROUBLE;
}

static bool is_taken(const diagnose_outputs *outputs, const char *path) {
    for (size_t i = 0; i < outputs->n_exported; i++)
        if (strcmp(outputs->exported[i], path) == 0) return true;
    return false;
}

/* DIR/<name of the log without its suffix>.html; a second log of that name gets a number. NULL without memory. */
static char *export_path(diagnose_outputs *outputs, const diagnose_output *output, const char *log) {
    const char *directory = argument_value(output->settings->args, OPT_EXPORT_DIR), *slash = strrchr(log, '/');
    const char *name = slash ? slash + 1 : log, *dot = strrchr(name, '.');
    int length = dot && dot > name ? (int)(dot - name) : (int)strlen(name);
    if (strcmp(log, "-") == 0) name = "stdin", length = 5;
    char *path = NULL, number[16] = "";
    for (unsigned n = 2; n < 1000000; n++) {
        if (asprintf(&path, "%s%s%.*s%s.%s", directory ? directory : "", directory ? "/" : "", length, name, number,
                     forms[output->form].name) < 0)
            return NULL;
        if (!is_taken(outputs, path)) break;
        free(path);
        path = NULL;
        snprintf(number, sizeof number, "-%u", n);
    }
    char **list = realloc(outputs->exported, (outputs->n_exported + 1) * sizeof *list);
    if (list) outputs->exported = list;
    if (list && path) list[outputs->n_exported++] = path;
    if (list) return path;
    free(path);
    return NULL;
}

static int export_one(diagnose_outputs *outputs, const diagnosed *d, diagnose_form form) {
    diagnose_output output = {.settings = outputs->list[0].settings, .mode = outputs->list[0].mode, .form = form};
    output.path = export_path(outputs, &output, d->path);
    if (!output.path) {
        fputs("iolite: out of memory\n", stderr);
        return EXIT_TROUBLE;
    }
    int status = open_output(&output);
    if (status != EXIT_DONE) return status;
    print_on(&output, d);
    return close_output(&output, EXIT_DONE);
}

/* All together ---------------------------------------------------------------------------------------------------- */

int open_outputs(diagnose_outputs *outputs) {
    const char *directory = argument_value(outputs->list[0].settings->args, OPT_EXPORT_DIR);
    if (directory && make_directories(directory) != EXIT_DONE) return EXIT_TROUBLE;
    for (size_t i = 0; i < outputs->count; i++)
        if (open_output(&outputs->list[i]) != EXIT_DONE) return EXIT_TROUBLE;
    return EXIT_DONE;
}

void print_on_outputs(diagnose_outputs *outputs, const diagnosed *d, int *status) {
    for (size_t i = 0; i < outputs->count; i++) print_on(&outputs->list[i], d);
    for (int form = 0; form < FORMS; form++) {
        if (!outputs->exports[form]) continue;
        int outcome = export_one(outputs, d, (diagnose_form)form);
        if (outcome > *status) *status = outcome;
    }
}

void print_error_on_outputs(diagnose_outputs *outputs, const diagnosed *d) {
    for (size_t i = 0; i < outputs->count; i++) {
        diagnose_output *output = &outputs->list[i];
        if (writer_of(output)->unreadable) writer_of(output)->unreadable(output, d);
    }
}

int close_outputs(diagnose_outputs *outputs, int status) {
    for (size_t i = 0; i < outputs->count; i++)
        if (outputs->list[i].fd >= 0) status = close_output(&outputs->list[i], status);
    return status;
}

void free_outputs(diagnose_outputs *outputs) {
    for (size_t i = 0; i < outputs->n_exported; i++) free(outputs->exported[i]);
    free(outputs->exported);
    free(outputs->list);
}
