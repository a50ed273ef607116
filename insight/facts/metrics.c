/* The job metrics, each from the sums of a module or from one look at every file. */
#include "insight/facts/metrics.h"

#include <math.h>

#include "insight/language/rule.h"

const iol__metric_limits iol__metric_limits_usual = {
    .redundant_bytes = 1099511627776.0,
    .meta_ratio = 0.25,
    .meta_processes = 192,
    .meta_seconds = 30,
    .small_writes = 1e8,
};

static double threshold(const iol__rulebook *book, const char *path, double usual) {
    const int index = iol__threshold_find(book, path);
    return index < 0 ? usual : book->thresholds[index].value;
}

iol__metric_limits iol__metric_limits_of(const iol__rulebook *book) {
    const iol__metric_limits *usual = &iol__metric_limits_usual;
    return (iol__metric_limits){
        .redundant_bytes = threshold(book, "metric.redundant_bytes", usual->redundant_bytes),
        .meta_ratio = threshold(book, "metadata.ratio", usual->meta_ratio),
        .meta_processes = threshold(book, "metric.nprocs", usual->meta_processes),
        .meta_seconds = threshold(book, "metric.meta_seconds", usual->meta_seconds),
        .small_writes = threshold(book, "metric.small_writes", usual->small_writes),
    };
}

/* Bytes beyond the highest offset. An offset is that of the last byte, so a file that was read once gives 0. */
static int64_t metrics_redundant(const iol__facts_traffic *traffic) {
    if (traffic->max_byte == IOL_EXTENT_UNKNOWN) return 0;
    return traffic->bytes > traffic->max_byte ? traffic->bytes - traffic->max_byte - 1 : 0;
}

static void add_redundant(iol__metrics *m, const iol__facts_use *use) {
    const iol__facts_traffic *read = use->direction[IOL_READ], *write = use->direction[IOL_WRITE];
    int64_t again = read->bytes > 0 ? metrics_redundant(read) : 0;
    m->extents = m->extents && read->max_byte != IOL_EXTENT_UNKNOWN && write->max_byte != IOL_EXTENT_UNKNOWN;
    m->redundant_read_bytes = iol__facts_plus(m->redundant_read_bytes, again);
    m->redundant_read_files += again > 0;
    if (write->bytes == 0) m->redundant_read_ro_bytes = iol__facts_plus(m->redundant_read_ro_bytes, again);
    if (write->bytes > 0)
        m->redundant_write_bytes = iol__facts_plus(m->redundant_write_bytes, metrics_redundant(write));
}

static void add_small(iol__metrics *m, const iol__facts_file *file, const iol__facts_use *use) {
    int64_t small = iol__facts_small(use->direction[IOL_WRITE]);
    m->small_shared_indep_writes = iol__facts_plus(m->small_shared_indep_writes, small);
    if (file->mpiio && file->mpiio->coll[IOL_WRITE] > 0) return;
    m->small_shared_indep_writes_strict = iol__facts_plus(m->small_shared_indep_writes_strict, small);
}

static void metrics_look_at_files(const iol__facts *facts, iol__metrics *m) {
    int64_t most = -1;
    for (size_t i = 0; i < facts->n_files; i++) {
        const iol__facts_use *use = facts->file[i].layer[IOL_LAYER_POSIX];
        if (!use) continue;
        add_redundant(m, use);
        m->random_reads = iol__facts_plus(m->random_reads, use->direction[IOL_READ]->random);
        m->random_writes = iol__facts_plus(m->random_writes, use->direction[IOL_WRITE]->random);
        if (use->whole) m->time_excess = fmax(m->time_excess, iol__facts_time_excess(facts, use));
        if (iol__facts_sharing_of(use) == IOL_SHARING_UNIQUE) continue;
        add_small(m, &facts->file[i], use);
        int64_t bytes = iol__facts_plus(use->direction[IOL_READ]->bytes, use->direction[IOL_WRITE]->bytes);
        if (bytes <= most) continue;
        most = bytes;
        m->effective_ranks = iol__facts_effective_ranks(facts, use);
    }
    if (m->effective_ranks < 0) m->effective_ranks = NAN;
}

static double metrics_ratio(const double *sums, int read, int write, int meta) {
    return sums[meta] / (sums[meta] + sums[read] + sums[write]); /* NaN where no time was measured */
}

/* Of a file with one record for all ranks only the sum is known. A rank's part is taken for the mean in one figure, and
   for the most that it can be in the other: the sum, but no more than the slowest rank spent in the file. */
static void worst_rank(const iol__facts *facts, iol__metrics *m) {
    const iol__facts_layer_ranks *ranks = &facts->ranks[IOL_LAYER_POSIX];
    double worst = 0;
    for (size_t i = 0; i < ranks->count; i++) worst = fmax(worst, ranks->ranks[i].meta_time);
    m->meta_s_rank_max_lo = worst + ranks->whole_meta / (double)facts->processes;
    m->meta_s_rank_max_hi = worst + ranks->whole_meta_capped;
}

/* Seconds in calls. */
typedef struct call_times {
    double meta, all;
} call_times;

static void add_metrics_times(call_times *t, double meta, double read, double write) {
    t->meta += meta;
    t->all += meta + read + write;
}

static void add_use(call_times *t, const iol__facts_use *use) {
    add_metrics_times(t, use->meta_time, use->direction[IOL_READ]->time, use->direction[IOL_WRITE]->time);
}

/* A file that was opened through MPI-IO counts with what the program waited for there, any other with its POSIX times. */
static call_times counted_times(const iol__facts *facts, bool *mpiio, bool *posix) {
    call_times counted = {0}, in_files = {0}, rest = {0};
    const double *sums = facts->modules[IOL_SLOT_POSIX].all.reals;
    for (size_t i = 0; i < facts->n_files; i++) {
        const iol__facts_use *above = facts->file[i].layer[IOL_LAYER_MPIIO],
                             *below = facts->file[i].layer[IOL_LAYER_POSIX], *use = above ? above : below;
        if (below) add_use(&in_files, below);
        if (use) add_use(&counted, use);
        *mpiio = *mpiio || above;
        *posix = *posix || (below && !above);
    }
    /* Records that stand for no single file are in the sums of the module only. */
    add_metrics_times(&rest, sums[IOL_POSIX_F_META_TIME], sums[IOL_POSIX_F_READ_TIME], sums[IOL_POSIX_F_WRITE_TIME]);
    if (rest.all - in_files.all > 1e-6 * rest.all) {
        counted.meta += fmax(0, rest.meta - in_files.meta);
        counted.all += rest.all - in_files.all;
        *posix = true;
    }
    return counted;
}

static void metrics_metadata(const iol__facts *facts, iol__metrics *m) {
    const iol__facts_sums *posix = &facts->modules[IOL_SLOT_POSIX].all, *mpiio = &facts->modules[IOL_SLOT_MPIIO].all;
    m->meta_ratio_posix =
        metrics_ratio(posix->reals, IOL_POSIX_F_READ_TIME, IOL_POSIX_F_WRITE_TIME, IOL_POSIX_F_META_TIME);
    m->meta_ratio_mpiio =
        metrics_ratio(mpiio->reals, IOL_MPIIO_F_READ_TIME, IOL_MPIIO_F_WRITE_TIME, IOL_MPIIO_F_META_TIME);
    bool through = false, direct = false;
    const call_times counted = counted_times(facts, &through, &direct);
    m->meta_ratio = counted.meta / counted.all;
    m->meta_layer = through && direct ? "both" : through ? "MPI-IO" : direct ? "POSIX" : NULL;
    m->meta_s_per_proc = posix->records ? posix->reals[IOL_POSIX_F_META_TIME] / (double)facts->processes : NAN;
    m->meta_s_layer = m->meta_layer ? counted.meta / (double)facts->processes : NAN;
    if (posix->records) worst_rank(facts, m);
}

static void select_job(const iol__facts *facts, const iol__metric_limits *limits, iol__metrics *m) {
    double processes = (double)facts->processes;
    m->match1 = (double)m->redundant_read_bytes > limits->redundant_bytes;
    m->match2 = m->meta_ratio >= limits->meta_ratio && processes >= limits->meta_processes &&
                m->meta_s_layer > limits->meta_seconds;
    m->match3 = (double)m->small_shared_indep_writes > limits->small_writes && m->coll_writes == 0;
}

void iol__metrics_make(const iol__facts *facts, const iol__metric_limits *limits, iol__metrics *metrics) {
    *metrics = (iol__metrics){
        .processes = facts->processes,
        .posix = facts->modules[IOL_SLOT_POSIX].all.records > 0,
        .extents = facts->modules[IOL_SLOT_POSIX].all.records > 0,
        .coll_writes = facts->modules[IOL_SLOT_MPIIO].all.ints[IOL_MPIIO_COLL_WRITES],
        .effective_ranks = NAN,
        .time_excess = NAN,
        .meta_s_rank_max_lo = NAN,
        .meta_s_rank_max_hi = NAN,
    };
    metrics_look_at_files(facts, metrics);
    metrics_metadata(facts, metrics);
    select_job(facts, limits, metrics);
}
