/* Goes through a text once by lines and writes one line a step, both through the C library's buffers.
   PREPARE
   INNOCENT */
#include "tests/planted/planted.h"

enum { LINES = 20000 };

static void prepare(void) {
    FILE *text = fopen("observed.txt", "w");
    for (int i = 0; i < LINES; i++) fprintf(text, "%d 12.5 47.1 512.0\n", i);
    fclose(text);
}

int main(int argc, char **argv) {
    char line[128];
    if (preparing(argc, argv)) return prepare(), 0;
    FILE *from = fopen("observed.txt", "r"), *to = fopen("fitted.txt", "w");
    NEED(from && to);
    while (fgets(line, sizeof line, from)) {
        compute_for(3e-5);
        fprintf(to, "fitted: %s", line);
    }
    fclose(from);
    return fclose(to);
}
