/* Data lines. Numbers are formatted straight into the output buffer, because a log has millions of them. */
#include "report/darshan/darshan_lines.h"

#include <stdlib.h>

#include "report/fields.h"
#include "text/text.h"

void iol__lines_start(iol__darshan_lines *l, iol__out *out, iol_log *log, const char *mark, bool places) {
    *l = (iol__darshan_lines){.out = out, .log = log, .mark = mark, .places = places};
    l->suffix = l->first_suffix;
    l->suffix_room = sizeof l->first_suffix;
}

void iol__lines_end(iol__darshan_lines *l) {
    if (l->suffix != l->first_suffix) free(l->suffix);
    l->suffix = NULL;
}

/* One line ------------------------------------------------------------------------------------------------------ */

static char *line_begin(iol__darshan_lines *l, const char *counter, size_t length, size_t value_room) {
    char *at = iol__out_room(l->out, l->prefix_length + length + 1 + value_room + l->suffix_length);
    memcpy(at, l->prefix, l->prefix_length);
    at += l->prefix_length;
    memcpy(at, counter, length);
    at += length;
    *at = '\t';
    return at + 1;
}

static void darshan_lines_line_end(iol__darshan_lines *l, char *at) {
    memcpy(at, l->suffix, l->suffix_length);
    l->out->length = (size_t)(at - l->out->buffer) + l->suffix_length;
}

static void line_int(iol__darshan_lines *l, const char *counter, size_t length, int64_t value) {
    darshan_lines_line_end(l, iol__format_i64(line_begin(l, counter, length, 21), value));
}

static void line_unsigned(iol__darshan_lines *l, const char *counter, size_t length, uint64_t value) {
    darshan_lines_line_end(l, iol__format_u64(line_begin(l, counter, length, 20), value));
}

static void line_real(iol__darshan_lines *l, const char *counter, size_t length, double value) {
    darshan_lines_line_end(l, iol__format_fixed(line_begin(l, counter, length, 330), value, 6));
}

static void line_text(iol__darshan_lines *l, const char *counter, const char *value) {
    size_t length = strlen(value);
    char *at = line_begin(l, counter, strlen(counter), length);
    memcpy(at, value, length);
    darshan_lines_line_end(l, at + length);
}

/* The columns around it ------------------------------------------------------------------------------------------- */

static void set_prefix(iol__darshan_lines *l, const iol_record *record) {
    const iol__module *module = &iol__modules[record->slot];
    char *at = stpcpy(l->prefix, l->mark);
    memcpy(at, module->name, module->name_length);
    at += module->name_length;
    *at++ = '\t';
    at = iol__format_i64(at, record->rank);
    *at++ = '\t';
    at = iol__format_u64(at, record->id);
    *at++ = '\t';
    l->prefix_length = (size_t)(at - l->prefix);
}

static bool make_darshan_lines_room(iol__darshan_lines *l, size_t length) {
    if (length <= l->suffix_room) return true;
    char *grown = malloc(length);
    if (!grown) return false;
    if (l->suffix != l->first_suffix) free(l->suffix);
    l->suffix = grown;
    l->suffix_room = length;
    return true;
}

static void set_suffix(iol__darshan_lines *l, const char *name, const char *point, const char *type) {
    if (!l->places) point = type = "";
    if (!make_darshan_lines_room(l, 4 * (strlen(name) + strlen(point) + strlen(type)) + 5)) name = point = type = "";
    char *at = l->suffix;
    *at++ = '\t';
    at = iol__put_name(at, name, l->out->guarded);
    *at++ = '\t';
    at = iol__put_name(at, point, l->out->guarded);
    *at++ = '\t';
    at = iol__put_name(at, type, l->out->guarded);
    *at++ = '\n';
    l->suffix_length = (size_t)(at - l->suffix);
}

static bool darshan_lines_all_zero(const uint8_t *uuid) {
    for (int i = 0; i < 16; i++)
        if (uuid[i]) return false;
    return true;
}

static void set_daos_columns(iol__darshan_lines *l, const iol_record *record) {
    char container[2 * IOL_UUID_TEXT], object[48];
    const char *point = container, *name = iol_log_name(l->log, record->id);
    iol__uuid_text(record->pool_uuid, container);
    container[IOL_UUID_TEXT - 1] = ':';
    iol__uuid_text(record->container_uuid, container + IOL_UUID_TEXT);
    if (record->slot == IOL_SLOT_DAOS) {
        char *end = iol__format_u64(object, record->oid_high);
        *end = '.';
        *iol__format_u64(end + 1, record->oid_low) = '\0';
        name = object;
    } else if (darshan_lines_all_zero(record->pool_uuid) || darshan_lines_all_zero(record->container_uuid)) {
        point = "UNKNOWN";
    }
    set_suffix(l, name ? name : "(null)", point, "N/A");
}

/* Name, mount and type of a record: the last three columns. */
static void set_columns(iol__darshan_lines *l, const iol_record *record) {
    const char *name, *point = "", *type = "";
    switch (record->slot) {
    case IOL_SLOT_APMPI:
    case IOL_SLOT_APXC: set_suffix(l, "", "", ""); return;
    case IOL_SLOT_DFS:
    case IOL_SLOT_DAOS: set_daos_columns(l, record); return;
    default:
        name = iol_log_name(l->log, record->id);
        if (l->places) iol_log_mount_of(l->log, name, &point, &type);
        if (!name) name = record->slot == IOL_SLOT_BGQ ? "darshan-bgq-record" : "(null)";
        set_suffix(l, name, point, type);
    }
}

void iol__lines_about(iol__darshan_lines *l, const iol_record *record) {
    set_prefix(l, record);
    set_columns(l, record);
}

void iol__lines_about_none(iol__darshan_lines *l) {
    l->prefix_length = 0;
    l->suffix[0] = '\n';
    l->suffix_length = 1;
}

/* Counters -------------------------------------------------------------------------------------------------------- */

static void int_line(iol__darshan_lines *l, const iol_record *record, unsigned i, const iol__counter *c) {
    bool is_unsigned = c->kind == IOL_KIND_UINT || (record->slot == IOL_SLOT_POSIX && i == IOL_POSIX_RENAMED_FROM);
    if (is_unsigned)
        line_unsigned(l, c->name, c->name_length, (uint64_t)record->ints[i]);
    else
        line_int(l, c->name, c->name_length, record->ints[i]);
}

/* Sync times of APMPI mean something only when they were measured. */
static bool has_real(const iol_record *record, unsigned i) {
    if (record->slot != IOL_SLOT_APMPI || record->sync_times) return true;
    return i < IOL_APMPI_TIMES || i == IOL_MPI_TOTAL_COMM_TIME;
}

bool iol__lines_has(const iol_record *record, unsigned counter) {
    if (counter < record->n_ints) return true;
    return counter - record->n_ints < record->n_reals && has_real(record, counter - record->n_ints);
}

void iol__lines_counter(iol__darshan_lines *l, const iol_record *record, unsigned counter) {
    const iol__counter *c = &iol__modules[record->slot].counters[counter];
    if (counter < record->n_ints)
        int_line(l, record, counter, c);
    else
        line_real(l, c->name, c->name_length, record->reals[counter - record->n_ints]);
}

static void counter_lines(iol__darshan_lines *l, const iol_record *record) {
    const iol__counter *c = iol__modules[record->slot].counters;
    bool all = has_real(record, IOL_APMPI_TIMES);
    for (unsigned i = 0; i < record->n_ints; i++, c++) int_line(l, record, i, c);
    for (unsigned i = 0; i < record->n_reals; i++, c++)
        if (all || has_real(record, i)) line_real(l, c->name, c->name_length, record->reals[i]);
}

/* A counter name with a number in it, as in HEATMAP_READ_BIN_17. */
static void numbered_line(iol__darshan_lines *l, const char *head, size_t head_length, size_t number, int64_t value) {
    char name[64];
    memcpy(name, head, head_length);
    char *end = iol__format_u64(name + head_length, number);
    line_int(l, name, (size_t)(end - name), value);
}

/* What modules print besides counters ---------------------------------------------------------------------------- */

static void lustre_lines(iol__darshan_lines *l, const iol_record *record) {
    line_int(l, "LUSTRE_NUM_COMPONENTS", 21, (int64_t)record->n_components);
    line_int(l, "LUSTRE_NUM_STRIPES", 18, (int64_t)record->n_osts);
    for (size_t k = 0; k < record->n_components; k++) {
        const iol__component *component = &record->components[k];
        char name[80], text[IOL_LUSTRE_FLAGS_TEXT];
        char *end = iol__format_u64(stpcpy(name, "LUSTRE_COMP"), k + 1);
        *end++ = '_';
        for (int i = 0; i < IOL_LUSTRE_COMP_INTS; i++) {
            int64_t value = component->counters[i];
            strcpy(end, iol__lustre_component[i].name + strlen("LUSTRE_COMP_"));
            if (i == IOL_LUSTRE_COMP_STRIPE_PATTERN) {
                line_text(l, name, iol__lustre_pattern(value));
            } else if (i == IOL_LUSTRE_COMP_FLAGS) {
                line_text(l, name, iol__lustre_flags(text, value));
            } else {
                line_int(l, name, strlen(name), value);
            }
        }
        strcpy(end, "POOL_NAME");
        line_text(l, name, *component->pool ? component->pool : "N/A");
        strcpy(end, "OST_ID_");
        for (int64_t i = 0; i < component->counters[IOL_LUSTRE_COMP_STRIPE_COUNT]; i++)
            numbered_line(l, name, strlen(name), (size_t)i, record->osts[component->first_ost + (size_t)i]);
    }
}

static void mode_lines(iol__darshan_lines *l, const char *name, const char *consistent, int64_t mode,
                       const char *const *texts, int64_t count) {
    int64_t value = mode & 0x7fffffff;
    line_text(l, name, texts[value < count ? value : 0]);
    line_int(l, consistent, strlen(consistent), !(mode >> 31 & 1));
}

static void apxc_lines(iol__darshan_lines *l, const iol_record *record) {
    static const char *const memory[] = {"MM_UNKNOWN", "MM_FLAT", "MM_EQUAL", "MM_SPLIT", "MM_CACHE"};
    static const char *const cluster[] = {"CM_UNKNOWN", "CM_ALL2ALL", "CM_QUAD", "CM_HEMI", "CM_SNC4", "CM_SNC2"};
    if (record->header) {
        line_int(l, "APXC_GROUPS", 11, record->groups);
        line_int(l, "APXC_CHASSIS", 12, record->chassis);
        line_int(l, "APXC_BLADES", 11, record->blades);
        mode_lines(l, "APXC_MEMORY_MODE", "APXC_MEMORY_MODE_CONSISTENT", record->memory_mode, memory, 5);
        mode_lines(l, "APXC_CLUSTER_MODE", "APXC_CLUSTER_MODE_CONSISTENT", record->cluster_mode, cluster, 6);
        line_unsigned(l, "APXC_APPLICATION_ID", 19, record->application);
        return;
    }
    line_int(l, "APXC_GROUP", 10, record->place[0]);
    line_int(l, "APXC_CHASSIS", 12, record->place[1]);
    line_int(l, "APXC_BLADE", 10, record->place[2]);
    line_int(l, "APXC_NODE", 9, record->place[3]);
}

static void apmpi_lines(iol__darshan_lines *l, const iol_record *record) {
    if (!record->header) {
        line_text(l, "MPI_PROCESSOR_NAME", record->processor);
        return;
    }
    line_real(l, "MPI_TOTAL_COMM_TIME_VARIANCE", 28, record->comm_variance);
    if (record->sync_times) line_real(l, "MPI_TOTAL_COMM_SYNC_TIME_VARIANCE", 33, record->sync_variance);
}

static void heatmap_lines(iol__darshan_lines *l, const iol_record *record) {
    const iol_heatmap *map = &record->heatmap;
    line_real(l, "HEATMAP_F_BIN_WIDTH_SECONDS", 27, map->bin_width);
    for (size_t i = 0; i < map->bins; i++) numbered_line(l, "HEATMAP_READ_BIN_", 17, i, map->read[i]);
    for (size_t i = 0; i < map->bins; i++) numbered_line(l, "HEATMAP_WRITE_BIN_", 18, i, map->written[i]);
}

static void mdhim_lines(iol__darshan_lines *l, const iol_record *record) {
    for (size_t i = 0; i < record->n_servers; i++) numbered_line(l, "MDHIM_SERVER_", 13, i, record->servers[i]);
}

/* A record -------------------------------------------------------------------------------------------------------- */

typedef void darshan_lines_part(iol__darshan_lines *l, const iol_record *record);
enum { FORMS = IOL_FORM_HEATMAP + 1 };

static darshan_lines_part *const before[FORMS] = {[IOL_FORM_APMPI] = apmpi_lines, [IOL_FORM_APXC] = apxc_lines};
static darshan_lines_part *const after[FORMS] = {
    [IOL_FORM_LUSTRE] = lustre_lines, [IOL_FORM_HEATMAP] = heatmap_lines, [IOL_FORM_MDHIM] = mdhim_lines};

void iol__lines_before(iol__darshan_lines *l, const iol_record *record) {
    darshan_lines_part *print = before[iol__modules[record->slot].form];
    if (print) print(l, record);
}

void iol__lines_after(iol__darshan_lines *l, const iol_record *record) {
    darshan_lines_part *print = after[iol__modules[record->slot].form];
    if (print) print(l, record);
}

void iol__lines_values(iol__darshan_lines *l, const iol_record *record) {
    iol__lines_about(l, record);
    iol__lines_before(l, record);
    counter_lines(l, record);
    iol__lines_after(l, record);
}

void iol__lines_record(iol__darshan_lines *l, const iol_record *record) {
    iol__lines_values(l, record);
    if (record->slot == IOL_SLOT_H5D) line_unsigned(l, "H5D_FILE_REC_ID", 15, record->owner);
    if (record->slot == IOL_SLOT_PNETCDF_VAR) line_unsigned(l, "PNETCDF_VAR_FILE_REC_ID", 23, record->owner);
}

void iol__lines_bare(iol__darshan_lines *l, const char *text, size_t length) {
    iol__out_bytes(l->out, l->prefix, l->prefix_length);
    iol__out_bytes(l->out, text, length);
    iol__out_bytes(l->out, l->suffix, l->suffix_length);
}
