/* Reads a text by characters from a stream without a buffer.
   PREPARE
   FINDS stdio.tiny */
#include "tests/planted/planted.h"

int main(int argc, char **argv) {
    if (preparing(argc, argv)) return make_sparse("text.txt", 256 * MiB), 0;
    FILE *text = fopen("text.txt", "r");
    NEED(text && setvbuf(text, NULL, _IONBF, 0) == 0);
    while (more(5000)) NEED(fgetc(text) == 0); /* HERE */
    fclose(text);
    return 0;
}
