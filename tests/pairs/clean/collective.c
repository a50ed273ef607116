/* Sound parallel programs, most of them with collective buffering: `PROGRAM NAME DIRECTORY`; without a name it lists them.
   None of them deserves a finding above INFO, on an idle machine or a busy one. */
#include "tests/pairs/rank.h"

#define HERE MPI_STATUS_IGNORE

enum { MIB = 1 << 20, ROW = 4096, PART = 4 * MIB };

static char *part; /* of this rank */

static MPI_File opened(const char *name, int mode, MPI_Info hints) {
    MPI_File file;
    MPI(MPI_File_open(MPI_COMM_WORLD, path_of(name), mode, hints, &file));
    return file;
}

static MPI_File created(const char *name) { return opened(name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL); }

static MPI_Offset own(void) { return (MPI_Offset)rank * PART; }

static void rows_in_turn(MPI_File file) {
    MPI_Datatype type;
    MPI(MPI_Type_vector(PART / ROW, ROW, ranks * ROW, MPI_BYTE, &type));
    MPI(MPI_Type_commit(&type));
    MPI(MPI_File_set_view(file, (MPI_Offset)rank * ROW, MPI_BYTE, type, "native", MPI_INFO_NULL));
    MPI(MPI_Type_free(&type));
}

static void write_parts(void) {
    MPI_File file = created("parts");
    MPI(MPI_File_write_at_all(file, own(), part, PART, MPI_BYTE, HERE));
    MPI(MPI_File_close(&file));
}

static void write_rows(void) {
    MPI_File file = created("rows");
    rows_in_turn(file);
    MPI(MPI_File_write_all(file, part, PART, MPI_BYTE, HERE));
    MPI(MPI_File_close(&file));
}

static void read_parts(void) {
    write_parts();
    MPI_File file = opened("parts", MPI_MODE_RDONLY, MPI_INFO_NULL);
    MPI(MPI_File_read_at_all(file, own(), part, PART, MPI_BYTE, HERE));
    MPI(MPI_File_close(&file));
}

static void read_rows(void) {
    write_rows();
    MPI_File file = opened("rows", MPI_MODE_RDONLY, MPI_INFO_NULL);
    rows_in_turn(file);
    MPI(MPI_File_read_all(file, part, PART, MPI_BYTE, HERE));
    MPI(MPI_File_close(&file));
}

/* Blocks of a matrix. */
static void write_blocks(void) {
    MPI_File file = created("matrix");
    MPI_Datatype type;
    const int all[] = {512, ranks * 8192}, mine[] = {512, 8192}, first[] = {0, rank * 8192};
    MPI(MPI_Type_create_subarray(2, all, mine, first, MPI_ORDER_C, MPI_BYTE, &type));
    MPI(MPI_Type_commit(&type));
    MPI(MPI_File_set_view(file, 0, MPI_BYTE, type, "native", MPI_INFO_NULL));
    MPI(MPI_File_write_all(file, part, PART, MPI_BYTE, HERE));
    MPI(MPI_File_close(&file));
    MPI(MPI_Type_free(&type));
}

static void write_split(void) {
    MPI_File file = created("split");
    MPI(MPI_File_write_at_all_begin(file, own(), part, PART, MPI_BYTE));
    MPI(MPI_File_write_at_all_end(file, part, HERE));
    MPI(MPI_File_close(&file));
}

static void write_nonblocking(void) {
    MPI_File file = created("nonblocking");
    MPI_Request request;
    MPI(MPI_File_iwrite_at_all(file, own(), part, PART, MPI_BYTE, &request));
    MPI(MPI_Wait(&request, HERE));
    MPI(MPI_File_close(&file));
}

static void write_ordered(void) {
    MPI_File file = created("ordered");
    MPI(MPI_File_write_ordered(file, part, PART, MPI_BYTE, HERE));
    MPI(MPI_File_close(&file));
}

static void write_large_independent(void) {
    MPI_File file = created("independent");
    MPI(MPI_File_write_at(file, own(), part, PART, MPI_BYTE, HERE));
    MPI(MPI_File_close(&file));
}

static void write_twice(void) {
    write_parts();
    write_rows();
}

static void write_with(const char *key, const char *value) {
    MPI_Info hints;
    MPI(MPI_Info_create(&hints));
    MPI(MPI_Info_set(hints, key, value));
    MPI_File file = opened("hints", MPI_MODE_CREATE | MPI_MODE_RDWR, hints);
    rows_in_turn(file);
    MPI(MPI_File_write_all(file, part, PART, MPI_BYTE, HERE));
    MPI(MPI_File_close(&file));
    MPI(MPI_Info_free(&hints));
}

static void write_two_aggregators(void) { write_with("cb_nodes", "2"); }
static void write_enabled(void) { write_with("romio_cb_write", "enable"); }
static void write_large_buffer(void) { write_with("cb_buffer_size", "33554432"); }

/* Several steps of a simulation, each into the same file. */
static void write_steps(void) {
    MPI_File file = created("steps");
    for (int step = 0; step < 4; step++) {
        usleep(20000);
        MPI(MPI_File_write_at_all(file, (MPI_Offset)step * ranks * PART + own(), part, PART, MPI_BYTE, HERE));
    }
    MPI(MPI_File_close(&file));
}

/* Half of the ranks have nothing to write, which collective calls allow. */
static void write_some(void) {
    MPI_File file = created("some");
    MPI(MPI_File_write_at_all(file, own(), part, rank % 2 ? 0 : PART, MPI_BYTE, HERE));
    MPI(MPI_File_close(&file));
}

/* Rank 0 reads what to do and tells the others. */
static void read_settings(void) {
    char line[256] = "";
    if (rank == 0) {
        FILE *f = fopen(path_of("settings"), "w+");
        CHECK(f);
        for (int i = 0; i < 20; i++) fprintf(f, "setting%d = %d\n", i, i);
        rewind(f);
        while (fgets(line, sizeof line, f)) {}
        fclose(f);
    }
    MPI(MPI_Bcast(line, sizeof line, MPI_CHAR, 0, MPI_COMM_WORLD));
    write_parts();
}

/* Rank 0 keeps a log of the run. */
static void write_log(void) {
    FILE *f = rank == 0 ? fopen(path_of("log"), "w") : NULL;
    for (int i = 0; f && i < 2000; i++) fprintf(f, "step %d of 2000: residual %g\n", i, 1.0 / (i + 1));
    if (f) fclose(f);
    write_rows();
}

static void write_own_file(void) {
    char name[64];
    snprintf(name, sizeof name, "own.%d", rank);
    int fd = open(path_of(name), O_CREAT | O_WRONLY, 0600);
    CHECK(fd >= 0 && write(fd, part, PART) == PART && close(fd) == 0);
}

/* An existing file is changed in place. */
static void change_parts(void) {
    write_parts();
    MPI_File file = opened("parts", MPI_MODE_RDWR, MPI_INFO_NULL);
    MPI(MPI_File_read_at_all(file, own(), part, PART, MPI_BYTE, HERE));
    part[0]++;
    MPI(MPI_File_write_at_all(file, own(), part, PART, MPI_BYTE, HERE));
    MPI(MPI_File_close(&file));
}

/* Ranks come at different times: that is no fault of the I/O. */
static void write_late(void) {
    if (rank == ranks - 1) usleep(300000);
    write_rows();
}

/* All of them read what one collective call brings. */
static void read_same(void) {
    write_parts();
    MPI_File file = opened("parts", MPI_MODE_RDONLY, MPI_INFO_NULL);
    MPI(MPI_File_read_at_all(file, 0, part, 64 * 1024, MPI_BYTE, HERE));
    MPI(MPI_File_close(&file));
}

static void write_groups(void) {
    MPI_Comm group;
    MPI(MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &group));
    MPI_File file;
    MPI(MPI_File_open(group, path_of(rank % 2 ? "odd" : "even"), MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL,
                      &file));
    MPI(MPI_File_write_at_all(file, own() / 2, part, PART / 2, MPI_BYTE, HERE));
    MPI(MPI_File_close(&file));
    MPI(MPI_Comm_free(&group));
}

/* Every rank keeps a log of its own. */
static void write_logs(void) {
    char name[64];
    snprintf(name, sizeof name, "log.%d", rank);
    FILE *f = fopen(path_of(name), "w");
    CHECK(f);
    for (int i = 0; i < 100000; i++) fprintf(f, "step %d: residual %g\n", i, 1.0 / (i + 1));
    fclose(f);
}

/* A checkpoint of each rank, synced once. */
static void write_synced(void) {
    char name[64];
    snprintf(name, sizeof name, "checkpoint.%d", rank);
    int fd = open(path_of(name), O_CREAT | O_WRONLY, 0600);
    CHECK(fd >= 0);
    for (int i = 0; i < 4; i++) CHECK(write(fd, part, PART) == PART);
    CHECK(fsync(fd) == 0 && close(fd) == 0);
}

static void write_collective_synced(void) {
    MPI_File file = created("synced");
    MPI(MPI_File_write_at_all(file, own(), part, PART, MPI_BYTE, HERE));
    MPI(MPI_File_sync(file));
    MPI(MPI_File_close(&file));
}

/* Several blocks are under way at a time. */
static void write_overlapped(void) {
    MPI_File file = created("overlapped");
    MPI_Request requests[4];
    for (int i = 0; i < 4; i++)
        MPI(MPI_File_iwrite_at(file, own() + i * MIB, part + i * MIB, MIB, MPI_BYTE, &requests[i]));
    for (int i = 0; i < 4; i++) MPI(MPI_Wait(&requests[i], HERE));
    MPI(MPI_File_close(&file));
}

static void read_own_file(void) {
    write_own_file();
    char name[64];
    snprintf(name, sizeof name, "own.%d", rank);
    int fd = open(path_of(name), O_RDONLY);
    CHECK(fd >= 0 && read(fd, part, PART) == PART && close(fd) == 0);
}

/* Rank 0 reads the input in one piece and sends it to the others. */
static void read_and_send(void) {
    write_parts();
    int fd = rank == 0 ? open(path_of("parts"), O_RDONLY) : -1;
    if (fd >= 0) CHECK(read(fd, part, PART) == PART && close(fd) == 0);
    MPI(MPI_Bcast(part, PART, MPI_BYTE, 0, MPI_COMM_WORLD));
}

static void write_checkpoints(void) {
    for (int step = 0; step < 4; step++) {
        char name[64];
        snprintf(name, sizeof name, "checkpoint%d", step);
        usleep(50000);
        MPI_File file = created(name);
        MPI(MPI_File_write_at_all(file, own(), part, PART, MPI_BYTE, HERE));
        MPI(MPI_File_close(&file));
    }
}

static void compute_only(void) {
    volatile double sum = 0;
    for (int i = 1; i < 100000000; i++) sum = sum + 1.0 / i;
    write_parts();
}

static const struct {
    const char *name;
    void (*work)(void);
} programs[] = {
    {"write_parts", write_parts},
    {"write_rows", write_rows},
    {"read_parts", read_parts},
    {"read_rows", read_rows},
    {"write_blocks", write_blocks},
    {"write_split", write_split},
    {"write_nonblocking", write_nonblocking},
    {"write_ordered", write_ordered},
    {"write_large_independent", write_large_independent},
    {"write_twice", write_twice},
    {"write_two_aggregators", write_two_aggregators},
    {"write_enabled", write_enabled},
    {"write_large_buffer", write_large_buffer},
    {"write_steps", write_steps},
    {"write_some", write_some},
    {"read_settings", read_settings},
    {"write_log", write_log},
    {"write_own_file", write_own_file},
    {"change_parts", change_parts},
    {"write_late", write_late},
    {"read_same", read_same},
    {"write_groups", write_groups},
    {"write_logs", write_logs},
    {"write_synced", write_synced},
    {"write_collective_synced", write_collective_synced},
    {"write_overlapped", write_overlapped},
    {"read_own_file", read_own_file},
    {"read_and_send", read_and_send},
    {"write_checkpoints", write_checkpoints},
    {"compute_only", compute_only},
};

int main(int argc, char **argv) {
    const size_t count = sizeof programs / sizeof *programs;
    for (size_t i = 0; argc < 3 && i < count; i++) puts(programs[i].name);
    if (argc < 3) return 0;
    void (*work)(void) = NULL;
    for (size_t i = 0; i < count; i++)
        if (strcmp(programs[i].name, argv[1]) == 0) work = programs[i].work;
    return run_rank(argc, argv, work, &part, PART);
}
