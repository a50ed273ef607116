/* iolite help: the pages that --help prints, and the same as Markdown for the documentation and as a manual page. */
#include <stdio.h>
#include <unistd.h>

#include "cmds/cmd.h"

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

/* A line of a manual page: hyphens of options stay hyphens, and nothing is taken for a request. */
static void man_line(iol__out *out, const char *text) {
    if (*text == '.' || *text == '\'') iol__out_text(out, "\\&");
    for (; *text; text++) {
        if (*text == '-' || *text == '\\') iol__out_char(out, '\\');
        iol__out_char(out, *text);
    }
    iol__out_char(out, '\n');
}

static void man_command(iol__out *out, const iol__command *command) {
    char left[OPTION_TEXT], usage[128];
    const char *help;
    snprintf(usage, sizeof usage, "%s%s [options]%s%s", program_of(command), command->name,
             *command->operands ? " " : "", command->operands);
    iol__out_text(out, ".SS ");
    man_line(out, usage);
    man_line(out, command->about);
    for (int i = 0; i < OPT_COUNT; i++) {
        if (i == OPT_HELP || i == OPT_VERSION || !describe_option(command, i, left, &help)) continue;
        iol__out_text(out, ".TP\n");
        man_line(out, left);
        man_line(out, help);
    }
}

static int man_page(iol__out *out) {
    iol__out_text(out, ".TH IOLITE 1 \"\" \"iolite " IOLITE_VERSION "\"\n"
                       ".SH NAME\niolite \\- what a program's I/O did, why it was slow and what to change\n"
                       ".SH SYNOPSIS\n.B iolite\n.I COMMAND\n[options] [operands]\n.SH COMMANDS\n");
    for (size_t i = 0; i < n_commands; i++) man_command(out, &commands[i]);
    iol__out_text(out,
                  ".SH EXIT STATUS\n"
                  "0 done, 1 found something where that is the question, 2 wrong use, 3 something in the input could\n"
                  "not be read, 4 the system refused. run exits as its program does, or with 125, 126 or 127. The\n"
                  "darshan\\-* names exit as the programs of these names do.\n"
                  ".SH ENVIRONMENT\n.TP\nNO_COLOR\nno colours, even on a terminal\n"
                  ".TP\nTMPDIR\nwhere long pipes and merged records are kept for the moment\n");
    return EXIT_DONE;
}

int cmd_help(const iol__args *args) {
    if (args->n_operands > 1) return usage_error(args, "only one command is expected");
    iol__out out;
    iol__out_open(&out, STDOUT_FILENO);
    if (args->given[OPT_MARKDOWN]) return finish_output(&out, markdown(&out));
    if (args->given[OPT_MAN]) return finish_output(&out, man_page(&out));
    if (args->n_operands == 0) {
        print_overview(&out);
        return finish_output(&out, EXIT_DONE);
    }
    for (size_t i = 0; i < n_commands; i++) {
        if (strcmp(commands[i].name, args->operands[0]) != 0) continue;
        print_help(&out, &commands[i]);
        return finish_output(&out, EXIT_DONE);
    }
    iol__out_close(&out);
    return usage_error(args, "there is no command '%s'", args->operands[0]);
}
