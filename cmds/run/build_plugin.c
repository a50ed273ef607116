/* iolite build-plugin: a plugin for an MPI that was not there when Iolite was built. Its source is installed with the product;
   what compiles it is a script beside it, because that is all that it takes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmds/cmd.h"
#include "cmds/library.h"

static bool find_script(char path[PATH_MAX]) {
    char prefix[PATH_MAX];
    return find_prefix(prefix) && installed_path(path, prefix, IOLITE_DATADIR, "iolite/build-plugin") &&
           access(path, R_OK) == 0;
}

/* Beside the library, which looks nowhere else. */
static bool find_target(const iol__args *args, char path[PATH_MAX]) {
    const char *given = argument_value(args, OPT_PLUGIN_INTO);
    if (given) return snprintf(path, PATH_MAX, "%s", given) < PATH_MAX;
    if (!find_library(path)) return false;
    char *slash = strrchr(path, '/');
    if (slash) *slash = 0;
    return slash != NULL;
}

int cmd_build_plugin(const iol__args *args) {
    char script[PATH_MAX] = "", into[PATH_MAX];
    const size_t wrappers = args->n_values[OPT_PLUGIN_MPICC];
    if (args->n_operands) return usage_error(args, "no operand is expected: --mpicc names the compiler wrapper");
    if (!find_script(script)) {
        tell_stderr("the source of plugins is not installed here: %s", script);
        return EXIT_TROUBLE;
    }
    if (!find_target(args, into)) {
        tell_stderr("there is no libiolite.so to put a plugin beside");
        return EXIT_TROUBLE;
    }
    const char **words = calloc(wrappers + 5, sizeof *words);
    if (!words) return EXIT_TROUBLE;
    size_t n = 0;
    words[n++] = "sh";
    words[n++] = script;
    words[n++] = into;
    if (!wrappers) words[n++] = "mpicc";
    for (size_t i = 0; i < wrappers; i++) words[n++] = args->values[OPT_PLUGIN_MPICC][i];
    execv("/bin/sh", (char *const *)(uintptr_t)words);
    tell_stderr("/bin/sh: %m");
    free(words);
    return EXIT_TROUBLE;
}
