/* Access to the fields of a record through the public interface. */
#include "record/record.h"

#include <string.h>

int iol_record_slot(const iol_record *record) { return record ? record->slot : -1; }
uint64_t iol_record_id(const iol_record *record) { return record ? record->id : 0; }
int64_t iol_record_rank(const iol_record *record) { return record ? record->rank : -1; }
uint64_t iol_record_owner(const iol_record *record) { return record ? record->owner : 0; }

iol_status iol_record_counter(const iol_record *record, size_t index, iol_value *value) {
    if (!record || !value) return IOL_INVALID;
    if (index < record->n_ints) {
        value->kind = (iol_kind)iol__modules[record->slot].counters[index].kind;
        value->as.i = record->ints[index];
        return IOL_OK;
    }
    index -= record->n_ints;
    if (index >= record->n_reals) return IOL_INVALID;
    value->kind = IOL_REAL;
    value->as.d = record->reals[index];
    return IOL_OK;
}

iol_status iol_record_find(const iol_record *record, const char *name, iol_value *value) {
    int index = record && name ? iol_counter_find(record->slot, name) : -1;
    return index < 0 ? IOL_INVALID : iol_record_counter(record, (size_t)index, value);
}

size_t iol_record_components(const iol_record *record) { return record ? record->n_components : 0; }

iol_status iol_record_component(const iol_record *record, size_t index, iol_stripes *stripes, const int64_t **osts) {
    if (!record || !stripes || !osts || index >= record->n_components) return IOL_INVALID;
    const iol__component *component = &record->components[index];
    const int64_t *c = component->counters;
    *stripes = (iol_stripes){.size = c[IOL_LUSTRE_COMP_STRIPE_SIZE],
                             .count = c[IOL_LUSTRE_COMP_STRIPE_COUNT],
                             .pattern = c[IOL_LUSTRE_COMP_STRIPE_PATTERN],
                             .flags = c[IOL_LUSTRE_COMP_FLAGS],
                             .extent_start = c[IOL_LUSTRE_COMP_EXT_START],
                             .extent_end = c[IOL_LUSTRE_COMP_EXT_END],
                             .mirror = c[IOL_LUSTRE_COMP_MIRROR_ID]};
    memcpy(stripes->pool, component->pool, sizeof stripes->pool);
    *osts = record->osts ? record->osts + component->first_ost : NULL;
    return IOL_OK;
}

iol_status iol_record_heatmap(const iol_record *record, iol_heatmap *heatmap) {
    if (!record || !heatmap || record->slot != IOL_SLOT_HEATMAP) return IOL_INVALID;
    *heatmap = record->heatmap;
    return IOL_OK;
}

iol_status iol_record_trace(const iol_record *record, iol_trace *trace) {
    if (!record || !trace || iol__modules[record->slot].form != IOL_FORM_TRACE) return IOL_INVALID;
    *trace = record->trace;
    return IOL_OK;
}
