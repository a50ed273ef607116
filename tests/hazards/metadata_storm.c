/* A mail spool: many small files made, linked, renamed, looked at and removed. Every call is in the totals, failures
   apart, and nothing else is.
   PLAIN
   OPERATION mkdir COUNT = 11
   OPERATION mkdir FAILED = 1
   OPERATION open COUNT = 100
   OPERATION open FAILED = 3
   OPERATION close COUNT = 100
   OPERATION link COUNT = 100
   OPERATION rename COUNT = 100
   OPERATION symlink COUNT = 10
   OPERATION readlink COUNT = 10
   OPERATION stat COUNT = 110
   OPERATION stat FAILED = 7
   OPERATION access COUNT = 100
   OPERATION access FAILED = 5
   OPERATION chmod COUNT = 20
   OPERATION chown COUNT = 1
   OPERATION utime COUNT = 30
   OPERATION truncate COUNT = 40
   OPERATION truncate FAILED = 1
   OPERATION opendir COUNT = 11
   OPERATION readdir COUNT = 243
   OPERATION unlink COUNT = 211
   OPERATION unlink FAILED = 2
   OPERATION rmdir COUNT = 11
   OPERATION seek COUNT = 100
   OPERATION seek FAILED = 1
   OPERATION sync COUNT = 20
   OPERATION lock COUNT = 30
   OPERATION mknod COUNT = 1
   OPERATION statfs COUNT = 1
   OPERATION unlink TIME > 0
   EXPECT POSIX new.* POSIX_OPENS = 100
   EXPECT POSIX new.* POSIX_SEEKS = 100
   EXPECT POSIX new.* POSIX_FSYNCS = 20 */
#include <dirent.h>
#include <sys/file.h>
#include <sys/statfs.h>
#include <sys/time.h>

#include "tests/hazards/hazard.h"

enum { BOXES = 10, MAILS = 10 };

static void deliver(int box, int mail) {
    char new[64], cur[64], kept[64];
    snprintf(new, sizeof new, "spool/%d/new.%d", box, mail);
    snprintf(cur, sizeof cur, "spool/%d/cur.%d", box, mail);
    snprintf(kept, sizeof kept, "spool/%d/kept.%d", box, mail);
    int fd = open(new, O_WRONLY | O_CREAT | O_EXCL, 0600);
    CHECK(fd >= 0);
    put(fd, 40);
    CHECK(lseek(fd, 0, SEEK_SET) == 0);
    if (box + mail == 0) CHECK(lseek(fd, -1, SEEK_SET) < 0 && errno == EINVAL);
    if (mail < 2) CHECK(fsync(fd) == 0);
    if (mail < 2) CHECK(fchmod(fd, 0640) == 0);
    if (mail < 3) CHECK(ftruncate(fd, 10) == 0);
    if (mail < 1) CHECK(flock(fd, LOCK_EX) == 0 && lockf(fd, F_LOCK, 0) == 0);
    if (mail < 1) CHECK(fcntl(fd, F_SETLK, &(struct flock){.l_type = F_UNLCK}) == 0);
    CHECK(close(fd) == 0);
    if (mail < 1) CHECK(truncate(new, 5) == 0);
    if (mail < 2) CHECK(utimensat(AT_FDCWD, new, NULL, 0) == 0);
    if (mail < 1) CHECK(utimes(new, NULL) == 0);
    CHECK(link(new, kept) == 0);
    CHECK(rename(new, cur) == 0);
    CHECK(access(cur, R_OK) == 0);
    struct stat facts;
    CHECK(stat(cur, &facts) == 0);
}

static int list(const char *path) {
    DIR *directory = opendir(path);
    int entries = 0;
    CHECK(directory);
    while (readdir(directory)) entries++;
    CHECK(closedir(directory) == 0);
    return entries;
}

static void clear(int box) {
    char path[64];
    for (int mail = 0; mail < MAILS; mail++) {
        snprintf(path, sizeof path, "spool/%d/cur.%d", box, mail);
        CHECK(unlink(path) == 0);
        snprintf(path, sizeof path, "spool/%d/kept.%d", box, mail);
        CHECK(unlinkat(AT_FDCWD, path, 0) == 0);
    }
    snprintf(path, sizeof path, "spool/%d/last", box);
    CHECK(remove(path) == 0);
    if (box == 0) CHECK(unlink("spool/0/pipe") == 0);
    snprintf(path, sizeof path, "spool/%d", box);
    CHECK(box % 2 ? rmdir(path) == 0 : unlinkat(AT_FDCWD, path, AT_REMOVEDIR) == 0);
}

/* What fails, and what is not watched. */
static void in_vain(void) {
    struct stat facts;
    for (int i = 0; i < 3; i++) CHECK(open("spool/none", O_RDONLY) < 0 && errno == ENOENT);
    for (int i = 0; i < 7; i++) CHECK(stat("spool/none", &facts) != 0 && errno == ENOENT);
    for (int i = 0; i < 5; i++) CHECK(access("spool/none", F_OK) != 0 && errno == ENOENT);
    CHECK(truncate("spool/none", 1) != 0 && errno == ENOENT);
    CHECK(unlink("spool/none") != 0 && errno == ENOENT);
    CHECK(unlink("spool") != 0 && errno == EISDIR);
    CHECK(mkdir("spool", 0700) != 0 && errno == EEXIST);
    CHECK(unlink((const char *)1) != 0 && errno == EFAULT); /* nobody knows which file */
    int fd = open("/dev/null", O_RDONLY);
    CHECK(fd >= 0 && close(fd) == 0 && stat("/etc/passwd", &facts) == 0 && unlink("/proc/none") != 0);
}

int main(void) {
    struct stat facts;
    struct statfs system;
    char path[64], text[64];
    CHECK(mkdir("spool", 0700) == 0);
    for (int box = 0; box < BOXES; box++) {
        snprintf(path, sizeof path, "spool/%d", box);
        CHECK(mkdir(path, 0700) == 0);
        for (int mail = 0; mail < MAILS; mail++) deliver(box, mail);
        CHECK(lstat(path, &facts) == 0);
        snprintf(path, sizeof path, "spool/%d/last", box);
        CHECK(symlink("cur.9", path) == 0);
        CHECK(readlink(path, text, sizeof text) == 5);
    }
    CHECK(lchown("spool/0/last", (uid_t)-1, (gid_t)-1) == 0);
    CHECK(mkfifo("spool/0/pipe", 0600) == 0);
    CHECK(statfs("spool", &system) == 0);
    in_vain();
    int entries = list("spool");
    for (int box = 0; box < BOXES; box++) {
        snprintf(path, sizeof path, "spool/%d", box);
        entries += list(path);
    }
    say("entries %d", entries);
    for (int box = 0; box < BOXES; box++) clear(box);
    CHECK(rmdir("spool") == 0);
    return 0;
}
