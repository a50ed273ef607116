/* Pseudonyms. Names that describe a record rather than a file (<STDIN>, heatmap:POSIX, ...) stay as they are: they say
   nothing of the user, and every reader looks for them. */
#include "log/write/disguise.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "record/hash.h"

bool iol__disguise_any(const iol__disguise *d) { return d->uid || d->job_id || d->exe || d->names; }

/* One purpose must not give away another: the same bytes as a host and as a file have different pseudonyms. */
static uint64_t keyed(const iol__disguise *d, char purpose, const void *bytes, size_t length) {
    iol__key key = d->key;
    key.words[0] += (uint8_t)purpose;
    return iol__keyed_hash(&key, bytes, length);
}

/* Numbers are hashed as eight little-endian bytes. */
static int64_t disguise_number(const iol__disguise *d, char purpose, int64_t value) {
    uint8_t bytes[8];
    for (int i = 0; i < 8; i++) bytes[i] = (uint8_t)((uint64_t)value >> (8 * i));
    if (d->reference) return iol__hash_little(bytes, sizeof bytes, d->seed);
    return (int64_t)(keyed(d, purpose, bytes, sizeof bytes) & INT32_MAX); /* fits wherever such numbers are kept */
}

int64_t iol__disguise_uid(const iol__disguise *d, int64_t uid) { return d->uid ? disguise_number(d, 'u', uid) : uid; }

int64_t iol__disguise_job_id(const iol__disguise *d, int64_t job_id) {
    return d->job_id && job_id != 0 ? disguise_number(d, 'j', job_id) : job_id;
}

const char *iol__disguise_exe(const iol__disguise *d, const char *exe, char room[IOL_PSEUDONYM]) {
    if (!d->exe) return exe;
    uint64_t hash = d->reference ? iol__hash_little(exe, strlen(exe), d->seed) : keyed(d, 'e', exe, strlen(exe));
    snprintf(room, IOL_PSEUDONYM, d->reference ? "%llu" : "app-%016llx", (unsigned long long)hash);
    return room;
}

const char *iol__disguise_mount(const iol__disguise *d, const char *point, char room[IOL_PSEUDONYM]) {
    if (d->reference || !d->names || strcmp(point, "/") == 0) return point;
    snprintf(room, IOL_PSEUDONYM, "/fs-%016llx", (unsigned long long)keyed(d, 'm', point, strlen(point)));
    return room;
}

bool iol__name_about_job(const char *name) {
    static const char *const names[] = {
        "heatmap:POSIX", "heatmap:MPIIO",        "heatmap:STDIO",       "heatmap:DFS",        "heatmap:DAOS",
        "APMPI",         "darshan-apmpi-header", "darshan-apxc-header", "darshan-bgq-record", "APXC",
        "<FOLDED>",      "total-mdhim-obj-stats"};
    for (size_t i = 0; name && i < IOL_COUNT(names); i++)
        if (strcmp(name, names[i]) == 0) return true;
    return false;
}

/* The reference keeps whatever begins like one of its own names; that would let a file through that is called so. */
static bool stays(const iol__disguise *d, const char *name) {
    static const char *const kept[] = {"<STDIN>", "<STDOUT>", "<STDERR>", "heatmap:"};
    for (size_t i = 0; i < IOL_COUNT(kept); i++)
        if (d->reference ? strncmp(name, kept[i], strlen(kept[i])) == 0 : strcmp(name, kept[i]) == 0) return true;
    return !d->reference && (*name == 0 || iol__name_about_job(name));
}

const char *iol__disguise_name(const iol__disguise *d, const iol_log *log, const char *name, char room[IOL_PSEUDONYM]) {
    if (!d->names || stays(d, name)) return name;
    const char *point, *type;
    bool mounted = iol_log_mount_of(log, name, &point, &type);
    size_t length = strlen(name);
    if (d->reference) {
        /* A long mount point is cut rather than the number, which is what makes the name unique. */
        int n = mounted ? snprintf(room, IOL_PSEUDONYM - 16, "%s/", point) : 0;
        if (n >= IOL_PSEUDONYM - 16) n = IOL_PSEUDONYM - 17;
        snprintf(room + n, 16, "%u", iol__hash_little(name, length, d->seed));
        return room;
    }
    char place[IOL_PSEUDONYM];
    const char *shown = mounted ? iol__disguise_mount(d, point, place) : "";
    snprintf(room, IOL_PSEUDONYM, "%.64s%s%016llx", shown, !mounted || strcmp(shown, "/") == 0 ? "" : "/",
             (unsigned long long)keyed(d, 'n', name, length));
    return room;
}

uint64_t iol__disguise_id(const iol__disguise *d, iol_log *log, uint64_t id) {
    if (d->reference || !d->names || id == 0) return id;
    const char *name = iol_log_name(log, id);
    /* An id without a name is hidden by itself. */
    if (!name || !*name) return keyed(d, 'i', &id, sizeof id);
    if (stays(d, name)) return id;
    char room[IOL_PSEUDONYM];
    const char *pseudonym = iol__disguise_name(d, log, name, room);
    return iol__hash(pseudonym, strlen(pseudonym), 0);
}

/* A release number says nothing of anybody; anything behind it might. */
static bool is_release(const char *value) {
    size_t length = strspn(value, "0123456789.");
    if (strncmp(value + length, "-pre", 4) == 0) length += 4 + strspn(value + length + 4, "0123456789");
    return length > 0 && value[length] == 0;
}

bool iol__disguise_keeps_metadata(const iol__disguise *d, const char *key, const char *value) {
    const bool version = strcmp(key, "lib_ver") == 0 || strcmp(key, "prev_ver") == 0;
    return d->reference || !iol__disguise_any(d) || (version && is_release(value));
}

/* What stands for a type may be a word of the command line, so only types that are known stay. */
const char *iol__disguise_type(const iol__disguise *d, const char *type) {
    static const char *const known[] = {
        "ext2",    "ext3",     "ext4",    "xfs",    "btrfs",    "zfs",       "nfs",      "nfs4",     "lustre",
        "gpfs",    "beegfs",   "cifs",    "smb3",   "ceph",     "orangefs",  "pvfs2",    "panfs",    "wekafs",
        "dvs",     "daos",     "tmpfs",   "fuse",   "overlay",  "overlayfs", "squashfs", "rootfs",   "autofs",
        "vfat",    "iso9660",  "unknown", "ramfs",  "afs",      "9p",        "virtiofs", "devtmpfs", "cgroup2",
        "tracefs", "pstore",   "bpf",     "mqueue", "configfs", "efivarfs",  "nsfs",     "fuseblk",  "f2fs",
        "jfs",     "reiserfs", "gfs2",    "ocfs2",  "glusterfs"};
    if (d->reference || !d->names) return type;
    if (strncmp(type, "fuse.", 5) == 0) return "fuse";
    for (size_t i = 0; i < IOL_COUNT(known); i++)
        if (strcmp(type, known[i]) == 0) return type;
    return "unknown";
}

static void hide_text(const iol__disguise *d, char purpose, const char *format, char *text, size_t room) {
    if (!*text) return;
    uint64_t hash = keyed(d, purpose, text, strlen(text));
    memset(text, 0, room);
    snprintf(text, room, format, (unsigned long long)hash);
}

static const uint8_t *hide_uuid(const iol__disguise *d, const uint8_t *uuid, uint8_t to[16]) {
    uint64_t halves[2] = {keyed(d, 'p', uuid, 16), keyed(d, 'q', uuid, 16)};
    memcpy(to, halves, 16);
    return to;
}

/* The upper half of the high word is the class of the object, which names nobody. */
static void hide_object(const iol__disguise *d, iol_record *record) {
    uint64_t words[2] = {record->oid_high, record->oid_low};
    record->oid_low = keyed(d, 'd', words, sizeof words);
    record->oid_high = (record->oid_high >> 32 << 32) | (keyed(d, 'c', words, sizeof words) & UINT32_MAX);
}

static bool hide_pools(const iol__disguise *d, iol_record *record, iol__disguise_room *room) {
    if (record->n_components > room->n_components) {
        iol__component *grown = realloc(room->components, record->n_components * sizeof *grown);
        if (!grown) return false;
        room->components = grown;
        room->n_components = record->n_components;
    }
    for (size_t i = 0; i < record->n_components; i++) {
        room->components[i] = record->components[i];
        hide_text(d, 'o', "p%012llx", room->components[i].pool, 16);
    }
    if (record->n_components) record->components = room->components;
    return true;
}

bool iol__disguise_record(const iol__disguise *d, iol_log *log, iol_record *record, iol__disguise_room *room) {
    if (record->slot == IOL_SLOT_BGQ && d->job_id && !d->reference) {
        memcpy(room->ints, record->ints, record->n_ints * sizeof *room->ints);
        room->ints[IOL_BGQ_CSJOBID] = iol__disguise_job_id(d, room->ints[IOL_BGQ_CSJOBID]);
        record->ints = room->ints;
    }
    if (record->slot == IOL_SLOT_APXC && record->header && d->job_id && !d->reference) record->application = 0;
    if (d->reference || !d->names) return true;
    record->id = iol__disguise_id(d, log, record->id);
    record->owner = iol__disguise_id(d, log, record->owner);
    if (record->slot == IOL_SLOT_POSIX && record->ints[IOL_POSIX_RENAMED_FROM] != 0) {
        memcpy(room->ints, record->ints, record->n_ints * sizeof *room->ints);
        int64_t *from = &room->ints[IOL_POSIX_RENAMED_FROM];
        *from = (int64_t)iol__disguise_id(d, log, (uint64_t)*from);
        record->ints = room->ints;
    }
    if (record->pool_uuid) {
        record->pool_uuid = hide_uuid(d, record->pool_uuid, room->uuids[0]);
        record->container_uuid = hide_uuid(d, record->container_uuid, room->uuids[1]);
    }
    if (record->slot == IOL_SLOT_DAOS) hide_object(d, record);
    memset(record->place, 0, sizeof record->place); /* APXC: the node, as good as its name */
    hide_text(d, 'h', "host-%016llx", record->trace.host, sizeof record->trace.host);
    hide_text(d, 'h', "host-%016llx", record->processor, sizeof record->processor);
    return record->slot != IOL_SLOT_LUSTRE || hide_pools(d, record, room);
}
