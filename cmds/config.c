/* iolite config: every setting, its value, and who said so. The resolver is the one that recorded programs use. */
#include <stdio.h>
#include <unistd.h>

#include "cmds/cmd.h"
#include "cmds/settings.h"
#include "cmds/site/site_file.h"
#include "text/json.h"
#include "text/text.h"

enum { NAME_COLUMNS = 33, VALUE_COLUMNS = 23 };

/* Under which name people know it. */
static const char *config_name_of(const iol__setting *setting) {
    return *setting->env ? setting->env : *setting->alias ? setting->alias : setting->key;
}

static bool from_file(iol__origin origin) { return origin == IOL_ORIGIN_FILE || origin == IOL_ORIGIN_FILE2; }

static const char *config_file_of(const iol__config *config, iol__origin origin) {
    return origin == IOL_ORIGIN_FILE ? IOL_SITE_CONFIG : config->values[IOL_SET_CONFIG].text;
}

/* Text ------------------------------------------------------------------------------------------------------------ */

static void config_pad(iol__out *out, size_t used, size_t columns) {
    iol__out_repeat(out, ' ', used < columns ? columns - used : 1);
}

static void print_row(iol__out *out, const iol__config *config, int setting, const char *text, iol__origin origin,
                      unsigned line) {
    const char *name = config_name_of(&iol__settings[setting]);
    const char *variable = config->values[setting].variable;
    iol__out_text(out, name);
    config_pad(out, strlen(name), NAME_COLUMNS);
    size_t before = out->length;
    iol__out_safe(out, *text ? text : "-");
    config_pad(out, out->length - before, VALUE_COLUMNS);
    if (from_file(origin)) {
        iol__out_safe(out, config_file_of(config, origin));
        iol__out_printf(out, ":%u\n", line);
    } else
        iol__out_printf(out, "%s\n", origin == IOL_ORIGIN_DEFAULT ? "default" : variable);
}

static void print_config_text(iol__out *out, const iol__config *config) {
    for (int i = 0; i < IOL_SETTINGS; i++) {
        const iol__setting_value *value = &config->values[i];
        if (iol__settings[i].type != IOL_SETTING_LIST || !from_file(value->origin)) {
            print_row(out, config, i, value->text, value->origin, value->line);
            continue;
        }
        for (unsigned k = 0; k < config->n_lines; k++) {
            const iol__line *line = &config->lines[k];
            if (line->setting == i) print_row(out, config, i, line->value, line->origin, line->line);
        }
    }
}

/* JSON ------------------------------------------------------------------------------------------------------------ */

static void put_origin(iol__json *json, const iol__config *config, iol__origin origin, unsigned line,
                       const char *variable) {
    iol__json_put_text(json, "origin",
                       from_file(origin)              ? "file"
                       : origin == IOL_ORIGIN_DEFAULT ? "default"
                                                      : "variable");
    if (from_file(origin)) {
        iol__json_put_text(json, "file", config_file_of(config, origin));
        iol__json_put_u64(json, "line", line);
    } else if (variable)
        iol__json_put_text(json, "variable", variable);
}

static void put_setting(iol__json *json, const iol__config *config, int setting) {
    const iol__setting *row = &iol__settings[setting];
    const iol__setting_value *value = &config->values[setting];
    iol__json_open(json, '{');
    iol__json_put_text(json, "name", config_name_of(row));
    iol__json_put_text(json, "older_name", *row->alias ? row->alias : NULL);
    iol__json_put_text(json, "key", *row->key ? row->key : NULL);
    iol__json_put_open(json, "values", '[');
    unsigned at = 0;
    if (row->type == IOL_SETTING_LIST)
        for (const char *text; (text = iol__setting_list(config, setting, &at)) != NULL;) iol__json_text(json, text);
    else if (*value->text)
        iol__json_text(json, value->text);
    iol__json_close(json, ']');
    put_origin(json, config, value->origin, value->line, value->variable);
    iol__json_put_text(json, "meaning", row->help);
    iol__json_close(json, '}');
}

static void print_config_json(iol__out *out, const iol__config *config) {
    iol__json json;
    iol__json_start(&json, out, 2);
    iol__json_open(&json, '{');
    iol__json_put_open(&json, "settings", '[');
    for (int i = 0; i < IOL_SETTINGS; i++) put_setting(&json, config, i);
    iol__json_close(&json, ']');
    iol__json_put_open(&json, "modules", '{');
    for (int slot = 0; slot < IOL_SLOTS_KNOWN; slot++)
        iol__json_put_bool(&json, iol__modules[slot].key, iol__module_enabled(config, slot));
    iol__json_close(&json, '}');
    iol__json_close(&json, '}');
    iol__json_finish(&json);
}

int cmd_config(const iol__args *args) {
    if (args->given[OPT_CONFIG_SITE]) return config_site(args);
    if (args->n_operands) return usage_error(args, "operand '%s' is not expected", args->operands[0]);
    iol__out out;
    const iol__config *config = load_settings(complain_on_stderr);
    iol__out_open(&out, STDOUT_FILENO);
    if (args->given[OPT_JSON])
        print_config_json(&out, config);
    else
        print_config_text(&out, config);
    return finish_output(&out, EXIT_DONE);
}
