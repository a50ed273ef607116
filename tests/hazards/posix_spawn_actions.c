/* File actions of posix_spawn open and move descriptors behind the back of every wrapper; the child inherits them.
   PROCESSES 2
   EXPECT POSIX spawned.dat POSIX_OPENS = 0
   EXPECT POSIX spawned.dat POSIX_WRITES = 1
   EXPECT POSIX spawned.dat POSIX_BYTES_WRITTEN = 6
   EXPECT POSIX mine.dat POSIX_BYTES_WRITTEN = 12
   RECORDS POSIX mine.dat 2 */
#include <spawn.h>

#include "tests/hazards/hazard.h"

int main(int argc, char **argv) {
    if (argc > 1) {
        put(50, 6);
        put(51, 5);
        say("closed: %s", write(52, "x", 1) < 0 ? strerrorname_np(errno) : "no");
        return 0;
    }
    int fd = fresh("mine.dat");
    put(fd, 3);
    CHECK(dup2(fd, 52) == 52);
    posix_spawn_file_actions_t actions;
    CHECK(posix_spawn_file_actions_init(&actions) == 0);
    CHECK(posix_spawn_file_actions_addopen(&actions, 50, "spawned.dat", O_WRONLY | O_CREAT, 0600) == 0);
    CHECK(posix_spawn_file_actions_adddup2(&actions, fd, 51) == 0);
    CHECK(posix_spawn_file_actions_addclose(&actions, 52) == 0);
    char *words[] = {argv[0], (char *)(size_t) "child", NULL};
    pid_t child;
    CHECK(posix_spawn(&child, argv[0], &actions, NULL, words, environ) == 0);
    collect(child);
    put(52, 4);
    return 0;
}
