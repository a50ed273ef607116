/* darshan-config: what build scripts ask before they link. One question a call is usual; several are answered in the
   order of the table, one line each. Status 1 for wrong use, or where this installation has no answer. */
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/count.h"
#include "cmds/cmd.h"
#include "cmds/library.h"
#include "cmds/run/link_flags.h"
#include "cmds/settings.h"

typedef enum answer_kind { ANSWER_TEXT, ANSWER_SETTING, ANSWER_FLAG, ANSWER_LINK, ANSWER_MPI } answer_kind;

typedef struct darshan_config_question {
    int option;
    const char *name;
    answer_kind kind;
    const char *text;
    int number; /* of a setting, or of a part of the options */
} darshan_config_question;

static const darshan_config_question questions[] = {
#define TEXT(text) ANSWER_TEXT, text, 0
#define SETTING(setting) ANSWER_SETTING, NULL, IOL_SET_##setting
#define FLAG(setting) ANSWER_FLAG, NULL, IOL_SET_##setting
#define LINK(part) ANSWER_LINK, NULL, part
#define MPI ANSWER_MPI, NULL, 0
#define CONFIG(ident, name, answer, help) {OPT_CONFIG_##ident, name, answer},
#include "cmds/darshan/darshan_config.def"
#undef CONFIG
#undef TEXT
#undef SETTING
#undef FLAG
#undef LINK
#undef MPI
};

/* A library for some MPI stands beside the one for all programs. */
static bool has_darshan_config_mpi(void) {
    char library[PATH_MAX], pattern[PATH_MAX];
    glob_t found = {0};
    if (!find_library(library)) return false;
    char *slash = strrchr(library, '/');
    if (slash) *slash = '\0';
    if (snprintf(pattern, sizeof pattern, "%s/libiolite-mpi-*.so", library) >= PATH_MAX) return false;
    const bool has = glob(pattern, 0, NULL, &found) == 0;
    globfree(&found);
    return has;
}

/* Scripts put the first list before the objects and the second one behind the libraries. */
static bool answer_link(iol__out *out, link_part part, const char *mpi) {
    if (*mpi && (part == LINK_PRE || part == LINK_POST)) {
        if (!print_link_part(out, part == LINK_PRE ? LINK_MPI_PRE : LINK_MPI_POST, mpi)) return false;
        iol__out_char(out, ' ');
    }
    return print_link_part(out, part, mpi);
}

static bool answer(iol__out *out, const darshan_config_question *q, const iol__config *config, const char *mpi) {
    bool known = true;
    if (q->kind == ANSWER_TEXT) iol__out_text(out, q->text);
    if (q->kind == ANSWER_SETTING) iol__out_text(out, config->values[q->number].text);
    if (q->kind == ANSWER_FLAG) iol__out_text(out, iol__setting_flag(config, q->number) ? "yes" : "no");
    if (q->kind == ANSWER_MPI) iol__out_text(out, has_darshan_config_mpi() ? "yes" : "no");
    if (q->kind == ANSWER_LINK) known = answer_link(out, (link_part)q->number, mpi);
    iol__out_char(out, '\n');
    return known;
}

int cmd_darshan_config(const iol__args *args) {
    const bool all = args->given[OPT_CONFIG_ALL];
    const char *mpi = args->given[OPT_LINK_MPI] ? argument_value(args, OPT_LINK_MPI) : only_static_mpi();
    const iol__config *config = load_settings(complain_on_stderr);
    size_t asked = 0;
    int status = EXIT_DONE;
    iol__out out;
    if (args->n_operands) return usage_error(args, "there is no option '%s'", args->operands[0]);
    iol__out_open(&out, STDOUT_FILENO);
    for (size_t i = 0; i < IOL_COUNT(questions); i++) {
        const darshan_config_question *q = &questions[i];
        if (!all && !args->given[q->option]) continue;
        asked++;
        if (all) iol__out_printf(&out, "%s: ", q->name);
        if (answer(&out, q, config, mpi) || all) continue;
        fprintf(stderr, "darshan-config: this installation has nothing for --%s\n", q->name);
        status = 1;
    }
    if (asked) return finish_output(&out, status);
    iol__out_close(&out);
    return usage_error(args, "an option is needed");
}
