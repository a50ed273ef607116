/* A file system that answers for lustre.lov as Lustre does, for tests: it hands everything on to a directory, and which
   layout a file has depends on its name up to the first dot (blobs.c). One called "growing" is a progressive file whose
   last component comes into use once it has more than 4096 bytes. Other names have no layout.
     fuse_lustre DIRECTORY MOUNT -f -o subtype=lustre,fsname=10.0.0.1@tcp:/testfs */
#define FUSE_USE_VERSION 31
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fuse.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/lustre/blobs.h"

enum { GROWN = 4096 };
static int root;

/* Paths begin with a slash. */
static const char *below(const char *path) { return path[1] ? path + 1 : "."; }
static int done(long result) { return result < 0 ? -errno : (int)result; }

static int get_attributes(const char *path, struct stat *to, struct fuse_file_info *info) {
    (void)info;
    return done(fstatat(root, below(path), to, AT_SYMLINK_NOFOLLOW));
}

static int list(const char *path, void *buffer, fuse_fill_dir_t add, off_t offset, struct fuse_file_info *info,
                enum fuse_readdir_flags flags) {
    (void)offset, (void)info, (void)flags;
    const int fd = openat(root, below(path), O_RDONLY | O_DIRECTORY);
    DIR *directory = fd < 0 ? NULL : fdopendir(fd);
    if (!directory) return -errno;
    for (const struct dirent *entry; (entry = readdir(directory)) != NULL;)
        add(buffer, entry->d_name, NULL, 0, (enum fuse_fill_dir_flags)0);
    closedir(directory);
    return 0;
}

static int open_file(const char *path, struct fuse_file_info *info) {
    const int fd = openat(root, below(path), info->flags & ~O_NOFOLLOW);
    info->fh = (uint64_t)fd;
    return fd < 0 ? -errno : 0;
}

static int create_file(const char *path, mode_t mode, struct fuse_file_info *info) {
    const int fd = openat(root, below(path), info->flags | O_CREAT, mode);
    info->fh = (uint64_t)fd;
    return fd < 0 ? -errno : 0;
}

static int read_file(const char *path, char *to, size_t size, off_t offset, struct fuse_file_info *info) {
    (void)path;
    return done(pread((int)info->fh, to, size, offset));
}

static int write_file(const char *path, const char *from, size_t size, off_t offset, struct fuse_file_info *info) {
    (void)path;
    return done(pwrite((int)info->fh, from, size, offset));
}

static int release_file(const char *path, struct fuse_file_info *info) {
    (void)path;
    return done(close((int)info->fh));
}

static int cut(const char *path, off_t length, struct fuse_file_info *info) {
    (void)info;
    const int fd = openat(root, below(path), O_WRONLY);
    const int result = fd < 0 ? -errno : done(ftruncate(fd, length));
    if (fd >= 0) close(fd);
    return result;
}

static int remove_file(const char *path) { return done(unlinkat(root, below(path), 0)); }

static bool layout_of(const char *path, blob *to) {
    char name[64];
    struct stat facts;
    snprintf(name, sizeof name, "%s", strrchr(path, '/') + 1);
    name[strcspn(name, ".")] = 0;
    if (strcmp(name, "growing") != 0) return blob_named(to, name);
    const bool grown = fstatat(root, below(path), &facts, 0) == 0 && facts.st_size > GROWN;
    return blob_named(to, grown ? "progressive_full" : "progressive");
}

static int get_attribute(const char *path, const char *name, char *to, size_t room) {
    static blob layout;
    if (strcmp(name, "lustre.lov") != 0) return -EOPNOTSUPP;
    if (!layout_of(path, &layout)) return -ENODATA;
    if (room == 0) return (int)layout.length;
    if (room < layout.length) return -ERANGE;
    memcpy(to, layout.bytes, layout.length);
    return (int)layout.length;
}

static const struct fuse_operations operations = {
    .getattr = get_attributes,
    .readdir = list,
    .open = open_file,
    .create = create_file,
    .read = read_file,
    .write = write_file,
    .release = release_file,
    .truncate = cut,
    .unlink = remove_file,
    .getxattr = get_attribute,
};

int main(int argc, char **argv) {
    if (argc < 3) {
        fprintf(stderr, "fuse_lustre DIRECTORY MOUNT [OPTIONS OF FUSE]\n");
        return 2;
    }
    root = open(argv[1], O_RDONLY | O_DIRECTORY);
    if (root < 0) {
        perror(argv[1]);
        return 2;
    }
    argv[1] = argv[0];
    return fuse_main(argc - 1, argv + 1, &operations, NULL);
}
