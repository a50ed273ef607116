/* The table has a line for each mount: what is mounted, where, of which type, and options. Blanks in names are \040. */
#include "record/mounts.h"

#include <string.h>

bool iol__mount_skipped(const char *type) {
    static const char types[][12] = {"tmpfs",   "proc",       "sysfs",    "devpts",   "binfmt_misc", "fusectl",
                                     "debugfs", "securityfs", "nfsd",     "none",     "rpc_pipefs",  "hugetlbfs",
                                     "cgroup",  "cgroup2",    "devtmpfs", "configfs", "mqueue",      "pstore",
                                     "tracefs", "bpf",        "efivarfs"};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strncmp(type, types[i], sizeof types[i]) == 0) return true;
    return false;
}

/* ext2, ext3 and ext4 have one number, and so have all versions of NFS: the name is that of today's. */
const char *iol__mount_type_of_number(uint64_t number) {
    static const struct {
        uint32_t number;
        char type[12];
    } types[] = {
        {0xef53, "ext4"},         {0x58465342, "xfs"},      {0x9123683e, "btrfs"}, {0x794c7630, "overlay"},
        {0x01021994, "tmpfs"},    {0x858458f6, "ramfs"},    {0x6969, "nfs"},       {0x0bd00bd0, "lustre"},
        {0x47504653, "gpfs"},     {0x19830326, "beegfs"},   {0x00c36400, "ceph"},  {0x2fc12fc1, "zfs"},
        {0xf2f52010, "f2fs"},     {0xca451a4e, "bcachefs"}, {0x65735546, "fuse"},  {0x01021997, "9p"},
        {0x61756673, "aufs"},     {0x73717368, "squashfs"}, {0xe0f5e1e2, "erofs"}, {0x20030528, "pvfs2"},
        {0x01161970, "gfs2"},     {0x7461636f, "ocfs2"},    {0x5346414f, "afs"},   {0xff534d42, "cifs"},
        {0xfe534d42, "cifs"},     {0x4d44, "vfat"},         {0x2011bab0, "exfat"}, {0x3153464a, "jfs"},
        {0x52654973, "reiserfs"},
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i].number == (uint32_t)number) return types[i].type;
    return "unknown";
}

/* Copies a word of the table; returns what is behind it. */
static const char *take_word(const char *from, char *to, size_t room) {
    size_t length = 0;
    while (*from && *from != ' ' && *from != '\n') {
        char c = *from++;
        if (c == '\\' && from[0] >= '0' && from[0] <= '3' && from[1] && from[2]) {
            c = (char)((from[0] - '0') * 64 + (from[1] - '0') * 8 + (from[2] - '0'));
            from += 3;
        }
        if (length + 1 < room) to[length++] = c;
    }
    to[length] = 0;
    return *from == ' ' ? from + 1 : from;
}

/* What a network file system is called on its servers: "name" of "10.0.0.1@tcp:10.0.0.2@tcp:/name/below". */
static void take_volume(const char *source, char *to, size_t room) {
    const char *name = NULL;
    for (; *source && *source != ' '; source++)
        if (source[0] == ':' && source[1] == '/') name = source + 2;
    size_t length = 0;
    for (; name && length + 1 < room && *name && !strchr(" /", *name); name++) to[length++] = *name;
    to[length] = 0;
}

/* Reads a line into a mount; returns what is behind it. */
static const char *take_line(const char *at, iol__mount *mount) {
    char device[8];
    take_volume(at, mount->volume, sizeof mount->volume);
    at = take_word(at, device, sizeof device);
    at = take_word(at, mount->path, sizeof mount->path);
    at = take_word(at, mount->type, sizeof mount->type);
    mount->length = (uint16_t)strlen(mount->path);
    while (*at && *at++ != '\n') {}
    return at;
}

static bool is_listed(const iol__mount *mounts, int have) {
    for (int i = 0; i < have; i++)
        if (strcmp(mounts[i].path, mounts[have].path) == 0 && strcmp(mounts[i].type, mounts[have].type) == 0)
            return true;
    return false;
}

bool iol__mounts_lack_root(const char *table) {
    iol__mount mount;
    while (*table) {
        table = take_line(table, &mount);
        if (strcmp(mount.path, "/") == 0) return false;
    }
    return true;
}

int iol__mounts_take(const char *table, const char *root_type, iol__mount mounts[IOL_MOUNTS]) {
    int have = 0;
    if (root_type && !iol__mount_skipped(root_type)) {
        mounts[have] = (iol__mount){.path = "/", .length = 1};
        strncpy(mounts[have++].type, root_type, sizeof mounts->type - 1);
    }
    for (int pass = 0; pass < 2; pass++) { /* nfs comes last */
        for (const char *at = table; *at && have < IOL_MOUNTS;) {
            iol__mount *mount = &mounts[have];
            at = take_line(at, mount);
            if (*mount->path == '/' && (strcmp(mount->type, "nfs") == 0) == (pass == 1) &&
                !iol__mount_skipped(mount->type) && !is_listed(mounts, have))
                have++;
        }
    }
    return have;
}
