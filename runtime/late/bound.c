/* What programs call where there are no stubs of the assembler (stubs.S): a plain function for each line of tables.h,
   which goes where it was sent at its first call. So it knows the parameters, and a function of another library that
   has the same name has to have the same ones. */
#include "runtime/late/late.h"
#include "runtime/late/lookup.h"

#if !IOL_STUBS

enum {
#define LATE(type, name, parameters, arguments, library) NUMBER_##name,
#include "runtime/late/tables.h"
#undef LATE
    NUMBERS
};

void *iol__late_go[NUMBERS];

static void *where(uintptr_t number, const void *caller) {
    void *go_on = __atomic_load_n(&iol__late_go[number], __ATOMIC_ACQUIRE);
    return go_on ? go_on : iol__late_find(NULL, NULL, caller, number);
}

#define LATE(type, name, parameters, arguments, library)                                                 \
    __attribute__((visibility("default"))) type entry_##name parameters __asm__(#name);                  \
    type entry_##name parameters {                                                                       \
        type(*go_on) parameters = (type(*) parameters)where(NUMBER_##name, __builtin_return_address(0)); \
        return go_on arguments;                                                                          \
    }
#include "runtime/late/tables.h"
#undef LATE

const iol__late_row iol__late_table[] = {
#define LATE(type, name, parameters, arguments, library) \
    {#name, (void *)entry_##name, (void *)name, IOL_LIBRARY_##library},
#include "runtime/late/tables.h"
#undef LATE
};
const uint32_t iol__late_count = NUMBERS;

#endif
