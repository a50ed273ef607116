/* Parallel programs with one fault each: `PROGRAM NAME DIRECTORY`; without a name it lists them, with the ranks that they
   want and the finding that has to come first (faults.sh). Unlike the pairs they have no version after: most of their
   repairs are pairs or sound programs already. */
#include "tests/pairs/rank.h"

#define HERE MPI_STATUS_IGNORE

enum { KIB = 1 << 10, MIB = 1 << 20, PART = 32 * MIB };

static char *part; /* of this rank */

static const char *own_path(const char *name) {
    static char path[4096];
    snprintf(path, sizeof path, "%s/%s.%d", directory, name, rank);
    return path;
}

static int opened(const char *path, int flags) {
    int fd = open(path, flags, 0600);
    CHECK(fd >= 0);
    return fd;
}

static void put(int fd, size_t bytes, off_t at) { CHECK(pwrite(fd, part, bytes, at) == (ssize_t)bytes); }
static void get(int fd, size_t bytes, off_t at) { CHECK(pread(fd, part, bytes, at) == (ssize_t)bytes); }

/* A file that is there, without having been written by those who read it. */
static const char *input(off_t size) {
    if (rank == 0) CHECK(truncate(path_of("input"), 0) == 0 || close(opened(path_of("input"), O_CREAT | O_RDWR)) == 0);
    if (rank == 0) CHECK(truncate(path_of("input"), size) == 0);
    MPI(MPI_Barrier(MPI_COMM_WORLD));
    return path_of("input");
}

static MPI_File shared_file(const char *key, const char *value) {
    MPI_Info hints;
    MPI_File file;
    MPI(MPI_Info_create(&hints));
    if (key) MPI(MPI_Info_set(hints, key, value));
    MPI(MPI_File_open(MPI_COMM_WORLD, path_of("shared"), MPI_MODE_CREATE | MPI_MODE_RDWR, hints, &file));
    MPI(MPI_Info_free(&hints));
    return file;
}

/* Blocks of this many bytes, those of the ranks in turn. */
static void interleave(MPI_File file, int bytes, int blocks) {
    MPI_Datatype type;
    MPI(MPI_Type_vector(blocks, bytes, ranks * bytes, MPI_BYTE, &type));
    MPI(MPI_Type_commit(&type));
    MPI(MPI_File_set_view(file, (MPI_Offset)rank * bytes, MPI_BYTE, type, "native", MPI_INFO_NULL));
    MPI(MPI_Type_free(&type));
}

/* Small and scattered requests ------------------------------------------------------------------------------------ */

static void reads_in_turn(void) {
    int fd = opened(input(64 * MIB), O_RDONLY);
    for (int i = 0; i < 600; i++) get(fd, 4 * KIB, ((off_t)i * ranks + rank) * 4 * KIB);
    close(fd);
}

static void small_own_writes(void) {
    int fd = opened(own_path("own"), O_CREAT | O_WRONLY);
    for (int i = 0; i < 800; i++) put(fd, KIB, (off_t)i * KIB);
    close(fd);
}

static void small_own_reads(void) {
    int fd = opened(own_path("own"), O_CREAT | O_RDWR);
    CHECK(ftruncate(fd, MIB) == 0);
    for (int i = 0; i < 800; i++) get(fd, KIB, (off_t)i * KIB);
    close(fd);
}

static off_t somewhere(void) { return (off_t)(random() % 16384) * 4 * KIB; }

static void scattered_reads(void) {
    int fd = opened(input(64 * MIB), O_RDONLY);
    srandom((unsigned)rank + 1);
    for (int i = 0; i < 800; i++) get(fd, 4 * KIB, somewhere());
    close(fd);
}

static void scattered_writes(void) {
    int fd = opened(own_path("own"), O_CREAT | O_WRONLY);
    for (int i = 0; i < 800; i++) put(fd, 4 * KIB, somewhere());
    close(fd);
}

static void reads_backwards(void) {
    int fd = opened(input(64 * MIB), O_RDONLY);
    for (int i = 1; i <= 800; i++) get(fd, 4 * KIB, (off_t)(rank + 1) * 16 * MIB - (off_t)i * 4 * KIB);
    close(fd);
}

/* MPI-IO ---------------------------------------------------------------------------------------------------------- */

static void sieved_writes(void) {
    MPI_File file = shared_file("romio_ds_write", "enable");
    interleave(file, 512, 16384);
    MPI(MPI_File_write(file, part, 8 * MIB, MPI_BYTE, HERE));
    MPI(MPI_File_close(&file));
}

static void buffering_off(void) {
    MPI_File file = shared_file("romio_cb_write", "disable");
    interleave(file, 512, 16384);
    MPI(MPI_File_write_all(file, part, 8 * MIB, MPI_BYTE, HERE));
    MPI(MPI_File_close(&file));
}

static void buffered_reads_off(void) {
    CHECK(input(64 * MIB));
    MPI_Info hints;
    MPI_File file;
    MPI(MPI_Info_create(&hints));
    MPI(MPI_Info_set(hints, "romio_cb_read", "disable"));
    MPI(MPI_Info_set(hints, "romio_ds_read", "disable"));
    MPI(MPI_File_open(MPI_COMM_WORLD, path_of("input"), MPI_MODE_RDONLY, hints, &file));
    MPI(MPI_Info_free(&hints));
    interleave(file, 4 * KIB, 600);
    MPI(MPI_File_read_all(file, part, 600 * 4 * KIB, MPI_BYTE, HERE));
    MPI(MPI_File_close(&file));
}

static void small_collective_reads(void) {
    CHECK(input(64 * MIB));
    MPI_File file;
    MPI(MPI_File_open(MPI_COMM_WORLD, path_of("input"), MPI_MODE_RDONLY, MPI_INFO_NULL, &file));
    for (int i = 0; i < 1200; i++)
        MPI(MPI_File_read_at_all(file, ((MPI_Offset)i * ranks + rank) * 512, part, 512, MPI_BYTE, HERE));
    MPI(MPI_File_close(&file));
}

static void small_split_writes(void) {
    MPI_File file = shared_file(NULL, NULL);
    for (int i = 0; i < 1200; i++) {
        MPI(MPI_File_write_at_all_begin(file, ((MPI_Offset)i * ranks + rank) * 512, part, 512, MPI_BYTE));
        MPI(MPI_File_write_at_all_end(file, part, HERE));
    }
    MPI(MPI_File_close(&file));
}

static void shared_pointer(void) {
    MPI_File file = shared_file(NULL, NULL);
    for (int i = 0; i < 400; i++) MPI(MPI_File_write_shared(file, part, 100, MPI_BYTE, HERE));
    MPI(MPI_File_close(&file));
}

static void synced_calls(void) {
    MPI_File file = shared_file(NULL, NULL);
    for (int i = 0; i < 100; i++) {
        MPI(MPI_File_write_at_all(file, ((MPI_Offset)i * ranks + rank) * 64 * KIB, part, 64 * KIB, MPI_BYTE, HERE));
        MPI(MPI_File_sync(file));
    }
    MPI(MPI_File_close(&file));
}

static void opens_each_step(void) {
    for (int i = 0; i < 60; i++) {
        MPI_File file = shared_file(NULL, NULL);
        MPI(MPI_File_write_at_all(file, ((MPI_Offset)i * ranks + rank) * 4 * KIB, part, 4 * KIB, MPI_BYTE, HERE));
        MPI(MPI_File_close(&file));
    }
}

/* Balance --------------------------------------------------------------------------------------------------------- */

static void one_writer(void) {
    MPI_File file = shared_file(NULL, NULL);
    for (int i = 0; rank == 0 && i < 5; i++)
        MPI(MPI_File_write_at(file, (MPI_Offset)i * PART, part, PART, MPI_BYTE, HERE));
    MPI(MPI_File_close(&file));
}

static void one_reader(void) {
    int fd = opened(input(5 * (off_t)PART), O_RDONLY);
    for (int i = 0; i < 5; i++) {
        if (rank == 0) get(fd, PART, (off_t)i * PART);
        MPI(MPI_Bcast(part, KIB, MPI_BYTE, 0, MPI_COMM_WORLD));
    }
    close(fd);
}

static void uneven_own_files(void) {
    int fd = opened(own_path("own"), O_CREAT | O_WRONLY);
    for (int i = 0; i < (rank == 0 ? 200 : 10); i++) put(fd, MIB, (off_t)i * MIB);
    close(fd);
    MPI(MPI_Barrier(MPI_COMM_WORLD));
}

/* Half of the data of the others, in requests of 1 KiB. */
static void one_rank_in_pieces(void) {
    int fd = opened(own_path("own"), O_CREAT | O_WRONLY);
    for (int i = 0; rank == 1 && i < 4000; i++) put(fd, KIB, (off_t)i * KIB);
    for (int i = 0; rank != 1 && i < 8; i++) put(fd, MIB, (off_t)i * MIB);
    close(fd);
    MPI(MPI_Barrier(MPI_COMM_WORLD));
}

/* Metadata, flags, and the same bytes again ------------------------------------------------------------------------ */

static void synchronous_opens(void) {
    int fd = opened(own_path("own"), O_CREAT | O_WRONLY | O_SYNC);
    for (int i = 0; i < 500; i++) put(fd, 4 * KIB, (off_t)i * 4 * KIB);
    close(fd);
}

static void open_per_record(void) {
    for (int i = 0; i < 300; i++) {
        int fd = opened(path_of("records"), O_CREAT | O_WRONLY);
        put(fd, 100, ((off_t)i * ranks + rank) * 100);
        close(fd);
    }
}

static void open_per_line(void) {
    for (int i = 0; i < 300; i++) {
        int fd = opened(own_path("log"), O_CREAT | O_WRONLY | O_APPEND);
        CHECK(write(fd, part, 100) == 100);
        close(fd);
    }
}

static void waits_for_a_file(void) {
    if (rank == 0) {
        usleep(600000);
        close(opened(path_of("ready"), O_CREAT | O_WRONLY));
    }
    while (access(path_of("ready"), F_OK) != 0) {}
    MPI(MPI_Barrier(MPI_COMM_WORLD));
}

/* Nobody writes where another has written. */
static void appends_together(void) {
    int fd = opened(path_of("log"), O_CREAT | O_WRONLY | O_APPEND);
    for (int i = 0; i < 600; i++) CHECK(write(fd, part, 6 * KIB) == 6 * KIB);
    close(fd);
}

static void tiny_files(void) {
    for (int i = 0; i < 1100; i++) {
        char name[64];
        snprintf(name, sizeof name, "sample%d", i);
        int fd = opened(own_path(name), O_CREAT | O_WRONLY);
        CHECK(write(fd, part, 100) == 100);
        close(fd);
    }
}

static void reads_again(void) {
    int fd = opened(input(4 * (off_t)MIB), O_RDONLY);
    for (int i = 0; i < 60; i++) get(fd, MIB, (off_t)(i % 4) * MIB);
    close(fd);
}

static void writes_again(void) {
    int fd = opened(own_path("state"), O_CREAT | O_WRONLY);
    for (int i = 0; i < 60; i++) put(fd, MIB, (off_t)(i % 4) * MIB);
    close(fd);
}

static void flush_per_line(void) {
    FILE *f = fopen(own_path("log"), "w");
    CHECK(f);
    for (int i = 0; i < 150000; i++) CHECK(fprintf(f, "step %d\n", i) > 0 && fflush(f) == 0);
    fclose(f);
}

static const struct {
    const char *name;
    void (*work)(void);
    int ranks;
    const char *finds;
} programs[] = {
    {"reads_in_turn", reads_in_turn, 4, "posix.small.shared.read"},
    {"small_own_writes", small_own_writes, 4, "posix.small.write"},
    {"small_own_reads", small_own_reads, 4, "posix.small.read"},
    {"scattered_reads", scattered_reads, 4, "posix.random.read"},
    {"scattered_writes", scattered_writes, 4, "posix.random.write"},
    {"reads_backwards", reads_backwards, 4, "posix.random.read"},
    {"sieved_writes", sieved_writes, 2, "mpiio.sieving.write"},
    {"buffering_off", buffering_off, 2, "mpiio.hints.off"},
    {"buffered_reads_off", buffered_reads_off, 4, "mpiio.hints.off"},
    {"small_collective_reads", small_collective_reads, 2, "mpiio.collective.small"},
    {"small_split_writes", small_split_writes, 2, "mpiio.collective.small"},
    {"shared_pointer", shared_pointer, 4, "mpiio.collective.none.write"},
    {"synced_calls", synced_calls, 2, "posix.fsync.heavy"},
    {"opens_each_step", opens_each_step, 2, "mpiio.open.repeat"},
    {"one_writer", one_writer, 8, "posix.single.writer"},
    {"one_reader", one_reader, 8, "posix.single.writer"},
    {"uneven_own_files", uneven_own_files, 4, "posix.balance.ranks"},
    {"one_rank_in_pieces", one_rank_in_pieces, 4, "posix.balance.ranks"},
    {"synchronous_opens", synchronous_opens, 4, "posix.sync.open"},
    {"open_per_record", open_per_record, 4, "posix.open.repeat"},
    {"open_per_line", open_per_line, 4, "posix.open.repeat"},
    {"appends_together", appends_together, 4, "posix.small.shared.write"},
    {"waits_for_a_file", waits_for_a_file, 4, "posix.lookup.failed"},
    {"tiny_files", tiny_files, 4, "posix.files.many"},
    {"reads_again", reads_again, 4, "posix.redundant.read"},
    {"writes_again", writes_again, 4, "posix.redundant.write"},
    {"flush_per_line", flush_per_line, 4, "stdio.flush"},
};

int main(int argc, char **argv) {
    const size_t count = sizeof programs / sizeof *programs;
    for (size_t i = 0; argc < 3 && i < count; i++)
        printf("%s %d %s\n", programs[i].name, programs[i].ranks, programs[i].finds);
    if (argc < 3) return 0;
    void (*work)(void) = NULL;
    for (size_t i = 0; i < count; i++)
        if (strcmp(programs[i].name, argv[1]) == 0) work = programs[i].work;
    return run_rank(argc, argv, work, &part, PART);
}
