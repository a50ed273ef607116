/* What a program that is linked with Iolite calls in the place of MPI's functions, by either of their names: the option
   --wrap of the linker leads here. All registers stay as they are; mpi.c says where to go on. */
#define MPI_STUB(name) entry __wrap_MPI_##name, __wrap_PMPI_##name ;
#define MPI_STUB4(name) MPI_STUB(name)

    .set number, 0
    .hidden iol__mpi_go
    .text

#if defined(__x86_64__)
.macro go_on
    endbr64
    jmp *iol__mpi_go + 8 * number(%rip)
.endm
#elif defined(__aarch64__)
.macro go_on
    hint #34
    adrp x16, iol__mpi_go + 8 * number
    add x16, x16, :lo12:iol__mpi_go + 8 * number
    ldr x16, [x16]
    br x16
.endm
#endif

.macro entry name, profiled
    .p2align 3
    .globl \name, \profiled
    .type \name, %function
    .type \profiled, %function
\name:
\profiled:
    go_on
    .size \name, . - \name
    .size \profiled, . - \profiled
    .set number, number + 1
.endm

#include "runtime/mpi/names.def"

    .section .note.GNU-stack, "", %progbits
