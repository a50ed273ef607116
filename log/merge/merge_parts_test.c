/* Merging what MPI jobs left: their ranks have one log, other processes of the run have another. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/count.h"
#include "log/merge/merge.h"
#include "log/trailer/processes.h"
#include "tests/support/merging.h"
#include "tests/support/opened.h"
#include "tests/support/runmaker.h"

enum { ZERO = 1700000000, RUN = 0xabc, WORLD = 0x77, OTHER_WORLD = 0x99, SHARED = 1, OWN = 100 };

/* Inputs ----------------------------------------------------------------------------------------------------------- */

static iol__mapped facts(int32_t pid, uint64_t world, int32_t rank, int32_t size) {
    return (iol__mapped){.pid = pid,
                         .parent = 1,
                         .born = (uint64_t)pid * 10,
                         .run = RUN,
                         .zero_s = ZERO,
                         .run_zero = ZERO * INT64_C(1000000000),
                         .start = 0.01 * pid,
                         .world = world,
                         .world_rank = rank,
                         .world_size = size};
}

static void put_posix(lm_log *log, uint64_t id, int64_t reads, double first) {
    const lm_counts counts = {.ints = {[IOL_POSIX_READS] = reads},
                              .reals = {[IOL_POSIX_F_OPEN_START_TIMESTAMP] = first}};
    lm_fixed(lm_records(log, LM_POSIX, 4), LM_POSIX, 4, id, 0, 0, &counts);
}

static void put_map(lm_log *log, size_t at, int64_t written) {
    int64_t all[2][200] = {{0}};
    all[0][at] = written;
    lm_heatmap(lm_records(log, LM_HEATMAP, 1), lm_id("heatmap:POSIX"), 0, 0.5, 200, all[0], all[1]);
}

static lm_log *image_of(const iol__mapped *block, const char *command) {
    lm_log *log = lm_new(41, false, LM_NONE);
    log->text = command;
    log->job_id = 5;
    rm_make(log, block);
    return log;
}

/* A rank that was killed: it read the shared file `rank` + 1 times, and a file of its own. */
static void add_rank(merging *m, uint64_t world, int32_t rank, int32_t size, int64_t zero) {
    iol__mapped block = facts(10 + rank + (world == WORLD ? 0 : 1000), world, rank, size);
    block.zero_s += zero;
    lm_log *log = image_of(&block, rank ? "app of another rank" : "app with arguments");
    put_posix(log, SHARED, rank + 1, 1);
    put_posix(log, OWN + (uint64_t)rank, 7, 2);
    put_map(log, 2, 1000 + rank);
    add_log(m, log);
}

static void add_process(merging *m, int32_t pid, const char *command) {
    iol__mapped block = facts(pid, 0, 0, 0);
    lm_log *log = image_of(&block, command);
    put_posix(log, SHARED, 50, 1);
    add_log(m, log);
}

/* What became of them ---------------------------------------------------------------------------------------------- */

static const char *metadata(iol_log *log, const char *wanted) {
    const char *key, *value;
    for (size_t i = 0; iol_log_metadata(log, i, &key, &value) == IOL_OK; i++)
        if (strcmp(key, wanted) == 0) return value;
    return NULL;
}

static int64_t reads_of(iol_log *log, uint64_t id, int64_t rank) {
    iol_records *records;
    int count;
    const iol_record *record = record_of(log, LM_POSIX, id, rank, &records, &count);
    int64_t reads = record ? record->ints[IOL_POSIX_READS] : -1;
    iol_records_close(records);
    return reads;
}

static double opened_at(iol_log *log, uint64_t id, int64_t rank) {
    iol_records *records;
    int count;
    const iol_record *record = record_of(log, LM_POSIX, id, rank, &records, &count);
    assert_non_null(record);
    double time = record->reals[IOL_POSIX_F_OPEN_START_TIMESTAMP];
    iol_records_close(records);
    return time;
}

static int64_t written_in(iol_log *log, int64_t rank, size_t bin) {
    iol_records *records;
    int count;
    const iol_record *record = record_of(log, LM_HEATMAP, lm_id("heatmap:POSIX"), rank, &records, &count);
    assert_non_null(record);
    int64_t written = bin < record->heatmap.bins ? record->heatmap.written[bin] : -1;
    iol_records_close(records);
    return written;
}

static bool count_one(void *context, const iol__process *process) {
    (void)process;
    ++*(int *)context;
    return true;
}

static void people_are(iol_log *log, int expected) {
    int count = 0;
    iol__processes_each(log, count_one, &count);
    assert_int_equal(count, expected);
}

/* A log beside the merged one; NULL if there is none. It is removed. */
static iol_log *beside(merging *m, const char *suffix) {
    iol_log *log;
    iol_error error;
    char *name = iol__merge_name(m->output, suffix);
    bool there = iol_log_open(name, &log, &error) == IOL_OK;
    unlink(name);
    free(name);
    return there ? log : NULL;
}

/* Ranks ------------------------------------------------------------------------------------------------------------ */

static void ranks_are_as_they_say(void **state) {
    (void)state;
    merging *m = merging_new();
    add_rank(m, WORLD, 2, 3, 0);
    add_rank(m, WORLD, 0, 3, 3); /* on a node whose processes began to count later */
    add_rank(m, WORLD, 1, 3, 0);
    m->merge.command = "mpirun app";
    iol_log *log = merged(m);
    assert_int_equal(m->merge.damaged, 0);
    assert_int_equal(iol_log_job(log)->processes, 3);
    assert_int_equal(iol_log_job(log)->start_seconds, ZERO);
    assert_string_equal(iol_log_job(log)->exe, "app with arguments"); /* not what started the ranks */
    assert_string_equal(metadata(log, "mpi_world"), "77");
    assert_null(metadata(log, "missing_ranks"));
    assert_null(metadata(log, "linked_log"));
    assert_int_equal(iol_log_info(log)->partial_flags, 0);
    assert_int_equal(count_of(log, LM_POSIX, SHARED), 1);
    assert_int_equal(reads_of(log, SHARED, -1), 6);
    for (int rank = 0; rank < 3; rank++) assert_int_equal(reads_of(log, OWN + (uint64_t)rank, rank), 7);
    /* the job begins with its first process, which is rank 1 */
    assert_string_equal(metadata(log, "run_offset"), "0.110000");
    assert_near(opened_at(log, OWN, 0), 5 - 0.11, 1e-6);
    assert_near(opened_at(log, OWN + 1, 1), 2 - 0.11, 1e-6);
    assert_int_equal(written_in(log, 0, 8), 1000);
    assert_int_equal(written_in(log, 1, 2), 1001);
    assert_string_equal(m->complaints, "");
    iol_log_close(log);
    merging_free(m);
}

static void a_missing_rank_is_reported(void **state) {
    (void)state;
    merging *m = merging_new();
    for (int rank = 0; rank < 6; rank++)
        if (rank != 1 && rank != 3 && rank != 4) add_rank(m, WORLD, rank, 6, 0);
    iol_log *log = merged(m);
    assert_int_equal(iol_log_job(log)->processes, 6);
    assert_string_equal(metadata(log, "missing_ranks"), "1,3-4");
    assert_string_equal(m->complaints, "3 of 6 ranks left nothing: 1,3-4\n");
    assert_int_equal(count_of(log, LM_POSIX, SHARED), 3); /* who knows what the others did to it */
    assert_int_equal(reads_of(log, SHARED, 5), 6);
    iol_log_close(log);
    merging_free(m);
}

/* As MPI_Finalize does it. */
static void a_job_of_one_rank_has_records_of_all(void **state) {
    (void)state;
    merging *m = merging_new();
    add_rank(m, WORLD, 0, 1, 0);
    iol_log *log = merged(m);
    assert_int_equal(iol_log_job(log)->processes, 1);
    assert_int_equal(reads_of(log, SHARED, -1), 1);
    assert_int_equal(reads_of(log, OWN, -1), 7);
    iol_log_close(log);
    m->merge.reduce = IOL_MERGE_KEEP;
    log = merged(m);
    assert_int_equal(reads_of(log, SHARED, 0), 1);
    iol_log_close(log);
    merging_free(m);
}

static void what_a_rank_ran_before_is_its_own(void **state) {
    (void)state;
    merging *m = merging_new();
    add_rank(m, WORLD, 1, 2, 0);
    add_rank(m, WORLD, 0, 2, 0);
    iol__mapped block = facts(11, 0, 0, 0);
    block.start = 0.001;
    block.end = 0.05;
    block.ended = IOL_ENDED_EXEC;
    lm_log *shell = image_of(&block, "sh -c 'exec app'");
    put_posix(shell, SHARED, 40, 0.5);
    put_posix(shell, OWN + 50, 3, 0.5);
    add_log(m, shell);
    block = facts(11, 0, 0, 0); /* and before that it was what a launcher had forked */
    block.start = 0.0005;
    block.ended = IOL_ENDED_EXEC;
    lm_log *copy = image_of(&block, "/usr/bin/mpirun app");
    put_posix(copy, SHARED, 500, 0.1);
    add_log(m, copy);
    iol_log *log = merged(m);
    assert_int_equal(iol_log_job(log)->processes, 2);
    assert_int_equal(reads_of(log, SHARED, -1), 43);
    assert_int_equal(reads_of(log, OWN + 50, 1), 3);
    assert_null(beside(m, "others"));
    iol_log_close(log);
    merging_free(m);
}

/* Others ----------------------------------------------------------------------------------------------------------- */

static void jobs_and_others_have_logs_of_their_own(void **state) {
    (void)state;
    merging *m = merging_new();
    add_process(m, 5, "bash job.sh");
    add_rank(m, OTHER_WORLD, 0, 1, 0);
    add_rank(m, WORLD, 0, 2, 0);
    add_rank(m, WORLD, 1, 2, 0);
    add_process(m, 6, "/usr/bin/mpirun -n 2 app");
    m->merge.command = "bash job.sh";
    iol_log *log = merged(m), *second = beside(m, "mpi2"), *others = beside(m, "others");
    assert_non_null(second);
    assert_non_null(others);
    assert_string_equal(metadata(log, "mpi_world"), "77"); /* it started first */
    assert_string_equal(metadata(second, "mpi_world"), "99");
    assert_null(metadata(others, "mpi_world"));
    assert_string_equal(metadata(log, "linked_log"), "merged_mpi2");
    assert_string_equal(metadata(second, "linked_log"), "merged");
    assert_string_equal(metadata(others, "linked_log"), "merged");
    assert_int_equal(iol_log_job(others)->processes, 2);
    assert_string_equal(iol_log_job(others)->exe, "bash job.sh");
    assert_int_equal(reads_of(others, SHARED, 1), 50);
    assert_int_equal(iol_log_job(log)->processes, 2);
    assert_int_equal(reads_of(second, SHARED, -1), 1);
    assert_non_null(strstr(m->complaints, "merged_others"));
    iol_log_close(log);
    iol_log_close(second);
    iol_log_close(others);
    merging_free(m);
}

static void who_only_starts_ranks_needs_no_log(void **state) {
    (void)state;
    static const char *const starters[] = {"/usr/bin/mpirun.openmpi -n 2 app", "orted --daemonize", "mpiexec app"};
    merging *m = merging_new();
    add_rank(m, WORLD, 0, 1, 0);
    for (int i = 0; i < 3; i++) add_process(m, 5 + i, starters[i]);
    m->merge.remove_used = true;
    iol_log_close(merged(m));
    assert_null(beside(m, "others"));
    assert_string_equal(m->complaints, "");
    for (size_t i = 0; i < m->n_inputs; i++) assert_int_not_equal(access(m->inputs[i], F_OK), 0);
    merging_free(m);
    m = merging_new(); /* alone they are what there is */
    add_process(m, 5, starters[0]);
    iol_log *log = merged(m);
    assert_int_equal(reads_of(log, SHARED, 0), 50);
    iol_log_close(log);
    merging_free(m);
}

static void a_child_that_claims_a_rank_is_another_process(void **state) {
    (void)state;
    merging *m = merging_new();
    iol__mapped block = facts(30, WORLD, 1, 2);
    add_rank(m, WORLD, 0, 2, 0);
    lm_log *child = image_of(&block, "app of another rank");
    put_posix(child, SHARED, 60, 1);
    add_log(m, child);
    add_rank(m, WORLD, 1, 2, 0);
    iol_log *log = merged(m), *others = beside(m, "others");
    assert_int_equal(reads_of(log, SHARED, -1), 3);
    assert_non_null(others);
    assert_int_equal(reads_of(others, SHARED, 0), 60);
    iol_log_close(log);
    iol_log_close(others);
    merging_free(m);
}

/* The folder of a run, with the list of its processes and a note of a log that a job wrote. */
typedef struct folder {
    char path[100], list[120], note[120];
} folder;

static void write_file(const char *path, const void *data, size_t length) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static folder *add_folder(merging *m, const bytes *list) {
    folder *f = need(sizeof *f);
    snprintf(f->path, sizeof f->path, "%s/run", m->folder);
    snprintf(f->list, sizeof f->list, "%s/processes", f->path);
    snprintf(f->note, sizeof f->note, "%s/logs", f->path);
    assert_int_equal(mkdir(f->path, 0700), 0);
    write_file(f->list, list->data, list->length);
    m->inputs[m->n_inputs++] = f->path;
    return f;
}

static void drop_folder(merging *m, folder *f) {
    m->n_inputs--;
    unlink(f->list);
    unlink(f->note);
    assert_int_equal(rmdir(f->path), 0);
    free(f);
}

/* A log that the ranks of a job wrote, as a file of its own. */
static void make_job_log(char *path, size_t room, int32_t ranks, int32_t size) {
    merging *m = merging_new();
    for (int32_t rank = 0; rank < ranks; rank++) add_rank(m, WORLD, rank, size, 0);
    iol_log_close(merged(m));
    snprintf(path, room, "%s.job", m->folder);
    assert_int_equal(rename(m->output, path), 0);
    merging_free(m);
}

static void note_log(const folder *f, const char *path) {
    char line[140];
    snprintf(line, sizeof line, "%s\n", path);
    write_file(f->note, line, strlen(line));
}

/* Ranks that wrote their log at the end left nothing but their names on the list. */
static void finished_ranks_are_no_others(void **state) {
    (void)state;
    merging *m = merging_new();
    bytes list = {0};
    char job_log[120];
    iol__mapped shell = facts(5, 0, 0, 0), rank = facts(6, 0, 0, 0);
    rm_process(&list, &shell, "bash job.sh", 0);
    rm_process(&list, &rank, "app", 0);
    rm_process(&list, &rank, "", IOL_STARTED_RANK);
    add_process(m, 5, "bash job.sh");
    add_process(m, 6, "mpirun app"); /* the rank's process, when it was the launcher's copy */
    folder *f = add_folder(m, &list);
    iol_log *log = merged(m);
    assert_int_equal(iol_log_job(log)->processes, 2); /* there is no other log */
    iol_log_close(log);
    make_job_log(job_log, sizeof job_log, 1, 1);
    note_log(f, job_log);
    log = merged(m);
    assert_int_equal(iol_log_job(log)->processes, 1);
    iol_log_close(log);
    drop_folder(m, f);
    unlink(job_log);
    bytes_free(&list);
    merging_free(m);
}

/* Killed when the log of their job was there, and their mapped files still were. */
static void what_a_job_wrote_counts_once(void **state) {
    (void)state;
    merging *m = merging_new();
    bytes list = {0};
    char job_log[120];
    iol__mapped shell = facts(5, 0, 0, 0);
    rm_process(&list, &shell, "bash job.sh", 0);
    for (int32_t rank = 0; rank < 3; rank++) add_rank(m, WORLD, rank, 3, 0);
    add_process(m, 5, "bash job.sh");
    make_job_log(job_log, sizeof job_log, 2, 3); /* without the last rank */
    folder *f = add_folder(m, &list);
    note_log(f, job_log);
    m->merge.remove_used = true;
    iol_log *log = merged(m), *others = beside(m, "others");
    assert_string_equal(metadata(log, "missing_ranks"), "0-1");
    assert_int_equal(reads_of(log, SHARED, 2), 3);
    assert_int_equal(count_of(log, LM_POSIX, SHARED), 1);
    assert_non_null(others);
    assert_int_equal(iol_log_job(others)->processes, 1);
    for (size_t i = 0; i + 1 < m->n_inputs; i++) assert_int_not_equal(access(m->inputs[i], F_OK), 0);
    iol_log_close(log);
    iol_log_close(others);
    drop_folder(m, f);
    unlink(job_log);
    bytes_free(&list);
    merging_free(m);
}

/* Several logs of one job ------------------------------------------------------------------------------------------ */

/* Each node's part becomes a log, and these become one. */
static void logs_of_nodes_complete_each_other(void **state) {
    (void)state;
    merging *all = merging_new();
    for (int node = 0; node < 2; node++) {
        merging *m = merging_new();
        for (int i = 0; i < 2; i++) add_rank(m, WORLD, 2 * i + node, 4, node ? 0 : 3);
        iol_log *log = merged(m);
        assert_string_equal(metadata(log, "missing_ranks"), node ? "0,2" : "1,3");
        iol_log_close(log);
        static uint8_t copy[1 << 16];
        FILE *file = fopen(m->output, "rb");
        size_t length = fread(copy, 1, sizeof copy, file);
        fclose(file);
        add_bytes(all, copy, length);
        merging_free(m);
    }
    iol_log *log = merged(all);
    assert_string_equal(all->complaints, "");
    assert_null(metadata(log, "missing_ranks"));
    assert_string_equal(metadata(log, "mpi_world"), "77");
    assert_int_equal(iol_log_job(log)->processes, 4);
    assert_int_equal(iol_log_job(log)->start_seconds, ZERO);
    assert_int_equal(reads_of(log, SHARED, -1), 10);
    for (int rank = 0; rank < 4; rank++) {
        assert_near(opened_at(log, OWN + (uint64_t)rank, rank), (rank % 2 ? 2 : 5) - 0.11, 1e-6);
        assert_int_equal(written_in(log, rank, rank % 2 ? 2 : 8), 1000 + rank);
    }
    people_are(log, 4);
    iol_log_close(log);
    merging_free(all);
}

/* A place that fails costs nothing but the attempt. */
static void a_part_can_be_written_elsewhere(void **state) {
    (void)state;
    merging *m = merging_new();
    char nowhere[120];
    iol__merging *merging_;
    const iol_write_options options = {.replace = true};
    for (int rank = 0; rank < 2; rank++) add_rank(m, WORLD, rank, 2, 0);
    m->merge.inputs = m->inputs;
    m->merge.n_inputs = m->n_inputs;
    snprintf(nowhere, sizeof nowhere, "%s/nowhere/log", m->folder);
    assert_int_equal(iol__merge_begin(&m->merge, &merging_, &m->error), IOL_OK);
    assert_int_equal(iol__merge_parts(merging_), 1);
    const iol__merge_part part = iol__merge_part_of(merging_, 0);
    assert_true(part.world == WORLD && part.processes == 2 && part.pid == 10 && part.job_id == 5 && part.unfinished);
    assert_string_equal(part.command, "app with arguments");
    static const char *const links[] = {"a", "b", NULL};
    assert_int_equal(iol__merge_part_write(merging_, 0, nowhere, &options, links, &m->error), IOL_SYSTEM);
    assert_int_equal(iol__merge_part_write(merging_, 0, m->output, &options, links, &m->error), IOL_OK);
    iol__merge_end(merging_);
    iol_log *log;
    assert_int_equal(iol_log_open(m->output, &log, &m->error), IOL_OK);
    assert_int_equal(reads_of(log, SHARED, -1), 3);
    assert_string_equal(metadata(log, "linked_log"), "a");
    assert_string_equal(metadata(log, "linked_log_2"), "b");
    iol_log_close(log);
    merging_free(m);
}

/* Numbers that no job can have. */
static void nonsense_is_no_rank(void **state) {
    (void)state;
    static const struct {
        uint64_t world;
        int32_t rank, size;
    } seats[] = {{WORLD, -1, 4}, {WORLD, 4, 4}, {0, 1, 4}, {WORLD, 0, INT32_MAX}, {WORLD, 0, 0}};
    for (size_t i = 0; i < IOL_COUNT(seats); i++) {
        merging *m = merging_new();
        iol__mapped block = facts(9, seats[i].world, seats[i].rank, seats[i].size);
        lm_log *one = image_of(&block, "app");
        put_posix(one, SHARED, 8, 1);
        add_log(m, one);
        iol_log *log = merged(m);
        assert_int_equal(iol_log_job(log)->processes, 1);
        assert_null(metadata(log, "mpi_world"));
        assert_int_equal(reads_of(log, SHARED, 0), 8);
        iol_log_close(log);
        merging_free(m);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_are_as_they_say),
        cmocka_unit_test(a_missing_rank_is_reported),
        cmocka_unit_test(a_job_of_one_rank_has_records_of_all),
        cmocka_unit_test(what_a_rank_ran_before_is_its_own),
        cmocka_unit_test(jobs_and_others_have_logs_of_their_own),
        cmocka_unit_test(who_only_starts_ranks_needs_no_log),
        cmocka_unit_test(a_child_that_claims_a_rank_is_another_process),
        cmocka_unit_test(finished_ranks_are_no_others),
        cmocka_unit_test(what_a_job_wrote_counts_once),
        cmocka_unit_test(logs_of_nodes_complete_each_other),
        cmocka_unit_test(a_part_can_be_written_elsewhere),
        cmocka_unit_test(nonsense_is_no_rank),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
