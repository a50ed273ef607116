/* What the pairs share. A pair is one program with a fault of parallel I/O and without it: `PROGRAM before DIRECTORY`
   and `PROGRAM after DIRECTORY`. Its first comment says what `iolite diagnose` has to find before and must not find
   after (pairs.sh has the words). */
#ifndef IOL_TESTS_PAIRS_PAIR_H
#define IOL_TESTS_PAIRS_PAIR_H

#include <sys/stat.h>

#include "tests/pairs/rank.h"

enum { KIB = 1 << 10, MIB = 1 << 20 };

static bool fixed; /* the version after */

static inline int create(const char *name) {
    int fd = open(path_of(name), O_CREAT | O_WRONLY, 0600);
    CHECK(fd >= 0);
    return fd;
}

static inline void put(int fd, const char *bytes, size_t count, off_t at) {
    CHECK(pwrite(fd, bytes, count, at) == (ssize_t)count);
}

static inline MPI_File create_together(const char *name, MPI_Info hints) {
    MPI_File file;
    MPI(MPI_File_open(MPI_COMM_WORLD, path_of(name), MPI_MODE_CREATE | MPI_MODE_WRONLY, hints, &file));
    return file;
}

/* Not every MPI passes hints on to ROMIO (Open MPI 5.0 does not): there, a program whose fault is a hint has none, and a
   line of its output says so. */
static inline void say_if_not_taken(MPI_File file, const char *key, const char *value) {
    char taken[MPI_MAX_INFO_VAL + 1] = "";
    int there = 0;
    MPI_Info hints;
    MPI(MPI_File_get_info(file, &hints));
    MPI(MPI_Info_get(hints, key, MPI_MAX_INFO_VAL, taken, &there));
    MPI(MPI_Info_free(&hints));
    if (rank == 0 && (!there || strcmp(taken, value) != 0))
        printf("passed over: this MPI does not take the hint %s\n", key);
}

/* Blocks of this many bytes, those of the ranks in turn. */
static inline void interleave(MPI_File file, int bytes, int blocks) {
    MPI_Datatype type;
    MPI(MPI_Type_vector(blocks, bytes, ranks * bytes, MPI_BYTE, &type));
    MPI(MPI_Type_commit(&type));
    MPI(MPI_File_set_view(file, (MPI_Offset)rank * bytes, MPI_BYTE, type, "native", MPI_INFO_NULL));
    MPI(MPI_Type_free(&type));
}

/* Rows of the ranks in turn, each a call of its own; afterwards one collective call with a view. */
static inline void write_rows(int row, int count,
                              int (*write_at)(MPI_File, MPI_Offset, const void *, int, MPI_Datatype, MPI_Status *)) {
    char *rows = bytes_of((size_t)row * (size_t)count);
    MPI_File file = create_together("rows", MPI_INFO_NULL);
    if (fixed) {
        interleave(file, row, count);
        MPI(MPI_File_write_all(file, rows, row * count, MPI_BYTE, MPI_STATUS_IGNORE));
    } else {
        for (int i = 0; i < count; i++)
            MPI(write_at(file, ((MPI_Offset)i * ranks + rank) * row, rows + (long)i * row, row, MPI_BYTE,
                         MPI_STATUS_IGNORE));
    }
    MPI(MPI_File_close(&file));
    free(rows);
}

static void work(void);

int main(int argc, char **argv) {
    begin_rank(argc, argv, argv[argc - 1]);
    CHECK(argc == 3);
    fixed = strcmp(argv[1], "after") == 0;
    work();
    MPI_Finalize();
    return 0;
}

#endif
