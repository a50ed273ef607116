/* A library with functions of its own that are called like libaio's and liburing's. */
double io_cancel(double x, double y);
long io_submit(const char *job, long n, const char *what);
double io_uring_enter(int a, double b, int c, double d, int e, double f, int g, double h, int i, double j, int k);

double io_cancel(double x, double y) { return x * y; }
long io_submit(const char *job, long n, const char *what) { return job[0] + n + what[0]; }
double io_uring_enter(int a, double b, int c, double d, int e, double f, int g, double h, int i, double j, int k) {
    return a + b + c + d + e + f + g + h + i + j + k;
}
