/* Every spelling of exec leaves a readable record of the image before it.
   PROCESSES 8
   EXPECT POSIX before.dat POSIX_WRITES = 7
   EXPECT POSIX after.dat POSIX_WRITES = 7
   RECORDS POSIX before.dat 7 */
#include "tests/hazards/hazard.h"

static char self[4096];

static void become(int which) {
    char *words[] = {self, (char *)(size_t) "after", NULL};
    switch (which) {
    case 0: execl(self, self, "after", (char *)NULL); break;
    case 1: execv(self, words); break;
    case 2: execle(self, self, "after", (char *)NULL, environ); break;
    case 3: execve(self, words, environ); break;
    case 4: execlp(self, self, "after", (char *)NULL); break;
    case 5: execvp(self, words); break;
    default: execvpe(self, words, environ); break;
    }
}

int main(int argc, char **argv) {
    (void)argv;
    int append = O_WRONLY | O_CREAT | O_APPEND;
    if (argc > 1) {
        put(open("after.dat", append, 0644), 2);
        return 0;
    }
    CHECK(readlink("/proc/self/exe", self, sizeof self - 1) > 0);
    for (int which = 0; which < 7; which++) {
        pid_t child = fork();
        CHECK(child >= 0);
        if (child == 0) {
            put(open("before.dat", append, 0644), 1);
            become(which);
            _exit(1);
        }
        collect(child);
    }
    return 0;
}
