/* Killed by the out-of-memory killer's signal: records of a module are kept as they were.
   STATUS signal 9
   PLAIN recover
   CUSTOM STEPS a STEPS_DONE = 41
   CUSTOM STEPS b STEPS_DONE = 1
   CUSTOM STEPS a SPANS = 1 */
#include "tests/hazards/hazard.h"

#include "iolite/module.h"

int main(void) {
    static const iolite_counter counters[] = {{"STEPS_DONE", "", "steps", IOLITE_INT, IOLITE_SUM}};
    const iolite_definition d = {
        .bytes = sizeof d, .name = "STEPS", .counters = counters, .n_counters = 1, .record_bytes = 8};
    iolite_module *module = iolite_module_register(&d);
    iolite_record *a = iolite_module_record(module, "a", 0), *b = iolite_module_record(module, "b", 0);
    for (int i = 0; i < 42; i++) {
        int64_t *steps = iolite_record_values(i == 20 ? b : a);
        if (steps) iolite_add(steps, 1);
    }
    iolite_record_span(a, 0, 1);
    kill(getpid(), SIGKILL);
    return 0;
}
