/* Adding up what is held. The places are everybody's: what is not the user's own does not count. */
#include "record/held.h"

#include <fcntl.h>
#include <string.h>

#include "record/mapped.h"

enum { NAMES_MOST = 20000 /* in all that are looked at */, BLOCK = 512 };

/* As the kernel gives it. */
typedef struct held_listed {
    uint64_t inode;
    int64_t offset;
    uint16_t bytes;
    uint8_t type;
    char name[];
} held_listed;

typedef struct measuring {
    const iol__held_calls *calls;
    uid_t user;
    uint64_t bytes;
    unsigned seen;
} measuring;

static bool held_begins(const char *text, const char *start) { return strncmp(text, start, strlen(start)) == 0; }

/* Whether something is one of the user's directories of jobs. */
static bool is_spool_of_job(const char *name, const struct stat *st, uid_t user) {
    return held_begins(name, IOL_JOB_DIRECTORY) && S_ISDIR(st->st_mode) && st->st_uid == user &&
           (st->st_mode & 077) == 0;
}

/* Calls `each` for every name, of which those that begin with a dot are none. */
static void list_held_names(measuring *m, int directory, void (*each)(measuring *m, int directory, const char *name)) {
    _Alignas(8) char bytes[2048];
    for (long got; m->seen < NAMES_MOST && (got = m->calls->list(directory, bytes, sizeof bytes)) > 0;)
        for (long at = 0; at < got; m->seen++) {
            const held_listed *entry = (const void *)(bytes + at);
            at += entry->bytes;
            if (entry->name[0] != '.') each(m, directory, entry->name);
        }
}

static void add_held_file(measuring *m, int directory, const char *name) {
    struct stat st;
    if (!m->calls->status(directory, name, &st) || !S_ISREG(st.st_mode) || st.st_uid != m->user) return;
    m->bytes += (uint64_t)st.st_blocks * BLOCK;
}

static void add_held_name(measuring *m, int place, const char *name) {
    struct stat st;
    if (!held_begins(name, "iolite-")) return;
    if (iol__name_between(name, "iolite-", IOL_MAPPED_SUFFIX)) {
        add_held_file(m, place, name);
        return;
    }
    if (!held_begins(name, IOL_JOB_DIRECTORY) || !m->calls->status(place, name, &st)) return;
    const int directory = is_spool_of_job(name, &st, m->user) ? m->calls->open(place, name) : -1;
    if (directory < 0) return;
    list_held_names(m, directory, add_held_file);
    m->calls->close(directory);
}

uint64_t iol__held_measure(const iol__held_calls *calls, const char *place, uid_t user) {
    measuring m = {.calls = calls, .user = user};
    const int directory = calls->open(AT_FDCWD, place);
    if (directory < 0) return 0;
    list_held_names(&m, directory, add_held_name);
    calls->close(directory);
    return m.bytes;
}
