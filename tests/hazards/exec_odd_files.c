/* A file that is not a program, or a link that leads nowhere, fails as ever: whoever looks at it before must not wait or crash.
   PROCESSES 1
   EXPECT POSIX out.dat POSIX_WRITES = 1 */
#include <spawn.h>
#include <sys/syscall.h>

#include "tests/hazards/hazard.h"

#define TRY(call)                                                \
    do {                                                         \
        const int result = (int)(call);                          \
        say("%s: %d %s", #call, result, strerrorname_np(errno)); \
    } while (0)

static char *words[] = {(char *)(size_t) "word", NULL};

static void make(const char *path, const char *text, mode_t mode) {
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    CHECK(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text) && fchmod(fd, mode) == 0 && close(fd) == 0);
}

int main(void) {
    char *volatile bad = (char *)8, *volatile null = NULL;
    char **volatile bad_list = (char **)8, *bad_entries[] = {(char *)8, NULL};
    pid_t pid;
    put(fresh("out.dat"), 3);
    CHECK(mkfifo("fifo", 0755) == 0 && mkdir("folder", 0755) == 0);
    make("empty", "", 0755);
    make("no_rights", "#!/bin/sh\n", 0644);
    make("itself", "#!./itself\n", 0755);
    make("nobody", "#!/no/such/interpreter\n", 0755);
    make("no_elf", "\177ELF but no more", 0755);
    CHECK(setenv("PATH", "folder:.", 1) == 0);
    TRY(execve("fifo", words, environ));
    TRY(execvp("fifo", words));
    TRY(execve("folder", words, environ));
    TRY(execve("/dev/null", words, environ));
    TRY(execve("empty", words, environ));
    TRY(execve("no_rights", words, environ));
    TRY(execve("itself", words, environ));
    TRY(execve("nobody", words, environ));
    TRY(execve("no_elf", words, environ));
    TRY(execve("", words, environ));
    TRY(execvp("", words));
    TRY(execve("absent", words, environ));
    TRY(execv(bad, words));
    TRY(execve(null, words, environ));
    TRY(execve("absent", words, bad_list));
    TRY(execve("/bin/true", words, bad_list));
    TRY(execve("/bin/true", words, bad_entries));
    TRY(execve("/bin/true", bad_list, environ));
    TRY(fexecve(-1, words, environ));
    TRY(fexecve(900, words, environ));
    TRY(execveat(AT_FDCWD, "fifo", words, environ, 0));
    TRY(execveat(900, "", words, environ, AT_EMPTY_PATH));
    TRY(syscall(SYS_execve, "fifo", words, environ));
    say("spawn %s", strerrorname_np(posix_spawn(&pid, "fifo", NULL, NULL, words, environ)));
    say("spawn %s", strerrorname_np(posix_spawnp(&pid, "fifo", NULL, NULL, words, environ)));
    say("spawn %s", strerrorname_np(posix_spawn(&pid, bad, NULL, NULL, words, environ)));
    say("spawn %s", strerrorname_np(posix_spawn(&pid, "/bin/true", NULL, NULL, words, bad_list)));
    return 0;
}
