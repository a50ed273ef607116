/* What the files of the facts share: where things are kept while records come in. facts.c goes over the modules and
   sums them up, facts_files.c keeps the table of files and the figures by rank, facts_library.c what HDF5, PnetCDF and
   Lustre tell about a file. */
#ifndef IOL_INSIGHT_FACTS_INTERNAL_H
#define IOL_INSIGHT_FACTS_INTERNAL_H

#include <math.h>

#include "base/arena.h"
#include "insight/facts/facts.h"
#include "base/idmap.h"
#include "record/record.h"

typedef struct iol__facts_store {
    iol__arena arena;
    jmp_buf exhausted;
    iol__facts_watcher watcher;
    void *watching;
    iol_records *records; /* the iterator in use, to be closed when memory runs out */
    iol__idmap ids;
    size_t file_room;
    uint64_t budget; /* bytes that the table of files may still take */
    iol__facts_rank *ranks[IOL_LAYERS];
    size_t rank_room[IOL_LAYERS];
    struct iol__lustre_list *lustre; /* what the log tells of file systems; NULL before the first layout */
} iol__facts_store;

/* The entry of a file, new or known; NULL past the budget. */
iol__facts_file *iol__facts_enter(iol__facts *facts, uint64_t id);
/* Zeroed memory that lives as long as the facts. Files pay for it from the budget, but what was begun is finished. */
void *iol__facts_alloc(iol__facts *facts, size_t count, size_t size);

/* One record of a layer that moves bytes; `number` counts those of its module. False if something in it cannot be. */
bool iol__facts_add_traffic(iol__facts *facts, iol__facts_layer layer, const iol_record *record, uint64_t number);
void iol__facts_add_hdf5(iol__facts *facts, const iol_record *record);
void iol__facts_add_pnetcdf(iol__facts *facts, const iol_record *record);
void iol__facts_add_lustre(iol__facts *facts, const iol_record *record);

#endif
