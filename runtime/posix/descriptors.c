/* What each descriptor number stands for. Every call that makes, copies or closes descriptors keeps this table true; a
   number that we did not see being opened (inherited, received through a socket) is asked for once, at its first use. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>

#include "runtime/core/core.h"
#include "runtime/core/files.h"
#include "runtime/core/sys.h"
#include "runtime/core/text.h"
#include "runtime/posix/late.h"
#include "runtime/posix/posix.h"

iol__opened *iol__descriptors[IOL_DESCRIPTORS];
int iol__descriptors_end;
bool iol__stderr_changed;
/* The description that a number had last waits there for the next file of that number: no lock is needed, because the
   kernel gives a number to one thread at a time. The rest are in a list. */
static iol__opened *waiting[IOL_DESCRIPTORS];
static iol__opened *spare;

static bool real_file(const iol__opened *opened) { return (uintptr_t)opened > (uintptr_t)IOL_EXCLUDED; }

static __attribute__((noinline)) iol__opened *take_spare(void) {
    if (!iol__files_enter()) return NULL;
    iol__opened *opened = spare;
    if (opened)
        spare = opened->next;
    else
        opened = iol__files_memory(sizeof *opened);
    iol__files_leave();
    return opened;
}

static inline iol__opened *take(int fd) {
    iol__opened *opened = waiting[fd];
    waiting[fd] = NULL;
    return IOL_LIKELY(opened != NULL) ? opened : take_spare();
}

static __attribute__((noinline)) void drop_spare(iol__opened *opened) {
    if (!iol__files_enter()) return;
    opened->next = spare;
    spare = opened;
    iol__files_leave();
}

/* The last descriptor of a description gives it back. It stays readable: a thread may still be at it. */
static inline void drop(int fd, iol__opened *opened) {
    if (!real_file(opened)) return;
    if (opened->links == 1)
        opened->links = 0;
    else if (__atomic_sub_fetch(&opened->links, 1, __ATOMIC_ACQ_REL) != 0)
        return;
    iol__file_done(opened->file);
    if (IOL_LIKELY(!waiting[fd]))
        waiting[fd] = opened;
    else
        drop_spare(opened);
}

static __attribute__((noinline)) void move_end(int end) {
    int old = __atomic_load_n(&iol__descriptors_end, __ATOMIC_RELAXED);
    while (old < end &&
           !__atomic_compare_exchange_n(&iol__descriptors_end, &old, end, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
}

static inline __attribute__((always_inline)) void set(int fd, iol__opened *opened) {
    iol__opened *old = iol__descriptors[fd];
    iol__descriptors[fd] = opened;
    if (IOL_UNLIKELY(fd >= __atomic_load_n(&iol__descriptors_end, __ATOMIC_RELAXED))) move_end(fd + 1);
    drop(fd, old);
    if (fd == 2) iol__stderr_changed = true;
}

/* A thread whose descriptor was closed under it may still be at this description, so pointers are never empty. */
static void begin(iol__opened *opened, iol__file *file) {
    __atomic_store_n(&opened->posix, iol__posix_absent(), __ATOMIC_RELAXED);
    __atomic_store_n(&opened->file, file, __ATOMIC_RELAXED);
    opened->offset = 0;
    opened->links = 1;
    opened->append = opened->read_only = false;
}

iol__opened *iol__descriptor_new(int fd, iol__file *file, bool excluded) {
    if ((unsigned)fd >= IOL_DESCRIPTORS || !iol__mine()) return NULL;
    iol__opened *opened = file ? take(fd) : NULL;
    if (opened) begin(opened, file);
    set(fd, opened ? opened : excluded ? IOL_EXCLUDED : IOL_NO_FILE);
    return opened;
}

void iol__descriptor_share(int fd, int old) {
    if ((unsigned)fd >= IOL_DESCRIPTORS || fd == old || !iol__mine()) return;
    iol__opened *opened = (unsigned)old < IOL_DESCRIPTORS ? iol__descriptors[old] : IOL_NO_FILE;
    if (real_file(opened)) __atomic_add_fetch(&opened->links, 1, __ATOMIC_ACQ_REL);
    set(fd, opened);
}

void iol__descriptor_forget(int fd) {
    if ((unsigned)fd < IOL_DESCRIPTORS && iol__descriptors[fd] && iol__mine()) set(fd, IOL_UNKNOWN);
}

void iol__descriptor_no_file(int fd) {
    if ((unsigned)fd < IOL_DESCRIPTORS && iol__mine()) set(fd, IOL_NO_FILE);
}

void iol__descriptors_forget(unsigned first, unsigned last) {
    if (!iol__mine()) return;
    for (unsigned fd = first; fd <= last && fd < IOL_DESCRIPTORS; fd++)
        if (iol__descriptors[fd]) set((int)fd, IOL_UNKNOWN);
}

/* What the kernel would say of the null device, and of pipes and sockets without a name: most standard streams are such. */
static bool name_without_asking(int fd, iol__text *text) {
    enum { PIPES = 0x50495045, SOCKETS = 0x534f434b };
    struct stat st = {0};
    struct statfs facts = {0};
    if (sys(fstat, fd, &st) != 0) return false;
    if (S_ISCHR(st.st_mode) && st.st_rdev == makedev(1, 3)) {
        iol__text_add(text, "/dev/null");
        return true;
    }
    if ((!S_ISFIFO(st.st_mode) && !S_ISSOCK(st.st_mode)) || sys(fstatfs, fd, &facts) != 0) return false;
    if (facts.f_type != PIPES && facts.f_type != SOCKETS) return false;
    iol__text_add(text, facts.f_type == PIPES ? "pipe:[" : "socket:[");
    iol__text_number(text, (int64_t)st.st_ino);
    iol__text_add(text, "]");
    return true;
}

/* Links in /proc are made for each process that asks for one. */
size_t iol__descriptor_target(int fd, char *to, size_t room) {
    char link[40];
    iol__text name = {to, room, 0}, text = {link, sizeof link, 0};
    if (name_without_asking(fd, &name)) return name.length;
    iol__text_add(&text, "/proc/self/fd/");
    iol__text_number(&text, fd);
    const long got = sys(readlinkat, AT_FDCWD, link, to, room - 1);
    const size_t length = got > 0 ? (size_t)got : 0;
    to[length] = 0;
    return length;
}

/* Where a descriptor leads, without " (deleted)" behind it; 0 if that is not a path. */
static size_t read_link(int fd, char *to, size_t room) {
    static const char deleted[] = " (deleted)";
    const size_t tail = sizeof deleted - 1;
    size_t length = iol__descriptor_target(fd, to, room);
    if (*to != '/') return 0;
    if (length > tail && memcmp(to + length - tail, deleted, tail) == 0) to[length -= tail] = 0;
    return length;
}

static iol__opened *discover(int fd) {
    char path[1024];
    bool excluded = false;
    const size_t length = read_link(fd, path, sizeof path);
    iol__file *known = length ? iol__file_at(AT_FDCWD, path, &excluded) : NULL, *file = known;
    const long offset = file ? sys(lseek, fd, 0L, SEEK_CUR) : 0;
    if (offset < 0) file = NULL;
    iol__opened *opened = iol__descriptor_new(fd, file, excluded);
    if (!opened && known) iol__file_done(known);
    if (!opened) return NULL;
    opened->offset = offset;
    const long flags = sys(fcntl, fd, F_GETFL, 0L);
    opened->append = flags >= 0 && (flags & O_APPEND);
    return opened;
}

iol__opened *iol__descriptor_discover(int fd) {
    if (fd < 0 || !iol__awake()) return NULL;
    if (IOL_UNLIKELY(iol__files_inside())) return &iol__late_opened;
    const int saved = errno;
    const bool changed = iol__stderr_changed; /* asking is not a change */
    iol__opened *opened = discover(fd);
    iol__stderr_changed = changed;
    errno = saved;
    return opened;
}

const iol__file *iol__descriptor_directory(int fd, bool *excluded) {
    if ((unsigned)fd >= IOL_DESCRIPTORS) return NULL;
    iol__opened *opened = iol__descriptors[fd];
    *excluded = opened == IOL_EXCLUDED;
    return real_file(opened) ? opened->file : NULL;
}
