/* darshan-gen-cc.pl and the like: a script that stands in for a compiler of MPI programs and links what it makes with Iolite. What it says is
   settled when it is made, so that it goes on working wherever it is called. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/write_all.h"
#include "cmds/cmd.h"
#include "cmds/run/link_flags.h"
#include "cmds/run/program.h"

/* The absolute path of what would be called by this name. Links are not followed: compilers of MPI go by the name that they are called by. */
static bool find_compiler(const char *name, char path[PATH_MAX]) {
    program facts;
    inspect_program(name, &facts);
    const char *found = facts.script[0] ? facts.script : facts.path;
    if (facts.error && !facts.script[0]) return false;
    if (*found == '/') return snprintf(path, PATH_MAX, "%s", found) < PATH_MAX;
    char *here = getcwd(NULL, 0);
    const bool fits = here && snprintf(path, PATH_MAX, "%s/%s", here, found) < PATH_MAX;
    free(here);
    return fits;
}

/* One word for the shell, whatever is in it. */
static void put_shell_word(iol__out *out, const char *text) {
    iol__out_char(out, '\'');
    for (; *text; text++) {
        if (*text == '\'')
            iol__out_text(out, "'\\''");
        else
            iol__out_char(out, *text);
    }
    iol__out_char(out, '\'');
}

/* Two lists around the program's objects, or with no static library a complaint and none. */
static void put_static_call(iol__out *out, const char *mpi) {
    iol__out before, after;
    iol__out_open(&before, -1);
    iol__out_open(&after, -1);
    bool there = print_link_part(&before, LINK_PRE, "") && print_link_part(&after, LINK_POST, "");
    if (there && *mpi) {
        iol__out_char(&before, ' ');
        iol__out_char(&after, ' ');
        there = print_link_part(&before, LINK_MPI_PRE, mpi) && print_link_part(&after, LINK_MPI_POST, mpi);
    }
    if (there)
        iol__out_printf(out, "    exec \"$compiler\" %.*s \"$@\" %.*s\n", (int)before.length, before.buffer,
                        (int)after.length, after.buffer);
    else
        iol__out_text(
            out, "    echo 'iolite: this installation has no library for static programs: they are not recorded' >&2\n"
                 "    exec \"$compiler\" \"$@\"\n");
    iol__out_close(&before);
    iol__out_close(&after);
}

static bool put_wrapper(iol__out *out, const iol__args *args, const char *compiler) {
    const char *mpi = args->given[OPT_LINK_MPI] ? argument_value(args, OPT_LINK_MPI) : only_static_mpi();
    iol__out_printf(out, "#!/bin/sh\n# Made by %s: what is linked by this compiler is recorded by Iolite.\ncompiler=",
                    args->command->name);
    put_shell_word(out, compiler);
    iol__out_text(out, "\nlink=yes static=\n"
                       "for word do\n"
                       "    case $word in\n"
                       "    -c | -E | -S | -M | -MM | -fsyntax-only) link= ;;\n"
                       "    -static | -Bstatic | -static-pie) static=yes ;;\n"
                       "    esac\n"
                       "done\n"
                       "case $#,$1 in 0,* | 1,-*) link= ;; esac # it is asked for its version, or the like\n"
                       "[ \"$link\" ] || exec \"$compiler\" \"$@\"\n"
                       "if [ \"$static\" ]; then\n");
    put_static_call(out, mpi);
    iol__out_text(out, "fi\nexec \"$compiler\" \"$@\" ");
    if (!print_link_part(out, LINK_DYNAMIC, "")) return false;
    iol__out_char(out, '\n');
    return true;
}

static int write_wrapper(const char *path, const iol__out *text) {
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0777);
    struct stat found;
    bool good = fd >= 0 && iol__write_all(fd, text->buffer, text->length);
    /* An older file of this name may not have been a program. */
    good = good && fstat(fd, &found) == 0 && fchmod(fd, (found.st_mode & 07777) | ((found.st_mode & 0444) >> 2)) == 0;
    if (!good) tell_stderr("%s: %s", path, strerror(errno));
    if (fd >= 0) close(fd);
    return good ? EXIT_DONE : EXIT_TROUBLE;
}

int cmd_gen_compiler(const iol__args *args) {
    char compiler[PATH_MAX];
    if (args->n_operands != 1) return usage_error(args, "a compiler is needed");
    if (!find_compiler(args->operands[0], compiler)) return usage_error(args, "'%s' is no program", args->operands[0]);
    const char *path = argument_value(args, OPT_WRAPPER_OUTPUT);
    iol__out text;
    int status = EXIT_TROUBLE;
    iol__out_open(&text, path ? -1 : STDOUT_FILENO);
    if (!put_wrapper(&text, args, compiler)) {
        tell_stderr("there is no libiolite.so beside this command");
        iol__out_close(&text);
        return status;
    }
    if (!path) return finish_output(&text, EXIT_DONE);
    status = write_wrapper(path, &text);
    iol__out_close(&text);
    return status;
}
