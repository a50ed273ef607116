/* The real functions of a program that Iolite is linked into. There is nobody to ask for them at run time: each wrapped
   name is a member of libiolite.a of its own (archive.sh), which brings the address of the real function along when the
   program calls that name. So a program is linked with what it uses, and never with what its C library does not have. */
#include "runtime/core/real.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>

#include "runtime/custom/custom.h"
#include "runtime/core/guard.h"
#include "runtime/lazy/lazy.h"
#include "runtime/lazy/lookup.h"

/* Both tables, laid out by the assembler so that each place has a name that the members can give. */
#define PLACE(name) ".globl iol__slot_" #name "\niol__slot_" #name ": .skip 8\n"
#define TABLE(name) ".balign 8\n.globl " #name "\n.hidden " #name "\n.type " #name ", @object\n" #name ":\n"
#define FUNCTION(type, name, parameters) PLACE(name)
#define LAZY(type, name, parameters, arguments, library) PLACE(name)
__asm__(".pushsection .bss\n" /* */
        TABLE(iol__real)
#include "runtime/functions.h"
            ".skip 8\n" /* open_streams */
        TABLE(iol__lazy)
#include "runtime/lazy/tables.h"
            ".popsection\n");
#undef FUNCTION
#undef LAZY

enum {
    REAL = sizeof(iol__functions) / sizeof(void *) - 1,
    LATER = sizeof(iol__lazy_functions) / sizeof(void *),
};

#define FUNCTION(type, name, parameters) +1
#define LAZY(type, name, parameters, arguments, library) +1
_Static_assert(sizeof(void *) == 8 && REAL == 0
#include "runtime/functions.h"
               ,
               "as many places as the assembler has");
_Static_assert(LATER == 0
#include "runtime/lazy/tables.h"
               ,
               "as many places as the assembler has");
#undef FUNCTION
#undef LAZY

/* What a member brings. A program may have a function of the same name that is its own (a getline of two arguments is
   in many a textbook): libc's is recognised by a second name of it, where it has one. Where libc is a shared library,
   which does not show all of them, and others may stand before it, it is not a part of the program. */
typedef struct bond {
    void **place; /* in a table; NULL for functions that ours never calls */
    void *function;
    void *libc;        /* the same function by the other name */
    uintptr_t checked; /* whether there is one */
    void *go_on; /* where calls of the wrapped name go: our function. NULL: nowhere, it is only needed by others */
} bond;

extern bond __start_iolite_bonds[] __attribute__((weak, visibility("hidden")));
extern bond __stop_iolite_bonds[] __attribute__((weak, visibility("hidden")));
extern FILE *open_streams __asm__("_IO_list_all") __attribute__((weak));
extern char __executable_start[] __attribute__((weak)), etext[] __attribute__((weak));

#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#define HAVE_2_32 1 /* of glibc */
#else
#define HAVE_2_32 0
#endif

static void find_variables(void) {
#if HAVE_2_32
    iol__single_threaded_set(&__libc_single_threaded);
#endif
}

const char *iol__error_text(int error) {
#if HAVE_2_32
    return strerrordesc_np(error);
#else
    (void)error;
    return NULL;
#endif
}

static long missing(void) {
    errno = ENOSYS;
    return -1;
}

long iol__lazy_missing(void) { return -ENOSYS; }

static bool is_programs_own(const bond *b) {
    if (!b->checked || b->libc == b->function) return false;
    const uintptr_t at = (uintptr_t)b->function;
    return getauxval(AT_BASE) == 0 || (at >= (uintptr_t)__executable_start && at < (uintptr_t)etext);
}

const iol__functions *iol__real_find(void) {
    void **real = (void **)(void *)&iol__real, **lazy = (void **)(void *)&iol__lazy;
    /* The linker puts both at the ends of one section. */
    // cppcheck-suppress comparePointers
    for (bond *b = __start_iolite_bonds; b < __stop_iolite_bonds; b++) {
        if (b->place) *b->place = b->function;
        if (b->go_on && is_programs_own(b)) b->go_on = b->function;
    }
    for (int i = 0; i < REAL; i++)
        if (!real[i]) real[i] = (void *)missing;
    for (int i = 0; i < LATER; i++)
        if (!lazy[i]) lazy[i] = (void *)iol__lazy_missing;
    iol__real.ftello64 = ftello64; /* needed by us, wrapped by nobody */
    iol__real.open_streams = &open_streams;
    find_variables();
    return &iol__real;
}

/* Modules that are shared objects cannot be loaded here; a static program has those that it is linked with. */
void iol__custom_load(const iol__config *config) { (void)config; }

/* What tells a program that carries Iolite: `iolite doctor` looks for this note. */
__asm__(".pushsection .note.iolite, \"a\", @note\n"
        "  .balign 4\n  .long 2f - 1f, 4f - 3f, 1\n"
        "1: .asciz \"Iolite\"\n2: .balign 4\n3: .asciz \"" IOLITE_VERSION "\"\n4: .balign 4\n"
        ".popsection\n");
