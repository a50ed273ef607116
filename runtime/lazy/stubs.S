/* What programs call: for each function of tables.h, and of MPI under both of its names, an entry that keeps all
   registers, because what is behind may have any parameters. It jumps to where lazy.c sent it at the first call; before
   that, and for functions that are to be found again each time, it asks. For other processors there is bound.c.
   And where our wrappers go: for each function of libc that we wrap an entry that stands for it in iol__real until it is
   called (runtime/lazy/real.c). */
#if !IOL_BOUND
#define LIBRARY(NAME, name, mark, before, behind) .set iol__library_##NAME, lazy_number ; .set lazy_number, lazy_number + 1 ;
#define LAZY(type, name, parameters, arguments, library) lazy_entry name, iol__library_##library, iol__lazy_seen_##name ;
#define MPI_STUB(name) lazy_entry MPI_##name, iol__library_MPI, iol__lazy_none ; lazy_entry PMPI_##name, iol__library_MPI, iol__lazy_none ;
#define MPI_STUB4(name) MPI_STUB(name)

    .set lazy_number, 0
#include "runtime/lazy/library.def"
    .set lazy_number, 0

/* A row of the table: from its beginning to the name, to this entry, to our function (itself: none); and the library. */
.macro lazy_row name, library, ours
    .hidden \ours
    .section .rodata.iol__lazy_names, "a"
2:  .asciz "\name"
    .section .rodata.iol__lazy_table, "a"
    .long 2b - iol__lazy_table, 3b - iol__lazy_table, \ours - iol__lazy_table, \library
    .text
    .set lazy_number, lazy_number + 1
.endm

    .section .rodata.iol__lazy_table, "a"
    .balign 8
    .hidden iol__lazy_table, iol__lazy_none, iol__lazy_go, iol__lazy_count, iol__lazy_find, iol__dlsym_where
    .globl iol__lazy_table, iol__lazy_none, iol__lazy_go, iol__lazy_count
iol__lazy_table:
iol__lazy_none:
    .text

#if defined(__x86_64__)
.macro lazy_entry name, library, ours
    .p2align 4
    .globl \name
    .type \name, @function
\name:
3:
    endbr64
    movq iol__lazy_go + 8 * lazy_number(%rip), %r11
    testq %r11, %r11
    je 1f
    jmp *%r11
1:  movl $lazy_number, %r11d
    jmp iol__lazy_first
    .size \name, . - \name
    lazy_row \name, \library, \ours
.endm

/* Everything that may carry an argument is kept while `where` is asked, with %r11 and the caller for arguments. */
.macro ask where
    .cfi_startproc
    pushq %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset %rbp, -16
    movq %rsp, %rbp
    .cfi_def_cfa_register %rbp
    pushq %rax
    pushq %rdi
    pushq %rsi
    pushq %rdx
    pushq %rcx
    pushq %r8
    pushq %r9
    pushq %r10
    subq $128, %rsp
    movups %xmm0, (%rsp)
    movups %xmm1, 16(%rsp)
    movups %xmm2, 32(%rsp)
    movups %xmm3, 48(%rsp)
    movups %xmm4, 64(%rsp)
    movups %xmm5, 80(%rsp)
    movups %xmm6, 96(%rsp)
    movups %xmm7, 112(%rsp)
    movq 8(%rbp), %rdx
    movq %r11, %rcx
    call \where
    movq %rax, %r11
    movups (%rsp), %xmm0
    movups 16(%rsp), %xmm1
    movups 32(%rsp), %xmm2
    movups 48(%rsp), %xmm3
    movups 64(%rsp), %xmm4
    movups 80(%rsp), %xmm5
    movups 96(%rsp), %xmm6
    movups 112(%rsp), %xmm7
    addq $128, %rsp
    popq %r10
    popq %r9
    popq %r8
    popq %rcx
    popq %rdx
    popq %rsi
    popq %rdi
    popq %rax
    popq %rbp
    .cfi_def_cfa %rsp, 8
    jmp *%r11
    .cfi_endproc
.endm

    .type iol__lazy_first, @function
iol__lazy_first:
    ask iol__lazy_find
    .size iol__lazy_first, . - iol__lazy_first

.macro real_entry
    .p2align 4
    endbr64
    movl $real_number, %r11d
    jmp iol__real_first
    .set real_number, real_number + 1
.endm

    .section .text.iol__real_entries, "ax", @progbits
    .type iol__real_first, @function
iol__real_first:
    ask iol__real_bind
    .size iol__real_first, . - iol__real_first
    .text

/* A program that asks the loader for one of our names gets the answer that it would have got without us. */
    .globl dlsym
    .type dlsym, @function
dlsym:
    endbr64
    ask iol__dlsym_where
    .size dlsym, . - dlsym

#elif defined(__aarch64__)
.macro lazy_entry name, library, ours
    .p2align 3
    .globl \name
    .type \name, %function
\name:
3:
    hint #34
    adrp x16, iol__lazy_go + 8 * lazy_number
    ldr x17, [x16, :lo12:iol__lazy_go + 8 * lazy_number]
    cbz x17, 1f
    br x17
1:  mov w16, #lazy_number
    b iol__lazy_first
    .size \name, . - \name
    lazy_row \name, \library, \ours
.endm

.macro ask where
    .cfi_startproc
    stp x29, x30, [sp, #-224]!
    .cfi_def_cfa_offset 224
    .cfi_offset x29, -224
    .cfi_offset x30, -216
    mov x29, sp
    stp x0, x1, [sp, #16]
    stp x2, x3, [sp, #32]
    stp x4, x5, [sp, #48]
    stp x6, x7, [sp, #64]
    str x8, [sp, #80]
    stp q0, q1, [sp, #96]
    stp q2, q3, [sp, #128]
    stp q4, q5, [sp, #160]
    stp q6, q7, [sp, #192]
    mov x2, x30
    mov x3, x16
    bl \where
    mov x17, x0
    ldp x0, x1, [sp, #16]
    ldp x2, x3, [sp, #32]
    ldp x4, x5, [sp, #48]
    ldp x6, x7, [sp, #64]
    ldr x8, [sp, #80]
    ldp q0, q1, [sp, #96]
    ldp q2, q3, [sp, #128]
    ldp q4, q5, [sp, #160]
    ldp q6, q7, [sp, #192]
    ldp x29, x30, [sp], #224
    .cfi_def_cfa_offset 0
    .cfi_restore x29
    .cfi_restore x30
    br x17
    .cfi_endproc
.endm

    .type iol__lazy_first, %function
iol__lazy_first:
    ask iol__lazy_find
    .size iol__lazy_first, . - iol__lazy_first

.macro real_entry
    .p2align 4
    hint #34
    mov w16, #real_number
    b iol__real_first
    .set real_number, real_number + 1
.endm

    .section .text.iol__real_entries, "ax", %progbits
    .type iol__real_first, %function
iol__real_first:
    ask iol__real_bind
    .size iol__real_first, . - iol__real_first
    .text

    .globl dlsym
    .type dlsym, %function
dlsym:
    hint #34
    ask iol__dlsym_where
    .size dlsym, . - dlsym
#endif

#include "runtime/lazy/tables.h"
#include "runtime/mpi/names.def"

#define FUNCTION(type, name, parameters) real_entry ;
    .section .text.iol__real_entries
    .set real_number, 0
    .hidden iol__real_entries, iol__real_bind
    .globl iol__real_entries
    .p2align 4
iol__real_entries:
#include "runtime/functions.h"
    .p2align 4

    .bss
    .balign 8
iol__lazy_go:
    .skip 8 * lazy_number + 8
    .section .rodata.iol__lazy_count, "a"
    .balign 4
iol__lazy_count:
    .long lazy_number
#endif
    .section .note.GNU-stack, "", %progbits
