/* Completion for bash, zsh and fish: commands, options with their help, files, and behind `run --` programs. */
#include <stdio.h>
#include <string.h>

#include "base/count.h"
#include "cmds/manual.h"

/* Text between single quotes of a shell, without what the shell's own lists take for a sign. */
static void put_quoted(iol__out *out, const char *text, const char *signs) {
    for (; *text; text++) {
        if (*text == '\'')
            iol__out_text(out, "'\\''");
        else if (*text == '\n')
            iol__out_char(out, ' ');
        else {
            if (strchr(signs, *text)) iol__out_char(out, '\\');
            iol__out_char(out, *text);
        }
    }
}

static void put_command_names(iol__out *out) {
    for (size_t i = 0; i < n_commands; i++)
        if (!is_darshan_name(&commands[i])) iol__out_printf(out, "%s%s", i ? " " : "", commands[i].name);
}

static void put_darshan_names(iol__out *out) {
    for (size_t i = 0; i < n_commands; i++)
        if (is_darshan_name(&commands[i])) iol__out_printf(out, " %s", commands[i].name);
}

static void put_option_names(iol__out *out, const iol__command *command, bool with_argument_only) {
    option_form form;
    const char *gap = "";
    for (int i = 0; i < OPT_COUNT; i++) {
        if (!option_of(command, i, &form) || (with_argument_only && !form.argument)) continue;
        iol__out_printf(out, "%s--%s", gap, form.name);
        gap = with_argument_only ? "|" : " ";
        if (form.letter) iol__out_printf(out, "%s-%c", gap, form.letter);
    }
}

static void print_bash(iol__out *out) {
    iol__out_text(
        out, "# Completion of iolite for bash, made from its tables of commands and options.\n_iolite() {\n"
             "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command options valued='' i\n"
             "    command=${COMP_WORDS[0]##*/}\n    if [ \"$command\" = iolite ]; then\n"
             "        if [ \"$COMP_CWORD\" = 1 ]; then\n            COMPREPLY=($(compgen -W '");
    put_command_names(out);
    iol__out_text(out, "' -- \"$word\"))\n            return\n        fi\n        command=${COMP_WORDS[1]}\n    fi\n"
                       "    case $command in\n");
    for (size_t i = 0; i < n_commands; i++) {
        iol__out_printf(out, "    %s)\n        options='", commands[i].name);
        put_option_names(out, &commands[i], false);
        iol__out_text(out, "'\n        valued='|");
        put_option_names(out, &commands[i], true);
        iol__out_text(out, "|'\n        ;;\n");
    }
    iol__out_text(out, "    *) return ;;\n    esac\n    case $command in\n    run | doctor)\n"
                       "        for ((i = 2; i < COMP_CWORD; i++)); do\n"
                       "            if [ \"${COMP_WORDS[i]}\" = -- ]; then\n"
                       "                [ $((i + 1)) != \"$COMP_CWORD\" ] || COMPREPLY=($(compgen -c -- \"$word\"))\n"
                       "                return\n            fi\n        done\n        ;;\n    help)\n        "
                       "COMPREPLY=($(compgen -W '");
    put_command_names(out);
    iol__out_text(out, "' -- \"$word\"))\n        ;;\n    esac\n    case $valued in *\"|$before|\"*) return ;; esac\n"
                       "    case $word in -*) COMPREPLY=($(compgen -W \"$options\" -- \"$word\")) ;; esac\n}\n"
                       "complete -o default -o bashdefault -F _iolite iolite");
    put_darshan_names(out);
    iol__out_char(out, '\n');
}

static void put_zsh_options(iol__out *out, const iol__command *command) {
    option_form form;
    for (int i = 0; i < OPT_COUNT; i++) {
        if (!option_of(command, i, &form)) continue;
        for (int letter = form.letter ? 1 : 0; letter >= 0; letter--) {
            iol__out_text(out, " \\\n            '*");
            if (letter)
                iol__out_printf(out, "-%c[", form.letter);
            else
                iol__out_printf(out, "--%s[", form.name);
            put_quoted(out, form.help, "[]:\\");
            iol__out_char(out, ']');
            if (form.argument) {
                iol__out_char(out, ':');
                put_quoted(out, form.argument, "[]:\\");
                iol__out_text(out, ":_files");
            }
            iol__out_char(out, '\'');
        }
    }
}

static void print_zsh(iol__out *out) {
    iol__out_text(out, "#compdef iolite");
    put_darshan_names(out);
    iol__out_text(out, "\n# Completion of iolite for zsh, made from its tables of commands and options.\n_iolite() {\n"
                       "    local command=${words[1]:t}\n    local -a names\n    if [[ $command == iolite ]]; then\n"
                       "        if (( CURRENT == 2 )); then\n            names=(\n");
    for (size_t i = 0; i < n_commands; i++) {
        if (is_darshan_name(&commands[i])) continue;
        iol__out_printf(out, "                '%s:", commands[i].name);
        put_quoted(out, commands[i].summary, ":\\");
        iol__out_text(out, "'\n");
    }
    iol__out_text(
        out,
        "            )\n            _describe -t commands command names\n            return\n        fi\n"
        "        shift words\n        (( CURRENT-- ))\n        command=${words[1]}\n    fi\n    case $command in\n");
    for (size_t i = 0; i < n_commands; i++) {
        const bool programs = commands[i].bit & (CMD_RUN | CMD_DOCTOR);
        iol__out_printf(out, "    %s)\n        _arguments", commands[i].name);
        put_zsh_options(out, &commands[i]);
        iol__out_printf(out, " \\\n            '%s'\n        ;;\n", programs ? "*::program:_normal" : "*:file:_files");
    }
    iol__out_text(out, "    esac\n}\n_iolite \"$@\"\n");
}

static void put_fish_options(iol__out *out, const iol__command *command) {
    option_form form;
    for (int i = 0; i < OPT_COUNT; i++) {
        if (!option_of(command, i, &form)) continue;
        if (is_darshan_name(command))
            iol__out_printf(out, "complete -c %s", command->name);
        else
            iol__out_printf(out, "complete -c iolite -n '__fish_seen_subcommand_from %s'", command->name);
        iol__out_printf(out, " -l %s", form.name);
        if (form.letter) iol__out_printf(out, " -s %c", form.letter);
        if (form.argument) iol__out_text(out, " -r");
        iol__out_text(out, " -d '");
        for (const char *at = form.help; *at; at++) { /* quotes of fish differ from those of the others */
            if (*at == '\'' || *at == '\\') iol__out_char(out, '\\');
            iol__out_char(out, *at == '\n' ? ' ' : *at);
        }
        iol__out_text(out, "'\n");
    }
}

static void print_fish(iol__out *out) {
    iol__out_text(out, "# Completion of iolite for fish, made from its tables of commands and options.\n");
    for (size_t i = 0; i < n_commands; i++) {
        if (!is_darshan_name(&commands[i])) {
            iol__out_printf(out, "complete -c iolite -f -n __fish_use_subcommand -a %s -d '", commands[i].name);
            for (const char *at = commands[i].summary; *at; at++) {
                if (*at == '\'' || *at == '\\') iol__out_char(out, '\\');
                iol__out_char(out, *at);
            }
            iol__out_text(out, "'\n");
        }
        put_fish_options(out, &commands[i]);
    }
    iol__out_text(out, "complete -c iolite -n '__fish_seen_subcommand_from run doctor' -xa "
                       "'(__fish_complete_subcommand --fcs-skip=2)'\n");
}

bool print_completion(iol__out *out, const char *shell) {
    static const struct {
        const char *shell;
        void (*print)(iol__out *out);
    } shells[] = {{"bash", print_bash}, {"zsh", print_zsh}, {"fish", print_fish}};
    for (size_t i = 0; i < IOL_COUNT(shells); i++)
        if (strcmp(shells[i].shell, shell) == 0) {
            shells[i].print(out);
            return true;
        }
    return false;
}
