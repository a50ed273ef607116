/* Known by their names: they are programs like others, and what they read and write is for the ranks. */
#include "record/starter.h"

#include <stddef.h>
#include <string.h>

static const char *const starters[] = {
    "mpirun", "mpiexec",    "orterun", "orted", "prte",  "prterun", "prted", "hydra_pmi_proxy", "hydra_bstrap_proxy",
    "srun",   "slurmstepd", "aprun",   "prun",  "jsrun", "ibrun",
};

/* There are mpirun.openmpi, mpiexec.hydra and others of the kind. */
bool iol__is_program(const char *command, const char *name) {
    const size_t word = strcspn(command, " "), known = strlen(name);
    const char *slash = memrchr(command, '/', word), *own = slash ? slash + 1 : command;
    const size_t length = word - (size_t)(own - command);
    return length >= known && memcmp(own, name, known) == 0 && (length == known || own[known] == '.');
}

bool iol__is_starter(const char *command) {
    for (size_t i = 0; i < sizeof starters / sizeof *starters; i++)
        if (iol__is_program(command, starters[i])) return true;
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
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (iol__is_program(command, commands[i])) return true;
    for (size_t i = 0; script && i < sizeof scripts / sizeof *scripts; i++)
        if (iol__is_program(script, scripts[i])) return true;
    return false;
}
