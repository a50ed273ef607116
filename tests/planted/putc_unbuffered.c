/* Writes a text by characters into a stream without a buffer.
   FINDS stdio.tiny */
#include "tests/planted/planted.h"

int main(void) {
    FILE *text = fopen("text.txt", "w");
    NEED(text && setvbuf(text, NULL, _IONBF, 0) == 0);
    while (more(5000)) NEED(fputc('x', text) == 'x'); /* HERE */
    return fclose(text);
}
