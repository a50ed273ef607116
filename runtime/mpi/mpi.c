/* What the core does for MPI. A process starts like any other; when MPI_Init has returned it knows its rank, and at
   MPI_Finalize the ranks write one log together. What MPI itself does on files while it starts and ends is left out:
   that is the same for every program. */
#include "runtime/mpi/mpi.h"

#include <errno.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "record/hash.h"
#include "record/mapped.h"
#include "record/place.h"
#include "record/zone.h"
#include "runtime/apmpi/apmpi.h"
#include "runtime/custom/custom.h"
#include "runtime/core/core.h"
#include "runtime/core/filter.h"
#include "runtime/core/sys.h"
#include "runtime/core/process.h"
#include "runtime/core/store.h"
#include "runtime/core/text.h"
#include "runtime/finalize/finalize.h"
#include "runtime/lazy/lazy.h"
#include "runtime/mpiio/mpiio.h"

static iol__mpi_plugin plugin;
static char library_text[256], host_text[256];

/* The job -------------------------------------------------------------------------------------------------------- */

/* A number that all processes of an MPI job can tell by themselves, and that another job, or what it spawns, does not
   have: launchers put something of that kind into the environment; else it is the batch job or the run, and at last
   the process that started them all. */
static uint64_t world_number(const iol__mpi_world *world) {
    static const char *const variables[] = {"PMIX_NAMESPACE", "PMI_JOBID", "PMI_KVSNAME", "SLURM_STEP_ID", "PALS_APID"};
    char text[256] = "";
    iol__text key = {text, sizeof text, 0};
    const iol__core *core = &iol__core_state;
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *value = iol__variable(environ, variables[i]);
        if (value) iol__text_add(&key, value);
    }
    const bool known = key.length > 0;
    if (!known) iol__text_hex(&key, core->run); /* else not: there may be a run for each task */
    if (!known || world->spawned) iol__text_number(&key, (int64_t)sys(getppid, 0));
    iol__text_add(&key, "/");
    iol__text_number(&key, iol__job_id(&core->config, core->environment, 0));
    iol__text_add(&key, "/");
    iol__text_number(&key, world->size);
    return iol__hash(text, key.length, 0) | 1;
}

/* Without a run, time begins when MPI has started, which is about the same instant on all ranks; in a run, when the
   process did, which may be one that nobody could know for a rank. Unless something has been recorded already. */
static void begin_time(void) {
    iol__core *core = &iol__core_state;
    struct timespec now;
    if (core->launched && core->run) return;
    if (iol__store_state.made) return;
    clock_gettime(CLOCK_REALTIME, &now);
    int64_t since = core->run ? (int64_t)((iol__now() - core->start) * 1e9) : 0;
    const int64_t zero = now.tv_sec * 1000000000 + now.tv_nsec - since;
    core->zero_s = zero / 1000000000;
    core->zero_ns = zero % 1000000000;
    iol__clock_move(iol__clock_monotonic() - since);
    core->start = core->run ? 0 : iol__now();
}

static void started(const iol__mpi_world *world) {
    iol__core *core = &iol__core_state;
    const int saved = errno;
    /* Without where and when it was built, which some tell, too. */
    iol__text_bytes(&(iol__text){library_text, sizeof library_text, 0}, world->library, strcspn(world->library, ",\n"));
    iol__text_add(&(iol__text){host_text, sizeof host_text, 0}, world->host);
    core->world = world_number(world);
    core->world_rank = world->rank;
    core->world_size = world->size;
    core->world_agrees = !world->sessions;
    if (core->phase == IOL_PHASE_RUNNING && iol__mine()) {
        begin_time();
        iol__run_rank();
        if (iol__store_state.made) iol__store_world();
        if (iol__filter_rank(&core->config, world->rank, world->size)) iol__page.live = 0, core->stopped = true;
    }
    errno = saved;
}

void iol__mpi_reset(void) {
    iol__core_state.world_size = 0;
    iol__core_state.after_world = false;
}

/* The end -------------------------------------------------------------------------------------------------------- */

static bool is_rank(const iol__core *core) { return core->world_size > 0 && !core->after_world; }

/* A process that is switched off, or forked from one of the job, has nothing to write; but the former has to answer. */
static bool finalize_wanted(void) {
    const iol__core *core = &iol__core_state;
    return core->present && is_rank(core) && core->world_agrees && (int)sys(getpid, 0) == core->pid;
}

static void finalize(const iol__transport *transport) {
    iol__core *core = &iol__core_state;
    const int saved = errno;
    const bool recorded = iol__finish_begin();
    iol__finalize(transport);
    if (recorded && core->run)
        core->after_world = true;
    else
        core->world_size = 0;
    errno = saved;
}

/* A run adds to the log of the job what its ranks do from now on. Without one there is nobody who could. */
static void finalized(void) {
    const int saved = errno;
    if (iol__core_state.after_world && !iol__begin_after_world()) iol__core_state.world_size = 0;
    errno = saved;
}

static double finalize_seconds(void) { return iol__setting_number(&iol__core_state.config, IOL_SET_FINALIZE_TIMEOUT); }

/* The launcher hears of it from MPI, ends everybody and waits for nobody. */
static void aborts(int code) {
    const iol__core *core = &iol__core_state;
    if (core->run && is_rank(core) && (int)sys(getpid, 0) == core->pid)
        iol__run_ended(core->pid, W_EXITCODE(code & 0xff, 0));
}

/* Services --------------------------------------------------------------------------------------------------------- */

static void *find(const char *name) { return iol__library_find(IOL_LIBRARY_MPI, name); }
static void *find_variable(const char *name) { return iol__library_variable(IOL_LIBRARY_MPI, name); }
static double now(void) { return iol__now(); }
static bool awake(void) { return iol__awake(); }

static void pause_recording(void) {
    if (!iol__mine()) return;
    iol__core_state.paused = true;
    iol__page.live = 0;
}

static void resume_recording(void) {
    iol__core *core = &iol__core_state;
    if (!core->paused) return;
    core->paused = false;
    if (core->phase == IOL_PHASE_RUNNING && iol__page.ours && !core->stopped && !core->memory_child)
        iol__page.live = iol__page_wiped;
}

static void verbose(const char *text, const char *detail) {
    if (iol__core_state.verbose) iol__say(text, detail);
}

static iol__mpi_core services = {
    .version = IOL_MPI_INTERFACE,
    .find = find,
    .find_variable = find_variable,
    .now = now,
    .awake = awake,
    .pause = pause_recording,
    .resume = resume_recording,
    .started = started,
    .finalize_wanted = finalize_wanted,
    .finalize = finalize,
    .finalized = finalized,
    .finalize_seconds = finalize_seconds,
    .aborts = aborts,
    .verbose = verbose,
    .mpiio = &iol__mpiio_calls,
};

const iol__mpi_core *iol__mpi_services(void) {
    services.apmpi = iol__apmpi_wanted() ? &iol__apmpi_calls : NULL;
    return &services;
}

void iol__mpi_use(const iol__mpi_plugin *ready) { plugin = *ready; }

#if IOL_STATIC || IOL_BOUND
bool iolite_mpi_linked(iol__mpi_plugin_start *start, iol__mpi_plugin *ready) {
    if (!iol__core_state.present || !start(iol__mpi_services(), ready) || ready->version != IOL_MPI_INTERFACE)
        return false;
    iol__mpi_use(ready);
    return true;
}
#endif

void *iol__mpi_wrapper(const char *name) { return plugin.wrapper ? plugin.wrapper(name) : NULL; }

int64_t iol__mpi_type_bytes(void *datatype) { return plugin.type_bytes ? plugin.type_bytes(datatype) : -1; }

bool iol__mpi_connect(iol__transport *transport) { return plugin.connect && plugin.connect(transport); }

const char *iol__mpi_library(void) { return library_text; }

const char *iol__mpi_host(void) { return host_text; }
