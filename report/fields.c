/* Flattening records. One function a record form; all end in visit(). */
#include "report/fields.h"

#include <stdio.h>

typedef struct fields_walk {
    iol__field_visitor visit;
    void *context;
} fields_walk;

static void fields_put(fields_walk *w, iol__record_field field, const char *name) {
    field.name = name;
    field.name_length = strlen(name);
    field.counter = -1;
    w->visit(w->context, &field);
}

static void put_fields_int(fields_walk *w, const char *name, int64_t value) {
    fields_put(w, (iol__record_field){.kind = IOL_FIELD_INT, .i = value}, name);
}

static void put_id(fields_walk *w, const char *name, uint64_t value) {
    fields_put(w, (iol__record_field){.kind = IOL_FIELD_ID, .i = (int64_t)value}, name);
}

static void put_real(fields_walk *w, const char *name, double value) {
    fields_put(w, (iol__record_field){.kind = IOL_FIELD_REAL, .d = value}, name);
}

static void put_fields_text(fields_walk *w, const char *name, const char *value) {
    fields_put(w, (iol__record_field){.kind = IOL_FIELD_TEXT, .text = value}, name);
}

/* A list of integers under one name and a number: PREFIX0, PREFIX1, ... */
static void put_fields_list(fields_walk *w, const char *prefix, const int64_t *values, size_t count) {
    char name[64];
    size_t length = (size_t)snprintf(name, sizeof name - 21, "%s", prefix);
    for (size_t i = 0; i < count; i++) {
        char *end = iol__format_u64(name + length, i);
        *end = '\0';
        iol__record_field field = {.name = name, .name_length = (size_t)(end - name), .counter = -1, .i = values[i]};
        w->visit(w->context, &field);
    }
}

/* Counters ----------------------------------------------------------------------------------------------------- */

static iol__field_kind int_kind(const iol__counter *counter) {
    if (strcmp(counter->unit, "record id") == 0) return IOL_FIELD_ID;
    return counter->kind == IOL_KIND_UINT ? IOL_FIELD_UINT : IOL_FIELD_INT;
}

/* Sync times of APMPI mean something only when they were measured. */
static bool fields_left_out(const iol_record *record, unsigned real) {
    if (record->slot != IOL_SLOT_APMPI || record->sync_times || real < IOL_APMPI_TIMES) return false;
    return real != IOL_MPI_TOTAL_COMM_TIME;
}

void iol__fields_counters(const iol_record *record, iol__field_visitor visit, void *context) {
    const iol__counter *counters = iol__modules[record->slot].counters;
    for (unsigned i = 0; i < record->n_ints; i++) {
        const iol__counter *c = &counters[i];
        iol__record_field field = {
            .name = c->name, .name_length = c->name_length, .counter = (int)i, .i = record->ints[i]};
        field.kind = int_kind(c);
        visit(context, &field);
    }
    for (unsigned i = 0; i < record->n_reals; i++) {
        if (fields_left_out(record, i)) continue;
        unsigned number = record->n_ints + i;
        const iol__counter *c = &counters[number];
        iol__record_field field = {.name = c->name, .name_length = c->name_length, .counter = (int)number};
        field.kind = IOL_FIELD_REAL;
        field.d = record->reals[i];
        visit(context, &field);
    }
}

size_t iol__fields_width(int slot) {
    size_t width = 28; /* the longest of the names that are not counters */
    if (slot >= IOL_SLOTS_KNOWN || !iol__modules[slot].counters) return width;
    const iol__module *module = &iol__modules[slot];
    for (unsigned i = 0; i < (unsigned)module->ints + module->reals; i++)
        if (module->counters[i].name_length > width) width = module->counters[i].name_length;
    return width;
}

/* What modules have besides counters --------------------------------------------------------------------------- */

void iol__uuid_text(const uint8_t uuid[16], char text[IOL_UUID_TEXT]) {
    static const char digits[] = "0123456789abcdef";
    for (int i = 0; i < 16; i++) {
        if (i == 4 || i == 6 || i == 8 || i == 10) *text++ = '-';
        *text++ = digits[uuid[i] >> 4];
        *text++ = digits[uuid[i] & 0xf];
    }
    *text = '\0';
}

static void put_uuid(fields_walk *w, const char *name, const uint8_t *uuid) {
    char text[IOL_UUID_TEXT];
    if (!uuid) return;
    iol__uuid_text(uuid, text);
    put_fields_text(w, name, text);
}

static void after_fixed(fields_walk *w, const iol_record *record) {
    char oid[48];
    switch (record->slot) {
    case IOL_SLOT_H5D: put_id(w, "H5D_FILE_REC_ID", record->owner); break;
    case IOL_SLOT_PNETCDF_VAR: put_id(w, "PNETCDF_VAR_FILE_REC_ID", record->owner); break;
    case IOL_SLOT_DFS:
        put_uuid(w, "DFS_POOL_UUID", record->pool_uuid);
        put_uuid(w, "DFS_CONTAINER_UUID", record->container_uuid);
        break;
    case IOL_SLOT_DAOS:
        put_uuid(w, "DAOS_POOL_UUID", record->pool_uuid);
        put_uuid(w, "DAOS_CONTAINER_UUID", record->container_uuid);
        snprintf(oid, sizeof oid, "%ju.%ju", (uintmax_t)record->oid_high, (uintmax_t)record->oid_low);
        put_fields_text(w, "DAOS_OID", oid);
        break;
    default: break;
    }
}

size_t iol__component_osts(const iol_record *record, const iol__component *component) {
    int64_t count = component->counters[IOL_LUSTRE_COMP_STRIPE_COUNT];
    size_t most = component->first_ost < record->n_osts ? record->n_osts - component->first_ost : 0;
    return count < 0 ? 0 : (uint64_t)count < most ? (size_t)count : most;
}

static void fields_lustre(fields_walk *w, const iol_record *record) {
    char name[64];
    put_fields_int(w, "LUSTRE_NUM_COMPONENTS", (int64_t)record->n_components);
    put_fields_int(w, "LUSTRE_NUM_STRIPES", (int64_t)record->n_osts);
    for (size_t k = 0; k < record->n_components; k++) {
        const iol__component *component = &record->components[k];
        for (int i = 0; i < IOL_LUSTRE_COMP_INTS; i++) {
            const char *rest = iol__lustre_component[i].name + strlen("LUSTRE_COMP");
            snprintf(name, sizeof name, "LUSTRE_COMP%zu%s", k + 1, rest);
            put_fields_int(w, name, component->counters[i]);
        }
        snprintf(name, sizeof name, "LUSTRE_COMP%zu_POOL_NAME", k + 1);
        put_fields_text(w, name, component->pool);
        snprintf(name, sizeof name, "LUSTRE_COMP%zu_OST_ID_", k + 1);
        put_fields_list(w, name, record->osts + component->first_ost, iol__component_osts(record, component));
    }
}

static void fields_heatmap(fields_walk *w, const iol_record *record) {
    put_real(w, "HEATMAP_F_BIN_WIDTH_SECONDS", record->heatmap.bin_width);
    put_fields_list(w, "HEATMAP_READ_BIN_", record->heatmap.read, record->heatmap.bins);
    put_fields_list(w, "HEATMAP_WRITE_BIN_", record->heatmap.written, record->heatmap.bins);
}

static void fields_trace(fields_walk *w, const iol_record *record) {
    put_fields_text(w, "DXT_HOST", record->trace.host);
    put_fields_int(w, "DXT_WRITES", (int64_t)record->trace.writes);
    put_fields_int(w, "DXT_READS", (int64_t)record->trace.reads);
}

static void before_apmpi(fields_walk *w, const iol_record *record) {
    if (!record->header) {
        put_fields_text(w, "MPI_PROCESSOR_NAME", record->processor);
        return;
    }
    put_real(w, "MPI_TOTAL_COMM_TIME_VARIANCE", record->comm_variance);
    if (record->sync_times) put_real(w, "MPI_TOTAL_COMM_SYNC_TIME_VARIANCE", record->sync_variance);
}

static void before_apxc(fields_walk *w, const iol_record *record) {
    static const char *const places[] = {"APXC_GROUP", "APXC_CHASSIS", "APXC_BLADE", "APXC_NODE"};
    if (!record->header) {
        for (int i = 0; i < 4; i++) put_fields_int(w, places[i], record->place[i]);
        return;
    }
    put_fields_int(w, "APXC_GROUPS", record->groups);
    put_fields_int(w, "APXC_CHASSIS", record->chassis);
    put_fields_int(w, "APXC_BLADES", record->blades);
    put_fields_int(w, "APXC_MEMORY_MODE", record->memory_mode);
    put_fields_int(w, "APXC_CLUSTER_MODE", record->cluster_mode);
    fields_put(w, (iol__record_field){.kind = IOL_FIELD_UINT, .i = (int64_t)record->application},
               "APXC_APPLICATION_ID");
}

static void after_mdhim(fields_walk *w, const iol_record *record) {
    put_fields_list(w, "MDHIM_SERVER_", record->servers, record->n_servers);
}

void iol__fields_all(const iol_record *record, iol__field_visitor visit, void *context) {
    typedef void part(fields_walk *, const iol_record *);
    static part *const before[] = {
        [IOL_FORM_APMPI] = before_apmpi,
        [IOL_FORM_APXC] = before_apxc,
        [IOL_FORM_HEATMAP] = NULL, /* the last form, to give the table its size */
    };
    static part *const after[] = {
        [IOL_FORM_FIXED] = after_fixed, [IOL_FORM_LUSTRE] = fields_lustre,   [IOL_FORM_TRACE] = fields_trace,
        [IOL_FORM_MDHIM] = after_mdhim, [IOL_FORM_HEATMAP] = fields_heatmap,
    };
    int form = iol__modules[record->slot].form;
    fields_walk w = {visit, context};
    if (before[form]) before[form](&w, record);
    iol__fields_counters(record, visit, context);
    if (after[form]) after[form](&w, record);
}
