/* A pool of workers shares the parent's file and has one file each: every process counts once.
   PROCESSES 9
   RECORDS POSIX shared.dat 9
   RECORDS POSIX worker*.dat 8
   EXPECT POSIX shared.dat POSIX_OPENS = 1
   EXPECT POSIX shared.dat POSIX_WRITES = 801
   EXPECT POSIX worker*.dat POSIX_WRITES = 80
   EXPECT POSIX worker*.dat POSIX_BYTES_WRITTEN = 8000 */
#include "tests/hazards/hazard.h"

static void work(int shared, int number) {
    char name[32];
    snprintf(name, sizeof name, "worker%d.dat", number);
    int own = fresh(name);
    for (int i = 0; i < 100; i++) put_at(shared, 10, 1000L * number + 10 * i);
    for (int i = 0; i < 10; i++) put(own, 100);
    exit(0);
}

int main(void) {
    int shared = fresh("shared.dat");
    put(shared, 1);
    pid_t workers[8];
    for (int i = 0; i < 8; i++) {
        workers[i] = fork();
        CHECK(workers[i] >= 0);
        if (workers[i] == 0) work(shared, i);
    }
    for (int i = 0; i < 8; i++) collect(workers[i]);
    return 0;
}
