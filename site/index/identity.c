/* Two 64-bit hashes with different beginnings. Names are added up, so that their order does not matter: converters may
   write them in another one. */
#include "site/index/identity.h"

#include <stdio.h>
#include <string.h>

#include "log/read/log_internal.h"
#include "log/write/keyed.h"

static const iol__key halves[2] = {{{UINT64_C(0x696f6c6974652d31), UINT64_C(0x6964656e74697479)}},
                                   {{UINT64_C(0x696f6c6974652d32), UINT64_C(0x6f662d61206c6f67)}}};

typedef struct identity_parts {
    int64_t job[7];
    uint64_t exe, sums, names, n_names, modules, partial;
} identity_parts;

/* Heat maps, traces and layouts have no sums: logs of one run that differ in nothing else are told apart by what they hold. */
static void add_modules(const iol_log *log, identity_parts *p) {
    iol_module module;
    for (int slot = 0; iol_log_module(log, slot, &module) == IOL_OK; slot++) {
        if (module.length) p->modules |= UINT64_C(1) << slot;
        if (module.partial) p->partial |= UINT64_C(1) << slot;
    }
}

static uint64_t half_of(iol_log *log, const char *sums, const iol__key *key) {
    const iol_job *job = iol_log_job(log);
    const char *exe = job->exe ? job->exe : "";
    identity_parts p = {
        .job = {job->uid, job->start_seconds, job->start_nanoseconds, job->end_seconds, job->end_nanoseconds,
                job->processes, iol__own_job_id(log)},
        .exe = iol__keyed_hash(key, exe, strlen(exe)),
        .sums = iol__keyed_hash(key, sums, strlen(sums)),
        .n_names = iol_log_name_count(log),
    };
    add_modules(log, &p);
    const char *name;
    uint64_t id;
    for (size_t i = 0; iol_log_name_at(log, i, &id, &name) == IOL_OK; i++)
        p.names += iol__keyed_hash(key, name, strlen(name)) * (id | 1);
    return iol__keyed_hash(key, &p, sizeof p);
}

void iol__identity_of(iol_log *log, const char *sums, char identity[33]) {
    for (int i = 0; i < 2; i++)
        snprintf(identity + (ptrdiff_t)16 * i, 17, "%016llx", (unsigned long long)half_of(log, sums, &halves[i]));
}
