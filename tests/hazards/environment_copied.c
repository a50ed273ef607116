/* A library that the program is linked with copies the environment before our constructor runs. What had been added to
   it is in neither, and the program can change its environment as ever.
   PART copying
   EXPECT POSIX second.dat POSIX_WRITES = 3 */
#include "tests/hazards/hazard.h"

int copying_loaded(void);

static void show(const char *when) {
    say("%s", when);
    for (char **at = environ; *at; at++) say("  %s", *at);
}

int main(int argc, char **argv) {
    char parts[4096], libraries[] = "LD_PRELOAD=libdl.so.2";
    char *some[] = {(char *)(size_t) "A=1", libraries, parts, (char *)(size_t) "B=2", NULL};
    char *words[] = {argv[0], (char *)(size_t) "second", NULL}, *none[] = {parts, NULL};
    const int found = copying_loaded();
    CHECK(found > 0);
    snprintf(parts, sizeof parts, "HAZARD_PARTS=%s", getenv("HAZARD_PARTS"));
    if (argc > 1) {
        say("%d entries for the library", found);
        show("given");
        CHECK(setenv("C", "3", 1) == 0 && unsetenv("A") == 0 && setenv("B", "4", 1) == 0);
        show("changed");
        put(open("second.dat", O_WRONLY | O_CREAT | O_APPEND, 0644), 2);
        return 0;
    }
    for (int which = 0; which < 3; which++) {
        pid_t child = fork();
        CHECK(child >= 0);
        if (child == 0) {
            if (which == 2) CHECK(clearenv() == 0 && putenv(parts) == 0);
            execve(argv[0], words, which == 0 ? some : which == 1 ? none : environ);
            _exit(CHECK_FAILED);
        }
        collect(child);
    }
    return 0;
}
