/* Functions that are called like MPI's, and are something else. */
double MPI_Init(double x, double y);
int PMPI_Barrier(const char *text);
double H5Fopen(int a, double b, int c, double d, int e, double f, int g, double h, int i, double j, int k);

double MPI_Init(double x, double y) { return x * 10 + y; }
int PMPI_Barrier(const char *text) { return text[0]; }
double H5Fopen(int a, double b, int c, double d, int e, double f, int g, double h, int i, double j, int k) {
    return a + b + c + d + e + f + g + h + i + j + k;
}
