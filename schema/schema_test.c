/* The schema against itself, and against the published counter tables where these are at hand.
   The tables are text with one row a counter; every column of every row is compared. */
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "schema/schema.h"

enum { COLUMNS = 8, LINE_BYTES = 1024 };

/* Itself ------------------------------------------------------------------------------------------------------ */

static unsigned counters_of(int slot) { return (unsigned)iol__modules[slot].ints + iol__modules[slot].reals; }

static void counter_names_are_unique_and_right(void **state) {
    (void)state;
    for (int slot = 0; slot < IOL_SLOTS_KNOWN; slot++)
        for (unsigned i = 0; i < counters_of(slot); i++) {
            const iol__counter *counter = &iol__modules[slot].counters[i];
            assert_int_equal(strlen(counter->name), counter->name_length);
            assert_int_equal(counter->kind == IOL_KIND_REAL, i >= iol__modules[slot].ints);
            assert_in_range(counter->since, 1, iol__modules[slot].current);
            for (int other = slot; other < IOL_SLOTS_KNOWN; other++)
                for (unsigned k = other == slot ? i + 1 : 0; k < counters_of(other); k++)
                    assert_string_not_equal(counter->name, iol__modules[other].counters[k].name);
        }
}

static void modules_are_found_by_name_and_key(void **state) {
    (void)state;
    for (int slot = 0; slot < IOL_SLOTS_KNOWN; slot++) {
        assert_int_equal(iol__module_find(iol__modules[slot].name), slot);
        assert_int_equal(iol__module_find(iol__modules[slot].key), slot);
        assert_int_equal(strlen(iol__modules[slot].name), iol__modules[slot].name_length);
    }
    assert_int_equal(iol__module_find("mpi-io"), IOL_SLOT_MPIIO);
    assert_int_equal(iol__module_find("POSI"), -1);
    assert_int_equal(iol__module_find(""), -1);
}

static void every_version_up_to_the_current_exists_once(void **state) {
    (void)state;
    size_t expected = 0;
    for (int slot = 0; slot < IOL_SLOTS_KNOWN; slot++) {
        unsigned current = iol__modules[slot].current;
        expected += current;
        for (unsigned version = 1; version <= current; version++) assert_non_null(iol__version_find(slot, version));
        assert_null(iol__version_find(slot, 0));
        assert_null(iol__version_find(slot, current + 1));
    }
    assert_int_equal(iol__versions_count, expected);
}

/* Bytes behind the counters of a fixed record: UUIDs of DFS and DAOS, the object id of DAOS. */
static unsigned tail_bytes(int slot) { return slot == IOL_SLOT_DFS ? 32 : slot == IOL_SLOT_DAOS ? 48 : 0; }

static void sizes_of_fixed_records_follow_from_their_counters(void **state) {
    (void)state;
    for (size_t i = 0; i < iol__versions_count; i++) {
        const iol__version *v = &iol__versions[i];
        if (iol__modules[v->slot].form != IOL_FORM_FIXED) continue;
        assert_string_equal(v->size, "");
        assert_int_equal(v->fixed_bytes, v->counters_at + 8u * v->ints + 8u * v->reals + tail_bytes(v->slot));
    }
}

static bool has_arrays(int slot) { return iol__modules[slot].counters != NULL; }

static void the_current_version_has_the_counters_of_the_table(void **state) {
    (void)state;
    for (int slot = 0; slot < IOL_SLOTS_KNOWN; slot++) {
        if (!has_arrays(slot)) continue;
        const iol__version *v = iol__version_find(slot, iol__modules[slot].current);
        assert_int_equal(v->ints, iol__modules[slot].ints);
        assert_int_equal(v->reals, iol__modules[slot].reals);
    }
}

/* The array lengths after the edits that lead from a version to the next. */
static void apply(const iol__upgrade *u, unsigned *ints, unsigned *reals) {
    switch ((iol__edit)u->edit) {
    case IOL_EDIT_SKIP_IF_POSITIVE: assert_true(u->position < *ints); return;
    case IOL_EDIT_ADD_INT: assert_true(u->position < *ints && u->count < *ints); return;
    case IOL_EDIT_DELETE_INTS:
        assert_true(u->position + (unsigned)u->count <= *ints);
        *ints -= u->count;
        return;
    case IOL_EDIT_INSERT_INTS:
        assert_true(u->position <= *ints);
        *ints += u->count;
        return;
    case IOL_EDIT_INSERT_REALS:
        assert_true(u->position <= *reals);
        *reals += u->count;
        return;
    }
    fail();
}

static void upgrades_lead_from_each_version_to_the_next(void **state) {
    (void)state;
    for (size_t i = 0; i < iol__versions_count; i++) {
        const iol__version *v = &iol__versions[i], *next = iol__version_find(v->slot, v->version + 1u);
        if (next == NULL || iol__modules[v->slot].form != IOL_FORM_FIXED) continue;
        unsigned ints = v->ints, reals = v->reals;
        for (size_t k = 0; k < iol__upgrades_count; k++)
            if (iol__upgrades[k].slot == v->slot && iol__upgrades[k].from == v->version)
                apply(&iol__upgrades[k], &ints, &reals);
        assert_int_equal(ints, next->ints);
        assert_int_equal(reals, next->reals);
    }
}

static void upgrades_are_in_order_of_version(void **state) {
    (void)state;
    for (size_t i = 1; i < iol__upgrades_count; i++)
        for (size_t k = 0; k < i; k++)
            if (iol__upgrades[k].slot == iol__upgrades[i].slot)
                assert_true(iol__upgrades[k].from <= iol__upgrades[i].from);
}

static void counters_of_later_versions_come_from_upgrades(void **state) {
    (void)state;
    for (size_t i = 0; i < iol__upgrades_count; i++)
        assert_in_range(iol__upgrades[i].from, 1, iol__modules[iol__upgrades[i].slot].current - 1);
}

static void assert_role(int16_t index, unsigned count) { assert_true(index >= -1 && index < (int)count); }

static void roles_point_into_their_module(void **state) {
    (void)state;
    for (int slot = 0; slot < IOL_SLOTS_KNOWN; slot++) {
        const iol__module *m = &iol__modules[slot];
        const iol__roles *r = m->roles;
        if (!r->traffic) continue;
        const int16_t ints[] = {r->bytes_read,   r->bytes_written, r->max_byte_read, r->max_byte_written,
                                r->read_buckets, r->write_buckets, r->fastest_rank,  r->fastest_bytes,
                                r->slowest_rank, r->slowest_bytes};
        const int16_t reals[] = {r->read_time,    r->write_time,    r->meta_time,     r->fastest_time,
                                 r->slowest_time, r->variance_time, r->variance_bytes};
        for (size_t i = 0; i < sizeof ints / sizeof *ints; i++) assert_role(ints[i], m->ints);
        for (size_t i = 0; i < sizeof reals / sizeof *reals; i++) assert_role(reals[i], m->reals);
        for (int t = 0; t < 2; t++) {
            if (r->common[t].values < 0) continue;
            assert_int_equal(r->common[t].values + 4 * r->common[t].width, r->common[t].counts);
            assert_in_range(r->common[t].counts + 4, 0, m->ints);
        }
    }
}

static bool names_end_with(const iol__module *m, int index, const char *end) {
    const char *name = m->counters[index].name;
    size_t length = strlen(name), tail = strlen(end);
    return length >= tail && strcmp(name + length - tail, end) == 0;
}

static void roles_have_the_names_they_stand_for(void **state) {
    (void)state;
    for (int slot = 0; slot < IOL_SLOTS_KNOWN; slot++) {
        const iol__module *m = &iol__modules[slot];
        const iol__roles *r = m->roles;
        if (!r->traffic) continue;
        assert_true(names_end_with(m, r->bytes_read, "_BYTES_READ"));
        assert_true(names_end_with(m, r->bytes_written, "_BYTES_WRITTEN"));
        assert_true(names_end_with(m, r->fastest_rank, "_FASTEST_RANK"));
        assert_true(names_end_with(m, r->slowest_bytes, "_SLOWEST_RANK_BYTES"));
        assert_true(names_end_with(m, m->ints + r->read_time, "_F_READ_TIME"));
        assert_true(names_end_with(m, m->ints + r->write_time, "_F_WRITE_TIME"));
        assert_true(names_end_with(m, m->ints + r->meta_time, "_F_META_TIME"));
        assert_true(names_end_with(m, m->ints + r->slowest_time, "_F_SLOWEST_RANK_TIME"));
        if (r->read_buckets >= 0) assert_true(names_end_with(m, r->read_buckets, "_0_100"));
        if (r->write_buckets >= 0) assert_true(names_end_with(m, r->write_buckets + IOL_SIZE_BUCKETS - 1, "_1G_PLUS"));
    }
}

static void settings_have_one_name_each(void **state) {
    (void)state;
    for (int i = 0; i < IOL_SETTINGS; i++) {
        const iol__setting *s = &iol__settings[i];
        assert_true(s->env[0] != '\0' || s->alias[0] != '\0' || s->key[0] != '\0');
        assert_true(s->help[0] != '\0');
        for (int k = 0; k < i; k++) {
            assert_string_not_equal(s->ident, iol__settings[k].ident);
            if (s->env[0] != '\0') assert_string_not_equal(s->env, iol__settings[k].env);
            if (s->alias[0] != '\0') assert_string_not_equal(s->alias, iol__settings[k].alias);
            if (s->key[0] != '\0') assert_string_not_equal(s->key, iol__settings[k].key);
        }
    }
}

/* Tables ------------------------------------------------------------------------------------------------------ */

/* Tab-separated text, a line at a time, without its first line. */
typedef struct table {
    FILE *file;
    char line[LINE_BYTES];
    const char *column[COLUMNS];
} table;

static bool table_next(table *t) {
    if (fgets(t->line, sizeof t->line, t->file) == NULL) return false;
    t->line[strcspn(t->line, "\r\n")] = '\0';
    char *rest = t->line;
    for (int i = 0; i < COLUMNS; i++) {
        char *cell = strsep(&rest, "\t");
        t->column[i] = cell != NULL ? cell : "";
    }
    return true;
}

/* The test is skipped where the tables are absent. */
static table table_open(const char *name) {
    char path[4096];
    const char *corpus = getenv("IOLITE_CORPUS");
    snprintf(path, sizeof path, "%s/../spec/counters/%s.tsv", corpus != NULL ? corpus : "../shared/corpus", name);
    table t = {.file = fopen(path, "r")};
    if (t.file == NULL) skip();
    assert_true(table_next(&t));
    return t;
}

static unsigned number(const char *text) {
    char *end;
    unsigned long value = strtoul(text, &end, 10);
    if (end == text || *end != '\0') fail_msg("'%s' is not a number", text);
    return (unsigned)value;
}

static const char *kind_name(unsigned kind) {
    static const char *const names[] = {
        [IOL_KIND_INT] = "int64", [IOL_KIND_UINT] = "uint64", [IOL_KIND_REAL] = "double"};
    return names[kind];
}

/* The counter that a maximum goes along with is of the other kind. */
static void assert_reduce(const iol__module *m, const iol__counter *counter, const char *text) {
    char expected[128];
    const char *with = "";
    if (counter->reduce == IOL_REDUCE_MAX_WITH)
        with = m->counters[counter->kind == IOL_KIND_REAL ? counter->with : m->ints + counter->with].name;
    snprintf(expected, sizeof expected, "%s%s%s", iol__reduce_name(counter->reduce), *with != '\0' ? ":" : "", with);
    assert_string_equal(expected, text);
}

static void assert_text_columns(const iol__counter *counter, const char *meaning, const table *t) {
    assert_int_equal(strnlen(counter->name, sizeof counter->name), counter->name_length);
    assert_true(strnlen(counter->unit, sizeof counter->unit) < sizeof counter->unit);
    assert_string_equal(counter->name, t->column[1]);
    assert_string_equal(kind_name(counter->kind), t->column[2]);
    assert_string_equal(counter->unit, t->column[3]);
    assert_string_equal(meaning, t->column[5]);
    assert_int_equal(counter->since, number(t->column[6]));
}

/* Rows are numbered from 0 in each array; APMPI has three of doubles. */
static unsigned number_in_array(int slot, unsigned i) {
    unsigned ints = iol__modules[slot].ints;
    if (i < ints) return i;
    unsigned real = i - ints;
    if (slot != IOL_SLOT_APMPI || real < IOL_APMPI_TIMES) return real;
    real -= IOL_APMPI_TIMES;
    return real < IOL_APMPI_SYNCS ? real : real - IOL_APMPI_SYNCS;
}

static void assert_counters(int slot, const char *name) {
    const iol__module *m = &iol__modules[slot];
    unsigned at = iol__version_find(slot, m->current)->counters_at;
    table t = table_open(name);
    for (unsigned i = 0; i < counters_of(slot); i++) {
        assert_true(table_next(&t));
        assert_text_columns(&m->counters[i], iol__counter_meaning(slot, i), &t);
        assert_int_equal(number_in_array(slot, i), number(t.column[0]));
        assert_reduce(m, &m->counters[i], t.column[4]);
        assert_int_equal(at + 8 * i, number(t.column[7]));
    }
    assert_false(table_next(&t));
    fclose(t.file);
}

static void counters_equal_the_tables(void **state) {
    (void)state;
    static const struct {
        int slot;
        const char *name;
    } tables[] = {
        {IOL_SLOT_NULL, "null"},
        {IOL_SLOT_POSIX, "posix"},
        {IOL_SLOT_MPIIO, "mpiio"},
        {IOL_SLOT_H5F, "h5f"},
        {IOL_SLOT_H5D, "h5d"},
        {IOL_SLOT_PNETCDF_FILE, "pnetcdf_file"},
        {IOL_SLOT_PNETCDF_VAR, "pnetcdf_var"},
        {IOL_SLOT_BGQ, "bgq"},
        {IOL_SLOT_STDIO, "stdio"},
        {IOL_SLOT_MDHIM, "mdhim"},
        {IOL_SLOT_APXC, "apxc"},
        {IOL_SLOT_APMPI, "apmpi"},
        {IOL_SLOT_DFS, "dfs"},
        {IOL_SLOT_DAOS, "daos"},
    };
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) assert_counters(tables[i].slot, tables[i].name);
}

static void lustre_components_equal_their_table(void **state) {
    (void)state;
    table t = table_open("lustre_component");
    for (unsigned i = 0; i < IOL_LUSTRE_COMP_INTS; i++) {
        assert_true(table_next(&t));
        assert_text_columns(&iol__lustre_component[i], iol__counter_meaning(IOL_SLOT_LUSTRE, i), &t);
        assert_int_equal(i, number(t.column[0]));
        assert_string_equal(iol__reduce_name(iol__lustre_component[i].reduce), t.column[4]);
        assert_int_equal(8 * i, number(t.column[7]));
    }
    assert_false(table_next(&t));
    fclose(t.file);
}

/* The place in the record of a field that a table describes. */
static unsigned field_at(const char *name, const char *field) {
    table t = table_open(name);
    while (table_next(&t))
        if (strcmp(t.column[1], field) == 0) {
            unsigned at = number(t.column[7]);
            fclose(t.file);
            return at;
        }
    fail_msg("%s has no field %s", name, field);
    return 0;
}

static void fixed_parts_end_where_the_tables_say(void **state) {
    (void)state;
    assert_int_equal(iol__version_find(IOL_SLOT_HEATMAP, 1)->fixed_bytes, field_at("heatmap", "HEATMAP_WRITE_BIN_<i>"));
    for (unsigned version = 1; version <= 2; version++)
        assert_int_equal(iol__version_find(IOL_SLOT_DXT_POSIX, version)->fixed_bytes,
                         field_at("dxt", "read_count") + 8);
    for (unsigned version = 1; version <= 3; version++)
        assert_int_equal(iol__version_find(IOL_SLOT_DXT_MPIIO, version)->fixed_bytes,
                         field_at("dxt", "read_count") + 8);
}

/* "H5F (HDF5 before 3.20)" */
static void assert_module_name(const iol__module *m, const char *text) {
    char expected[64];
    if (m->former[0] != '\0')
        snprintf(expected, sizeof expected, "%s (%s)", m->name, m->former);
    else
        snprintf(expected, sizeof expected, "%s", m->name);
    assert_string_equal(expected, text);
}

static void assert_old_slot(int slot, const char *text) {
    assert_int_equal(slot, strcmp(text, "-") == 0 ? -1 : (int)number(text));
}

/* "32 + 72*components" is "32+72*components"; "72 once, then 3184 each" is "72 / 3184". */
static void normalise_size(const char *text, char out[64]) {
    unsigned first, then;
    if (sscanf(text, "%u once, then %u each", &first, &then) == 2) {
        snprintf(out, 64, "%u / %u", first, then);
        return;
    }
    size_t length = 0;
    for (; *text != '\0' && length < 63; text++)
        if (!isspace((unsigned char)*text)) out[length++] = *text;
    out[length] = '\0';
}

static void assert_size(const iol__version *v, const char *text) {
    char expected[64];
    if (v->size[0] != '\0')
        snprintf(expected, sizeof expected, "%s", v->size);
    else
        snprintf(expected, sizeof expected, "%u", v->fixed_bytes);
    assert_string_equal(expected, text);
}

static void modules_equal_their_table(void **state) {
    (void)state;
    table t = table_open("modules");
    for (int slot = 0; slot < IOL_SLOTS_KNOWN; slot++) {
        const iol__module *m = &iol__modules[slot];
        char size[64];
        assert_true(table_next(&t));
        assert_int_equal(slot, number(t.column[0]));
        assert_old_slot(m->slot_320, t.column[1]);
        assert_old_slot(m->slot_300, t.column[2]);
        assert_module_name(m, t.column[3]);
        assert_int_equal(m->current, number(t.column[4]));
        normalise_size(t.column[5], size);
        assert_size(iol__version_find(slot, m->current), size);
        assert_string_equal(m->named_after, t.column[6]);
    }
    assert_false(table_next(&t));
    fclose(t.file);
}

/* A number, "7 per component", or "-" where the form has no such array. */
static void assert_array_length(unsigned length, const char *text) {
    if (strcmp(text, "-") == 0) {
        assert_int_equal(length, 0);
        return;
    }
    char digits[16];
    snprintf(digits, sizeof digits, "%.*s", (int)strspn(text, "0123456789"), text);
    assert_int_equal(length, number(digits));
}

static void record_versions_equal_their_table(void **state) {
    (void)state;
    table t = table_open("record_versions");
    size_t rows = 0;
    while (table_next(&t)) {
        rows++;
        int slot = iol__module_find(t.column[0]);
        assert_true(slot >= 0);
        const iol__version *v = iol__version_find(slot, number(t.column[1]));
        assert_non_null(v);
        assert_size(v, t.column[2]);
        assert_array_length(v->ints, t.column[3]);
        assert_array_length(v->reals, t.column[4]);
        assert_string_equal(v->first_release, t.column[5]);
        assert_string_equal(v->note, t.column[6]);
    }
    assert_int_equal(rows, iol__versions_count);
    fclose(t.file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counter_names_are_unique_and_right),
        cmocka_unit_test(modules_are_found_by_name_and_key),
        cmocka_unit_test(every_version_up_to_the_current_exists_once),
        cmocka_unit_test(sizes_of_fixed_records_follow_from_their_counters),
        cmocka_unit_test(the_current_version_has_the_counters_of_the_table),
        cmocka_unit_test(upgrades_lead_from_each_version_to_the_next),
        cmocka_unit_test(upgrades_are_in_order_of_version),
        cmocka_unit_test(counters_of_later_versions_come_from_upgrades),
        cmocka_unit_test(roles_point_into_their_module),
        cmocka_unit_test(roles_have_the_names_they_stand_for),
        cmocka_unit_test(settings_have_one_name_each),
        cmocka_unit_test(counters_equal_the_tables),
        cmocka_unit_test(lustre_components_equal_their_table),
        cmocka_unit_test(fixed_parts_end_where_the_tables_say),
        cmocka_unit_test(modules_equal_their_table),
        cmocka_unit_test(record_versions_equal_their_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
