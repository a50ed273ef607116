/* Gathering facts: one pass over the modules of a log, those first that others are counted against. */
#include "insight/facts/facts.h"

#include <stdlib.h>
#include <string.h>

#include "insight/facts/facts_internal.h"
#include "log/old/old.h"
#include "log/read/log_internal.h"

const int iol__facts_slots[IOL_LAYERS] = {
    [IOL_LAYER_MPIIO] = IOL_SLOT_MPIIO, [IOL_LAYER_POSIX] = IOL_SLOT_POSIX, [IOL_LAYER_STDIO] = IOL_SLOT_STDIO,
    [IOL_LAYER_DFS] = IOL_SLOT_DFS,     [IOL_LAYER_DAOS] = IOL_SLOT_DAOS,
};

/* What a file costs here against what it costs in a log: see TABLES_FACTOR in log/read/log.c for the reasoning. */
enum { BUDGET_BASE = 64 << 20, BUDGET_FACTOR = 32 };

/* What compat's rules ask of a single record. */
static const double slow_meta = 30;
static const int64_t many_independent = 1000;

void *iol__facts_alloc(iol__facts *facts, size_t count, size_t size) {
    iol__facts_store *store = facts->store;
    uint64_t bytes = (uint64_t)count * size;
    store->budget -= bytes < store->budget ? bytes : store->budget;
    return iol__arena_alloc(&store->arena, count, size);
}

/* Sums ---------------------------------------------------------------------------------------------------------- */

static void sums_start(iol__facts *facts, int slot, iol__facts_module *module) {
    iol__arena *arena = &facts->store->arena;
    iol__facts_sums *const both[] = {&module->all, &module->whole};
    for (size_t i = 0; i < 2; i++) {
        both[i]->ints = iol__arena_alloc(arena, iol__modules[slot].ints, sizeof *both[i]->ints);
        both[i]->reals = iol__arena_alloc(arena, iol__modules[slot].reals, sizeof *both[i]->reals);
        both[i]->impossible = iol__arena_alloc(arena, iol__modules[slot].ints, sizeof *both[i]->impossible);
    }
    module->max_ints = iol__arena_alloc(arena, iol__modules[slot].ints, sizeof *module->max_ints);
    module->max_reals = iol__arena_alloc(arena, iol__modules[slot].reals, sizeof *module->max_reals);
}

static void sums_add(iol__facts_sums *sums, const iol_record *record) {
    sums->records++;
    for (unsigned i = 0; i < record->n_ints; i++) {
        sums->ints[i] = iol__facts_plus(sums->ints[i], record->ints[i]);
        if (record->ints[i] < -1) sums->impossible[i] += (double)record->ints[i];
    }
    for (unsigned i = 0; i < record->n_reals; i++) {
        double value = record->reals[i];
        sums->reals[i] += isfinite(value) ? value : 0;
    }
}

static void maxima_add(iol__facts_module *module, const iol_record *record) {
    for (unsigned i = 0; i < record->n_ints; i++)
        if (record->ints[i] > module->max_ints[i]) module->max_ints[i] = record->ints[i];
    for (unsigned i = 0; i < record->n_reals; i++)
        if (record->reals[i] > module->max_reals[i] && isfinite(record->reals[i]))
            module->max_reals[i] = record->reals[i];
}

static void facts_sum_up(iol__facts_module *module, const iol_record *record) {
    if (record->header) return;
    sums_add(&module->all, record);
    if (record->rank == -1) sums_add(&module->whole, record);
    maxima_add(module, record);
}

/* Single records ------------------------------------------------------------------------------------------------ */

static void note_independent(iol__facts *facts, const iol_record *record) {
    static const int counters[IOL_DIRECTIONS] = {IOL_MPIIO_INDEP_READS, IOL_MPIIO_INDEP_WRITES};
    int64_t all = iol__facts_plus(iol__facts_plus(0, record->ints[counters[0]]), record->ints[counters[1]]);
    if (all <= many_independent) return;
    for (int direction = 0; direction < IOL_DIRECTIONS; direction++) {
        int64_t ops = record->ints[counters[direction]];
        iol__facts_independent *found = &facts->independent[direction];
        if (!((double)ops / (double)all > 0.5)) continue;
        if (found->count < IOL_FACTS_DETAILS) {
            found->first[found->count].id = record->id;
            found->first[found->count].rank = record->rank;
            found->first[found->count].ops = ops;
            found->first[found->count].all = all;
        }
        found->count++;
    }
}

static void take_record(iol__facts *facts, const iol_record *record, uint64_t number) {
    iol__facts_module *module = &facts->modules[record->slot];
    switch (record->slot) {
    case IOL_SLOT_POSIX:
        if (iol__facts_reference_meta(facts, record->reals[IOL_POSIX_F_META_TIME]) > slow_meta)
            facts->slow_meta_records++;
        break;
    case IOL_SLOT_MPIIO: note_independent(facts, record); break;
    case IOL_SLOT_H5F:
    case IOL_SLOT_H5D: iol__facts_add_hdf5(facts, record); return;
    case IOL_SLOT_PNETCDF_FILE:
    case IOL_SLOT_PNETCDF_VAR: iol__facts_add_pnetcdf(facts, record); return;
    case IOL_SLOT_LUSTRE: iol__facts_add_lustre(facts, record); return;
    default: break;
    }
    for (int layer = 0; layer < IOL_LAYERS; layer++)
        if (iol__facts_slots[layer] == record->slot)
            module->odd += !iol__facts_add_traffic(facts, (iol__facts_layer)layer, record, number);
}

/* Modules ------------------------------------------------------------------------------------------------------- */

static bool is_visited(int slot) {
    return iol__modules[slot].form == IOL_FORM_TRACE || iol__modules[slot].form == IOL_FORM_HEATMAP;
}

static void read_facts_module(iol__facts *facts, int slot, iol__facts_visitor visitor, void *context) {
    iol__facts_module *module = &facts->modules[slot];
    if (module->module.length == 0 || (is_visited(slot) && !visitor)) return;
    iol_status status = iol_records_open(facts->log, slot, &facts->store->records);
    if (status != IOL_OK) {
        facts->store->records = NULL;
        facts->unreadable |= UINT64_C(1) << slot;
        facts->damaged |= facts->log->damaged & UINT64_C(1) << slot;
        return;
    }
    module->readable = true;
    const iol_record *record;
    for (uint64_t number = 0; (status = iol_records_next(facts->store->records, &record)) == IOL_OK; number++) {
        facts_sum_up(module, record);
        iol__figures_add(&facts->figures, record);
        if (is_visited(slot))
            visitor(context, facts, facts->store->records, record);
        else
            take_record(facts, record, number);
        if (facts->store->watcher && !is_visited(slot))
            facts->store->watcher(facts->store->watching, facts->log, record);
    }
    bool damaged = status != IOL_END || facts->log->damaged >> slot & 1;
    if (damaged) facts->damaged |= UINT64_C(1) << slot;
    if (damaged && !module->all.records) facts->unreadable |= UINT64_C(1) << slot;
    iol_records_close(facts->store->records);
    facts->store->records = NULL;
    facts->odd += module->odd;
}

/* Sums of a module without records are never written to: all of them are the same zeros. */
static iol__facts_sums start_zeros(iol__facts *facts) {
    unsigned ints = 1, reals = 1;
    for (int slot = 0; slot < IOL_SLOTS_KNOWN; slot++) {
        if (iol__modules[slot].ints > ints) ints = iol__modules[slot].ints;
        if (iol__modules[slot].reals > reals) reals = iol__modules[slot].reals;
    }
    iol__facts_sums zeros = {0};
    zeros.ints = iol__arena_alloc(&facts->store->arena, ints, sizeof *zeros.ints);
    zeros.reals = iol__arena_alloc(&facts->store->arena, reals, sizeof *zeros.reals);
    zeros.impossible = iol__arena_alloc(&facts->store->arena, ints, sizeof *zeros.impossible);
    return zeros;
}

static void list_modules(iol__facts *facts) {
    const iol__facts_sums zeros = start_zeros(facts);
    for (int slot = 0; slot < IOL_SLOTS_KNOWN; slot++) {
        iol__facts_module *module = &facts->modules[slot];
        module->all = module->whole = zeros;
        module->max_ints = zeros.ints;
        module->max_reals = zeros.reals;
        if (iol_log_module(facts->log, slot, &module->module) != IOL_OK) continue;
        if (module->module.length) sums_start(facts, slot, module);
        module->listed = module->module.length > 0 || module->module.partial;
        if (module->module.partial) facts->partial |= UINT64_C(1) << slot;
    }
}

/* MPI-IO comes before POSIX, because the time of a file is that of its top layer; traces come last, because whoever
   looks at them wants to know the files. */
static void read_facts_modules(iol__facts *facts, iol__facts_visitor visitor, void *context) {
    read_facts_module(facts, IOL_SLOT_MPIIO, visitor, context);
    for (int pass = 0; pass < 2; pass++)
        for (int slot = 0; slot < IOL_SLOTS_KNOWN; slot++)
            if (slot != IOL_SLOT_MPIIO && is_visited(slot) == (pass == 1))
                read_facts_module(facts, slot, visitor, context);
}

/* The whole ----------------------------------------------------------------------------------------------------- */

static void describe_job(iol__facts *facts, iol_log *log) {
    const iol_job *job = iol_log_job(log);
    facts->log = log;
    facts->info = iol_log_info(log);
    facts->job = job;
    facts->processes = job->processes > 0 ? job->processes : 1;
    facts->narrow = iol__old_version_of(log) != NULL;
    const double run_time = iol__run_time(log);
    facts->run_time = isnan(run_time) ? 0 : run_time;
    iol__figures_start(&facts->figures, log);
}

static void facts_finish(iol__facts *facts) {
    iol__facts_store *store = facts->store;
    if (!iol__figures_finish(&facts->figures)) longjmp(store->exhausted, 1);
    facts->io_time = facts->figures.waited;
    facts->top_time = facts->figures.rank_time;
    facts->n_top = facts->figures.n_ranks;
    for (int layer = 0; layer < IOL_LAYERS; layer++) facts->ranks[layer].ranks = store->ranks[layer];
    if (facts->no_file)
        iol__fail(facts->log, IOL_LIMIT, -1, IOL_NO_OFFSET,
                  "more files than a log of this size can justify; %llu records are only in the sums",
                  (unsigned long long)facts->no_file);
}

bool iol__facts_make(iol_log *log, iol__facts_visitor visitor, void *context, iol__facts *facts) {
    return iol__facts_make_watched(log, visitor, context, NULL, NULL, facts);
}

bool iol__facts_make_watched(iol_log *log, iol__facts_visitor visitor, void *context, iol__facts_watcher watcher,
                             void *watching, iol__facts *facts) {
    *facts = (iol__facts){0};
    iol__facts_store *store = facts->store = calloc(1, sizeof *store);
    if (!store) return false;
    store->watcher = watcher;
    store->watching = watching;
    store->arena.exhausted = &store->exhausted;
    describe_job(facts, log);
    store->budget = BUDGET_BASE + BUDGET_FACTOR * facts->info->file_bytes;
    if (setjmp(store->exhausted)) {
        iol__facts_free(facts);
        return false;
    }
    list_modules(facts);
    read_facts_modules(facts, visitor, context);
    facts_finish(facts);
    return true;
}

void iol__facts_free(iol__facts *facts) {
    iol__facts_store *store = facts->store;
    if (!store) return;
    iol_records_close(store->records);
    iol__idmap_free(&store->ids);
    iol__arena_free(&store->arena);
    for (int layer = 0; layer < IOL_LAYERS; layer++) free(store->ranks[layer]);
    iol__figures_free(&facts->figures);
    free(facts->file);
    free(store);
    *facts = (iol__facts){0};
}

/* Questions ----------------------------------------------------------------------------------------------------- */

bool iol__facts_damaged(const iol__facts *facts) {
    const iol_error *error;
    if (facts->damaged || facts->info->job_damaged) return true;
    for (size_t i = 0; (error = iol_log_error(facts->log, i)); i++)
        if (error->status == IOL_DAMAGED) return true;
    return false;
}

const iol__facts_file *iol__facts_find(const iol__facts *facts, uint64_t id) {
    size_t number = iol__idmap_find(&facts->store->ids, id);
    return number == IOL_IDMAP_NONE ? NULL : &facts->file[number];
}

const char *iol__facts_name(const iol__facts *facts, const iol__facts_file *file) {
    return iol_log_name(facts->log, file->id);
}

void iol__facts_mount(const iol__facts *facts, const iol__facts_file *file, const char **point, const char **type) {
    const char *name = iol__facts_name(facts, file);
    iol_log_mount_of(facts->log, name ? name : "", point, type);
}

static int64_t bytes_through(const iol__facts_use *use) {
    return use ? iol__facts_plus(use->direction[IOL_READ]->bytes, use->direction[IOL_WRITE]->bytes) : 0;
}

static bool facts_is_stream(const iol__facts_file *file) {
    return bytes_through(file->layer[IOL_LAYER_STDIO]) > 0 && bytes_through(file->layer[IOL_LAYER_POSIX]) == 0;
}

const iol__facts_use *iol__facts_top(const iol__facts_file *file, iol__facts_layer *layer) {
    for (int l = 0; l < IOL_LAYERS; l++) {
        if (!file->layer[l] || (l == IOL_LAYER_POSIX && facts_is_stream(file))) continue;
        if (layer) *layer = (iol__facts_layer)l;
        return file->layer[l];
    }
    return NULL;
}

bool iol__facts_counts(const iol__facts_file *file, int layer) {
    return file->layer[layer] && !(layer == IOL_LAYER_POSIX && file->layer[IOL_LAYER_MPIIO]);
}

double iol__facts_file_bytes(const iol__facts_file *file, iol__facts_direction direction) {
    double bytes = 0;
    for (int l = 0; l < IOL_LAYERS; l++)
        if (iol__facts_counts(file, l)) bytes += (double)file->layer[l]->direction[direction]->bytes;
    return bytes;
}

double iol__facts_over_layers(const iol__facts_file *file, double (*value)(const iol__facts_use *use)) {
    double sum = 0;
    for (int l = 0; l < IOL_LAYERS; l++)
        if (iol__facts_counts(file, l)) sum += value(file->layer[l]);
    return sum;
}

double iol__facts_file_time(const iol__facts_file *file) { return iol__facts_over_layers(file, iol__facts_time); }

double iol__facts_file_slowest(const iol__facts_file *file) {
    return iol__facts_over_layers(file, iol__facts_slowest_time);
}

iol__facts_sharing iol__facts_sharing_of(const iol__facts_use *use) {
    if (use->whole) return IOL_SHARING_SHARED;
    return use->records > 1 ? IOL_SHARING_PARTIAL : IOL_SHARING_UNIQUE;
}

iol__facts_sharing iol__facts_file_sharing(const iol__facts_file *file) {
    iol__facts_sharing widest = IOL_SHARING_UNIQUE;
    for (int layer = 0; layer < IOL_LAYERS; layer++) {
        iol__facts_sharing sharing = iol__facts_sharing_of(iol__facts_layer_of(file, (iol__facts_layer)layer));
        if (sharing > widest) widest = sharing;
    }
    return widest;
}

int64_t iol__facts_rank_count(const iol__facts *facts, const iol__facts_use *use) {
    return use->whole ? facts->processes : use->records;
}

double iol__facts_effective_ranks(const iol__facts *facts, const iol__facts_use *use) {
    const iol__facts_whole *whole = use->whole;
    double all = (double)facts->processes;
    if (whole) {
        double mean = ((double)whole->bytes[IOL_READ] + (double)whole->bytes[IOL_WRITE]) / all;
        double effective = all / (1 + whole->variance_bytes / (mean * mean));
        return mean > 0 && isfinite(effective) ? effective : -1;
    }
    if (use->ranks) return use->ranks->squares > 0 ? use->ranks->bytes * use->ranks->bytes / use->ranks->squares : -1;
    return use->direction[IOL_READ]->bytes > 0 || use->direction[IOL_WRITE]->bytes > 0 ? 1 : -1;
}

double iol__facts_time(const iol__facts_use *use) {
    return use->direction[IOL_READ]->time + use->direction[IOL_WRITE]->time + use->meta_time;
}

double iol__facts_slowest_time(const iol__facts_use *use) {
    double shared = use->whole ? iol__sane(use->whole->slowest_time) : 0;
    double single = use->ranks ? use->ranks->slowest_time : use->whole ? 0 : iol__facts_time(use);
    return shared > single ? shared : single;
}

double iol__facts_time_excess(const iol__facts *facts, const iol__facts_use *use) {
    const iol__facts_whole *whole = use->whole;
    if (!whole) return 0;
    double all = whole->time[IOL_READ] + whole->time[IOL_WRITE] + whole->meta_time;
    return whole->slowest_time - all / (double)facts->processes;
}

double iol__facts_reference_meta(const iol__facts *facts, double seconds) {
    uint64_t bits;
    if (!facts->info->foreign_order || facts->modules[IOL_SLOT_POSIX].module.version > 3) return seconds;
    memcpy(&bits, &seconds, sizeof bits);
    bits = __builtin_bswap64(bits);
    memcpy(&seconds, &bits, sizeof bits);
    return seconds;
}
