/* Calls every function of PnetCDF that moves data, once: the same table that the library's wrappers come from makes the
   calls and knows what each of them counts. forms FILE */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/pnetcdf/expect.h"

/* Of PnetCDF's header, which says the same of the functions below with other types. */
int ncmpi_create(MPI_Comm group, const char *path, int mode, MPI_Info info, int *file);
int ncmpi_def_dim(int file, const char *name, long long length, int *dimension);
int ncmpi_def_var(int file, const char *name, int type, int n, const int *dimensions, int *variable);
int ncmpi_enddef(int file);
int ncmpi_buffer_attach(int file, long long bytes);
int ncmpi_buffer_detach(int file);
int ncmpi_begin_indep_data(int file);
int ncmpi_end_indep_data(int file);
int ncmpi_wait_all(int file, int n, int *requests, int *results);
int ncmpi_wait(int file, int n, int *requests, int *results);
int ncmpi_close(int file);
#define LAZY(type, name, parameters, arguments, library)
#define PNETCDF_DATA(verb, VERB, form, FORM, type, all, parameters, arguments) \
    int ncmpi_##verb##_##form##type##all parameters;
#include "runtime/pnetcdf/pnetcdf.def"

enum { CLOBBER = 0, CHAR = 2, INT = 4, ROWS = 4, COLUMNS = 6 };

static char names[2][512]; /* of the records: numbers, text */
static int variables[2];
static int last[2];  /* direction of the last transfer: 1 read, 2 write */
static int waits[2]; /* alone, together */

/* What a form moves, in elements: that of the box, of the two boxes, of the file type. */
static long long elements(const char *form) {
    if (strcmp(form, "var") == 0) return ROWS * COLUMNS;
    if (strcmp(form, "var1") == 0) return 1;
    if (strcmp(form, "varn") == 0) return 4;
    if (strcmp(form, "vard") == 0) return 4;
    return 2 * 3;
}

static void expect(int which, const char *verb, const char *form, const char *counter, int collective) {
    char name[64];
    const char *record = names[which];
    const long long size = elements(form) * (which ? 1 : 4);
    const int write = strstr(verb, "put") != NULL, blocking = strcmp(verb, "put") == 0 || strcmp(verb, "get") == 0;
    expect_more(record, counter, 1);
    snprintf(name, sizeof name, "PNETCDF_VAR_%s_%s",
             !blocking    ? "NB"
             : collective ? "COLL"
                          : "INDEP",
             write ? "WRITES" : "READS");
    expect_more(record, name, 1);
    expect_more(record, write ? "PNETCDF_VAR_BYTES_WRITTEN" : "PNETCDF_VAR_BYTES_READ", size);
    expect_more(record, write ? "PNETCDF_VAR_SIZE_WRITE_AGG_0_100" : "PNETCDF_VAR_SIZE_READ_AGG_0_100", 1);
    if (last[which] && last[which] != write + 1) expect_more(record, "PNETCDF_VAR_RW_SWITCHES", 1);
    last[which] = write + 1;
}

/* Text cannot become numbers, so it has a variable of its own. */
static int text_type(const char *type) { return strcmp(type, "_text") == 0; }
static int is_all(const char *all) { return *all != 0; }
static int begins(const char *verb) { return *verb == 'i' || *verb == 'b'; }

/* Where all ranks take part, and where each is on its own. */
static int phase_of(const char *verb, const char *all) { return *verb == 'i' || is_all(all) ? 0 : 1; }

/* Waits for one: several at once that write to the same place would be a mistake. */
static void complete(int file, int request, int together) {
    int result;
    MUST(together ? ncmpi_wait_all(file, 1, &request, &result) : ncmpi_wait(file, 1, &request, &result));
    MUST(result);
    waits[together]++;
}

static void call_all(int file, int phase) {
    static double memory[ROWS * COLUMNS];
    long long start[] = {1, 1}, count[] = {2, 3}, stride[] = {1, 1}, map[] = {3, 1};
    long long starts_0[] = {0, 0}, starts_1[] = {2, 2}, counts_0[] = {1, 2}, counts_1[] = {2, 1};
    long long *starts[] = {starts_0, starts_1}, *counts[] = {counts_0, counts_1};
    const int boxes = 2;
    MPI_Datatype element = MPI_INT, filetype;
    MPI_Type_contiguous(4, MPI_INT, &filetype);
    MPI_Type_commit(&filetype);
#define LAZY(type, name, parameters, arguments, library)
#define PNETCDF_DATA(verb, VERB, form, FORM, type, all, parameters, arguments)     \
    if (phase_of(#verb, #all) == phase) {                                          \
        const int which = text_type(#type), variable = variables[which];           \
        int begun = 0, *request = &begun;                                          \
        const long long n = elements(#form);                                       \
        (void)request, (void)n;                                                    \
        MUST(ncmpi_##verb##_##form##type##all arguments);                          \
        expect(which, #verb, #form, "PNETCDF_VAR_" #VERB "_" #FORM, is_all(#all)); \
        if (begins(#verb)) complete(file, begun, *#verb == 'i');                   \
    }
#include "runtime/pnetcdf/pnetcdf.def"
    MPI_Type_free(&filetype);
}

int main(int argc, char **argv) {
    int file, dimensions[2], ranks, rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc != 2) return 2;
    MUST(ncmpi_create(MPI_COMM_WORLD, argv[1], CLOBBER, MPI_INFO_NULL, &file));
    MUST(ncmpi_def_dim(file, "row", ROWS, &dimensions[0]));
    MUST(ncmpi_def_dim(file, "column", COLUMNS, &dimensions[1]));
    MUST(ncmpi_def_var(file, "numbers", INT, 2, dimensions, &variables[0]));
    MUST(ncmpi_def_var(file, "text", CHAR, 2, dimensions, &variables[1]));
    MUST(ncmpi_enddef(file));
    MUST(ncmpi_buffer_attach(file, 1 << 20));
    snprintf(names[0], sizeof names[0], "%s:numbers", argv[1]);
    snprintf(names[1], sizeof names[1], "%s:text", argv[1]);
    call_all(file, 0);
    MUST(ncmpi_begin_indep_data(file));
    call_all(file, 1);
    MUST(ncmpi_end_indep_data(file));
    MUST(ncmpi_buffer_detach(file));
    MUST(ncmpi_close(file));
    for (int i = 0; i < 2; i++) {
        expect_more(names[i], "PNETCDF_VAR_OPENS", 1);
        expect_is(names[i], "PNETCDF_VAR_NDIMS", 2);
        expect_is(names[i], "PNETCDF_VAR_NPOINTS", ROWS * COLUMNS);
        expect_is(names[i], "PNETCDF_VAR_DATATYPE_SIZE", i ? 1 : 4);
        expect_is(names[i], "PNETCDF_VAR_IS_RECORD_VAR", 0);
    }
    expect_more(argv[1], "PNETCDF_FILE_CREATES", 1);
    expect_more(argv[1], "PNETCDF_FILE_COLL_WAITS", waits[1]);
    expect_more(argv[1], "PNETCDF_FILE_INDEP_WAITS", waits[0]);
    if (rank == 0) expect_print(ranks);
    MPI_Finalize();
    return 0;
}
