/* Logs of Darshan 1.x and 2.x, made byte by byte for tests, with layouts of their own: nothing here comes from the tables of
   the reader. A record is given in the order of 2.x; what a version does not have is left out. */
#ifndef IOL_TESTS_OLDMAKER_H
#define IOL_TESTS_OLDMAKER_H

#include "tests/support/bytes.h"

enum { OM_INTS = 144, OM_REALS = 18 };

typedef struct om_version {
    const char *name; /* in lists: "2.00-early" has the same version text as "2.00" */
    const char *text;
    int generation, knows; /* knows: 121, 122, 123 or 200 */
    int job, metadata, area, record;
} om_version;

size_t om_versions(void);
const om_version *om_version_at(size_t index);
const om_version *om_version_named(const char *name);

typedef struct om_job {
    int64_t uid, start, end, processes, job_id;
    const char *metadata; /* "key=value\n..." */
    const char *text;     /* the command line, "\n<device>\t<type>\t<mount point>"... */
} om_job;

typedef struct om_record {
    uint64_t id;
    int64_t rank;
    const char *suffix;
    int64_t ints[OM_INTS];
    double reals[OM_REALS];
} om_record;

/* Every counter different, by a seed; all layers were used. */
void om_sample(om_record *record, uint64_t id, int64_t rank, const char *suffix, int seed);
/* Whether a version has a counter. */
bool om_has_int(const om_version *v, int index);
bool om_has_real(const om_version *v, int index);

/* The job area goes first. `raw->big` is the byte order. */
void om_put_job(bytes *raw, const om_version *v, const om_job *job);
void om_put_record(bytes *raw, const om_version *v, const om_record *record);

/* The whole as one stream. bzip2 gives false where the build has none. */
void om_gzip(const bytes *raw, bytes *packed);
bool om_bzip2(const bytes *raw, bytes *packed);

/* A log with three files: of all ranks, of one rank, and one through streams only. */
void om_log(bytes *raw, const om_version *v, bool big);
/* Two more, with values of layers that have no record: one through MPI-IO only, one that only HDF5 opened. */
void om_put_single_layers(bytes *raw, const om_version *v);

#endif
