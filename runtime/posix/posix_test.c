/* Counters of the POSIX module against a second implementation, written down from the rules with no short cuts: random
   calls on a few files, every counter compared. Time stands still but for the test's hand, so that sums are exact. */
#include "runtime/posix/posix.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "runtime/core/files.h"
#include "runtime/core/store.h"
#include "tests/support/runtime_stubs.h"

/* Block sizes: powers of two and others; -1 on no mount. A file's name ends in the digit of its own. */
static const int64_t blocks[] = {4096, 1 << 20, 1000, 3, -1, 1};
enum { FILES = sizeof blocks / sizeof *blocks, DESCRIPTORS = 12, FIRST_FD = 100 };

int32_t __wrap_iol__mount_of(const char *path, size_t length);
int64_t __wrap_iol__mount_block(int32_t mount);
int32_t __wrap_iol__mount_of(const char *path, size_t length) { return path[length - 1] - '0'; }
int64_t __wrap_iol__mount_block(int32_t mount) { return mount >= 0 && mount < FILES ? blocks[mount] : 4096; }

/* The rules -------------------------------------------------------------------------------------------------------- */

typedef struct common {
    int known;
    int64_t value[32], count[32];
} common;

typedef struct model {
    int64_t ints[IOL_POSIX_INTS];
    double reals[IOL_POSIX_REALS];
    int64_t last_byte[2];
    double last[3];
    int direction; /* of the last transfer, or -1 */
    common sizes, strides;
    bool used;
    int64_t end; /* of the file */
} model;

typedef struct description {
    int file; /* -1: closed */
    int64_t offset;
    bool append;
    int links;
} description;

static model files[FILES];
static bool known[FILES]; /* from before a fork, too */
static description descriptions[DESCRIPTORS];
static int meaning[DESCRIPTORS]; /* of a descriptor: its description, or -1 */

static bool ranks_above(int64_t value, int64_t count, int64_t other, int64_t others) {
    return count > others || (count == others && value > other);
}

static void model_slots(int64_t *values, int64_t *counts, int64_t value, int64_t count) {
    int64_t new_values[8] = {0}, new_counts[8] = {0};
    int n = 0, at = 0;
    if (value == 0) return;
    while (at < 4 && ranks_above(values[at], counts[at], value, count)) {
        new_values[n] = values[at];
        new_counts[n++] = counts[at++];
    }
    if (n == 4) return;
    new_values[n] = value;
    new_counts[n++] = count;
    for (; at < 4; at++)
        if (values[at] != value) {
            new_values[n] = values[at];
            new_counts[n++] = counts[at];
        }
    memcpy(values, new_values, 4 * sizeof *values);
    memcpy(counts, new_counts, 4 * sizeof *counts);
}

static void model_common(common *table, int64_t *slots, int64_t value) {
    int i = 0;
    while (i < table->known && table->value[i] != value) i++;
    if (i == 32) return;
    if (i == table->known) {
        table->value[i] = value;
        table->count[i] = 0;
        table->known++;
    }
    model_slots(slots, slots + 4, value, ++table->count[i]);
}

static void model_time(model *m, int class, double begin, double end) {
    static const int totals[] = {IOL_POSIX_F_READ_TIME, IOL_POSIX_F_WRITE_TIME, IOL_POSIX_F_META_TIME};
    const double more = begin > m->last[class] ? end - begin : end - m->last[class];
    if (more > 0) m->reals[totals[class]] += more;
    if (end > m->last[class]) m->last[class] = end;
}

static void model_stamps(model *m, int first, int last, double begin, double end) {
    if (m->reals[first] == 0 || m->reals[first] > begin) m->reals[first] = begin;
    m->reals[last] = end;
}

static int model_bucket(int64_t size) {
    return size <= 100          ? 0
           : size <= 1024       ? 1
           : size <= 10240      ? 2
           : size <= 102400     ? 3
           : size <= 1048576    ? 4
           : size <= 4194304    ? 5
           : size <= 10485760   ? 6
           : size <= 104857600  ? 7
           : size <= 1073741824 ? 8
                                : 9;
}

static void model_transfer(model *m, bool write, int64_t off, int64_t n, bool unaligned, double begin, double end) {
    int64_t *ints = m->ints, *last = &m->last_byte[write], stride = 0;
    if (off > *last) ints[write ? IOL_POSIX_SEQ_WRITES : IOL_POSIX_SEQ_READS]++;
    if (off == *last + 1) ints[write ? IOL_POSIX_CONSEC_WRITES : IOL_POSIX_CONSEC_READS]++;
    if (off > 0 && off > *last && *last != 0) stride = off - *last - 1;
    *last = off + n - 1;
    int64_t *most = &ints[write ? IOL_POSIX_MAX_BYTE_WRITTEN : IOL_POSIX_MAX_BYTE_READ];
    if (*most < off + n - 1) *most = off + n - 1;
    ints[write ? IOL_POSIX_BYTES_WRITTEN : IOL_POSIX_BYTES_READ] += n;
    ints[write ? IOL_POSIX_WRITES : IOL_POSIX_READS]++;
    ints[(write ? IOL_POSIX_SIZE_WRITE_0_100 : IOL_POSIX_SIZE_READ_0_100) + model_bucket(n)]++;
    model_common(&m->sizes, ints + IOL_POSIX_ACCESS1_ACCESS, n);
    model_common(&m->strides, ints + IOL_POSIX_STRIDE1_STRIDE, stride);
    if (unaligned) ints[IOL_POSIX_MEM_NOT_ALIGNED]++;
    const int64_t block = ints[IOL_POSIX_FILE_ALIGNMENT];
    if (block > 0 && off % block != 0) ints[IOL_POSIX_FILE_NOT_ALIGNED]++;
    if (m->direction >= 0 && m->direction != write) ints[IOL_POSIX_RW_SWITCHES]++;
    m->direction = write;
    model_stamps(m, write ? IOL_POSIX_F_WRITE_START_TIMESTAMP : IOL_POSIX_F_READ_START_TIMESTAMP,
                 write ? IOL_POSIX_F_WRITE_END_TIMESTAMP : IOL_POSIX_F_READ_END_TIMESTAMP, begin, end);
    double *longest = &m->reals[write ? IOL_POSIX_F_MAX_WRITE_TIME : IOL_POSIX_F_MAX_READ_TIME];
    if (end - begin > *longest) {
        *longest = end - begin;
        ints[write ? IOL_POSIX_MAX_WRITE_TIME_SIZE : IOL_POSIX_MAX_READ_TIME_SIZE] = n;
    }
    model_time(m, write ? 1 : 0, begin, end);
}

static model *model_of(int file) {
    model *m = &files[file];
    known[file] = true;
    if (!m->used) {
        *m = (model){.used = true, .direction = -1};
        m->ints[IOL_POSIX_MEM_ALIGNMENT] = 8;
        m->ints[IOL_POSIX_FILE_ALIGNMENT] = blocks[file];
    }
    return m;
}

static void model_open(model *m, double begin, double end) {
    m->ints[IOL_POSIX_OPENS]++;
    model_stamps(m, IOL_POSIX_F_OPEN_START_TIMESTAMP, IOL_POSIX_F_OPEN_END_TIMESTAMP, begin, end);
    model_time(m, 2, begin, end);
}

/* Calls, on both sides --------------------------------------------------------------------------------------------- */

static int64_t now_grains;
static double call_begin, call_end;

static double time_of(int64_t grains) { return (double)grains * IOL_GRAIN; }

/* Usually after the last call; some overlap with it, some are recorded late and lie wholly before it. */
static void next_call(void) {
    now_grains += (int64_t)runtime_random(3000000);
    int64_t end = now_grains - (runtime_random(10) ? 0 : (int64_t)runtime_random(9000000));
    if (end < 2) end = 2;
    int64_t begin = end - (int64_t)runtime_random(runtime_random(5) ? 3000 : 12000000);
    if (begin < 1) begin = 1;
    runtime_clock(end);
    call_begin = time_of(begin);
    call_end = time_of(end);
}

static const char *name_of(int file) {
    static char name[40];
    snprintf(name, sizeof name, "/data/file%d", file);
    return name;
}

static int free_number(const int *numbers) {
    for (int i = 0; i < DESCRIPTORS; i++)
        if (numbers[i] < 0) return i;
    return -1;
}

static int free_description(void) {
    for (int i = 0; i < DESCRIPTORS; i++)
        if (descriptions[i].links == 0) return i;
    return -1;
}

static void do_open(void) {
    const int fd = free_number(meaning), file = (int)runtime_random(FILES);
    if (fd < 0) return;
    const bool append = runtime_random(4) == 0;
    const mode_t mode = runtime_random(2) ? (mode_t)runtime_random(0777) : 0;
    iol__posix_opened(FIRST_FD + fd, AT_FDCWD, name_of(file), O_RDWR | O_CREAT | O_TRUNC | (append ? O_APPEND : 0),
                      mode, call_begin);
    model *m = model_of(file);
    model_open(m, call_begin, call_end);
    if (mode) m->ints[IOL_POSIX_MODE] = mode;
    m->last_byte[0] = m->last_byte[1] = 0;
    m->end = 0; /* it was cut */
    meaning[fd] = free_description();
    descriptions[meaning[fd]] = (description){.file = file, .append = append, .links = 1};
}

/* A file that a forked child has only inherited has no record there, and closing it makes none. */
static void do_close(int fd) {
    model *m = &files[descriptions[meaning[fd]].file];
    iol__state *its = iol__posix_closing(FIRST_FD + fd);
    descriptions[meaning[fd]].links--;
    meaning[fd] = -1;
    assert_int_equal(its != NULL, m->used);
    if (!its) return;
    iol__posix_closed(its, false, call_begin);
    model_stamps(m, IOL_POSIX_F_CLOSE_START_TIMESTAMP, IOL_POSIX_F_CLOSE_END_TIMESTAMP, call_begin, call_end);
    m->last_byte[0] = m->last_byte[1] = 0;
    model_time(m, 2, call_begin, call_end);
}

static void do_dup(int old, model *m) {
    const int fd = free_number(meaning);
    if (fd < 0) return;
    iol__posix_duplicated(FIRST_FD + fd, FIRST_FD + old, IOL_POSIX_DUPS, call_begin);
    model_open(m, call_begin, call_end);
    m->ints[IOL_POSIX_DUPS]++;
    meaning[fd] = meaning[old];
    descriptions[meaning[fd]].links++;
}

static int64_t some_size(void) {
    static const int64_t sizes[] = {0, 1, 8, 100, 101, 1024, 1025, 4096, 10240, 102400, 1 << 20, 5 << 20, 1 << 30};
    if (runtime_random(3)) return sizes[runtime_random(sizeof sizes / sizeof *sizes)];
    return (int64_t)runtime_random(runtime_random(2) ? 40 : 3000000);
}

static int64_t some_offset(const model *m, bool write) {
    switch (runtime_random(4)) {
    case 0: return m->last_byte[write] + 1;
    case 1: return m->last_byte[write] + 1 + 4096 * (int64_t)runtime_random(4);
    case 2: return 1000 * (int64_t)runtime_random(50);
    default: return (int64_t)runtime_random(100000);
    }
}

static void do_transfer(int fd, model *m) {
    iol__opened *of = iol__descriptor(FIRST_FD + fd);
    description *d = &descriptions[meaning[fd]];
    assert_non_null(of);
    const bool write = runtime_random(2), here = runtime_random(2), unaligned = runtime_random(2);
    const int64_t size = some_size(), given = some_offset(m, write);
    (write ? iol__posix_write : iol__posix_read)(of, FIRST_FD + fd, here ? IOL_HERE : given, size, unaligned,
                                                 call_begin);
    int64_t offset = given;
    if (here) {
        offset = write && d->append ? m->end : d->offset;
        d->offset = offset + size;
    }
    if (write && offset + size > m->end) m->end = offset + size;
    model_transfer(m, write, offset, size, unaligned, call_begin, call_end);
}

static void do_count(int fd, model *m) {
    static const int counters[] = {IOL_POSIX_FSYNCS, IOL_POSIX_FDSYNCS, IOL_POSIX_STATS};
    const int which = (int)runtime_random(3), class = which < 2 ? 1 : 2;
    iol__posix_count(iol__descriptor(FIRST_FD + fd), counters[which], class == 1 ? IOL_WRITE : IOL_META,
                     IOL_OPERATION_SYNC, false, call_begin);
    m->ints[counters[which]]++;
    model_time(m, class, call_begin, call_end);
}

static void do_seek(int fd, model *m) {
    const int64_t offset = (int64_t)runtime_random(100000);
    iol__posix_sought(iol__descriptor(FIRST_FD + fd), offset, call_begin);
    m->ints[IOL_POSIX_SEEKS]++;
    model_time(m, 2, call_begin, call_end);
    descriptions[meaning[fd]].offset = offset;
}

static void do_rename(void) {
    const int from = (int)runtime_random(FILES), to = (int)runtime_random(FILES);
    char name[40];
    snprintf(name, sizeof name, "%s", name_of(from));
    iol__posix_renamed(AT_FDCWD, name, AT_FDCWD, name_of(to), call_begin);
    if (!known[from]) return;
    model *m = model_of(from), *target = model_of(to);
    m->ints[IOL_POSIX_RENAME_SOURCES]++;
    model_time(m, 2, call_begin, call_end);
    target->ints[IOL_POSIX_RENAME_TARGETS]++;
    if (target->ints[IOL_POSIX_RENAMED_FROM] == 0)
        target->ints[IOL_POSIX_RENAMED_FROM] = (int64_t)iol_name_id(name, strlen(name));
}

static void do_something(void) {
    next_call();
    const uint64_t what = runtime_random(40);
    const int fd = (int)runtime_random(DESCRIPTORS);
    if (what < 3) {
        do_open();
    } else if (what == 3) {
        do_rename();
    } else if (meaning[fd] >= 0 && what < 6) {
        do_close(fd);
    } else if (meaning[fd] >= 0) {
        model *m = model_of(descriptions[meaning[fd]].file);
        (what == 6 ? do_dup : what < 10 ? do_count : what < 13 ? do_seek : do_transfer)(fd, m);
    }
}

/* Tests ------------------------------------------------------------------------------------------------------------ */

static void assert_counters(const opened *o, int file) {
    iol_records *records;
    const iol_record *record = runtime_record(o, IOL_SLOT_POSIX, name_of(file), &records);
    for (int i = 0; i < IOL_POSIX_INTS + IOL_POSIX_REALS; i++) {
        iol_value value;
        iol_counter counter;
        const bool real = i >= IOL_POSIX_INTS;
        assert_int_equal(iol_record_counter(record, (size_t)i, &value), IOL_OK);
        assert_int_equal(iol_counter_at(IOL_SLOT_POSIX, (size_t)i, &counter), IOL_OK);
        const double is = real ? value.as.d : (double)value.as.i,
                     should = real ? files[file].reals[i - IOL_POSIX_INTS] : (double)files[file].ints[i];
        if (is != should) fail_msg("%s of file %d is %.17g, not %.17g", counter.name, file, is, should);
    }
    iol_records_close(records);
}

static void random_calls_count_as_the_rules_say(void **state) {
    (void)state;
    for (int round = 0; round < 30; round++) {
        for (int i = 0; i < 1500; i++) do_something();
        opened o = runtime_log();
        for (int i = 0; i < FILES; i++)
            if (files[i].used) assert_counters(&o, i);
        opened_close(&o);
        for (int i = 0; i < FILES; i++) files[i].used = false;
        runtime_reset(); /* as in a forked child: the descriptors stay, with their positions, records begin again */
    }
}

static iol__opened *open_file(const char *path, int flags) {
    iol__posix_opened(FIRST_FD, AT_FDCWD, path, flags, 0, time_of(1));
    return iol__descriptor(FIRST_FD);
}

static const int64_t *ints_of(const iol__opened *of) { return (const int64_t *)of->posix->record + 2; }

/* The worked example of the documentation of the counters. */
static void the_worked_example(void **state) {
    (void)state;
    runtime_clock(10);
    iol__opened *o = open_file("/data/file0", O_RDWR | O_CREAT);
    static const int64_t first[] = {1, 1, 10}, far[] = {1000, 2000, 3000, 500}, reads[] = {12, 0, 0};
    for (int i = 0; i < 3; i++) iol__posix_write(o, FIRST_FD, IOL_HERE, first[i], false, time_of(5));
    iol__posix_sought(o, 0, time_of(5));
    for (int i = 0; i < 3; i++) iol__posix_read(o, FIRST_FD, IOL_HERE, reads[i], false, time_of(5));
    for (int i = 0; i < 4; i++) iol__posix_write(o, FIRST_FD, far[i], 100, false, time_of(5));
    iol__posix_write(o, FIRST_FD, IOL_HERE, 30, false, time_of(5));
    iol__posix_read(o, FIRST_FD, 0, 30, false, time_of(5));
    static const struct {
        int counter;
        int64_t value;
    } expected[] = {
        {IOL_POSIX_READS, 4},
        {IOL_POSIX_WRITES, 8},
        {IOL_POSIX_BYTES_READ, 42},
        {IOL_POSIX_BYTES_WRITTEN, 442},
        {IOL_POSIX_MAX_BYTE_READ, 29},
        {IOL_POSIX_MAX_BYTE_WRITTEN, 3099},
        {IOL_POSIX_SEQ_READS, 2},
        {IOL_POSIX_CONSEC_READS, 2},
        {IOL_POSIX_SEQ_WRITES, 5},
        {IOL_POSIX_CONSEC_WRITES, 2},
        {IOL_POSIX_RW_SWITCHES, 3},
        {IOL_POSIX_FILE_NOT_ALIGNED, 9},
        {IOL_POSIX_STRIDE1_STRIDE, 900},
        {IOL_POSIX_STRIDE1_COUNT, 2},
        {IOL_POSIX_STRIDE1_STRIDE + 1, 988},
        {IOL_POSIX_STRIDE1_COUNT + 1, 1},
        {IOL_POSIX_ACCESS1_ACCESS, 100},
        {IOL_POSIX_ACCESS1_COUNT, 4},
        {IOL_POSIX_ACCESS1_ACCESS + 1, 30},
        {IOL_POSIX_ACCESS1_COUNT + 1, 2},
        {IOL_POSIX_ACCESS1_ACCESS + 2, 1},
        {IOL_POSIX_ACCESS1_COUNT + 2, 2},
        {IOL_POSIX_ACCESS1_ACCESS + 3, 12},
        {IOL_POSIX_ACCESS1_COUNT + 3, 1},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        assert_int_equal(ints_of(o)[expected[i].counter], expected[i].value);
}

static void sizes_at_the_boundaries_of_buckets(void **state) {
    (void)state;
    static const int64_t last[] = {100, 1024, 10240, 102400, 1048576, 4194304, 10485760, 104857600, 1073741824};
    runtime_clock(10);
    iol__opened *o = open_file("/data/file0", O_RDWR);
    const int64_t *ints = ints_of(o);
    for (int i = 0; i < 9; i++) {
        iol__posix_read(o, FIRST_FD, 0, last[i], false, time_of(5));
        assert_int_equal(ints[IOL_POSIX_SIZE_READ_0_100 + i], i == 0 ? 1 : 2);
        iol__posix_read(o, FIRST_FD, 0, last[i] + 1, false, time_of(5));
        assert_int_equal(ints[IOL_POSIX_SIZE_READ_0_100 + i + 1], 1);
    }
    assert_int_equal(ints[IOL_POSIX_SIZE_WRITE_0_100], 0);
}

/* The 33rd value is never counted, however often it comes; the 32 others go on. */
static void values_beyond_the_32nd_are_ignored(void **state) {
    (void)state;
    runtime_clock(10);
    iol__opened *o = open_file("/data/file0", O_RDWR);
    for (int64_t size = 1; size <= 40; size++) iol__posix_write(o, FIRST_FD, 0, size, false, time_of(5));
    for (int i = 0; i < 50; i++) iol__posix_write(o, FIRST_FD, 0, 33, false, time_of(5));
    iol__posix_write(o, FIRST_FD, 0, 5, false, time_of(5));
    const int64_t *values = ints_of(o) + IOL_POSIX_ACCESS1_ACCESS, *counts = values + 4;
    static const int64_t expected[] = {5, 32, 31, 30};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(values[i], expected[i]);
        assert_int_equal(counts[i], i == 0 ? 2 : 1);
    }
}

static void memory_is_compared_with_the_alignment_set(void **state) {
    (void)state;
    static const struct {
        const char *variable;
        uintptr_t alignment;
    } cases[] = {{"IOLITE_MEM_ALIGNMENT=4096", 4096}, {"IOLITE_MEM_ALIGNMENT=24", 24}, {"IOLITE_MEM_ALIGNMENT=1", 1}};
    static iol__config saved;
    saved = iol__core_state.config;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        runtime_settings(&iol__core_state.config, NULL, (const char *const[]){cases[i].variable, NULL});
        iol__posix_module.start();
        for (uintptr_t at = 0; at < 20000; at++)
            assert_int_equal(iol__posix_unaligned((const void *)at), at % cases[i].alignment != 0);
        struct iovec vector[3] = {{.iov_base = (void *)(7 * cases[i].alignment)}};
        assert_false(iol__posix_vector_unaligned(vector, 3));
        vector[2].iov_base = (void *)(7 * cases[i].alignment + 1);
        assert_int_equal(iol__posix_vector_unaligned(vector, 3), cases[i].alignment != 1);
        assert_false(iol__posix_vector_unaligned(vector, 2));
    }
    iol__core_state.config = saved;
    iol__posix_module.start();
    for (uintptr_t at = 0; at < 100; at++) assert_int_equal(iol__posix_unaligned((const void *)at), at % 8 != 0);
}

static void apply_late(iol__opened *o, int64_t offset) { iol__posix_write(o, FIRST_FD, offset, 10, false, time_of(5)); }

/* A signal handler writes to the file while its own thread is at the record. */
static void what_a_signal_handler_does_is_counted_afterwards(void **state) {
    (void)state;
    runtime_clock(10);
    iol__opened *o = open_file("/data/file0", O_RDWR);
    assert_true(iol__guard_enter(&o->posix->guard));
    apply_late(o, 0);
    apply_late(o, 10);
    iol__posix_count(o, IOL_POSIX_FSYNCS, IOL_WRITE, IOL_OPERATION_SYNC, false, time_of(5));
    assert_int_equal(ints_of(o)[IOL_POSIX_WRITES], 0);
    iol__guard_leave(&o->posix->guard);
    assert_int_equal(ints_of(o)[IOL_POSIX_WRITES], 2);
    assert_int_equal(ints_of(o)[IOL_POSIX_BYTES_WRITTEN], 20);
    assert_int_equal(ints_of(o)[IOL_POSIX_FSYNCS], 1);
    assert_int_equal(iol__core_state.lost, 0);
}

static sigjmp_buf back;
static void (*real_begin)(iol__state *state, void *record);

static void jump_out(int number) {
    (void)number;
    siglongjmp(back, 1);
}

static void begin_and_raise(iol__state *state, void *record) {
    real_begin(state, record);
    raise(SIGUSR1);
}

enum { OPENED = 3 };

static void open_in_handler(int number) {
    (void)number;
    char path[] = "/data/late0";
    for (int i = 0; i < OPENED; i++) {
        path[sizeof path - 2] = (char)('0' + i);
        iol__posix_opened(FIRST_FD + i, AT_FDCWD, path, O_WRONLY, 0, time_of(5));
    }
}

/* A handler opened files inside the lock of the files; while they are recorded, another handler leaves by longjmp. */
static void opens_of_a_handler_are_recorded_undisturbed(void **state) {
    (void)state;
    assert_int_equal(sigaction(SIGUSR1, &(struct sigaction){.sa_handler = jump_out}, NULL), 0);
    assert_int_equal(sigaction(SIGUSR2, &(struct sigaction){.sa_handler = open_in_handler}, NULL), 0);
    assert_true(iol__files_enter());
    assert_int_equal(raise(SIGUSR2), 0);
    real_begin = iol__posix_module.begin;
    iol__posix_module.begin = begin_and_raise;
    if (sigsetjmp(back, 1) == 0) iol__files_leave();
    iol__posix_module.begin = real_begin;
    signal(SIGUSR1, SIG_DFL);
    signal(SIGUSR2, SIG_DFL);
    for (int i = 0; i < OPENED; i++) {
        const iol__opened *o = iol__descriptor(FIRST_FD + i);
        assert_non_null(o);
        assert_int_equal(ints_of(o)[IOL_POSIX_OPENS], 1);
    }
}

/* Times of one class, against the rule; the classes do not know each other. */
static void overlapping_times_count_once(void **state) {
    (void)state;
    double last = 0, total = 0, rule_last = 0, rule_total = 0;
    for (int i = 0; i < 100000; i++) {
        const double begin = time_of(1 + (int64_t)runtime_random(1 << 20) + i * 100),
                     end = begin + time_of((int64_t)runtime_random(1 << 18));
        iol__add_time(&last, &total, begin, end);
        const double more = begin > rule_last ? end - begin : end - rule_last;
        rule_total += more > 0 ? more : 0;
        if (end > rule_last) rule_last = end;
        assert_true(last == rule_last && total == rule_total);
    }
    assert_true(total <= last);
}

static void stamps_are_the_first_start_and_the_latest_end(void **state) {
    (void)state;
    double start = 0, finish = 0, first = 0;
    for (int i = 0; i < 1000; i++) {
        const double begin = time_of(1 + (int64_t)runtime_random(1 << 30)), end = begin + time_of(5);
        iol__stamp(&start, &finish, begin, end);
        if (first == 0 || first > begin) first = begin;
        assert_true(start == first && finish == end);
    }
}

static int start(void **state) {
    (void)state;
    runtime_start(NULL, NULL);
    for (int i = 0; i < DESCRIPTORS; i++) meaning[i] = -1;
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(random_calls_count_as_the_rules_say, reset_runtime),
        cmocka_unit_test_setup(the_worked_example, reset_runtime),
        cmocka_unit_test_setup(sizes_at_the_boundaries_of_buckets, reset_runtime),
        cmocka_unit_test_setup(values_beyond_the_32nd_are_ignored, reset_runtime),
        cmocka_unit_test_setup(memory_is_compared_with_the_alignment_set, reset_runtime),
        cmocka_unit_test_setup(what_a_signal_handler_does_is_counted_afterwards, reset_runtime),
        cmocka_unit_test(overlapping_times_count_once),
        cmocka_unit_test_setup(opens_of_a_handler_are_recorded_undisturbed, reset_runtime),
        cmocka_unit_test(stamps_are_the_first_start_and_the_latest_end),
    };
    return cmocka_run_group_tests(tests, start, stop_runtime);
}
