/* Names and records of files: how names are cleaned, against a second implementation that replaces until nothing is
   left to replace; what happens when memory is used up, with totals that must be exact; and what a forked child begins
   with. */
#include "runtime/core/files.h"

#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

#include "runtime/core/store.h"
#include "runtime/posix/posix.h"
#include "runtime/stdio/stdio.h"
#include "tests/support/runtime_stubs.h"

enum { FD = 200, ROOM = 4096 };

/* Names ------------------------------------------------------------------------------------------------------------ */

static bool replace_once(char *text, const char *what) {
    char *at = strstr(text, what);
    if (!at) return false;
    memmove(at + 1, at + strlen(what), strlen(at + strlen(what)) + 1);
    return true;
}

static void model_clean(char to[ROOM], const char *below, const char *path) {
    if (*path == '/')
        snprintf(to, ROOM, "%s", path);
    else
        snprintf(to, ROOM, "%s/%s", below, path);
    while (replace_once(to, "//") || replace_once(to, "/./")) {}
}

static void random_path(char to[ROOM], bool absolute) {
    static const char *const pieces[] = {"/", "/", "/", ".", "..", "a", "name", ".hidden", "a.b", "longer-name.dat",
                                         "./"};
    strcpy(to, absolute ? "/" : "");
    for (uint64_t n = 1 + runtime_random(20); n > 0; n--)
        strcat(to, pieces[runtime_random(sizeof pieces / sizeof *pieces)]);
    if (!absolute && *to == '/') *to = 'r';
}

/* Not in use any more. */
static iol__file *file_at(int directory, const char *path, bool *excluded) {
    iol__file *file = iol__file_at(directory, path, excluded);
    if (file) iol__file_done(file);
    return file;
}

static iol__file *file_known(int directory, const char *path) {
    iol__file *file = iol__file_known(directory, path, &iol__posix_module);
    if (file) iol__file_done(file);
    return file;
}

static void assert_name(const iol__file *file, const char *expected) {
    assert_non_null(file);
    assert_string_equal(file->name, expected);
    assert_int_equal(file->length, strlen(expected));
    assert_int_equal(file->id, iol_name_id(expected, strlen(expected)));
}

static void names_are_cleaned_of_double_slashes_and_dots(void **state) {
    (void)state;
    char here[2048], path[ROOM], expected[ROOM];
    assert_non_null(getcwd(here, sizeof here));
    for (int i = 0; i < 20000; i++) {
        random_path(path, runtime_random(2));
        model_clean(expected, here, path);
        bool excluded = false;
        const iol__file *file = file_at(AT_FDCWD, path, &excluded);
        assert_false(excluded);
        assert_name(file, expected);
        assert_null(file_known(AT_FDCWD, path)); /* to no module, before an operation */
        assert_ptr_equal(iol__file_by_id(file->id), file);
    }
}

static void nothing_else_is_changed(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"/a/../b", "/a/../b"},   {"/a/", "/a/"},          {"/a/.", "/a/."},
        {"/a/./", "/a/"},         {"/./a", "/a"},          {"//a", "/a"},
        {"/a/.b/c", "/a/.b/c"},   {"/a/..//b", "/a/../b"}, {"/", "/"},
        {"/a/.../b", "/a/.../b"},
    };
    bool excluded = false;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_name(file_at(AT_FDCWD, cases[i][0], &excluded), cases[i][1]);
    assert_null(file_at(AT_FDCWD, "", &excluded));
    const iol__file *file = file_at(AT_FDCWD, "/scratch/user/out.dat", &excluded);
    assert_int_equal(file->id, UINT64_C(8480970541914034907));
    assert_null(file_known(AT_FDCWD, "/never/seen"));
    assert_false(excluded);
}

static void names_below_an_open_directory(void **state) {
    (void)state;
    static const char *const directories[] = {"/data/dir", "/data/dir/", "/data//./dir/x"};
    bool excluded = false;
    char path[ROOM], expected[ROOM];
    for (int i = 0; i < 3000; i++) {
        iol__file *directory = file_at(AT_FDCWD, directories[runtime_random(3)], &excluded);
        iol__descriptor_new(FD, directory, false);
        random_path(path, runtime_random(4) == 0);
        model_clean(expected, directory->name, path);
        assert_name(file_at(FD, path, &excluded), expected);
    }
    assert_false(excluded);
    iol__descriptor_new(FD, NULL, true);
    assert_null(file_at(FD, "x", &excluded));
    assert_true(excluded);
    iol__descriptor_forget(FD);
}

static void names_follow_the_current_directory(void **state) {
    (void)state;
    char before[2048], gone[] = "/tmp/iolite-gone-XXXXXX";
    bool excluded = false;
    assert_non_null(getcwd(before, sizeof before));
    assert_non_null(mkdtemp(gone));
    assert_int_equal(chdir("/"), 0);
    iol__directory_changed();
    assert_name(file_at(AT_FDCWD, "some/file", &excluded), "/some/file");
    assert_int_equal(chdir(gone), 0);
    assert_int_equal(rmdir(gone), 0);
    iol__directory_changed();
    assert_name(file_at(AT_FDCWD, "some/file", &excluded), "some/file"); /* nobody can say where */
    assert_int_equal(chdir(before), 0);
    iol__directory_changed();
}

static void names_that_are_too_long_are_not_watched(void **state) {
    (void)state;
    static char path[20000];
    bool excluded = false;
    memset(path, 'a', sizeof path - 1);
    path[0] = '/';
    assert_null(file_at(AT_FDCWD, path, &excluded));
    path[0] = 'a';
    assert_null(file_at(AT_FDCWD, path, &excluded));
    path[0] = '/';
    path[4000] = 0;
    assert_name(file_at(AT_FDCWD, path, &excluded), path);
}

/* Past the budget -------------------------------------------------------------------------------------------------- */

static void write_to(const char *name, int64_t size) {
    iol__posix_opened(FD, AT_FDCWD, name, O_WRONLY | O_CREAT, 0, IOL_GRAIN);
    iol__opened *of = iol__descriptor(FD);
    assert_non_null(of);
    iol__posix_write(of, FD, IOL_HERE, size, false, IOL_GRAIN);
    iol__state *its = iol__posix_closing(FD);
    assert_non_null(its);
    iol__posix_closed(its, false, IOL_GRAIN);
}

typedef struct totals {
    int64_t records, bytes, writes, opens, folded_opens;
} totals;

static totals add_up(const opened *o) {
    totals t = {0};
    const iol_record *record;
    iol_records *records = records_of(o, IOL_SLOT_POSIX);
    while (iol_records_next(records, &record) == IOL_OK) {
        t.records++;
        t.bytes += int_of(record, "POSIX_BYTES_WRITTEN");
        t.writes += int_of(record, "POSIX_WRITES");
        t.opens += int_of(record, "POSIX_OPENS");
        const char *name = iol_log_name(o->log, iol_record_id(record));
        assert_non_null(name);
        if (strcmp(name, "<FOLDED>") == 0) t.folded_opens += int_of(record, "POSIX_OPENS");
    }
    iol_records_close(records);
    return t;
}

/* One mebibyte for five thousand files, each opened three times in no order: nothing is lost but whose it was. */
static void files_beyond_the_budget_are_folded_and_totals_stay_exact(void **state) {
    (void)state;
    enum { FILES = 5000, TIMES = 3 };
    int64_t written = 0;
    for (int i = 0; i < FILES * TIMES; i++) {
        char name[64];
        snprintf(name, sizeof name, "/data/folding/file-%d", i * 7919 % FILES);
        const int64_t size = (int64_t)runtime_random(1 << 20);
        written += size;
        write_to(name, size);
    }
    opened o = runtime_log();
    const totals t = add_up(&o);
    assert_int_equal(t.bytes, written);
    assert_int_equal(t.writes, FILES * TIMES);
    assert_int_equal(t.opens, FILES * TIMES);
    assert_in_range(t.records, 500, 1000);
    assert_in_range(t.folded_opens, TIMES * (FILES - t.records), TIMES * FILES - t.records);
    assert_in_range(iol__store_facts()->folded[IOL_SLOT_POSIX], FILES - t.records, FILES); /* each once */
    assert_in_range(iol__store_state.charged + iol__files_private(), 900 << 10, 1 << 20);
    assert_int_equal(iol__store_header()->partial, UINT64_C(1) << IOL_SLOT_POSIX);
    iol_records *records;
    const iol_record *folded = runtime_record(&o, IOL_SLOT_POSIX, "<FOLDED>", &records);
    assert_int_equal(int_of(folded, "POSIX_SEQ_WRITES"), -1); /* their order says nothing */
    assert_int_equal(int_of(folded, "POSIX_RW_SWITCHES"), -1);
    assert_int_equal(int_of(folded, "POSIX_FILE_ALIGNMENT"), -1);
    assert_int_equal(int_of(folded, "POSIX_MAX_BYTE_WRITTEN") > 1 << 19, 1);
    assert_int_equal(int_of(folded, "POSIX_SIZE_WRITE_100K_1M") > FILES, 1);
    iol_records_close(records);
    opened_close(&o);
}

static void write_for(const char *name, int64_t size, int64_t grains) {
    runtime_clock(1 + grains);
    write_to(name, size);
    runtime_clock(1000);
}

static int64_t written_in(const opened *o, int slot, const char *counter, const char *name) {
    iol_records *records;
    const int64_t value = int_of(runtime_record(o, slot, name, &records), counter);
    iol_records_close(records);
    return value;
}

/* What took long early, and what comes late, has a record of its own, whatever is between. Names of other lengths find
   room too. */
static void records_with_the_least_time_give_way(void **state) {
    (void)state;
    char name[100];
    write_for("/data/long", 10, 5000);
    write_for("/data/large", 1 << 22, 999);
    for (int i = 0; i < 8000; i++) {
        snprintf(name, sizeof name, "/data/small/%0*d", 4 + i % 11, i);
        write_for(name, 7, 100 + i % 5);
        if (i == 4000) write_for("/data/in/the/middle", 77, 6000);
    }
    write_for("/data/late", 3, 1);
    bool excluded = false;
    iol__file *stream = file_at(AT_FDCWD, "/data/stream", &excluded);
    assert_non_null(iol__state_of(stream, &iol__stdio_module));
    opened o = runtime_log();
    assert_int_equal(written_in(&o, IOL_SLOT_POSIX, "POSIX_BYTES_WRITTEN", "/data/long"), 10);
    assert_int_equal(written_in(&o, IOL_SLOT_POSIX, "POSIX_BYTES_WRITTEN", "/data/large"), 1 << 22);
    assert_int_equal(written_in(&o, IOL_SLOT_POSIX, "POSIX_BYTES_WRITTEN", "/data/in/the/middle"), 77);
    assert_int_equal(written_in(&o, IOL_SLOT_POSIX, "POSIX_BYTES_WRITTEN", "/data/late"), 3);
    assert_int_equal(written_in(&o, IOL_SLOT_STDIO, "STDIO_OPENS", "/data/stream"), 0);
    const totals t = add_up(&o);
    assert_int_equal(t.bytes, 8000 * 7 + 10 + (1 << 22) + 77 + 3);
    assert_int_equal(t.opens, 8004);
    assert_int_equal(iol__core_state.lost, 0);
    opened_close(&o);
}

/* A name takes the place of one that is as long. Hundreds of records that took less time have shorter names here. */
static void long_names_find_room_behind_many_short_ones(void **state) {
    (void)state;
    char name[100];
    for (int i = 0; i < 100; i++) {
        snprintf(name, sizeof name, "/data/longer/%020d", i);
        write_for(name, 7, 200);
    }
    for (int i = 0; i < 8000; i++) {
        snprintf(name, sizeof name, "/data/short/%0*d", 4 + i % 11, i); /* until there is no room for names */
        write_for(name, 7, 100);
    }
    snprintf(name, sizeof name, "/data/wanted/%020d", 1);
    write_for(name, 77, 6000);
    opened o = runtime_log();
    assert_int_equal(written_in(&o, IOL_SLOT_POSIX, "POSIX_BYTES_WRITTEN", name), 77);
    assert_int_equal(add_up(&o).bytes, 8100 * 7 + 77);
    opened_close(&o);
}

/* Neither a file that is open, nor one that a call is about, gives way. */
static void files_in_use_keep_their_records(void **state) {
    (void)state;
    enum { OPEN = 50 };
    char name[64];
    bool excluded = false;
    for (int i = 0; i < OPEN; i++) {
        snprintf(name, sizeof name, "/data/open/%d", i);
        iol__posix_opened(FD + 1 + i, AT_FDCWD, name, O_WRONLY | O_CREAT, 0, 999 * IOL_GRAIN);
    }
    iol__file *held = iol__file_at(AT_FDCWD, "/data/held", &excluded);
    const iol__state *its = iol__state_of(held, &iol__posix_module);
    for (int i = 0; i < 5000; i++) {
        snprintf(name, sizeof name, "/data/closed/%d", i);
        write_to(name, 1000);
    }
    assert_ptr_equal(iol__state_of(held, &iol__posix_module), its);
    assert_name(held, "/data/held");
    iol__file_done(held);
    for (int i = 0; i < OPEN; i++) {
        iol__posix_write(iol__descriptor(FD + 1 + i), FD + 1 + i, IOL_HERE, 100 + i, false, 999 * IOL_GRAIN);
        iol__posix_closed(iol__posix_closing(FD + 1 + i), false, 999 * IOL_GRAIN);
    }
    opened o = runtime_log();
    for (int i = 0; i < OPEN; i++) {
        snprintf(name, sizeof name, "/data/open/%d", i);
        assert_int_equal(written_in(&o, IOL_SLOT_POSIX, "POSIX_BYTES_WRITTEN", name), 100 + i);
    }
    opened_close(&o);
}

enum { THREADS = 4, THEIR_FILES = 1500 };

static void *open_many(void *argument) {
    const int me = (int)(intptr_t)argument, fd = FD + 100 + me;
    char name[64];
    for (int i = 0; i < THEIR_FILES; i++) {
        snprintf(name, sizeof name, "/data/of-thread-%d/%d", me, i * 7 % 1000);
        iol__posix_opened(fd, AT_FDCWD, name, O_WRONLY | O_CREAT, 0, IOL_GRAIN);
        for (int n = 0; n < 3; n++) iol__posix_write(iol__descriptor(fd), fd, IOL_HERE, 10, false, IOL_GRAIN);
        iol__state *its = iol__posix_closing(fd);
        if (its) iol__posix_closed(its, false, IOL_GRAIN);
    }
    return NULL;
}

/* Records go from file to file while other threads look files up and write to theirs. */
static void records_give_way_while_threads_record(void **state) {
    (void)state;
    pthread_t threads[THREADS];
    for (intptr_t i = 0; i < THREADS; i++) assert_int_equal(pthread_create(&threads[i], NULL, open_many, (void *)i), 0);
    for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_int_equal(iol__core_state.lost, 0);
    opened o = runtime_log();
    const totals t = add_up(&o);
    assert_int_equal(t.opens, THREADS * THEIR_FILES);
    assert_int_equal(t.writes, THREADS * THEIR_FILES * 3);
    assert_int_equal(t.bytes, THREADS * THEIR_FILES * 30);
    assert_true(t.folded_opens > THEIR_FILES);
    opened_close(&o);
}

static void fill_memory(const char *kind) {
    char name[64];
    for (int i = 0; i < 3000; i++) {
        snprintf(name, sizeof name, "/data/%s/%d", kind, i);
        write_to(name, 1);
    }
}

/* The settings hold past the budget too. */
static void excluded_names_are_not_folded(void **state) {
    (void)state;
    bool excluded = false;
    fill_memory("fill");
    iol__file *file = file_at(AT_FDCWD, "/data/secret", &excluded);
    assert_true(!file || !iol__state_of(file, &iol__posix_module));
    file = file_at(AT_FDCWD, "/usr/lib/x", &excluded);
    assert_true(!file || !iol__state_of(file, &iol__posix_module));
}

static void folded_files_are_counted_for_the_module_that_folds_them(void **state) {
    (void)state;
    char name[64];
    bool excluded = false;
    for (int i = 0; i < 8000; i++) {
        snprintf(name, sizeof name, "/data/streams/%d", i);
        assert_non_null(iol__state_of(file_at(AT_FDCWD, name, &excluded), &iol__stdio_module));
    }
    const int64_t own =
        (int64_t)(iol__store_header()->modules[IOL_SLOT_STDIO].bytes / iol__stdio_module.record_bytes) - 1;
    assert_int_equal(iol__store_facts()->folded[IOL_SLOT_STDIO], 8000 - own);
    assert_int_equal(iol__store_facts()->folded[IOL_SLOT_POSIX], 0);
}

/* There is room again in the child. */
static void a_forked_child_does_not_fold_because_its_parent_did(void **state) {
    (void)state;
    fill_memory("before-fork");
    iol__store_remove();
    runtime_forked();
    write_to("/data/before-fork/2999", 7);
    write_to("/data/of-the-child", 8);
    opened o = runtime_log();
    iol_records *records;
    runtime_record(&o, IOL_SLOT_POSIX, "/data/before-fork/2999", &records);
    iol_records_close(records);
    runtime_record(&o, IOL_SLOT_POSIX, "/data/of-the-child", &records);
    iol_records_close(records);
    opened_close(&o);
}

/* The table of files grows several times, and finds them all again. */
static void many_files_are_found_again(void **state) {
    (void)state;
    enum { FILES = 1000 };
    static iol__file *files[FILES];
    char name[64];
    bool excluded = false;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < FILES; i++) {
            snprintf(name, sizeof name, "/data/many/%d", i);
            iol__file *file = pass ? file_at(AT_FDCWD, name, &excluded) : iol__file_at(AT_FDCWD, name, &excluded);
            assert_name(file, name);
            if (pass == 1) assert_ptr_equal(file, files[i]);
            files[i] = file;
        }
    for (int i = 0; i < FILES; i++) iol__file_done(files[i]);
}

static void a_name_is_stored_once(void **state) {
    (void)state;
    static const char name[] = "/data/of-two-modules";
    bool excluded = false;
    iol__file *file = file_at(AT_FDCWD, name, &excluded);
    for (int i = 0; i < 3; i++) {
        assert_non_null(iol__state_of(file, &iol__posix_module));
        assert_non_null(iol__state_of(file, &iol__stdio_module));
        assert_int_equal(iol__store_header()->names.bytes, 8 + sizeof name);
    }
    assert_int_equal(iol__store_header()->modules[IOL_SLOT_POSIX].bytes, iol__posix_module.record_bytes);
    assert_int_equal(iol__store_header()->modules[IOL_SLOT_STDIO].bytes, iol__stdio_module.record_bytes);
}

/* Forks ------------------------------------------------------------------------------------------------------------ */

static int64_t bytes_in(const char *path, const char *name) {
    opened o = {0};
    iol_error error;
    iol_records *records;
    assert_int_equal(iol_log_open(path, &o.log, &error), IOL_OK);
    const int64_t written = int_of(runtime_record(&o, IOL_SLOT_POSIX, name, &records), "POSIX_BYTES_WRITTEN");
    iol_records_close(records);
    opened_close(&o);
    return written;
}

static void a_forked_child_begins_again(void **state) {
    (void)state;
    static const char name[] = "/data/shared-with-child", other[] = "/data/of-the-parent";
    char parent[sizeof iol__store_state.path];
    write_to(other, 5);
    iol__posix_opened(FD, AT_FDCWD, name, O_WRONLY | O_CREAT, 0, IOL_GRAIN);
    iol__posix_write(iol__descriptor(FD), FD, IOL_HERE, 1000, false, IOL_GRAIN);
    strcpy(parent, iol__store_state.path);
    iol__guard held = {1};
    iol__descriptor(FD)->posix->guard = held; /* by a thread that the child does not have */
    runtime_forked();
    assert_null(iol__store_state.base);
    iol__posix_write(iol__descriptor(FD), FD, IOL_HERE, 10, false, IOL_GRAIN);
    assert_string_not_equal(parent, iol__store_state.path);
    assert_int_equal(bytes_in(parent, name), 1000);
    assert_int_equal(bytes_in(iol__store_state.path, name), 10);
    opened o = runtime_log();
    iol_records *records;
    const iol_record *record = runtime_record(&o, IOL_SLOT_POSIX, name, &records);
    assert_int_equal(int_of(record, "POSIX_OPENS"), 0);
    assert_int_equal(int_of(record, "POSIX_MAX_BYTE_WRITTEN"), 1009); /* the position is the parent's */
    assert_int_equal(add_up(&o).records, 1);
    assert_int_equal(iol_log_name_count(o.log), 2); /* and the heat map's */
    assert_int_equal(iol__core_state.lost, 0);
    iol_records_close(records);
    opened_close(&o);
    assert_int_equal(unlink(parent), 0);
    iol__posix_closing(FD);
}

static int start(void **state) {
    (void)state;
    runtime_start("NAME_EXCLUDE secret POSIX\nNAME_INCLUDE wanted POSIX\n",
                  (const char *const[]){"IOLITE_MEMORY=1", NULL});
    runtime_clock(1000);
    return 0;
}

/* Handlers ---------------------------------------------------------------------------------------------------------- */

static volatile sig_atomic_t handled, went_in;

static void open_in_handler(int number) {
    (void)number;
    handled++;
    went_in = iol__files_enter();
    if (went_in) iol__files_leave();
}

static uint64_t block_all(void) {
    sigset_t all, before;
    uint64_t bits = 0;
    sigfillset(&all);
    assert_int_equal(pthread_sigmask(SIG_BLOCK, &all, &before), 0);
    memcpy(&bits, &before, sizeof bits);
    return bits;
}

/* Space is made with signals blocked, twice while one file is new: those that came meanwhile may open files, too. */
static void handlers_wait_until_the_lock_is_free(void **state) {
    (void)state;
    assert_int_equal(sigaction(SIGUSR1, &(struct sigaction){.sa_handler = open_in_handler}, NULL), 0);
    assert_false(iol__files_hold_signals(0)); /* who is not inside has to see to it */
    assert_true(iol__files_enter());
    const uint64_t before = block_all();
    assert_int_equal(raise(SIGUSR1), 0);
    assert_true(iol__files_hold_signals(before));
    assert_true(iol__files_hold_signals(block_all()));
    assert_int_equal(handled, 0);
    iol__files_leave();
    usleep(1); /* ThreadSanitizer calls handlers late, from functions of libc */
    assert_int_equal(handled, 1);
    assert_true(went_in);
    assert_int_equal(raise(SIGUSR1), 0);
    assert_int_equal(handled, 2);
}

static bool blocked_now(int number) {
    uint64_t now = 0;
    assert_int_equal(syscall(SYS_rt_sigprocmask, SIG_BLOCK, NULL, &now, sizeof now), 0);
    return now >> (number - 1) & 1;
}

/* A thread that can be cancelled anywhere is not while it has the lock, and others can still go in. */
static void who_can_be_cancelled_anywhere_comes_out_first(void **state) {
    enum { CANCEL = 32 }; /* by which libc does so */
    (void)state;
    iol__mortal_note();
    assert_true(iol__files_enter());
    assert_true(blocked_now(CANCEL));
    assert_false(blocked_now(SIGSEGV));
    iol__files_leave();
    assert_false(blocked_now(CANCEL));
    iol__mortal_forget();
    assert_true(iol__files_enter());
    assert_false(blocked_now(CANCEL));
    iol__files_leave();
}

/* Threads that use different files wait for nobody, whoever holds the lock of all files meanwhile: one that had to take
   it would give up after two seconds, and find nothing. */
static pthread_barrier_t both;

static void *use_own_file(void *path) {
    enum { AGAIN = 1000 };
    bool excluded = false;
    const iol__file *first = iol__file_among(AT_FDCWD, path, &excluded);
    intptr_t same = 0;
    pthread_barrier_wait(&both);
    pthread_barrier_wait(&both); /* the lock is held */
    for (int i = 0; i < AGAIN; i++) {
        iol__file *file = iol__file_among(AT_FDCWD, path, &excluded);
        same += file && file == first;
        if (file) __atomic_sub_fetch(&file->uses, 1, __ATOMIC_RELEASE);
    }
    return (void *)(intptr_t)(same == AGAIN);
}

static void threads_find_their_last_file_without_the_lock(void **state) {
    (void)state;
    pthread_t threads[2];
    static const char *const paths[] = {"/data/own-of-one", "/data/own-of-two"};
    assert_int_equal(pthread_barrier_init(&both, NULL, 3), 0);
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, use_own_file, (void *)(uintptr_t)paths[i]), 0);
    pthread_barrier_wait(&both);
    assert_true(iol__files_enter());
    pthread_barrier_wait(&both);
    for (int i = 0; i < 2; i++) {
        void *found;
        pthread_join(threads[i], &found);
        assert_non_null(found);
    }
    iol__files_leave();
    pthread_barrier_destroy(&both);
}

static void *ask_for_names(void *unused) {
    (void)unused;
    const bool right = iol__path_watched(AT_FDCWD, "/data/gone") && iol__path_watched(AT_FDCWD, "/scratch/a//b/./c");
    return (void *)(intptr_t)right;
}

static void watched_names_are_known_without_the_lock(void **state) {
    (void)state;
    pthread_t thread;
    void *right;
    assert_true(iol__files_enter());
    assert_int_equal(pthread_create(&thread, NULL, ask_for_names, NULL), 0);
    pthread_join(thread, &right);
    iol__files_leave();
    assert_non_null(right);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(names_are_cleaned_of_double_slashes_and_dots, reset_runtime),
        cmocka_unit_test_setup(nothing_else_is_changed, reset_runtime),
        cmocka_unit_test_setup(names_below_an_open_directory, reset_runtime),
        cmocka_unit_test_setup(names_follow_the_current_directory, reset_runtime),
        cmocka_unit_test_setup(names_that_are_too_long_are_not_watched, reset_runtime),
        cmocka_unit_test_setup(many_files_are_found_again, reset_runtime),
        cmocka_unit_test_setup(a_name_is_stored_once, reset_runtime),
        cmocka_unit_test_setup(a_forked_child_begins_again, reset_runtime),
        cmocka_unit_test_setup(files_beyond_the_budget_are_folded_and_totals_stay_exact, reset_runtime),
        cmocka_unit_test_setup(records_with_the_least_time_give_way, reset_runtime),
        cmocka_unit_test_setup(long_names_find_room_behind_many_short_ones, reset_runtime),
        cmocka_unit_test_setup(files_in_use_keep_their_records, reset_runtime),
        cmocka_unit_test_setup(records_give_way_while_threads_record, reset_runtime),
        cmocka_unit_test_setup(excluded_names_are_not_folded, reset_runtime),
        cmocka_unit_test_setup(folded_files_are_counted_for_the_module_that_folds_them, reset_runtime),
        cmocka_unit_test_setup(a_forked_child_does_not_fold_because_its_parent_did, reset_runtime),
        cmocka_unit_test_setup(threads_find_their_last_file_without_the_lock, reset_runtime),
        cmocka_unit_test_setup(watched_names_are_known_without_the_lock, reset_runtime),
        cmocka_unit_test_setup(handlers_wait_until_the_lock_is_free, reset_runtime),
        cmocka_unit_test_setup(who_can_be_cancelled_anywhere_comes_out_first, reset_runtime),
    };
    return cmocka_run_group_tests(tests, start, stop_runtime);
}
