/* Records as JSON. One function a record form, chosen by table. */
#include "report/record_json.h"

#include <stdio.h>

#include "base/count.h"

void iol__json_record_facts(iol__json *json, iol_log *log, const iol_record *record) {
    const char *name = iol_log_name(log, record->id), *point = NULL, *type = NULL;
    bool mounted = name && iol_log_mount_of(log, name, &point, &type);
    iol__json_put_id(json, "id", record->id);
    iol__json_put_i64(json, "rank", record->rank);
    iol__json_put_text(json, "name", name);
    iol__json_put_text(json, "mount_point", mounted ? point : NULL);
    iol__json_put_text(json, "fs_type", mounted ? type : NULL);
}

void iol__json_field(iol__json *json, const iol__record_field *field) {
    if (field->kind == IOL_FIELD_TEXT) {
        iol__json_put_text(json, field->name, field->text);
        return;
    }
    iol__json_key_bytes(json, field->name, field->name_length);
    switch (field->kind) {
    case IOL_FIELD_INT: iol__json_i64(json, field->i); break;
    case IOL_FIELD_UINT: iol__json_u64(json, (uint64_t)field->i); break;
    case IOL_FIELD_ID: iol__json_id(json, (uint64_t)field->i); break;
    case IOL_FIELD_REAL: iol__json_real(json, field->d); break;
    case IOL_FIELD_TEXT: break;
    }
}

static void put_record_json_list(iol__json *json, const char *key, const int64_t *values, size_t count) {
    iol__json_put_open(json, key, '[');
    for (size_t i = 0; i < count; i++) iol__json_i64(json, values[i]);
    iol__json_close(json, ']');
}

static void put_record_json_uuid(iol__json *json, const char *key, const uint8_t *uuid) {
    char text[IOL_UUID_TEXT];
    if (!uuid) return;
    iol__uuid_text(uuid, text);
    iol__json_put_text(json, key, text);
}

static void fixed(iol__json *json, const iol_record *record) {
    if (record->slot == IOL_SLOT_H5D || record->slot == IOL_SLOT_PNETCDF_VAR)
        iol__json_put_id(json, "file_id", record->owner);
    put_record_json_uuid(json, "pool_uuid", record->pool_uuid);
    put_record_json_uuid(json, "container_uuid", record->container_uuid);
    if (record->slot != IOL_SLOT_DAOS) return;
    iol__json_put_id(json, "oid_high", record->oid_high);
    iol__json_put_id(json, "oid_low", record->oid_low);
}

static void record_json_lustre(iol__json *json, const iol_record *record) {
    iol__json_put_open(json, "components", '[');
    for (size_t k = 0; k < record->n_components; k++) {
        const iol__component *component = &record->components[k];
        iol__json_open(json, '{');
        for (int i = 0; i < IOL_LUSTRE_COMP_INTS; i++)
            iol__json_put_i64(json, iol__lustre_component[i].name, component->counters[i]);
        iol__json_put_text(json, "pool", component->pool);
        put_record_json_list(json, "osts", record->osts + component->first_ost, iol__component_osts(record, component));
        iol__json_close(json, '}');
    }
    iol__json_close(json, ']');
}

static void record_json_heatmap(iol__json *json, const iol_record *record) {
    iol__json_put_real(json, "bin_width", record->heatmap.bin_width);
    put_record_json_list(json, "written", record->heatmap.written, record->heatmap.bins);
    put_record_json_list(json, "read", record->heatmap.read, record->heatmap.bins);
}

static void mdhim(iol__json *json, const iol_record *record) {
    put_record_json_list(json, "servers", record->servers, record->n_servers);
}

static void apmpi(iol__json *json, const iol_record *record) {
    iol__json_put_bool(json, "header", record->header);
    iol__json_put_bool(json, "sync_times", record->sync_times);
    if (!record->header) {
        iol__json_put_text(json, "processor", record->processor);
        return;
    }
    iol__json_put_real(json, "comm_time_variance", record->comm_variance);
    if (record->sync_times) iol__json_put_real(json, "sync_time_variance", record->sync_variance);
}

static void apxc(iol__json *json, const iol_record *record) {
    static const char *const places[] = {"group", "chassis", "blade", "node"};
    iol__json_put_bool(json, "header", record->header);
    if (!record->header) {
        for (int i = 0; i < 4; i++) iol__json_put_i64(json, places[i], record->place[i]);
        return;
    }
    iol__json_put_i64(json, "groups", record->groups);
    iol__json_put_i64(json, "chassis", record->chassis);
    iol__json_put_i64(json, "blades", record->blades);
    iol__json_put_i64(json, "memory_mode", record->memory_mode);
    iol__json_put_i64(json, "cluster_mode", record->cluster_mode);
    iol__json_put_u64(json, "application_id", record->application);
}

static void segment(iol__json *json, const iol_segment *s, bool threads) {
    iol__json_open(json, '{');
    iol__json_put_i64(json, "offset", s->offset);
    iol__json_put_i64(json, "length", s->length);
    iol__json_put_real(json, "start", s->start);
    iol__json_put_real(json, "end", s->end);
    if (threads) iol__json_put_id(json, "thread", s->thread);
    iol__json_close(json, '}');
}

static void record_json_trace(iol__json *json, const iol_record *record, iol_records *records) {
    iol_segment batch[256];
    size_t got = 0;
    uint64_t seen = 0, writes = record->trace.writes;
    iol__json_put_text(json, "host", record->trace.host);
    iol__json_put_open(json, "writes", '[');
    bool reading = false;
    while (iol_records_segments(records, batch, IOL_COUNT(batch), &got) == IOL_OK) {
        for (size_t i = 0; i < got; i++, seen++) {
            if (seen == writes) {
                iol__json_close(json, ']');
                iol__json_put_open(json, "reads", '[');
                reading = true;
            }
            segment(json, &batch[i], record->trace.threads);
        }
    }
    iol__json_close(json, ']');
    if (reading) return;
    iol__json_put_open(json, "reads", '[');
    iol__json_close(json, ']');
}

void iol__json_record_specials(iol__json *json, const iol_record *record, iol_records *records) {
    static void (*const specials[])(iol__json *, const iol_record *) = {
        [IOL_FORM_FIXED] = fixed, [IOL_FORM_LUSTRE] = record_json_lustre,
        [IOL_FORM_MDHIM] = mdhim, [IOL_FORM_APXC] = apxc,
        [IOL_FORM_APMPI] = apmpi, [IOL_FORM_HEATMAP] = record_json_heatmap,
    };
    int form = iol__modules[record->slot].form;
    if (form == IOL_FORM_TRACE)
        record_json_trace(json, record, records);
    else
        specials[form](json, record);
}
