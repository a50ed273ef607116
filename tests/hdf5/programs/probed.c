/* A program that looks which functions its HDF5 has, by name and by weak references: those that came with 1.12 and 1.14
   are not there, whatever Iolite has of that name.
   LINK -ldl
   EXPECT H5F f.h5 H5F_OPENS = 1 */
#include <dlfcn.h>

#include "tests/hdf5/programs/program.h"

/* By names of their own here: the headers of newer releases declare them. */
int read_multi(void) __asm__("H5Dread_multi") __attribute__((weak));
int open_by_token(void) __asm__("H5Oopen_by_token") __attribute__((weak));

int main(void) {
    static const char *const names[] = {"H5Dread",          "H5Fopen",        "H5Dflush",       "H5Dread_multi",
                                        "H5Oopen_by_token", "H5Dwrite_multi", "H5Dread_chunk2", "H5Dread_chunk"};
    say("referred to: %d %d", read_multi != NULL, open_by_token != NULL);
    CHECK(H5Fclose(new_file("f.h5")) >= 0);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        say("%s: %s", names[i], dlsym(RTLD_DEFAULT, names[i]) ? "there" : "absent");
    return 0;
}
