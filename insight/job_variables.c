/* Values of the whole job: what the metrics have already, and what takes a look at all files, ranks or OSTs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "insight/case.h"
#include "insight/metrics.h"
#include "log/processes.h"

static void count_nodes(iol__case *job) {
    double *nodes = &job->job[IOL_JOB_nodes];
    double ppn = fmax(1, iol__case_threshold(job, "site.ppn"));
    job->nodes_from = "guess";
    *nodes = ceil((double)job->facts.processes / ppn);
    if (job->job[IOL_JOB_process_tree] > 0) {
        job->nodes_from = "run";
        *nodes = 1;
    }
    if (job->tracing.hosts.count) {
        job->nodes_from = "trace";
        *nodes = (double)job->tracing.hosts.count;
    }
    if (job->options->nodes >= 1) {
        job->nodes_from = "caller";
        *nodes = job->options->nodes;
    }
}

static void take_metrics(iol__case *job) {
    iol__metrics m;
    iol__metrics_make(&job->facts, &iol__metric_limits_usual, &m);
    double *v = job->job;
    v[IOL_JOB_job_meta_ratio] = m.meta_ratio;
    v[IOL_JOB_meta_rank_s] = m.meta_s_rank_max_lo;
    v[IOL_JOB_meta_rank_high_s] = m.meta_s_rank_max_hi;
    v[IOL_JOB_meta_mean_s] = m.meta_s_per_proc;
    v[IOL_JOB_small_shared_writes] = (double)m.small_shared_indep_writes;
}

/* Which rank spends most on metadata, and how many spend too much. */
static void rank_metadata(iol__case *job) {
    const iol__facts_layer_ranks *ranks = &job->facts.ranks[IOL_LAYER_POSIX];
    double limit = iol__case_threshold(job, "metadata.time_rank"), worst = -1;
    double mean = ranks->whole_meta / (double)job->facts.processes;
    double over = 0;
    job->job[IOL_JOB_meta_rank] = 0;
    for (size_t r = 0; r < ranks->count; r++) {
        double seconds = ranks->ranks[r].meta_time + mean;
        over += seconds > limit;
        if (seconds <= worst) continue;
        worst = seconds;
        job->job[IOL_JOB_meta_rank] = (double)r;
    }
    if (mean > limit) over = (double)job->facts.processes;
    job->job[IOL_JOB_meta_ranks_over] = over;
}

/* The rank that moves most: its own files, and shared ones that it carries alone. */
static void single_rank(iol__case *job) {
    const iol__facts *facts = &job->facts;
    const iol__facts_layer_ranks *ranks = &facts->ranks[IOL_LAYER_POSIX];
    size_t room = (size_t)facts->processes < IOL_FACTS_RANKS ? (size_t)facts->processes + 1 : IOL_FACTS_RANKS;
    double *bytes = calloc(room, sizeof *bytes);
    job->job[IOL_JOB_single_rank_share] = job->job[IOL_JOB_single_rank] = NAN;
    double total = job->total.raw[IOL_SUM_bytes_read] + job->total.raw[IOL_SUM_bytes_written];
    if (!bytes || total <= 0) {
        free(bytes);
        return;
    }
    for (size_t r = 0; r < ranks->count && r < room; r++)
        bytes[r] = (double)ranks->ranks[r].bytes[IOL_READ] + (double)ranks->ranks[r].bytes[IOL_WRITE];
    for (size_t i = 0; i < facts->n_files; i++) {
        const iol__facts_use *use = facts->file[i].layer[IOL_LAYER_POSIX];
        if (!use || !use->whole || use->whole->slowest_rank < 0 || (size_t)use->whole->slowest_rank >= room) continue;
        if (iol__facts_effective_ranks(facts, use) < 1.05)
            bytes[use->whole->slowest_rank] += (double)use->whole->slowest_bytes;
    }
    size_t most = 0;
    for (size_t r = 1; r < room; r++)
        if (bytes[r] > bytes[most]) most = r;
    job->job[IOL_JOB_single_rank] = (double)most;
    job->job[IOL_JOB_single_rank_share] = fmin(1, bytes[most] / total);
    free(bytes);
}

static void worst_time(iol__case *job) {
    const iol__facts *facts = &job->facts;
    double worst = 0;
    for (size_t r = 0; r < facts->n_top; r++) worst = fmax(worst, facts->top_time[r]);
    for (size_t i = 0; i < facts->n_files; i++) {
        const iol__facts_use *top = iol__facts_top(&facts->file[i], NULL);
        if (top && top->whole) worst = fmax(worst, iol__facts_slowest_time(top));
    }
    job->job[IOL_JOB_rank_time_worst] = worst;
}

/* Ranks with files of their own: the slowest against the others. */
static void own_files(iol__case *job) {
    const iol__facts *facts = &job->facts;
    const iol__facts_layer_ranks *posix = &facts->ranks[IOL_LAYER_POSIX];
    double *v = job->job, sum = 0, bytes = 0;
    size_t slowest = 0, ranks = 0;
    for (size_t r = 0; r < facts->n_top; r++) {
        sum += facts->top_time[r];
        ranks += facts->top_time[r] > 0;
        if (facts->top_time[r] > facts->top_time[slowest]) slowest = r;
    }
    for (size_t r = 0; r < posix->count; r++)
        bytes += (double)posix->ranks[r].bytes[IOL_READ] + (double)posix->ranks[r].bytes[IOL_WRITE];
    double all = (double)facts->processes;
    v[IOL_JOB_own_ranks] = (double)ranks;
    v[IOL_JOB_own_slowest_rank] = (double)slowest;
    v[IOL_JOB_own_slowest_s] = facts->n_top ? facts->top_time[slowest] : NAN;
    v[IOL_JOB_own_mean_s] = sum / all;
    v[IOL_JOB_own_mean_bytes] = bytes / all;
    v[IOL_JOB_own_slowest_bytes] = NAN;
    if (slowest < posix->count)
        v[IOL_JOB_own_slowest_bytes] =
            (double)posix->ranks[slowest].bytes[IOL_READ] + (double)posix->ranks[slowest].bytes[IOL_WRITE];
}

static bool only_digits(const char *text) {
    size_t n = strspn(text, "0123456789");
    return n >= 6 && text[n] == 0;
}

/* Names: how many are missing, and whether they look like numbers put in their place. The first thousand tell. */
static void look_at_names(iol__case *job) {
    double missing = 0, hashed = 0;
    for (size_t i = 0; i < job->facts.n_files; i++) {
        const char *name = job->names[i];
        if (!name) missing++;
        const char *slash = name ? strrchr(name, '/') : NULL;
        if (name && i < 1000 && only_digits(slash ? slash + 1 : name)) hashed++;
    }
    job->job[IOL_JOB_names_missing] = missing;
    job->job[IOL_JOB_hash_names] = hashed > 0.5 * fmin(1000, (double)job->facts.n_files) ? hashed : 0;
}

enum { MOST_OSTS = 1 << 16 };

/* Bytes by OST, each file's spread evenly over its stripes. */
static void count_osts(iol__case *job) {
    job->job[IOL_JOB_ost_count] = job->job[IOL_JOB_ost_most] = NAN;
    if (!job->facts.modules[IOL_SLOT_LUSTRE].listed) return;
    double *bytes = calloc(MOST_OSTS, sizeof *bytes), sum = 0, most = 0, count = 0;
    for (size_t i = 0; bytes && i < job->facts.n_files; i++) {
        const iol__facts_file *file = &job->facts.file[i];
        const iol__facts_use *use = iol__facts_top(file, NULL);
        if (!file->lustre || !file->lustre->components || !use) continue;
        const iol__facts_stripes *s = &file->lustre->stripes[file->lustre->components - 1];
        double part = (double)use->way[IOL_READ]->bytes + (double)use->way[IOL_WRITE]->bytes;
        for (int64_t o = 0; o < s->count; o++)
            if (s->osts[o] >= 0 && s->osts[o] < MOST_OSTS) bytes[s->osts[o]] += part / (double)s->count;
    }
    for (int i = 0; bytes && i < MOST_OSTS; i++) {
        if (bytes[i] <= 0) continue;
        count++;
        sum += bytes[i];
        most = fmax(most, bytes[i]);
    }
    free(bytes);
    if (count <= 0) return;
    job->job[IOL_JOB_ost_count] = count;
    job->job[IOL_JOB_ost_most] = most * count / sum;
}

static double bits(uint64_t flags) { return (double)__builtin_popcountll(flags); }

static void time_values(iol__case *job) {
    double *v = job->job;
    const iol__phases *p = &job->phases;
    double length = 0;
    for (size_t i = 0; i < p->kept; i++) length += p->phases[i].end - p->phases[i].start;
    v[IOL_JOB_wall_io] = p->wall_io;
    v[IOL_JOB_traced] = (double)job->tracing.seen;
    v[IOL_JOB_phases] = p->source ? (double)p->count : NAN;
    v[IOL_JOB_stretches] = p->stretches;
    v[IOL_JOB_phase_mean_s] = p->kept ? length / (double)p->kept : NAN;
    v[IOL_JOB_period_s] = p->period;
    v[IOL_JOB_duty] = p->duty;
    v[IOL_JOB_idle_ranks] = p->idle_ranks;
    v[IOL_JOB_overlap_s] = iol__phases_overlap(p, &job->facts);
    const iol__clashes *c = &job->clashes;
    bool traced = job->tracing.count > 0;
    v[IOL_JOB_conflicts] = traced ? c->conflicts : NAN;
    v[IOL_JOB_lock_conflicts] = traced ? c->lock_conflicts : NAN;
    v[IOL_JOB_lock_writes] = traced ? c->lock_writes : NAN;
    v[IOL_JOB_repeated_reads] = traced ? c->repeated_reads : NAN;
    v[IOL_JOB_repeated_bytes] = traced ? c->repeated_bytes : NAN;
    v[IOL_JOB_repeated_s] = traced ? c->repeated_s : NAN;
    v[IOL_JOB_meta_region_ranks] = traced ? c->region_ranks : NAN;
}

static bool visit_process(void *context, const iol__process *process) {
    iol__case *job = context;
    const char *point, *type;
    job->job[IOL_JOB_process_tree] = 1;
    for (int i = 1; i < 3; i++)
        if (process->targets[i] && iol_log_mount_of(job->facts.log, process->targets[i], &point, &type) &&
            iol__is_slow_fs(point, type))
            job->job[IOL_JOB_stdout_slow] = 1;
    return true;
}

/* A run of Iolite without MPI lists its processes. */
static void look_at_processes(iol__case *job) {
    job->job[IOL_JOB_process_tree] = job->job[IOL_JOB_stdout_slow] = 0;
    iol__processes_each(job->facts.log, visit_process, job);
}

void iol__case_variables(iol__case *job) {
    const iol__facts *facts = &job->facts;
    double *v = job->job;
    v[IOL_JOB_nprocs] = (double)facts->processes;
    v[IOL_JOB_run_time] = facts->run_time;
    look_at_processes(job);
    count_nodes(job);
    job->total = (iol__subject){.job = job};
    iol__subject file = {0};
    for (size_t i = 0; i < facts->n_files; i++) {
        iol__subject_fill(&file, job, &facts->file[i]);
        iol__subject_add(&job->total, &file);
        if (iol__facts_file_sharing(&facts->file[i]) != IOL_SHARING_UNIQUE)
            v[IOL_JOB_shared_bytes] += file.raw[IOL_SUM_top_bytes];
    }
    job->total.counters = job->job_counters;
    const double *sum = job->total.raw;
    v[IOL_JOB_io_time] = facts->run_time > 0 ? fmin(facts->io_time, facts->run_time) : facts->io_time;
    v[IOL_JOB_io_share] = facts->run_time > 0 ? fmin(1, facts->io_time / facts->run_time) : NAN;
    v[IOL_JOB_job_files] = (double)facts->n_files;
    v[IOL_JOB_job_bytes] = sum[IOL_SUM_top_bytes];
    v[IOL_JOB_job_rate] = facts->io_time > 0 ? sum[IOL_SUM_top_bytes] / facts->io_time : NAN;
    v[IOL_JOB_job_reads] = sum[IOL_SUM_reads];
    v[IOL_JOB_job_writes] = sum[IOL_SUM_writes];
    v[IOL_JOB_metadata_calls] = 2 * sum[IOL_SUM_opens] + sum[IOL_SUM_stats] + sum[IOL_SUM_seeks];
    v[IOL_JOB_partial_modules] = bits(facts->partial);
    v[IOL_JOB_unreadable_modules] = bits(facts->unreadable);
    v[IOL_JOB_odd_records] = (double)facts->odd;
    take_metrics(job);
    rank_metadata(job);
    single_rank(job);
    worst_time(job);
    own_files(job);
    look_at_names(job);
    count_osts(job);
    time_values(job);
}

/* Named counters ---------------------------------------------------------------------------------------------- */

static double number_of(const iol_record *record, int counter) {
    iol_value value;
    if (iol_record_counter(record, (size_t)counter, &value) != IOL_OK) return NAN;
    return value.kind == IOL_INT ? (double)value.as.i : value.kind == IOL_UINT ? (double)value.as.u : value.as.d;
}

static void add_counters(iol__case *job, const iol_record *record) {
    const iol__rulebook *book = job->book;
    const iol__facts_file *file = iol__facts_find(&job->facts, iol_record_id(record));
    double *own = file ? job->counters + (size_t)(file - job->facts.file) * book->n_counters : NULL;
    for (size_t i = 0; i < book->n_counters; i++) {
        if (book->counters[i].slot != iol_record_slot(record)) continue;
        double value = number_of(record, book->counters[i].counter);
        if (isnan(value) || value < 0) continue; /* -1: not measured */
        if (own) own[i] += value;
        job->job_counters[i] += value;
    }
}

void iol__case_counters(iol__case *job) {
    const iol__rulebook *book = job->book;
    if (!book->n_counters) return;
    job->counters = iol__arena_alloc(&job->arena, job->facts.n_files * book->n_counters + 1, sizeof *job->counters);
    job->job_counters = iol__arena_alloc(&job->arena, book->n_counters, sizeof *job->job_counters);
    for (int slot = 0; slot < IOL_SLOTS_KNOWN; slot++) {
        bool wanted = false;
        for (size_t i = 0; i < book->n_counters; i++) wanted = wanted || book->counters[i].slot == slot;
        iol_records *records;
        const iol_record *record;
        if (!wanted || iol_records_open(job->facts.log, slot, &records) != IOL_OK) continue;
        while (iol_records_next(records, &record) == IOL_OK) add_counters(job, record);
        iol_records_close(records);
    }
}
