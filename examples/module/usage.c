/* A module for Iolite that a site can load into every program: what each of them took of the machine.
 *
 *     cc -shared -fPIC $(pkg-config --cflags iolite-module) usage.c -o iolite-usage.so
 *     IOLITE_MODULES=$PWD/iolite-usage.so iolite run -- ./program
 *     iolite dump --module USAGE LOG
 */
#include <iolite/module.h>
#include <sys/resource.h>

typedef struct usage {
    int64_t peak_memory, faults, waits, preemptions;
    double user_time, system_time;
} usage;

static const iolite_counter counters[] = {
    {"USAGE_PEAK_MEMORY", "bytes", "largest resident memory", IOLITE_INT, IOLITE_MAX},
    {"USAGE_FAULTS", "", "pages that had to be read from a disk", IOLITE_INT, IOLITE_SUM},
    {"USAGE_WAITS", "", "times that it gave the processor away, mostly for I/O", IOLITE_INT, IOLITE_SUM},
    {"USAGE_PREEMPTIONS", "", "times that the processor was taken from it", IOLITE_INT, IOLITE_SUM},
    {"USAGE_F_USER_TIME", "s", "processor time of the program", IOLITE_REAL, IOLITE_SUM},
    {"USAGE_F_SYSTEM_TIME", "s", "processor time of the kernel on its behalf", IOLITE_REAL, IOLITE_SUM},
};

static iolite_record *record;

static double seconds(struct timeval t) { return (double)t.tv_sec + (double)t.tv_usec / 1e6; }

/* Called when a log is about to be made; commands that recorded nothing stay without one. */
static void finish(void *context) {
    struct rusage now;
    usage *values = iolite_record_values(record);
    (void)context;
    if (!values || getrusage(RUSAGE_SELF, &now) != 0) return;
    *values = (usage){.peak_memory = now.ru_maxrss * 1024,
                      .faults = now.ru_majflt,
                      .waits = now.ru_nvcsw,
                      .preemptions = now.ru_nivcsw,
                      .user_time = seconds(now.ru_utime),
                      .system_time = seconds(now.ru_stime)};
}

__attribute__((constructor)) static void start(void) {
    static const iolite_definition definition = {
        .bytes = sizeof definition,
        .name = "USAGE",
        .meaning = "what the process took of the machine",
        .version = 1,
        .counters = counters,
        .n_counters = sizeof counters / sizeof *counters,
        .record_bytes = sizeof(usage),
        .finish = finish,
    };
    record = iolite_module_record(iolite_module_register(&definition), "process", 0);
}
