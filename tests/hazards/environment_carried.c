/* Programs that are started with another environment find that one, and nothing of ours in it: not in their
   constructors, not in what they start in turn, and the auxiliary vector is where it belongs. They are recorded all the
   same, and so are shells that libc starts for them. Marks of ours that come from elsewhere take nothing away.
   EXPECT POSIX first.dat POSIX_WRITES = 1
   EXPECT POSIX second.dat POSIX_WRITES = 8
   EXPECT POSIX shell.dat POSIX_WRITES = 16 */
#include <elf.h>
#include <link.h>
#include <spawn.h>
#include <sys/auxv.h>
#include <sys/syscall.h>

#include "tests/hazards/hazard.h"

static int entries_at_first;

__attribute__((constructor)) static void count(void) {
    for (char **at = environ; *at; at++) entries_at_first++;
}

static void find_auxiliary(char **environment) {
    while (*environment) environment++;
    ElfW(auxv_t) *entry = (ElfW(auxv_t) *)(environment + 1);
    while (entry->a_type != AT_NULL && entry->a_type != AT_PAGESZ) entry++;
    say("page size %s", entry->a_type == AT_PAGESZ && entry->a_un.a_val == getauxval(AT_PAGESZ) ? "found" : "lost");
}

static int second(char **environment) {
    char line[256];
    say("%d entries", entries_at_first);
    for (char **at = environment; *at; at++) say("  %s", *at);
    CHECK(environment == environ);
    find_auxiliary(environment);
    put(open("second.dat", O_WRONLY | O_CREAT | O_APPEND, 0644), 2);
    say("system %d", system("/usr/bin/env | /usr/bin/sort | grep -v -e PWD -e SHLVL -e _=; echo 1 >>shell.dat"));
    FILE *shell = popen("echo 2 >>shell.dat; /usr/bin/env | grep -e PRELOAD -e IOLITE; echo end", "r");
    CHECK(shell);
    while (fgets(line, sizeof line, shell)) say("popen %.*s", (int)strcspn(line, "\n"), line);
    pclose(shell);
    return 0;
}

static void become(int which, char *self) {
    char *words[] = {self, (char *)(size_t) "second", NULL};
    char *none[] = {NULL}, *some[] = {(char *)(size_t) "A=1", (char *)(size_t) "B=", (char *)(size_t) "odd", NULL};
    char *libraries[] = {(char *)(size_t) "A=1", (char *)(size_t) "LD_PRELOAD= libdl.so.2:", (char *)(size_t) "Z=2",
                         NULL};
    char *empty[] = {(char *)(size_t) "LD_PRELOAD=", NULL};
    char *marks[] = {(char *)(size_t) "A=1", (char *)(size_t) "IOLITE_CARRIED=0", (char *)(size_t) "B=2", NULL};
    char *more[] = {(char *)(size_t) "IOLITE_CARRIED=", (char *)(size_t) "A=1", (char *)(size_t) "IOLITE_CARRIED=x",
                    NULL};
    switch (which) {
    case 0: execve(self, words, none); break;
    case 1: execvpe(self, words, some); break;
    case 2: syscall(SYS_execve, self, words, libraries); break;
    case 3: fexecve(open(self, O_RDONLY | O_CLOEXEC), words, empty); break;
    case 4:
        CHECK(clearenv() == 0);
        execv(self, words);
        break;
    case 5: execve(self, words, marks); break;
    case 6: execve(self, words, more); break;
    default: execveat(AT_FDCWD, self, words, NULL, 0); break;
    }
}

int main(int argc, char **argv, char **environment) {
    if (argc > 1) return second(environment);
    put(fresh("first.dat"), 1);
    for (int which = 0; which < 8; which++) {
        pid_t child = fork();
        CHECK(child >= 0);
        if (child == 0) {
            become(which, argv[0]);
            _exit(CHECK_FAILED);
        }
        collect(child);
    }
    return 0;
}
