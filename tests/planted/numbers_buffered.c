/* Writes and reads numbers one by one, through the buffer of a stream: processor time, no I/O to save.
   INNOCENT */
#include "tests/planted/planted.h"

int main(void) {
    double number = 0, sum = 0;
    FILE *f = fopen("numbers.dat", "w+");
    NEED(f);
    for (int i = 0; i < 2000000; i++) NEED(fwrite(&number, sizeof number, 1, f) == 1);
    rewind(f);
    while (fread(&number, sizeof number, 1, f) == 1) sum += number;
    return fclose(f) != 0 || sum != 0;
}
