/* Statements of the common subset in ClickHouse's words: values cannot break out, deletions hit what they saw. */
#include <stdarg.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/count.h"
#include "site/store/clickhouse.h"

static const iol__ch cluster = {.cluster = "centre", .database = "db", .version = 100, .read_at = 90};

static void is(char *got, const char *wanted) {
    assert_string_equal(got, wanted);
    free(got);
}

static void conditions_on_a_table_are_asked_where_its_key_helps(void **state) {
    (void)state;
    const iol__cell value = iol__text("a");
    is(iol__ch_select(&cluster, "SELECT name FROM place WHERE dir = ?", &value, 1),
       "SELECT name FROM place_all FINAL WHERE gone = 0 AND dir = 'a' FORMAT TabSeparatedWithNamesAndTypes");
    is(iol__ch_select(&cluster, "SELECT day FROM stale", NULL, 0),
       "SELECT day FROM stale FORMAT TabSeparatedWithNamesAndTypes");
    /* Rows of a log count only with it. */
    is(iol__ch_select(&cluster, "SELECT rule FROM finding WHERE rule = ?", &value, 1),
       "SELECT rule FROM finding WHERE rule = 'a' FORMAT TabSeparatedWithNamesAndTypes");
}

static void values_cannot_break_out(void **state) {
    (void)state;
    const iol__cell values[] = {iol__text("'; DROP TABLE log --"), iol__text("a\\' FROM log WHERE ?"), iol__integer(-5),
                                iol__null()};
    is(iol__ch_select(&cluster, "SELECT ?, ?, ?, ?", values, 4),
       "SELECT '\\'; DROP TABLE log --', 'a\\\\\\' FROM log WHERE ?', -5, NULL FORMAT TabSeparatedWithNamesAndTypes");
}

static void patterns_escape_without_a_clause(void **state) {
    (void)state;
    const iol__cell value = iol__text("a\\_%");
    is(iol__ch_select(&cluster, "SELECT owner LIKE ? ESCAPE '\\'", &value, 1),
       "SELECT owner LIKE 'a\\\\_%' FORMAT TabSeparatedWithNamesAndTypes");
}

static void deletions_hit_the_version_that_they_saw(void **state) {
    (void)state;
    const iol__cell value = iol__integer(20260101);
    is(iol__ch_delete(&cluster, IOL_TABLE_stale, "day = ?", &value, 1),
       "INSERT INTO stale_all (day, ver, gone) SELECT day, ver + 1, 1 FROM stale_all FINAL WHERE gone = 0 AND ver < "
       "90 AND day = 20260101");
    is(iol__ch_delete(&cluster, IOL_TABLE_place, "log_id = ?", &value, 1),
       "INSERT INTO place_all (dir, name, device, inode, size, mtime, state, reason, reader, username, log_id, ver, "
       "gone) "
       "SELECT dir, name, device, inode, size, mtime, state, reason, reader, username, log_id, ver + 1, 1 "
       "FROM place_all FINAL WHERE gone = 0 AND ver < 100 AND log_id = 20260101");
}

static void a_job_that_somebody_rebuilt_later_stays(void **state) {
    (void)state;
    const iol__cell value = iol__text("7");
    char *got = iol__ch_delete(&cluster, IOL_TABLE_job, "jobid = ?", &value, 1);
    assert_non_null(strstr(got, " FROM job_all FINAL WHERE gone = 0 AND (ver < 90 OR (ver = 90 AND (cluster, jobid) IN "
                                "(SELECT cluster, jobid FROM job_all FINAL WHERE gone = 0 AND ver > 90 AND jobid = '7'"
                                "))) AND jobid = '7'"));
    free(got);
}

static void updates_keep_the_other_columns(void **state) {
    (void)state;
    const iol__ch single = {.database = "db", .version = 7};
    const iol__cell values[] = {iol__text("scratch"), iol__integer(3)};
    is(iol__ch_update(&single, IOL_TABLE_mount, "fs = ? WHERE mount_id = ?", values, 2),
       "INSERT INTO mount_kept (mount_id, mountpt, fs, type, ver, gone) SELECT mount_id, mountpt, 'scratch', type, 7, "
       "0 "
       "FROM mount_kept FINAL WHERE gone = 0 AND ver < 7 AND mount_id = 3");
}

static void a_url_names_servers_and_who_asks(void **state) {
    (void)state;
    iol_error error;
    iol__ch ch = {0};
    iol_status status = iol__ch_open_url(&ch, "clickhouses://ann:se:cret@a:1,b/jobs?cluster=centre", &error);
    assert_true(status == IOL_OK || status == IOL_UNSUPPORTED); /* without libcurl */
    assert_int_equal(ch.n_hosts, 2);
    assert_string_equal(ch.hosts[0], "a:1");
    assert_string_equal(ch.hosts[1], "b");
    assert_string_equal(ch.user, "ann");
    assert_string_equal(ch.password, "se:cret");
    assert_string_equal(ch.database, "jobs");
    assert_string_equal(ch.cluster, "centre");
    assert_true(ch.tls);
    assert_null(strstr(ch.name, "cret"));
    iol__ch_close_url(&ch);
    static const char *const wrong[] = {"clickhouse://", "clickhouse://a/b;c", "clickhouse://a/b?cluster=x'y",
                                        "clickhouse://a/b?claster=x"};
    for (size_t i = 0; i < IOL_COUNT(wrong); i++) {
        iol__ch bad = {0};
        assert_int_equal(iol__ch_open_url(&bad, wrong[i], &error), IOL_INVALID);
        iol__ch_close_url(&bad);
    }
}

static bool count_rows(void *context, const iol__cell *values, size_t count) {
    assert_int_equal(count, 2);
    assert_non_null(iol__cell_text(&values[1]));
    ++*(size_t *)context;
    return true;
}

static iol_status rows_of(const char *text, size_t *rows) {
    iol__ch ch = {.name = "clickhouse://a/b"};
    *rows = 0;
    iol__rows_text(&ch.answer, text);
    iol_status status = iol__ch_rows(&ch, count_rows, rows);
    iol__rows_free(&ch.answer);
    return status;
}

static void an_answer_is_whole_or_an_error(void **state) {
    (void)state;
    size_t rows;
    assert_int_equal(rows_of("a\tb\nInt64\tString\n", &rows), IOL_OK);
    assert_int_equal(rows, 0);
    assert_int_equal(rows_of("a\tb\nInt64\tString\n1\tx\\ty\n2\t\n", &rows), IOL_OK);
    assert_int_equal(rows, 2);
    static const char *const parts[] = {"",
                                        "a\tb",
                                        "a\tb\n",
                                        "a\tb\nInt64\tString",
                                        "a\tb\nInt64\tString\n1\tx\n2",
                                        "a\tb\nInt64\tString\n1\n2\ty\n",
                                        "a\tb\nInt64\tString\n1\tx\tz\n",
                                        "a\tb\nInt64\tString\n1\tx\n2\ty"};
    for (size_t i = 0; i < IOL_COUNT(parts); i++) assert_int_equal(rows_of(parts[i], &rows), IOL_SYSTEM);
}

static void a_logs_number_begins_with_its_month(void **state) {
    (void)state;
    assert_int_equal(iol__log_month(19700101), 0);
    assert_int_equal(iol__log_month(20261231), 56 * 12 + 11);
    assert_int_equal(iol__log_month(0), 0);
    assert_int_equal(iol__log_month(INT64_MAX), IOL_MONTHS - 1);
    int64_t number = iol__log_number("onyx", "00ff", 20261231);
    assert_int_equal(number >> IOL_MONTH_SHIFT, 56 * 12 + 11);
    assert_true(number > 0);
    assert_true(iol__log_number("onyx", "00fe", 20261231) != number);
    assert_true(iol__log_number("ony", "x00ff", 20261231) != number);
    assert_int_equal(iol__log_number("onyx", "00ff", 20261201), number);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conditions_on_a_table_are_asked_where_its_key_helps),
        cmocka_unit_test(values_cannot_break_out),
        cmocka_unit_test(patterns_escape_without_a_clause),
        cmocka_unit_test(deletions_hit_the_version_that_they_saw),
        cmocka_unit_test(a_job_that_somebody_rebuilt_later_stays),
        cmocka_unit_test(updates_keep_the_other_columns),
        cmocka_unit_test(a_url_names_servers_and_who_asks),
        cmocka_unit_test(an_answer_is_whole_or_an_error),
        cmocka_unit_test(a_logs_number_begins_with_its_month),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
