/* A copy of this library in a namespace of the loader of its own (dlmopen) is on no list that is shown to us. It records
   nothing, because the functions that its neighbours call are not the program's; but what they call goes through it, to
   the libc of that namespace. That one is found from a function of it that we are linked with: its headers are at the
   beginning of one of the pages before. */
#include <elf.h>
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>

#include "runtime/core/core.h"
#include "runtime/lazy/next.h"

enum { PAGE = 4096, FAR = 64 << 20 };

extern const char __ehdr_start[] __attribute__((visibility("hidden")));

static bool apart;

bool iol__apart(void) { return apart; }

static bool is_header(uintptr_t at) {
    const ElfW(Ehdr) *head = (const void *)at;
    return iol__there_at(at) == 1 && head->e_ident[0] == ELFMAG0 && head->e_ident[1] == ELFMAG1 &&
           head->e_ident[2] == ELFMAG2 && head->e_ident[3] == ELFMAG3 && head->e_type == ET_DYN;
}

static const ElfW(Ehdr) * header_before(uintptr_t address) {
    uintptr_t at = address & ~(uintptr_t)(PAGE - 1);
    while (!is_header(at) && address - at < FAR && at > PAGE) at -= PAGE;
    return is_header(at) ? (const void *)at : NULL;
}

/* As the loader would describe it. */
static void describe(struct link_map *map, const ElfW(Ehdr) * head) {
    const ElfW(Phdr) *segments = (const void *)((uintptr_t)head + head->e_phoff);
    map->l_addr = (uintptr_t)head;
    for (unsigned i = 0; i < head->e_phnum; i++)
        if (segments[i].p_type == PT_DYNAMIC) map->l_ld = (void *)((uintptr_t)head + segments[i].p_vaddr);
}

const struct link_map *iol__apart_object(void) {
    static struct link_map ours, libc;
    const ElfW(Ehdr) *head = header_before((uintptr_t)getauxval);
    apart = true;
    describe(&ours, (const void *)__ehdr_start);
    if (!head) return &ours;
    describe(&libc, head);
    ours.l_next = &libc;
    libc.l_prev = &ours;
    return &ours;
}
