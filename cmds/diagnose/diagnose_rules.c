/* Questions about the rules themselves: which there are, what one of them means, which thresholds are in force. */
#include "cmds/diagnose/diagnose.h"
#include "cmds/diagnose/explain.h"

static void list_rules(const diagnose_settings *s, iol__out *out, diagnose_form form) {
    iol__json json;
    iol__json_start(&json, out, 2);
    if (form == FORM_MARKDOWN) {
        iol__rules_markdown(out, s->book);
    } else if (form == FORM_JSON) {
        iol__rules_json(&json, s->book);
        iol__json_finish(&json);
    } else {
        iol__rules_list(out, s->book);
    }
}

static void list_thresholds(const diagnose_settings *s, iol__out *out, diagnose_form form) {
    iol__json json;
    iol__json_start(&json, out, 1);
    if (form == FORM_JSON) {
        iol__thresholds_json(&json, s->book, s->options.system);
        iol__json_finish(&json);
    } else {
        iol__thresholds_list(out, s->book, s->options.system);
    }
}

int answer_about_rules(const diagnose_settings *s, iol__out *out, diagnose_form form) {
    const iol__args *args = s->args;
    const char *id = argument_value(args, OPT_EXPLAIN);
    bool rules = args->given[OPT_LIST_RULES], thresholds = args->given[OPT_LIST_THRESHOLDS];
    if (!id && !rules && !thresholds && !args->given[OPT_LIST_VARIABLES]) return -1;
    size_t columns = s->style.columns ? s->style.columns : (size_t)terminal_columns();
    if (id && !explain_name(out, s->book, columns, id))
        return usage_error(args, "there is no rule, figure or counter '%s' (see --list-rules)", id);
    if (rules) list_rules(s, out, form);
    if (args->given[OPT_LIST_VARIABLES]) iol__variables_list(out);
    if (thresholds) list_thresholds(s, out, form);
    return EXIT_DONE;
}
