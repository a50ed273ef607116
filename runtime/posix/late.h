/* Functions of libraries that are not libc (late.def). Nothing is linked to them: a call finds the one of the library
   that the program has loaded by then, and comes to our function only if it is that library's: a program may have
   functions of the same names that are its own. */
#ifndef IOL_RUNTIME_LATE_H
#define IOL_RUNTIME_LATE_H

#include <signal.h>
#include <stddef.h>
#include <time.h>

typedef struct iol__late_functions {
#define LATE(type, name, parameters, arguments, library) type(*name) parameters;
#include "runtime/posix/late.def"
#undef LATE
} iol__late_functions;

extern iol__late_functions iol__late;

/* Where a program is linked with us, its linker decides; else late.c has what the program calls, and our functions have
   other names behind it. */
#ifdef IOL_STATIC
#include "runtime/core/real.h"
#define late(name) (iol__late.name ? (void)0 : (void)iol__real_find(), iol__late.name)
#define IOL_LATE __attribute__((visibility("default")))
#define IOL_LATE_NAME(name)
#else
#define late(name) (iol__late.name)
#define IOL_LATE __attribute__((visibility("hidden"), used))
#define IOL_LATE_NAME(name) __asm__("iol__late_seen_" #name)
#endif

#define LATE(type, name, parameters, arguments, library) IOL_LATE type name parameters IOL_LATE_NAME(name);
#include "runtime/posix/late.def"
#undef LATE

#endif
