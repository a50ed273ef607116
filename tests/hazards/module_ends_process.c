/* A callback at the end that ends the process itself: the log is there, and the status is the callback's.
   STATUS 0
   PLAIN
   EXPECT POSIX file POSIX_BYTES_WRITTEN = 100
   CUSTOM LEAVES values CALLS = 1 */
#include "tests/hazards/hazard.h"

#include "iolite/module.h"

static void leave(void *unused) {
    (void)unused;
    _exit(0);
}

int main(void) {
    static const iolite_counter counters[] = {{"CALLS", "", "calls", IOLITE_INT, IOLITE_SUM}};
    const iolite_definition d = {
        .bytes = sizeof d, .name = "LEAVES", .counters = counters, .n_counters = 1, .record_bytes = 8, .finish = leave};
    put(fresh("file"), 100);
    int64_t *calls = iolite_record_values(iolite_module_record(iolite_module_register(&d), "values", 0));
    if (calls) ++*calls;
    return 0;
}
