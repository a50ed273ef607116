/* Known by their names: they are programs like others, and what they read and write is for the ranks. */
#include "record/starter.h"

#include <stddef.h>
#include <string.h>

static const char *const starters[] = {
    "mpirun", "mpiexec",    "orterun", "orted", "prte",  "prterun", "prted", "hydra_pmi_proxy", "hydra_bstrap_proxy",
    "srun",   "slurmstepd", "aprun",   "prun",  "jsrun",
};

bool iol__is_starter(const char *command) {
    const size_t word = strcspn(command, " ");
    const char *slash = memrchr(command, '/', word), *name = slash ? slash + 1 : command;
    const size_t length = word - (size_t)(name - command);
    for (size_t i = 0; i < sizeof starters / sizeof *starters; i++) {
        const size_t known = strlen(starters[i]);
        /* There are mpirun.openmpi, mpiexec.hydra and others of the kind. */
        if (length >= known && memcmp(name, starters[i], known) == 0 && (length == known || name[known] == '.'))
            return true;
    }
    return false;
}
