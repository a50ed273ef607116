/* A library with types of its own behind names of libc: its DIR is a small number, as in a file system in user space, and its
   regex_t holds nothing that libc would understand. */
#include <dirent.h>
#include <fcntl.h>
#include <regex.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MARK = 0x5a };
static int descriptors[8];

static uintptr_t number_of(DIR *directory) { return (uintptr_t)directory; }

DIR *opendir(const char *path) {
    descriptors[1] = open(path, O_RDONLY | O_DIRECTORY);
    return descriptors[1] < 0 ? NULL : (DIR *)(uintptr_t)1;
}

int dirfd(DIR *directory) { return descriptors[number_of(directory)]; }

struct dirent *readdir(DIR *directory) {
    (void)directory;
    return NULL;
}

int closedir(DIR *directory) { return close(dirfd(directory)); }

int regcomp(regex_t *into, const char *text, int flags) {
    (void)text;
    (void)flags;
    memset(into, MARK, sizeof *into);
    return 0;
}

int regexec(const regex_t *of, const char *text, size_t count, regmatch_t found[], int flags) {
    (void)text;
    (void)count;
    (void)found;
    (void)flags;
    if (*(const unsigned char *)of != MARK) abort(); /* what another's regcomp made */
    return REG_NOMATCH;
}

void regfree(regex_t *of) { memset(of, 0, sizeof *of); }

#ifdef PROGRAM
int main(void) {
    DIR *directory = opendir(".");
    if (!directory) return 2;
    printf("a descriptor: %d\n", dirfd(directory) > 2);
    while (readdir(directory)) {}
    return closedir(directory) == 0 ? puts("listed") < 0 : 3;
}
#endif
