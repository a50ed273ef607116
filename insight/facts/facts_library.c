/* What libraries and the file system tell about a file: HDF5 and its datasets, PnetCDF and its variables, the stripes
   of Lustre. */
#include <string.h>

#include "insight/facts/facts_internal.h"
#include "log/trailer/lustre.h"

static void facts_library_plus(int64_t *sum, int64_t value) { *sum = iol__facts_plus(*sum, value); }
static void plus_time(double *sum, double value) { *sum += iol__sane(value); }

/* HDF5 ---------------------------------------------------------------------------------------------------------- */

static void add_hdf5_file(iol__facts_hdf5 *h, const iol_record *record) {
    h->file_records++;
    h->mpiio |= record->ints[IOL_H5F_USE_MPIIO] > 0;
    facts_library_plus(&h->opens, record->ints[IOL_H5F_OPENS]);
    facts_library_plus(&h->flushes, record->ints[IOL_H5F_FLUSHES]);
    plus_time(&h->meta_time, record->reals[IOL_H5F_F_META_TIME]);
}

/* 0: not chunked. */
static double chunk_bytes(const int64_t *ints) {
    double bytes = (double)ints[IOL_H5D_DATATYPE_SIZE];
    if (ints[IOL_H5D_CHUNK_SIZE_D1] <= 0) return 0;
    for (int d = 0; d < 5; d++)
        if (ints[IOL_H5D_CHUNK_SIZE_D1 + d] > 0) bytes *= (double)ints[IOL_H5D_CHUNK_SIZE_D1 + d];
    return bytes;
}

/* How many chunks the commonest selection crosses, at least: 1 unless it is a regular one, and most are like it. Of up to
   five dimensions the fastest has the first chunk size, and of the lengths the one that stands the farther from the end
   the more dimensions there are. */
static double chunks_crossed(const int64_t *ints, int64_t ops) {
    const int64_t dimensions = ints[IOL_H5D_DATASPACE_NDIMS];
    double crossed = 1;
    if (dimensions < 1 || dimensions > 5 || ints[IOL_H5D_ACCESS1_COUNT] < (ops + 1) / 2) return 1;
    for (int64_t d = 0; d < dimensions; d++) {
        int64_t length = ints[IOL_H5D_ACCESS1_LENGTH_D1 + 5 - dimensions + d], chunk = ints[IOL_H5D_CHUNK_SIZE_D1 + d];
        const int64_t chunks = length > 0 && chunk > 0 ? (length - 1) / chunk + 1 : 1;
        crossed *= (double)chunks;
    }
    return crossed;
}

/* A call that crosses chunks takes a piece of each. */
static void add_chunks(iol__facts_hdf5 *h, const iol_record *record, int64_t ops, int64_t bytes) {
    double chunk = chunk_bytes(record->ints), pieces = (double)ops * chunks_crossed(record->ints, ops);
    if (ops <= 0 || !((double)bytes / pieces < chunk / 4)) return;
    h->partial_chunks++;
    facts_library_plus(&h->partial_ops, ops);
    facts_library_plus(&h->partial_pieces, pieces < 9e18 ? (int64_t)pieces : INT64_MAX);
    facts_library_plus(&h->partial_bytes, bytes);
    if (ops <= h->worst_ops) return;
    h->worst_dataset = record->id;
    h->worst_ops = ops;
    h->worst_bytes = bytes;
    h->worst_chunk = chunk < 9e18 ? (int64_t)chunk : INT64_MAX;
}

/* Each chunk has an entry in an index, and is looked up, checked and moved by itself. */
static void add_tiny_chunks(iol__facts_hdf5 *h, const iol_record *record, int64_t bytes) {
    enum { TINY = 4096 };
    const double chunk = chunk_bytes(record->ints);
    if (!(chunk > 0) || chunk >= TINY || (double)bytes < chunk) return;
    h->tiny_chunks += (double)bytes / chunk;
    h->tiny_chunk_bytes += (double)bytes;
    plus_time(&h->tiny_chunk_s, record->reals[IOL_H5D_F_READ_TIME]);
    plus_time(&h->tiny_chunk_s, record->reals[IOL_H5D_F_WRITE_TIME]);
}

static void add_span(iol__facts_hdf5 *h, double start, double end) {
    if (!(start > 0) || !(end > start)) return;
    if (h->last_s == 0 || start < h->first_s) h->first_s = start;
    if (end > h->last_s) h->last_s = end;
}

static void add_dataset(iol__facts_hdf5 *h, const iol_record *record) {
    const int64_t *ints = record->ints;
    int64_t ops = iol__facts_plus(iol__facts_plus(0, ints[IOL_H5D_READS]), ints[IOL_H5D_WRITES]);
    int64_t bytes = iol__facts_plus(iol__facts_plus(0, ints[IOL_H5D_BYTES_READ]), ints[IOL_H5D_BYTES_WRITTEN]);
    bool collective = ints[IOL_H5D_USE_MPIIO_COLLECTIVE] > 0;
    h->dataset_records++;
    h->collective += collective;
    h->mpiio |= collective;
    facts_library_plus(&h->dataset_opens, ints[IOL_H5D_OPENS]);
    facts_library_plus(&h->dataset_flushes, ints[IOL_H5D_FLUSHES]);
    facts_library_plus(&h->reads, ints[IOL_H5D_READS]);
    facts_library_plus(&h->writes, ints[IOL_H5D_WRITES]);
    facts_library_plus(&h->bytes[IOL_READ], ints[IOL_H5D_BYTES_READ]);
    facts_library_plus(&h->bytes[IOL_WRITE], ints[IOL_H5D_BYTES_WRITTEN]);
    facts_library_plus(&h->regular, ints[IOL_H5D_REGULAR_HYPERSLAB_SELECTS]);
    facts_library_plus(&h->irregular, ints[IOL_H5D_IRREGULAR_HYPERSLAB_SELECTS]);
    facts_library_plus(&h->points, ints[IOL_H5D_POINT_SELECTS]);
    if (!collective) facts_library_plus(&h->indep_ops, ops);
    if (!collective) facts_library_plus(&h->indep_bytes, bytes);
    plus_time(&h->time[IOL_READ], record->reals[IOL_H5D_F_READ_TIME]);
    plus_time(&h->time[IOL_WRITE], record->reals[IOL_H5D_F_WRITE_TIME]);
    plus_time(&h->dataset_meta_time, record->reals[IOL_H5D_F_META_TIME]);
    add_span(h, record->reals[IOL_H5D_F_READ_START_TIMESTAMP], record->reals[IOL_H5D_F_READ_END_TIMESTAMP]);
    add_span(h, record->reals[IOL_H5D_F_WRITE_START_TIMESTAMP], record->reals[IOL_H5D_F_WRITE_END_TIMESTAMP]);
    add_chunks(h, record, ops, bytes);
    add_tiny_chunks(h, record, bytes);
}

void iol__facts_add_hdf5(iol__facts *facts, const iol_record *record) {
    bool dataset = record->slot == IOL_SLOT_H5D;
    if (dataset && !record->owner) return; /* of which file is not known */
    iol__facts_file *file = iol__facts_enter(facts, dataset ? record->owner : record->id);
    if (!file) return;
    if (!file->hdf5) file->hdf5 = iol__facts_alloc(facts, 1, sizeof *file->hdf5);
    if (dataset)
        add_dataset((iol__facts_hdf5 *)file->hdf5, record);
    else
        add_hdf5_file((iol__facts_hdf5 *)file->hdf5, record);
}

/* PnetCDF ------------------------------------------------------------------------------------------------------- */

static void add_pnetcdf_file(iol__facts_pnetcdf *p, const iol_record *record) {
    const int64_t *ints = record->ints;
    p->file_records++;
    facts_library_plus(&p->opens, ints[IOL_PNETCDF_FILE_CREATES]);
    facts_library_plus(&p->opens, ints[IOL_PNETCDF_FILE_OPENS]);
    facts_library_plus(&p->redefs, ints[IOL_PNETCDF_FILE_REDEFS]);
    facts_library_plus(&p->waits_indep, ints[IOL_PNETCDF_FILE_INDEP_WAITS]);
    facts_library_plus(&p->waits_coll, ints[IOL_PNETCDF_FILE_COLL_WAITS]);
    facts_library_plus(&p->syncs, ints[IOL_PNETCDF_FILE_SYNCS]);
    facts_library_plus(&p->file_bytes[IOL_READ], ints[IOL_PNETCDF_FILE_BYTES_READ]);
    facts_library_plus(&p->file_bytes[IOL_WRITE], ints[IOL_PNETCDF_FILE_BYTES_WRITTEN]);
}

static void add_facts_library_variable(iol__facts_pnetcdf *p, const iol_record *record) {
    static const int times[IOL_DIRECTIONS] = {IOL_PNETCDF_VAR_F_READ_TIME, IOL_PNETCDF_VAR_F_WRITE_TIME};
    p->variable_records++;
    for (int direction = 0; direction < IOL_DIRECTIONS;
         direction++) { /* the write counter follows the read counter in each pair */
        facts_library_plus(&p->indep[direction], record->ints[IOL_PNETCDF_VAR_INDEP_READS + direction]);
        facts_library_plus(&p->coll[direction], record->ints[IOL_PNETCDF_VAR_COLL_READS + direction]);
        facts_library_plus(&p->nonblocking[direction], record->ints[IOL_PNETCDF_VAR_NB_READS + direction]);
        facts_library_plus(&p->bytes[direction], record->ints[IOL_PNETCDF_VAR_BYTES_READ + direction]);
        plus_time(&p->time[direction], record->reals[times[direction]]);
    }
}

void iol__facts_add_pnetcdf(iol__facts *facts, const iol_record *record) {
    bool variable = record->slot == IOL_SLOT_PNETCDF_VAR;
    if (variable && !record->owner) return;
    iol__facts_file *file = iol__facts_enter(facts, variable ? record->owner : record->id);
    if (!file) return;
    if (!file->pnetcdf) file->pnetcdf = iol__facts_alloc(facts, 1, sizeof *file->pnetcdf);
    if (variable)
        add_facts_library_variable((iol__facts_pnetcdf *)file->pnetcdf, record);
    else
        add_pnetcdf_file((iol__facts_pnetcdf *)file->pnetcdf, record);
}

/* Lustre -------------------------------------------------------------------------------------------------------- */

/* A count of servers that is not below what the file itself shows. */
static int64_t servers(int64_t stated, size_t least) { return stated >= (int64_t)least && stated > 0 ? stated : 0; }

/* What the log tells of the file system that a file is on, NULL if nothing. A link may lead there from another mount, so
   that of a single one it is taken to be that. */
static const iol__lustre_total *file_system(iol__facts *facts, const iol__facts_file *file) {
    iol__lustre_list *list = facts->store->lustre;
    const char *point, *type;
    if (!list) {
        list = facts->store->lustre = iol__arena_alloc(&facts->store->arena, 1, sizeof *list);
        iol__lustre_add(facts->log, list);
    }
    if (list->count == 1) return &list->of[0];
    if (list->count > 1) iol__facts_mount(facts, file, &point, &type);
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->of[i].mount, point) == 0) return &list->of[i];
    return NULL;
}

/* Every rank tells the same layout; the first record is enough. How many servers there are stands in the records of
   older versions, and is said once in newer logs. */
void iol__facts_add_lustre(iol__facts *facts, const iol_record *record) {
    iol__facts_file *file = iol__facts_enter(facts, record->id);
    if (!file || file->lustre) return;
    iol__facts_lustre *lustre = iol__facts_alloc(facts, 1, sizeof *lustre);
    iol__facts_stripes *stripes = iol__facts_alloc(facts, record->n_components, sizeof *stripes);
    int64_t *osts = iol__facts_alloc(facts, record->n_osts, sizeof *osts);
    if (record->n_osts) memcpy(osts, record->osts, record->n_osts * sizeof *osts);
    for (size_t i = 0; i < record->n_components; i++) {
        const iol__component *component = &record->components[i];
        const int64_t *c = component->counters;
        stripes[i] = (iol__facts_stripes){.size = c[IOL_LUSTRE_COMP_STRIPE_SIZE],
                                          .count = c[IOL_LUSTRE_COMP_STRIPE_COUNT],
                                          .start = c[IOL_LUSTRE_COMP_EXT_START],
                                          .end = c[IOL_LUSTRE_COMP_EXT_END],
                                          .osts = osts + component->first_ost};
    }
    const iol__lustre_total *total = file_system(facts, file);
    *lustre = (iol__facts_lustre){.components = (uint32_t)record->n_components,
                                  .stripes = stripes,
                                  .fs_osts = total ? total->osts : servers(record->fs_osts, record->n_osts),
                                  .fs_mdts = total ? total->mdts : servers(record->fs_mdts, 1)};
    file->lustre = lustre;
}
