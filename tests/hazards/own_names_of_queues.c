/* Functions of the program that are called like those of libaio and liburing, and are something else.
   PART own_queue
   EXPECT POSIX out.dat POSIX_WRITES = 1 */
#include "tests/hazards/hazard.h"

double io_cancel(double x, double y);
long io_submit(const char *job, long n, const char *what);
double io_uring_enter(int a, double b, int c, double d, int e, double f, int g, double h, int i, double j, int k);

int main(void) {
    for (int i = 0; i < 2; i++) {
        say("%g", io_cancel(3, 4));
        say("%ld", io_submit("job", 3, "what"));
        say("%g", io_uring_enter(1, 20, 300, 4e3, 50000, 6e5, 7000000, 8e7, 900000000, 0.5, 10));
    }
    put(fresh("out.dat"), 5);
    return 0;
}
