/* Functions of libraries that a program is linked with (runtime/lazy has the same for those that it loads). Which is
   the real one is known from the start: the members of libiolite.a brought it along. */
#include <string.h>

#include "runtime/core/core.h"
#include "runtime/core/real.h"
#include "runtime/lazy/lazy.h"
#include "runtime/lazy/lookup.h"
#include "runtime/lazy/spaces.h"

typedef enum static_lazy_state { NEW, BINDING, ON, OFF } static_lazy_state;

static int states[IOL_LIBRARIES];

/* Functions that our modules ask for by name: archive.sh makes the list. NULL: the program does not have this one. */
typedef struct asked {
    const char *name;
    void *function;
} asked;
extern const asked __start_iolite_asked[] __attribute__((visibility("hidden")));
extern const asked __stop_iolite_asked[] __attribute__((visibility("hidden")));

static bool ask_module(int number) {
    switch (number) {
    case IOL_LIBRARY_HDF5: return iol__hdf5_bound();
    case IOL_LIBRARY_PNETCDF: return iol__pnetcdf_bound();
    default: return true;
    }
}

/* A module looks around in its library when that is first used, and not before: HDF5 starts with the first question.
   Calls that come meanwhile go straight on. */
static int state_of(int number) {
    int expected = NEW;
    if (__atomic_load_n(&states[number], __ATOMIC_ACQUIRE) == NEW &&
        __atomic_compare_exchange_n(&states[number], &expected, BINDING, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        __atomic_store_n(&states[number], ask_module(number) ? ON : OFF, __ATOMIC_RELEASE);
    return __atomic_load_n(&states[number], __ATOMIC_ACQUIRE);
}

static void *real_of(uintptr_t number) {
    void **real = (void **)(void *)&iol__lazy + number;
    if (!*real) iol__real_find();
    return *real;
}

void *iol__lazy_find(const void *first, const void *second, const void *caller, uintptr_t number) {
    (void)first, (void)second, (void)caller;
    void *real = real_of(number);
    if (iol__core_state.phase == IOL_PHASE_BEFORE) return real;
    const int now = iol__core_state.present ? state_of((int)iol__lazy_table[number].library) : OFF;
    void *go_on = now == ON ? iol__lazy_ours((uint32_t)number) : real;
    if (now != BINDING) __atomic_store_n(&iol__lazy_go[number], go_on, __ATOMIC_RELEASE);
    return go_on;
}

void *iol__library_find(int library, const char *name) {
    for (uint32_t i = 0; i < iol__lazy_count; i++)
        if ((int)iol__lazy_table[i].library == library && strcmp(iol__lazy_name(i), name) == 0)
            return real_of(i) == (void *)iol__lazy_missing ? NULL : real_of(i);
    /* The linker puts both at the ends of one section. */
    // cppcheck-suppress comparePointers
    for (const asked *a = __start_iolite_asked; a < __stop_iolite_asked; a++)
        if (strcmp(a->name, name) == 0) return a->function;
    return NULL;
}

void *iol__library_variable(int library, const char *name) { return iol__library_find(library, name); }

/* What is linked is not loaded. */
unsigned iol__spaces_unseen(void) { return 0; }
