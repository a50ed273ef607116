/* Uses the library of without_mpi.c, and a file. */
#include <stdio.h>

int ncmpi_close(int file);
int ncmpi_put_var_int(int file, int variable, const int *memory);

int main(int argc, char **argv) {
    FILE *file = argc > 1 ? fopen(argv[1], "w") : NULL;
    if (!file || fputs("text\n", file) < 0 || fclose(file) != 0) return 1;
    return ncmpi_close(41) == 42 && ncmpi_put_var_int(1, 2, &argc) == 5 ? 0 : 2;
}
