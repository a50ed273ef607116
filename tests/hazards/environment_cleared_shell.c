/* A program that has cleared its environment starts shells: they are recorded, and neither they nor the program see a
   variable of ours.
   PROCESSES 3
   EXPECT POSIX system.dat POSIX_BYTES_WRITTEN = 2
   EXPECT POSIX popen.dat POSIX_BYTES_WRITTEN = 2 */
#include "tests/hazards/hazard.h"

extern char **environ;

static void pass_on(const char *command) {
    char line[200];
    FILE *stream = popen(command, "r");
    CHECK(stream);
    while (fgets(line, sizeof line, stream)) say("%s", line);
    CHECK(pclose(stream) == 0);
}

int main(void) {
    CHECK(clearenv() == 0 && environ == NULL);
    CHECK(system("echo a >system.dat") == 0);
    CHECK(environ == NULL);
    pass_on("echo b >popen.dat; export -p");
    CHECK(environ == NULL);
    return 0;
}
