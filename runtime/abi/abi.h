/* The MPI at hand, as its own header describes it. This code is not linked with it: the library is the one that the
   program has, wherever that was loaded, and its functions are called through a table. The exceptions are programs that
   are linked with all of it (IOL_STATIC, runtime/static), and processors for which there are no stubs (IOL_BOUND). */
#ifndef IOL_RUNTIME_ABI_H
#define IOL_RUNTIME_ABI_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/mpi/plugin.h"

/* Large counts and sessions. */
#define IOL_MPI_4 (MPI_VERSION >= 4)

#ifdef OPEN_MPI
#define IOL_ABI "openmpi"
#else
#define IOL_ABI "mpich"
#endif

/* Open MPI's handles are addresses of variables inside its library; these are found like its functions. */
#if defined(OPEN_MPI) && !IOL_STATIC && !IOL_BOUND
typedef struct iol__abi_handles {
#define HANDLE(name) void *name;
#include "runtime/abi/handles.def"
#undef HANDLE
} iol__abi_handles;
extern iol__abi_handles iol__handles;
#undef OMPI_PREDEFINED_GLOBAL
#define OMPI_PREDEFINED_GLOBAL(type, global) ((type)iol__handles.global)
#endif

typedef struct iol__abi_functions {
#define MPI_CALL(name) __typeof__(MPI_##name) *name;
#define MPI_NEED(name) MPI_CALL(name)
#include "runtime/abi/symbols.def"
#undef MPI_CALL
#undef MPI_NEED
} iol__abi_functions;
extern iol__abi_functions iol__abi;
/* An exception that an error handler of the program throws passes through the functions that called MPI. Each of them
   says where it is to be notified of that (unwound.c), in the tables that are read then. */
__attribute__((always_inline)) static inline void iol__abi_unwinding(void) {
#ifdef __GCC_HAVE_DWARF2_CFI_ASM
    __asm__ volatile(".cfi_personality 0x1b, iol__abi_unwound"); /* relative, 4 bytes */
#endif
}
/* The real function, past all tools. */
#define mpi(name) (iol__abi_unwinding(), iol__abi.name)

/* Fills the table. */
bool iol__abi_find(const iol__mpi_core *core);

extern const iol__mpi_core *iol__core_calls; /* NULL: nobody listens */

/* How deep a thread is in wrapped calls: what MPI, or a binding of it, calls inside is not the program's. */
extern __thread unsigned iol__abi_depth;
static inline bool iol__abi_outermost(void) { return iol__abi_depth == 0 && iol__core_calls; }
static inline void iol__abi_enter(void) { iol__abi_depth++; }
/* It is 0 already where a callback of the program has caught an exception in the meantime. */
static inline void iol__abi_leave(void) { iol__abi_depth -= iol__abi_depth > 0; }

/* A call that is not looked at: what MPI does inside of it is not the program's all the same. */
#define iol__abi_inside(call)          \
    ({                                 \
        iol__abi_enter();              \
        const int its_result = (call); \
        iol__abi_leave();              \
        its_result;                    \
    })

/* Of a type that the program may have made, or MPI's own. */
static inline MPI_Count iol__abi_size(MPI_Datatype type) {
    MPI_Count size = 0;
    if (type == MPI_BYTE) return 1;
#if !defined(OPEN_MPI) && !defined(MPI_ABI_VERSION)
    /* Handles of basic types bear their size; 0 if this machine has no such type. */
    enum { KIND = 0x7f000000, BASIC = 0x4c000000, SIZE = 0xff00 };
    if ((type & KIND) == BASIC && type > 0 && (type & SIZE)) return (type & SIZE) >> 8;
#endif
    return mpi(Type_size_x)(type, &size) == MPI_SUCCESS ? size : 0;
}

/* Bytes of so many of a type, which the standard allows to be more than an int can hold even where the count is one. */
static inline int64_t iol__abi_bytes(MPI_Count count, MPI_Datatype type) {
    int64_t bytes;
    const MPI_Count size = count <= 0 || type == MPI_DATATYPE_NULL ? 0 : iol__abi_size(type);
    if (size <= 0) return 0;
    return __builtin_mul_overflow((int64_t)count, (int64_t)size, &bytes) ? INT64_MAX : bytes;
}

/* wrap_NAME stands for MPI_NAME. Without stubs to lead to it, it has that name. */
#if IOL_BOUND
#define WRAPPED(name) __typeof__(MPI_##name) wrap_##name __asm__("MPI_" #name) __attribute__((visibility("default")));
#define COMPLETES(name) __typeof__(MPI_##name) wrap_##name; /* behind those of messages.c */
#else
#define WRAPPED(name) __typeof__(MPI_##name) wrap_##name;
#define COMPLETES(name) WRAPPED(name)
#endif
#include "runtime/abi/wrapped.def"
#undef WRAPPED
#undef COMPLETES

/* What stands before a function when MPI's statistics are wanted; NULL: nothing. */
void *iol__message_wrapper(const char *name);

/* Messages between ranks on a communicator of their own. False: not all ranks came in time. */
bool iol__abi_connect(iol__transport *transport, double seconds);

#endif
