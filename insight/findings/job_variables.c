/* Values of the whole job: what the metrics have already, and what takes a look at all files or ranks. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "base/idmap.h"
#include "insight/facts/carriers.h"
#include "insight/findings/case.h"
#include "insight/findings/costs.h"
#include "insight/facts/metrics.h"
#include "log/merge/launcher.h"
#include "log/trailer/operations.h"
#include "log/trailer/platform.h"
#include "log/trailer/processes.h"
#include "record/hash.h"
#include "record/starter.h"

/* What the ranks of an MPI job have counted themselves, 0 if there is nothing of it. */
static double counted_nodes(iol_log *log) {
    iol__platform platform;
    iol__platform_read(log, &platform);
    const double nodes = (double)platform.nodes;
    iol__platform_free(&platform);
    return nodes;
}

static void count_nodes(iol__case *job) {
    const double counted = counted_nodes(job->facts.log);
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
    if (counted >= 1 && counted >= (double)job->tracing.hosts.count) {
        job->nodes_from = "log";
        *nodes = counted;
    }
    if (job->options->nodes >= 1) {
        job->nodes_from = "caller";
        *nodes = job->options->nodes;
    }
    *nodes = fmin(*nodes, (double)job->facts.processes); /* a process is on one */
    job->job[IOL_JOB_nodes_known] = strcmp(job->nodes_from, "guess") != 0;
    job->job[IOL_JOB_network] = *nodes > 1 || job->job[IOL_JOB_nodes_known] == 0;
}

static void take_metrics(iol__case *job) {
    const iol__metric_limits limits = iol__metric_limits_of(job->book);
    const iol__metrics *m = &job->metrics;
    iol__metrics_make(&job->facts, &limits, &job->metrics);
    double *v = job->job;
    v[IOL_JOB_job_meta_ratio] = m->meta_ratio;
    v[IOL_JOB_meta_rank_s] = v[IOL_JOB_meta_wait_s] = m->meta_s_rank_max_lo;
    v[IOL_JOB_meta_rank_high_s] = m->meta_s_rank_max_hi;
    v[IOL_JOB_meta_mean_s] = m->meta_s_layer;
    v[IOL_JOB_small_shared_writes] = (double)m->small_shared_indep_writes;
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
    double sum = 0;
    for (size_t r = 0; r < ranks->count && job->concurrency > 0; r++) sum += ranks->ranks[r].meta_time;
    if (job->concurrency > 0)
        job->job[IOL_JOB_meta_wait_s] = fmax(job->job[IOL_JOB_meta_wait_s], sum / job->concurrency);
    job->job[IOL_JOB_meta_ranks_over] = over;
}

/* Files that are opened through stdio have no POSIX record: a program of fopen and fclose spends nothing in metadata calls by
   that layer. */
static double stream_metadata(const iol__case *job) {
    const iol__facts_layer_ranks *ranks = &job->facts.ranks[IOL_LAYER_STDIO];
    double worst = 0, sum = 0;
    for (size_t r = 0; r < ranks->count; r++) {
        worst = fmax(worst, ranks->ranks[r].meta_time);
        sum += ranks->ranks[r].meta_time;
    }
    worst += ranks->whole_meta / (double)job->facts.processes;
    return job->concurrency > 0 ? fmax(worst, sum / job->concurrency) : worst;
}

/* The rank that moves most, by POSIX and stdio: its own files, and shared ones that it carries alone. */
static void add_own_bytes(const iol__facts *facts, iol__facts_layer layer, double *bytes, size_t room) {
    const iol__facts_layer_ranks *ranks = &facts->ranks[layer];
    for (size_t r = 0; r < ranks->count && r < room; r++)
        bytes[r] += (double)ranks->ranks[r].bytes[IOL_READ] + (double)ranks->ranks[r].bytes[IOL_WRITE];
    for (size_t i = 0; i < facts->n_files; i++) {
        const iol__facts_use *use = facts->file[i].layer[layer];
        if (!use || !use->whole || use->whole->slowest_rank < 0 || (size_t)use->whole->slowest_rank >= room) continue;
        if (iol__facts_effective_ranks(facts, use) < 1.05)
            bytes[use->whole->slowest_rank] += (double)use->whole->slowest_bytes;
    }
}

static void single_rank(iol__case *job) {
    const iol__facts *facts = &job->facts;
    const double *raw = job->total.raw;
    size_t room = (size_t)facts->processes < IOL_FACTS_RANKS ? (size_t)facts->processes + 1 : IOL_FACTS_RANKS, most = 0;
    double *bytes = calloc(room, sizeof *bytes);
    job->job[IOL_JOB_single_rank_share] = job->job[IOL_JOB_single_rank] = NAN;
    double total = raw[IOL_SUM_bytes_read] + raw[IOL_SUM_bytes_written] + raw[IOL_SUM_stdio_bytes_read] +
                   raw[IOL_SUM_stdio_bytes_written];
    if (!bytes || total <= 0) {
        free(bytes);
        return;
    }
    add_own_bytes(facts, IOL_LAYER_POSIX, bytes, room);
    add_own_bytes(facts, IOL_LAYER_STDIO, bytes, room);
    for (size_t r = 1; r < room; r++)
        if (bytes[r] > bytes[most]) most = r;
    job->job[IOL_JOB_single_rank] = (double)most;
    job->job[IOL_JOB_single_rank_share] = fmin(1, bytes[most] / total);
    free(bytes);
}

static double slowest_of_all(const iol__facts_use *use) { return use->whole ? iol__facts_slowest_time(use) : 0; }

static void worst_time(iol__case *job) {
    const iol__facts *facts = &job->facts;
    double worst = 0;
    for (size_t r = 0; r < facts->n_top; r++) worst = fmax(worst, facts->top_time[r]);
    for (size_t i = 0; i < facts->n_files; i++)
        worst = fmax(worst, iol__facts_over_layers(&facts->file[i], slowest_of_all));
    job->job[IOL_JOB_rank_time_worst] = worst;
}

/* Ranks with files of their own: the slowest against the others that carried data. */
static void own_files(iol__case *job) {
    iol__unique_carriers c = iol__carriers_of_unique_files(&job->facts);
    double *v = job->job;
    v[IOL_JOB_own_ranks] = c.ranks;
    v[IOL_JOB_own_slowest_rank] = (double)c.slowest_rank;
    v[IOL_JOB_own_slowest_s] = c.slowest_s;
    v[IOL_JOB_own_mean_s] = c.mean_s;
    v[IOL_JOB_own_mean_bytes] = c.mean_bytes;
    v[IOL_JOB_own_slowest_bytes] = c.slowest_bytes;
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
    v[IOL_JOB_periods] = p->periods;
    v[IOL_JOB_period_confidence] = p->period_confidence;
    v[IOL_JOB_duty] = p->duty;
    v[IOL_JOB_idle_ranks] = p->idle_ranks;
    v[IOL_JOB_overlap_s] = iol__phases_overlap(p, &job->facts);
    const iol__clashes *c = &job->clashes;
    bool traced = job->tracing.count > 0;
    v[IOL_JOB_conflicts] = traced ? c->conflicts : NAN;
    v[IOL_JOB_lock_conflicts] = traced ? c->lock_conflicts : NAN;
    v[IOL_JOB_lock_writes] = traced ? c->lock_writes : NAN;
    v[IOL_JOB_repeated_reads] = traced ? c->repeated[IOL_READ] : NAN;
    v[IOL_JOB_repeated_bytes] = traced ? c->repeated_bytes[IOL_READ] : NAN;
    v[IOL_JOB_repeated_s] = traced ? c->repeated_s[IOL_READ] : NAN;
    v[IOL_JOB_rewrites] = traced ? c->repeated[IOL_WRITE] : NAN;
    v[IOL_JOB_rewritten_bytes] = traced ? c->repeated_bytes[IOL_WRITE] : NAN;
    v[IOL_JOB_rewritten_s] = traced ? c->repeated_s[IOL_WRITE] : NAN;
    v[IOL_JOB_read_jump] = iol__traced_jump(&job->traced, IOL_READ, 0.5);
    v[IOL_JOB_read_jump_far] = iol__traced_jump(&job->traced, IOL_READ, 0.9);
    v[IOL_JOB_write_jump] = iol__traced_jump(&job->traced, IOL_WRITE, 0.5);
    v[IOL_JOB_write_jump_far] = iol__traced_jump(&job->traced, IOL_WRITE, 0.9);
    v[IOL_JOB_meta_region_ranks] = traced ? c->region_ranks : NAN;
}

/* Flux starts ranks too, but not every program of that name is it. */
static bool is_launcher(const char *command) { return iol__is_starter(command) || iol__is_program(command, "flux"); }

/* Processes that end as soon as they have begun: one for each item, or each line. */
static void note_life(iol__case *job, const iol__process *process) {
    /* One that execs or ends past the C library has no end of its own in the log. */
    const double end = isnan(process->end) ? process->start : process->end;
    double *v = job->job, life = end - process->start;
    if (!(life >= 0) || process->rank == 0 || life >= iol__case_threshold(job, "process.short")) return;
    const double first = v[IOL_JOB_short_processes] > 0 ? fmin(job->short_first, process->start) : process->start;
    job->short_last = v[IOL_JOB_short_processes] > 0 ? fmax(job->short_last, end) : end;
    job->short_first = first;
    v[IOL_JOB_short_life_s] += life;
    v[IOL_JOB_short_processes]++;
}

/* Whether the command is this interpreter, of any version: python3.11. */
static bool is_interpreter(const char *command, const char *name) {
    const size_t length = strcspn(command, " ");
    const char *slash = memrchr(command, '/', length), *base = slash ? slash + 1 : command;
    const size_t word = strlen(name);
    if (strncmp(base, name, word) != 0) return false;
    return strspn(base + word, "0123456789.") == length - (size_t)(base - command) - word;
}

static bool runs_interpreter(const char *command) {
    static const char *const names[] = {"python", "perl", "ruby", "Rscript", "R",
                                        "julia",  "java", "node", "octave",  "php"};
    for (size_t i = 0; command && i < IOL_COUNT(names); i++)
        if (is_interpreter(command, names[i])) return true;
    return false;
}

typedef struct process_tree {
    iol__case *job;
    iol__idmap ran; /* process ids, each with the program that it ran last */
} process_tree;

static uint64_t run_of(int64_t pid, const char *image) { return iol__hash(image, strlen(image), (uint64_t)pid); }

/* A child that was only forked, as the workers of a pool, runs the program of its parent, which comes before it. */
static bool was_forked(process_tree *tree, const iol__process *process, const char *image) {
    const bool forked =
        process->n_images == 1 && iol__idmap_find(&tree->ran, run_of(process->parent, image)) != IOL_IDMAP_NONE;
    iol__idmap_add(&tree->ran, run_of(process->pid, image));
    return forked;
}

/* Interpreters take long to start, so that a few dozen of them matter. The shortest life says how long a start takes at most. */
static void note_interpreter(process_tree *tree, const iol__process *process) {
    double *v = tree->job->job;
    const double life = process->end - process->start;
    const char *image = process->n_images ? process->images[process->n_images - 1] : NULL;
    if (!runs_interpreter(image) || was_forked(tree, process, image)) return;
    if (!(life >= 0) || process->rank == 0 || life >= iol__case_threshold(tree->job, "interpreter.short")) return;
    v[IOL_JOB_interpreter_least_s] = v[IOL_JOB_interpreters] > 0 ? fmin(v[IOL_JOB_interpreter_least_s], life) : life;
    v[IOL_JOB_interpreters]++;
}

/* Who copies, packs, checks out or compiles files has as many as there are: how they are kept is not for it to decide. */
static bool runs_file_tool(const char *command) {
    static const char *const names[] = {"cp",      "mv",    "rm",  "install", "rsync",    "scp",   "tar", "cpio",
                                        "zip",     "unzip", "7z",  "find",    "chmod",    "git",   "hg",  "svn",
                                        "dpkg",    "rpm",   "pip", "npm",     "make",     "ninja", "cc1", "as",
                                        "cc1plus", "gcc",   "g++", "clang",   "collect2", "ld",    "cc",  "c++"};
    for (size_t i = 0; command && i < IOL_COUNT(names); i++)
        if (iol__is_program(command, names[i])) return true;
    return false;
}

static double metadata_of_rank(const iol__case *job, size_t rank) {
    const iol__facts_layer_ranks *posix = &job->facts.ranks[IOL_LAYER_POSIX],
                                 *stdio = &job->facts.ranks[IOL_LAYER_STDIO];
    return (rank < posix->count ? posix->ranks[rank].meta_time : 0) +
           (rank < stdio->count ? stdio->ranks[rank].meta_time : 0);
}

static double metadata_of_ranks(const iol__case *job) {
    const size_t posix = job->facts.ranks[IOL_LAYER_POSIX].count, stdio = job->facts.ranks[IOL_LAYER_STDIO].count;
    double sum = 0;
    for (size_t rank = 0; rank < posix || rank < stdio; rank++) sum += metadata_of_rank(job, rank);
    return sum;
}

static void note_file_tool(iol__case *job, const iol__process *process) {
    if (process->rank < 0 || !process->n_images || !runs_file_tool(process->images[process->n_images - 1])) return;
    job->job[IOL_JOB_file_tools] += metadata_of_rank(job, (size_t)process->rank);
}

static bool visit_process(void *context, const iol__process *process) {
    process_tree *tree = context;
    iol__case *job = tree->job;
    const char *point, *type;
    note_life(job, process);
    note_interpreter(tree, process);
    note_file_tool(job, process);
    job->job[IOL_JOB_process_tree] = 1;
    for (int i = 1; i < 3; i++)
        if (process->targets[i] && iol_log_mount_of(job->facts.log, process->targets[i], &point, &type) &&
            iol__is_slow_fs(point, type))
            job->job[IOL_JOB_stdout_slow] = 1;
    if (process->targets[1] && strncmp(process->targets[1], "pipe:", 5) == 0) job->job[IOL_JOB_stdout_pipe] = 1;
    for (size_t i = 0; i < process->n_images; i++)
        if (is_launcher(process->images[i])) job->job[IOL_JOB_launcher] = 1;
    return true;
}

/* A launcher tells its processes how many they are; a writer may keep that among the metadata of the job. */
static bool metadata_of_launcher(const iol_log *log) {
    static const char *const variables[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE",         "PMIX_SIZE", "MPI_LOCALNRANKS",
                                            "SLURM_STEP_NUM_TASKS", "ALPS_APP_PE_COUNT"};
    const char *key, *value;
    for (size_t i = 0; iol_log_metadata(log, i, &key, &value) == IOL_OK; i++)
        for (size_t v = 0; v < IOL_COUNT(variables); v++)
            if (strcmp(key, variables[v]) == 0 && atoi(value) > 1) return true;
    return false;
}

/* A run of Iolite without MPI lists its processes. */
static void look_at_processes(iol__case *job) {
    job->job[IOL_JOB_process_tree] = job->job[IOL_JOB_stdout_slow] = job->job[IOL_JOB_stdout_pipe] = 0;
    job->job[IOL_JOB_python] = job->facts.job->exe && is_interpreter(job->facts.job->exe, "python");
    job->job[IOL_JOB_launcher] = metadata_of_launcher(job->facts.log);
    if (job->facts.job->exe && is_launcher(job->facts.job->exe)) job->job[IOL_JOB_launcher] = 1;
    job->job[IOL_JOB_launcher_log] = iol__is_launcher_log(job->facts.log);
    process_tree tree = {.job = job};
    iol__processes_each(job->facts.log, visit_process, &tree);
    iol__idmap_free(&tree.ran);
    const double opening = metadata_of_ranks(job);
    job->job[IOL_JOB_file_tools] = opening > 0 ? fmin(1, job->job[IOL_JOB_file_tools] / opening) : 0;
    job->job[IOL_JOB_short_span_s] = job->short_last - job->short_first;
    job->job[IOL_JOB_short_life_s] /= fmax(1, job->job[IOL_JOB_short_processes]);
    const double found = job->facts.figures.value[IOL_FIGURE_concurrency];
    job->concurrency = job->job[IOL_JOB_concurrency] = isnan(found) ? 0 : found;
}

/* Files beyond the recorder's memory have no record, but their number is known. */
static void count_files(iol__case *job) {
    iol__folded folded = {0};
    iol__folded_add(job->facts.log, &folded);
    double most = 0;
    uint64_t partial = job->facts.partial;
    for (int slot = 0; slot < IOL_SLOTS_KNOWN; slot++) {
        bool parts = slot == IOL_SLOT_H5D || slot == IOL_SLOT_PNETCDF_VAR; /* datasets and variables are no files */
        if (!parts) most = fmax(most, (double)folded.files[slot]);
        if (folded.files[slot]) partial &= ~((uint64_t)1 << slot); /* its sums are whole */
    }
    job->job[IOL_JOB_folded_datasets] = (double)folded.files[IOL_SLOT_H5D];
    job->job[IOL_JOB_job_datasets] = job->total.raw[IOL_SUM_h5d_sets];
    job->job[IOL_JOB_partial_modules] = bits(partial);
    job->job[IOL_JOB_folded_files] = most;
    job->job[IOL_JOB_job_files] = job->total.raw[IOL_SUM_files] + most;
}

static double calls_of(const iol__operation_total *of) { return (double)of->count + (double)of->failed; }

static double in_turn(const iol__case *job, double seconds) {
    return seconds / (job->concurrency > 0 ? job->concurrency : (double)job->facts.processes) / job->threads;
}

/* Looking for files, also for those that are not there and so have no record. */
static void count_lookups(iol__case *job, const iol__operation_totals *totals) {
    static const int lookups[] = {IOL_OPERATION_OPEN, IOL_OPERATION_STAT, IOL_OPERATION_ACCESS};
    double *v = job->job, calls = 0, failed = 0, seconds = 0;
    for (size_t i = 0; i < IOL_COUNT(lookups); i++) {
        const iol__operation_total *of = &totals->of[lookups[i]];
        calls += calls_of(of);
        failed += (double)of->failed;
        seconds += of->time;
    }
    v[IOL_JOB_lookups] = calls;
    v[IOL_JOB_lookups_failed] = failed;
    v[IOL_JOB_lookup_wait_s] = in_turn(job, seconds);
}

/* What is done to names, by what it does. Entries that readdir returned are not counted as calls, but they take time. */
static const struct {
    int operation, share;
    bool calls;
} on_names[] = {
    {IOL_OPERATION_MKDIR, IOL_JOB_name_make_share, true},
    {IOL_OPERATION_MKNOD, IOL_JOB_name_make_share, true},
    {IOL_OPERATION_LINK, IOL_JOB_name_make_share, true},
    {IOL_OPERATION_SYMLINK, IOL_JOB_name_make_share, true},
    {IOL_OPERATION_UNLINK, IOL_JOB_name_remove_share, true},
    {IOL_OPERATION_RMDIR, IOL_JOB_name_remove_share, true},
    {IOL_OPERATION_RENAME, IOL_JOB_name_change_share, true},
    {IOL_OPERATION_CHMOD, IOL_JOB_name_change_share, true},
    {IOL_OPERATION_CHOWN, IOL_JOB_name_change_share, true},
    {IOL_OPERATION_UTIME, IOL_JOB_name_change_share, true},
    {IOL_OPERATION_SETXATTR, IOL_JOB_name_change_share, true},
    {IOL_OPERATION_GETXATTR, IOL_JOB_name_change_share, true},
    {IOL_OPERATION_LISTXATTR, IOL_JOB_name_change_share, true},
    {IOL_OPERATION_REMOVEXATTR, IOL_JOB_name_change_share, true},
    {IOL_OPERATION_OPENDIR, IOL_JOB_name_list_share, true},
    {IOL_OPERATION_READDIR, IOL_JOB_name_list_share, false},
    {IOL_OPERATION_READLINK, IOL_JOB_name_list_share, true},
};

static void count_names(iol__case *job, const iol__operation_totals *totals) {
    double *v = job->job, calls = 0, seconds = 0;
    for (int i = IOL_JOB_name_make_share; i <= IOL_JOB_name_list_share; i++) v[i] = 0;
    for (size_t i = 0; i < IOL_COUNT(on_names); i++) {
        const iol__operation_total *of = &totals->of[on_names[i].operation];
        if (on_names[i].calls) calls += calls_of(of);
        seconds += of->time;
        v[on_names[i].share] += of->time;
    }
    for (int i = IOL_JOB_name_make_share; i <= IOL_JOB_name_list_share; i++) v[i] = seconds > 0 ? v[i] / seconds : NAN;
    v[IOL_JOB_name_calls] = calls;
    v[IOL_JOB_name_wait_s] = in_turn(job, seconds);
}

static void count_resizes(iol__case *job, const iol__operation_totals *totals) {
    const iol__operation_total *cut = &totals->of[IOL_OPERATION_TRUNCATE], *room = &totals->of[IOL_OPERATION_ALLOCATE];
    job->job[IOL_JOB_resize_calls] = calls_of(cut) + calls_of(room);
    job->job[IOL_JOB_resize_wait_s] = in_turn(job, cut->time + room->time);
}

/* Calls that a buffer serves take long on a busy machine, too: Iolite's own logs say which streams had none. */
static bool knows_streams(const iol__case *job) {
    const char *key, *value;
    for (size_t i = 0; i < iol_log_metadata_count(job->facts.log); i++)
        if (iol_log_metadata(job->facts.log, i, &key, &value) == IOL_OK && strcmp(key, "iolite") == 0) return true;
    return false;
}

/* Seconds in calls that are counted as operations: those on other files lie between an open and its close as well. */
static double in_any_call(const iol__operation_total *of) {
    double seconds = 0;
    for (int i = 0; i <= IOL_OPERATION_LOCK; i++) seconds += of[i].time;
    return seconds;
}

/* Which calls the metadata time goes into, where the log has it. */
static void share_metadata(iol__case *job, const iol__operation_totals *totals) {
    const iol__operation_total *of = totals->of;
    double *v = job->job, look = of[IOL_OPERATION_STAT].time + of[IOL_OPERATION_ACCESS].time;
    double all = of[IOL_OPERATION_OPEN].time + of[IOL_OPERATION_CLOSE].time + of[IOL_OPERATION_SEEK].time +
                 of[IOL_OPERATION_SYNC].time + look;
    v[IOL_JOB_open_share] = all > 0 ? of[IOL_OPERATION_OPEN].time / all : NAN;
    v[IOL_JOB_close_share] = all > 0 ? of[IOL_OPERATION_CLOSE].time / all : NAN;
    v[IOL_JOB_seek_share] = all > 0 ? of[IOL_OPERATION_SEEK].time / all : NAN;
    v[IOL_JOB_sync_share] = all > 0 ? of[IOL_OPERATION_SYNC].time / all : NAN;
    v[IOL_JOB_stat_share] = all > 0 ? look / all : NAN;
    v[IOL_JOB_reopens] = (double)of[IOL_OPERATION_REOPENED].count;
    v[IOL_JOB_reopen_span_s] = fmax(0, in_turn(job, of[IOL_OPERATION_REOPENED].time) - in_turn(job, in_any_call(of)));
    v[IOL_JOB_list_entries] = calls_of(&of[IOL_OPERATION_READDIR]);
    v[IOL_JOB_sync_opens] = (double)of[IOL_OPERATION_OPEN_SYNC].count;
    v[IOL_JOB_direct_opens] = (double)of[IOL_OPERATION_OPEN_DIRECT].count;
    v[IOL_JOB_page_faults] = (double)of[IOL_OPERATION_PAGE_FAULT].count;
    v[IOL_JOB_page_wait_s] = in_turn(job, of[IOL_OPERATION_PAGE_FAULT].time);
    v[IOL_JOB_unbuffered_s] = of[IOL_OPERATION_UNBUFFERED].time;
    v[IOL_JOB_stream_slack] = knows_streams(job) && of[IOL_OPERATION_UNBUFFERED].count == 0 ? 10 : 1;
}

/* POSIX counts no sync as metadata. Without times of single kinds of calls, one is taken for as long as another. */
static void part_metadata(iol__case *job) {
    const double *sum = job->total.raw;
    double *v = job->job, known = 1 - v[IOL_JOB_sync_share];
    double calls = 2 * sum[IOL_SUM_opens] + sum[IOL_SUM_stats] + sum[IOL_SUM_seeks];
    v[IOL_JOB_stat_part] = known > 0 ? v[IOL_JOB_stat_share] / known : calls > 0 ? sum[IOL_SUM_stats] / calls : 0;
    v[IOL_JOB_seek_part] = known > 0 ? v[IOL_JOB_seek_share] / known : calls > 0 ? sum[IOL_SUM_seeks] / calls : 0;
}

/* No record says how long single kinds of calls took; Iolite's logs say it of the whole job. */
static void time_operations(iol__case *job) {
    iol__operation_totals totals = {0};
    iol__operations_add(job->facts.log, &totals);
    const iol__operation_total *syncs = &totals.of[IOL_OPERATION_SYNC];
    job->sync_mean = calls_of(syncs) > 0 ? syncs->time / calls_of(syncs) : 0;
    job->job[IOL_JOB_sync_calls] = calls_of(syncs);
    job->job[IOL_JOB_sync_wait_s] = in_turn(job, syncs->time);
    count_lookups(job, &totals);
    count_names(job, &totals);
    count_resizes(job, &totals);
    share_metadata(job, &totals);
}

/* What is left of the time of small requests when they are merged into large ones. */
static double left_by_merging(const double *sum) {
    double ops = sum[IOL_SUM_reads] + sum[IOL_SUM_writes], small = sum[IOL_SUM_small_reads] + sum[IOL_SUM_small_writes];
    if (ops <= 0) return 1;
    double mean = (sum[IOL_SUM_bytes_read] + sum[IOL_SUM_bytes_written]) / ops;
    return 1 - small / ops * fmax(0, (IOL_BEGIN_BYTES - mean) / (IOL_BEGIN_BYTES + mean));
}

static bool collective(const double *raw) {
    return 2 * (raw[IOL_SUM_mpiio_coll_reads] + raw[IOL_SUM_mpiio_coll_writes] + raw[IOL_SUM_mpiio_split_reads] +
                raw[IOL_SUM_mpiio_split_writes]) >
           raw[IOL_SUM_mpiio_reads] + raw[IOL_SUM_mpiio_writes];
}

static void add_files(iol__case *job) {
    const iol__facts *facts = &job->facts;
    double *v = job->job;
    job->total = (iol__subject){.job = job};
    iol__subject file = {0};
    for (size_t i = 0; i < facts->n_files; i++) {
        iol__subject_fill(&file, job, &facts->file[i]);
        iol__subject_add(&job->total, &file);
        if (iol__facts_file_sharing(&facts->file[i]) != IOL_SHARING_UNIQUE)
            v[IOL_JOB_shared_bytes] += file.raw[IOL_SUM_top_bytes];
        v[IOL_JOB_dataset_wait_s] += fmax(0, file.raw[IOL_MAX_h5d_span_s] - file.raw[IOL_MAX_top_slowest_s]);
        if (collective(file.raw)) v[IOL_JOB_collective_bytes] += file.raw[IOL_SUM_top_bytes];
    }
    job->total.counters = job->job_counters;
}

/* Formats whose libraries map files, by the end of the name. */
static const struct map_format {
    const char *ending;
    int kind; /* as map_kind of variables.def says */
} map_formats[] = {{".safetensors", 1}, {".npy", 2},      {".arrow", 3}, {".feather", 3},
                   {".ipc", 3},         {"/data.mdb", 4}, {".lmdb", 4},  {".mdb", 4}};

static int map_kind_of(const char *name) {
    if (!name) return 0;
    const size_t length = strlen(name);
    for (size_t i = 0; i < IOL_COUNT(map_formats); i++) {
        const size_t end = strlen(map_formats[i].ending);
        if (length >= end && strcmp(name + length - end, map_formats[i].ending) == 0) return map_formats[i].kind;
    }
    return 0;
}

static void look_at_maps(iol__case *job) {
    const iol__map_sums *maps = &job->facts.figures.maps;
    double *v = job->job;
    v[IOL_JOB_map_length] = maps->bytes;
    v[IOL_JOB_map_used] = maps->used;
    v[IOL_JOB_map_files] = maps->files;
    v[IOL_JOB_map_run] = maps->pieces > 0 ? maps->used / maps->pieces : 0;
    v[IOL_JOB_map_unmeasured] = maps->unmeasured;
    v[IOL_JOB_map_kind] = map_kind_of(maps->largest);
}

void iol__case_variables(iol__case *job) {
    const iol__facts *facts = &job->facts;
    double *v = job->job;
    v[IOL_JOB_nprocs] = (double)facts->processes;
    v[IOL_JOB_run_time] = facts->run_time;
    const bool adds_up = facts->processes == 1 && iol__figures_impossible(facts->figures.waited, facts->run_time);
    job->threads = v[IOL_JOB_threads] = adds_up ? facts->figures.waited / facts->run_time : 1;
    look_at_processes(job);
    count_nodes(job);
    time_operations(job);
    add_files(job);
    part_metadata(job);
    const double *sum = job->total.raw;
    const double *figure = facts->figures.value;
    v[IOL_JOB_io_time] = figure[IOL_FIGURE_io_time];
    v[IOL_JOB_io_share] = figure[IOL_FIGURE_io_share];
    v[IOL_JOB_io_time_low_s] = figure[IOL_FIGURE_io_time_low];
    look_at_maps(job);
    v[IOL_JOB_page_wait_s] =
        fmin(fmax(0, v[IOL_JOB_page_wait_s] - v[IOL_JOB_io_time]),
             v[IOL_JOB_page_faults] / v[IOL_JOB_nprocs] * iol__case_threshold(job, "posix.mmap.page"));
    count_files(job);
    v[IOL_JOB_job_bytes] = sum[IOL_SUM_top_bytes];
    v[IOL_JOB_moved_bytes] = figure[IOL_FIGURE_bytes];
    v[IOL_JOB_job_rate] = figure[IOL_FIGURE_rate];
    v[IOL_JOB_job_reads] = sum[IOL_SUM_reads];
    v[IOL_JOB_job_writes] = sum[IOL_SUM_writes];
    v[IOL_JOB_merged_part] = left_by_merging(sum);
    v[IOL_JOB_metadata_calls] = 2 * sum[IOL_SUM_opens] + sum[IOL_SUM_stats] + sum[IOL_SUM_seeks];
    v[IOL_JOB_opens_per_use] = (sum[IOL_SUM_opens] + sum[IOL_SUM_stats]) / fmax(1, sum[IOL_SUM_uses]);
    v[IOL_JOB_damaged_modules] = bits(facts->damaged);
    v[IOL_JOB_damaged] = iol__facts_damaged(facts);
    v[IOL_JOB_unreadable_modules] = bits(facts->unreadable & ~facts->damaged);
    v[IOL_JOB_odd_records] = (double)facts->odd;
    v[IOL_JOB_database_journals] = sum[IOL_SUM_journal_files];
    take_metrics(job);
    rank_metadata(job);
    const double of_streams = stream_metadata(job), of_files = job->job[IOL_JOB_meta_wait_s];
    job->job[IOL_JOB_stream_meta_s] = of_streams;
    job->job[IOL_JOB_opening_wait_s] = of_streams + (isnan(of_files) ? 0 : of_files);
    single_rank(job);
    worst_time(job);
    own_files(job);
    look_at_names(job);
    iol__case_osts(job);
    iol__case_waiting(job);
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
