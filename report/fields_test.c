/* Flat fields: what a module has besides counters comes under the names that darshan-parser made known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "report/fields.h"
#include "tests/support/logrecords.h"
#include "tests/support/opened.h"

static void append(void *context, const iol__record_field *field) {
    iol__out *out = context;
    iol__out_bytes(out, field->name, field->name_length);
    iol__out_char(out, '=');
    switch (field->kind) {
    case IOL_FIELD_INT: iol__out_i64(out, field->i); break;
    case IOL_FIELD_UINT:
    case IOL_FIELD_ID: iol__out_u64(out, (uint64_t)field->i); break;
    case IOL_FIELD_REAL: iol__out_double(out, field->d); break;
    case IOL_FIELD_TEXT: iol__out_text(out, field->text); break;
    }
    iol__out_char(out, ' ');
}

static void assert_fields(lm_log *log, int slot, const char *expected) {
    iol__out out;
    iol__out_open(&out, -1);
    opened o = opened_from(log);
    iol_records *records = records_of(&o, slot);
    iol__fields_all(next_of(records), append, &out);
    iol_records_close(records);
    opened_close(&o);
    iol__out_char(&out, '\0');
    assert_non_null(strstr(out.buffer, expected));
    iol__out_close(&out);
}

static void lustre_components_and_osts(void **state) {
    (void)state;
    lm_log *log = lm_new(41, false, LM_ZLIB);
    const lm_component components[] = {{{1024, 1, 0, 16, 0, 4096, 0}, "fast"}, {{2048, 2, 0, 0, 4096, -1, 0}, ""}};
    const int64_t osts[] = {7, 8, 9};
    lm_lustre_2(lm_records(log, LM_LUSTRE, 2), 5, -1, components, 2, osts, 3);
    assert_fields(log, LM_LUSTRE,
                  "LUSTRE_NUM_COMPONENTS=2 LUSTRE_NUM_STRIPES=3 "
                  "LUSTRE_COMP1_STRIPE_SIZE=1024 LUSTRE_COMP1_STRIPE_COUNT=1 LUSTRE_COMP1_STRIPE_PATTERN=0 "
                  "LUSTRE_COMP1_FLAGS=16 LUSTRE_COMP1_EXT_START=0 LUSTRE_COMP1_EXT_END=4096 LUSTRE_COMP1_MIRROR_ID=0 "
                  "LUSTRE_COMP1_POOL_NAME=fast LUSTRE_COMP1_OST_ID_0=7 LUSTRE_COMP2_STRIPE_SIZE=2048 "
                  "LUSTRE_COMP2_STRIPE_COUNT=2 LUSTRE_COMP2_STRIPE_PATTERN=0 LUSTRE_COMP2_FLAGS=0 "
                  "LUSTRE_COMP2_EXT_START=4096 LUSTRE_COMP2_EXT_END=-1 LUSTRE_COMP2_MIRROR_ID=0 "
                  "LUSTRE_COMP2_POOL_NAME= LUSTRE_COMP2_OST_ID_0=8 LUSTRE_COMP2_OST_ID_1=9 ");
}

static void heatmap_reads_before_writes(void **state) {
    (void)state;
    lm_log *log = lm_new(41, false, LM_ZLIB);
    const int64_t written[] = {1, 2}, read[] = {3, 4};
    lm_heatmap(lm_records(log, LM_HEATMAP, 1), 5, 0, 0.5, 2, written, read);
    assert_fields(log, LM_HEATMAP,
                  "HEATMAP_F_BIN_WIDTH_SECONDS=0.5 HEATMAP_READ_BIN_0=3 HEATMAP_READ_BIN_1=4 "
                  "HEATMAP_WRITE_BIN_0=1 HEATMAP_WRITE_BIN_1=2 ");
}

static void datasets_name_their_file(void **state) {
    (void)state;
    lm_log *log = lm_new(41, false, LM_ZLIB);
    lm_counts counts;
    lm_fill(&counts, 1);
    lm_fixed(lm_records(log, LM_H5D, 2), LM_H5D, 2, 5, 0, UINT64_MAX, &counts);
    assert_fields(log, LM_H5D, "H5D_FILE_REC_ID=18446744073709551615 ");
}

static void renames_are_unsigned_ids(void **state) {
    (void)state;
    lm_log *log = lm_new(41, false, LM_ZLIB);
    lm_counts counts = {0};
    counts.ints[IOL_POSIX_RENAMED_FROM] = -2;
    lm_fixed(lm_records(log, LM_POSIX, 4), LM_POSIX, 4, 5, 0, 0, &counts);
    assert_fields(log, LM_POSIX, "POSIX_RENAMED_FROM=18446744073709551614 ");
}

static void objects_have_uuids(void **state) {
    (void)state;
    char expected[160], pool[IOL_UUID_TEXT], container[IOL_UUID_TEXT];
    uint8_t pool_bytes[16], container_bytes[16];
    for (int i = 0; i < 16; i++) {
        pool_bytes[i] = lm_uuid_byte(false, i);
        container_bytes[i] = lm_uuid_byte(true, i);
    }
    iol__uuid_text(pool_bytes, pool);
    iol__uuid_text(container_bytes, container);
    snprintf(expected, sizeof expected, "DFS_POOL_UUID=%s DFS_CONTAINER_UUID=%s ", pool, container);
    lm_log *log = lm_new(41, false, LM_ZLIB);
    lm_sample(log, LM_DFS, 1, 5, 0, 1);
    assert_fields(log, LM_DFS, expected);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lustre_components_and_osts), cmocka_unit_test(heatmap_reads_before_writes),
        cmocka_unit_test(datasets_name_their_file),   cmocka_unit_test(renames_are_unsigned_ids),
        cmocka_unit_test(objects_have_uuids),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
