/* Records of every module and every version, for synthetic logs.
   The layouts are written out here once more, from the format description, and not taken from the schema: a wrong row
   in a table would otherwise be wrong on both sides of every test. */
#ifndef IOL_TESTS_LOGRECORDS_H
#define IOL_TESTS_LOGRECORDS_H

#include "tests/support/logmaker.h"

enum { LM_MOST_INTS = 396, LM_MOST_REALS = 240, LM_COMPONENT_INTS = 7 };

/* Slots in today's numbers. */
enum {
    LM_NULL,
    LM_POSIX,
    LM_MPIIO,
    LM_H5F,
    LM_H5D,
    LM_PNETCDF_FILE,
    LM_PNETCDF_VAR,
    LM_BGQ,
    LM_LUSTRE,
    LM_STDIO,
    LM_DXT_POSIX,
    LM_DXT_MPIIO,
    LM_MDHIM,
    LM_APXC,
    LM_APMPI,
    LM_HEATMAP,
    LM_DFS,
    LM_DAOS,
    LM_KNOWN
};

/* Counter values in the order of storage of the version they are for. */
typedef struct lm_counts {
    int64_t ints[LM_MOST_INTS];
    double reals[LM_MOST_REALS];
} lm_counts;

typedef struct lm_component {
    int64_t ints[LM_COMPONENT_INTS]; /* size, count, pattern, flags, extent start, extent end, mirror */
    const char *pool;
} lm_component;

typedef struct lm_segment {
    int64_t offset, length;
    double start, end;
    uint64_t thread;
} lm_segment;

/* Versions that ever existed: 1 up to this. */
unsigned lm_newest(int slot);
/* How many integers and doubles a record of fixed layout has; false for the other forms and unknown versions. */
bool lm_shape(int slot, unsigned version, unsigned *ints, unsigned *reals);

/* Values that tell records and places in them apart: integer i is 1000 * seed + i + 1, double i is
   seed + (i + 1) / 512. */
void lm_fill(lm_counts *counts, int64_t seed);

/* A record of fixed layout. `extra` is the owning file (H5D 2, PNETCDF_VAR), the dropped field (BG/Q 1) or the object
   id (DAOS); the UUIDs of DFS and DAOS are lm_uuid_byte() throughout. */
void lm_fixed(bytes *b, int slot, unsigned version, uint64_t id, int64_t rank, uint64_t extra, const lm_counts *counts);
uint8_t lm_uuid_byte(bool container, int place);

void lm_lustre_1(bytes *b, uint64_t id, int64_t rank, int64_t stripe_size, const int64_t *osts, size_t count);
/* The same on a file system with the given number of OSTs. */
void lm_lustre_1_of(bytes *b, uint64_t id, int64_t rank, int64_t fs_osts, int64_t stripe_size, const int64_t *osts,
                    size_t count);
void lm_lustre_2(bytes *b, uint64_t id, int64_t rank, const lm_component *components, size_t n_components,
                 const int64_t *osts, size_t n_osts);
/* `segments` holds the writes, then the reads. */
void lm_trace(bytes *b, uint64_t id, int64_t rank, const char *host, const lm_segment *segments, size_t writes,
              size_t reads, bool threads);
void lm_heatmap(bytes *b, uint64_t id, int64_t rank, double width, size_t bins, const int64_t *written,
                const int64_t *read);
/* The fifth integer says how many servers follow; none still stores one value. */
void lm_mdhim(bytes *b, uint64_t id, int64_t rank, const lm_counts *counts, const int64_t *servers);
void lm_apmpi_header(bytes *b, uint32_t sync, double comm_variance, double sync_variance);
void lm_apmpi(bytes *b, uint64_t id, int64_t rank, const lm_counts *counts, const char *processor);
/* Blades, chassis, groups, memory mode, cluster mode. */
void lm_apxc_header(bytes *b, const int64_t machine[5], uint64_t application);
/* Group, chassis, blade, node. */
void lm_apxc(bytes *b, uint64_t id, int64_t rank, const int64_t place[4], const lm_counts *counts);

/* One ordinary record of any module and version, header record included where the module begins with one. */
void lm_sample(lm_log *log, int slot, unsigned version, uint64_t id, int64_t rank, int64_t seed);
/* The bytes of a log of version 3.41 with that one record, of file 1 and rank 0; to be freed. */
uint8_t *lm_sample_file(int slot, unsigned version, size_t *length);

#endif
