/* Functions of libraries that are not libc (late.def). Nothing is linked to them: late(io_submit)(...) finds the one of
   the library that the program has loaded, by then. */
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

/* Finds one, and puts it into its place. */
void iol__late_find(void *into, const char *name, const char *library);

#define LATE(type, name, parameters, arguments, library) \
    static inline void iol__late_find_##name(void) { iol__late_find(&iol__late.name, #name, library); }
#include "runtime/posix/late.def"
#undef LATE

#define late(name) (__builtin_expect(iol__late.name != NULL, 1) ? (void)0 : iol__late_find_##name(), iol__late.name)

#define LATE(type, name, parameters, arguments, library) type name parameters;
#include "runtime/posix/late.def"
#undef LATE

#endif
