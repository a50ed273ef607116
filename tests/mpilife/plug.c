/* What loaded_late.c loads. */
#include "tests/mpilife/rank.h"

int act(void);
int act(void) {
    start(NULL, NULL);
    write_own("plug");
    return MPI_Finalize();
}
