/* iolite link-flags: options for the compiler, for programs that cannot be preloaded or are not to be. */
#include "cmds/run/link_flags.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/count.h"
#include "cmds/cmd.h"
#include "cmds/library.h"
#include "text/json.h"

typedef struct link_flags_places {
    char libraries[PATH_MAX], prefix[PATH_MAX];
} link_flags_places;

static bool find_places(link_flags_places *found) {
    if (!find_library(found->libraries) || !find_prefix(found->prefix)) return false;
    char *slash = strrchr(found->libraries, '/');
    if (slash) *slash = '\0';
    return true;
}

static bool list_path(char path[PATH_MAX], const link_flags_places *at, const char *list) {
    char file[64];
    snprintf(file, sizeof file, "iolite/%s.opts", list);
    return installed_path(path, at->prefix, IOLITE_DATADIR, file);
}

/* The loader looks there without being told. */
static bool loader_knows(const char *directory) {
    static const char *const known[] = {
        "/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/lib/*-linux-gnu*", "/lib/*-linux-gnu*"};
    for (size_t i = 0; i < IOL_COUNT(known); i++)
        if (fnmatch(known[i], directory, FNM_PATHNAME) == 0) return true;
    return false;
}

/* A static library comes with its list: neither is of use without the other. */
static bool has_static(const link_flags_places *at, const char *library, const char *list) {
    char path[2 * PATH_MAX], options[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s.a", at->libraries, library);
    return access(path, R_OK) == 0 && list_path(options, at, list) && access(options, R_OK) == 0;
}

static void put_library(iol__out *out, const link_flags_places *at, const char *library) {
    iol__out_printf(out, "-L%s -l:%s.a", at->libraries, library);
}

static void put_link_flags_list(iol__out *out, const link_flags_places *at, const char *list) {
    char path[PATH_MAX];
    if (list_path(path, at, list)) iol__out_printf(out, "-Wl,@%s", path);
}

static void put_headers(iol__out *out, const link_flags_places *at) {
    char path[PATH_MAX];
    if (installed_path(path, at->prefix, IOLITE_INCLUDEDIR, ""))
        iol__out_printf(out, "-I%.*s", (int)strlen(path) - 1, path);
}

/* Forced into the program where the libraries that call it may stand behind. */
static bool put_mpi(iol__out *out, const link_flags_places *at, link_part part, const char *mpi) {
    char library[64], list[64];
    if (snprintf(library, sizeof library, "libiolite-mpi-%s", mpi) >= (int)sizeof library ||
        snprintf(list, sizeof list, "wrap-mpi-%s", mpi) >= (int)sizeof list || !has_static(at, library, list))
        return false;
    if (part != LINK_MPI_POST) put_link_flags_list(out, at, list);
    if (part == LINK_MPI) iol__out_text(out, " -Wl,--undefined=iolite_mpi_plugin ");
    if (part != LINK_MPI_PRE) put_library(out, at, library);
    return true;
}

bool print_link_part(iol__out *out, link_part part, const char *mpi) {
    link_flags_places at;
    if (!find_places(&at)) return false;
    if (part >= LINK_PRE && part <= LINK_MPI_POST && !has_static(&at, "libiolite", "wrap")) return false;
    switch (part) {
    case LINK_DYNAMIC:
        iol__out_printf(out, "-L%s ", at.libraries);
        if (!loader_knows(at.libraries)) iol__out_printf(out, "-Wl,-rpath,%s ", at.libraries);
        iol__out_text(out, "-Wl,--push-state,--no-as-needed -liolite -Wl,--pop-state");
        break;
    case LINK_PRE:
        put_link_flags_list(out, &at, "wrap");
        iol__out_char(out, ' ');
        put_library(out, &at, "libiolite");
        break;
    case LINK_POST: put_library(out, &at, "libiolite"); break;
    case LINK_QUEUES: put_link_flags_list(out, &at, "wrap-queues"); break;
    case LINK_HDF5: put_link_flags_list(out, &at, "wrap-hdf5"); break;
    case LINK_PNETCDF: put_link_flags_list(out, &at, "wrap-pnetcdf"); break;
    case LINK_MPI:
    case LINK_MPI_PRE:
    case LINK_MPI_POST: return put_mpi(out, &at, part, mpi);
    case LINK_CFLAGS: put_headers(out, &at); break;
    case LINK_DIRECTORY: iol__out_text(out, at.libraries); break;
    case LINK_DIRECTORIES: iol__out_printf(out, "-L%s", at.libraries); break;
    case LINK_NAME: iol__out_text(out, "-liolite"); break;
    }
    return true;
}

const char *only_static_mpi(void) {
    static const char *const known[] = {"mpich", "openmpi"};
    const char *only = "";
    link_flags_places at;
    if (!find_places(&at)) return only;
    for (size_t i = 0; i < IOL_COUNT(known); i++) {
        iol__out nowhere;
        iol__out_open(&nowhere, -1);
        const bool there = put_mpi(&nowhere, &at, LINK_MPI, known[i]);
        iol__out_close(&nowhere);
        if (there && *only) return "";
        if (there) only = known[i];
    }
    return only;
}

enum { MOST_PARTS = 6 };

/* Which parts, in the order of a command line: lists first, a library behind what needs it. */
static size_t link_flags_choose(const iol__args *args, link_part parts[MOST_PARTS]) {
    const bool post = args->given[OPT_LINK_POST];
    size_t n = 0;
    if (args->given[OPT_LINK_CFLAGS]) parts[n++] = LINK_CFLAGS;
    if (!args->given[OPT_STATIC]) {
        if (!n) parts[n++] = LINK_DYNAMIC;
        return n;
    }
    if (args->given[OPT_QUEUES]) parts[n++] = LINK_QUEUES;
    if (args->given[OPT_LINK_HDF5]) parts[n++] = LINK_HDF5;
    if (args->given[OPT_LINK_PNETCDF]) parts[n++] = LINK_PNETCDF;
    if (args->given[OPT_LINK_MPI]) parts[n++] = post ? LINK_MPI_POST : LINK_MPI;
    parts[n++] = post ? LINK_POST : LINK_PRE;
    return n;
}

static bool wants_static(const iol__args *args) {
    static const int options[] = {OPT_LINK_POST, OPT_QUEUES, OPT_LINK_HDF5, OPT_LINK_PNETCDF, OPT_LINK_MPI};
    for (size_t i = 0; i < IOL_COUNT(options); i++)
        if (args->given[options[i]]) return true;
    return false;
}

static const char *what_is_missing(link_part part) {
    if (part == LINK_DYNAMIC || part == LINK_CFLAGS) return "libiolite.so";
    return part == LINK_MPI || part == LINK_MPI_POST ? "libiolite-mpi-*.a for this MPI"
                                                     : "libiolite.a with its wrap.opts";
}

static void print_link_flags_json(iol__out *out, char *words) {
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
    link_part parts[MOST_PARTS];
    if (args->n_operands) return usage_error(args, "there is nothing to name");
    if (!args->given[OPT_STATIC] && wants_static(args))
        return usage_error(args, "--post, --mpi, --hdf5, --pnetcdf and --queues are for --static");
    const size_t n = link_flags_choose(args, parts);
    iol__out words, out;
    iol__out_open(&words, -1);
    for (size_t i = 0; i < n; i++) {
        if (i) iol__out_char(&words, ' ');
        if (print_link_part(&words, parts[i], argument_value(args, OPT_LINK_MPI))) continue;
        tell_stderr("there is no %s beside this command", what_is_missing(parts[i]));
        iol__out_close(&words);
        return EXIT_TROUBLE;
    }
    iol__out_char(&words, '\0');
    iol__out_open(&out, STDOUT_FILENO);
    if (args->given[OPT_JSON])
        print_link_flags_json(&out, words.buffer);
    else
        iol__out_printf(&out, "%s\n", words.buffer);
    iol__out_close(&words);
    return finish_output(&out, EXIT_DONE);
}
