/* iolite kernel: a kernel for notebooks that is recorded. A running kernel cannot be, because a library has to be in a program
   from its start; so there is an entry in the menu of kernels that starts Python under `iolite run`. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/count.h"
#include "cmds/cmd.h"
#include "cmds/library.h"
#include "text/json.h"

/* The directory with Jupyter's data: that of a prefix, or the user's. */
static bool find_data(const iol__args *args, char path[PATH_MAX]) {
    const char *prefix = argument_value(args, OPT_KERNEL_PREFIX), *named = getenv("JUPYTER_DATA_DIR"),
               *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    int length = -1;
    if (prefix)
        length = snprintf(path, PATH_MAX, "%s/share/jupyter", prefix);
    else if (named && *named)
        length = snprintf(path, PATH_MAX, "%s", named);
    else if (data && *data)
        length = snprintf(path, PATH_MAX, "%s/jupyter", data);
    else if (home && *home)
        length = snprintf(path, PATH_MAX, "%s/.local/share/jupyter", home);
    return length > 0 && length < PATH_MAX - 64;
}

/* Makes the directories of a path, down to its last slash. */
static bool make_kernel_parents(char *path) {
    for (char *at = path + 1; *at; at++) {
        if (*at != '/') continue;
        *at = '\0';
        const bool made = mkdir(path, 0755) == 0 || errno == EEXIST;
        *at = '/';
        if (!made) return false;
    }
    return true;
}

static void put_kernel(iol__json *json, const char *prefix, const char *python) {
    char command[PATH_MAX + 16], packages[PATH_MAX + 32];
    snprintf(command, sizeof command, "%s/bin/iolite", prefix);
    snprintf(packages, sizeof packages, "%s/share/iolite/python", prefix);
    const char *const arguments[] = {
        command, "run", "--quiet", "--", python, "-m", "ipykernel_launcher", "-f", "{connection_file}"};
    iol__json_open(json, '{');
    iol__json_put_open(json, "argv", '[');
    for (size_t i = 0; i < IOL_COUNT(arguments); i++) iol__json_text(json, arguments[i]);
    iol__json_close(json, ']');
    iol__json_put_text(json, "display_name", "Python 3 (Iolite)");
    iol__json_put_text(json, "language", "python");
    iol__json_put_open(json, "env", '{');
    if (access(packages, R_OK) == 0) {
        const char *now = getenv("PYTHONPATH");
        char path[2 * PATH_MAX + 64];
        snprintf(path, sizeof path, "%s%s%.4000s", packages, now && *now ? ":" : "", now ? now : "");
        iol__json_put_text(json, "PYTHONPATH", path);
    }
    iol__json_close(json, '}');
    iol__json_put_open(json, "metadata", '{');
    iol__json_put_bool(json, "debugger", true);
    iol__json_close(json, '}');
    iol__json_close(json, '}');
}

static int write_kernel(const char *path, const char *prefix, const char *python) {
    iol__out out;
    iol__json json;
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (fd < 0) return errno;
    iol__out_open(&out, fd);
    iol__json_start(&json, &out, 2);
    put_kernel(&json, prefix, python);
    iol__json_finish(&json);
    const int error = iol__out_close(&out);
    return close(fd) != 0 && !error ? errno : error;
}

int cmd_kernel(const iol__args *args) {
    char path[PATH_MAX], prefix[PATH_MAX];
    const char *python = argument_value(args, OPT_KERNEL_PYTHON);
    if (args->n_operands != 1 || strcmp(args->operands[0], "install") != 0)
        return usage_error(args, "the one thing that can be done is 'install'");
    if (!find_data(args, path)) return usage_error(args, "there is no home directory: --prefix says where to install");
    if (!find_prefix(prefix)) {
        tell_stderr("where this command is installed cannot be found out");
        return EXIT_TROUBLE;
    }
    snprintf(path + strlen(path), 64, "/kernels/iolite/kernel.json");
    const int error = make_kernel_parents(path) ? write_kernel(path, prefix, python ? python : "python3") : errno;
    if (error) {
        tell_stderr("%s: %s", path, strerror(error));
        return EXIT_TROUBLE;
    }
    printf("%s\n", path);
    return EXIT_DONE;
}
