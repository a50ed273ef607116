/* A program that was linked with its MPI has an Iolite of its own (runtime/static), which sees calls that never leave
   it. A library that is preloaded into it all the same, by `iolite run` or by a site for everybody, leaves it to that
   one. */
#include <elf.h>
#include <link.h>
#include <stdint.h>
#include <string.h>

#include "runtime/core/process.h"

enum { NOTE_MPI = 2 }; /* runtime/static/mpi.c */

static bool has_note(const char *notes, size_t size) {
    static const char ours[] = "Iolite";
    for (size_t at = 0; size - at >= sizeof(ElfW(Nhdr));) {
        ElfW(Nhdr) head;
        memcpy(&head, notes + at, sizeof head);
        at += sizeof head;
        const uint64_t name = ((uint64_t)head.n_namesz + 3) & ~UINT64_C(3);
        const uint64_t content = ((uint64_t)head.n_descsz + 3) & ~UINT64_C(3);
        if (name > size - at || content > size - at - name) return false;
        if (head.n_type == NOTE_MPI && head.n_namesz == sizeof ours && memcmp(notes + at, ours, sizeof ours) == 0)
            return true;
        at += name + content;
    }
    return false;
}

/* The first object is the program. */
static int look(struct dl_phdr_info *object, size_t size, void *found) {
    (void)size;
    for (size_t i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        if (segment->p_type == PT_NOTE &&
            has_note((const char *)(object->dlpi_addr + segment->p_vaddr), segment->p_memsz))
            *(bool *)found = true;
    }
    return 1;
}

bool iol__program_has_mpi_inside(void) {
    bool found = false;
    dl_iterate_phdr(look, &found);
    return found;
}
