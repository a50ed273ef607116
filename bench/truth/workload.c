/* A program whose I/O has the faults that its options ask for, and no others, in the manner of IOR and mdtest. Built twice:
   with MPI (TRUTH_MPI), where ranks are those of the launcher, and without, where -n asks for processes that know nothing of
   each other.

     workload [OPTION...] DIRECTORY
       -n N   processes, where there is no MPI
       -a A   posix, stdio or mpiio (posix)
       -f F   the file's name (data); a name decides about the layout on the tests' Lustre
       -t N   bytes per request         -b N  bytes per rank
       -w -r  write, read; with neither, no data
       -F     a file per rank           -i    ranks take turns request by request, instead of block by block
       -c     collective calls          -z    requests in a random order
       -o N   all data begins at this offset
       -g N   bytes that are left out after each request
       -p N   read so many times        -u N  rank 0 has so many times the bytes of the others
       -m N   files that each rank makes, looks at and removes */
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef TRUTH_MPI
#include <mpi.h>
#endif

typedef enum api { POSIX, STDIO, MPIIO } api;

typedef struct work {
    api api;
    const char *directory, *file;
    int64_t request, block, offset, gap;
    int passes, uneven, files, processes;
    bool write, read, own, interleaved, collective, random;
} work;

static int rank, ranks = 1;

static void require(bool holds, const char *what) {
    if (holds) return;
    fprintf(stderr, "workload: %s failed\n", what);
    exit(1);
}

static void wait_for_all(void) {
#ifdef TRUTH_MPI
    MPI_Barrier(MPI_COMM_WORLD);
#endif
}

static void name_file(const work *w, char *to, size_t size) {
    if (w->own)
        snprintf(to, size, "%s/%s.%d", w->directory, w->file, rank);
    else
        snprintf(to, size, "%s/%s", w->directory, w->file);
}

/* Requests of this rank, and where the i-th of them is. */
static int64_t request_count(const work *w) { return w->block / w->request * (rank == 0 && w->uneven ? w->uneven : 1); }

static int64_t request_place(const work *w, int64_t i) {
    const int64_t step = w->request + w->gap, count = w->block / w->request;
    if (w->own) return w->offset + i * step;
    if (w->interleaved) return w->offset + (i * ranks + rank) * step;
    /* The first rank's surplus lies behind the others' blocks. */
    return w->offset + (i < count ? rank * count + i : ranks * count + i - count) * step;
}

static uint64_t next_random(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

/* The order of requests: 0, 1, 2 ..., or shuffled. */
static int64_t *order_requests(const work *w, int64_t count) {
    int64_t *order = malloc((size_t)count * sizeof *order);
    uint64_t state = (uint64_t)rank + 1;
    require(order != NULL, "malloc");
    for (int64_t i = 0; i < count; i++) order[i] = i;
    for (int64_t i = count - 1; w->random && i > 0; i--) {
        const int64_t j = (int64_t)(next_random(&state) % (uint64_t)(i + 1)), kept = order[i];
        order[i] = order[j];
        order[j] = kept;
    }
    return order;
}

typedef struct target {
    int fd;
    FILE *stream;
#ifdef TRUTH_MPI
    MPI_File file;
#endif
} target;

static void open_target(const work *w, bool write, target *t) {
    char name[4096];
    name_file(w, name, sizeof name);
    switch (w->api) {
    case POSIX: require((t->fd = open(name, write ? O_CREAT | O_RDWR : O_RDONLY, 0600)) >= 0, "open"); break;
    case STDIO: require((t->stream = fopen(name, write ? "w" : "r")) != NULL, "fopen"); break;
    case MPIIO:
#ifdef TRUTH_MPI
        require(MPI_File_open(w->own ? MPI_COMM_SELF : MPI_COMM_WORLD, name,
                              write ? MPI_MODE_CREATE | MPI_MODE_RDWR : MPI_MODE_RDONLY, MPI_INFO_NULL,
                              &t->file) == MPI_SUCCESS,
                "MPI_File_open");
#endif
        break;
    }
}

static void close_target(const work *w, target *t) {
    switch (w->api) {
    case POSIX: close(t->fd); break;
    case STDIO: fclose(t->stream); break;
    case MPIIO:
#ifdef TRUTH_MPI
        MPI_File_close(&t->file);
#endif
        break;
    }
}

#ifdef TRUTH_MPI
static void move_by_mpi(const work *w, bool write, target *t, int64_t at, char *bytes) {
    const int count = (int)w->request;
    int result;
    if (write && w->collective)
        result = MPI_File_write_at_all(t->file, at, bytes, count, MPI_BYTE, MPI_STATUS_IGNORE);
    else if (write)
        result = MPI_File_write_at(t->file, at, bytes, count, MPI_BYTE, MPI_STATUS_IGNORE);
    else if (w->collective)
        result = MPI_File_read_at_all(t->file, at, bytes, count, MPI_BYTE, MPI_STATUS_IGNORE);
    else
        result = MPI_File_read_at(t->file, at, bytes, count, MPI_BYTE, MPI_STATUS_IGNORE);
    require(result == MPI_SUCCESS, "MPI-IO");
}
#endif

static void move_request(const work *w, bool write, target *t, int64_t at, char *bytes) {
    const size_t count = (size_t)w->request;
    switch (w->api) {
    case POSIX:
        require((write ? pwrite(t->fd, bytes, count, at) : pread(t->fd, bytes, count, at)) == (ssize_t)count,
                "pread or pwrite");
        break;
    case STDIO:
        if (ftell(t->stream) != at) require(fseek(t->stream, at, SEEK_SET) == 0, "fseek");
        if (write)
            require(fwrite(bytes, 1, count, t->stream) == count, "fwrite");
        else
            require(fread(bytes, 1, count, t->stream) == count, "fread");
        break;
    case MPIIO:
#ifdef TRUTH_MPI
        move_by_mpi(w, write, t, at, bytes);
#endif
        break;
    }
}

static void move_data(const work *w, bool write) {
    const int64_t count = request_count(w);
    int64_t *order = order_requests(w, count);
    char *bytes = calloc(1, (size_t)w->request);
    target t = {.fd = -1};
    require(bytes != NULL, "malloc");
    open_target(w, write, &t);
    for (int pass = 0; pass < (write ? 1 : w->passes); pass++)
        for (int64_t i = 0; i < count; i++) move_request(w, write, &t, request_place(w, order[i]), bytes);
    close_target(w, &t);
    free(order);
    free(bytes);
}

static void make_files(const work *w) {
    char name[4096];
    struct stat facts;
    for (int pass = 0; pass < 3; pass++)
        for (int i = 0; i < w->files; i++) {
            snprintf(name, sizeof name, "%s/made.%d.%d", w->directory, rank, i);
            if (pass == 0) {
                const int fd = open(name, O_CREAT | O_WRONLY, 0600);
                require(fd >= 0, "open");
                close(fd);
            } else if (pass == 1)
                require(stat(name, &facts) == 0, "stat");
            else
                require(unlink(name) == 0, "unlink");
        }
}

static void do_work(const work *w) {
    if (w->files) make_files(w);
    if (w->write) move_data(w, true);
    wait_for_all();
    if (w->read) move_data(w, false);
}

static int64_t bytes_of(const char *text) {
    char *end;
    const int64_t number = strtoll(text, &end, 10);
    return *end == 'k' ? number << 10 : *end == 'm' ? number << 20 : number;
}

static work parse_options(int argc, char **argv) {
    work w = {.file = "data", .request = 1 << 20, .block = 16 << 20, .passes = 1, .processes = 1};
    for (int option; (option = getopt(argc, argv, "n:a:f:t:b:wrFiczo:g:p:u:m:")) != -1;) switch (option) {
        case 'n': w.processes = atoi(optarg); break;
        case 'a': w.api = strcmp(optarg, "mpiio") == 0 ? MPIIO : strcmp(optarg, "stdio") == 0 ? STDIO : POSIX; break;
        case 'f': w.file = optarg; break;
        case 't': w.request = bytes_of(optarg); break;
        case 'b': w.block = bytes_of(optarg); break;
        case 'w': w.write = true; break;
        case 'r': w.read = true; break;
        case 'F': w.own = true; break;
        case 'i': w.interleaved = true; break;
        case 'c': w.collective = true; break;
        case 'z': w.random = true; break;
        case 'o': w.offset = bytes_of(optarg); break;
        case 'g': w.gap = bytes_of(optarg); break;
        case 'p': w.passes = atoi(optarg); break;
        case 'u': w.uneven = atoi(optarg); break;
        case 'm': w.files = atoi(optarg); break;
        default: exit(2);
        }
    if (optind != argc - 1) exit(2);
    w.directory = argv[optind];
    return w;
}

int main(int argc, char **argv) {
    const work w = parse_options(argc, argv);
#ifdef TRUTH_MPI
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    do_work(&w);
    MPI_Finalize();
#else
    ranks = w.processes;
    for (int i = 1; i < ranks; i++)
        if (fork() == 0) {
            rank = i;
            do_work(&w);
            exit(0);
        }
    do_work(&w);
    while (wait(NULL) > 0) {}
#endif
    return 0;
}
