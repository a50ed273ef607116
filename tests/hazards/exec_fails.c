/* An exec that fails returns, and the program goes on: it must still be recorded.
   PROCESSES 1
   EXPECT POSIX out.dat POSIX_WRITES = 3 */
#include "tests/hazards/hazard.h"

int main(void) {
    int fd = fresh("out.dat");
    char *words[] = {(char *)(size_t) "nothing", NULL};
    put(fd, 1);
    say("execv %d %s", execv("./nothing", words), strerrorname_np(errno));
    put(fd, 1);
    say("execvp %d %s", execvp("hazard-nothing", words), strerrorname_np(errno));
    say("execve %d %s", execve(".", words, environ), strerrorname_np(errno));
    say("fexecve %d %s", fexecve(fd, words, environ), strerrorname_np(errno));
    put(fd, 1);
    return 0;
}
