/* Known by their names: they are programs like others, and what they read and write is for the ranks. */
#include "record/starter.h"

#include <stddef.h>
#include <string.h>

static const char *const starters[] = {
    "mpirun", "mpiexec",    "orterun", "orted", "prte",  "prterun", "prted", "hydra_pmi_proxy", "hydra_bstrap_proxy",
    "srun",   "slurmstepd", "aprun",   "prun",  "jsrun", "ibrun",
};

/* There are mpirun.openmpi, mpiexec.hydra and others of the kind. */
/* The name of the program in a command line. */
typedef struct own_name {
    const char *text;
    size_t length;
} own_name;

static own_name name_in(const char *command) {
    own_name own = {command, 0};
    const char *c = command;
    for (; *c && *c != ' '; c++)
        if (*c == '/') own.text = c + 1;
    own.length = (size_t)(c - own.text);
    return own;
}

static bool is_named(own_name own, const char *name) {
    const size_t known = strlen(name);
    return own.length >= known && memcmp(own.text, name, known) == 0 && (own.length == known || own.text[known] == '.');
}

bool iol__is_program(const char *command, const char *name) { return is_named(name_in(command), name); }

bool iol__is_starter(const char *command) {
    const own_name own = name_in(command);
    for (size_t i = 0; i < sizeof starters / sizeof *starters; i++)
        if (is_named(own, starters[i])) return true;
    return false;
}

bool iol__is_wrapper(const char *command) {
    static const char *const wrappers[] = {
        "sh",      "bash",    "rbash",   "dash",   "ash",     "zsh",     "ksh",         "mksh",         "csh",
        "tcsh",    "fish",    "env",     "nice",   "nohup",   "time",    "sudo",        "su",           "setsid",
        "timeout", "numactl", "taskset", "stdbuf", "setpriv", "flux",    "singularity", "apptainer",    "runc",
        "podman",  "ch-run",  "shifter", "enroot", "bwrap",   "unshare", "sleep",       "slurm_script",
    };
    for (size_t i = 0; i < sizeof wrappers / sizeof *wrappers; i++)
        if (iol__is_program(*command == '-' ? command + 1 : command, wrappers[i])) return true;
    return false;
}

bool iol__is_own(const char *command, const char *script) {
    static const char *const commands[] = {
        "iolite",        "darshan-parser", "darshan-dxt-parser", "darshan-convert",
        "darshan-merge", "darshan-diff",   "darshan-analyzer",   "darshan-config",
    };
    static const char *const scripts[] = {"iolite-task-prolog", "iolite-epilog", "iolite-site-report"};
    const own_name own = name_in(command);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (is_named(own, commands[i])) return true;
    for (size_t i = 0; script && i < sizeof scripts / sizeof *scripts; i++)
        if (iol__is_program(script, scripts[i])) return true;
    return false;
}
