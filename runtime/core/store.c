/* The store: one mapping with a wide, mostly empty address range for each area, so that every module's records stay one
   behind the other however many there are. Bytes are made ready (allocated on the disk or in /dev/shm) before they are
   touched, because touching a page that a full file system cannot give would kill the program. */
#include "runtime/core/store.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include "runtime/core/files.h"
#include "runtime/core/filter.h"
#include "runtime/core/heatmap.h"
#include "runtime/core/job_home.h"
#include "runtime/core/job_record.h"
#include "runtime/core/modules.h"
#include "runtime/core/sys.h"
#include "runtime/core/text.h"

enum {
    PAGE = 4096,
    FIRST = 16384,
    FIRST_NAMES = PAGE,
    LARGEST_STEP = 1 << 20,
    HEATMAP_ROOM = 40 * PAGE,
    NARROW = 32 << 10
};
_Static_assert((int)HEATMAP_ROOM >= (int)(sizeof(iol__heat_record) * IOL_HEAT_LAYERS * IOL_HEAT_MAPS), "all heat maps");

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

iol__rt_store iol__store_state;

static uint64_t pages(uint64_t bytes) { return (bytes + PAGE - 1) & ~(uint64_t)(PAGE - 1); }

/* Making bytes ready ----------------------------------------------------------------------------------------------- */

/* File systems that cannot allocate are written to. */
static bool write_zeros(int fd, uint64_t from, uint64_t bytes) {
    static const char zeros[PAGE];
    for (uint64_t at = from; at < from + bytes; at += PAGE)
        if (iol__sys_write_all(fd, zeros, PAGE, (long)at) != 0) return false;
    return true;
}

static bool allocate(int fd, uint64_t from, uint64_t bytes) {
    long done;
    int tries = 0;
    do done = sys(fallocate, fd, 0, (long)from, (long)bytes);
    while (done != 0 && errno == EINTR && tries++ < 100);
    if (done == 0) return true;
    return (errno == EOPNOTSUPP || errno == ENOSYS) && write_zeros(fd, from, bytes);
}

/* The file is open only while it is made: programs that close all descriptors must not close ours. Later it is opened
   again by its name, and must be the same. */
static bool allocate_again(uint64_t from, uint64_t bytes) {
    iol__rt_store *store = &iol__store_state;
    if (sys(madvise, store->base + from, bytes, MADV_POPULATE_WRITE) == 0) return true;
    if (errno != EINVAL) return false;
    int fd = iol__run_open(store->path, O_RDWR);
    if (fd < 0) return false;
    struct stat now = {0};
    bool same = sys(fstat, fd, &now) == 0 && now.st_dev == store->device && now.st_ino == store->inode;
    bool done = same && allocate(fd, from, bytes);
    sys(close, fd);
    return done;
}

/* What is ready of an area and `bytes` more. Once something is in memory, all that follows is. */
static bool in_file(const iol__area *area, uint64_t bytes) {
    return area->ready <= area->saved && allocate_again(area->at + area->ready, bytes);
}

/* The file system has no room, but the process has memory: that takes the place of the file from here on, in one step.
   Records that are there reach the log when the process ends; a kill would lose them, and the file says so. */
static bool in_memory(iol__area *area, uint64_t bytes) {
    const iol__rt_store *store = &iol__store_state;
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
    uint8_t *at = store->base + area->at + area->ready;
    if (sys(mmap, at, bytes, PROT_READ | PROT_WRITE, flags, -1, 0L) == -1) return false;
    if (store->childless) sys(madvise, at, bytes, MADV_DONTFORK); /* as all of the mapping (iol__store_in_child) */
    if (area->saved > area->ready) area->saved = area->ready;
    return true;
}

/* While space is made, which may take milliseconds on a disk, handlers wait, and then until the lock of the files is free. */
static void let_signals_in(uint64_t before) {
    if (!iol__files_hold_signals(before)) iol__signals_let_in(before);
}

/* An eighth more than an area has, up to what the budget leaves; or what is needed, if there is room for no more. All of it
   is memory in use, so it is not more than that. */
static bool grow(iol__area *area, uint64_t need, bool beyond, uint64_t left) {
    iol__rt_store *store = &iol__store_state;
    const uint64_t least = pages(need - area->ready);
    /* Most processes have few files; and of little, all modules are to get some. */
    const uint64_t first = area->ready == 0 || store->budget < 16 * FIRST ? PAGE : FIRST;
    uint64_t step = pages(area->ready / 8);
    if (step < first) step = first;
    if (step > LARGEST_STEP) step = LARGEST_STEP;
    if (step < least) step = least;
    if (step > left) step = left & ~(uint64_t)(PAGE - 1);
    if (beyond && step < least) step = least;
    if (step > area->room - area->ready) step = area->room - area->ready;
    if (area->ready + step < need) return false;
    uint8_t *from = store->base + area->at + area->ready;
    if (sys(mprotect, from, step, PROT_READ | PROT_WRITE) != 0) return false;
    if (store->mapped && !in_file(area, step)) {
        if (least < step && in_file(area, least))
            step = least;
        else if (!in_memory(area, step))
            return false;
    }
    area->ready += step;
    if (area != &store->trace) store->charged += step;
    return true;
}

static bool make_ready(iol__area *area, uint64_t need, bool beyond, uint64_t left) {
    uint64_t before;
    if (need <= area->ready) return true;
    const bool kept = iol__signals_keep_waiting(&before), made = grow(area, need, beyond, left);
    if (kept) let_signals_in(before);
    return made;
}

uint64_t iol__store_budget(void) {
    const iol__rt_store *store = &iol__store_state;
    return store->made ? store->budget : (uint64_t)iol__setting_number(&iol__core_state.config, IOL_SET_MEMORY);
}

uint64_t iol__store_left(void) {
    const iol__rt_store *store = &iol__store_state;
    const uint64_t all = iol__store_budget(), used = (store->made ? store->charged : 0) + iol__files_private();
    return used < all ? all - used : 0;
}

/* Nobody takes more than three quarters of what the others leave: so there is always room for one who comes late. */
static uint64_t fair_share(const iol__area *area) {
    const iol__rt_store *store = &iol__store_state;
    const uint64_t others = store->charged - area->ready + iol__files_private();
    const uint64_t most = others < store->budget ? (store->budget - others) / 4 * 3 : 0;
    return most > area->ready ? most - area->ready : 0;
}

static uint64_t budget_left(const iol__area *area) {
    const iol__rt_store *store = &iol__store_state;
    const bool names = area == &store->names;
    uint64_t used = store->charged + iol__files_private(), all = store->budget;
    if (store->name_budget > 0) { /* what is set aside for names is theirs, and no more than that */
        used = names ? store->names.ready : used - store->names.ready;
        all = names ? store->name_budget : all - store->name_budget;
    }
    const uint64_t left = used < all ? all - used : 0, fair = fair_share(area);
    return left < fair ? left : fair;
}

/* What is left matters only when there has to be more. */
static bool has_room(iol__area *area, uint64_t need, bool beyond) {
    return need <= area->ready || make_ready(area, need, beyond, budget_left(area));
}

/* The file --------------------------------------------------------------------------------------------------------- */

static uint64_t address_space(void) {
    struct rlimit limit = {0};
    return sys(prlimit64, 0, RLIMIT_AS, NULL, &limit) == 0 ? limit.rlim_cur : RLIM_INFINITY;
}

/* Modules whose records the runtime makes. Traces have an area of their own. */
static bool has_area(int slot) {
    static const int slots[] = {
#define PART(name)
#define MODULE(name, SLOT) IOL_SLOT_##SLOT,
#include "runtime/core/modules.def"
#undef MODULE
#undef PART
    };
    for (size_t i = 0; i < sizeof slots / sizeof *slots; i++)
        if (slots[i] == slot) return true;
    return false;
}

/* The limit for a traced module is one of KiB; the modules share what there is. */
static uint64_t trace_budget(const iol__config *config) {
    const uint64_t all = (uint64_t)iol__setting_number(config, IOL_SET_TRACE_MEMORY);
    uint64_t budget = 0;
    for (int slot = IOL_SLOT_DXT_POSIX; slot <= IOL_SLOT_DXT_MPIIO; slot++) {
        if (!iol__module_enabled(config, slot)) continue;
        const uint64_t kib = iol__filter_most_records(config, slot);
        budget += kib < all / 1024 ? kib * 1024 : all;
    }
    return pages(budget < all ? budget : all);
}

static uint64_t room_of(int slot, uint64_t usual, bool narrow) {
    if (slot == IOL_SLOT_HEATMAP) return HEATMAP_ROOM;
    return narrow && slot != IOL_SLOT_POSIX && slot != IOL_SLOT_STDIO ? FIRST : usual;
}

/* Narrow: with few records, and hardly any of modules that most programs do not need; the log has to be written within the
   same limit, and the libraries of some releases leave little of 8 MiB. */
static void set_areas(bool narrow) {
    iol__rt_store *store = &iol__store_state;
    const iol__config *config = &iol__core_state.config;
    store->budget = (uint64_t)iol__setting_number(config, IOL_SET_MEMORY);
    const double names = iol__setting_number(config, IOL_SET_NAME_MEMORY);
    store->name_budget = names > 0 ? (uint64_t)names : 0;
    uint64_t most = address_space() / 192; /* of which we take twelve times that */
    if (narrow && most > NARROW) most = NARROW;
    if (store->budget > most) store->budget = pages(most);
    if (store->name_budget > store->budget / 2) store->name_budget = store->budget / 2;
    store->charged = 0;
    uint64_t at = IOL_MAPPED_NAMES_AT;
    const uint64_t room = pages(store->budget) + FIRST; /* the records for folded files come on top */
    store->partial = store->unsaved = 0;
    store->names = (iol__area){.at = at, .room = room, .saved = UINT64_MAX};
    at += room;
    for (int slot = 0; slot < IOL_SLOTS_KNOWN; slot++) {
        store->modules[slot] = (iol__area){0};
        if (!has_area(slot)) continue;
        store->modules[slot] = (iol__area){.at = at, .room = room_of(slot, room, narrow)};
        store->modules[slot].saved = UINT64_MAX;
        store->modules[slot].most = iol__filter_most_records(config, slot);
        at += store->modules[slot].room;
    }
    store->sizes = (iol__area){.at = at, .saved = UINT64_MAX};
    if (iol__setting_flag(config, IOL_SET_FILE_SIZES)) store->sizes.room = pages(store->budget / 8);
    at += store->sizes.room;
    store->removed = (iol__area){.at = at, .room = pages(store->budget / 64), .saved = UINT64_MAX};
    at += store->removed.room;
    store->custom = (iol__area){.at = at, .room = pages(store->budget / 2) + FIRST, .saved = UINT64_MAX};
    at += store->custom.room;
    store->trace_budget = trace_budget(config);
    if (store->trace_budget > most) store->trace_budget = pages(most);
    store->trace = (iol__area){.at = at, .room = store->trace_budget, .saved = UINT64_MAX};
    store->bytes = at + store->trace_budget;
}

const char *iol__store_place(unsigned n) {
    const char *setting = iol__core_state.config.values[IOL_SET_MMAP_DIR].text;
    const bool own = iol__core_state.run || iol__core_state.job;
    const char *places[] = {own ? iol__core_state.directory : "", setting, "/dev/shm", "/tmp"};
    unsigned count = 0;
    for (unsigned i = 0; i < sizeof places / sizeof *places; i++)
        if (*places[i] && count++ == n) return places[i];
    return NULL;
}

/* A file beyond the limit for file sizes would raise a signal. */
static bool size_allowed(uint64_t bytes) {
    struct rlimit limit = {0};
    return sys(prlimit64, 0, RLIMIT_FSIZE, NULL, &limit) != 0 || limit.rlim_cur >= bytes;
}

/* Where addresses are few, they are the program's: it would fail for the want of those that we set aside. */
static bool addresses_allowed(uint64_t bytes) {
    struct rlimit limit = {0};
    return sys(prlimit64, 0, RLIMIT_AS, NULL, &limit) != 0 || limit.rlim_cur / 8 >= bytes;
}

static uint64_t nonce(void) {
    uint64_t value = 0;
    if (sys(getrandom, &value, sizeof value, 1 /* GRND_NONBLOCK */) == (long)sizeof value) return value;
    return (uint64_t)iol__clock_monotonic() ^ iol__ticks() << 20;
}

static void set_path(const char *place, uint64_t number) {
    iol__rt_store *store = &iol__store_state;
    iol__text text = {store->path, sizeof store->path, 0};
    iol__text_add(&text, place);
    iol__text_add(&text, "/iolite-");
    iol__text_hex(&text, iol__core_state.run | iol__core_state.job);
    iol__text_add(&text, "-");
    iol__text_number(&text, iol__core_state.pid);
    iol__text_add(&text, "-");
    iol__text_hex(&text, number);
    iol__text_add(&text, IOL_MAPPED_SUFFIX);
}

/* Only what is ready can be touched: a program that locks its memory must not get all of it. */
static bool open_head(uint8_t *base) {
    return sys(mprotect, base, IOL_MAPPED_NAMES_AT + FIRST_NAMES, PROT_READ | PROT_WRITE) == 0;
}

/* The first pages, in one step where the kernel can do that: then touching them costs nothing more. */
static bool prepare_head(int fd, uint8_t *base) {
    enum { HEAD = IOL_MAPPED_NAMES_AT + FIRST_NAMES };
    if (!open_head(base)) return false;
    if (sys(madvise, base, HEAD, MADV_POPULATE_WRITE) == 0) return true;
    return errno == EINVAL && allocate(fd, 0, HEAD);
}

/* A lock tells whether a process lives. It belongs to the open file, and the mapping keeps that open when the
   descriptor is closed: so no descriptor is left for a program to close or to wonder about, and the kernel drops the
   lock when this image of the process goes, however it goes. Forked children must not have the mapping, or they would keep the lock for us. */
static bool lock_mapping(int fd, uint8_t *base) {
    iol__rt_store *store = &iol__store_state;
    store->childless = sys(madvise, base, store->bytes, MADV_DONTFORK) == 0;
    return store->childless && sys(flock, fd, LOCK_EX | LOCK_NB) == 0;
}

/* Not every file system maps the file that was opened: an overlay maps another. Where most mapped files are, it does. */
static bool maps_what_is_open(int fd) {
    enum { MEMORY = 0x01021994 };
    struct statfs facts = {0};
    return sys(fstatfs, fd, &facts) == 0 && facts.f_type == MEMORY;
}

static bool is_locked(void) {
    const int fd = iol__run_open(iol__store_state.path, O_RDONLY | O_NONBLOCK);
    if (fd < 0) return false;
    const bool locked = sys(flock, fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    sys(close, fd);
    return locked;
}

static bool is_home(const char *place) {
    return (iol__core_state.run || iol__core_state.job) && place == iol__core_state.directory;
}

static bool map_file(const char *place) {
    iol__rt_store *store = &iol__store_state;
    set_path(place, nonce());
    int fd = iol__run_open(store->path, O_RDWR | O_CREAT | O_EXCL);
    if (fd < 0) return false;
    struct stat made = {0};
    long at = -1;
    if (sys(fstat, fd, &made) == 0 && sys(ftruncate, fd, (long)store->bytes) == 0)
        at = sys(mmap, NULL, store->bytes, PROT_NONE, MAP_SHARED, fd, 0L);
    const bool ready = at != -1 && prepare_head(fd, (uint8_t *)at), checked = ready && maps_what_is_open(fd);
    if (ready && (made.st_mode & 0777) != 0600) sys(fchmod, fd, 0600);
    store->locked = ready && lock_mapping(fd, (uint8_t *)at);
    sys(close, fd);
    if (!ready) {
        if (at != -1) sys(munmap, (uint8_t *)at, store->bytes);
        iol__run_remove(store->path, false);
        return false;
    }
    store->device = made.st_dev;
    store->inode = made.st_ino;
    store->base = (uint8_t *)at;
    store->mapped = true;
    store->locked = store->locked && (checked || is_locked());
    store->at_home = is_home(place);
    return true;
}

/* Spare files ------------------------------------------------------------------------------------------------------ */

/* Making a file, giving it pages and removing it is most of what recording costs a process that uses one file. So a few
   files stay in the directory of a run or job for whoever comes next, under names of their own: a rename takes one, or
   leaves one, and no two processes get the same. What is in it is nobody's: its header has no magic number. Its lock
   says when the process that left it, and may still be on its way out, has let go of its memory. */
enum { SPARES = 4, SPARE_TRIES = 2, EMPTIED = IOL_SLOTS_KNOWN + 2 };
_Static_assert((int)EMPTIED <= 64, "a bit for every area");

/* Those that short processes may have records in. */
static iol__area *emptied_area(unsigned i) {
    iol__rt_store *store = &iol__store_state;
    return i < IOL_SLOTS_KNOWN ? &store->modules[i] : i == IOL_SLOTS_KNOWN ? &store->sizes : &store->removed;
}

static char spare_path[sizeof iol__core_state.directory + 16];

/* Processes on one processor take turns at one name, so that its caches have the pages. */
static void name_spare(unsigned which) {
    unsigned processor = 0;
    sys(getcpu, &processor, NULL, NULL);
    iol__text text = {spare_path, sizeof spare_path, 0};
    iol__text_add(&text, iol__core_state.directory);
    iol__text_add(&text, "/" IOL_SPARE_FILE);
    iol__text_number(&text, (processor ^ which) % SPARES);
}

static bool take_spare(void) {
    for (unsigned i = 0; i < SPARE_TRIES; i++) {
        name_spare(i);
        if (iol__run_rename(spare_path, iol__store_state.path)) return true;
        if (errno != ENOENT) break;
    }
    return false;
}

/* It has the same layout, and says what is to be emptied. */
static bool is_as_ours(const iol__mapped *old) {
    const iol__rt_store *store = &iol__store_state;
    return memcmp(old->magic, IOL_MAPPED_MAGIC, sizeof old->magic) == 0 && old->bytes == sizeof *old &&
           old->sizes_at == store->sizes.at && old->removed_at == store->removed.at &&
           old->custom_at == store->custom.at && old->trace_at == store->trace.at;
}

static bool empty_page(int fd, uint8_t *base, iol__area *area) {
    if (area->room < PAGE || sys(mprotect, base + area->at, PAGE, PROT_READ | PROT_WRITE) != 0) return false;
    if (sys(madvise, base + area->at, PAGE, MADV_POPULATE_WRITE) != 0 &&
        !(errno == EINVAL && allocate(fd, area->at, PAGE)))
        return false;
    memset(base + area->at, 0, PAGE);
    area->ready = PAGE;
    iol__store_state.charged += PAGE;
    return true;
}

/* We hold the lock: nobody else has it in memory. */
static bool empty_spare(int fd, uint8_t *base) {
    const iol__mapped *old = (const iol__mapped *)(const void *)(base + IOL_MAPPED_AT);
    const iol__spare spare = *(const iol__spare *)(const void *)(base + IOL_MAPPED_SPARE_AT);
    if (!is_as_ours(old)) return false;
    iol__mounts_take_over((const char *)base + sizeof(iol__log_header) + sizeof(iol__log_job), spare.mounts);
    memset(base, 0, IOL_MAPPED_NAMES_AT + FIRST_NAMES);
    for (unsigned i = 0; i < EMPTIED; i++)
        if ((spare.areas >> i & 1) && !empty_page(fd, base, emptied_area(i))) return false;
    return true;
}

static void forget_pages(void) {
    for (unsigned i = 0; i < EMPTIED; i++) emptied_area(i)->ready = 0;
    iol__store_state.charged = 0;
}

/* A file whose last owner is still there, or that is of another size, is of no use to anybody. */
static void map_spare(void) {
    iol__rt_store *store = &iol__store_state;
    struct stat found = {0};
    const int fd = iol__run_open(store->path, O_RDWR);
    const bool fits = fd >= 0 && sys(fstat, fd, &found) == 0 && S_ISREG(found.st_mode) &&
                      (found.st_mode & 0777) == 0600 && (uint64_t)found.st_size == store->bytes;
    const long at = fits ? sys(mmap, NULL, store->bytes, PROT_NONE, MAP_SHARED, fd, 0L) : -1;
    uint8_t *base = at == -1 ? NULL : (uint8_t *)at;
    const bool ours = base && prepare_head(fd, base) && lock_mapping(fd, base) && empty_spare(fd, base);
    if (fd >= 0) sys(close, fd);
    if (!ours) {
        if (base) sys(munmap, base, store->bytes);
        forget_pages();
        iol__run_remove(store->path, false);
        return;
    }
    store->device = found.st_dev;
    store->inode = found.st_ino;
    store->base = base;
    store->mapped = store->locked = store->at_home = true;
}

/* Whether there was one. Even if it was of no use, the user's sum has a file that is not there any more. */
static bool find_spare(void) {
    set_path(iol__core_state.directory, nonce());
    if (!take_spare()) return false;
    map_spare();
    return true;
}

static bool is_small(uint64_t *areas) {
    const iol__rt_store *store = &iol__store_state;
    *areas = 0;
    for (unsigned i = 0; i < EMPTIED; i++) {
        const uint64_t ready = emptied_area(i)->ready;
        if (ready > PAGE) return false;
        if (ready) *areas |= UINT64_C(1) << i;
    }
    return store->names.ready == FIRST_NAMES && store->custom.ready == 0 && store->trace.ready == 0;
}

/* A kill in the middle leaves a file that looks as one that was never begun. */
static bool leave_spare(void) {
    const iol__rt_store *store = &iol__store_state;
    const iol__core *core = &iol__core_state;
    uint64_t areas;
    if (!store->base || !store->mapped || !store->locked || !store->at_home || store->unsaved || !is_small(&areas))
        return false;
    if (core->world_size > 0 || (core->job && !iol__job_has_charge())) return false;
    iol__store_spare()->areas = areas;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    iol__store_header()->magic = 0;
    for (unsigned i = 0; i < SPARE_TRIES; i++) {
        name_spare(i);
        if (iol__run_rename(store->path, spare_path)) {
            iol__job_leave_charge();
            return true;
        }
        if (errno != EEXIST) break;
    }
    iol__store_header()->magic = IOL_LOG_MAGIC;
    return false;
}

bool iol__store_done_with(void) { return leave_spare() || iol__store_remove(); }

void iol__store_go_on(void) { iol__store_header()->magic = IOL_LOG_MAGIC; }

void iol__store_world(void) {
    iol__mapped *facts = iol__store_facts();
    facts->world = iol__core_state.world;
    facts->world_rank = iol__core_state.world_rank;
    facts->world_size = iol__core_state.world_size;
    facts->late = iol__core_state.after_world;
}

static void fill_head(void) {
    iol__rt_store *store = &iol__store_state;
    iol__log_header *header = iol__store_header();
    iol__mapped *facts = iol__store_facts();
    const iol__core *core = &iol__core_state;
    iol__store_spare()->mounts = iol__job_record_fill(iol__store_job(), iol__store_text());
    memcpy(header->version, IOL_LOG_VERSION, sizeof IOL_LOG_VERSION);
    header->compression = IOL_LOG_PLAIN;
    header->names = (iol__region){store->names.at, 0};
    facts->bytes = sizeof *facts;
    facts->pid = core->pid;
    facts->parent = (int32_t)sys(getppid, 0);
    facts->born = core->born;
    facts->name_space = core->name_space;
    facts->locked = store->locked;
    facts->run = core->run | core->job;
    facts->run_zero = core->run_zero;
    memcpy(facts->key, core->run_key, sizeof facts->key);
    facts->zero_s = core->zero_s;
    facts->zero_ns = core->zero_ns;
    facts->start = core->start;
    facts->lost = core->lost;
    iol__store_world();
    facts->trace_at = store->trace.at;
    facts->sizes_at = store->sizes.at;
    facts->removed_at = store->removed.at;
    facts->custom_at = store->custom.at;
    for (int fd = 0; fd < 3; fd++) iol__descriptor_target(fd, facts->target[fd], IOL_MAPPED_TARGET);
    memcpy(facts->magic, IOL_MAPPED_MAGIC, sizeof facts->magic);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    header->magic = IOL_LOG_MAGIC; /* from here on it is a log */
}

/* Without a file the records are lost with the process, but not before. */
static void map_memory(void) {
    iol__rt_store *store = &iol__store_state;
    const long at = sys(mmap, NULL, store->bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0L);
    store->mapped = store->locked = store->childless = false;
    store->path[0] = 0;
    if (at == -1) return;
    if (!open_head((uint8_t *)at)) {
        sys(munmap, (uint8_t *)at, store->bytes);
        return;
    }
    store->base = (uint8_t *)at;
}

/* What killed programs leave must not fill the place for others. */
static bool is_roomy(const char *place) {
    enum { PART = 4, ENOUGH = 64 << 20 };
    struct statfs facts = {0};
    if (sys(statfs, place, &facts) != 0 || facts.f_bsize <= 0) return true;
    const uint64_t block = (uint64_t)facts.f_bsize, part = (uint64_t)facts.f_blocks * block / PART;
    return (uint64_t)facts.f_bavail * block >= (part < ENOUGH ? part : ENOUGH);
}

/* In the job's directory, which may have become a log meanwhile. */
static void map_in_job(void) {
    const char *directory = iol__core_state.directory;
    const bool spare = find_spare();
    if (!iol__job_charge(spare) || iol__store_state.base || map_file(directory)) return;
    const bool gone = errno == ENOENT;
    if (!gone || !iol__job_join_again() || !map_file(directory)) iol__job_uncharge();
}

static void map_somewhere(void) {
    const char *place;
    if (iol__job_join()) {
        map_in_job();
        return;
    }
    if (iol__core_state.run) find_spare();
    for (unsigned n = 0; !iol__store_state.base && (place = iol__store_place(n)); n++)
        if (iol__core_state.run || is_roomy(place)) map_file(place);
}

/* Addresses that are set aside count as locked memory where a program locks all that it will ever have, and users may
   lock little. Then there is room for less; past that records are folded, as ever. */
static void find_room(void) {
    iol__rt_store *store = &iol__store_state;
    for (int narrow = 0; !store->base && narrow < 2; narrow++) {
        set_areas(narrow);
        if (!addresses_allowed(store->bytes)) continue;
        if (size_allowed(store->bytes)) map_somewhere();
        if (!store->base) map_memory();
    }
}

static void make_store(void) {
    iol__rt_store *store = &iol__store_state;
    iol__process_announce();
    if (!iol__core_state.run) iol__core_state.born = iol__process_born();
    find_room();
    if (!store->base) {
        store->failed = true;
        return;
    }
    store->generation++;
    store->names.ready = FIRST_NAMES;
    store->charged += FIRST_NAMES;
    fill_head();
    iol__modules_stored();
    store->made = true;
}

/* A handler that leaves by longjmp would leave a file that nobody knows of. */
static void make_undisturbed(void) {
    uint64_t before;
    const bool kept = iol__signals_keep_waiting(&before);
    make_store();
    if (kept) let_signals_in(before);
}

bool iol__store_open(void) {
    iol__rt_store *store = &iol__store_state;
    if (store->made || store->failed) return store->made;
    if (iol__root_moved()) {
        store->failed = true;
        iol__page.live = 0;
        iol__core_state.phase = IOL_PHASE_OFF;
        return false;
    }
    make_undisturbed();
    if (store->failed) iol__switch_off("no memory for records");
    return store->made;
}

/* The thread that forked may be in the middle of an update, below a signal handler, and will end it: what could be
   touched stays so, as memory of nobody. It takes the place of the parent's in one step. */
static void leave_range(uint64_t from, uint64_t ready, uint64_t to) {
    uint8_t *base = iol__store_state.base;
    if (ready > from)
        sys(mmap, base + from, ready - from, PROT_READ | PROT_WRITE,
            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0L);
    if (to > ready) sys(munmap, base + ready, to - ready);
}

static void leave_area(const iol__area *area) { leave_range(area->at, area->at + area->ready, area->at + area->room); }

/* A forked child does not have the mapping, but the thread that forked may return from a signal handler into an update
   that writes there: memory of nobody takes the place, unless something else has it by now. */
void iol__store_in_child(void) {
    const iol__rt_store *store = &iol__store_state;
    if (store->base && store->mapped && store->childless)
        sys(mmap, store->base, store->bytes, PROT_READ | PROT_WRITE,
            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0L);
}

static void leave_areas(void) {
    const iol__rt_store *store = &iol__store_state;
    leave_range(0, store->names.at, store->names.at);
    leave_area(&store->names);
    for (int slot = 0; slot < IOL_SLOTS_KNOWN; slot++)
        if (store->modules[slot].room) leave_area(&store->modules[slot]);
    leave_area(&store->sizes);
    leave_area(&store->removed);
    leave_area(&store->custom);
    leave_area(&store->trace);
}

void iol__store_leave(void) {
    iol__rt_store *store = &iol__store_state;
    const bool child = iol__core_state.pid && sys(getpid, 0) != iol__core_state.pid;
    if (child && store->childless)
        iol__store_in_child();
    else if (store->base && store->mapped)
        leave_areas();
    store->base = NULL;
    store->made = false;
    store->path[0] = 0;
}

bool iol__store_remove(void) {
    iol__rt_store *store = &iol__store_state;
    iol__job_uncharge();
    return !store->base || !store->mapped || iol__run_remove(store->path, false);
}

/* What the file lacks ---------------------------------------------------------------------------------------------- */

enum { CUSTOM = 0 }; /* no module has this slot; custom ones are not in the header, and what they lose is an update */

static void mark(uint64_t slots) { __atomic_fetch_or(&iol__store_header()->partial, slots, __ATOMIC_RELAXED); }

static void unsaved(int slot) {
    const uint64_t bit = UINT64_C(1) << slot;
    const uint64_t before = __atomic_fetch_or(&iol__store_state.unsaved, bit, __ATOMIC_RELAXED);
    if (slot != CUSTOM)
        mark(bit);
    else if (!(before & bit))
        __atomic_add_fetch(&iol__store_facts()->lost, 1, __ATOMIC_RELAXED);
}

void iol__store_partial(int slot) {
    __atomic_fetch_or(&iol__store_state.partial, UINT64_C(1) << slot, __ATOMIC_RELAXED);
    mark(UINT64_C(1) << slot);
}

void iol__store_file_is_all(bool alone) {
    const iol__rt_store *store = &iol__store_state;
    const uint64_t custom = UINT64_C(1) << CUSTOM;
    iol__store_header()->partial = alone ? store->partial | (store->unsaved & ~custom) : store->partial;
    iol__store_facts()->lost = iol__core_state.lost + (alone && store->unsaved & custom);
}

/* The area has grown: the file tells of it as far as it holds it. Modules without their names are incomplete, too. */
static void tell(const iol__area *area, uint64_t *noted, int slot) {
    const iol__area *names = &iol__store_state.names;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (area->used <= area->saved) *noted = area->used;
    if (area->used > area->saved || names->used > names->saved) unsaved(slot);
}

/* Records, names, chunks ------------------------------------------------------------------------------------------- */

void *iol__store_record(int slot, size_t bytes, bool beyond) {
    iol__rt_store *store = &iol__store_state;
    iol__area *area = &store->modules[slot];
    if (!iol__store_open() || (!beyond && area->used / bytes >= area->most)) return NULL;
    if (!has_room(area, area->used + bytes, beyond)) return NULL;
    return store->base + area->at + area->used;
}

void iol__store_commit(int slot, unsigned version, size_t bytes) {
    iol__area *area = &iol__store_state.modules[slot];
    iol__log_header *header = iol__store_header();
    area->used += bytes;
    header->versions[slot] = version;
    header->modules[slot].at = area->at;
    tell(area, &header->modules[slot].bytes, slot);
}

bool iol__store_name(uint64_t id, const char *name, size_t length, bool beyond) {
    iol__rt_store *store = &iol__store_state;
    iol__area *area = &store->names;
    const size_t bytes = sizeof id + length + 1;
    if (!iol__store_open() || !has_room(area, area->used + bytes, beyond)) return false;
    uint8_t *to = store->base + area->at + area->used;
    memcpy(to, &id, sizeof id);
    memcpy(to + sizeof id, name, length);
    to[sizeof id + length] = 0;
    area->used += bytes;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (area->used <= area->saved) iol__store_header()->names.bytes = area->used;
    return true;
}

/* Names stand one after the other, each with its id before it and a zero behind: what is left of the room becomes a name
   of nobody. Whatever is there while this happens, the next name begins where it did. */
enum { NOBODY = sizeof(uint64_t) + 1 };

bool iol__store_name_fits(size_t room, size_t length) { return length == room || length + NOBODY <= room; }

void iol__store_rename(uint64_t at, size_t room, uint64_t id, const char *name, size_t length) {
    uint8_t *entry = iol__store_state.base + iol__store_state.names.at + at, *text = entry + sizeof id;
    memcpy(entry, &id, sizeof id);
    if (length < room) {
        memset(text + length + 1, 0, sizeof id);
        memset(text + length + NOBODY, '-', room - length - NOBODY);
    }
    memcpy(text, name, length);
    text[length] = 0;
}

bool iol__store_size(uint64_t id, int64_t bytes) {
    iol__rt_store *store = &iol__store_state;
    iol__area *area = &store->sizes;
    iol__file_pair size = {.id = id, .value = bytes};
    if (area->room - area->used < sizeof size) return false;
    if (!store->made || !has_room(area, area->used + sizeof size, false)) return false;
    memcpy(store->base + area->at + area->used, &size, sizeof size);
    area->used += sizeof size;
    tell(area, &iol__store_facts()->sizes_bytes, IOL_SLOT_POSIX);
    return true;
}

/* A program that makes and removes the same few files again and again has an entry for each. */
static bool removed_again(uint64_t id, double time) {
    enum { LOOKED_AT = 64 };
    const iol__area *area = &iol__store_state.removed;
    iol__file_pair *all = (iol__file_pair *)(void *)(iol__store_state.base + area->at);
    const size_t count = area->used / sizeof *all;
    for (size_t i = count; i > 0 && count - i < LOOKED_AT; i--)
        if (all[i - 1].id == id) {
            all[i - 1].time = time;
            return true;
        }
    return false;
}

void iol__store_removed(uint64_t id, double time) {
    iol__rt_store *store = &iol__store_state;
    iol__area *area = &store->removed;
    const iol__file_pair pair = {.id = id, .time = time};
    if (!store->made || removed_again(id, time) || area->room - area->used < sizeof pair) return;
    if (!has_room(area, area->used + sizeof pair, false)) return;
    memcpy(store->base + area->at + area->used, &pair, sizeof pair);
    area->used += sizeof pair;
    tell(area, &iol__store_facts()->removed_bytes, IOL_SLOT_POSIX);
}

/* Custom modules have half of the budget at most, so that they cannot take it from files. */
void *iol__store_custom(size_t bytes, bool beyond) {
    iol__rt_store *store = &iol__store_state;
    iol__area *area = &store->custom;
    if (!iol__store_open() || (!beyond && area->used + bytes > area->room - FIRST)) return NULL;
    if (!has_room(area, area->used + bytes, beyond)) return NULL;
    return store->base + area->at + area->used;
}

void iol__store_custom_commit(size_t bytes) {
    iol__area *area = &iol__store_state.custom;
    area->used += bytes;
    tell(area, &iol__store_facts()->custom_bytes, CUSTOM);
}

void *iol__store_chunk(size_t bytes) {
    iol__rt_store *store = &iol__store_state;
    iol__area *area = &store->trace;
    if (!store->made || !make_ready(area, area->used + bytes, true, UINT64_MAX)) return NULL;
    return store->base + area->at + area->used;
}

void iol__store_chunk_commit(int slot, size_t bytes) {
    iol__area *area = &iol__store_state.trace;
    area->used += bytes;
    tell(area, &iol__store_facts()->trace_bytes, slot);
}
