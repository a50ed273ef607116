/* Names and mounts of logs of 1.x and 2.x. A record has the last characters of its path and the number of its device, so
   that the mount is that of the file, whatever its name: it is known by where the name stands in the table of names, which
   has one for each file. Of a copy of a name that files on two mounts have, the mount is not known. */
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "log/read/log_internal.h"
#include "log/old/old.h"
#include "record/hash.h"

enum { UNKNOWN_MOUNT = UINT16_MAX };

void iol__file_mounts_free(iol__file_mounts *mounts) {
    if (!mounts) return;
    iol__idmap_free(&mounts->keys);
    free(mounts->mounts);
    free(mounts);
}

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
static void note_key(iol_log *log, uint64_t key, size_t mount) {
    iol__file_mounts *known = log->file_mounts;
    size_t number = iol__idmap_find(&known->keys, key);
    if (number != IOL_IDMAP_NONE) {
        if (known->mounts[number] != mount) known->mounts[number] = UNKNOWN_MOUNT;
        return;
    }
    if (!iol__budget_take(log, IOL_IDMAP_COST + sizeof *known->mounts)) return;
    if (!IOL_GROW(known->mounts, known->room, known->keys.count)) return;
    number = iol__idmap_add(&known->keys, key);
    if (number != IOL_IDMAP_NONE) known->mounts[number] = (uint16_t)mount;
}

static uint64_t key_of_place(const char *name) { return (uint64_t)(uintptr_t)name; }
static uint64_t key_of_text(const char *name) { return iol__hash(name, strlen(name), 0); }

void iol__old_note_mount(iol_log *log, const char *name, size_t mount) {
    if (!log->file_mounts) log->file_mounts = calloc(1, sizeof *log->file_mounts);
    if (!log->file_mounts) return;
    note_key(log, key_of_place(name), mount);
    note_key(log, key_of_text(name), mount);
}

iol_status iol__old_names_each(iol_log *log, iol__name_visitor visit, void *context) {
    iol__old_record record;
    char name[IOL_OLD_NAME];
    iol_status status;
    for (uint64_t i = 0; (status = iol__old_record_at(log, i, &record)) == IOL_OK; i++) {
        const size_t length = iol__old_name(log->old->origin, &record, name);
        if (!visit(context, record.id, name, length)) return IOL_LIMIT;
    }
    return status == IOL_END ? IOL_OK : status;
}

void iol__old_mounts(iol_log *log) {
    iol__old_record record;
    if (!log->old || log->old->origin->knows < 123) return; /* that knew no devices */
    for (uint64_t i = 0; iol__old_record_at(log, i, &record) == IOL_OK; i++) {
        const char *name = iol_log_name(log, record.id);
        if (name) iol__old_note_mount(log, name, mount_of_device(log, record.ints[IOL_OLD_CP_DEVICE]));
    }
}

size_t iol__old_mount(const iol_log *log, const char *name) {
    const iol__file_mounts *known = log->file_mounts;
    if (!known || !name) return log->n_mounts;
    size_t number = iol__idmap_find(&known->keys, key_of_place(name));
    if (number == IOL_IDMAP_NONE) number = iol__idmap_find(&known->keys, key_of_text(name));
    const uint16_t mount = number == IOL_IDMAP_NONE ? (uint16_t)UNKNOWN_MOUNT : known->mounts[number];
    return mount < log->n_mounts ? mount : log->n_mounts;
}
