/* The kernel's table of mounts, and what a log lists of it: where files of somebody's are. */
#ifndef IOL_RECORD_MOUNTS_H
#define IOL_RECORD_MOUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { IOL_MOUNTS = 64 }; /* that it lists at most */

typedef struct iol__mount {
    char path[256];
    char type[32];
    char volume[32]; /* what the servers of a network file system call it, or "" */
    uint16_t length; /* of the path */
} iol__mount;

/* Types that hold no files of anybody's are not listed. */
bool iol__mount_skipped(const char *type);

/* Takes what a log lists out of the text of /proc/self/mounts, and returns how many these are. The table of a process in a
   chroot has only what is mounted below its root. If the root itself is missing there, its type is to be given; else NULL. */
int iol__mounts_take(const char *table, const char *root_type, iol__mount mounts[IOL_MOUNTS]);
bool iol__mounts_lack_root(const char *table);

/* The type of a file system by the number that statfs gives; "unknown" where the number is not known. */
const char *iol__mount_type_of_number(uint64_t number);

#endif
