/* The end of a process, or of one program in it: the records go to the spool of the run, or into a log of their own. */
#include <errno.h>
#include <fcntl.h>

#include "record/mapped.h"
#include "record/place.h"
#include "runtime/custom/custom.h"
#include "runtime/core/core.h"
#include "runtime/output/explain.h"
#include "runtime/output/jobspool.h"
#include "runtime/output/logfile.h"
#include "runtime/core/modules.h"
#include "runtime/core/sys.h"
#include "runtime/core/process.h"
#include "runtime/output/spool.h"
#include "runtime/process/carry.h"
#include "runtime/core/store.h"
#include "runtime/output/worth.h"
#include "runtime/lazy/spaces.h"

static const char from_memory[] = "log (its records were in memory only, where a kill would have lost them): ";
static const char with_job[] = "what was recorded becomes a log together with the rest of the job: ";

/* A run makes a log all the same. */
static void say_nothing_was_recorded(void) {
    if (!iol__core_state.verbose) return;
    iol__say(iol__core_state.run ? "nothing was recorded of a process" : "nothing was recorded, so there is no log",
             "");
}

/* A package that is removed takes the epilogue with it: then nobody would make a log of the spool. */
static iol__spooled append_to_job(void) {
    return iol__core_state.job && iol__carry_removed() ? IOL_SPOOL_FAILED : iol__job_append();
}

/* That of the run, or of the job. */
static iol__spooled append_to_spool(void) { return iol__core_state.run ? iol__spool_append() : append_to_job(); }

static bool append_to_spool_of_job(void) {
    const iol__spooled how = append_to_job();
    return how == IOL_SPOOLED || how == IOL_SPOOL_FULL;
}

static void leave_records(unsigned how) {
    iol__rt_store *store = &iol__store_state;
    static char path[IOL_PLACE_BYTES];
    const double end = iol__now();
    iol__timing_begin();
    iol__log_prepare(end);
    iol__store_facts()->ended = how;
    if (!iol__worth_a_log()) {
        iol__store_done_with();
        say_nothing_was_recorded();
        return;
    }
    const iol__spooled spooled = append_to_spool();
    const bool over = spooled == IOL_SPOOL_OVER;
    if (spooled == IOL_SPOOLED || spooled == IOL_SPOOL_FULL) {
        if (!iol__store_done_with()) iol__store_header()->magic = 0;
        if (iol__core_state.verbose && iol__core_state.job) iol__say(with_job, iol__core_state.directory);
        return;
    }
    /* The run collects what is mapped; a daemon that outlived it, and memory that nobody else sees, need a log. */
    bool left = iol__core_state.run && !over && store->mapped;
    /* A rank that ends without MPI_Finalize takes the others with it, most of them by a signal. One log of all is made of
       what they leave; a log of those that came so far would be another one each time. */
    if (!left && iol__core_state.world_size > 1 && !iol__core_state.after_world && store->mapped) {
        left = true;
        if (iol__core_state.verbose)
            iol__say("no MPI_Finalize: `iolite merge --leftovers` makes a log of ", store->path);
    }
    if (left || !iol__log_write(path, sizeof path)) {
        iol__store_file_is_all(true);
        if (!store->mapped) iol__unrecorded();
        return;
    }
    if (!iol__store_remove())
        iol__store_header()->magic = 0; /* it is out of reach: nobody is to make another log of it */
    iol__timing_print("core_shutdown");
    if (over) iol__run_remove(iol__core_state.directory, true); /* if we are the last of it */
    if (iol__core_state.verbose && *path) iol__say(store->mapped && !store->unsaved ? "log: " : from_memory, path);
}

static char exec_log[IOL_PLACE_BYTES];

/* A program whose limits left room for no file at all, or that did everything where nobody sees it, is to say so. */
static bool has_store(void) {
    if (!iol__store_state.made && !iol__sealed && (iol__core_state.lost || iol__spaces_unseen())) iol__records_early();
    return iol__store_state.made;
}

bool iol__finish_begin(void) {
    iol__core *core = &iol__core_state;
    if (core->phase != IOL_PHASE_RUNNING || !(iol__mine() || core->stopped) || !iol__same_process()) return false;
    const int saved = errno;
    has_store();
    iol__updates_apply_last();
    iol__modules_finish();
    iol__page.live = 0;
    const bool first = __atomic_exchange_n(&core->phase, IOL_PHASE_OFF, __ATOMIC_ACQ_REL) == IOL_PHASE_RUNNING;
    if (first) {
        iol__process_announce();
        iol__hidden_announce();
    }
    errno = saved;
    return first;
}

/* No system call is allowed. The mapped records say that the process ended, and become a log later. */
static void finish_sealed(unsigned how) {
    if (!(iol__page_wiped ? iol__page.live : iol__page.ours) || iol__core_state.phase != IOL_PHASE_RUNNING ||
        !iol__store_state.made)
        return;
    iol__store_facts()->end = iol__now();
    iol__store_facts()->ended = how;
}

void iol__finish(unsigned how) {
    if (exec_log[0]) return; /* the log is written: a parent that ends inside of libc's daemon() */
    if (iol__sealed) {
        finish_sealed(how);
        return;
    }
    const int saved = errno;
    if (iol__finish_begin()) {
        if (iol__store_state.made)
            leave_records(how);
        else
            say_nothing_was_recorded();
        if (IOL_FAULTS) iol__fault_report();
    }
    errno = saved;
}

#if IOL_STATIC
void iol__finish_last(void) {}

__attribute__((destructor(101))) static void finish(void) { iol__finish(IOL_ENDED_EXIT); }
#else
int __cxa_atexit(void (*function)(void *), void *argument, void *library);

static bool after_all;

static void finish_after_all(void *unused) {
    (void)unused;
    iol__finish(IOL_ENDED_EXIT);
}

/* A loader calls our destructor after the program's and before those of libraries, and in one of them libstdc++, since 13,
   writes what is left of std::cout. What is registered while the loader still starts, and belongs to no library, is
   called when it has ended them all. */
void iol__finish_last(void) { after_all = __cxa_atexit(finish_after_all, NULL, NULL) == 0; }

/* The last word of a custom module is asked for while its library lives. */
__attribute__((destructor)) static void finish(void) {
    if (!after_all || iol__custom_numbered(0)) iol__finish(IOL_ENDED_EXIT);
}
#endif

/* Under `iolite run` what is mapped stays for the run, as long as there is one. Else this program's log is written now; should exec fail, it
   goes again, and comes at the real end. */
void iol__exec_forget(void) {
    if (exec_log[0]) exec_log[0] = 0; /* most have none, and share the page with their parent */
}

/* A job's spool has the records then; should exec fail, what comes at the real end takes their place (record/mapped.h). */
static bool leave_before_exec(void) {
    if (iol__core_state.run && !iol__run_over()) return false;
    if (!iol__worth_a_log()) return true;
    if (append_to_spool_of_job()) return true;
    return iol__log_write(exec_log, sizeof exec_log);
}

void iol__exec_before(void) {
    const iol__core *core = &iol__core_state;
    if (core->phase != IOL_PHASE_RUNNING || !iol__mine() || !has_store()) return;
    const int saved = errno;
    iol__updates_apply_last();
    iol__modules_finish();
    iol__log_prepare(iol__now());
    iol__store_facts()->ended = IOL_ENDED_EXEC;
    exec_log[0] = 0;
    if (leave_before_exec())
        iol__store_done_with();
    else
        iol__store_file_is_all(true);
    if (core->run && !iol__store_state.mapped && !exec_log[0]) iol__unrecorded();
    errno = saved;
}

void iol__exec_failed(void) {
    if (iol__core_state.phase != IOL_PHASE_RUNNING || !iol__mine() || !iol__store_state.made) return;
    const int saved = errno;
    iol__store_go_on();
    iol__store_facts()->ended = IOL_ENDED_NOT;
    iol__store_facts()->end = 0;
    iol__store_file_is_all(true);
    if (iol__core_state.run && !iol__store_state.mapped && !exec_log[0]) iol__recorded_again();
    if (exec_log[0]) sys(unlinkat, AT_FDCWD, exec_log, 0);
    exec_log[0] = 0;
    errno = saved;
}

/* Inside of a chroot no path leads to the place of the log or to the mapped file, a log must not appear among the files
   of the jail, and a descriptor of what is outside would be a way out of it. So what was recorded is written before, and
   the log says that it ends there. A run has a directory of its own, which stays open (rundir.c). */
bool iol__jail_before(void) {
    const iol__core *core = &iol__core_state;
    if (core->run || core->phase != IOL_PHASE_RUNNING || !iol__mine()) return false;
    const int saved = errno;
    if (iol__store_state.made) {
        iol__modules_finish();
        iol__log_prepare(iol__now());
        iol__store_facts()->ended = IOL_ENDED_EXIT;
        iol__store_facts()->stopped = 1;
        exec_log[0] = 0;
        if (append_to_spool_of_job() || iol__log_write(exec_log, sizeof exec_log)) iol__store_remove();
    }
    errno = saved;
    return true;
}

void iol__jail_after(bool inside) {
    if (inside) {
        iol__page.live = 0;
        iol__core_state.phase = IOL_PHASE_OFF;
        if (iol__core_state.verbose) iol__say("a process is not recorded any further: it changed its root", "");
    } else {
        if (iol__store_state.made) iol__store_facts()->stopped = 0;
        iol__exec_failed();
    }
}
