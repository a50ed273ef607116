/* The last word of custom modules. Their code may be wrong, and it runs when a program that did its work well is about
   to end: so a crash in there, or an endless loop, ends the call and not the program. Records are in the store already,
   and what the module did not get to is only missing from them. */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>

#include "runtime/custom/custom.h"
#include "runtime/core/sys.h"
#include "runtime/core/store.h"
#include "runtime/custom/maps.h"

enum { STACK = 64 << 10, PATIENCE = 2 /* seconds */ };

static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};
enum { FAULTS = sizeof faults / sizeof *faults };
enum { GOOD, CRASHED, HUNG };

static struct {
    uintptr_t thread; /* that runs a callback; 0: none does */
    sigjmp_buf back;
    struct sigaction before[FAULTS];
    stack_t stack_before;
    sigset_t mask_before;
    int timer;
    bool timed;
} call;

/* As pthread_sigmask, which is not in libc itself before 2.32. */
static void mask_signals(int how, const sigset_t *set, sigset_t *before) {
    enum { KERNEL_SET = 8 }; /* of which libc's is a larger form */
    if (before) sigemptyset(before);
    sys(rt_sigprocmask, how, set, before, KERNEL_SET);
}

/* Nothing is installed for it: what the kernel would have done happens. A fault repeats itself; what was sent has to be
   sent again, unless it is ignored. */
static void leave_to_kernel(int signal, const siginfo_t *info, const struct sigaction *theirs) {
    const bool sent = info->si_code <= 0;
    if (sent && theirs->sa_handler == SIG_IGN) return;
    sigaction(signal, theirs, NULL);
    if (sent) raise(signal);
}

/* What other threads do meanwhile goes where it would have gone, with all that is known of it: programs that fix their
   faults look at the address. */
static void pass_on(int signal, siginfo_t *info, void *context, struct sigaction *place) {
    const struct sigaction theirs = *place;
    if (!(theirs.sa_flags & SA_SIGINFO) && (theirs.sa_handler == SIG_DFL || theirs.sa_handler == SIG_IGN)) {
        leave_to_kernel(signal, info, &theirs);
        return;
    }
    sigset_t masked = theirs.sa_mask; /* until our handler returns */
    if (!(theirs.sa_flags & SA_NODEFER)) sigaddset(&masked, signal);
    mask_signals(SIG_BLOCK, &masked, NULL);
    if (theirs.sa_flags & (int)SA_RESETHAND) *place = (struct sigaction){.sa_handler = SIG_DFL};
    if (theirs.sa_flags & SA_SIGINFO)
        theirs.sa_sigaction(signal, info, context);
    else
        theirs.sa_handler(signal);
}

static void handle(int signal, siginfo_t *info, void *context) {
    if (call.thread == iol__me()) siglongjmp(call.back, info->si_code == SI_TIMER ? HUNG : CRASHED);
    for (int i = 0; i < FAULTS; i++)
        if (faults[i] == signal) pass_on(signal, info, context, &call.before[i]);
}

static void start_timer(void) {
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGABRT};
    event._sigev_un._tid = (int)sys(gettid, 0);
    const struct itimerspec limit = {.it_value = {.tv_sec = PATIENCE}};
    call.timed = sys(timer_create, CLOCK_MONOTONIC, &event, &call.timer) == 0;
    if (call.timed) sys(timer_settime, call.timer, 0, &limit, NULL);
}

static void guard(void *stack) {
    struct sigaction ours = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESTART};
    const stack_t another = {.ss_sp = stack, .ss_size = STACK};
    sigset_t open;
    sigemptyset(&open);
    for (int i = 0; i < FAULTS; i++) {
        sigaction(faults[i], &ours, &call.before[i]);
        sigaddset(&open, faults[i]);
    }
    call.stack_before = (stack_t){.ss_flags = SS_DISABLE};
    sys(sigaltstack, stack ? &another : NULL, &call.stack_before);
    mask_signals(SIG_UNBLOCK, &open, &call.mask_before);
    start_timer();
    call.thread = iol__me();
}

static void unguard(void) {
    call.thread = 0;
    if (call.timed) sys(timer_delete, call.timer);
    sys(sigaltstack, &call.stack_before, NULL);
    for (int i = 0; i < FAULTS; i++) sigaction(faults[i], &call.before[i], NULL);
    mask_signals(SIG_SETMASK, &call.mask_before, NULL);
}

/* Runs some code of a module; false if it crashed or hung. */
static bool guarded(iolite_module *module, void (*run)(iolite_module *)) {
    static void *stack;
    if (module->failed) return false;
    if (!stack) stack = iol__sys_memory(STACK);
    guard(stack);
    const int end = sigsetjmp(call.back, 0);
    if (end == GOOD) run(module);
    unguard();
    if (end == GOOD) return true;
    module->failed = true;
    if (module->schema) module->schema->flags |= IOL_CUSTOM_FAILED;
    iol__trouble(end == HUNG ? "a module hung when the program ended, its figures may be incomplete: "
                             : "a module crashed when the program ended, its figures may be incomplete: ",
                 module->name);
    return false;
}

static void call_finish(iolite_module *module) { module->finish(module->context); }

/* Records of one name, which are in one bucket, become one. Where that is left to the rules, a reader does it. */
static void call_reduce(iolite_module *module) {
    for (iolite_record *from = module->records; from; from = from->next_in_module) {
        if (!from->block || from->block->flags & IOL_CUSTOM_GONE) continue;
        for (iolite_record *into = from->next_in_bucket; into; into = into->next_in_bucket) {
            if (into->module != module || into->id != from->id || !into->block || into->block == from->block) continue;
            module->reduce(module->context, into->block + 1, from->block + 1);
            from->block->flags |= IOL_CUSTOM_GONE;
            break;
        }
    }
}

void iol__custom_finish(void) {
    static bool inside; /* a callback ends the process */
    iol__regions_finish();
    iol__maps_finish();
    if (iol__sealed || !iol__store_state.made || __atomic_exchange_n(&inside, true, __ATOMIC_ACQ_REL)) return;
    iolite_module *module;
    for (unsigned i = 0; (module = iol__custom_numbered(i)) != NULL; i++) {
        if (module->finish) guarded(module, call_finish);
        if (module->reduce && module->schema) guarded(module, call_reduce);
    }
    __atomic_store_n(&inside, false, __ATOMIC_RELEASE);
}
