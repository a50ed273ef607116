/* names_only CALLS: every rank looks at a directory, and for a file that is not there, CALLS times, and does nothing
   else. */
#include <stdlib.h>
#include <sys/stat.h>

#include <mpi.h>

int main(int argc, char **argv) {
    struct stat facts;
    MPI_Init(&argc, &argv);
    const int calls = argc > 1 ? atoi(argv[1]) : 0;
    int wrong = 0;
    for (int i = 0; i < calls; i++) wrong |= stat(".", &facts) != 0 || stat("none", &facts) == 0;
    MPI_Finalize();
    return wrong;
}
