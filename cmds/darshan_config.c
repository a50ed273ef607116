/* darshan-config: what build scripts ask before they link. One question a call is usual; several are answered in the
   order of the table, one line each. Status 1 for wrong use, or where this installation has no answer. */
#include <stdio.h>
#include <unistd.h>

#include "cmds/cmd.h"
#include "cmds/link_flags.h"
#include "cmds/settings.h"

typedef enum answer_kind { ANSWER_TEXT, ANSWER_SETTING, ANSWER_LINK } answer_kind;

typedef struct question {
    int option;
    const char *name;
    answer_kind kind;
    const char *text;
    int number; /* of a setting, or of a part of the options */
} question;

static const question questions[] = {
#define TEXT(text) ANSWER_TEXT, text, 0
#define SETTING(setting) ANSWER_SETTING, NULL, IOL_SET_##setting
#define LINK(part) ANSWER_LINK, NULL, part
#define CONFIG(ident, name, answer, help) {OPT_CONFIG_##ident, name, answer},
#include "cmds/darshan_config.def"
#undef CONFIG
#undef TEXT
#undef SETTING
#undef LINK
};

static bool answer(iol__out *out, const question *q, const iol__config *config) {
    bool known = true;
    if (q->kind == ANSWER_TEXT) iol__out_text(out, q->text);
    if (q->kind == ANSWER_SETTING) iol__out_text(out, config->values[q->number].text);
    if (q->kind == ANSWER_LINK) known = print_link_part(out, (link_part)q->number);
    iol__out_char(out, '\n');
    return known;
}

int cmd_darshan_config(const iol__args *args) {
    const bool all = args->given[OPT_CONFIG_ALL];
    const iol__config *config = load_settings(complain_on_stderr);
    size_t asked = 0;
    int status = EXIT_DONE;
    iol__out out;
    if (args->n_operands) return usage_error(args, "there is no option '%s'", args->operands[0]);
    iol__out_open(&out, STDOUT_FILENO);
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) {
        const question *q = &questions[i];
        if (!all && !args->given[q->option]) continue;
        asked++;
        if (all) iol__out_printf(&out, "%s: ", q->name);
        if (answer(&out, q, config) || all) continue;
        fprintf(stderr, "darshan-config: this installation has nothing for --%s\n", q->name);
        status = 1;
    }
    if (asked) return finish_output(&out, status);
    iol__out_close(&out);
    return usage_error(args, "which option?");
}
