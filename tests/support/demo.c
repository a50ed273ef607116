/* The demo log: eight ranks of a heat solver. Every rank reads its part of the input, all of them write one shared
   checkpoint file in small unaligned pieces, and each leaves a result file; rank 0 keeps a text log.
   The job is played as a list of accesses which feed counters, trace and heat map alike, so that these agree with each
   other as they do in a real log. */
#include "tests/support/demo.h"

#include <stdlib.h>
#include <string.h>

#include "schema/schema.h"
#include "tests/support/logrecords.h"

enum {
    RANKS = 8,
    CHECKPOINTS = 10,
    PIECES = 25, /* writes of one rank to one checkpoint */
    PIECE_BYTES = 3000,
    CHECKPOINT_WRITES = CHECKPOINTS * PIECES,
    INPUT_READS = 16,
    RESULT_WRITES = 16,
    BLOCK = 1 << 20,
    LOG_LINES = 400,
    LINE_BYTES = 81,
    BINS = 151,
};

static const double run_time = 120.5;
static const double bin_width = 0.8;

/* What one rank did to one file. */
typedef struct history {
    lm_counts counts;
    lm_segment writes[CHECKPOINT_WRITES], reads[INPUT_READS];
    size_t n_writes, n_reads;
    int64_t next[2]; /* the byte behind the last read, behind the last write */
} history;

typedef struct heat {
    int64_t written[BINS], read[BINS];
} heat;

typedef struct job {
    history checkpoint[RANKS], input[RANKS], result[RANKS];
    heat posix[RANKS], mpiio[RANKS], stdio;
} job;

/* Playing the job --------------------------------------------------------------------------------------------- */

static void open_file(history *h, double at) {
    h->counts.ints[IOL_POSIX_OPENS] = 1;
    h->counts.ints[IOL_POSIX_MODE] = 0644;
    h->counts.ints[IOL_POSIX_MEM_ALIGNMENT] = 8;
    h->counts.ints[IOL_POSIX_FILE_ALIGNMENT] = BLOCK;
    h->counts.reals[IOL_POSIX_F_OPEN_START_TIMESTAMP] = at;
    h->counts.reals[IOL_POSIX_F_OPEN_END_TIMESTAMP] = at + 0.002;
    h->counts.reals[IOL_POSIX_F_META_TIME] += 0.002;
}

static void close_file(history *h, double at) {
    h->counts.reals[IOL_POSIX_F_CLOSE_START_TIMESTAMP] = at;
    h->counts.reals[IOL_POSIX_F_CLOSE_END_TIMESTAMP] = at + 0.001;
    h->counts.reals[IOL_POSIX_F_META_TIME] += 0.001;
}

static int bucket_of(int64_t length) {
    static const int64_t most[] = {100, 1024, 10240, 102400, 1048576, 4194304, 10485760, 104857600, 1073741824};
    int bucket = 0;
    while (bucket < 9 && length > most[bucket]) bucket++;
    return bucket;
}

/* The counters that exist once for reads and once for writes. */
typedef struct direction {
    int calls, bytes, max_byte, consecutive, sequential, buckets, slowest_size;
    int start, end, time, slowest;
} direction;

static const direction directions[2] = {
    {IOL_POSIX_READS, IOL_POSIX_BYTES_READ, IOL_POSIX_MAX_BYTE_READ, IOL_POSIX_CONSEC_READS, IOL_POSIX_SEQ_READS,
     IOL_POSIX_SIZE_READ_0_100, IOL_POSIX_MAX_READ_TIME_SIZE, IOL_POSIX_F_READ_START_TIMESTAMP,
     IOL_POSIX_F_READ_END_TIMESTAMP, IOL_POSIX_F_READ_TIME, IOL_POSIX_F_MAX_READ_TIME},
    {IOL_POSIX_WRITES, IOL_POSIX_BYTES_WRITTEN, IOL_POSIX_MAX_BYTE_WRITTEN, IOL_POSIX_CONSEC_WRITES,
     IOL_POSIX_SEQ_WRITES, IOL_POSIX_SIZE_WRITE_0_100, IOL_POSIX_MAX_WRITE_TIME_SIZE, IOL_POSIX_F_WRITE_START_TIMESTAMP,
     IOL_POSIX_F_WRITE_END_TIMESTAMP, IOL_POSIX_F_WRITE_TIME, IOL_POSIX_F_MAX_WRITE_TIME},
};

static void count_access(history *h, const lm_segment *s, bool write) {
    const direction *d = &directions[write];
    int64_t *ints = h->counts.ints;
    double *reals = h->counts.reals, took = s->end - s->start;
    bool first = ints[d->calls]++ == 0;
    ints[d->bytes] += s->length;
    ints[d->max_byte] = s->offset + s->length - 1;
    ints[d->buckets + bucket_of(s->length)]++;
    if (!first && s->offset >= h->next[write]) ints[d->sequential]++;
    if (!first && s->offset == h->next[write]) ints[d->consecutive]++;
    if (s->offset % BLOCK != 0) ints[IOL_POSIX_FILE_NOT_ALIGNED]++;
    h->next[write] = s->offset + s->length;
    if (first) reals[d->start] = s->start;
    reals[d->end] = s->end;
    reals[d->time] += took;
    if (took > reals[d->slowest]) {
        reals[d->slowest] = took;
        ints[d->slowest_size] = s->length;
    }
    ints[IOL_POSIX_ACCESS1_ACCESS] = s->length;
    ints[IOL_POSIX_ACCESS1_COUNT]++;
}

static void heat_up(heat *map, const lm_segment *s, bool write) {
    (write ? map->written : map->read)[(int)(s->start / bin_width)] += s->length;
}

static void access_file(history *h, heat *map, lm_segment s, bool write) {
    count_access(h, &s, write);
    heat_up(map, &s, write);
    if (write)
        h->writes[h->n_writes++] = s;
    else
        h->reads[h->n_reads++] = s;
}

static void play_input(job *j, int rank) {
    open_file(&j->input[rank], 0.5);
    for (int i = 0; i < INPUT_READS; i++) {
        double start = 0.51 + 0.02 * i;
        access_file(&j->input[rank], &j->posix[rank],
                    (lm_segment){(int64_t)i * BLOCK, BLOCK, start, start + 0.012, 0x7f10u + (unsigned)rank}, false);
    }
    close_file(&j->input[rank], 0.9);
}

/* Later ranks wait longer for the lock on the shared file. */
static void play_checkpoints(job *j, int rank) {
    history *h = &j->checkpoint[rank];
    open_file(h, 9.5);
    double took = 0.004 + 0.002 * rank;
    for (int i = 0; i < CHECKPOINT_WRITES; i++) {
        int step = i / PIECES, piece = i % PIECES;
        int64_t offset = ((int64_t)(step * RANKS + rank) * PIECES + piece) * PIECE_BYTES;
        double start = 10.0 + 10.5 * step + (took + 0.0005) * piece;
        lm_segment s = {offset, PIECE_BYTES, start, start + took, 0x7f10u + (unsigned)rank};
        access_file(h, &j->posix[rank], s, true);
        heat_up(&j->mpiio[rank], &s, true);
    }
    h->counts.ints[IOL_POSIX_STRIDE1_STRIDE] = (int64_t)(RANKS - 1) * PIECES * PIECE_BYTES;
    h->counts.ints[IOL_POSIX_STRIDE1_COUNT] = CHECKPOINTS - 1;
    close_file(h, 115.0);
}

static void play_result(job *j, int rank) {
    open_file(&j->result[rank], 116.0);
    for (int i = 0; i < RESULT_WRITES; i++) {
        double start = 116.1 + 0.1 * i;
        access_file(&j->result[rank], &j->posix[rank],
                    (lm_segment){(int64_t)i * BLOCK, BLOCK, start, start + 0.03, 0x7f10u + (unsigned)rank}, true);
    }
    close_file(&j->result[rank], 118.5);
}

/* Combining ranks --------------------------------------------------------------------------------------------- */

static double time_of(const lm_counts *c) {
    return c->reals[IOL_POSIX_F_READ_TIME] + c->reals[IOL_POSIX_F_WRITE_TIME] + c->reals[IOL_POSIX_F_META_TIME];
}

static double bytes_of(const lm_counts *c) {
    return (double)(c->ints[IOL_POSIX_BYTES_READ] + c->ints[IOL_POSIX_BYTES_WRITTEN]);
}

static double variance(const history *ranks, double (*value)(const lm_counts *)) {
    double mean = 0, squares = 0;
    for (int rank = 0; rank < RANKS; rank++) mean += value(&ranks[rank].counts) / RANKS;
    for (int rank = 0; rank < RANKS; rank++) {
        double off = value(&ranks[rank].counts) - mean;
        squares += off * off;
    }
    return squares / RANKS;
}

static void combine_ints(lm_counts *all, const history *ranks) {
    const iol__module *module = &iol__modules[IOL_SLOT_POSIX];
    for (int i = 0; i < module->ints; i++) {
        int reduce = module->counters[i].reduce;
        bool adds = reduce == IOL_REDUCE_SUM || reduce == IOL_REDUCE_SUM_M1;
        for (int rank = 0; rank < RANKS; rank++) {
            int64_t value = ranks[rank].counts.ints[i];
            if (adds)
                all->ints[i] += value;
            else if (value > all->ints[i])
                all->ints[i] = value;
        }
    }
    all->ints[IOL_POSIX_ACCESS1_COUNT] *= RANKS;
    all->ints[IOL_POSIX_STRIDE1_COUNT] *= RANKS;
}

static void combine_reals(lm_counts *all, const history *ranks) {
    const iol__module *module = &iol__modules[IOL_SLOT_POSIX];
    for (int i = 0; i < module->reals; i++) {
        int reduce = module->counters[module->ints + i].reduce;
        for (int rank = 0; rank < RANKS; rank++) {
            double value = ranks[rank].counts.reals[i];
            if (reduce == IOL_REDUCE_SUM)
                all->reals[i] += value;
            else if (reduce == IOL_REDUCE_MIN_NZ ? value > 0 && (all->reals[i] <= 0 || value < all->reals[i])
                                                 : value > all->reals[i])
                all->reals[i] = value;
        }
    }
}

static void combine_ranks(lm_counts *all, const history *ranks) {
    *all = (lm_counts){0};
    combine_ints(all, ranks);
    combine_reals(all, ranks);
    const lm_counts *fast = &ranks[0].counts, *slow = &ranks[RANKS - 1].counts;
    all->ints[IOL_POSIX_FASTEST_RANK] = 0;
    all->ints[IOL_POSIX_FASTEST_RANK_BYTES] = (int64_t)bytes_of(fast);
    all->reals[IOL_POSIX_F_FASTEST_RANK_TIME] = time_of(fast);
    all->ints[IOL_POSIX_SLOWEST_RANK] = RANKS - 1;
    all->ints[IOL_POSIX_SLOWEST_RANK_BYTES] = (int64_t)bytes_of(slow);
    all->reals[IOL_POSIX_F_SLOWEST_RANK_TIME] = time_of(slow);
    all->reals[IOL_POSIX_F_VARIANCE_RANK_TIME] = variance(ranks, time_of);
    all->reals[IOL_POSIX_F_VARIANCE_RANK_BYTES] = variance(ranks, bytes_of);
}

/* MPI-IO saw the same accesses as POSIX: its independent writes went straight through. */
static void from_posix(lm_counts *mpiio, const lm_counts *posix) {
    *mpiio = (lm_counts){0};
    mpiio->ints[IOL_MPIIO_COLL_OPENS] = posix->ints[IOL_POSIX_OPENS];
    mpiio->ints[IOL_MPIIO_INDEP_WRITES] = posix->ints[IOL_POSIX_WRITES];
    mpiio->ints[IOL_MPIIO_MODE] = 5;
    mpiio->ints[IOL_MPIIO_BYTES_WRITTEN] = posix->ints[IOL_POSIX_BYTES_WRITTEN];
    mpiio->ints[IOL_MPIIO_MAX_WRITE_TIME_SIZE] = posix->ints[IOL_POSIX_MAX_WRITE_TIME_SIZE];
    memcpy(&mpiio->ints[IOL_MPIIO_SIZE_READ_AGG_0_100], &posix->ints[IOL_POSIX_SIZE_READ_0_100],
           2 * IOL_SIZE_BUCKETS * sizeof *posix->ints);
    memcpy(&mpiio->ints[IOL_MPIIO_ACCESS1_ACCESS], &posix->ints[IOL_POSIX_ACCESS1_ACCESS], 8 * sizeof *posix->ints);
    memcpy(&mpiio->ints[IOL_MPIIO_FASTEST_RANK], &posix->ints[IOL_POSIX_FASTEST_RANK], 4 * sizeof *posix->ints);
    memcpy(mpiio->reals, posix->reals, IOL_MPIIO_REALS * sizeof *posix->reals);
}

/* Writing it down --------------------------------------------------------------------------------------------- */

static uint64_t name_file(lm_log *log, const char *name) {
    uint64_t id = lm_id(name);
    lm_name(log, id, name);
    return id;
}

static uint64_t name_part(lm_log *log, const char *stem, int rank) {
    char name[64] = "/scratch/ana/run7/";
    strcat(name, stem);
    char suffix[] = ".0";
    suffix[1] = (char)('0' + rank);
    strcat(name, suffix);
    return name_file(log, name);
}

static void put_striping(lm_log *log, uint64_t id, int64_t rank, int64_t ost) {
    const lm_component component = {{BLOCK, 1, 0, 16, 0, -1, 0}, ""};
    lm_lustre_2(lm_records(log, LM_LUSTRE, 2), id, rank, &component, 1, &ost, 1);
}

static void put_file(lm_log *log, uint64_t id, int rank, const history *h) {
    static const char *const hosts[] = {"nid00017", "nid00018"};
    lm_fixed(lm_records(log, LM_POSIX, 4), LM_POSIX, 4, id, rank, 0, &h->counts);
    put_striping(log, id, rank, 3 + rank);
    lm_segment segments[CHECKPOINT_WRITES + INPUT_READS];
    memcpy(segments, h->writes, h->n_writes * sizeof *segments);
    memcpy(segments + h->n_writes, h->reads, h->n_reads * sizeof *segments);
    lm_trace(lm_records(log, LM_DXT_POSIX, 2), id, rank, hosts[rank / 4], segments, h->n_writes, h->n_reads, true);
}

static void put_checkpoint(lm_log *log, const job *j) {
    uint64_t id = name_file(log, "/scratch/ana/run7/checkpoint.dat");
    lm_counts all, mpiio;
    combine_ranks(&all, j->checkpoint);
    lm_fixed(lm_records(log, LM_POSIX, 4), LM_POSIX, 4, id, -1, 0, &all);
    from_posix(&mpiio, &all);
    lm_fixed(lm_records(log, LM_MPIIO, 3), LM_MPIIO, 3, id, -1, 0, &mpiio);
    put_striping(log, id, -1, 12);
    for (int rank = 0; rank < RANKS; rank++) {
        const history *h = &j->checkpoint[rank];
        const char *host = rank < 4 ? "nid00017" : "nid00018";
        lm_trace(lm_records(log, LM_DXT_POSIX, 2), id, rank, host, h->writes, h->n_writes, 0, true);
        lm_trace(lm_records(log, LM_DXT_MPIIO, 3), id, rank, host, h->writes, h->n_writes, 0, true);
    }
}

static void put_text_log(lm_log *log, job *j) {
    lm_counts counts = {0};
    counts.ints[IOL_STDIO_OPENS] = 1;
    counts.ints[IOL_STDIO_WRITES] = LOG_LINES;
    counts.ints[IOL_STDIO_FLUSHES] = LOG_LINES;
    counts.ints[IOL_STDIO_BYTES_WRITTEN] = (int64_t)LOG_LINES * LINE_BYTES;
    counts.ints[IOL_STDIO_MAX_BYTE_WRITTEN] = (int64_t)LOG_LINES * LINE_BYTES - 1;
    counts.reals[IOL_STDIO_F_META_TIME] = 0.02;
    counts.reals[IOL_STDIO_F_WRITE_TIME] = 0.05;
    counts.reals[IOL_STDIO_F_OPEN_START_TIMESTAMP] = 0.1;
    counts.reals[IOL_STDIO_F_OPEN_END_TIMESTAMP] = 0.101;
    counts.reals[IOL_STDIO_F_WRITE_START_TIMESTAMP] = 0.2;
    counts.reals[IOL_STDIO_F_WRITE_END_TIMESTAMP] = 119.0;
    counts.reals[IOL_STDIO_F_CLOSE_START_TIMESTAMP] = 119.5;
    counts.reals[IOL_STDIO_F_CLOSE_END_TIMESTAMP] = 119.501;
    for (int line = 0; line < LOG_LINES; line++) {
        double at = 0.2 + line * 118.8 / LOG_LINES;
        heat_up(&j->stdio, &(lm_segment){.length = LINE_BYTES, .start = at}, true);
    }
    lm_fixed(lm_records(log, LM_STDIO, 2), LM_STDIO, 2, name_file(log, "/home/ana/run7/heat3d.log"), 0, 0, &counts);
}

static void put_heat(lm_log *log, const char *name, const heat *ranks, int count) {
    uint64_t id = name_file(log, name);
    for (int rank = 0; rank < count; rank++)
        lm_heatmap(lm_records(log, LM_HEATMAP, 1), id, rank, bin_width, BINS, ranks[rank].written, ranks[rank].read);
}

void demo_build(lm_log *log) {
    job *j = need(sizeof *j);
    memset(j, 0, sizeof *j);
    log->start = 1762430400;
    log->start_ns = 0;
    log->end = log->start + (int64_t)run_time;
    log->end_ns = 500000000;
    log->processes = RANKS;
    log->job_id = 918273;
    log->metadata = "lib_ver=3.5.0\nh=romio_no_indep_rw=true;cb_nodes=4\n";
    log->text = "/home/ana/bin/heat3d --steps 2000 --checkpoint-every 200 --out /scratch/ana/run7\n"
                "ext4\t/\nlustre\t/scratch\nnfs\t/home";
    for (int rank = 0; rank < RANKS; rank++) {
        play_input(j, rank);
        play_checkpoints(j, rank);
        play_result(j, rank);
    }
    for (int rank = 0; rank < RANKS; rank++) {
        put_file(log, name_part(log, "input", rank), rank, &j->input[rank]);
        put_file(log, name_part(log, "result", rank), rank, &j->result[rank]);
    }
    put_checkpoint(log, j);
    put_text_log(log, j);
    put_heat(log, "heatmap:POSIX", j->posix, RANKS);
    put_heat(log, "heatmap:MPIIO", j->mpiio, RANKS);
    put_heat(log, "heatmap:STDIO", &j->stdio, 1);
    free(j);
}
