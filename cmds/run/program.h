/* What a command line would start, and whether a preloaded library can be in it: the file that PATH leads to, the
   interpreter behind a script, and what the program's ELF headers say. */
#ifndef IOL_CMDS_PROGRAM_H
#define IOL_CMDS_PROGRAM_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "record/program.h"

typedef struct program {
    int error;             /* errno of the search: 0, ENOENT, EACCES, ... */
    char path[PATH_MAX];   /* the program that runs in the end */
    char script[PATH_MAX]; /* the script that names it, "" if it is started itself */
    bool elf;
    unsigned bits;   /* 32 or 64 */
    bool native;     /* the class and machine that this command was built for */
    bool privileged; /* setuid, setgid or with capabilities: the loader takes no library from the user */
    iol__program_libc libc;
    bool go;                           /* made by the Go compiler, whose own code never calls libc for I/O */
    char carried[IOL_PROGRAM_CARRIED]; /* the version of the Iolite that it is linked with, "" for none */
    char loader[IOL_PROGRAM_LOADER];   /* "" for none */
    char sanitizer[128];               /* the library of a sanitizer that it is built with, "" for none */
} program;

/* Looks at what `name` stands for. program.error says if it cannot be started. */
void inspect_program(const char *name, program *facts);

/* Whether it has instructions of its own that enter the kernel, and such that enter a ring of io_uring. */
typedef struct own_entries {
    bool calls, rings;
} own_entries;

/* Reads all of its code. */
own_entries find_own_entries(const program *facts);

/* Calls `each` for the functions that an ELF file imports (or exports); false if they cannot be read. */
bool list_symbols(const char *path, bool imported, void (*each)(void *context, const char *name), void *context);

#endif
