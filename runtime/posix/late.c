/* Finding functions of libraries that may come, and go, at any time. The next one in the order of the loader is what
   the program would have called; what a library was loaded for alone is found through the caller. Only a function of
   the library that is meant is kept, and its library with it; a foreign one of the same name is jumped to with every
   register as it came, each time anew. */
#include "runtime/posix/late.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdbool.h>
#include <string.h>

iol__late_functions iol__late;

typedef struct place {
    void *go_on; /* read by the assembler below; NULL until the library was found */
    void *ours;
    void **real;
    const char *name, *library;
} place;

/* Both libraries give errors as negative results. */
static long missing(void) { return -ENOSYS; }

/* The name that a shared object gives itself; file names may be anything. */
static const char *soname(const struct link_map *map) {
    const char *strings = NULL;
    size_t at = 0;
    for (const ElfW(Dyn) *d = map->l_ld; d && d->d_tag != DT_NULL; d++) {
        if (d->d_tag == DT_STRTAB) strings = (const char *)d->d_un.d_ptr;
        if (d->d_tag == DT_SONAME) at = d->d_un.d_val;
    }
    return strings && at ? strings + at : "";
}

static const struct link_map *object_of(const void *address) {
    Dl_info info;
    void *map = NULL;
    return dladdr1(address, &info, &map, RTLD_DL_LINKMAP) ? map : NULL;
}

/* Distributions put something before or behind the version: liburing-ffi.so.2, libaio.so.1t64. */
static bool is_library(const struct link_map *map, const char *library) {
    const char *version = strchr(library, '.'), *name = soname(map);
    return strncmp(name, library, (size_t)(version - library)) == 0 && strstr(name, version);
}

static void *in_object(const char *file, const char *name) {
    void *handle = dlopen(file, RTLD_LAZY | RTLD_NOLOAD);
    if (!handle) return NULL;
    void *found = dlsym(handle, name);
    dlclose(handle);
    return found && object_of(found) != object_of((void *)missing) ? found : NULL;
}

static void *find(const place *p, const void *caller) {
    void *found = dlsym(RTLD_NEXT, p->name);
    if (found) return found;
    const struct link_map *from = object_of(caller);
    if (from && *from->l_name) found = in_object(from->l_name, p->name);
    return found ? found : in_object(p->library, p->name);
}

/* Where this call goes. */
__attribute__((used, visibility("hidden"))) void *iol__late_find(place *p, const void *caller);
void *iol__late_find(place *p, const void *caller) {
    const int saved = errno;
    void *found = find(p, caller), *go_on = found ? found : (void *)missing;
    const struct link_map *object = found ? object_of(found) : NULL;
    if (object && is_library(object, p->library)) {
        *p->real = found;
        go_on = p->ours;
        void *kept = dlopen(object->l_name, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
        if (kept) {
            __atomic_store_n(&p->go_on, go_on, __ATOMIC_RELEASE);
            dlclose(kept);
        }
    }
    dlerror(); /* our failures are not the program's */
    errno = saved;
    return go_on;
}

#define LATE(type, name, parameters, arguments, library)                       \
    __attribute__((visibility("hidden"))) extern place iol__late_place_##name; \
    __attribute__((used))                                                      \
    place iol__late_place_##name = {NULL, (void *)name, (void **)(void *)&iol__late.name, #name, library};
#include "runtime/posix/late.def"
#undef LATE

#if defined(__x86_64__)
#define ENTRY(name)                                                          \
    __asm__(".text\n.globl " name "\n.type " name ", @function\n" name ":\n" \
            "  endbr64\n"                                                    \
            "  movq iol__late_place_" name "(%rip), %r11\n"                  \
            "  testq %r11, %r11\n"                                           \
            "  je 1f\n"                                                      \
            "  jmp *%r11\n"                                                  \
            "1:\n"                                                           \
            "  leaq iol__late_place_" name "(%rip), %r11\n"                  \
            "  jmp iol__late_first\n"                                        \
            ".size " name ", .-" name "\n");

/* All that may carry an argument. */
__asm__(".text\n.type iol__late_first, @function\n"
        "iol__late_first:\n"
        ".cfi_startproc\n"
        "  pushq %rbp\n"
        ".cfi_def_cfa_offset 16\n.cfi_offset %rbp, -16\n"
        "  movq %rsp, %rbp\n"
        ".cfi_def_cfa_register %rbp\n"
        "  pushq %rax\n  pushq %rdi\n  pushq %rsi\n  pushq %rdx\n"
        "  pushq %rcx\n  pushq %r8\n  pushq %r9\n  pushq %r10\n"
        "  subq $128, %rsp\n"
        "  movups %xmm0, (%rsp)\n  movups %xmm1, 16(%rsp)\n  movups %xmm2, 32(%rsp)\n  movups %xmm3, 48(%rsp)\n"
        "  movups %xmm4, 64(%rsp)\n  movups %xmm5, 80(%rsp)\n  movups %xmm6, 96(%rsp)\n  movups %xmm7, 112(%rsp)\n"
        "  movq %r11, %rdi\n"
        "  movq 8(%rbp), %rsi\n"
        "  call iol__late_find\n"
        "  movq %rax, %r11\n"
        "  movups (%rsp), %xmm0\n  movups 16(%rsp), %xmm1\n  movups 32(%rsp), %xmm2\n  movups 48(%rsp), %xmm3\n"
        "  movups 64(%rsp), %xmm4\n  movups 80(%rsp), %xmm5\n  movups 96(%rsp), %xmm6\n  movups 112(%rsp), %xmm7\n"
        "  addq $128, %rsp\n"
        "  popq %r10\n  popq %r9\n  popq %r8\n  popq %rcx\n"
        "  popq %rdx\n  popq %rsi\n  popq %rdi\n  popq %rax\n"
        "  popq %rbp\n"
        ".cfi_def_cfa %rsp, 8\n"
        "  jmp *%r11\n"
        ".cfi_endproc\n"
        ".size iol__late_first, .-iol__late_first\n");
#elif defined(__aarch64__)
#define ENTRY(name)                                                          \
    __asm__(".text\n.globl " name "\n.type " name ", %function\n" name ":\n" \
            "  hint #34\n" /* bti c */                                       \
            "  adrp x16, iol__late_place_" name "\n"                         \
            "  add x16, x16, :lo12:iol__late_place_" name "\n"               \
            "  ldr x17, [x16]\n"                                             \
            "  cbz x17, 1f\n"                                                \
            "  br x17\n"                                                     \
            "1:\n"                                                           \
            "  b iol__late_first\n"                                          \
            ".size " name ", .-" name "\n");

__asm__(".text\n.type iol__late_first, %function\n"
        "iol__late_first:\n"
        ".cfi_startproc\n"
        "  stp x29, x30, [sp, #-224]!\n"
        ".cfi_def_cfa_offset 224\n.cfi_offset x29, -224\n.cfi_offset x30, -216\n"
        "  mov x29, sp\n"
        "  stp x0, x1, [sp, #16]\n  stp x2, x3, [sp, #32]\n  stp x4, x5, [sp, #48]\n  stp x6, x7, [sp, #64]\n"
        "  str x8, [sp, #80]\n"
        "  stp q0, q1, [sp, #96]\n  stp q2, q3, [sp, #128]\n  stp q4, q5, [sp, #160]\n  stp q6, q7, [sp, #192]\n"
        "  mov x0, x16\n"
        "  mov x1, x30\n"
        "  bl iol__late_find\n"
        "  mov x17, x0\n"
        "  ldp x0, x1, [sp, #16]\n  ldp x2, x3, [sp, #32]\n  ldp x4, x5, [sp, #48]\n  ldp x6, x7, [sp, #64]\n"
        "  ldr x8, [sp, #80]\n"
        "  ldp q0, q1, [sp, #96]\n  ldp q2, q3, [sp, #128]\n  ldp q4, q5, [sp, #160]\n  ldp q6, q7, [sp, #192]\n"
        "  ldp x29, x30, [sp], #224\n"
        ".cfi_def_cfa_offset 0\n.cfi_restore x29\n.cfi_restore x30\n"
        "  br x17\n"
        ".cfi_endproc\n"
        ".size iol__late_first, .-iol__late_first\n");
#else
#define ENTRY(name)
#endif

#define LATE(type, name, parameters, arguments, library) ENTRY(#name)
#include "runtime/posix/late.def"
#undef LATE
