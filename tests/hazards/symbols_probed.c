/* A program that can do without MPI, HDF5, PnetCDF or libaio looks whether they are there, in each of the ways to look.
   They are not, and Iolite, which has functions of these names, must not make it believe so.
   LINK -ldl
   EXPECT POSIX out.dat POSIX_WRITES = 1 */
#include <dlfcn.h>

#include "tests/hazards/hazard.h"

int MPI_Init(int *argc, char ***argv) __attribute__((weak));
int PMPI_File_open(void) __attribute__((weak));
int H5Fcreate(void) __attribute__((weak));
int ncmpi_open(void) __attribute__((weak));
int io_submit(void) __attribute__((weak));

static int (*const in_data[])(void) = {H5Fcreate, ncmpi_open, io_submit, PMPI_File_open};

static const char *word(const void *address) { return address ? "there" : "absent"; }

int main(void) {
    static const char *const names[] = {"MPI_Init",  "PMPI_Init", "MPI_File_write_at_all_c", "H5Dwrite", "ncmpi_close",
                                        "io_submit", "printf"};
    say("referred to: %s %s", word((void *)MPI_Init), word((void *)PMPI_File_open));
    for (size_t i = 0; i < sizeof in_data / sizeof *in_data; i++) say("in a table: %s", word((void *)in_data[i]));
    void *self = dlopen(NULL, RTLD_NOW);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        say("%s: %s", names[i], word(dlsym(RTLD_DEFAULT, names[i])));
        say("why: %s", word(dlerror()));
        say("by the program's handle: %s", word(dlsym(self, names[i])));
        say("behind: %s", word(dlsym(RTLD_NEXT, names[i])));
        dlerror();
    }
    say("a name that is none: %s", word(dlsym(RTLD_DEFAULT, "MPI_Nothing")));
    say("why: %s", word(dlerror()));
    put(fresh("out.dat"), 5);
    return 0;
}
