/* Files are made, written and renamed to a longer name, more of them than have room for a record: each rename counts once
   on both sides, in <FOLDED> where the file is one of those. So does the rename of a file that was folded long ago, by a
   forked child too. A file that nobody used counts as ever: not at all.
   ENV IOLITE_MEMORY=1
   PARTIAL POSIX
   PROCESSES 2
   EXPECT POSIX * POSIX_OPENS = 6000
   EXPECT POSIX * POSIX_RENAME_SOURCES = 8000
   EXPECT POSIX * POSIX_RENAME_TARGETS = 8000
   EXPECT POSIX <FOLDED> POSIX_RENAME_SOURCES > 0
   OPERATION updates LOST = 0 */
#include <sys/wait.h>

#include "tests/hazards/hazard.h"

enum { FILES = 6000, AGAIN = 1000 };

static void move_to(const char *from, const char *form, int number) {
    char to[64];
    snprintf(to, sizeof to, form, number);
    CHECK(rename(from, to) == 0);
}

static void move_again(int first) {
    for (int i = first; i < first + AGAIN; i++) {
        char name[64];
        snprintf(name, sizeof name, "a-longer-name-for-file-%d", i);
        move_to(name, "short%d", i);
    }
}

int main(void) {
    CHECK(symlink("nowhere", "unused") == 0);
    for (int i = 0; i < FILES; i++) {
        char name[64];
        snprintf(name, sizeof name, "file%d", i);
        int fd = fresh(name);
        put(fd, 1);
        CHECK(close(fd) == 0);
        move_to(name, "a-longer-name-for-file-%d", i);
    }
    move_again(0);
    CHECK(rename("unused", "still-unused") == 0);
    const pid_t child = fork();
    if (child == 0) {
        move_again(AGAIN);
        return 0;
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    return 0;
}
