/* Records that a caller fills in, for writing. One allocation holds the record and its counters; lists come beside it. */
#include <stdlib.h>
#include <string.h>

#include "record/record.h"

typedef struct builder {
    iol_record record; /* first: a record pointer is a builder pointer */
    int64_t ints[IOL_MAX_INTS];
    double reals[IOL_MAX_REALS];
    void *lists[2];
} builder;

iol_record *iol_record_new(int slot) {
    if (slot < 0 || slot >= IOL_SLOTS_KNOWN) return NULL;
    builder *b = calloc(1, sizeof *b);
    if (!b) return NULL;
    b->record = (iol_record){.slot = slot,
                             .ints = b->ints,
                             .reals = b->reals,
                             .n_ints = iol__modules[slot].ints,
                             .n_reals = iol__modules[slot].reals};
    return &b->record;
}

void iol_record_free(iol_record *record) {
    builder *b = (builder *)record;
    if (!b) return;
    free(b->lists[0]);
    free(b->lists[1]);
    free(b);
}

void iol_record_set_base(iol_record *record, uint64_t id, int64_t rank) {
    if (!record) return;
    record->id = id;
    record->rank = rank;
}

void iol_record_set_owner(iol_record *record, uint64_t owner) {
    if (record) record->owner = owner;
}

iol_status iol_record_set_int(iol_record *record, size_t index, int64_t value) {
    if (!record || index >= record->n_ints) return IOL_INVALID;
    ((builder *)record)->ints[index] = value;
    return IOL_OK;
}

iol_status iol_record_set_real(iol_record *record, size_t index, double value) {
    if (!record || index < record->n_ints || index - record->n_ints >= record->n_reals) return IOL_INVALID;
    ((builder *)record)->reals[index - record->n_ints] = value;
    return IOL_OK;
}

/* A copy of a list in place of the one that was there. NULL without memory. */
static void *record_new_keep(builder *b, int which, const void *list, size_t bytes) {
    void *copy = malloc(bytes + 1);
    if (!copy) return NULL;
    if (bytes) memcpy(copy, list, bytes);
    free(b->lists[which]);
    return b->lists[which] = copy;
}

iol_status iol_record_set_heatmap(iol_record *record, const iol_heatmap *heatmap) {
    builder *b = (builder *)record;
    if (!record || !heatmap || record->slot != IOL_SLOT_HEATMAP) return IOL_INVALID;
    if (heatmap->bins && (!heatmap->written || !heatmap->read)) return IOL_INVALID;
    const int64_t *written = record_new_keep(b, 0, heatmap->written, 8 * heatmap->bins);
    const int64_t *read = record_new_keep(b, 1, heatmap->read, 8 * heatmap->bins);
    if (!written || !read) return IOL_SYSTEM;
    record->heatmap = (iol_heatmap){heatmap->bin_width, heatmap->bins, written, read};
    return IOL_OK;
}

iol_status iol_record_set_trace(iol_record *record, const iol_trace *trace) {
    if (!record || !trace || iol__modules[record->slot].form != IOL_FORM_TRACE) return IOL_INVALID;
    record->trace = *trace;
    return IOL_OK;
}

iol_status iol_record_set_components(iol_record *record, const iol_stripes *stripes, size_t count,
                                     const int64_t *osts) {
    builder *b = (builder *)record;
    if (!record || (count && !stripes) || record->slot != IOL_SLOT_LUSTRE) return IOL_INVALID;
    for (size_t i = 0; i < count; i++)
        if (stripes[i].count > 0 && !osts) return IOL_INVALID;
    iol__component *components = calloc(count + 1, sizeof *components);
    if (!components) return IOL_SYSTEM;
    size_t owned = 0;
    for (size_t i = 0; i < count; i++) {
        const iol_stripes *s = &stripes[i];
        components[i] = (iol__component){.counters = {[IOL_LUSTRE_COMP_STRIPE_SIZE] = s->size,
                                                      [IOL_LUSTRE_COMP_STRIPE_COUNT] = s->count,
                                                      [IOL_LUSTRE_COMP_STRIPE_PATTERN] = s->pattern,
                                                      [IOL_LUSTRE_COMP_FLAGS] = s->flags,
                                                      [IOL_LUSTRE_COMP_EXT_START] = s->extent_start,
                                                      [IOL_LUSTRE_COMP_EXT_END] = s->extent_end,
                                                      [IOL_LUSTRE_COMP_MIRROR_ID] = s->mirror},
                                         .first_ost = owned};
        memcpy(components[i].pool, s->pool, sizeof s->pool);
        if (s->count > 0) owned += (size_t)s->count;
    }
    free(b->lists[0]);
    b->lists[0] = components;
    const int64_t *kept = record_new_keep(b, 1, osts, 8 * owned);
    if (!kept) return IOL_SYSTEM;
    record->components = components;
    record->n_components = count;
    record->osts = kept;
    record->n_osts = owned;
    return IOL_OK;
}
