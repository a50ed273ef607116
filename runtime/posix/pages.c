/* One call of getrusage() at the first map and one at the end: maps themselves cost nothing. */
#include "runtime/posix/pages.h"

#include <errno.h>
#include <sys/resource.h>

#include "runtime/core/core.h"

static struct {
    bool watched;
    long faults;
    double cpu, clock;
} first;

static bool look(long *faults, double *cpu) {
    struct rusage usage;
    const int saved = errno;
    const bool known = getrusage(RUSAGE_SELF, &usage) == 0;
    errno = saved;
    if (!known) return false;
    *faults = usage.ru_majflt;
    *cpu = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
    return true;
}

/* Two threads that map their first files at a time both look: either of them is right. */
void iol__pages_watch(void) {
    if (IOL_LIKELY(__atomic_load_n(&first.watched, __ATOMIC_ACQUIRE)) || !look(&first.faults, &first.cpu)) return;
    first.clock = iol__now();
    __atomic_store_n(&first.watched, true, __ATOMIC_RELEASE);
}

void iol__pages_reset(void) { first.watched = false; }

void iol__pages_total(iol__operation *total) {
    long faults;
    double cpu;
    if (!__atomic_load_n(&first.watched, __ATOMIC_ACQUIRE) || !look(&faults, &cpu) || faults <= first.faults) return;
    const double idle = iol__now() - first.clock - (cpu - first.cpu);
    total->count = (uint64_t)(faults - first.faults);
    total->time = idle > 0 ? (uint64_t)(int64_t)(idle * (1 / IOL_OPERATION_UNIT)) : 0;
}
