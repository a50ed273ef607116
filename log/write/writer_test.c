/* Writing: the order of calls, what a failed or abandoned log leaves behind, and that everything which was written
   can be read again and keeps to the writer's checklist, in every compression. */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <dirent.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/count.h"
#include "iolite/log.h"
#include "schema/schema.h"
#include "tests/support/checklist.h"
#include "tests/support/load.h"
#include "tests/support/logmaker.h"

static const iol_compression methods[] = {IOL_ZLIB, IOL_BZIP2, IOL_UNCOMPRESSED, IOL_ZSTD};
enum { METHODS = IOL_COUNT(methods) };

static char folder[64], path[96];

static int make_folder(void **state) {
    (void)state;
    strcpy(folder, access("/dev/shm", W_OK) == 0 ? "/dev/shm/iolite-XXXXXX" : "/tmp/iolite-XXXXXX");
    if (!mkdtemp(folder)) return -1;
    strcat(strcpy(path, folder), "/log");
    return 0;
}

static size_t files_in_folder(void) {
    size_t count = 0;
    DIR *directory = opendir(folder);
    assert_non_null(directory);
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) count += entry->d_name[0] != '.';
    closedir(directory);
    return count;
}

static int remove_folder(void **state) {
    (void)state;
    unlink(path);
    return rmdir(folder); /* fails if anything was left behind */
}

static const iol_job some_job = {.uid = 1, .start_seconds = 100, .end_seconds = 200, .processes = 4, .exe = "app"};

static iol_writer *open_writer(const iol_write_options *options) {
    iol_writer *writer;
    iol_error error;
    if (iol_writer_open(path, options, &writer, &error) != IOL_OK) fail_msg("%s", error.message);
    return writer;
}

static iol_writer *writer_with_job(const iol_write_options *options) {
    iol_writer *writer = open_writer(options);
    assert_int_equal(iol_writer_job(writer, &some_job, "a=b\n", NULL, 0), IOL_OK);
    return writer;
}

static iol_log *finished(iol_writer *writer) {
    iol_log *log;
    iol_error error;
    if (iol_writer_finish(writer) != IOL_OK) fail_msg("%s", iol_writer_error(writer)->message);
    if (iol_log_open(path, &log, &error) != IOL_OK) fail_msg("%s", error.message);
    return log;
}

static void keeps_to_the_checklist(bool one_stream) {
    bytes file = load_file(path);
    assert_int_equal(checklist(path, file.data, file.length, &(checklist_wishes){.one_stream = one_stream}), 0);
    bytes_free(&file);
}

/* Order ----------------------------------------------------------------------------------------------------------- */

static void calls_out_of_order_are_refused(void **state) {
    (void)state;
    iol_record *posix = iol_record_new(IOL_SLOT_POSIX), *stdio = iol_record_new(IOL_SLOT_STDIO);
    iol_writer *w = open_writer(NULL);
    assert_int_equal(iol_writer_name(w, 1, "x"), IOL_INVALID);
    assert_int_equal(iol_writer_module(w, IOL_SLOT_POSIX, false), IOL_INVALID);
    assert_int_equal(iol_writer_trailer(w, "abcd", "", 0), IOL_INVALID);
    assert_int_equal(iol_writer_record(w, posix), IOL_INVALID);
    assert_int_equal(iol_writer_finish(w), IOL_INVALID);
    assert_true(iol_writer_error(w)->message[0] != 0);
    iol_writer_abort(w);

    w = writer_with_job(NULL);
    assert_int_equal(iol_writer_job(w, &some_job, "", NULL, 0), IOL_INVALID);
    assert_int_equal(iol_writer_module(w, 0, false), IOL_INVALID);
    assert_int_equal(iol_writer_module(w, 18, false), IOL_INVALID);
    assert_int_equal(iol_writer_module(w, IOL_SLOT_STDIO, false), IOL_OK);
    assert_int_equal(iol_writer_record(w, posix), IOL_INVALID);
    assert_int_equal(iol_writer_record(w, stdio), IOL_OK);
    assert_int_equal(iol_writer_name(w, 1, "x"), IOL_INVALID);
    assert_int_equal(iol_writer_module(w, IOL_SLOT_STDIO, false), IOL_INVALID);
    assert_int_equal(iol_writer_module(w, IOL_SLOT_POSIX, false), IOL_INVALID);
    assert_int_equal(iol_writer_trailer(w, "toolong", "", 0), IOL_INVALID);
    iol_writer_abort(w);
    iol_record_free(posix);
    iol_record_free(stdio);
    assert_int_equal(files_in_folder(), 0);
}

/* A trace of two operations gets fewer or more, then another record comes, or the end. */
static iol_status trace_with(size_t segments, bool another) {
    static const iol_segment empty[3];
    iol_record *trace = iol_record_new(IOL_SLOT_DXT_POSIX);
    iol_record_set_trace(trace, &(iol_trace){.host = "h", .writes = 1, .reads = 1});
    iol_writer *w = writer_with_job(NULL);
    assert_int_equal(iol_writer_module(w, IOL_SLOT_DXT_POSIX, false), IOL_OK);
    assert_int_equal(iol_writer_record(w, trace), IOL_OK);
    iol_status status = iol_writer_segments(w, empty, segments);
    if (status == IOL_OK) status = another ? iol_writer_record(w, trace) : iol_writer_trailer(w, "abcd", "", 0);
    iol_writer_abort(w);
    iol_record_free(trace);
    return status;
}

static void traces_have_all_their_segments(void **state) {
    (void)state;
    for (int another = 0; another < 2; another++) {
        assert_int_equal(trace_with(0, another), IOL_INVALID);
        assert_int_equal(trace_with(1, another), IOL_INVALID);
        assert_int_equal(trace_with(2, another), IOL_OK);
        assert_int_equal(trace_with(3, another), IOL_INVALID);
    }
}

/* Names of files -------------------------------------------------------------------------------------------------- */

static void the_name_appears_at_the_end(void **state) {
    (void)state;
    struct stat st;
    iol_writer *w = writer_with_job(NULL);
    assert_int_not_equal(stat(path, &st), 0);
    iol_log_close(finished(w));
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0400);
    assert_int_equal(files_in_folder(), 1);

    iol_error error;
    assert_int_equal(iol_writer_open(path, NULL, &w, &error), IOL_SYSTEM);
    assert_null(w);
    assert_non_null(strstr(error.message, strerror(EEXIST)));
    ino_t before = st.st_ino;
    w = writer_with_job(&(iol_write_options){.replace = true, .mode = 0640});
    iol_log_close(finished(w));
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0640);
    assert_int_not_equal(st.st_ino, before);
    assert_int_equal(files_in_folder(), 1);
    unlink(path);
}

/* Two writers of one name: the second to finish loses, and the first log stays whole. */
static void two_writers_cannot_both_win(void **state) {
    (void)state;
    iol_writer *x = writer_with_job(NULL), *y = writer_with_job(NULL);
    iol_log *log = finished(x);
    assert_int_equal(iol_writer_finish(y), IOL_SYSTEM);
    assert_non_null(strstr(iol_writer_error(y)->message, strerror(EEXIST)));
    iol_writer_abort(y);
    iol_log_close(log);
    keeps_to_the_checklist(false);
    assert_int_equal(files_in_folder(), 1);
    unlink(path);
}

static void abandoned_logs_leave_nothing(void **state) {
    (void)state;
    iol_writer *w = writer_with_job(NULL);
    for (uint64_t id = 0; id < 200000; id++) assert_int_equal(iol_writer_name(w, id, "/some/name/or/other"), IOL_OK);
    iol_writer_abort(w);
    assert_int_equal(files_in_folder(), 0);
    iol_writer_abort(NULL);
}

static void places_that_cannot_be_written(void **state) {
    (void)state;
    iol_writer *w;
    iol_error error;
    assert_int_equal(iol_writer_open(folder, &(iol_write_options){.replace = true}, &w, &error), IOL_SYSTEM);
    assert_non_null(strstr(error.message, strerror(EISDIR)));
    char nowhere[128];
    strcat(strcpy(nowhere, folder), "/no/such/folder");
    assert_int_equal(iol_writer_open(nowhere, NULL, &w, &error), IOL_SYSTEM);
    assert_non_null(strstr(error.message, nowhere));
    assert_null(w);
}

/* What is written is read again ----------------------------------------------------------------------------------- */

enum { FILES = 4000, BINS = 70000, SEGMENTS = 40000 };

static void write_fixed(iol_writer *w, int slot) {
    iol_record *record = iol_record_new(slot);
    const iol__module *module = &iol__modules[slot];
    assert_int_equal(iol_writer_module(w, slot, slot == IOL_SLOT_STDIO), IOL_OK);
    for (int64_t file = 0; file < FILES; file++) {
        iol_record_set_base(record, (uint64_t)file, file % 4);
        iol_record_set_owner(record, 77);
        for (unsigned i = 0; i < module->ints; i++) iol_record_set_int(record, i, file * 1000 + i);
        for (unsigned i = 0; i < module->reals; i++)
            iol_record_set_real(record, module->ints + i, (double)file + i / 64.0);
        assert_int_equal(iol_writer_record(w, record), IOL_OK);
    }
    assert_int_equal(iol_record_set_int(record, module->ints, 0), IOL_INVALID);
    assert_int_equal(iol_record_set_real(record, 0, 0), IOL_INVALID);
    iol_record_free(record);
}

/* One record of more than a stream may hold, between two small ones. */
static void write_heatmaps(iol_writer *w) {
    static int64_t written[BINS], read[BINS];
    iol_record *record = iol_record_new(IOL_SLOT_HEATMAP);
    assert_int_equal(iol_writer_module(w, IOL_SLOT_HEATMAP, false), IOL_OK);
    for (int64_t rank = 0; rank < 3; rank++) {
        for (int64_t i = 0; i < BINS; i++) {
            written[i] = i * i + rank;
            read[i] = i ^ rank;
        }
        iol_record_set_base(record, 5, rank);
        assert_int_equal(iol_record_set_heatmap(record, &(iol_heatmap){0.5, BINS, written, read}), IOL_OK);
        assert_int_equal(iol_writer_record(w, record), IOL_OK);
    }
    iol_record_free(record);
}

static iol_segment segment_of(uint64_t i) {
    return (iol_segment){(int64_t)(i * 4096), 4096, (double)i, (double)i + 0.5, i % 3};
}

static void write_traces(iol_writer *w, int slot) {
    iol_record *record = iol_record_new(slot);
    assert_int_equal(iol_writer_module(w, slot, false), IOL_OK);
    for (int64_t rank = 0; rank < 3; rank++) {
        uint64_t count = rank == 1 ? SEGMENTS : 2;
        iol_record_set_base(record, 5, rank);
        iol_record_set_trace(record, &(iol_trace){.host = "node", .writes = count / 2, .reads = count / 2});
        assert_int_equal(iol_writer_record(w, record), IOL_OK);
        for (uint64_t i = 0; i < count; i++) {
            iol_segment segment = segment_of(i);
            assert_int_equal(iol_writer_segments(w, &segment, 1), IOL_OK);
        }
    }
    iol_record_free(record);
}

static void read_fixed(iol_log *log, int slot) {
    iol_records *records;
    const iol_record *record;
    assert_int_equal(iol_records_open(log, slot, &records), IOL_OK);
    for (int64_t file = 0; file < FILES; file++) {
        assert_int_equal(iol_records_next(records, &record), IOL_OK);
        assert_int_equal(iol_record_id(record), file);
        assert_int_equal(iol_record_rank(record), file % 4);
        for (size_t i = 0; i < iol_counter_count(slot); i++) {
            iol_value value;
            assert_int_equal(iol_record_counter(record, i, &value), IOL_OK);
            unsigned ints = iol__modules[slot].ints;
            if (value.kind == IOL_REAL)
                assert_true(value.as.d == (double)file + (double)(i - ints) / 64.0);
            else
                assert_true(value.as.i == file * 1000 + (int64_t)i);
        }
    }
    assert_int_equal(iol_records_next(records, &record), IOL_END);
    iol_records_close(records);
}

static void read_heatmaps(iol_log *log) {
    iol_records *records;
    const iol_record *record;
    assert_int_equal(iol_records_open(log, IOL_SLOT_HEATMAP, &records), IOL_OK);
    for (int64_t rank = 0; rank < 3; rank++) {
        iol_heatmap map;
        assert_int_equal(iol_records_next(records, &record), IOL_OK);
        assert_int_equal(iol_record_heatmap(record, &map), IOL_OK);
        assert_int_equal(map.bins, BINS);
        for (int64_t i = 0; i < BINS; i++) assert_true(map.written[i] == i * i + rank && map.read[i] == (i ^ rank));
    }
    assert_int_equal(iol_records_next(records, &record), IOL_END);
    iol_records_close(records);
}

static void read_traces(iol_log *log, int slot, bool threads) {
    iol_records *records;
    const iol_record *record;
    assert_int_equal(iol_records_open(log, slot, &records), IOL_OK);
    for (int64_t rank = 0; rank < 3; rank++) {
        assert_int_equal(iol_records_next(records, &record), IOL_OK);
        iol_segment got[64];
        size_t n;
        uint64_t i = 0;
        while (iol_records_segments(records, got, 64, &n) == IOL_OK)
            for (size_t k = 0; k < n; k++, i++) {
                iol_segment expected = segment_of(i);
                assert_true(got[k].offset == expected.offset && got[k].start == expected.start);
                assert_true(got[k].thread == (threads ? expected.thread : 0));
            }
        assert_int_equal(i, rank == 1 ? SEGMENTS : 2);
    }
    assert_int_equal(iol_records_next(records, &record), IOL_END);
    iol_records_close(records);
}

/* A program that was compiled when the struct was shorter gets defaults for the rest of it. */
static void options_of_older_headers_are_taken(void **state) {
    (void)state;
    iol_write_options options = {.size = offsetof(iol_write_options, mode), .replace = true, .mode = 0600};
    iol_writer *w = writer_with_job(&options);
    assert_int_equal(iol_writer_finish(w), IOL_OK);
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0400);
    assert_int_equal(iol_version(), IOL_VERSION);
    unlink(path);
}

static void write_and_read(const iol_write_options *options) {
    static const int slots[] = {IOL_SLOT_POSIX, IOL_SLOT_H5D, IOL_SLOT_STDIO};
    bool threads = options->dxt_posix == 2;
    iol_writer *w = writer_with_job(options);
    for (uint64_t id = 0; id < FILES; id++)
        assert_int_equal(iol_writer_name(w, id, id % 7 == 3 ? "" : "/name"), IOL_OK);
    for (size_t i = 0; i < 3; i++) write_fixed(w, slots[i]);
    write_traces(w, IOL_SLOT_DXT_POSIX);
    write_traces(w, IOL_SLOT_DXT_MPIIO);
    write_heatmaps(w);
    assert_int_equal(iol_writer_trailer(w, "abcd", "some bytes", 10), IOL_OK);
    assert_int_equal(iol_writer_trailer(w, "efgh", "", 0), IOL_OK);
    iol_log *log = finished(w);
    for (size_t i = 0; i < 3; i++) read_fixed(log, slots[i]);
    read_traces(log, IOL_SLOT_DXT_POSIX, threads);
    read_traces(log, IOL_SLOT_DXT_MPIIO, threads);
    read_heatmaps(log);
    assert_int_equal(iol_log_name_count(log), FILES);
    assert_int_equal(iol_log_trailer_count(log), 2);
    assert_true(iol_log_info(log)->partial_flags == UINT64_C(1) << IOL_SLOT_STDIO);
    assert_int_equal(iol_log_error_count(log), 0);
    iol_log_close(log);
    keeps_to_the_checklist(options->one_stream);
    unlink(path);
}

static void every_compression_gives_it_back(void **state) {
    (void)state;
    for (int m = 0; m < METHODS; m++) {
        if (!lm_can((uint8_t)methods[m])) continue;
        for (int variant = 0; variant < 2; variant++)
            write_and_read(&(iol_write_options){.compression = methods[m],
                                                .level = variant ? 1 : 0,
                                                .one_stream = variant,
                                                .dxt_posix = variant ? 2 : 0,
                                                .dxt_mpiio = variant ? 3 : 0});
    }
}

static void unknown_forms_are_refused(void **state) {
    (void)state;
    iol_writer *w;
    iol_error error;
    assert_int_equal(iol_writer_open(path, &(iol_write_options){.compression = (iol_compression)77}, &w, &error),
                     IOL_UNSUPPORTED);
    w = writer_with_job(&(iol_write_options){.dxt_posix = 9});
    assert_int_equal(iol_writer_module(w, IOL_SLOT_DXT_POSIX, false), IOL_INVALID);
    iol_writer_abort(w);
}

/* The job --------------------------------------------------------------------------------------------------------- */

/* The text of a job as it comes back, for a command of the given length and the given number of mounts. */
static void job_round_trip(size_t command, size_t n_mounts, size_t mount_length) {
    char *exe = need(command + 1), *point = need(mount_length + 2);
    memset(exe, 'x', command);
    exe[command] = 0;
    if (command > 3) exe[2] = '\n';
    memset(point, 'm', mount_length + 1);
    point[0] = '/';
    point[mount_length + 1] = 0;
    const char *mounts[128];
    for (size_t i = 0; i < n_mounts; i++) {
        mounts[2 * i] = point;
        mounts[2 * i + 1] = "ext4";
    }
    iol_job job = some_job;
    job.exe = exe;
    iol_writer *w = open_writer(NULL);
    assert_int_equal(iol_writer_job(w, &job, "", mounts, n_mounts), IOL_OK);
    iol_log *log = finished(w);
    keeps_to_the_checklist(false);
    const char *got = iol_log_job(log)->exe;
    assert_null(strchr(got, '\n'));
    if (command < 2700)
        assert_int_equal(strlen(got), command);
    else
        assert_true(strlen(got) == command || strstr(got, "<TRUNCATED>") + 11 == got + strlen(got));
    assert_true(iol_log_mount_count(log) >= 1);
    iol_log_close(log);
    unlink(path);
    free(exe);
    free(point);
}

static void long_texts_are_cut_where_they_may_be(void **state) {
    (void)state;
    static const size_t commands[] = {0, 1, 10, 2700, 3000, 3004, 3005, 3006, 3010, 3014, 3015, 3016, 3031, 10000};
    for (size_t i = 0; i < IOL_COUNT(commands); i++)
        for (size_t mounts = 0; mounts <= 64; mounts += 32)
            for (size_t length = 0; length <= 300; length += 60) job_round_trip(commands[i], mounts, length);
}

static void long_metadata_is_cut(void **state) {
    (void)state;
    char text[3000];
    memset(text, 'v', sizeof text);
    memcpy(text, "key=", 4);
    text[sizeof text - 1] = 0;
    iol_writer *w = open_writer(NULL);
    assert_int_equal(iol_writer_job(w, &some_job, text, NULL, 0), IOL_OK);
    iol_log *log = finished(w);
    keeps_to_the_checklist(false);
    assert_int_equal(iol_log_metadata_count(log), 1);
    iol_log_close(log);
    unlink(path);
}

/* A disk that is full --------------------------------------------------------------------------------------------- */

static iol_status fill_disk(iol_writer *w) {
    iol_record *record = iol_record_new(IOL_SLOT_POSIX);
    iol_status status = iol_writer_module(w, IOL_SLOT_POSIX, false);
    for (int64_t file = 0; status == IOL_OK && file < 20000; file++) {
        for (size_t i = 0; i < 69; i++)
            iol_record_set_int(record, i, (int64_t)(((uint64_t)file * 69 + i) * UINT64_C(0x9e3779b97f4a7c15)));
        status = iol_writer_record(w, record);
    }
    iol_record_free(record);
    return status;
}

static void full_disks_are_reported(void **state) {
    (void)state;
    struct rlimit before;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, SIG_IGN);
    for (int m = 0; m < METHODS; m++) {
        if (!lm_can((uint8_t)methods[m])) continue;
        iol_writer *w = writer_with_job(&(iol_write_options){.compression = methods[m]});
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &(struct rlimit){100000, before.rlim_max}), 0);
        iol_status status = fill_disk(w);
        if (status == IOL_OK) status = iol_writer_finish(w);
        setrlimit(RLIMIT_FSIZE, &before);
        assert_int_equal(status, IOL_SYSTEM);
        assert_non_null(strstr(iol_writer_error(w)->message, strerror(EFBIG)));
        assert_non_null(strstr(iol_writer_error(w)->message, path));
        assert_int_equal(iol_writer_finish(w), IOL_SYSTEM); /* it stays broken */
        iol_writer_abort(w);
        assert_int_equal(files_in_folder(), 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_out_of_order_are_refused), cmocka_unit_test(options_of_older_headers_are_taken),
        cmocka_unit_test(traces_have_all_their_segments), cmocka_unit_test(the_name_appears_at_the_end),
        cmocka_unit_test(two_writers_cannot_both_win),    cmocka_unit_test(abandoned_logs_leave_nothing),
        cmocka_unit_test(places_that_cannot_be_written),  cmocka_unit_test(every_compression_gives_it_back),
        cmocka_unit_test(unknown_forms_are_refused),      cmocka_unit_test(long_texts_are_cut_where_they_may_be),
        cmocka_unit_test(long_metadata_is_cut),           cmocka_unit_test(full_disks_are_reported),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
