/* Which mounts a log does not list: those that hold no files of anybody's. */
#ifndef IOL_RECORD_MOUNTS_H
#define IOL_RECORD_MOUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { IOL_MOUNTS = 64 }; /* that it lists at most */

static inline bool iol__mount_skipped(const char *type) {
    static const char types[][12] = {"tmpfs",   "proc",       "sysfs",    "devpts",   "binfmt_misc", "fusectl",
                                     "debugfs", "securityfs", "nfsd",     "none",     "rpc_pipefs",  "hugetlbfs",
                                     "cgroup",  "cgroup2",    "devtmpfs", "configfs", "mqueue",      "pstore",
                                     "tracefs", "bpf",        "efivarfs"};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strncmp(type, types[i], sizeof types[i]) == 0) return true;
    return false;
}

#endif
