/* A thread that handles its own faults goes on doing so while a module writes its last records: its handler gets the address.
   TALK
   CUSTOM CALLBACK values CALLS = 2
   CUSTOM CALLBACK values FAILED = 0
   STATUS 5 */
#include "tests/hazards/hazard.h"

#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>

#include "iolite/module.h"

enum { PAGE = 4096 };

static const iolite_counter counters[] = {{"CALLS", "", "calls", IOLITE_INT, IOLITE_SUM}};
static iolite_record *record;
static char *page;
static int begun, repaired;

static void repair(int signal, siginfo_t *info, void *context) {
    (void)signal;
    (void)context;
    if (info->si_code <= 0 || info->si_addr != page || mprotect(page, PAGE, PROT_READ | PROT_WRITE) != 0) _exit(9);
}

static void *fault(void *unused) {
    while (!__atomic_load_n(&begun, __ATOMIC_ACQUIRE)) sched_yield();
    *(volatile char *)page = 1;
    __atomic_store_n(&repaired, 1, __ATOMIC_RELEASE);
    return unused;
}

static void wait_for_it(void *unused) {
    (void)unused;
    int64_t *calls = iolite_record_values(record);
    __atomic_store_n(&begun, 1, __ATOMIC_RELEASE);
    while (!__atomic_load_n(&repaired, __ATOMIC_ACQUIRE)) sched_yield();
    if (calls) ++*calls;
}

int main(void) {
    const iolite_definition d = {.bytes = sizeof d,
                                 .name = "CALLBACK",
                                 .counters = counters,
                                 .n_counters = 1,
                                 .record_bytes = 8,
                                 .finish = wait_for_it};
    const struct sigaction action = {.sa_sigaction = repair, .sa_flags = SA_SIGINFO};
    pthread_t thread;
    page = mmap(NULL, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(page != MAP_FAILED && sigaction(SIGSEGV, &action, NULL) == 0);
    record = iolite_module_record(iolite_module_register(&d), "values", 0);
    int64_t *calls = iolite_record_values(record);
    if (calls) ++*calls;
    CHECK(pthread_create(&thread, NULL, fault, NULL) == 0);
    put(fresh("file"), 100);
    say("done");
    return 5;
}
