/* popen and system start shells inside the C library; pipes to them are not files.
   EXPECT STDIO note.txt STDIO_WRITES = 1
   EXPECT POSIX after.dat POSIX_WRITES = 1 */
#include "tests/hazards/hazard.h"

int main(void) {
    char line[64] = "";
    FILE *shell = popen("echo from the shell", "r");
    CHECK(shell && fgets(line, sizeof line, shell));
    say("%.*s, status %d", (int)strcspn(line, "\n"), line, pclose(shell));
    FILE *note = fopen("note.txt", "w");
    CHECK(note && fputs("note\n", note) >= 0 && fclose(note) == 0);
    say("system %d", system("cat note.txt && exit 3"));
    put(fresh("after.dat"), 2);
    return 0;
}
