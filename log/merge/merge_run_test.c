/* Merging what a run of Iolite left: frames of a spool, mapped files of processes that were killed, and the list of all
   processes. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <fcntl.h>
#include <unistd.h>

#include <cmocka.h>

#include "log/merge/merge.h"
#include "log/trailer/processes.h"
#include "tests/support/merging.h"
#include "tests/support/opened.h"
#include "tests/support/runmaker.h"

enum { ZERO = 1700000000, ZERO_NS = 500000000, RUN = 0xabc };

/* The folder of a run ---------------------------------------------------------------------------------------------- */

typedef struct run {
    merging *m;
    char folder[96];
    char mapped[MOST_INPUTS][160];
    size_t n_mapped;
    bytes spool, list;
} run;

static run *run_new(void) {
    run *r = need(sizeof *r);
    memset(r, 0, sizeof *r);
    r->m = merging_new();
    snprintf(r->folder, sizeof r->folder, "%s/run", r->m->folder);
    assert_int_equal(mkdir(r->folder, 0700), 0);
    r->m->inputs[r->m->n_inputs++] = strcpy(r->m->paths[0], r->folder);
    return r;
}

static void save(const char *folder, const char *name, const uint8_t *data, size_t length) {
    char path[200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static void forget(const char *folder, const char *name) {
    char path[200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    unlink(path);
}

static void add_mapped(run *r, lm_log *log) {
    size_t length;
    char name[40];
    uint8_t *file = lm_finish(log, &length);
    lm_free(log);
    snprintf(name, sizeof name, "iolite-%zu.mapped", r->n_mapped);
    snprintf(r->mapped[r->n_mapped++], sizeof r->mapped[0], "%s/%s", r->folder, name);
    save(r->folder, name, file, length);
    free(file);
}

static iol_log *run_merged(run *r) {
    if (r->spool.length) save(r->folder, "spool", r->spool.data, r->spool.length);
    if (r->list.length) save(r->folder, "processes", r->list.data, r->list.length);
    return merged(r->m);
}

static void run_free(run *r) {
    forget(r->folder, "spool");
    forget(r->folder, "processes");
    for (size_t i = 0; i < r->n_mapped; i++) unlink(r->mapped[i]);
    assert_int_equal(rmdir(r->folder), 0);
    merging_free(r->m);
    bytes_free(&r->spool);
    bytes_free(&r->list);
    free(r);
}

static iol__mapped facts(int32_t pid, double start, double end) {
    return (iol__mapped){.pid = pid,
                         .parent = pid - 1,
                         .born = (uint64_t)pid * 10,
                         .run = RUN,
                         .zero_s = ZERO,
                         .zero_ns = ZERO_NS,
                         .start = start,
                         .end = end,
                         .ended = end > 0 ? IOL_ENDED_EXIT : IOL_ENDED_NOT};
}

static lm_log *image_of(const iol__mapped *block, const char *text) {
    lm_log *log = lm_new(41, false, LM_NONE);
    log->text = text;
    log->job_id = block->pid;
    rm_make(log, block);
    return log;
}

static void list_process(run *r, int32_t pid, int32_t parent, uint64_t born, double start, const char *command) {
    iol__mapped block = facts(pid, start, 0);
    block.parent = parent;
    block.born = born;
    rm_process(&r->list, &block, command, 0);
}

static lm_log *image(int32_t pid, double start, double end, const char *text) {
    iol__mapped block = facts(pid, start, end);
    return image_of(&block, text);
}

static void put_posix(lm_log *log, uint64_t id, const lm_counts *counts) {
    lm_fixed(lm_records(log, LM_POSIX, 4), LM_POSIX, 4, id, 0, 0, counts);
}

static void put_reads(lm_log *log, uint64_t id, int64_t reads) {
    const lm_counts counts = {.ints = {[IOL_POSIX_READS] = reads}};
    put_posix(log, id, &counts);
}

/* What became of it ------------------------------------------------------------------------------------------------ */

static int64_t posix_int(iol_log *log, uint64_t id, int64_t rank, unsigned counter) {
    iol_records *records;
    int count;
    const iol_record *record = record_of(log, LM_POSIX, id, rank, &records, &count);
    assert_int_equal(count, 1);
    int64_t value = record->ints[counter];
    iol_records_close(records);
    return value;
}

typedef struct people {
    char text[4000];
    int count;
} people;

static bool note_person(void *context, const iol__process *p) {
    people *all = context;
    size_t at = strlen(all->text), room = sizeof all->text - at;
    int n = snprintf(all->text + at, room, "%d:%d", (int)p->rank, (int)p->pid);
    for (size_t i = 0; i < p->n_images; i++) n += snprintf(all->text + at + n, room - (size_t)n, " [%s]", p->images[i]);
    n += snprintf(all->text + at + n, room - (size_t)n, " %.2f", p->start);
    if (!isnan(p->end)) n += snprintf(all->text + at + n, room - (size_t)n, "-%.2f", p->end);
    if (p->signal) n += snprintf(all->text + at + n, room - (size_t)n, " signal %d", (int)p->signal);
    snprintf(all->text + at + n, room - (size_t)n, "%s\n",
             p->ended == IOL_ENDED_EXIT   ? " exit"
             : p->ended == IOL_ENDED_EXEC ? " exec"
                                          : "");
    all->count++;
    return true;
}

static void assert_people(iol_log *log, const char *expected) {
    people all = {.count = 0};
    iol__processes_each(log, note_person, &all);
    assert_string_equal(all.text, expected);
    assert_int_equal(iol_log_error_count(log), 0);
}

/* Ranks ----------------------------------------------------------------------------------------------------------- */

/* Frames stand in the order in which processes ended. */
static void ranks_are_processes_in_order_of_start(void **state) {
    (void)state;
    run *r = run_new();
    static const struct {
        int pid;
        double start, end;
    } all[] = {{12, 0.5, 1.5}, {11, 0.25, 2.5}, {10, 0.125, 3.25}};
    for (int i = 0; i < 3; i++) {
        lm_log *log = image(all[i].pid, all[i].start, all[i].end, i == 2 ? "app" : "app\nxfs\t/data");
        const lm_counts counts = {.ints = {[IOL_POSIX_READS] = all[i].pid},
                                  .reals = {[IOL_POSIX_F_OPEN_START_TIMESTAMP] = all[i].start + 1}};
        put_posix(log, 77, &counts);
        rm_spool(&r->spool, log);
    }
    lm_log *late = image(13, 0.75, 0, "killed");
    put_reads(late, 77, 13);
    add_mapped(r, late);
    iol_log *log = run_merged(r);
    assert_int_equal(r->m->merge.used, 4);
    assert_int_equal(r->m->merge.damaged, 0);
    const iol_job *job = iol_log_job(log);
    assert_int_equal(job->processes, 4);
    assert_int_equal(job->start_seconds, ZERO);
    assert_int_equal(job->start_nanoseconds, ZERO_NS);
    assert_int_equal(job->end_seconds, ZERO + 3);
    assert_int_equal(job->end_nanoseconds, 750000000);
    assert_string_equal(job->exe, "app");
    const char *point, *type;
    assert_int_equal(iol_log_mount(log, 0, &point, &type), IOL_OK); /* of another than the first process */
    assert_string_equal(point, "/data");
    for (int rank = 0; rank < 4; rank++) assert_int_equal(posix_int(log, 77, rank, IOL_POSIX_READS), 10 + rank);
    iol_records *records;
    int count;
    const iol_record *record = record_of(log, LM_POSIX, 77, 2, &records, &count);
    assert_true(record->reals[IOL_POSIX_F_OPEN_START_TIMESTAMP] == 1.5); /* not moved */
    iol_records_close(records);
    assert_people(log, "0:10 [app] 0.12-3.25 exit\n1:11 [app] 0.25-2.50 exit\n2:12 [app] 0.50-1.50 exit\n"
                       "3:13 [killed] 0.75\n");
    iol_log_close(log);
    run_free(r);
}

/* What the reaper, process 9, put on the list. */
static void list_end(run *r, int32_t pid, double time, uint64_t status) {
    iol__mapped block = facts(pid, time, 0);
    block.parent = 9;
    block.born = 90;
    rm_process(&r->list, &block, "", IOL_STARTED_ENDED | status << IOL_STARTED_STATUS);
}

static void ends_are_of_the_right_process(void **state) {
    enum { OTHER_SPACE = 5 };
    (void)state;
    run *r = run_new();
    add_mapped(r, image(30, 0.25, 0, "died of signal 11"));
    list_process(r, 30, 9, 301, 2, "had its number later");
    list_process(r, 31, 9, 310 | (uint64_t)OTHER_SPACE << IOL_BORN_BITS, 0.5, "has another number there");
    rm_spool(&r->spool, image(32, 0.75, 3, "exited"));
    add_mapped(r, image(33, 1, 0, "found ending"));
    list_end(r, 33, 1.25, 0);
    list_end(r, 30, 1.5, 11);
    list_end(r, 31, 1.5, 11);
    list_end(r, 32, 1.5, 9);
    list_end(r, 33, 1.5, 9);
    list_end(r, 33, 1.75, 15); /* a parent, after a debugger */
    list_end(r, 34, 1.75, 15); /* nobody knows that one */
    list_end(r, 33, -1, 6);    /* before it started */
    list_end(r, 30, INFINITY, 6);
    list_end(r, 30, 1e300, 0x137f); /* stopped: no end */
    iol_log *log = run_merged(r);
    assert_int_equal(r->m->merge.damaged, 0);
    assert_people(log, "0:30 [died of signal 11] 0.25-1.50 signal 11\n1:31 [has another number there] 0.50\n"
                       "2:32 [exited] 0.75-3.00 exit\n3:33 [found ending] 1.00-1.25 signal 9\n"
                       "4:30 [had its number later] 2.00\n");
    iol_log_close(log);
    run_free(r);
}

static void processes_without_records_count(void **state) {
    (void)state;
    run *r = run_new();
    lm_log *worker = image(20, 0.5, 2, "worker\nxfs\t/data");
    put_reads(worker, 1, 3);
    rm_spool(&r->spool, worker);
    list_process(r, 19, 1, 190, 0.25, "sh -c 'worker & wait'\nand more");
    list_process(r, 20, 19, 200, 0.5, "worker with a longer command");
    list_process(r, 20, 19, 200, 1.5, "worker with a longer command"); /* it became itself once more */
    list_process(r, 21, 19, 210, 0.75, "sleep 1");
    list_process(r, 21, 19, 210, 0.875, "true");
    bytes_raw(&r->list, "\x60\0\0\0\x01", 5); /* killed while it wrote its entry */
    iol_log *log = run_merged(r);
    assert_int_equal(r->m->merge.damaged, 0);
    assert_int_equal(iol_log_job(log)->processes, 3);
    assert_string_equal(iol_log_job(log)->exe, "sh -c 'worker & wait' and more");
    const char *point, *type;
    assert_int_equal(iol_log_mount(log, 0, &point, &type), IOL_OK);
    assert_string_equal(point, "/data");
    assert_int_equal(posix_int(log, 1, 1, IOL_POSIX_READS), 3);
    assert_people(log, "0:19 [sh -c 'worker & wait'\nand more] 0.25\n1:20 [worker with a longer command] [worker with "
                       "a longer command] 0.50-2.00 exit\n"
                       "2:21 [sleep 1] [true] 0.75\n");
    iol_log_close(log);
    r->m->merge.command = "what the caller says";
    log = run_merged(r);
    assert_string_equal(iol_log_job(log)->exe, "what the caller says");
    iol_log_close(log);
    run_free(r);
}

static void a_list_alone_is_a_log(void **state) {
    (void)state;
    run *r = run_new();
    const iol_job known = {.uid = 33, .job_id = 44, .start_seconds = ZERO, .start_nanoseconds = 7};
    iol__mapped block = facts(19, 0.25, 0);
    block.zero_ns = 7;
    rm_process(&r->list, &block, "true", 0);
    r->m->merge.job = &known;
    r->m->merge.end_seconds = ZERO + 2;
    r->m->merge.end_nanoseconds = 5;
    iol_log *log = run_merged(r);
    const iol_job *job = iol_log_job(log);
    assert_int_equal(job->uid, 33);
    assert_int_equal(job->job_id, 44);
    assert_int_equal(job->start_seconds, ZERO);
    assert_int_equal(job->start_nanoseconds, 7);
    assert_int_equal(job->end_seconds, ZERO + 2);
    assert_int_equal(job->end_nanoseconds, 5);
    assert_int_equal(job->processes, 1);
    assert_string_equal(job->exe, "true");
    assert_people(log, "0:19 [true] 0.25\n");
    iol_log_close(log);
    r->m->merge = (iol__merge){0}; /* nobody says anything: the list does */
    log = run_merged(r);
    assert_int_equal(iol_log_job(log)->start_seconds, ZERO);
    assert_int_equal(iol_log_job(log)->start_nanoseconds, 7);
    assert_people(log, "0:19 [true] 0.25\n");
    iol_log_close(log);
    run_free(r);
}

static size_t asked_for_mounts;

static size_t two_mounts(void *context, const char *const **pairs) {
    static const char *const table[] = {"/", "ext4", "/data", "xfs"};
    (void)context;
    asked_for_mounts++;
    *pairs = table;
    return 2;
}

/* Reading the kernel's table takes longer than writing a log without files. */
static void mounts_matter_where_records_are(void **state) {
    (void)state;
    run *r = run_new();
    const char *point, *type;
    asked_for_mounts = 0;
    list_process(r, 20, 1, 200, 0.25, "true");
    r->m->merge.mounts = two_mounts;
    iol_log_close(run_merged(r));
    assert_int_equal(asked_for_mounts, 0);
    lm_log *worker = image(20, 0.25, 2, "worker");
    put_reads(worker, 1, 3);
    rm_spool(&r->spool, worker);
    iol_log *log = run_merged(r);
    assert_int_equal(asked_for_mounts, 1);
    assert_int_equal(iol_log_mount(log, 0, &point, &type), IOL_OK);
    assert_string_equal(point, "/data");
    iol_log_close(log);
    run_free(r);
}

/* Several images of one process ------------------------------------------------------------------------------------ */

static const lm_counts before = {
    .ints = {[IOL_POSIX_OPENS] = 1,
             [IOL_POSIX_READS] = 5,
             [IOL_POSIX_MODE] = 0600,
             [IOL_POSIX_MAX_BYTE_READ] = 99,
             [IOL_POSIX_SEQ_READS] = -1,
             [IOL_POSIX_BYTES_READ] = 100,
             [IOL_POSIX_ACCESS1_ACCESS] = 20,
             [IOL_POSIX_ACCESS1_COUNT] = 5},
    .reals = {
        [IOL_POSIX_F_OPEN_START_TIMESTAMP] = 1, [IOL_POSIX_F_READ_END_TIMESTAMP] = 2, [IOL_POSIX_F_READ_TIME] = 0.5}};
static const lm_counts after = {
    .ints = {[IOL_POSIX_OPENS] = 2,
             [IOL_POSIX_READS] = 7,
             [IOL_POSIX_MODE] = 0644,
             [IOL_POSIX_MAX_BYTE_READ] = 49,
             [IOL_POSIX_SEQ_READS] = -1,
             [IOL_POSIX_BYTES_READ] = 50,
             [IOL_POSIX_ACCESS1_ACCESS] = 30,
             [IOL_POSIX_ACCESS2_ACCESS] = 20,
             [IOL_POSIX_ACCESS1_COUNT] = 6,
             [IOL_POSIX_ACCESS2_COUNT] = 3},
    .reals = {
        [IOL_POSIX_F_OPEN_START_TIMESTAMP] = 3, [IOL_POSIX_F_READ_END_TIMESTAMP] = 4, [IOL_POSIX_F_READ_TIME] = 0.25}};

static void assert_combined(const iol_record *record) {
    const int64_t *ints = record->ints;
    assert_int_equal(ints[IOL_POSIX_OPENS], 3);
    assert_int_equal(ints[IOL_POSIX_READS], 12);
    assert_int_equal(ints[IOL_POSIX_MODE], 0600);
    assert_int_equal(ints[IOL_POSIX_MAX_BYTE_READ], 99);
    assert_int_equal(ints[IOL_POSIX_SEQ_READS], -1);
    assert_int_equal(ints[IOL_POSIX_BYTES_READ], 150);
    assert_int_equal(ints[IOL_POSIX_ACCESS1_ACCESS], 20);
    assert_int_equal(ints[IOL_POSIX_ACCESS1_COUNT], 8);
    assert_int_equal(ints[IOL_POSIX_ACCESS2_ACCESS], 30);
    assert_int_equal(ints[IOL_POSIX_FASTEST_RANK] | ints[IOL_POSIX_SLOWEST_RANK_BYTES], 0);
    assert_true(record->reals[IOL_POSIX_F_OPEN_START_TIMESTAMP] == 1);
    assert_true(record->reals[IOL_POSIX_F_READ_END_TIMESTAMP] == 4);
    assert_true(record->reals[IOL_POSIX_F_READ_TIME] == 0.75);
    assert_true(record->reals[IOL_POSIX_F_SLOWEST_RANK_TIME] == 0);
    assert_true(record->reals[IOL_POSIX_F_VARIANCE_RANK_BYTES] == 0);
}

static void assert_operations(iol_log *log) {
    static const int64_t offsets[] = {0, 1, 2, 3, 4}; /* writes of both, then reads of both */
    iol_records *records;
    iol_segment segments[6];
    size_t got;
    int count;
    const iol_record *record = record_of(log, LM_DXT_POSIX, 77, 1, &records, &count);
    assert_int_equal(count, 1);
    assert_int_equal(record->trace.writes, 3);
    assert_int_equal(record->trace.reads, 2);
    assert_false(record->trace.threads); /* the form that all tools read */
    assert_int_equal(iol_records_segments(records, segments, 6, &got), IOL_OK);
    assert_int_equal(got, 5);
    for (int i = 0; i < 5; i++) assert_int_equal(segments[i].offset, offsets[i]);
    iol_records_close(records);
}

static void programs_of_one_process_are_one_rank(void **state) {
    (void)state;
    run *r = run_new();
    static const lm_segment first[] = {{0, 1, 1, 1, 5}, {1, 1, 1, 1, 5}, {3, 1, 1, 1, 5}};
    static const lm_segment second[] = {{2, 1, 3, 3, 5}, {4, 1, 3, 3, 5}};
    lm_log *log = image(31, 2.5, 5, "app");
    put_posix(log, 77, &after);
    put_reads(log, 78, 4);
    rm_trace(log, LM_DXT_POSIX, 77, true, second, 1, 1);
    rm_trace(log, LM_DXT_POSIX, 77, false, second + 1, 1, 1);
    rm_spool(&r->spool, log);
    iol__mapped block = facts(31, 0.5, 2.25);
    block.ended = IOL_ENDED_EXEC;
    log = image_of(&block, "sh -c 'exec app'");
    put_posix(log, 77, &before);
    rm_trace(log, LM_DXT_POSIX, 77, false, first + 2, 1, 1);
    rm_trace(log, LM_DXT_POSIX, 77, true, first, 2, 2);
    rm_spool(&r->spool, log);
    log = image(30, 0.25, 6, "the first");
    put_reads(log, 77, 1);
    rm_spool(&r->spool, log);
    iol_log *whole = run_merged(r);
    assert_int_equal(iol_log_job(whole)->processes, 2);
    iol_records *records;
    int count;
    const iol_record *record = record_of(whole, LM_POSIX, 77, 1, &records, &count);
    assert_int_equal(count, 1);
    assert_combined(record);
    iol_records_close(records);
    assert_int_equal(posix_int(whole, 78, 1, IOL_POSIX_READS), 4);
    assert_int_equal(posix_int(whole, 77, 0, IOL_POSIX_READS), 1);
    assert_operations(whole);
    assert_people(whole, "0:30 [the first] 0.25-6.00 exit\n1:31 [sh -c 'exec app'] [app] 0.50-5.00 exit\n");
    iol_log_close(whole);
    run_free(r);
}

/* Heat maps -------------------------------------------------------------------------------------------------------- */

static void put_map(lm_log *log, const char *name, double width, size_t bins, size_t at, int64_t written,
                    int64_t read) {
    int64_t all[2][200] = {{0}};
    all[0][at] = written;
    all[1][at] = read;
    lm_heatmap(lm_records(log, LM_HEATMAP, 1), lm_id(name), 0, width, bins, all[0], all[1]);
}

/* One a thread and program, some with wider bins, all with 200 bins for times that mostly never came. */
static void heat_maps_of_a_process_are_one(void **state) {
    (void)state;
    run *r = run_new();
    lm_log *first = image(40, 0, 1, "first"), *then = image(40, 1, 4.5, "then"), *other = image(41, 2, 3, "other");
    put_map(first, "heatmap:POSIX", 0.25, 200, 1, 100, 0);
    put_map(first, "heatmap:POSIX", 0.25, 200, 3, 7, 1);
    put_map(first, "heatmap:STDIO", 0.25, 200, 3, 0, 0); /* nothing in it */
    put_map(then, "heatmap:POSIX", 0.5, 200, 6, 1000, 2);
    put_map(other, "heatmap:POSIX", 0.25, 200, 9, 5, 0);
    rm_spool(&r->spool, first);
    rm_spool(&r->spool, then);
    rm_spool(&r->spool, other);
    iol_log *log = run_merged(r);
    assert_int_equal(count_of(log, LM_HEATMAP, lm_id("heatmap:STDIO")), 0);
    assert_int_equal(count_of(log, LM_HEATMAP, lm_id("heatmap:POSIX")), 2);
    static const int64_t expected[2][9] = {{100, 7, 0, 0, 0, 0, 1000}, {0, 0, 0, 0, 5}};
    for (int rank = 0; rank < 2; rank++) {
        iol_records *records;
        int count;
        const iol_record *record = record_of(log, LM_HEATMAP, lm_id("heatmap:POSIX"), rank, &records, &count);
        assert_int_equal(count, 1);
        assert_true(record->heatmap.bin_width == 0.5);
        assert_int_equal(record->heatmap.bins, 9); /* to the end of the run at 4.5 */
        assert_memory_equal(record->heatmap.written, expected[rank], sizeof expected[rank]);
        assert_int_equal(record->heatmap.read[1], rank == 0);
        assert_int_equal(record->heatmap.read[6], rank == 0 ? 2 : 0);
        iol_records_close(records);
    }
    iol_log_close(log);
    run_free(r);
}

/* Details of records ----------------------------------------------------------------------------------------------- */

static void unused_standard_streams_go(void **state) {
    (void)state;
    run *r = run_new();
    static const char *const names[] = {"<STDIN>", "<STDOUT>", "<STDERR>", "/data/file"};
    lm_log *made = image(50, 0, 1, "app");
    for (int i = 0; i < 4; i++) {
        const lm_counts counts = {.ints = {[IOL_STDIO_OPENS] = 1, [IOL_STDIO_WRITES] = i == 1}};
        lm_name(made, lm_id(names[i]), names[i]);
        lm_fixed(lm_records(made, LM_STDIO, 2), LM_STDIO, 2, lm_id(names[i]), 0, 0, &counts);
    }
    rm_spool(&r->spool, made);
    iol_log *log = run_merged(r);
    assert_int_equal(count_of(log, LM_STDIO, lm_id("<STDIN>")), 0);
    assert_int_equal(count_of(log, LM_STDIO, lm_id("<STDOUT>")), 1);
    assert_int_equal(count_of(log, LM_STDIO, lm_id("<STDERR>")), 0);
    assert_int_equal(count_of(log, LM_STDIO, lm_id("/data/file")), 1);
    iol_log_close(log);
    run_free(r);
}

static void folding_is_reported(void **state) {
    (void)state;
    run *r = run_new();
    for (int i = 0; i < 2; i++) {
        iol__mapped block = facts(60 + i, 0, 1);
        block.folded[LM_POSIX] = (uint64_t)(10 + i);
        block.trace_lost = (uint64_t)i;
        lm_log *made = image_of(&block, "app");
        put_reads(made, 1, 1);
        rm_spool(&r->spool, made);
    }
    iol_log *log = run_merged(r);
    iol__folded folded = {0};
    iol__folded_add(log, &folded);
    assert_int_equal(folded.files[LM_POSIX], 21);
    assert_int_equal(folded.trace_lost, 1);
    assert_true(iol_log_info(log)->partial_flags == (UINT64_C(1) << LM_POSIX | UINT64_C(1) << LM_DXT_POSIX));
    iol_log_close(log);
    run_free(r);
}

/* Inputs ----------------------------------------------------------------------------------------------------------- */

/* Killed after its records were in the spool, before its mapped file was gone. */
static void nothing_counts_twice(void **state) {
    (void)state;
    run *r = run_new();
    for (int i = 0; i < 2; i++) {
        lm_log *made = image(70, 0.5, i ? 0 : 2, "app");
        put_reads(made, 1, i ? 5 : 6);
        if (i)
            add_mapped(r, made);
        else
            rm_spool(&r->spool, made);
    }
    r->m->inputs[0] = r->mapped[0]; /* before the folder, and all of that twice */
    r->m->inputs[1] = r->m->inputs[2] = r->folder;
    r->m->n_inputs = 3;
    r->m->merge.remove_used = true;
    iol_log *log = run_merged(r);
    assert_int_equal(r->m->merge.used, 1);
    assert_int_equal(posix_int(log, 1, 0, IOL_POSIX_READS), 6);
    assert_people(log, "0:70 [app] 0.50-2.00 exit\n");
    assert_int_not_equal(access(r->mapped[0], F_OK), 0);
    iol_log_close(log);
    run_free(r);
}

/* This process has the file mapped, and that of a process that has ended. */
static void files_of_the_living_can_be_left(void **state) {
    (void)state;
    run *r = run_new();
    lm_log *mine = image(getpid(), 0.5, 0, "alive"), *dead = image(0x3ffffff0, 0.25, 0, "dead");
    put_reads(mine, 1, 5);
    put_reads(dead, 1, 6);
    add_mapped(r, mine);
    add_mapped(r, dead);
    int fd = open(r->mapped[0], O_RDWR);
    void *map = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
    assert_true(map != MAP_FAILED);
    close(fd);
    iol_log *log = run_merged(r);
    assert_int_equal(iol_log_job(log)->processes, 2); /* nobody asked */
    iol_log_close(log);
    r->m->merge.skip_live = r->m->merge.remove_used = true;
    log = run_merged(r);
    assert_int_equal(r->m->merge.live, 1);
    assert_int_equal(r->m->merge.used, 1);
    assert_people(log, "0:1073741808 [dead] 0.25\n");
    iol_log_close(log);
    assert_int_equal(access(r->mapped[0], F_OK), 0);
    assert_int_not_equal(access(r->mapped[1], F_OK), 0);
    munmap(map, 4096);
    r->m->merge = (iol__merge){.skip_live = true};
    log = run_merged(r); /* it lives, but has let go of the file */
    assert_int_equal(r->m->merge.live, 0);
    iol_log_close(log);
    run_free(r);
}

static void damage_is_reported_and_the_rest_merged(void **state) {
    (void)state;
    run *r = run_new();
    uint8_t nothing[IOL_MAPPED_HEAD];
    memset(nothing, 'x', sizeof nothing);
    lm_log *made = image(80, 0, 1, "app");
    put_reads(made, 1, 5);
    rm_spool(&r->spool, made);
    rm_spool_bytes(&r->spool, nothing, sizeof nothing); /* a frame that holds something else */
    made = image(81, 0.5, 1, "app");
    put_reads(made, 1, 6);
    rm_spool(&r->spool, made);
    bytes_u64(&r->spool, 12345); /* a length that is none */
    bytes_fill(&r->spool, 0, 64);
    put_u64(r->spool.data + 8, r->spool.length + 100000, false); /* and more than there is */
    list_process(r, 82, 1, 820, 0.75, "list");
    put_u32(r->list.data + 12, 77777, false); /* a command longer than its entry */
    save(r->folder, "iolite-empty.mapped", nothing, 0);
    iol_log *log = run_merged(r);
    assert_int_equal(r->m->merge.damaged, 4);
    assert_int_equal(r->m->merge.used, 2);
    assert_non_null(strstr(r->m->complaints, "/spool"));
    assert_non_null(strstr(r->m->complaints, "/processes"));
    assert_null(strstr(r->m->complaints, "empty")); /* its process had not begun */
    assert_int_equal(iol_log_job(log)->processes, 2);
    assert_int_equal(posix_int(log, 1, 1, IOL_POSIX_READS), 6);
    iol_log_close(log);
    forget(r->folder, "iolite-empty.mapped");
    run_free(r);
}

/* What is behind the mark is the rest of a writer that was killed. */
static void uncommitted_frames_do_not_count(void **state) {
    (void)state;
    run *r = run_new();
    size_t committed = 0;
    for (int i = 0; i < 2; i++) {
        lm_log *made = image(90 + i, 0, 1, "app");
        put_reads(made, 1, 5);
        rm_spool(&r->spool, made);
        if (i == 0) committed = r->spool.length;
    }
    put_u64(r->spool.data + 8, committed, false);
    iol_log *log = run_merged(r);
    assert_int_equal(r->m->merge.damaged, 0);
    assert_int_equal(iol_log_job(log)->processes, 1);
    iol_log_close(log);
    run_free(r);
}

/* Logs of runs, as of the tasks of a job without MPI: their processes stand one after the other. */
static void logs_of_runs_are_joined(void **state) {
    (void)state;
    merging *m = merging_new();
    for (int task = 0; task < 2; task++) {
        run *r = run_new();
        for (int i = 0; i < 2; i++) {
            iol__mapped block = facts(100 + 10 * task + i, 0.5 * (i + 1), 3);
            block.zero_s += 1 - task; /* the second one started first */
            block.folded[LM_POSIX] = 1;
            lm_log *made = image_of(&block, task ? "late" : "early");
            made->job_id = 5;
            const lm_counts counts = {.ints = {[IOL_POSIX_READS] = block.pid},
                                      .reals = {[IOL_POSIX_F_OPEN_START_TIMESTAMP] = 1}};
            put_posix(made, 1, &counts);
            put_map(made, "heatmap:POSIX", 0.5, 200, 2, block.pid, 0);
            rm_spool(&r->spool, made);
        }
        iol_log_close(run_merged(r));
        FILE *file = fopen(r->m->output, "rb");
        static uint8_t copy[1 << 16];
        size_t length = fread(copy, 1, sizeof copy, file);
        fclose(file);
        add_bytes(m, copy, length);
        run_free(r);
    }
    iol_log *log = merged(m);
    assert_int_equal(m->merge.damaged, 0);
    assert_int_equal(iol_log_job(log)->processes, 4);
    assert_int_equal(iol_log_job(log)->start_seconds, ZERO);
    static const int pids[] = {110, 111, 100, 101};
    for (int rank = 0; rank < 4; rank++) {
        iol_records *records;
        int count;
        const iol_record *record = record_of(log, LM_POSIX, 1, rank, &records, &count);
        assert_int_equal(count, 1);
        assert_int_equal(record->ints[IOL_POSIX_READS], pids[rank]);
        assert_near(record->reals[IOL_POSIX_F_OPEN_START_TIMESTAMP], rank < 2 ? 1 : 2, 1e-9);
        iol_records_close(records);
        record = record_of(log, LM_HEATMAP, lm_id("heatmap:POSIX"), rank, &records, &count);
        assert_int_equal(count, 1);
        assert_int_equal(record->heatmap.written[rank < 2 ? 2 : 4], pids[rank]);
        iol_records_close(records);
    }
    assert_people(log, "0:110 [late] 0.50-3.00 exit\n1:111 [late] 1.00-3.00 exit\n"
                       "2:100 [early] 1.50-4.00 exit\n3:101 [early] 2.00-4.00 exit\n");
    iol__folded folded = {0};
    iol__folded_add(log, &folded);
    assert_int_equal(folded.files[LM_POSIX], 4);
    assert_int_equal(iol_log_trailer_count(log), 2);
    iol_log_close(log);
    merging_free(m);
}

/* Each rank of an MPI job has a mapped file of its own; those are no processes to be numbered. */
static void ranks_of_mpi_jobs_stay(void **state) {
    (void)state;
    run *r = run_new();
    static const lm_segment segment = {0, 1, 1, 1, 5};
    for (int rank = 1; rank >= 0; rank--) {
        lm_log *made = image(110 - rank, 0, 1, "mpi");
        made->processes = 2;
        made->job_id = 5;
        lm_fixed(lm_records(made, LM_POSIX, 4), LM_POSIX, 4, 1, rank, 0, &before);
        lm_sample(made, LM_STDIO, 2, 100 + (uint64_t)rank, rank, 1);
        rm_trace(made, LM_DXT_POSIX, 1, true, &segment, 1, 1);
        add_mapped(r, made);
    }
    iol_log *log = run_merged(r);
    assert_int_equal(r->m->merge.damaged, 0);
    assert_int_equal(iol_log_job(log)->processes, 2);
    assert_int_equal(posix_int(log, 1, -1, IOL_POSIX_READS), 10);
    iol_module module;
    assert_int_equal(iol_log_module(log, LM_DXT_POSIX, &module), IOL_OK);
    assert_int_equal(module.version, 1);
    for (int rank = 0; rank < 2; rank++) {
        iol_records *records;
        int count;
        assert_non_null(record_of(log, LM_DXT_POSIX, 1, rank, &records, &count));
        iol_records_close(records);
        assert_non_null(record_of(log, LM_STDIO, 100 + (uint64_t)rank, rank, &records, &count));
        iol_records_close(records);
    }
    iol_log_close(log);
    run_free(r);
}

/* Many, in an order that has nothing to do with that of their start. */
static void a_long_spool(void **state) {
    (void)state;
    enum { MANY = 1000 };
    run *r = run_new();
    for (int i = 0; i < MANY; i++) {
        int number = i * 7 % MANY;
        lm_log *made = image(1000 + number, 0.001 * (number + 1), 2, "worker");
        put_reads(made, 1, number + 1);
        rm_spool(&r->spool, made);
    }
    iol_log *log = run_merged(r);
    assert_int_equal(iol_log_job(log)->processes, MANY);
    iol_records *records;
    const iol_record *record;
    int64_t next = 0;
    assert_int_equal(iol_records_open(log, LM_POSIX, &records), IOL_OK);
    while (iol_records_next(records, &record) == IOL_OK) {
        assert_int_equal(record->rank, next++);
        assert_int_equal(record->ints[IOL_POSIX_READS], next);
    }
    assert_int_equal(next, MANY);
    iol_records_close(records);
    iol_log_close(log);
    run_free(r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_are_processes_in_order_of_start),
        cmocka_unit_test(ends_are_of_the_right_process),
        cmocka_unit_test(processes_without_records_count),
        cmocka_unit_test(a_list_alone_is_a_log),
        cmocka_unit_test(mounts_matter_where_records_are),
        cmocka_unit_test(programs_of_one_process_are_one_rank),
        cmocka_unit_test(heat_maps_of_a_process_are_one),
        cmocka_unit_test(unused_standard_streams_go),
        cmocka_unit_test(folding_is_reported),
        cmocka_unit_test(nothing_counts_twice),
        cmocka_unit_test(files_of_the_living_can_be_left),
        cmocka_unit_test(damage_is_reported_and_the_rest_merged),
        cmocka_unit_test(uncommitted_frames_do_not_count),
        cmocka_unit_test(logs_of_runs_are_joined),
        cmocka_unit_test(ranks_of_mpi_jobs_stay),
        cmocka_unit_test(a_long_spool),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
