/* What the commands do alike: report errors, finish output, know the terminal. */
#include <errno.h>
#include <fnmatch.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cmds/causes.h"
#include "cmds/cmd.h"
#include "text/json.h"
#include "text/text.h"
#include "report/log_json.h"

void print_unreadable(const char *path, const iol_error *error) {
    iol__out out;
    iol__json json;
    iol__out_open(&out, STDOUT_FILENO);
    iol__json_start(&json, &out, 2);
    iol__json_unreadable(&json, path, error);
    iol__json_finish(&json);
    iol__out_close(&out);
}

void tell_stderr(const char *format, ...) {
    va_list list;
    va_start(list, format);
    iol__vcomplain("iolite: ", format, list);
    va_end(list);
}

int report_open_error(const iol_error *error) {
    if (cause_is_to_be_named(error->message)) tell_stderr("%s", error->message);
    return EXIT_INPUT;
}

int report_log_errors(const iol_log *log) {
    size_t count = iol_log_error_count(log);
    const iol_error *error;
    size_t shown = 0;
    while ((error = iol_log_error(log, shown)) != NULL) {
        tell_stderr("%s", error->message);
        shown++;
    }
    if (count > shown) tell_stderr("%s: and %zu more", iol_log_info(log)->path, count - shown);
    return count ? EXIT_INPUT : EXIT_DONE;
}

int report_log_causes(const iol_log *log) {
    const iol_error *error;
    for (size_t i = 0; (error = iol_log_error(log, i)) != NULL; i++)
        if (cause_is_to_be_named(error->message)) tell_stderr("%s", error->message);
    return iol_log_error_count(log) ? EXIT_INPUT : EXIT_DONE;
}

int finish_output(iol__out *out, int status) {
    int error = iol__out_close(out);
    if (!error) return status;
    tell_stderr("cannot write the output: %s", strerror(error));
    return EXIT_TROUBLE;
}

bool use_colour(int fd) {
    const char *no = getenv("NO_COLOR");
    return isatty(fd) && !(no && *no);
}

int terminal_columns(void) {
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 20) return size.ws_col;
    return 80;
}

bool glob_matches(const char *pattern, const char *text) { return fnmatch(pattern, text, 0) == 0; }
