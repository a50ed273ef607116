/* A rank goes on after MPI_Finalize: with files that it had open and used before, alone or with all others, and with
   new ones. What it does is added to the log that the ranks have written, and a file has no second record of a rank.
   RANKS 2
   LOGS 1
   RECORDS POSIX own.? 2
   EXPECT POSIX own.? POSIX_OPENS = 2
   EXPECT POSIX own.? POSIX_BYTES_WRITTEN = 42
   EXPECT POSIX own.0 POSIX_BYTES_WRITTEN = 20
   RECORDS POSIX shared 1
   EXPECT POSIX shared POSIX_WRITES = 4
   EXPECT POSIX shared POSIX_BYTES_WRITTEN = 400
   EXPECT POSIX shared POSIX_MAX_BYTE_WRITTEN = 399
   RECORDS POSIX late.? 2
   EXPECT POSIX late.? POSIX_BYTES_WRITTEN = 21
   RECORDS POSIX all_late 1
   EXPECT POSIX all_late POSIX_BYTES_WRITTEN = 200
   RECORDS HEATMAP heatmap:POSIX 2
   EXPECT HEATMAP heatmap:POSIX WRITTEN = 663
   OPERATION close COUNT = 8 */
#include "tests/mpilife/rank.h"

int main(int argc, char **argv) {
    char path[64];
    start(&argc, &argv);
    snprintf(path, sizeof path, "own.%d", rank);
    const int own = fresh(path), shared = open("shared", O_RDWR | O_CREAT, 0644);
    CHECK(shared >= 0);
    put(own, (size_t)(10 + rank));
    put_at(shared, 100, (off_t)rank * 100);
    const int result = MPI_Finalize();
    put(own, (size_t)(10 + rank));
    put_at(shared, 100, (off_t)(2 + rank) * 100);
    close(own);
    close(shared);
    write_own("late");
    write_shared("all_late");
    return result;
}
