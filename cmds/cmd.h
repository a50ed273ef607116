/* What every subcommand has: a row in the table of iolite.c and one function that gets its parsed options.
   Options come from one table (options.def) that says which commands take them; parsing, --help and the
   documentation all follow from it. */
#ifndef IOL_CMDS_CMD_H
#define IOL_CMDS_CMD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "iolite/log.h"
#include "text/out.h"

/* Exit status: what scripts may rely on. */
enum {
    EXIT_DONE = 0,
    EXIT_FOUND = 1, /* the command looks for something, and found it */
    EXIT_USAGE = 2,
    EXIT_INPUT = 3,   /* something in the input could not be read; all that could be is delivered */
    EXIT_TROUBLE = 4, /* the system refused */
    /* `run` gives the program's own status, and these, which shells give too, where there is none. */
    EXIT_RUN_FAILED = 125,
    EXIT_CANNOT_RUN = 126,
    EXIT_NO_PROGRAM = 127,
};

enum {
#define GROUP(ident, heading) GROUP_##ident,
#include "cmds/groups.def"
#undef GROUP
    GROUP_COUNT
};

/* Their numbers, and one bit for each, so that an option row can name several. There are more than an int has bits (a C
   compiler of today takes wider constants here). */
enum {
#define COMMAND(group, ident, name, function, operands, summary, about) COMMAND_##ident,
#include "cmds/commands.def"
#undef COMMAND
    COMMAND_COUNT
};
_Static_assert(COMMAND_COUNT <= 64, "one bit per command");

enum {
#define COMMAND(group, ident, name, function, operands, summary, about) CMD_##ident = UINT64_C(1) << COMMAND_##ident,
#include "cmds/commands.def"
#undef COMMAND
};

enum {
#define OPTION(commands, ident, name, letter, argument, help) OPT_##ident,
#include "cmds/options.def"
#undef OPTION
    OPT_COUNT
};

typedef struct iol__args iol__args;

typedef struct iol__command {
    uint64_t bit;
    int group;
    const char *name;
    int (*run)(const iol__args *args);
    const char *operands;
    const char *summary;
    const char *about;
} iol__command;

extern const char *const group_headings[GROUP_COUNT];
extern const iol__command commands[];
extern const size_t n_commands;

/* The parsed command line. An option that may be repeated keeps all its values, in order. */
struct iol__args {
    const iol__command *command;
    bool given[OPT_COUNT];
    const char **values[OPT_COUNT];
    size_t n_values[OPT_COUNT];
    char **operands;
    size_t n_operands;
    size_t n_behind; /* operands behind a `--`, the last ones; 0 if there was none */
};

/* Parse what follows the command's name. Returns -1 to go on, else the exit status (help and version were printed, or
   the command line was wrong). */
int parse_arguments(const iol__command *command, int argc, char **argv, iol__args *args);
void free_arguments(iol__args *args);
/* True for the rows that stand for a program of that name. */
bool is_darshan_name(const iol__command *command);
/* An option as help shows it, "-m, --module NAME"; false if the command does not take it. */
enum { OPTION_TEXT = 64 };
bool describe_option(const iol__command *command, int option, char left[OPTION_TEXT], const char **help);
/* The same in parts. */
typedef struct option_form {
    const char *name, *argument, *help;
    int letter;
} option_form;
bool option_of(const iol__command *command, int option, option_form *form);
void print_help(iol__out *out, const iol__command *command);
void print_overview(iol__out *out);

/* The last value of an option, or NULL. */
const char *argument_value(const iol__args *args, int option);

/* Complain about the use of a command and return the right status (2, or 1 under a darshan-* name). */
int usage_error(const iol__args *args, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same about a command that is none, with the one that was probably meant. */
int no_such_command(const char *typed);

/* What --help and --version print, and their status. */
int print_command_page(const iol__command *command);
int print_command_version(const iol__command *command);

/* A line on standard error (iol__complain) of "iolite: ". */
void tell_stderr(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Print what is wrong with a log on standard error, after its readable part was delivered; EXIT_INPUT if anything is,
   else EXIT_DONE. */
int report_log_errors(const iol_log *log);
/* The same for one of many logs: by cause, as causes.h says. */
int report_log_causes(const iol_log *log);
/* Print why a log could not be opened; EXIT_INPUT. */
/* On standard output, where a JSON document about `path` (NULL: about several) was to be. */
void print_unreadable(const char *path, const iol_error *error);
int report_open_error(const iol_error *error);
/* Finish output: the status given, or EXIT_TROUBLE with a message if writing failed. */
int finish_output(iol__out *out, int status);

/* Colour only on a terminal, and never against NO_COLOR. */
bool use_colour(int fd);
/* Columns of the terminal, 80 where there is none. */
int terminal_columns(void);

/* Shell-style pattern match: `*`, `?`, `[...]`; a `*` also matches slashes. */
bool glob_matches(const char *pattern, const char *text);

#define COMMAND(group, ident, name, function, operands, summary, about) int function(const iol__args *args);
#include "cmds/commands.def"
#undef COMMAND

#endif
