/* The tables of commands and options as manual pages: one for each command, which `man iolite-show` finds, and one that leads to
   them. */
#include "cmds/manual.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

/* A line of a manual page: hyphens of options stay hyphens, and nothing is taken for a request. */
static void man_line(iol__out *out, const char *text) {
    if (*text == '.' || *text == '\'') iol__out_text(out, "\\&");
    for (const char *at = text; *at; at++) {
        if (*at == '-' || *at == '\\') iol__out_char(out, '\\');
        iol__out_char(out, *at);
        if (*at == '\n' && (at[1] == '.' || at[1] == '\'')) iol__out_text(out, "\\&");
    }
    iol__out_char(out, '\n');
}

static void page_name(const iol__command *command, char name[64]) {
    snprintf(name, 64, "%s%s", !command || is_darshan_name(command) ? "" : "iolite-",
             command ? command->name : "iolite");
}

static void man_head(iol__out *out, const iol__command *command, const char *summary) {
    char name[64];
    page_name(command, name);
    iol__out_text(out, ".TH ");
    for (const char *at = name; *at; at++) iol__out_char(out, (char)(*at >= 'a' && *at <= 'z' ? *at - 'a' + 'A' : *at));
    iol__out_printf(out, " 1 \"\" \"Iolite %s\" \"Iolite\"\n.SH NAME\n", IOLITE_VERSION);
    iol__out_printf(out, "%s \\- ", name);
    man_line(out, summary);
}

static void man_options(iol__out *out, const iol__command *command) {
    char left[OPTION_TEXT];
    const char *help;
    iol__out_text(out, ".SH OPTIONS\n");
    for (int i = 0; i < OPT_COUNT; i++) {
        if (!describe_option(command, i, left, &help)) continue;
        iol__out_text(out, ".TP\n.B ");
        man_line(out, left);
        man_line(out, help);
    }
}

static const char exit_status[] =
    ".SH EXIT STATUS\n"
    "0 done, 1 found something where that is the question, 2 wrong use, 3 something in the input could\n"
    "not be read, 4 the system refused. run exits as its program does, or with 125, 126 or 127. The\n"
    "darshan\\-* names exit as the programs of these names do.\n";

static const char environment[] = ".SH ENVIRONMENT\n.TP\nNO_COLOR\nno colours, even on a terminal\n"
                                  ".TP\nTMPDIR\nwhere long pipes and merged records are kept for the moment\n"
                                  ".PP\nSettings of recorded programs are in\n.BR iolite.conf (5).\n";

/* The others of its group, and the pages of files. */
static void man_see_also(iol__out *out, const iol__command *command) {
    char name[64];
    iol__out_text(out, ".SH SEE ALSO\n");
    if (command) iol__out_text(out, ".BR iolite (1),\n");
    for (size_t i = 0; i < n_commands; i++) {
        if (&commands[i] == command || (command && commands[i].group != command->group)) continue;
        page_name(&commands[i], name);
        iol__out_text(out, ".BR ");
        for (const char *at = name; *at; at++) iol__out_printf(out, *at == '-' ? "\\-" : "%c", *at);
        iol__out_text(out, " (1),\n");
    }
    iol__out_text(out, ".BR iolite.conf (5),\n.BR iolite\\-site (5),\n.BR iolite\\-log (5),\n.BR iolite\\-rules (5)\n");
}

static void print_command_manual(iol__out *out, const iol__command *command) {
    man_head(out, command, command->summary);
    iol__out_printf(out, ".SH SYNOPSIS\n.B %s", is_darshan_name(command) ? "" : "iolite ");
    man_line(out, command->name);
    iol__out_text(out, "[options] ");
    man_line(out, command->operands);
    iol__out_text(out, ".SH DESCRIPTION\n");
    man_line(out, command->about);
    man_options(out, command);
    iol__out_text(out, exit_status);
    iol__out_text(out, environment);
    man_see_also(out, command);
}

void print_manual(iol__out *out, const iol__command *command) {
    if (command) {
        print_command_manual(out, command);
        return;
    }
    man_head(out, NULL, "what a program's I/O did, why it was slow and what to change");
    iol__out_text(out, ".SH SYNOPSIS\n.B iolite\n.I COMMAND\n[options] [operands]\n.SH DESCRIPTION\n"
                       "Each command has a page of its own:\n.BR \"man iolite\\-run\" .\n.SH COMMANDS\n");
    for (size_t i = 0; i < n_commands; i++) {
        if (i == 0 || commands[i].group != commands[i - 1].group) {
            iol__out_text(out, ".SS ");
            man_line(out, group_headings[commands[i].group]);
        }
        iol__out_text(out, ".TP\n.B ");
        man_line(out, commands[i].name);
        man_line(out, commands[i].summary);
    }
    iol__out_text(out, exit_status);
    iol__out_text(out, environment);
    man_see_also(out, NULL);
}

static int write_manual(const char *directory, const iol__command *command) {
    char path[PATH_MAX], name[64];
    page_name(command, name);
    const int length = snprintf(path, sizeof path, "%s/%s.1", directory, name);
    const int fd = length < PATH_MAX ? open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : -1;
    if (fd < 0) {
        tell_stderr("%s cannot be written: %s", path, length < PATH_MAX ? strerror(errno) : "the name is too long");
        return EXIT_TROUBLE;
    }
    iol__out out;
    iol__out_open(&out, fd);
    print_manual(&out, command);
    const int status = finish_output(&out, EXIT_DONE);
    return close(fd) == 0 ? status : EXIT_TROUBLE;
}

int write_manuals(const char *directory) {
    int status = write_manual(directory, NULL);
    for (size_t i = 0; i < n_commands && status == EXIT_DONE; i++) status = write_manual(directory, &commands[i]);
    return status;
}
