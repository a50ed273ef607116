/* Finding the plugin for the MPI that a program has: its kind shows in what the library has inside, and the plugin is
   beside libiolite.so. Where there is none, or where two different MPIs are in one process, calls go straight through:
   the program is then recorded as one that does not use MPI. */
#include <dlfcn.h>
#include <link.h>
#include <string.h>

#include "runtime/core/core.h"
#include "runtime/core/text.h"
#include "runtime/lazy/lazy.h"
#include "runtime/lazy/lookup.h"
#include "runtime/mpi/mpi.h"

static void off(const char *why, const char *detail) {
    if (iol__core_state.verbose) iol__say(why, detail);
}

/* Iolite was built without this MPI. A user who asked for a record is warned, once for all ranks. */
static void no_plugin(const char *path) {
    if (iol__core_state.run)
        iol__trouble("MPI is not recorded, no plugin for it: ", path);
    else
        off("MPI is not recorded, no plugin for it: ", path);
}

/* Which of the binary interfaces a library has; NULL: one that nobody here knows. */
static const char *kind_of(const struct link_map *library) {
    static const char *const mpich[] = {"libmpich.so.12", "libmpi.so.12", "libmpi_cray.so.12", "libmpi_gnu"};
    const char *name = iol__soname(library);
    if (iol__in_object(library, "ompi_mpi_comm_world")) return "openmpi";
    for (size_t i = 0; i < sizeof mpich / sizeof *mpich; i++)
        if (strncmp(name, mpich[i], strlen(mpich[i])) == 0) return "mpich";
    if (strncmp(name, "libmpi_abi.so", 13) == 0) return "standard";
    return NULL;
}

/* Objects that may be an MPI. They can go while others look at them, so that only names are taken along. */
enum { NEIGHBOURS = 32, NAME_ROOM = 512 };

typedef struct neighbours {
    int count;
    char names[NEIGHBOURS][NAME_ROOM];
} neighbours;

static int note(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    neighbours *n = context;
    const size_t length = strlen(info->dlpi_name);
    if (n->count == NEIGHBOURS || length >= NAME_ROOM || !strstr(info->dlpi_name, "mpi")) return 0;
    memcpy(n->names[n->count++], info->dlpi_name, length + 1);
    return 0;
}

static bool is_another(const char *name, const struct link_map *library) {
    const iol__loader *loader = iol__loader_functions();
    void *handle = loader->open(name, RTLD_LAZY | RTLD_NOLOAD);
    if (!handle) return false;
    void *found = loader->symbol(handle, "PMPI_Init");
    const struct link_map *object = found ? iol__object_of(found) : NULL;
    const bool another = object && object != library && strcmp(object->l_name, name) == 0;
    loader->close(handle);
    return another;
}

/* Whether another library beside this one is an MPI. */
static bool mixed(const struct link_map *library) {
    static neighbours n; /* large */
    bool another = false;
    n.count = 0;
    dl_iterate_phdr(note, &n);
    for (int i = 0; i < n.count && !another; i++) another = is_another(n.names[i], library);
    return another;
}

static bool beside_us(const char *kind, char *path, size_t room) {
    const struct link_map *ours = iol__object_of((const void *)iol__mpi_bound);
    const char *slash = ours ? strrchr(ours->l_name, '/') : NULL;
    if (!slash) return false;
    iol__text text = {path, room, 0};
    iol__text_bytes(&text, ours->l_name, (size_t)(slash - ours->l_name));
    iol__text_add(&text, "/libiolite-mpi-");
    iol__text_add(&text, kind);
    iol__text_add(&text, ".so");
    return true;
}

bool iol__mpi_bound(void) {
    static char path[4096];
    void *init = iol__library_find(IOL_LIBRARY_MPI, "PMPI_Init");
    const struct link_map *library = init ? iol__object_of(init) : NULL;
    const char *kind = library ? kind_of(library) : NULL;
    if (!kind) {
        off("MPI is not recorded: unknown library ", library ? library->l_name : "");
        return false;
    }
    if (mixed(library)) {
        off("MPI is not recorded: there are two of them, one is ", library->l_name);
        return false;
    }
    const iol__loader *loader = iol__loader_functions();
    void *handle = beside_us(kind, path, sizeof path) ? loader->open(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    iol__mpi_plugin_start *start = handle ? (iol__mpi_plugin_start *)loader->symbol(handle, "iolite_mpi_plugin") : NULL;
    static iol__mpi_plugin ready;
    if (!start || !start(iol__mpi_services(), &ready) || ready.version != IOL_MPI_INTERFACE) {
        no_plugin(path);
        return false;
    }
    iol__mpi_use(&ready);
    return true;
}
