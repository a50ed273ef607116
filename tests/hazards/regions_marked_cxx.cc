/* The same headers in C++, in a program that is not position-independent: a region as long as a scope.
   FLAGS -fno-pie
   LINK -no-pie
   CUSTOM REGIONS scope REGION_COUNT = 2
   CUSTOM REGIONS scope REGION_UNENDED = 0
   CUSTOM CXX values CALLS = 2 */
#include <cstdio>

#include "iolite/module.h"

int main() {
    static const iolite_counter counters[] = {{"CALLS", "", "calls", IOLITE_INT, IOLITE_SUM}};
    iolite_definition d = {};
    d.bytes = sizeof d;
    d.name = "CXX";
    d.counters = counters;
    d.n_counters = 1;
    d.record_bytes = 8;
    iolite_record *record = iolite_module_record(iolite_module_register(&d), "values", 0);
    for (int i = 0; i < 2; i++) {
        const iolite_region region("scope");
        int64_t *calls = static_cast<int64_t *>(iolite_record_values(record));
        if (calls) iolite_add(calls, 1);
        std::puts("step");
    }
    return 0;
}
