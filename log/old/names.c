/* Names and mounts of logs of 1.x and 2.x. A record has the last characters of its path and the number of its device, so
   that the mount is found by the file, not by the name; two files of one name on two mounts have none. */
#include <stdlib.h>
#include <string.h>

#include "log/read/log_internal.h"
#include "log/old/old.h"
#include "record/hash.h"

enum { UNKNOWN_MOUNT = UINT16_MAX };

static const char ellipsis[] = "\xe2\x80\xa6";

/* A name may begin inside a character of several bytes. */
static const char *whole_characters(const char *text) {
    while (((uint8_t)*text & 0xc0) == 0x80) text++;
    return text;
}

size_t iol__old_name(const iol__old_version *v, const iol__old_record *record, char name[IOL_OLD_NAME]) {
    if (record->id == 0) {
        strcpy(name, "<FOLDED>"); /* one record for all files of a process */
        return strlen(name);
    }
    const bool cut = strnlen(record->suffix, v->suffix) == v->suffix;
    strcpy(name, cut ? ellipsis : "");
    strcat(name, cut ? whole_characters(record->suffix) : record->suffix);
    return strlen(name);
}

static uint16_t mount_of_device(const iol_log *log, int64_t device) {
    const iol__old *old = log->old;
    for (size_t i = old->n_devices; i-- > 0;) {
        if (old->devices[i].device != device) continue;
        for (size_t m = 0; m < log->n_mounts; m++)
            if (log->mounts[m].point == old->devices[i].point) return (uint16_t)m;
    }
    return UNKNOWN_MOUNT;
}

/* Past what a log of this size can justify, mounts are not known. */
static void note_mount(iol_log *log, const char *name, size_t length, uint16_t mount) {
    iol__old *old = log->old;
    const uint64_t key = iol__hash(name, length, 0);
    size_t number = iol__idmap_find(&old->names, key);
    if (number != IOL_IDMAP_NONE) {
        if (old->mounts[number] != mount) old->mounts[number] = UNKNOWN_MOUNT;
        return;
    }
    if (!iol__budget_take(log, IOL_IDMAP_COST + sizeof *old->mounts)) return;
    if (old->names.count == old->mounts_room) {
        const size_t room = old->mounts_room ? 2 * old->mounts_room : 64;
        uint16_t *grown = realloc(old->mounts, room * sizeof *grown);
        if (!grown) return;
        old->mounts = grown;
        old->mounts_room = room;
    }
    number = iol__idmap_add(&old->names, key);
    if (number != IOL_IDMAP_NONE) old->mounts[number] = mount;
}

iol_status iol__old_names_each(iol_log *log, iol__name_visitor visit, void *context) {
    const iol__old_version *v = log->old->version;
    const bool devices = v->knows >= 123;
    iol__old_record record;
    char name[IOL_OLD_NAME];
    iol_status status;
    for (uint64_t i = 0; (status = iol__old_record_at(log, i, &record)) == IOL_OK; i++) {
        const size_t length = iol__old_name(v, &record, name);
        if (!visit(context, record.id, name, length)) return IOL_LIMIT;
        note_mount(log, name, length,
                   devices ? mount_of_device(log, record.ints[IOL_OLD_CP_DEVICE]) : (uint16_t)UNKNOWN_MOUNT);
    }
    return status == IOL_END ? IOL_OK : status;
}

size_t iol__old_mount(const iol_log *log, const char *name) {
    const size_t number = name ? iol__idmap_find(&log->old->names, iol__hash(name, strlen(name), 0)) : IOL_IDMAP_NONE;
    const uint16_t mount = number == IOL_IDMAP_NONE ? (uint16_t)UNKNOWN_MOUNT : log->old->mounts[number];
    return mount < log->n_mounts ? mount : log->n_mounts;
}
