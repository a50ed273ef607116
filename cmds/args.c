/* Command lines: from the option table to parsed arguments.
   getopt_long does the parsing, so that abbreviations and mixed order work as scripts expect. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmds/cmd.h"
#include "cmds/near.h"

typedef struct option_row {
    uint64_t commands;
    const char *name;
    int letter;
    const char *argument;
    const char *help;
} option_row;

static const option_row options[OPT_COUNT] = {
#define OPTION(commands, ident, name, letter, argument, help) {(uint64_t)(commands), name, letter, argument, help},
#include "cmds/options.def"
#undef OPTION
};

bool is_darshan_name(const iol__command *command) { return strncmp(command->name, "darshan-", 8) == 0; }

static bool args_takes(const iol__command *command, int option) {
    if (is_darshan_name(command) && options[option].letter == 'h') return true;
    return (options[option].commands & command->bit) != 0;
}

bool option_of(const iol__command *command, int option, option_form *form) {
    const option_row *o = &options[option];
    if (!args_takes(command, option)) return false;
    *form = (option_form){.name = o->name, .argument = o->argument, .help = o->help, .letter = o->letter};
    return true;
}

/* "Did you mean": only for long options, of which the value is left out. */
static int no_such_option(const iol__args *args, const char *typed) {
    char word[64] = "";
    near_name near = {.typed = word};
    option_form form;
    if (strncmp(typed, "--", 2) == 0) snprintf(word, sizeof word, "%.*s", (int)strcspn(typed + 2, "="), typed + 2);
    for (int i = 0; *word && i < OPT_COUNT; i++)
        if (option_of(args->command, i, &form)) look_at_name(&near, form.name);
    const char *meant = meant_name(&near);
    if (meant) return usage_error(args, "there is no option '%s'. Did you mean '--%s'?", typed, meant);
    return usage_error(args, "there is no option '%s'", typed);
}

bool describe_option(const iol__command *command, int option, char left[OPTION_TEXT], const char **help) {
    const option_row *o = &options[option];
    char letter[8] = "";
    if (!args_takes(command, option)) return false;
    if (o->letter) snprintf(letter, sizeof letter, "-%c, ", o->letter);
    snprintf(left, OPTION_TEXT, "%s--%s%s%s", letter, o->name, o->argument ? " " : "", o->argument ? o->argument : "");
    *help = o->help;
    return true;
}

const char *argument_value(const iol__args *args, int option) {
    size_t n = args->n_values[option];
    return n ? args->values[option][n - 1] : NULL;
}

static void *needed(void *memory) {
    if (memory) return memory;
    fputs("iolite: out of memory\n", stderr);
    exit(EXIT_TROUBLE);
}

static void add_args_value(iol__args *args, int option, const char *value) {
    size_t n = args->n_values[option];
    const char **values = needed(realloc(args->values[option], (n + 1) * sizeof *values));
    values[n] = value;
    args->values[option] = values;
    args->n_values[option] = n + 1;
}

/* What getopt needs to know of a command's options. */
typedef struct option_set {
    int by_letter[128];
    char shorts[2 * OPT_COUNT + 3];
    struct option longs[OPT_COUNT + 1]; /* of which a command has a few */
} option_set;

static void list_options(const iol__command *command, option_set *set) {
    size_t n_longs = 0, n_shorts;
    /* Behind a program stand the program's options, not ours. */
    n_shorts = (size_t)(stpcpy(set->shorts, command->bit & (CMD_RUN | CMD_DOCTOR) ? "+:" : ":") - set->shorts);
    for (int i = 0; i < OPT_COUNT; i++) {
        const option_row *o = &options[i];
        if (!args_takes(command, i)) continue;
        set->longs[n_longs++] = (struct option){o->name, o->argument ? required_argument : no_argument, NULL, 256 + i};
        if (!o->letter) continue;
        set->shorts[n_shorts++] = (char)o->letter;
        if (o->argument) set->shorts[n_shorts++] = ':';
        set->by_letter[o->letter] = i;
    }
    set->shorts[n_shorts] = '\0';
    set->longs[n_longs] = (struct option){0};
}

/* Returns as parse_arguments() does. `last_value` becomes that of the last option. */
static int take_args_options(const option_set *set, int argc, char **argv, iol__args *args, const char **last_value) {
    int got;
    opterr = 0;
    while ((got = getopt_long(argc, argv, set->shorts, set->longs, NULL)) != -1) {
        if (got == ':') return usage_error(args, "option '%s' needs a value", argv[optind - 1]);
        if (got == '?') return no_such_option(args, argv[optind - 1]);
        int option = got >= 256 ? got - 256 : set->by_letter[got];
        if (option == OPT_HELP) return print_command_page(args->command);
        if (option == OPT_VERSION) return print_command_version(args->command);
        args->given[option] = true;
        *last_value = optarg;
        if (optarg) add_args_value(args, option, optarg);
    }
    return -1;
}

/* getopt moves operands behind the options, and those before a `--` up to those behind it. Where it stood before says
   how many are behind: the strings are the same ones, in another order. A `--` that is an option's value separates
   nothing. */
static size_t operands_behind(char *const *before, int argc, char *const *argv, const char *last_value) {
    const char *separator = optind > 1 ? argv[optind - 1] : NULL;
    if (!separator || separator == last_value || strcmp(separator, "--") != 0) return 0;
    for (int i = 1; i < argc; i++)
        if (before[i] == separator) return (size_t)(argc - i - 1);
    return 0;
}

int parse_arguments(const iol__command *command, int argc, char **argv, iol__args *args) {
    option_set set;
    const char *last_value = NULL;
    char **before = needed(calloc((size_t)argc + 1, sizeof *before));
    for (int i = 0; i < argc; i++) before[i] = argv[i];
    *args = (iol__args){.command = command};
    list_options(command, &set);
    int status = take_args_options(&set, argc, argv, args, &last_value);
    args->operands = argv + optind;
    args->n_operands = (size_t)(argc - optind);
    args->n_behind = operands_behind(before, argc, argv, last_value);
    free(before);
    return status;
}

void free_arguments(iol__args *args) {
    for (int i = 0; i < OPT_COUNT; i++) free(args->values[i]);
}
