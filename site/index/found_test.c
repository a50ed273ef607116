/* What one process found comes out of its bytes as it went in; half of the bytes are refused. */
#include <stdarg.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "site/index/found.h"

static void fill(iol__found *f, iol__entry_row *rows, iol__cell *log, iol__cell *stale, iol__entry_mount *mount) {
    *mount = (iol__entry_mount){.point = "/scratch", .type = "lustre", .fs = "scratch"};
    log[IOL_AT(log, cluster)] = iol__text("onyx");
    log[IOL_AT(log, uid)] = iol__integer(-7);
    log[IOL_AT(log, rate)] = iol__real(0.1);
    stale[0] = iol__integer(20260101);
    rows[0] = (iol__entry_row){.next = &rows[1], .table = IOL_TABLE_log, .mount = -1, .values = log};
    rows[1] = (iol__entry_row){.table = IOL_TABLE_stale, .mount = 0, .values = stale};
    *f = (iol__found){.name = "a.darshan", .device = 1, .inode = INT64_MAX, .size = 3, .mtime = -4, .before = 5};
    f->entry = (iol__entry){.identity = "00ff",
                            .damaged = true,
                            .reason = "half",
                            .cluster = "onyx",
                            .jobid = "12",
                            .start = 9,
                            .day = 20260101,
                            .first = rows,
                            .mounts = mount,
                            .n_mounts = 1};
}

static void bytes_hold_everything(void **state) {
    (void)state;
    iol__found f;
    iol__entry_row rows[2];
    iol__cell log[IOL_WIDEST] = {0}, stale[IOL_WIDEST] = {0};
    iol__entry_mount mount;
    iol__rows bytes = {0};
    fill(&f, rows, log, stale, &mount);
    iol__found_pack(&bytes, &f);
    const char *at = bytes.bytes, *end = at + bytes.length;
    iol__found *got = iol__found_unpack(&at, end);
    assert_non_null(got);
    assert_ptr_equal(at, end);
    assert_string_equal(got->name, "a.darshan");
    assert_true(got->device == 1 && got->inode == INT64_MAX && got->size == 3 && got->mtime == -4 && got->before == 5);
    assert_string_equal(got->entry.identity, "00ff");
    assert_string_equal(got->entry.reason, "half");
    assert_null(got->entry.user);
    assert_true(got->entry.damaged && got->entry.start == 9 && got->entry.n_mounts == 1);
    assert_string_equal(got->entry.mounts[0].fs, "scratch");
    assert_string_equal(iol__cell_text(&got->entry.log[IOL_AT(log, cluster)]), "onyx");
    assert_int_equal(iol__cell_integer(&got->entry.log[IOL_AT(log, uid)]), -7);
    assert_true(iol__cell_real(&got->entry.log[IOL_AT(log, rate)]) == 0.1);
    assert_int_equal(got->entry.log[IOL_AT(log, exe)].kind, IOL_CELL_NULL);
    assert_int_equal(got->entry.last->mount, 0);
    assert_int_equal(iol__cell_integer(&got->entry.last->values[0]), 20260101);
    iol__found_free(got);
    for (size_t length = 0; length < bytes.length; length++) {
        char *part = malloc(length + 1); /* of its own, so that a step beyond its end is seen */
        memcpy(part, bytes.bytes, length);
        at = part;
        assert_null(iol__found_unpack(&at, part + length));
        free(part);
    }
    iol__rows_free(&bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(bytes_hold_everything)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
