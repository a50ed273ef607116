/* What programs call where there are no stubs of the assembler (stubs.S): a plain function for each line of tables.h,
   which goes where it was sent at its first call. So it knows the parameters, and a function of another library that
   has the same name has to have the same ones. */
#include "runtime/lazy/lazy.h"
#include "runtime/lazy/lookup.h"

#if !IOL_STUBS

enum {
#define LAZY(type, name, parameters, arguments, library) NUMBER_##name,
#include "runtime/lazy/tables.h"
#undef LAZY
    NUMBERS
};

void *iol__lazy_go[NUMBERS];

static void *where(uintptr_t number, const void *caller) {
    void *go_on = __atomic_load_n(&iol__lazy_go[number], __ATOMIC_ACQUIRE);
    return go_on ? go_on : iol__lazy_find(NULL, NULL, caller, number);
}

#define LAZY(type, name, parameters, arguments, library)                                                 \
    __attribute__((visibility("default"))) type entry_##name parameters __asm__(#name);                  \
    type entry_##name parameters {                                                                       \
        type(*go_on) parameters = (type(*) parameters)where(NUMBER_##name, __builtin_return_address(0)); \
        return go_on arguments;                                                                          \
    }
#include "runtime/lazy/tables.h"
#undef LAZY

const iol__lazy_row iol__lazy_table[] = {
#define LAZY(type, name, parameters, arguments, library) \
    {#name, (void *)entry_##name, (void *)name, IOL_LIBRARY_##library},
#include "runtime/lazy/tables.h"
#undef LAZY
};
const uint32_t iol__lazy_count = NUMBERS;

#endif
