/* What the log of a test program must have: each rank writes a text file, whose lines check.py compares with the log.
   Values are those of the rank; the log's may be of all ranks together.
     count  MODULE FILE COUNTER VALUE     added up over ranks
     value  MODULE FILE COUNTER VALUE     the same on all ranks
     above  MODULE FILE COUNTER           more than 0
     op     FILE w|r OFFSET LENGTH        traced by MPI-IO
     span   FILE SECONDS                  each traced operation took at least this long
     none   MODULE                        nothing of this module is in the log
     hint   FILE KEY VALUE                MPI-IO goes by this hint */
#ifndef IOL_TESTS_MPI_EXPECTED_H
#define IOL_TESTS_MPI_EXPECTED_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static FILE *expected;
static int rank, ranks;

#define CHECK(call)                                                                              \
    do {                                                                                         \
        const int result_ = (call);                                                              \
        if (result_ != MPI_SUCCESS) {                                                            \
            char text_[MPI_MAX_ERROR_STRING];                                                    \
            int length_;                                                                         \
            MPI_Error_string(result_, text_, &length_);                                          \
            fprintf(stderr, "%s:%d: rank %d: %s: %s\n", __FILE__, __LINE__, rank, #call, text_); \
            MPI_Abort(MPI_COMM_WORLD, 1);                                                        \
        }                                                                                        \
    } while (0)

#define REQUIRE(condition)                                                                         \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: rank %d: not so: %s\n", __FILE__, __LINE__, rank, #condition); \
            MPI_Abort(MPI_COMM_WORLD, 1);                                                          \
        }                                                                                          \
    } while (0)

/* Behind MPI_Init: `directory` is where the files go and where this rank's text does. */
static void expect_begin(const char *directory) {
    char path[4096];
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    snprintf(path, sizeof path, "%s/expected.%d", directory, rank);
    expected = fopen(path, "w");
    REQUIRE(expected);
}

static void expect_end(void) { REQUIRE(fclose(expected) == 0); }

#endif
