/* Facts about the process that are needed once, when the first record is made: most programs that only start others
   never ask. */
#include "runtime/core/job_record.h"

#include <fcntl.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/utsname.h>
#include <sys/vfs.h>

#include "record/hash.h"
#include "record/mapped.h"
#include "record/mounts.h"
#include "record/place.h"
#include "runtime/core/core.h"
#include "runtime/core/files.h"
#include "runtime/core/sys.h"
#include "runtime/core/text.h"

enum { TABLE_BYTES = 65536, LUSTRE = 0x0BD00BD0 };

static iol__mount mounts[IOL_MOUNTS];
static int64_t blocks[IOL_MOUNTS]; /* their sizes; 0: not asked yet */
static int n_mounts = -1;          /* not read yet, or not all */
static uint64_t mounts_stamp;      /* of this table; 0: it cannot be told whether it still holds */

/* The mount table -------------------------------------------------------------------------------------------------- */

/* A chroot into a directory that is not a mount point has no line for its root: the file system says what it is. */
static int take_mounts(const char *table) {
    struct statfs root = {0};
    const char *type = NULL;
    if (iol__mounts_lack_root(table) && sys(statfs, "/", &root) == 0)
        type = iol__mount_type_of_number((uint64_t)root.f_type);
    return iol__mounts_take(table, type, mounts);
}

/* A number that changes with what is mounted, in this namespace and below this root; 0 where the kernel does not say. It is
   not asked where somebody filters system calls: one that is new may be one that kills. Valgrind, which a static program
   cannot see, has something to say about it. */
static uint64_t stamp_mounts(void) {
    enum { IDS = 128, ALL = -1 };
    struct {
        uint32_t size, spare;
        uint64_t mount, after;
    } ask = {.size = sizeof ask, .mount = (uint64_t)ALL};
    uint64_t ids[IDS + 2] = {0};
    if (getauxval(AT_BASE) == 0 || iol__core_state.valgrind || iol__core_state.root_inode == 0 ||
        sys(prctl, PR_GET_SECCOMP, 0L, 0L, 0L, 0L) != 0)
        return 0;
    long have = sys(listmount, &ask, ids, IDS, 0);
    if (have <= 0 || have >= IDS) return 0;
    ids[have++] = iol__core_state.root_device;
    ids[have++] = iol__core_state.root_inode;
    return iol__hash(ids, (size_t)have * sizeof *ids, 0) | 1;
}

/* A child that another thread forks meanwhile must not take a part for the whole: the number comes last. */
static void read_mounts(void) {
    mounts_stamp = stamp_mounts();
    char *table = iol__sys_memory(TABLE_BYTES);
    int have = 0;
    if (table && iol__sys_read_file("/proc/self/mounts", table, TABLE_BYTES - 1) > 0) have = take_mounts(table);
    if (table) sys(munmap, table, TABLE_BYTES);
    __atomic_store_n(&n_mounts, have, __ATOMIC_RELEASE);
}

void iol__mounts_for_children(void) {
    if (__atomic_load_n(&n_mounts, __ATOMIC_RELAXED) >= 0 || !iol__files_enter()) return;
    if (n_mounts < 0) read_mounts();
    iol__files_leave();
}

int32_t iol__mount_of(const char *path, size_t length) {
    if (n_mounts < 0) read_mounts();
    int32_t best = -1;
    for (int i = 0; i < n_mounts; i++) {
        const size_t prefix = mounts[i].length;
        if (prefix > length || memcmp(path, mounts[i].path, prefix) != 0) continue;
        if (prefix > 1 && prefix < length && path[prefix] != '/') continue;
        if (best < 0 || prefix > mounts[best].length) best = i;
    }
    return best;
}

const char *iol__mount_type(int32_t number) {
    if (n_mounts < 0) read_mounts();
    return number >= 0 && number < n_mounts ? mounts[number].type : NULL;
}

const char *iol__mount_path(int32_t number) { return mounts[number].path; }
const char *iol__mount_volume(int32_t number) { return mounts[number].volume; }

int64_t iol__mount_block(int32_t number) {
    if (number < 0) return -1;
    if (blocks[number] == 0) {
        struct statfs facts = {0};
        if (sys(statfs, mounts[number].path, &facts) != 0 || facts.f_bsize <= 0)
            blocks[number] = 4096;
        else
            blocks[number] = facts.f_type == LUSTRE ? 1 << 20 : facts.f_bsize;
    }
    return blocks[number];
}

/* The process ------------------------------------------------------------------------------------------------------ */

static bool is_plain(const iol__mount *mount) {
    return !mount->path[strcspn(mount->path, "\t\n")] && !mount->type[strcspn(mount->type, "\t\n")] &&
           strcmp(mount->type, "lustre") != 0;
}

/* Whether that is all that is to be known of them; of Lustre it is not. */
static bool add_mounts(char *to, size_t length) {
    iol__text text = {to, IOL_LOG_TEXT, length};
    bool all = true;
    for (int i = 0; i < n_mounts; i++) {
        const size_t bytes = strlen(mounts[i].type) + mounts[i].length + 2;
        all = all && is_plain(&mounts[i]);
        if (bytes > 255 || text.length + bytes >= IOL_LOG_TEXT) {
            all = false;
            continue;
        }
        iol__text_add(&text, "\n");
        iol__text_add(&text, mounts[i].type);
        iol__text_add(&text, "\t");
        iol__text_add(&text, mounts[i].path);
    }
    return all;
}

/* The next line of what is written above, if it is whole. */
static const char *take_line(const char *at, iol__mount *mount) {
    const size_t type = strcspn(at, "\t\n"), path = at[type] == '\t' ? strcspn(at + type + 1, "\n") : 0;
    if (type >= sizeof mount->type || path == 0 || path >= sizeof mount->path) return NULL;
    *mount = (iol__mount){.length = (uint16_t)path};
    memcpy(mount->type, at, type);
    memcpy(mount->path, at + type + 1, path);
    return at + type + 1 + path;
}

/* Reading the kernel's table takes longer than all else that a process with one file needs. */
void iol__mounts_take_over(const char text[IOL_LOG_TEXT], uint64_t stamp) {
    if (n_mounts >= 0 || stamp == 0 || !memchr(text, 0, IOL_LOG_TEXT) || stamp != stamp_mounts()) return;
    const char *at = strchr(text, '\n');
    int have = 0;
    while (at && *at == '\n' && have < IOL_MOUNTS) at = take_line(at + 1, &mounts[have++]);
    if (!at || *at) return;
    mounts_stamp = stamp;
    __atomic_store_n(&n_mounts, have, __ATOMIC_RELEASE);
}

uint64_t iol__job_record_fill(iol__log_job *job, char *text) {
    const iol__core *core = &iol__core_state;
    const long user = (long)getauxval(AT_UID);
    job->uid = user ? user : iol__sys_user();
    job->start_s = core->zero_s;
    job->start_ns = core->zero_ns;
    job->processes = 1;
    job->id = iol__job_id(&core->config, core->environment, core->session ? core->session : core->first_pid);
    iol__text metadata = {job->metadata, sizeof job->metadata, 0};
    iol__text_add(&metadata, "lib_ver=3.5.0\niolite=" IOLITE_VERSION "\n");
    static struct utsname host;
    if (sys(uname, &host) == 0) {
        iol__text_add(&metadata, "hostname=");
        iol__text_add(&metadata, host.nodename);
        iol__text_add(&metadata, "\n");
    }
    if (core->fork_parent) {
        iol__text_add(&metadata, "fork_parent=");
        iol__text_number(&metadata, core->fork_parent);
        iol__text_add(&metadata, "\n");
    }
    if (n_mounts < 0) read_mounts();
    const size_t length = strlen(core->command);
    memcpy(text, core->command, length + 1);
    return length < IOL_LOG_TEXT - 1 && add_mounts(text, length) ? mounts_stamp : 0;
}

/* Numbers of processes count within a namespace only. A child has its parent's if it knows the parent by the same
   number: from another, that is 0. */
static uint64_t namespace_number(void) {
    const iol__core *core = &iol__core_state;
    if (core->name_space && core->fork_parent && sys(getppid, 0) == core->fork_parent) return core->name_space;
    char link[64] = "";
    const long got = sys(readlinkat, AT_FDCWD, "/proc/self/ns/pid", link, sizeof link - 1);
    return got > 0 ? iol__name_space_read(link) : 0;
}

uint64_t iol__process_born(void) {
    char line[1024];
    long got = iol__sys_read_proc("/proc/self/stat", line, sizeof line - 1);
    if (got <= 0) return 0;
    line[got] = 0;
    int32_t parent;
    uint64_t born = 0;
    iol__stat_line_read(line, &parent, &born);
    iol__core_state.name_space = namespace_number();
    return iol__born(born, iol__core_state.name_space);
}
