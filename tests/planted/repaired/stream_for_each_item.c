/* Makes a file for each item through streams: fopen and fclose take the time, and no call of the POSIX layer is seen.
   FINDS posix.files.many
   LEAST posix.files.many files 3000
   LACKS stdio.tiny
   REPAIRED */
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    enum { ITEMS = 3000 };
    const int repaired = argc > 1 && strcmp(argv[1], "repaired") == 0;
    char name[64], item[1500];
    memset(item, 'x', sizeof item);
    FILE *file = repaired ? fopen("all", "w") : NULL;
    for (int i = 0; i < ITEMS; i++) {
        if (!repaired) {
            snprintf(name, sizeof name, "item%d", i);
            file = fopen(name, "w"); /* HERE */
        }
        if (!file || fwrite(item, 1, sizeof item, file) != sizeof item) return 1;
        if (!repaired && fclose(file) != 0) return 1; /* HERE */
    }
    return repaired && fclose(file) != 0;
}
