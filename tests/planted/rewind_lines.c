/* Goes through a text file by lines, from the beginning, for every line that it looks for.
   PREPARE
   FINDS stdio.redundant.read */
#include "tests/planted/planted.h"

static void prepare(void) {
    FILE *text = fopen("stations.txt", "w");
    for (int i = 0; i < 20000; i++) fprintf(text, "station %d: 12.5 47.1 512.0 m above the sea\n", i);
    fclose(text);
}

int main(int argc, char **argv) {
    char line[256];
    if (preparing(argc, argv)) return prepare(), 0;
    FILE *text = fopen("stations.txt", "r");
    NEED(text);
    while (more(20)) {
        rewind(text);
        while (fgets(line, sizeof line, text)) continue; /* HERE */
    }
    fclose(text);
    return 0;
}
