/* genlog: a log, or a folder of logs, of any size, for measurements and tests. `genlog --help` shows the
   description. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/support/generate.h"

enum {
    OPT_RANKS = 1,
    OPT_FILES,
    OPT_SHARED,
    OPT_MODULES,
    OPT_TRACES,
    OPT_HEATMAP,
    OPT_SEED,
    OPT_LAYOUT,
    OPT_VALUES,
    OPT_COMPRESSION,
    OPT_ONE_STREAM,
    OPT_FORCE,
    OPT_HELP
};

static const struct option options[] = {
    {"ranks", required_argument, NULL, OPT_RANKS},
    {"files", required_argument, NULL, OPT_FILES},
    {"shared", required_argument, NULL, OPT_SHARED},
    {"modules", required_argument, NULL, OPT_MODULES},
    {"traces", required_argument, NULL, OPT_TRACES},
    {"heatmap", no_argument, NULL, OPT_HEATMAP},
    {"seed", required_argument, NULL, OPT_SEED},
    {"layout", required_argument, NULL, OPT_LAYOUT},
    {"values", required_argument, NULL, OPT_VALUES},
    {"compression", required_argument, NULL, OPT_COMPRESSION},
    {"one-stream", no_argument, NULL, OPT_ONE_STREAM},
    {"force", no_argument, NULL, OPT_FORCE},
    {"help", no_argument, NULL, OPT_HELP},
    {0},
};

static const char usage[] =
    "genlog [options] OUT\n"
    "  --ranks N         ranks of the job (1)\n"
    "  --files N         files used by one rank each, over all ranks (100)\n"
    "  --shared N        files used by every rank (0)\n"
    "  --modules LIST    modules with a record per file: POSIX,MPI-IO,STDIO,LUSTRE,... (POSIX)\n"
    "  --traces N        traced operations per rank (0)\n"
    "  --heatmap         one heat map a rank\n"
    "  --seed N          another seed, other numbers (42)\n"
    "  --layout L        finished: one log; mapped: a folder with one mapped log per rank of an MPI job;\n"
    "                    per-process: the same for programs without MPI;\n"
    "                    run: the folder of a run of Iolite, its processes in a spool\n"
    "  --values V        synthetic: few different ones; real: times as clocks give them\n"
    "  --compression C   zlib, bzip2, none or zstd, of a finished log\n"
    "  --one-stream      one compressed stream a module\n"
    "  --force           replace a finished log that exists\n";

static void refuse(const char *option, const char *value) {
    fprintf(stderr, "genlog: --%s does not take '%s'\n%s", option, value, usage);
    exit(2);
}

static uint64_t number(const char *option, const char *text) {
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (!*text || *end || errno || *text == '-') refuse(option, text);
    return value;
}

static uint64_t modules(char *list) {
    uint64_t slots = 0;
    for (char *name = strsep(&list, ","); name; name = strsep(&list, ",")) {
        int slot = iol_module_find(name);
        if (!gen_possible(slot)) refuse("modules", name);
        slots |= UINT64_C(1) << slot;
    }
    return slots;
}

static size_t word(const char *option, const char *text, const char *const *words) {
    for (size_t i = 0; words[i]; i++)
        if (strcmp(text, words[i]) == 0) return i;
    refuse(option, text);
    return 0;
}

static void take(int option, char *text, gen_plan *plan) {
    static const iol_compression methods[] = {IOL_ZLIB, IOL_BZIP2, IOL_UNCOMPRESSED, IOL_ZSTD};
    static const char *const method_names[] = {"zlib", "bzip2", "none", "zstd", NULL};
    static const char *const layouts[] = {"finished", "mapped", "per-process", "run", NULL};
    static const char *const values[] = {"synthetic", "real", NULL};
    switch (option) {
    case OPT_RANKS: plan->ranks = number("ranks", text); break;
    case OPT_FILES: plan->files = number("files", text); break;
    case OPT_SHARED: plan->shared = number("shared", text); break;
    case OPT_MODULES: plan->modules = modules(text); break;
    case OPT_TRACES: plan->segments = number("traces", text); break;
    case OPT_HEATMAP: plan->heatmap = true; break;
    case OPT_SEED: plan->seed = number("seed", text); break;
    case OPT_LAYOUT: plan->layout = (gen_layout)word("layout", text, layouts); break;
    case OPT_VALUES: plan->real = word("values", text, values) == 1; break;
    case OPT_COMPRESSION: plan->write.compression = methods[word("compression", text, method_names)]; break;
    case OPT_ONE_STREAM: plan->write.one_stream = true; break;
    case OPT_FORCE: plan->write.replace = true; break;
    case OPT_HELP: fputs(usage, stdout); exit(0);
    default: fputs(usage, stderr); exit(2);
    }
}

int main(int argc, char **argv) {
    gen_plan plan = {.ranks = 1, .files = 100, .modules = UINT64_C(1) << iol_module_find("POSIX"), .seed = 42};
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) take(option, optarg, &plan);
    if (optind + 1 != argc) {
        fputs(usage, stderr);
        return 2;
    }
    if (plan.ranks == 0) refuse("ranks", "0");
    if (plan.layout != GEN_FINISHED && mkdir(argv[optind], 0777) != 0 && errno != EEXIST) {
        fprintf(stderr, "genlog: cannot make %s: %m\n", argv[optind]);
        return 4;
    }
    iol_error error;
    if (gen_write(&plan, argv[optind], &error)) return 0;
    fprintf(stderr, "genlog: %s\n", error.message);
    return 4;
}
