/* A decoded record, as the rest of the project sees it: always the newest layout, always in the host's byte order.
   The public header keeps this type opaque; inside the project the fields are used directly. */
#ifndef IOL_RECORD_RECORD_H
#define IOL_RECORD_RECORD_H

#include "iolite/log.h"
#include "schema/schema.h"

/* What the header records of APMPI and APXC begin with, as text "APMPI" and "AUTOPERF". */
#define IOL_APMPI_MAGIC INT64_C(0x41504d5049)
#define IOL_APXC_MAGIC INT64_C(0x4155544f50455246)

/* LUSTRE component as decoded: the counters in table order, and the pool name. */
typedef struct iol__component {
    int64_t counters[IOL_LUSTRE_COMP_INTS];
    char pool[17];
    size_t first_ost; /* where its part of the OST list begins */
} iol__component;

struct iol_record {
    int slot;
    bool header; /* the one leading record of APMPI and APXC */
    uint64_t id;
    int64_t rank;

    /* Counter arrays; NULL where the form has none. APMPI and APXC store unsigned integers. */
    const int64_t *ints;
    const double *reals;
    unsigned n_ints, n_reals;

    uint64_t owner; /* H5D, PNETCDF_VAR: id of the file */

    /* DFS and DAOS: 16 bytes each, or NULL */
    const uint8_t *pool_uuid, *container_uuid;
    uint64_t oid_high, oid_low; /* DAOS */

    /* LUSTRE */
    const iol__component *components;
    const int64_t *osts;
    size_t n_components, n_osts;
    int64_t fs_osts, fs_mdts; /* LUSTRE 1: of the whole file system; 0: unknown */

    /* HEATMAP */
    iol_heatmap heatmap;

    /* DXT_POSIX, DXT_MPIIO */
    iol_trace trace;

    /* MDHIM: operations per server */
    const int64_t *servers;
    size_t n_servers;

    /* APMPI */
    bool sync_times;                     /* the header said that sync times were measured; set in every record */
    char processor[129];                 /* body */
    double comm_variance, sync_variance; /* header */

    /* APXC: where the node is (body), or the shape of the machine (header) */
    int64_t place[4]; /* group, chassis, blade, node */
    int64_t blades, chassis, groups, memory_mode, cluster_mode;
    uint64_t application;
};

#endif
