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

/* Copies a word of the table. */
static void take_word(const char *from, char *to, size_t room) {
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

/* Where the words of a line begin, and the next line. Of most lines no more is wanted than the type. */
typedef struct line_words {
    const char *source, *path, *type, *next;
} line_words;

static const char *behind_word(const char *at) {
    while (*at && *at != ' ' && *at != '\n') at++;
    return *at == ' ' ? at + 1 : at;
}

static line_words find_words(const char *line) {
    line_words words = {.source = line};
    words.path = behind_word(words.source);
    words.type = behind_word(words.path);
    const char *end = strchr(words.type, '\n');
    words.next = end ? end + 1 : words.type + strlen(words.type);
    return words;
}

static bool is_listed(const iol__mount *mounts, int have) {
    for (int i = 0; i < have; i++)
        if (strcmp(mounts[i].path, mounts[have].path) == 0 && strcmp(mounts[i].type, mounts[have].type) == 0)
            return true;
    return false;
}

bool iol__mounts_lack_root(const char *table) {
    for (; *table; table = find_words(table).next) {
        const char *path = behind_word(table);
        if (path[0] == '/' && path[1] == ' ') return false;
    }
    return true;
}

/* Reads a line into a mount, if it is one to be kept and of NFS or not. */
static bool take_mount(const line_words *words, bool nfs, iol__mount *mount) {
    take_word(words->type, mount->type, sizeof mount->type);
    if (*words->path != '/' || (strcmp(mount->type, "nfs") == 0) != nfs || iol__mount_skipped(mount->type))
        return false;
    take_volume(words->source, mount->volume, sizeof mount->volume);
    take_word(words->path, mount->path, sizeof mount->path);
    mount->length = (uint16_t)strlen(mount->path);
    return true;
}

int iol__mounts_take(const char *table, const char *root_type, iol__mount mounts[IOL_MOUNTS]) {
    int have = 0;
    if (root_type && !iol__mount_skipped(root_type)) {
        mounts[have] = (iol__mount){.path = "/", .length = 1};
        strncpy(mounts[have++].type, root_type, sizeof mounts->type - 1);
    }
    for (int nfs = 0; nfs < 2; nfs++) { /* nfs comes last */
        for (const char *at = table; *at && have < IOL_MOUNTS;) {
            const line_words words = find_words(at);
            at = words.next;
            if (take_mount(&words, nfs, &mounts[have]) && !is_listed(mounts, have)) have++;
        }
    }
    return have;
}
