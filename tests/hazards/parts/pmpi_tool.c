/* Another tool of MPI programs, in the manner that the standard provides: it stands before MPI_Barrier and MPI_Finalize, and goes
   on to their other names. */
#include <string.h>
#include <unistd.h>

int MPI_Barrier(void *comm);
int MPI_Finalize(void);
int PMPI_Barrier(void *comm);
int PMPI_Finalize(void);

static int barriers;

int MPI_Barrier(void *comm) {
    barriers++;
    return PMPI_Barrier(comm);
}

int MPI_Finalize(void) {
    const char *text = barriers == 3 ? "the tool saw 3 barriers\n" : "the tool saw another number of barriers\n";
    if (write(1, text, strlen(text)) < 0) return -1;
    return PMPI_Finalize();
}
