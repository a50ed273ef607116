/* Records of the LUSTRE module. They are as long as the layout that was met first; one that has grown since, because
   more of a progressive file was written, gets a new record, and the old one is emptied. A record is changed so that a
   reader of the mapped file sees it empty or whole: its first component is written last. */
#include "runtime/lustre/lustre.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "record/mounts.h"
#include "runtime/core/files.h"
#include "runtime/core/job_record.h"
#include "runtime/core/store.h"
#include "runtime/core/sys.h"
#include "runtime/lustre/layout.h"

/* Words of 8 bytes: id, rank, components, stripes; the components; the OSTs of all. */
enum { COMPONENTS = 2, STRIPES = 3, HEAD = 4, POOL_WORDS = IOL_POOL_BYTES / 8 };
enum { COMPONENT = IOL_LUSTRE_COMP_INTS + POOL_WORDS, UNUSED = -1 };
enum { USUAL = 1024 /* bytes of an attribute that the stack of a signal handler has room for */ };
enum { TRIES = 16 /* files that may be without it, before a mount counts as one that has none */ };

uint8_t iol__lustre_here;
static uint64_t lustre_mounts; /* bit m: mount m is one */
static uint64_t asked_mounts;  /* bit m: whether it is, is known */
static uint8_t tries[IOL_MOUNTS];
static const char *attribute;
static iol__guard lock;
static int64_t components, stripes; /* of the record that is to be made */

_Static_assert(IOL_MOUNTS <= 64, "a bit for every mount");
_Static_assert(IOL_LUSTRE_COMP_STRIPE_SIZE == 0, "a component begins with what marks an unused one");

static size_t record_bytes(int64_t n_components, int64_t n_stripes) {
    return sizeof(int64_t) * (size_t)(HEAD + COMPONENT * n_components + n_stripes);
}

/* One for all files that had no room is empty: there is nothing to add up. */
static void begin_record(iol__state *state, void *record) {
    int64_t *words = record;
    words[COMPONENTS] = state->folded ? 0 : components;
    words[STRIPES] = state->folded ? components * COMPONENT + stripes : stripes;
    for (int64_t i = 0; i < words[COMPONENTS]; i++) words[HEAD + COMPONENT * i] = UNUSED;
}

static void start(void);
static void reset(void);
static void finish(void);

/* `record_bytes` is set before each record is made. */
iol__runtime_module iol__lustre_module = {
    .slot = IOL_SLOT_LUSTRE,
    .version = 2,
    .state_bytes = sizeof(iol__state),
    .begin = begin_record,
    .start = start,
    .reset = reset,
    .finish = finish,
};

static void start(void) {
    attribute = iol__core_state.config.values[IOL_SET_LUSTRE_ATTRIBUTE].text;
    if (!*attribute) iol__lustre_module.off = true;
    if (iol__lustre_module.off) iol__lustre_here = IOL_LUSTRE_NONE;
}

static void reset(void) { lock.owner = 0; }

/* Where Lustre is -------------------------------------------------------------------------------------------------- */

static bool is_lustre(const char *type) {
    unsigned at = 0;
    const size_t wanted = strlen(type);
    for (const char *list; (list = iol__setting_list(&iol__core_state.config, IOL_SET_LUSTRE_TYPES, &at)) != NULL;)
        for (size_t length; (list += strspn(list, ", \t"), length = strcspn(list, ", \t")) != 0; list += length)
            if (length == wanted && memcmp(list, type, length) == 0) return true;
    return false;
}

/* Disks of this machine, whose file systems do not know Lustre's own attribute. */
static bool is_disk(const char *type) {
    static const char types[][8] = {"ext2", "ext3", "ext4", "xfs", "btrfs", "f2fs", "vfat", "zfs"};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(type, types[i]) == 0) return true;
    return false;
}

static void look_around(void) {
    if (!iol__files_enter()) return;
    const char *type, *own = iol__core_state.config.values[IOL_SET_LUSTRE_ATTRIBUTE].text;
    uint64_t disks = 0;
    const bool lustre_alone = strncmp(own, "lustre.", 7) == 0;
    for (int32_t mount = 0; (type = iol__mount_type(mount)) != NULL; mount++) {
        if (is_lustre(type)) lustre_mounts |= UINT64_C(1) << mount;
        if (lustre_alone && is_disk(type)) disks |= UINT64_C(1) << mount;
    }
    asked_mounts = lustre_mounts | disks;
    iol__lustre_here = IOL_LUSTRE_SOME;
    iol__files_leave();
}

static bool was_asked(int32_t mount) { return mount < 0 || asked_mounts >> mount & 1; }
static bool among_lustre(int32_t mount) { return mount >= 0 && lustre_mounts >> mount & 1; }

/* Where a descriptor really leads. The kernel knows that without asking any file system. */
static int32_t real_mount(int fd) {
    char link[32], path[1024]; /* longer names are cut, and still begin with their mount */
    iol__text text = {link, sizeof link, 0};
    iol__text_add(&text, "/proc/self/fd/");
    iol__text_number(&text, fd);
    const long length = sys(readlinkat, AT_FDCWD, link, path, sizeof path);
    return length > 0 ? iol__mount_of(path, (size_t)length) : -1;
}

static void refuse(iol__file *file) {
    __atomic_or_fetch(&file->refused, UINT32_C(1) << IOL_SLOT_LUSTRE, __ATOMIC_RELAXED);
}

/* What the first file of a mount answers, of whatever type it is, holds for the mount: most file systems do not know
   such an attribute at all. One that passes the question on, as those in user space do, may not have it for every file. */
static void learn(int32_t mount, bool has, int why) {
    const uint64_t bit = UINT64_C(1) << mount;
    if (__atomic_load_n(&asked_mounts, __ATOMIC_RELAXED) & bit) return;
    if (has) __atomic_or_fetch(&lustre_mounts, bit, __ATOMIC_RELAXED);
    if (has || why == EOPNOTSUPP || (why == ENODATA && __atomic_add_fetch(&tries[mount], 1, __ATOMIC_RELAXED) >= TRIES))
        __atomic_or_fetch(&asked_mounts, bit, __ATOMIC_RELAXED);
}

/* The mount that a file is on, if that is Lustre, or may be; else -1. By its name, or else, once, by where the name led. */
static int32_t lustre_of(iol__file *file, int fd) {
    if (!iol__files_enter()) return -1;
    if (file->mount == -2) file->mount = iol__mount_of(file->name, file->length);
    int32_t mount = file->mount;
    if (!among_lustre(mount) && (lustre_mounts || !was_asked(mount))) mount = real_mount(fd);
    iol__files_leave();
    if (among_lustre(mount) || !was_asked(mount)) return mount;
    refuse(file);
    return -1;
}

/* Records ---------------------------------------------------------------------------------------------------------- */

static bool needs(iol__lustre_layout *layout) {
    iol__layout_part part;
    components = stripes = 0;
    for (layout->next = 0; iol__layout_next(layout, &part);) {
        components += part.used;
        stripes += part.counters[IOL_LUSTRE_COMP_STRIPE_COUNT];
    }
    return components > 0;
}

static void fill(int64_t *words, iol__lustre_layout *layout) {
    iol__layout_part part;
    int64_t *component = words + HEAD, *osts = component + COMPONENT * words[COMPONENTS], first = UNUSED;
    component[0] = UNUSED;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    for (layout->next = 0; iol__layout_next(layout, &part);) {
        if (!part.used) continue;
        if (first == UNUSED) {
            first = part.counters[0];
            part.counters[0] = UNUSED;
        }
        memcpy(component, part.counters, sizeof part.counters);
        memcpy(component + IOL_LUSTRE_COMP_INTS, part.pool, sizeof part.pool);
        component += COMPONENT;
        for (int64_t i = 0; i < part.counters[IOL_LUSTRE_COMP_STRIPE_COUNT]; i++) *osts++ = iol__layout_ost(&part, i);
    }
    if (component < words + HEAD + COMPONENT * words[COMPONENTS]) *component = UNUSED;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    words[HEAD] = first;
}

/* The record of a file with room for what is needed; NULL if there is none. */
static int64_t *record_of(iol__file *file) {
    iol__state *known = file->states[iol__lustre_module.index];
    int64_t *old = known && !known->folded ? known->record : NULL;
    if (old && old[COMPONENTS] >= components && old[STRIPES] >= stripes) return old;
    if (old) known->record = NULL;
    iol__lustre_module.record_bytes = record_bytes(components, stripes);
    const iol__state *state = iol__state_of(file, &iol__lustre_module);
    if (!state || state->folded) {
        if (old) known->record = old;
        return NULL;
    }
    if (old) old[HEAD] = UNUSED;
    return state->record;
}

static void note(iol__file *file, int32_t mount, const uint8_t *bytes, size_t length) {
    iol__lustre_layout layout;
    if (!iol__layout_open(&layout, bytes, length)) {
        if (iol__core_state.verbose) iol__say("Lustre's layout cannot be understood: ", file->name);
        return;
    }
    int64_t *record = needs(&layout) ? record_of(file) : NULL;
    if (!record) return;
    fill(record, &layout);
    iol__lustre_count(mount);
}

static void ask(iol__file *file, int32_t mount, int fd) {
    static uint8_t all[IOL_LAYOUT_MOST];
    uint8_t few[USUAL];
    const uint8_t *bytes = few;
    long length = sys(fgetxattr, fd, attribute, few, sizeof few);
    learn(mount, length >= 0 || errno == ERANGE, errno);
    if (length < 0 && errno == EOPNOTSUPP) refuse(file);
    if (length < 0 && errno != ERANGE) return;
    if (!iol__guard_enter(&lock)) {
        iol__count_lost();
        return;
    }
    if (length < 0) {
        bytes = all;
        length = sys(fgetxattr, fd, attribute, all, sizeof all);
    }
    if (length > 0) note(file, mount, bytes, (size_t)length);
    iol__guard_leave(&lock);
}

void iol__lustre_ask(iol__file *file, int fd) {
    if (!iol__mine() || *file->name == '<') return; /* standard streams, and those that had no room */
    const int saved = errno;
    if (iol__lustre_here == IOL_LUSTRE_UNKNOWN) look_around();
    if (iol__lustre_here == IOL_LUSTRE_SOME && !(file->refused >> IOL_SLOT_LUSTRE & 1)) {
        const int32_t mount = lustre_of(file, fd);
        if (mount >= 0) ask(file, mount, fd);
    }
    errno = saved;
}

/* Files that were never closed. */
static void finish(void) {
    if (!iol__store_state.made) return;
    if (iol__lustre_here == IOL_LUSTRE_UNKNOWN) look_around();
    if (iol__lustre_here != IOL_LUSTRE_SOME) return;
    for (int fd = 0; fd < iol__descriptors_end; fd++) {
        const iol__opened *opened = iol__descriptors[fd];
        if ((uintptr_t)opened > (uintptr_t)IOL_EXCLUDED) iol__lustre_ask(opened->file, fd);
    }
}

/* For the log ------------------------------------------------------------------------------------------------------ */

size_t iol__lustre_stored(const void *record) {
    const int64_t *words = record;
    return record_bytes(words[COMPONENTS], words[STRIPES]);
}

static void used_of(const int64_t *words, int64_t *n_components, int64_t *n_stripes) {
    const int64_t *component = words + HEAD;
    *n_components = *n_stripes = 0;
    for (; *n_components < words[COMPONENTS] && *component != UNUSED; component += COMPONENT, ++*n_components)
        *n_stripes += component[IOL_LUSTRE_COMP_STRIPE_COUNT];
}

size_t iol__lustre_packed(const void *record) {
    int64_t n_components, n_stripes;
    used_of(record, &n_components, &n_stripes);
    return n_components ? record_bytes(n_components, n_stripes) : 0;
}

void iol__lustre_pack(const void *record, void *to) {
    const int64_t *words = record;
    int64_t *packed = to, n_components, n_stripes;
    used_of(words, &n_components, &n_stripes);
    const size_t before = HEAD + COMPONENT * (size_t)n_components;
    memcpy(packed, words, before * sizeof *packed);
    memcpy(packed + before, words + HEAD + COMPONENT * words[COMPONENTS], (size_t)n_stripes * sizeof *packed);
    packed[COMPONENTS] = n_components;
    packed[STRIPES] = n_stripes;
}
