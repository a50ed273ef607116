/* Functions of libraries that are not libc (tables.h). Nothing is linked to them: a call finds the function of the
   library that the program has loaded by then, and comes to ours only if it is that library's: a program may have
   functions of the same names that are its own, or two copies of a library. */
#ifndef IOL_RUNTIME_LAZY_H
#define IOL_RUNTIME_LAZY_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

enum {
#define LIBRARY(NAME, name, mark, before, behind) IOL_LIBRARY_##NAME,
#include "runtime/lazy/library.def"
#undef LIBRARY
    IOL_LIBRARIES
};

typedef struct iol__lazy_functions {
#define LAZY(type, name, parameters, arguments, library) type(*name) parameters;
#include "runtime/lazy/tables.h"
#undef LAZY
} iol__lazy_functions;

extern iol__lazy_functions iol__lazy;

/* Our functions have other names than the library's: what a program calls is in stubs.S, or, where the assembler has no
   part in it (IOL_BOUND, and programs that are linked with us: IOL_STATIC), in bound.c. */
#define IOL_STUBS (!IOL_STATIC && !IOL_BOUND)
#define lazy(name) (iol__lazy.name)
#define IOL_LAZY __attribute__((visibility("hidden"), used))
#define IOL_LAZY_NAME(name) __asm__("iol__lazy_seen_" #name)

#define LAZY(type, name, parameters, arguments, library) IOL_LAZY type name parameters IOL_LAZY_NAME(name);
#include "runtime/lazy/tables.h"
#undef LAZY

/* Another function, or variable, of a library that one of ours was called for; NULL: it has none of this name. */
void *iol__library_find(int library, const char *name);
void *iol__library_variable(int library, const char *name);

/* Called once for each library, when it is first used: look for what else is needed. False: it is not one that Iolite
   can record, and its calls are left alone from then on. */
bool iol__hdf5_bound(void);
bool iol__pnetcdf_bound(void);
bool iol__mpi_bound(void);
/* The function of the MPI plugin for a name; NULL: the real one. */
void *iol__mpi_wrapper(const char *name);

/* Weak references that ended at our names, although the program has no library with them, are taken back. */
void iol__lazy_hide(void);

#endif
