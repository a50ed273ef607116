/* The end of a job among forked processes: the log that the ranks write together says what `iolite merge` makes of their
   mapped files; and whatever happens to a rank, the others come to an end, and no record is lost. */
#include "runtime/finalize/finalize.h"

#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "log/merge/merge.h"
#include "record/record.h"
#include "runtime/core/core.h"
#include "runtime/core/files.h"
#include "runtime/core/heatmap.h"
#include "runtime/output/logfile.h"
#include "runtime/posix/operations.h"
#include "runtime/core/store.h"
#include "runtime/core/trace.h"
#include "runtime/mpi/mpi.h"
#include "runtime/mpiio/module.h"
#include "runtime/posix/posix.h"
#include "runtime/stdio/stdio.h"
#include "tests/support/ranks.h"
#include "tests/support/runtime_stubs.h"

/* What a process does otherwise ------------------------------------------------------------------------------------ */

static char trouble[600];

void iol__trouble(const char *text, const char *detail) { snprintf(trouble, sizeof trouble, "%s%s", text, detail); }
void iol__say_place(const char *wanted, int why, const char *found) {
    (void)why;
    snprintf(trouble, sizeof trouble, "%s: %s", wanted, found);
}
const char *iol__mpi_library(void) { return "an MPI of tests"; }
const char *iol__mpi_host(void) { return "host"; }

/* A job ------------------------------------------------------------------------------------------------------------ */

typedef struct job {
    int size, own_files, shared_files, partly_shared; /* files of each rank, of all, and of all but rank 0 */
    bool traced;
    bool apart;     /* each rank has its own time zero */
    bool alone;     /* the ranks do not reach each other: mapped files stay */
    int dies, when; /* a rank that ends at its n-th message, or before it comes (-1) */
    int late;       /* a rank that does not come; -1: none */
    int poor;       /* a rank without memory; -1: none */
    bool away;      /* ranks that write cannot reach the file of rank 0 */
    const char *variables[6];
} job;

static char place[64], log_variable[128];
static uint64_t seed;

static uint64_t draw(uint64_t below) {
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (seed >> 33) % below;
}

/* Times are what clocks give: whole multiples of 2^-28 s. */
static double some_time(void) { return (double)(draw(1 << 30) + 1) * 0x1p-28; }

/* The same four values everywhere, so that merging in whatever order loses none. */
static void fill_tables(const iol__roles *roles, int64_t *ints) {
    for (int t = 0; t < 2; t++) {
        if (roles->common[t].values < 0) continue;
        int64_t count = 1000;
        for (int i = 0; i < 4; i++) {
            ints[roles->common[t].values + i * roles->common[t].width] = 4096 >> i;
            ints[roles->common[t].counts + i] = count -= 1 + (int64_t)draw(200);
        }
    }
}

static void fill_record(int slot, int64_t *ints, double *reals) {
    const iol__module *module = &iol__modules[slot];
    for (unsigned i = 0; i < module->ints; i++) {
        const unsigned reduce = module->counters[i].reduce;
        ints[i] = reduce == IOL_REDUCE_ONE_SIDE ? 7 : (int64_t)draw(1000);
        if (reduce == IOL_REDUCE_OR) ints[i] &= 1;
        if (reduce == IOL_REDUCE_COMMON4 || reduce == IOL_REDUCE_FASTEST || reduce == IOL_REDUCE_SLOWEST) ints[i] = 0;
    }
    for (unsigned i = 0; i < module->reals; i++) {
        const unsigned reduce = module->counters[module->ints + i].reduce;
        const bool set = reduce == IOL_REDUCE_SUM || reduce == IOL_REDUCE_MIN_NZ || reduce == IOL_REDUCE_MAX;
        reals[i] = set && draw(5) ? some_time() : 0;
    }
    if (module->roles->traffic) fill_tables(module->roles, ints);
}

static void use_file(const char *name, bool traced) {
    iol__runtime_module *const modules[] = {&iol__posix_module, &iol__mpiio_module, &iol__stdio_module};
    iol__file *file = iol__file_named(name, strlen(name));
    for (int m = 0; m < 3; m++) {
        iol__state *state = iol__state_of(file, modules[m]);
        assert_non_null(state);
        int64_t *ints = (int64_t *)state->record + 2;
        fill_record(modules[m]->slot, ints, (double *)(void *)(ints + iol__modules[modules[m]->slot].ints));
        iol__trace *trace = traced ? iol__trace_of(state) : NULL;
        for (uint64_t i = draw(20); trace && trace->slot && i > 0; i--)
            iol__trace_add(trace, file->id, draw(2) ? IOL_READ : IOL_WRITE, (int64_t)draw(1 << 20), 100, 0.5, 1.5, 0);
    }
}

static void record(const job *j, int rank) {
    char name[64];
    seed = (uint64_t)rank * 977 + 1;
    for (int i = 0; i < j->own_files; i++) {
        snprintf(name, sizeof name, "/data/own-%d-%d", rank, i);
        use_file(name, j->traced);
    }
    for (int i = 0; i < j->shared_files; i++) {
        snprintf(name, sizeof name, "/data/shared-%d", i);
        use_file(name, j->traced);
    }
    for (int i = 0; rank > 0 && i < j->partly_shared; i++) {
        snprintf(name, sizeof name, "/data/partly-%d", i);
        use_file(name, false);
    }
    if (!iol__store_state.made) return;
    iol__heat_slow(IOL_HEAT_POSIX, true, 1000 + rank, 0.25, 0.5);
    if (rank % 2) iol__heat_slow(IOL_HEAT_STDIO, false, 50, 1, 1.5);
    iol__operation_add(IOL_OPERATION_OPEN, false, 1, 1.25);
    iol__store_facts()->folded[IOL_SLOT_POSIX] = 2;
}

/* A rank that ends in the middle. */
static iol__transport truth;
static int messages_left;

static int last_send(void *self, int to, int tag, const void *message, size_t length) {
    if (messages_left-- == 0) _exit(9);
    return truth.send(self, to, tag, message, length);
}

static void take_memory_away(void) {
    const struct rlimit none = {1 << 20, 1 << 20};
    assert_int_equal(setrlimit(RLIMIT_AS, &none), 0);
}

static void be_rank(const iol__transport *transport, void *context) {
    const job *j = context;
    iol__transport mine = *transport;
    iol__core *core = &iol__core_state;
    const int rank = transport->rank;
    runtime_forked();
    core->pid = getpid();
    core->world = 77;
    core->world_rank = rank;
    core->world_size = transport->size;
    core->zero_s = 1700000000;
    core->zero_ns = j->apart ? 1000000 * ((rank * 7) % 5) : 0;
    runtime_clock(INT64_C(12) << 28);
    record(j, rank);
    if (j->dies == rank) {
        if (j->when < 0) _exit(9);
        truth = *transport;
        messages_left = j->when;
        mine.send = last_send;
    }
    if (j->late == rank) {
        nanosleep(&(struct timespec){1, 0}, NULL);
        _exit(8);
    }
    if (j->poor == rank) take_memory_away();
    if (j->away && rank > 0) assert_int_equal(chdir("/"), 0);
    iol__core_state.phase = IOL_PHASE_OFF;
    iol__finalize(j->alone ? NULL : &mine);
}

/* Settings of the job, and its logs: a directory that must be empty afterwards. */
static void run(job *j, int statuses[RANKS_MOST]) {
    const char *variables[10] = {log_variable};
    for (int i = 0; i < 6 && j->variables[i]; i++) variables[i + 1] = j->variables[i];
    runtime_settings(&iol__core_state.config, NULL, variables);
    ranks_run(j->size, be_rank, j, 60, statuses);
}

static size_t list(const char *folder, const char *ending, char paths[][320]) {
    size_t n = 0;
    DIR *directory = opendir(folder);
    for (const struct dirent *e; directory && (e = readdir(directory)) != NULL;) {
        const size_t length = strlen(e->d_name), end = strlen(ending);
        if (length < end || strcmp(e->d_name + length - end, ending) != 0) continue;
        snprintf(paths[n++], 320, "%s/%s", folder, e->d_name);
    }
    if (directory) closedir(directory);
    return n;
}

static const char *mapped_place(void) { return iol__core_state.config.values[IOL_SET_MMAP_DIR].text; }

static void clear(void) {
    char paths[RANKS_MOST + 4][320];
    static const char *const endings[] = {".mapped", ".darshan", "_partial"};
    for (int i = 0; i < 3; i++) {
        for (size_t n = list(place, endings[i], paths); n > 0; n--) unlink(paths[n - 1]);
        for (size_t n = list(mapped_place(), endings[i], paths); n > 0; n--) unlink(paths[n - 1]);
    }
}

/* What came of it -------------------------------------------------------------------------------------------------- */

static iol_log *open_log(const char *path) {
    iol_log *log = NULL;
    iol_error error = {0};
    if (iol_log_open(path, &log, &error) != IOL_OK) fail_msg("%s", error.message);
    iol_log_name_count(log);
    iol_log_trailer_count(log);
    assert_int_equal(iol_log_error_count(log), 0);
    return log;
}

/* The log that the ranks wrote; they must have left nothing else. */
static iol_log *written(void) {
    char paths[RANKS_MOST + 4][320];
    assert_int_equal(list(mapped_place(), ".mapped", paths), 0);
    assert_int_equal(list(place, "_partial", paths), 0);
    assert_int_equal(list(place, ".darshan", paths), 1);
    return open_log(paths[0]);
}

static iol_log *merged(void) {
    char paths[RANKS_MOST + 4][320], output[128];
    const char *inputs[RANKS_MOST];
    iol_error error = {0};
    const size_t n = list(mapped_place(), ".mapped", paths);
    for (size_t i = 0; i < n; i++) inputs[i] = paths[i];
    snprintf(output, sizeof output, "%s/merged.darshan", place);
    iol__merge merge = {.inputs = inputs, .n_inputs = n, .round_times = true};
    if (iol__merge_logs(&merge, output, &(iol_write_options){0}, &error) != IOL_OK) fail_msg("%s", error.message);
    return open_log(output);
}

static const iol_record *find(iol_log *log, const iol_record *wanted, iol_records **records) {
    const iol_record *r;
    assert_int_equal(iol_records_open(log, wanted->slot, records), IOL_OK);
    while (iol_records_next(*records, &r) == IOL_OK)
        if (r->id == wanted->id && r->rank == wanted->rank && r->header == wanted->header) return r;
    fail_msg("slot %d: no record of %llu, rank %lld", wanted->slot, (unsigned long long)wanted->id,
             (long long)wanted->rank);
    return NULL;
}

static void assert_close(int slot, unsigned counter, double got, double expected, double slack) {
    if (fabs(got - expected) > slack + fabs(expected) * 1e-9)
        fail_msg("%s: %.12g instead of %.12g", iol__modules[slot].counters[counter].name, got, expected);
}

static void compare_counters(const iol_record *a, const iol_record *b, double slack) {
    const iol__module *module = &iol__modules[a->slot];
    for (unsigned i = 0; i < a->n_ints; i++)
        if (a->ints[i] != b->ints[i])
            fail_msg("%s of rank %lld: %lld instead of %lld", module->counters[i].name, (long long)a->rank,
                     (long long)a->ints[i], (long long)b->ints[i]);
    for (unsigned i = 0; i < a->n_reals; i++) {
        const unsigned counter = module->ints + i;
        const bool rounded = module->counters[counter].reduce == IOL_REDUCE_VARIANCE;
        assert_close(a->slot, counter, a->reals[i], b->reals[i], rounded ? 1e-9 : slack);
    }
}

static void compare_heat(const iol_heatmap *a, const iol_heatmap *b) {
    assert_true(a->bin_width == b->bin_width);
    assert_int_equal(a->bins, b->bins);
    assert_memory_equal(a->written, b->written, a->bins * sizeof *a->written);
    assert_memory_equal(a->read, b->read, a->bins * sizeof *a->read);
}

static void compare_traces(iol_records *a, iol_records *b, const iol_record *ours, const iol_record *theirs,
                           double slack) {
    iol_segment x, y;
    size_t got;
    assert_int_equal(ours->trace.writes, theirs->trace.writes);
    assert_int_equal(ours->trace.reads, theirs->trace.reads);
    for (uint64_t i = 0; i < ours->trace.writes + ours->trace.reads; i++) {
        assert_int_equal(iol_records_segments(a, &x, 1, &got), IOL_OK);
        assert_int_equal(iol_records_segments(b, &y, 1, &got), IOL_OK);
        assert_int_equal(x.offset, y.offset);
        assert_close(ours->slot, 0, x.start, y.start, slack);
    }
}

/* Returns how many records of all ranks there are. */
static int compare(iol_log *ours, iol_log *theirs, double slack) {
    int shared = 0;
    for (int slot = 1; slot < IOL_SLOTS_KNOWN; slot++) {
        iol_records *a, *b;
        const iol_record *r, *other;
        int64_t counts[2] = {0, 0};
        for (int which = 0; which < 2; which++) {
            if (iol_records_open(which ? theirs : ours, slot, &a) != IOL_OK) continue;
            while (iol_records_next(a, &r) == IOL_OK) counts[which]++;
            iol_records_close(a);
        }
        assert_int_equal(counts[0], counts[1]);
        if (counts[0] == 0) continue;
        assert_int_equal(iol_records_open(ours, slot, &a), IOL_OK);
        while (iol_records_next(a, &r) == IOL_OK) {
            other = find(theirs, r, &b);
            shared += r->rank < 0;
            if (r->ints) compare_counters(r, other, slack);
            if (slot == IOL_SLOT_HEATMAP) compare_heat(&r->heatmap, &other->heatmap);
            if (iol__modules[slot].form == IOL_FORM_TRACE) compare_traces(a, b, r, other, slack);
            iol_records_close(b);
        }
        iol_records_close(a);
    }
    assert_int_equal(iol_log_name_count(ours), iol_log_name_count(theirs));
    const iol_job *x = iol_log_job(ours), *y = iol_log_job(theirs);
    assert_int_equal(x->processes, y->processes);
    assert_int_equal(x->start_seconds, y->start_seconds);
    assert_int_equal(x->start_nanoseconds, y->start_nanoseconds);
    assert_int_equal(x->end_seconds, y->end_seconds);
    return shared;
}

/* Tests ------------------------------------------------------------------------------------------------------------ */

static const job plain = {.dies = -1, .late = -1, .poor = -1};

static int compare_with_merge(job j, double slack) {
    int statuses[RANKS_MOST];
    run(&j, statuses);
    for (int i = 0; i < j.size; i++) assert_int_equal(statuses[i], 0);
    iol_log *ours = written();
    j.alone = true;
    run(&j, statuses);
    iol_log *theirs = merged();
    const int shared = compare(ours, theirs, slack);
    iol_log_close(ours);
    iol_log_close(theirs);
    clear();
    return shared;
}

static void as_merging_would(void **state) {
    (void)state;
    static const int sizes[] = {2, 3, 5, 8, 17};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        job j = plain;
        j.size = sizes[i];
        j.own_files = 3;
        j.shared_files = 4;
        j.partly_shared = 2;
        assert_int_equal(compare_with_merge(j, 0), 3 * 4); /* in three modules */
        j.shared_files = 0;
        assert_int_equal(compare_with_merge(j, 0), 0);
        j.own_files = j.partly_shared = 0;
        j.shared_files = 1;
        assert_int_equal(compare_with_merge(j, 0), 3);
    }
}

static void with_traces(void **state) {
    (void)state;
    job j = plain;
    j.size = 5;
    j.own_files = j.shared_files = 2;
    j.traced = true;
    j.variables[0] = "IOLITE_TRACE=1";
    assert_int_equal(compare_with_merge(j, 0), 6);
}

/* Merging moves times by fractions of a second, we by steps of the clock. */
static void from_the_earliest_start(void **state) {
    (void)state;
    job j = plain;
    j.size = 5;
    j.own_files = j.shared_files = 2;
    j.apart = true;
    assert_int_equal(compare_with_merge(j, 4e-9), 6);
}

static void with_several_writers(void **state) {
    (void)state;
    static const char *const writers[] = {"IOLITE_AGGREGATORS=2", "IOLITE_AGGREGATORS=4", "IOLITE_AGGREGATORS=99"};
    for (int i = 0; i < 3; i++) {
        job j = plain;
        j.size = i == 0 ? 5 : 8;
        j.own_files = 40;
        j.shared_files = 3;
        j.partly_shared = 2;
        j.variables[0] = writers[i];
        assert_int_equal(compare_with_merge(j, 0), 9);
    }
}

/* Those who cannot open what rank 0 opened send it what they have. */
static void writers_that_are_elsewhere(void **state) {
    (void)state;
    char before[4096];
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(place), 0);
    job j = plain;
    int statuses[RANKS_MOST];
    j.size = 6;
    j.own_files = 5;
    j.shared_files = 2;
    j.away = true;
    j.variables[0] = "IOLITE_AGGREGATORS=4";
    j.variables[1] = "IOLITE_LOG_FILE=here.darshan";
    run(&j, statuses);
    iol_log *log = written();
    iol_records *records;
    const iol_record *r;
    int count = 0;
    assert_int_equal(iol_records_open(log, IOL_SLOT_POSIX, &records), IOL_OK);
    while (iol_records_next(records, &r) == IOL_OK) count++;
    assert_int_equal(count, 6 * 5 + 2);
    iol_records_close(records);
    assert_int_equal(iol_log_error_count(log), 0);
    iol_log_close(log);
    clear();
    assert_int_equal(chdir(before), 0);
}

/* One rank: its records are those of all ranks, with what belongs to them. */
static void a_job_of_one(void **state) {
    (void)state;
    job j = plain;
    int statuses[RANKS_MOST];
    j.size = 1;
    j.own_files = 2;
    run(&j, statuses);
    iol_log *log = written();
    iol_records *records;
    const iol_record *r;
    assert_int_equal(iol_records_open(log, IOL_SLOT_POSIX, &records), IOL_OK);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(iol_records_next(records, &r), IOL_OK);
        assert_int_equal(r->rank, -1);
        assert_int_equal(r->ints[IOL_POSIX_FASTEST_RANK], 0);
        assert_int_equal(r->ints[IOL_POSIX_SLOWEST_RANK_BYTES],
                         r->ints[IOL_POSIX_BYTES_READ] + r->ints[IOL_POSIX_BYTES_WRITTEN]);
    }
    assert_int_equal(iol_records_next(records, &r), IOL_END);
    iol_records_close(records);
    assert_int_equal(iol_log_job(log)->processes, 1);
    iol_log_close(log);
    clear();
}

static void without_reduction(void **state) {
    (void)state;
    job j = plain;
    int statuses[RANKS_MOST];
    j.size = 4;
    j.shared_files = 2;
    j.variables[0] = "DARSHAN_DISABLE_SHARED_REDUCTION=1";
    run(&j, statuses);
    iol_log *log = written();
    iol_records *records;
    const iol_record *r;
    int64_t sum = 0, count = 0;
    assert_int_equal(iol_records_open(log, IOL_SLOT_MPIIO, &records), IOL_OK);
    for (; iol_records_next(records, &r) == IOL_OK; count++) sum += r->rank;
    assert_int_equal(count, 8);
    assert_int_equal(sum, 2 * (0 + 1 + 2 + 3));
    iol_records_close(records);
    assert_int_equal(iol_log_name_count(log), 2 + 2); /* and two heat maps */
    iol_log_close(log);
    clear();
}

/* Nothing was recorded: nobody waits for anything, and there is no log. */
static void without_records(void **state) {
    (void)state;
    job j = plain;
    int statuses[RANKS_MOST];
    char paths[RANKS_MOST][320];
    j.size = 3;
    run(&j, statuses);
    for (int i = 0; i < j.size; i++) assert_int_equal(statuses[i], 0);
    assert_int_equal(list(place, ".darshan", paths), 0);
    clear();
}

/* Either there is a sound log, or every rank's file is there. */
static void assert_nothing_lost(const job *j) {
    char paths[RANKS_MOST + 4][320];
    if (list(place, ".darshan", paths) == 1) {
        iol_log *log = open_log(paths[0]);
        assert_int_equal(iol_log_job(log)->processes, j->size);
        iol_log_close(log);
    } else {
        assert_int_equal(list(mapped_place(), ".mapped", paths), (size_t)j->size);
        for (int i = 0; i < j->size; i++) iol_log_close(open_log(paths[i]));
    }
    clear();
}

static void a_rank_dies(void **state) {
    (void)state;
    for (int writers = 0; writers < 2; writers++)
        for (int rank = 0; rank < 6; rank++)
            for (int when = -1; when < 7; when++) {
                job j = plain;
                int statuses[RANKS_MOST];
                j.size = 6;
                j.own_files = j.shared_files = 2;
                j.dies = rank;
                j.when = when;
                j.variables[0] = "IOLITE_FINALIZE_TIMEOUT=10"; /* nobody has to wait that long */
                if (writers) j.variables[1] = "IOLITE_AGGREGATORS=3";
                run(&j, statuses);
                for (int i = 0; i < j.size; i++) assert_true(statuses[i] == 0 || (i == rank && statuses[i] == 9));
                assert_nothing_lost(&j);
            }
}

static void a_rank_never_comes(void **state) {
    (void)state;
    for (int rank = 0; rank < 5; rank++) {
        job j = plain;
        int statuses[RANKS_MOST];
        j.size = 5;
        j.own_files = 2;
        j.late = rank;
        j.variables[0] = "IOLITE_FINALIZE_TIMEOUT=0.2";
        run(&j, statuses);
        for (int i = 0; i < j.size; i++) assert_int_equal(statuses[i], i == rank ? 8 : 0);
        assert_nothing_lost(&j);
    }
}

/* A rank at the end of a branch has nothing to say then, and the log says so; one that others speak through cannot pass
   them on. */
static void a_rank_has_no_memory(void **state) {
    (void)state;
    for (int rank = 0; rank < 8; rank++) {
        job j = plain;
        int statuses[RANKS_MOST];
        char paths[RANKS_MOST + 4][320];
        j.size = 8;
        j.own_files = 2;
        j.shared_files = 1;
        j.poor = rank;
        run(&j, statuses);
        for (int i = 0; i < j.size; i++) assert_int_equal(statuses[i], 0);
        if (rank % 4 == 0) {
            assert_int_equal(list(place, ".darshan", paths), 0);
            assert_nothing_lost(&j);
            continue;
        }
        assert_int_equal(list(place, ".darshan", paths), 1);
        iol_log *log = open_log(paths[0]);
        iol_module module;
        assert_int_equal(iol_log_module(log, IOL_SLOT_POSIX, &module), IOL_OK);
        assert_true(module.partial);
        iol_log_close(log);
        clear();
    }
}

static void no_place_for_the_log(void **state) {
    (void)state;
    for (int writers = 0; writers < 2; writers++) {
        job j = plain;
        int statuses[RANKS_MOST];
        j.size = 5;
        j.own_files = 2;
        j.variables[0] = "IOLITE_LOG_DIR=/proc/nowhere";
        if (writers) j.variables[1] = "IOLITE_AGGREGATORS=4";
        run(&j, statuses);
        for (int i = 0; i < j.size; i++) assert_int_equal(statuses[i], 0);
        assert_nothing_lost(&j);
    }
}

static int begin(void **state) {
    (void)state;
    static const char *const settings[] = {"IOLITE_TRACE=1", NULL};
    const char *top = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"; /* many files, and large ones */
    setenv("TMPDIR", top, 1);
    snprintf(place, sizeof place, "%s/iolite-ranks-XXXXXX", top);
    if (!mkdtemp(place)) return 1;
    snprintf(log_variable, sizeof log_variable, "IOLITE_LOG_DIR=%s", place);
    runtime_start(NULL, settings);
    return 0;
}

static int end(void **state) {
    (void)state;
    runtime_stop();
    return rmdir(place);
}

/* What a test that failed left behind is not the next one's. */
static int tidy(void **state) {
    (void)state;
    clear();
    return 0;
}

#define TEST(name) cmocka_unit_test_teardown(name, tidy)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(as_merging_would),
        TEST(with_traces),
        TEST(from_the_earliest_start),
        TEST(with_several_writers),
        TEST(writers_that_are_elsewhere),
        TEST(a_job_of_one),
        TEST(without_reduction),
        TEST(without_records),
        TEST(a_rank_dies),
        TEST(a_rank_never_comes),
        TEST(a_rank_has_no_memory),
        TEST(no_place_for_the_log),
    };
    return cmocka_run_group_tests_name("finalize", tests, begin, end);
}
