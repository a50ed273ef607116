/* Modules that are wrong: definitions that are refused, and callbacks at the end that crash in every way they can. The
   program ends as it would, and all other records are there.
   TALK
   EXPECT POSIX file POSIX_BYTES_WRITTEN = 100
   PARTIAL SEGV
   CUSTOM SEGV values CALLS = 1
   CUSTOM SEGV values FAILED = 1
   CUSTOM ABORT values FAILED = 1
   CUSTOM STACK values FAILED = 1
   CUSTOM HANGS values FAILED = 1
   CUSTOM GOOD values CALLS = 2
   CUSTOM GOOD values FAILED = 0
   CUSTOM NOCOUNTERS * RECORDS = 0
   CUSTOM SIZE * RECORDS = 0
   STATUS 5 */
#include "tests/hazards/hazard.h"

#include "iolite/module.h"

static const iolite_counter counters[] = {{"CALLS", "", "calls", IOLITE_INT, IOLITE_SUM}};
static const iolite_counter doubled[] = {{"CALLS", "", "", IOLITE_INT, IOLITE_SUM},
                                         {"CALLS", "", "", IOLITE_INT, IOLITE_SUM}};

static iolite_record *record_of(const char *name, void (*finish)(void *), void *context) {
    const iolite_definition d = {.bytes = sizeof d,
                                 .name = name,
                                 .counters = counters,
                                 .n_counters = 1,
                                 .record_bytes = 8,
                                 .finish = finish,
                                 .context = context};
    iolite_record *record = iolite_module_record(iolite_module_register(&d), "values", 0);
    int64_t *calls = iolite_record_values(record);
    if (calls) ++*calls;
    return record;
}

static void crash(void *unused) {
    (void)unused;
    *(volatile int *)8 = 1;
}

static void give_up(void *unused) {
    (void)unused;
    abort();
}

static int deeper(volatile char *above) {
    volatile char here[4096] = {0};
    return above ? deeper(here) + here[0] : 0;
}

static void overflow(void *unused) {
    char bytes[1] = {0};
    (void)unused;
    if (deeper(bytes)) say("not here");
}

static void hang(void *unused) {
    (void)unused;
    for (volatile int i = 0;; i++) continue;
}

static void once_more(void *record) {
    int64_t *calls = iolite_record_values(*(iolite_record **)record);
    if (calls) ++*calls;
}

static void refused(void) {
    iolite_definition d = {.bytes = sizeof d, .name = "SIZE", .counters = counters, .n_counters = 1, .record_bytes = 4};
    CHECK(!iolite_module_register(&d));
    d.record_bytes = 8;
    d.name = "";
    CHECK(!iolite_module_register(&d));
    d.name = "a name with blanks";
    CHECK(!iolite_module_register(&d));
    d.name = "POSIX";
    CHECK(!iolite_module_register(&d));
    d.name = "NOCOUNTERS";
    d.n_counters = 0;
    CHECK(!iolite_module_register(&d));
    d.n_counters = 2;
    d.record_bytes = 16;
    d.counters = doubled;
    CHECK(!iolite_module_register(&d));
    d.bytes = 8;
    CHECK(!iolite_module_register(&d));
    CHECK(!iolite_module_register(NULL));
    CHECK(!iolite_module_record(NULL, "x", 0) && !iolite_record_values(NULL));
}

int main(void) {
    static iolite_record *good;
    put(fresh("file"), 100);
    refused();
    record_of("SEGV", crash, NULL);
    record_of("ABORT", give_up, NULL);
    record_of("STACK", overflow, NULL);
    record_of("HANGS", hang, NULL);
    good = record_of("GOOD", once_more, &good);
    say("done");
    return 5;
}
