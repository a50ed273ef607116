/* iolite site-setup: puts a machine in order for Iolite. What is to be written are small text files, and looking at a machine is what a
   shell does best: a script beside the product does it, which a site can read before it lets it run. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/count.h"
#include "cmds/cmd.h"
#include "cmds/library.h"

enum { FIXED = 10 };

int cmd_site_setup(const iol__args *args) {
    static const struct {
        int option;
        const char *word;
    } switches[] = {{OPT_SETUP_DRY_RUN, "--dry-run"}, {OPT_SETUP_REMOVE, "--remove"}, {OPT_DEFAULT_ON, "--default-on"}};
    static const struct {
        int option;
        const char *word;
    } valued[] = {{OPT_SETUP_LOGS, "--logs"}, {OPT_MONITOR, "--monitor"}, {OPT_SETUP_ROOT, "--root"}};
    char prefix[PATH_MAX], script[PATH_MAX];
    size_t n = 0, most = FIXED;
    if (args->n_operands) return usage_error(args, "there is nothing to name here");
    if (args->given[OPT_SETUP_DRY_RUN] && args->given[OPT_SETUP_REMOVE])
        return usage_error(args, "--dry-run shows what would be written; --remove writes nothing");
    if (!find_prefix(prefix) || !installed_path(script, prefix, IOLITE_DATADIR, "iolite/iolite-site-setup") ||
        access(script, X_OK) != 0) {
        tell_stderr("iolite-site-setup is not there: it comes with the component 'site' of an installation");
        return EXIT_TROUBLE;
    }
    for (size_t i = 0; i < IOL_COUNT(valued); i++) most += 2 * args->n_values[valued[i].option];
    const char **words = calloc(most, sizeof *words);
    if (!words) return EXIT_TROUBLE;
    words[n++] = script;
    for (size_t i = 0; i < IOL_COUNT(switches); i++)
        if (args->given[switches[i].option]) words[n++] = switches[i].word;
    for (size_t i = 0; i < IOL_COUNT(valued); i++)
        for (size_t k = 0; k < args->n_values[valued[i].option]; k++) {
            words[n++] = valued[i].word;
            words[n++] = args->values[valued[i].option][k];
        }
    execv(script, (char *const *)words);
    tell_stderr("%s cannot be started: %s", script, strerror(errno));
    free(words);
    return EXIT_TROUBLE;
}
