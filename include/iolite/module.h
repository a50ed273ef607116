/* A module of your own: counters that Iolite keeps, puts into the log and shows, although it has never heard of them.
 *
 * A module says once which counters its records have, and then asks for records by name: a file, a device, a socket, a
 * step of the program. A record is an array of 8-byte values in memory that survives the process, however it ends;
 * the module changes it whenever it likes. docs/modules.md shows all of it in an example.
 *
 * This header is all there is: nothing to link. Without Iolite in the process registering gives NULL, and every
 * function takes NULL and does nothing.
 *
 * Threads and signals. All functions may be called from any thread and from signal handlers. Values are the module's
 * business: threads that share a record add with iolite_add() and iolite_add_real(), or have a record each
 * (IOLITE_RECORD_OWN).
 *
 * Forks. A child has records of its own, all zero. A handle (iolite_record) stays what it is; the memory does not. So
 * ask for it with iolite_record_values() before each use, which is cheap, and do not keep the pointer.
 */
#ifndef IOLITE_MODULE_H
#define IOLITE_MODULE_H

#include "iolite/iolite.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    IOLITE_NAME_BYTES = 32,   /* of a module or counter, the final NUL included */
    IOLITE_TEXT_BYTES = 160,  /* of a unit or meaning */
    IOLITE_COUNTERS_MOST = 64 /* of one module */
};

typedef enum iolite_kind {
    IOLITE_INT = 0,    /* int64_t */
    IOLITE_REAL = 1,   /* double */
    IOLITE_INSTANT = 2 /* double: a point in time, as iolite_now() gives it; 0 is never */
} iolite_kind;

/* What becomes of two values when their records become one: those of threads, of programs that a process ran one after
 * the other, of ranks if a user asks for that. */
typedef enum iolite_rule {
    IOLITE_SUM = 0,
    IOLITE_MIN = 1,
    IOLITE_MAX = 2,
    IOLITE_FIRST = 3, /* the smaller one that is not 0: when something was first seen */
    IOLITE_KEEP = 4   /* a constant: the first record's */
} iolite_rule;

typedef struct iolite_counter {
    const char *name;    /* letters, digits and '_'; by custom with the module's name before it: "CKPT_BYTES" */
    const char *unit;    /* "bytes", "s", or "" */
    const char *meaning; /* one sentence, for people */
    iolite_kind kind;
    iolite_rule rule;
} iolite_counter;

typedef struct iolite_definition {
    size_t bytes;     /* sizeof(iolite_definition) */
    const char *name; /* letters, digits, '_' and '-' */
    const char *meaning;
    unsigned version; /* of the counters; another version is another module to a reader */
    const iolite_counter *counters;
    size_t n_counters;
    size_t record_bytes; /* 8 * n_counters: sizeof the struct that the module sees in a record */
    /* The last chance before the log is made, so not called when there is none; may come more than once, and may be
     * NULL. Values may be changed and records made; do no I/O here. A callback that crashes or takes more than two
     * seconds is ended, and the log says so. */
    void (*finish)(void *context);
    /* Combines `from` into `into`, where the rules are not enough; NULL: by the rules. Only records of one process are
     * combined this way; across processes the rules apply. */
    void (*reduce)(void *context, void *into, const void *from);
    void *context;
} iolite_definition;

typedef struct iolite_module iolite_module;
typedef struct iolite_record iolite_record;

enum { IOLITE_RECORD_OWN = 1 /* not shared: every call makes a new record; those of one name become one in the log */ };

/* NULL without Iolite, when it is switched off, and when the definition is wrong: that is said once on standard error,
 * or by `iolite run`. Registering the same definition again gives the same module. Texts are copied. */
static inline iolite_module *iolite_module_register(const iolite_definition *definition) {
    const iolite_functions *f = iolite_find();
    return IOLITE_HAS(f, module_register) ? f->module_register(definition) : (iolite_module *)0;
}

/* The record of a name: the same for the same name. Past the memory budget it is that of all names that had no room. */
static inline iolite_record *iolite_module_record(iolite_module *module, const char *name, unsigned flags) {
    const iolite_functions *f = iolite_find();
    return module && IOLITE_HAS(f, module_record) ? f->module_record(module, name, flags) : (iolite_record *)0;
}

/* The values of a record, to be changed now. NULL when nothing is recorded: no memory, or the end has come. */
static inline void *iolite_record_values(iolite_record *record) {
    const iolite_functions *f = iolite_find();
    return record && IOLITE_HAS(f, record_values) ? f->record_values(record) : (void *)0;
}

/* Something that a record stands for lasted from `begin` to `end` (iolite_now()): timelines show it. The first 4,096 of
 * a module and process are kept. */
static inline void iolite_record_span(iolite_record *record, double begin, double end) {
    const iolite_functions *f = iolite_find();
    if (record && IOLITE_HAS(f, record_span)) f->record_span(record, begin, end);
}

/* Additions that several threads can make at once. */
static inline void iolite_add(int64_t *to, int64_t more) {
    if (to) __atomic_fetch_add(to, more, __ATOMIC_RELAXED);
}

static inline void iolite_add_real(double *to, double more) {
    double before, after;
    if (!to) return;
    __atomic_load(to, &before, __ATOMIC_RELAXED);
    do after = before + more;
    while (!__atomic_compare_exchange(to, &before, &after, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
}

#ifdef __cplusplus
}
#endif

#endif
