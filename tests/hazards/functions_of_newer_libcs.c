/* Iolite has functions of C libraries newer than the one that is here. A program that looks whether there is such a function,
   by a weak reference or by asking the loader, gets the answer that it would get without Iolite.
   LINK -ldl
   EXPECT POSIX seen.dat POSIX_BYTES_WRITTEN = 1 */
#include <dlfcn.h>

#include "tests/hazards/hazard.h"

/* clang-format off */
#define NAMES(NAME)                                                          \
    NAME(closefrom) NAME(close_range) NAME(execveat) NAME(fstat64)           \
    NAME(lio_listio64) NAME(mknodat) NAME(move_mount) NAME(pidfd_open)       \
    NAME(shm_open) NAME(statx) NAME(__isoc23_fscanf) NAME(__isoc23_vwscanf)
/* clang-format on */

#define NAME(name) extern char weakly_##name[] __asm__(#name) __attribute__((weak));
NAMES(NAME)
#undef NAME

static const struct {
    const char *name, *weak;
} names[] = {
#define NAME(name) {#name, weakly_##name},
    NAMES(NAME)
#undef NAME
};

int main(void) {
    void *program = dlopen(NULL, RTLD_NOW);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        printf("%s: linked %s, found %s, found in the program %s\n", names[i].name, names[i].weak ? "yes" : "no",
               dlsym(RTLD_DEFAULT, names[i].name) ? "yes" : "no", dlsym(program, names[i].name) ? "yes" : "no");
    put(fresh("seen.dat"), 1);
    return 0;
}
