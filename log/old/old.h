/* Logs of Darshan 1.x and 2.x, read through the records of today.
   Such a log is one compressed stream: a job area of fixed size, then flat records of one size that mix all layers. Opening
   one unpacks it, and makes its records the region of every module that they have something for; split.c cuts the record
   of a module out of a flat one. Nothing else knows that these logs exist, except for the text of their own parser. */
#ifndef IOL_LOG_OLD_OLD_H
#define IOL_LOG_OLD_OLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "iolite/log.h"
#include "base/idmap.h"
#include "log/read/names.h"
#include "log/old/inflate.h"
#include "record/record.h"
#include "schema/old.h"

enum { IOL_OLD_AREA = 4096, IOL_OLD_DEVICES = 512 };

typedef struct iol__old_device {
    int64_t device;
    const char *point, *type;
} iol__old_device;

/* A flat record in the host's byte order; counters that its version did not have are 0. */
typedef struct iol__old_record {
    uint64_t id;
    int64_t rank;
    char suffix[IOL_OLD_SUFFIX];
    int64_t ints[IOL_OLD_INTS];
    double reals[IOL_OLD_REALS];
} iol__old_record;

typedef struct iol__old {
    const iol__old_version *version; /* the form of the records */
    const iol__old_version
        *origin;      /* of the log that the reference made this one from, which knew no more; else the same */
    size_t form_note; /* number of the note that says what the log is */
    uint64_t count;   /* of records */
    uint64_t stdio;   /* files that were opened as streams: their calls have no counters of their own today */
    uint64_t folded;  /* records that stand for all files of a process */
    char text[IOL_OLD_AREA + 1];
    iol__old_device devices[IOL_OLD_DEVICES]; /* in order of the log */
    size_t n_devices;
} iol__old;

/* Where names do not tell the mount: in these logs, and in those that were made from them. */
typedef struct iol__file_mounts {
    iol__idmap keys;  /* where a name of the log stands, and the hash of its text -> its number */
    uint16_t *mounts; /* by that number: the mount, as iol_log_mount() counts; UINT16_MAX if it is not known */
    size_t room;
} iol__file_mounts;

/* Whether a file that is no log of 3.x begins like one of these, or like a compressed one. */
bool iol__old_begins(const uint8_t *bytes, size_t length);
/* Make it this log's content. A newer log that somebody compressed is read as it is. */
iol_status iol__old_open(iol_log *log, const uint8_t *bytes, size_t length, iol_error *error);
void iol__old_free(iol__old *old);
void iol__file_mounts_free(iol__file_mounts *mounts);

/* The version that a log of 1.x or 2.x had, "prev_ver" before its own; NULL for other logs. */
const iol__old_version *iol__old_version_of(const iol_log *log);

/* A log of 3.x that was made from one of these: when its times begin, how long it ran, and the note about what it was. */
void iol__old_converted(iol_log *log);
/* The mounts of its files, once the names are known. */
void iol__old_converted_mounts(iol_log *log);

/* The flat record at a place, 0 to count - 1. IOL_END behind the last. */
iol_status iol__old_record_at(iol_log *log, uint64_t number, iol__old_record *record);
/* Decode one from its bytes. */
void iol__old_decode(const iol__old_version *version, bool swap, const uint8_t *bytes, iol__old_record *record);

/* The record of a module that is in a flat one; false if there is none. */
bool iol__old_split(const iol__old_version *version, const iol__old_record *from, int slot, int64_t *ints,
                    double *reals);
/* Bit s: there is one for slot s. */
uint64_t iol__old_slots(const iol__old_record *record);

/* Names: "…checkpoint.0001" where the log has the end of one only. */
enum { IOL_OLD_NAME = IOL_OLD_SUFFIX + 4 };
size_t iol__old_name(const iol__old_version *version, const iol__old_record *record, char name[IOL_OLD_NAME]);
iol_status iol__old_names_each(iol_log *log, iol__name_visitor visit, void *context);
/* The mounts of its files, once the names are known. */
void iol__old_mounts(iol_log *log);
/* The mount of a file by its name, as iol__mount_index(). */
size_t iol__old_mount(const iol_log *log, const char *name);
/* `name` is what iol_log_name() gives. */
void iol__old_note_mount(iol_log *log, const char *name, size_t mount);

/* What has no place in the records of today, as a trailer section of a converted log. */
#define IOL_TAG_OLD "OLDC"
/* What a converted log cannot say otherwise: when its times begin, its notes, and the mount of each file; see converted.c. */
#define IOL_TAG_OLD_MOUNTS "OLDM"
/* The two sections, to be freed; empty for other logs. `first_rank` is added to ranks. False without memory. */
bool iol__old_rest_text(iol_log *log, int64_t first_rank, char **text, size_t *length);
bool iol__old_mounts_text(iol_log *log, bool with_files, char **text, size_t *length);

#endif
