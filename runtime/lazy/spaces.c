/* Libraries in a namespace of the loader of their own (dlmopen) have a libc of their own, which calls nobody before it:
   what they do is not seen. That there are some is known from the list that the loader keeps for debuggers. It is newer
   than others of its parts (glibc 2.35), and namespaces stay on it when they are emptied. */
#include "runtime/lazy/spaces.h"

#include <link.h>
#include <stddef.h>

#include "runtime/lazy/next.h"

enum { WITH_NEXT = 2, MOST = 64 };

typedef struct space {
    struct r_debug of;
    const struct space *next;
} space;

static const space *first_space(void) {
    const struct link_map *program = iol__our_object();
    while (program && program->l_prev) program = program->l_prev;
    for (const ElfW(Dyn) *at = program ? program->l_ld : NULL; at && at->d_tag != DT_NULL; at++)
        if (at->d_tag == DT_DEBUG) return (const space *)at->d_un.d_ptr;
    return NULL;
}

static unsigned count(void) {
    const space *at = first_space();
    unsigned spaces = 0;
    while (at && at->of.r_version >= WITH_NEXT && spaces < MOST && (at = at->next)) spaces++;
    return spaces;
}

static unsigned at_start; /* those of auditors, which are not the program's */

void iol__spaces_start(void) { at_start = count(); }

unsigned iol__spaces_unseen(void) { return count() - at_start; }
