/* The files a process has used, by the id of their name, and the states that modules keep of them. All of it is behind
   one lock that is taken when a file is opened or seen for the first time, never when it is read or written. */
#include "runtime/core/files.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "record/hash.h"
#include "runtime/core/evict.h"
#include "runtime/core/filter.h"
#include "runtime/core/job_record.h"
#include "runtime/core/sys.h"
#include "runtime/core/store.h"

enum {
    PATH_ROOM = 8192,
    BLOCK = 256 << 10,      /* of private memory */
    SMALL_BLOCK = 32 << 10, /* where there is little */
    FIRST_BLOCK = 3 << 10,  /* for the few files that most processes use */
    FIRST_ENTRIES = 1 << 5, /* of the table */
    MORE_ENTRIES = 1 << 10,
    LAST_ENTRIES = 1 << 20,
    RECENT_BITS = 6,
    UNIT = 16, /* of the memory of files */
    UNIT_KINDS = 48,
    LOOKS = 128,
    UNCHARGED = 64 << 10, /* private memory that everybody has */
};

typedef struct files_entry {
    uint64_t id;
    iol__file *file;
} files_entry;

static const char folded_name[] = "<FOLDED>";
static iol__file unseen_file; /* stands in the table where a folded one was, before a fork */
static iol__file folded_file = {.name = folded_name, .length = sizeof folded_name - 1, .mount = -1};

static iol__guard lock;
static uintptr_t lock_frame; /* where on its stack the owner took it */
static files_entry first_table[FIRST_ENTRIES], *table;
static uint32_t entries, taken;
static uint8_t first_block[FIRST_BLOCK] __attribute__((aligned(16))), *block;
static size_t block_left;
static uint64_t private_bytes; /* that are charged to the budget */
static iol__file *spare_files[UNIT_KINDS];
static uint64_t spare_kinds; /* a bit for each length of which there is one, or was */
_Static_assert(UNIT_KINDS <= 64, "a bit for each");
static iol__state *spare_states[IOL_MODULES], *folded_states[IOL_MODULES];
static bool newly_folded; /* the name that was looked up last is one more that has no record */
static uint32_t hand;     /* the entry of the table that is looked at next for a file that nobody needs */
static iol__state *states;
static iol__runtime_module *modules[IOL_MODULES];
static unsigned n_modules;

static char path_buffer[PATH_ROOM + 32]; /* not on the stack, which may be the small one of a signal handler */
static iol__file *recent[1 << RECENT_BITS];
static iol__file nobody = {.name = "?"}; /* names of files begin with a slash, or "<" */
iol__file *iol__file_latest = &nobody;
static char directory[4096];
static size_t directory_length; /* 0: not known */
bool iol__directory_harmless;

void iol__module_start(iol__runtime_module *module) {
    if (module->slot) module->off = !iol__module_enabled(&iol__core_state.config, module->slot);
    if (module->begin) {
        module->index = n_modules;
        modules[n_modules++] = module;
    }
    if (module->start) module->start();
}

const iol__runtime_module *iol__module_of(int slot) {
    for (unsigned i = 0; i < n_modules; i++)
        if (modules[i]->slot == slot) return modules[i];
    return NULL;
}

/* A signal handler that interrupts us inside must not go in; it runs deeper on the same stack, or on one of its own.
   Who comes back at about the same depth or above is out of there for good: the handler left by longjmp. What the kernel
   puts on the stack for a handler is larger than the difference between the ways that lead here. */
enum { SIGNAL_FRAME = 1024 };

static bool abandoned(uintptr_t me, uintptr_t frame) {
    stack_t now = {0};
    if (lock.owner != me || frame + SIGNAL_FRAME < lock_frame) return false;
    return sys(sigaltstack, NULL, &now) == 0 && !(now.ss_flags & SS_ONSTACK);
}

/* Held while space is made on a disk, so waiting may take a while. If it never ends, the thread that was inside was
   cancelled there, and what it left is not to be relied on. */
static __attribute__((noinline)) bool enter_slowly(uintptr_t frame) {
    const uintptr_t me = iol__me();
    if (iol__guard_wait(&lock, me) || abandoned(me, frame)) {
        lock_frame = frame;
        return true;
    }
    if (lock.owner != me) iol__switch_off("a thread was cancelled while it opened a file");
    iol__count_lost();
    return false;
}

/* A thread that was cancelled inside would end the recording of all: while it is there, it cannot be. */
static __attribute__((noinline)) bool enter_undisturbed(uintptr_t frame) {
    uint64_t before;
    const bool held = iol__signals_keep_waiting(&before), free = iol__guard_try(&lock);
    if (free) lock_frame = frame;
    const bool entered = free || enter_slowly(frame);
    if (held && !(entered && iol__files_hold_signals(before))) iol__signals_let_in(before);
    return entered;
}

bool iol__files_enter(void) {
    const uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
    if (IOL_UNLIKELY(iol__any_mortals) && iol__thread.mortal) return enter_undisturbed(frame);
    if (IOL_UNLIKELY(!iol__guard_try(&lock))) return enter_slowly(frame);
    lock_frame = frame;
    return true;
}

bool iol__files_inside(void) { return __atomic_load_n(&lock.owner, __ATOMIC_RELAXED) == iol__me(); }

/* What waits until the owner leaves: its signals, and what its signal handlers have noted. */
static bool something_waits, signals_wait;
static uint64_t signals_before;
static void (*when_left)(void);

void iol__files_when_left(void (*what)(void)) {
    when_left = what;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    something_waits = true;
}

bool iol__files_hold_signals(uint64_t before) {
    if (!iol__files_inside()) return false;
    if (!signals_wait) signals_before = before;
    signals_wait = something_waits = true;
    return true;
}

/* What a handler notes while this goes on is done with the rest. The thread may be cancelled as soon as its signals come in. */
static __attribute__((noinline)) void leave_to_what_waits(void) {
    const uint64_t before = signals_before;
    const bool signals = signals_wait;
    something_waits = signals_wait = false;
    void (*const what)(void) = when_left;
    when_left = NULL;
    __atomic_store_n(&lock.owner, 0, __ATOMIC_RELEASE);
    if (what) {
        const int saved = errno;
        what();
        errno = saved;
    }
    if (signals) iol__signals_let_in(before);
}

/* No update waits for this one. */
void iol__files_leave(void) {
    if (IOL_UNLIKELY(something_waits))
        leave_to_what_waits();
    else
        __atomic_store_n(&lock.owner, 0, __ATOMIC_RELEASE);
}

/* Private memory --------------------------------------------------------------------------------------------------- */

void *iol__files_memory(size_t bytes) {
    bytes = (bytes + 15) & ~(size_t)15;
    if (bytes > block_left) {
        size_t room = block || bytes > FIRST_BLOCK ? BLOCK : FIRST_BLOCK;
        uint8_t *new = room == FIRST_BLOCK ? first_block : bytes > room ? NULL : iol__sys_memory(room);
        if (!new &&bytes <= SMALL_BLOCK) new = iol__sys_memory(room = SMALL_BLOCK);
        if (!new) {
            iol__count_lost();
            return NULL;
        }
        block = new;
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        block_left = room;
    }
    void *given = block;
    block_left -= bytes; /* first: a child that is forked in between must not give out what is not there */
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    block += bytes;
    return given;
}

void *iol__files_charged(size_t bytes) {
    void *given = iol__files_memory(bytes);
    if (given) private_bytes += bytes;
    return given;
}

void *iol__files_pages(size_t bytes) {
    void *pages = iol__sys_memory(bytes);
    if (pages) private_bytes += bytes;
    return pages;
}

void iol__files_pages_back(void *pages, size_t bytes) {
    sys(munmap, pages, bytes);
    private_bytes -= bytes;
}

uint64_t iol__files_private(void) { return private_bytes > UNCHARGED ? private_bytes - UNCHARGED : 0; }

/* The table -------------------------------------------------------------------------------------------------------- */

static files_entry *find(uint64_t id) {
    uint32_t at = (uint32_t)id & (entries - 1);
    while (table[at].file && table[at].id != id) at = (at + 1) & (entries - 1);
    return &table[at];
}

static bool grow_table(void) {
    const uint32_t old_entries = entries;
    if (entries == 0) {
        table = first_table;
        entries = FIRST_ENTRIES;
        return true;
    }
    files_entry *old = table;
    const uint32_t wanted = entries == FIRST_ENTRIES ? MORE_ENTRIES : entries * 2;
    if (wanted > LAST_ENTRIES) return false;
    files_entry *new = iol__files_pages(wanted * sizeof *new);
    if (!new) return false;
    table = new;
    entries = wanted;
    for (uint32_t i = 0; i < old_entries; i++)
        if (old[i].file) *find(old[i].id) = old[i];
    if (old != first_table) iol__files_pages_back(old, old_entries * sizeof *old);
    return true;
}

/* What stands behind it, and would not be found any more, moves up. */
static void remove_entry(uint32_t at) {
    for (uint32_t next = at;;) {
        next = (next + 1) & (entries - 1);
        if (!table[next].file) break;
        const uint32_t home = (uint32_t)table[next].id & (entries - 1);
        if (((next - home) & (entries - 1)) < ((next - at) & (entries - 1))) continue;
        table[at] = table[next];
        at = next;
    }
    table[at] = (files_entry){0};
    taken--;
}

static void forget_place(const iol__file *file) {
    if (iol__file_latest == file) iol__file_latest = &nobody;
    for (size_t i = 0; i < sizeof recent / sizeof *recent; i++)
        if (recent[i] == file) recent[i] = NULL;
}

void iol__file_forget(iol__file *file) {
    files_entry *place = find(file->id);
    if (place->file == file) remove_entry((uint32_t)(place - table));
    forget_place(file);
    file->generation = 0;
    if (file->units >= UNIT_KINDS) return; /* a name so long is rare */
    file->again = spare_files[file->units];
    spare_files[file->units] = file;
    spare_kinds |= UINT64_C(1) << file->units;
}

/* Nobody uses it, and it has no record. */
static bool is_idle(const iol__file *file) {
    if (file == &folded_file || file == &unseen_file || file->pinned || __atomic_load_n(&file->uses, __ATOMIC_ACQUIRE))
        return false;
    for (unsigned m = 0; m < n_modules; m++)
        if (file->states[m] && (file->states[m]->record || !modules[m]->weight)) return false;
    return true;
}

void iol__state_spare(iol__state *state) {
    state->again = spare_states[state->module->index];
    spare_states[state->module->index] = state;
}

static iol__file *take_file(uint32_t units) {
    for (uint64_t kinds = units < UNIT_KINDS ? spare_kinds >> units << units : 0; kinds; kinds &= kinds - 1) {
        const unsigned kind = (unsigned)__builtin_ctzll(kinds);
        iol__file *file = spare_files[kind];
        if (file) {
            spare_files[kind] = file->again;
            return file;
        }
        spare_kinds &= ~(UINT64_C(1) << kind);
    }
    return NULL;
}

/* Directories, files that no module watches, and what a forked child knows from its parent, are known without a record.
   Some of them go, until one was large enough. */
static void forget_some(uint32_t units) {
    for (int i = 0; entries && i < LOOKS; i++, hand++) {
        iol__file *file = table[hand & (entries - 1)].file;
        if (!file || !is_idle(file)) continue;
        for (unsigned m = 0; m < n_modules; m++)
            if (file->states[m]) iol__state_spare(file->states[m]);
        const bool enough = file->units >= units;
        iol__file_forget(file);
        if (enough) return;
    }
}

/* Files have a quarter of the budget, so that one who looks at many has room for records of those that it uses, and leave
   a sixteenth of it to modules that have not come yet. Past that, memory comes from files that are not needed any more, and a little more for names that are longer than those
   of others. */
static iol__file *file_memory(size_t bytes) {
    static uint64_t given;
    const uint16_t units = (uint16_t)((bytes + UNIT - 1) / UNIT);
    const uint64_t room = (uint64_t)units * UNIT, budget = iol__store_budget();
    iol__file *file = take_file(units);
    if (!file && (given + room > budget / 4 || iol__store_left() < room + budget / 16)) {
        forget_some(units);
        file = take_file(units);
        if (!file && given + room > budget / 4 + budget / 16) return NULL;
    }
    if (!file && (file = iol__files_charged(room))) given += room;
    if (file && file->units < units) file->units = units;
    return file;
}

static iol__file *new_file(uint64_t id, const char *name, size_t length) {
    iol__file *file = file_memory(sizeof *file + length + 1);
    if (!file) return NULL;
    char *copy = (char *)(file + 1);
    memcpy(copy, name, length);
    copy[length] = 0;
    *file = (iol__file){.id = id, .name = copy, .length = (uint32_t)length, .mount = -2, .units = file->units};
    file->refused = iol__filter_refused(copy, length);
    return file;
}

/* The file of a clean name, known or new. Past the budget it may be that of all others. */
static iol__file *look_up(const char *name, size_t length, bool create) {
    const uint64_t id = iol__hash(name, length, 0);
    if (taken * 4 >= entries * 3 && !(create && grow_table()) && entries == 0) {
        if (create) iol__count_lost();
        return NULL;
    }
    files_entry *place = find(id);
    if (place->file == &unseen_file) place->file = NULL, taken--;
    if (place->file || !create) return place->file;
    iol__file *file = new_file(id, name, length);
    if (!file && !iol__filter_refused(name, length) && iol__store_open()) {
        if (iol__evict_first_time(id, 0)) {
            newly_folded = true;
            memset(folded_file.states, 0, sizeof folded_file.states); /* so that it is counted */
        }
        return &folded_file;
    }
    if (!file || taken * 4 >= entries * 3) return file; /* the table is as large as it may be */
    *find(id) = (files_entry){id, file};                /* its place may have moved */
    taken++;
    return file;
}

/* Names ------------------------------------------------------------------------------------------------------------ */

/* Whether there is a "/" with a "/" or "." behind it, which is rare. What stands behind the name does not count; there is
   room to look at it. */
#if defined(__SSE2__)
static inline bool looks_unclean(const char *name, size_t length) {
    const __m128i slash = _mm_set1_epi8('/'), dot = _mm_set1_epi8('.');
    for (size_t i = 0; i < length; i += 16) {
        const __m128i here = _mm_loadu_si128((const __m128i *)(const void *)(name + i));
        const __m128i next = _mm_loadu_si128((const __m128i *)(const void *)(name + i + 1));
        const __m128i behind = _mm_or_si128(_mm_cmpeq_epi8(next, slash), _mm_cmpeq_epi8(next, dot));
        unsigned found = (unsigned)_mm_movemask_epi8(_mm_and_si128(_mm_cmpeq_epi8(here, slash), behind));
        if (length - i < 16) found &= (1u << (length - i)) - 1;
        if (found) return true;
    }
    return false;
}
#else
static inline bool looks_unclean(const char *name, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (name[i] == '/' && (name[i + 1] == '/' || name[i + 1] == '.')) return true;
    return false;
}
#endif

/* "//" and "/./" become "/", nothing else is changed. */
static size_t clean_up(char *name) {
    const char *from = name;
    char *to = name, c;
    do {
        c = *from++;
        *to++ = c;
        if (c == '/')
            while (*from == '/' || (*from == '.' && from[1] == '/')) from += *from == '/' ? 1 : 2;
    } while (c);
    return (size_t)(to - name - 1);
}

/* Adds to what is in path_buffer. Returns the length of all, or 0 if that is too long. */
static size_t add_clean(size_t length, const char *path) {
    const size_t more = strlen(path);
    if (more + length + 1 > PATH_ROOM) return 0;
    memcpy(path_buffer + length, path, more + 1);
    length += more;
    return IOL_UNLIKELY(looks_unclean(path_buffer, length)) ? clean_up(path_buffer) : length;
}

static void read_directory(void) {
    const int saved = errno;
    __atomic_store_n(&iol__directory_harmless, false, __ATOMIC_RELAXED);
    const long got = sys(getcwd, directory, sizeof directory);
    directory_length = got > 1 && directory[0] == '/' ? (size_t)got - 1 : 0;
    __atomic_store_n(&iol__directory_harmless, directory_length > 0 && iol__filter_harmless(directory),
                     __ATOMIC_RELAXED);
    errno = saved;
}

void iol__directory_changed(void) {
    if (!iol__mine() || !iol__files_enter()) return;
    read_directory();
    iol__files_leave();
}

static size_t clean_below(const char *name, size_t length, const char *path) {
    if (length >= PATH_ROOM - 2) return 0;
    memcpy(path_buffer, name, length);
    if (length == 0 || name[length - 1] != '/') path_buffer[length++] = '/';
    return add_clean(length, path);
}

/* The clean name in path_buffer; 0 if there is none. *excluded is set when the directory is excluded, and what is below
   it with it. */
static size_t clean(int at, const char *path, bool *excluded) {
    if (*path == 0) return 0;
    if (*path == '/' || *path == '<') return add_clean(0, path);
    if (at != AT_FDCWD) {
        const iol__file *below = iol__descriptor_directory(at, excluded);
        if (below) return clean_below(below->name, below->length, path);
        if (*excluded) return 0;
    }
    if (directory_length == 0) read_directory();
    if (directory_length == 0) return add_clean(0, path);
    return clean_below(directory, directory_length, path);
}

static iol__file *file_at(int at, const char *path, bool *excluded, bool create) {
    const size_t length = clean(at, path, excluded);
    if (length == 0) return NULL;
    if (iol__filter_excluded(path_buffer, length)) {
        *excluded = true;
        return NULL;
    }
    return look_up(path_buffer, length, create);
}

/* Programs open the same files again and again. Where a file of this name would be if it was one of the last: what it is
   called there is a clean name, so another spelling of it is not found, and looked up as ever. */
static iol__file **recent_place(const char *path) {
    uint64_t tail = 0;
    const size_t length = strlen(path);
    if (length >= sizeof tail) memcpy(&tail, path + length - sizeof tail, sizeof tail);
    return &recent[(tail ^ length) * UINT64_C(0x9e3779b97f4a7c15) >> (64 - RECENT_BITS)];
}

/* A directory that is not known yet has to be asked for before the lock is taken. */
static void ask_for_directory(int at, const char *path) {
    if (at != AT_FDCWD && *path != '/') iol__descriptor(at);
}

iol__file *iol__file_find(int at, const char *path, bool *excluded) {
    ask_for_directory(at, path);
    if (!iol__files_enter()) return NULL;
    iol__file **recently = recent_place(path), *file = *recently;
    if (!file || strcmp(path, file->name) != 0) {
        file = file_at(at, path, excluded, true);
        if (file && file != &folded_file) *recently = file;
    }
    if (file) iol__file_hold(file);
    if (file && file != &folded_file) iol__file_latest = file;
    iol__files_leave();
    return file;
}

/* The file that a thread asked for last, in a place that it shares with few others or none, so that threads which use
   different files wait for nobody and write to nothing that they share. A file in such a place is in use. */
enum { LAST_FILES = 64 };
static struct last_file {
    iol__guard guard;
    iol__file *file;
} __attribute__((aligned(128))) last_files[LAST_FILES];
static bool any_last; /* else nobody touches their pages */

static iol__file *find_last(struct last_file *last, const char *path) {
    if (!iol__guard_take(&last->guard, false)) return NULL;
    iol__file *file = last->file;
    if (file && strcmp(path, file->name) == 0)
        __atomic_add_fetch(&file->uses, 1, __ATOMIC_RELAXED);
    else
        file = NULL;
    iol__guard_drop(&last->guard);
    return file;
}

static void remember_last(struct last_file *last, iol__file *file) {
    if (file == &folded_file || !iol__guard_take(&last->guard, false)) return;
    if (!__atomic_load_n(&any_last, __ATOMIC_RELAXED)) __atomic_store_n(&any_last, true, __ATOMIC_RELAXED);
    iol__file *before = last->file;
    __atomic_add_fetch(&file->uses, 1, __ATOMIC_RELAXED);
    last->file = file;
    iol__guard_drop(&last->guard);
    if (before) __atomic_sub_fetch(&before->uses, 1, __ATOMIC_RELEASE);
}

iol__file *iol__file_among(int at, const char *path, bool *excluded) {
    struct last_file *last = &last_files[iol__thread_number() % LAST_FILES];
    iol__file *file = find_last(last, path);
    if (file) return file;
    file = iol__file_find(at, path, excluded);
    if (file) remember_last(last, file);
    return file;
}

static void forget_last_files(void) {
    for (size_t i = 0; any_last && i < LAST_FILES; i++) {
        iol__file *file = last_files[i].file;
        if (file) file->uses--;
        if (file || last_files[i].guard.owner) last_files[i] = (struct last_file){0};
    }
}

bool iol__path_watched(int at, const char *path) {
    bool excluded = false;
    if (!iol__there(path)) return false;
    if (IOL_LIKELY(iol__path_plain(at, path))) return true;
    ask_for_directory(at, path);
    if (!iol__files_enter()) return false;
    const iol__file *file = *recent_place(path);
    bool watched = file && strcmp(path, file->name) == 0;
    if (!watched) {
        const size_t length = clean(at, path, &excluded);
        watched = length > 0 && !excluded && !iol__filter_excluded(path_buffer, length);
    }
    iol__files_leave();
    return watched;
}

void iol__path_removed(int at, const char *path, double time) {
    bool excluded = false;
    ask_for_directory(at, path);
    if (!iol__files_enter()) return;
    const size_t length = clean(at, path, &excluded);
    if (length && !excluded) iol__store_removed(iol__hash(path_buffer, length, 0), time);
    iol__files_leave();
}

/* What the module keeps of the file may have gone to <FOLDED>, and the file itself may be forgotten since. */
static iol__file *known_or_folded(const char *name, size_t length, const iol__runtime_module *module) {
    iol__file *file = look_up(name, length, false);
    if (file && file->states[module->index]) return file;
    const uint64_t id = iol__hash(name, length, 0);
    return iol__evict_was_folded(id, module->slot) || iol__evict_was_folded(id, 0) ? &folded_file : NULL;
}

iol__file *iol__file_known(int at, const char *path, const iol__runtime_module *module) {
    bool excluded = false;
    ask_for_directory(at, path);
    if (!iol__files_enter()) return NULL;
    const size_t length = clean(at, path, &excluded);
    iol__file *file = NULL;
    if (length && !excluded && !iol__filter_excluded(path_buffer, length))
        file = known_or_folded(path_buffer, length, module);
    if (file) iol__file_hold(file);
    iol__files_leave();
    return file;
}

iol__file *iol__file_named(const char *name, size_t length) {
    if (!iol__files_enter()) return NULL;
    iol__file *file = look_up(name, length, true);
    if (file) iol__file_hold(file);
    iol__files_leave();
    return file;
}

int64_t iol__file_alignment(const iol__file *file) {
    int32_t mount = file->mount;
    if (mount == -2) mount = ((iol__file *)(uintptr_t)file)->mount = iol__mount_of(file->name, file->length);
    return iol__mount_block(mount);
}

/* States ----------------------------------------------------------------------------------------------------------- */

bool iol__file_named_in_store(const iol__file *file) {
    return file->generation == iol__store_state.generation && iol__store_state.base;
}

bool iol__file_store_name(iol__file *file, bool beyond) {
    if (iol__file_named_in_store(file)) return true;
    const uint64_t at = iol__store_state.made ? iol__store_state.names.used : 0;
    if (!iol__store_name(file->id, file->name, file->length, beyond)) return false;
    file->name_at = (uint32_t)at;
    file->name_room = at <= UINT32_MAX ? file->length : 0;
    file->generation = iol__store_state.generation;
    return true;
}

static bool has_few(const iol__runtime_module *module) {
    return iol__store_state.modules[module->slot].used <= iol__store_state.budget / 32;
}

/* Other threads look at `state->record` without the lock, and a signal handler of this one may leave by longjmp at any
   line: so the record is complete, and counts, before the state has it. */
static bool make_record(iol__state *state, bool beyond) {
    const iol__runtime_module *module = state->module;
    uint64_t *record = iol__store_record(module->slot, module->record_bytes, beyond);
    if (!record || !iol__file_store_name(state->file, beyond || has_few(module))) return false;
    record[0] = state->file->id;
    record[1] = 0; /* rank */
    module->begin(state, record);
    iol__race("record");
    iol__store_commit(module->slot, module->version, module->record_bytes);
    __atomic_store_n(&state->record, record, __ATOMIC_RELEASE);
    iol__evict_note(state);
    return true;
}

unsigned iol__file_records(const iol__file *file) {
    unsigned n = 0;
    for (unsigned m = 0; m < n_modules; m++) n += file->states[m] && file->states[m]->record;
    return n;
}

static iol__state *new_state(iol__file *file, iol__runtime_module *module) {
    iol__state *state = spare_states[module->index];
    if (state) {
        spare_states[module->index] = state->again;
    } else {
        if (!(state = iol__files_charged(module->state_bytes))) return NULL;
        state->module = module;
        state->next = states;
        states = state;
    }
    state->file = file;
    __atomic_store_n(&file->states[module->index], state, __ATOMIC_RELEASE);
    return state;
}

/* With the lock held. The record for folded files may go beyond the budget. */
iol__state *iol__folded_state(iol__runtime_module *module) {
    if (folded_file.id == 0) folded_file.id = iol__hash(folded_name, sizeof folded_name - 1, 0);
    iol__state *state = folded_states[module->index];
    if (!state) state = new_state(&folded_file, module);
    if (!state) return NULL;
    if (folded_states[module->index] != state) { /* others read these without the lock once they are set */
        folded_states[module->index] = folded_file.states[module->index] = state;
        state->folded = true;
    }
    if (!state->record && !make_record(state, true)) return NULL;
    return state;
}

/* There is no room: the file's operations go to the folded record from now on. */
static iol__state *fold(iol__file *file, iol__runtime_module *module) {
    iol__state *state = iol__folded_state(module);
    if (!state) return NULL;
    if (file == &folded_file ? newly_folded : iol__evict_first_time(file->id, module->slot))
        iol__store_facts()->folded[module->slot]++;
    if (file == &folded_file) newly_folded = false;
    if (!module->weight) file->states[module->index] = state; /* else another record may give way, next time */
    iol__store_partial(module->slot);
    return state;
}

/* Whether there is room for one more state and record without another one giving way. A module that has many leaves a
   sixteenth of the budget to others. */
static bool room_for(const iol__runtime_module *module) {
    if (!iol__store_open()) return false;
    const uint64_t reserve = has_few(module) ? 0 : iol__store_state.budget / 16;
    return (spare_states[module->index] || iol__store_left() >= module->state_bytes + reserve) &&
           iol__store_record(module->slot, module->record_bytes, false);
}

static iol__state *own_state(iol__file *file, iol__runtime_module *module) {
    iol__state *state = file->states[module->index];
    if (state && state->record) return state;
    if (!state && room_for(module)) state = new_state(file, module);
    if (state && make_record(state, false)) return state;
    return iol__store_open() ? iol__evict(file, module) : NULL;
}

static iol__state *state_of(iol__file *file, iol__runtime_module *module) {
    iol__state *state = file == &folded_file ? NULL : own_state(file, module);
    if (state) return state;
    if (!iol__store_open()) return NULL;
    state = fold(file, module);
    if (!state) {
        iol__count_lost();
        iol__store_partial(module->slot);
    }
    return state;
}

iol__state *iol__state_make(iol__file *file, iol__runtime_module *module) {
    if (module->off || file->refused >> module->slot & 1 || !iol__files_enter()) return NULL;
    const int saved = errno;
    iol__state *state = state_of(file, module);
    errno = saved;
    iol__files_leave();
    return state;
}

/* Forks ------------------------------------------------------------------------------------------------------------ */

/* In the child the records are made again; what another thread held in the parent, nobody holds here. */
void iol__files_reset(void) {
    lock.owner = 0;
    something_waits = signals_wait = false;
    when_left = NULL;
    newly_folded = false;
    iol__evict_reset();
    directory_length = 0; /* it may have been half read */
    iol__directory_harmless = false;
    forget_last_files();
    for (uint32_t i = 0; i < entries; i++) {
        iol__file *file = table[i].file;
        if (file == &folded_file) table[i].file = &unseen_file;
        for (unsigned m = 0; file && m < n_modules; m++)
            if (file != &folded_file && file->states[m] && file->states[m]->folded) file->states[m] = NULL;
    }
    for (iol__state *state = states; state; state = state->next) {
        state->guard.owner = 0;
        state->record = NULL;
    }
}

iol__state *iol__files_states(void) { return states; }

iol__file *iol__file_by_id(uint64_t id) { return entries ? find(id)->file : NULL; }
