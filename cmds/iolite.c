/* iolite: one program, many subcommands. Called as darshan-parser and the like it is that program. */
#include <signal.h>
#include <stdio.h>

#include "cmds/causes.h"
#include "cmds/cmd.h"
#include "cmds/settings.h"

static const iol__command *find_command(const char *name) {
    for (size_t i = 0; i < n_commands; i++)
        if (strcmp(commands[i].name, name) == 0) return &commands[i];
    return NULL;
}

static int cmds_iolite_run(const iol__command *command, int argc, char **argv) {
    iol__args args;
    int status = parse_arguments(command, argc, argv, &args);
    if (status < 0) status = command->run(&args);
    report_other_causes();
    free_arguments(&args);
    return status;
}

static int overview(int fd, int status) {
    iol__out out;
    iol__out_open(&out, fd);
    print_overview(&out);
    return finish_output(&out, status);
}

int main(int argc, char **argv) {
    /* A reader that goes away and a file that may not grow show as errors of write(), and are reported as such. A program that
       is run gets the signals as they were, so that command does this by itself. */
    if (argc < 2 || strcmp(argv[1], "run") != 0) {
        signal(SIGPIPE, SIG_IGN);
        signal(SIGXFSZ, SIG_IGN);
    }
    if (argc < 2 || strcmp(argv[1], "run") != 0) refuse_odd_zone();
    const char *slash = argc ? strrchr(argv[0], '/') : NULL;
    const iol__command *alias = argc ? find_command(slash ? slash + 1 : argv[0]) : NULL;
    if (alias && is_darshan_name(alias)) return cmds_iolite_run(alias, argc, argv);

    if (argc < 2) return overview(2, EXIT_USAGE);
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) return overview(1, EXIT_DONE);
    if (strcmp(argv[1], "--version") == 0) {
        puts("iolite " IOLITE_VERSION);
        return fflush(stdout) == 0 ? EXIT_DONE : EXIT_TROUBLE;
    }
    const iol__command *command = find_command(argv[1]);
    if (command) return cmds_iolite_run(command, argc - 1, argv + 1);
    return no_such_command(argv[1]);
}
