/* More records than the budget has room for: the rest is counted in one, files keep theirs.
   ENV IOLITE_MEMORY=1
   EXPECT POSIX file-* POSIX_BYTES_WRITTEN = 1000
   RECORDS POSIX file-* 100
   PARTIAL MANY
   CUSTOM MANY * MANY_CALLS = 20000
   CUSTOM MANY <FOLDED> RECORDS = 1
   CUSTOM MANY <FOLDED> MANY_CALLS > 5000
   CUSTOM MANY * FOLDED > 5000
   CUSTOM MANY * RECORDS > 3000 */
#include "tests/hazards/hazard.h"

#include "iolite/module.h"

int main(void) {
    static const iolite_counter counters[] = {{"MANY_CALLS", "", "calls", IOLITE_INT, IOLITE_SUM}};
    const iolite_definition d = {
        .bytes = sizeof d, .name = "MANY", .counters = counters, .n_counters = 1, .record_bytes = 8};
    iolite_module *module = iolite_module_register(&d);
    char name[64];
    for (int i = 0; i < 20000; i++) {
        snprintf(name, sizeof name, "record with quite a long name, number %d", i);
        int64_t *calls = iolite_record_values(iolite_module_record(module, name, 0));
        if (calls) iolite_add(calls, 1);
    }
    for (int i = 0; i < 100; i++) {
        snprintf(name, sizeof name, "file-%d", i);
        int fd = fresh(name);
        put(fd, 10);
        close(fd);
    }
    return 0;
}
