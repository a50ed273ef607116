/* Children: a forked one begins anew, one that shares our memory is told apart, and a process that locks itself in is
   left alone. */
#include <errno.h>
#include <pthread.h>
#include <sys/mman.h>

#include "runtime/apmpi/apmpi.h"
#include "runtime/core/added.h"
#include "runtime/core/core.h"
#include "runtime/core/files.h"
#include "runtime/core/heatmap.h"
#include "runtime/core/operations.h"
#include "runtime/core/own.h"
#include "runtime/core/process.h"
#include "runtime/core/store.h"
#include "runtime/hdf5/hdf5.h"
#include "runtime/lustre/lustre.h"
#include "runtime/mpi/mpi.h"
#include "runtime/mpiio/mpiio.h"
#include "runtime/pnetcdf/pnetcdf.h"
#include "runtime/posix/libaio.h"
#include "runtime/posix/ring.h"
#include "runtime/stdio/stdio.h"

enum { PAGE = 4096 };

/* A page of its own, so that the kernel can empty it in children. */
static union {
    iol__wiped wiped;
    char page[PAGE];
} page __attribute__((aligned(PAGE)));

extern iol__wiped iol__page __attribute__((alias("page")));

static int sharing; /* threads that have a child in their memory */

void iol__count_lost(void) { __atomic_add_fetch(&iol__core_state.lost, 1, __ATOMIC_RELAXED); }

void iol__switch_off(const char *why) {
    iol__core_state.phase = IOL_PHASE_OFF;
    iol__page.live = 0;
    iol__trouble("switched off for a process: ", why);
}

void iol__stop_recording(const char *why) {
    if (iol__core_state.stopped || !iol__mine()) return;
    iol__core_state.stopped = true;
    iol__page.live = 0;
    iol__trouble("a process is not recorded any further: ", why);
}

static void forked(void) { iol__page.live = iol__page.ours = 0; }

void iol__watch_forks(void) {
    if (own(madvise, &page, PAGE, MADV_WIPEONFORK) != 0) pthread_atfork(NULL, NULL, forked);
}

/* Its records begin anew in a store of its own, made when there is something to record. Descriptors stay known, with
   the positions they had. Nobody uses the parent's records any more when they go, and the process is open for business
   last: a second thread, or a signal handler, may come at any moment. */
static void begin_anew(void) {
    iol__core *core = &iol__core_state;
    core->fork_parent = core->pid;
    core->announced = core->stopped = core->memory_child = core->paused = false;
    iol__mpi_reset();
    core->lost = 0;
    sharing = 0;
    iol__thread.waiting = 0;
    iol__thread.shares_memory = 0;
    iol__files_reset();
    iol__heat_reset();
    iol__stdio_reset();
    iol__exec_forget();
    iol__operations_reset();
    iol__added_reset();
    iol__rings_reset();
    iol__libaio_reset();
    iol__lustre_reset();
    iol__mpiio_reset();
    iol__apmpi_reset();
    iol__hdf5_reset();
    iol__pnetcdf_reset();
    iol__store_leave();
    core->start = iol__now();
    core->pid = (int)own(getpid, 0);
    iol__process_announce();
    iol__page.ours = 1;
    iol__page.live = 1;
}

/* One thread does it and the others wait; a signal handler that interrupts the one does not. */
static bool wake_once(void) {
    enum { PATIENCE = 100000 };
    uintptr_t nobody = 0;
    const uintptr_t me = iol__me();
    if (__atomic_compare_exchange_n(&iol__page.waking, &nobody, me, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
        begin_anew();
        return true;
    }
    for (int i = 0; nobody != me && !iol__page.live && i < PATIENCE; i++) own(sched_yield, 0);
    return iol__page.live;
}

bool iol__wake(void) {
    iol__core *core = &iol__core_state;
    if (core->phase != IOL_PHASE_RUNNING) return false;
    const int saved = errno;
    if (!iol__page.ours) {
        const bool awake = wake_once();
        errno = saved;
        return awake;
    }
    if (core->stopped || core->paused) return false;
    /* A child of vfork runs on the stack of its thread, which it has stopped; afterwards the thread is itself again. */
    if (iol__thread.shares_memory && !core->memory_child && iol__same_process()) {
        iol__thread.shares_memory = 0;
        if (__atomic_sub_fetch(&sharing, 1, __ATOMIC_ACQ_REL) == 0) iol__page.live = 1;
    }
    errno = saved;
    return true;
}

bool iol__same_process(void) {
    const int saved = errno;
    const bool same = own(getpid, 0) == iol__core_state.pid;
    errno = saved;
    return same;
}

void iol__sharing_memory(bool for_good) {
    if (!iol__awake()) return;
    if (for_good) iol__core_state.memory_child = true;
    if (!iol__thread.shares_memory) __atomic_add_fetch(&sharing, 1, __ATOMIC_ACQ_REL);
    iol__thread.shares_memory = 1;
    iol__page.live = 0;
}

void iol__records_early(void) {
    if (!iol__files_enter()) return;
    iol__store_open();
    iol__files_leave();
}

/* From here on a system call that the program's filter does not know would end it. What is mapped can still be written
   to, and stays for `iolite merge` or the run. */
bool iol__locked_in(bool strict) {
    if (iol__sealed || !iol__mine()) return false;
    const int saved = errno;
    iol__records_early();
    if (strict) iol__clock_freeze(); /* that takes the processor's counter away, too */
    iol__sealed = true;
    errno = saved;
    return true;
}

void iol__locked_in_failed(void) {
    iol__clock_thaw();
    iol__sealed = false;
}
