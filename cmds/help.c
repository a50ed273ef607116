/* iolite help: the pages that --help prints, and the same as Markdown for the documentation; manual.c and completion.c have the
   other forms. */
#include <stdio.h>
#include <unistd.h>

#include "cmds/cmd.h"
#include "cmds/manual.h"
#include "cmds/near.h"

enum { WIDTH = 79, HELP_COLUMN = 27 };

/* Words of a text, on lines of at most WIDTH columns, each but the first behind `indent` blanks. */
static void print_wrapped(iol__out *out, const char *text, size_t column, size_t indent) {
    bool first = true;
    while (*text) {
        size_t length = strcspn(text, " \n");
        if (!first && column + 1 + length > WIDTH) {
            iol__out_char(out, '\n');
            iol__out_repeat(out, ' ', indent);
            column = indent;
            first = true;
        }
        if (!first) iol__out_char(out, ' ');
        column += length + !first;
        iol__out_bytes(out, text, length);
        first = false;
        text += length;
        while (*text == ' ' || *text == '\n') text++;
    }
    iol__out_char(out, '\n');
}

static const char *program_of(const iol__command *command) { return is_darshan_name(command) ? "" : "iolite "; }

void print_help(iol__out *out, const iol__command *command) {
    char left[OPTION_TEXT];
    const char *help;
    iol__out_printf(out, "usage: %s%s [options]%s%s\n\n", program_of(command), command->name,
                    *command->operands ? " " : "", command->operands);
    print_wrapped(out, command->about, 0, 0);
    iol__out_text(out, "\noptions:\n");
    for (int i = 0; i < OPT_COUNT; i++) {
        if (!describe_option(command, i, left, &help)) continue;
        iol__out_printf(out, "  %-24s ", left);
        print_wrapped(out, help, HELP_COLUMN, HELP_COLUMN);
    }
}

void print_overview(iol__out *out) {
    iol__out_text(out, "usage: iolite COMMAND [options] [operands]\n\n"
                       "Iolite shows what a program's I/O did, why it was slow and what to change.\n\n");
    for (size_t i = 0; i < n_commands; i++) {
        if (i == 0 || commands[i].group != commands[i - 1].group)
            iol__out_printf(out, "%s%s:\n", i ? "\n" : "", group_headings[commands[i].group]);
        iol__out_printf(out, "  %-22s %s\n", commands[i].name, commands[i].summary);
    }
    iol__out_text(out, "\nA LOG is a file, or - for standard input. 'iolite help COMMAND' says more.\n"
                       "Exit status: 0 done, 1 found something, 2 wrong use, 3 unreadable input,\n"
                       "4 system trouble.\n");
}

static int markdown(iol__out *out) {
    iol__out_text(out, "# Commands\n\nMade by `./dev docs` from the command and option tables; do not edit.\n\n```\n");
    print_overview(out);
    iol__out_text(out, "```\n");
    for (size_t i = 0; i < n_commands; i++) {
        iol__out_printf(out, "\n## %s%s\n\n```\n", program_of(&commands[i]), commands[i].name);
        print_help(out, &commands[i]);
        iol__out_text(out, "```\n");
    }
    return EXIT_DONE;
}

int no_such_command(const char *typed) {
    near_name near = {.typed = typed};
    look_at_name(&near, "--help");
    look_at_name(&near, "--version");
    for (size_t i = 0; i < n_commands; i++) look_at_name(&near, commands[i].name);
    const char *meant = meant_name(&near);
    if (meant)
        tell_stderr("there is no command '%s'. Did you mean '%s'?", typed, meant);
    else
        tell_stderr("there is no command '%s'. Try 'iolite help'.", typed);
    return EXIT_USAGE;
}

static int print_page_in(const iol__args *args, const iol__command *command) {
    iol__out out;
    iol__out_open(&out, STDOUT_FILENO);
    const char *shell = argument_value(args, OPT_COMPLETION);
    bool known = true;
    if (shell)
        known = print_completion(&out, shell);
    else if (args->given[OPT_MAN])
        print_manual(&out, command);
    else if (command)
        print_help(&out, command);
    else
        print_overview(&out);
    if (known) return finish_output(&out, EXIT_DONE);
    iol__out_close(&out);
    return usage_error(args, "there is completion for bash, zsh and fish, not for '%s'", shell);
}

int cmd_help(const iol__args *args) {
    const iol__command *command = NULL;
    if (args->n_operands > 1) return usage_error(args, "only one command is expected");
    if (args->given[OPT_MAN_PAGES]) return write_manuals(argument_value(args, OPT_MAN_PAGES));
    if (args->given[OPT_MARKDOWN]) {
        iol__out out;
        iol__out_open(&out, STDOUT_FILENO);
        return finish_output(&out, markdown(&out));
    }
    for (size_t i = 0; args->n_operands && !command && i < n_commands; i++)
        if (strcmp(commands[i].name, args->operands[0]) == 0) command = &commands[i];
    if (args->n_operands && !command) return no_such_command(args->operands[0]);
    return print_page_in(args, command);
}
