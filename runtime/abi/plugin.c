/* The plugin as a whole, and the start and the end of the job. */
#include <string.h>

#include "runtime/abi/abi.h"

const iol__mpi_core *iol__core_calls;
__thread unsigned iol__abi_depth;

/* Start ---------------------------------------------------------------------------------------------------------- */

static void tell(iol__mpi_world *world) {
    static char library[MPI_MAX_LIBRARY_VERSION_STRING], host[MPI_MAX_PROCESSOR_NAME];
    int length = 0;
    if (mpi(Get_library_version)(library, &length) != MPI_SUCCESS) length = 0;
    library[strcspn(library, "\n")] = 0;
    char *mark = strchr(library, '\t'); /* MPICH: a table */
    if (mark) *mark = ' ';
    if (mpi(Get_processor_name)(host, &length) != MPI_SUCCESS) host[0] = 0;
    world->library = library;
    world->host = host;
    iol__core_calls->started(world);
}

static void started(void) {
    iol__mpi_world world = {0};
    MPI_Comm parent = MPI_COMM_NULL;
    if (mpi(Comm_rank)(MPI_COMM_WORLD, &world.rank) != MPI_SUCCESS ||
        mpi(Comm_size)(MPI_COMM_WORLD, &world.size) != MPI_SUCCESS)
        return;
    world.spawned = mpi(Comm_get_parent)(&parent) == MPI_SUCCESS && parent != MPI_COMM_NULL;
    tell(&world);
}

static int begun(int result) {
    iol__core_calls->resume();
    iol__abi_leave();
    if (result == MPI_SUCCESS) started();
    return result;
}

static bool begin(void) {
    if (!iol__abi_outermost()) return false;
    iol__abi_enter();
    iol__core_calls->pause();
    return true;
}

int wrap_Init(int *argc, char ***argv) { return begin() ? begun(mpi(Init)(argc, argv)) : mpi(Init)(argc, argv); }

int wrap_Init_thread(int *argc, char ***argv, int required, int *provided) {
    return begin() ? begun(mpi(Init_thread)(argc, argv, required, provided))
                   : mpi(Init_thread)(argc, argv, required, provided);
}

#if IOL_MPI_4
/* A program of sessions has no communicator of all its processes, and making one would wait for all of them. Their
   rank is known all the same; each leaves its records, and `iolite run` or `iolite merge` puts them together. */
int wrap_Session_init(MPI_Info info, MPI_Errhandler handler, MPI_Session *session) {
    const bool outer = begin();
    const int result = mpi(Session_init)(info, handler, session);
    if (!outer) return result;
    iol__core_calls->resume();
    iol__abi_leave();
    iol__mpi_world world = {.sessions = true};
    MPI_Group group;
    if (result != MPI_SUCCESS || mpi(Group_from_session_pset)(*session, "mpi://WORLD", &group) != MPI_SUCCESS)
        return result;
    if (mpi(Group_rank)(group, &world.rank) == MPI_SUCCESS && mpi(Group_size)(group, &world.size) == MPI_SUCCESS)
        tell(&world);
    mpi(Group_free)(&group);
    return result;
}
#endif

/* End ------------------------------------------------------------------------------------------------------------ */

/* What fails between the ranks is our affair, and not that of the program's error handlers, which end it as a rule. */
static MPI_Errhandler quieten(MPI_Comm comm) {
    MPI_Errhandler before = MPI_ERRHANDLER_NULL;
    if (mpi(Comm_get_errhandler)(comm, &before) == MPI_SUCCESS) mpi(Comm_set_errhandler)(comm, MPI_ERRORS_RETURN);
    return before;
}

static void give_back(MPI_Comm comm, MPI_Errhandler before) {
    if (before == MPI_ERRHANDLER_NULL) return;
    mpi(Comm_set_errhandler)(comm, before);
    mpi(Errhandler_free)(&before);
}

static void finalize_together(void) {
    iol__transport transport;
    MPI_Errhandler world = quieten(MPI_COMM_WORLD), self = quieten(MPI_COMM_SELF);
    const bool together = iol__abi_connect(&transport, iol__core_calls->finalize_seconds());
    iol__core_calls->finalize(together ? &transport : NULL);
    give_back(MPI_COMM_WORLD, world);
    give_back(MPI_COMM_SELF, self);
}

int wrap_Finalize(void) {
    /* Whatever a thread is in: an error handler of the program may have left a call without an end. */
    if (iol__core_calls && iol__core_calls->finalize_wanted()) {
        iol__abi_enter();
        finalize_together();
        iol__abi_leave();
    }
    iol__abi_enter();
    const int result = mpi(Finalize)();
    iol__abi_leave();
    if (iol__core_calls) iol__core_calls->finalized();
    return result;
}

int wrap_Abort(MPI_Comm comm, int code) {
    if (iol__core_calls) iol__core_calls->aborts(code);
    return mpi(Abort)(comm, code);
}

/* What the core asks for ----------------------------------------------------------------------------------------- */

static void *wrapper(const char *name) {
    static const struct {
        const char *name;
        void *function;
    } table[] = {
#define WRAPPED(name) {"MPI_" #name, (void *)wrap_##name},
#define COMPLETES(name) WRAPPED(name)
#include "runtime/abi/wrapped.def"
#undef WRAPPED
#undef COMPLETES
    };
    void *counting = iol__core_calls->apmpi ? iol__message_wrapper(name) : NULL;
    if (counting) return counting;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i].name, name) == 0) return table[i].function;
    return NULL;
}

static bool connect(iol__transport *transport) {
    return iol__abi_connect(transport, iol__core_calls->finalize_seconds());
}

static int64_t type_bytes(void *datatype) {
    MPI_Datatype type;
    MPI_Count bytes = 0;
    memcpy(&type, &datatype, sizeof type);
    if (type == MPI_DATATYPE_NULL) return 0;
    return mpi(Type_size_x)(type, &bytes) == MPI_SUCCESS ? (int64_t)bytes : -1;
}

bool iolite_mpi_plugin(const iol__mpi_core *core, iol__mpi_plugin *plugin) {
    if (core->version != IOL_MPI_INTERFACE || !iol__abi_find(core)) return false;
    iol__core_calls = core;
    *plugin = (iol__mpi_plugin){IOL_MPI_INTERFACE, IOL_ABI, wrapper, type_bytes, connect};
    return true;
}
