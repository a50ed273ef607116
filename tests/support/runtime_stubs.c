/* Stand-ins for what runtime/core/process.c does, for programs that must not be watched themselves. */
#include "tests/support/runtime_stubs.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "runtime/core/files.h"
#include "runtime/core/filter.h"
#include "runtime/core/heatmap.h"
#include "runtime/core/modules.h"
#include "runtime/output/jobspool.h"
#include "runtime/posix/operations.h"
#include "runtime/core/real.h"
#include "runtime/core/store.h"
#include "runtime/mpiio/module.h"
#include "runtime/mpiio/mpiio.h"
#include "runtime/posix/posix.h"
#include "runtime/posix/ring.h"
#include "runtime/stdio/stdio.h"
#include "runtime/where/where.h"

iol__core iol__core_state = {.phase = IOL_PHASE_RUNNING, .home = -1};
iol__functions iol__real;
bool iol__where_on;
int64_t iol__where_add(uint64_t id, unsigned what, int64_t size, double begin, double end) {
    (void)id, (void)what, (void)size, (void)begin, (void)end;
    return size;
}
uint32_t iol__where_mark_here(void) { return 0; }
iol__where_absence iol__where_leave_out(void) { return (iol__where_absence){0}; }
void iol__where_put_back(const iol__where_absence *before) { (void)before; }

/* Of what the library would find in libc, these parts need two variables. */
__attribute__((constructor)) static void find_variables(void) {
    const char *alone = dlsym(RTLD_DEFAULT, "__libc_single_threaded");
    iol__real.open_streams = dlsym(RTLD_DEFAULT, "_IO_list_all");
    if (alone) iol__single_threaded_set(alone);
}

bool iol__has_other_threads(void) { return !iol__alone(); }

iol__wiped iol__page = {.live = 1, .ours = 1};
bool iol__page_wiped = true;

static char place[256], place_variable[300];
static const char *config_text;

/* What the parts ask of the process -------------------------------------------------------------------------------- */

void iol__count_lost(void) { __atomic_add_fetch(&iol__core_state.lost, 1, __ATOMIC_RELAXED); }
void iol__lost_found(void) {}
void iol__switch_off(const char *why) { fail_msg("switched off: %s", why); }
void iol__say(const char *text, const char *detail) { fail_msg("%s%s", text, detail); }
bool iol__wake(void) { return iol__core_state.phase == IOL_PHASE_RUNNING; }
bool iol__same_process(void) { return true; }
void iol__process_announce(void) {}
bool iol__root_moved(void) { return false; }
void iol__modules_stored(void) { iol__operations_move(); }
void iol__modules_settle(void) {
    iol__posix_finish();
    iol__mpiio_finish();
}
bool iol__job_join(void) { return false; }
bool iol__job_charge(bool spare) { return spare; }
bool iol__job_has_charge(void) { return false; }
void iol__job_leave_charge(void) {}
bool iol__job_join_again(void) { return false; }
void iol__job_uncharge(void) {}
iol__spooled iol__job_append_homeless(char *found, size_t room) {
    (void)found;
    (void)room;
    return IOL_SPOOL_FAILED;
}
bool iol__job_speaks(void) { return true; }
int iol__run_open(const char *path, int flags) { return open(path, flags | O_CLOEXEC | O_NOFOLLOW, 0600); }
bool iol__run_remove(const char *path, bool directory) {
    return unlinkat(AT_FDCWD, path, directory ? AT_REMOVEDIR : 0) == 0;
}
bool iol__run_rename(const char *path, const char *to) { return renameat(AT_FDCWD, path, AT_FDCWD, to) == 0; }
bool iol__run_stat(const char *path, struct stat *st) { return lstat(path, st) == 0; }

/* Start and end ---------------------------------------------------------------------------------------------------- */

static long read_config(const char *path, char *to, size_t room) {
    if (!config_text || strcmp(path, "/settings-of-the-test") != 0) return -1;
    const size_t length = strlen(config_text);
    assert_true(length <= room);
    memcpy(to, config_text, length);
    return (long)length;
}

void runtime_settings(iol__config *to, const char *config, const char *const *variables) {
    static char config_variable[] = "IOLITE_CONFIG=/settings-of-the-test";
    static char *environment[16];
    size_t n = 0;
    environment[n++] = config_variable;
    environment[n++] = place_variable;
    for (; variables && *variables && n < 15; variables++) environment[n++] = (char *)(uintptr_t)*variables;
    environment[n] = NULL;
    config_text = config;
    iol__resolve(to, environment, read_config);
    iol__core_state.environment = environment;
}

void runtime_start(const char *config, const char *const *variables) {
    const char *top = getenv("TMPDIR");
    snprintf(place, sizeof place, "%s/iolite-unit-XXXXXX", top && *top ? top : "/tmp");
    assert_non_null(mkdtemp(place));
    snprintf(place_variable, sizeof place_variable, "IOLITE_MMAP_DIR=%s", place);
    runtime_settings(&iol__core_state.config, config, variables);
    iol__core_state.pid = iol__core_state.first_pid = getpid();
    iol__filter_start(&iol__core_state.config);
    iol__module_start(&iol__posix_module);
    iol__module_start(&iol__mpiio_module);
    iol__module_start(&iol__stdio_module);
    iol__module_start(&iol__heat_module);
    iol__clock_start(iol__clock_monotonic());
}

void runtime_forked(void) {
    iol__thread.waiting = 0;
    iol__operations_reset();
    iol__rings_reset();
    iol__mpiio_reset();
    iol__store_leave();
    iol__files_reset();
    iol__heat_reset();
}

void runtime_reset(void) {
    iol__store_remove();
    runtime_forked();
    iol__core_state.lost = 0;
}

void runtime_stop(void) {
    runtime_reset();
    assert_int_equal(rmdir(place), 0);
}

int start_runtime(void **state) {
    (void)state;
    runtime_start(NULL, NULL);
    return 0;
}

int reset_runtime(void **state) {
    (void)state;
    runtime_reset();
    return 0;
}

int stop_runtime(void **state) {
    (void)state;
    runtime_stop();
    return 0;
}

void runtime_clock(int64_t grains) {
    static iol__anchor still = {.span = UINT64_MAX};
    still.time = (double)grains * IOL_GRAIN;
    iol__clock = &still;
}

/* Looking at it ---------------------------------------------------------------------------------------------------- */

opened runtime_log(void) {
    opened o = {0};
    iol_error error = {0};
    if (iol_log_open(iol__store_state.path, &o.log, &error) != IOL_OK) fail_msg("cannot open: %s", error.message);
    assert_true(iol_log_info(o.log)->mapped);
    iol_log_name_count(o.log); /* reads them all */
    assert_int_equal(iol_log_error_count(o.log), 0);
    return o;
}

const iol_record *runtime_record(const opened *o, int slot, const char *name, iol_records **records) {
    const iol_record *record;
    *records = records_of(o, slot);
    while (iol_records_next(*records, &record) == IOL_OK) {
        const char *its = iol_log_name(o->log, iol_record_id(record));
        if (its && strcmp(its, name) == 0) return record;
    }
    fail_msg("there is no record of %s", name);
    return NULL;
}

uint64_t runtime_random(uint64_t below) {
    static uint64_t state = 0x9e3779b97f4a7c13;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (state >> 11) % below;
}
