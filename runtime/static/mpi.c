/* libiolite-mpi-<abi>.a: the plugin (runtime/abi) inside a program that is linked with its MPI. The functions of MPI
   are called by their second names; plugin.sh sees to it that these are the real ones although they are wrapped, too. */
#include "runtime/abi/abi.h"

iol__abi_functions iol__abi = {
#define MPI_CALL(name) .name = PMPI_##name,
#define MPI_NEED(name) MPI_CALL(name)
#include "runtime/abi/symbols.def"
#undef MPI_CALL
#undef MPI_NEED
};

bool iol__abi_find(const iol__mpi_core *core) { return core; }

/* Where the entries of mpi.S go, in their order: first to MPI, and to the plugin once it is there. */
#define MPI_STUB(name) (void *)PMPI_##name,
#if IOL_MPI_4
#define MPI_STUB4(name) MPI_STUB(name)
#else
#define MPI_STUB4(name) NULL,
#endif
void *iol__mpi_go[] __attribute__((visibility("hidden"))) = {
#include "runtime/mpi/names.def"
};
#undef MPI_STUB
#undef MPI_STUB4

static const char *const names[] = {
#define MPI_STUB(name) "MPI_" #name,
#define MPI_STUB4(name) MPI_STUB(name)
#include "runtime/mpi/names.def"
#undef MPI_STUB
#undef MPI_STUB4
};
_Static_assert(sizeof names / sizeof *names == sizeof iol__mpi_go / sizeof *iol__mpi_go, "a name for each entry");

/* Open MPI's would not be taken for another: its handles are names that nobody else has. */
#ifdef OPEN_MPI
static bool right_library(void) { return true; }
#else
extern char ompi_mpi_comm_world[] __attribute__((weak));
static bool right_library(void) { return !ompi_mpi_comm_world; }
#endif

/* Behind the core's start, and before the program's constructors. */
__attribute__((constructor(102))) static void start(void) {
    iol__mpi_plugin plugin;
    if (!right_library() || !iolite_mpi_linked(iolite_mpi_plugin, &plugin)) return;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        void *ours = iol__mpi_go[i] ? plugin.wrapper(names[i]) : NULL;
        if (ours) iol__mpi_go[i] = ours;
    }
}

/* A preloaded Iolite looks for this note, and leaves such a program to the one inside (runtime/process/start.c): it would
   not see what is called within the program. */
__asm__(".pushsection .note.iolite, \"a\", %note\n"
        "  .balign 4\n  .long 2f - 1f, 4f - 3f, 2\n"
        "1: .asciz \"Iolite\"\n2: .balign 4\n3: .asciz \"" IOL_ABI "\"\n4: .balign 4\n"
        ".popsection\n");
