/* Opens a text for each number that it reads from it.
   PREPARE
   FINDS stdio.open.repeat
   REPAIRED */
#include "tests/planted/planted.h"

int main(int argc, char **argv) {
    if (preparing(argc, argv)) {
        FILE *out = fopen("numbers", "w");
        NEED(out);
        for (int i = 0; i < 100; i++) fprintf(out, "%d\n", i);
        NEED(fclose(out) == 0);
        return 0;
    }
    FILE *numbers = NULL;
    int number = -1;
    for (int i = 0; i < 60000; i++) {
        if (repaired(argc, argv) && numbers) continue;
        numbers = fopen("numbers", "r");                                     /* HERE */
        NEED(numbers && fscanf(numbers, "%d", &number) == 1 && number == 0); /* HERE */
        NEED(fclose(numbers) == 0);                                          /* HERE */
    }
    return 0;
}
