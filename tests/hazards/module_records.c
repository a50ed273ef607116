/* A module in a program: records that threads share and records of their own, which become one; values that are there
   after a fork, and a child that begins at zero.
   LINK -pthread
   PLAIN
   CUSTOM SOCKETS shared SOCKETS_CALLS = 4010
   CUSTOM SOCKETS shared SOCKETS_F_TIME = 2005
   CUSTOM SOCKETS own SOCKETS_CALLS = 4000
   CUSTOM SOCKETS own SOCKETS_LARGEST = 1003
   CUSTOM SOCKETS own SOCKETS_SMALLEST = 1000
   CUSTOM SOCKETS own RECORDS = 1
   CUSTOM SOCKETS shared SPANS = 1
   CUSTOM SOCKETS finish SOCKETS_CALLS = 2
   CUSTOM SOCKETS * FAILED = 0
   LOGS 1 2 */
#include "tests/hazards/hazard.h"

#include <pthread.h>

#include "iolite/module.h"

typedef struct values {
    int64_t calls, largest, smallest;
    double time;
} values;

static const iolite_counter counters[] = {
    {"SOCKETS_CALLS", "", "calls", IOLITE_INT, IOLITE_SUM},
    {"SOCKETS_LARGEST", "bytes", "the largest", IOLITE_INT, IOLITE_MAX},
    {"SOCKETS_SMALLEST", "bytes", "the smallest", IOLITE_INT, IOLITE_FIRST},
    {"SOCKETS_F_TIME", "s", "time in calls", IOLITE_REAL, IOLITE_SUM},
};

static iolite_module *module;
static iolite_record *shared;

static void finish(void *context) {
    values *v = iolite_record_values(iolite_module_record(module, "finish", 0));
    if (v) v->calls += *(const int64_t *)context;
}

static void reduce(void *context, void *into, const void *from) {
    (void)context;
    values *a = into;
    const values *b = from;
    a->calls += b->calls;
    a->time += b->time;
    if (b->largest > a->largest) a->largest = b->largest;
    if (b->smallest < a->smallest) a->smallest = b->smallest;
}

static void *work(void *number) {
    iolite_record *own = iolite_module_record(module, "own", IOLITE_RECORD_OWN);
    for (int i = 0; i < 1000; i++) {
        values *v = iolite_record_values(shared);
        if (v) iolite_add(&v->calls, 1);
        if (v) iolite_add_real(&v->time, 0.5);
        v = iolite_record_values(own);
        if (!v) continue;
        v->calls++;
        v->largest = v->smallest = 1000 + *(const int *)number;
    }
    return NULL;
}

int main(void) {
    static int64_t at_end = 1;
    const iolite_definition definition = {.bytes = sizeof definition,
                                          .name = "SOCKETS",
                                          .meaning = "what a test pretends to send",
                                          .version = 3,
                                          .counters = counters,
                                          .n_counters = 4,
                                          .record_bytes = sizeof(values),
                                          .finish = finish,
                                          .reduce = reduce,
                                          .context = &at_end};
    pthread_t threads[4];
    int numbers[4] = {0, 1, 2, 3};
    module = iolite_module_register(&definition);
    CHECK(iolite_module_register(&definition) == module);
    shared = iolite_module_record(module, "shared", 0);
    CHECK(iolite_module_record(module, "shared", 0) == shared);
    for (int i = 0; i < 4; i++) CHECK(pthread_create(&threads[i], NULL, work, &numbers[i]) == 0);
    for (int i = 0; i < 4; i++) CHECK(pthread_join(threads[i], NULL) == 0);
    iolite_record_span(shared, 0, iolite_now() > 0 ? iolite_now() : 1);
    iolite_record_span(shared, 2, 1);
    pid_t child = fork();
    if (child == 0) {
        values *v = iolite_record_values(shared);
        CHECK(!v || v->calls == 0);
        if (v) iolite_add(&v->calls, 10);
        if (v) iolite_add_real(&v->time, 5);
        exit(0);
    }
    CHECK(child > 0 && waitpid(child, NULL, 0) == child);
    say("done");
    return 0;
}
