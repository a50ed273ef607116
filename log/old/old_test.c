/* Logs of Darshan 1.x and 2.x: every version and byte order gives its values, what it did not know is unknown, and
   bytes that lie cost no more than they are worth. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/count.h"
#include "log/old/old.h"
#include "log/read/log_internal.h"
#include "tests/support/oldmaker.h"
#include "tests/support/opened.h"
#include "tests/support/read_all.h"

typedef enum packing { PLAIN, GZIP, BZIP2 } packing;

/* The bytes go to the opened log. */
static opened open_raw(bytes *raw, packing how) {
    bytes packed = {0};
    if (how == PLAIN) return opened_bytes(raw->data, raw->length);
    if (how == GZIP)
        om_gzip(raw, &packed);
    else if (!om_bzip2(raw, &packed))
        skip();
    bytes_free(raw);
    return opened_bytes(packed.data, packed.length);
}

static opened open_version(const om_version *v, bool big, packing how) {
    bytes raw = {0};
    om_log(&raw, v, big);
    return open_raw(&raw, how);
}

static int64_t known_int(const om_version *v, int index, int64_t value) { return om_has_int(v, index) ? value : -1; }
static double known_real(const om_version *v, int index, double value) { return om_has_real(v, index) ? value : -1; }

/* The first file of om_log(). Numbers of counters are those of a record of 2.x. */
static void check_first_posix(const om_version *v, const iol_record *r) {
    assert_int_equal(iol_record_id(r), 11);
    assert_int_equal(iol_record_rank(r), -1);
    assert_int_equal(int_of(r, "POSIX_OPENS"), 1014);
    assert_int_equal(int_of(r, "POSIX_READS"), 1012);
    assert_int_equal(int_of(r, "POSIX_FDSYNCS"), 1023);
    assert_int_equal(int_of(r, "POSIX_BYTES_READ"), 1048);
    assert_int_equal(int_of(r, "POSIX_MODE"), -1); /* that of MPI-IO took its place */
    assert_int_equal(int_of(r, "POSIX_FILE_ALIGNMENT"), 1060);
    assert_int_equal(int_of(r, "POSIX_MAX_READ_TIME_SIZE"), known_int(v, 60, 1061));
    assert_int_equal(int_of(r, "POSIX_SIZE_WRITE_1G_PLUS"), 1082);
    assert_int_equal(int_of(r, "POSIX_STRIDE1_STRIDE"), 1123);
    assert_int_equal(int_of(r, "POSIX_ACCESS4_COUNT"), 1138);
    assert_int_equal(int_of(r, "POSIX_SLOWEST_RANK_BYTES"), known_int(v, 143, 1144));
    assert_int_equal(int_of(r, "POSIX_FILENOS"), -1);
    assert_int_equal(int_of(r, "POSIX_RENAME_SOURCES"), -1);
    assert_true(real_of(r, "POSIX_F_OPEN_START_TIMESTAMP") == 1.125);
    assert_true(real_of(r, "POSIX_F_CLOSE_END_TIMESTAMP") == 1.5);
    assert_true(real_of(r, "POSIX_F_META_TIME") == 2.125);
    assert_true(real_of(r, "POSIX_F_CLOSE_START_TIMESTAMP") == -1);
    assert_true(real_of(r, "POSIX_F_MAX_WRITE_TIME") == known_real(v, 13, 2.75));
    assert_true(real_of(r, "POSIX_F_VARIANCE_RANK_BYTES") == known_real(v, 17, 3.25));
}

static void check_first_mpiio(const om_version *v, const iol_record *r) {
    assert_int_equal(int_of(r, "MPIIO_INDEP_OPENS"), 1001);
    assert_int_equal(int_of(r, "MPIIO_SYNCS"), 1011);
    assert_int_equal(int_of(r, "MPIIO_MODE"), 1047);
    assert_int_equal(int_of(r, "MPIIO_BYTES_WRITTEN"), 1049);
    assert_int_equal(int_of(r, "MPIIO_SIZE_READ_AGG_0_100"), 1083);
    assert_int_equal(int_of(r, "MPIIO_SIZE_WRITE_AGG_1G_PLUS"), 1102);
    assert_int_equal(int_of(r, "MPIIO_ACCESS1_ACCESS"), -1);
    assert_int_equal(int_of(r, "MPIIO_RW_SWITCHES"), -1);
    assert_int_equal(int_of(r, "MPIIO_FASTEST_RANK"), known_int(v, 140, 1141));
    assert_true(real_of(r, "MPIIO_F_META_TIME") == 2.25);
    assert_true(real_of(r, "MPIIO_F_WRITE_TIME") == 2.5);
    assert_true(real_of(r, "MPIIO_F_SLOWEST_RANK_TIME") == known_real(v, 15, 3.0));
}

static void check_libraries(const opened *o, const om_version *v) {
    iol_module module;
    iol_log_module(o->log, IOL_SLOT_H5F, &module);
    assert_int_equal(module.length > 0, om_has_int(v, 25)); /* what was not counted is no module */
    if (!module.length) return;
    iol_records *records = records_of(o, IOL_SLOT_H5F);
    const iol_record *r = next_of(records);
    assert_int_equal(int_of(r, "H5F_OPENS"), 1026);
    assert_int_equal(int_of(r, "H5F_FLUSHES"), -1);
    ends_well(records);
    records = records_of(o, IOL_SLOT_PNETCDF_FILE);
    assert_int_equal(int_of(next_of(records), "PNETCDF_FILE_OPENS"), 1024 + 1025);
    ends_well(records);
}

static void check_log(const opened *o, const om_version *v) {
    const iol_job *job = iol_log_job(o->log);
    assert_string_equal(iol_log_info(o->log)->version, v->text);
    assert_int_equal(job->uid, 4279);
    assert_int_equal(job->start_seconds, 1300000000);
    assert_int_equal(job->processes, 8);
    assert_int_equal(job->job_id, v->job > 48 ? 180936 : 0);
    assert_string_equal(job->exe, "/home/user/app -f x");
    assert_int_equal(iol_log_metadata_count(o->log), v->metadata ? 2 : 0);
    iol_records *records = records_of(o, IOL_SLOT_POSIX);
    check_first_posix(v, next_of(records));
    assert_int_equal(int_of(next_of(records), "POSIX_MODE"), 2047);
    const iol_record *streams = next_of(records); /* kept, though its calls have no counters here */
    assert_int_equal(iol_record_id(streams), 13);
    assert_int_equal(int_of(streams, "POSIX_BYTES_READ"), 4096);
    ends_well(records);
    records = records_of(o, IOL_SLOT_MPIIO);
    check_first_mpiio(v, next_of(records));
    ends_well(records);
    check_libraries(o, v);
    assert_int_equal(iol_log_error_count(o->log), 0);
}

static void every_version_and_order_gives_its_values(void **state) {
    (void)state;
    for (size_t i = 0; i < om_versions(); i++)
        for (int big = om_version_at(i)->generation == 1; big < 2; big++)
            for (packing how = PLAIN; how <= GZIP; how++) {
                opened o = open_version(om_version_at(i), big, how);
                check_log(&o, om_version_at(i));
                opened_close(&o);
            }
}

static void bzip2_streams_are_read(void **state) {
    (void)state;
    opened o = open_version(om_version_named("2.02"), true, BZIP2);
    check_log(&o, om_version_named("2.02"));
    opened_close(&o);
}

static void names_are_ends_of_names(void **state) {
    (void)state;
    for (size_t i = 0; i < om_versions(); i++) {
        const om_version *v = om_version_at(i);
        opened o = open_version(v, true, GZIP);
        assert_string_equal(iol_log_name(o.log, 11), v->generation == 1 ? "…points.0001" : "…checkpoint.0001");
        assert_string_equal(iol_log_name(o.log, 12), "input.txt");
        opened_close(&o);
    }
}

static void mounts_are_those_of_the_device(void **state) {
    (void)state;
    const char *point, *type;
    opened o = open_version(om_version_named("2.06"), false, GZIP);
    assert_true(iol_log_mount_of(o.log, iol_log_name(o.log, 11), &point, &type));
    assert_string_equal(point, "/scratch");
    assert_string_equal(type, "gpfs");
    assert_true(iol_log_mount_of(o.log, iol_log_name(o.log, 12), &point, &type));
    assert_string_equal(point, "/home");
    assert_false(iol_log_mount_of(o.log, "another", &point, &type));
    assert_string_equal(point, "UNKNOWN");
    opened_close(&o);
    o = open_version(om_version_named("1.22"), true, GZIP); /* knows no devices */
    assert_false(iol_log_mount_of(o.log, iol_log_name(o.log, 11), &point, &type));
    opened_close(&o);
}

/* What a name says of its mount is not what that of another file with the same end says. */
static void files_of_one_name_are_on_mounts_of_their_own(void **state) {
    (void)state;
    static const struct {
        uint64_t id;
        int64_t device;
        const char *point;
        const char *name;
    } files[] = {
        {5, 10, "/home", "log.txt"}, {6, 12, "/scratch", "log.txt"}, {7, 13, "UNKNOWN", "a"}, {8, 12, "/scratch", "a"}};
    const om_version *v = om_version_named("2.06");
    bytes raw = {0};
    om_record record;
    om_put_job(&raw, v,
               &(om_job){.start = 1300000000, .processes = 1, .text = "a.out\n10\tnfs\t/home\n12\tgpfs\t/scratch"});
    for (size_t i = 0; i < IOL_COUNT(files); i++) {
        om_sample(&record, files[i].id, 0, files[i].name, 1);
        record.ints[138] = files[i].device;
        om_put_record(&raw, v, &record);
    }
    opened o = open_raw(&raw, GZIP);
    opened converted = {.log = rewritten(o.log, &(iol__rewrite){.keeps = NULL})};
    iol_log *logs[] = {o.log, converted.log};
    for (size_t i = 0; i < 2 * IOL_COUNT(files); i++) {
        const char *point, *type;
        iol_log *log = logs[i % 2];
        assert_string_equal(iol_log_name(log, files[i / 2].id), files[i / 2].name);
        iol_log_mount_of(log, iol_log_name(log, files[i / 2].id), &point, &type);
        assert_string_equal(point, files[i / 2].point);
    }
    const char *point, *type;
    assert_false(iol_log_mount_of(o.log, "log.txt", &point, &type)); /* which of them? */
    iol_log_close(converted.log);
    opened_close(&o);
}

/* A log of one record, which has these six times. */
static opened open_with_times(const char *version, const double times[6]) {
    const om_version *v = om_version_named(version);
    bytes raw = {0};
    om_record record;
    om_put_job(&raw, v, &(om_job){.uid = 1, .start = 1300000000, .end = 1300000010, .processes = 1, .text = "a"});
    om_sample(&record, 5, -1, "x", 1);
    memcpy(record.reals, times, 6 * sizeof *times);
    om_put_record(&raw, v, &record);
    return open_raw(&raw, PLAIN);
}

static void times_from_the_epoch_count_from_the_start(void **state) {
    (void)state;
    opened o = open_with_times(
        "2.01", (double[]){1300000002.5, 1300000003.5, 1300000004.5, 1300000005.5, 1300000006.5, 1300000007.5});
    iol_records *records = records_of(&o, IOL_SLOT_POSIX);
    const iol_record *r = next_of(records);
    assert_true(real_of(r, "POSIX_F_OPEN_START_TIMESTAMP") == 2.5);
    assert_true(real_of(r, "POSIX_F_READ_TIME") == 1.875);
    ends_well(records);
    /* A conversion changes no value, and its reader still knows. */
    iol_log *converted = rewritten(o.log, &(iol__rewrite){.keeps = NULL});
    opened again = {.log = converted};
    records = records_of(&again, IOL_SLOT_POSIX);
    assert_true(real_of(next_of(records), "POSIX_F_OPEN_START_TIMESTAMP") == 2.5);
    iol_records_close(records);
    iol_log_close(converted);
    opened_close(&o);
}

static void check_times_from_the_first(const opened *o) {
    iol_records *records = records_of(o, IOL_SLOT_POSIX);
    const iol_record *r = next_of(records);
    const double first = real_of(r, "POSIX_F_OPEN_START_TIMESTAMP");
    const double rest = real_of(r, "POSIX_F_WRITE_END_TIMESTAMP") - first;
    assert_true(first > 0 && first < 0.01);
    assert_true(rest > 4.999 && rest < 5.001);
    assert_true(real_of(r, "POSIX_F_READ_END_TIMESTAMP") == 0);
    ends_well(records);
}

static void times_from_an_unknown_moment_count_from_the_first(void **state) {
    (void)state;
    opened o = open_with_times(
        "2.02", (double[]){2000000.5, 2000001.5, 2000002.5, 2000003.5, 0, 2000005.5}); /* nothing was read */
    check_times_from_the_first(&o);
    assert_non_null(strstr(iol__log_note(o.log, 0), "not known; they are shown from the first"));
    opened converted = {.log = rewritten(o.log, &(iol__rewrite){.keeps = NULL})};
    check_times_from_the_first(&converted);
    iol_log_close(converted.log);
    opened_close(&o);
}

static void times_beyond_any_clock_are_left_alone(void **state) {
    (void)state;
    opened o = open_with_times("2.02", (double[]){1e200, 1e200, 1e200, 1e200, 1e200, 1e200});
    iol_records *records = records_of(&o, IOL_SLOT_POSIX);
    assert_true(real_of(next_of(records), "POSIX_F_OPEN_START_TIMESTAMP") == 1e200);
    ends_well(records);
    opened_close(&o);
}

static void a_converted_log_keeps_mounts_and_run_time(void **state) {
    (void)state;
    static const iol__disguise users = {.uid = true}, all = {.uid = true, .job_id = true, .exe = true, .names = true};
    const char *point, *type;
    opened o = open_version(om_version_named("2.06"), false, GZIP);
    const double run_time = iol_log_job(o.log)->run_time;
    iol_log *converted = rewritten(o.log, &(iol__rewrite){.keeps = NULL});
    iol_log *again = rewritten(converted, &(iol__rewrite){.disguise = users});
    iol_log *logs[] = {converted, again};
    for (int i = 0; i < 2; i++) {
        assert_true(iol_log_mount_of(logs[i], iol_log_name(logs[i], 11), &point, &type));
        assert_string_equal(point, "/scratch");
        assert_string_equal(type, "gpfs");
        assert_true(iol_log_mount_of(logs[i], iol_log_name(logs[i], 12), &point, &type));
        assert_string_equal(point, "/home");
        assert_true(iol_log_job(logs[i])->run_time == run_time);
        assert_non_null(strstr(iol__log_note(logs[i], 0), "Made from a log of Darshan 2.x (version 2.06)"));
    }
    iol_log *anonymous = rewritten(converted, &(iol__rewrite){.disguise = all});
    uint64_t id;
    const char *name;
    assert_int_equal(iol_log_name_at(anonymous, 0, &id, &name), IOL_OK);
    assert_true(iol_log_mount_of(anonymous, name, &point, &type));
    assert_string_equal(type, "gpfs");
    iol_log_close(anonymous);
    iol_log_close(again);
    iol_log_close(converted);
    opened_close(&o);
}

/* The reference makes logs of 2.06 from older ones: what those did not know is 0 there. */
static void what_the_first_version_did_not_know_stays_unknown(void **state) {
    (void)state;
    const om_version *v = om_version_named("2.06");
    bytes raw = {0};
    om_record record;
    om_put_job(&raw, v,
               &(om_job){.start = 100, .end = 101, .processes = 4, .metadata = "prev_ver=1.21\n", .text = "a.out"});
    om_sample(&record, 5, -1, "points.0001", 1);
    om_put_record(&raw, v, &record);
    opened o = open_raw(&raw, PLAIN);
    iol_log *converted = rewritten(o.log, &(iol__rewrite){.keeps = NULL});
    opened both[] = {o, {.log = converted}};
    for (int i = 0; i < 2; i++) {
        assert_string_equal(iol_log_name(both[i].log, 5), "\xe2\x80\xa6points.0001");
        iol_records *records = records_of(&both[i], IOL_SLOT_POSIX);
        const iol_record *r = next_of(records);
        assert_int_equal(int_of(r, "POSIX_MAX_READ_TIME_SIZE"), -1);
        assert_int_equal(int_of(r, "POSIX_SLOWEST_RANK"), -1);
        assert_int_equal(int_of(r, "POSIX_OPENS"), 1014);
        ends_well(records);
        assert_string_equal(iol__old_version_of(both[i].log)->version, "1.21");
    }
    iol_log_close(converted);
    opened_close(&o);
}

static void an_unknown_version_is_read_where_a_form_fits(void **state) {
    (void)state;
    static const char *const forms[] = {"1.21", "1.22", "1.24", "2.06"};
    for (size_t i = 0; i < IOL_COUNT(forms); i++) {
        bytes raw = {0};
        om_log(&raw, om_version_named(forms[i]), true);
        memcpy(raw.data, forms[i][0] == '1' ? "1.4\0" : "2.9\0", 4);
        opened o = open_raw(&raw, GZIP);
        assert_string_equal(o.log->old->version->version, forms[i]);
        assert_non_null(strstr(iol__log_note(o.log, 0), "is not described anywhere"));
        iol_records *records = records_of(&o, IOL_SLOT_POSIX);
        check_first_posix(om_version_named(forms[i]), next_of(records));
        iol_records_close(records);
        opened_close(&o);
    }
    bytes raw = {0}; /* one whose records end elsewhere */
    iol_error error;
    om_log(&raw, om_version_named("1.24"), true);
    memcpy(raw.data, "1.4\0", 4);
    bytes_fill(&raw, 0, 8);
    assert_int_equal(open_fails(raw.data, raw.length, &error), IOL_UNSUPPORTED);
}

static void a_cut_log_of_early_2_00_is_recognised(void **state) {
    (void)state;
    const om_version *v = om_version_named("2.00-early");
    bytes raw = {0};
    om_log(&raw, v, true);
    raw.length -= 100;
    opened o = open_raw(&raw, PLAIN);
    iol_records *records = records_of(&o, IOL_SLOT_POSIX);
    check_first_posix(v, next_of(records));
    iol_records_close(records);
    opened_close(&o);
}

static void messages_about_streams_say_why(void **state) {
    (void)state;
    bytes raw = {0}, packed = {0};
    om_log(&raw, om_version_named("2.06"), false);
    for (int i = 0; i < 400; i++) bytes_u64(&raw, (uint64_t)rand() << 32 | (uint64_t)rand());
    om_gzip(&raw, &packed);
    memset(packed.data + packed.length - 200, 0xff, 150);
    opened o = opened_bytes(packed.data, packed.length);
    assert_true(iol_log_error_count(o.log) >= 1);
    assert_non_null(strstr(iol_log_error(o.log, 0)->message, "the compressed stream is damaged"));
    opened_close(&o);
    bytes_free(&raw);
}

static void a_compressed_log_of_3_x_is_that_log(void **state) {
    (void)state;
    lm_log *made = lm_new(41, false, LM_ZLIB);
    lm_name(made, 7, "/some/name");
    bytes file = {0}, packed = {0};
    file.data = lm_finish(made, &file.length);
    lm_free(made);
    om_gzip(&file, &packed);
    om_gzip(&file, &packed); /* a second stream behind it, which is not a part of the log */
    opened o = opened_bytes(packed.data, packed.length);
    assert_string_equal(iol_log_info(o.log)->version, "3.41");
    assert_string_equal(iol_log_name(o.log, 7), "/some/name");
    opened_close(&o);
    bytes_free(&file);
}

static void what_is_cut_gives_what_came_before(void **state) {
    (void)state;
    const om_version *v = om_version_named("2.06");
    bytes raw = {0}, packed = {0};
    om_log(&raw, v, false);
    raw.length -= 100; /* of the last record */
    opened o = open_raw(&raw, PLAIN);
    iol_records *records = records_of(&o, IOL_SLOT_POSIX);
    next_of(records);
    next_of(records);
    ends_well(records);
    assert_int_equal(iol_log_error_count(o.log), 1);
    assert_int_equal(iol_log_error(o.log, 0)->status, IOL_DAMAGED);
    opened_close(&o);
    raw = (bytes){0};
    om_log(&raw, v, false);
    for (int i = 0; i < 40; i++) om_put_record(&raw, v, &(om_record){.id = 100 + (uint64_t)rand(), .suffix = "x"});
    om_gzip(&raw, &packed);
    o = opened_bytes(packed.data, packed.length - 30);
    assert_true(iol_log_error_count(o.log) >= 1);
    records = records_of(&o, IOL_SLOT_POSIX);
    check_first_posix(v, next_of(records));
    iol_records_close(records);
    opened_close(&o);
    bytes_free(&raw);
}

static void bombs_are_defused(void **state) {
    (void)state;
    const om_version *v = om_version_named("2.06");
    for (packing how = GZIP; how <= BZIP2; how++) {
        bytes raw = {0}, packed = {0};
        om_log(&raw, v, false);
        bytes_fill(&raw, 0, 64 << 20);
        if (how == GZIP)
            om_gzip(&raw, &packed);
        else if (!om_bzip2(&raw, &packed))
            break;
        bytes_free(&raw);
        opened o = opened_bytes(packed.data, packed.length);
        assert_true(iol_log_info(o.log)->file_bytes <= (16u << 20) + 128 * packed.length);
        assert_int_equal(iol_log_error(o.log, 0)->status, IOL_LIMIT);
        opened_close(&o);
    }
}

static void what_is_no_log_is_refused(void **state) {
    (void)state;
    static const struct {
        const char *text;
        size_t length;
        iol_status status;
    } cases[] = {
        {"2.06\0\0\0\0\0\0\0\0\0\0\0\0", 16, IOL_NOT_A_LOG},
        {"2.99\0\0\0\0\x37\x35\x64\0\0\0\0\0", 16, IOL_UNSUPPORTED},
        {"2.06\0\0\0\0\x37\x35\x64\0\0\0\0\0", 16, IOL_DAMAGED},
        {"1.4\0\0\0\0\0\0\0\0\0\0\0\0\0", 16, IOL_UNSUPPORTED},
        {"\x1f\x8b\x08\0 not really", 16, IOL_DAMAGED},
        {"BZh9 not really ", 16, IOL_DAMAGED},
    };
    for (size_t i = 0; i < IOL_COUNT(cases); i++) {
        iol_error error;
        uint8_t *file = need(cases[i].length);
        memcpy(file, cases[i].text, cases[i].length);
        assert_int_equal(open_fails(file, cases[i].length, &error), cases[i].status);
    }
}

/* Any byte of the small parts, at any value that matters. */
static void changed_bytes_break_nothing(void **state) {
    (void)state;
    static const uint8_t values[] = {0, 1, 0x7f, 0x80, 0xff, '\n', '\t'};
    for (size_t i = 0; i < om_versions(); i += 3) {
        bytes raw = {0};
        om_log(&raw, om_version_at(i), true);
        for (size_t at = 0; at < 1100; at += 1)
            for (size_t k = 0; k < sizeof values; k++) {
                const uint8_t was = raw.data[at];
                raw.data[at] = values[k];
                read_all(raw.data, raw.length, "changed.darshan");
                raw.data[at] = was;
            }
        bytes_free(&raw);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_version_and_order_gives_its_values),
        cmocka_unit_test(bzip2_streams_are_read),
        cmocka_unit_test(names_are_ends_of_names),
        cmocka_unit_test(mounts_are_those_of_the_device),
        cmocka_unit_test(files_of_one_name_are_on_mounts_of_their_own),
        cmocka_unit_test(times_from_the_epoch_count_from_the_start),
        cmocka_unit_test(times_from_an_unknown_moment_count_from_the_first),
        cmocka_unit_test(times_beyond_any_clock_are_left_alone),
        cmocka_unit_test(a_converted_log_keeps_mounts_and_run_time),
        cmocka_unit_test(what_the_first_version_did_not_know_stays_unknown),
        cmocka_unit_test(an_unknown_version_is_read_where_a_form_fits),
        cmocka_unit_test(a_cut_log_of_early_2_00_is_recognised),
        cmocka_unit_test(messages_about_streams_say_why),
        cmocka_unit_test(a_compressed_log_of_3_x_is_that_log),
        cmocka_unit_test(what_is_cut_gives_what_came_before),
        cmocka_unit_test(bombs_are_defused),
        cmocka_unit_test(what_is_no_log_is_refused),
        cmocka_unit_test(changed_bytes_break_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
