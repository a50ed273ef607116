/* The page document: files, layers, sizes and places, on logs whose figures are known. */
#include "report/page/page_testing.h"

/* A job of two processes on one ext4 mount that took 100.5 s. */
static lm_log *small_job(void) {
    lm_log *log = job_of(2);
    log->start = 1000;
    log->end = 1100;
    log->text = "/opt/bin/solver -n 4\nlustre\t/scratch\next4\t/";
    return log;
}

static lm_log *two_files(void) {
    lm_log *log = small_job();
    put(log, LM_POSIX, "/scratch/a", 0,
        WITH(I(POSIX_OPENS, 1), I(POSIX_READS, 10), I(POSIX_BYTES_READ, 5000), I(POSIX_MAX_BYTE_READ, 4999),
             I(POSIX_SIZE_READ_100_1K, 10), I(POSIX_SEQ_READS, 9), I(POSIX_CONSEC_READS, 8),
             I(POSIX_ACCESS1_ACCESS, 500), I(POSIX_ACCESS1_COUNT, 10), F(POSIX_F_READ_TIME, 1),
             F(POSIX_F_META_TIME, 0.5)));
    put(log, LM_POSIX, "/b", 1,
        WITH(I(POSIX_OPENS, 2), I(POSIX_WRITES, 4), I(POSIX_BYTES_WRITTEN, 8000), I(POSIX_MAX_BYTE_WRITTEN, 7999),
             I(POSIX_SIZE_WRITE_1K_10K, 4), I(POSIX_FSYNCS, 3), I(POSIX_FDSYNCS, 1), I(POSIX_ACCESS1_ACCESS, 500),
             I(POSIX_ACCESS1_COUNT, 3), I(POSIX_ACCESS2_ACCESS, 2000), I(POSIX_ACCESS2_COUNT, 4),
             F(POSIX_F_WRITE_TIME, 3)));
    return log;
}

static void head_names_job_and_program(void **state) {
    (void)state;
    made m = make(two_files());
    expect(m.text, "schema", "\"iolite.page/1\"");
    expect(m.text, "program", "\"solver\"");
    expect(m.text, "mounts", "[{\"mount_point\":\"/scratch\",\"fs_type\":\"lustre\"}");
    assert_null(strstr(m.text, "\"lustre\":{"));
    assert_null(strstr(m.text, "\"trace\":{"));
    assert_null(strstr(m.text, "\"names_hex\""));
    unmake(&m);
}

static void program_is_the_last_part_of_the_first_word(void **state) {
    (void)state;
    char room[IOL_PROGRAM_NAME];
    assert_string_equal(iol__page_program("/usr/bin/ior -w", room), "ior");
    assert_string_equal(iol__page_program("ior", room), "ior");
    assert_string_equal(iol__page_program("./a/", room), "a/");
    assert_string_equal(iol__page_program("", room), "N/A");
    assert_string_equal(iol__page_program("  ", room), "N/A");
    assert_string_equal(iol__page_program(NULL, room), "N/A");
    assert_string_equal(iol__page_program("1234567", room), "anonymised");
    char word[2 * IOL_PROGRAM_NAME];
    memset(word, 'x', sizeof word);
    word[sizeof word - 1] = 0;
    assert_int_equal(strlen(iol__page_program(word, room)), IOL_PROGRAM_NAME - 1);
}

/* Times are means over both processes; the slowest rank is the one that wrote. */
static void cost_is_a_mean_and_a_slowest_rank(void **state) {
    (void)state;
    made m = make(two_files());
    expect(m.text, "cost",
           "{\"run_time\":100.5,\"layers\":[{\"module\":\"POSIX\",\"mean\":{\"read\":0.5,\"write\":1.5,\"meta\":0.25},"
           "\"slowest\":{\"rank\":1,\"read\":0,\"write\":3,\"meta\":0}}],\"io_time\":3,\"other\":97.5}");
    expect(m.text, "bandwidth", "[{\"module\":\"POSIX\",\"bytes\":13000,\"time\":3,\"bytes_per_second\":4333.33");
    unmake(&m);
}

/* The slowest rank of a shared file spent its time on what all ranks spent theirs on. */
static void shared_time_is_split_as_that_of_all_ranks(void **state) {
    (void)state;
    lm_log *log = small_job();
    put(log, LM_POSIX, "/scratch/s", -1,
        WITH(I(POSIX_WRITES, 2), I(POSIX_BYTES_WRITTEN, 20), I(POSIX_SLOWEST_RANK, 1), F(POSIX_F_WRITE_TIME, 6),
             F(POSIX_F_META_TIME, 2), F(POSIX_F_SLOWEST_RANK_TIME, 4)));
    made m = make(log);
    expect(m.text, "slowest", "{\"rank\":1,\"read\":0,\"write\":3,\"meta\":1}");
    unmake(&m);
}

static void files_are_most_costly_first(void **state) {
    (void)state;
    made m = make(two_files());
    const char *files = files_of(&m);
    expect(files, "total", "2");
    expect(files, "rows", "2");
    expect(files, "name", "[\"/b\",\"/scratch/a\"]");
    expect(files, "mount", "[1,0]");
    expect(files, "layers", "[2,2]");
    expect(files, "sharing", "[0,0]");
    expect(files, "syncs", "[4,0]");
    expect(files, "time", "[3,1.5]");
    expect(files, "share", "[1,0.5]");
    expect(files, "mean_read", "[null,500]");
    expect(files, "max_byte", "[7999,4999]");
    expect(files, "small", "[4,10]");
    expect(files, "left_out", "{\"files\":0,");
    unmake(&m);
}

static void files_beyond_the_limit_are_counted_together(void **state) {
    (void)state;
    made m = make_with(two_files(), &(iol__page_options){.files = 1, .requests = 1, .version = "1"});
    const char *files = files_of(&m);
    expect(files, "total", "2");
    expect(files, "name", "[\"/b\"]");
    expect(files, "left_out", "{\"files\":1,\"bytes_read\":5000,\"bytes_written\":0,\"time\":1.5}");
    unmake(&m);
}

/* A file names the findings that are about it, by their place in the diagnosis. */
static void files_know_their_findings(void **state) {
    (void)state;
    lm_log *log = small_job();
    put(log, LM_POSIX, "/scratch/synced", 0,
        WITH(I(POSIX_OPENS, 1), I(POSIX_WRITES, 5000), I(POSIX_BYTES_WRITTEN, 5000000),
             I(POSIX_MAX_BYTE_WRITTEN, 4999999), I(POSIX_SIZE_WRITE_100_1K, 5000), I(POSIX_FSYNCS, 5000),
             F(POSIX_F_WRITE_TIME, 60)));
    put(log, LM_POSIX, "/scratch/idle", 0, WITH(I(POSIX_OPENS, 1)));
    made m = make(log);
    assert_true(m.diagnosis->n_findings > 0);
    size_t synced = m.diagnosis->n_findings;
    for (size_t i = 0; i < m.diagnosis->n_findings; i++)
        if (strstr(m.diagnosis->findings[i].title, "synced")) synced = i;
    assert_true(synced < m.diagnosis->n_findings);
    const char *list = member(files_of(&m), "findings");
    char number[24];
    snprintf(number, sizeof number, "%zu", synced);
    const char *end = strchr(list, ']'), *found = strstr(list, number);
    assert_true(found && found < end);
    assert_true(strncmp(end, "],[]]", 5) == 0); /* none about the other */
    unmake(&m);
}

static void bytes_by_size_add_up(void **state) {
    (void)state;
    made m = make(two_files());
    const char *sizes = strstr(m.text, "\"sizes\":[{\"module\":\"POSIX\"");
    assert_non_null(sizes);
    expect(sizes, "reads", "[0,10,0,");
    assert_true(number_at(sizes, "read_bytes", 1) == 5000);
    assert_true(number_at(sizes, "write_bytes", 2) == 8000);
    expect(sizes, "estimated", "true");
    unmake(&m);
}

/* A thousand tiny requests beside ten large ones. */
static void check_classes(double moved) {
    lm_log *log = small_job();
    put(log, LM_POSIX, "/scratch/mixed", 0,
        WITH(I(POSIX_WRITES, 1010), I(POSIX_BYTES_WRITTEN, moved), I(POSIX_SIZE_WRITE_0_100, 1000),
             I(POSIX_SIZE_WRITE_1M_4M, 10)));
    made m = make(log);
    const char *sizes = member(m.text, "sizes");
    double tiny = number_at(sizes, "write_bytes", 0), large = number_at(sizes, "write_bytes", 5);
    assert_true(tiny >= 0 && tiny <= 100000);
    assert_true(large >= 10 * 1048577.0 && large <= 10 * 4194304.0);
    assert_true(fabs(tiny + large - moved) < 10);
    unmake(&m);
}

/* All classes stay within what their requests can be, also when the large ones can only just be so small. */
static void bytes_by_size_keep_to_their_classes(void **state) {
    (void)state;
    check_classes(30000000);
    check_classes(10500000);
}

static void common_sizes_are_pooled(void **state) {
    (void)state;
    made m = make(two_files());
    expect(m.text, "common",
           "[{\"module\":\"POSIX\",\"sizes\":[{\"value\":500,\"count\":13},{\"value\":2000,\"count\":4}],\"strides\":[]"
           "}]");
    unmake(&m);
}

static void operations_and_order_are_sums(void **state) {
    (void)state;
    made m = make(two_files());
    expect(m.text, "operations",
           "[{\"module\":\"POSIX\",\"ops\":[{\"name\":\"read\",\"count\":10},{\"name\":\"write\",\"count\":4},"
           "{\"name\":\"open\",\"count\":3}");
    assert_non_null(strstr(m.text, "{\"name\":\"fsync\",\"count\":4}"));
    expect(m.text, "pattern",
           "[{\"module\":\"POSIX\",\"reads\":{\"total\":10,\"sequential\":9,\"consecutive\":8},"
           "\"writes\":{\"total\":4,\"sequential\":0,\"consecutive\":0}}]");
    unmake(&m);
}

static void file_counts_know_sizes_where_they_can(void **state) {
    (void)state;
    lm_log *log = two_files();
    put(log, LM_MPIIO, "/scratch/only_mpi", 0, WITH(I(MPIIO_INDEP_WRITES, 1), I(MPIIO_BYTES_WRITTEN, 10)));
    put(log, LM_POSIX, "/scratch/updated", 0, /* read before it was written: it was there */
        WITH(I(POSIX_BYTES_READ, 10), I(POSIX_BYTES_WRITTEN, 10), I(POSIX_MAX_BYTE_READ, 9),
             I(POSIX_MAX_BYTE_WRITTEN, 9), F(POSIX_F_READ_START_TIMESTAMP, 1), F(POSIX_F_WRITE_START_TIMESTAMP, 2)));
    made m = make(log);
    const char *counts = member(m.text, "file_counts");
    expect(counts, "module", "\"MPI-IO\"");
    expect(counts, "rows", "[{\"kind\":\"total\",\"count\":1,\"mean_bytes\":null,\"max_bytes\":null}");
    const char *posix = strstr(counts, "\"module\":\"POSIX\"");
    expect(posix, "rows",
           "[{\"kind\":\"total\",\"count\":3,\"mean_bytes\":4336.666666666667,\"max_bytes\":8000},"
           "{\"kind\":\"read_only\",\"count\":1,\"mean_bytes\":5000,\"max_bytes\":5000},"
           "{\"kind\":\"write_only\",\"count\":1,\"mean_bytes\":8000,\"max_bytes\":8000},"
           "{\"kind\":\"read_write\",\"count\":1,\"mean_bytes\":10,\"max_bytes\":10},"
           "{\"kind\":\"created\",\"count\":1,");
    unmake(&m);
}

static void categories_are_first_parts_of_paths(void **state) {
    (void)state;
    lm_log *log = two_files();
    put(log, LM_STDIO, "<STDOUT>", 0, WITH(I(STDIO_WRITES, 1), I(STDIO_BYTES_WRITTEN, 7)));
    put(log, LM_STDIO, "123456", 0, WITH(I(STDIO_READS, 1), I(STDIO_BYTES_READ, 6)));
    made m = make(log);
    expect(m.text, "categories",
           "[{\"name\":\"/\",\"bytes_read\":0,\"bytes_written\":8000,\"files_read\":0,\"files_written\":1},"
           "{\"name\":\"/scratch\",\"bytes_read\":5000,\"bytes_written\":0,\"files_read\":1,\"files_written\":0},"
           "{\"name\":\"<STDOUT>\",\"bytes_read\":0,\"bytes_written\":7,\"files_read\":0,\"files_written\":1},"
           "{\"name\":\"anonymised\",");
    unmake(&m);
}

static void filesystems_have_mean_times_of_a_process(void **state) {
    (void)state;
    made m = make(two_files());
    expect(
        m.text, "filesystems",
        "[{\"mount_point\":\"/\",\"fs_type\":\"ext4\",\"files\":1,\"bytes_read\":0,\"bytes_written\":8000,\"reads\":0,"
        "\"writes\":4,\"time\":1.5,\"share\":0.66666");
    unmake(&m);
}

static void mean_io_tells_shared_from_own(void **state) {
    (void)state;
    lm_log *log = two_files();
    put(log, LM_POSIX, "/scratch/shared", -1,
        WITH(I(POSIX_WRITES, 2), I(POSIX_BYTES_WRITTEN, 20), F(POSIX_F_WRITE_TIME, 6), F(POSIX_F_META_TIME, 2),
             F(POSIX_F_SLOWEST_RANK_TIME, 4), F(POSIX_F_FASTEST_RANK_TIME, 2), I(POSIX_SLOWEST_RANK, 1),
             F(POSIX_F_VARIANCE_RANK_TIME, 4), F(POSIX_F_VARIANCE_RANK_BYTES, 9)));
    made m = make(log);
    expect(m.text, "mean_io",
           "[{\"kind\":\"independent\",\"op\":\"read\",\"seconds\":0.5,\"bytes\":2500},"
           "{\"kind\":\"independent\",\"op\":\"write\",\"seconds\":1.5,\"bytes\":4000},"
           "{\"kind\":\"independent\",\"op\":\"meta\",\"seconds\":0.25,\"bytes\":null},"
           "{\"kind\":\"shared\",\"op\":\"read\",\"seconds\":0,\"bytes\":0},"
           "{\"kind\":\"shared\",\"op\":\"write\",\"seconds\":3,\"bytes\":10},"
           "{\"kind\":\"shared\",\"op\":\"meta\",\"seconds\":1,\"bytes\":null}]");
    const char *variance = member(m.text, "variance");
    expect(variance, "name", "\"/scratch/shared\"");
    expect(variance, "processes", "2");
    expect(variance, "slowest", "{\"rank\":1,\"time\":4,");
    expect(variance, "sigma_time", "2");
    expect(variance, "sigma_bytes", "3");
    unmake(&m);
}

/* A file with a record of each rank is not a file of one process. */
static void mean_io_of_unreduced_files_is_shared(void **state) {
    (void)state;
    lm_log *log = lm_new(41, false, LM_ZLIB);
    log->processes = 2;
    for (int rank = 0; rank < 2; rank++)
        put(log, LM_POSIX, "/scratch/shared", rank, WITH(I(POSIX_WRITES, 1), I(POSIX_BYTES_WRITTEN, 20)));
    made m = make(log);
    assert_non_null(
        strstr(member(m.text, "mean_io"), "{\"kind\":\"shared\",\"op\":\"write\",\"seconds\":0,\"bytes\":20}"));
    unmake(&m);
}

static void mpi_calls_are_told_by_rank_and_kind(void **state) {
    (void)state;
    lm_log *log = two_files();
    bytes *records = lm_records(log, LM_APMPI, 1);
    lm_counts *counts = calloc(1, sizeof *counts);
    counts->ints[IOL_MPI_BARRIER_CALL_COUNT] = 3;
    counts->reals[IOL_MPI_BARRIER_MAX_TIME] = 2;
    lm_apmpi_header(records, 0, 0, 0);
    for (int rank = 0; rank < 2; rank++) {
        counts->reals[IOL_MPI_BARRIER_TOTAL_TIME] = counts->reals[IOL_MPI_TOTAL_COMM_TIME] = 1 + 4 * rank;
        lm_apmpi(records, lm_id("APMPI"), rank, counts, "node1");
    }
    free(counts);
    made m = make(log);
    const char *messages = member(m.text, "messages");
    expect(messages, "time", "[1,5]");
    expect(messages, "operations", "[{\"name\":\"MPI_Barrier\",\"calls\":6,\"bytes\":0,\"time\":6,\"longest\":2}]");
    expect(messages, "late", "{\"rank\":0,\"time\":1,\"median\":5,\"wait\":4}");
    unmake(&m);
}

/* The same from the records of two ranks: times 1 and 3. */
static void variance_of_unreduced_files_is_computed(void **state) {
    (void)state;
    lm_log *log = small_job();
    put(log, LM_POSIX, "/scratch/part", 0,
        WITH(I(POSIX_WRITES, 1), I(POSIX_BYTES_WRITTEN, 10), F(POSIX_F_WRITE_TIME, 1)));
    put(log, LM_POSIX, "/scratch/part", 1,
        WITH(I(POSIX_WRITES, 1), I(POSIX_BYTES_WRITTEN, 20), F(POSIX_F_WRITE_TIME, 3)));
    made m = make(log);
    const char *variance = member(m.text, "variance");
    expect(variance, "fastest", "{\"rank\":0,\"time\":1,\"bytes\":10}");
    expect(variance, "slowest", "{\"rank\":1,\"time\":3,\"bytes\":20}");
    expect(variance, "sigma_time", "1");
    expect(variance, "sigma_bytes", "5");
    unmake(&m);
}

static void raw_records_come_with_their_counters(void **state) {
    (void)state;
    lm_log *log = two_files();
    put_owned(log, LM_H5D, "/b:set", 0, lm_id("/b"), WITH(I(H5D_READS, 3)));
    made m = make(log);
    const char *records = member(m.text, "records");
    expect(records, "POSIX", "{\"counters\":[\"POSIX_OPENS\",");
    const char *dataset = member(records, "H5D");
    expect(dataset, "name", "\"/b:set\"");
    expect(m.text, "POSIX_F_META_TIME", ""); /* among the totals first */
    assert_non_null(strstr(m.text, "\"POSIX_F_META_TIME\":{\"meaning\":\""));
    unmake(&m);
}

static void names_that_are_no_text_have_their_bytes(void **state) {
    (void)state;
    lm_log *log = small_job();
    put(log, LM_POSIX, "/scratch/\xff<b>", 0, WITH(I(POSIX_OPENS, 1)));
    made m = make(log);
    expect(files_of(&m), "name", "[\"/scratch/\xef\xbf\xbd<b>\"]");
    char *end;
    assert_true(strtoull(member(m.text, "names_hex") + 2, &end, 10) == lm_id("/scratch/\xff<b>"));
    assert_true(strncmp(end, "\":\"2f736372617463682fff3c623e\"}", 30) == 0);
    unmake(&m);
}

/* A file of 3 MiB in two components: 1 MiB on target 7, the rest on targets 8 and 9. */
static void lustre_bytes_go_to_targets(void **state) {
    (void)state;
    lm_log *log = small_job();
    put(log, LM_POSIX, "/scratch/striped", 0,
        WITH(I(POSIX_WRITES, 3), I(POSIX_BYTES_WRITTEN, 3 << 20), I(POSIX_MAX_BYTE_WRITTEN, (3 << 20) - 1),
             F(POSIX_F_WRITE_TIME, 6)));
    lm_component components[] = {{{1 << 20, 1, 0, 0, 0, 1 << 20, 0}, ""}, {{1 << 20, 2, 0, 0, 1 << 20, -1, 0}, ""}};
    lm_lustre_2(lm_records(log, LM_LUSTRE, 2), lm_id("/scratch/striped"), 0, components, 2, (int64_t[]){7, 8, 9}, 3);
    made m =
        make_with(log, &(iol__page_options){.files = 10,
                                            .version = "1",
                                            .context = "{\"site\": {\"load\": 1}, \"osts\": [{\"ost\": 8, \"oss\": "
                                                       "\"oss<1>\", \"x\": [1]}, {\"ost\": \"bad\"}]}"});
    const char *lustre = member(m.text, "lustre");
    expect(lustre, "ost", "[7,8,9]");
    expect(lustre, "oss", "[null,\"oss<1>\",null]");
    expect(lustre, "bytes", "[1048576,1048576,1048576]");
    expect(lustre, "io_time", "[2,2,2]");
    expect(lustre, "osts", "{\"rows\":3");
    expect(lustre, "time_q1", "[6,6,6]");
    const char *servers = strstr(lustre, "\"servers\":{\"rows\":1");
    assert_non_null(servers);
    expect(servers, "oss", "[\"oss<1>\"]");
    expect(servers, "time_max", "[6]");
    const char *files = strstr(lustre, "\"files\":{\"rows\":2");
    assert_non_null(files);
    expect(files, "stripe_count", "[1,2]");
    expect(files, "end", "[1048576,null]");
    expect(files, "osts", "[[7],[8,9]]");
    unmake(&m);
}

/* Old records tell how many servers the file system has; two file systems have no common number. */
static void lustre_servers_are_reported(void **state) {
    (void)state;
    for (int both = 0; both < 2; both++) {
        lm_log *log = small_job();
        bytes *records = lm_records(log, LM_LUSTRE, 1);
        lm_lustre_1_of(records, lm_id("/scratch/a"), 0, 24, 1 << 20, (int64_t[]){7}, 1);
        if (both) lm_lustre_1_of(records, lm_id("/scratch/b"), 0, 248, 1 << 20, (int64_t[]){7}, 1);
        made m = make(log);
        const char *lustre = member(m.text, "lustre");
        expect(lustre, "ost_count", both ? "null" : "24");
        expect(lustre, "mdt_count", "2");
        unmake(&m);
    }
}

static void log_without_modules_has_a_page(void **state) {
    (void)state;
    made m = make(small_job());
    expect(m.text, "modules", "[]");
    expect(m.text, "categories", "[]");
    expect(files_of(&m), "rows", "0");
    unmake(&m);
}

/* Times that cannot be are as if they were not there. */
static void impossible_times_do_not_spread(void **state) {
    (void)state;
    lm_log *log = small_job();
    put(log, LM_POSIX, "/scratch/odd", 0,
        WITH(I(POSIX_WRITES, 1), I(POSIX_BYTES_WRITTEN, 10), F(POSIX_F_WRITE_TIME, NAN), F(POSIX_F_META_TIME, -5e300),
             F(POSIX_F_WRITE_START_TIMESTAMP, INFINITY)));
    made m = make(log);
    expect(m.text, "mean", "{\"read\":0,\"write\":0,\"meta\":0}");
    expect(m.text, "odd_records", "1");
    unmake(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(head_names_job_and_program),
        cmocka_unit_test(program_is_the_last_part_of_the_first_word),
        cmocka_unit_test(cost_is_a_mean_and_a_slowest_rank),
        cmocka_unit_test(shared_time_is_split_as_that_of_all_ranks),
        cmocka_unit_test(files_are_most_costly_first),
        cmocka_unit_test(files_beyond_the_limit_are_counted_together),
        cmocka_unit_test(files_know_their_findings),
        cmocka_unit_test(bytes_by_size_add_up),
        cmocka_unit_test(bytes_by_size_keep_to_their_classes),
        cmocka_unit_test(common_sizes_are_pooled),
        cmocka_unit_test(operations_and_order_are_sums),
        cmocka_unit_test(file_counts_know_sizes_where_they_can),
        cmocka_unit_test(categories_are_first_parts_of_paths),
        cmocka_unit_test(filesystems_have_mean_times_of_a_process),
        cmocka_unit_test(mean_io_tells_shared_from_own),
        cmocka_unit_test(mean_io_of_unreduced_files_is_shared),
        cmocka_unit_test(mpi_calls_are_told_by_rank_and_kind),
        cmocka_unit_test(variance_of_unreduced_files_is_computed),
        cmocka_unit_test(raw_records_come_with_their_counters),
        cmocka_unit_test(names_that_are_no_text_have_their_bytes),
        cmocka_unit_test(lustre_bytes_go_to_targets),
        cmocka_unit_test(lustre_servers_are_reported),
        cmocka_unit_test(log_without_modules_has_a_page),
        cmocka_unit_test(impossible_times_do_not_spread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
