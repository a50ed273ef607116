/* Children: a forked one begins again, one that shares our memory is recognised, and a process that locks itself in is
   left alone. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "runtime/core/core.h"
#include "runtime/core/files.h"
#include "runtime/core/job_record.h"
#include "runtime/core/modules.h"
#include "runtime/core/sys.h"
#include "runtime/core/process.h"
#include "runtime/core/store.h"
#include "runtime/mpi/mpi.h"
#include "runtime/posix/late.h"

enum { PAGE = 4096 };

/* A page of its own, so that the kernel can empty it in children. */
static union {
    iol__wiped wiped;
    char page[PAGE];
} page __attribute__((aligned(PAGE)));

extern iol__wiped iol__page __attribute__((alias("page")));

static int sharing; /* threads that have a child in their memory */

/* At once where a kill cannot take it. */
void iol__count_lost(void) {
    __atomic_add_fetch(&iol__core_state.lost, 1, __ATOMIC_RELAXED);
    if (iol__store_state.made) __atomic_add_fetch(&iol__store_facts()->lost, 1, __ATOMIC_RELAXED);
}

void iol__lost_found(void) {
    __atomic_sub_fetch(&iol__core_state.lost, 1, __ATOMIC_RELAXED);
    if (iol__store_state.made) __atomic_sub_fetch(&iol__store_facts()->lost, 1, __ATOMIC_RELAXED);
}

void iol__switch_off(const char *why) {
    iol__core_state.phase = IOL_PHASE_OFF;
    iol__page.live = 0;
    if (iol__store_state.made)
        iol__store_facts()->stopped = 1;
    else
        iol__unrecorded();
    if (iol__core_state.verbose) iol__say("switched off for a process: ", why);
}

/* The log says so, even if there is nothing else in it; the program's own output does not. */
void iol__stop_recording(const char *why) {
    if (iol__core_state.stopped || !iol__mine()) return;
    iol__records_early();
    if (iol__store_state.made) iol__store_facts()->stopped = 1;
    iol__core_state.stopped = true;
    iol__page.live = 0;
    if (iol__core_state.verbose) iol__say("a process is not recorded any further: ", why);
}

/* A directory has a link from each one in it, and two more. */
bool iol__has_other_threads(void) {
    struct stat tasks = {0};
    return !iol__alone() && (sys(newfstatat, AT_FDCWD, "/proc/self/task", &tasks, 0) != 0 || tasks.st_nlink > 3);
}

int iol__unshared(int result, int flags) {
    const int saved = errno;
    if (result == 0 && (flags & (CLONE_FILES | CLONE_FS | CLONE_NEWNS)) && iol__has_other_threads())
        iol__stop_recording("a thread has descriptors or a directory of its own");
    errno = saved;
    return result;
}

bool iol__page_wiped;
static bool copies; /* a child of vfork gets a copy of our memory */

/* A process that forks a second time will fork more often, and those that record files would each read the mounts. */
static void forking(void) {
    static int forks;
    const int saved = errno;
    if (__atomic_fetch_add(&forks, 1, __ATOMIC_RELAXED) == 1 && iol__page.live && !iol__sealed)
        iol__mounts_for_children();
    errno = saved;
}

static void forked(void) {
    if (!iol__page_wiped) iol__page = (iol__wiped){0};
    iol__store_in_child();
    if (iol__core_state.phase == IOL_PHASE_RUNNING) iol__modules_forked();
}

/* An emulator of system calls (qemu-user before 8.0) says yes to every advice, even about memory that is not there, and
   does nothing. It also makes a fork of vfork. */
void iol__watch_forks(void) {
    iol__page_wiped = sys(madvise, &page, PAGE, MADV_WIPEONFORK) == 0;
    copies = iol__page_wiped && sys(madvise, NULL, PAGE, MADV_WIPEONFORK) == 0;
    if (copies) iol__page_wiped = false;
    pthread_atfork(forking, NULL, forked);
}

/* What was recorded is somebody else's, or in a log. */
static void forget_records(void) {
    iol__core *core = &iol__core_state;
    core->epoch++;
    iol__updates_waiting = 0;
    core->lost = core->calls_unseen = 0;
    iol__files_reset();
    iol__late_reset();
    iol__exec_forget();
    iol__modules_reset();
    iol__store_leave();
    core->start = iol__now();
}

/* Its records begin again in a store of its own, made when there is something to record. Descriptors stay known, with
   the positions they had.

   Why the order of the steps does not matter to anybody but the last two:
   - Only one thread comes here in the life of a process: `waking` goes from 0 to a thread once, and only the kernel
     empties it, in the next child. Which thread that is, nobody knows; it need not be the one that forked. So nothing
     here may take "this thread" for the one that forked: what threads keep for themselves bears the epoch it was
     written in, and a thread that finds an older one drops it (iol__thread_own).
   - No other thread of the child is in our code beyond iol__awake: it was started after the fork, found `live` and
     `ours` empty at its first call, and waits in wake_once, or gave up and records nothing. So locks and guards that
     are held in this memory were held by threads of the parent, which do not exist here, and are simply opened.
   - The one exception is the thread that forked, if it did so in a signal handler that came while it was in our code,
     and goes back there. Its guards are opened under it, and what it still writes goes through pointers into the
     parent's store; that is why the store's addresses stay good when it is left (iol__store_leave), and why nothing
     that was given out as private memory is ever taken back.
   - All signals wait. So no handler sees the state half done, none can leave by longjmp in the middle, and no thread is
     cancelled here, which is a signal too. `waking` is always followed by `live`.
   - A fork in the middle, by another thread, makes a child whose page is empty again: it starts here from the first
     line. Every step may therefore be repeated, from any state that these steps, or the parent's threads, can leave.
   - `ours` is set before `live`, both after everything else: whoever sees one of them sees a process that is ready. */
static void begin_again(void) {
    iol__core *core = &iol__core_state;
    core->fork_parent = core->pid;
    core->announced = core->mounted = core->stopped = core->memory_child = core->paused = false;
    iol__mpi_reset();
    sharing = 0;
    forget_records();
    core->pid = (int)sys(getpid, 0);
    iol__process_announce();
    iol__race("reset");
    __atomic_store_n(&iol__page.ours, 1, __ATOMIC_RELEASE);
    iol__race("ours");
    __atomic_store_n(&iol__page.live, iol__page_wiped, __ATOMIC_RELEASE);
}

static void go_on_after_world(void) {
    iol__core *core = &iol__core_state;
    core->paused = false;
    sharing = 0;
    forget_records();
    __atomic_store_n(&core->phase, IOL_PHASE_RUNNING, __ATOMIC_RELEASE);
    __atomic_store_n(&iol__page.live, iol__page_wiped, __ATOMIC_RELEASE);
}

static void begin_undisturbed(void (*begin)(void)) {
    const uint64_t all = UINT64_MAX;
    uint64_t before = 0;
    const bool blocked = sys(rt_sigprocmask, SIG_BLOCK, &all, &before, sizeof all) == 0;
    begin();
    if (blocked) sys(rt_sigprocmask, SIG_SETMASK, &before, NULL, sizeof before);
}

/* A rank has left its records, and goes on. Another thread might still be in an update of one of them. */
bool iol__begin_after_world(void) {
    const iol__core *core = &iol__core_state;
    if (core->phase != IOL_PHASE_OFF || core->stopped || core->memory_child || iol__sealed || !iol__page.ours ||
        !iol__same_process() || iol__has_other_threads())
        return false;
    begin_undisturbed(go_on_after_world);
    return true;
}

/* One thread does it and the others wait; a signal handler that came before the one could block it does not. Who runs
   out of patience, because the one gets no processor for that long, leaves this call out. */
static bool wake_once(void) {
    enum { PATIENCE = 100000 };
    uintptr_t nobody = 0;
    const uintptr_t me = iol__me();
    if (__atomic_compare_exchange_n(&iol__page.waking, &nobody, me, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
        begin_undisturbed(begin_again);
        return true;
    }
    for (int i = 0; nobody != me && !iol__page.ours && i < PATIENCE; i++) sys(sched_yield, 0);
    iol__race("woken");
    if (!iol__page.ours)
        __atomic_add_fetch(&iol__core_state.lost, 1, __ATOMIC_RELAXED); /* the store may be the parent's */
    return iol__page.ours;
}

/* Where the kernel does not tell: a child that did not come from libc's fork. One of vfork has another id in our
   memory. */
static bool forked_unseen(void) {
    return !iol__page_wiped && !iol__sealed && iol__page.ours && !iol__thread_own()->shares_memory &&
           !iol__core_state.memory_child && !iol__same_process();
}

bool iol__wake(void) {
    iol__core *core = &iol__core_state;
    if (core->phase != IOL_PHASE_RUNNING) return false;
    const int saved = errno;
    if (forked_unseen()) iol__page = (iol__wiped){0};
    if (!__atomic_load_n(&iol__page.ours, __ATOMIC_ACQUIRE)) {
        const bool awake = wake_once();
        errno = saved;
        return awake;
    }
    if (core->stopped || core->paused) return false;
    /* A child of vfork runs on the stack of its thread, which it has stopped; afterwards the thread is itself again. */
    if (iol__thread_own()->shares_memory && !core->memory_child && iol__same_process()) {
        iol__thread.shares_memory = 0;
        if (__atomic_sub_fetch(&sharing, 1, __ATOMIC_ACQ_REL) == 0) iol__page.live = iol__page_wiped;
    }
    errno = saved;
    return true;
}

bool iol__same_process(void) {
    const int saved = errno;
    const bool same = sys(getpid, 0) == iol__core_state.pid;
    errno = saved;
    return same;
}

void iol__sharing_memory(bool for_good) {
    if (copies || !iol__awake()) return;
    if (for_good) iol__core_state.memory_child = true;
    if (!iol__thread_own()->shares_memory) __atomic_add_fetch(&sharing, 1, __ATOMIC_ACQ_REL);
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
