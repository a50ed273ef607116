/* PnetCDF as programs use it, in the ways that are easily recorded wrongly: two files open at once whose variables have
   the same numbers, numbers that are used again, variables that grow, that have no or many dimensions, or that nobody
   asked for by name, and calls that fail. files DIRECTORY [PREFIX]: a prefix as ROMIO takes them, "ufs:". */
#include <mpi.h>
#include <pnetcdf.h>
#include <stdio.h>
#include <string.h>

#include "tests/pnetcdf/expect.h"

#define VAR(name) "PNETCDF_VAR_" name
#define FILES(name) "PNETCDF_FILE_" name

static char path[64][512];
static int n_paths;
static double values[4096];
static const char *directory, *prefix = "";

static const char *name(const char *base) {
    char *to = path[n_paths++];
    snprintf(to, sizeof *path, "%s/%s", directory, base);
    return to;
}

static int create(const char *file_name) {
    int file;
    MUST(ncmpi_create(MPI_COMM_WORLD, file_name, NC_CLOBBER, MPI_INFO_NULL, &file));
    expect_more(file_name, FILES("CREATES"), 1);
    return file;
}

static int dimension(int file, const char *called, MPI_Offset length) {
    int number;
    MUST(ncmpi_def_dim(file, called, length, &number));
    return number;
}

static int variable(int file, const char *record, nc_type type, int n, const int *dimensions) {
    int number;
    MUST(ncmpi_def_var(file, strrchr(record, ':') + 1, type, n, dimensions, &number));
    expect_more(record, VAR("OPENS"), 1);
    expect_is(record, VAR("NDIMS"), n);
    return number;
}

/* What PnetCDF says that it moved, which includes the head of the file, is the file's. */
static void finish(int file, const char *file_name) {
    MPI_Offset put, got;
    MUST(ncmpi_inq_put_size(file, &put));
    MUST(ncmpi_inq_get_size(file, &got));
    MUST(ncmpi_close(file));
    long long sums[2], mine[2] = {put, got};
    MPI_Allreduce(mine, sums, 2, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
    expect_of_all(file_name, FILES("BYTES_WRITTEN"), sums[0]);
    expect_of_all(file_name, FILES("BYTES_READ"), sums[1]);
}

static void two_at_once(void) {
    const char *a = name("a.nc"), *ax = name("a.nc:x"), *b = name("b.nc"), *by = name("b.nc:y");
    const MPI_Offset start = 0, all = 10, few = 3;
    const int fa = create(a), fb = create(b);
    int da = dimension(fa, "n", 10), db = dimension(fb, "n", 10);
    const int x = variable(fa, ax, NC_INT, 1, &da), y = variable(fb, by, NC_DOUBLE, 1, &db);
    must(x, y, "both have the same number");
    MUST(ncmpi_enddef(fa));
    MUST(ncmpi_enddef(fb));
    MUST(ncmpi_put_vara_double_all(fa, x, &start, &all, values));
    MUST(ncmpi_put_vara_double_all(fb, y, &start, &few, values));
    MUST(ncmpi_put_vara_double_all(fb, y, &start, &few, values));
    MUST(ncmpi_get_vara_double_all(fa, x, &start, &few, values));
    expect_more(ax, VAR("BYTES_WRITTEN"), 40);
    expect_more(ax, VAR("BYTES_READ"), 12);
    expect_more(ax, VAR("RW_SWITCHES"), 1);
    expect_more(ax, VAR("COLL_WRITES"), 1);
    expect_more(by, VAR("BYTES_WRITTEN"), 48);
    expect_more(by, VAR("BYTES_READ"), 0);
    expect_more(by, VAR("COLL_WRITES"), 2);
    expect_is(ax, VAR("DATATYPE_SIZE"), 4);
    expect_is(by, VAR("DATATYPE_SIZE"), 8);
    finish(fa, a);
    /* The number of a file, and of its variable, belong to another one now. */
    const char *c = name("c.nc"), *cz = name("c.nc:z");
    const int fc = create(c);
    must(fc, fa, "the number of a file is used again");
    int dc = dimension(fc, "n", 10);
    const int z = variable(fc, cz, NC_BYTE, 1, &dc);
    MUST(ncmpi_enddef(fc));
    MUST(ncmpi_put_vara_double_all(fc, z, &start, &all, values));
    expect_more(cz, VAR("BYTES_WRITTEN"), 10);
    finish(fc, c);
    finish(fb, b);
}

static void growing(void) {
    const char *f = name("growing.nc"), *series = name("growing.nc:series"), *fixed = name("growing.nc:fixed");
    const MPI_Offset start[] = {0, 0}, five[] = {5, 3}, last[] = {6, 2};
    const int file = create(f);
    int both[] = {dimension(file, "time", NC_UNLIMITED), dimension(file, "n", 3)};
    const int s = variable(file, series, NC_DOUBLE, 2, both), x = variable(file, fixed, NC_SHORT, 1, &both[1]);
    MUST(ncmpi_enddef(file));
    MUST(ncmpi_put_vara_double_all(file, s, start, five, values));
    MUST(ncmpi_put_var1_double_all(file, s, last, values));
    MUST(ncmpi_get_var_double_all(file, s, values)); /* seven records by now */
    MUST(ncmpi_put_var_double_all(file, x, values));
    expect_is(series, VAR("IS_RECORD_VAR"), 1);
    expect_is(series, VAR("NPOINTS"), 3);
    expect_more(series, VAR("BYTES_WRITTEN"), 5 * 3 * 8 + 8);
    expect_more(series, VAR("BYTES_READ"), 7 * 3 * 8);
    expect_more(series, VAR("SIZE_READ_AGG_100_1K"), 1);
    expect_is(fixed, VAR("IS_RECORD_VAR"), 0);
    expect_more(fixed, VAR("BYTES_WRITTEN"), 3 * 2); /* it has no records, though its file has */
    finish(file, f);
}

static void managed(void) {
    const char *f = name("managed.nc"), *x = name("managed.nc:x"), *later = name("managed.nc:later");
    const int file = create(f);
    int n = dimension(file, "n", 4);
    const int first = variable(file, x, NC_INT, 1, &n);
    MUST(ncmpi_enddef(file));
    MUST(ncmpi_put_var_double_all(file, first, values));
    MUST(ncmpi_redef(file));
    const int second = variable(file, later, NC_INT, 1, &n);
    MUST(ncmpi__enddef(file, 0, 0, 0, 0));
    MUST(ncmpi_sync(file));
    MUST(ncmpi_sync(file));
    MUST(ncmpi_put_var_double_all(file, second, values));
    expect_more(f, FILES("REDEFS"), 1);
    expect_more(f, FILES("SYNCS"), 2);
    expect_more(x, VAR("BYTES_WRITTEN"), 16);
    expect_more(later, VAR("BYTES_WRITTEN"), 16);
    finish(file, f);
}

/* Opened again: one variable by its name, one by a number that the program knows. */
static void reopened(void) {
    const char *f = name("managed.nc"), *x = name("managed.nc:x"), *later = name("managed.nc:later");
    char with_prefix[600];
    int file, number;
    snprintf(with_prefix, sizeof with_prefix, "%s%s", prefix, f);
    MUST(ncmpi_open(MPI_COMM_WORLD, with_prefix, NC_NOWRITE, MPI_INFO_NULL, &file));
    MUST(ncmpi_inq_varid(file, "x", &number));
    MUST(ncmpi_get_var_double_all(file, number, values));
    MUST(ncmpi_get_var_double_all(file, 1, values));
    finish(file, f);
    expect_more(f, FILES("OPENS"), 1);
    expect_more(x, VAR("OPENS"), 1);
    expect_more(x, VAR("BYTES_READ"), 16);
    expect_more(later, VAR("OPENS"), 0);
    expect_more(later, VAR("BYTES_READ"), 16);
}

static void shapes(void) {
    const char *f = name("shapes.nc"), *seven = name("shapes.nc:seven"), *none = name("shapes.nc:none");
    const MPI_Offset start[7] = {0}, count[] = {1, 2, 1, 2, 1, 2, 1}, stride[] = {1, 1, 1, 1, 1, 1, 2};
    MPI_Offset points[3][7] = {{0}, {1}, {0, 1}}, *starts[] = {points[0], points[1], points[2]};
    int dimensions[7];
    const int file = create(f);
    for (int i = 0; i < 7; i++) dimensions[i] = dimension(file, (char[]){'a', (char)('a' + i), 0}, 2);
    const int s = variable(file, seven, NC_FLOAT, 7, dimensions), z = variable(file, none, NC_INT, 0, NULL);
    MUST(ncmpi_enddef(file));
    MUST(ncmpi_put_vars_double_all(file, s, start, count, stride, values));
    MUST(ncmpi_put_vars_double_all(file, s, start, count, stride, values));
    MUST(ncmpi_put_vars_double_all(file, s, start, count, NULL, values));
    MUST(ncmpi_put_varn_double_all(file, s, 3, starts, NULL, values));
    MUST(ncmpi_put_var_double_all(file, z, values));
    MUST(ncmpi_put_var1_double_all(file, z, NULL, values));
    expect_is(seven, VAR("NPOINTS"), 128);
    expect_more(seven, VAR("BYTES_WRITTEN"), 3 * 8 * 4 + 3 * 4);
    expect_is(seven, VAR("ACCESS1_ACCESS"), 32);
    expect_is(seven, VAR("ACCESS1_LENGTH_D1"), 1);
    expect_is(seven, VAR("ACCESS1_LENGTH_D2"), 2);
    expect_is(seven, VAR("ACCESS1_LENGTH_D5"), 1);
    expect_is(seven, VAR("ACCESS1_STRIDE_D4"), 1);
    expect_is(seven, VAR("ACCESS1_STRIDE_D5"), 2);
    expect_more(seven, VAR("ACCESS1_COUNT"), 2);
    expect_is(seven, VAR("ACCESS2_STRIDE_D5"), 1);
    expect_is(seven, VAR("ACCESS3_ACCESS"), 12);
    expect_is(seven, VAR("ACCESS3_LENGTH_D1"), 0);
    expect_is(none, VAR("NPOINTS"), 1);
    expect_more(none, VAR("BYTES_WRITTEN"), 8);
    finish(file, f);
}

/* What fails is not counted, but for waits. */
static void failing(void) {
    const char *f = name("failing.nc"), *x = name("failing.nc:x");
    const MPI_Offset start = 2, too_many = 9, few = 2;
    int number, request, result;
    const int file = create(f);
    int n = dimension(file, "n", 4);
    const int v = variable(file, x, NC_INT, 1, &n);
    must(ncmpi_def_var(file, "x", NC_INT, 1, &n, &number), NC_ENAMEINUSE, "a name that is in use");
    must(ncmpi_redef(file), NC_EINDEFINE, "redef while defining");
    MUST(ncmpi_enddef(file));
    must(ncmpi_put_vara_double_all(file, v, &start, &too_many, values), NC_EEDGE, "past the edge");
    must(ncmpi_put_var_double(file, v, values), NC_ENOTINDEP, "not independent");
    must(ncmpi_inq_varid(file, "y", &number), NC_ENOTVAR, "no such variable");
    must(ncmpi_get_var_double_all(file, 7, values), NC_ENOTVAR, "no such number");
    MUST(ncmpi_iput_vara_double(file, v, &start, &few, values, &request));
    must(ncmpi_wait(file, 1, &request, &result), NC_ENOTINDEP, "not independent");
    MUST(ncmpi_wait_all(file, 1, &request, &result));
    must(ncmpi_close(-1), NC_EBADID, "no such file");
    expect_more(x, VAR("COLL_WRITES"), 0);
    expect_more(x, VAR("INDEP_WRITES"), 0);
    expect_more(x, VAR("NB_WRITES"), 1);
    expect_more(x, VAR("BYTES_WRITTEN"), 8);
    expect_more(f, FILES("REDEFS"), 0);
    expect_more(f, FILES("COLL_WAITS"), 1);
    expect_more(f, FILES("WAIT_FAILURES"), 1);
    finish(file, f);
}

int main(int argc, char **argv) {
    int ranks, rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc < 2) return 2;
    directory = argv[1];
    if (argc > 2) prefix = argv[2];
    two_at_once();
    growing();
    managed();
    reopened();
    shapes();
    failing();
    if (rank == 0) expect_print(ranks);
    MPI_Finalize();
    return 0;
}
