/* iolite help: the pages that --help prints, and the same as Markdown for the documentation. */
#include <stdio.h>
#include <unistd.h>

#include "cmds/cmd.h"

void print_overview(iol__out *out) {
    iol__out_text(out, "usage: iolite COMMAND [options] [operands]\n\n"
                       "Iolite shows what a program's I/O did, why it was slow and what to change.\n\n");
    for (size_t i = 0; i < n_commands; i++) iol__out_printf(out, "  %-20s %s\n", commands[i].name, commands[i].summary);
    iol__out_text(out, "\nA LOG is a file, or - for standard input. 'iolite help COMMAND' tells more.\n"
                       "Exit status: 0 done, 1 found something, 2 wrong use, 3 unreadable input, 4 system trouble.\n");
}

static int markdown(iol__out *out) {
    iol__out_text(out, "# Commands\n\nMade by `./dev docs` from the command and option tables; do not edit.\n\n```\n");
    print_overview(out);
    iol__out_text(out, "```\n");
    for (size_t i = 0; i < n_commands; i++) {
        bool darshan = is_darshan_name(&commands[i]);
        iol__out_printf(out, "\n## %s%s\n\n```\n", darshan ? "" : "iolite ", commands[i].name);
        print_help(out, &commands[i]);
        iol__out_text(out, "```\n");
    }
    return EXIT_DONE;
}

int cmd_help(const iol__args *args) {
    if (args->n_operands > 1) return usage_error(args, "one command at a time, please");
    iol__out out;
    iol__out_open(&out, STDOUT_FILENO);
    if (args->given[OPT_MARKDOWN]) return finish_output(&out, markdown(&out));
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
