/* bin/iolite: `run`, and a door to all other commands.
   `run` is started before every program that it records, so it must start fast: this program holds only what a silent run
   needs. Everything else, and a run that has something to say, is done by the program with all commands, which takes our
   place. */
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "cmds/cmd.h"
#include "cmds/library.h"
#include "cmds/run/run_program.h"
#include "cmds/settings.h"

static char **arguments;

/* Returns with errno if that program cannot be started. */
static void front_hand_over(void) {
    char path[PATH_MAX];
    const size_t inner = sizeof "/" IOLITE_ALL_COMMANDS;
    errno = ENOENT;
    if (!find_prefix(path) || strlen(path) + inner > sizeof path) return;
    strcat(path, "/" IOLITE_ALL_COMMANDS);
    execv(path, arguments);
}

static int leave_to_all_commands(int status) {
    front_hand_over();
    fprintf(stderr, "iolite: " IOLITE_ALL_COMMANDS " of this installation cannot be started: %s\n", strerror(errno));
    return status;
}

static void front_complain(const char *text) {
    front_hand_over();
    complain_on_stderr(text);
}

/* What parsing would print. */
int usage_error(const iol__args *args, const char *format, ...) {
    (void)args;
    (void)format;
    return leave_to_all_commands(EXIT_RUN_FAILED);
}

int print_command_page(const iol__command *command) {
    (void)command;
    return leave_to_all_commands(EXIT_TROUBLE);
}

int print_command_version(const iol__command *command) { return print_command_page(command); }

int main(int argc, char **argv) {
    static const iol__command command = {.bit = CMD_RUN, .name = "run"};
    static const run_words words = {.hand_over = front_hand_over, .complain = front_complain};
    iol__args args;
    arguments = argv;
    if (argc < 2 || strcmp(argv[1], command.name) != 0) return leave_to_all_commands(EXIT_TROUBLE);
    int status = parse_arguments(&command, argc - 1, argv + 1, &args);
    if (status < 0) {
        status = run_program(&args, &words);
        free_arguments(&args);
    }
    return status;
}
