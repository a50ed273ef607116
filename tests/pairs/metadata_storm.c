/* Every rank makes a file for each of its small results; afterwards they are in one shared file.
   RANKS 4
   FINDS posix.fpp.tiny */
#include "tests/pairs/pair.h"

enum { RESULTS = 150, RESULT = 2000 };

static void work(void) {
    char *results = bytes_of((size_t)RESULT * RESULTS);
    if (fixed) {
        MPI_File file = create_together("results", MPI_INFO_NULL);
        MPI(MPI_File_write_at_all(file, (MPI_Offset)rank * RESULT * RESULTS, results, RESULT * RESULTS, MPI_BYTE,
                                  MPI_STATUS_IGNORE));
        MPI(MPI_File_close(&file));
    } else {
        for (int i = 0; i < RESULTS; i++) {
            char name[64];
            snprintf(name, sizeof name, "result.%d.%d", rank, i);
            int fd = create(name);
            put(fd, results + (size_t)i * RESULT, RESULT, 0);
            close(fd);
        }
    }
    free(results);
}
