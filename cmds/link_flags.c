/* iolite link-flags: options for the compiler, for programs that cannot be preloaded or are not to be. */
#include "cmds/link_flags.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cmds/cmd.h"
#include "cmds/library.h"
#include "report/json.h"

typedef struct places {
    char libraries[PATH_MAX], prefix[PATH_MAX];
} places;

static bool find_places(places *found) {
    if (!find_library(found->libraries) || !find_prefix(found->prefix)) return false;
    char *slash = strrchr(found->libraries, '/');
    if (slash) *slash = '\0';
    return true;
}

/* The static library comes with its options: neither is of use without the other. */
static bool has_static(const places *at) {
    char path[2 * PATH_MAX];
    snprintf(path, sizeof path, "%s/libiolite.a", at->libraries);
    if (access(path, R_OK) != 0) return false;
    snprintf(path, sizeof path, "%s/share/iolite/wrap.opts", at->prefix);
    return access(path, R_OK) == 0;
}

bool print_link_part(iol__out *out, link_part part) {
    places at;
    if (!find_places(&at)) return false;
    if (part >= LINK_PRE && part <= LINK_QUEUES && !has_static(&at)) return false;
    switch (part) {
    case LINK_DYNAMIC:
        iol__out_printf(out, "-L%s -Wl,-rpath,%s -Wl,--push-state,--no-as-needed -liolite -Wl,--pop-state",
                        at.libraries, at.libraries);
        break;
    case LINK_PRE:
        iol__out_printf(out, "-L%s -Wl,@%s/share/iolite/wrap.opts -l:libiolite.a", at.libraries, at.prefix);
        break;
    case LINK_POST: iol__out_printf(out, "-L%s -l:libiolite.a", at.libraries); break;
    case LINK_QUEUES: iol__out_printf(out, "-Wl,@%s/share/iolite/wrap-queues.opts", at.prefix); break;
    case LINK_CFLAGS: iol__out_printf(out, "-I%s/include", at.prefix); break;
    case LINK_DIRECTORY: iol__out_text(out, at.libraries); break;
    case LINK_DIRECTORIES: iol__out_printf(out, "-L%s", at.libraries); break;
    case LINK_NAME: iol__out_text(out, "-liolite"); break;
    }
    return true;
}

/* Which parts, in the order of a command line. */
static size_t choose(const iol__args *args, link_part parts[4]) {
    size_t n = 0;
    if (args->given[OPT_LINK_CFLAGS]) parts[n++] = LINK_CFLAGS;
    if (!args->given[OPT_STATIC]) {
        if (!n) parts[n++] = LINK_DYNAMIC;
        return n;
    }
    if (args->given[OPT_QUEUES]) parts[n++] = LINK_QUEUES;
    parts[n++] = args->given[OPT_LINK_POST] ? LINK_POST : LINK_PRE;
    return n;
}

static void print_json(iol__out *out, char *words) {
    iol__json json;
    iol__json_start(&json, out, 1);
    iol__json_open(&json, '{');
    iol__json_put_open(&json, "flags", '[');
    for (char *word; (word = strsep(&words, " ")) != NULL;) iol__json_text(&json, word);
    iol__json_close(&json, ']');
    iol__json_close(&json, '}');
    iol__json_finish(&json);
}

int cmd_link_flags(const iol__args *args) {
    link_part parts[4];
    if (args->n_operands) return usage_error(args, "there is nothing to name");
    if (!args->given[OPT_STATIC] && (args->given[OPT_LINK_POST] || args->given[OPT_QUEUES]))
        return usage_error(args, "--post and --queues are for --static");
    const size_t n = choose(args, parts);
    iol__out words, out;
    iol__out_open(&words, -1);
    for (size_t i = 0; i < n; i++) {
        if (i) iol__out_char(&words, ' ');
        if (print_link_part(&words, parts[i])) continue;
        fprintf(stderr, "iolite: there is no %s beside this command\n",
                parts[i] == LINK_DYNAMIC || parts[i] == LINK_CFLAGS ? "libiolite.so"
                                                                    : "libiolite.a with its wrap.opts");
        iol__out_close(&words);
        return EXIT_TROUBLE;
    }
    iol__out_char(&words, '\0');
    iol__out_open(&out, STDOUT_FILENO);
    if (args->given[OPT_JSON])
        print_json(&out, words.buffer);
    else
        iol__out_printf(&out, "%s\n", words.buffer);
    iol__out_close(&words);
    return finish_output(&out, EXIT_DONE);
}
