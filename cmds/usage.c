/* What is printed about a command line instead of running the command. */
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "cmds/cmd.h"
#include "text/text.h"

/* The release whose darshan-* tools ours equal. */
#define DARSHAN_RELEASE "3.5.0"

int usage_error(const iol__args *args, const char *format, ...) {
    const iol__command *command = args->command;
    bool darshan = is_darshan_name(command);
    char head[64];
    snprintf(head, sizeof head, "%s%s: ", darshan ? "" : "iolite ", command->name);
    va_list list;
    va_start(list, format);
    iol__vcomplain(head, format, list);
    va_end(list);
    iol__out out;
    iol__out_open(&out, STDERR_FILENO);
    if (darshan)
        print_help(&out, command);
    else
        iol__out_printf(&out, "Try 'iolite help %s'.\n", command->name);
    iol__out_close(&out);
    /* 2 could be the status of the program that was to be run. */
    if (command->bit == CMD_RUN) return EXIT_RUN_FAILED;
    return darshan ? 1 : EXIT_USAGE;
}

int print_command_page(const iol__command *command) {
    /* The tools whose names these are print their usage on standard error and call that a failure. */
    bool darshan = is_darshan_name(command);
    iol__out out;
    iol__out_open(&out, darshan ? STDERR_FILENO : STDOUT_FILENO);
    print_help(&out, command);
    return finish_output(&out, darshan ? 1 : EXIT_DONE);
}

int print_command_version(const iol__command *command) {
    if (is_darshan_name(command))
        puts(DARSHAN_RELEASE);
    else
        puts("iolite " IOLITE_VERSION);
    return fflush(stdout) == 0 ? EXIT_DONE : EXIT_TROUBLE;
}
